/* trace.h: the execution under way as a partial order: which event happens before which.
 *
 * Fed with the events of an execution in their order, it keeps for each its vector clock, what it took and sent, what it
 * touched, and a hash that is the same in every execution in which the same happened before it. Going back to an earlier
 * depth undoes what came after. Clocks have one number per process: clock[p] is how many events of process p happened
 * before, the event itself included. */
#ifndef EO_CORE_TRACE_H
#define EO_CORE_TRACE_H

#include "base/vec.h"
#include "core/vector_clock.h"
#include "core/view.h"

#define EO_NO_EVENT UINT32_MAX

typedef struct eo_record {
  uint32_t process;
  uint32_t index;    /* events of its process before it */
  uint32_t previous; /* position of the last one of these; EO_NO_EVENT: none */
  uint32_t value;    /* of the choice */
  uint16_t op;
  uint16_t flags;             /* EO_EVENT_* */
  uint32_t nth;               /* of the receives of its process, from 0; only for a receive */
  uint32_t source;            /* position of the event that sent what it received; EO_NO_EVENT: none */
  uint32_t mail;              /* what it received or flushed, index in `mails` + 1; 0: nothing */
  uint32_t first_mail, mails; /* what it sent, in `mails` */
  uint32_t first_touch, touches;
  uint32_t first_doomed, doomed;
  uint64_t hash; /* eo__trace_event_hash */
} eo_record;

typedef struct eo_posted {
  eo_sent sent;
  uint32_t by;    /* position of the event that sent it */
  uint32_t taken; /* position of the event that took it; EO_NO_EVENT: none */
  uint32_t place; /* in the inbox of its receiver */
  bool alone;     /* so far its sender alone has sent to that receiver */
} eo_posted;

typedef struct eo_access {
  uint32_t by;      /* position */
  uint32_t written; /* index + 1 of the last access up to this one that writes; 0: none */
  bool writes;
} eo_access;

/* What a process has received, in short: so that nobody goes through a long inbox, or many receives, from the start. */
typedef struct eo_reading {
  uint32_t unread; /* all messages before this place in the inbox are taken */
  uint32_t sender; /* of every message that was received; EO_NO_PROCESS: none was; EO_SEVERAL: several, or a timeout */
  bool choosy;     /* some receive would not have taken every message */
} eo_reading;

#define EO_SEVERAL (EO_NO_PROCESS - 1)

/* What is known of a process in the execution under way. */
typedef struct eo_thread {
  uint64_t identity;           /* hash of its logical id: the same in every run */
  uint32_t last;               /* position of its last event; EO_NO_EVENT: none yet */
  uint32_t events;             /* how many it has had */
  uint32_t receives;           /* how many of them were receives */
  uint32_t spawner;            /* position of the event that spawned it, or that it began with; EO_NO_EVENT: none */
  uint32_t doomer;             /* position of the event that doomed it; EO_NO_EVENT: none */
  EO_VEC(uint32_t) inbox;      /* messages sent to it, indices in `mails` */
  eo_reading reading;          /* now */
  EO_VEC(eo_reading) readings; /* before each of its receives so far */
} eo_thread;

typedef struct eo_trace {
  eo_view view;
  bool messages_apart; /* keep message_clocks too: happens-before by messages and spawns alone */
  EO_VEC(eo_record) records;
  EO_VEC(eo_posted) mails;
  EO_VEC(eo_touch) touches;
  EO_VEC(uint32_t) doomed;
  EO_VEC(eo_thread) threads;                          /* by process number */
  EO_VEC(uint32_t) mail_of;                           /* by message number: index in `mails` + 1; 0: not sent */
  EO_VEC(struct { EO_VEC(eo_access) list; }) objects; /* by object: who touched it */
  uint32_t idle;                                      /* position of the last EO_EVENT_IDLE; EO_NO_EVENT: none */
  uint32_t stride;
  EO_VEC(uint32_t) clocks, message_clocks; /* `stride` numbers for each record */
  EO_VEC(uint32_t)
  cause; /* clock of the last event before what it touched was considered, if it
                                              touched, sent or doomed anything */
} eo_trace;

void eo__trace_init(eo_trace *trace, eo_view view, bool messages_apart);
void eo__trace_release(eo_trace *trace);

/* The next event. False: no memory. */
bool eo__trace_add(eo_trace *trace, eo_choice choice, const eo_event *event);

/* Joins to the clock those of what the step of this process, an EO_OP_SIGNAL, had to wait for. */
void eo__trace_await(const eo_trace *trace, uint32_t process, uint32_t *clock, const uint32_t *clocks);

/* Makes room for what will touch this object. False: no memory. */
bool eo__trace_know_object(eo_trace *trace, uint32_t object);

/* Back to the first `depth` events. */
void eo__trace_cut(eo_trace *trace, uint32_t depth);

/* Of the event at this position and all that happened before it. */
uint64_t eo__trace_event_hash(const eo_trace *trace, uint32_t position);

/* What the hash of an event will be, before what it touches counts: an event of `process` that comes after the event at
 * `previous` (the last one of its process, or its spawn) and takes what the one at `source` sent, each EO_NO_EVENT if
 * there is none. `value`: of a choose, or which message of its sender it takes. */
uint64_t eo__trace_foretell(const eo_trace *trace, uint32_t process, uint32_t op, uint32_t previous, uint32_t source,
                            uint32_t value);

/* Adds to such a hash what these touches meet: who wrote each object last and, where it is written, who read it since. */
uint64_t eo__trace_meets(const eo_trace *trace, uint64_t hash, const eo_touch *touches, uint32_t count);

/* The same for executions that are linearisations of one partial order, different (but for chance) for others: of all
 * events, or of those that happened before the last one and itself. */
uint64_t eo__trace_hash(const eo_trace *trace);
uint64_t eo__trace_past_hash(const eo_trace *trace);

static inline const uint32_t *eo_trace_clock(const eo_trace *trace, uint32_t position) {
  return trace->clocks.items + (size_t)position * trace->stride;
}

/* The first place in the inbox that may have a message for the process's nth receive, which may be still to come: what lies
 * before it was taken earlier. */
static inline uint32_t eo_thread_unread(const eo_thread *thread, uint32_t nth) {
  return nth < thread->readings.count ? thread->readings.items[nth].unread : thread->reading.unread;
}

/* Does this event lie in the past that a clock describes? */
static inline bool eo_clock_covers(const uint32_t *clock, const eo_record *record) {
  return clock[record->process] > record->index;
}

#endif
