/* machine.c: machines (everyorder.h), over the operations that every process has, so that they run under every runtime.
 *
 * A machine is a process whose function is `run`. It dequeues by a receive that knows what the state does with which
 * event (EO_OP_DEQUEUE), looks the event up in the same table and calls what stands there; raised events and transitions
 * that a function asks for are noted in the instance and done when the function has returned. (P: Safe Asynchronous
 * Event-Driven Programming, PLDI 2013, section 3.)
 *
 * Canonical states: between events all that counts is in eo_machine_now, and whatever else stands in the instance is
 * zero then; the stack below is cleaned by the runtime before the next event's functions run. */
#include "core/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/program.h"

#define INSTANCE 0x65766d616368696eu /* tells an instance from other memory */

enum { SMALL = 64, MOST_ON_STACK = 16 << 10 };

typedef enum wish { WISH_NONE, WISH_RAISE, WISH_GOTO, WISH_HALT } wish;

typedef enum moment { RESTING, HANDLING, LEAVING, PASSING } moment;

/* A machine in this process. Its variables follow. */
typedef struct instance {
  uint64_t magic;
  eo_pid pid; /* whose it is */
  const eo_place *created;
  const eo_place *asked; /* where the wish was made */
  bool observes;         /* it is a specification */
  bool idles;            /* its state has a handler for EO_NULL */
  moment moment;         /* which kind of function runs */
  wish wish;             /* of the function that runs */
  int target;            /* state or event */
  size_t size;           /* of what was raised, or goes to the entry function */
  void *large;           /* that, on the heap; NULL: it is in `small` */
  _Alignas(16) char small[SMALL];
  _Alignas(16) eo_machine_now now;
} instance;

_Static_assert(offsetof(instance, now) + sizeof(eo_machine_now) == sizeof(instance), "the variables follow `now`");

/* What a spawned machine is given. */
typedef struct start {
  const eo_machine *machine;
  const eo_place *place;
  size_t size;
  _Alignas(16) char bytes[];
} start;

const char *eo__event_name(const eo_machine *machine, int event, char *room, size_t size) {
  const char *name = machine && machine->event_name && event >= 0 ? machine->event_name(event) : NULL;
  if (event == EO_EXIT) name = "EO_EXIT";
  if (event == EO_DOWN) name = "EO_DOWN";
  if (event == EO_NULL) name = "EO_NULL";
  if (name)
    snprintf(room, size, "%s", name);
  else
    snprintf(room, size, "%d", event);
  return room;
}

const char *eo__machine_name(const eo_machine *machine) { return machine->name ? machine->name : "?"; }

const char *eo__state_name(const eo_machine *machine, int state) {
  const char *name = machine->states[state].name;
  return name ? name : "?";
}

/* ---- What can be wrong with a machine --------------------------------------------------------------------------- */

static bool has_state(const eo_machine *machine, int state) { return state >= 0 && state < machine->state_count; }

static void check_state(const eo_place *place, const char *function, const eo_machine *machine, int state) {
  char text[300];
  for (const eo_on *on = machine->states[state].on; on && on->reaction; on++) {
    const char *what = NULL;
    if (on->reaction < 0 || on->reaction > EO_REACT_IGNORE) what = "an unknown reaction";
    if (on->reaction == EO_REACT_GOTO && !has_state(machine, on->state))
      what = "a state that the machine does not have";
    if (on->event == EO_NULL && (on->reaction == EO_REACT_DEFER || on->reaction == EO_REACT_IGNORE))
      what = "EO_NULL, which cannot be deferred or ignored";
    if (on->event == EO_CREATED || on->event == EO_WENT) what = "EO_CREATED or EO_WENT, which only entry functions get";
    if (!what) continue;
    snprintf(text, sizeof text, "state %.100s of machine %.100s has %s in its table", eo__state_name(machine, state),
             eo__machine_name(machine), what);
    eo__misuse(place, function, text);
  }
}

static void check_machine(const eo_place *place, const char *function, const eo_machine *machine, const void *argument,
                          size_t size) {
  if (!machine) eo__misuse(place, function, "the machine is NULL");
  if (!machine->states || machine->state_count <= 0) eo__misuse(place, function, "the machine has no states");
  if (!has_state(machine, machine->start)) eo__misuse(place, function, "the machine has no such start state");
  for (int i = 0; i < machine->state_count; i++) check_state(place, function, machine, i);
  if (!argument && size > 0) eo__misuse(place, function, "no argument, but a size above 0");
}

/* ---- What functions of a machine ask for ------------------------------------------------------------------------ */

static instance *instance_of(const eo_place *place, const char *function, void *self) {
  if (!eo__runtime) eo__misuse(place, function, "called outside a machine");
  if (!self) eo__misuse(place, function, "self is NULL");
  instance *machine = (instance *)self - 1;
  if ((uintptr_t)self % _Alignof(instance) || machine->magic != INSTANCE)
    eo__misuse(place, function, "self is not the argument of the function");
  if (machine->pid != eo__runtime->self()) eo__misuse(place, function, "self is another machine's");
  return machine;
}

static void ask(const eo_place *place, const char *function, instance *machine, wish what, int target, const void *data,
                size_t size) {
  static const char *const after[] = {
      [WISH_RAISE] = "after eo_raise in the same function",
      [WISH_GOTO] = "after eo_goto in the same function",
      [WISH_HALT] = "after eo_halt in the same function",
  };
  if (machine->wish != WISH_NONE)
    eo__misuse(place, function, "the function has already raised an event, gone to a state or halted");
  if (!data && size > 0) eo__misuse(place, function, "no data, but a size above 0");
  machine->wish = what;
  machine->asked = place;
  machine->target = target;
  machine->size = size;
  void *room = machine->small;
  if (size > SMALL) room = machine->large = malloc(size);
  if (!room) eo__misuse(place, function, "there is no memory for the data");
  if (size > 0) memcpy(room, data, size);
  eo__runtime->bar(after[what]);
}

/* Whoever is on the way to a state cannot turn round. */
static void check_moment(const eo_place *place, const char *function, const instance *machine) {
  if (machine->moment == LEAVING) eo__misuse(place, function, "called by an exit function");
  if (machine->moment == PASSING) eo__misuse(place, function, "called by the function of a transition");
}

void eo_raise_(const eo_place *place, void *self, int event, const void *data, size_t size) {
  instance *machine = instance_of(place, "eo_raise", self);
  if (event < 0) eo__misuse(place, "eo_raise", "negative events are the library's own");
  eo__tag_check(place, "eo_raise", event, size);
  check_moment(place, "eo_raise", machine);
  ask(place, "eo_raise", machine, WISH_RAISE, event, data, size);
}

void eo_goto_(const eo_place *place, void *self, int state, const void *data, size_t size) {
  instance *machine = instance_of(place, "eo_goto", self);
  if (!has_state(machine->now.machine, state)) eo__misuse(place, "eo_goto", "the machine has no such state");
  check_moment(place, "eo_goto", machine);
  ask(place, "eo_goto", machine, WISH_GOTO, state, data, size);
}

void eo_halt_(const eo_place *place, void *self) {
  instance *machine = instance_of(place, "eo_halt", self);
  if (machine->observes) eo__misuse(place, "eo_halt", "called by a specification, which stays to the end");
  ask(place, "eo_halt", machine, WISH_HALT, 0, NULL, 0);
}

/* ---- Running ---------------------------------------------------------------------------------------------------- */

static const eo_on *find(const eo_machine_state *state, int event) {
  for (const eo_on *on = state->on; on && on->reaction; on++)
    if (on->event == event) return on;
  return NULL;
}

static void set_state(instance *self, int state) {
  self->now.state = state;
  self->idles = find(&self->now.machine->states[state], EO_NULL) != NULL;
}

static void call(instance *self, moment when, eo_action action, const eo_message *event) {
  if (!action) return;
  self->moment = when;
  action(self + 1, event);
  self->moment = RESTING;
}

static void pass(instance *self, int state, eo_action with, const eo_message *event) {
  call(self, LEAVING, self->now.machine->states[self->now.state].exit, event);
  if (self->wish == WISH_NONE) call(self, PASSING, with, event);
  if (self->wish != WISH_NONE) return; /* it halts */
  set_state(self, state);
  if (self->observes && !self->now.machine->states[state].hot) self->now.cooled = 1;
  call(self, HANDLING, self->now.machine->states[state].entry, event);
}

/* With the event in memory of its own: a function on the way may receive, and the next one must still see the event. */
static void pass_keeping(instance *self, int state, eo_action with, const eo_message *event) {
  if (event->size > MOST_ON_STACK) {
    eo_message copy = *event;
    void *bytes = malloc(event->size);
    if (!bytes) eo__misuse(self->created, "eo_goto", "there is no memory for the data of an event");
    copy.data = memcpy(bytes, event->data, event->size);
    pass(self, state, with, &copy);
    free(bytes);
  } else {
    _Alignas(16) char bytes[event->size];
    eo_message copy = *event;
    copy.data = memcpy(bytes, event->data, event->size);
    pass(self, state, with, &copy);
  }
}

static void enter(instance *self, int state, eo_action with, const eo_message *event) {
  const eo_machine_state *states = self->now.machine->states;
  int functions = (states[self->now.state].exit != NULL) + (with != NULL) + (states[state].entry != NULL);
  if (functions > 1 && event->size > 0)
    pass_keeping(self, state, with, event);
  else
    pass(self, state, with, event);
}

__attribute__((noinline, noreturn)) static void unhandled(const instance *self, int event, bool deferred) {
  char text[400], name[64];
  const eo_machine *machine = self->now.machine;
  snprintf(text, sizeof text, "machine %.100s in state %.100s %s event %s", eo__machine_name(machine),
           eo__state_name(machine, self->now.state),
           deferred ? "defers, and so cannot handle, the raised" : "has no handler for",
           eo__event_name(machine, event, name, sizeof name));
  eo__runtime->fail("unhandled", self->created, text);
}

eo_action eo__machine_handler(const eo_machine *machine, int state, int event) {
  const eo_on *on = find(&machine->states[state], event);
  if (!on || on->reaction == EO_REACT_DO) return on ? on->run : NULL;
  if (on->reaction != EO_REACT_GOTO) return NULL;
  eo_action exit = machine->states[state].exit, entry = machine->states[on->state].entry;
  return exit ? exit : on->run ? on->run : entry;
}

static void react(instance *self, const eo_message *event) {
  const eo_on *on = find(&self->now.machine->states[self->now.state], event->tag);
  if (!on || on->reaction == EO_REACT_DEFER) unhandled(self, event->tag, on != NULL);
  if (on->reaction == EO_REACT_DO) call(self, HANDLING, on->run, event);
  if (on->reaction == EO_REACT_GOTO) enter(self, on->state, on->run, event);
}

/* Does what the last function asked for; `bytes` is a copy of the data, so that the next function can ask for more. */
static void grant(instance *self, wish what, const void *bytes) {
  int target = self->target;
  eo_message event = {.from = self->pid, .tag = what == WISH_GOTO ? EO_WENT : target, .size = self->size};
  if (event.size) event.data = bytes;
  self->target = 0;
  self->size = 0;
  if (what == WISH_GOTO)
    enter(self, target, NULL, &event);
  else
    react(self, &event);
}

static void grant_small(instance *self, wish what) {
  _Alignas(16) char bytes[SMALL];
  memcpy(bytes, self->small, SMALL);
  memset(self->small, 0, SMALL);
  grant(self, what, bytes);
}

static void grant_large(instance *self, wish what) {
  void *large = self->large;
  self->large = NULL;
  if (self->size > MOST_ON_STACK) {
    grant(self, what, large);
    free(large);
  } else { /* so that nothing is left on the heap if the machine exits meanwhile */
    _Alignas(16) char bytes[self->size];
    memcpy(bytes, large, self->size);
    free(large);
    grant(self, what, bytes);
  }
}

/* `run` calls these three, and its own frame holds nothing but what never changes: that lies above the variables, where
 * it does not count as state (eo__actor_meant_end). So they must not become part of it. */
#define OWN_FRAME __attribute__((noinline))

/* Until no function asks for more. */
OWN_FRAME static void settle(instance *self) {
  while (self->wish != WISH_NONE) {
    wish what = self->wish;
    self->wish = WISH_NONE;
    eo__runtime->bar(NULL);
    if (what == WISH_HALT)
      eo__runtime->perform(
          &(eo_op){.kind = EO_OP_EXIT, .flags = EO_OP_HALT, .place = self->asked, .reason = EO_NORMAL});
    self->asked = NULL;
    if (self->large)
      grant_large(self, what);
    else
      grant_small(self, what);
  }
}

/* Where functions that have returned had their frames, `perform` will have its own, with gaps that show what they left. */
OWN_FRAME static void wipe(void) {
  char room[512];
  memset(room, 0, sizeof room);
  __asm__ volatile("" ::"r"(room) : "memory");
}

OWN_FRAME static void dequeue(instance *self, int flags) {
  const eo_machine_state *state = &self->now.machine->states[self->now.state];
  eo_message event = {0};
  wipe();
  eo_op op = {.kind = EO_OP_RECEIVE,
              .flags = flags,
              .place = self->created,
              .message = &event,
              .timeout = self->idles ? 0 : EO_FOREVER,
              .events = state->on};
  eo__runtime->perform(&op);
  if (!op.result) event = (eo_message){.from = self->pid, .tag = EO_NULL};
  react(self, &event);
}

/* Zeroed but for what a machine begins with. */
static void begin(instance *self, const eo_place *place, const eo_machine *machine) {
  memset(self, 0, sizeof *self + machine->size);
  self->magic = INSTANCE;
  self->pid = eo_self();
  self->created = place;
  self->now.machine = machine;
  set_state(self, machine->start);
}

OWN_FRAME static void enter_start(instance *self, const void *bytes, size_t size) {
  eo_message event = {.from = self->pid, .tag = EO_CREATED, .size = size, .data = size ? bytes : NULL};
  call(self, HANDLING, self->now.machine->states[self->now.state].entry, &event);
}

static void run(const eo_place *place, const eo_machine *machine, const void *bytes, size_t size, bool observes) {
  _Alignas(16) char room[sizeof(instance) + machine->size];
  instance *self = (instance *)(void *)room;
  begin(self, place, machine);
  self->observes = observes;
  if (!eo__runtime->machine(&self->now)) eo__misuse(place, "eo_become", "the process is a machine already");
  enter_start(self, bytes, size);
  for (;;) {
    settle(self);
    dequeue(self, observes ? EO_OP_DEQUEUE | EO_OP_OBSERVE : EO_OP_DEQUEUE);
  }
}

static void run_started(void *argument) {
  const start *started = argument;
  run(started->place, started->machine, started->bytes, started->size, false);
}

static void run_specified(void *argument) {
  const start *started = argument;
  run(started->place, started->machine, started->bytes, started->size, true);
}

static void fill_start(start *started, const eo_place *place, const eo_machine *machine, const void *argument,
                       size_t size) {
  memset(started, 0, sizeof *started);
  started->machine = machine;
  started->place = place;
  started->size = size;
  if (size > 0) memcpy(started->bytes, argument, size);
}

const eo_machine *eo__machine_created(eo_function function, const void *bytes) {
  const eo_machine *machine = NULL;
  if (function == run_started) /* the bytes may lie anywhere */
    memcpy(&machine, (const char *)bytes + offsetof(start, machine), sizeof machine);
  return machine;
}

eo_pid eo_create_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size) {
  check_machine(place, "eo_create", machine, argument, size);
  _Alignas(16) char room[sizeof(start) + size];
  fill_start((start *)(void *)room, place, machine, argument, size);
  return eo_spawn_(place, run_started, room, sizeof room);
}

void eo_become_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size) {
  check_machine(place, "eo_become", machine, argument, size);
  run(place, machine, argument, size, false);
  abort();
}

/* ---- Specifications and hints ----------------------------------------------------------------------------------- */

static void check_specification(const eo_place *place, const eo_machine *machine) {
  if (!machine->observes || machine->observe_count <= 0)
    eo__misuse(place, "eo_specify", "the specification observes no events: give it EO_OBSERVES(...)");
  for (int state = 0; state < machine->state_count; state++)
    for (const eo_on *on = machine->states[state].on; on && on->reaction; on++) {
      if (on->reaction == EO_REACT_DEFER) eo__misuse(place, "eo_specify", "a specification cannot defer events");
      if (on->event == EO_NULL) eo__misuse(place, "eo_specify", "a specification has no queue, so no EO_NULL");
    }
}

void eo_specify_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size) {
  if (!eo__runtime) eo__misuse(place, "eo_specify", "called outside a process");
  check_machine(place, "eo_specify", machine, argument, size);
  check_specification(place, machine);
  _Alignas(16) char room[sizeof(start) + size];
  fill_start((start *)(void *)room, place, machine, argument, size);
  eo__runtime->specify(place, machine, run_specified, room, sizeof room);
}

void eo_announce_(const eo_place *place, int event, const void *data, size_t size) {
  if (!eo__runtime) eo__misuse(place, "eo_announce", "called outside a process");
  if (event < 0) eo__misuse(place, "eo_announce", "negative events are the library's own");
  eo__tag_check(place, "eo_announce", event, size);
  if (!data && size > 0) eo__misuse(place, "eo_announce", "no data, but a size above 0");
  eo__runtime->announce(place, event, data, size);
}

size_t eo__observer_size(const eo_machine *machine) { return sizeof(instance) + machine->size; }

void eo__observer_init(void *room, const void *bytes) {
  const start *started = bytes;
  instance *self = room;
  begin(self, started->place, started->machine);
  self->observes = true;
  enter_start(self, started->bytes, started->size);
  settle(self);
}

void eo__observer_see(void *room, const eo_message *event) {
  instance *self = room;
  self->pid = eo_self();
  react(self, event);
  settle(self);
}

void eo_hint_(const eo_place *place, int what, eo_pid pid) {
  if (!eo__runtime) eo__misuse(place, "eo_hint", "called outside a process");
  eo__runtime->hint(place, what, pid);
}
