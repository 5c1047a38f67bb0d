/* machine.c: machines (everyorder.h), over the operations that every process has, so that they run under every runtime.
 *
 * A machine is a process whose function is `run`. It dequeues by a receive of all tags but those that the state defers
 * (EO_OP_DEQUEUE), looks the event up in the table of its state and calls what stands there; raised events and
 * transitions that a function asks for are noted in the instance, which lies just before the variables, and done when
 * the function has returned. (P: Safe Asynchronous Event-Driven Programming, PLDI 2013, section 3.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/machine.h"
#include "core/program.h"

#define INSTANCE 0x65766d616368696eu /* tells an instance from other memory */

typedef enum wish { WISH_NONE, WISH_RAISE, WISH_GOTO, WISH_HALT } wish;

/* A machine in this process. The variables follow. */
typedef struct instance {
  uint64_t magic;
  const eo_machine *machine;
  int state;
  wish wish; /* of the function that runs */
  bool leaving;
  int target;       /* state or event */
  size_t data_size; /* of what was raised, or goes to the entry function */
  void *data;       /* on the heap; NULL: none */
  _Alignas(16) char variables[];
} instance;

/* What a spawned machine is given. */
typedef struct start {
  const eo_machine *machine;
  size_t size;
  _Alignas(16) char bytes[];
} start;

static const char *event_text(const eo_machine *machine, int event, char *room, size_t size) {
  const char *name = machine->event_name ? machine->event_name(event) : NULL;
  if (event == EO_EXIT) name = "EO_EXIT";
  if (event == EO_DOWN) name = "EO_DOWN";
  if (name)
    snprintf(room, size, "%s", name);
  else
    snprintf(room, size, "%d", event);
  return room;
}

static const char *state_name(const eo_machine *machine, int state) {
  const char *name = machine->states[state].name;
  return name ? name : "?";
}

static void check_machine(const eo_place *place, const char *function, const eo_machine *machine, const void *argument,
                          size_t size) {
  if (!machine) eo__misuse(place, function, "the machine is NULL");
  if (!machine->states || machine->state_count <= 0) eo__misuse(place, function, "the machine has no states");
  if (machine->start < 0 || machine->start >= machine->state_count)
    eo__misuse(place, function, "the machine has no such start state");
  if (!argument && size > 0) eo__misuse(place, function, "no argument, but a size above 0");
}

/* ---- What functions of a machine ask for ------------------------------------------------------------------------ */

static instance *instance_of(const eo_place *place, const char *function, void *self) {
  if (!eo__runtime) eo__misuse(place, function, "called outside a machine");
  if (!self) eo__misuse(place, function, "self is NULL");
  instance *machine = (instance *)((char *)self - offsetof(instance, variables));
  if (machine->magic != INSTANCE) eo__misuse(place, function, "self is not what the function was given");
  return machine;
}

static void ask(const eo_place *place, const char *function, void *self, wish what, int target, const void *data,
                size_t size) {
  instance *machine = instance_of(place, function, self);
  if (machine->wish != WISH_NONE)
    eo__misuse(place, function, "the function has already raised an event, gone to a state or halted");
  if (!data && size > 0) eo__misuse(place, function, "no data, but a size above 0");
  machine->wish = what;
  machine->target = target;
  machine->data_size = size;
  machine->data = NULL;
  if (size > 0) {
    machine->data = malloc(size);
    if (!machine->data) eo__misuse(place, function, "there is no memory for the data");
    memcpy(machine->data, data, size);
  }
}

void eo_raise_(const eo_place *place, void *self, int event, const void *data, size_t size) {
  if (event < 0) eo__misuse(place, "eo_raise", "negative events are the library's own");
  ask(place, "eo_raise", self, WISH_RAISE, event, data, size);
}

void eo_goto_(const eo_place *place, void *self, int state, const void *data, size_t size) {
  const instance *machine = instance_of(place, "eo_goto", self);
  if (state < 0 || state >= machine->machine->state_count)
    eo__misuse(place, "eo_goto", "the machine has no such state");
  if (machine->leaving) eo__misuse(place, "eo_goto", "called by an exit function");
  ask(place, "eo_goto", self, WISH_GOTO, state, data, size);
}

void eo_halt_(const eo_place *place, void *self) { ask(place, "eo_halt", self, WISH_HALT, 0, NULL, 0); }

/* ---- Running ---------------------------------------------------------------------------------------------------- */

/* Where dequeuing stands in reports, as no line of the program does it. */
static const eo_place dequeue_place = {"", "dequeue", 0};

static const eo_on *find(const eo_machine_state *state, int event) {
  for (const eo_on *on = state->on; on && on->reaction; on++)
    if (on->event == event) return on;
  return NULL;
}

static void call(instance *self, eo_action action, const eo_message *event) {
  if (action) action(self->variables, event);
}

static void enter(instance *self, int state, eo_action with, const eo_message *event) {
  self->leaving = true;
  call(self, self->machine->states[self->state].exit, event);
  self->leaving = false;
  if (self->wish != WISH_NONE) return;
  call(self, with, event);
  if (self->wish != WISH_NONE) return;
  self->state = state;
  call(self, self->machine->states[state].entry, event);
}

static void react(instance *self, const eo_message *event) {
  const eo_on *on = find(&self->machine->states[self->state], event->tag);
  if (!on || on->reaction == EO_REACT_DEFER) { /* a raised event cannot be deferred */
    char text[400], name[64];
    snprintf(text, sizeof text, "machine %.100s in state %.100s has no handler for event %s",
             self->machine->name ? self->machine->name : "?", state_name(self->machine, self->state),
             event_text(self->machine, event->tag, name, sizeof name));
    eo__runtime->fail("unhandled", &dequeue_place, text);
  }
  if (on->reaction == EO_REACT_DO) call(self, on->run, event);
  if (on->reaction == EO_REACT_GOTO) enter(self, on->state, on->run, event);
}

/* Does what functions asked for, until none asks for more. */
static void settle(instance *self) {
  while (self->wish != WISH_NONE) {
    wish what = self->wish;
    self->wish = WISH_NONE;
    if (what == WISH_HALT) eo_exit_(&dequeue_place, EO_NORMAL);
    void *data = self->data;
    eo_message event = {
        .from = eo_self(), .tag = what == WISH_GOTO ? EO_WENT : self->target, .size = self->data_size, .data = data};
    self->data = NULL;
    if (what == WISH_GOTO)
      enter(self, self->target, NULL, &event);
    else
      react(self, &event);
    free(data);
  }
}

static void dequeue(instance *self) {
  const eo_machine_state *state = &self->machine->states[self->state];
  int deferred[64];
  size_t count = 0;
  for (const eo_on *on = state->on; on && on->reaction; on++)
    if (on->reaction == EO_REACT_DEFER && count < sizeof deferred / sizeof *deferred) deferred[count++] = on->event;
  eo_message event;
  eo_op op = {.kind = EO_OP_RECEIVE,
              .flags = EO_OP_DEQUEUE,
              .place = &dequeue_place,
              .message = &event,
              .timeout = find(state, EO_NULL) ? 0 : EO_FOREVER,
              .tags = deferred,
              .tag_count = count};
  eo__runtime->perform(&op);
  if (!op.result) event = (eo_message){.from = eo_self(), .tag = EO_NULL};
  react(self, &event);
}

static void run(const eo_machine *machine, const void *bytes, size_t size) {
  char room[sizeof(instance) + machine->size] __attribute__((aligned(16)));
  instance *self = (instance *)room;
  memset(room, 0, sizeof room);
  self->magic = INSTANCE;
  self->machine = machine;
  self->state = machine->start;
  eo_message event = {.from = eo_self(), .tag = EO_CREATED, .size = size, .data = bytes};
  call(self, machine->states[machine->start].entry, &event);
  for (;;) {
    settle(self);
    dequeue(self);
  }
}

static void run_started(void *argument) {
  const start *started = argument;
  run(started->machine, started->size ? started->bytes : NULL, started->size);
}

eo_pid eo_create_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size) {
  check_machine(place, "eo_create", machine, argument, size);
  char room[sizeof(start) + size] __attribute__((aligned(16)));
  start *started = (start *)room;
  started->machine = machine;
  started->size = size;
  if (size > 0) memcpy(started->bytes, argument, size);
  return eo_spawn_(place, run_started, room, sizeof room);
}

void eo_become_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size) {
  check_machine(place, "eo_become", machine, argument, size);
  run(machine, argument, size);
  abort();
}

/* ---- Specifications and hints ----------------------------------------------------------------------------------- */

void eo_specify_(const eo_place *place, const eo_machine *machine, const void *argument, size_t size) {
  check_machine(place, "eo_specify", machine, argument, size);
}

void eo_announce_(const eo_place *place, int event, const void *data, size_t size) {
  (void)size, (void)data;
  if (event < 0) eo__misuse(place, "eo_announce", "negative events are the library's own");
}

void eo_hint_(const eo_place *place, int what, eo_pid pid) { (void)place, (void)what, (void)pid; }
