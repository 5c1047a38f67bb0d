/* graph.c: see graph.h. Small, so that looking through all of it is quick enough. */
#include "core/graph.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"

eo_graph *eo__graph_open(eo_error *error) {
  eo_graph *graph = eo__map(NULL, sizeof *graph, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (graph != MAP_FAILED) return graph;
  eo__error_nomem(error);
  return NULL;
}

void eo__graph_close(eo_graph *graph) {
  if (graph) munmap(graph, sizeof *graph);
}

/* A worker that is killed while it holds the lock takes it along: nobody waits for ever, and the drawing is cut. */
static bool lock(eo_graph *graph) {
  enum { PATIENCE = 100000 };
  for (int i = 0; i < PATIENCE; i++) {
    if (!__atomic_exchange_n(&graph->lock, 1, __ATOMIC_ACQUIRE)) return true;
    sched_yield();
  }
  graph->cut = true;
  return false;
}

static void unlock(eo_graph *graph) { __atomic_store_n(&graph->lock, 0, __ATOMIC_RELEASE); }

uint32_t eo__graph_node_of(eo_graph *graph, const uint64_t fingerprint[2]) {
  uint32_t node = 0;
  if (!lock(graph)) return EO_GRAPH_NONE;
  while (node < graph->node_count && memcmp(graph->nodes[node].fingerprint, fingerprint, 2 * sizeof *fingerprint) != 0)
    node++;
  if (node == graph->node_count && node < EO_GRAPH_NODES) {
    memcpy(graph->nodes[node].fingerprint, fingerprint, 2 * sizeof *fingerprint);
    graph->node_count++;
  }
  if (node == EO_GRAPH_NODES) graph->cut = true;
  unlock(graph);
  return node < EO_GRAPH_NODES ? node : EO_GRAPH_NONE;
}

void eo__graph_end_at(eo_graph *graph, uint32_t node, eo_graph_end end) {
  if (node != EO_GRAPH_NONE) graph->nodes[node].end = end;
}

void eo__graph_step(eo_graph *graph, uint32_t from, uint32_t to, const char *text) {
  uint32_t edge = 0;
  if (from == EO_GRAPH_NONE || to == EO_GRAPH_NONE || !lock(graph)) return;
  for (; edge < graph->edge_count; edge++) {
    const eo_graph_edge *other = &graph->edges[edge];
    if (other->from == from && other->to == to && strcmp(other->text, text) == 0) break;
  }
  if (edge == graph->edge_count && edge < EO_GRAPH_EDGES) {
    eo_graph_edge *added = &graph->edges[edge];
    added->from = from;
    added->to = to;
    snprintf(added->text, sizeof added->text, "%s", text);
    graph->edge_count++;
  }
  if (edge == EO_GRAPH_EDGES) graph->cut = true;
  unlock(graph);
}
