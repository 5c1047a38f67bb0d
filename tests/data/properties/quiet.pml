/* Labels, and no cycle that they forbid: an accept label that is passed once, and progress in every cycle. */
byte x;
active proctype A() {
accept_once:
  x = 1;
  do
  :: x == 1 -> progress: x = 2
  :: x == 2 -> x = 1
  od
}
