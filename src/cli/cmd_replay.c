/* cmd_replay.c: runs the execution of a ticket again and shows it, or hands it to gdb. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "cli/cli.h"
#include "core/program.h"
#include "report/report.h"
#include "report/shown.h"

enum { LARGEST_TICKET = 64 << 20 };

#define NO_WATCHDOG (365.0 * 86400) /* seconds; a person at a breakpoint takes as long as it takes */

/* ---- Reading the ticket --------------------------------------------------------------------------------------- */

int eo__ticket_load(eo_ticket *ticket, const char *path, eo_error *error) {
  eo_text bytes;
  eo__text_init(&bytes);
  int code;
  if (eo__file_read(path, LARGEST_TICKET, &bytes))
    code = eo__ticket_parse(ticket, bytes.chars, bytes.length, error);
  else if (errno == ENOMEM)
    code = eo__error_nomem(error);
  else if (errno == EFBIG)
    code = eo__error_set(error, EO_EINPUT, "%.256s is too large to be a ticket", path);
  else
    code = eo__error_set(error, EO_EINPUT, "ticket %.256s cannot be read: %s", path, eo__file_trouble(errno));
  eo__text_release(&bytes);
  return code;
}

/* The test of the model, or of its property, whatever the file is called by now; its row is what was defined. */
static eo_test *model_test(const eo_ticket *ticket) {
  const char *property = strrchr(ticket->test, ':');
  for (eo_test *test = eo__tests(); property != NULL && test != NULL; test = test->next) {
    const char *colon = strrchr(test->name, ':');
    if (colon != NULL && strcmp(colon, property) == 0) return test;
  }
  return eo__tests();
}

/* Is this ticket for this very program, and does what the user asks make sense for it? */
int eo__ticket_check(const eo_front *front, const eo_args *args, const eo_ticket *ticket, eo_test **test,
                     eo_error *error) {
  char build[65];
  if (args->program != NULL)
    return eo__error_set(error, EO_EINPUT,
                         "--program is an option of the command everyorder; this is the program itself");
  int code = EO_OK;
  if (front->model != NULL)
    snprintf(build, sizeof(build), "%s", front->build);
  else
    code = eo__program_build(front->program, build, error);
  if (code != EO_OK) return code;
  if (strcmp(build, ticket->build) != 0)
    return eo__error_set(error, EO_EINPUT, "ticket was made for another %s of %.256s: %s or explore again",
                         front->model != NULL ? "version" : "build", front->program,
                         front->model != NULL ? "go back to that" : "rebuild that version");
  if (front->model != NULL)
    *test = model_test(ticket);
  else
    code = eo__test_find_row(ticket->test, ticket->params, test, error);
  if (code != EO_OK) return code;
  if (*test == NULL)
    return eo__error_set(error, EO_EINPUT, "ticket is for the test %.128s, which %.256s does not have", ticket->test,
                         front->program);
  if (args->until > ticket->steps.count)
    return eo__error_set(error, EO_EINPUT, "--until %u: the ticket has %zu steps", (unsigned)args->until,
                         ticket->steps.count);
  return EO_OK;
}

/* ---- Under gdb ------------------------------------------------------------------------------------------------ */

extern const eo_embedded eo__gdb_script[];

/* The command that makes gdb read our script, which comes with the program: a file without a name, that gdb inherits.
 * Without it (no memory, a gdb without Python) only our commands are missing. */
static void load_script(eo_text *command) {
  int file = memfd_create("everyorder-gdb.py", 0);
  const char *bytes = (const char *)eo__gdb_script->bytes;
  size_t left = eo__gdb_script->size;
  while (file >= 0 && left > 0) {
    ssize_t written = write(file, bytes, left);
    if (written <= 0) break;
    bytes += written;
    left -= (size_t)written;
  }
  if (file < 0 || left > 0) {
    eo__text_add(command, "echo Everyorder's commands for gdb could not be loaded.\\n");
    return;
  }
  eo__text_add(command,
               "python import os; os.lseek(%d, 0, 0); exec(compile(open(%d).read(), 'everyorder-gdb.py', 'exec'))",
               file, file);
}

/* What gdb says once it has stopped, where the user needs it. */
static void gdb_hint(eo_text *hint, const eo_args *args, const eo_ticket *ticket) {
  size_t step = args->until > 0 ? (size_t)args->until : ticket->steps.count;
  eo__text_add(hint, "echo \\nJust before step %zu of %zu. Now type\\n", step, ticket->steps.count);
  eo__text_add(hint, "  info everyorder        to see the processes and their mailboxes\\n");
  eo__text_add(hint, "  everyorder process P1  to look at the stack of another one\\n");
  eo__text_add(hint, "  continue               to run on to the failure\\n");
  if (ticket->at[0] != '\0') {
    eo__text_add(hint, "or first\\n  tbreak ");
    eo__shown_add(hint, ticket->at);
    eo__text_add(hint, "   to stop at its place\\n");
  }
}

/* Becomes gdb, stopped at the breakpoint; returns only if that cannot be. */
static int become_gdb(const eo_front *front, const eo_args *args, const eo_ticket *ticket, eo_error *error) {
  eo_text hint, script, program;
  char until[32];
  eo__text_init(&hint);
  eo__text_init(&script);
  load_script(&script);
  gdb_hint(&hint, args, ticket);
  snprintf(until, sizeof(until), "--until=%u", (unsigned)args->until);
  const char *dot = front->program[0] == '-' ? "./" : ""; /* gdb would take it for an option */
  eo__text_init(&program);
  eo__text_add(&program, "%s%s", dot, front->program);
  char *argv[] = {"gdb", "-q",
                  /* the library catches these itself, to know which memory was changed */
                  "-ex", "handle SIGSEGV SIGSYS nostop noprint pass", "-ex", "set breakpoint pending on", "-ex",
                  "break eo__replay_here", "-ex", "break eo__failure_here", "-ex", script.chars, "-ex", "run", "-ex",
                  "everyorder program", "-ex", hint.chars, "--args", program.chars, "replay", "--in-process",
                  args->until > 0 ? until : "--", args->until > 0 ? "--" : (char *)args->operand,
                  args->until > 0 ? (char *)args->operand : NULL, NULL};
  fflush(NULL);
  bool failed = hint.failed || script.failed || program.failed;
  if (!failed) execvp("gdb", argv);
  int why = errno;
  eo__text_release(&hint);
  eo__text_release(&script);
  eo__text_release(&program);
  if (failed) return eo__error_nomem(error);
  if (why == ENOENT)
    return eo__error_set(error, EO_ESYSTEM, "gdb is not installed: install the package gdb (Debian: apt install gdb)");
  return eo__error_set(error, EO_ESYSTEM, "gdb cannot be run: %s", strerror(why));
}

/* ---- Showing -------------------------------------------------------------------------------------------------- */

static void place_of(const eo_failure *failure, char *out, size_t size) {
  if (failure->file[0] != '\0')
    snprintf(out, size, "%s:%d", failure->file, failure->line);
  else
    snprintf(out, size, "%s", "");
}

static void print_what(const char *title, eo_kind kind, const char *message, const char *at) {
  eo_text text;
  eo__text_init(&text);
  eo__shown_add(&text, message);
  printf("%s%s: %s%s%s\n", title, eo__kind_name(kind), text.chars, at[0] != '\0' ? ", at " : "", at);
  eo__text_release(&text);
}

bool eo__ticket_reproduced(const eo_ticket *ticket, const eo_failure *failure) {
  char at[sizeof(ticket->at)];
  place_of(failure, at, sizeof(at));
  /* Where in a loop it was stopped is chance. */
  bool there = failure->kind == EO_KIND_LOOP || strcmp(at, ticket->at) == 0;
  return failure->kind == ticket->kind && strcmp(failure->message, ticket->message) == 0 && there;
}

static int print_verdict(const eo_args *args, const eo_ticket *ticket, const eo_finding *finding) {
  const eo_failure *failure = &finding->failure;
  char at[sizeof(ticket->at)];
  place_of(failure, at, sizeof(at));
  putchar('\n');
  if (failure->kind == EO_KIND_NONE && args->until > 0 && args->until < ticket->steps.count) {
    printf("stopped after step %u of %zu\n", (unsigned)args->until, ticket->steps.count);
    return EO_STATUS_INCOMPLETE;
  }
  if (eo__ticket_reproduced(ticket, failure)) {
    print_what("reproduced: ", failure->kind, failure->message, at);
    return EO_STATUS_FINDING;
  }
  print_what("not reproduced: the ticket says ", ticket->kind, ticket->message, ticket->at);
  if (failure->kind == EO_KIND_NONE)
    puts("                this run did not fail");
  else
    print_what("                this run gave   ", failure->kind, failure->message, at);
  puts(
      "Either the program depends on something outside of Everyorder's control (an address, the environment, a file), "
      "or\nsomething that it uses has changed.");
  return EO_STATUS_INCOMPLETE;
}

int eo__ticket_run(const eo_front *front, const eo_args *args, const eo_ticket *ticket, eo_test *test, bool reverse,
                   eo_finding *finding, eo_error *error) {
  eo_request request;
  eo__request_init(&request, front, test);
  request.options = (eo_options){.depth = ticket->depth,
                                 .timeouts_idle = ticket->timeouts_idle,
                                 .leaks = ticket->leaks,
                                 .abnormal_fails = ticket->abnormal_fails,
                                 .delivery = eo__delivery_name(ticket->delivery),
                                 .faults = "1000", /* as many as the ticket has */
                                 .watchdog = args->in_process ? NO_WATCHDOG : ticket->watchdog_ms / 1000.0,
                                 .name = test->name};
  request.reverse = reverse;
  fflush(NULL);
  if (!args->in_process) eo__catch_signals();
  return eo__replay(&request, ticket, (uint32_t)args->until, args->in_process, finding, error);
}

static int run_ticket(const eo_front *front, const eo_args *args, const eo_ticket *ticket, eo_test *test,
                      eo_error *error) {
  eo_finding finding;
  int status = EO_STATUS_INTERNAL;
  eo__finding_init(&finding);
  int code = eo__ticket_run(front, args, ticket, test, false, &finding, error);
  if (code == EO_OK) {
    eo__report_interleaving(stdout, eo__colour(args, stdout), &finding, EO_SHOW_ALL);
    status = print_verdict(args, ticket, &finding);
  }
  eo__finding_release(&finding);
  return code == EO_OK ? status : eo__fail(front, error);
}

int eo__cmd_replay(const eo_front *front, const eo_args *args) {
  eo_ticket ticket;
  eo_test *test = NULL;
  eo_error error;
  eo__ticket_init(&ticket);
  int status;
  int code = eo__ticket_load(&ticket, args->operand, &error);
  if (code == EO_OK) code = eo__ticket_check(front, args, &ticket, &test, &error);
  if (code == EO_OK && args->gdb) code = become_gdb(front, args, &ticket, &error);
  status = code == EO_OK ? run_ticket(front, args, &ticket, test, &error) : eo__fail(front, &error);
  eo__ticket_release(&ticket);
  return status;
}
