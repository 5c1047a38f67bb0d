/* worker_findings.c: what becomes of an execution that failed or was cut off: a failure that is new is minimised, described
 * and handed back with the slice; one that was seen before is only counted. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/minimise.h"
#include "core/reversal.h"
#include "registry/endless.h"
#include "registry/worker_inside.h"

enum {
  MOST_DISTINCT = 1000,
  MOST_BESIDE = 16 /* failures of probes and scouts that are kept */
};
#define MINIMISE_LEAST 0.1 /* seconds for a finding that comes when the time for all of them is used up */

bool eo__worker_knows(void *context, const eo_failure *failure) {
  const exploration *x = context;
  for (size_t i = 0; i < x->seen.count; i++)
    if (eo__failure_same(&x->seen.items[i], failure)) return true;
  return x->seen.count == MOST_DISTINCT;
}

static int add_finding(exploration *x, const eo_finding *finding) {
  char *json = eo__finding_to_json(finding);
  if (json && eo_vec_push(&x->slice.findings, json)) return EO_OK;
  eo__free(json);
  return eo__error_nomem(&x->error);
}

/* A loop costs the whole watchdog time at each try, a fatal one a worker: those are told as they are. */
static bool can_minimise(const exploration *x, const eo_failure *failure) {
  if (eo__fatal_at(x->cell, x->engine.place->execution, MINIMISING)) return false; /* an earlier attempt died */
  return !x->fatal && !x->request->options.as_found && failure->kind != EO_KIND_LOOP &&
         failure->kind != EO_KIND_NONDETERMINISM;
}

static bool can_reverse(const exploration *x, const eo_failure *failure) {
  return can_minimise(x, failure) && !eo__fatal_at(x->cell, x->engine.place->execution, REVERSING);
}

/* The execution as it would be without `receives_choose`. A step that was not even refused, as the subject cannot do that, is not
 * part of what the strategy has seen: it is the last. */
static bool plain_schedule(const exploration *x, eo_strategy *strategy, const eo_outcome *outcome, eo_schedule *out) {
  eo_vec_clear(out);
  if (!eo_vec_reserve(out, outcome->depth + 1)) return false;
  if (!strategy || !strategy->ops->telling->plain) {
    if (outcome->depth) memcpy(out->items, outcome->choices, outcome->depth * sizeof *out->items);
    out->count = outcome->depth;
    return true;
  }
  if (!strategy->ops->telling->plain(strategy, out)) return false;
  if (!x->fatal || outcome->depth == 0) return true;
  eo_choice last = outcome->choices[outcome->depth - 1];
  if (last.kind & EO_CHOICE_REFUSED) return true;
  if (last.kind == EO_CHOICE_TAKE && !x->request->options.delivery) last.kind = EO_CHOICE_RUN, last.value = 0;
  return eo_vec_push(out, last);
}

uint32_t eo__worker_delays(const exploration *x) {
  return x->inner && x->inner->ops->telling->delays ? x->inner->ops->telling->delays(x->inner) : 0;
}

int eo__worker_report_finding(exploration *x, const eo_outcome *outcome) {
  eo_finding finding;
  eo_schedule best = {0};
  uint32_t limit = eo__depth(x->request);
  eo__finding_init(&finding);
  bool choosing = x->inner && x->inner->receives_choose;
  if (!plain_schedule(x, x->inner, outcome, &best) || !best.items) return eo__error_nomem(&x->error);
  if (choosing) x->subject->ops->relations->receives_choose(x->subject, false);
  finding.failure = *outcome->failure;
  finding.execution = x->news.meter.executions; /* of this slice */
  finding.beside = x->met_beside;
  finding.delays = eo__worker_delays(x);
  finding.rechecked = outcome->failure->kind != EO_KIND_NONDETERMINISM;
  int code = EO_OK;
  if (can_minimise(x, outcome->failure)) {
    double began = eo__seconds(), left = eo__minimise_seconds(x->request) - x->minimise_spent;
    eo_patience patience = {&x->cell->stop, left > MINIMISE_LEAST ? left : MINIMISE_LEAST};
    x->engine.place->depth = MINIMISING;
    finding.minimised = true;
    code = eo__minimise(x->subject, limit, outcome->failure, &patience, &best, &finding.fewest, &x->error);
    x->minimise_spent += eo__seconds() - began;
  }
  /* The step that kills workers is not run again; nor the start, if it does. */
  if (code == EO_OK && !(x->fatal && best.count == 0))
    code = eo__worker_describe(x->subject, x->request, best.items, (uint32_t)best.count - x->fatal, limit, &finding,
                               &x->error);
  if (code == EO_OK && can_reverse(x, outcome->failure)) {
    eo_patience patience = {&x->cell->stop, REVERSE_SECONDS};
    x->engine.place->depth = REVERSING;
    code = eo__reverse(x->subject, limit, &patience, &best, &finding, &x->error);
  }
  eo_text schedule;
  eo__text_init(&schedule);
  eo__schedule_text(x->subject, best.items, best.count, &schedule);
  finding.schedule = eo__strdup(schedule.chars);
  eo__text_release(&schedule);
  if (code == EO_OK) code = add_finding(x, &finding);
  if (choosing) x->subject->ops->relations->receives_choose(x->subject, true);
  eo_vec_release(&best);
  eo__finding_release(&finding);
  return code;
}

/* A probe or a scout has failed, whose execution counts nowhere: its failure goes with the slice, to be confirmed and
 * described at the end of the run if the executions that count have not shown it by then. Until then it changes nothing,
 * so that what is explored does not depend on what is drawn beside. */
bool eo__worker_met(void *context, eo_strategy *strategy, const eo_outcome *outcome) {
  exploration *x = context;
  for (size_t i = 0; i < x->beside.count; i++)
    if (eo__failure_same(&x->beside.items[i], outcome->failure)) return true;
  if (x->beside.count == MOST_BESIDE) return true;
  eo_finding finding;
  eo_schedule schedule = {0};
  eo_text text;
  eo__finding_init(&finding);
  eo__text_init(&text);
  finding.failure = *outcome->failure;
  finding.depth = outcome->depth;
  finding.beside = true;
  if (!eo_vec_push(&x->beside, *outcome->failure) || !plain_schedule(x, strategy, outcome, &schedule)) {
    eo__error_nomem(&x->error);
  } else {
    eo__schedule_text(x->subject, schedule.items, schedule.count, &text);
    finding.schedule = text.failed ? NULL : eo__strdup(text.chars);
    if (finding.schedule)
      add_finding(x, &finding);
    else
      eo__error_nomem(&x->error);
  }
  eo__text_release(&text);
  eo_vec_release(&schedule);
  eo__finding_release(&finding);
  return x->error.code == EO_OK;
}

/* No failure, unless it was asked for (--depth-fails); but what it would have gone on with is left open. */
static void note_cut(exploration *x, const eo_outcome *outcome) {
  x->news.doubts |= EO_DOUBT_DEPTH;
  x->news.cut++;
  if (*x->endless || outcome->end != EO_END_CUT) return;
  eo_text words;
  eo_schedule plain = {0};
  bool choosing = x->inner->receives_choose, idle = x->request->options.timeouts_idle != 0;
  eo__text_init(&words);
  eo__engine_leave(&x->engine);
  if (!plain_schedule(x, x->inner, outcome, &plain)) eo__error_nomem(&x->error);
  if (choosing) x->subject->ops->relations->receives_choose(x->subject, false);
  if (plain.count) eo__endless_words(x->subject, plain.items, (uint32_t)plain.count, idle, &words, &x->error);
  if (choosing) x->subject->ops->relations->receives_choose(x->subject, true);
  snprintf(x->endless, sizeof x->endless, "%s", words.failed ? "" : words.chars);
  eo_vec_release(&plain);
  eo__text_release(&words);
}

bool eo__worker_ended(void *context, const eo_outcome *outcome) {
  exploration *x = context;
  if (outcome->end == EO_END_CUT) note_cut(x, outcome);
  if (!outcome->failure) x->fatal = false;
  if (!outcome->failure) return true;
  if (!outcome->counted) return eo__worker_met(x, x->inner, outcome);
  /* An audit can make one fail that the strategy does not count: it is told all the same. */
  x->news.failures +=
      outcome->end == EO_END_FAILED && x->news.failures < x->news.meter.executions + x->news.meter.pruned;
  if (outcome->failure->kind == EO_KIND_DEPTH) note_cut(x, outcome);
  x->broken = outcome->failure->kind == EO_KIND_NONDETERMINISM;
  /* The last one ends everything, so it is told whether or not an earlier run has told it. */
  if (x->broken || !eo__worker_knows(x, outcome->failure)) {
    x->news.findings++;
    if (!eo_vec_push(&x->seen, *outcome->failure)) eo__error_nomem(&x->error);
    eo__worker_report_finding(x, outcome);
    x->cell->recall = 1; /* the parent shall have it, whatever comes next */
  }
  x->fatal = false;
  return x->error.code == EO_OK;
}

/* ---- Steps that end workers --------------------------------------------------------------------------------------- */

/* Of a worker that comes after others that died. */
__attribute__((noinline)) static bool refuses_step(exploration *x, uint32_t depth, eo_failure *failure) {
  eo__worker_check();
  if (x->fatal && depth == x->fatal_depth) { /* it is run again, to be certain */
    *failure = x->fatal_failure;
    return true;
  }
  if (!eo__fatal_step(x->cell, &x->engine, depth, failure)) return false;
  x->fatal = true;
  x->fatal_failure = *failure;
  x->fatal_depth = depth;
  x->cell->recall = 1; /* the next death shall not cost the way here once more */
  return true;
}

bool eo__worker_before_step(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  exploration *x = context;
  (void)execution;
  if (__builtin_expect(!x->cell->wary, 1)) return false;
  return refuses_step(x, depth, failure);
}
