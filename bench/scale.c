/* scale.c: how far a cluster scales. The coordinator is the product's (frontier/memory.c, policy.c), called in virtual
 * time; the workers are simulated. usage: scale [--quick]
 *
 * A worker takes a fragment, explores for its budget, splits what is left into as many pieces as it was asked for, hands
 * all of it back, and takes again; while there is nothing to take it asks again, less and less often. What it explores
 * is a tree of which only the sizes of subtrees count: for SCHEDULING(10) the tree of permutations; for RESOURCE(6,6)
 * and STORE(12,3,3) one that is drawn, with as many leaves as those programs have executions (examples/actors), and
 * branching as theirs. All children of a node are known once it is reached; a fragment is the part of a depth-first
 * path that is still to be done, split as strategies/dfs.c splits it. The coordinator does one request at a time, and
 * others wait; its time for one is measured (costs.h), as are the other costs, but for the report's own.
 *
 * --quick checks what must hold, prints it, and fails if it does not. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "bench.h"
#include "costs.h"
#include "frontier/memory.h"

enum { MOST_WORKERS = 16384, MOST_CHILDREN = 16, BINS = 2000 };

#define BUDGET 10.0 /* seconds: the report's, and the product's */
#define GRACE 5.0   /* the report's "several seconds" */

/* ---- Trees -------------------------------------------------------------------------------------------------------- */

/* A drawn node of 2^b leaves has about 2 + growth * b * b children, `most` at most; each takes a part between `least` and
 * `greatest` of what those before it have left over. */
typedef struct tree {
  const char *name;
  uint64_t leaves;
  uint32_t permuted; /* how many things, if it is the tree of permutations; else 0 */
  double growth;
  uint32_t most;
  double least, greatest;
  /* In the report: hours of one worker for so many branches; speedups of 1,024 with and without the optimisations. */
  double hours, branches;
  double with, without;
} tree;

static const tree trees[] = {
    {"RESOURCE(6,6)", 14934879, 0, 0.009, 6, 0.35, 0.9, 209, 18.5e6, 916, 538},
    {"STORE(12,3,3)", 23544000, 0, 0.017, 12, 0.25, 0.8, 215, 21e6, 759, 610},
    {"SCHEDULING(10)", 3628800, 10, 0, 10, 0, 0, 126, 3.6288e6, 865, 696},
};
enum { TREES = sizeof trees / sizeof *trees };

typedef struct node {
  uint64_t seed; /* of what is below it; in a tree of permutations, how many are left to place */
  uint64_t leaves;
  uint32_t level;
} node;

/* What is still to be done of a depth-first path: the last one first; levels do not fall from first to last. */
typedef EO_VEC(node) path;

static void need(bool good) {
  if (good) return;
  fprintf(stderr, "scale: no memory\n");
  exit(2);
}

static uint64_t draw(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static double draw_part(uint64_t *state) { return (double)(draw(state) >> 11) * 0x1p-53; }

static node root_of(const tree *t) { return (node){t->permuted ? t->permuted : 1, t->leaves, 0}; }

static uint32_t draw_children(const tree *t, const node *n, node *out) {
  uint64_t state = n->seed, left = n->leaves;
  double bits = log2((double)left);
  uint32_t count = (uint32_t)(2 + t->growth * bits * bits + draw_part(&state));
  if (count > t->most) count = t->most;
  if (count > left) count = (uint32_t)left;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t after = count - 1 - i; /* each of them needs one */
    double part = t->least + (t->greatest - t->least) * draw_part(&state);
    uint64_t leaves = after ? 1 + (uint64_t)((double)(left - after - 1) * part) : left;
    out[i] = (node){draw(&state), leaves, n->level + 1};
    left -= leaves;
  }
  return count;
}

static uint32_t children(const tree *t, const node *n, node *out) {
  if (!t->permuted) return draw_children(t, n, out);
  uint32_t count = (uint32_t)n->seed;
  for (uint32_t i = 0; i < count; i++) out[i] = (node){n->seed - 1, n->leaves / count, n->level + 1};
  return count;
}

/* Runs so many executions, or all there are. Returns how many. */
static uint64_t explore(const tree *t, path *work, uint64_t executions) {
  uint64_t run = 0;
  while (work->count && run < executions) {
    node n = eo_vec_pop(work), below[MOST_CHILDREN];
    if (n.leaves <= executions - run) {
      run += n.leaves;
      continue;
    }
    for (uint32_t i = children(t, &n, below); i > 0; i--) need(eo_vec_push(work, below[i - 1]));
  }
  return run;
}

/* How many nodes, from the first on, to give away: the later half of what is left where there is most. */
static size_t to_give(const path *work) {
  size_t level = 0;
  while (level < work->count && work->items[level].level == work->items->level) level++;
  return (level + (work->count > level)) / 2;
}

/* Moves the first `count` nodes into bytes. */
static eo_bytes take_away(path *work, size_t count) {
  eo_bytes bytes = {0};
  size_t size = count * sizeof(node);
  need(eo_vec_reserve(&bytes, size));
  if (bytes.items) memcpy(bytes.items, work->items, size);
  bytes.count = size;
  work->count -= count;
  memmove(work->items, work->items + count, work->count * sizeof(node));
  return bytes;
}

/* ---- The simulation ----------------------------------------------------------------------------------------------- */

typedef struct plan {
  const tree *tree;
  uint32_t workers;
  double execution, split; /* seconds */
  double request, trip;    /* the coordinator's time for a request; the way there and back */
  double budget;
  bool heterogeneous;
  double faults; /* the part of results that get lost */
  bool optimised;
  bool only_varied, only_doubled; /* one of the optimisations */
} plan;

typedef struct span {
  double from, to;
} span;

typedef struct outcome {
  double seconds;
  uint64_t executions;      /* that the coordinator has counted */
  uint64_t fragments, most; /* at the moment; ever */
  uint64_t slices, lost;    /* claims that were worked on; results that got lost */
  double load;              /* part of the time that the coordinator was busy */
  EO_VEC(span) busy;        /* of all workers */
} outcome;

typedef struct worker {
  char name[16];
  double speed;
  uint32_t waits; /* in a row */
  bool holds;     /* and comes to hand back */
  eo_claim claim;
  eo_slice slice;
} worker;

/* A worker's request reaches the coordinator. */
typedef struct arrival {
  double time;
  uint32_t worker;
} arrival;

typedef struct simulation {
  const plan *plan;
  eo_frontier *frontier;
  worker *workers;
  EO_VEC(arrival) queue; /* a heap: the earliest first */
  eo_rng rng;
  double free;   /* when the coordinator is */
  double served; /* time it was busy */
  bool ended;
  outcome *out;
} simulation;

static bool earlier(const arrival *a, const arrival *b) {
  return a->time != b->time ? a->time < b->time : a->worker < b->worker;
}

static void arrive(simulation *s, double time, uint32_t number) {
  need(eo_vec_push(&s->queue, ((arrival){time, number})));
  arrival *heap = s->queue.items, new = eo_vec_last(&s->queue);
  size_t at = s->queue.count - 1;
  for (; at > 0 && earlier(&new, &heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = new;
}

static arrival next_arrival(simulation *s) {
  arrival *heap = s->queue.items, first = heap[0], last = eo_vec_pop(&s->queue);
  size_t at = 0, count = s->queue.count;
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && earlier(&heap[child + 1], &heap[child])) child++;
    if (!earlier(&heap[child], &last)) break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return first;
}

static double uniform(eo_rng *rng) { return (double)(eo__rng_next(rng) >> 11) * 0x1p-53; }

/* Log-normal: one in six has less than two thirds of the middle one's speed. */
static double draw_speed(eo_rng *rng) {
  const double sigma = 0.4;
  double normal = -6;
  for (int i = 0; i < 12; i++) normal += uniform(rng);
  return exp(sigma * normal);
}

static void release_slice(eo_slice *slice) {
  for (size_t i = 0; i < slice->rest.count; i++) eo_vec_release(&slice->rest.items[i]);
  eo_vec_release(&slice->rest);
  *slice = (eo_slice){0};
}

static void add_rest(worker *w, eo_bytes bytes) { need(eo_vec_push(&w->slice.rest, bytes)); }

/* Explores the claim, at once, and returns how long it took. */
static double work(simulation *s, worker *w) {
  path todo = {0};
  size_t count = w->claim.bytes.count / sizeof(node), give;
  node root = root_of(s->plan->tree);
  need(eo_vec_reserve(&todo, count ? count : 1));
  memcpy(todo.items, count ? (void *)w->claim.bytes.items : (void *)&root, (count ? count : 1) * sizeof(node));
  todo.count = count ? count : 1;
  double each = s->plan->execution / w->speed;
  uint64_t executions = (uint64_t)(w->claim.budget / each);
  w->slice.tally.executions = explore(s->plan->tree, &todo, executions ? executions : 1);
  uint32_t pieces = 1;
  for (; pieces < w->claim.pieces && (give = to_give(&todo)) > 0; pieces++) add_rest(w, take_away(&todo, give));
  if (todo.count) add_rest(w, take_away(&todo, todo.count));
  eo_vec_release(&todo);
  return (double)w->slice.tally.executions * each + (pieces - 1) * s->plan->split / w->speed;
}

/* The coordinator hands out; `now` is when it begins, `answer` when the worker knows. */
static void serve_take(simulation *s, uint32_t number, double now, double answer) {
  worker *w = &s->workers[number];
  eo_error error = {0};
  eo_taken taken;
  need(s->frontier->ops->take(s->frontier, w->name, now, &w->claim, &taken, &error) == EO_OK);
  s->ended = taken == EO_TAKE_END;
  if (taken == EO_TAKE_WAIT) { /* as a worker of a cluster waits */
    if (w->waits < 20) w->waits++;
    arrive(s, answer + w->waits * 0.01 + s->plan->trip / 2, number);
  }
  if (taken != EO_TAKEN) return;
  w->waits = 0;
  w->holds = true;
  double over = answer + work(s, w);
  need(eo_vec_push(&s->out->busy, ((span){answer, over})));
  s->out->slices++;
  arrive(s, over + s->plan->trip / 2, number);
}

/* A result that gets lost never arrives: the worker's next request does. */
static void serve_done(simulation *s, uint32_t number, double now, double answer) {
  worker *w = &s->workers[number];
  eo_error error = {0};
  bool accepted = false;
  if (uniform(&s->rng) < s->plan->faults)
    s->out->lost++;
  else
    need(s->frontier->ops->done(s->frontier, w->name, now, &w->claim, &w->slice, &accepted, &error) == EO_OK);
  if (accepted) {
    s->out->executions += w->slice.tally.executions;
    s->out->fragments += w->slice.rest.count - 1;
    if (s->out->fragments > s->out->most) s->out->most = s->out->fragments;
    s->out->seconds = answer;
  }
  eo_vec_release(&w->claim.bytes);
  release_slice(&w->slice);
  w->holds = false;
  arrive(s, answer + s->plan->trip / 2, number);
}

static void serve(simulation *s, arrival a) {
  double now = a.time > s->free ? a.time : s->free;
  s->free = now + s->plan->request;
  s->served += s->plan->request;
  double answer = s->free + s->plan->trip / 2;
  if (s->workers[a.worker].holds)
    serve_done(s, a.worker, now, answer);
  else
    serve_take(s, a.worker, now, answer);
}

static void simulate(const plan *p, outcome *out) {
  eo_error error = {0};
  eo_job_limits limits = {.workers = p->workers,
                          .budget = p->budget,
                          .grace = GRACE,
                          .fixed_budget = !p->optimised && !p->only_varied,
                          .no_doubling = !p->optimised && !p->only_doubled};
  *out = (outcome){.fragments = 1};
  simulation s = {.plan = p, .frontier = eo__memory_open(&limits, NULL, &error), .out = out};
  s.workers = calloc(p->workers, sizeof *s.workers);
  need(s.frontier && s.workers);
  eo__rng_init(&s.rng, 1);
  double speeds = 0;
  for (uint32_t i = 0; i < p->workers; i++) {
    snprintf(s.workers[i].name, sizeof s.workers[i].name, "w%u", i);
    speeds += s.workers[i].speed = p->heterogeneous ? draw_speed(&s.rng) : 1;
    arrive(&s, p->trip / 2, i);
  }
  for (uint32_t i = 0; i < p->workers; i++)
    s.workers[i].speed *= p->workers / speeds; /* in all as many as alike ones */
  while (!s.ended) serve(&s, next_arrival(&s));
  out->load = s.served / s.free;
  for (uint32_t i = 0; i < p->workers; i++) {
    eo_vec_release(&s.workers[i].claim.bytes);
    release_slice(&s.workers[i].slice);
  }
  free(s.workers);
  eo_vec_release(&s.queue);
  s.frontier->ops->close(s.frontier);
}

/* How many times as fast as one worker of speed 1 that never asks anybody. */
static double speedup(const plan *p, double *load, bool *exact) {
  outcome out;
  simulate(p, &out);
  if (out.executions != p->tree->leaves) *exact = false;
  if (load) *load = out.load;
  eo_vec_release(&out.busy);
  return (double)p->tree->leaves * p->execution / out.seconds;
}

/* ---- What is shown ------------------------------------------------------------------------------------------------ */

static plan at_report_scale(const tree *t, const costs *c, uint32_t workers) {
  return (plan){.tree = t,
                .workers = workers,
                .execution = t->hours * 3600 / t->branches,
                .split = c->split,
                .request = c->redis,
                .trip = c->trip,
                .budget = BUDGET,
                .optimised = true};
}

static void print_costs(const costs *c) {
  printf(
      "Measured here: an execution of 37 steps %.2f us, a split %.2f us, a request to the memory frontier %.2f us,\n",
      c->execution * 1e6, c->split * 1e6, c->memory * 1e6);
  printf("%s: %.0f us of Redis's time for a request, and %.0f us for the way there and back.\n\n",
         c->have_redis ? "to a Redis on loopback" : "no redis-server to be started, so by default", c->redis * 1e6,
         c->trip * 1e6);
}

/* Uniformly drawn leaves: how many branchings lie above one, and what they look like. */
static void print_shape(const tree *t) {
  enum { DRAWS = 2000 };
  uint64_t state = 7, depth = 0;
  double degree = 0, largest = 0;
  for (int i = 0; i < DRAWS; i++) {
    node n = root_of(t), below[MOST_CHILDREN];
    for (n.leaves = t->leaves; n.leaves > 1; depth++) {
      uint32_t count = children(t, &n, below), k = 0;
      uint64_t most = 0, leaf = draw(&state) % n.leaves;
      for (uint32_t j = 0; j < count; j++) most = below[j].leaves > most ? below[j].leaves : most;
      degree += count;
      largest += (double)most / (double)n.leaves;
      while (leaf >= below[k].leaves) leaf -= below[k++].leaves;
      n = below[k];
    }
  }
  printf("%s: %" PRIu64 " executions; above one lie %.1f branchings, of %.1f ways, the largest with %.2f of all\n",
         t->name, t->leaves, (double)depth / DRAWS, degree / (double)depth, largest / (double)depth);
}

/* One column of a row: without and with the optimisations. Returns the load with them. */
static double print_pair(plan p, bool *exact) {
  double load;
  p.optimised = false;
  double without = speedup(&p, NULL, exact);
  p.optimised = true;
  printf("  %8.1f -> %7.1f", without, speedup(&p, &load, exact));
  return load;
}

/* Few workers of any kind do what they should; those rows are short. */
static void print_speedups(const tree *t, const costs *c, bool *exact) {
  printf("%s, %.3f s an execution, budget %.0f s: speedup without -> with the two optimisations; coordinator's load\n",
         t->name, t->hours * 3600 / t->branches, BUDGET);
  printf("%8s  %-19s  %6s  %-19s  %-19s  %s\n", "workers", "all alike", "load", "mixed speeds", "and 10 % faults",
         "1 %, with");
  for (uint32_t workers = 1; workers <= MOST_WORKERS; workers *= 2) {
    plan p = at_report_scale(t, c, workers);
    printf("%8u", workers);
    printf("  %5.2f %%", print_pair(p, exact) * 100);
    p.heterogeneous = true;
    if (workers >= 32) {
      print_pair(p, exact);
      p.faults = 0.1;
      print_pair(p, exact);
      p.faults = 0.01;
      printf("  %7.1f", speedup(&p, NULL, exact));
    }
    printf("\n");
  }
  printf("\n");
}

/* Mean number of busy workers in each of BINS equal parts of the time. */
static void count_busy(const outcome *out, double *bins) {
  double width = out->seconds / BINS;
  memset(bins, 0, BINS * sizeof *bins);
  for (size_t i = 0; i < out->busy.count; i++) {
    span b = out->busy.items[i];
    if (b.to > out->seconds) b.to = out->seconds;
    for (size_t k = (size_t)(b.from / width); k < BINS && (double)k * width < b.to; k++) {
      double from = fmax(b.from, (double)k * width), to = fmin(b.to, (double)(k + 1) * width);
      if (to > from) bins[k] += (to - from) / width;
    }
  }
}

/* One line: tenths of the workers, from 0 to 9, # for all but a twentieth. */
static void print_phase(const char *name, const double *bins, size_t from, size_t to, uint32_t workers,
                        double seconds) {
  enum { COLUMNS = 64 };
  printf("  %-6s %7.1f s |", name, (double)(to - from) * seconds / BINS);
  size_t columns = to - from < COLUMNS ? to - from : COLUMNS;
  for (size_t c = 0; c < columns; c++) {
    size_t first = from + c * (to - from) / columns, end = from + (c + 1) * (to - from) / columns;
    double sum = 0;
    for (size_t k = first; k < end; k++) sum += bins[k];
    double part = sum / (double)(end - first) / workers;
    putchar(part >= 0.95 ? '#' : (char)('0' + (int)(part * 10)));
  }
  printf("|\n");
}

/* Rising: until 95 % are busy; full; falling: from when they are for the last time. */
static void print_busy(const plan *p, bool *exact) {
  static double bins[BINS];
  outcome out;
  simulate(p, &out);
  if (out.executions != p->tree->leaves) *exact = false;
  count_busy(&out, bins);
  size_t full = 0, last = BINS;
  while (full < BINS && bins[full] < 0.95 * p->workers) full++;
  while (last > full && bins[last - 1] < 0.95 * p->workers) last--;
  printf("%s, %u workers, %s the optimisations: %.1f s, speedup %.1f, %" PRIu64 " slices,\n  at most %" PRIu64
         " fragments\n",
         p->tree->name, p->workers, p->optimised ? "with" : "without", out.seconds,
         (double)p->tree->leaves * p->execution / out.seconds, out.slices, out.most);
  print_phase("rising", bins, 0, full, p->workers, out.seconds);
  if (last > full) print_phase("full", bins, full, last, p->workers, out.seconds);
  if (BINS > last) print_phase("falling", bins, last, BINS, p->workers, out.seconds);
  eo_vec_release(&out.busy);
}

/* With this machine's cost of an execution the whole of it is minutes of work, and the coordinator soon matters. */
static void print_limit(const tree *t, const costs *c, bool *exact) {
  static const double budgets[] = {10, 1, 0.1};
  printf("%s at %.2f us an execution, %.1f s in all: speedup and coordinator's load\n", t->name, c->execution * 1e6,
         (double)t->leaves * c->execution);
  printf("%8s", "workers");
  for (size_t i = 0; i < 3; i++) printf("  %-22s", i == 0 ? "Redis, budget 10 s" : i == 1 ? "1 s" : "0.1 s");
  printf("  %s\n", "in memory, 0.1 s, no way");
  for (uint32_t workers = 1; workers <= MOST_WORKERS; workers *= 4) {
    printf("%8u", workers);
    for (size_t i = 0; i < 4; i++) {
      plan p = at_report_scale(t, c, workers);
      double load;
      p.execution = c->execution;
      p.budget = budgets[i < 3 ? i : 2];
      if (i == 3) p.request = c->memory, p.trip = 0;
      double times = speedup(&p, &load, exact);
      printf("  %8.1f, %5.1f %%     ", times, load * 100);
    }
    printf("\n");
  }
  printf("\n");
}

static void print_what_limits(const costs *c) {
  printf(
      "Where the coordinator becomes the limit: each slice is two requests, so that it serves budget / (2 requests)\n"
      "workers at full load:\n");
  static const double budgets[] = {0.1, 1, 10, 60};
  for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
    printf("  budget %5.1f s: %9.0f workers with Redis, %11.0f in memory\n", budgets[i], budgets[i] / (2 * c->redis),
           budgets[i] / (2 * c->memory));
  printf(
      "What moves it: a longer budget, in proportion; fewer commands in Redis's script; more than one fragment in a\n"
      "request. Workers that wait ask five times a second, so that %.0f idle ones keep Redis busy alone.\n",
      0.2 / c->redis);
}

/* ---- What must hold ----------------------------------------------------------------------------------------------- */

static int check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int check(bool holds, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%s  ", holds ? "ok    " : "FAILED");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
  return !holds;
}

static int check_tree(const tree *t, const costs *c) {
  plan p = at_report_scale(t, c, 1024);
  bool exact = true;
  int failures = 0;
  p.heterogeneous = true;
  p.faults = 0.1;
  speedup(&p, NULL, &exact);
  p.optimised = false;
  speedup(&p, NULL, &exact);
  p.faults = 0;
  double without = speedup(&p, NULL, &exact);
  p.only_varied = true;
  double varied = speedup(&p, NULL, &exact);
  p.faults = 0.1;
  double faulty = speedup(&p, NULL, &exact);
  p.only_doubled = true; /* too */
  double doubled = speedup(&p, NULL, &exact);
  p.faults = 0.01;
  double with = speedup(&p, NULL, &exact);
  failures +=
      check(exact, "%s: %" PRIu64 " executions each time, with 10 %% of the results lost or none", t->name, t->leaves);
  failures += check(with > t->with, "%s: speedup %.0f of 1,024 mixed workers with 1 %% faults (report: %.0f)", t->name,
                    with, t->with);
  failures += check(varied > without, "%s: a variable budget helps: %.0f -> %.0f", t->name, without, varied);
  failures +=
      check(doubled > faulty, "%s: doubling helps when results get lost: %.0f -> %.0f", t->name, faulty, doubled);
  return failures;
}

int main(int argc, char **argv) {
  bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0, exact = true;
  int failures = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  costs c = costs_measure();
  print_costs(&c);
  if (quick) {
    for (int i = 0; i < TREES; i++) failures += check_tree(&trees[i], &c);
    return failures > 0;
  }
  for (int i = 0; i < TREES; i++) print_shape(&trees[i]);
  printf("\n");
  for (int i = 0; i < TREES; i++) print_speedups(&trees[i], &c, &exact);
  printf("Busy workers over time, in tenths:\n");
  for (int i = 0; i < TREES; i++) {
    plan p = at_report_scale(&trees[i], &c, 1024);
    for (int k = 0; k < 2; k++) {
      p.optimised = k == 1;
      print_busy(&p, &exact);
    }
  }
  printf("\n");
  for (int i = 0; i < TREES; i++) print_limit(&trees[i], &c, &exact);
  print_what_limits(&c);
  printf("\n%s: executions counted by the coordinator in every run\n", exact ? "exact" : "NOT EXACT");
  return !exact;
}
