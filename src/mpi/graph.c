/* graph.c: communicators whose members are the nodes of a graph. */
#include <stdlib.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/comms.h"

static const eo__mpi_graph *graph_of(MPI_Comm comm, bool distributed) {
  const eo__mpi_graph *graph = eo__mpi_comm_of(comm)->graph;
  if (!graph || graph->distributed != distributed)
    eo__mpi_fail("invalid-communicator", "the communicator has no %sgraph", distributed ? "distributed " : "");
  return graph;
}

static int *copy_of(const int *words, int count) {
  int *copy = eo__mpi_need(malloc(((size_t)count + 1) * sizeof *copy));
  if (count > 0) memcpy(copy, words, (size_t)count * sizeof *copy);
  return copy;
}

/* ---- Graphs that all members know ---------------------------------------------------------------------------------------- */

static void check_graph(const eo__mpi_comm *comm, int nodes, const int *index, const int *edges) {
  if (nodes < 0 || nodes > comm->size)
    eo__mpi_fail("invalid-argument", "the graph has %d nodes, and the communicator %d members", nodes, comm->size);
  if (nodes > 0 && (!index || (index[nodes - 1] > 0 && !edges))) eo__mpi_fail("invalid-argument", "an array is NULL");
  for (int i = 0; i < nodes; i++)
    if (index[i] < (i ? index[i - 1] : 0))
      eo__mpi_fail("invalid-argument", "index %d is less than the previous index", i);
  for (int i = 0; nodes > 0 && i < index[nodes - 1]; i++)
    if (edges[i] < 0 || edges[i] >= nodes)
      eo__mpi_fail("invalid-argument", "edge %d leads to node %d of %d", i, edges[i], nodes);
}

/* One number for all of it, by which members see whether they mean the same. */
static int digest(int nodes, const int *index, const int *edges) {
  uint32_t sum = (uint32_t)nodes;
  for (int i = 0; i < nodes; i++) sum = sum * 31 + (uint32_t)index[i];
  for (int i = 0; nodes > 0 && i < index[nodes - 1]; i++) sum = sum * 31 + (uint32_t)edges[i];
  return (int)sum;
}

static void check_same(MPI_Comm comm, int own) {
  int size = eo__mpi_comm_of(comm)->size, *all = eo__mpi_need(calloc((size_t)size, sizeof *all));
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_GRAPH_CREATE,
                                   .comm = comm,
                                   .gives = {.buffer = &own, .count = 1, .type = MPI_INT},
                                   .takes = {.buffer = all, .count = 1, .type = MPI_INT}});
  for (int i = 0; i < size; i++)
    if (all[i] != own) eo__mpi_fail("invalid-argument", "rank %d of the communicator gives another graph", i);
  free(all);
}

int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made) {
  eo__mpi_enter("MPI_Graph_create");
  const eo__mpi_comm *old = eo__mpi_intra_of(comm);
  (void)reorder;
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
  check_graph(old, nodes, index, edges);
  check_same(comm, digest(nodes, index, edges));
  eo__mpi_graph *graph = eo__mpi_need(calloc(1, sizeof *graph));
  graph->nodes = nodes;
  graph->index = copy_of(index, nodes);
  graph->edges = copy_of(edges, nodes ? index[nodes - 1] : 0);
  *made = eo__mpi_comm_split(EO__MPI_GRAPH_CREATE, comm, old->rank < nodes ? 0 : MPI_UNDEFINED, old->rank, NULL);
  if (*made == MPI_COMM_NULL) return MPI_SUCCESS;
  int first = old->rank ? index[old->rank - 1] : 0;
  graph->in_count = graph->out_count = index[old->rank] - first;
  graph->in = graph->out = graph->edges + first;
  eo__mpi_comm_own(*made)->graph = graph;
  return MPI_SUCCESS;
}

int MPI_Graphdims_get(MPI_Comm comm, int *nodes, int *edges) {
  eo__mpi_enter("MPI_Graphdims_get");
  const eo__mpi_graph *graph = graph_of(comm, false);
  *nodes = graph->nodes;
  *edges = graph->index[graph->nodes - 1];
  return MPI_SUCCESS;
}

static void check_room(int most, int count, const char *what) {
  if (most < count) eo__mpi_fail("invalid-argument", "there are %d %s, and room for %d", count, what, most);
}

int MPI_Graph_get(MPI_Comm comm, int most_nodes, int most_edges, int *index, int *edges) {
  eo__mpi_enter("MPI_Graph_get");
  const eo__mpi_graph *graph = graph_of(comm, false);
  int count = graph->index[graph->nodes - 1];
  check_room(most_nodes, graph->nodes, "nodes");
  check_room(most_edges, count, "edges");
  memcpy(index, graph->index, (size_t)graph->nodes * sizeof *index);
  memcpy(edges, graph->edges, (size_t)count * sizeof *edges);
  return MPI_SUCCESS;
}

/* Of a node: how many, and the first one. */
static int edges_of(const eo__mpi_graph *graph, int node, const int **first) {
  if (node < 0 || node >= graph->nodes)
    eo__mpi_fail("invalid-rank", "there is no rank %d in a graph of %d", node, graph->nodes);
  int begin = node ? graph->index[node - 1] : 0;
  *first = graph->edges + begin;
  return graph->index[node] - begin;
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *count) {
  eo__mpi_enter("MPI_Graph_neighbors_count");
  const int *first;
  *count = edges_of(graph_of(comm, false), rank, &first);
  return MPI_SUCCESS;
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int *neighbors) {
  eo__mpi_enter("MPI_Graph_neighbors");
  const int *first;
  int count = edges_of(graph_of(comm, false), rank, &first);
  check_room(most, count, "neighbours");
  if (count) memcpy(neighbors, first, (size_t)count * sizeof *neighbors);
  return MPI_SUCCESS;
}

int MPI_Graph_map(MPI_Comm comm, int nodes, const int *index, const int *edges, int *rank) {
  eo__mpi_enter("MPI_Graph_map");
  const eo__mpi_comm *c = eo__mpi_intra_of(comm);
  check_graph(c, nodes, index, edges);
  *rank = c->rank < nodes ? c->rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

/* ---- Graphs of which each member knows a part ----------------------------------------------------------------------------- */

/* What each member of a communicator says, in one array; where that of a member begins, and where the last one ends. */
typedef struct said {
  int *words, *begins;
  uint32_t context; /* for a new communicator */
} said;

static said gather(MPI_Comm comm, int *words, int count) {
  int size = eo__mpi_comm_of(comm)->size, *counts = eo__mpi_need(calloc((size_t)size, sizeof *counts));
  said all = {NULL, eo__mpi_need(calloc((size_t)size + 1, sizeof *all.begins)), 0};
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_GRAPH_CREATE,
                                   .comm = comm,
                                   .gives = {.buffer = &count, .count = 1, .type = MPI_INT},
                                   .takes = {.buffer = counts, .count = 1, .type = MPI_INT},
                                   .first_context = &all.context});
  for (int i = 0; i < size; i++) all.begins[i + 1] = all.begins[i] + counts[i];
  all.words = eo__mpi_need(malloc(((size_t)all.begins[size] + 1) * sizeof *all.words));
  eo__mpi_call_run(
      &(eo__mpi_call){.what = EO__MPI_GRAPH_CREATE,
                      .comm = comm,
                      .gives = {.buffer = words, .count = count, .type = MPI_INT},
                      .takes = {.buffer = all.words, .counts = counts, .displacements = all.begins, .type = MPI_INT}});
  free(counts);
  return all;
}

static void release(said *all) {
  free(all->words);
  free(all->begins);
}

static bool has_weights(const int *weights) { return weights != MPI_UNWEIGHTED; }

static void check_edges(const eo__mpi_comm *comm, int count, const int *ranks, const int *weights) {
  if (count < 0) eo__mpi_fail("invalid-count", "the number of neighbours is %d", count);
  if (count > 0 && (!ranks || !weights || weights == MPI_WEIGHTS_EMPTY))
    eo__mpi_fail("invalid-argument", "%s", ranks ? "there are no weights" : "the neighbours are NULL");
  for (int i = 0; i < count; i++) {
    if (ranks[i] < 0 || ranks[i] >= comm->size)
      eo__mpi_fail("invalid-rank", "there is no rank %d in a communicator of %d", ranks[i], comm->size);
    if (has_weights(weights) && weights[i] < 0) eo__mpi_fail("invalid-argument", "a weight is %d", weights[i]);
  }
}

static MPI_Comm settle(const eo__mpi_comm *old, uint32_t context, eo__mpi_graph *graph) {
  eo__mpi_comm *made = eo__mpi_comm_copy(old);
  graph->distributed = true;
  made->context = context;
  made->graph = graph;
  return made->object.handle;
}

static int count_of(const int *all, int count, int rank) {
  int found = 0;
  for (int i = 0; i < count; i++) found += all[i] == rank;
  return found;
}

/* What a member says of itself: weighted, how many sources, these, how many destinations, these. */
static void check_both_ends(const eo__mpi_comm *comm, const eo__mpi_graph *own, const said *all) {
  for (int i = 0; i < comm->size; i++) {
    const int *their = all->words + all->begins[i], *their_out = their + 2 + their[1];
    if (their[0] != own->weighted)
      eo__mpi_fail("invalid-argument", "rank %d of the communicator %s weights", i, their[0] ? "has" : "has no");
    int here = count_of(own->in, own->in_count, i), there = count_of(their_out + 1, their_out[0], comm->rank);
    if (here != there)
      eo__mpi_fail("invalid-argument", "rank %d of the communicator is a source %d times, and names this one %d times",
                   i, here, there);
  }
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in_count, const int *in, const int *in_weights, int out_count,
                                   const int *out, const int *out_weights, MPI_Info info, int reorder, MPI_Comm *made) {
  eo__mpi_enter("MPI_Dist_graph_create_adjacent");
  const eo__mpi_comm *old = eo__mpi_intra_of(comm);
  (void)reorder;
  if (info != MPI_INFO_NULL) eo__mpi_object_of(EO__MPI_INFO, info);
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
  check_edges(old, in_count, in, in_weights);
  check_edges(old, out_count, out, out_weights);
  if (has_weights(in_weights) != has_weights(out_weights))
    eo__mpi_fail("invalid-argument", "only one of the arrays of weights is MPI_UNWEIGHTED");
  eo__mpi_graph *graph = eo__mpi_need(calloc(1, sizeof *graph));
  graph->weighted = has_weights(in_weights);
  graph->in_count = in_count;
  graph->out_count = out_count;
  graph->in = copy_of(in, in_count);
  graph->out = copy_of(out, out_count);
  if (graph->weighted) graph->in_weights = copy_of(in_weights, in_count);
  if (graph->weighted) graph->out_weights = copy_of(out_weights, out_count);
  int count = 3 + in_count + out_count, *words = eo__mpi_need(malloc((size_t)count * sizeof *words));
  words[0] = graph->weighted;
  words[1] = in_count;
  memcpy(words + 2, graph->in, (size_t)in_count * sizeof *words);
  words[2 + in_count] = out_count;
  memcpy(words + 3 + in_count, graph->out, (size_t)out_count * sizeof *words);
  said all = gather(comm, words, count);
  check_both_ends(old, graph, &all);
  *made = settle(old, all.context, graph);
  free(words);
  release(&all);
  return MPI_SUCCESS;
}

/* As members say them: from, to, weight. */
enum { FROM, TO, WEIGHT, EDGE };

static void add(int **ranks, int **weights, int *count, int rank, int weight) {
  *ranks = eo__mpi_need(realloc(*ranks, ((size_t)*count + 1) * sizeof **ranks));
  *weights = eo__mpi_need(realloc(*weights, ((size_t)*count + 1) * sizeof **weights));
  (*ranks)[*count] = rank;
  (*weights)[(*count)++] = weight;
}

int MPI_Dist_graph_create(MPI_Comm comm, int count, const int *from, const int *degrees, const int *to,
                          const int *weights, MPI_Info info, int reorder, MPI_Comm *made) {
  eo__mpi_enter("MPI_Dist_graph_create");
  const eo__mpi_comm *old = eo__mpi_intra_of(comm);
  int total = 0, at = 0;
  (void)reorder;
  if (info != MPI_INFO_NULL) eo__mpi_object_of(EO__MPI_INFO, info);
  if (!made) eo__mpi_fail("invalid-argument", "the address of the new communicator is NULL");
  check_edges(old, count, from, MPI_UNWEIGHTED);
  for (int i = 0; i < count; i++) {
    if (degrees[i] < 0) eo__mpi_fail("invalid-count", "the number of neighbours is %d", degrees[i]);
    total += degrees[i];
  }
  check_edges(old, total, to, weights);
  int *words = eo__mpi_need(malloc(((size_t)total * EDGE + 1) * sizeof *words));
  for (int i = 0; i < count; i++)
    for (int j = 0; j < degrees[i]; j++, at++) {
      words[at * EDGE + FROM] = from[i];
      words[at * EDGE + TO] = to[at];
      words[at * EDGE + WEIGHT] = has_weights(weights) ? weights[at] : 0;
    }
  check_same(comm, has_weights(weights));
  said all = gather(comm, words, total * EDGE);
  eo__mpi_graph *graph = eo__mpi_need(calloc(1, sizeof *graph));
  graph->weighted = has_weights(weights);
  for (const int *e = all.words; e < all.words + all.begins[old->size]; e += EDGE) {
    if (e[TO] == old->rank) add(&graph->in, &graph->in_weights, &graph->in_count, e[FROM], e[WEIGHT]);
    if (e[FROM] == old->rank) add(&graph->out, &graph->out_weights, &graph->out_count, e[TO], e[WEIGHT]);
  }
  *made = settle(old, all.context, graph);
  free(words);
  release(&all);
  return MPI_SUCCESS;
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *in_count, int *out_count, int *weighted) {
  eo__mpi_enter("MPI_Dist_graph_neighbors_count");
  const eo__mpi_graph *graph = graph_of(comm, true);
  *in_count = graph->in_count;
  *out_count = graph->out_count;
  *weighted = graph->weighted;
  return MPI_SUCCESS;
}

static void tell(int count, const int *from, const int *from_weights, int most, int *to, int *to_weights) {
  check_room(most, count, "neighbours");
  if (count) memcpy(to, from, (size_t)count * sizeof *to);
  if (count && from_weights && has_weights(to_weights)) memcpy(to_weights, from_weights, (size_t)count * sizeof *to);
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int most_in, int *in, int *in_weights, int most_out, int *out,
                             int *out_weights) {
  eo__mpi_enter("MPI_Dist_graph_neighbors");
  const eo__mpi_graph *graph = graph_of(comm, true);
  tell(graph->in_count, graph->in, graph->weighted ? graph->in_weights : NULL, most_in, in, in_weights);
  tell(graph->out_count, graph->out, graph->weighted ? graph->out_weights : NULL, most_out, out, out_weights);
  return MPI_SUCCESS;
}

int MPI_Topo_test(MPI_Comm comm, int *what) {
  eo__mpi_enter("MPI_Topo_test");
  const eo__mpi_comm *c = eo__mpi_comm_of(comm);
  *what = c->grid ? MPI_CART : !c->graph ? MPI_UNDEFINED : c->graph->distributed ? MPI_DIST_GRAPH : MPI_GRAPH;
  return MPI_SUCCESS;
}
