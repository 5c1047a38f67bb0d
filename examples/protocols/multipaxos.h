/* multipaxos.h: a log that replicas agree on, and services that do what stands in it (multipaxos.c). */
#ifndef MULTIPAXOS_H
#define MULTIPAXOS_H

#include "protocols.h"

enum { REPLICAS = 3, QUORUM = 2, RING = 4, LOG_CLIENTS = 2, SERVICE_MAX = 24 };

enum {
  LOG_MEET = EVENTS_MULTIPAXOS, /* test to replica: a log_meet */
  LOG_REQUEST,                  /* client to replica, replica to replica: a log_command */
  LOG_REPLY,                    /* a log_reply */
  LOG_PREPARE,                  /* candidate to replica: a log_note */
  LOG_PROMISE,                  /* a log_promise */
  LOG_ACCEPT,                   /* leader to replica: a log_note */
  LOG_ACCEPTED,
  LOG_REFUSED,
  LOG_COMMIT,   /* leader to replica */
  LOG_FETCH,    /* replica to leader: it lacks something */
  LOG_SNAPSHOT, /* a log_snapshot */
  LOG_STOP,
  LOG_GIVEN /* announced: a replica has given a ticket, a log_given */
};

/* What a client wants; client 0: nothing, a slot that had to be filled. The service knows what kind and body mean. */
typedef struct log_command {
  uint8_t client, number, kind, group;
  uint8_t body[8];
} log_command;

typedef struct log_reply {
  uint8_t client, number, kind, group;
  uint8_t body[8];
} log_reply;

typedef struct log_note {
  uint8_t ballot, slot, from, commit;
  log_command command;
} log_note;

typedef struct log_entry {
  uint8_t ballot, slot; /* ballot 0: empty */
  log_command command;
} log_entry;

typedef struct log_snapshot {
  uint8_t applied; /* slots */
  log_reply replies[LOG_CLIENTS + 1];
  _Alignas(4) uint8_t data[SERVICE_MAX];
} log_snapshot;

typedef struct log_promise {
  uint8_t ballot, from;
  log_entry entries[RING]; /* all it has accepted and not applied */
  log_snapshot snapshot;   /* what it has applied, if the candidate has less; else all zero */
} log_promise;

typedef struct log_given {
  uint8_t ticket, client, number, replica;
} log_given;

typedef struct log_meet {
  eo_pid replicas[REPLICAS];
  eo_pid clients[LOG_CLIENTS + 1];
  uint8_t lazy; /* a leader tells how far the log is chosen only with what it asks to accept next */
} log_meet;

/* What the commands are done to. `apply` may announce, and does nothing else that others notice. `stamp`, for a variant of the
 * log that does so, completes a command before the leader proposes it; `open` others come before it. */
typedef struct log_service {
  void (*start)(void *data);
  void (*stamp)(const void *data, int open, log_command *command);
  void (*apply)(void *data, const log_command *command, int replica, int bug, log_reply *reply);
} log_service;

enum { SERVICE_STORE, SERVICE_BRANCH };

/* What the variants forget: see multipaxos.c. */
enum { LOG_PROMISE_CUT = 1, LOG_NOT_ONCE, LOG_STAMP_OWN };
extern const log_service log_store_service, log_branch_service; /* multipaxos_test.c, tms.c */

typedef struct log_setting {
  uint8_t index, group, bug, service, service_bug;
} log_setting;

extern const eo_machine log_replica; /* created with a log_setting */

const char *log_event_name(int event);

#endif
