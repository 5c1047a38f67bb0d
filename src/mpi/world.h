/* world.h: the process that all ranks talk to: P1. It lets one rank run at a time, in rank order, until all wait or have
 * ended; then it matches what they have begun. Only one process can go on at any time, so that the one thing that an
 * exploration varies is what the world chooses: which message a wildcard receives.
 *
 * Everything is on this process's heap, so that it is saved and restored with it. */
#ifndef EO_MPI_WORLD_H
#define EO_MPI_WORLD_H

#include "mpi/wire.h"

typedef struct eo__mpi_act eo__mpi_act;

/* A post, as the world keeps it. */
struct eo__mpi_act {
  eo__mpi_act *next;           /* of the same queue */
  int rank;                    /* whose */
  uint64_t serial;             /* the order in which the world learnt of them, from 1 */
  uint64_t after;              /* of a wildcard: what was sent before this is not for it */
  bool done, told;             /* told: its rank knows */
  bool cancelled;              /* MPI_Cancel: it is still to be decided whether it is */
  bool foreseen;               /* that it is matched in the end, though it was to be cancelled */
  uint32_t *clock;             /* of its rank when it was begun; NULL: there are no windows */
  struct eo__mpi_event *event; /* history.h; NULL: none is kept */
  eo__mpi_post post;           /* must be last: its runs and bytes follow */
};

typedef struct eo__mpi_rank {
  eo_pid pid;
  bool ready, ended;
  bool tested;         /* its last test came to nothing */
  eo__mpi_act *probe;  /* that it waits for; NULL: none */
  eo__mpi_batch block; /* what it waits for */
  uint32_t *waits;
  size_t waits_room;
  eo__mpi_act *sends, **sends_end;       /* to it, that wait for a receive */
  eo__mpi_act *receives, **receives_end; /* of it, that wait for a send */
  struct eo__mpi_pair *pairs;            /* of receives of which it does not know that they are done: match.c */
  eo__mpi_act *others, **others_end;     /* its sends and meets that are not done, and what is done and not told */
  char *reply;                           /* what is done, for when it goes on */
  size_t reply_used, reply_room;
} eo__mpi_rank;

typedef enum eo__mpi_buffering { EO__MPI_BOTH, EO__MPI_ZERO, EO__MPI_INFINITE } eo__mpi_buffering;

typedef struct eo__mpi_world {
  int size;
  eo__mpi_buffering buffering;
  eo__mpi_rank *ranks;
  uint64_t serial;
  bool windows;      /* there are some */
  bool separate;     /* as in eo__mpi_start */
  uint32_t contexts; /* the next number of a communicator */
  uint64_t idle;     /* tests that came to nothing since something was done */
} eo__mpi_world;
extern eo__mpi_world eo__mpi_w;

/* What P1 does: starts a rank by rank_main(rank) with its part of `starts`, in which rank, size and world are filled in
 * here, and lets them run. */
void eo__mpi_world_run(int size, eo__mpi_buffering buffering, eo_function rank_main(int rank),
                       const struct eo__mpi_start *start, size_t start_size);

__attribute__((noreturn, format(printf, 3, 4))) void eo__mpi_world_fail(const eo_mpi_place *place,
                                                                        const char *class_name, const char *format,
                                                                        ...);

/* A new act of this rank, taken over from a post, is in no queue yet. */
void eo__mpi_accept(int rank, const eo__mpi_post *post);

void eo__mpi_act_free(eo__mpi_act *act);

/* It is done: its rank is told when it goes on; `from` is the send that a receive got, else NULL. */
void eo__mpi_act_done(eo__mpi_act *act, const eo__mpi_act *from);

/* It is cancelled; or it is done as its rank was told before. */
void eo__mpi_act_cancelled(eo__mpi_act *act);
void eo__mpi_act_kept(int rank, uint32_t request);
bool eo__mpi_act_unread(const eo__mpi_act *act); /* its rank has been told, and has not gone on since */
void eo__mpi_act_undone(const eo__mpi_act *act); /* its rank is not told, or told otherwise */

/* The same of a meet: what it takes, and the first of the numbers for new communicators. */
void eo__mpi_act_met(eo__mpi_act *act, int first_context, const void *bytes, size_t size);

/* The same of a probe, which finds this send. */
void eo__mpi_act_probed(eo__mpi_act *act, const eo__mpi_act *send);

/* Can a wait or test of this rank be answered, though it has no right to? */
bool eo__mpi_can_decide(const eo__mpi_rank *rank);

/* A wildcard that could have got another message than it did. */
typedef struct eo__mpi_race {
  struct eo__mpi_race *next;
  int rank, from;
  uint32_t context;
  int tag; /* of the message */
  const eo_mpi_place *place;
  const char *call;
} eo__mpi_race;

/* match.c */
extern eo__mpi_race *eo__mpi_races; /* of this execution, the last one first */
void eo__mpi_probe_arrives(eo__mpi_act *probe);
void eo__mpi_probe_ends(eo__mpi_rank *rank);
void eo__mpi_send_arrives(eo__mpi_act *send);
void eo__mpi_receive_arrives(eo__mpi_act *receive);
bool eo__mpi_decide(void); /* matches a wildcard. False: there is none that can be matched */

/* Of MPI_Cancel. A rank knows that these are done; one is to be cancelled. Was one foreseen to be matched, and is not? */
void eo__mpi_observed(int rank, const uint32_t *requests, uint32_t count);
void eo__mpi_cancel(int rank, const eo__mpi_post *post);
bool eo__mpi_foreseen_in_vain(void);

bool eo__mpi_others_can_go_on(const eo__mpi_act *act); /* though this one stays where it is? */

/* epochs.c */
void eo__mpi_rma_arrives(eo__mpi_act *act);
void eo__mpi_lock_arrives(eo__mpi_act *act);
void eo__mpi_operations_of(int rank); /* does those that it waits for */
void eo__mpi_synchronised(int rank, const eo__mpi_post *post);
void eo__mpi_memory_touched(int rank, const eo__mpi_post *post);
void eo__mpi_published(int rank, const eo__mpi_post *post);
bool eo__mpi_decide_lock(void);
bool eo__mpi_lock_can_be_had(const eo__mpi_act *but); /* by another */
bool eo__mpi_lock_left(void);                         /* one left a lock to others that nobody else wanted */

/* together.c */
void eo__mpi_meet_arrives(eo__mpi_act *act);
bool eo__mpi_meetings_go_on(void);               /* those that can. True: one could */
const eo__mpi_act *eo__mpi_left_alone(int rank); /* the first that it has begun and to which not all have come */

/* Has a wildcard left out a message for one that never came? Then this is no execution of the program. */
bool eo__mpi_came_to_nothing(void);

/* stuck.c: every rank waits, and nothing can be matched. */
void eo__mpi_note_leak(int rank, const eo__mpi_post *post); /* told at the end, unless there is something worse */
void eo__mpi_aborts(int rank);                              /* a finding if that is what a wildcard led to */
void eo__mpi_stuck(void);
bool eo__mpi_let_go(
    void); /* without buffers: goes on as if there were some, to see what comes of that. False: in vain */
void eo__mpi_check_end(void);

#endif
