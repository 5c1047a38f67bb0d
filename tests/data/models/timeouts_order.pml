/* Behind a timeout its process goes on before the next one: only one order of the two fails. */
byte x, y;
active proctype First() { timeout; assert(x == 0); timeout; y = 1 }
active proctype Second() { timeout; x = 1; timeout; assert(y == 0) }
