/* engine.h: the only exploration loop. It drives one subject by one strategy, and knows nothing of either. */
#ifndef EO_CORE_ENGINE_H
#define EO_CORE_ENGINE_H

#include "base/vec.h"
#include "core/strategy.h"
#include "core/subject.h"
#include "core/trace.h"

/* What the engine counts. */
typedef struct eo_engine_counts {
  uint64_t transitions; /* steps run, those of replayed prefixes included */
  uint64_t skipped;     /* steps that a restored checkpoint made unnecessary */
  uint64_t restores;
} eo_engine_counts;

/* Where the engine is. May lie in memory that outlives this process: it tells at which step the process died. */
typedef struct eo_engine_place {
  volatile uint64_t execution; /* number of the execution under way, from 1, repeated ones count too; or its name */
  volatile uint32_t depth;     /* of the step under way in it; EO_AT_START: the code before the first one */
} eo_engine_place;

#define EO_AT_START UINT32_MAX

typedef struct eo_checkpoint {
  uint32_t depth;
  void *saved;
} eo_checkpoint;

/* Of points with a choice: how often executions came to them, and began there. */
typedef struct eo_engine_returns {
  uint32_t visits, returns;
} eo_engine_returns;

enum { EO_LAST_STRETCH = 256 }; /* steps before the end of an execution that are looked at one by one */

typedef struct eo_engine {
  eo_subject *subject;
  eo_strategy *strategy;
  eo_strategy *chooser; /* of the execution under way: whom to ask for choices (eo_beginning) */
  bool (*returns_known)(eo_strategy *chooser,
                        uint32_t depth); /* eo_guiding.returns of that one; NULL: it does not know */
  uint32_t max_depth;                    /* after so many steps an execution is cut off (EO_END_CUT); */
  bool depth_fails;                      /* or fails, with EO_KIND_DEPTH */
  bool no_checkpoints;
  bool all_checkpoints; /* save and restore wherever possible, whether it pays or not: for tests */
  bool audits;          /* run executions again under audit, where the subject asks for that */
  bool under_audit;     /* run all of them under audit instead: they are to show a failure that was found so */
  uint32_t doubts;      /* EO_DOUBT_*: what audits have left open */
  eo_engine_counts counts;
  eo_engine_place *place; /* never NULL: eo__engine_init points it to `own_place` */
  eo_engine_place own_place;

  /* Called for each execution that ended, after strategy->end, if it is counted or has failed: no failure that somebody
   * met is dropped. False: stop the run. */
  bool (*ended)(void *context, const eo_outcome *outcome);
  void *context;

  /* Optional. Called before each execution; and before each new step, whose choice is choices.items[depth], with EO_AT_START
   * for what runs before the first: a failure there ends the execution as if the step had failed. */
  void (*between)(void *context);
  bool (*before_step)(void *context, uint64_t execution, uint32_t depth, eo_failure *failure);

  /* When set, each step is described into it; for an execution that a person will read. */
  eo_finding *describe;
  eo_trace *described; /* of that execution: what comes after what; NULL: the subject cannot tell */

  /* When set, an execution that it matches fails, if the subject can tell what comes after what. Owned. */
  struct eo_pattern *never;

  /* The execution under way: what was chosen and what that did. */
  EO_VEC(eo_choice) choices;
  EO_VEC(eo_event) events;
  EO_VEC(eo_event) audited; /* events, when it was run again */
  EO_VEC(eo_choice)
  audited_before; /* what was chosen in the last one that was audited to its end, and showed nothing */
  uint64_t executions;
  EO_VEC(eo_checkpoint) checkpoints;
  uint32_t next_save; /* depth of the next checkpoint; UINT32_MAX: none */
  uint32_t interval;  /* least distance between checkpoints; grows when there are many */
  uint32_t expected;  /* how many steps the next execution will share, going by the last ones */
  uint32_t stretch;   /* depth from which on they are also saved wherever that is worth it; UINT32_MAX: nowhere */
  uint32_t length;    /* of the last execution */
  eo_engine_returns returns[EO_LAST_STRETCH]; /* by the distance from there */
  uint32_t cost;                              /* of a save, in steps */
  eo_failure failure;                         /* of the execution that just ended */
} eo_engine;

void eo__engine_init(eo_engine *engine, eo_subject *subject, eo_strategy *strategy);
void eo__engine_release(eo_engine *engine);

/* The run is to show this failure once more: so that the engine looks for it, if it is one that it has to look for. */
int eo__engine_expect(eo_engine *engine, eo_kind kind, const char *message, eo_error *error);

/* Between runs: lets go of the subject, so that another engine can run it before this one goes on. */
void eo__engine_leave(eo_engine *engine);

/* The execution under way in the engine that this thread runs, in words: for the text of an internal error. */
void eo__engine_under_way(char *out, size_t size);

/* Runs until the strategy has no more, `ended` says stop, or memory runs out (EO_ENOMEM). */
int eo__engine_run(eo_engine *engine, eo_error *error);

#endif
