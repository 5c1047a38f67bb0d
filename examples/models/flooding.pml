/* Flooding: node 0 sends a message to its neighbours; every other node takes the one whose message comes first as its
 * parent and passes it on to all its other neighbours. The parents are a spanning tree. The network is a ring with a
 * chord from node 0 to each node with an even number. N: nodes. */
#ifndef N
#define N 3
#endif
#define NEIGHBOURS(a, b) ((a) != (b) && (((a) + 1) % N == (b) || ((b) + 1) % N == (a) || ((a) == 0 && (b) % 2 == 0) || ((b) == 0 && (a) % 2 == 0)))

chan port[N] = [N] of {byte}; /* who sends */

active [N] proctype node() {
  byte parent, from, other;
  bool reached;
  if
  :: _pid == 0 -> reached = true; goto forward
  :: else -> port[_pid]?parent; reached = true
  fi;
forward:
  do
  :: other < N && NEIGHBOURS(_pid, other) && !(_pid != 0 && other == parent) -> port[other]!_pid; other++
  :: other < N && !(NEIGHBOURS(_pid, other) && !(_pid != 0 && other == parent)) -> other++
  :: other == N -> break
  od;
end:
  do
  :: port[_pid]?from -> assert(reached)
  od
}
