/* A ring in which the largest number wins (after Dolev, Klawe and Rodeh). */
#ifndef N
#define N 3
#endif
mtype = {one, two, winner};
chan q[N] = [N] of {mtype, byte};
byte leaders;
proctype node(chan in, out; byte number) {
  bit live = 1, know = 0;
  byte nr, maximum = number, left;
  out!one(number);
end:
  do
  :: in?one(nr) ->
     if
     :: live ->
        if
        :: nr != maximum -> out!two(nr); left = nr
        :: else -> know = 1; out!winner, nr
        fi
     :: else -> out!one(nr)
     fi
  :: in?two(nr) ->
     if
     :: live ->
        if
        :: left > nr && left > maximum -> maximum = left; out!one(left)
        :: else -> live = 0
        fi
     :: else -> out!two(nr)
     fi
  :: in?winner, nr ->
     if
     :: nr != number -> skip
     :: else -> leaders++; assert(leaders == 1)
     fi;
     if :: know :: else -> out!winner, nr fi;
     break
  od
}
init {
  byte proc = 1;
  atomic {
    do
    :: proc <= N -> run node(q[proc - 1], q[proc % N], (N + 3 - proc) % N + 1); proc++
    :: proc > N -> break
    od
  }
}
