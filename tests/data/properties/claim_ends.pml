/* A never claim that comes to its end, an else, an assertion in it, and a step inside of an atomic sequence that it does not see. */
byte x, y;
active proctype A() { atomic { x = 1; x = 2 }; y = 1; x = 3 }
active proctype B() { do :: x == 2 -> y = 2 :: x == 3 -> break od }
never {
  do
  :: atomic { (x == 1) -> assert(x != 1) }
  :: y == 2 && x == 3 -> break
  :: else
  od
}
