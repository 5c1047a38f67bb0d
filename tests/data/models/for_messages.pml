/* for over the messages of a channel, which are taken and put back in turn. */
typedef pair { byte a; short b };
chan c = [3] of {pair};
int sum;
active proctype P() {
  pair p;
  p.a = 3; p.b = -1; c!p;
  p.a = 4; c!p;
  for (p in c) { sum = sum + p.a; if :: sum > 3 -> skip :: else -> sum++ fi };
  assert(sum == 8 && len(c) == 2)
}
active proctype Q() { pair q; (sum > 3) -> q.a = 1 }
