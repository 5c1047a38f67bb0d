/* rank.h: one rank: its handles, what it has begun, and how it waits. Its static variables are its own, since the program
 * is loaded once for each rank (start.c). */
#ifndef EO_MPI_RANK_H
#define EO_MPI_RANK_H

#include "mpi/object.h"
#include "mpi/wire.h"

typedef struct eo__mpi_comm {
  eo__mpi_object object;
  uint32_t context;
  int size, rank;     /* of this process in it */
  const int *members; /* ranks in MPI_COMM_WORLD; NULL: the same numbers */
  char name[MPI_MAX_OBJECT_NAME];
  const struct eo__mpi_grid *grid;   /* NULL: it has none */
  const struct eo__mpi_graph *graph; /* who is whose neighbour; NULL: nothing was said of that */
  struct eo__mpi_comm *remote; /* of an inter-communicator: the other group, as if it were a communicator; else NULL */
  MPI_Errhandler handler;      /* 0: none was set */
  eo__mpi_attribute *attributes;
  int own_members[];
} eo__mpi_comm;

/* All ranks, for what MPI does by itself. */
#define EO__MPI_COMM_EVERYONE ((MPI_Comm)0x44ffffff)

/* Something that was begun and not yet taken back by a wait. */
typedef struct eo__mpi_request {
  struct eo__mpi_request *next;
  uint32_t number;
  bool done;
  bool handed_out; /* the program has a handle of it, */
  bool sends, receives;
  bool cancelling; /* the program has called MPI_Cancel */
  bool known;      /* and knows that it is done: a test may not say otherwise */
  uint64_t probed; /* what a probe receives: the size of the message */
  void *buffer;
  MPI_Datatype type;
  const eo__mpi_comm *comm;
  /* Of what is not a message: takes over the result by `more`, which is freed with it, and fills the status (NULL: none). One that the
   * world does not know is done when its rank says so. */
  void (*finish)(struct eo__mpi_request *request, MPI_Status *status);
  void (*look)(struct eo__mpi_request *request, MPI_Status *status); /* just the status; NULL: an empty one */
  void *more;
  const eo_mpi_place *place;
  const char *call;
  eo__mpi_done *result; /* on the heap, with the bytes; NULL: not done */
} eo__mpi_request;

typedef struct eo__mpi_self {
  eo_pid world;
  int rank, size;
  bool separate, buffered; /* as in eo__mpi_start */
  bool initialized, finalized;
  const char *call;  /* the function that is running */
  uint32_t requests; /* numbers given so far */
  eo__mpi_request *pending;
  char *outbox;
  size_t used, room;
  int *answers; /* of the last wait or test: those that are done */
  size_t answer_count, answer_room;
} eo__mpi_self;
extern eo__mpi_self eo__mpi;

/* What every function of MPI does first: notes which one it is; a finding before MPI_Init and after MPI_Finalize. */
void eo__mpi_enter(const char *call);

/* A finding of this rank's, of a class such as "invalid-rank", at the running call. Does not return. */
__attribute__((noreturn, format(printf, 2, 3))) void eo__mpi_fail(const char *class_name, const char *format, ...);

/* Checks of arguments; each is a finding if it is wrong. */
const eo__mpi_comm *eo__mpi_comm_of(MPI_Comm comm);
void eo__mpi_check_data(const void *buffer, int count, MPI_Datatype type);
void eo__mpi_check_peer(const eo__mpi_comm *comm, int peer, bool receives);
enum { EO__MPI_MOST_TAG = (1 << 30) - 1 };
void eo__mpi_check_tag(int tag, bool receives);
void eo__mpi_check_status(const MPI_Status *status); /* NULL is not MPI_STATUS_IGNORE */

static inline int eo__mpi_world_rank(const eo__mpi_comm *comm, int rank) {
  return comm->members ? comm->members[rank] : rank;
}
int eo__mpi_rank_in(const eo__mpi_comm *comm, int world_rank);

/* Those that messages go to and come from. */
static inline const eo__mpi_comm *eo__mpi_others(const eo__mpi_comm *comm) {
  return comm->remote ? comm->remote : comm;
}
const eo__mpi_comm *eo__mpi_intra_of(MPI_Comm comm); /* a finding if it is an inter-communicator */

/* A post, zero but for its kind, call, place, request number and signature, with room for `size` bytes. Valid until the
 * next one. */
eo__mpi_post *eo__mpi_post_new(eo__mpi_kind kind, uint32_t request, int count, MPI_Datatype type, size_t size);
eo__mpi_post *eo__mpi_post_last(void);
eo__mpi_request *eo__mpi_request_new(void);
MPI_Request eo__mpi_request_handle(eo__mpi_request *request); /* by which the program knows it; NULL: nothing to do */
eo__mpi_request *eo__mpi_request_find(uint32_t number);       /* NULL: it was taken back */
eo__mpi_request *eo__mpi_request_of(MPI_Request *handle);     /* NULL: nothing to do. A finding if there is none */
bool eo__mpi_general_cancel(eo__mpi_request *request);        /* general.c. False: it is no such one */
void eo__mpi_request_leaks(void);                             /* a finding if the program has left some */
void eo__mpi_request_free(eo__mpi_request *request);

const eo_place *eo__mpi_here(void); /* of the running call */

/* operation.c: does what another rank has asked for, and answers. */
void eo__mpi_serve(const void *request);

/* Hands over what was begun, and returns when these are done; of ANY and tests, the answer: which one, or EO__MPI_NOT_YET. Of
 * SOME, the first of eo__mpi.answers. */
int eo__mpi_wait(eo__mpi_until until, eo__mpi_request **requests, size_t count);

/* The call of the send that was posted last has returned. */
void eo__mpi_send_returned(void);

/* The status of what had nothing to do: with nobody, or of no request. */
void eo__mpi_status_nobody(MPI_Status *status);
void eo__mpi_status_empty(MPI_Status *status);

/* What a done request tells, also if it is not a message. Its memory is the program's again. */
void eo__mpi_look(eo__mpi_request *request, MPI_Status *status);

/* Takes over what a done request has received, fills the status (NULL: none) and frees the request. */
void eo__mpi_complete(eo__mpi_request *request, MPI_Status *status);

/* Of types: what is known of them, also after they were freed. */
size_t eo__mpi_type_size(MPI_Datatype type); /* bytes of data in one item */
MPI_Aint eo__mpi_type_extent(MPI_Datatype type);
size_t eo__mpi_packed_size(int count, MPI_Datatype type);
void eo__mpi_pack(char *to, const void *buffer, int count, MPI_Datatype type);
void eo__mpi_unpack(void *buffer, const char *from, size_t size, MPI_Datatype type);
void eo__mpi_check_type(MPI_Datatype type); /* a finding if it cannot be used */

/* What `count` items are made of: one run, or a record, whose runs stay where they are. */
eo__mpi_run eo__mpi_signature(int count, MPI_Datatype type, const eo__mpi_run **runs);

/* rank.c: what a rank runs. */
void eo__mpi_rank_main(void *start);

#endif
