/* osr_driver.c: the driver. Names of states follow the paper's figure. */
#include "osr.h"

typedef struct osr_driver_state {
  osr_world world;
  uint8_t loaded;  /* blocks of the firmware */
  uint8_t reading; /* a read is pending at the switch */
  uint8_t stored;  /* last value of the switches */
  uint8_t shown;   /* on the bar graph */
  uint8_t next;    /* value that came while the timer ran */
  uint8_t why;     /* the timer is being stopped: CHANGE, EXIT, REMOVAL */
} osr_driver_state;

enum {
  DX, /* powered down */
  LOADING_FIRMWARE,
  COMING_UP,
  WAITING_FOR_SWITCH,
  UPDATING_BAR_GRAPH,
  UPDATING_TO_UNSTABLE,
  WAITING_FOR_TIMER,
  UPDATING_TO_STABLE,
  STOPPING_TIMER,
  FLUSHING_TIMER,
  GOING_DOWN,
  WITHOUT_DEVICE, /* a transfer found none: the removal will come */
  REMOVED
};

enum { CHANGE = 1, EXIT, REMOVAL };

static void transfer(osr_driver_state *d, uint8_t what, uint8_t value) {
  osr_note note = {what, value};
  eo_send(d->world.led, OSR_TRANSFER, &note, sizeof note);
}

static void load(void *self, const eo_message *event) {
  osr_driver_state *d = self;
  (void)event;
  if (d->loaded == FIRMWARE_BLOCKS)
    eo_goto(self, COMING_UP, NULL, 0);
  else
    transfer(d, OSR_FIRMWARE, d->loaded);
}

static void block_loaded(void *self, const eo_message *event) {
  osr_driver_state *d = self;
  d->loaded++;
  load(self, event);
}

static void read_switches(osr_driver_state *d) {
  d->reading = 1;
  eo_send(d->world.switches, OSR_READ, NULL, 0);
}

static void come_up(void *self, const eo_message *event) {
  osr_driver_state *d = self;
  (void)event;
  eo_send(d->world.user, OSR_UP, NULL, 0);
  if (!d->reading) read_switches(d);
  eo_goto(self, WAITING_FOR_SWITCH, NULL, 0);
}

static void store(void *self, uint8_t value) {
  osr_driver_state *d = self;
  osr_note note = {0, value};
  d->stored = value;
  eo_announce(OSR_STORED, &note, sizeof note);
  read_switches(d);
  eo_send(d->world.user, OSR_REPORT, &note, sizeof note);
  eo_goto(self, d->stored == d->shown ? WAITING_FOR_TIMER : UPDATING_BAR_GRAPH, NULL, 0);
}

static void changed(void *self, const eo_message *event) {
  const osr_note *note = event->data;
  store(self, note->value);
}

static void update_bar_graph(void *self, const eo_message *event) {
  osr_driver_state *d = self;
  (void)event;
  d->shown = d->stored;
  transfer(d, OSR_BAR_GRAPH, d->shown);
}

static void update_to_unstable(void *self, const eo_message *event) {
  (void)event;
  transfer(self, OSR_UNSTABLE, 0);
}

static void update_to_stable(void *self, const eo_message *event) {
  (void)event;
  transfer(self, OSR_STABLE, 0);
}

static void go_down(void *self, const eo_message *event) {
  const osr_driver_state *d = self;
  (void)event;
  eo_send(d->world.user, OSR_DOWN, NULL, 0);
  eo_goto(self, DX, NULL, 0);
}

static void detach(void *self, const eo_message *event) {
  const osr_driver_state *d = self;
  (void)event;
  eo_send(d->world.user, OSR_DETACHED, NULL, 0);
}

/* ---- The timer -------------------------------------------------------------------------------------------------- */

static void start_timer(void *self, const eo_message *event) {
  const osr_driver_state *d = self;
  (void)event;
  eo_send(d->world.timer, OSR_START_TIMER, NULL, 0);
}

static void stop_timer(void *self, const eo_message *event) {
  osr_driver_state *d = self;
  if (event->tag == OSR_CHANGED) {
    const osr_note *note = event->data;
    d->next = note->value;
    d->why = CHANGE;
  } else {
    d->why = event->tag == OSR_D0_EXIT ? EXIT : REMOVAL;
  }
  /* Bug 1: the timer would fire into a driver that has let the device go. */
  if (d->why == REMOVAL && d->world.bug == BUG_TIMER_LEFT_RUNNING) {
    eo_goto(self, REMOVED, NULL, 0);
    return;
  }
  eo_send(d->world.timer, OSR_STOP_TIMER, NULL, 0);
  eo_goto(self, STOPPING_TIMER, NULL, 0);
}

static void stopped(void *self, const eo_message *event) {
  osr_driver_state *d = self;
  uint8_t why = d->why;
  (void)event;
  d->why = 0;
  if (why == EXIT) eo_goto(self, GOING_DOWN, NULL, 0);
  if (why == REMOVAL) eo_goto(self, REMOVED, NULL, 0);
  if (why != CHANGE) return;
  uint8_t value = d->next;
  d->next = 0;
  store(self, value);
}

static void not_stopped(void *self, const eo_message *event) {
  const osr_driver_state *d = self;
  /* Bug 2: it was too late to stop the timer, so it fires yet, whatever the driver does by then. */
  if (d->world.bug == BUG_NOT_FLUSHED)
    stopped(self, event);
  else
    eo_goto(self, FLUSHING_TIMER, NULL, 0);
}

#define BUSY EO_DEFER(OSR_CHANGED), EO_DEFER(OSR_D0_EXIT), EO_DEFER(OSR_SURPRISE_REMOVAL), EO_DO(OSR_WORLD, osr_meet)

const eo_machine osr_driver = {
    .name = "driver",
    EO_VARIABLES(osr_driver_state),
    .start = DX,
    .event_name = osr_event_name,
    EO_STATES([DX] = {.name = "Dx",
                      .on = EO_ON(EO_GOTO(OSR_D0_ENTRY, LOADING_FIRMWARE), EO_GOTO(OSR_SURPRISE_REMOVAL, REMOVED),
                                  EO_DEFER(OSR_CHANGED), EO_DO(OSR_WORLD, osr_meet))},
              [LOADING_FIRMWARE] = {.name = "loading firmware",
                                    .entry = load,
                                    .on = EO_ON(EO_DO(OSR_TRANSFERRED, block_loaded),
                                                EO_GOTO(OSR_NO_DEVICE, WITHOUT_DEVICE), BUSY)},
              [COMING_UP] = {.name = "coming up", .entry = come_up},
              [WAITING_FOR_SWITCH] = {.name = "waiting for switch",
                                      .on = EO_ON(EO_DO(OSR_CHANGED, changed), EO_GOTO(OSR_D0_EXIT, GOING_DOWN),
                                                  EO_GOTO(OSR_SURPRISE_REMOVAL, REMOVED), EO_DO(OSR_WORLD, osr_meet))},
              [UPDATING_BAR_GRAPH] = {.name = "updating bar graph",
                                      .entry = update_bar_graph,
                                      .on = EO_ON(EO_GOTO(OSR_TRANSFERRED, UPDATING_TO_UNSTABLE),
                                                  EO_GOTO(OSR_NO_DEVICE, WITHOUT_DEVICE), BUSY)},
              [UPDATING_TO_UNSTABLE] = {.name = "updating to unstable",
                                        .entry = update_to_unstable,
                                        .on = EO_ON(EO_GOTO(OSR_TRANSFERRED, WAITING_FOR_TIMER),
                                                    EO_GOTO(OSR_NO_DEVICE, WITHOUT_DEVICE), BUSY)},
              [WAITING_FOR_TIMER] = {.name = "waiting for timer",
                                     .entry = start_timer,
                                     .on = EO_ON(EO_GOTO(OSR_FIRED, UPDATING_TO_STABLE), EO_DO(OSR_CHANGED, stop_timer),
                                                 EO_DO(OSR_D0_EXIT, stop_timer),
                                                 EO_DO(OSR_SURPRISE_REMOVAL, stop_timer), EO_DO(OSR_WORLD, osr_meet))},
              [UPDATING_TO_STABLE] = {.name = "updating to stable",
                                      .entry = update_to_stable,
                                      .on = EO_ON(EO_GOTO(OSR_TRANSFERRED, WAITING_FOR_SWITCH),
                                                  EO_GOTO(OSR_NO_DEVICE, WITHOUT_DEVICE), BUSY)},
              [STOPPING_TIMER] = {.name = "stopping timer",
                                  .on = EO_ON(EO_DO(OSR_STOPPED, stopped), EO_DO(OSR_FIRED, stopped),
                                              EO_DO(OSR_NOT_STOPPED, not_stopped), BUSY)},
              [FLUSHING_TIMER] = {.name = "flushing timer", .on = EO_ON(EO_DO(OSR_FIRED, stopped), BUSY)},
              [GOING_DOWN] = {.name = "going down", .entry = go_down},
              [WITHOUT_DEVICE] = {.name = "without device",
                                  .on = EO_ON(EO_GOTO(OSR_SURPRISE_REMOVAL, REMOVED), EO_IGNORE(OSR_CHANGED),
                                              EO_GOTO(OSR_D0_EXIT, GOING_DOWN), EO_DO(OSR_WORLD, osr_meet))},
              [REMOVED] = {.name = "removed",
                           .entry = detach,
                           .on = EO_ON(EO_IGNORE(OSR_CHANGED), EO_DO(OSR_WORLD, osr_meet))})};
