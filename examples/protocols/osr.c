/* osr.c: the driver and what is around it put together (osr.h), and its tests: the correct one, and two that lack
 * something. */
#include "osr.h"

const char *osr_event_name(int event) {
  static const char *const names[] = {
      "WORLD",       "D0_ENTRY", "D0_EXIT",  "UP",          "DOWN",        "SURPRISE_REMOVAL", "DETACHED",   "REPORT",
      "READ",        "CHANGED",  "TRANSFER", "TRANSFERRED", "NO_DEVICE",   "START_TIMER",      "STOP_TIMER", "STOPPED",
      "NOT_STOPPED", "FIRED",    "GONE",     "FLUSH",       "TRACE_WRITE", "TRACE_WRITTEN",    "STORED"};
  return event >= EVENTS_OSR && event < OSR_EVENTS ? names[event - EVENTS_OSR] : NULL;
}

static void introduce(eo_pid pid, osr_world *world, uint8_t self) {
  world->self = self;
  eo_send(pid, OSR_WORLD, world, sizeof *world);
}

void osr_start(int bug) {
  osr_world world = {.bug = (uint8_t)bug};
  eo_specify(&osr_shown, NULL, 0);
  eo_specify(&osr_power, NULL, 0);
  world.user = eo_create(&osr_user, NULL, 0);
  world.driver = eo_create(&osr_driver, NULL, 0);
  world.switches = eo_create(&osr_switches, NULL, 0);
  world.led = eo_create(&osr_led, NULL, 0);
  world.timer = eo_create(&osr_timer, NULL, 0);
  for (int i = 0; i < TRACED; i++) world.sessions[i] = eo_create(&osr_session, NULL, 0);

  introduce(world.driver, &world, 0);
  introduce(world.switches, &world, 1);
  introduce(world.led, &world, 2);
  introduce(world.timer, &world, 3);
  introduce(world.user, &world, TRACED); /* begins: the others know each other */
}

PROTOCOL_TEST(osr_correct, osr_start, CORRECT)
PROTOCOL_TEST(osr_1, osr_start, BUG_TIMER_LEFT_RUNNING)
PROTOCOL_TEST(osr_2, osr_start, BUG_NOT_FLUSHED)
