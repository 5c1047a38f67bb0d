/* graph.h: the states that an exploration came through and the steps between them, as long as they are few: for
 * `--dot`. Lies in memory that workers share, and is opened before they are forked. */
#ifndef EO_CORE_GRAPH_H
#define EO_CORE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { EO_GRAPH_NODES = 4096, EO_GRAPH_EDGES = 16384, EO_GRAPH_TEXT = 96 };
#define EO_GRAPH_NONE UINT32_MAX

typedef enum eo_graph_end { EO_GRAPH_INNER, EO_GRAPH_FINISHED, EO_GRAPH_FAILED } eo_graph_end;

typedef struct eo_graph_node {
  uint64_t fingerprint[2];
  eo_graph_end end; /* do executions end here, and how? */
} eo_graph_node;

typedef struct eo_graph_edge {
  uint32_t from, to;
  char text[EO_GRAPH_TEXT]; /* what the step did */
} eo_graph_edge;

/* Node 0 is where executions begin. */
typedef struct eo_graph {
  volatile int lock;
  uint32_t node_count, edge_count;
  bool cut; /* there are more than these */
  eo_graph_node nodes[EO_GRAPH_NODES];
  eo_graph_edge edges[EO_GRAPH_EDGES];
} eo_graph;

eo_graph *eo__graph_open(eo_error *error);
void eo__graph_close(eo_graph *graph); /* NULL: nothing */

/* The node of a state; EO_GRAPH_NONE: there is no room for another. */
uint32_t eo__graph_node_of(eo_graph *graph, const uint64_t fingerprint[2]);
void eo__graph_end_at(eo_graph *graph, uint32_t node, eo_graph_end end);

/* A step; nothing happens if one of the nodes is EO_GRAPH_NONE or the same edge is there. */
void eo__graph_step(eo_graph *graph, uint32_t from, uint32_t to, const char *text);

#endif
