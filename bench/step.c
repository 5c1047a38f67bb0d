/* step.c: what a step costs in the engine, beside a bare loop that does the same fiber switches and nothing else.
 *
 * The program: n senders send one message each to the process that spawned them, which receives n times: 4n + 1 steps an
 * execution, with n = 9. The bare loop starts the same fibers on the same stacks and switches to them as often, in a
 * fixed order, with a function call at each operation as the program has it. Two bare loops: one with the inline switch
 * that the engine uses, one with a switch that is called and returns, as most libraries have it. */
#include <everyorder.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench.h"
#include "fiber/fiber.h"

enum { SENDERS = 9, STEPS = 4 * SENDERS + 1, STACK = 64 << 10, ROUNDS = 5 };

/* ---- Bare ------------------------------------------------------------------------------------------------------- */

static eo_fiber engine, fibers[SENDERS + 1];
static char *stacks;
static int running;

__attribute__((noinline)) static void inline_operation(void) { eo_fiber_switch(&fibers[running], &engine); }

static void inline_fiber(void *operations) {
  for (;;)
    for (int i = 0; i < *(int *)operations; i++) inline_operation();
}

__attribute__((noinline)) static void called_switch(eo_fiber *from, const eo_fiber *to) {
  eo_fiber_switch(from, to);
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void called_operation(void) { called_switch(&fibers[running], &engine); }

static void called_fiber(void *operations) {
  for (;;)
    for (int i = 0; i < *(int *)operations; i++) called_operation();
}

static void start(int number, void (*entry)(void *), int *operations) {
  eo__fiber_init(&fibers[number], stacks + (size_t)(number + 1) * STACK, entry, operations);
}

/* The receiver spawns all, then each sender sends and ends, then the receiver receives all and ends. */
static double bare(void (*entry)(void *), bool called, int executions) {
  static int many = 1000;
  double began = bench_cpu();
  for (int e = 0; e < executions; e++) {
    start(0, entry, &many);
    for (int step = 0; step < STEPS; step++) {
      int sender = step < SENDERS ? 0 : step < 3 * SENDERS ? 1 + (step - SENDERS) / 2 : 0;
      if (step < SENDERS) start(step + 1, entry, &many);
      running = sender;
      if (called)
        called_switch(&engine, &fibers[sender]);
      else
        eo_fiber_switch(&engine, &fibers[sender]);
    }
  }
  return (bench_cpu() - began) * 1e9 / ((double)executions * STEPS);
}

/* ---- In the engine ---------------------------------------------------------------------------------------------- */

static void sender(void *parent) { eo_send(*(eo_pid *)parent, 1, NULL, 0); }

static void receiver(void *argument) {
  eo_pid self = eo_self();
  eo_message message;
  (void)argument;
  for (int i = 0; i < SENDERS; i++) eo_spawn(sender, &self, sizeof self);
  for (int i = 0; i < SENDERS; i++) eo_receive(&message, EO_FOREVER);
}

static double explored(uint64_t executions, bool checkpoints, double *rate) {
  bench_result result = bench_explore(receiver, NULL, eo__dfs_open, executions, checkpoints, NULL);
  *rate = (double)result.executions / result.seconds;
  return result.seconds * 1e9 / (double)(result.counts.transitions + result.counts.skipped);
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
  stacks = mmap(NULL, (SENDERS + 1) * (size_t)STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stacks == MAP_FAILED) return 2;
  double best[4] = {1e9, 1e9, 1e9, 1e9}, rate = 0, rates[2] = {0, 0};
  for (int round = 0; round < ROUNDS; round++) { /* in turns, as the machine may change its mind */
    double now[4] = {bare(inline_fiber, false, (int)executions), bare(called_fiber, true, (int)executions),
                     explored(executions, false, &rate), 0};
    if (rate > rates[0]) rates[0] = rate;
    now[3] = explored(executions, true, &rate);
    if (rate > rates[1]) rates[1] = rate;
    for (int i = 0; i < 4; i++)
      if (now[i] < best[i]) best[i] = now[i];
  }
  printf("%d steps an execution, %" PRIu64 " executions, best of %d, CPU time\n", STEPS, executions, ROUNDS);
  printf("  bare loop, inline switch   %6.1f ns a step\n", best[0]);
  printf("  bare loop, called switch   %6.1f ns a step\n", best[1]);
  printf("  engine, dfs, replaying     %6.1f ns a step   %4.1f x inline   %4.1f x called   %9.0f executions/s\n",
         best[2], best[2] / best[0], best[2] / best[1], rates[0]);
  printf("  engine, dfs, checkpoints   %6.1f ns a step   %4.1f x inline   %4.1f x called   %9.0f executions/s\n",
         best[3], best[3] / best[0], best[3] / best[1], rates[1]);
  return 0;
}
