/* outside.h: what a process reaches outside messages: the C library's functions that everyorder stands in for, and the
 * system calls that it traps. Not for other folders.
 *
 *   outside.c         failing with the name of a call, the last calls before a failure, baseline and going back
 *   outside_random.c  rand and its kind: state of each process, on its heap
 *   outside_time.c    clocks show eo_now; to sleep is eo_sleep
 *   outside_state.c   signal handlers, masks, environment, locale: as at the start in each execution
 *   outside_control.c how the processor computes with fractions: each process has its own (control.h)
 *   outside_streams.c stdin, stdout, stderr: as at the start in each execution
 *   outside_library.c what the C library keeps for all processes: uses of it are accesses to a variable
 *   outside_stubs.c   functions that use these, or streams
 *   outside_lend.c    functions that allocate for the program
 *   outside_map.c     mappings and libraries of the program
 *   outside_new.c     operators of C++ that allocate, beside a sanitizer
 *   outside_start.c   threads and other programs: refused
 *   outside_thread.c  thread-local variables: each process has its own
 *   outside_locks.c   locks: each process is another holder
 *   outside_end.c     exit, abort, assert
 *   outside_calls.c   system calls of a process, a table: refused, judged, answered or noted
 *   outside_waits.c   those that may wait
 *   outside_files.c   what they do with files and descriptors: where processes, or executions, meet
 *   outside_refuse.c  what refusing and noting one means, and descriptors
 *   outside_memory.c  the memory that they use
 *   outside_trap.c    how they get there (seccomp)
 *
 * A function that stands in for one of the C library's does what that one does outside a process: in the engine, in
 * other threads, in a program that runs live. */
#ifndef EO_ACTOR_OUTSIDE_H
#define EO_ACTOR_OUTSIDE_H

#include <dlfcn.h>
#include <stdlib.h>

#include "subjects/actor/inside.h"

int eo__outside_open(eo_actor *actor, eo_error *error); /* remembers how it is now */
void eo__outside_close(eo_actor *actor);
void eo__outside_back(eo_actor *actor);                    /* all of it as it was then */
bool eo__streams_changed(void);                            /* are the standard streams other than they were then? */
bool eo__actor_outside(eo_subject *subject, eo_text *out); /* the last calls of this execution; false: none */

/* outside_thread.c: thread-local variables, of which each process has its own. Opening sets eo_actor.apart. */
int eo__thread_open(eo_actor *actor, eo_error *error);
void eo__thread_close(void);
bool eo__thread_start(eo_process *process); /* as those of a new thread; false: no memory */
void eo__thread_in(const eo_process *process);
void eo__thread_out(eo_process *process);
bool eo__thread_points(const char *bytes, size_t size); /* is there an address of one in these bytes, at any offset? */

/* Everything outside that an execution has changed goes back with it. Such executions are not saved: what cannot be saved
 * half-way is as it was at the start in every state that is saved. */
static inline void eo__outside_reset(eo_actor *actor) {
  actor->round++;
  if (__builtin_expect(actor->changed != 0, 0) || __builtin_expect(eo__streams_changed(), 0)) eo__outside_back(actor);
}

/* Where the function that this is written in was called from. */
#define EO_CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* The definition that ours stands in for. */
#define EO_REAL(function)                                                           \
  __extension__({                                                                   \
    EO_OWN static void *next_;                                                      \
    void *found_ = __atomic_load_n(&next_, __ATOMIC_RELAXED);                       \
    if (__builtin_expect(!found_, 0)) found_ = eo__outside_next(&next_, #function); \
    (__typeof__(&function))found_;                                                  \
  })

void *eo__outside_next(void **next, const char *function);

/* A function that does what the C library's does by calling that one. It is on the stack meanwhile, but it is no code of the
 * program: what happens in there has happened in the C library. */
#define EO_PASSES_ON __attribute__((section("eo_passes_on")))
bool eo__outside_passes_on(uintptr_t pc);

/* The process whose code calls; NULL: none does. */
static inline eo_process *eo__outside_caller(void) {
  eo_actor *actor = eo__actor;
  return actor && actor->running && !actor->handling ? actor->running : NULL;
}

/* Ends the execution with a finding at the place of the call. On the process's fiber. */
__attribute__((noreturn, format(printf, 3, 4))) void eo__outside_fail(eo_kind kind, const void *caller,
                                                                      const char *format, ...);

/* What an execution has changed outside; or, EO_CHANGED_NOTED, only looked at. */
typedef enum eo_outside_change {
  EO_CHANGED_NOTED = 1,
  EO_CHANGED_SIGNALS = 2,
  EO_CHANGED_FOLDER = 4,
  EO_CHANGED_UMASK = 8,
  EO_CHANGED_LIMITS = 16,
  EO_CHANGED_ENVIRONMENT = 32,
  EO_CHANGED_LOCALE = 64,
  EO_CHANGED_ROUNDING = 128,
  EO_CHANGED_FILES = 256,    /* descriptors that a process has opened */
  EO_CHANGED_STANDARD = 512, /* standard input and outputs */
  EO_CHANGED_MAPS = 1024,    /* files that a process has mapped */
  EO_CHANGED_OPTIONS = 2048  /* getopt's place */
} eo_outside_change;

/* What the C library keeps for the calling process: on the process's heap, so that it is saved, restored and hashed with
 * it. All zero at first. */
typedef struct eo_kept {
  bool seeded; /* `random` is set up */
  struct random_data random;
  char random_state[128];
  struct drand48_data drand48;
  uint64_t drawn;               /* words of entropy */
  char title[16];               /* the thread's name; "": as at the start */
  char *token;                  /* strtok's place */
  struct eo_specific *specific; /* what it has given to keys (pthread_setspecific) */
} eo_kept;

eo_kept *eo__outside_kept(eo_process *process, const void *caller);

/* The next word that a process gets where a machine would give entropy. */
uint64_t eo__outside_entropy(eo_process *process, const void *caller);
void eo__outside_fill(eo_process *process, const void *caller, void *bytes, size_t size);

/* outside.c: the last calls. */
void eo__outside_forget(void);
void eo__outside_note(const char *call, const char *path, const uintptr_t *frames, uint32_t frame_count);

/* outside_state.c. The functions of <signal.h> end in system calls, which outside_calls.c passes on to these. */
void eo__outside_state_open(void);
void eo__outside_state_close(void);
void eo__outside_state_back(uint32_t changed);
typedef struct eo_kernel_action {
  uintptr_t handler;
  unsigned long flags;
  void *restorer;
  uint64_t mask;
} eo_kernel_action;
long eo__outside_action(int signal_number, const eo_kernel_action *action, eo_kernel_action *before);
void eo__mask_change(void);                  /* the running process changes its signal mask */
void eo__mask_in(const eo_process *process); /* it is about to run */
void eo__mask_inherit(const eo_process *child, const eo_process *parent);
uint64_t eo__outside_own_signals(void); /* as bits of a mask: these are never blocked */

/* outside_streams.c */
void eo__streams_open(void);
void eo__streams_back(uint32_t changed);
void eo__streams_listen(bool on);                         /* from now on: */
void eo__streams_written(const char *bytes, size_t size); /* by a call, to the standard output */
const char *eo__streams_printed(void);                    /* what was printed since this was last asked */

/* outside_library.c: what is kept for all processes together. use: the running process reads or changes it, at that place. counts:
 * would that matter? name and remedy: of an address that stands for one of them; NULL: of none. back: getopt, as at the start. */
typedef enum eo_library {
  EO_LIBRARY_STRTOK,
  EO_LIBRARY_TIME,
  EO_LIBRARY_TIME_TEXT,
  EO_LIBRARY_GETOPT,
  EO_LIBRARY_ENVIRONMENT,
  EO_LIBRARY_HANDLERS,
  EO_LIBRARY_FOLDER,
  EO_LIBRARY_UMASK,
  EO_LIBRARY_LIMITS,
  EO_LIBRARY_USERS,
  EO_LIBRARY_HOSTS,
  EO_LIBRARY_TABLE,
  EO_LIBRARY_DIGITS,
  EO_LIBRARY_TERMINAL,
  EO_LIBRARY_LETTER,
  EO_LIBRARY_LOG,
  EO_LIBRARY_ZONE,
  EO_LIBRARY_RECORDS,
  EO_LIBRARY_COUNT
} eo_library;
bool eo__library_counts(eo_library what, bool write);
void eo__library_use(eo_library what, bool write, const void *pc);
void eo__library_back(void);

/* outside_files.c. back: places in files that were open before the exploration. meet: two processes have met there, in no order. */
void eo__files_back(void);
void eo__files_open(void);
void eo__files_mapped(int file); /* the program has mapped it */
void eo__files_asked(unsigned long file);
void eo__files_stream(const void *stream, bool reads,
                      bool lasts);             /* reads: or asks where it stands; lasts: that does not go back */
void eo__files_stream_new(const void *stream); /* it is new, or gone */
bool eo__files_cell(uintptr_t address);
void eo__files_meet(eo_actor *actor, const eo_sharing *sharing);

/* outside_locks.c. back: whoever was in such a function has left the execution. */
void eo__locks_open(void);
void eo__locks_back(void);

/* outside_map.c */
void eo__maps_forget(void); /* takes away what processes have mapped */

/* outside_time.c */
struct timespec;
struct timespec eo__outside_clock(const eo_process *process, int clock);
enum { EO_OUTSIDE_PID = 1000 };    /* what getpid says */
enum { EO_OUTSIDE_BOOTED = 1000 }; /* seconds before the first instant; and ticks, for `times` */

void eo__outside_hide_number(pid_t *number); /* outside_state.c: that of this program is what getpid says */

/* outside_calls.c: what becomes of a system call of a process. */
typedef struct eo_call {
  long number;
  unsigned long arguments[6];
  uintptr_t pc;
  void *context; /* ucontext_t */
} eo_call;
long eo__call_judge(const eo_call *call); /* the result; does not return if the call is refused */
__attribute__((noreturn)) void eo__call_end(const eo_call *call); /* the execution has failed by this call */
void eo__call_forget_files(void);                                 /* closes what processes have opened */
const short *eo__call_free(size_t *count);                        /* the numbers of calls that are not trapped */

/* outside_memory.c: does it, with the memory that it uses open to the kernel; -errno. */
long eo__call_pass(const eo_call *call);
void eo__files_wrote(const eo_call *call, size_t size); /* so many bytes were written, and their memory is still open */
uintptr_t eo__call_place(const eo_call *call);          /* where in the program's own code it was made */
void eo__call_text(const eo_call *call, const char *text, char *out, size_t size); /* copies a text that it reads */

/* outside_trap.c */
bool eo__trap_open(void);                                          /* false: the system cannot do it */
long eo__trap_pass(long number, const unsigned long arguments[6]); /* does it, untrapped; -errno */

#endif
