/* A never claim: x is 3 only finitely often. */
byte x;
bool done;
active proctype A() { do :: x < 3 -> x++ :: x > 0 -> x-- :: done -> break od }
active proctype B() { do :: x == 2 -> x = 0 :: x == 1 -> done = 1 -> break od }
never {
T0:
  if
  :: (x != 3) -> goto accept_far
  :: (1) -> goto T0
  fi;
accept_far:
  if
  :: (x != 3) -> goto accept_far
  fi
}
