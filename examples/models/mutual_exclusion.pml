/* Mutual exclusion on a fully connected network (Ricart and Agrawala): who wants to enter asks all others, with a time
 * stamp; the others answer at once, unless they want to enter too and asked earlier: then they answer when they leave.
 * N: processes, each of which enters once. */
#ifndef N
#define N 2
#endif

mtype = {request, reply};

chan port[N] = [2 * N] of {mtype, byte, byte}; /* what, the time stamp, who */
byte inside;

active [N] proctype process() {
  byte clock, asked, stamp, who, answers, other;
  bool wants, waiting[N];
  clock = 1;
  asked = clock;
  wants = true;
  do
  :: other < N && other != _pid -> port[other]!request, asked, _pid; other++
  :: other < N && other == _pid -> other++
  :: other == N -> break
  od;
  do
  :: answers < N - 1 ->
     if
     :: port[_pid]?reply, stamp, who -> answers++
     :: port[_pid]?request, stamp, who ->
        clock = (stamp > clock -> stamp : clock) + 1;
        if
        :: asked < stamp || (asked == stamp && _pid < who) -> waiting[who] = true
        :: else -> port[who]!reply, clock, _pid
        fi
     fi
  :: answers == N - 1 -> break
  od;
  inside++;
  assert(inside == 1);
  inside--;
  wants = false;
  other = 0;
  do
  :: other < N && waiting[other] -> waiting[other] = false; port[other]!reply, clock, _pid; other++
  :: other < N && !waiting[other] -> other++
  :: other == N -> break
  od;
end:
  do
  :: port[_pid]?request, stamp, who -> port[who]!reply, clock, _pid
  od
}
