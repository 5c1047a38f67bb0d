/* cluster_orders.c: compiled by the tests of the cluster: some of the orders in which three messages come are wrong, each
 * in its own way. */
#include <signal.h>

#include "order_of.h"

EO_TEST(orders) {
  const int order = order_of(3);
  eo_message message;
  eo_assert(order != 321, "the wrong way round");
  eo_assert(order != 213, "the first two swapped");
  if (order == 312) abort();
  if (order == 132) eo_exit(5);
  if (order == 231) eo_receive(&message, EO_FOREVER);
}

/* The same for strategies that run each order once: seven messages, 5,040 orders. */
EO_TEST(many_orders) {
  const int order = order_of(7);
  eo_message message;
  eo_assert(order / 10000 != 765, "the wrong way round");
  eo_assert(order / 100 != 21435, "in pairs");
  if (order / 1000 == 3412) abort();
  if (order / 1000 == 4231) eo_exit(5);
  if (order / 1000 == 1324) eo_receive(&message, EO_FOREVER);
}

EO_TEST(clean) { order_of(3); }
EO_TEST(few) { order_of(2); }

/* Ends the whole process, which is not to be caught. */
EO_TEST(deadly) {
  if (order_of(2) == 21) kill(getpid(), SIGKILL);
}
