/* Whether the initialisers of a process fail depends on when it is started. */
byte z = 1, a[2];
proctype Divides(byte n) { byte x = 4 / z; a[n] = x }
active proctype Zeroes() { z = 0; z = 2 }
init { byte i; for (i : 0 .. 1) { run Divides(i) } }
