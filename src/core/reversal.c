/* reversal.c: see reversal.h. To reverse steps i < j: all before i, then what j comes after, then j, then i and the rest
 * in their old order, as far as they go. That has the same steps up to j as before, each process having seen the same; so
 * if it passes, it does so because of the order. */
#include "core/reversal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/follow.h"
#include "core/program.h"

enum { MOST_STEPS = 2000 /* of an execution */, MOST_TRIES = 200, MOST_RUN = 200000 /* steps */ };

typedef struct reversal {
  const eo_finding *finding;
  const eo_schedule *schedule;
  eo_follow follow;
  unsigned char *past; /* of the step j that is looked at: does it come after this one? */
  size_t planned;      /* entries of the plan up to j */
  uint32_t earlier;    /* its process, which has taken so many steps before */
  size_t before;
  bool passed;
} reversal;

/* ---- Which pairs ------------------------------------------------------------------------------------------------ */

static bool same_process(const eo_line *a, const eo_line *b) { return strcmp(a->process, b->process) == 0; }

static bool is_op(const eo_line *line, eo_op_kind kind) { return strcmp(line->op, eo__op_name(kind)) == 0; }

/* Taking a message, a choice, a sleep or a new process is noticed by nobody else. */
static bool is_private(const eo_line *line) {
  return (is_op(line, EO_OP_RECEIVE) && line->mails.count > 0) || is_op(line, EO_OP_CHOOSE) ||
         is_op(line, EO_OP_FAULT) || is_op(line, EO_OP_SLEEP) || is_op(line, EO_OP_SPAWN);
}

static bool touches(const eo_line *line, const char *process) {
  if (is_private(line)) return false;
  if (*line->other && strcmp(line->other, process) == 0) return true;
  if (!is_op(line, EO_OP_SEND) && strcmp(line->process, process) == 0) return true;
  for (size_t i = 0; i < line->mails.count; i++)
    if (line->sends && strcmp(line->mails.items[i].other, process) == 0) return true;
  return false;
}

static bool meet(const eo_line *a, const eo_line *b) {
  if (touches(b, a->other) && touches(a, a->other)) return true;
  if (touches(a, a->process) && touches(b, a->process)) return true;
  for (size_t i = 0; i < a->mails.count; i++)
    if (touches(a, a->mails.items[i].other) && touches(b, a->mails.items[i].other)) return true;
  return false;
}

/* Marks what step j comes after; lines are looked at once, from the last to the first. */
static void mark_past(reversal *r, size_t j) {
  const eo_line *lines = r->finding->lines.items;
  memset(r->past, 0, r->finding->lines.count);
  r->past[j] = 1;
  for (size_t i = j + 1; i-- > 0;) {
    if (!r->past[i]) continue;
    for (size_t k = 0; k < lines[i].after.count; k++)
      if (lines[i].after.items[k] < i) r->past[lines[i].after.items[k]] = 1;
    size_t own = i;
    while (own > 0 && !same_process(&lines[own - 1], &lines[i])) own--;
    if (own > 0) r->past[own - 1] = 1;
  }
}

/* ---- Running it ------------------------------------------------------------------------------------------------- */

static int make_plan(reversal *r, size_t i, size_t j, eo_error *error) {
  const eo_schedule *s = r->schedule;
  eo_schedule *plan = &r->follow.plan;
  eo_vec_clear(plan);
  if (!eo_vec_reserve(plan, s->count + 1)) return eo__error_nomem(error);
  r->before = 0;
  r->earlier = s->items[i].process;
  for (size_t k = 0; k < i; k++) {
    plan->items[plan->count++] = s->items[k];
    r->before += s->items[k].process == r->earlier;
  }
  for (size_t k = i; k <= j; k++)
    if (r->past[k]) plan->items[plan->count++] = s->items[k];
  r->planned = plan->count;
  for (size_t k = i; k < s->count; k++)
    if (k > j || !r->past[k]) plan->items[plan->count++] = s->items[k];
  return EO_OK;
}

/* It counts only if it went as planned until j, and if i came after that. */
static bool trial_ended(void *context, const eo_outcome *outcome) {
  reversal *r = context;
  if (outcome->end != EO_END_FINISHED || r->follow.drew || outcome->depth < r->planned) return false;
  for (size_t k = 0; k < r->planned; k++)
    if (outcome->choices[k].process != r->follow.plan.items[k].process ||
        outcome->choices[k].value != r->follow.plan.items[k].value)
      return false;
  size_t steps = 0;
  for (size_t k = 0; k < outcome->depth; k++) steps += outcome->choices[k].process == r->earlier;
  r->passed = steps > r->before;
  return false;
}

static int try_pair(reversal *r, eo_subject *subject, uint32_t max_depth, size_t i, size_t j, uint64_t *run,
                    eo_error *error) {
  eo_engine engine;
  int code = make_plan(r, i, j, error);
  if (code != EO_OK) return code;
  eo__follow_start(&r->follow);
  eo__engine_init(&engine, subject, &r->follow.base);
  engine.max_depth = max_depth;
  engine.no_checkpoints = true;
  engine.ended = trial_ended;
  engine.context = r;
  code = eo__engine_expect(&engine, r->finding->failure.kind, r->finding->failure.message, error);
  if (code == EO_OK) code = eo__engine_run(&engine, error);
  *run += engine.counts.transitions;
  eo__engine_release(&engine);
  return code;
}

int eo__reverse(eo_subject *subject, uint32_t max_depth, const eo_patience *patience, const eo_schedule *schedule,
                eo_finding *finding, eo_error *error) {
  size_t count = finding->lines.count;
  if (count < 2 || count > MOST_STEPS || count != schedule->count) return EO_OK;
  if (finding->failure.kind == EO_KIND_SEQUENCE && !eo_subject_relates_plain(subject))
    return EO_OK; /* nobody would see it */
  reversal r = {.finding = finding, .schedule = schedule, .past = eo__alloc(count)};
  const eo_line *lines = finding->lines.items;
  double began = eo__seconds();
  uint32_t tries = 0;
  uint64_t run = 0;
  int code = r.past ? EO_OK : eo__error_nomem(error);
  for (size_t j = count; code == EO_OK && j-- > 1 && !r.passed;) {
    if (is_private(&lines[j])) continue;
    mark_past(&r, j);
    for (size_t i = j; code == EO_OK && i-- > 0 && !r.passed;) {
      if (r.past[i] || same_process(&lines[i], &lines[j]) || !meet(&lines[i], &lines[j])) continue;
      bool enough = patience && (*patience->stop || eo__seconds() - began > patience->seconds);
      if (enough || tries++ == MOST_TRIES || run > MOST_RUN) goto done;
      code = try_pair(&r, subject, max_depth, i, j, &run, error);
      finding->earlier = (uint32_t)i;
      finding->later = (uint32_t)j;
    }
  }
done:
  finding->reversible = r.passed;
  if (!r.passed) finding->earlier = finding->later = 0;
  eo_vec_release(&r.follow.plan);
  eo__free(r.past);
  return code;
}
