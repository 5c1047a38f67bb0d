/* specifications.c: machines that observe (eo_specify). Each is a process with an arena and a fiber of its own that is
 * never chosen: it stands at a door that only this file opens, when an event that it observes is sent or announced, and
 * runs to that door again before anything else happens.
 *
 * What it does belongs to the step of the process that sent: that step writes the object EO_OBJECT_SEEN of the
 * specification, so that orders it can tell apart are different to every strategy; and what it does to globals is done by
 * that process. */
#include <stdio.h>
#include <string.h>

#include "core/machine.h"
#include "subjects/actor/describe.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/specifications.h"
#include "subjects/actor/tellings.h"

eo_process **eo__specifications(eo_actor *actor, size_t *count) {
  size_t first = actor->live.count;
  while (first > 0 && actor->live.items[first - 1]->observes) first--;
  *count = actor->live.count - first;
  return actor->live.items + first;
}

/* Runs it until it rests. */
static void run(eo_actor *actor, eo_process *specification, const eo_process *on_behalf) {
  eo__actor_switch(actor, specification, on_behalf->number);
  if (actor->failed) return;
  EO_CHECK(specification->pending->flags & EO_OP_OBSERVE);
  eo__lasso_temper(actor, specification);
}

/* It has failed: it goes on to tell what it ignores, and reacts to nothing more. */
static void stick(eo_process *specification, const eo_on *events) {
  specification->exit_op = (eo_op){.kind = EO_OP_EXIT, .events = events};
  specification->pending = &specification->exit_op;
}

/* ---- Beginning -------------------------------------------------------------------------------------------------- */

static eo_process *start(eo_actor *actor, eo_process *process, const eo_asked *asked) {
  uint32_t number = eo__actor_known_specification(actor, process->number, ++process->specifications);
  if (number == EO_NO_PROCESS) return NULL;
  /* In the pool first: there it is seen whether it gives away an address. */
  eo_mail *argument = eo__mail_new(actor, process->number, 0, asked->bytes, asked->size);
  if (!argument) return NULL;
  eo_process *specification = eo__actor_start(actor, number, asked->function, argument->bytes, argument->size);
  eo__mail_free(actor, argument);
  return specification;
}

/* What other processes have done before this step, nobody observed, so that it touched nothing: no event tells that it could come
 * after the specification as well. */
static void note_late(eo_actor *actor) {
  size_t count;
  (void)eo__specifications(actor, &count);
  if (actor->live.count - count > 1) actor->specified_late = true;
}

static void specify(eo_actor *actor, eo_process *process, const eo_asked *asked) {
  note_late(actor);
  eo_process *specification = start(actor, process, asked);
  if (!specification) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, asked->place,
                   "eo_specify: there is no room for another specification");
    return;
  }
  specification->observes = true;
  specification->barred = EO_SPECIFICATION_BARRED;
  for (int i = 0; i < asked->machine->observe_count; i++)
    actor->world.observed |= (uint64_t)1 << ((unsigned)asked->machine->observes[i] & 63);
  eo__touch_pair(actor, EO_OBJECT_SEEN, specification->number, specification->number, true);
  actor->observed.tag = EO_CREATED;
  run(actor, specification, process);
  if (actor->failed) stick(specification, NULL);
}

/* ---- Observing -------------------------------------------------------------------------------------------------- */

static bool sees(const eo_process *specification, int tag) {
  const eo_machine *machine = specification->kind; /* NULL: it failed at once */
  for (int i = 0; machine && i < machine->observe_count; i++)
    if (machine->observes[i] == tag) return true;
  return false;
}

static void observe(eo_actor *actor, eo_process *specification, const eo_process *on_behalf, const eo_mail *mail) {
  eo_op *op = specification->pending;
  const eo_on *events = op->events;
  bool ignored = events && eo_reaction(events, mail->tag) == EO_REACT_IGNORE;
  eo__touch_pair(actor, EO_OBJECT_SEEN, specification->number, specification->number, !ignored);
  if (ignored || op == &specification->exit_op) return;
  eo__undo_before(actor, specification);
  eo__process_stale(actor, specification);
  if (actor->world.lean) eo__actor_trim(actor, specification);
  if (!eo__mail_show(actor, specification, mail)) {
    eo__actor_fail(actor, EO_KIND_MISUSE, specification, op->place,
                   "eo_specify: an event of %zu bytes does not fit into %s", mail->size,
                   eo__actor_name(actor, specification->number));
    return;
  }
  op->result = 1;
  int was = specification->machine->state;
  run(actor, specification, on_behalf);
  if (actor->failed) stick(specification, events);
  if (actor->describing) eo__words_seen(actor, specification, was);
}

void eo__observe_mail(eo_actor *actor, const eo_process *sender, uint32_t to, const eo_mail *mail) {
  size_t count;
  eo_process **specifications = eo__specifications(actor, &count);
  actor->observed.tag = mail->tag;
  actor->observed.from = sender->courier ? sender->courier->from : sender->number;
  actor->observed.to = to;
  for (size_t i = 0; i < count && !actor->failed; i++)
    if (sees(specifications[i], mail->tag)) observe(actor, specifications[i], sender, mail);
}

void eo__observe_pending(eo_actor *actor, int tag) {
  if (!eo__is_observed(actor, tag)) return;
  size_t count;
  eo_process **specifications = eo__specifications(actor, &count);
  for (size_t i = 0; i < count; i++)
    if (sees(specifications[i], tag))
      eo__touch_pair(actor, EO_OBJECT_SEEN, specifications[i]->number, specifications[i]->number, true);
}

static void announce(eo_actor *actor, eo_process *process, const eo_asked *asked) {
  eo_mail *mail = eo__mail_new(actor, process->number, asked->tag, asked->bytes, asked->size);
  if (!mail) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, asked->place, "eo_announce: out of memory for %zu bytes",
                   asked->size);
    return;
  }
  if (actor->describing) eo__words_announced(actor, process, asked, mail);
  eo__observe_mail(actor, process, EO_NO_PROCESS, mail);
  if (actor->describing) eo__tellings_announced(actor);
  eo__mail_free(actor, mail);
}

/* ---- What the running process asks for -------------------------------------------------------------------------- */

void eo__actor_answer(eo_actor *actor, eo_process *process) {
  eo_asked asked = actor->asked;
  actor->asked.what = EO_ASKED_NOTHING;
  actor->told = asked.what == EO_ASKED_SPECIFY || eo__is_observed(actor, asked.tag) || actor->told;
  actor->answered = process;
  if (asked.what == EO_ASKED_SPECIFY)
    specify(actor, process, &asked);
  else
    announce(actor, process, &asked);
  actor->answered = NULL;
}

/* On the process's fiber. Reads the bytes first, as the engine will: a bad pointer must crash here. */
static void ask(eo_actor *actor, const char *function, eo_asked asked) {
  const volatile char *bytes = asked.bytes;
  eo_process *process = actor->running;
  if (process->probing || process->barred) {
    eo__actor_fail(actor, EO_KIND_MISUSE, process, asked.place, "%s: called %s", function,
                   process->probing ? "from a predicate, which must only look" : process->barred);
  } else {
    for (size_t i = 0; i < asked.size; i += EO_PAGE) (void)bytes[i];
    if (asked.size) (void)bytes[asked.size - 1];
    actor->asked = asked;
  }
  eo__actor_leave(actor);
}

void eo__specify(const eo_place *place, const eo_machine *machine, eo_function function, const void *bytes,
                 size_t size) {
  ask(eo__actor, "eo_specify",
      (eo_asked){.what = EO_ASKED_SPECIFY,
                 .place = place,
                 .machine = machine,
                 .function = function,
                 .bytes = bytes,
                 .size = size});
}

void eo__announce(const eo_place *place, int event, const void *data, size_t size) {
  if (!eo__is_observed(eo__actor, event) && !eo__actor->running->barred && !eo__actor->describing) return;
  ask(eo__actor, "eo_announce",
      (eo_asked){.what = EO_ASKED_ANNOUNCE, .place = place, .tag = event, .bytes = data, .size = size});
}

void eo__observed_text(eo_actor *actor, char *out, size_t size) {
  const eo_process *specification = actor->running;
  char name[64];
  if (!specification->machine) return;
  const eo_machine *machine = specification->machine->machine;
  if (actor->observed.tag == EO_CREATED) {
    snprintf(out, size, " (specification %.100s, when it begins)", eo__machine_name(machine));
    return;
  }
  eo__event_name(machine, actor->observed.tag, name, sizeof name);
  if (actor->observed.to == EO_NO_PROCESS)
    snprintf(out, size, " (specification %.100s, observing %s that %.100s announces)", eo__machine_name(machine), name,
             eo__actor_name(actor, actor->observed.from));
  else
    snprintf(out, size, " (specification %.100s, observing %s that %.100s sends to %.100s)", eo__machine_name(machine),
             name, eo__actor_name(actor, actor->observed.from), eo__actor_name(actor, actor->observed.to));
}
