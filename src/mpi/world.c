/* world.c: see world.h. */
#include "mpi/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

eo__mpi_world eo__mpi_w;

eo__mpi_world eo__mpi_w;

static const eo_place nowhere = {"", "", 0, NULL};

void *eo__mpi_need(void *block) {
  if (!block) eo__mpi_world_fail(NULL, "out-of-memory", "there is no memory for more messages under way");
  return block;
}

void eo__mpi_world_fail(const eo_mpi_place *place, const char *class, const char *format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  eo_finding_(place ? (const eo_place *)(const void *)place : &nowhere, class, text);
}

/* ---- Who waits for what ------------------------------------------------------------------------------------------ */

/* Does the rank go on? That something it waits for is done is known by what is in its reply. */
static bool satisfied(const eo__mpi_rank *rank) {
  size_t done = 0;
  for (uint32_t i = 0; i < rank->block.waits; i++) done += rank->waits[i] == 0;
  return rank->block.until == EO__MPI_UNTIL_ALL ? done == rank->block.waits : done > 0;
}

static void note_wait(eo__mpi_rank *rank, uint32_t request) {
  for (uint32_t i = 0; i < rank->block.waits; i++)
    if (rank->waits[i] == request) rank->waits[i] = 0;
  if (!rank->ended && satisfied(rank)) rank->ready = true;
}

void eo__mpi_act_done(eo__mpi_act *act, const eo__mpi_act *from) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[act->rank];
  size_t size = from ? (size_t)from->post.size : 0, bytes = sizeof(eo__mpi_done) + eo__mpi_even(size);
  if (rank->reply_used + bytes > rank->reply_room) {
    rank->reply_room = 2 * (rank->reply_used + bytes);
    rank->reply = eo__mpi_need(realloc(rank->reply, rank->reply_room));
  }
  eo__mpi_done *done = (void *)(rank->reply + rank->reply_used);
  memset(done, 0, bytes);
  *done = (eo__mpi_done){.bytes = (uint32_t)bytes,
                         .request = act->post.request,
                         .source = from ? from->rank : 0,
                         .tag = from ? from->post.tag : 0,
                         .size = size};
  if (size) memcpy(done + 1, eo__mpi_payload(&from->post), size);
  rank->reply_used += bytes;
  act->done = true;
  note_wait(rank, act->post.request);
}

/* ---- Ranks run ----------------------------------------------------------------------------------------------------- */

void eo__mpi_accept(int number, const eo__mpi_post *post) {
  eo__mpi_act *act = eo__mpi_need(malloc(offsetof(eo__mpi_act, post) + post->bytes));
  *act = (eo__mpi_act){.rank = number, .serial = ++eo__mpi_w.serial};
  memcpy(&act->post, post, post->bytes);
  if (post->kind == EO__MPI_SEND)
    eo__mpi_send_arrives(act);
  else if (post->kind == EO__MPI_MEET)
    eo__mpi_meet_arrives(act);
  else
    eo__mpi_receive_arrives(act);
}

/* The rank has the token until it waits. */
static void run(int number) {
  eo__mpi_rank *rank = &eo__mpi_w.ranks[number];
  eo_message message;
  rank->ready = false;
  eo_send_(&nowhere, rank->pid, EO__MPI_GO, rank->reply, rank->reply_used);
  rank->reply_used = 0;
  eo_receive_tags_(&nowhere, &message, (const int[]){EO__MPI_BATCH, EO_DOWN}, 2, EO_FOREVER);
  if (message.tag == EO_DOWN) {
    rank->ended = true;
    return;
  }
  const char *at = message.data, *end = at + message.size;
  const eo__mpi_batch *batch = (const void *)at;
  rank->block = *batch;
  if (batch->waits > rank->waits_room) {
    rank->waits_room = 2 * batch->waits;
    rank->waits = eo__mpi_need(realloc(rank->waits, rank->waits_room * sizeof *rank->waits));
  }
  if (batch->waits) memcpy(rank->waits, batch + 1, batch->waits * sizeof *rank->waits);
  at += sizeof *batch + eo__mpi_even(batch->waits * sizeof *rank->waits);
  while (at < end) {
    const eo__mpi_post *post = (const void *)at;
    eo__mpi_accept(number, post);
    at += post->bytes;
  }
  if (satisfied(rank)) rank->ready = true;
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
  eo__mpi_w = (eo__mpi_world){.size = size, .buffering = buffering};
  eo__mpi_w.ranks = eo__mpi_need(calloc((size_t)size, sizeof *eo__mpi_w.ranks));
  eo__mpi_start *start = eo__mpi_need(malloc(start_size));
  memcpy(start, plan, start_size);
  start->world = eo_self();
  start->size = size;
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
    while (run_ready()) continue;
  } while (!all_ended() && eo__mpi_decide());
  if (!all_ended()) eo__mpi_stuck();
  eo__mpi_check_end();
}
