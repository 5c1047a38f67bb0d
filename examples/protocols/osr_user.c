/* osr_user.c: the power and plug-and-play manager, which is the driver's user. */
#include "osr.h"

typedef struct osr_user_state {
  osr_world world;
  uint8_t cycle, reports; /* power cycles, and reports in this one */
} osr_user_state;

enum { STARTING, POWERING_UP, UP, POWERING_DOWN, OVER, REMOVING, DETACHED };

static void power_up(void *self, const eo_message *event) {
  osr_user_state *u = self;
  (void)event;
  u->cycle++;
  u->reports = 0;
  eo_send(u->world.driver, OSR_D0_ENTRY, NULL, 0);
}

static void power_down(void *self, const eo_message *event) {
  const osr_user_state *u = self;
  (void)event;
  eo_send(u->world.driver, OSR_D0_EXIT, NULL, 0);
}

static void reported(void *self, const eo_message *event) {
  osr_user_state *u = self;
  (void)event;
  if (++u->reports == REPORTS_A_CYCLE) eo_goto(self, POWERING_DOWN, NULL, 0);
}

static void went_down(void *self, const eo_message *event) {
  const osr_user_state *u = self;
  (void)event;
  eo_goto(self, u->cycle < POWER_CYCLES ? POWERING_UP : OVER, NULL, 0);
}

static void remove_device(void *self, const eo_message *event) {
  const osr_user_state *u = self;
  (void)event;
  eo_send(u->world.driver, OSR_SURPRISE_REMOVAL, NULL, 0);
}

const eo_machine osr_user = {
    .name = "user",
    EO_VARIABLES(osr_user_state),
    .start = STARTING,
    .event_name = osr_event_name,
    EO_STATES([STARTING] = {.name = "starting", .on = EO_ON(EO_GOTO_WITH(OSR_WORLD, POWERING_UP, osr_meet))},
              [POWERING_UP] = {.name = "powering up",
                               .entry = power_up,
                               .on = EO_ON(EO_GOTO(OSR_UP, UP), EO_GOTO(OSR_GONE, REMOVING), EO_DEFER(OSR_REPORT))},
              [UP] = {.name = "up", .on = EO_ON(EO_DO(OSR_REPORT, reported), EO_GOTO(OSR_GONE, REMOVING))},
              [POWERING_DOWN] = {.name = "powering down",
                                 .entry = power_down,
                                 .on = EO_ON(EO_DO(OSR_DOWN, went_down), EO_GOTO(OSR_GONE, REMOVING),
                                             EO_IGNORE(OSR_REPORT))},
              [OVER] = {.name = "over", .on = EO_ON(EO_GOTO(OSR_GONE, REMOVING), EO_IGNORE(OSR_REPORT))},
              [REMOVING] = {.name = "removing",
                            .entry = remove_device,
                            .on = EO_ON(EO_GOTO(OSR_DETACHED, DETACHED), EO_IGNORE(OSR_REPORT), EO_IGNORE(OSR_UP),
                                        EO_IGNORE(OSR_DOWN), EO_IGNORE(OSR_GONE))},
              [DETACHED] = {.name = "detached", .on = EO_ON(EO_IGNORE(OSR_GONE))})};
