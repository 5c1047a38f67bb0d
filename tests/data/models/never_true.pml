/* An option that is never possible; a condition that blocks for ever at an end label. */
byte x;
active proctype P() { do :: false -> x = 9 :: x < 2 -> x++ :: x == 2 -> break od; end1: if :: 0 :: x > 5 fi }
