/* outside_inside.h: what the judges of system calls share: outside_calls.c, the table; outside_waits.c, calls that may wait;
 * outside_map.c, calls about mappings; outside_refuse.c, what is done about a call. */
#ifndef EO_ACTOR_OUTSIDE_INSIDE_H
#define EO_ACTOR_OUTSIDE_INSIDE_H

#include <sys/stat.h>
#include <sys/syscall.h>

#include "subjects/actor/outside.h"

/* A system call of our own, from the handler. */
static inline long eo__call_ask(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  const unsigned long arguments[6] = {a, b, c, d, 0, 0};
  return eo__trap_pass(number, arguments);
}

static inline long eo__call_status(unsigned long file, struct stat *about) {
  return eo__call_ask(SYS_fstat, file, (unsigned long)(uintptr_t)about, 0, 0);
}

typedef long eo_judge(const eo_call *call, const char *name);

/* outside_files.c: what the judge says, after a look at which files, names and descriptors the call uses. */
long eo__files_judge(const eo_call *call, const char *name, eo_judge *judge);
void eo__files_new(unsigned long file); /* below EO_CALL_FILES: it is another one from now on */

/* outside_refuse.c */

/* Ends the execution. why: what it does, as "starts a thread". */
__attribute__((noreturn)) void eo__call_refuse(const eo_call *call, const char *name, const char *why);
void eo__call_use(const eo_call *call, eo_library what,
                  bool write); /* it uses what is kept for all processes together */
void eo__call_note(const eo_call *call, const char *name, const char *path); /* path: NULL, or what it looks at */

/* Descriptors: has a process opened it? From now on it has, or has closed it. */
enum { EO_CALL_FILES = 4096 };
bool eo__call_opened(unsigned long file);
void eo__call_mark(long file, bool on);
/* What only the tool can have opened: its connection to its parent, and the copies of standard input and outputs. */
bool eo__call_is_the_tools(unsigned long file);
static inline bool eo__call_is_standard(unsigned long file) { return file <= 2; }

/* Why a call that waits is refused. */
#define EO_CALL_WAITS "waits for something outside the test, whose order Everyorder cannot control"

/* outside_waits.c: the result; they do not return if the call would wait. */
long eo__call_reads(const eo_call *call, const char *name);
long eo__call_writes(const eo_call *call, const char *name);
long eo__call_accepts(const eo_call *call, const char *name);
long eo__call_connects(const eo_call *call, const char *name);
long eo__call_waits_on_word(const eo_call *call, const char *name);
long eo__call_polls(const eo_call *call, const char *name);
long eo__call_locks(const eo_call *call, const char *name);
long eo__call_sets_device(const eo_call *call, const char *name);
long eo__call_waits_for_signal(const eo_call *call, const char *name);

/* outside_map.c: what is done by the program's own hand, past our function of that name */
long eo__call_maps(const eo_call *call, const char *name);
long eo__call_unmaps(const eo_call *call, const char *name);
long eo__call_advises(const eo_call *call, const char *name);
long eo__call_protects(const eo_call *call, const char *name);
long eo__call_moves_break(const eo_call *call, const char *name);

#endif
