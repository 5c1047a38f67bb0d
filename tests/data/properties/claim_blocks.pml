/* An atomic sequence of a claim that asks for two things of one state, which no state has: the claim cannot go on there. */
byte x;
active proctype A() { x = 1; x = 2; do :: x == 2 -> x = 3 :: x == 3 -> x = 2 od }
never { do :: atomic { (x == 1) -> (x == 2) -> break } :: else od }
