/* dpor_inside.h: what the parts of the strategy dpor share (dpor.c has the algorithm in words, doc/dpor.md why it is right):
 *   dpor.c           tasks, and one execution
 *   dpor_revisit.c   which tasks an event gives rise to
 *   dpor_ghosts.c    and those at the end, of what came too early or did not come
 *   dpor_foresee.c   which of them would be the same as another
 *   dpor_probe.c     estimates
 *   dpor_fragment.c  tasks as bytes */
#ifndef EO_STRATEGIES_DPOR_INSIDE_H
#define EO_STRATEGIES_DPOR_INSIDE_H

#include "core/trace.h"
#include "strategies/order.h"
#include "strategies/strategies.h"

typedef struct step {
  uint32_t process : 30;
  uint32_t takes : 1; /* the value is a message's number, or 0 for a timeout */
  uint32_t
      refused : 1; /* it ends workers, so that none of its code is run; never of a step that may be another event here */
  uint32_t value;
} step;

#define NOBODY 0x3fffffffu

/* Another choice at a step; of NOBODY: whatever is the default now. */
typedef struct other {
  uint32_t depth;
  step taken;
} other;

/* The event at position `held`, of that process, waited for the one at `by`, which is before it. */
typedef struct reason {
  uint32_t held, by;
  uint32_t process;
} reason;

#define TO_COME UINT32_MAX /* the next event of the process: mostly the one right after what is given */

/* A touch that is remembered of some event: `of` tells which. */
typedef struct touch_note {
  uint32_t of;
  eo_touch touch;
} touch_note;

typedef EO_VEC(touch_note) touch_notes;

typedef struct task {
  EO_VEC(step) steps; /* those given, and those chosen after them; but for a prefix */
  struct task *
      lender; /* whose first `prefix` steps are the first ones of this task: it is below on the stack. Until it is begun or saved, */
  uint32_t prefix; /* so that a task that waits is as small as what is new in it */
  EO_VEC(other) others;
  EO_VEC(reason) reasons;
  /* Of reasons: what the event that the reason holds has only because it waited for it (if `writes`, it read the object without that,
   * too). Of processes: what their next event would have touched without waiting for its last reason. Of depths: what the first
   * way tried there touched, where the process announced something after it. */
  touch_notes newly_touched, had, first_ways;
  uint32_t other_way; /* position of the step that now goes another way than the first one; EO_NO_EVENT: none */
  uint64_t ran;       /* the number of its last execution, as dpor.begun */
  uint32_t given;
  uint32_t fresh;  /* from this step on the execution under way is new: events before it have made their revisits */
  uint32_t resume; /* process that goes on right after the given steps; EO_NO_PROCESS: the default */
  /* Of the last given step, for which the process `resume` waited: what it conflicted with and stays before it (positions), and whom it
   * sent to, in the execution that this came of. Here it may do more. */
  EO_VEC(uint32_t) settled, told;
  uint32_t unsure; /* what is given from here on is there because the last one needs it; EO_NO_EVENT: nothing */
  bool started;
} task;

/* A revisit: the event at `later` comes before the one at `earlier`, which then takes its mail or (NULL) conflicts with it. Of what came
 * after `earlier` only what is in kept_past, a clock, stays; the rest is dropped. */
typedef struct revisit {
  uint32_t earlier, later;
  const uint32_t *kept_past;
  const eo_posted *mail;
  uint32_t *room; /* for two more clocks */
} revisit;

typedef struct dpor {
  eo_strategy base;
  eo_view view;
  eo_delivery delivery;
  bool idle_timeouts;
  eo_order order;
  EO_VEC(task *) tasks; /* a stack; the task under way is below those it gave rise to in this execution */
  EO_VEC(task *) spare; /* empty, with the room that they had */
  task *current;
  const eo_foregone *ghost; /* the revisiting event did not happen: its process was doomed */
  uint32_t doomer;          /* position of the event that did that */
  step ghost_step;
  uint32_t
      stands_for; /* position of the event that the revisiting one, at the end, stands for; EO_NO_EVENT: it is itself */
  bool clashed;   /* some event has conflicted with another that does not cause it */
  /* Positions: what the revisiting event conflicts with, last first; then what it will conflict with in the task that is being made,
   * and does not now. */
  EO_VEC(uint32_t) clash;
  EO_VEC(uint32_t) moved; /* by position: where the event is in the task that is being made */
  EO_VEC(uint32_t) kept;  /* positions: what is asked of the subject's `foresee` */
  struct {
    EO_VEC(eo_touch) touches;
    bool dooms;           /* the process of the event that waits for it */
    const uint32_t *past; /* a clock, in the room that was given */
    bool known;           /* else this is as it was where it is now */
  } foreseen;             /* the revisiting event, as it will be in the task that may be made */
  uint64_t begun;         /* executions of tasks */
  eo_scouts scouts;
  struct {
    eo_estimate *estimate; /* NULL: this explores */
    uint64_t left, steps_left;
    double error;
    double weight; /* of the descent: how many ways there were at its points */
    bool leaves;   /* for the second task: it came of the one under way */
    eo_rng rng;
  } probe;
  bool bounded, left_over; /* something was left out because of the bound */
  bool beyond;             /* the execution under way is beyond it */
  bool impossible;         /* and no order of the sends leads to it */
  uint32_t bound;
} dpor;

static inline const eo_record *record_at(const dpor *d, uint32_t position) {
  return &d->order.trace.records.items[position];
}

/* There is no memory, which ends all: so callers go on, and nobody need ask before the next step. Always false. */
static inline bool no_memory(dpor *d) {
  d->base.error = EO_ENOMEM;
  return false;
}

#define PUSH(d, vec, item) ((void)(eo_vec_push(vec, item) || no_memory(d)))

static inline step step_of(const eo_choice *choice) {
  return (step){choice->process, choice->kind == EO_CHOICE_TAKE, false, choice->value};
}

/* The revisiting event, where it was. */
static inline uint32_t itself(const dpor *d, uint32_t later) {
  return d->stands_for != EO_NO_EVENT ? d->stands_for : later;
}

/* Does a step of this kind, which takes a message or does not, happen only since nothing else can? Then it comes after all before
 * it. */
static inline bool is_idle(const dpor *d, uint32_t op, bool takes) {
  return d->idle_timeouts && (op == EO_OP_SLEEP || (op == EO_OP_RECEIVE && !takes));
}

/* dpor.c */
void eo__dpor_task_free(task *t);
task *eo__dpor_task_new(dpor *d);          /* on top of the stack; NULL: no memory */
bool eo__dpor_task_fill(dpor *d, task *t); /* its prefix becomes its own; false: no memory */
void eo__dpor_note_touches(dpor *d, touch_notes *notes, uint32_t of, const eo_record *record);

/* dpor_ghosts.c: at the end, or before what comes after all: by what doomed processes did not do; by events that will conflict with
 * later ones, too. */
void eo__dpor_revisit_by_ghosts(dpor *d);
void eo__dpor_revisit_from_end(dpor *d);

/* dpor_revisit.c: by the last event */
void eo__dpor_revisit(dpor *d);
bool eo__dpor_waits(const task *t, uint32_t process); /* its next event has reasons, and is to come */
void eo__dpor_hold(dpor *d, uint32_t depth);          /* the event at `depth` is one that waited */
bool eo__dpor_owns_failure(dpor *d); /* is this the execution in which the last step's failing counts? */

/* dpor_foresee.c: in the task of this revisit, with what will the revisiting event conflict that is to be dropped, could stay, and does
 * not conflict with it now? The last; EO_NO_EVENT: nothing. */
uint32_t eo__dpor_clashes_later(dpor *d, const revisit *r);

/* Fills d->foreseen for the task of this revisit. False: it would not turn out to be that. Will the revisited event, having waited for
 * the revisiting one as well, still come after all that it waited for before? And has the task turned out right, now that the
 * event at `depth` has been taken? */
bool eo__dpor_foresee(dpor *d, const revisit *r);
bool eo__dpor_keeps_reasons(dpor *d, const revisit *r);
bool eo__dpor_proves_right(const dpor *d, uint32_t depth);
void eo__dpor_find_cause(const dpor *d, uint32_t position,
                         uint32_t *clock); /* its past but for what it touches; no receive */
bool eo__dpor_has(const uint32_t *items, size_t count, uint32_t wanted);
bool eo__dpor_dooms(const dpor *d, const eo_record *record, uint32_t process);

/* dpor_probe.c */
bool eo__dpor_probe_begin(dpor *d);
uint32_t eo__dpor_probe_choose(dpor *d, const eo_point *point, uint32_t first, uint32_t count);
void eo__dpor_probe_tasks(dpor *d);
void eo__dpor_probe_end(dpor *d, const eo_outcome *outcome);

/* dpor_fragment.c */
bool eo__dpor_save(eo_strategy *strategy, eo_bytes *out);
int eo__dpor_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error);
bool eo__dpor_split(eo_strategy *strategy, eo_bytes *out);

#endif
