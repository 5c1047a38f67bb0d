/* osr_device.c: the device as the driver sees it: its switches, its LEDs, and the timer of the system. */
#include "osr.h"

/* ---- The switches ----------------------------------------------------------------------------------------------- */

enum { PRESENT, GONE };

typedef struct osr_switches_state {
  osr_world world;
  uint8_t count; /* of reads */
} osr_switches_state;

enum { MOVES = 16 };

/* A read completes when a switch is moved, or never, if the device is pulled out or nobody moves one any more. Every
 * other time a switch has been moved to and fro. */
static void read_value(void *self, const eo_message *event) {
  osr_switches_state *s = self;
  (void)event;
  if (eo_fault("pulled out")) {
    eo_send(s->world.led, OSR_GONE, NULL, 0);
    eo_send(s->world.user, OSR_GONE, NULL, 0);
    eo_goto(self, GONE, NULL, 0);
    return;
  }
  osr_note note = {0, (uint8_t)(1 + s->count / 2)};
  if (s->count == MOVES) return;
  s->count++;
  eo_send(s->world.driver, OSR_CHANGED, &note, sizeof note);
}

const eo_machine osr_switches = {
    .name = "switches",
    EO_VARIABLES(osr_switches_state),
    .start = PRESENT,
    .event_name = osr_event_name,
    EO_STATES([PRESENT] = {.name = "present",
                           .on =
                               EO_ON(EO_DO(OSR_READ, read_value), EO_GOTO(OSR_GONE, GONE), EO_DO(OSR_WORLD, osr_meet))},
              [GONE] = {.name = "gone",
                        .on = EO_ON(EO_IGNORE(OSR_READ), EO_IGNORE(OSR_GONE), EO_DO(OSR_WORLD, osr_meet))})};

/* ---- The LEDs, and all that is transferred to the device -------------------------------------------------------- */

typedef struct osr_led_state {
  osr_world world;
  uint8_t firmware, bar_graph, stable;
} osr_led_state;

/* It may be pulled out after any transfer. */
static void transferred(void *self, const eo_message *event) {
  osr_led_state *l = self;
  const osr_note *note = event->data;
  if (note->what == OSR_FIRMWARE) l->firmware = (uint8_t)(note->value + 1);
  if (note->what == OSR_BAR_GRAPH) l->bar_graph = note->value;
  if (note->what == OSR_UNSTABLE || note->what == OSR_STABLE) l->stable = note->what == OSR_STABLE;
  bool pulled_out = eo_fault("pulled out");
  if (pulled_out) {
    eo_send(l->world.switches, OSR_GONE, NULL, 0);
    eo_send(l->world.user, OSR_GONE, NULL, 0);
  }
  eo_send(l->world.driver, OSR_TRANSFERRED, NULL, 0);
  if (pulled_out) eo_goto(self, GONE, NULL, 0);
}

static void no_device(void *self, const eo_message *event) {
  const osr_led_state *l = self;
  (void)event;
  eo_send(l->world.driver, OSR_NO_DEVICE, NULL, 0);
}

const eo_machine osr_led = {
    .name = "LED",
    EO_VARIABLES(osr_led_state),
    .start = PRESENT,
    .event_name = osr_event_name,
    EO_STATES([PRESENT] = {.name = "present",
                           .on = EO_ON(EO_DO(OSR_TRANSFER, transferred), EO_GOTO(OSR_GONE, GONE),
                                       EO_DO(OSR_WORLD, osr_meet))},
              [GONE] = {.name = "gone",
                        .on = EO_ON(EO_DO(OSR_TRANSFER, no_device), EO_IGNORE(OSR_GONE), EO_DO(OSR_WORLD, osr_meet))})};

/* ---- The timer -------------------------------------------------------------------------------------------------- */

typedef struct osr_timer_state {
  osr_world world;
} osr_timer_state;

enum { IDLE, STARTED };

static void fire(void *self, const eo_message *event) {
  osr_timer_state *t = self;
  (void)event;
  eo_send(t->world.driver, OSR_FIRED, NULL, 0);
  eo_goto(self, IDLE, NULL, 0);
}

/* Usually in time; if not, it is already on its way. */
static void stop(void *self, const eo_message *event) {
  osr_timer_state *t = self;
  (void)event;
  if (eo_flip()) {
    eo_send(t->world.driver, OSR_NOT_STOPPED, NULL, 0);
    eo_send(t->world.driver, OSR_FIRED, NULL, 0);
  } else {
    eo_send(t->world.driver, OSR_STOPPED, NULL, 0);
  }
  eo_goto(self, IDLE, NULL, 0);
}

const eo_machine osr_timer = {.name = "timer",
                              EO_VARIABLES(osr_timer_state),
                              .start = IDLE,
                              .event_name = osr_event_name,
                              EO_STATES([IDLE] = {.name = "idle",
                                                  .on = EO_ON(EO_GOTO(OSR_START_TIMER, STARTED),
                                                              EO_IGNORE(OSR_STOP_TIMER), EO_DO(OSR_WORLD, osr_meet))},
                                        [STARTED] = {.name = "started",
                                                     .on = EO_ON(EO_DO(EO_NULL, fire), EO_DO(OSR_STOP_TIMER, stop),
                                                                 EO_DO(OSR_WORLD, osr_meet))})};
