/* view.h: what can be asked of the subject without moving it: choices, events, names, states, and how steps relate. This is
 * all that a strategy, an explorer and a trace are given. To them eo_subject is an incomplete type, so that they cannot
 * reset it or take a step: only core/subject.h says what it is. */
#ifndef EO_CORE_VIEW_H
#define EO_CORE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
  EO_CHOICE_RUN,  /* the process takes its pending operation */
  EO_CHOICE_TAKE, /* its pending receive takes this message: where delivery is chosen at the receive */
  EO_CHOICE_REFUSED =
      4 /* a bit, of choices that were taken: no code was run, as that ends workers (eo_subject_ops.refuse) */
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
  bool apart;        /* it has a number, but is (or becomes) a message by a step of its own, EO_OP_SIGNAL */
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
  EO_EVENT_TIMEOUT = 1 << 0, /* a receive that timed out */
  EO_EVENT_FAILED = 1 << 1,  /* the step failed, which ends the execution; but see EO_EVENT_STUCK */
  EO_EVENT_IDLE = 1 << 2,    /* could happen only because nothing else could: it comes after all before it */
  EO_EVENT_DOOMS = 1 << 3,   /* it ends processes, whatever they are about to do, if they have not ended before */
  EO_EVENT_TIMED = 1 << 4,   /* a receive with a timeout that could have timed out without waiting for all others */
  EO_EVENT_IGNORED = 1 << 5, /* a machine took an event that it ignores: no step of its own without `receives_choose` */
  EO_EVENT_ANY = 1 << 6,     /* a receive that would have taken any message */
  EO_EVENT_STUCK = 1 << 7,   /* it failed, and its process stays where it is for ever: the others can go on */
  EO_EVENT_REFUSED = 1 << 8, /* and none of its code was run, as that ends workers */
  EO_EVENT_YES = 1 << 9,  /* register, is_alive: the answer; whereis, send or monitor by name: somebody has the name */
  EO_EVENT_HOT = 1 << 10, /* a specification was hot before the step, or is now */
  EO_EVENT_TELLS = 1 << 11, /* the process's code after its operation announced something, or began a specification */
  EO_EVENT_BEGINS = 1 << 12 /* processes begin with it, beside the child of a spawn (eo_relations.begun) */
};

/* A step from a state in which a specification is hot (core/heat.h). A state is the first word of its fingerprint. */
typedef struct eo_heat {
  uint64_t from, to; /* to 0: the step failed, or no specification is hot any more */
  uint32_t mark;     /* of the choice, in the state before it (eo_states.mark) */
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

/* Who takes steps, and what the program has told of them. Every subject has these. */
typedef struct eo_processes {
  /* Logical ids and numbers, both ways; `number` gives EO_NO_PROCESS for what cannot be an id. */
  void (*name)(eo_subject *subject, uint32_t process, char *out, size_t size);
  uint32_t (*number)(eo_subject *subject, const char *name);

  /* The processes that there are at the start. Valid until the subject is closed. */
  uint32_t (*first)(eo_subject *subject, const uint32_t **processes);

  /* What the program has told the explorer (eo_hint) in the last step, or since the reset before the first. */
  uint32_t (*hints)(eo_subject *subject, const eo_hint_given **hints);
} eo_processes;

/* The state that the subject is in, for whoever goes on from no state twice.
 * fingerprint: equal for equal states.
 * mark: which of the choices of the state as it is this one is; the same in every worker, and whenever that state is come
 *   to. Two choices with the same mark lead to the same state. The upper half is the process's. EO_NO_MARK: it has none.
 * heat: what the last step was, if a specification was hot before it; else NULL. Until the next step. */
typedef struct eo_states {
  void (*fingerprint)(eo_subject *subject, uint64_t hash[2]);
  uint32_t (*mark)(eo_subject *subject, eo_choice choice);
  const eo_heat *(*heat)(eo_subject *subject);
} eo_states;

/* How the events of the execution under way relate, for strategies that run one execution of each kind. Two events of
 * different processes commute unless one is (or comes after) the spawn of the other's process, the sending of the message
 * the other receives, the exit that doomed the other, what the other had to wait for (`awaited`); or both touch one object and at least one writes it; or one is
 * EO_EVENT_IDLE. */
typedef struct eo_relations {
  /* Plain steps (without `receives_choose`) are related as well. False: the functions mean something after receives_choose(true) only. */
  bool plain_too;

  /* What the last step touched. The list is valid until the next step. */
  uint32_t (*touched)(eo_subject *subject, const eo_touch **touches);

  /* The message of this number, in this execution; the number of the nth message (from 1) of a process, whether it was sent
   * in this execution or not. Optional: the tag of a message that was sent in this execution, and the
   * name of that tag, if it has one: else nothing is added. */
  eo_sent (*sent)(eo_subject *subject, uint32_t number);
  uint32_t (*message)(eo_subject *subject, uint32_t from, uint32_t nth);
  int (*tag)(eo_subject *subject, uint32_t message);
  void (*tag_name)(eo_subject *subject, uint32_t message, eo_text *out);

  /* Which processes, its own too, the last step doomed, or would have, had they not ended or been doomed before. */
  uint32_t (*doomed)(eo_subject *subject, const uint32_t **processes);

  /* Optional. begun: which processes the last step began, beside the child of a spawn (EO_EVENT_BEGINS): each stands for something
   * that is on its way, and its only step (EO_OP_SIGNAL) is that this arrives. awaited: those of them, in this execution, after
   * whose steps alone that of `process` can come. Both are valid until the next step. */
  uint32_t (*begun)(eo_subject *subject, const uint32_t **processes);
  uint32_t (*awaited)(eo_subject *subject, uint32_t process, const uint32_t **processes);

  /* What a process that was doomed in this execution was about to do. NULL: nothing, but its exit. Only where receives
   * choose. */
  const eo_foregone *(*foregone)(eo_subject *subject, uint32_t process);

  /* Would the nth receive (from 0) that this process came to in this execution (done, pending, or pending when the process
   * was doomed) have accepted that message, which was sent to it in this execution? */
  bool (*matches)(eo_subject *subject, uint32_t process, uint32_t nth, uint32_t message);

  /* The order of logical ids. */
  bool (*before)(eo_subject *subject, uint32_t process, uint32_t other);

  /* From the next reset on, as strategies need it that ask these. With EO_DELIVERY_MAILBOX, receives are offered
   * (EO_CHOICE_TAKE) every matching message that some order of the sends could put first, as under EO_DELIVERY_CAUSAL, and
   * every timed one its timeout. It is then the strategy's duty to take only what some order of the sends allows.
   * Failures that follow from what came before the step in its trace are EO_EVENT_STUCK: not hidden sharing, nor the misuse
   * of a pid that nobody told. */
  void (*receives_choose)(eo_subject *subject, bool on);

  /* A text that means the same object in every run, both ways; UINT32_MAX: it means none. */
  void (*object_name)(eo_subject *subject, uint32_t object, char *out, size_t size);
  uint32_t (*object)(eo_subject *subject, const char *name);

  /* EO_DOUBT_*: what happened in some execution so far of which no event tells: memory was written that processes may share
   * (eo_shared); a specification began when others may have sent or announced something that it would have observed. */
  uint32_t (*unseen)(eo_subject *subject);

  /* Optional: an execution under `receives_choose` by its choices, as choices without it: *out has as many as it returns, until the
   * next call; UINT32_MAX: no memory. Without it they are the same, but for EO_DELIVERY_MAILBOX. */
  uint32_t (*plain)(eo_subject *subject, const eo_choice *choices, uint32_t count, const eo_choice **out);

  /* Optional: both messages were sent to one process in this execution, and delivery puts `first` before the other. Must the
   * other wait for it, whatever the receive accepts? Without it: it does if the receive accepts it. */
  bool (*blocks)(eo_subject *subject, uint32_t message, uint32_t first);

  /* Optional: what a process that has a choice here is about to do. For strategies that order what races before it
   * happens. */
  void (*pending)(eo_subject *subject, uint32_t process, eo_pending *pending);

  /* Optional: had, of the steps of this execution that touched anything, only these been taken (positions, in this order;
   * EO_FOREGONE: what `process` was about to do when it was doomed; EO_NEXT: what it is about to do now), what would the
   * last of them have touched, whom doomed and told? A process that would have been doomed before its step exits in its
   * place. *out is valid until the next call. EO_OK; EO_UNFORESEEN: that is not all, and the rest cannot be told without
   * running them; EO_ENOMEM. */
  int (*foresee)(eo_subject *subject, const uint32_t *steps, uint32_t count, uint32_t process, eo_foreseen *out);
} eo_relations;

/* A facet that the subject does not have is NULL. */
typedef struct eo_view {
  eo_subject *of; /* whom the functions are asked about; NULL: there is nobody to ask */
  const eo_processes *processes;
  const eo_states *states;
  const eo_relations *relations;
} eo_view;

/* The message that the step which sent this one sent next: there is one. */
static inline eo_sent eo_next_sent(const eo_view *view, const eo_sent *sent) {
  eo_sent next = *sent;
  do next = view->relations->sent(view->of, view->relations->message(view->of, next.from, next.nth + 1));
  while (next.apart);
  return next;
}

#define EO_OBJECT_TEXT 400 /* room for the name of an object */

#endif
