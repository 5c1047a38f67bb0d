/* world.c: see world.h. */
#include "mpi/clock.h"
#include "mpi/history.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

eo__mpi_world eo__mpi_w;

static const eo_place nowhere = {"", "", 0, NULL};
static const eo_place lets_go = {"", "", 0, "rank, \"GO\""};

void eo__mpi_world_fail(const eo_mpi_place *place, const char *class, const char *format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  eo_finding_(place ? (const eo_place *)(const void *)place : &nowhere, class, text);
}

/* One after the other, so that there is one way to do it. */
static void end_ranks(void) {
  eo_message message;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    if (eo__mpi_w.ranks[i].ended) continue;
    eo_kill_(&nowhere, eo__mpi_w.ranks[i].pid, EO_KILL);
    eo_receive_tag_(&nowhere, &message, EO_DOWN, EO_FOREVER);
  }
}

/* Everyorder has no more room: that is no fault of the program. The refused allocation makes the run incomplete, so the execution
 * just ends. A rank tells the world by how it exits. */
enum { NO_ROOM = 77 };

__attribute__((noreturn)) static void give_up(void) {
  end_ranks();
  eo_exit_(&nowhere, EO_NORMAL);
}

void *eo__mpi_need(void *block) {
  if (block) return block;
  if (eo__mpi_w.size) give_up();
  eo_exit_(&nowhere, NO_ROOM);
}

/* ---- Who waits for what ------------------------------------------------------------------------------------------ */

static size_t done_waits(const eo__mpi_rank *rank) {
  size_t done = 0;
  for (uint32_t i = 0; i < rank->block.waits; i++) done += (rank->waits[i] & EO__MPI_DONE) != 0;
  return done;
}

/* Does the rank go on without a decision? */
static bool satisfied(const eo__mpi_rank *rank) {
  return rank->block.until == EO__MPI_UNTIL_ALL && done_waits(rank) == rank->block.waits;
}

static void note_wait(eo__mpi_rank *rank, uint32_t request) {
  for (uint32_t i = 0; i < rank->block.waits; i++)
    if (rank->waits[i] == request) rank->waits[i] |= EO__MPI_DONE;
  if (!rank->ended && satisfied(rank)) rank->ready = true;
}

static void tell(eo__mpi_rank *rank, uint32_t request, int source, int tag, const void *bytes, size_t size) {
  size_t room = sizeof(eo__mpi_done) + eo__mpi_even(size);
  if (rank->reply_used + room > rank->reply_room) {
    rank->reply_room = 2 * (rank->reply_used + room);
    rank->reply = eo__mpi_need(realloc(rank->reply, rank->reply_room));
  }
  eo__mpi_done *done = (void *)(rank->reply + rank->reply_used);
  memset(done, 0, room);
  *done = (eo__mpi_done){.bytes = (uint32_t)room, .request = request, .source = source, .tag = tag, .size = size};
  if (size) memcpy(done + 1, bytes, size);
  rank->reply_used += room;
}

static void act_done(eo__mpi_act *act, int source, int tag, const void *bytes, size_t size) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[act->rank];
  act->done = true;
  eo__mpi_w.idle = 0;
  if (act->post.at_once) return;
  tell(rank, act->post.request, source, tag, bytes, size);
  note_wait(rank, act->post.request);
}

void eo__mpi_act_free(eo__mpi_act *act) {
  if (act) free(act->clock);
  free(act);
}

void eo__mpi_act_done(eo__mpi_act *act, const eo__mpi_act *from) {
  if (from && from->clock) eo__mpi_clock_learn(act->rank, from->clock);
  if (from)
    act_done(act, from->rank, from->post.tag, eo__mpi_payload(&from->post), (size_t)from->post.size);
  else
    act_done(act, 0, 0, NULL, 0);
}

void eo__mpi_act_cancelled(eo__mpi_act *act) { act_done(act, EO__MPI_CANCELLED, 0, NULL, 0); }

void eo__mpi_act_undone(const eo__mpi_act *act) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[act->rank];
  for (size_t at = 0; at < rank->reply_used;) {
    eo__mpi_done *done = (void *)(rank->reply + at);
    if (done->request == act->post.request) done->request = UINT32_MAX; /* of nothing */
    at += done->bytes;
  }
  for (uint32_t i = 0; i < rank->block.waits; i++)
    if ((rank->waits[i] & ~EO__MPI_DONE) == act->post.request) rank->waits[i] = act->post.request;
  if (rank->block.until == EO__MPI_UNTIL_ALL) rank->ready = satisfied(rank);
}

bool eo__mpi_act_unread(const eo__mpi_act *act) {
  const eo__mpi_rank *rank = &eo__mpi_w.ranks[act->rank];
  for (size_t at = 0; at < rank->reply_used;) {
    const eo__mpi_done *done = (const void *)(rank->reply + at);
    if (done->request == act->post.request) return true;
    at += done->bytes;
  }
  return false;
}

void eo__mpi_act_kept(int rank, uint32_t request) {
  tell(&eo__mpi_w.ranks[rank], request, EO__MPI_KEPT, 0, NULL, 0);
  note_wait(&eo__mpi_w.ranks[rank], request);
}

void eo__mpi_act_met(eo__mpi_act *act, int first_context, const void *bytes, size_t size) {
  act_done(act, 0, first_context, bytes, size);
}

void eo__mpi_act_probed(eo__mpi_act *act, const eo__mpi_act *send) {
  act_done(act, send->rank, send->post.tag, &send->post.size, sizeof send->post.size);
}

/* ---- Ranks run ----------------------------------------------------------------------------------------------------- */

/* Of what is not begun, but only told. */
static bool accept_note(int number, const eo__mpi_post *post) {
  const uint32_t *requests = (const void *)eo__mpi_payload(post);
  switch (post->kind) {
    case EO__MPI_LEAK: eo__mpi_note_leak(number, post); return true;
    case EO__MPI_ABORTS: eo__mpi_aborts(number); return true;
    case EO__MPI_CANCEL: eo__mpi_cancel(number, post); return true;
    case EO__MPI_WAITED:
      eo__mpi_observed(number, requests, (uint32_t)(post->size / sizeof *requests));
      eo__mpi_history_wait(number, requests, (uint32_t)(post->size / sizeof *requests), post->place, post->call, false);
      return true;
    case EO__MPI_SYNC:
    case EO__MPI_UNLOCK: eo__mpi_synchronised(number, post); return true;
    case EO__MPI_PUBLISH: eo__mpi_published(number, post); return true;
    case EO__MPI_TOUCHED: eo__mpi_memory_touched(number, post); return true;
    default: return false;
  }
}

void eo__mpi_accept(int number, const eo__mpi_post *post) {
  if (accept_note(number, post)) return;
  eo__mpi_act *act = eo__mpi_need(malloc(offsetof(eo__mpi_act, post) + post->bytes));
  *act = (eo__mpi_act){.rank = number, .serial = ++eo__mpi_w.serial};
  if (post->kind != EO__MPI_PROBE) {
    eo__mpi_w.idle = 0;
    eo__mpi_w.ranks[number].tested = false; /* others may do more now */
  }
  memcpy(&act->post, post, post->bytes);
  eo__mpi_history_post(act);
  if (post->at_once) eo__mpi_history_wait(number, &post->request, 1, post->place, post->call, false);
  if (eo__mpi_w.windows) {
    eo__mpi_clock_tick(number);
    act->clock = eo__mpi_clock_copy(number);
  }
  switch (post->kind) {
    case EO__MPI_SEND: eo__mpi_send_arrives(act); break;
    case EO__MPI_PROBE: eo__mpi_probe_arrives(act); break;
    case EO__MPI_MEET: eo__mpi_meet_arrives(act); break;
    case EO__MPI_RMA: eo__mpi_rma_arrives(act); break;
    case EO__MPI_LOCK: eo__mpi_lock_arrives(act); break;
    default: eo__mpi_receive_arrives(act);
  }
}

/* The rank has the token until it waits. */
static void run(int number) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[number];
  eo_message message;
  rank->ready = false;
  if (rank->block.until == EO__MPI_UNTIL_ALL) eo__mpi_observed(number, rank->waits, rank->block.waits);
  if (eo__mpi_w.windows) eo__mpi_clock_goes_on(number);
  eo_send_(&lets_go, rank->pid, EO__MPI_GO, rank->reply, rank->reply_used);
  rank->reply_used = 0;
  eo_receive_tags_(&nowhere, &message, (const int[]){EO__MPI_BATCH, EO_DOWN}, 2, EO_FOREVER);
  if (message.tag == EO_DOWN) {
    rank->ended = true;
    if (((const eo_down_info *)message.data)->reason == NO_ROOM) give_up();
    return;
  }
  char *inbox = eo__mpi_need(malloc(message.size)); /* other messages come while this one is read */
  memcpy(inbox, message.data, message.size);
  const eo__mpi_batch *batch = (const void *)inbox;
  const char *at = (const char *)(batch + 1), *end = at + batch->posts;
  rank->block = *batch;
  if (batch->waits > rank->waits_room) {
    rank->waits_room = 2 * batch->waits;
    rank->waits = eo__mpi_need(realloc(rank->waits, rank->waits_room * sizeof *rank->waits));
  }
  if (batch->waits) memcpy(rank->waits, end, batch->waits * sizeof *rank->waits);
  while (at < end) {
    const eo__mpi_post *post = (const void *)at;
    eo__mpi_accept(number, post);
    at += post->bytes;
  }
  free(inbox);
  eo__mpi_operations_of(number);
  if (rank->block.until == EO__MPI_UNTIL_ALL)
    eo__mpi_history_wait(number, rank->waits, rank->block.waits, rank->block.place, rank->block.call, false);
  if (satisfied(rank)) rank->ready = true;
}

/* ---- Waits and tests that are for the world to decide ------------------------------------------------------------------ */

bool eo__mpi_can_decide(const eo__mpi_rank *rank) {
  if (rank->ended || rank->ready) return false;
  eo__mpi_until until = rank->block.until;
  return eo__mpi_is_test(until) || (until != EO__MPI_UNTIL_ALL && done_waits(rank));
}

static void answer_not_yet(eo__mpi_rank *rank) {
  tell(rank, 0, 0, EO__MPI_NOT_YET, NULL, 0);
  rank->ready = rank->tested = true;
  eo__mpi_probe_ends(rank);
}

/* These requests, by their numbers, are done; `which`: the first of them in the list of the rank, unless it is told of each. */
static void answer(eo__mpi_rank *rank, const uint32_t *requests, uint32_t count, uint32_t which) {
  eo__mpi_observed((int)(rank - eo__mpi_w.ranks), requests, count);
  eo__mpi_history_wait((int)(rank - eo__mpi_w.ranks), requests, count, rank->block.place, rank->block.call, true);
  if (!eo__mpi_is_some(rank->block.until)) tell(rank, 0, 0, (int)which, NULL, 0);
  rank->ready = true;
  rank->tested = false;
}

/* Each of those that are done is one of them or not, but for the last if there would be none. */
static void answer_some(eo__mpi_rank *rank, size_t done) {
  uint32_t count = 0, *chosen = eo__mpi_need(malloc(done * sizeof *chosen));
  for (uint32_t i = 0; i < rank->block.waits; i++) {
    if (!(rank->waits[i] & EO__MPI_DONE)) continue;
    bool must = --done == 0 && count == 0;
    if (!must && eo_choose_((const eo_place *)(const void *)rank->block.place, 2)) continue;
    chosen[count++] = rank->waits[i];
    tell(rank, 0, 0, (int)i, NULL, 0);
  }
  answer(rank, chosen, count, 0);
  free(chosen);
}

/* Lets a wait for one of several end with each of those that are done, and a test with each of these, or with none: but not
 * twice in a row, so that a program which polls comes to an end. */
static void decide_wait(eo__mpi_rank *rank) {
  const eo_place *place = (const eo_place *)(const void *)rank->block.place;
  bool all = rank->block.until == EO__MPI_TEST_ALL, some = eo__mpi_is_some(rank->block.until);
  size_t done = done_waits(rank);
  unsigned ways = all ? done == rank->block.waits : some ? done > 0 : (unsigned)done, way = 0;
  if (!ways) {
    eo__mpi_w.idle++;
    answer_not_yet(rank);
    return;
  }
  unsigned none = eo__mpi_is_test(rank->block.until) && !rank->tested;
  if (ways + none > 1) way = eo_choose_(place, ways + none);
  if (way == ways) {
    answer_not_yet(rank);
  } else if (some) {
    answer_some(rank, done);
  } else if (all) {
    answer(rank, rank->waits, rank->block.waits, 0);
  } else {
    uint32_t i = 0;
    while (!(rank->waits[i] & EO__MPI_DONE) || way-- > 0) i++;
    answer(rank, &rank->waits[i], 1, i);
  }
}

/* So often may tests come to nothing while nobody does anything else, before that is a deadlock. */
enum { PATIENCE = 200 };

static bool decide_waits(void) {
  if (eo__mpi_w.idle > (uint64_t)PATIENCE * (uint64_t)eo__mpi_w.size) return false;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    if (!eo__mpi_can_decide(&eo__mpi_w.ranks[i])) continue;
    decide_wait(&eo__mpi_w.ranks[i]);
    return true;
  }
  return false;
}

static bool run_ready(void) {
  bool any = false;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    if (!eo__mpi_w.ranks[i].ready) continue;
    run(i);
    any = true;
  }
  return any;
}

static bool all_ended(void) {
  for (int i = 0; i < eo__mpi_w.size; i++)
    if (!eo__mpi_w.ranks[i].ended) return false;
  return true;
}

void eo__mpi_world_run(int size, eo__mpi_buffering buffering, eo_function rank_main(int rank),
                       const eo__mpi_start *plan, size_t start_size) {
  eo__mpi_w =
      (eo__mpi_world){.size = size, .buffering = buffering, .separate = plan->separate, .contexts = 1 + (uint32_t)size};
  eo__mpi_w.ranks = eo__mpi_need(calloc((size_t)size, sizeof *eo__mpi_w.ranks));
  eo__mpi_start *start = eo__mpi_need(malloc(start_size));
  memcpy(start, plan, start_size);
  start->world = eo_self();
  start->size = size;
  start->buffered = buffering != EO__MPI_ZERO;
  for (int i = 0; i < size; i++) {
    eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    start->rank = i;
    rank->sends_end = &rank->sends;
    rank->receives_end = &rank->receives;
    rank->ready = true;
    eo_ref ref;
    rank->pid = eo_spawn_monitor_(&nowhere, rank_main(i), start, start_size, &ref);
  }
  free(start);
  do {
    do {
      while (run_ready()) continue;
    } while (!all_ended() && (eo__mpi_decide() || decide_waits()));
    if (eo__mpi_foreseen_in_vain() || (!all_ended() && eo__mpi_came_to_nothing())) {
      end_ranks();
      return;
    }
  } while (!all_ended() && eo__mpi_let_go());
  if (!all_ended()) eo__mpi_stuck();
  eo__mpi_check_end();
}
