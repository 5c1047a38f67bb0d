/* paxos.c: single-decree Paxos, once for each of a few decrees: acceptors and proposers.
 * (Lamport: Paxos Made Simple, 2001.)
 *
 * Proposer i owns the ballots i + 1, i + 4, i + 7, ... In the first phase it asks as many acceptors as it needs to
 * promise that they take part in no lower ballot; it asks the others when an answer does not come in time. In the second
 * phase it asks all acceptors to accept: the value of the highest ballot that those who promised have accepted, or its
 * own if there is none. A value that a majority has accepted in one ballot is chosen. An acceptor that has promised more
 * refuses, and the proposer tries again with a higher ballot, a few times.
 *
 * Invariants: an acceptor never accepts in a lower ballot than it has promised or accepted in; a proposer proposes one
 * value in a ballot; all who hold a value to be chosen hold the same one. */
#include "paxos.h"

#include <string.h>

#include "wire.h"

const char *paxos_event_name(int event) {
  static const char *const names[] = {"MEET", "PREPARE", "PROMISE", "ACCEPT", "ACCEPTED", "REFUSED", "CHOSEN",
                                      "DONE", "READ",    "VALUE",   "STOP",   "TOOK",     "KNOWN"};
  if (event == EXPIRED) return "EXPIRED";
  return event >= PAXOS_MEET && event <= PAXOS_KNOWN ? names[event - PAXOS_MEET] : NULL;
}

static void halt(void *self, const eo_message *event) {
  (void)event;
  eo_halt(self);
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
  wire_send(&a->setting.allowance, a->proposers[note.proposer], tag, &note, sizeof note);
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
  vote->promised = note.ballot;
  note.value = vote->value;
  note.accepted = vote->accepted;
  if (a->setting.bug == 8) vote->value = 0, vote->accepted = 0;
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
  if (a->setting.bug != 1) vote->promised = note.ballot;
  vote->accepted = note.ballot;
  vote->value = note.value;
  note.acceptor = a->setting.index;
  eo_announce(PAXOS_TOOK, &note, sizeof note);
  answer(a, PAXOS_ACCEPTED, note);
}

static void again(void *self, const eo_message *event) {
  const parcel *held = event->data;
  (void)self;
  eo_send(held->to, held->tag, held->data, held->size);
}

const eo_machine paxos_acceptor = {
    .name = "acceptor",
    .size = sizeof(acceptor),
    .event_name = paxos_event_name,
    EO_STATES({.name = "voting",
               .entry = acceptor_start,
               .on = EO_ON(EO_DO(PAXOS_MEET, acceptor_meet), EO_DO(PAXOS_PREPARE, acceptor_prepare),
                           EO_DO(PAXOS_ACCEPT, acceptor_accept), EO_DO(EXPIRED, again), EO_GOTO(PAXOS_STOP, 1))},
              {.name = "stopped", .entry = halt})};

/* ---- Proposer ----------------------------------------------------------------------------------------------------- */

typedef struct proposer {
  paxos_proposer_setting setting;
  eo_pid proposers[PROPOSERS];
  uint8_t chosen[DECREES]; /* 0: not known */
  uint8_t decree, round, ballot;
  uint8_t value, value_ballot;       /* to propose; the highest ballot in which a promiser has accepted it */
  uint8_t asked, promised, accepted; /* bit a: acceptor a */
  uint8_t promises, acceptances;     /* how many came, for the variants that count */
} proposer;

enum { FOLLOWING, PREPARING, PROPOSING };

static void proposer_start(void *self, const eo_message *event) {
  proposer *p = self;
  if (event->tag == EO_CREATED) p->setting = *(const paxos_proposer_setting *)event->data;
}

static uint8_t own_value(const proposer *p) { return (uint8_t)(10 * (p->decree + 1) + p->setting.index + 1); }

static void ask(proposer *p, uint8_t to, int tag, uint8_t value) {
  paxos_note note = {p->decree, p->ballot, to, value, 0, p->setting.index};
  wire_send(&p->setting.allowance, p->setting.acceptors[to], tag, &note, sizeof note);
}

static void prepare(void *self, const eo_message *event) {
  proposer *p = self;
  (void)event;
  p->ballot = (uint8_t)(p->round * PROPOSERS + p->setting.index + 1);
  p->promised = p->accepted = p->promises = p->acceptances = 0;
  p->value = own_value(p);
  p->value_ballot = 0;
  p->asked = 0;
  for (int i = 0; i < MAJORITY; i++) {
    uint8_t to = (uint8_t)((p->setting.index + i) % ACCEPTORS);
    p->asked |= (uint8_t)(1u << to);
    ask(p, to, PAXOS_PREPARE, 0);
  }
}

static void propose(void *self, const eo_message *event) {
  proposer *p = self;
  (void)event;
  for (int i = 0; i < ACCEPTORS; i++) ask(p, (uint8_t)((p->setting.index + i) % ACCEPTORS), PAXOS_ACCEPT, p->value);
}

static bool current(const proposer *p, const paxos_note *note) {
  return note->decree == p->decree && note->ballot == p->ballot;
}

static void promise(void *self, const eo_message *event) {
  proposer *p = self;
  const paxos_note *note = event->data;
  if (!current(p, note) && !(p->setting.bug == 3 && note->decree == p->decree)) return;
  p->promised |= (uint8_t)(1u << note->acceptor);
  p->promises++;
  if (note->value && (note->accepted > p->value_ballot || p->setting.bug == 5)) {
    p->value = note->value;
    p->value_ballot = note->accepted;
  }
  if ((p->setting.bug == 2 ? p->promises : __builtin_popcount(p->promised)) >= MAJORITY)
    eo_goto(self, PROPOSING, NULL, 0);
}

/* Takes the next decree that is this proposer's business: the leader proposes for all, others compete for the last. */
static void go_on(void *self) {
  proposer *p = self;
  p->decree++;
  p->round = 0;
  if (p->decree < DECREES) {
    eo_goto(self, PREPARING, NULL, 0);
    return;
  }
  eo_send(p->setting.test, PAXOS_DONE, NULL, 0);
  eo_goto(self, FOLLOWING, NULL, 0);
}

static void know(proposer *p, uint8_t decree, uint8_t value) {
  paxos_note note = {decree, 0, 0, value, 0, p->setting.index};
  p->chosen[decree] = value;
  eo_announce(PAXOS_KNOWN, &note, sizeof note);
}

static void accepted(void *self, const eo_message *event) {
  proposer *p = self;
  const paxos_note *note = event->data;
  if (!current(p, note) && !(p->setting.bug == 4 && note->decree == p->decree)) return;
  p->accepted |= (uint8_t)(1u << note->acceptor);
  p->acceptances++;
  if ((p->setting.bug == 7 ? p->acceptances : __builtin_popcount(p->accepted)) < MAJORITY) return;
  know(p, p->decree, p->value);
  paxos_note chosen = {p->decree, p->ballot, 0, p->value, 0, p->setting.index};
  for (int i = 0; i < PROPOSERS; i++)
    if (i != p->setting.index) eo_send(p->proposers[i], PAXOS_CHOSEN, &chosen, sizeof chosen);
  go_on(self);
}

static void refused(void *self, const eo_message *event) {
  proposer *p = self;
  const paxos_note *note = event->data;
  if (!current(p, note)) return;
  if (++p->round == ROUNDS) {
    go_on(self);
    return;
  }
  eo_goto(self, PREPARING, NULL, 0);
}

/* Another proposer has a value chosen. */
static void learn(void *self, const eo_message *event) {
  proposer *p = self;
  const paxos_note *note = event->data;
  know(p, note->decree, note->value);
  if (note->decree == p->decree && p->decree == DECREES - 1) {
    go_on(self);
  } else if (note->decree == DECREES - 2 && p->setting.index != LEADER) {
    p->decree = DECREES - 1;
    eo_goto(self, PREPARING, NULL, 0);
  }
}

static void learn_only(void *self, const eo_message *event) {
  const paxos_note *note = event->data;
  proposer *p = self;
  if (note->decree == DECREES - 2 && p->setting.index != LEADER)
    learn(self, event);
  else
    know(self, note->decree, note->value);
}

static void proposer_meet(void *self, const eo_message *event) {
  proposer *p = self;
  memcpy(p->proposers, event->data, event->size);
  if (p->setting.index == LEADER) eo_goto(self, PREPARING, NULL, 0);
}

/* No answer in time: asks again, and everyone else too. */
static void expired(void *self, const eo_message *event) {
  proposer *p = self;
  const parcel *held = event->data;
  paxos_note note;
  memcpy(&note, held->data, sizeof note);
  if (!current(p, &note)) return;
  if (held->tag == PAXOS_PREPARE && !(p->promised & 1u << note.acceptor)) {
    ask(p, note.acceptor, PAXOS_PREPARE, 0);
    for (uint8_t i = 0; i < ACCEPTORS; i++)
      if (!(p->asked & 1u << i)) {
        p->asked |= (uint8_t)(1u << i);
        ask(p, i, PAXOS_PREPARE, 0);
      }
  }
  if (held->tag == PAXOS_ACCEPT && !(p->accepted & 1u << note.acceptor))
    ask(p, note.acceptor, PAXOS_ACCEPT, note.value);
}

static void proposer_read(void *self, const eo_message *event) {
  const proposer *p = self;
  paxos_note note = *(const paxos_note *)event->data;
  note.value = p->chosen[note.decree];
  eo_send(event->from, PAXOS_VALUE, &note, sizeof note);
}

#define PROPOSER_LATE EO_IGNORE(EXPIRED), EO_IGNORE(PAXOS_PROMISE), EO_IGNORE(PAXOS_ACCEPTED), EO_IGNORE(PAXOS_REFUSED)

const eo_machine paxos_proposer = {
    .name = "proposer",
    .size = sizeof(proposer),
    .start = FOLLOWING,
    .event_name = paxos_event_name,
    EO_STATES([FOLLOWING] = {.name = "following",
                             .entry = proposer_start,
                             .on = EO_ON(EO_DO(PAXOS_MEET, proposer_meet), EO_DO(PAXOS_CHOSEN, learn_only),
                                         EO_DO(PAXOS_READ, proposer_read), PROPOSER_LATE, EO_GOTO(PAXOS_STOP, 3))},
              [PREPARING] = {.name = "preparing",
                             .entry = prepare,
                             .on = EO_ON(EO_DO(PAXOS_PROMISE, promise), EO_DO(PAXOS_REFUSED, refused),
                                         EO_DO(PAXOS_CHOSEN, learn), EO_DO(EXPIRED, expired), EO_IGNORE(PAXOS_ACCEPTED),
                                         EO_DO(PAXOS_READ, proposer_read))},
              [PROPOSING] = {.name = "proposing",
                             .entry = propose,
                             .on = EO_ON(EO_DO(PAXOS_ACCEPTED, accepted), EO_DO(PAXOS_REFUSED, refused),
                                         EO_DO(PAXOS_CHOSEN, learn), EO_DO(EXPIRED, expired), EO_IGNORE(PAXOS_PROMISE),
                                         EO_DO(PAXOS_READ, proposer_read))},
              [3] = {.name = "stopped", .entry = halt})};
