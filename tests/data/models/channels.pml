/* len, empty, full and their like, polls, messages that stay. */
mtype = {data, ack, stop};
chan q = [3] of {mtype, byte, bit};
byte got;
active proctype S() {
  byte i;
  do
  :: nfull(q) && i < 4 -> q!data(i, i); i++
  :: full(q) -> q?data(_, _)
  :: i == 4 && len(q) < 3 -> q!stop, 0, 0; break
  od
}
active proctype R() {
  byte v; bit b;
  do
  :: q?[data, v, b] -> q?<data, v, b>; q?data, eval(v), b; got = got + v
  :: q??[stop, v, b] -> q??stop, v, b; break
  :: empty(q) -> skip
  :: nempty(q) -> skip
  od
}
