/* An atomic sequence of a claim, as spin writes claims for formulas: all of it looks at the same state, and x is 1 in one alone. */
byte x;
active proctype A() { x = 1; x = 2; do :: x == 2 -> x = 3 :: x == 3 -> x = 2 od }
never { do :: atomic { (x == 1) -> assert(x != 1) } :: (1) od }
