/* preempt.c: iterative preemption bounding (Musuvathi and Qadeer; Gotovos 2011, section "The battle for efficiency").
 *
 * Two stacks of partial states, each a prefix of choices. An execution starts from a prefix of the current stack and
 * goes on without preempting: the process of the last step runs as long as it can. At each new point the alternatives
 * are pushed: onto `current` where no preemption is needed (the last process is blocked or has ended, or it is the last
 * process's own choice of another value), onto `next` where the last process could have gone on. When `current` is
 * empty, all executions of that many preemptions have been run: the stacks change places and the bound goes up.
 *
 * So each execution is run once, those with fewer preemptions first, and memory is what is pending. A prefix is stored
 * as its choices' indices in LEB128, mostly one byte each, followed by its weight and length, so that it can be popped.
 * The weight is its estimated share of the whole: each choice at a point gets an equal part of the point's.
 *
 * With a cache of states (--cache), an execution ends where it comes to a state that was seen before with at most as many
 * preemptions and the same process running. Which process runs matters, as going on with it is no preemption; if it cannot
 * go on, it does not. So every state is reached with as few preemptions as without a cache: by induction along a path with
 * the fewest, since the bound goes up only when everything below it was run. Workers that share the work are not always
 * at the same bound, so a state is looked up under each bound from 0 to its own, and kept under its own. Circles of states
 * in which a specification stays hot are looked for afterwards, in the log of steps (core/heat.h).
 *
 * A fragment is two such stacks and the bound. Splitting gives away every second prefix of both, so that both parts go
 * on by number of preemptions; of several parts together this is true only roughly. */
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "core/heat.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

typedef struct stack {
  eo_bytes bytes;
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
  eo_view view;            /* for fingerprints */
  eo_visited *visited;     /* NULL: without a cache */
  eo_heats *heats;         /* NULL: nothing is logged */
  eo_strategy_ops ops;     /* with `observe`, if there is a cache */
  uint64_t states;
} preempt;

/* What stands behind the indices of a prefix. */
typedef struct tail {
  double weight;
  uint32_t length; /* of the indices before it, in bytes */
} __attribute__((packed)) tail;

static void preempt_close(eo_strategy *strategy) {
  preempt *p = (preempt *)strategy;
  eo_vec_release(&p->current.bytes);
  eo_vec_release(&p->next.bytes);
  eo_vec_release(&p->prefix);
  eo_vec_release(&p->path);
  eo__free(p);
}

/* The first `depth` indices of the path, then `index`. */
static bool push(stack *s, const uint32_t *path, uint32_t depth, uint32_t index, double weight) {
  if (!eo_vec_reserve(&s->bytes, ((size_t)depth + 1) * 5 + sizeof(tail))) return false;
  unsigned char *start = s->bytes.items + s->bytes.count, *at = start;
  for (uint32_t i = 0; i < depth; i++) at += eo__leb128_write(at, path[i]);
  at += eo__leb128_write(at, index);
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
    uint64_t number;
    at = eo__leb128_read(at, end, &number);
    EO_CHECK(at != NULL);
    p->prefix.items[p->prefix.count++] = (uint32_t)number;
  }
  return true;
}

static void swap(stack *a, stack *b) {
  stack kept = *a;
  *a = *b;
  *b = kept;
}

static bool next_bound(preempt *p) {
  if (p->next.count == 0) return false;
  if (p->bounded && p->bound == p->limit) return false;
  swap(&p->current, &p->next);
  p->bound++;
  return true;
}

static bool preempt_begin(eo_strategy *strategy, eo_beginning *beginning) {
  preempt *p = (preempt *)strategy;
  if (!p->started) return p->started = true;
  if (p->current.count == 0 && !next_bound(p)) return false;
  if (!pop(&p->current, p)) {
    strategy->error = EO_ENOMEM;
    return false;
  }
  uint32_t same = 0;
  while (same < p->prefix.count && same < p->path.count && p->prefix.items[same] == p->path.items[same]) same++;
  p->path.count = same;
  beginning->shared = same;
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

/* ---- States ------------------------------------------------------------------------------------------------------- */

/* The state here, counted; *isnew: nobody has been in it. */
static void visit(preempt *p, uint64_t state[2], bool *isnew) {
  p->view.states->fingerprint(p->view.of, state);
  *isnew = eo__visited_add(p->visited, state) == EO_VISIT_NEW;
  p->states += *isnew;
}

/* Was this state seen with at most as many preemptions? `running` tells which process goes on without one: its place in
 * the list of choices, which is the same in every worker; the number of choices if it cannot. */
static bool seen(preempt *p, const uint64_t state[2], bool isnew, uint32_t running) {
  struct {
    uint64_t state[2];
    uint32_t running, bound;
  } key = {{state[0], state[1]}, running, 0};
  for (; key.bound <= p->bound; key.bound++) {
    XXH128_hash_t hash = XXH3_128bits(&key, sizeof key);
    uint64_t words[2] = {hash.low64, hash.high64};
    if (key.bound == p->bound) return eo__visited_add(p->visited, words) == EO_VISIT_SEEN;
    if (!isnew && eo__visited_has(p->visited, words)) return true;
  }
  return false;
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
    if (p->visited) {
      uint64_t state[2];
      bool isnew;
      visit(p, state, &isnew);
      if (seen(p, state, isnew, index)) return EO_PRUNE;
    }
    if (!last_can_go_on) index = 0;
    if (point->count > 1) good = store_others(p, point, index, last_can_go_on);
  }
  if (!good || !eo_vec_push(&p->path, index)) {
    strategy->error = EO_ENOMEM;
    return EO_PRUNE;
  }
  return index;
}

/* All choices of a state are taken from where it was first met, each as the last of a prefix or behind one: so the log has
 * all steps. */
static void preempt_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  preempt *p = (preempt *)strategy;
  (void)taken;
  if (!(event->flags & EO_EVENT_HOT) || depth + 1 < p->prefix.count) return;
  const eo_heat *heat = p->view.states->heat(p->view.of);
  strategy->doubts |= EO_DOUBT_LIVENESS; /* until the log was searched */
  if (heat && p->heats) eo__heats_add(p->heats, heat);
}

static void preempt_end(eo_strategy *strategy, eo_outcome *outcome) {
  preempt *p = (preempt *)strategy;
  p->done += p->weight;
  bool stands = outcome->end == EO_END_FINISHED ||
                (outcome->end == EO_END_FAILED && outcome->failure &&
                 (outcome->failure->kind == EO_KIND_DEADLOCK || outcome->failure->kind == EO_KIND_LEAK));
  if (p->visited && stands) { /* a state without choices, at which nobody was asked */
    uint64_t state[2];
    bool isnew;
    visit(p, state, &isnew);
  }
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
  if (p->visited) {
    eo__text_add(words, "every reachable state");
    if (p->left_over) eo__text_add(words, " with at most %u preemption%s", p->limit, p->limit == 1 ? "" : "s");
    eo__text_add(words, ", by fingerprints");
    return p->left_over ? EO_COVERS_BOUND : EO_COVERS_ALL;
  }
  if (p->left_over) {
    eo__text_add(words, "every interleaving of at most %u preemption%s", p->limit, p->limit == 1 ? "" : "s");
    return EO_COVERS_BOUND;
  }
  eo__text_add(words, "every interleaving");
  if (p->bound) eo__text_add(words, "; none has more than %u preemption%s", p->bound, p->bound == 1 ? "" : "s");
  return EO_COVERS_ALL;
}

static uint64_t preempt_pending(eo_strategy *strategy) {
  const preempt *p = (const preempt *)strategy;
  return p->current.count + p->next.count;
}

static uint64_t preempt_states(eo_strategy *strategy) { return ((const preempt *)strategy)->states; }

/* ---- Fragments ---------------------------------------------------------------------------------------------------- */

/* What a fragment holds beside its stacks. */
typedef struct head {
  bool started, left_over;
  uint32_t bound;
  double done, left_out;
} head;

static bool write(const head *h, const stack *current, const stack *next, eo_bytes *out) {
  bool good = eo__fragment_begin(out, EO_FRAGMENT_PREEMPT) && eo__fragment_number(out, h->started) &&
              eo__fragment_number(out, h->left_over) && eo__fragment_number(out, h->bound) &&
              eo__fragment_raw(out, &h->done, sizeof h->done) &&
              eo__fragment_raw(out, &h->left_out, sizeof h->left_out);
  const stack *const both[] = {current, next};
  for (int i = 0; good && i < 2; i++)
    good = eo__fragment_number(out, both[i]->count) && eo__fragment_number(out, both[i]->bytes.count) &&
           eo__fragment_raw(out, both[i]->bytes.items, both[i]->bytes.count);
  return good && eo__fragment_end(out);
}

static bool preempt_save(eo_strategy *strategy, eo_bytes *out) {
  const preempt *p = (const preempt *)strategy;
  head h = {p->started, p->left_over, p->bound, p->done, p->left_out};
  return write(&h, &p->current, &p->next, out);
}

/* Can these bytes have come from pushing so many prefixes? */
static bool well_formed(const stack *s) {
  size_t left = s->bytes.count;
  for (uint64_t i = 0; i < s->count; i++) {
    tail t;
    if (left < sizeof t) return false;
    memcpy(&t, s->bytes.items + left - sizeof t, sizeof t);
    if (t.length == 0 || t.length > left - sizeof t || !(t.weight >= 0 && t.weight <= 1)) return false;
    left -= sizeof t + t.length;
    const unsigned char *at = s->bytes.items + left, *end = at + t.length;
    while (at && at < end) {
      uint64_t number;
      at = eo__leb128_read(at, end, &number);
      if (number > UINT32_MAX) return false;
    }
    if (!at) return false;
  }
  return left == 0;
}

static bool read_stack(eo_fragment_reader *reader, stack *s, bool *memory) {
  s->count = eo__fragment_read(reader, UINT64_MAX);
  size_t size = eo__fragment_read(reader, (uint64_t)(reader->end - reader->at));
  eo_vec_clear(&s->bytes);
  if (size && !eo_vec_reserve(&s->bytes, size)) return *memory = false;
  if (size) eo__fragment_read_raw(reader, s->bytes.items, size);
  s->bytes.count = size;
  return !reader->bad && well_formed(s);
}

static int preempt_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  preempt *p = (preempt *)strategy;
  eo_fragment_reader reader;
  bool memory = true;
  int code = eo__fragment_open(&reader, bytes, size, EO_FRAGMENT_PREEMPT, error);
  if (code != EO_OK) return code;
  p->started = eo__fragment_read(&reader, 1);
  p->left_over = eo__fragment_read(&reader, 1);
  p->bound = (uint32_t)eo__fragment_read(&reader, p->bounded ? p->limit : UINT32_MAX);
  eo__fragment_read_raw(&reader, &p->done, sizeof p->done);
  eo__fragment_read_raw(&reader, &p->left_out, sizeof p->left_out);
  bool good =
      read_stack(&reader, &p->current, &memory) && read_stack(&reader, &p->next, &memory) && reader.at == reader.end;
  if (!memory) return eo__error_nomem(error);
  /* Beyond the bound nothing is kept, and before the first execution there is nothing yet. */
  if (p->bounded && p->bound == p->limit && p->next.count) good = false;
  if (!p->started && p->current.count + p->next.count) good = false;
  return good ? EO_OK : eo__fragment_refuse(error);
}

/* Where each prefix begins, from the last one to the first. */
static bool prefixes(const stack *s, size_t *starts) {
  size_t left = s->bytes.count;
  for (uint64_t i = 0; i < s->count; i++) {
    tail t;
    memcpy(&t, s->bytes.items + left - sizeof t, sizeof t);
    left -= sizeof t + t.length;
    starts[s->count - 1 - i] = left;
  }
  return left == 0;
}

/* Every second prefix of `from` goes to `theirs`, the others to `ours`; *turn says whose the next one is. Adds the
 * weight of theirs to *weight. */
static bool deal(const stack *from, stack *ours, stack *theirs, bool *turn, double *weight) {
  EO_VEC(size_t) starts = {0};
  if (from->count == 0) return true;
  if (!eo_vec_reserve(&starts, from->count) || !starts.items) return false;
  bool good = prefixes(from, starts.items);
  for (uint64_t i = 0; good && i < from->count; i++) {
    size_t start = starts.items[i], end = i + 1 < from->count ? starts.items[i + 1] : from->bytes.count;
    stack *to = *turn ? theirs : ours;
    tail t;
    memcpy(&t, from->bytes.items + end - sizeof t, sizeof t);
    if (*turn) *weight += t.weight;
    *turn = !*turn;
    good = eo__fragment_raw(&to->bytes, from->bytes.items + start, end - start);
    to->count++;
  }
  eo_vec_release(&starts);
  return good;
}

static bool preempt_split(eo_strategy *strategy, eo_bytes *out) {
  preempt *p = (preempt *)strategy;
  if (p->current.count + p->next.count < 2) return false;
  stack ours[2] = {0}, theirs[2] = {0};
  bool turn = false;
  double weight = 0;
  bool good =
      deal(&p->current, &ours[0], &theirs[0], &turn, &weight) && deal(&p->next, &ours[1], &theirs[1], &turn, &weight);
  head h = {.started = true, .bound = p->bound, .done = 1 - weight};
  if (good) good = write(&h, &theirs[0], &theirs[1], out);
  if (good) {
    swap(&p->current, &ours[0]);
    swap(&p->next, &ours[1]);
    p->done += weight; /* as far as this part is concerned */
  } else {
    strategy->error = EO_ENOMEM;
  }
  for (int i = 0; i < 2; i++) {
    eo_vec_release(&ours[i].bytes);
    eo_vec_release(&theirs[i].bytes);
  }
  return good;
}

static const eo_strategy_ops preempt_ops = {
    .close = preempt_close,
    .begin = preempt_begin,
    .choose = preempt_choose,
    .end = preempt_end,
    .telling =
        &(const eo_telling){
            .coverage = preempt_coverage, .share = preempt_share, .pending = preempt_pending, .states = preempt_states},
    .fragments = &(const eo_fragments){.save = preempt_save, .load = preempt_load, .split = preempt_split},
};

eo_strategy *eo__preempt_open(const eo_strategy_options *options, eo_error *error) {
  preempt *p = eo__alloc(sizeof *p);
  if (!p) {
    eo__error_nomem(error);
    return NULL;
  }
  p->ops = preempt_ops;
  if (options->visited) p->ops.observe = preempt_observe;
  p->base.ops = &p->ops;
  p->weight = 1;
  p->bounded = options->bounded;
  p->limit = options->bound;
  p->view = options->view;
  p->visited = options->visited;
  p->heats = options->heats;
  return &p->base;
}
