/* local.h: a frontier for workers that are children of the process that has it (core/contain.h).
 *
 * In a worker it is an eo_frontier that asks the parent. In the parent a server answers from a frontier of any kind. It
 * knows which worker holds what, so a claim whose worker died goes on in the next one at once. And it need not leave
 * workers idle until another's budget is spent: it calls that one back, to split what it has. */
#ifndef EO_FRONTIER_LOCAL_H
#define EO_FRONTIER_LOCAL_H

#include "core/contain.h"
#include "core/frontier.h"

/* In the worker. */
eo_frontier *eo__local_open(eo_worker *worker, eo_error *error);

/* In the parent. */
typedef struct eo_local_seat {
  char name[64];
  eo_claim claim;
  bool holds; /* the claim */
  bool asks;  /* waits for one */
  double since;
} eo_local_seat;

typedef struct eo_local_server {
  eo_frontier *frontier;
  const volatile int *stop; /* set: "interrupted"; may be NULL */
  double deadline;          /* in eo__seconds: no work is given out after that; 0: none */
  char out_of_time[64];     /* why it then stopped */
  eo_local_seat *seats;
  uint32_t count;
  /* Optional: a slice was accepted; the cell of its worker still says what it last said of it. */
  void (*accepted)(void *context, uint32_t worker, const eo_cell *cell);
  void *context;
} eo_local_server;

/* Names the workers PREFIX.1, PREFIX.2, ... */
int eo__local_server_init(eo_local_server *server, eo_frontier *frontier, uint32_t workers, const char *prefix,
                          eo_error *error);
void eo__local_server_release(eo_local_server *server);

/* For eo_work: a question (EO_EINPUT: not one), a death, and now and then for those that wait. */
int eo__local_serve(eo_local_server *server, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                    eo_error *error);
void eo__local_died(eo_local_server *server, uint32_t worker);
int eo__local_tick(eo_local_server *server, eo_crew *crew, eo_error *error);

#endif
