/* memory.c: resident size over ten million executions of dfs (flat), and of preempt beside what is pending. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { SENDERS = 5 };

static void sender(void *parent) {
  char *bytes = malloc(100);
  memset(bytes, 1, 100);
  eo_send(*(eo_pid *)parent, 1, bytes, 100);
  free(bytes);
}

static void receiver(void *argument) {
  eo_pid self = eo_self();
  eo_message message;
  (void)argument;
  for (int i = 0; i < SENDERS; i++) eo_spawn(sender, &self, sizeof self);
  for (int i = 0; i < SENDERS; i++) eo_receive(&message, EO_FOREVER);
}

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file) fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static _Thread_local struct { /* thread-local: not among the globals that each execution resets */
  uint64_t executions, every;
} progress;

static void look(void *context) {
  (void)context;
  if (progress.executions++ % progress.every == progress.every / 10)
    printf("  %10" PRIu64 " executions  %7ld KiB\n", progress.executions - 1, resident_kib());
}

static void measure(const char *name, bench_strategy open, uint64_t executions) {
  printf("%s\n", name);
  progress.executions = 0;
  progress.every = executions / 5;
  bench_result result = bench_explore(receiver, NULL, open, executions, true, look);
  printf("  %10" PRIu64 " executions  %7ld KiB  %" PRIu64 " pending  %.0f executions/s\n", result.executions,
         resident_kib(), result.pending, (double)result.executions / result.seconds);
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
  measure("dfs", eo__dfs_open, executions);
  measure("preempt, no bound", eo__preempt_open, executions / 10);
  return 0;
}
