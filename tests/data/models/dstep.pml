/* d_step: the first option that can be taken; loops; a guard that blocks. */
byte x, y, z;
chan c = [4] of {byte};
active proctype P() {
  do
  :: d_step { x < 3 -> x++; if :: x > 1 -> y = x :: x > 0 -> y = 9 :: else -> y = 0 fi; c!y }
  :: d_step { len(c) == 3; do :: nempty(c) -> c?z :: else -> break od; z++ }
  :: x == 3 && empty(c) -> break
  od
}
active proctype Q() {
  byte v;
  do
  :: d_step { c?v; v = 0 }
  :: x == 3 && empty(c) -> break
  :: atomic { z > 20; d_step { z = 1; y = 2 }; y = 3 }
  od
}
