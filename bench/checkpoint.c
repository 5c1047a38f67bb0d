/* checkpoint.c: restoring a checkpoint beside running the shared prefix again, as executions get longer.
 *
 * Two processes pass a ball to and fro; at the end one of 300 values is chosen, so that 300 executions share all but
 * their last steps. */
#include <inttypes.h>

#include "bench.h"

static void player(void *other) {
  eo_message ball;
  for (;;) {
    eo_receive(&ball, EO_FOREVER);
    if (ball.tag == 2) return;
    eo_send(*(eo_pid *)other, 1, &ball.from, sizeof ball.from);
  }
}

static void match(void *steps) {
  eo_pid self = eo_self(), other = eo_spawn(player, &self, sizeof self);
  eo_message ball;
  for (long done = 0; done < *(long *)steps; done += 4) {
    eo_send(other, 1, &done, sizeof done);
    eo_receive(&ball, EO_FOREVER);
  }
  (void)eo_choose(300);
  eo_send(other, 2, NULL, 0);
}

int main(void) {
  static const long lengths[] = {10, 100, 1000, 10000};
  printf("   steps   replaying     restoring      gain    steps run      skipped\n");
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    long steps = lengths[i];
    double best[2] = {1e9, 1e9};
    bench_result result = {0};
    for (int round = 0; round < 3; round++) {
      for (int with = 0; with < 2; with++) {
        result = bench_explore(match, &steps, eo__dfs_open, 600, with, NULL);
        double each = result.seconds * 1e6 / (double)result.executions;
        if (each < best[with]) best[with] = each;
      }
    }
    printf("%8ld %8.2f us   %8.2f us   %6.1f x   %10" PRIu64 "   %10" PRIu64 "\n", steps, best[0], best[1],
           best[0] / best[1], result.counts.transitions, result.counts.skipped);
  }
  printf("(each an execution, CPU time, best of 3)\n");
  return 0;
}
