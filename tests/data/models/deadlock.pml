/* Two locks, taken in two orders. */
bool a, b;
active proctype P() { do :: atomic { !a -> a = 1 }; atomic { !b -> b = 1 }; b = 0; a = 0 od }
active proctype Q() { do :: atomic { !b -> b = 1 }; atomic { !a -> a = 1 }; a = 0; b = 0 od }
