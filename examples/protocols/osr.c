/* osr.c: the driver and what is around it put together (osr.h), and its tests: the correct one, and two that lack
 * something. */
#include "osr.h"

const char *osr_event_name(int event) {
  static const char *const names[] = {
      "WORLD",       "D0_ENTRY", "D0_EXIT",  "UP",          "DOWN",      "SURPRISE_REMOVAL", "DETACHED",   "REPORT",
      "READ",        "CHANGED",  "TRANSFER", "TRANSFERRED", "NO_DEVICE", "START_TIMER",      "STOP_TIMER", "STOPPED",
      "NOT_STOPPED", "FIRED",    "GONE",     "STORED"};
  return event >= EVENTS_OSR && event < OSR_EVENTS ? names[event - EVENTS_OSR] : NULL;
}

void osr_meet(void *self, const eo_message *event) { *(osr_world *)self = *(const osr_world *)event->data; }

void osr_start(int bug) {
  osr_world world = {.bug = (uint8_t)bug};
  eo_specify(&osr_shown, NULL, 0);
  eo_specify(&osr_power, NULL, 0);
  world.user = eo_create(&osr_user, NULL, 0);
  world.driver = eo_create(&osr_driver, NULL, 0);
  world.switches = eo_create(&osr_switches, NULL, 0);
  world.led = eo_create(&osr_led, NULL, 0);
  world.timer = eo_create(&osr_timer, NULL, 0);

  eo_pid all[] = {world.driver, world.switches, world.led, world.timer, world.user}; /* the last one begins */
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) eo_send(all[i], OSR_WORLD, &world, sizeof world);
}

PROTOCOL_TEST(osr_correct, osr_start, CORRECT)
PROTOCOL_TEST(osr_1, osr_start, BUG_TIMER_LEFT_RUNNING)
PROTOCOL_TEST(osr_2, osr_start, BUG_NOT_FLUSHED)
