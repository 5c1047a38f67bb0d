/* sequence.h: from behind a step on through the atomic sequence that it is in, in every way that its process can go, to each
 * state where the sequence ends, or cannot go on and the others can.
 *
 * As in pan, no states are remembered inside atomic sequences, so that each way counts. Behind the first few thousand
 * steps they are, so that choices in a loop are not tried in all their combinations.
 *
 * However long a sequence is, it is no endless loop. It is one when there are states inside of it from which no way leads
 * out: a strongly connected component of the states inside that nothing leaves. Among states that are remembered, those are
 * found by Tarjan's algorithm. Before, and by whoever has no graph of them, they are looked for at few places of a way
 * (eo__sequence_asks), ahead from there as far as half the way so far: so it costs at most as much again as the way itself. */
#ifndef EO_PROMELA_SEQUENCE_H
#define EO_PROMELA_SEQUENCE_H

#include "subjects/model/states.h"

/* A state inside, with the steps from it that are still to be taken. */
typedef struct eo__sequence_frame {
  size_t path;             /* steps that lead to it */
  size_t state, size;      /* its bytes in `bytes`; size 0: it has one step only, and is not come back to */
  size_t steps, next, end; /* in `pending` */
  uint32_t index, low;     /* of Tarjan's algorithm; UINT32_MAX: it is not remembered */
  bool out;                /* a way out was found */
} eo__sequence_frame;

typedef struct eo__sequence {
  /* Set by the owner. */
  eo_promela_run *run;
  eo_promela_steps *path; /* grows by the steps of the way, and is cut back to where another way begins */
  const bool *stopped;    /* nothing more is wanted */
  void *context;
  /* Takes a step and puts it on the path. *on: the run is behind it, and goes on. False: no memory. */
  bool (*step)(void *context, eo_promela_step step, bool *on);
  bool (*arrive)(void *context); /* here the sequence ends or blocks; nobody has the floor any more. False: no memory */
  /* The path leads to where no way leads out. `closed`: eo__sequence_closed says so at its end, else it must be prolonged. False:
   * no memory. */
  bool (*endless)(void *context, const eo_failure *failure, bool closed);

  uint64_t many; /* states inside that are not remembered */

  bool halted;    /* the last eo__sequence_on was ended by the run's watch before its end */
  uint64_t count; /* states inside since eo__sequence_forget */
  eo__states states;
  EO_VEC(eo__sequence_frame) frames;
  EO_VEC(unsigned char) bytes;
  eo_promela_steps pending, found;
  EO_VEC(uint32_t) stack;     /* remembered states whose component is not complete */
  EO_VEC(unsigned char) done; /* by index: its component is complete */
} eo__sequence;

enum { EO__SEQUENCE_MANY = 4096 }; /* for `many` */

/* Behind so many steps of one sequence: is it asked here whether a way leads out? */
static inline bool eo__sequence_asks(size_t steps) { return steps >= 64 && (steps & (steps - 1)) == 0; }

/* Does no way lead out of the sequence that the run is in, behind so many steps of it? It looks at half as many states at
 * most, and says no if there are more. */
bool eo__sequence_closed(const eo_promela_run *run, size_t steps, eo_failure *failure);

/* The run is at the beginning of the path. Takes its steps, and then goes on until eo__sequence_closed holds. False: no memory. */
bool eo__sequence_prolong(eo_promela_run *run, eo_promela_steps *path);

/* The run is behind a step: goes on from there. False: no memory. */
bool eo__sequence_on(eo__sequence *sequence);

/* Before the steps of another state: none of the states inside were met. */
void eo__sequence_forget(eo__sequence *sequence);
uint64_t eo__sequence_bytes(const eo__sequence *sequence);
void eo__sequence_release(eo__sequence *sequence);

#endif
