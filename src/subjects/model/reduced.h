/* reduced.h: what searches that leave states out have in common: the graph of those that they keep, each with how it was
 * reached, breadth first. Such a search says only which edges leave a state. It owns its states; a search is one of
 * these for as long as it goes on. */
#ifndef EO_PROMELA_REDUCED_H
#define EO_PROMELA_REDUCED_H

#include "subjects/model/full.h"
#include "subjects/model/states.h"

typedef EO_VEC(uint64_t) eo__sleep; /* steps by what they do, sorted: see eo__reduced_name */

typedef struct eo__reduced_node {
  uint32_t parent, depth;
  uint64_t steps; /* where the steps from the parent begin */
  uint32_t count; /* of those */
  uint64_t state; /* where its bytes begin */
  uint32_t size;
  bool waiting;     /* to be expanded */
  bool fails;       /* an assertion fails in those steps */
  eo__sleep asleep; /* steps that need not be taken from it */
} eo__reduced_node;

typedef struct eo__reduced eo__reduced;
struct eo__reduced {
  eo_promela_search *search;
  eo_promela_run run;
  eo__states states;
  EO_VEC(eo__reduced_node) nodes;
  EO_VEC(unsigned char) bytes;
  EO_VEC(uint32_t) queue;
  eo_promela_steps trail;
  size_t next; /* in the queue */

  uint32_t current;      /* the node that is expanded */
  eo_promela_steps path; /* from it to where the run is */
  size_t fails_at;       /* the first step of the path at which an assertion fails, from 1; 0: none */
  EO_VEC(uint32_t) late; /* dead ends behind failed assertions: told last, lest they hide a way without */
  bool ends;             /* processes that are through are ended only where nothing else can happen */
  bool quiet;            /* failures of steps were told before */
  bool stopped;
  uint64_t sleepers;                             /* how many steps are asleep in all nodes */
  bool (*expand)(eo__reduced *);                 /* the run is at the current node. False: no memory */
  uint64_t (*bytes_beside)(const eo__reduced *); /* of memory that `expand` uses itself; may be NULL */
  void *context;
};

/* Finds its way from the initial state by `expand`. An error: no memory. */
int eo__reduced_search(eo__reduced *r, eo_error *error);

/* The run goes back to the node that is expanded, and the path is empty. False: no memory. */
bool eo__reduced_go_back(eo__reduced *r);

/* Tells of a failure at the end of the path. False: no memory. */
bool eo__reduced_tell(eo__reduced *r, const eo_failure *failure);

/* Takes a step and puts it on the path; tells what fails. *on: something is behind it. False: no memory. */
bool eo__reduced_step(eo__reduced *r, eo_promela_step step, bool *on);

/* The run is at a state that an edge leads to, where `asleep` need not be taken (NULL: all must). */
bool eo__reduced_arrive(eo__reduced *r, const eo__sleep *asleep, bool *fresh);

/* Nothing can happen where the run is. */
bool eo__reduced_dead_end(eo__reduced *r);

/* Should the search end? By time, memory and the other limits; see eo_promela_halts. */
bool eo__reduced_halts(eo__reduced *r);

/* Stops for this reason. */
void eo__reduced_stop(eo__reduced *r, const char *why);

/* A step, named by what it does so that it is known again in other states: its process, its transition and, from a
 * port, the message and who sent it. The process is in the last eight bits. */
uint64_t eo__reduced_name(const eo_promela_run *run, eo_promela_step step);

bool eo__sleep_has(const eo__sleep *sleep, uint64_t name);
bool eo__sleep_add(eo__sleep *sleep, uint64_t name);

#endif
