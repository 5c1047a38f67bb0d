/* Graphs, and collective calls among neighbours. The argument says what is done.

BEGIN_MBI_TESTS
  $ mpirun -np 4 ${EXE} graph
  | OK
  | a graph of three nodes, what is told of it, and what neighbours give each other
  $ mpirun -np 4 ${EXE} adjacent
  | OK
  | a ring of which each rank knows its neighbours, with weights
  $ mpirun -np 3 ${EXE} parts
  | OK
  | a star that rank 1 knows whole, and an edge that is there twice
  $ mpirun -np 4 ${EXE} torus
  | OK
  | a torus of two by two: what is sent ahead comes from behind
  $ mpirun -np 3 ${EXE} line
  | OK
  | a line, whose ends have one neighbour; counts, places and types of each
  $ mpirun -np 1 ${EXE} alone
  | OK
  | a ring of one
  $ mpirun -np 4 ${EXE} later
  | OK
  | the nonblocking ones
  $ mpirun -np 3 ${EXE} other_graph
  | ERROR: invalid-argument
  | ranks give different graphs
  $ mpirun -np 2 ${EXE} large_graph
  | ERROR: invalid-argument
  | a graph of more nodes than there are ranks
  $ mpirun -np 2 ${EXE} wrong_edge
  | ERROR: invalid-argument
  | an edge leads to no node
  $ mpirun -np 2 ${EXE} one_end
  | ERROR: invalid-argument
  | a rank names a source that does not name it
  $ mpirun -np 2 ${EXE} no_rank
  | ERROR: invalid-rank
  | a neighbour is no rank
  $ mpirun -np 2 ${EXE} some_weights
  | ERROR: invalid-argument
  | only one rank has weights
  $ mpirun -np 2 ${EXE} no_neighbours
  | ERROR: invalid-communicator
  | MPI_COMM_WORLD has no neighbours
  $ mpirun -np 2 ${EXE} no_graph
  | ERROR: invalid-communicator
  | MPI_COMM_WORLD has no graph
  $ mpirun -np 3 ${EXE} one_way
  | ERROR: collective-mismatch
  | a graph whose edges go one way only has no neighbours that agree
  $ mpirun -np 2 ${EXE} other_type
  | ERROR: type-mismatch
  | neighbours give and expect different types
  $ mpirun -np 2 ${EXE} other_count
  | ERROR: count-mismatch
  | neighbours give and expect different counts
  $ mpirun -np 2 ${EXE} other_call
  | ERROR: collective-mismatch
  | one gathers, the other one exchanges
  $ mpirun -np 3 ${EXE} one_missing
  | ERROR: deadlock
  | a neighbour calls nothing
  $ mpirun -np 2 ${EXE} early
  | ERROR: buffer-in-use
  | what neighbours give is read before it is there
  $ mpirun -np 2 ${EXE} overlap
  | ERROR: invalid-buffer
  | the send buffer and the receive buffer overlap
END_MBI_TESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void must(int truth) {
  if (!truth) abort();
}

static MPI_Comm ring(int periodic) {
  MPI_Comm made;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &made);
  return made;
}

static void graph(void) {
  int index[] = {2, 3, 4}, edges[] = {1, 2, 0, 0}, i[3], e[4], n, m, got[2] = {-1, -1}, what;
  MPI_Comm made;
  MPI_Graph_map(MPI_COMM_WORLD, 3, index, edges, &n);
  must(n == (rank < 3 ? rank : MPI_UNDEFINED));
  MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &made);
  must((made == MPI_COMM_NULL) == (rank == 3));
  if (rank == 3) return;
  MPI_Topo_test(made, &what);
  MPI_Graphdims_get(made, &n, &m);
  must(what == MPI_GRAPH && n == 3 && m == 4);
  MPI_Graph_get(made, 3, 4, i, e);
  must(memcmp(i, index, sizeof i) == 0 && memcmp(e, edges, sizeof e) == 0);
  MPI_Graph_neighbors_count(made, 0, &n);
  must(n == 2);
  MPI_Graph_neighbors(made, 2, 1, &n);
  must(n == 0);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, made);
  must(rank ? got[0] == 0 && got[1] == -1 : got[0] == 1 && got[1] == 2);
  MPI_Comm_free(&made);
}

static MPI_Comm ring_graph(int weighted) {
  int from = (rank + size - 1) % size, to = (rank + 1) % size, weight = 5 + rank;
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, weighted ? &weight : MPI_UNWEIGHTED, 1, &to,
                                 weighted ? &weight : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  return made;
}

static void adjacent(void) {
  MPI_Comm made = ring_graph(1), copy;
  int n, m, weighted, what, from, to, weights[2], got;
  MPI_Comm_dup(made, &copy);
  MPI_Topo_test(copy, &what);
  MPI_Dist_graph_neighbors_count(copy, &n, &m, &weighted);
  must(what == MPI_DIST_GRAPH && n == 1 && m == 1 && weighted);
  MPI_Dist_graph_neighbors(copy, 1, &from, &weights[0], 1, &to, &weights[1]);
  must(from == (rank + size - 1) % size && to == (rank + 1) % size && weights[0] == 5 + rank);
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &got, 1, MPI_INT, copy);
  must(got == from);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&made);
}

static void parts(void) {
  int from[] = {0, 2}, degrees[] = {3, 1}, to[] = {1, 2, 2, 0}, weights[] = {1, 2, 3, 4};
  int n, m, weighted, in[3], out[3], in_weights[3], out_weights[3], given[3], got[3] = {0};
  MPI_Comm made;
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 1 ? 2 : 0, from, degrees, to, weights, MPI_INFO_NULL, 0, &made);
  MPI_Dist_graph_neighbors_count(made, &n, &m, &weighted);
  must(n == (rank == 2 ? 2 : 1) && m == (rank == 0 ? 3 : rank == 2 ? 1 : 0) && weighted);
  MPI_Dist_graph_neighbors(made, 3, in, in_weights, 3, out, out_weights);
  must(rank != 2 || (in[0] == 0 && in[1] == 0 && in_weights[0] + in_weights[1] == 5 && out[0] == 0));
  for (int i = 0; i < 3; i++) given[i] = 10 * rank + i;
  MPI_Neighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, made);
  must(rank == 0 ? got[0] == 20 : rank == 1 ? got[0] == 0 : got[0] == 1 && got[1] == 2);
  MPI_Comm_free(&made);
}

static void torus(void) {
  MPI_Comm made;
  int sizes[] = {2, 2}, round[] = {1, 1}, given[4], got[4], at[2], n;
  MPI_Cart_map(MPI_COMM_WORLD, 2, sizes, round, &n);
  must(n == rank);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, round, 0, &made);
  MPI_Cart_coords(made, rank, 2, at);
  for (int i = 0; i < 4; i++) given[i] = 10 * rank + i;
  MPI_Neighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, made);
  int other[] = {2 * (1 - at[0]) + at[1], 2 * at[0] + 1 - at[1]};
  for (int i = 0; i < 4; i++) must(got[i] == 10 * other[i / 2] + (i ^ 1));
  MPI_Comm_free(&made);
}

static void line(void) {
  MPI_Comm made = ring(0);
  int given[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, got[4] = {-1, -1, -1, -1};
  int counts[] = {1, 1}, places[] = {0, 2}, back[] = {2, 0};
  MPI_Aint bytes[] = {0, 2 * sizeof(int)}, back_bytes[] = {2 * sizeof(int), 0};
  MPI_Datatype types[] = {MPI_INT, MPI_INT};
  int low = rank > 0, high = rank < size - 1;
  MPI_Neighbor_alltoallv(given, counts, places, MPI_INT, got, counts, back, MPI_INT, made);
  must(got[2] == (low ? 10 * (rank - 1) + 2 : -1) && got[0] == (high ? 10 * (rank + 1) : -1) && got[1] == -1);
  for (int i = 0; i < 4; i++) got[i] = -1;
  MPI_Neighbor_alltoallw(given, counts, bytes, types, got, counts, back_bytes, types, made);
  must(got[2] == (low ? 10 * (rank - 1) + 2 : -1) && got[0] == (high ? 10 * (rank + 1) : -1) && got[1] == -1);
  for (int i = 0; i < 4; i++) got[i] = -1;
  MPI_Neighbor_allgatherv(&rank, 1, MPI_INT, got, counts, back, MPI_INT, made);
  must(got[2] == (low ? rank - 1 : -1) && got[0] == (high ? rank + 1 : -1));
  MPI_Comm_free(&made);
}

static void alone(void) {
  MPI_Comm made = ring(1);
  int given[2] = {1, 2}, got[2];
  MPI_Neighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, made);
  must(got[0] == 2 && got[1] == 1);
  MPI_Comm_free(&made);
}

static void later(void) {
  MPI_Comm made = ring(1);
  MPI_Request r[5];
  int given[2] = {10 * rank, 10 * rank + 1}, got[5][2], counts[] = {1, 1}, places[] = {0, 1};
  int below = (rank + size - 1) % size, above = (rank + 1) % size;
  MPI_Aint bytes[] = {0, sizeof(int)};
  MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, got[0], 1, MPI_INT, made, &r[0]);
  MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, got[1], counts, places, MPI_INT, made, &r[1]);
  MPI_Ineighbor_alltoall(given, 1, MPI_INT, got[2], 1, MPI_INT, made, &r[2]);
  MPI_Ineighbor_alltoallv(given, counts, places, MPI_INT, got[3], counts, places, MPI_INT, made, &r[3]);
  MPI_Ineighbor_alltoallw(given, counts, bytes, types, got[4], counts, bytes, types, made, &r[4]);
  MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) must(got[i][0] == below && got[i][1] == above);
  for (int i = 2; i < 5; i++) must(got[i][0] == 10 * below + 1 && got[i][1] == 10 * above);
  MPI_Comm_free(&made);
}

static void wrong(const char *what) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request r;
  int index[] = {1, 2, 3}, edges[] = {1, 0, 1}, got[4], given[2] = {0};
  if (strcmp(what, "other_graph") == 0) {
    edges[2] = rank == 2 ? 0 : 1;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &made);
  } else if (strcmp(what, "large_graph") == 0) {
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &made);
  } else if (strcmp(what, "wrong_edge") == 0) {
    edges[0] = 2;
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &made);
  } else if (strcmp(what, "one_end") == 0) {
    int other = 1 - rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, rank, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &made);
  } else if (strcmp(what, "no_rank") == 0) {
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &size, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &made);
  } else if (strcmp(what, "some_weights") == 0) {
    made = ring_graph(rank);
  } else if (strcmp(what, "no_neighbours") == 0) {
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  } else if (strcmp(what, "no_graph") == 0) {
    MPI_Graph_neighbors_count(MPI_COMM_WORLD, 0, got);
  } else if (strcmp(what, "one_way") == 0) {
    edges[1] = 2;
    edges[2] = 0;
    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &made);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, made);
  } else if (strcmp(what, "other_type") == 0) {
    made = ring(1);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, rank ? MPI_FLOAT : MPI_INT, made);
  } else if (strcmp(what, "other_count") == 0) {
    made = ring(1);
    MPI_Neighbor_alltoall(given, rank ? 0 : 1, MPI_INT, got, 1, MPI_INT, made);
  } else if (strcmp(what, "other_call") == 0) {
    made = ring(1);
    if (rank)
      MPI_Neighbor_alltoall(given, 1, MPI_INT, got, 1, MPI_INT, made);
    else
      MPI_Neighbor_allgather(given, 1, MPI_INT, got, 1, MPI_INT, made);
  } else if (strcmp(what, "one_missing") == 0) {
    made = ring(0);
    if (rank == 1) MPI_Recv(got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(given, 1, MPI_INT, got, 1, MPI_INT, made);
    if (rank == 0) MPI_Send(given, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (strcmp(what, "early") == 0) {
    made = ring(1);
    MPI_Ineighbor_allgather(given, 1, MPI_INT, got, 1, MPI_INT, made, &r);
    must(got[0] != 77);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  } else if (strcmp(what, "overlap") == 0) {
    made = ring(1);
    MPI_Neighbor_alltoall(got, 1, MPI_INT, got + 1, 1, MPI_INT, made);
  } else {
    abort();
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } all[] = {{"graph", graph}, {"adjacent", adjacent}, {"parts", parts}, {"torus", torus},
             {"line", line},   {"alone", alone},       {"later", later}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  size_t i = 0, count = sizeof all / sizeof *all;
  while (i < count && strcmp(argv[1], all[i].name) != 0) i++;
  if (i < count)
    all[i].run();
  else
    wrong(argv[1]);
  MPI_Finalize();
  return 0;
}
