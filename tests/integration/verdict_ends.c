/* verdict_ends.c: tests that pass, fail, go on for long and keep failing, for verdict_ends.sh. With EO_ENDS_DIE=first workers
 * die as they start until a test has ended: the first test is then an error. With EO_ENDS_DIE=later they die once a ticket
 * was written: tests after the first failing one are errors. */
#define _GNU_SOURCE
#include <everyorder.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_ended(void) { /* a test, by the live log */
  char lines[4096] = "";
  FILE *log = fopen("out.eolive", "r");
  if (!log) return false;
  size_t size = fread(lines, 1, sizeof lines - 1, log);
  fclose(log);
  return memmem(lines, size, "\"event\":\"end\"", 13) != NULL;
}

static void in_worker(void) {
  bool first = strcmp(getenv("EO_ENDS_DIE"), "first") == 0;
  if (first ? !has_ended() : access("everyorder-tickets", F_OK) == 0) raise(SIGKILL);
}

__attribute__((constructor)) static void begin(void) {
  if (getenv("EO_ENDS_DIE")) pthread_atfork(NULL, NULL, in_worker);
}

static void works(void *argument) {
  (void)argument;
  for (int i = 0; i < 8; i++) eo_sleep(1);
}

EO_TEST(a_fine) { eo_flip(); }

EO_TEST(b_finds) { eo_assert(!eo_flip(), "it is so"); }

EO_TEST(c_goes_on) {
  for (int i = 0; i < 5; i++) eo_spawn(works, NULL, 0);
}

EO_TEST(d_finds_and_goes_on) { /* --keep-going */
  for (int i = 0; i < 5; i++) eo_spawn(works, NULL, 0);
  eo_assert(0, "at once");
}

EO_TEST(e_last) { eo_flip(); }
