/* together.c: collective calls, as the world sees them. The n-th collective call of each member of a communicator belongs to
 * its n-th meeting. */
#include <stdlib.h>

#include "mpi/world.h"

typedef struct meeting {
  struct meeting *next;
  uint32_t context;
  int arrived;
  eo__mpi_act *of[]; /* by rank; NULL: not there yet */
} meeting;

static meeting *first_meeting;

/* The first meeting of that context at which this rank is not. */
static meeting *meeting_for(uint32_t context, int rank) {
  meeting **link = &first_meeting;
  while (*link && ((*link)->context != context || (*link)->of[rank])) link = &(*link)->next;
  if (*link) return *link;
  meeting *made = eo__mpi_need(calloc(1, sizeof *made + (size_t)eo__mpi_w.size * sizeof *made->of));
  made->context = context;
  return *link = made;
}

static void end_meeting(meeting *ended) {
  meeting **link = &first_meeting;
  while (*link != ended) link = &(*link)->next;
  *link = ended->next;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    if (!ended->of[i]) continue;
    eo__mpi_act_done(ended->of[i], NULL);
    free(ended->of[i]);
  }
  free(ended);
}

static int members(uint32_t context) { return context == 0 || context == EO__MPI_NO_CONTEXT ? eo__mpi_w.size : 1; }

void eo__mpi_meet_arrives(eo__mpi_act *act) {
  meeting *m = meeting_for(act->post.context, act->rank);
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_post *other = m->of[i] ? &m->of[i]->post : NULL;
    if (other && other->what != act->post.what)
      eo__mpi_world_fail(act->post.place, "collective-mismatch",
                         "rank %d calls %s at %s:%d where rank %d calls %s at %s:%d", act->rank, act->post.call,
                         act->post.place->file, act->post.place->line, i, other->call, other->place->file,
                         other->place->line);
  }
  m->of[act->rank] = act;
  m->arrived++;
  if (m->arrived == members(act->post.context)) end_meeting(m);
}

const eo__mpi_act *eo__mpi_meeting_of(int rank, const int **missing) {
  (void)missing;
  for (const meeting *m = first_meeting; m; m = m->next)
    if (m->of[rank]) return m->of[rank];
  return NULL;
}
