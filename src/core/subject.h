/* subject.h: the seam to what is under test. A subject is a state, the choices from it, and what each choice does. The engine
 * moves it; whoever only asks has a view of it (core/view.h). */
#ifndef EO_CORE_SUBJECT_H
#define EO_CORE_SUBJECT_H

#include "base/text.h"
#include "core/view.h"

/* For one execution that a person will read. describe(on) before reset; then after each step `line` tells what it did, and
 * at the end `end` adds what is known of the end (waiting, backtrace) to the finding. False: no memory. */
typedef struct eo_describing {
  void (*describe)(eo_subject *subject, bool on);
  bool (*line)(eo_subject *subject, eo_line *line);
  bool (*end)(eo_subject *subject, eo_finding *finding);

  /* For a debugger: calls eo__replay_here(step) where the process that takes the next step stands, on its own stack, or on the engine's
   * if that step is an arrival; nothing else happens. Where no process has a stack, nothing at all. */
  void (*halt)(eo_subject *subject, uint32_t process, uint32_t step);
} eo_describing;

/* Saved states lie on the path of the execution under way: those saved later are forgotten before one is restored, all of
 * them before a reset. Until then one can be restored any number of times. NULL from `save`: it cannot be done here and now,
 * or there is no memory. False from `restore`: there was no memory to keep it; nothing has happened. `cost` is about how many
 * steps' time one save or restore takes now. */
typedef struct eo_saving {
  void *(*save)(eo_subject *subject);
  bool (*restore)(eo_subject *subject, void *saved);
  void (*forget)(eo_subject *subject, void *saved);
  uint32_t (*cost)(eo_subject *subject);
} eo_saving;

/* Of what can do more than its steps tell, as machine code can: looking at an execution more closely than all of them can
 * be looked at. Its executions are run twice now and then (strategies/rerun.c).
 * audit: from the next reset on, or no longer. Steps do the same, but addresses of messages may be others, and the step fails
 *   (EO_KIND_SHARING, EO_KIND_BOUNDS) if it uses memory that is not its process's. Fingerprints mean nothing.
 * unsure: the execution that has just ended has shown that so many of its first steps must be run again under audit; under audit:
 *   that they must be run once more, or that there is another way to look at them. UINT32_MAX: all of them; 0: it has not.
 * due: is it time for an audit, whatever the execution was like?
 * doubts: EO_DOUBT_*: what the executions so far leave open, whatever strategy runs them. Only grows.
 * outside: the last calls of this execution that look at, or change, what lies outside the program, in words, oldest first.
 *   False: there were none. */
typedef struct eo_auditing {
  void (*audit)(eo_subject *subject, bool on);
  uint32_t (*unsure)(eo_subject *subject);
  bool (*due)(eo_subject *subject);
  uint32_t (*doubts)(eo_subject *subject);
  bool (*outside)(eo_subject *subject, eo_text *out);
} eo_auditing;

typedef struct eo_subject_ops {
  const char *name;
  void (*close)(eo_subject *subject);

  /* Back to the initial state, byte for byte. False: the start itself failed; see failure. */
  bool (*reset)(eo_subject *subject);

  /* Every choice from here, in an order that depends on the state alone; sorted by process in logical-id order, then by
   * value. *choices stays valid until the next step. 0: the execution is over. */
  uint32_t (*enabled)(eo_subject *subject, const eo_choice **choices);

  /* Optional: of these, those of one process; EO_NO_PROCESS: of the first that is not at a receive, else of the first that
   * is. *others: has another process any? 0: this one has none; of EO_NO_PROCESS: nobody has any, if no timeout is idle. */
  uint32_t (*turn)(eo_subject *subject, uint32_t process, const eo_choice **choices, bool *others);

  /* Takes one choice that is enabled here. False: it led to a failure; nothing can be taken after it, unless it is
   * EO_EVENT_STUCK. *event lies behind the events of the steps before it in this execution: event[-1] is the last one's. (So
   * nobody has to copy or keep them twice.) */
  bool (*step)(eo_subject *subject, eo_choice choice, eo_event *event);

  /* Optional: as `step`, but no code of the program is run. Where some would be, the step fails: it was seen to end workers. */
  void (*refuse)(eo_subject *subject, eo_choice choice, eo_event *event);

  /* Called when enabled gave 0: false if this end is a failure (a deadlock, a leak). Where a process is stuck, it is none. */
  bool (*finish)(eo_subject *subject);

  /* Why reset, step or finish returned false. Valid until the next reset. */
  const eo_failure *(*failure)(eo_subject *subject);

  /* What else it can do, facet by facet: all functions of one, or NULL. */
  const eo_processes *processes;   /* never NULL */
  const eo_describing *describing; /* never NULL */
  const eo_saving *saving;
  const eo_states *states;
  const eo_relations *relations;
  const eo_auditing *auditing;
} eo_subject_ops;

/* Where `everyorder replay --gdb` stops: the next step, counted from 1, is the one to look at. Does nothing. */
void eo__replay_here(uint32_t step);

/* Subjects begin with this. */
struct eo_subject {
  const eo_subject_ops *ops;
  int error; /* EO_ENOMEM: memory of ours ran out in some call, also of a view. What the subject says since then means nothing:
              * the engine ends the run with this error. */
};

/* What others than the engine are given of it. */
static inline eo_view eo_subject_view(eo_subject *subject) {
  return (eo_view){subject, subject->ops->processes, subject->ops->states, subject->ops->relations};
}

/* Is it known how the steps of an execution relate that is run without `receives_choose`? */
static inline bool eo_subject_relates_plain(const eo_subject *subject) {
  return subject->ops->relations && subject->ops->relations->plain_too;
}

#endif
