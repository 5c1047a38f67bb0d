/* tracing.h: a strategy that wraps another and keeps a hash of each execution as a partial order (core/trace.h), for tests
 * that compare which traces are run. */
#ifndef EO_TESTS_TRACING_H
#define EO_TESTS_TRACING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/program.h"
#include "core/trace.h"
#include "strategies/wrapper.h"

typedef EO_VEC(uint64_t) hashes;

/* Schedules that mean the same without `receives_choose`, with the trace that each must give. */
typedef struct plain {
  eo_schedule schedule;
  uint64_t hash;
} plain;

typedef struct plains {
  EO_VEC(plain) list;
  char names[32][EO_PROCESS_NAME]; /* of processes, by their number there */
} plains;

/* Wraps a strategy and keeps the hash of each execution. */
typedef struct tracing {
  eo_wrapper wrapper;
  eo_trace trace;
  hashes complete, failed; /* of whole executions; of what led to a failing step */
  hashes run;              /* of all that was run to its end, counted or not */
  uint64_t again;          /* executions that ended after a failure, or by one that counts elsewhere */
  uint64_t given_up;       /* other executions that were cut off */
  uint64_t limit;
  bool foresees;  /* ends as soon as it is likely that there are more than the limit */
  bool too_many;  /* or not to be compared */
  bool guesses;   /* not to be compared with anything */
  plains *plains; /* NULL: they are not wanted */
} tracing;

static void tracing_close(eo_strategy *strategy) {
  tracing *t = (tracing *)strategy;
  eo__trace_release(&t->trace);
  eo_vec_release(&t->complete);
  eo_vec_release(&t->failed);
  eo_vec_release(&t->run);
  eo__wrapper_close(strategy);
}

/* Going by the share of all that is done after 100, 200, 400, ... executions: with room for the guess to be wrong four times. */
static bool likely_too_many(const tracing *t, uint64_t done) {
  if (done < 100 || done % 100 != 0 || (done / 100 & (done / 100 - 1)) != 0) return false;
  return (double)done > t->wrapper.inner->ops->telling->share(t->wrapper.inner) * 4 * (double)t->limit;
}

static bool tracing_begin(eo_strategy *strategy, eo_beginning *beginning) {
  tracing *t = (tracing *)strategy;
  uint64_t done = t->complete.count + t->failed.count + t->again + t->given_up;
  t->too_many |= done > t->limit || (t->foresees && likely_too_many(t, done));
  if (t->too_many || !eo__wrapper_begin_choosing(strategy, beginning)) return false;
  eo__trace_cut(&t->trace, beginning->shared);
  return true;
}

static void tracing_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  tracing *t = (tracing *)strategy;
  EO_CHECK(eo__trace_add(&t->trace, taken, event));
  if (t->wrapper.inner->ops->observe) t->wrapper.inner->ops->observe(t->wrapper.inner, depth, taken, event);
}

static bool verbose;

/* What else has happened by the time a step fails does not matter. */
static uint64_t trace_or_past(const eo_trace *trace) {
  bool failed = trace->records.count && eo_vec_last(&trace->records).flags & EO_EVENT_FAILED;
  return failed ? eo__trace_past_hash(trace) : eo__trace_hash(trace);
}

static void show(const tracing *t, const eo_outcome *outcome) {
  static const char *const ends[] = {"finished", "failed", "pruned"};
  for (size_t i = 0; i < t->trace.records.count; i++) {
    const eo_record *record = &t->trace.records.items[i];
    printf("%s%u:%s", i ? " " : "  ", record->process, eo__op_name((eo_op_kind)record->op));
    if (record->source != EO_NO_EVENT) printf("<%u", record->source);
    if (record->value && record->op == EO_OP_CHOOSE) printf("=%u", record->value);
    for (uint32_t j = 0; j < record->mails; j++) printf(">%u", t->trace.mails.items[record->first_mail + j].sent.to);
    for (uint32_t j = 0; j < record->touches; j++) {
      const eo_touch *touch = &t->trace.touches.items[record->first_touch + j];
      printf("%c%u", touch->writes ? '!' : '?', touch->object);
    }
    if (record->doomed) printf(" dooms");
    if (record->flags & EO_EVENT_FAILED) printf(" FAILS");
    if (record->flags & EO_EVENT_IDLE) printf(" idle");
  }
  printf(" %s %08x%s%s\n", ends[outcome->end], (uint32_t)trace_or_past(&t->trace), outcome->failure ? ": " : "",
         outcome->failure ? outcome->failure->message : "");
}

/* Has a process failed on the way, and others have gone on? */
static bool has_failed(const eo_trace *trace) {
  for (size_t i = 0; i < trace->records.count; i++)
    if (trace->records.items[i].flags & EO_EVENT_STUCK) return true;
  return false;
}

static void tracing_end(eo_strategy *strategy, eo_outcome *outcome) {
  tracing *t = (tracing *)strategy;
  size_t steps = t->trace.records.count;
  eo__wrapper_end(strategy, outcome);
  if (!outcome->counted) return;
  if (verbose) show(t, outcome);
  if (!outcome->failure) EO_CHECK(eo_vec_push(&t->run, eo__trace_hash(&t->trace)));
  if (t->plains && outcome->end != EO_END_PRUNED) {
    plain p = {.hash = trace_or_past(&t->trace)};
    EO_CHECK(t->wrapper.inner->ops->telling->plain(t->wrapper.inner, &p.schedule) && eo_vec_push(&t->plains->list, p));
  }
  bool fails = steps && outcome->failure && t->trace.records.items[steps - 1].flags & EO_EVENT_FAILED;
  if (outcome->end == EO_END_PRUNED)
    fails || has_failed(&t->trace) ? t->again++ : t->given_up++;
  else if (outcome->failure && strstr(outcome->failure->message, "is not a process"))
    t->too_many = t->guesses =
        true; /* it uses a pid that nobody told it: the order of that and the spawn is not seen */
  else if (fails)
    EO_CHECK(eo_vec_push(&t->failed, eo__trace_past_hash(&t->trace)));
  else
    EO_CHECK(eo_vec_push(&t->complete, eo__trace_hash(&t->trace)));
}

static const eo_strategy_ops tracing_ops = {
    .close = tracing_close,
    .begin = tracing_begin,
    .choose = eo__wrapper_choose,
    .observe = tracing_observe,
    .end = tracing_end,
    .guiding = &eo__wrapper_guiding,
    .telling = &eo__wrapper_telling,
};

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Sorts, and says how many were dropped. */
static inline size_t make_distinct(hashes *h) {
  size_t kept = 0;
  if (h->count) qsort(h->items, h->count, sizeof *h->items, by_value);
  for (size_t i = 0; i < h->count; i++)
    if (i == 0 || h->items[i] != h->items[kept - 1]) h->items[kept++] = h->items[i];
  size_t dropped = h->count - kept;
  h->count = kept;
  return dropped;
}

static inline bool same(const hashes *a, const hashes *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

#endif
