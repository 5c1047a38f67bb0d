/* Leader election in a ring in one direction (Dolev, Klawe and Rodeh): each node begins with a number of its own; a node
 * goes on for another round only if the number of its left neighbour is larger than its own and than that of the
 * neighbour's neighbour, whose number it goes on with. The last one left has seen the largest number.
 * N: nodes. */
#ifndef N
#define N 3
#endif

mtype = {first, second, winner};

chan port[N] = [2 * N] of {mtype, byte}; /* of node i; sent to by its left neighbour */
byte leaders;

active [N] proctype node() {
  byte number, left, largest, got;
  bool playing = true, found;
  number = (N - _pid) % N + 1;
  largest = number;
  port[(_pid + 1) % N]!first, number;
end:
  do
  :: port[_pid]?first, got ->
     if
     :: playing && got != largest -> left = got; port[(_pid + 1) % N]!second, got
     :: playing && got == largest -> found = true; port[(_pid + 1) % N]!winner, got
     :: else -> port[(_pid + 1) % N]!first, got
     fi
  :: port[_pid]?second, got ->
     if
     :: playing && left > got && left > largest -> largest = left; port[(_pid + 1) % N]!first, left
     :: playing && !(left > got && left > largest) -> playing = false
     :: else -> port[(_pid + 1) % N]!second, got
     fi
  :: port[_pid]?winner, got ->
     if
     :: found -> leaders++; assert(leaders == 1 && got == N)
     :: else -> port[(_pid + 1) % N]!winner, got
     fi;
     break
  od
}
