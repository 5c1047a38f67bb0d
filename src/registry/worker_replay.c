/* worker_replay.c: one execution once more, in a worker: that of a ticket, or one that a probe or a scout has failed in. */
#include <string.h>

#include "core/reversal.h"
#include "registry/worker_inside.h"
#include "subjects/model/subject.h"

/* ---- A failure of a probe or a scout ------------------------------------------------------------------------------ */

/* Runs the execution that a probe or a scout has failed in once more. *again: how that ended. */
static int run_beside(exploration *x, const eo_finding *finding, const eo_schedule *choices, eo_failure *again) {
  eo_strategy *strategy = eo__replay_open(choices->items, (uint32_t)choices->count, &x->error);
  if (!strategy) return x->error.code;
  eo__engine_init(&x->engine, x->subject, strategy);
  x->engine.max_depth = eo__depth(x->request);
  x->engine.no_checkpoints = true;
  x->engine.place = &x->cell->place;
  x->engine.before_step = eo__worker_before_step;
  x->engine.context = x;
  int code = eo__engine_expect(&x->engine, finding->failure.kind, finding->failure.message, &x->error);
  if (code == EO_OK) code = eo__engine_run(&x->engine, &x->error);
  *again = x->engine.failure;
  eo__engine_release(&x->engine);
  strategy->ops->close(strategy);
  return code;
}

int eo__worker_confirm(const eo_request *request, const eo_finding *finding, eo_cell *cell, char **json,
                       eo_error *error) {
  exploration x = {.request = request, .cell = cell};
  eo_ticket ticket;
  eo_schedule choices = {0};
  eo_failure again = {0};
  eo__ticket_init(&ticket);
  *json = NULL;
  int code = eo__schedule_parse(&ticket, finding->schedule ? finding->schedule : "", &x.error);
  if (code == EO_OK && !(x.subject = eo__worker_subject(request, cell, &x.error))) code = x.error.code;
  if (code == EO_OK) code = eo__ticket_choices(x.subject, &ticket, &choices, &x.error);
  if (code == EO_OK) code = run_beside(&x, finding, &choices, &again);
  if (code == EO_OK) {
    eo_outcome outcome = {EO_END_FAILED, (uint32_t)choices.count, &again, choices.items, true};
    if (!eo__failure_same(&again, &finding->failure)) eo__recheck_differs(&finding->failure, &again, &again);
    x.met_beside = true;
    code = eo__worker_report_finding(&x, &outcome);
  }
  if (code == EO_OK && x.slice.findings.count) *json = eo_vec_pop(&x.slice.findings);
  eo__slice_release(&x.slice);
  eo_vec_release(&choices);
  eo__ticket_release(&ticket);
  if (x.subject) x.subject->ops->close(x.subject);
  if (code != EO_OK) *error = x.error;
  return code;
}

/* ---- A ticket ----------------------------------------------------------------------------------------------------- */

typedef struct replaying {
  eo_cell *cell;  /* NULL: debugging */
  uint32_t pause; /* the step to pause before */
  eo_subject *subject;
  uint32_t process; /* that takes it */
  const eo_engine *engine;
} replaying;

static bool before_replayed(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  const replaying *r = context;
  if (r->cell) {
    eo__worker_check();
    (void)execution;
    return eo__fatal_step(r->cell, r->engine, depth, failure);
  }
  if (depth == r->pause) r->subject->ops->describing->halt(r->subject, r->process, depth + 1);
  return false;
}

static int reverse_replayed(const eo_request *request, eo_subject *subject, eo_cell *cell, const eo_schedule *choices,
                            eo_finding *finding, eo_error *error) {
  eo_kind kind = finding->failure.kind;
  eo_patience patience = {&cell->stop, REVERSE_SECONDS};
  if (kind == EO_KIND_NONE || kind == EO_KIND_LOOP || kind == EO_KIND_NONDETERMINISM) return EO_OK;
  if (eo__fatal_at(cell, cell->place.execution, REVERSING)) return EO_OK; /* an earlier attempt died */
  cell->place.depth = REVERSING;
  return eo__reverse(subject, eo__depth(request), &patience, choices, finding, error);
}

/* Plain steps of a model do not tell how they relate, so that no pattern can be looked for in them. But a model that has
 * taken the same steps has done the same: there is nothing in it that could be otherwise. */
static void follows_from_steps(const eo_ticket *ticket, eo_finding *finding) {
  if (finding->failure.kind != EO_KIND_NONE) return;
  finding->failure.kind = ticket->kind;
  memcpy(finding->failure.message, ticket->message, sizeof finding->failure.message);
}

int eo__worker_replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, eo_cell *cell,
                      eo_finding *finding, eo_error *error) {
  eo_schedule choices = {0};
  eo_subject *subject = eo__worker_subject(request, cell, error);
  if (!subject) return error->code;
  if (request->model) eo__promela_subject_await(subject, ticket->kind, ticket->message, ticket->at);
  int code = eo__ticket_choices(subject, ticket, &choices, error);
  uint32_t all = (uint32_t)choices.count, last = until && until < all ? until : all;
  eo_strategy *strategy = code == EO_OK ? eo__replay_open(choices.items, cell ? last : all, error) : NULL;
  if (strategy) {
    replaying r = {cell, last ? last - 1 : 0, subject, last ? choices.items[last - 1].process : EO_NO_PROCESS, NULL};
    eo_engine engine;
    r.engine = &engine;
    eo__engine_init(&engine, subject, strategy);
    engine.max_depth = eo__depth(request);
    engine.no_checkpoints = true;
    engine.describe = finding;
    if (cell) engine.place = &cell->place;
    engine.before_step = before_replayed;
    engine.context = &r;
    code = eo__engine_expect(&engine, ticket->kind, ticket->message, error);
    if (code == EO_OK) code = eo__engine_run(&engine, error);
    finding->failure = engine.failure;
    finding->depth = (uint32_t)finding->lines.count;
    if (ticket->kind == EO_KIND_SEQUENCE && !eo_subject_relates_plain(subject) && finding->depth == all)
      follows_from_steps(ticket, finding);
    if (code == EO_OK && (!subject->ops->describing->end(subject, finding) || !eo__finding_number(finding)))
      code = eo__error_nomem(error);
    eo__engine_release(&engine);
    strategy->ops->close(strategy);
    if (code == EO_OK && cell && request->reverse && last == all)
      code = reverse_replayed(request, subject, cell, &choices, finding, error);
  }
  eo_vec_release(&choices);
  subject->ops->close(subject);
  return code;
}
