/* order_of.h: for programs that shell tests compile: the order in which messages come. With SLOW in the environment, a
 * number, an execution takes so many times 4 microseconds longer, and no processor time: it writes to a pipe that is read
 * slowly (`slow_outlet` in tools.bash). Sleeping would be a step, and computing would take the time from other tests. */
#ifndef ORDER_OF_H
#define ORDER_OF_H

#include <everyorder.h>
#include <stdlib.h>
#include <unistd.h>

struct sender {
  eo_pid to;
  int number;
};

static void sender(void *argument) {
  const struct sender *self = argument;
  eo_send(self->to, self->number, NULL, 0);
}

static void take_time(int times) {
  enum { OUTLET = 8, MOST = 4096 };
  static const char nothing[MOST];
  for (int left = times * 16; left > 0; left -= MOST)
    if (write(OUTLET, nothing, (size_t)(left < MOST ? left : MOST)) < 0)
      return; /* the test says that it was too fast */
}

/* Of the messages of `count` senders: 312 for three of them. */
static int order_of(int count) {
  int order = 0;
  eo_message message;
  for (int i = 1; i <= count; i++) {
    const struct sender self = {eo_self(), i};
    eo_spawn(sender, &self, sizeof self);
  }
  for (int i = 0; i < count; i++) {
    eo_receive(&message, EO_FOREVER);
    order = order * 10 + message.tag;
  }
  if (getenv("SLOW")) take_time(atoi(getenv("SLOW")));
  return order;
}

#endif
