/* Two processes that wait for a timeout, and a third that goes on behind one of them. */
byte a, b, c;
active proctype First() { timeout; a = 1; timeout; assert(b == 0 || c == 1) }
active proctype Second() { timeout; b = 1; (c == 1) -> b = 2 }
active proctype Third() { (a == 1 || b == 1); c = a + 1; timeout; assert(a == 0) }
