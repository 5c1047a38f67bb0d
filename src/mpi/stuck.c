/* stuck.c: what is wrong when nothing can go on, or when something is left over at the end. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mpi/world.h"

typedef struct text {
  char chars[900];
  size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(t->chars + t->length, sizeof t->chars - t->length, format, arguments);
  va_end(arguments);
  if (length > 0) t->length += (size_t)length;
  if (t->length >= sizeof t->chars) t->length = sizeof t->chars - 1;
}

void eo__mpi_stuck(void) {
  text t = {{0}, 0};
  const eo_mpi_place *place = NULL;
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_rank *rank = &eo__mpi_w.ranks[i];
    add(&t, "%s", i ? ", " : "");
    if (rank->ended) {
      add(&t, "rank %d has ended", i);
      continue;
    }
    if (!place) place = rank->block.place;
    add(&t, "rank %d waits in %s (%s:%d)", i, rank->block.call, rank->block.place->file, rank->block.place->line);
    const eo__mpi_act *receive = rank->receives;
    if (receive && receive->post.blocking && receive->post.peer == EO__MPI_ANY) add(&t, " for a message of any rank");
    if (receive && receive->post.blocking && receive->post.peer != EO__MPI_ANY)
      add(&t, " for a message of rank %d", receive->post.peer);
  }
  eo__mpi_world_fail(place, "deadlock", "deadlock: %s", t.chars);
}

void eo__mpi_check_end(void) {
  for (int i = 0; i < eo__mpi_w.size; i++) {
    const eo__mpi_act *send = eo__mpi_w.ranks[i].sends;
    if (send)
      eo__mpi_world_fail(send->post.place, "unmatched-send", "rank %d's %s at %s:%d to rank %d is never received",
                         send->rank, send->post.call, send->post.place->file, send->post.place->line, i);
  }
}
