/* hostile_act.h: HOSTILE(name) { ... } is a test in which one of two processes does that, after it has received a message.
 * What hostile.sh expects of each is in hostile.tsv. */
#ifndef HOSTILE_ACT_H
#define HOSTILE_ACT_H

#include <everyorder.h>
#include <string.h>

typedef void hostile_act(void);

static void hostile_process(void *argument) {
  hostile_act *act;
  eo_message message;
  memcpy(&act, argument, sizeof act);
  eo_receive(&message, EO_FOREVER);
  act();
  eo_send(message.from, 2, NULL, 0);
}

static inline void hostile_drive(hostile_act *act) {
  eo_message message;
  const eo_pid child = eo_spawn(hostile_process, &act, sizeof act);
  eo_send(child, 1, NULL, 0);
  (void)eo_flip();
  eo_receive_tag(&message, 2, EO_FOREVER);
}

#define HOSTILE(name)                          \
  static void name##_act(void);                \
  EO_TEST(name) { hostile_drive(name##_act); } \
  static void name##_act(void)

#endif
