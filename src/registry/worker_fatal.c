/* worker_fatal.c: steps that ended workers before this one, and are not taken again: what they did, in words. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "registry/worker_inside.h"

/* What a step did that ended workers; `process` would have taken it. */
static void tell_fatal(const eo_fatal *fatal, const char *process, eo_failure *failure) {
  int status = fatal->status, number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  const char *blocked = fatal->blocked ? ", with signals blocked" : "";
  char *out = failure->message;
  size_t size = sizeof failure->message;
  memset(failure, 0, sizeof *failure);
  failure->kind = EO_KIND_CRASH;
  failure->fatal = true;
  snprintf(failure->process, sizeof failure->process, "%s", process);
  switch (fatal->cause) {
    case EO_FATAL_ENDED:
      if (WIFSIGNALED(status))
        snprintf(out, size, "the next step kills the whole process with signal %d (%s)", number, strsignal(number));
      else
        snprintf(out, size, "the next step ends the whole process with status %d", number);
      break;
    case EO_FATAL_ENDLESS:
      failure->kind = EO_KIND_LOOP;
      snprintf(out, size, "%s runs on and on without an operation%s (--watchdog)", process, blocked);
      break;
    case EO_FATAL_WAITS:
      failure->kind = EO_KIND_LOOP;
      snprintf(out, size, "%s waits for something outside%s, and does not go on (--watchdog)", process, blocked);
      break;
    case EO_FATAL_STOPPED: snprintf(out, size, "the next step stops the whole process, as SIGSTOP does"); break;
    case EO_FATAL_THREAD:
      snprintf(out, size,
               "the next step ends the thread that it runs in (pthread_exit, the system call exit, seccomp)");
      break;
    case EO_FATAL_EXEC:
      snprintf(out, size, "the next step replaces the process by another program, %s (exec)", fatal->name);
      break;
    case EO_FATAL_CLOSED:
      snprintf(out, size, "the next step closes or blocks a descriptor that is Everyorder's own");
      break;
    case EO_FATAL_WRITTEN:
      snprintf(out, size, "the next step writes into a descriptor that is Everyorder's own");
      break;
    case EO_FATAL_SIGNALS:
      snprintf(out, size, "the next step sends signal %d (%s) to Everyorder itself", status, strsignal(status));
  }
}

const eo_fatal *eo__fatal_at(const eo_cell *cell, uint64_t execution, uint32_t depth) {
  return cell->wary ? eo__fatals_find(eo__worker_fatals(), cell->fragment, execution, depth) : NULL;
}

bool eo__fatal_step(const eo_cell *cell, const eo_engine *engine, uint32_t depth, eo_failure *failure) {
  const eo_fatal *fatal = eo__fatal_at(cell, engine->place->execution, depth);
  if (!fatal) return false;
  char name[EO_PROCESS_NAME];
  uint32_t process = depth == EO_AT_START ? 0 : engine->choices.items[depth].process;
  engine->subject->ops->processes->name(engine->subject, process, name, sizeof name);
  tell_fatal(fatal, name, failure);
  return true;
}
