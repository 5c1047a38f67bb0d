/* philosophers.c: the dining philosophers. Forks are processes too: a fork answers one philosopher that wants it, and
 * then listens to nobody until it is put down. Each philosopher eats once, so that each fork is used twice.
 *
 * If all take the left fork first, each may hold one and wait for ever for the other. If one of them takes the right
 * fork first, somebody always can eat. */
#include <everyorder.h>

enum { TAKE, TAKEN, PUT_DOWN };

enum { MAX_SEATS = 5 };

static void fork_process(void *argument) {
  (void)argument;
  for (int uses = 0; uses < 2; uses++) {
    eo_message message;
    eo_receive_tag(&message, TAKE, EO_FOREVER);
    eo_send(message.from, TAKEN, NULL, 0);
    eo_receive_tag(&message, PUT_DOWN, EO_FOREVER);
  }
}

struct philosopher {
  eo_pid first, second; /* forks, in the order in which it takes them */
};

static void take(eo_pid fork) {
  eo_message message;
  eo_send(fork, TAKE, NULL, 0);
  eo_receive_tag(&message, TAKEN, EO_FOREVER);
}

static void philosopher(void *argument) {
  const struct philosopher *self = argument;
  take(self->first);
  take(self->second);
  eo_send(self->first, PUT_DOWN, NULL, 0);
  eo_send(self->second, PUT_DOWN, NULL, 0);
}

static void dine(int seats, bool one_is_left_handed) {
  eo_pid forks[MAX_SEATS];
  for (int i = 0; i < seats; i++) forks[i] = eo_spawn(fork_process, NULL, 0);
  for (int i = 0; i < seats; i++) {
    const eo_pid left = forks[i], right = forks[(i + 1) % seats];
    const bool swap = one_is_left_handed && i == seats - 1;
    const struct philosopher seat = {swap ? right : left, swap ? left : right};
    eo_spawn(philosopher, &seat, sizeof(seat));
  }
}

/* Fail: deadlock. */
EO_TEST(all_alike_2) { dine(2, false); }
EO_TEST(all_alike_3) { dine(3, false); }

/* Pass. */
EO_TEST(one_left_handed_2) { dine(2, true); }
EO_TEST(one_left_handed_3) { dine(3, true); }
