/* Mutual exclusion by a token in a ring, whose loss is noticed (Misra): two tokens, ping and pong, go round; who has ping
 * may enter. A node that sees the same token twice and the other one not in between knows that the other one is lost.
 * Here neither is lost, so no node may ever conclude that. N: nodes; ROUNDS: how often the tokens go round before they
 * stop at node 0. */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

mtype = {ping, pong, none};

chan port[N] = [4] of {mtype, byte}; /* the token, how often it has gone round */
byte inside;

active [N] proctype node() {
  mtype token, last = none;
  byte round, stopped;
  bool wants;
  wants = true;
  if
  :: _pid == 0 -> port[1 % N]!ping, 0; port[1 % N]!pong, 0
  :: else
  fi;
end:
  do
  :: port[_pid]?token, round ->
     assert(token != last);
     last = token;
     if
     :: token == ping && wants -> inside++; assert(inside == 1); inside--; wants = false
     :: else
     fi;
     if
     :: _pid == 0 && round + 1 >= ROUNDS ->
        stopped++;
        if
        :: stopped == 2 -> break
        :: else
        fi
     :: _pid == 0 && round + 1 < ROUNDS -> port[1 % N]!token, round + 1
     :: else -> port[(_pid + 1) % N]!token, round
     fi
  od
}
