/* worker_describe.c: an execution as a ticket writes it, and put into words by running it once more. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "registry/registry.h"
#include "registry/worker_inside.h"

enum {
  MOST_MESSAGES = 10000000, /* of one process */
  MOST_LINES = 20000        /* of a finding of a search */
};

/* ---- Schedules ---------------------------------------------------------------------------------------------------- */

static void write_step(eo_subject *subject, eo_choice choice, eo_ticket_step *step) {
  subject->ops->processes->name(subject, choice.process, step->process, sizeof step->process);
  step->takes = choice.kind == EO_CHOICE_TAKE;
  if (!step->takes) {
    step->value = choice.value;
  } else if (choice.value) {
    eo_sent sent = subject->ops->relations->sent(subject, choice.value);
    subject->ops->processes->name(subject, sent.from, step->from, sizeof step->from);
    step->nth = sent.nth;
  }
}

void eo__schedule_text(eo_subject *subject, const eo_choice *choices, size_t count, eo_text *out) {
  EO_VEC(eo_ticket_step) steps = {0};
  if (!eo_vec_reserve(&steps, count + 1) || !steps.items) {
    out->failed = true;
    return;
  }
  for (size_t i = 0; i < count; i++) {
    steps.items[i] = (eo_ticket_step){0};
    write_step(subject, choices[i], &steps.items[i]);
  }
  eo__schedule_write(steps.items, count, out);
  eo_vec_release(&steps);
}

/* The choice a step of a ticket means. False: it names no process. */
static bool read_step(eo_subject *subject, const eo_ticket_step *step, eo_choice *choice) {
  *choice = (eo_choice){.process = subject->ops->processes->number(subject, step->process), .value = step->value};
  if (choice->process == EO_NO_PROCESS) return false;
  if (!step->takes) return true;
  choice->kind = EO_CHOICE_TAKE;
  if (!*step->from) return true;
  uint32_t from = subject->ops->processes->number(subject, step->from);
  if (from == EO_NO_PROCESS || step->nth > MOST_MESSAGES) return false;
  choice->value = subject->ops->relations->message(subject, from, step->nth);
  return true;
}

int eo__ticket_choices(eo_subject *subject, const eo_ticket *ticket, eo_schedule *choices, eo_error *error) {
  for (size_t i = 0; i < ticket->steps.count; i++) {
    const eo_ticket_step *step = &ticket->steps.items[i];
    eo_choice choice;
    if (!read_step(subject, step, &choice))
      return eo__error_set(error, EO_EINPUT, "step %zu of the ticket: '%s%s%s' is not a process of this program", i + 1,
                           step->process, step->takes ? "' or '" : "", step->from);
    if (!eo_vec_push(choices, choice)) return eo__error_nomem(error);
  }
  return EO_OK;
}

/* ---- Words -------------------------------------------------------------------------------------------------------- */

int eo__worker_describe(eo_subject *subject, const eo_request *request, const eo_choice *choices, uint32_t count,
                        uint32_t max_depth, eo_finding *finding, eo_error *error) {
  eo_strategy *strategy = eo__replay_open(choices, count, error);
  eo_delays_noted noted = {0};
  eo_strategy_options wanted = eo__strategy_options(request, subject);
  if (strategy && eo__strategy_heeds(eo__strategy_find(request->options.strategy), EO_OPTION_OF(explorer)))
    strategy = eo__delays_open(strategy, &wanted, &noted, error);
  if (!strategy) return EO_ENOMEM;
  eo_engine engine;
  eo__engine_init(&engine, subject, strategy);
  engine.max_depth = max_depth;
  engine.no_checkpoints = true;
  engine.describe = finding;
  int code = eo__engine_expect(&engine, finding->failure.kind, finding->failure.message, error);
  if (code == EO_OK) code = eo__engine_run(&engine, error);
  if (code == EO_OK && finding->failure.kind == EO_KIND_NONE) finding->failure = engine.failure;
  if (finding->failure.kind == EO_KIND_SEQUENCE &&
      eo_subject_relates_plain(subject)) /* until now the strategy said so */
    finding->rechecked = eo__failure_same(&finding->failure, &engine.failure);
  bool tells_more = engine.failure.kind == EO_KIND_SHARING || engine.failure.kind == EO_KIND_LIVENESS;
  if (code == EO_OK && tells_more) finding->failure = engine.failure; /* both places; how long the circle is now */
  if (code == EO_OK && (!subject->ops->describing->end(subject, finding) || !eo__finding_number(finding)))
    code = eo__error_nomem(error);
  finding->depth = (uint32_t)finding->lines.count;
  for (size_t i = 0; i < noted.count && i < finding->lines.count; i++) finding->lines.items[i].delays = noted.items[i];
  eo_vec_release(&noted);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  return code;
}

int eo__worker_tell(eo_subject *subject, const eo_request *request, const eo_failure *failure, const eo_choice *choices,
                    uint32_t count, eo_finding *finding, eo_error *error) {
  uint32_t limit = eo__depth(request);
  eo_text schedule;
  eo__text_init(&schedule);
  finding->failure = *failure;
  finding->execution = 1;
  finding->rechecked = true;
  finding->depth = count; /* more lines than anybody reads take longer than the search: `replay` prints them */
  int code = count > MOST_LINES ? EO_OK
                                : eo__worker_describe(subject, request, choices, count,
                                                      limit > count ? limit : count + 1, finding, error);
  eo__schedule_text(subject, choices, count, &schedule);
  if (!schedule.failed) finding->schedule = eo__strdup(schedule.chars);
  eo__text_release(&schedule);
  return code == EO_OK && !finding->schedule ? eo__error_nomem(error) : code;
}
