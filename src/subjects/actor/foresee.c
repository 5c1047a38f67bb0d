/* foresee.c: what a step would touch had some of the steps before it not been taken. Without running anything: what
 * operations do to names, lives, bonds and traps depends on nothing else than what such operations did before. So each is
 * noted as a deed (core/society.h), by its position in the execution under way, and some of them can be done again, in a
 * society made for the purpose.
 *
 * Only steps that touched something are asked for. Of these some have no note: sends and receives that a specification saw
 * and that touched nothing else. */
#include <string.h>

#include "base/alloc.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"

/* ---- Notes ------------------------------------------------------------------------------------------------------ */

/* The text of the name's object, which is made known if it is not: it stays for the run. Without memory, which ends the run,
 * any text will do. */
static const char *lasting(eo_actor *actor, const char *name) {
  size_t had = actor->touches.count;
  eo__touch_name(actor, name, false);
  if (actor->touches.count == had) return "";
  return actor->objects.items[eo_vec_pop(&actor->touches).object].text;
}

static eo_noted note_of(eo_actor *actor, const eo_deed *deed) {
  eo_noted noted = {*deed, deed->self->number, deed->other ? deed->other->number : EO_NO_PROCESS,
                    deed->from ? deed->from->number : EO_NO_PROCESS};
  if (deed->name) noted.deed.name = lasting(actor, deed->name);
  return noted;
}

/* Where there is no memory for a note, `foresee` says so: a step cannot. */
void eo__deed_note(eo_actor *actor, const eo_deed *deed) {
  uint32_t position = actor->world.steps - 1;
  size_t had = actor->deeds.count;
  if (position >= had) {
    if (!eo_vec_reserve(&actor->deeds, position + 1 - had)) {
      actor->unnoted = true;
      return;
    }
    for (size_t i = had; i < position; i++) actor->deeds.items[i].process = EO_NO_PROCESS;
    actor->deeds.count = position + 1;
  }
  actor->deeds.items[position] = note_of(actor, deed);
}

void eo__deed_none(eo_actor *actor) {
  uint32_t position = actor->world.steps - 1;
  if (position < actor->deeds.count) actor->deeds.items[position].process = EO_NO_PROCESS;
}

/* What the process is about to do. */
static eo_noted note_pending(eo_actor *actor, const eo_process *process) {
  eo_deed deed;
  if (!eo__operation_deed(actor, process, process->pending, NULL, &deed)) return (eo_noted){.process = EO_NO_PROCESS};
  return note_of(actor, &deed);
}

void eo__deed_note_foregone(eo_actor *actor, const eo_process *process) {
  size_t had = actor->foregone.count;
  if (process->number >= had) {
    if (!eo_vec_reserve(&actor->foregone, process->number + 1 - had)) {
      actor->unnoted = true;
      return;
    }
    actor->foregone.count = process->number + 1;
  }
  actor->foregone.items[process->number] = note_pending(actor, process);
}

/* ---- The society that would be ----------------------------------------------------------------------------------- */

/* A deed needs room for one bond or one name at most, and none is used twice. */
enum { ROOM = sizeof(eo_bond) > sizeof(eo_name) + 64 ? sizeof(eo_bond) : sizeof(eo_name) + 64 };

typedef struct dream {
  eo_society society; /* first */
  eo_actor *actor;
  eo_citizen *citizens; /* by process number */
  eo_name *names;
  char *room, *end;
} dream;

static void *dream_alloc(eo_society *society, size_t size) {
  dream *d = (dream *)society;
  size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
  EO_CHECK(size <= (size_t)(d->end - d->room));
  d->room += size;
  return d->room - size;
}

static void dream_free(eo_society *society, void *block, size_t size) { (void)society, (void)block, (void)size; }

static bool dream_before(const eo_society *society, const eo_citizen *a, const eo_citizen *b) {
  return eo__actor_before(((const dream *)society)->actor, a->number, b->number);
}

static const eo_society_ops dream_ops = {dream_alloc, dream_free, dream_before, NULL};

/* By `position`, or that of a process; a note without a process: there is none. */
static eo_noted note_at(eo_actor *actor, uint32_t position, uint32_t process) {
  if (position == EO_FOREGONE) return actor->foregone.items[process];
  if (position == EO_NEXT) return note_pending(actor, actor->by_number.items[process]);
  return position < actor->deeds.count ? actor->deeds.items[position] : (eo_noted){.process = EO_NO_PROCESS};
}

/* One step; a process that is doomed exits in its place. */
static void dream_step(dream *d, const eo_noted *noted, eo_effects *effects) {
  eo_deed deed = noted->deed;
  eo_effects_clear(effects);
  if (noted->process == EO_NO_PROCESS) return;
  deed.self = &d->citizens[noted->process];
  deed.other = noted->other == EO_NO_PROCESS ? NULL : &d->citizens[noted->other];
  deed.from = noted->from == EO_NO_PROCESS ? NULL : &d->citizens[noted->from];
  if (deed.self->doomed) deed = (eo_deed){.kind = EO_OP_EXIT, .self = deed.self, .reason = deed.self->reason};
  eo__society_apply(&d->society, &deed, effects);
}

static bool tell(eo_actor *actor, const eo_process *self, uint32_t step, const eo_effects *effects, eo_foreseen *out) {
  eo_vec_clear(&actor->foreseen_doomed);
  eo_vec_clear(&actor->foreseen_told);
  for (size_t i = 0; i < effects->signals.count; i++) {
    const eo_signal *signal = &effects->signals.items[i];
    if (eo__operation_leaves(actor, self, step, effects, i)) continue; /* that is not sent, but sets out */
    if (signal->kind == EO_SIGNAL_DOOM ? !eo_vec_push(&actor->foreseen_doomed, signal->to->number)
                                       : !eo_vec_push(&actor->foreseen_told, signal->to->number))
      return false;
  }
  /* What the last step really touched is out of the way meanwhile. */
  __typeof__(actor->touches) touches = actor->touches;
  actor->touches = actor->foreseen_touches;
  eo_vec_clear(&actor->touches);
  eo__operation_touch(actor, effects);
  actor->foreseen_touches = actor->touches;
  actor->touches = touches;
  *out = (eo_foreseen){.touches = actor->foreseen_touches.items,
                       .touch_count = (uint32_t)actor->foreseen_touches.count,
                       .doomed = actor->foreseen_doomed.items,
                       .doomed_count = (uint32_t)actor->foreseen_doomed.count,
                       .told = actor->foreseen_told.items,
                       .told_count = (uint32_t)actor->foreseen_told.count};
  return true;
}

int eo__actor_foresee(eo_subject *subject, const uint32_t *steps, uint32_t count, uint32_t process, eo_foreseen *out) {
  eo_actor *actor = eo__actor_of(subject);
  size_t citizens = actor->known.count * sizeof(eo_citizen), room = count * (size_t)ROOM;
  dream d = {.actor = actor};
  d.citizens = actor->unnoted ? NULL : eo__realloc(NULL, citizens + room);
  if (!d.citizens) return EO_ENOMEM;
  memset(d.citizens, 0, citizens);
  for (uint32_t i = 0; i < actor->known.count; i++) d.citizens[i].number = i;
  d.room = (char *)d.citizens + citizens;
  d.end = d.room + room;
  d.society =
      (eo_society){.ops = &dream_ops, .names = &d.names, .name_buckets = 1, .travels = actor->world.society.travels};
  eo_effects *effects = &actor->foreseen;
  eo_effects_clear(effects);
  uint32_t step = count ? steps[count - 1] : 0; /* as a position; couriers count from 1 */
  if (step < EO_NEXT) step++;
  const eo_process *self = NULL; /* none of them has to do with the society: there are no signals either */
  for (uint32_t i = 0; i < count && !effects->lost; i++) {
    eo_noted noted = note_at(actor, steps[i], process);
    dream_step(&d, &noted, effects);
    if (noted.process != EO_NO_PROCESS) self = actor->by_number.items[noted.process];
  }
  bool good = !effects->lost && tell(actor, self, step, effects, out);
  eo__free(d.citizens);
  if (!good) return EO_ENOMEM;
  return actor->world.observed ? EO_UNFORESEEN : EO_OK; /* what a specification makes of an event is up to its code */
}

void eo__foresee_release(eo_actor *actor) {
  eo_vec_release(&actor->deeds);
  eo_vec_release(&actor->foregone);
  eo_vec_release(&actor->foreseen_touches);
  eo_vec_release(&actor->foreseen_doomed);
  eo_vec_release(&actor->foreseen_told);
  eo__effects_release(&actor->foreseen);
}
