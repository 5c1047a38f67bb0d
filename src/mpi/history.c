/* history.c: see history.h. The execution is run once more, without its ranks: each goes on past what it has begun, and past a
 * wait when what it waited for could have ended by then. */
#include "mpi/history.h"

#include <stdlib.h>

#include "mpi/stuck.h"

struct eo__mpi_event {
  eo__mpi_event *next; /* of the same rank */
  const eo_mpi_place *place;
  const char *call;
  int rank, kind; /* eo__mpi_kind, or WAIT */
  int mode;
  uint32_t context;
  int peer, tag;
  eo__mpi_event *match; /* of a send, receive or probe */
  eo__mpi_meeting_event *meeting;
  bool begun;
  bool choice;
  uint32_t count; /* of a wait */
  eo__mpi_event *of[];
};

enum { WAIT = 100 };

typedef struct past {
  eo__mpi_event *first, **end, *at;
  eo__mpi_event **by_request; /* by number */
  size_t room;
} past;

static past *pasts;

static past *past_of(int rank) {
  if (!pasts) {
    pasts = eo__mpi_need(calloc((size_t)eo__mpi_w.size, sizeof *pasts));
    for (int i = 0; i < eo__mpi_w.size; i++) pasts[i].end = &pasts[i].first;
  }
  return &pasts[rank];
}

static eo__mpi_event *append(int rank, uint32_t count) {
  past *p = past_of(rank);
  eo__mpi_event *event = eo__mpi_need(calloc(1, sizeof *event + count * sizeof event->of[0]));
  event->rank = rank;
  *p->end = event;
  p->end = &event->next;
  return event;
}

void eo__mpi_history_post(eo__mpi_act *act) {
  if (eo__mpi_w.buffering != EO__MPI_BOTH) return;
  past *p = past_of(act->rank);
  eo__mpi_event *event = append(act->rank, 0);
  const eo__mpi_post *post = &act->post;
  event->kind = post->kind;
  event->mode = post->mode;
  event->context = post->context;
  event->peer = post->peer;
  event->tag = post->tag;
  event->place = post->place;
  event->call = post->call;
  if (post->request >= p->room) {
    size_t room = 2 * (size_t)post->request + 8;
    p->by_request = eo__mpi_need(realloc(p->by_request, room * sizeof(void *)));
    while (p->room < room) p->by_request[p->room++] = NULL;
  }
  p->by_request[post->request] = event;
  act->event = event;
}

void eo__mpi_history_match(const eo__mpi_act *receive, const eo__mpi_act *send) {
  if (!receive->event || !send->event) return;
  receive->event->match = send->event;
  if (receive->post.kind == EO__MPI_RECEIVE) send->event->match = receive->event;
}

void eo__mpi_history_unmatch(const eo__mpi_act *receive, const eo__mpi_act *send) {
  if (!receive->event || !send->event) return;
  receive->event->match = send->event->match = NULL;
}

void eo__mpi_history_cancel(const eo__mpi_act *act) {
  if (act->event) act->event->kind = EO__MPI_CANCEL;
}

void eo__mpi_history_meet(const eo__mpi_act *act, eo__mpi_meeting_event *meeting) {
  if (act->event) act->event->meeting = meeting;
}

void eo__mpi_history_wait(int rank, const uint32_t *requests, uint32_t count, const eo_mpi_place *place,
                          const char *call, bool choice) {
  if (eo__mpi_w.buffering != EO__MPI_BOTH || count == 0) return;
  eo__mpi_event *event = append(rank, count);
  const past *p = past_of(rank);
  event->kind = WAIT;
  event->place = place;
  event->call = call;
  event->choice = choice;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = requests[i] & ~EO__MPI_DONE;
    if (number < p->room && p->by_request[number]) event->of[event->count++] = p->by_request[number];
  }
}

/* ---- Once more ------------------------------------------------------------------------------------------------------- */

typedef struct rules {
  bool sends_wait, calls_wait;
} rules;

static bool is_over(const eo__mpi_event *event, rules r) {
  switch (event->kind) {
    case EO__MPI_SEND:
      if (event->mode == EO__MPI_BUFFERED || (event->mode != EO__MPI_SYNCHRONOUS && !r.sends_wait)) return true;
      return event->match && event->match->begun;
    case EO__MPI_MEET: return !r.calls_wait || event->meeting->begun == event->meeting->size;
    case EO__MPI_RECEIVE:
    case EO__MPI_PROBE: return event->match && event->match->begun;
    default: return true; /* of windows, or cancelled */
  }
}

static bool advance(past *p, rules r) {
  eo__mpi_event *event = p->at;
  if (!event) return false;
  for (uint32_t i = 0; i < event->count; i++)
    if (!is_over(event->of[i], r)) return false;
  event->begun = true;
  if (event->meeting) event->meeting->begun++;
  p->at = event->next;
  return true;
}

static bool could_take(const eo__mpi_event *receive, const eo__mpi_event *send) {
  return send->kind == EO__MPI_SEND && send->begun &&
         !(send->match && send->match->begun && is_over(send->match, (rules){0})) && send->peer == receive->rank &&
         send->context == receive->context && (receive->tag == EO__MPI_ANY || receive->tag == send->tag);
}

/* Could something have gone otherwise where all wait? Then this is a matching that does not happen under these rules, and another
 * execution tells about them. */
static bool could_go_otherwise(rules r) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    if (pasts[i].at && pasts[i].at->choice) return true;
    for (const eo__mpi_event *e = pasts[i].first; e != pasts[i].at; e = e->next) {
      bool wildcard = (e->kind == EO__MPI_RECEIVE || e->kind == EO__MPI_PROBE) && e->peer == EO__MPI_ANY;
      if (!wildcard || is_over(e, r)) continue;
      for (int j = 0; j < eo__mpi_w.size; j++)
        for (const eo__mpi_event *s = pasts[j].first; s != pasts[j].at; s = s->next)
          if (could_take(e, s)) return true;
    }
  }
  return false;
}

static void tell(const char *error_class, const char *when) {
  eo__mpi_text t = {{0}, 0};
  const eo_mpi_place *place = NULL;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_event *at = pasts[i].at;
    eo__mpi_text_add(&t, "%s", i ? ", " : "");
    if (at)
      eo__mpi_text_add(&t, "rank %d waits in %s (%s:%d)", i, at->call, at->place->file, at->place->line);
    else
      eo__mpi_text_add(&t, "rank %d has ended", i);
    if (at && !place) place = at->place;
  }
  eo__mpi_world_fail(place, error_class, "deadlock if %s: %s", when, t.chars);
}

typedef enum outcome { COMES_TO_ITS_END, COULD_GO_OTHERWISE, GETS_STUCK } outcome;

static outcome outcome_of(rules r) {
  bool any = true, all = true;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    pasts[i].at = pasts[i].first;
    for (eo__mpi_event *e = pasts[i].first; e; e = e->next) {
      e->begun = false;
      if (e->meeting) e->meeting->begun = 0;
    }
  }
  while (any) {
    any = false;
    for (int i = 0; i < eo__mpi_w.size; i++)
      while (advance(&pasts[i], r)) any = true;
  }
  for (int i = 0; i < eo__mpi_w.size; i++) all = all && !pasts[i].at;
  return all ? COMES_TO_ITS_END : could_go_otherwise(r) ? COULD_GO_OTHERWISE : GETS_STUCK;
}

void eo__mpi_history_check(void) {
  if (!pasts) return;
  const rules lenient = {.calls_wait = true}, strict = {.calls_wait = true, .sends_wait = true};
  if (outcome_of(strict) == COMES_TO_ITS_END) return;
  if (outcome_of(lenient) == GETS_STUCK)
    tell("collective-deadlock", "collective calls wait until all ranks have called them, as the standard allows");
  if (outcome_of(strict) == GETS_STUCK) tell("buffering-deadlock", "sends are not buffered");
}
