/* door.c: a machine: a door that is pushed open and shut, and somebody who knocks. */
#include <everyorder.h>

enum { PUSH, SHUT, KNOCK, ANSWER };

static const char *event_name(int event) {
  static const char *const names[] = {"PUSH", "SHUT", "KNOCK", "ANSWER"};
  return event >= 0 && event < 4 ? names[event] : NULL;
}

typedef struct door {
  int opened;
} door;

enum { CLOSED, OPEN };

static void count(void *self, const eo_message *event) {
  door *vars = self;
  (void)event;
  vars->opened++;
}

static void answer(void *self, const eo_message *event) {
  const door *vars = self;
  eo_send(event->from, ANSWER, &vars->opened, sizeof vars->opened);
}

static const eo_machine door_machine = {
    .name = "door",
    EO_VARIABLES(door),
    .start = CLOSED,
    .event_name = event_name,
    EO_STATES([CLOSED] = {.name = "closed", .on = EO_ON(EO_GOTO(PUSH, OPEN), EO_DO(KNOCK, answer), EO_DEFER(SHUT))},
              [OPEN] = {.name = "open", .entry = count, .on = EO_ON(EO_GOTO(SHUT, CLOSED), EO_DEFER(KNOCK))})};

/* Whoever built this one forgot that people knock at open doors too. */
static const eo_machine old_door = {
    .name = "old door",
    EO_VARIABLES(door),
    .start = CLOSED,
    .event_name = event_name,
    EO_STATES([CLOSED] = {.name = "closed", .on = EO_ON(EO_GOTO(PUSH, OPEN), EO_DO(KNOCK, answer), EO_DEFER(SHUT))},
              [OPEN] = {.name = "open", .entry = count, .on = EO_ON(EO_GOTO(SHUT, CLOSED))})};

static void push(void *argument) { eo_send(*(eo_pid *)argument, PUSH, NULL, 0); }

static void shut(void *argument) { eo_send(*(eo_pid *)argument, SHUT, NULL, 0); }

static void knock(const eo_machine *machine) {
  eo_pid pid = eo_create(machine, NULL, 0);
  eo_spawn(push, &pid, sizeof pid);
  eo_spawn(shut, &pid, sizeof pid);
  eo_send(pid, KNOCK, NULL, 0);
  eo_message message;
  eo_receive_tag(&message, ANSWER, EO_FOREVER);
  int opened = *(const int *)message.data;
  eo_assert(opened == 0 || opened == 1, "opened %d times", opened);
}

EO_TEST(knock_while_others_push) { knock(&door_machine); }

EO_TEST(knock_at_an_old_door) { knock(&old_door); }
