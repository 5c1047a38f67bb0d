/* multipaxos_inside.h: what the files of a replica share: multipaxos.c, multipaxos_election.c. */
#ifndef MULTIPAXOS_INSIDE_H
#define MULTIPAXOS_INSIDE_H

#include "multipaxos.h"

/* Invariant: log[s % RING] is the entry of slot s, for each slot from `applied` on that this replica has accepted. */
typedef struct replica {
  log_setting setting;
  log_meet others;
  uint8_t promised;       /* ballot; its owner is the leader as far as this replica knows */
  uint8_t applied;        /* slots done: the number of the first that is not */
  uint8_t next;           /* of the leader: the first free slot */
  uint8_t first;          /* of the leader: the first slot after those of leaders before it */
  uint8_t promises;       /* of a candidate, bit r: replica r has promised */
  uint8_t accepted[RING]; /* of the leader, bit r: replica r has accepted what has this place */
  log_entry log[RING];
  log_snapshot done; /* what the applied commands led to */
} replica;

enum { FOLLOWING, ELECTING, LEADING, STOPPED };

/* ---- multipaxos.c ------------------------------------------------------------------------------------------------- */

uint8_t log_owner(uint8_t ballot); /* the replica that leads in this ballot */
bool log_empty_at(const replica *r, uint8_t slot);
void log_tell_others(replica *r, int tag, log_note note);

/* Somebody has a higher ballot: what is open here goes to its owner, who may not have heard of it. */
void log_yield(replica *r, uint8_t ballot);

void log_refuse(replica *r, uint8_t to);
log_snapshot log_take_snapshot(const replica *r);
void log_install(replica *r, const log_snapshot *snapshot);

/* ---- multipaxos_election.c: handlers ------------------------------------------------------------------------------ */

void log_elect(void *self, const eo_message *event);
void log_prepare(void *self, const eo_message *event);
void log_promised(void *self, const eo_message *event);
void log_follow_expired(void *self, const eo_message *event); /* EXPIRED, of a follower; and of the others */
void log_expired(void *self, const eo_message *event);

#endif
