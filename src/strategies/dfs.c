/* dfs.c: every interleaving, depth first. Keeps a few numbers per step of the current path, and nothing else.
 *
 * A fragment is a path too: the choices to begin with, and at each step up to which choice to go on (n-partitioned
 * depth-first search; Simsa et al. 2012, section 3.1). Splitting gives away the later half of the choices that are left at the
 * first step that has any: the largest part there is. */
#include "base/alloc.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

typedef struct frame {
  uint32_t index; /* choice taken here */
  uint32_t end;   /* choices from here on are not ours */
  uint32_t count; /* choices there were */
} frame;

typedef struct dfs {
  eo_strategy base;
  EO_VEC(frame) path;
  bool ready;      /* `path` is where the next execution begins, not what the last one did */
  bool finished;   /* nothing is left */
  uint32_t shared; /* when ready: with the last execution */
} dfs;

static void dfs_close(eo_strategy *strategy) {
  eo_vec_release(&((dfs *)strategy)->path);
  eo__free(strategy);
}

/* Backs up to the deepest step that has another choice left, and moves on to it. */
static void advance(dfs *d) {
  if (d->ready || d->finished) return;
  while (d->path.count && eo_vec_last(&d->path).index + 1 >= eo_vec_last(&d->path).end) (void)eo_vec_pop(&d->path);
  d->finished = d->path.count == 0;
  if (d->finished) return;
  eo_vec_last(&d->path).index++;
  d->shared = (uint32_t)d->path.count - 1;
  d->ready = true;
}

static bool dfs_begin(eo_strategy *strategy, eo_beginning *beginning) {
  dfs *d = (dfs *)strategy;
  advance(d);
  beginning->shared = d->shared;
  d->ready = false;
  return !d->finished;
}

static uint32_t dfs_choose(eo_strategy *strategy, const eo_point *point) {
  dfs *d = (dfs *)strategy;
  if (point->depth < d->path.count) {
    frame *f = &d->path.items[point->depth];
    /* A program that is not deterministic can have fewer choices now; the engine will say so, or recheck. */
    if (f->count == point->count) return f->index;
    *f = (frame){f->index < point->count ? f->index : 0, point->count, point->count};
    d->path.count = point->depth + 1;
    return f->index;
  }
  if (!eo_vec_push(&d->path, ((frame){0, point->count, point->count}))) {
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
  eo__text_add(words, "every interleaving");
  return EO_COVERS_ALL;
}

/* All but what is left here, as if each choice led to an equal part of what is below it. */
static double dfs_share(eo_strategy *strategy) {
  const dfs *d = (const dfs *)strategy;
  double left = 0, part = !d->finished;
  for (size_t i = 0; i < d->path.count && part > 1e-12; i++) {
    const frame *f = &d->path.items[i];
    part /= f->count;
    left += part * (f->end - 1 - f->index);
  }
  return 1 - left - part;
}

static uint64_t dfs_pending(eo_strategy *strategy) {
  const dfs *d = (const dfs *)strategy;
  uint64_t pending = 0;
  for (size_t i = 0; i < d->path.count; i++) pending += d->path.items[i].end - 1 - d->path.items[i].index;
  return pending;
}

/* ---- Fragments ---------------------------------------------------------------------------------------------------- */

static bool write(const frame *path, size_t count, bool finished, eo_bytes *out) {
  bool good =
      eo__fragment_begin(out, EO_FRAGMENT_DFS) && eo__fragment_number(out, finished) && eo__fragment_number(out, count);
  for (size_t i = 0; good && i < count; i++)
    good = eo__fragment_number(out, path[i].index) && eo__fragment_number(out, path[i].end) &&
           eo__fragment_number(out, path[i].count);
  return good && eo__fragment_end(out);
}

static bool dfs_save(eo_strategy *strategy, eo_bytes *out) {
  dfs *d = (dfs *)strategy;
  advance(d);
  return write(d->path.items, d->path.count, d->finished, out);
}

static int dfs_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  dfs *d = (dfs *)strategy;
  eo_fragment_reader reader;
  int code = eo__fragment_open(&reader, bytes, size, EO_FRAGMENT_DFS, error);
  if (code != EO_OK) return code;
  d->finished = eo__fragment_read(&reader, 1);
  uint64_t count = eo__fragment_read(&reader, size);
  eo_vec_clear(&d->path);
  if (count && !eo_vec_reserve(&d->path, count)) return eo__error_nomem(error);
  for (uint64_t i = 0; i < count && !reader.bad; i++) {
    frame f = {.index = (uint32_t)eo__fragment_read(&reader, UINT32_MAX),
               .end = (uint32_t)eo__fragment_read(&reader, UINT32_MAX),
               .count = (uint32_t)eo__fragment_read(&reader, UINT32_MAX)};
    if (f.index >= f.end || f.end > f.count) reader.bad = true;
    d->path.items[d->path.count++] = f;
  }
  if (reader.bad || reader.at != reader.end || (d->finished && count)) return eo__fragment_refuse(error);
  d->ready = true;
  d->shared = 0;
  return EO_OK;
}

static bool dfs_split(eo_strategy *strategy, eo_bytes *out) {
  dfs *d = (dfs *)strategy;
  advance(d);
  size_t depth = 0;
  while (depth < d->path.count && d->path.items[depth].index + 1 == d->path.items[depth].end) depth++;
  if (depth == d->path.count) return false;
  frame *mine = &d->path.items[depth], all = *mine;
  uint32_t middle = all.end - (all.end - all.index) / 2;
  /* For a moment the step is the other's; those before it have nothing left to vary. */
  mine->index = middle;
  bool good = write(d->path.items, depth + 1, false, out);
  *mine = all;
  if (good)
    mine->end = middle;
  else
    strategy->error = EO_ENOMEM;
  return good;
}

static const eo_strategy_ops dfs_ops = {
    .close = dfs_close,
    .begin = dfs_begin,
    .choose = dfs_choose,
    .end = dfs_end,
    .telling = &(const eo_telling){.coverage = dfs_coverage, .share = dfs_share, .pending = dfs_pending},
    .fragments = &(const eo_fragments){.save = dfs_save, .load = dfs_load, .split = dfs_split},
};

eo_strategy *eo__dfs_open(const eo_strategy_options *options, eo_error *error) {
  (void)options;
  dfs *d = eo__alloc(sizeof *d);
  if (!d) {
    eo__error_nomem(error);
    return NULL;
  }
  d->base.ops = &dfs_ops;
  d->ready = true; /* at the start, with no choices to begin with */
  return &d->base;
}
