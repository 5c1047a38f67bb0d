/* preempt.c: iterative preemption bounding (Musuvathi and Qadeer; seed 001, section "The battle for efficiency").
 *
 * Two stacks of partial states, each a prefix of choices. An execution starts from a prefix of the current stack and
 * goes on without preempting: the process of the last step runs as long as it can. At each new point the alternatives
 * are pushed: onto `current` where no preemption is needed (the last process is blocked or has ended, or it is the last
 * process's own choice of another value), onto `next` where the last process could have gone on. When `current` is
 * empty, all executions of that many preemptions have been run: the stacks change places and the bound goes up.
 *
 * So each execution is run once, those with fewer preemptions first, and memory is what is pending. A prefix is stored
 * as its choices' indices in LEB128, mostly one byte each, followed by its weight and length, so that it can be popped.
 * The weight is its estimated share of the whole: each choice at a point gets an equal part of the point's. */
#include <string.h>

#include "base/alloc.h"
#include "strategies/strategies.h"

typedef struct stack {
  EO_VEC(unsigned char) bytes;
  uint64_t count;
} stack;

typedef struct preempt {
  eo_strategy base;
  bool started, bounded, left_over;
  uint32_t bound, limit; /* preemptions now; the most allowed */
  stack current, next;
  EO_VEC(uint32_t) prefix; /* indices to follow in this execution */
  EO_VEC(uint32_t) path;   /* indices taken */
  double weight;           /* of the execution under way, as far as it has come */
  double done, left_out;   /* weights of what was run, and of what is beyond the bound */
} preempt;

typedef struct tail {
  double weight;
  uint32_t length; /* of the indices before it, in bytes */
} tail;

static void preempt_close(eo_strategy *strategy) {
  preempt *p = (preempt *)strategy;
  eo_vec_release(&p->current.bytes);
  eo_vec_release(&p->next.bytes);
  eo_vec_release(&p->prefix);
  eo_vec_release(&p->path);
  eo_free(p);
}

static size_t encode(unsigned char *out, uint32_t number) {
  size_t length = 0;
  for (; number >= 0x80; number >>= 7) out[length++] = (unsigned char)(number | 0x80);
  out[length++] = (unsigned char)number;
  return length;
}

/* The first `depth` indices of the path, then `index`. */
static bool push(stack *s, const uint32_t *path, uint32_t depth, uint32_t index, double weight) {
  if (!eo_vec_reserve(&s->bytes, ((size_t)depth + 1) * 5 + sizeof(tail))) return false;
  unsigned char *start = s->bytes.items + s->bytes.count, *at = start;
  for (uint32_t i = 0; i < depth; i++) at += encode(at, path[i]);
  at += encode(at, index);
  tail t = {weight, (uint32_t)(at - start)};
  memcpy(at, &t, sizeof t);
  s->bytes.count += t.length + sizeof t;
  s->count++;
  return true;
}

static bool pop(stack *s, preempt *p) {
  tail t;
  memcpy(&t, s->bytes.items + s->bytes.count - sizeof t, sizeof t);
  s->bytes.count -= t.length + sizeof t;
  s->count--;
  p->weight = t.weight;
  eo_vec_clear(&p->prefix);
  if (!eo_vec_reserve(&p->prefix, t.length)) return false;
  const unsigned char *at = s->bytes.items + s->bytes.count, *end = at + t.length;
  while (at < end) {
    uint32_t number = 0;
    unsigned shift = 0;
    for (; *at & 0x80; shift += 7) number |= (uint32_t)(*at++ & 0x7f) << shift;
    number |= (uint32_t)*at++ << shift;
    p->prefix.items[p->prefix.count++] = number;
  }
  return true;
}

static bool next_bound(preempt *p) {
  if (p->next.count == 0) return false;
  if (p->bounded && p->bound == p->limit) return false;
  stack swap = p->current;
  p->current = p->next;
  p->next = swap;
  p->bound++;
  return true;
}

static bool preempt_begin(eo_strategy *strategy, uint32_t *shared) {
  preempt *p = (preempt *)strategy;
  *shared = 0;
  if (!p->started) return p->started = true;
  if (p->current.count == 0 && !next_bound(p)) return false;
  if (!pop(&p->current, p)) {
    strategy->error = EO_ENOMEM;
    return false;
  }
  uint32_t same = 0;
  while (same < p->prefix.count && same < p->path.count && p->prefix.items[same] == p->path.items[same]) same++;
  p->path.count = same;
  *shared = same;
  return true;
}

/* Stores the alternatives to `taken` at a new point. */
static bool store_others(preempt *p, const eo_point *point, uint32_t taken, bool last_can_go_on) {
  p->weight /= point->count;
  for (uint32_t i = point->count; i-- > 0;) {
    if (i == taken) continue;
    bool preempts = last_can_go_on && point->choices[i].process != point->last;
    if (preempts && p->bounded && p->bound == p->limit) {
      p->left_over = true;
      p->left_out += p->weight;
      continue;
    }
    if (!push(preempts ? &p->next : &p->current, p->path.items, point->depth, i, p->weight)) return false;
  }
  return true;
}

static uint32_t preempt_choose(eo_strategy *strategy, const eo_point *point) {
  preempt *p = (preempt *)strategy;
  uint32_t index = 0;
  bool good = true;
  if (point->depth < p->prefix.count) {
    index = p->prefix.items[point->depth];
    if (index >= point->count) return EO_PRUNE; /* not deterministic; the engine says so */
  } else {
    while (index < point->count && point->choices[index].process != point->last) index++;
    bool last_can_go_on = index < point->count;
    if (!last_can_go_on) index = 0;
    if (point->count > 1) good = store_others(p, point, index, last_can_go_on);
  }
  if (!good || !eo_vec_push(&p->path, index)) {
    strategy->error = EO_ENOMEM;
    return EO_PRUNE;
  }
  return index;
}

static void preempt_end(eo_strategy *strategy, eo_outcome *outcome) {
  preempt *p = (preempt *)strategy;
  p->done += p->weight;
  if (outcome->depth < p->path.count) p->path.count = outcome->depth;
}

/* Of what is within the bound. */
static double preempt_share(eo_strategy *strategy) {
  const preempt *p = (const preempt *)strategy;
  double share = p->left_out < 1 ? p->done / (1 - p->left_out) : 1;
  return share < 1 ? share : 1;
}

static eo_coverage preempt_coverage(eo_strategy *strategy, eo_text *words) {
  preempt *p = (preempt *)strategy;
  if (p->left_over) {
    eo_text_add(words, "every interleaving of at most %u preemption%s", p->limit, p->limit == 1 ? "" : "s");
    return EO_COVERS_BOUND;
  }
  eo_text_add(words, "every interleaving");
  if (p->bound) eo_text_add(words, "; none has more than %u preemption%s", p->bound, p->bound == 1 ? "" : "s");
  return EO_COVERS_ALL;
}

static uint64_t preempt_pending(eo_strategy *strategy) {
  const preempt *p = (const preempt *)strategy;
  return p->current.count + p->next.count;
}

static const eo_strategy_ops preempt_ops = {
    .close = preempt_close,
    .begin = preempt_begin,
    .choose = preempt_choose,
    .end = preempt_end,
    .coverage = preempt_coverage,
    .share = preempt_share,
    .pending = preempt_pending,
};

eo_strategy *eo__preempt_open(const eo_strategy_options *options, eo_error *error) {
  preempt *p = eo_alloc(sizeof *p);
  if (!p) {
    eo_error_nomem(error);
    return NULL;
  }
  p->base.ops = &preempt_ops;
  p->weight = 1;
  p->bounded = options->bounded;
  p->limit = options->bound;
  return &p->base;
}
