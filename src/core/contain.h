/* contain.h: runs an exploration in a child process and carries on when that dies.
 *
 * The worker now and then leaves a copy of itself behind (fork), a spare that waits. When the worker dies, however it
 * dies, the spare goes on from where the copy was made: exploration is deterministic, so it does again exactly what the
 * dead one had done since, with the counters of that time, and nothing is lost or counted twice. If workers die again at
 * the same step, the program under test did it: that execution is then cut off before the step and is a finding.
 */
#ifndef EO_CORE_CONTAIN_H
#define EO_CORE_CONTAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "core/engine.h"

enum { EO_FATAL_MAX = 4096 };

/* Where a worker died: before it could finish step `depth` of the engine's execution number `execution`. */
typedef struct eo_fatal {
  uint64_t execution;
  uint32_t depth;
  int status; /* of waitpid */
} eo_fatal;

/* In memory that worker, spares and parent share. */
typedef struct eo_cell {
  pid_t parent;
  volatile pid_t worker, spare;
  volatile pid_t former_spare; /* about to be ended by the worker; 0: none */
  volatile int called;         /* the spare that shall take over; what spares wait for */
  volatile int stop;           /* set by the parent: end soon */
  volatile uint64_t restarts;
  eo_engine_place place;        /* written by the worker's engine */
  _Alignas(16) char news[2048]; /* written by the worker, for the parent to look at; its layout is their affair */
  char bug[512];                /* a check of our own that failed in the worker; "": none */
  uint32_t fatal_count;
  eo_fatal fatal[EO_FATAL_MAX]; /* what killed workers again and again */
} eo_cell;

typedef struct eo_worker {
  eo_cell *cell;
  int records; /* where records go */
  double last_spare;
  pid_t spare;
  bool spare_soon;
} eo_worker;

typedef struct eo_work {
  void *context;
  /* In the child. Its last record tells that it is done; the return value is the child's exit status. */
  int (*run)(void *context, eo_worker *worker);
  /* In the parent: a record of the worker, and a call about twenty times a second. True from `record`: that was the
   * last one. */
  bool (*record)(void *context, const char *record);
  void (*tick)(void *context, const eo_cell *cell);
  const volatile int *stop; /* copied to the cell */
  bool keep_output;         /* the program's own output is shown, not thrown away */
} eo_work;

/* Runs it to its last record. An error: the worker could not be started, or dies without getting anywhere. */
int eo_contain(const eo_work *work, eo_error *error);

/* In the worker. A record is one line of text without line feeds. */
void eo_worker_send(eo_worker *worker, const char *record);

/* In the worker, between executions: time for another spare? Returns in the spare too, if and when it takes over. */
void eo_worker_between(eo_worker *worker);

/* In the worker: does the engine's execution `number` end here because it kills workers? */
const eo_fatal *eo_worker_fatal(eo_worker *worker, uint64_t execution, uint32_t depth);

#endif
