/* ping_pong.c: two processes play a number back and forth, adding one at each stroke. All tests pass.
 *
 * One round is 4 steps, and each waits for the one before: however long the game, only the exits at its end can happen
 * in more than one order. So executions are few and as deep as one likes. */
#include <everyorder.h>

enum { BALL, STOP };

static void stroke(eo_pid to, int ball) { eo_send(to, BALL, &ball, sizeof(ball)); }

static void player(void *argument) {
  (void)argument;
  for (;;) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    if (message.tag == STOP) return;
    stroke(message.from, *(const int *)message.data + 1);
  }
}

static void play(int rounds) {
  const eo_pid other = eo_spawn(player, NULL, 0);
  int ball = 0;
  for (int i = 0; i < rounds; i++) {
    eo_message message;
    stroke(other, ball + 1);
    eo_receive_tag(&message, BALL, EO_FOREVER);
    ball = *(const int *)message.data;
  }
  eo_assert(ball == 2 * rounds, "expected %d strokes, got %d", 2 * rounds, ball);
  eo_send(other, STOP, NULL, 0);
}

EO_TEST(rounds_1) { play(1); }
EO_TEST(rounds_10) { play(10); }
EO_TEST(rounds_100) { play(100); }
EO_TEST(rounds_1000) { play(1000); }
