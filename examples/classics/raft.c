/* raft.c: Raft (Ongaro and Ousterhout, In Search of an Understandable Consensus Algorithm, 2014): election of a leader, and a log of
 * commands on three servers. Each server's timer fires a few times, whenever it likes: a leader repeats then what is not
 * acknowledged, and others stand for election. Any message between servers may be dropped, and a server may crash when it is about
 * to handle something: it goes on with its term, vote and log, which are on disk.
 *
 * Correct: a term has one leader at most, and servers commit the same commands in the same order.
 *
 * What the variants forget:
 *   1  that a vote is given once in a term: who voted for another one votes again;
 *   2  that a leader must have what was committed: a vote is given to a candidate whose log is older;
 *   3  that an entry of an older term is not committed by counting those who have it (figure 8 of the paper). */
#include <everyorder.h>

enum { MEET, TICK, COMMAND, ASK, VOTE, APPEND, APPENDED, ELECTED, COMMITTED };
enum { CORRECT, VOTES_TWICE, OLD_LOG, OLD_TERM };
enum { SERVERS = 3, COMMANDS = 2, TICKS = 2, TERMS = SERVERS * TICKS + 1, NONE = -1 };

typedef struct entry {
  int32_t term, command;
} entry;

typedef struct ask {
  int32_t term, candidate;
  int32_t length, last_term; /* of its log */
} ask;

typedef struct vote {
  int32_t term, from;
  bool granted;
} vote;

typedef struct append {
  int32_t term, leader;
  int32_t before, term_before; /* so many entries come before these, the last of them of this term */
  int32_t count, committed;
  entry entries[COMMANDS];
} append;

typedef struct appended {
  int32_t term, from;
  int32_t length; /* so many entries are the leader's */
  bool good;
} appended;

typedef struct elected {
  int32_t term, leader;
} elected;

typedef struct committed {
  int32_t index, command;
} committed;

/* ---- Server ----------------------------------------------------------------------------------------------------- */

typedef enum role { FOLLOWER, CANDIDATE, LEADER } role;

typedef struct disk {
  int32_t term, vote;
  int32_t length;
  entry log[COMMANDS]; /* no log has a command twice */
} disk;

typedef struct memory {
  role role;
  uint32_t votes, asked; /* sets: servers that voted for this one, commands of clients */
  int32_t committed;
  int32_t next[SERVERS],
      acknowledged[SERVERS]; /* of a leader: entries that the server has for all it knows; has for certain */
} memory;

typedef struct server {
  int32_t self, bug;
  eo_pid servers[SERVERS];
  disk disk;
  memory memory;
} server;

static void send(const server *s, int32_t to, int tag, const void *data, size_t size) {
  if (!eo_fault("drop")) eo_send(s->servers[to], tag, data, size);
}

static bool crashes(server *s) {
  if (!eo_fault("crash")) return false;
  s->memory = (memory){.role = FOLLOWER};
  return true;
}

static int32_t last_term(const disk *d) { return d->length ? d->log[d->length - 1].term : 0; }

static bool has_majority(uint32_t set) { return 2 * __builtin_popcount(set) > SERVERS; }

/* Is a message of this term one of the present? A later term than ours begins with it. */
static bool is_current(server *s, int32_t term) {
  if (term > s->disk.term) {
    s->disk.term = term;
    s->disk.vote = NONE;
    s->memory.role = FOLLOWER;
  }
  return term == s->disk.term;
}

static void commit(server *s, int32_t length) {
  for (; s->memory.committed < length; s->memory.committed++) {
    const committed news = {s->memory.committed, s->disk.log[s->memory.committed].command};
    eo_announce(COMMITTED, &news, sizeof news);
  }
}

/* ---- Leader ----------------------------------------------------------------------------------------------------- */

static void replicate(const server *s, int32_t to) {
  const disk *d = &s->disk;
  append a = {.term = d->term, .leader = s->self, .before = s->memory.next[to], .committed = s->memory.committed};
  if (a.before > 0) a.term_before = d->log[a.before - 1].term;
  for (int32_t i = a.before; i < d->length; i++) a.entries[a.count++] = d->log[i];
  send(s, to, APPEND, &a, sizeof a);
}

static void replicate_all(const server *s) {
  for (int32_t i = 0; i < SERVERS; i++)
    if (i != s->self) replicate(s, i);
}

static bool has(const disk *d, int32_t command) {
  for (int32_t i = 0; i < d->length; i++)
    if (d->log[i].command == command) return true;
  return false;
}

static void propose(server *s) {
  disk *d = &s->disk;
  for (int32_t c = 0; c < COMMANDS; c++)
    if (s->memory.asked & 1u << c && !has(d, c)) d->log[d->length++] = (entry){d->term, c};
}

static void lead(server *s) {
  const elected news = {s->disk.term, s->self};
  s->memory.role = LEADER;
  eo_announce(ELECTED, &news, sizeof news);
  for (int32_t i = 0; i < SERVERS; i++) {
    s->memory.next[i] = s->disk.length;
    s->memory.acknowledged[i] = 0;
  }
  propose(s);
  replicate_all(s);
}

static void commit_what_most_have(server *s) {
  for (int32_t length = s->disk.length; length > s->memory.committed; length--) {
    uint32_t have = 1u << s->self;
    for (int32_t i = 0; i < SERVERS; i++)
      if (s->memory.acknowledged[i] >= length) have |= 1u << i;
    if (has_majority(have) && (s->disk.log[length - 1].term == s->disk.term || s->bug == OLD_TERM)) {
      commit(s, length);
      return;
    }
  }
}

static void on_appended(void *self, const eo_message *event) {
  server *s = self;
  const appended *a = event->data;
  if (crashes(s) || !is_current(s, a->term) || s->memory.role != LEADER) return;
  int32_t *next = &s->memory.next[a->from], *acknowledged = &s->memory.acknowledged[a->from];
  if (a->good) {
    if (a->length > *acknowledged) *acknowledged = a->length;
    if (a->length > *next) *next = a->length;
    commit_what_most_have(s);
  } else if (*next > 0) {
    --*next;
    replicate(s, a->from);
  }
}

static void on_command(void *self, const eo_message *event) {
  server *s = self;
  if (crashes(s)) return;
  s->memory.asked |= 1u << *(const int32_t *)event->data;
  if (s->memory.role != LEADER) return;
  propose(s);
  replicate_all(s);
}

/* ---- Candidate -------------------------------------------------------------------------------------------------- */

static void stand(server *s) {
  s->disk.term++;
  s->disk.vote = s->self;
  s->memory.role = CANDIDATE;
  s->memory.votes = 1u << s->self;
  const ask a = {s->disk.term, s->self, s->disk.length, last_term(&s->disk)};
  for (int32_t i = 0; i < SERVERS; i++)
    if (i != s->self) send(s, i, ASK, &a, sizeof a);
}

static void on_tick(void *self, const eo_message *event) {
  (void)event;
  server *s = self;
  if (crashes(s)) return;
  if (s->memory.role == LEADER)
    replicate_all(s);
  else
    stand(s);
}

static void on_vote(void *self, const eo_message *event) {
  server *s = self;
  const vote *v = event->data;
  if (crashes(s) || !is_current(s, v->term) || s->memory.role != CANDIDATE || !v->granted) return;
  s->memory.votes |= 1u << v->from;
  if (has_majority(s->memory.votes)) lead(s);
}

/* ---- Follower --------------------------------------------------------------------------------------------------- */

static bool may_vote(const server *s, const ask *a) {
  const disk *d = &s->disk;
  const bool newer =
      a->last_term > last_term(d) || (a->last_term == last_term(d) && a->length >= d->length) || s->bug == OLD_LOG;
  return newer && (d->vote == NONE || d->vote == a->candidate || (d->vote != s->self && s->bug == VOTES_TWICE));
}

static void on_ask(void *self, const eo_message *event) {
  server *s = self;
  const ask a = *(const ask *)event->data;
  if (crashes(s)) return;
  const bool granted = is_current(s, a.term) && may_vote(s, &a);
  if (granted) s->disk.vote = a.candidate;
  const vote v = {s->disk.term, s->self, granted};
  send(s, a.candidate, VOTE, &v, sizeof v);
}

static bool fits(const disk *d, const append *a) {
  return a->before <= d->length && (a->before == 0 || d->log[a->before - 1].term == a->term_before);
}

/* What differs from the leader's log is thrown away, with all behind it; what is the same stays. */
static void take_over(disk *d, const append *a) {
  for (int32_t i = 0; i < a->count; i++) {
    const int32_t at = a->before + i;
    if (at < d->length && d->log[at].term == a->entries[i].term) continue;
    d->log[at] = a->entries[i];
    d->length = at + 1;
  }
}

static void on_append(void *self, const eo_message *event) {
  server *s = self;
  const append a = *(const append *)event->data;
  if (crashes(s)) return;
  const bool current = is_current(s, a.term), good = current && fits(&s->disk, &a);
  const int32_t length = a.before + a.count;
  if (current) s->memory.role = FOLLOWER;
  if (good) {
    take_over(&s->disk, &a);
    commit(s, a.committed < length ? a.committed : length);
  }
  const appended answer = {s->disk.term, s->self, length, good};
  send(s, a.leader, APPENDED, &answer, sizeof answer);
}

static void meet(void *self, const eo_message *event) {
  server *s = self;
  *s = *(const server *)event->data;
  s->disk.vote = NONE;
}

static const char *event_name(int event) {
  static const char *const names[] = {"MEET",   "TICK",     "COMMAND", "ASK",      "VOTE",
                                      "APPEND", "APPENDED", "ELECTED", "COMMITTED"};
  return event >= 0 && event <= COMMITTED ? names[event] : NULL;
}

static const eo_machine server_machine = {
    .name = "server",
    EO_VARIABLES(server),
    .event_name = event_name,
    EO_STATES({.name = "serving",
               .on = EO_ON(EO_DO(MEET, meet), EO_DO(TICK, on_tick), EO_DO(COMMAND, on_command), EO_DO(ASK, on_ask),
                           EO_DO(VOTE, on_vote), EO_DO(APPEND, on_append), EO_DO(APPENDED, on_appended))})};

/* ---- What is expected ------------------------------------------------------------------------------------------- */

typedef struct safety {
  uint8_t leaders[TERMS];     /* 1 + the leader of a term; 0: none so far */
  uint8_t commands[COMMANDS]; /* 1 + the command that was committed there */
} safety;

static void see_elected(void *self, const eo_message *event) {
  const elected *e = event->data;
  uint8_t *leader = &((safety *)self)->leaders[e->term];
  eo_assert(*leader == 0 || *leader == 1 + e->leader, "servers %d and %d both lead in term %d", *leader - 1, e->leader,
            e->term);
  *leader = (uint8_t)(1 + e->leader);
}

static void see_committed(void *self, const eo_message *event) {
  const committed *c = event->data;
  uint8_t *command = &((safety *)self)->commands[c->index];
  eo_assert(*command == 0 || *command == 1 + c->command, "commands %d and %d are both committed as number %d",
            *command - 1, c->command, c->index);
  *command = (uint8_t)(1 + c->command);
}

static const eo_machine safe = {
    .name = "safety",
    EO_VARIABLES(safety),
    .event_name = event_name,
    EO_OBSERVES(ELECTED, COMMITTED),
    EO_STATES({.name = "watching", .on = EO_ON(EO_DO(ELECTED, see_elected), EO_DO(COMMITTED, see_committed))})};

static void timer(void *argument) {
  const eo_pid to = *(const eo_pid *)argument;
  for (int i = 0; i < TICKS; i++) eo_send(to, TICK, NULL, 0);
}

typedef struct client_job {
  eo_pid servers[SERVERS];
  int32_t command;
} client_job;

static void client(void *argument) {
  const client_job *job = argument;
  for (int i = 0; i < SERVERS; i++) eo_tell(job->servers[i], COMMAND, job->command);
}

static void raft(int bug) {
  eo_specify(&safe, NULL, 0);
  server s = {.bug = bug};
  client_job job;
  for (int i = 0; i < SERVERS; i++) job.servers[i] = s.servers[i] = eo_create(&server_machine, NULL, 0);
  for (s.self = 0; s.self < SERVERS; s.self++) eo_tell(s.servers[s.self], MEET, s);
  for (int i = 0; i < SERVERS; i++) eo_spawn(timer, &s.servers[i], sizeof s.servers[i]);
  for (job.command = 0; job.command < COMMANDS; job.command++) eo_spawn(client, &job, sizeof job);
}

EO_TEST(raft_correct) { raft(CORRECT); }
EO_TEST(raft_1) { raft(VOTES_TWICE); }
EO_TEST(raft_2) { raft(OLD_LOG); }
EO_TEST(raft_3) { raft(OLD_TERM); }
