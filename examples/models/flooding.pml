/* Flooding: node 0 sends a message to its neighbours; every other node takes the one whose message comes first as its
 * parent and passes it on to all its other neighbours. The parents are a spanning tree. The network is a ring with a
 * chord from node 0 to node N/2. N: nodes. */
#ifndef N
#define N 3
#endif
#define LEFT ((_pid + N - 1) % N)
#define RIGHT ((_pid + 1) % N)

chan port[N] = [N] of {byte}; /* who sends */

active [N] proctype node() {
  byte parent = N, from;
  if
  :: _pid == 0
  :: _pid != 0 -> port[_pid]?parent
  fi;
  if
  :: parent != RIGHT -> port[RIGHT]!_pid
  :: parent == RIGHT
  fi;
  if
  :: parent != LEFT -> port[LEFT]!_pid
  :: parent == LEFT
  fi;
  if
  :: _pid == 0 && N > 3 -> port[N / 2]!_pid
  :: _pid == N / 2 && N > 3 && parent != 0 -> port[0]!_pid
  :: else
  fi;
end:
  do
  :: port[_pid]?from -> assert(from == LEFT || from == RIGHT || from == 0 || _pid == 0)
  od
}
