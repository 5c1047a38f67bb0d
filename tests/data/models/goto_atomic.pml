/* Jumps from one atomic sequence into another, and out. */
byte x, y;
active [2] proctype P() {
  atomic { x++; if :: x > 1 -> goto second :: else fi; y = 1 };
  y = 2;
  atomic { y++; second: y++; x--; y++ };
  if :: x == 0 -> goto third :: else fi;
  y = 7;
third:
  atomic { y = 8; y = 9 }
}
