/* chainrep.h: chain replication (van Renesse and Schneider, Chain Replication for Supporting High Throughput and
 * Availability, OSDI 2004): the messages, what each machine is given, and the ten variants that lack something.
 *
 * Servers form a chain. Updates enter at the head, which numbers them, and are forwarded from server to server; the
 * tail answers the client and acknowledges, and the acknowledgement goes back up the chain. Queries go to the tail. A
 * master pings the servers; when one has failed it mends the chain round it and tells clients where head and tail are.
 * Servers fail by stopping, and who contacts a stopped one can tell (the paper's fail-stop model): its transport refuses.
 *
 * With Hist(i) what server i has applied and Sent(i) what it has forwarded and not seen acknowledged, j behind i:
 *   update propagation   Hist(j) is a prefix of Hist(i)
 *   inprocess requests   Hist(i) is Hist(j) and, behind it, what of Sent(i) j has not
 * Servers are numbered in the order of the chain, which never changes: it only loses members. */
#ifndef CHAINREP_H
#define CHAINREP_H

#include "protocols.h"

enum { SERVERS = 4, CLIENTS = 3, REQUESTS = 4, KEYS = 3, NONE = 255 };

/* What a variant lacks; where `bug` is compared the comment says why it matters. */
enum {
  BUG_TRIM_BY_OWN = 1,       /* the log is trimmed by what a server has, not by what all have */
  BUG_FORGET_REQUESTS = 2,   /* only the head remembers which requests it has seen */
  BUG_QUERY_NOT_RESENT = 3,  /* after a reconfiguration only updates are sent again */
  BUG_NEW_TAIL_SILENT = 4,   /* a new tail does not answer for what it had only forwarded */
  BUG_RESEND_TOO_MUCH = 5,   /* what the new successor has already is sent again, and taken again */
  BUG_RESEND_NOTHING = 6,    /* what the failed server did not pass on is not sent again */
  BUG_CLIENTS_FIRST = 7,     /* clients hear of a new head or tail before it does */
  BUG_ANSWER_UNNUMBERED = 8, /* a client takes any answer for that to its latest query */
  BUG_ACKS_COUNTED = 9,      /* acknowledgements are counted instead of read */
  BUG_ONE_AT_A_TIME = 10     /* while the chain is mended, nobody else is expected to have failed */
};

enum {
  CHAINREP_WORLD = EVENTS_CHAINREP, /* test to all: chainrep_world */
  CHAINREP_UPDATE,                  /* client to head */
  CHAINREP_QUERY,                   /* client to tail */
  CHAINREP_UPDATED,                 /* tail to client */
  CHAINREP_ANSWER,                  /* tail to client */
  CHAINREP_FORWARD,                 /* server to successor */
  CHAINREP_ACK,                     /* server to predecessor */
  CHAINREP_PING,                    /* master to server */
  CHAINREP_PONG,
  CHAINREP_REFUSED, /* a stopped server's transport to the master, whatever that sent */
  CHAINREP_BECOME_HEAD,
  CHAINREP_BECOME_TAIL,
  CHAINREP_NEW_PREDECESSOR, /* answered by HAVE */
  CHAINREP_HAVE,
  CHAINREP_NEW_SUCCESSOR,
  CHAINREP_CONFIG,  /* master to clients: head and tail */
  CHAINREP_TICK,    /* to master: time has passed */
  CHAINREP_APPLIED, /* announced: a server has applied an update */
  CHAINREP_STABLE,  /* announced: a server knows that all have updates up to this one */
  CHAINREP_FAILED,  /* announced */
  CHAINREP_TAKEN,   /* announced: a client has taken an answer */
  CHAINREP_EVENTS
};

const char *chainrep_event_name(int event);

/* A request of a client, and an entry of a log. */
typedef struct chainrep_request {
  uint8_t client, request; /* requests of a client are numbered from 1 */
  uint8_t adds;            /* of an update */
  uint8_t key, value;
} chainrep_request;

/* All other messages. What is not used is 0. */
typedef struct chainrep_note {
  uint8_t server;   /* who says so, or who is meant */
  uint8_t other;    /* of CONFIG: the tail; of NEW_PREDECESSOR, HAVE: the predecessor */
  uint8_t sequence; /* number of an update, from 1; of PING and PONG: of the round; of ANSWER: the key's version */
  chainrep_request update; /* of FORWARD, UPDATED, ANSWER, APPLIED, TAKEN */
} chainrep_note;

/* Who there is. Given to each machine by CHAINREP_WORLD, with `self` its number among its kind. */
typedef struct chainrep_world {
  eo_pid servers[SERVERS], clients[CLIENTS], master;
  uint8_t self, bug;
} chainrep_world;

extern const eo_machine chainrep_server, chainrep_master, chainrep_client;
extern const eo_machine chainrep_propagation, chainrep_answers; /* specifications */

/* Starts everything, in a test or live. It is over when every machine rests: clients must have had their answers then. */
void chainrep_start(int bug);

/* Sends a note to a server. */
void chainrep_tell(const chainrep_world *world, int event, uint8_t server, chainrep_note note);

#endif
