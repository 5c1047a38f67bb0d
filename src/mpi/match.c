/* match.c: which message a receive gets.
 *
 * Messages of one sender to one receiver do not overtake each other, and receives get messages in the order in which they
 * were begun: a send and a receive can be matched if no earlier send of the same rank, and no earlier receive, could be in
 * either's place. A receive that names its sender has at most one such send at any time, whatever else happens, and is matched
 * at once. One that takes messages of any rank (a wildcard) is matched only when every rank waits and nothing else can be
 * matched: all messages that can be first at it have been sent by then, but for those of ranks that wait for another
 * wildcard. So the world chooses among the first messages of each sender, and "later": this wildcard gets none of those that
 * are there, but one that is sent later. "Later" is not offered if nothing but this receive can go on, nor to a test that comes to
 * nothing twice in a row. Each complete
 * matching is come to in exactly one way. */
#include <stdlib.h>

#include "mpi/history.h"
#include "mpi/signature.h"
#include "mpi/world.h"

static bool accepts(const eo__mpi_act *receive, const eo__mpi_act *send) {
  return receive->post.context == send->post.context &&
         (receive->post.peer == EO__MPI_ANY || receive->post.peer == send->rank) &&
         (receive->post.tag == EO__MPI_ANY || receive->post.tag == send->post.tag);
}

static void append(eo__mpi_act ***end, eo__mpi_act *act) {
  act->next = NULL;
  **end = act;
  *end = &act->next;
}

static void take_out(eo__mpi_act **first, eo__mpi_act ***end, eo__mpi_act *act) {
  eo__mpi_act **link = first;
  while (*link != act) link = &(*link)->next;
  *link = act->next;
  if (*end == &act->next) *end = link;
}

/* The first message of that rank that this receive could get now; NULL: none, or an earlier receive is to get it. */
static eo__mpi_act *candidate(const eo__mpi_rank *rank, const eo__mpi_act *receive, int from) {
  eo__mpi_act *send = rank->sends;
  while (send && (send->rank != from || !accepts(receive, send))) send = send->next;
  if (!send) return NULL;
  const eo__mpi_act *first = rank->receives;
  while (first && !accepts(first, send)) first = first->next;
  return first == (receive->post.kind == EO__MPI_PROBE ? NULL : receive) ? send : NULL;
}

static void check_pair(const eo__mpi_act *receive, const eo__mpi_act *send) {
  const eo__mpi_post *s = &send->post, *r = &receive->post;
  if (eo__mpi_signature_fits(&s->signature, eo__mpi_more_runs(s), &r->signature, eo__mpi_more_runs(r)) == EO__MPI_OTHER)
    eo__mpi_world_fail(r->place, "type-mismatch",
                       "rank %d's %s at %s:%d receives another type than rank %d's %s at %s:%d sends", receive->rank,
                       r->call, r->place->file, r->place->line, send->rank, s->call, s->place->file, s->place->line);
  if (s->size > r->size)
    eo__mpi_world_fail(r->place, "truncation",
                       "rank %d's %s at %s:%d has room for %llu bytes, and rank %d's %s at %s:%d sends %llu",
                       receive->rank, r->call, r->place->file, r->place->line, (unsigned long long)r->size, send->rank,
                       s->call, s->place->file, s->place->line, (unsigned long long)s->size);
}

/* A receive and what it got, as long as its rank does not know of it: MPI_Cancel may come first. */
typedef struct eo__mpi_pair {
  struct eo__mpi_pair *next;
  eo__mpi_act *receive, *send;
  bool fixed; /* a rank knows of something that came of it */
  bool told;  /* the sender waited for it */
} eo__mpi_pair;

/* Between these there is one byte for each MPI_Cancel of the program (mpi.h). */
extern const char __start_eo_mpi_cancels[] __attribute__((weak, visibility("hidden")));
extern const char __stop_eo_mpi_cancels[] __attribute__((weak, visibility("hidden")));

bool eo__mpi_program_cancels(void) { return (uintptr_t)__start_eo_mpi_cancels != (uintptr_t)__stop_eo_mpi_cancels; }

static void free_pair(eo__mpi_pair *pair) {
  eo__mpi_act_free(pair->receive);
  eo__mpi_act_free(pair->send);
  free(pair);
}

/* Its rank knows that this receive is done, so that earlier ones that could have got its message have got theirs. */
static void fix_earlier(const eo__mpi_rank *rank, const eo__mpi_act *receive) {
  for (eo__mpi_pair *pair = rank->pairs; pair; pair = pair->next)
    if (pair->receive->serial < receive->serial && accepts(receive, pair->send)) pair->fixed = true;
}

static void keep_pair(eo__mpi_rank *rank, eo__mpi_act *receive, eo__mpi_act *send, bool waits) {
  eo__mpi_pair *pair = eo__mpi_need(malloc(sizeof *pair));
  *pair =
      (eo__mpi_pair){rank->pairs, receive, send, receive->post.blocking || receive->post.peer == EO__MPI_ANY, waits};
  if (pair->fixed) fix_earlier(rank, receive);
  rank->pairs = pair;
}

static void pair_up(eo__mpi_rank *rank, eo__mpi_act *receive, eo__mpi_act *send) {
  bool sender_waits = !send->done;
  check_pair(receive, send);
  eo__mpi_history_match(receive, send);
  take_out(&rank->sends, &rank->sends_end, send);
  take_out(&rank->receives, &rank->receives_end, receive);
  eo__mpi_act_done(receive, send);
  if (!send->done) eo__mpi_act_done(send, NULL);
  if (eo__mpi_program_cancels() && !receive->cancelled) {
    keep_pair(rank, receive, send, sender_waits);
  } else {
    eo__mpi_act_free(receive);
    eo__mpi_act_free(send);
  }
}

/* Matches all receives of the rank that name their sender, as far as that goes. */
static void match_named(eo__mpi_rank *rank) {
  for (eo__mpi_act *receive = rank->receives, *next; receive; receive = next) {
    bool open = receive->post.peer == EO__MPI_ANY || receive->cancelled;
    eo__mpi_act *send = open ? NULL : candidate(rank, receive, receive->post.peer);
    next = send ? rank->receives : receive->next;
    if (!send) continue;
    bool first = receive == next;
    pair_up(rank, receive, send);
    if (first) next = rank->receives;
  }
}

/* ---- Probes --------------------------------------------------------------------------------------------------------- */

void eo__mpi_probe_ends(eo__mpi_rank *rank) {
  eo__mpi_act_free(rank->probe);
  rank->probe = NULL;
}

static void probe_finds(eo__mpi_rank *rank, const eo__mpi_act *send) {
  eo__mpi_history_match(rank->probe, send);
  eo__mpi_act_probed(rank->probe, send);
  eo__mpi_probe_ends(rank);
}

/* A probe that names its sender finds at most one message. */
static void match_probe(eo__mpi_rank *rank) {
  if (!rank->probe || rank->probe->post.peer == EO__MPI_ANY) return;
  const eo__mpi_act *send = candidate(rank, rank->probe, rank->probe->post.peer);
  if (send) probe_finds(rank, send);
}

void eo__mpi_probe_arrives(eo__mpi_act *probe) {
  eo__mpi_w.ranks[probe->rank].probe = probe;
  match_probe(&eo__mpi_w.ranks[probe->rank]);
}

/* ---- Arrivals ------------------------------------------------------------------------------------------------------- */

void eo__mpi_send_arrives(eo__mpi_act *send) {
  eo__mpi_rank *to = &eo__mpi_w.ranks[send->post.peer];
  bool buffered = send->post.at_once || send->post.mode == EO__MPI_BUFFERED ||
                  (send->post.mode != EO__MPI_SYNCHRONOUS && eo__mpi_w.buffering != EO__MPI_ZERO);
  append(&to->sends_end, send);
  if (buffered) eo__mpi_act_done(send, NULL);
  match_named(to);
  match_probe(to);
}

void eo__mpi_receive_arrives(eo__mpi_act *receive) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[receive->rank];
  append(&rank->receives_end, receive);
  match_named(rank);
}

/* ---- Wildcards ------------------------------------------------------------------------------------------------------ */

/* Is there a message for this wildcard that it has not left out? */
static bool new_one(const eo__mpi_rank *rank, const eo__mpi_act *wildcard) {
  for (int from = 0; from < eo__mpi_w.size; from++) {
    const eo__mpi_act *send = candidate(rank, wildcard, from);
    if (send && send->serial > wildcard->after) return true;
  }
  return false;
}

/* Could another rank go on, though this one stays where it is? */
bool eo__mpi_others_can_go_on(const eo__mpi_act *wildcard) {
  if (eo__mpi_lock_can_be_had(wildcard)) return true;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    if (eo__mpi_can_decide(rank)) return true;
    if (rank->probe && rank->probe != wildcard && rank->probe->post.peer == EO__MPI_ANY && new_one(rank, rank->probe))
      return true;
    for (const eo__mpi_act *r = rank->receives; r; r = r->next) {
      if (r != wildcard && (r->cancelled || (r->post.peer == EO__MPI_ANY && new_one(rank, r)))) return true;
    }
  }
  return false;
}

eo__mpi_race *eo__mpi_races;

static void note_race(const eo__mpi_act *receive, const eo__mpi_act *send) {
  eo__mpi_race *race = eo__mpi_need(malloc(sizeof *race));
  *race = (eo__mpi_race){.next = eo__mpi_races,
                         .rank = receive->rank,
                         .from = send->rank,
                         .context = send->post.context,
                         .tag = send->post.tag,
                         .place = receive->post.place,
                         .call = receive->post.call};
  eo__mpi_races = race;
}

static bool decide_one(eo__mpi_rank *rank, eo__mpi_act *receive) {
  eo__mpi_act **found = eo__mpi_need(malloc((size_t)eo__mpi_w.size * sizeof(eo__mpi_act *)));
  unsigned count = 0;
  for (int from = 0; from < eo__mpi_w.size; from++) {
    eo__mpi_act *send = candidate(rank, receive, from);
    if (send && send->serial > receive->after) found[count++] = send;
  }
  if (count == 0) {
    free(found);
    return false;
  }
  bool polls = receive == rank->probe && eo__mpi_is_test(rank->block.until) && rank->tested;
  unsigned ways = count + (!polls && eo__mpi_others_can_go_on(receive)), way = 0;
  if (ways > 1) way = eo_choose_((const eo_place *)(const void *)receive->post.place, ways);
  if (ways > 1 && way < count && receive != rank->probe) note_race(receive, found[way]);
  if (way < count && receive == rank->probe) {
    probe_finds(rank, found[way]);
  } else if (way < count) {
    pair_up(rank, receive, found[way]);
    match_named(rank);
  } else {
    receive->after = eo__mpi_w.serial;
  }
  free(found);
  return true;
}

static bool left_out(const eo__mpi_rank *rank, const eo__mpi_act *wildcard) {
  for (int from = 0; from < eo__mpi_w.size && wildcard->after; from++)
    if (candidate(rank, wildcard, from)) return true;
  return false;
}

bool eo__mpi_came_to_nothing(void) {
  if (eo__mpi_lock_left()) return true;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    if (rank->probe && left_out(rank, rank->probe)) return true;
    for (const eo__mpi_act *receive = rank->receives; receive; receive = receive->next)
      if (left_out(rank, receive)) return true;
  }
  return false;
}

/* ---- MPI_Cancel ------------------------------------------------------------------------------------------------------
 *
 * A receive that is to be cancelled is matched or cancelled when every rank waits, whichever way that goes: so its wait ends anyhow.
 * One that got its message before, of which its rank does not know, could have been cancelled first: then both wait again. */

static void put_back(eo__mpi_act **first, eo__mpi_act ***end, eo__mpi_act *act) {
  eo__mpi_act **link = first;
  while (*link && (*link)->serial < act->serial) link = &(*link)->next;
  act->next = *link;
  *link = act;
  if (!act->next) *end = &act->next;
}

/* The pairs from this one on that would go otherwise without it: those of the same sender. False: a rank knows of one. */
static bool can_undo(const eo__mpi_rank *rank, const eo__mpi_pair *from) {
  for (const eo__mpi_pair *pair = rank->pairs; pair; pair = pair->next) {
    bool later = pair->send->rank == from->send->rank && pair->send->serial >= from->send->serial &&
                 pair->send->post.context == from->send->post.context;
    bool known = pair->fixed || (pair->told && !eo__mpi_act_unread(pair->send));
    if (later && known) return false;
  }
  return true;
}

static void undo(eo__mpi_rank *rank, const eo__mpi_act *receive, const eo__mpi_act *send) {
  uint64_t from = send->serial;
  int sender = send->rank;
  uint32_t context = receive->post.context;
  for (eo__mpi_pair **link = &rank->pairs; *link;) {
    eo__mpi_pair *pair = *link;
    if (pair->send->rank != sender || pair->send->serial < from || pair->send->post.context != context) {
      link = &pair->next;
      continue;
    }
    *link = pair->next;
    pair->receive->done = false;
    eo__mpi_act_undone(pair->receive);
    if (pair->told) eo__mpi_act_undone(pair->send);
    if (pair->told) pair->send->done = false;
    eo__mpi_history_unmatch(pair->receive, pair->send);
    put_back(&rank->receives, &rank->receives_end, pair->receive);
    put_back(&rank->sends, &rank->sends_end, pair->send);
    free(pair);
  }
}

void eo__mpi_observed(int number, const uint32_t *requests, uint32_t count) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[number];
  for (uint32_t i = 0; rank->pairs && i < count; i++)
    for (eo__mpi_pair **link = &rank->pairs; *link; link = &(*link)->next) {
      eo__mpi_pair *pair = *link;
      if (pair->receive->post.request != (requests[i] & ~EO__MPI_DONE)) continue;
      *link = pair->next;
      fix_earlier(rank, pair->receive);
      free_pair(pair);
      break;
    }
}

/* True: it is a receive that was matched, and is open again or done for good. */
static bool cancel_matched(eo__mpi_rank *rank, uint32_t request) {
  eo__mpi_pair *pair = rank->pairs;
  while (pair && pair->receive->post.request != request) pair = pair->next;
  if (!pair || !can_undo(rank, pair)) return false;
  eo__mpi_act *receive = pair->receive;
  undo(rank, receive, pair->send);
  receive->cancelled = true;
  match_named(rank);
  return true;
}

/* A send that nobody has received yet is cancelled; or it is not, which is known when somebody receives it. */
static bool cancel_send(int number, const eo__mpi_post *post) {
  for (int to = 0; to < eo__mpi_w.size; to++) {
    eo__mpi_rank *rank = &eo__mpi_w.ranks[to];
    eo__mpi_act *send = rank->sends;
    while (send && (send->rank != number || send->post.request != post->request)) send = send->next;
    if (!send) continue;
    if (eo_choose_((const eo_place *)(const void *)post->place, 2)) {
      send->foreseen = true;
      if (send->done) eo__mpi_act_undone(send);
      send->done = false;
      return true;
    }
    take_out(&rank->sends, &rank->sends_end, send);
    eo__mpi_history_cancel(send);
    eo__mpi_act_cancelled(send);
    eo__mpi_act_free(send);
    return true;
  }
  return false;
}

/* False: it is too late. */
static bool cancel_open(int number, const eo__mpi_post *post) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[number];
  for (eo__mpi_act *receive = rank->receives; receive; receive = receive->next)
    if (receive->post.request == post->request) {
      receive->cancelled = true;
      return true;
    }
  return cancel_matched(rank, post->request) || cancel_send(number, post);
}

/* The rank has forgotten what it knows to be done. */
void eo__mpi_cancel(int number, const eo__mpi_post *post) {
  bool open = cancel_open(number, post);
  for (const eo__mpi_pair *pair = eo__mpi_w.ranks[number].pairs; pair; pair = pair->next)
    eo__mpi_act_kept(number, pair->receive->post.request);
  if (!open) eo__mpi_act_kept(number, post->request);
}

/* It gets one of the messages that are there, is cancelled, or gets one that comes later. */
static void decide_cancel(eo__mpi_rank *rank, eo__mpi_act *receive) {
  eo__mpi_act **found = eo__mpi_need(malloc((size_t)eo__mpi_w.size * sizeof(eo__mpi_act *)));
  unsigned count = 0, way = 0;
  for (int from = 0; from < eo__mpi_w.size; from++) {
    eo__mpi_act *send = candidate(rank, receive, from);
    if (send && send->serial > receive->after) found[count++] = send;
  }
  bool later = (count == 0 || receive->post.peer == EO__MPI_ANY) && eo__mpi_others_can_go_on(receive);
  if (count + 1 + later > 1) way = eo_choose_((const eo_place *)(const void *)receive->post.place, count + 1 + later);
  if (way == 0) {
    take_out(&rank->receives, &rank->receives_end, receive);
    eo__mpi_history_cancel(receive);
    eo__mpi_act_cancelled(receive);
    eo__mpi_act_free(receive);
  } else if (way <= count) {
    pair_up(rank, receive, found[way - 1]);
  } else {
    receive->cancelled = false;
    receive->foreseen = true;
    receive->after = eo__mpi_w.serial;
  }
  free(found);
  match_named(rank);
}

static bool decide_cancels(void) {
  for (int i = 0; i < eo__mpi_w.size; i++)
    for (eo__mpi_act *receive = eo__mpi_w.ranks[i].receives; receive; receive = receive->next)
      if (receive->cancelled) {
        decide_cancel(&eo__mpi_w.ranks[i], receive);
        return true;
      }
  return false;
}

bool eo__mpi_foreseen_in_vain(void) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    for (const eo__mpi_act *receive = eo__mpi_w.ranks[i].receives; receive; receive = receive->next)
      if (receive->foreseen) return true;
    for (const eo__mpi_act *send = eo__mpi_w.ranks[i].sends; send; send = send->next)
      if (send->foreseen) return true;
  }
  return false;
}

bool eo__mpi_decide(void) {
  if (decide_cancels()) return true;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    if (rank->probe && rank->probe->post.peer == EO__MPI_ANY && decide_one(rank, rank->probe)) return true;
    for (eo__mpi_act *receive = eo__mpi_w.ranks[i].receives; receive; receive = receive->next)
      if (receive->post.peer == EO__MPI_ANY && decide_one(rank, receive)) return true;
  }
  return eo__mpi_decide_lock();
}
