/* subject.h: the seam to what is under test. A subject is a state, the choices from it, and what each choice does. */
#ifndef EO_CORE_SUBJECT_H
#define EO_CORE_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "core/finding.h"

#define EO_NO_PROCESS UINT32_MAX

/* One way to go on. Two choices of one point are the same one exactly when process and value are equal. */
typedef struct eo_choice {
  uint32_t process; /* number of the process: stable over all executions of a run */
  uint32_t value;   /* of a choose; EO_CHOICE_TAKE: number of the message, 0: none, it times out; else 0 */
  uint16_t op;      /* kind of its pending operation, as in eo__op_name */
  uint16_t kind;    /* EO_CHOICE_* */
} eo_choice;

enum {
  EO_CHOICE_RUN, /* the process takes its pending operation */
  EO_CHOICE_TAKE /* its pending receive takes this message: where delivery is chosen at the receive */
};

/* How messages get to their receivers. */
typedef enum eo_delivery {
  EO_DELIVERY_MAILBOX, /* a send appends to the receiver's mailbox; a receive takes the oldest that matches */
  EO_DELIVERY_FIFO,    /* from each sender, the oldest that matches */
  EO_DELIVERY_CAUSAL,  /* any that matches and was not sent after (in the sense of happens-before) another such one */
  EO_DELIVERY_ASYNC    /* any that matches */
} eo_delivery;

const char *eo__delivery_name(eo_delivery delivery);              /* "mailbox", "fifo", "causal", "async" */
bool eo__delivery_parse(const char *name, eo_delivery *delivery); /* false: there is none of that name */

/* A message of the execution under way. Numbers are from 1 and stable over all executions of a run: the same number is
 * the same sender's nth message. */
typedef struct eo_sent {
  uint32_t number;
  uint32_t from, to; /* processes */
  uint32_t nth;      /* of those that `from` sent, from 1 */
} eo_sent;

/* Something that steps of different processes have in common beside messages: a name, the life of a process, a bond
 * between two, ... `object` is stable over all executions of a run. */
typedef struct eo_touch {
  uint32_t object;
  bool writes;
} eo_touch;

/* eo_hint(what, pid), called in a step. */
typedef struct eo_hint_given {
  int what;
  uint32_t process; /* EO_NO_PROCESS: nobody */
} eo_hint_given;

/* What a doomed process was about to do. */
typedef struct eo_foregone {
  uint16_t op;
  bool timed;       /* a receive with a timeout */
  uint32_t choices; /* of a choose; else 1 */
  uint32_t touch_count;
  eo_touch touches[]; /* what it could have touched */
} eo_foregone;

/* What a process is about to do, as far as that shows before it does it. */
typedef struct eo_pending {
  uint32_t to;      /* to whose mailbox it sends; EO_NO_PROCESS: none */
  uint32_t message; /* number of the message that it takes; 0: none, or that is chosen */
  bool timed;       /* a receive with a timeout that need not wait for all others */
  uint32_t touch_count;
  const eo_touch *touches; /* what it could touch, at most; valid until the next call of `pending` or the next step */
} eo_pending;

#define EO_FOREGONE UINT32_MAX
#define EO_NEXT (UINT32_MAX - 1)
#define EO_UNFORESEEN 1

/* What a step would touch, whom it would doom, as `touched` and `doomed` of a step that was taken; and to whom it would send,
 * message by message. */
typedef struct eo_foreseen {
  const eo_touch *touches;
  const uint32_t *doomed, *told;
  uint32_t touch_count, doomed_count, told_count;
} eo_foreseen;

/* What a step did. Deterministic: the same choices give the same events. */
typedef struct eo_event {
  uint32_t process;
  uint16_t op;
  uint16_t flags;   /* EO_EVENT_* */
  uint32_t other;   /* process acted on: child, receiver, sender of the message received; EO_NO_PROCESS: none */
  uint32_t message; /* number of the (first) message sent, received or flushed; 0: none */
  uint32_t sent;    /* how many messages the step sent; more than 1 only at an exit */
} eo_event;

enum {
  EO_EVENT_TIMEOUT = 1,  /* a receive that timed out */
  EO_EVENT_FAILED = 2,   /* the step failed, which ends the execution; but see EO_EVENT_STUCK */
  EO_EVENT_STUCK = 128,  /* it failed, and its process stays where it is for ever: the others can go on */
  EO_EVENT_IDLE = 4,     /* could happen only because nothing else could: it comes after all before it */
  EO_EVENT_DOOMS = 8,    /* it ends processes, whatever they are about to do, if they have not ended before */
  EO_EVENT_ANY = 64,     /* a receive that would have taken any message */
  EO_EVENT_IGNORED = 32, /* a machine took an event that it ignores: without `late` that is no step of its own */
  EO_EVENT_TIMED = 16,   /* a receive with a timeout that could have timed out without waiting for all others */
  EO_EVENT_HOT = 64      /* a specification was hot before the step, or is now */
};

/* A step from a state in which a specification is hot (core/heat.h). A state is the first word of its fingerprint. */
typedef struct eo_heat {
  uint64_t from, to; /* to 0: the step failed, or no specification is hot any more */
  uint32_t mark;     /* of the choice, in the state before it (eo_subject_ops.mark) */
  uint16_t stays;    /* bit i % 16: specification i was hot before it, is now, and was all the while */
  bool fair;         /* eo_choose_fair: for ever choosing here is choosing every value */
} eo_heat;

#define EO_NO_MARK UINT32_MAX

/* Fills a choice in two stores, as it will be read: with one store for each field, reading it back would stall. */
static inline void eo_choice_set(eo_choice *choice, uint32_t process, uint32_t value, uint16_t op, uint16_t kind) {
  _Static_assert(sizeof(eo_choice) == 12, "two words");
  uint64_t who = process | (uint64_t)value << 32;
  uint32_t what = op | (uint32_t)kind << 16;
  __builtin_memcpy(choice, &who, sizeof who);
  __builtin_memcpy((char *)choice + sizeof who, &what, sizeof what);
}

typedef struct eo_subject eo_subject;

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
   * EO_EVENT_STUCK. *event lies behind the events of the steps before
   * it in this execution: event[-1] is the last one's. (So nobody has to copy or keep them twice.) */
  bool (*step)(eo_subject *subject, eo_choice choice, eo_event *event);

  /* Called when enabled gave 0: false if this end is a failure (a deadlock, a leak). Where a process is stuck, it is none. */
  bool (*finish)(eo_subject *subject);

  /* Why reset, step or finish returned false. Valid until the next reset. */
  const eo_failure *(*failure)(eo_subject *subject);

  /* Logical ids and numbers, both ways; `process` gives EO_NO_PROCESS for what cannot be an id. */
  void (*process_name)(eo_subject *subject, uint32_t process, char *out, size_t size);
  uint32_t (*process)(eo_subject *subject, const char *name);

  /* For one execution that a person will read. describe(on) before reset; then after each step `line` tells what it
   * did, and at the end `finding` adds what is known of the end (waiting, backtrace). */
  void (*describe)(eo_subject *subject, bool on);
  bool (*line)(eo_subject *subject, eo_line *line);
  bool (*end)(eo_subject *subject, eo_finding *finding);

  /* Optional: for a debugger. Calls eo__replay_here(step) where the process that takes the next step stands, on its own
   * stack; nothing else happens. */
  void (*halt)(eo_subject *subject, uint32_t process, uint32_t step);

  /* Optional (all or none). Saved states lie on the path of the execution under way: those saved later are forgotten
   * before one is restored, all of them before a reset. Until then one can be restored any number of times. NULL from
   * `save`: it cannot be done here and now, or there is no memory. False from `restore`: there was no memory to keep it;
   * nothing has happened. `cost` is about how many steps' time one save or restore takes now. */
  void *(*save)(eo_subject *subject);
  bool (*restore)(eo_subject *subject, void *saved);
  void (*forget)(eo_subject *subject, void *saved);
  uint32_t (*cost)(eo_subject *subject);
  void (*fingerprint)(eo_subject *subject, uint64_t hash[2]);

  /* Optional: the processes that there are at the start. Without it: number 0 alone. Valid until the subject is closed. */
  uint32_t (*first)(eo_subject *subject, const uint32_t **processes);

  /* Optional: EO_DOUBT_*: what the executions so far leave open, whatever strategy runs them. Only grows. */
  uint32_t (*doubts)(eo_subject *subject);

  /* Optional (both or none), where specifications can be hot.
   * mark: which of the choices of the state as it is this one is; the same in every worker, and whenever that state is come
   *   to. Two choices with the same mark lead to the same state. The upper half is the process's. EO_NO_MARK: it has none.
   * heat: what the last step was, if a specification was hot before it; else NULL. Until the next step. */
  uint32_t (*mark)(eo_subject *subject, eo_choice choice);
  const eo_heat *(*heat)(eo_subject *subject);

  /* Optional (both or none): looking at an execution more closely than all of them can be looked at.
   * audit: from the next reset on, or no longer. Steps do the same, but addresses of messages may be others, and the step
   *   fails (EO_KIND_SHARING, EO_KIND_BOUNDS) if it uses memory that is not its process's. Fingerprints mean nothing.
   * unsure: should the execution that has just ended be run once more under audit, since it has shown the need, or since
   *   it is time for one? Under audit: has it shown that it must be run again? */
  void (*audit)(eo_subject *subject, bool on);
  bool (*unsure)(eo_subject *subject);

  /* Optional: what the program has told the explorer (eo_hint) in the last step, or since the reset before the first. */
  uint32_t (*hints)(eo_subject *subject, const eo_hint_given **hints);

  /* Optional (all or none): how the events of the execution under way relate, for strategies that run one execution of
   * each kind. Two events of different processes commute unless one is (or comes after) the spawn of the other's
   * process, the sending of the message the other receives, the exit that doomed the other; or both touch one object
   * and at least one writes it; or one is EO_EVENT_IDLE.
   *
   * touched: what the last step touched. The list is valid until the next step.
   * sent: the message of this number, in this execution.
   * message: the number of the nth message (from 1) of a process, whether it was sent in this execution or not.
   * doomed: which processes, its own too, the last step doomed, or would have, had they not ended or been doomed before.
   * foregone: what a process that was doomed in this execution was about to do. NULL: nothing, but its exit. Only where receives choose.
   * matches: would the nth receive (from 0) that this process came to in this execution (done, pending, or pending when
   *   the process was doomed) have accepted that message, which was sent to it in this execution?
   * before: the order of logical ids.
   * late(on): from the next reset on, as strategies need it that ask these. With EO_DELIVERY_MAILBOX, receives are offered (EO_CHOICE_TAKE) every matching
   *   message that some order of the sends could put first, as under EO_DELIVERY_CAUSAL, and every timed one its
   *   timeout. It is then the strategy's duty to take only what some order of the sends allows. Failures that follow from what
   *   came before the step in its trace are EO_EVENT_STUCK: not hidden sharing, nor the misuse of a pid that nobody told.
   * plain (may be absent alone): an execution under `late` by its choices, as choices without it: *out has as many as it
   *   returns, until the next call; UINT32_MAX: no memory. Absent: they are the same, but for EO_DELIVERY_MAILBOX.
   * blocks (may be absent alone): both messages were sent to one process in this execution, and delivery puts `first`
   *   before the other. Must the other wait for it, whatever the receive accepts? Absent: it does if that accepts it.
   * tag (may be absent alone): of a message that was sent in this execution.
   * object_name, object: a text that means the same object in every run, both ways; UINT32_MAX: it means none.
   * shares: in some execution so far, memory was written that processes may share (eo_shared): of that no event tells. */
  uint32_t (*touched)(eo_subject *subject, const eo_touch **touches);
  eo_sent (*sent)(eo_subject *subject, uint32_t number);
  uint32_t (*message)(eo_subject *subject, uint32_t from, uint32_t nth);
  uint32_t (*doomed)(eo_subject *subject, const uint32_t **processes);
  const eo_foregone *(*foregone)(eo_subject *subject, uint32_t process);
  bool (*matches)(eo_subject *subject, uint32_t process, uint32_t nth, uint32_t message);
  bool (*before)(eo_subject *subject, uint32_t process, uint32_t other);
  void (*late)(eo_subject *subject, bool on);
  uint32_t (*plain)(eo_subject *subject, const eo_choice *choices, uint32_t count, const eo_choice **out);
  bool (*blocks)(eo_subject *subject, uint32_t message, uint32_t first);
  bool (*shares)(eo_subject *subject);
  int (*tag)(eo_subject *subject, uint32_t message);
  void (*object_name)(eo_subject *subject, uint32_t object, char *out, size_t size);
  uint32_t (*object)(eo_subject *subject, const char *name);

  /* Optional, with all of the above: what a process that has a choice here is about to do. For strategies that order
   * what races before it happens. */
  void (*pending)(eo_subject *subject, uint32_t process, eo_pending *pending);

  /* Optional, with `touched`: had, of the steps of this execution that touched anything, only these been taken (positions,
   * in this order; EO_FOREGONE: what `process` was about to do when it was doomed; EO_NEXT: what it is about to do now),
   * what would the last of them have touched, whom doomed and told? A process that would have been doomed before its step
   * exits in its place. *out is valid until the next call. EO_OK; EO_UNFORESEEN: that is not all, and the rest cannot be told without running them;
   * EO_ENOMEM. */
  int (*foresee)(eo_subject *subject, const uint32_t *steps, uint32_t count, uint32_t process, eo_foreseen *out);

  /* Optional: the last calls of this execution that look at, or change, what lies outside the program, in words, oldest
   * first. False: there were none. */
  bool (*outside)(eo_subject *subject, eo_text *out);
} eo_subject_ops;

/* Where `everyorder replay --gdb` stops: the next step, counted from 1, is the one to look at. Does nothing. */
void eo__replay_here(uint32_t step);

#define EO_OBJECT_TEXT 400 /* room for the name of an object */

/* Subjects begin with this. */
struct eo_subject {
  const eo_subject_ops *ops;
};

#endif
