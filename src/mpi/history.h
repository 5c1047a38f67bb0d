/* history.h: what ranks have begun and waited for in an execution, to say at its end whether the same matching would have led
 * to a deadlock if sends were not buffered, or collective calls waited for all. So one execution stands for both. */
#ifndef EO_MPI_HISTORY_H
#define EO_MPI_HISTORY_H

#include "mpi/world.h"

typedef struct eo__mpi_meeting_event {
  int size, begun;
} eo__mpi_meeting_event;

typedef struct eo__mpi_event eo__mpi_event;

void eo__mpi_history_post(eo__mpi_act *act);
void eo__mpi_history_match(const eo__mpi_act *receive, const eo__mpi_act *send); /* or a probe */
void eo__mpi_history_unmatch(const eo__mpi_act *receive, const eo__mpi_act *send);
void eo__mpi_history_cancel(const eo__mpi_act *act); /* as if it had not been begun */
void eo__mpi_history_meet(const eo__mpi_act *act, eo__mpi_meeting_event *meeting);

/* Requests by their numbers. `choice`: it could have ended with another one, or with none. */
void eo__mpi_history_wait(int rank, const uint32_t *requests, uint32_t count, const eo_mpi_place *place,
                          const char *call, bool choice);

/* A finding if it would have. */
void eo__mpi_history_check(void);

#endif
