/* leaves_open.c: small programs of which something is left open or assumed, for restrictions.sh and cluster_verdicts.sh. */
#include <everyorder.h>
enum { TICK, DONE };

static int both;
EO_SHARED(both);

static void adds(void *argument) {
  (void)argument;
  both++;
}

EO_TEST(shares) {
  eo_spawn(adds, NULL, 0);
  eo_spawn(adds, NULL, 0);
}

static void waits(void *argument) {
  eo_message m;
  (void)argument;
  eo_receive(&m, 10);
}

EO_TEST(waits_a_while) {
  eo_pid waiting = eo_spawn(waits, NULL, 0);
  eo_send(waiting, TICK, NULL, 0);
}

/* It asks again and again, and whoever would answer gets no turn. */
static void asks(void *argument) {
  eo_message m;
  while (!eo_receive(&m, 100)) {}
  eo_send(*(const eo_pid *)argument, DONE, NULL, 0);
}

EO_TEST(asks_for_ever) {
  eo_message m;
  eo_pid self = eo_self(), asking = eo_spawn(asks, &self, sizeof self);
  eo_send(asking, TICK, NULL, 0);
  eo_receive(&m, EO_FOREVER);
}

static void answers(void *argument) {
  eo_message m;
  (void)argument;
  for (;;) {
    eo_receive(&m, EO_FOREVER);
    eo_send(m.from, TICK, NULL, 0);
  }
}

EO_TEST(never_ends) {
  eo_message m;
  eo_pid other = eo_spawn(answers, NULL, 0);
  for (;;) {
    eo_send(other, TICK, NULL, 0);
    eo_receive(&m, EO_FOREVER);
  }
}

/* Fails in half of all executions, but not in the first one. */
EO_TEST(fails_by_choice) { eo_assert(eo_choose(2) == 0, "one"); }

static void sends(void *argument) {
  for (int i = 0; i < 2; i++) eo_send(*(const eo_pid *)argument, i, NULL, 0);
}
EO_TEST(gathers) {
  eo_message m;
  eo_pid self = eo_self();
  eo_spawn(sends, &self, sizeof self);
  eo_spawn(sends, &self, sizeof self);
  for (int i = 0; i < 3; i++) eo_receive(&m, 10);
}
