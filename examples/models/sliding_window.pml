/* A sliding window: up to W messages are under way before the first must be confirmed. Sequence numbers are counted
 * modulo W + 1, MESSAGES are sent in all; the receiver checks that they come in order. Nothing is lost. W: the window. */
#ifndef W
#define W 2
#endif
#ifndef MESSAGES
#define MESSAGES (2 * W)
#endif

mtype = {data, confirmed};

chan to_receiver = [W + 1] of {mtype, byte, byte}; /* what, the sequence number, the content */
chan to_sender = [W + 1] of {mtype, byte};

active proctype sender() {
  byte next, oldest, number;
  do
  :: next < MESSAGES && next - oldest < W -> to_receiver!data, next % (W + 1), next; next++
  :: oldest < next ->
     to_sender?confirmed, number;
     do
     :: oldest < next && oldest % (W + 1) != number -> oldest++
     :: else -> break
     od;
     oldest++
  :: oldest == MESSAGES -> break
  od
}

active proctype receiver() {
  byte expected, number, content;
  do
  :: expected < MESSAGES ->
     to_receiver?data, number, content;
     assert(number == expected % (W + 1) && content == expected);
     to_sender!confirmed, number;
     expected++
  :: expected == MESSAGES -> break
  od
}
