/* An atomic sequence that blocks in the middle loses the floor, and gets it back. */
byte x, y;
chan c = [1] of {byte};
active proctype A() {
  do
  :: atomic { x < 3 -> x++; c!x; y++ }
  :: x == 3 -> break
  od
}
active proctype B() {
  byte v;
  do
  :: c?v -> if :: v == 2 -> skip :: else fi
  :: timeout -> break
  od
}
