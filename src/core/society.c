/* society.c: the rules of links, monitors, names, exits and traps. One function per kind of deed. Each says what the deed
 * touches as it looks, and both what it does and what it could do at most: `act` of `doing` is what makes the difference. So
 * the two cannot part. */
#include "core/society.h"

#include <string.h>

#include "base/error.h"

/* A deed under way. */
typedef struct doing {
  eo_society *society;
  const eo_deed *deed;
  eo_effects *effects;
  bool act; /* false: nothing changes, and what depends on others is taken as it touches most */
} doing;

/* True if it is so, or could be. */
static bool may(const doing *d, bool is_so) { return is_so || !d->act; }

/* In place, field by field: a struct that is made of small stores and then copied in whole would stall. */
static void add_touch(const doing *d, eo_object_kind kind, uint32_t a, uint32_t b, const char *name, bool writes) {
  if (!eo_vec_reserve(&d->effects->touches, 1)) {
    d->effects->lost = true;
    return;
  }
  eo_contact *contact = &d->effects->touches.items[d->effects->touches.count++];
  contact->kind = kind;
  contact->writes = writes;
  contact->a = a;
  contact->b = b;
  contact->name = name;
}

static void touch(const doing *d, eo_object_kind kind, const eo_citizen *citizen, bool writes) {
  add_touch(d, kind, citizen->number, citizen->number, NULL, writes);
}

static void touch_pair(const doing *d, eo_object_kind kind, const eo_citizen *a, const eo_citizen *b, bool writes) {
  add_touch(d, kind, a->number, b->number, NULL, writes);
}

static void touch_name(const doing *d, const char *name, bool writes) {
  add_touch(d, EO_OBJECT_NAME, 0, 0, name, writes);
}

/* What the deed does to its citizen's bonds with another: depends on whether that has ended, and on other such deeds. */
static void touch_bonds(const doing *d, const eo_citizen *other) {
  touch(d, EO_OBJECT_LIFE, other, false);
  touch_pair(d, EO_OBJECT_BONDS, d->deed->self, other, true);
}

static void signal(const doing *d, eo_signal s) {
  if (!d->act) return;
  if (!eo_vec_push(&d->effects->signals, s)) d->effects->lost = true;
}

static void doom(const doing *d, eo_citizen *citizen, const eo_citizen *from, int reason) {
  bool first = !citizen->doomed && !citizen->ended;
  signal(d, (eo_signal){.kind = EO_SIGNAL_DOOM, .first = first, .to = citizen, .from = from, .reason = reason});
  if (!d->act || !first) return;
  citizen->doomed = true;
  citizen->reason = reason;
}

/* ---- Bonds ------------------------------------------------------------------------------------------------------ */

static void changes(const eo_society *society, eo_citizen *citizen) {
  if (society->ops->changes) society->ops->changes((eo_society *)(uintptr_t)society, citizen);
}

static eo_bond *previous_of(const eo_bond *bond, const eo_citizen *citizen) {
  return bond->in[bond->ends[0] != citizen].previous;
}

/* Into the list of ends[side], from the end on, where most belong. */
static void insert(const eo_society *society, eo_bond *bond, unsigned side) {
  eo_citizen *citizen = bond->ends[side];
  eo_bond *after = citizen->last;
  changes(society, citizen);
  while (after && society->ops->before &&
         society->ops->before(society, bond->ends[!side], eo_bond_other(after, citizen)))
    after = previous_of(after, citizen);
  eo_bond **link = after ? &after->in[after->ends[0] != citizen].next : &citizen->first;
  eo_bond *next = *link;
  bond->in[side].previous = after;
  bond->in[side].next = next;
  *link = bond;
  *(next ? &next->in[next->ends[0] != citizen].previous : &citizen->last) = bond;
}

static void take_out(const eo_society *society, eo_bond *bond, unsigned side) {
  eo_citizen *citizen = bond->ends[side];
  eo_bond *next = bond->in[side].next, *previous = bond->in[side].previous;
  changes(society, citizen);
  *(previous ? &previous->in[previous->ends[0] != citizen].next : &citizen->first) = next;
  *(next ? &next->in[next->ends[0] != citizen].previous : &citizen->last) = previous;
}

static void add_bond(const doing *d, eo_citizen *a, eo_citizen *b, eo_ref ref) {
  if (!d->act) return;
  eo_bond *bond = d->society->ops->alloc(d->society, sizeof *bond);
  if (!bond) {
    d->effects->lost = true;
    return;
  }
  *bond = (eo_bond){.ends = {a, b}, .ref = ref};
  d->society->bonds++;
  insert(d->society, bond, 0);
  insert(d->society, bond, 1);
}

static void remove_bond(eo_society *society, eo_bond *bond) {
  take_out(society, bond, 0);
  take_out(society, bond, 1);
  society->bonds--;
  society->ops->free(society, bond, sizeof *bond);
}

/* In the lists of both at once: one who has a thousand links is linked to those that have few. */
static eo_bond *find_link(const eo_citizen *citizen, const eo_citizen *other) {
  eo_bond *bond = citizen->first, *others = other->first;
  for (; bond && others; bond = eo_bond_next(bond, citizen), others = eo_bond_next(others, other)) {
    if (bond->ref == 0 && eo_bond_other(bond, citizen) == other) return bond;
    if (others->ref == 0 && eo_bond_other(others, other) == citizen) return others;
  }
  return NULL;
}

/* From both ends at once: most that are ended are the oldest or the newest. */
static eo_bond *find_monitor(const eo_citizen *citizen, eo_ref ref) {
  eo_bond *bond = citizen->first, *back = citizen->last;
  for (; bond; bond = eo_bond_next(bond, citizen), back = previous_of(back, citizen)) {
    if (bond->ref == ref && bond->ends[0] == citizen) return bond;
    if (back->ref == ref && back->ends[0] == citizen) return back;
  }
  return NULL;
}

void eo__society_forget(eo_society *society, eo_citizen *citizen) {
  while (citizen->first) remove_bond(society, citizen->first);
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

/* FNV-1a. */
static eo_name **bucket_of(const eo_society *society, const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (society->name_buckets == 1) return society->names;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return &society->names[hash & (society->name_buckets - 1)];
}

static eo_name **find_name(const eo_society *society, const char *text) {
  eo_name **at = bucket_of(society, text);
  while (*at && strcmp((*at)->text, text) != 0) at = &(*at)->next;
  return at;
}

eo_citizen *eo__society_holder(const eo_society *society, const char *name) {
  const eo_name *found = *find_name(society, name);
  return found ? found->holder : NULL;
}

static void give_name(const doing *d, eo_citizen *citizen, const char *text) {
  size_t length = strlen(text) + 1;
  EO_CHECK(length <= sizeof d->effects->name);
  eo_name *name = d->society->ops->alloc(d->society, sizeof *name + length);
  if (!name) {
    d->effects->lost = true;
    return;
  }
  eo_name **bucket = bucket_of(d->society, text);
  name->next = *bucket;
  name->holder = citizen;
  memcpy(name->text, text, length);
  *bucket = name;
  changes(d->society, citizen);
  citizen->name = name;
}

static void take_name(eo_society *society, eo_citizen *citizen) {
  eo_name *name = citizen->name, **at = bucket_of(society, name->text);
  while (*at != name) at = &(*at)->next;
  *at = name->next;
  changes(society, citizen);
  citizen->name = NULL;
  society->ops->free(society, name, sizeof *name + strlen(name->text) + 1);
}

void eo__society_rehash(eo_society *society, eo_name **buckets, size_t count) {
  eo_name **old = society->names;
  size_t old_count = society->name_buckets;
  society->names = buckets;
  society->name_buckets = count;
  for (size_t i = 0; i < old_count; i++)
    for (eo_name *name = old[i], *next; name; name = next) {
      next = name->next;
      eo_name **bucket = bucket_of(society, name->text);
      name->next = *bucket;
      *bucket = name;
    }
}

/* ---- Deeds ------------------------------------------------------------------------------------------------------ */

/* An exit signal from `from` comes to `to`. To a process that has ended an EXIT is sent all the same: who else gets which message
 * must not depend on that. A signal that ends `to` writes what signals do to it: of two of them the first gives the reason. */
static void signal_exit(const doing *d, eo_citizen *to, const eo_citizen *from, int reason) {
  bool ends = !to->traps && reason != EO_NORMAL;
  touch(d, EO_OBJECT_TRAPS, to, reason != EO_NORMAL && may(d, !to->traps));
  if (to->traps) signal(d, (eo_signal){.kind = EO_SIGNAL_EXIT, .to = to, .from = from, .reason = reason});
  if (ends) doom(d, to, from, reason);
  d->effects->noticed |= !to->ended && (to->traps || ends);
}

static void signal_down(const doing *d, eo_citizen *to, const eo_citizen *from, eo_ref ref, int reason, bool muted) {
  signal(d, (eo_signal){.kind = EO_SIGNAL_DOWN, .muted = muted, .to = to, .from = from, .ref = ref, .reason = reason});
  d->effects->noticed |= !to->ended && !muted;
}

/* An exit signal of `self` sets out. That of an exit is noticed by whoever is alive now. */
static void send_off(const doing *d, eo_citizen *to, bool linked, int reason) {
  const eo_citizen *self = d->deed->self;
  signal(d, (eo_signal){.kind = EO_SIGNAL_LEAVE, .linked = linked, .to = to, .from = self, .reason = reason});
  d->effects->noticed |= !to->ended;
}

/* The exit of `self` and the process at the other side of a bond. */
static void tell_of_exit(const doing *d, const eo_bond *bond, int reason) {
  const eo_citizen *self = d->deed->self;
  eo_citizen *other = eo_bond_other(bond, self);
  bool tells = bond->ref == 0 || bond->ends[1] == self; /* else it was the one who watched */
  if (bond->muted && !tells) return;                    /* and does no longer */
  /* Whether the exit of one is noticed, and how the other ends, depends on which comes first; not if both are normal. */
  touch_pair(d, EO_OBJECT_ENDS, self, other, tells && reason != EO_NORMAL);
  if (bond->ref == 0 && d->society->travels)
    send_off(d, other, true, reason);
  else if (bond->ref == 0)
    signal_exit(d, other, self, reason);
  else if (tells)
    signal_down(d, other, self, bond->ref, reason, bond->muted);
}

static void do_exit(const doing *d) {
  eo_citizen *self = d->deed->self;
  d->effects->noticed = self->killed;
  touch(d, EO_OBJECT_LIFE, self, true);
  touch(d, EO_OBJECT_NAMED, self, true); /* it has none afterwards, whoever unregistered it */
  if (self->name) {
    strcpy(d->effects->name, self->name->text); /* which outlives the name */
    touch_name(d, d->effects->name, true);
    if (d->act) take_name(d->society, self);
  }
  if (d->act) self->ended = true;
  for (eo_bond *bond = self->first, *next; bond; bond = next) {
    next = eo_bond_next(bond, self);
    tell_of_exit(d, bond, d->deed->reason);
    bool stays = bond->ref == 0 && d->society->travels; /* until the signals of both exits have arrived */
    if (d->act && !stays && (eo_bond_other(bond, self)->ended || (bond->muted && bond->ends[1] == self)))
      remove_bond(d->society, bond);
  }
}

static void do_spawn(const doing *d) {
  eo_citizen *self = d->deed->self, *child = d->deed->other;
  if (!(d->deed->flags & (EO_OP_LINKED | EO_OP_MONITORED))) return;
  touch_pair(d, EO_OBJECT_BONDS, self, child, true); /* as for link and monitor; it is alive */
  if (d->deed->flags & EO_OP_LINKED) add_bond(d, self, child, 0);
  if (d->deed->flags & EO_OP_MONITORED) add_bond(d, self, child, d->deed->ref);
}

static void do_link(const doing *d) {
  eo_citizen *self = d->deed->self, *other = d->deed->other;
  if (other == self) return;
  touch_bonds(d, other);
  const eo_bond *bond = find_link(self, other);
  /* Where signals travel, a link is there until that of the other's exit arrives. */
  bool linked = bond && (d->society->travels ? !bond->over[bond->ends[0] != self] : !other->ended);
  if (may(d, other->ended && !linked)) signal_exit(d, self, other, EO_NOPROC);
  if (!other->ended && !linked) add_bond(d, self, other, 0);
}

static void do_unlink(const doing *d) {
  eo_citizen *self = d->deed->self, *other = d->deed->other;
  if (other == self) return;
  touch_bonds(d, other);
  eo_bond *bond = find_link(self, other);
  if (bond && d->act) remove_bond(d->society, bond);
}

/* A signal that does not come with an exit, in its own step. One that cannot be trapped (`always`) is a write, as all that end; so
 * is, for once, a normal one that a process gives to itself. To one that is doomed already it comes too late, whether that has
 * ended by now or not: nothing but what doomed it matters. (An exit that reaches it by a link is another thing: which of the two
 * exits comes first shows in who notices.) */
static void strike(const doing *d, const eo_citizen *from, eo_citizen *to, int reason, bool always) {
  bool itself = to == from && reason == EO_NORMAL, ends = always || (!to->traps && (itself || reason != EO_NORMAL));
  touch(d, EO_OBJECT_TRAPS, to, may(d, ends && !to->doomed));
  if (!always && to->traps) signal(d, (eo_signal){.kind = EO_SIGNAL_EXIT, .to = to, .from = from, .reason = reason});
  if (ends && !to->doomed) doom(d, to, from, reason);
}

static void kill(const doing *d, const eo_citizen *from, eo_citizen *to) {
  bool always = d->deed->reason == EO_KILL, was_doomed = to->doomed;
  strike(d, from, to, always ? EO_KILLED : d->deed->reason, always);
  if (d->act && !was_doomed) to->killed = to->doomed;
}

static void do_kill(const doing *d) {
  if (d->society->travels && d->deed->other != d->deed->self)
    send_off(d, d->deed->other, false, d->deed->reason);
  else
    kill(d, d->deed->self, d->deed->other);
}

/* After an unlink the signal of an exit does nothing. The bond goes with the second of the two signals, in whichever order
 * they come: so they only read it. */
static void arrive_by_link(const doing *d) {
  eo_citizen *to = d->deed->other;
  eo_bond *bond = find_link(to, d->deed->from);
  touch_pair(d, EO_OBJECT_BONDS, d->deed->from, to, false);
  if (may(d, bond != NULL)) strike(d, d->deed->from, to, d->deed->reason, false);
  if (!bond || !d->act) return;
  unsigned side = bond->ends[0] != to;
  bond->over[side] = true;
  if (bond->over[!side]) remove_bond(d->society, bond);
}

static void do_signal(const doing *d) {
  eo_citizen *to = d->deed->other;
  if (d->deed->flags & EO_OP_LINKED) {
    arrive_by_link(d);
  } else if (d->deed->flags & EO_OP_MONITORED) { /* a demonitor may have flushed it */
    touch_pair(d, EO_OBJECT_BONDS, d->deed->from, to, false);
    signal(d, (eo_signal){.kind = EO_SIGNAL_SEND, .to = to, .from = d->deed->from});
  } else {
    kill(d, d->deed->from, to);
  }
}

/* Until it has ended, or something has doomed it, whichever came first: the other comes too late to matter. */
static void do_is_alive(const doing *d) {
  const eo_citizen *other = d->deed->other;
  if (may(d, !other->doomed)) touch(d, EO_OBJECT_LIFE, other, false);
  if (may(d, other->doomed || !other->ended)) touch(d, EO_OBJECT_TRAPS, other, false);
  d->effects->result = !other->doomed && !other->ended;
}

static void do_monitor(const doing *d) {
  eo_citizen *self = d->deed->self, *other = d->deed->other;
  if (d->deed->flags & EO_OP_BY_NAME) {
    other = d->effects->other = eo__society_holder(d->society, d->deed->name);
    touch_name(d, d->deed->name, false);
  }
  if (!other) signal_down(d, self, NULL, d->deed->ref, EO_NOPROC, false);
  if (!other || other == self) return; /* itself: nobody would be there to get its DOWN */
  touch_bonds(d, other);
  if (other->ended)
    signal_down(d, self, other, d->deed->ref, EO_NOPROC, false);
  else
    add_bond(d, self, other, d->deed->ref);
}

/* Without a result, and with the DOWN gone in any case, nobody can tell whether a normal end of the other came before. So the
 * end is to look the same in both orders: if it comes later, the DOWN is sent all the same, and does not arrive. Whether an
 * end that is not normal is noticed does depend on it. */
static void mute(const doing *d, eo_bond *bond) {
  const eo_citizen *other = bond->ends[1];
  touch_pair(d, EO_OBJECT_ENDS, d->deed->self, other, false);
  touch_pair(d, EO_OBJECT_BONDS, d->deed->self, other, true);
  if (d->act && other->ended)
    remove_bond(d->society, bond);
  else if (d->act)
    bond->muted = true;
}

static void do_demonitor(const doing *d) {
  eo_bond *bond = find_monitor(d->deed->self, d->deed->ref);
  /* None: it was ended before, or the other had ended before it was made. No deed of another changes that. */
  if (!bond || bond->muted) return;
  d->effects->other = bond->ends[1];
  if (d->deed->flags & EO_OP_QUIET) {
    mute(d, bond);
    return;
  }
  d->effects->result = !bond->ends[1]->ended;
  touch_bonds(d, bond->ends[1]);
  if (d->act) remove_bond(d->society, bond);
}

static void do_trap_exit(const doing *d) {
  eo_citizen *self = d->deed->self;
  d->effects->result = self->traps;
  touch(d, EO_OBJECT_TRAPS, self, may(d, self->traps != d->deed->on));
  if (d->act) self->traps = d->deed->on;
}

static void do_register(const doing *d) {
  eo_citizen *other = d->deed->other;
  bool taken = *find_name(d->society, d->deed->name) != NULL, given = !taken && !other->ended && !other->name;
  touch_name(d, d->deed->name, may(d, given));
  if (may(d, !taken)) { /* else the process does not matter */
    touch(d, EO_OBJECT_LIFE, other, false);
    touch(d, EO_OBJECT_NAMED, other, may(d, given));
  }
  d->effects->result = given;
  if (given && d->act) give_name(d, other, d->deed->name);
}

static void do_unregister(const doing *d) {
  eo_citizen *holder = d->effects->other = eo__society_holder(d->society, d->deed->name);
  touch_name(d, d->deed->name, may(d, holder != NULL));
  d->effects->result = holder != NULL;
  if (!holder) return;
  touch(d, EO_OBJECT_NAMED, holder, true);
  if (d->act) take_name(d->society, holder);
}

/* By name. If nobody has it, that is for the sender as a signal that ends it, unless it is caught. */
static void do_send(const doing *d) {
  eo_citizen *self = d->deed->self, *holder = d->effects->other = eo__society_holder(d->society, d->deed->name);
  bool caught = d->deed->flags & EO_OP_CAUGHT;
  touch_name(d, d->deed->name, false);
  if (may(d, !holder) && !caught) touch(d, EO_OBJECT_TRAPS, self, true);
  if (holder)
    signal(d, (eo_signal){.kind = EO_SIGNAL_SEND, .to = holder, .from = self});
  else if (!caught)
    doom(d, self, NULL, EO_BADARG);
  d->effects->result = holder != NULL;
}

static void do_deed(const doing *d) {
  const eo_deed *deed = d->deed;
  d->effects->other = deed->other;
  switch (deed->kind) {
    case EO_OP_SPAWN: do_spawn(d); break;
    case EO_OP_SEND: do_send(d); break;
    case EO_OP_EXIT: do_exit(d); break;
    case EO_OP_KILL: do_kill(d); break;
    case EO_OP_IS_ALIVE: do_is_alive(d); break;
    case EO_OP_SIGNAL: do_signal(d); break;
    case EO_OP_LINK: do_link(d); break;
    case EO_OP_UNLINK: do_unlink(d); break;
    case EO_OP_TRAP_EXIT: do_trap_exit(d); break;
    case EO_OP_MONITOR: do_monitor(d); break;
    case EO_OP_DEMONITOR: do_demonitor(d); break;
    case EO_OP_REGISTER: do_register(d); break;
    case EO_OP_UNREGISTER: do_unregister(d); break;
    case EO_OP_WHEREIS:
      d->effects->other = eo__society_holder(d->society, deed->name);
      touch_name(d, deed->name, false);
      break;
    default: EO_CHECK(!"a deed that has nothing to do with the society");
  }
}

void eo__society_apply(eo_society *society, const eo_deed *deed, eo_effects *effects) {
  do_deed(&(doing){society, deed, effects, true});
}

void eo__society_bound(eo_society *society, const eo_deed *deed, eo_effects *effects) {
  do_deed(&(doing){society, deed, effects, false});
}

void eo__effects_release(eo_effects *effects) {
  eo_vec_release(&effects->touches);
  eo_vec_release(&effects->signals);
}
