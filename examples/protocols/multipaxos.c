/* multipaxos.c: Multi-Paxos: replicas that agree on a log of commands and do them in this order.
 * (Lamport: Paxos Made Simple, section 3; Chandra, Griesemer, Redstone: Paxos Made Live, PODC 2007.)
 *
 * The leader gives each command the next slot and asks the others to accept it in its ballot; when a majority has, the
 * command is chosen, the leader does it, answers the client, and tells the others how far the log is chosen: at once, or
 * with the next command. A replica that does not hear from its leader in time (wire.h) prepares a higher ballot of its own
 * (multipaxos_election.c): a majority must promise it, and report what it has accepted and not yet done, which the new
 * leader proposes once more before anything else.
 *
 * The log is a ring: an entry that is done gives way to the one RING slots later. A replica that has fallen behind what
 * the others still have gets a snapshot. A client may ask twice; a command is done once, by its number.
 *
 * Invariants: a slot has one command, on all replicas; a replica does what a majority has accepted, in order, once.
 *
 * What the variants forget:
 *   1  that the open part of the ring may go round its end: a promise reports only what stands before it;
 *   2  that a command can reach the log twice, from the log of the leader that was and from that leader: it is done twice;
 *   3  that the number of a ticket is known only when it is given: the leader puts it on the command that it proposes,
 *      the one after those given and those it has itself proposed, and overlooks what it has taken over. */
#include "multipaxos_inside.h"

#include <string.h>

#include "wire.h"

const char *log_event_name(int event) {
  static const char *const names[] = {"MEET",    "REQUEST", "REPLY", "PREPARE",  "PROMISE", "ACCEPT", "ACCEPTED",
                                      "REFUSED", "COMMIT",  "FETCH", "SNAPSHOT", "STOP",    "GIVEN"};
  if (event == EXPIRED) return "EXPIRED";
  return event >= LOG_MEET && event <= LOG_GIVEN ? names[event - LOG_MEET] : NULL;
}

static const log_service *service_of(const replica *r) {
  return r->setting.service == SERVICE_STORE ? &log_store_service : &log_branch_service;
}

uint8_t log_owner(uint8_t ballot) { return (uint8_t)((ballot - 1) % REPLICAS); }

bool log_empty_at(const replica *r, uint8_t slot) {
  const log_entry *entry = &r->log[slot % RING];
  return entry->ballot == 0 || entry->slot != slot;
}

static void follow_start(void *self, const eo_message *event) {
  replica *r = self;
  if (event->tag != EO_CREATED) return;
  r->setting = *(const log_setting *)event->data;
  r->promised = 1;
  service_of(r)->start(r->done.data);
}

static void meet(void *self, const eo_message *event) {
  replica *r = self;
  r->others = *(const log_meet *)event->data;
  if (log_owner(r->promised) == r->setting.index) eo_goto(self, LEADING, NULL, 0);
}

static void tell(replica *r, uint8_t to, int tag, log_note note) {
  note.from = r->setting.index;
  wire_send_watched(r->others.replicas[to], tag, &note, sizeof note);
}

void log_tell_others(replica *r, int tag, log_note note) {
  for (uint8_t i = 1; i < REPLICAS; i++) tell(r, (uint8_t)((r->setting.index + i) % REPLICAS), tag, note);
}

/* ---- Doing what is chosen ----------------------------------------------------------------------------------------- */

/* Variant 2: "leaders see to it that nothing is in the log twice"; and in lead_request, "what is not done is not there". */
static void apply(replica *r) {
  const log_entry *entry = &r->log[r->applied % RING];
  log_reply *reply = &r->done.replies[entry->command.client];
  if (entry->command.client && (entry->command.number > reply->number || r->setting.bug == LOG_NOT_ONCE)) {
    memset(reply, 0, sizeof *reply);
    reply->client = entry->command.client;
    reply->number = entry->command.number;
    reply->group = r->setting.group;
    service_of(r)->apply(r->done.data, &entry->command, r->setting.index, r->setting.service_bug, reply);
  }
  r->applied++;
}

static void reply(replica *r, uint8_t client) {
  if (client) wire_send(r->others.clients[client], LOG_REPLY, &r->done.replies[client], sizeof r->done.replies[client]);
}

/* ---- Leader ------------------------------------------------------------------------------------------------------- */

static void propose(replica *r, uint8_t slot, const log_command *command) {
  log_entry *entry = &r->log[slot % RING];
  *entry = (log_entry){r->promised, slot, *command};
  r->accepted[slot % RING] = (uint8_t)(1u << r->setting.index);
  log_tell_others(r, LOG_ACCEPT, (log_note){r->promised, slot, 0, r->applied, *command});
}

static void lead(void *self, const eo_message *event) {
  replica *r = self;
  (void)event;
  r->next = r->applied;
  for (uint8_t slot = r->applied; slot < r->applied + RING; slot++)
    if (!log_empty_at(r, slot)) r->next = (uint8_t)(slot + 1);
  uint8_t end = r->first = r->next;
  for (uint8_t slot = r->applied; slot < end; slot++) {
    log_command command = {0};
    if (!log_empty_at(r, slot)) command = r->log[slot % RING].command;
    propose(r, slot, &command);
  }
}

static bool is_open(const replica *r, const log_command *command) {
  for (uint8_t slot = r->applied; slot < r->next; slot++) {
    const log_command *other = &r->log[slot % RING].command;
    if (other->client == command->client && other->number == command->number) return true;
  }
  return false;
}

/* Of variant 3: how many commands it has proposed itself that are not done. "Those before mine are done". */
static int open_own(const replica *r) { return r->next - (r->first > r->applied ? r->first : r->applied); }

static void lead_request(void *self, const eo_message *event) {
  replica *r = self;
  log_command command = *(const log_command *)event->data;
  if (command.number <= r->done.replies[command.client].number)
    reply(r, command.client);
  else if (!is_open(r, &command) || r->setting.bug == LOG_NOT_ONCE) {
    eo_assert(r->next - r->applied < RING, "the ring is full");
    if (r->setting.bug == LOG_STAMP_OWN) service_of(r)->stamp(r->done.data, open_own(r), &command);
    propose(r, r->next++, &command);
  }
}

static void lead_accepted(void *self, const eo_message *event) {
  replica *r = self;
  const log_note *note = event->data;
  if (note->ballot != r->promised) return;
  if (r->log[note->slot % RING].slot != note->slot) return;
  r->accepted[note->slot % RING] |= (uint8_t)(1u << note->from);
  uint8_t before = r->applied;
  while (r->applied < r->next && __builtin_popcount(r->accepted[r->applied % RING]) >= QUORUM) {
    log_entry entry = r->log[r->applied % RING];
    apply(r);
    reply(r, entry.command.client);
  }
  if (r->applied == before || r->others.lazy) return;
  log_tell_others(r, LOG_COMMIT, (log_note){.ballot = r->promised, .commit = r->applied});
}

void log_yield(replica *r, uint8_t ballot) {
  uint8_t end = r->next;
  r->promised = ballot;
  r->next = 0;
  for (uint8_t slot = r->applied; slot < end; slot++) {
    log_command command = r->log[slot % RING].command;
    if (command.client) wire_send(r->others.replicas[log_owner(ballot)], LOG_REQUEST, &command, sizeof command);
  }
}

/* ---- Follower ----------------------------------------------------------------------------------------------------- */

void log_refuse(replica *r, uint8_t to) {
  log_note note = {.ballot = r->promised, .from = r->setting.index};
  wire_send(r->others.replicas[to], LOG_REFUSED, &note, sizeof note);
}

static void refused(void *self, const eo_message *event) {
  replica *r = self;
  const log_note *note = event->data;
  if (note->ballot <= r->promised) return;
  log_yield(r, note->ballot);
  eo_goto(self, FOLLOWING, NULL, 0);
}

static void fetch(replica *r, uint8_t from) {
  log_note note = {.from = r->setting.index};
  wire_send(r->others.replicas[from], LOG_FETCH, &note, sizeof note);
}

static void do_chosen(replica *r, const log_note *note) {
  while (r->applied < note->commit && !log_empty_at(r, r->applied) && r->log[r->applied % RING].ballot == note->ballot)
    apply(r);
  if (r->applied < note->commit) fetch(r, note->from);
}

static void accept(void *self, const eo_message *event) {
  replica *r = self;
  log_note note = *(const log_note *)event->data;
  if (note.ballot < r->promised) {
    log_refuse(r, note.from);
    return;
  }
  bool higher = note.ballot > r->promised;
  if (higher) log_yield(r, note.ballot);
  if (r->others.lazy) do_chosen(r, &note);
  if (note.slot >= r->applied + RING) {
    fetch(r, note.from);
  } else {
    log_entry entry = {note.ballot, note.slot, note.command};
    if (note.slot >= r->applied) r->log[note.slot % RING] = entry;
    tell(r, note.from, LOG_ACCEPTED, note);
  }
  if (higher) eo_goto(self, FOLLOWING, NULL, 0);
}

static void commit(void *self, const eo_message *event) {
  replica *r = self;
  const log_note *note = event->data;
  if (note->ballot >= r->promised) do_chosen(r, note);
}

static void forward(void *self, const eo_message *event) {
  const replica *r = self;
  wire_send(r->others.replicas[log_owner(r->promised)], LOG_REQUEST, event->data, event->size);
}

log_snapshot log_take_snapshot(const replica *r) {
  log_snapshot snapshot = r->done;
  snapshot.applied = r->applied;
  return snapshot;
}

static void fetched(void *self, const eo_message *event) {
  const replica *r = self;
  const log_note *note = event->data;
  log_snapshot snapshot = log_take_snapshot(r);
  wire_send(r->others.replicas[note->from], LOG_SNAPSHOT, &snapshot, sizeof snapshot);
}

void log_install(replica *r, const log_snapshot *snapshot) {
  if (snapshot->applied <= r->applied) return;
  r->applied = snapshot->applied;
  r->done = *snapshot;
  r->done.applied = 0;
}

static void install(void *self, const eo_message *event) { log_install(self, event->data); }

/* ---- Replica ------------------------------------------------------------------------------------------------------ */

static void stop(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
}

#define REPLICA_ALWAYS                                                                                                \
  EO_DO(LOG_ACCEPT, accept), EO_DO(LOG_PREPARE, log_prepare), EO_DO(LOG_REFUSED, refused), EO_DO(LOG_FETCH, fetched), \
      EO_DO(LOG_SNAPSHOT, install), EO_GOTO(LOG_STOP, STOPPED)

const eo_machine log_replica = {
    .name = "replica",
    EO_VARIABLES(replica),
    .start = FOLLOWING,
    .event_name = log_event_name,
    EO_STATES([FOLLOWING] = {.name = "following",
                             .entry = follow_start,
                             .on = EO_ON(REPLICA_ALWAYS, EO_DO(LOG_MEET, meet), EO_DO(LOG_REQUEST, forward),
                                         EO_DO(LOG_COMMIT, commit), EO_IGNORE(LOG_PROMISE), EO_IGNORE(LOG_ACCEPTED),
                                         EO_DO(EXPIRED, log_follow_expired))},
              [ELECTING] = {.name = "electing",
                            .entry = log_elect,
                            .on = EO_ON(REPLICA_ALWAYS, EO_DEFER(LOG_REQUEST), EO_IGNORE(LOG_COMMIT),
                                        EO_DO(LOG_PROMISE, log_promised), EO_IGNORE(LOG_ACCEPTED),
                                        EO_DO(EXPIRED, log_expired))},
              [LEADING] = {.name = "leading",
                           .entry = lead,
                           .on = EO_ON(REPLICA_ALWAYS, EO_DO(LOG_REQUEST, lead_request), EO_IGNORE(LOG_COMMIT),
                                       EO_IGNORE(LOG_PROMISE), EO_DO(LOG_ACCEPTED, lead_accepted),
                                       EO_DO(EXPIRED, log_expired))},
              [STOPPED] = {.name = "stopped", .entry = stop})};
