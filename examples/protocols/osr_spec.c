/* osr_spec.c: what the driver promises. */
#include "osr.h"

/* ---- What is shown: the LED says "stable" only while the bar graph shows the last value of the switches --------- */

typedef struct osr_shown_state {
  uint8_t stored, bar_graph, unstable;
} osr_shown_state;

static void note_stored(void *self, const eo_message *event) {
  osr_shown_state *s = self;
  s->stored = ((const osr_note *)event->data)->value;
}

static void note_transfer(void *self, const eo_message *event) {
  osr_shown_state *s = self;
  const osr_note *note = event->data;
  if (note->what == OSR_BAR_GRAPH) s->bar_graph = note->value;
  if (note->what == OSR_UNSTABLE) s->unstable = 1;
  if (note->what != OSR_STABLE) return;
  eo_assert(s->bar_graph == s->stored, "the LED says stable while the bar graph shows %d and the switches are at %d",
            s->bar_graph, s->stored);
  s->unstable = 0;
}

const eo_machine osr_shown = {
    .name = "shown",
    EO_VARIABLES(osr_shown_state),
    .event_name = osr_event_name,
    EO_OBSERVES(OSR_STORED, OSR_TRANSFER),
    EO_STATES({.name = "watching", .on = EO_ON(EO_DO(OSR_STORED, note_stored), EO_DO(OSR_TRANSFER, note_transfer))})};

/* ---- Power: what the user asks for happens, and a device that is down or gone is left alone --------------------- */

enum { DOWN, RISING, UP, FALLING, REMOVING, GONE };

typedef struct osr_power_state {
  uint8_t unused;
} osr_power_state;

static void check_idle(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_assert(false, "a transfer to a device that is powered down or gone");
}

#define REMOVABLE EO_GOTO(OSR_SURPRISE_REMOVAL, REMOVING)

const eo_machine osr_power = {
    .name = "power",
    EO_VARIABLES(osr_power_state),
    .start = DOWN,
    .event_name = osr_event_name,
    EO_OBSERVES(OSR_D0_ENTRY, OSR_D0_EXIT, OSR_UP, OSR_DOWN, OSR_SURPRISE_REMOVAL, OSR_DETACHED, OSR_TRANSFER),
    EO_STATES([DOWN] = {.name = "down",
                        .on = EO_ON(EO_GOTO(OSR_D0_ENTRY, RISING), EO_DO(OSR_TRANSFER, check_idle), REMOVABLE)},
              [RISING] = {.name = "rising",
                          .hot = true,
                          .on = EO_ON(EO_GOTO(OSR_UP, UP), EO_IGNORE(OSR_TRANSFER), REMOVABLE)},
              [UP] = {.name = "up", .on = EO_ON(EO_GOTO(OSR_D0_EXIT, FALLING), EO_IGNORE(OSR_TRANSFER), REMOVABLE)},
              [FALLING] = {.name = "falling",
                           .hot = true,
                           .on = EO_ON(EO_GOTO(OSR_DOWN, DOWN), EO_IGNORE(OSR_TRANSFER), REMOVABLE)},
              [REMOVING] = {.name = "removing",
                            .hot = true,
                            .on = EO_ON(EO_GOTO(OSR_DETACHED, GONE), EO_IGNORE(OSR_UP), EO_IGNORE(OSR_DOWN),
                                        EO_IGNORE(OSR_TRANSFER))},
              [GONE] = {.name = "gone", .on = EO_ON(EO_DO(OSR_TRANSFER, check_idle))})};
