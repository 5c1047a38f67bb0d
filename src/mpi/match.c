/* match.c: which message a receive gets.
 *
 * Messages of one sender to one receiver do not overtake each other, and receives get messages in the order in which they
 * were begun: a send and a receive can be matched if no earlier send of the same rank, and no earlier receive, could be in
 * either's place. A receive that names its sender has at most one such send at any time, whatever else happens, and is matched
 * at once. One that takes messages of any rank (a wildcard) is matched only when every rank waits and nothing else can be
 * matched: all messages that can be first at it have been sent by then, but for those of ranks that wait for another
 * wildcard. So the world chooses among the first messages of each sender, and "later": this wildcard gets none of those that
 * are there, but one that is sent later. "Later" is not offered if nothing but this receive can go on. Each complete
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

static void pair_up(eo__mpi_rank *rank, eo__mpi_act *receive, eo__mpi_act *send) {
  check_pair(receive, send);
  eo__mpi_history_match(receive, send);
  take_out(&rank->sends, &rank->sends_end, send);
  take_out(&rank->receives, &rank->receives_end, receive);
  eo__mpi_act_done(receive, send);
  if (!send->done) eo__mpi_act_done(send, NULL);
  eo__mpi_act_free(receive);
  eo__mpi_act_free(send);
}

/* Matches all receives of the rank that name their sender, as far as that goes. */
static void match_named(eo__mpi_rank *rank) {
  for (eo__mpi_act *receive = rank->receives, *next; receive; receive = next) {
    eo__mpi_act *send = receive->post.peer == EO__MPI_ANY ? NULL : candidate(rank, receive, receive->post.peer);
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
  bool buffered = send->post.mode == EO__MPI_BUFFERED ||
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
      if (r != wildcard && r->post.peer == EO__MPI_ANY && new_one(rank, r)) return true;
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
  unsigned ways = count + eo__mpi_others_can_go_on(receive), way = 0;
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

bool eo__mpi_decide(void) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    if (rank->probe && rank->probe->post.peer == EO__MPI_ANY && decide_one(rank, rank->probe)) return true;
    for (eo__mpi_act *receive = eo__mpi_w.ranks[i].receives; receive; receive = receive->next)
      if (receive->post.peer == EO__MPI_ANY && decide_one(rank, receive)) return true;
  }
  return eo__mpi_decide_lock();
}
