/* cluster_orders.c: compiled by the tests of the cluster: some of the orders in which three messages come are wrong, each
 * in its own way. With SLOW in the environment an execution takes a while without using the processor. */
#include <everyorder.h>
#include <signal.h>
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
  if (getenv("SLOW")) usleep((useconds_t)atoi(getenv("SLOW")));
  return order;
}

EO_TEST(orders) {
  const int order = order_of(3);
  eo_message message;
  eo_assert(order != 321, "the wrong way round");
  eo_assert(order != 213, "the first two swapped");
  if (order == 312) abort();
  if (order == 132) eo_exit(5);
  if (order == 231) eo_receive(&message, EO_FOREVER);
}

EO_TEST(clean) { order_of(3); }
EO_TEST(few) { order_of(2); }

/* Ends the whole process, which is not to be caught. */
EO_TEST(deadly) {
  if (order_of(2) == 21) kill(getpid(), SIGKILL);
}
