/* subject.h: the seam to what is under test. A subject is a state, the choices from it, and what each choice does. */
#ifndef EO_CORE_SUBJECT_H
#define EO_CORE_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "core/finding.h"

#define EO_NO_PROCESS UINT32_MAX

/* One way to go on. Two choices are the same one exactly when process and value are equal. */
typedef struct eo_choice {
  uint32_t process; /* number of the process: stable over all executions of a run */
  uint32_t value;   /* of a choose; else 0 */
  uint16_t op;      /* kind of its pending operation, as in eo_op_name */
  uint16_t kind;    /* 0: run the process. Deliveries and faults will be further kinds. */
} eo_choice;

/* What a step did. Deterministic: the same choices give the same events. */
typedef struct eo_event {
  uint32_t process;
  uint16_t op;
  uint16_t flags;   /* EO_EVENT_* */
  uint32_t other;   /* process acted on: child, receiver, sender of the message received; EO_NO_PROCESS: none */
  uint32_t message; /* serial number of the (first) message sent or received in this execution, from 1; 0: none */
  uint32_t sent;    /* how many messages the step sent; more than 1 only at an exit */
} eo_event;

enum {
  EO_EVENT_TIMEOUT = 1, /* a receive that timed out */
  EO_EVENT_FAILED = 2   /* the step ended the execution with a failure */
};

/* Fills a choice in two stores, as it will be read: with one store for each field, reading it back would stall. */
static inline void eo_choice_set(eo_choice *choice, uint32_t process, uint32_t value, uint16_t op) {
  _Static_assert(sizeof(eo_choice) == 12, "two words");
  uint64_t who = process | (uint64_t)value << 32;
  uint32_t what = op;
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

  /* Takes one choice that is enabled here. False: it led to a failure. *event lies behind the events of the steps before
   * it in this execution: event[-1] is the last one's. (So nobody has to copy or keep them twice.) */
  bool (*step)(eo_subject *subject, eo_choice choice, eo_event *event);

  /* Called when enabled gave 0: false if this end is a failure (a deadlock, a leak). */
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

  /* Optional (all or none). A saved state may be restored any number of times until it is forgotten; NULL from `save`: it
   * cannot be done here and now, or there is no memory. `cost` is about
   * how many steps' time one save or restore takes now. */
  void *(*save)(eo_subject *subject);
  void (*restore)(eo_subject *subject, void *saved);
  void (*forget)(eo_subject *subject, void *saved);
  uint32_t (*cost)(eo_subject *subject);
  void (*fingerprint)(eo_subject *subject, uint64_t hash[2]);
} eo_subject_ops;

/* Subjects begin with this. */
struct eo_subject {
  const eo_subject_ops *ops;
};

#endif
