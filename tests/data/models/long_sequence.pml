/* Atomic sequences and d_steps that are long, and end: with and without choices. */
byte i, j, k;
short n;
active proctype Counts() {
  atomic {
    do
    :: i < 250 ->
      j = 0;
      do :: j < 250 -> j++ :: else -> break od;
      i++
    :: else -> break
    od;
    k = 1
  };
  assert(k > 0);
  d_step { do :: n < 30000 -> n++; n--; n++ :: else -> break od };
  assert(n == 30000)
}
active proctype Waits() { (k == 1); k = 2 }
