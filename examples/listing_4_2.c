/* listing_4_2.c: listing 4.2 of A. Gotovos, "Dynamic Systematic Testing of Concurrent Erlang Programs" (2011).
 *
 * Passes in 3 interleavings; 1, 2 and 3 at preemption bounds 0, 1 and 2. The receive can only follow the send, so what
 * is left to order are the exits: of bar, between foo's receive and foo's exit, before, and after. */
#include <everyorder.h>

enum { BAR };

static void bar(void *argument) {
  (void)argument;
  eo_send_name("foo", BAR, NULL, 0);
}

EO_TEST(listing_4_2) {
  eo_message message;
  eo_register("foo", eo_self());
  eo_spawn(bar, NULL, 0);
  eo_receive_tag(&message, BAR, EO_FOREVER);
}
