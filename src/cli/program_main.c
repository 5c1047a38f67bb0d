/* program_main.c: main of a test program, which the linker takes from the library because the program has none, and the
 * mark by which the command knows such a program. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/map.h"
#include "cli/cli.h"

#include <front.h>

static const char marker[] = EO_MARKER_HEAD EO_MARKER_TAIL;
static volatile int status; /* of the whole */

static void leave(int number) {
  (void)number;
  _exit(status);
}

/* Everything is done and written. Destructors of the program, which run now, have a second: they may not end. */
static void limit_exit(void) {
  sigset_t alarm_only;
  fflush(NULL);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  signal(SIGALRM, leave);
  sigprocmask(SIG_UNBLOCK, &alarm_only, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = 1}, NULL);
}

typedef struct arguments {
  int count;
  char **texts;
} arguments;

static int run(void *context) {
  const arguments *all = context;
  return eo__program_main(all->count, all->texts);
}

int eo_main(int argc, char **argv) {
  arguments all = {argc, argv};
  status = eo__with_stack(__builtin_frame_address(0), run, &all);
  limit_exit();
  return status;
}

int main(int argc, char **argv) {
  __asm__ volatile("" : : "r"(marker)); /* keeps the mark in the file, whatever the linker is told to drop */
  return eo_main(argc, argv);
}
