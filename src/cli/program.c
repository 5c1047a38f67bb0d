/* program.c: what a test program does with its arguments. */
#include "cli/cli.h"
#include "subjects/model/property.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/os_process.h"
#include "core/program.h"

#define NO_REEXEC "EO_NO_REEXEC"

/* Where this program is, so that a ticket finds it again: as it was called, unless that was found through PATH. */
static const char *own_path(const char *called, char *buffer, size_t size) {
  if (called != NULL && strchr(called, '/') != NULL && access(called, X_OK) == 0) return called;
  ssize_t length = readlink("/proc/self/exe", buffer, size - 1);
  if (length <= 0) return called != NULL ? called : "?";
  buffer[length] = '\0';
  return buffer;
}

/* Starts this program again at addresses that are the same in every run, so that a pointer in a message or a hash looks
 * the same when replayed. Goes on as it is where the kernel or a container refuses. */
static void fix_addresses(const eo_front *front) {
  const char *slash = strrchr(front->program, '/');
  int now = personality(0xffffffff);
  /* The kernel calls it "exe" after the exec below, and by a number after that of the command everyorder. */
  prctl(PR_SET_NAME, slash != NULL ? slash + 1 : front->program);
  if (eo__under_valgrind()) {
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded && strstr(preloaded, "/vgpreload_memcheck"))
      fputs(
          "valgrind's memcheck examines all memory reserved for processes, and takes minutes before the first "
          "execution; cc -fsanitize=address finds the same errors sooner; other tools, such as --tool=callgrind, start "
          "at once\n",
          stderr);
    return;
  }
  if (getenv(NO_REEXEC) != NULL) return;
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1) return;
  fflush(NULL);
  setenv(NO_REEXEC, "1", 1);
  setenv("LD_BIND_NOW", "1", 1); /* binding at the first call leaves traces on the stack, and states differ by them */
  execv("/proc/self/exe", front->argv);
}

static void run_body(void *argument) {
  const eo_test *test = argument;
  eo__row_use(test->row);
  test->body();
}

void eo__request_init(eo_request *request, const eo_front *front, eo_test *test) {
  if (front->model != NULL) {
    const char *colon = strrchr(test->name, ':'); /* FILE:PROPERTY */
    *request = (eo_request){.model = front->model,
                            .property = colon != NULL ? eo__promela_property_find(front->model, colon + 1) : NULL,
                            .build = front->build,
                            .program = front->program,
                            .test = test->name,
                            .row = test->row};
    return;
  }
  *request = (eo_request){
      .function = run_body, .argument = test, .program = front->program, .test = test->name, .row = test->row};
}

static int program_test(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_test(front, args);
}

static int program_reach(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_reach(front, args);
}

static int program_estimate(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_estimate(front, args);
}

static int program_replay(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_replay(front, args);
}

static int program_show(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_show(front, args);
}

static int program_diff(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_diff(front, args);
}

static int program_export(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_export(front, args);
}

static int program_report(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_report(front, args);
}

static int program_worker(const eo_front *front, const eo_args *args) {
  fix_addresses(front);
  return eo__cmd_worker(front, args);
}

int eo__program_main(int argc, char **argv) {
  char path[PATH_MAX];
  const char *called = argc > 0 ? argv[0] : NULL;
  eo_front front = {.name = called != NULL ? called : "everyorder",
                    .program = own_path(called, path, sizeof(path)),
                    .argv = argv,
                    .test = program_test,
                    .reach = program_reach,
                    .list = eo__cmd_list,
                    .replay = program_replay,
                    .show = program_show,
                    .diff = program_diff,
                    .write = program_export,
                    .report = program_report,
                    .worker = program_worker,
                    .estimate = program_estimate};
  return eo__front_main(&front, argc, argv);
}
