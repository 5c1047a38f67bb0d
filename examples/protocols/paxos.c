/* paxos.c: single-decree Paxos, once for each of a few decrees: acceptors and proposers.
 * (Lamport: Paxos Made Simple, 2001.)
 *
 * Proposer i owns the ballots i + 1, i + 1 + PROPOSERS, ... In the first phase it asks as many acceptors as it needs to
 * promise that they take part in no lower ballot. In the second phase it asks those who promised to accept: the value of
 * the highest ballot that they have accepted, or its own if there is none. It asks the others when an answer does not come
 * in time. A value that a majority has accepted in one ballot is chosen. An acceptor that has promised more refuses, and
 * the proposer tries again with a higher ballot, a few times.
 *
 * All proposers work at the same time, each from the first decree to the last. The last of them is an auditor, who has no value
 * of its own: it finds out by the same two phases what is chosen, and asks all acceptors to accept it, so that none lacks it.
 *
 * Invariants: an acceptor never accepts in a lower ballot than it has promised or accepted in; a proposer proposes one
 * value in a ballot; all who hold a value to be chosen hold the same one.
 *
 * What the variants forget:
 *   1  that to accept is to promise: an acceptor that was not asked to promise, and accepts, still takes lower ballots;
 *   2  that no answer is not an answer: an acceptor that does not promise in time counts as one that has accepted nothing;
 *   3  a proposer that asks again begins with its own value again, but keeps the promises that it has, and so may forget
 *      what a promiser had accepted. */
#include "paxos.h"

#include <string.h>

#include "wire.h"

enum { ACCEPT_WITHOUT_PROMISE = 1, SILENCE_COUNTS, VALUE_FORGOTTEN };

const char *paxos_event_name(int event) {
  static const char *const names[] = {"MEET", "PREPARE", "PROMISE", "ACCEPT", "ACCEPTED", "REFUSED", "VOTED", "KNOWN"};
  if (event == EXPIRED) return "EXPIRED";
  return event >= PAXOS_MEET && event <= PAXOS_KNOWN ? names[event - PAXOS_MEET] : NULL;
}

/* ---- Acceptor ----------------------------------------------------------------------------------------------------- */

typedef struct seat {
  uint8_t promised, accepted, value;
} seat;

typedef struct acceptor {
  paxos_acceptor_setting setting;
  eo_pid proposers[PROPOSERS];
  seat votes[DECREES];
} acceptor;

static void acceptor_start(void *self, const eo_message *event) {
  ((acceptor *)self)->setting = *(const paxos_acceptor_setting *)event->data;
}

static void acceptor_meet(void *self, const eo_message *event) {
  memcpy(((acceptor *)self)->proposers, event->data, event->size);
}

static void answer(acceptor *a, int tag, paxos_note note) {
  note.acceptor = a->setting.index;
  wire_send(a->proposers[note.proposer], tag, &note, sizeof note);
}

static void acceptor_prepare(void *self, const eo_message *event) {
  acceptor *a = self;
  paxos_note note = *(const paxos_note *)event->data;
  seat *vote = &a->votes[note.decree];
  if (note.ballot < vote->promised) {
    note.accepted = vote->promised;
    answer(a, PAXOS_REFUSED, note);
    return;
  }
  note.value = vote->value;
  note.accepted = vote->accepted;
  vote->promised = note.ballot;
  answer(a, PAXOS_PROMISE, note);
}

static void acceptor_accept(void *self, const eo_message *event) {
  acceptor *a = self;
  paxos_note note = *(const paxos_note *)event->data;
  seat *vote = &a->votes[note.decree];
  if (note.ballot < vote->promised) {
    note.accepted = vote->promised;
    answer(a, PAXOS_REFUSED, note);
    return;
  }
  /* Variant 1: "promises are made when they are asked for". */
  if (a->setting.bug != ACCEPT_WITHOUT_PROMISE) vote->promised = note.ballot;
  vote->accepted = note.ballot;
  vote->value = note.value;
  note.acceptor = a->setting.index;
  eo_announce(PAXOS_VOTED, &note, sizeof note);
  answer(a, PAXOS_ACCEPTED, note);
}

static void acceptor_again(void *self, const eo_message *event) {
  (void)self;
  wire_repeat(event->data);
}

const eo_machine paxos_acceptor = {
    .name = "acceptor",
    EO_VARIABLES(acceptor),
    .event_name = paxos_event_name,
    EO_STATES({.name = "voting",
               .entry = acceptor_start,
               .on = EO_ON(EO_DO(PAXOS_MEET, acceptor_meet), EO_DO(PAXOS_PREPARE, acceptor_prepare),
                           EO_DO(PAXOS_ACCEPT, acceptor_accept), EO_DO(EXPIRED, acceptor_again))})};

/* ---- Proposer ----------------------------------------------------------------------------------------------------- */

typedef struct proposer {
  paxos_proposer_setting setting;
  uint8_t decree, round, ballot;
  uint8_t value, value_ballot;       /* to propose; the ballot in which a promiser has accepted it */
  uint8_t asked, promised, accepted; /* bit a: acceptor a */
} proposer;

enum { STARTING, PREPARING, PROPOSING, DONE };

static void proposer_start(void *self, const eo_message *event) {
  ((proposer *)self)->setting = *(const paxos_proposer_setting *)event->data;
}

static void ask(proposer *p, int to, int tag) {
  paxos_note note = {p->decree, p->ballot, (uint8_t)to, tag == PAXOS_ACCEPT ? p->value : 0, 0, p->setting.index};
  p->asked |= (uint8_t)(1u << to);
  wire_send(p->setting.acceptors[to], tag, &note, sizeof note);
}

static void ask_others(proposer *p, int tag) {
  for (int i = 0; i < ACCEPTORS; i++)
    if (!(p->asked & 1u << i)) ask(p, i, tag);
}

static void take_own_value(proposer *p) {
  p->value = p->setting.index == AUDITOR ? 0 : (uint8_t)(10 * (p->decree + 1) + p->setting.index);
  p->value_ballot = 0;
}

static void prepare(void *self, const eo_message *event) {
  proposer *p = self;
  (void)event;
  p->ballot = (uint8_t)(p->round * PROPOSERS + p->setting.index + 1);
  p->promised = p->accepted = p->asked = 0;
  take_own_value(p);
  for (int i = 0; i < MAJORITY; i++) ask(p, (p->setting.index + i) % ACCEPTORS, PAXOS_PREPARE);
}

static void propose(void *self, const eo_message *event) {
  proposer *p = self;
  (void)event;
  p->asked = 0;
  for (int i = 0; i < ACCEPTORS; i++)
    if (p->promised & 1u << i) ask(p, i, PAXOS_ACCEPT);
  if (p->setting.index == AUDITOR) ask_others(p, PAXOS_ACCEPT);
}

/* It has a value chosen for this decree, or gives up. */
static void go_on(void *self) {
  proposer *p = self;
  p->decree++;
  p->round = 0;
  eo_goto(self, p->decree < DECREES ? PREPARING : DONE, NULL, 0);
}

static bool current(const proposer *p, const paxos_note *note) {
  return note->decree == p->decree && note->ballot == p->ballot;
}

static void add_promise(void *self, uint8_t acceptor_index) {
  proposer *p = self;
  p->promised |= (uint8_t)(1u << acceptor_index);
  if (__builtin_popcount(p->promised) < MAJORITY) return;
  if (p->value)
    eo_goto(self, PROPOSING, NULL, 0);
  else
    go_on(self); /* an audit, and nothing is chosen */
}

static void promise(void *self, const eo_message *event) {
  proposer *p = self;
  const paxos_note *note = event->data;
  if (!current(p, note)) return;
  if (note->value && note->accepted > p->value_ballot) {
    p->value = note->value;
    p->value_ballot = note->accepted;
  }
  add_promise(self, note->acceptor);
}

static void accepted(void *self, const eo_message *event) {
  proposer *p = self;
  const paxos_note *note = event->data;
  if (!current(p, note)) return;
  p->accepted |= (uint8_t)(1u << note->acceptor);
  if (__builtin_popcount(p->accepted) < MAJORITY) return;
  paxos_note chosen = {p->decree, p->ballot, 0, p->value, 0, p->setting.index};
  eo_announce(PAXOS_KNOWN, &chosen, sizeof chosen);
  go_on(self);
}

static void refused(void *self, const eo_message *event) {
  proposer *p = self;
  if (!current(p, event->data)) return;
  if (++p->round == ROUNDS)
    go_on(self);
  else
    eo_goto(self, PREPARING, NULL, 0);
}

/* No answer in time to what it asks now? Then it asks once more, and those that it left out. */
static bool is_missing(const proposer *p, const parcel *held, int tag, uint8_t answered, paxos_note *note) {
  memcpy(note, held->data, sizeof *note);
  return current(p, note) && held->tag == tag && !(answered & 1u << note->acceptor);
}

static void prepare_expired(void *self, const eo_message *event) {
  proposer *p = self;
  paxos_note note;
  if (!is_missing(p, event->data, PAXOS_PREPARE, p->promised, &note)) return;
  /* Variant 2: "who is silent has nothing to say". */
  if (p->setting.bug == SILENCE_COUNTS) {
    add_promise(self, note.acceptor);
    return;
  }
  /* Variant 3: "to ask again is to begin again". */
  if (p->setting.bug == VALUE_FORGOTTEN) take_own_value(p);
  ask(p, note.acceptor, PAXOS_PREPARE);
  ask_others(p, PAXOS_PREPARE);
}

static void accept_expired(void *self, const eo_message *event) {
  proposer *p = self;
  paxos_note note;
  if (!is_missing(p, event->data, PAXOS_ACCEPT, p->accepted, &note)) return;
  ask(p, note.acceptor, PAXOS_ACCEPT);
  ask_others(p, PAXOS_ACCEPT);
}

const eo_machine paxos_proposer = {
    .name = "proposer",
    EO_VARIABLES(proposer),
    .start = STARTING,
    .event_name = paxos_event_name,
    EO_STATES([STARTING] = {.name = "starting", .entry = proposer_start, .on = EO_ON(EO_GOTO(PAXOS_MEET, PREPARING))},
              [PREPARING] = {.name = "preparing",
                             .entry = prepare,
                             .on = EO_ON(EO_DO(PAXOS_PROMISE, promise), EO_DO(PAXOS_REFUSED, refused),
                                         EO_DO(EXPIRED, prepare_expired), EO_IGNORE(PAXOS_ACCEPTED))},
              [PROPOSING] = {.name = "proposing",
                             .entry = propose,
                             .on = EO_ON(EO_DO(PAXOS_ACCEPTED, accepted), EO_DO(PAXOS_REFUSED, refused),
                                         EO_DO(EXPIRED, accept_expired), EO_IGNORE(PAXOS_PROMISE))},
              [DONE] = {.name = "done",
                        .on = EO_ON(EO_IGNORE(EXPIRED), EO_IGNORE(PAXOS_PROMISE), EO_IGNORE(PAXOS_ACCEPTED),
                                    EO_IGNORE(PAXOS_REFUSED))})};
