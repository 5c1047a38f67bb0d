/* actors.c: the patterns of ranks.c by eo_send and eo_receive. How many processes, and rounds, is compiled in: SIZE, ROUNDS. */
#include <everyorder.h>

#ifndef SIZE
#define SIZE 2 /* processes; bench/mpi.sh says how many */
#endif
#ifndef ROUNDS
#define ROUNDS 10
#endif

static void give(eo_pid to, int value) { eo_send(to, 0, &value, sizeof value); }

static int take(void) {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  return *(const int *)message.data;
}

/* Sends each number that it gets on, one higher. */
static void relay(void *argument) {
  eo_pid next = *(const eo_pid *)argument;
  for (int i = 0; i < ROUNDS; i++) give(next, take() + 1);
}

static void rounds(eo_pid first) {
  for (int i = 0; i < ROUNDS; i++) {
    give(first, i);
    take();
  }
}

EO_TEST(ping_pong) {
  eo_pid self = eo_self();
  rounds(eo_spawn(relay, &self, sizeof self));
}

EO_TEST(ring) {
  eo_pid next = eo_self();
  for (int i = 1; i < SIZE; i++) next = eo_spawn(relay, &next, sizeof next);
  rounds(next);
}

EO_TEST(master) {
  eo_pid self = eo_self(), workers[SIZE];
  for (int i = 1; i < SIZE; i++) workers[i] = eo_spawn(relay, &self, sizeof self);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 1; i < SIZE; i++) give(workers[i], i);
    for (int i = 1; i < SIZE; i++) take();
  }
}
