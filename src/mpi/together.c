/* together.c: collective calls, as the world sees them. The n-th collective call of each member of a communicator belongs to
 * its n-th meeting. */
#include <stdlib.h>
#include <string.h>

#include "mpi/clock.h"
#include "mpi/collective.h"
#include "mpi/history.h"
#include "mpi/signature.h"
#include "mpi/world.h"

typedef struct meeting {
  struct meeting *next;
  uint32_t context, first_context; /* for new communicators: as many as it has members */
  int size, arrived, done;
  eo__mpi_meeting_event *event;
  eo__mpi_act *of[]; /* by member; NULL: not there yet */
} meeting;

static meeting *first_meeting;

static const eo__mpi_meet *meet_of(const eo__mpi_act *act) { return (const void *)eo__mpi_payload(&act->post); }

static const eo__mpi_collective *collective_of(const eo__mpi_act *act) {
  return &eo__mpi_collectives[meet_of(act)->what];
}

/* The first meeting of that context at which this member is not. */
static meeting *meeting_for(const eo__mpi_act *act) {
  const eo__mpi_meet *meet = meet_of(act);
  meeting **link = &first_meeting;
  while (*link && ((*link)->context != act->post.context || (*link)->of[meet->member])) link = &(*link)->next;
  if (*link) return *link;
  meeting *made = eo__mpi_need(calloc(1, sizeof *made + (size_t)meet->size * sizeof *made->of));
  made->context = act->post.context;
  made->size = meet->size;
  made->event = eo__mpi_need(calloc(1, sizeof *made->event));
  made->event->size = meet->size;
  made->first_context = eo__mpi_w.contexts;
  eo__mpi_w.contexts += (uint32_t)meet->size;
  eo__mpi_w.windows = eo__mpi_w.windows || meet->what == EO__MPI_WIN_CREATE;
  return *link = made;
}

/* ---- Do they fit? --------------------------------------------------------------------------------------------------- */

__attribute__((noreturn)) static void differ(const char *error_class, const eo__mpi_act *a, const eo__mpi_act *b,
                                             const char *how) {
  eo__mpi_world_fail(a->post.place, error_class, "rank %d's %s at %s:%d and rank %d's %s at %s:%d %s", a->rank,
                     a->post.call, a->post.place->file, a->post.place->line, b->rank, b->post.call, b->post.place->file,
                     b->post.place->line, how);
}

/* The n-th part that it gives, or, after these, that it expects. */
static const eo__mpi_part *part_of(const eo__mpi_meet *meet, uint32_t n) {
  const char *at = (const char *)(meet + 1);
  while (n-- > 0) at += ((const eo__mpi_part *)(const void *)at)->bytes;
  return (const void *)at;
}

static const eo__mpi_run *runs_of(const eo__mpi_part *part) { return (const void *)(part + 1); }

static const char *data_of(const eo__mpi_part *part) { return (const char *)(runs_of(part) + part->signature.more); }

/* ---- Slots: for what a taker takes, one after the other -------------------------------------------------------------------- */

static bool is_near(const eo__mpi_act *act) { return collective_of(act)->from == EO__MPI_OF_NEIGHBOURS; }

/* In its own group. */
static uint32_t number_in_group(const eo__mpi_meet *meet, int member) {
  return (uint32_t)(meet->split && member >= meet->split ? member - meet->split : member);
}

static uint32_t slots_of(const eo__mpi_act *taker) {
  return is_near(taker) ? meet_of(taker)->expects : (uint32_t)meet_of(taker)->size;
}

/* Who gives for that slot. -1: nobody. */
static int giver_of(const eo__mpi_act *taker, uint32_t slot) {
  const eo__mpi_meet *meet = meet_of(taker);
  if (is_near(taker)) return (int)part_of(meet, meet->gives + slot)->peer;
  return eo__mpi_takes_from(collective_of(taker), meet->member, (int)slot, meet->root, meet->split) ? (int)slot : -1;
}

/* Neighbours that are more than one to each other give and take in the order of their lists. NULL: there are not as many. */
static const eo__mpi_part *given_near(const eo__mpi_act *giver, const eo__mpi_act *taker, uint32_t slot) {
  const eo__mpi_meet *give = meet_of(giver), *take = meet_of(taker);
  uint32_t earlier = 0;
  for (uint32_t i = 0; i < slot; i++) earlier += part_of(take, take->gives + i)->peer == give->member;
  for (uint32_t i = 0; i < give->gives; i++)
    if (part_of(give, i)->peer == take->member && earlier-- == 0) return part_of(give, i);
  return NULL;
}

static const eo__mpi_part *given(const eo__mpi_act *giver, const eo__mpi_act *taker, uint32_t slot) {
  const eo__mpi_meet *meet = meet_of(giver);
  if (is_near(taker)) return given_near(giver, taker, slot);
  return part_of(meet, meet->gives > 1 ? number_in_group(meet, meet_of(taker)->member) : 0);
}

static const eo__mpi_part *expected(const eo__mpi_act *taker, uint32_t slot) {
  const eo__mpi_meet *meet = meet_of(taker);
  uint32_t number = is_near(taker) ? slot : meet->expects > 1 ? number_in_group(meet, (int)slot) : 0;
  return part_of(meet, meet->gives + number);
}

static void check_slot(const eo__mpi_act *giver, const eo__mpi_act *taker, uint32_t slot) {
  const eo__mpi_part *sent = given(giver, taker, slot), *there = expected(taker, slot);
  if (!sent) differ("collective-mismatch", giver, taker, "have different neighbours");
  switch (eo__mpi_signature_fits(&sent->signature, runs_of(sent), &there->signature, runs_of(there))) {
    case EO__MPI_FITS: return;
    case EO__MPI_OTHER: differ("type-mismatch", giver, taker, "have different types");
    default: differ("count-mismatch", giver, taker, "have different counts");
  }
}

static void check_parts(const eo__mpi_act *giver, const eo__mpi_act *taker) {
  if (!is_near(taker)) {
    uint32_t slot = (uint32_t)meet_of(giver)->member;
    if (giver_of(taker, slot) >= 0) check_slot(giver, taker, slot);
    return;
  }
  for (uint32_t slot = 0; slot < slots_of(taker); slot++)
    if (giver_of(taker, slot) == meet_of(giver)->member) check_slot(giver, taker, slot);
}

/* Between groups, the members of the root's own group do not know which of them it is. */
static bool roots_fit(const eo__mpi_meet *a, const eo__mpi_meet *b) {
  if (!a->split || !eo__mpi_is_rooted(&eo__mpi_collectives[a->what])) return a->root == b->root;
  if (a->root >= 0 && b->root >= 0) return a->root == b->root;
  if (a->root < 0 && b->root < 0) return eo__mpi_same_group(a->member, b->member, a->split);
  const eo__mpi_meet *knows = a->root >= 0 ? a : b, *other = a->root >= 0 ? b : a;
  return eo__mpi_same_group(other->member, knows->root, a->split) && other->member != knows->root;
}

static void check_pair(const eo__mpi_act *act, const eo__mpi_act *other) {
  const eo__mpi_meet *a = meet_of(act), *b = meet_of(other);
  bool fence = a->what == EO__MPI_WIN_FENCE || b->what == EO__MPI_WIN_FENCE;
  if (fence && a->what != b->what) differ("double-epoch", act, other, "are different calls: one rank has more fences");
  if (a->what != b->what || strcmp(act->post.call, other->post.call) != 0)
    differ("collective-mismatch", act, other, "are different calls");
  if (!roots_fit(a, b)) differ("root-mismatch", act, other, "have different roots");
  if (a->operator_ && b->operator_ && a->operator_ != b->operator_)
    differ("operator-mismatch", act, other, "have different operators");
  check_parts(act, other);
  check_parts(other, act);
}

/* ---- Who can go on -------------------------------------------------------------------------------------------------- */

static bool has_all(const meeting *m, const eo__mpi_act *taker) {
  if (eo__mpi_w.buffering == EO__MPI_ZERO && m->arrived < m->size) return false;
  for (uint32_t slot = 0; slot < slots_of(taker); slot++) {
    int giver = giver_of(taker, slot);
    if (giver >= 0 && !m->of[giver]) return false;
  }
  return true;
}

/* What it takes, part after part. */
static void end_for(const meeting *m, eo__mpi_act *taker) {
  size_t size = 0;
  char *bytes = NULL;
  for (uint32_t slot = 0; slot < slots_of(taker); slot++) {
    int giver = giver_of(taker, slot);
    if (giver < 0) continue;
    const eo__mpi_part *part = given(m->of[giver], taker, slot);
    if (m->of[giver]->clock) eo__mpi_clock_learn(taker->rank, m->of[giver]->clock);
    size_t room = sizeof part->size + eo__mpi_even((size_t)part->size);
    bytes = eo__mpi_need(realloc(bytes, size + room));
    memset(bytes + size, 0, room);
    memcpy(bytes + size, &part->size, sizeof part->size);
    if (part->size) memcpy(bytes + size + sizeof part->size, data_of(part), (size_t)part->size);
    size += room;
  }
  eo__mpi_act_met(taker, (int)m->first_context, bytes, size);
  free(bytes);
}

static void end_meeting(meeting *ended) {
  meeting **link = &first_meeting;
  while (*link != ended) link = &(*link)->next;
  *link = ended->next;
  for (int i = 0; i < ended->size; i++) eo__mpi_act_free(ended->of[i]);
  free(ended);
}

static bool go_on(meeting *m) {
  int before = m->done;
  for (int i = 0; i < m->size; i++) {
    if (!m->of[i] || m->of[i]->done || !has_all(m, m->of[i])) continue;
    end_for(m, m->of[i]);
    m->done++;
  }
  bool any = m->done > before;
  if (m->done == m->size) end_meeting(m);
  return any;
}

bool eo__mpi_meetings_go_on(void) {
  bool any = false;
  for (meeting *m = first_meeting, *next; m; m = next) {
    next = m->next;
    any = go_on(m) || any;
  }
  return any;
}

void eo__mpi_meet_arrives(eo__mpi_act *act) {
  meeting *m = meeting_for(act);
  for (int i = 0; i < m->size; i++)
    if (m->of[i]) check_pair(act, m->of[i]);
  if (is_near(act)) check_parts(act, act);
  m->of[meet_of(act)->member] = act;
  m->arrived++;
  eo__mpi_history_meet(act, m->event);
  go_on(m);
}

/* ---- When nothing goes on --------------------------------------------------------------------------------------------- */

const eo__mpi_act *eo__mpi_left_alone(int rank) {
  for (const meeting *m = first_meeting; m; m = m->next)
    for (int i = 0; i < m->size; i++)
      if (m->of[i] && m->of[i]->rank == rank) return m->of[i];
  return NULL;
}
