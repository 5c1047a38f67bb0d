/* stuck.c: what is wrong when nothing can go on, or when something is left over at the end. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mpi/collective.h"
#include "mpi/history.h"
#include "mpi/stuck.h"
#include "mpi/world.h"

void eo__mpi_text_add(eo__mpi_text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(t->chars + t->length, sizeof t->chars - t->length, format, arguments);
  va_end(arguments);
  if (length > 0) t->length += (size_t)length;
  if (t->length >= sizeof t->chars) t->length = sizeof t->chars - 1;
}

/* Does the rank wait for this request, which is not done? */
static bool waits_for(const eo__mpi_rank *rank, const eo__mpi_act *act) {
  for (uint32_t i = 0; i < rank->block.waits; i++)
    if (rank->waits[i] == act->post.request) return true;
  return false;
}

/* ---- Who waits for whom --------------------------------------------------------------------------------------------- */

static void add_wait(eo__mpi_text *t, int number) {
  const eo__mpi_rank *rank = &eo__mpi_w.ranks[number];
  for (const eo__mpi_act *receive = rank->receives; receive; receive = receive->next) {
    if (!waits_for(rank, receive)) continue;
    if (receive->post.peer == EO__MPI_ANY)
      eo__mpi_text_add(t, " for a message of any rank");
    else
      eo__mpi_text_add(t, " for a message of rank %d", receive->post.peer);
    return;
  }
  for (int to = 0; to < eo__mpi_w.size; to++)
    for (const eo__mpi_act *send = eo__mpi_w.ranks[to].sends; send; send = send->next) {
      if (send->rank != number || !waits_for(rank, send)) continue;
      eo__mpi_text_add(t, " for rank %d to receive its message", to);
      return;
    }
}

static void describe(eo__mpi_text *t) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    eo__mpi_text_add(t, "%s", i ? ", " : "");
    if (rank->ended) {
      eo__mpi_text_add(t, "rank %d has ended", i);
      continue;
    }
    eo__mpi_text_add(t, "rank %d waits in %s (%s:%d)", i, rank->block.call, rank->block.place->file,
                     rank->block.place->line);
    add_wait(t, i);
  }
}

/* ---- Why -------------------------------------------------------------------------------------------------------------- */

/* Messages of MPI itself: those of windows say which call they are of by their tags, others have that of the program. */
static bool is_of_window(const eo__mpi_post *post) { return strncmp(post->call, "MPI_Win", 7) == 0; }

/* A message that this receive would have got if not for its tag or its communicator; else NULL. The same number may be of
 * another rank in another communicator, so that of the two ranks of such a message one must be right. */
static const eo__mpi_act *near_miss(const eo__mpi_act *receive, bool *tag) {
  const eo__mpi_post *r = &receive->post;
  for (int to = 0; to < eo__mpi_w.size; to++)
    for (const eo__mpi_act *send = eo__mpi_w.ranks[to].sends; send; send = send->next) {
      bool from_it = r->peer == EO__MPI_ANY || r->peer == send->rank, to_it = to == receive->rank;
      bool same_tag = r->tag == send->post.tag || r->tag == EO__MPI_ANY;
      *tag = r->context == send->post.context;
      if ((r->context | send->post.context) & EO__MPI_PRIVATE && (is_of_window(r) || !*tag)) continue;
      if (*tag ? from_it && to_it : same_tag && (from_it || to_it)) return send;
    }
  return NULL;
}

__attribute__((noreturn)) static void differ(const char *error_class, const char *what, const eo__mpi_act *a,
                                             const eo__mpi_act *b, const eo__mpi_text *t) {
  eo__mpi_world_fail(a->post.place, error_class,
                     "rank %d's %s at %s:%d and rank %d's %s at %s:%d have different %s: %s", a->rank, a->post.call,
                     a->post.place->file, a->post.place->line, b->rank, b->post.call, b->post.place->file,
                     b->post.place->line, what, t->chars);
}

static void check_receives(const eo__mpi_text *t) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    for (const eo__mpi_act *receive = rank->receives; receive && !rank->ended; receive = receive->next) {
      bool tag;
      const eo__mpi_act *send = waits_for(rank, receive) ? near_miss(receive, &tag) : NULL;
      if (send)
        differ(tag ? "tag-mismatch" : "communicator-mismatch", tag ? "tags" : "communicators", receive, send, t);
    }
  }
}

/* Two ranks have called the same in different communicators, and not all others have. */
static void check_meets(const eo__mpi_text *t) {
  for (int i = 0; i < eo__mpi_w.size; i++)
    for (int j = 0; j < i; j++) {
      const eo__mpi_act *a = eo__mpi_left_alone(i), *b = eo__mpi_left_alone(j);
      if (a && b && a->post.context != b->post.context && strcmp(a->post.call, b->post.call) == 0)
        differ("communicator-mismatch", "communicators", b, a, t);
    }
}

/* A receive waits for a message of the rank whose message a wildcard took that could have got another one. */
static void check_races(const eo__mpi_text *t) {
  for (int i = 0; i < eo__mpi_w.size; i++)
    for (const eo__mpi_act *receive = eo__mpi_w.ranks[i].receives; receive; receive = receive->next) {
      if (receive->post.peer == EO__MPI_ANY || !waits_for(&eo__mpi_w.ranks[i], receive)) continue;
      for (const eo__mpi_race *race = eo__mpi_races; race; race = race->next) {
        if (race->rank != i || race->from != receive->post.peer || race->context != receive->post.context) continue;
        if (receive->post.tag != EO__MPI_ANY && receive->post.tag != race->tag) continue;
        eo__mpi_world_fail(
            race->place, "message-race",
            "rank %d's %s at %s:%d can get a message of another rank, but got the message of rank %d, for which %s "
            "at %s:%d waits: %s",
            i, race->call, race->place->file, race->place->line, race->from, receive->post.call,
            receive->post.place->file, receive->post.place->line, t->chars);
      }
    }
}

static eo__mpi_text hazard; /* what was said when it was let go */
static const char *hazard_class;
static const eo_mpi_place *hazard_place;

static const eo_mpi_place *first_place(void) {
  for (int i = 0; i < eo__mpi_w.size; i++)
    if (!eo__mpi_w.ranks[i].ended) return eo__mpi_w.ranks[i].block.place;
  return NULL;
}

/* Does that rank wait for a send of its own that could be buffered? */
static bool ends_send(eo__mpi_act *send) {
  if (send->done || send->post.mode == EO__MPI_SYNCHRONOUS) return false;
  bool waits = waits_for(&eo__mpi_w.ranks[send->rank], send);
  eo__mpi_act_done(send, NULL);
  return waits;
}

bool eo__mpi_let_go(void) {
  if (eo__mpi_w.buffering != EO__MPI_ZERO) return false;
  bool sends = false;
  describe(&hazard);
  hazard_place = first_place();
  for (int to = 0; to < eo__mpi_w.size; to++)
    for (eo__mpi_act *send = eo__mpi_w.ranks[to].sends; send; send = send->next) sends = ends_send(send) || sends;
  eo__mpi_w.buffering = EO__MPI_INFINITE;
  bool calls = eo__mpi_meetings_go_on();
  hazard_class = sends ? "buffering-deadlock" : "collective-deadlock";
  return sends || calls;
}

void eo__mpi_stuck(void) {
  eo__mpi_text t = {{0}, 0};
  describe(&t);
  check_races(&t);
  check_receives(&t);
  check_meets(&t);
  eo__mpi_world_fail(first_place(), "deadlock", "deadlock: %s", t.chars);
}

void eo__mpi_aborts(int rank) {
  for (const eo__mpi_race *race = eo__mpi_races; race; race = race->next)
    if (race->rank == rank)
      eo__mpi_world_fail(race->place, "message-race",
                         "rank %d calls abort after its %s at %s:%d got the message of rank %d, although it could "
                         "have got the message of another rank",
                         rank, race->call, race->place->file, race->place->line, race->from);
}

static struct {
  const char *text[2]; /* class, what */
  const eo_mpi_place *place;
  const char *call;
  int rank;
} leak;

void eo__mpi_note_leak(int rank, const eo__mpi_post *post) {
  if (leak.call) return;
  memcpy(leak.text, eo__mpi_payload(post), sizeof leak.text);
  leak.place = post->place;
  leak.call = post->call;
  leak.rank = rank;
}

void eo__mpi_check_end(void) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_act *send = eo__mpi_w.ranks[i].sends;
    if (send && send->post.context & EO__MPI_PRIVATE) {
      eo__mpi_world_fail(send->post.place, is_of_window(&send->post) ? "missing-epoch" : "unmatched-collective",
                         "rank %d's %s at %s:%d is not answered by rank %d", send->rank, send->post.call,
                         send->post.place->file, send->post.place->line, i);
    }
    if (send)
      eo__mpi_world_fail(send->post.place, "unmatched-send", "rank %d's %s at %s:%d to rank %d is never received",
                         send->rank, send->post.call, send->post.place->file, send->post.place->line, i);
  }
  check_meets(&(eo__mpi_text){"not all ranks of either call it", 31});
  const eo__mpi_act *alone = NULL;
  for (int i = 0; i < eo__mpi_w.size && !alone; i++) alone = eo__mpi_left_alone(i);
  if (alone)
    eo__mpi_world_fail(alone->post.place, "unmatched-collective",
                       "rank %d's %s at %s:%d is not called by all ranks of its communicator", alone->rank,
                       alone->post.call, alone->post.place->file, alone->post.place->line);
  if (hazard_class)
    eo__mpi_world_fail(
        hazard_place, hazard_class, "deadlock if %s: %s",
        hazard_class[0] == 'b' ? "sends are not buffered" : "collective calls wait until all ranks have called them",
        hazard.chars);
  eo__mpi_history_check();
  if (leak.call)
    eo__mpi_world_fail(leak.place, leak.text[0], "rank %d: the %s of %s at %s:%d was not freed before MPI_Finalize",
                       leak.rank, leak.text[1], leak.call, leak.place->file, leak.place->line);
}
