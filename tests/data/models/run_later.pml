/* Processes that do not run yet can depend on what is done now: which of them fail depends on orders. */
byte x, y;
chan q = [1] of {byte};
proctype Checks(byte n) {
  byte own = y;
  assert(x == n);
  assert(own == 0);
  if :: n < 1 -> run Checks(n + 1) :: else fi
}
proctype Writes() { x = 1 }
init {
  byte i;
  run Writes();
  for (i : 0 .. 1) { run Checks(i) };
  q?i
}
active proctype Other() { y = 1; q!1 }
