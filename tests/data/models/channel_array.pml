/* Elements of an array of channels by constants, by _pid and by variables; a channel variable that a d_step sets. */
chan q[3] = [1] of {byte};
chan now = [1] of {byte};
byte n = 2;
active proctype First() { end: q[1]!1 }
active proctype Second() { end: q[1]!2; assert(n == 1) }
active proctype Third() { byte x; end: q[_pid]!3; q[n]?x; n = 0 }
active proctype Moves() { d_step { n == 2 -> now = q[0] } }
active proctype Uses() { now!5; assert(len(q[0]) == 1) }
active proctype Fills() { end: q[0]!4 }
