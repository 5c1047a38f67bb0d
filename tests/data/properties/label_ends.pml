/* Executions that end: without progress, which only cycles can lack, and, for one of the two, at an accept label. */
byte x;
active proctype A() {
  do
  :: x < 2 -> progress: x++
  :: x == 2 -> break
  od;
  x = 3
}
active proctype B() {
  x == 3;
accept:
  false
}
