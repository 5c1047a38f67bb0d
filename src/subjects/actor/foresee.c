/* foresee.c: what a step would touch had some of the steps before it not been taken. Without running anything: what
 * operations do to names, lives, bonds and traps (operations.c) depends on nothing else than what such operations did
 * before. So each is noted, by its position in the execution under way, and can be gone through again, in part.
 *
 * Only steps that touched something are asked for. Of these some have no note: sends and receives that a specification saw
 * and that touched nothing else. */
#include <string.h>

#include "base/alloc.h"
#include "subjects/actor/inside.h"

/* ---- Notes ------------------------------------------------------------------------------------------------------ */

/* The number of a name's object, which is made known if it is not. */
static uint32_t object_of_name(eo_actor *actor, const char *name) {
  eo__touch_name(actor, name, false);
  return eo_vec_pop(&actor->touches).object;
}

static eo_deed deed_of(eo_actor *actor, const eo_process *process, const eo_op *op, uint32_t child) {
  eo_deed deed = {.kind = (uint16_t)op->kind,
                  .flags = (uint16_t)op->flags,
                  .process = process->number,
                  .other = child,
                  .name = UINT32_MAX,
                  .value = op->kind == EO_OP_TRAP_EXIT ? op->on : op->kind == EO_OP_EXIT && op->reason != EO_NORMAL};
  const eo_process *other = op->pid && op->kind != EO_OP_EXIT ? eo__actor_process_of(actor, op->pid) : NULL;
  if (other) deed.other = other->number;
  if (op->name) deed.name = object_of_name(actor, op->name);
  for (const eo_bond *bond = actor->world.bonds; bond && op->kind == EO_OP_DEMONITOR; bond = bond->next)
    if (bond->ref == op->ref) deed.other = bond->b;
  return deed;
}

/* Where there is no memory for a note, `foresee` says so: a step cannot. */
void eo__deed_note(eo_actor *actor, const eo_process *process, const eo_op *op, uint32_t child) {
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
  actor->deeds.items[position] = deed_of(actor, process, op, child);
}

void eo__deed_none(eo_actor *actor) {
  uint32_t position = actor->world.steps - 1;
  if (position < actor->deeds.count) actor->deeds.items[position].process = EO_NO_PROCESS;
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
  actor->foregone.items[process->number] = deed_of(actor, process, process->pending, EO_NO_PROCESS);
}

/* ---- The world that would be ------------------------------------------------------------------------------------- */

typedef struct life {
  bool ended, doomed, traps;
  uint32_t name; /* object, + 1; 0: it has none */
} life;

typedef struct tie {
  uint32_t a, b; /* a watches b; a link: both ways */
  bool link;
} tie;

typedef struct holding {
  uint32_t name, process;
} holding;

typedef struct dream {
  eo_actor *actor;
  EO_VEC(life) lives; /* by process number */
  EO_VEC(tie) ties;
  EO_VEC(holding) names;
  bool bad; /* no memory */
} dream;

static uint32_t holder(const dream *d, uint32_t name) {
  for (size_t i = 0; i < d->names.count; i++)
    if (d->names.items[i].name == name) return d->names.items[i].process;
  return EO_NO_PROCESS;
}

static void release_name(dream *d, uint32_t name) {
  for (size_t i = 0; i < d->names.count; i++)
    if (d->names.items[i].name == name) {
      d->lives.items[d->names.items[i].process].name = 0;
      d->names.items[i] = eo_vec_pop(&d->names);
      return;
    }
}

static size_t find_tie(const dream *d, uint32_t a, uint32_t b, bool link) {
  size_t i = 0;
  for (; i < d->ties.count; i++) {
    const tie *t = &d->ties.items[i];
    if (t->link == link && ((t->a == a && t->b == b) || (link && t->a == b && t->b == a))) break;
  }
  return i;
}

/* In the order of bonds: by pairs, and within a pair by age. */
static void add_tie(dream *d, uint32_t a, uint32_t b, bool link) {
  if (link && find_tie(d, a, b, true) < d->ties.count) return;
  if (!eo_vec_reserve(&d->ties, 1)) {
    d->bad = true;
    return;
  }
  size_t at = d->ties.count++;
  for (; at > 0 && eo__bond_before(d->actor, a, b, d->ties.items[at - 1].a, d->ties.items[at - 1].b); at--)
    d->ties.items[at] = d->ties.items[at - 1];
  d->ties.items[at] = (tie){a, b, link};
}

static void remove_tie(dream *d, size_t at) {
  if (at == d->ties.count) return;
  d->ties.count--;
  memmove(d->ties.items + at, d->ties.items + at + 1, (d->ties.count - at) * sizeof *d->ties.items);
}

static void tell(dream *d, uint32_t process) {
  if (!eo_vec_push(&d->actor->foreseen_told, process)) d->bad = true;
}

static void touch_object(dream *d, uint32_t object, bool writes) {
  if (!eo_vec_push(&d->actor->touches, ((eo_touch){object, writes}))) d->bad = true;
}

static void doom(dream *d, uint32_t process) {
  d->lives.items[process].doomed |= !d->lives.items[process].ended;
  if (!eo_vec_push(&d->actor->doomed, process)) d->bad = true;
}

/* ---- The operations, as in operations.c -------------------------------------------------------------------------- */

static void touch_ties(dream *d, const eo_deed *deed) {
  if (deed->other == deed->process) return;
  eo__touch(d->actor, EO_OBJECT_LIFE, deed->other, false);
  eo__touch_pair(d->actor, EO_OBJECT_BONDS, deed->process, deed->other, true);
}

static void dream_exit(dream *d, uint32_t process, bool abnormal) {
  life *own = &d->lives.items[process];
  eo__touch(d->actor, EO_OBJECT_LIFE, process, true);
  eo__touch(d->actor, EO_OBJECT_NAMED, process, true);
  own->ended = true;
  if (own->name) {
    touch_object(d, own->name - 1, true);
    release_name(d, own->name - 1);
  }
  for (size_t i = 0; i < d->ties.count; i++) {
    const tie *t = &d->ties.items[i];
    if ((t->a != process && t->b != process) || t->a == t->b) continue;
    uint32_t other = t->a == process ? t->b : t->a;
    bool ends = abnormal && !d->lives.items[other].traps;
    eo__touch_pair(d->actor, EO_OBJECT_ENDS, process, other, abnormal && (t->link || t->b == process));
    if (t->link ? d->lives.items[other].traps : t->b == process) tell(d, other);
    if (!t->link) continue;
    eo__touch(d->actor, EO_OBJECT_TRAPS, other, ends);
    if (ends) doom(d, other);
  }
}

static void dream_link(dream *d, const eo_deed *deed) {
  if (deed->other == deed->process) return;
  touch_ties(d, deed);
  if (!d->lives.items[deed->other].ended) {
    add_tie(d, deed->process, deed->other, true);
    return;
  }
  bool ends = !d->lives.items[deed->process].traps;
  eo__touch(d->actor, EO_OBJECT_TRAPS, deed->process, ends);
  ends ? doom(d, deed->process) : tell(d, deed->process);
}

static void dream_register(dream *d, const eo_deed *deed) {
  life *other = &d->lives.items[deed->other];
  bool taken = holder(d, deed->name) != EO_NO_PROCESS, given = !taken && !other->ended && !other->name;
  touch_object(d, deed->name, given);
  if (taken) return;
  eo__touch(d->actor, EO_OBJECT_LIFE, deed->other, false);
  eo__touch(d->actor, EO_OBJECT_NAMED, deed->other, given);
  if (!given) return;
  other->name = deed->name + 1;
  if (!eo_vec_push(&d->names, ((holding){deed->name, deed->other}))) d->bad = true;
}

/* An unregister, a whereis, a send by name. */
static void dream_name(dream *d, const eo_deed *deed) {
  uint32_t who = holder(d, deed->name);
  bool removes = deed->kind == EO_OP_UNREGISTER && who != EO_NO_PROCESS;
  touch_object(d, deed->name, removes);
  if (removes) {
    eo__touch(d->actor, EO_OBJECT_NAMED, who, true);
    release_name(d, deed->name);
  } else if (deed->kind == EO_OP_SEND && who != EO_NO_PROCESS) {
    tell(d, who);
  } else if (deed->kind == EO_OP_SEND) {
    eo__touch(d->actor, EO_OBJECT_TRAPS, deed->process, true);
    doom(d, deed->process);
  }
}

static void dream_spawn(dream *d, const eo_deed *deed) {
  bool link = deed->flags & EO_OP_LINKED, monitor = deed->flags & EO_OP_MONITORED;
  if (link || monitor) eo__touch_pair(d->actor, EO_OBJECT_BONDS, deed->process, deed->other, true);
  if (link) add_tie(d, deed->process, deed->other, true);
  if (monitor) add_tie(d, deed->process, deed->other, false);
}

static void dream_trap(dream *d, const eo_deed *deed) {
  life *own = &d->lives.items[deed->process];
  eo__touch(d->actor, EO_OBJECT_TRAPS, deed->process, own->traps != deed->value);
  own->traps = deed->value;
}

/* An unlink, monitor, demonitor. */
static void dream_tie(dream *d, const eo_deed *deed) {
  touch_ties(d, deed);
  if (deed->kind == EO_OP_UNLINK) remove_tie(d, find_tie(d, deed->process, deed->other, true));
  if (deed->kind == EO_OP_DEMONITOR) remove_tie(d, find_tie(d, deed->process, deed->other, false));
  if (deed->kind != EO_OP_MONITOR) return;
  if (d->lives.items[deed->other].ended)
    tell(d, deed->process);
  else
    add_tie(d, deed->process, deed->other, false);
}

/* By `position`, or that of a process; a deed without a process: there is no note. */
static eo_deed deed_at(eo_actor *actor, uint32_t position, uint32_t process) {
  if (position == EO_FOREGONE) return actor->foregone.items[process];
  if (position == EO_NEXT) {
    const eo_process *own = actor->by_number.items[process];
    return deed_of(actor, own, own->pending, EO_NO_PROCESS);
  }
  return position < actor->deeds.count ? actor->deeds.items[position] : (eo_deed){.process = EO_NO_PROCESS};
}

/* One step; actor->touches, doomed and foreseen_told then say what it touched, whom it doomed and told. */
static void dream_step(dream *d, const eo_deed *deed) {
  size_t most = 2 * d->ties.count + 4; /* room for all that it can touch, doom and tell */
  if (!eo_vec_reserve(&d->actor->touches, most) || !eo_vec_reserve(&d->actor->doomed, most)) {
    d->bad = true;
    return;
  }
  eo__relations_begin(d->actor);
  eo_vec_clear(&d->actor->foreseen_told);
  if (deed->process == EO_NO_PROCESS) return;
  bool has_other = deed->other != EO_NO_PROCESS; /* else it would have failed, or there was nothing to end */
  if (d->lives.items[deed->process].doomed) {
    dream_exit(d, deed->process, true);
    return;
  }
  switch (deed->kind) {
    case EO_OP_EXIT: dream_exit(d, deed->process, deed->value); break;
    case EO_OP_TRAP_EXIT: dream_trap(d, deed); break;
    case EO_OP_SEND:
      if (deed->flags & EO_OP_BY_NAME) dream_name(d, deed);
      break;
    case EO_OP_UNREGISTER:
    case EO_OP_WHEREIS: dream_name(d, deed); break;
    case EO_OP_SPAWN:
      if (has_other) dream_spawn(d, deed);
      break;
    case EO_OP_LINK:
      if (has_other) dream_link(d, deed);
      break;
    case EO_OP_REGISTER:
      if (has_other) dream_register(d, deed);
      break;
    case EO_OP_UNLINK:
    case EO_OP_MONITOR:
    case EO_OP_DEMONITOR:
      if (has_other) dream_tie(d, deed);
      break;
    default: break; /* it has nothing in common with others but messages */
  }
}

/* What steps really touched and doomed is out of the way meanwhile. */
static void set_apart(eo_actor *actor) {
  __typeof__(actor->touches) touches = actor->touches;
  __typeof__(actor->doomed) doomed = actor->doomed;
  actor->touches = actor->foreseen_touches;
  actor->doomed = actor->foreseen_doomed;
  actor->foreseen_touches = touches;
  actor->foreseen_doomed = doomed;
}

int eo__actor_foresee(eo_subject *subject, const uint32_t *steps, uint32_t count, uint32_t process, eo_foreseen *out) {
  eo_actor *actor = eo__actor_of(subject);
  dream d = {.actor = actor};
  size_t lives = actor->known.count;
  d.bad = actor->unnoted || !eo_vec_reserve(&d.lives, lives);
  if (!d.bad && lives) memset(d.lives.items, 0, lives * sizeof *d.lives.items);
  set_apart(actor);
  for (uint32_t i = 0; i < count && !d.bad; i++) {
    eo_deed deed = deed_at(actor, steps[i], process);
    dream_step(&d, &deed);
  }
  set_apart(actor);
  *out = (eo_foreseen){.touches = actor->foreseen_touches.items,
                       .touch_count = (uint32_t)actor->foreseen_touches.count,
                       .doomed = actor->foreseen_doomed.items,
                       .doomed_count = (uint32_t)actor->foreseen_doomed.count,
                       .told = actor->foreseen_told.items,
                       .told_count = (uint32_t)actor->foreseen_told.count};
  eo_vec_release(&d.lives);
  eo_vec_release(&d.ties);
  eo_vec_release(&d.names);
  if (d.bad) return EO_ENOMEM;
  return actor->world.observed ? EO_UNFORESEEN : EO_OK; /* what a specification makes of an event is up to its code */
}

void eo__foresee_release(eo_actor *actor) {
  eo_vec_release(&actor->deeds);
  eo_vec_release(&actor->foregone);
  eo_vec_release(&actor->foreseen_touches);
  eo_vec_release(&actor->foreseen_doomed);
  eo_vec_release(&actor->foreseen_told);
}
