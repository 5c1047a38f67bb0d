/* cycles.h: a graph of states with marks on its edges, and a cycle in it that bears every mark: an execution that violates a
 * property for ever. Such a cycle is there if and only if a strongly connected component of the graph has, among its edges,
 * one for each mark (Tarjan's algorithm). */
#ifndef EO_PROMELA_CYCLES_H
#define EO_PROMELA_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* What an edge bears: marks of the property, and processes that no fairness asks more for, since they move or cannot. */
typedef struct eo__bears {
  uint64_t marks, fair;
} eo__bears;

typedef struct eo__cycles_edge {
  uint32_t to;
  uint32_t bears; /* in `kinds` */
} eo__cycles_edge;

typedef EO_VEC(uint32_t) eo__numbers;

typedef struct eo__cycles {
  EO_VEC(eo__cycles_edge) edges; /* of node 0, then of node 1, ... */
  EO_VEC(uint64_t) first;        /* by node: where its edges begin */
  EO_VEC(eo__bears) kinds;       /* each once */
  uint32_t kind;                 /* the last one that was looked up */
  eo__bears all;                 /* what a cycle must bear */
} eo__cycles;

/* One edge of a way through the graph: the nth of its node. */
typedef struct eo__cycles_hop {
  uint32_t node, nth;
} eo__cycles_hop;

typedef struct eo__cycles_way {
  EO_VEC(eo__cycles_hop) hops;
  size_t loop; /* the first that is repeated */
} eo__cycles_way;

/* Edges are added node by node; nodes without any may be left out at the end. False: no memory. */
bool eo__cycles_node(eo__cycles *cycles, uint32_t node);
bool eo__cycles_add(eo__cycles *cycles, uint32_t to, eo__bears bears);

/* A way from node 0 into a cycle that bears everything, and once round. *found: there is one. False: no memory. */
bool eo__cycles_find(const eo__cycles *cycles, uint32_t nodes, bool *found, eo__cycles_way *way);

uint64_t eo__cycles_bytes(const eo__cycles *cycles, uint64_t nodes); /* of memory, with what a search in it takes */
uint64_t eo__cycles_growth(const eo__cycles *cycles);                /* more, when one more edge is added */
void eo__cycles_release(eo__cycles *cycles);
void eo__cycles_way_release(eo__cycles_way *way);

#endif
