/* os_process.h: processes of the operating system, seen from outside: what one is doing, and ending all that a worker has
 * started. */
#ifndef EO_CORE_OS_PROCESS_H
#define EO_CORE_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct eo_os_process {
  char name[32]; /* of the program, as the kernel has it */
  char state;    /* as in /proc/PID/stat: R runs, S and D wait, T and t are stopped, Z has ended */
  pid_t parent, session;
  bool execed; /* it has become another program since it was forked */
} eo_os_process;

/* False: there is no such process, or nobody may know. */
bool eo__os_look(pid_t pid, eo_os_process *process);

double eo__os_cpu(pid_t pid);          /* seconds that it has run; 0: unknown */
bool eo__os_blocks_signals(pid_t pid); /* does its first thread block most of them? */

/* This process has no other children than workers: it is a program of ours, not one that uses the library. Then whatever
 * workers leave behind comes to it, and files that it opens from now on are its own: workers close them. Called first in
 * main. */
void eo__os_alone(void);
void eo__os_keep(int file);         /* one that workers use as well: it is not closed */
void eo__os_close_private(int but); /* in a worker: descriptors that were not there when eo__os_alone was called */

/* Starts a process that waits for the end of this one, and then ends all processes in the sessions of these workers (0:
 * none), which must be in shared memory. Whatever ends this process, nothing stays behind. -1: it cannot be started. */
pid_t eo__os_guard(const volatile pid_t *workers, size_t count);
void eo__os_unguard(pid_t guard);

/* While workers run (on), orphans become children of this process, if it is alone. */
void eo__os_adopt(bool on);

/* Ends all processes that workers have left behind, and waits for them: those in the session that this worker, which
 * has ended, had; if this process is alone also all its children but these and those it had before. */
void eo__os_collect(pid_t ended, const pid_t *but, size_t count);

/* Does valgrind run this process? It chooses the same addresses every time, and /proc/self/exe is valgrind then. */
bool eo__under_valgrind(void);

#endif
