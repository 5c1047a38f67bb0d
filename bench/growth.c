/* growth.c: programs whose executions get long, or have many processes, by the variable SIZE in the environment. For
 * bench/growth.sh, which looks how time and memory per step grow with it. */
#include <everyorder.h>
#include <stdlib.h>

enum { ITEM, STOP, MOST = 256 };

static int size(void) {
  const char *text = getenv("SIZE");
  return text ? atoi(text) : 10;
}

/* Hands items on, each one larger by one; the last stage has no next. */
static void stage(void *argument) {
  eo_pid next = *(const eo_pid *)argument;
  eo_message m;
  for (;;) {
    eo_receive(&m, EO_FOREVER);
    if (m.tag == STOP) break;
    int value = *(const int *)m.data + 1;
    if (next) eo_send(next, ITEM, &value, sizeof value);
  }
  if (next) eo_send(next, STOP, NULL, 0);
}

/* SIZE items through four stages: one trace. */
EO_TEST(pipeline) {
  eo_pid next = 0;
  for (int i = 0; i < 4; i++) next = eo_spawn(stage, &next, sizeof next);
  for (int i = 0; i < size(); i++) eo_send(next, ITEM, &i, sizeof i);
  eo_send(next, STOP, NULL, 0);
}

static void answer(void *argument) {
  eo_message m;
  while (eo_receive(&m, EO_FOREVER) && m.tag != STOP) eo_send(*(const eo_pid *)argument, ITEM, NULL, 0);
}

/* SIZE steps of two processes that wait for each other in turn. */
EO_TEST(ping_pong) {
  eo_pid self = eo_self(), other = eo_spawn(answer, &self, sizeof self);
  eo_message m;
  for (int i = 0; i < size() / 4; i++) {
    eo_send(other, ITEM, NULL, 0);
    eo_receive(&m, EO_FOREVER);
  }
  eo_send(other, STOP, NULL, 0);
}

static void race(void *argument) { eo_send(*(const eo_pid *)argument, ITEM, NULL, 0); }

/* Two messages that race, after SIZE steps that everybody has in common. */
EO_TEST(prefix) {
  eo_pid self = eo_self();
  eo_message m;
  for (int i = 0; i < size(); i++) eo_sleep(1);
  for (int i = 0; i < 2; i++) eo_spawn(race, &self, sizeof self);
  for (int i = 0; i < 2; i++) eo_receive(&m, EO_FOREVER);
}

/* SIZE processes, each told to stop. */
EO_TEST(processes) {
  eo_pid all[MOST], none = 0;
  int count = size() < MOST ? size() : MOST;
  for (int i = 0; i < count; i++) all[i] = eo_spawn(stage, &none, sizeof none);
  for (int i = 0; i < count; i++) eo_send(all[i], STOP, NULL, 0);
}
