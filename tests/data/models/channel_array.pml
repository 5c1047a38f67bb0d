/* Elements of an array of channels by constants, by _pid and by variables. */
chan q[3] = [1] of {byte};
byte n = 2;
active proctype First() { end: q[1]!1 }
active proctype Second() { end: q[1]!2; assert(n == 1) }
active proctype Third() { byte x; end: q[_pid]!3; q[n]?x; n = 0 }
