/* contain.h: runs work in child processes, carries on when they die, and ends them when they do not get on.
 *
 * Workers ask the parent, one question at a time, and the parent answers: what to work on, and whether what came of it
 * counts. Only the parent keeps anything that matters, so a worker that dies, however it dies, is just replaced. If
 * workers die again at the same step of the same piece of work, which they explore in the same order each time, the
 * program under test did it: that execution is then cut off before the step and is a finding.
 *
 * The parent holds every limit by itself, as the program under test can keep a worker from doing anything: it may block
 * all signals, stop, become another program, close or write to its descriptors. A step that takes longer than the watchdog
 * and a margin is ended with its worker; a worker that does not end when it is asked to is killed a second later. Each
 * worker is a session of its own, so that its children can be found, and signals to its process group reach nobody else. */
#ifndef EO_CORE_CONTAIN_H
#define EO_CORE_CONTAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "core/engine.h"

enum { EO_FATAL_MAX = 4096, EO_WORKERS_MAX = 256, EO_NONSENSE = 1 };

/* How a worker came to its end. All but the first: the parent has ended it. */
typedef enum eo_fatal_cause {
  EO_FATAL_ENDED,   /* by itself, or killed by somebody else: see its status */
  EO_FATAL_ENDLESS, /* a step took longer than the watchdog */
  EO_FATAL_WAITS,   /* the same, and it used no processor time */
  EO_FATAL_STOPPED, /* by SIGSTOP or the like */
  EO_FATAL_THREAD,  /* the thread that explores has ended, and the process has not */
  EO_FATAL_EXEC,    /* it has become another program */
  EO_FATAL_CLOSED,  /* its channel to the parent is closed, or replaced */
  EO_FATAL_WRITTEN, /* somebody wrote into that channel */
  EO_FATAL_SIGNALS  /* it sent the parent a signal */
} eo_fatal_cause;

/* Where a worker died: before it could finish step `depth` of the engine's execution number `execution`, counted from
 * the start of the fragment (0 where there are no fragments). */
typedef struct eo_fatal {
  uint64_t fragment, execution;
  uint32_t depth;
  eo_fatal_cause cause;
  int status;    /* of waitpid; of EO_FATAL_SIGNALS: which signal */
  bool blocked;  /* it had signals blocked */
  char name[32]; /* of the program it has become */
} eo_fatal;

/* What killed workers again and again; in memory that all of them and the parent share, and only the parent writes. */
typedef struct eo_fatals {
  volatile uint32_t count;
  volatile bool probing; /* a worker died of a probe: no more of them */
  eo_fatal list[EO_FATAL_MAX];
} eo_fatals;

/* In memory that one worker and the parent share: a page of its own. Workers write to it at each step, so no two have a cache
 * line in common, nor neighbouring ones, which are fetched together. The program under test can write here as well: the
 * parent takes nothing of it for granted. */
typedef struct eo_cell {
  _Alignas(4096) volatile int stop; /* set by the parent: end soon */
  volatile int recall;              /* hand back what there is after this execution, and ask again */
  volatile int left;                /* set by the worker: it has ended in order */
  volatile int wary;                /* set by the parent: workers have died: see eo_fatals, and `careful` */
  volatile int cut;                 /* set by the worker: it could not reach the parent any more */
  volatile int probing;             /* set by the worker: what it runs now belongs to no work that is handed back */
  volatile int hurry;               /* set by the worker: a step that takes a moment is given up */
  volatile int slow;                /* set by the worker: that was so, in a probe: no more of them */
  volatile uint64_t fragment;       /* it is at work on */
  volatile uint64_t careful;        /* set by the parent: 1 + the fragment in which each step is checked; 0: none */
  eo_engine_place place;            /* written by the worker's engine */
  uint64_t pulse;               /* goes up when code of the program begins to run and when it ends: odd while it runs */
  _Alignas(16) char news[2048]; /* written by the worker, for the parent to look at; its layout is their affair */
  char bug[512];                /* a check of our own that failed in the worker; "": none */
} eo_cell;

typedef struct eo_worker {
  eo_cell *cell;
  uint32_t number; /* of its place among the workers, from 0 */
  int socket;
  pid_t process; /* its own */
  const eo_fatals *fatals;
} eo_worker;

typedef struct eo_crew eo_crew; /* the workers, seen from the parent */

typedef struct eo_work {
  void *context;
  uint32_t workers; /* 0: 1 */
  /* In the child. When it returns, the worker has ended in order. */
  void (*run)(void *context, eo_worker *worker);
  /* In the parent: a question of a worker, to be answered now or later by eo__crew_answer. EO_NONSENSE: it is none,
   * that worker is to be replaced; an error ends everything. */
  int (*serve)(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size, eo_error *error);
  /* Optional, in the parent. A worker died, and another process will take its place; a call about twenty times a
   * second. */
  void (*died)(void *context, uint32_t worker);
  int (*tick)(void *context, eo_crew *crew, eo_error *error);
  /* When either is so, workers are told to stop; those that have not ended after a second are killed, and not replaced. */
  const volatile int *stop; /* is set; may be NULL */
  double deadline;          /* in eo__seconds, has come; 0: none */
  double watchdog;          /* seconds that a step may take; 0: any time */
  bool keep_output;         /* the program's own output is shown, not thrown away */
} eo_work;

/* Runs it until all workers have ended in order, or were ended since it was to stop. An error: a worker could not be started,
 * or dies without getting anywhere. */
int eo__contain(const eo_work *work, eo_error *error);

/* In a signal handler of the parent: is the sender a worker? Then the signal is that worker's deed, and no request of the
 * user's. */
bool eo__contain_accuse(int signal_number, pid_t sender);

/* In the parent, during callbacks. */
eo_cell *eo__crew_cell(eo_crew *crew, uint32_t worker);
bool eo__crew_cuts(const eo_crew *crew,
                   uint64_t fragment);         /* will an execution of it be cut off, which is a finding? */
uint64_t eo__crew_deaths(const eo_crew *crew); /* so far, of all workers */
void eo__crew_answer(eo_crew *crew, uint32_t worker, const void *bytes, size_t size);

/* In the worker: asks and waits for the answer, which replaces what is in *answer. If the parent cannot be reached, or this
 * is not the worker but a child of it, ends the process. False: no memory. */
bool eo__worker_ask(eo_worker *worker, const void *bytes, size_t size, eo_bytes *answer);

/* In the worker, after a step, if cell->careful says so: lets the parent look whether all is well, so that it is certain
 * which step it was that keeps the worker from talking to the parent. */
void eo__worker_check(void);

/* In the worker: lets the parent look whether all is well in any case. */
void eo__worker_report(void);

/* In the worker: what has killed others; and whether an execution of this fragment ends here because of that, NULL: no. */
const eo_fatals *eo__worker_fatals(void);
const eo_fatal *eo__fatals_find(const eo_fatals *fatals, uint64_t fragment, uint64_t execution, uint32_t depth);

#endif
