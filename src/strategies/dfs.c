/* dfs.c: every interleaving, depth first. Keeps one number pair per step of the current path, and nothing else. */
#include "base/alloc.h"
#include "strategies/strategies.h"

typedef struct frame {
  uint32_t index; /* choice taken here */
  uint32_t count; /* choices there were */
} frame;

typedef struct dfs {
  eo_strategy base;
  EO_VEC(frame) path;
  bool started, finished;
} dfs;

static void dfs_close(eo_strategy *strategy) {
  eo_vec_release(&((dfs *)strategy)->path);
  eo_free(strategy);
}

/* Backs up to the deepest step that has another choice left, and moves on to it. */
static bool dfs_begin(eo_strategy *strategy, uint32_t *shared) {
  dfs *d = (dfs *)strategy;
  *shared = 0;
  if (!d->started) return d->started = true;
  while (d->path.count && eo_vec_last(&d->path).index + 1 == eo_vec_last(&d->path).count) (void)eo_vec_pop(&d->path);
  if (d->path.count == 0) return !(d->finished = true);
  eo_vec_last(&d->path).index++;
  *shared = (uint32_t)d->path.count - 1;
  return true;
}

static uint32_t dfs_choose(eo_strategy *strategy, const eo_point *point) {
  dfs *d = (dfs *)strategy;
  if (point->depth < d->path.count) {
    frame *f = &d->path.items[point->depth];
    /* A program that is not deterministic can have fewer choices now; the engine will say so, or recheck. */
    if (f->count == point->count) return f->index;
    *f = (frame){f->index < point->count ? f->index : 0, point->count};
    d->path.count = point->depth + 1;
    return f->index;
  }
  if (!eo_vec_push(&d->path, ((frame){0, point->count}))) {
    strategy->error = EO_ENOMEM;
    return EO_PRUNE;
  }
  return 0;
}

static void dfs_end(eo_strategy *strategy, eo_outcome *outcome) {
  dfs *d = (dfs *)strategy;
  if (outcome->depth < d->path.count) d->path.count = outcome->depth;
}

static eo_coverage dfs_coverage(eo_strategy *strategy, eo_text *words) {
  (void)strategy;
  eo_text_add(words, "every interleaving");
  return EO_COVERS_ALL;
}

/* As if each choice led to an equal part of what is below it. */
static double dfs_share(eo_strategy *strategy) {
  const dfs *d = (const dfs *)strategy;
  double share = d->finished, part = 1;
  for (size_t i = 0; i < d->path.count && part > 1e-12; i++) {
    part /= d->path.items[i].count;
    share += part * d->path.items[i].index;
  }
  return share;
}

static uint64_t dfs_pending(eo_strategy *strategy) {
  const dfs *d = (const dfs *)strategy;
  uint64_t pending = 0;
  for (size_t i = 0; i < d->path.count; i++) pending += d->path.items[i].count - 1 - d->path.items[i].index;
  return pending;
}

static const eo_strategy_ops dfs_ops = {
    .close = dfs_close,
    .begin = dfs_begin,
    .choose = dfs_choose,
    .end = dfs_end,
    .coverage = dfs_coverage,
    .share = dfs_share,
    .pending = dfs_pending,
};

eo_strategy *eo__dfs_open(const eo_strategy_options *options, eo_error *error) {
  (void)options;
  dfs *d = eo_alloc(sizeof *d);
  if (!d) {
    eo_error_nomem(error);
    return NULL;
  }
  d->base.ops = &dfs_ops;
  return &d->base;
}
