/* Blocks and atomic sequences inside others; selections at their ends. */
byte x, y;
active [2] proctype P() {
  do
  :: atomic { x < 2 -> { x++; { y = x } }; atomic { y++; if :: y > 1 -> y = 0 :: else -> skip fi } }
  :: atomic { x == 2 -> if :: y = 3 :: { y = 4; y = 5 } :: goto leave fi }
  :: { x == 2; break }
  od;
leave:
  { atomic { x = 2; do :: y > 0 -> y-- :: else -> break od } }
}
