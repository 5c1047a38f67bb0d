/* senders.c: n processes send one message each to the test.
 *
 * senders_N takes them as they come: of all interleavings, N! can be told apart by what the test receives. in_order_N
 * takes them by tag, in the order of the senders: all interleavings look the same to it. A yardstick for strategies:
 * dfs runs every interleaving, and is at home up to N = 3. All pass. */
#include <everyorder.h>

enum { MAX_SENDERS = 9 };

struct sender {
  eo_pid receiver;
  long number; /* its tag */
};

static void send_one(void *argument) {
  const struct sender *self = argument;
  eo_send(self->receiver, (int)self->number, NULL, 0);
}

static void start(int count) {
  for (int i = 0; i < count; i++) {
    const struct sender sender = {eo_self(), i};
    eo_spawn(send_one, &sender, sizeof(sender));
  }
}

static void senders(int count) {
  bool seen[MAX_SENDERS] = {false};
  start(count);
  for (int i = 0; i < count; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    eo_assert(message.tag < count && !seen[message.tag], "message %d came twice", message.tag);
    seen[message.tag] = true;
  }
}

static void in_order(int count) {
  start(count);
  for (int i = 0; i < count; i++) {
    eo_message message;
    eo_receive_tag(&message, i, EO_FOREVER);
    eo_assert(message.tag == i, "expected message %d, got %d", i, message.tag);
  }
}

EO_TEST(senders_2) { senders(2); }
EO_TEST(senders_3) { senders(3); }
EO_TEST(senders_4) { senders(4); }
EO_TEST(senders_5) { senders(5); }
EO_TEST(senders_6) { senders(6); }
EO_TEST(senders_7) { senders(7); }
EO_TEST(senders_8) { senders(8); }
EO_TEST(senders_9) { senders(9); }

EO_TEST(in_order_2) { in_order(2); }
EO_TEST(in_order_3) { in_order(3); }
EO_TEST(in_order_4) { in_order(4); }
EO_TEST(in_order_5) { in_order(5); }
EO_TEST(in_order_6) { in_order(6); }
EO_TEST(in_order_7) { in_order(7); }
EO_TEST(in_order_8) { in_order(8); }
EO_TEST(in_order_9) { in_order(9); }
