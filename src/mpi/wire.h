/* wire.h: what ranks and the world tell each other. A rank hands over its posts (what it has begun since it last stopped)
 * with what it waits for; the world answers with what has been done (completed requests, with their bytes).
 *
 * Places and names are addresses of constants in the program, which everybody can read. */
#ifndef EO_MPI_WIRE_H
#define EO_MPI_WIRE_H

#include <everyorder.h>
#include <front.h>
#include <mpi/mpi.h>

enum { EO__MPI_GO = 1, EO__MPI_BATCH }; /* tags: world to rank, rank to world */

enum { EO__MPI_ANY = -1 }; /* of peer and tag on the wire */

/* So many items of a basic type, one after the other. A message's signature is a sequence of them. */
typedef struct eo__mpi_run {
  int64_t count;
  int32_t basic; /* the number of EO_MPI_BASIC */
  int32_t more;  /* in a record: so many runs follow it */
} eo__mpi_run;

typedef enum eo__mpi_kind {
  EO__MPI_SEND,
  EO__MPI_RECEIVE,
  EO__MPI_PROBE,
  EO__MPI_MEET,
  EO__MPI_WAITED,
  EO__MPI_LEAK,
  EO__MPI_ABORTS,
  EO__MPI_CANCEL,
  EO__MPI_RMA, /* of windows (rma.h) */
  EO__MPI_SYNC,
  EO__MPI_LOCK,
  EO__MPI_UNLOCK,
  EO__MPI_TOUCHED,
  EO__MPI_PUBLISH
} eo__mpi_kind;

typedef enum eo__mpi_mode { EO__MPI_STANDARD, EO__MPI_SYNCHRONOUS, EO__MPI_READY, EO__MPI_BUFFERED } eo__mpi_mode;

/* In the number of a context: of messages that MPI sends by itself. */
#define EO__MPI_PRIVATE 0x40000000u

/* All ranks, apart from any communicator. */
#define EO__MPI_NO_CONTEXT UINT32_MAX

/* Something that a rank has begun. Behind it: signature.more runs, then, of a send or meet, `size` bytes: of a meet
 * eo__mpi_meet and its parts, of a wait that was over before it began the numbers of its requests, of what
 * was not freed, the class of that and what it is (its place and call are where it was made). */
typedef struct eo__mpi_post {
  uint32_t bytes; /* of all this, a multiple of 8 */
  uint8_t kind, mode;
  bool blocking;    /* its call returns when it is done */
  bool at_once;     /* of a send: its call has returned, since it need not wait for its receive */
  uint32_t request; /* number, from 1 */
  uint32_t context; /* of the communicator */
  int32_t peer;     /* in MPI_COMM_WORLD */
  int32_t tag;
  uint64_t size; /* bytes sent, or room to receive */
  eo__mpi_run signature;
  const eo_mpi_place *place;
  const char *call; /* "MPI_Send" */
} eo__mpi_post;

/* What a collective call gives and expects. Behind it: the parts that it gives (one for each member, or one for all), then
 * what it expects (one for each member, or one that says the same of all). */
typedef struct eo__mpi_meet {
  int32_t what;         /* eo__mpi_what */
  int32_t member, size; /* which one it is of how many */
  int32_t split;        /* of an inter-communicator: so many are in the first group; 0: there is one group */
  int32_t root;         /* -1: none; or, between groups, another one of the same group */
  int32_t operator_;
  uint32_t gives, expects; /* how many parts */
} eo__mpi_meet;

/* Behind it: signature.more runs, then, if it is given, `size` bytes. */
typedef struct eo__mpi_part {
  uint64_t bytes; /* of all this, a multiple of 8 */
  uint64_t size;
  eo__mpi_run signature;
  int64_t peer; /* between neighbours: the other member */
} eo__mpi_part;

typedef enum eo__mpi_until {
  EO__MPI_UNTIL_ALL, /* these requests are done */
  EO__MPI_UNTIL_ANY, /* one of them is: the world says which */
  EO__MPI_UNTIL_SOME,
  EO__MPI_TEST_ALL, /* the world says whether they are done, */
  EO__MPI_TEST_ANY, /* or which of them is, if any */
  EO__MPI_TEST_SOME /* of SOME, it may say several */
} eo__mpi_until;

static inline bool eo__mpi_is_some(eo__mpi_until until) {
  return until == EO__MPI_UNTIL_SOME || until == EO__MPI_TEST_SOME;
}
static inline bool eo__mpi_is_test(eo__mpi_until until) { return until >= EO__MPI_TEST_ALL; }

/* In the list of what a rank waits for: it knows that this one is done. */
#define EO__MPI_DONE 0x80000000u

/* In place of the source of a request that is done: it was cancelled; or it is done as the rank was told before. */
enum { EO__MPI_CANCELLED = -2, EO__MPI_KEPT = -3 };

/* The answer to a test. */
enum { EO__MPI_NOT_YET = -1 };

/* Then the posts, and `waits` request numbers. */
typedef struct eo__mpi_batch {
  uint32_t until, waits;
  uint64_t posts;            /* bytes of them */
  const eo_mpi_place *place; /* of the call that waits */
  const char *call;
} eo__mpi_batch;

/* A request that is done. Behind it: `size` bytes that were received; of a meet, what each giver gave, each after its size and
 * filled up to a multiple of 8. With the number 0: the answer, in `tag`, to the wait or test of the rank; of SOME there is one of these
 * for each that is done. */
typedef struct eo__mpi_done {
  uint32_t bytes; /* of all this, a multiple of 8 */
  uint32_t request;
  int32_t source; /* in MPI_COMM_WORLD */
  int32_t tag;
  uint64_t size;
} eo__mpi_done;

/* What a rank is given when it starts. */
typedef struct eo__mpi_start {
  eo_pid world;
  int rank, size;
  bool separate; /* windows have a public and a private copy of their memory */
  bool buffered; /* a standard send returns at once */
  int argc;      /* then the arguments, each ended by a zero */
} eo__mpi_start;

/* match.c: are there calls of MPI_Cancel in the program? */
bool eo__mpi_program_cancels(void);

void *eo__mpi_need(void *block); /* a finding if it is NULL */

static inline size_t eo__mpi_even(size_t size) { return (size + 7) & ~(size_t)7; }

static inline const eo__mpi_run *eo__mpi_more_runs(const eo__mpi_post *post) { return (const eo__mpi_run *)(post + 1); }

static inline const char *eo__mpi_payload(const eo__mpi_post *post) {
  return (const char *)(post + 1) + (size_t)post->signature.more * sizeof(eo__mpi_run);
}

#endif
