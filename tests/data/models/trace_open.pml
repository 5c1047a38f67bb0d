/* A trace that has not come to its end where all that is left may stay: an invalid end state. */
chan c = [2] of {byte};
active proctype A() { if :: c!1 :: c!1; c!2 fi }
active proctype B() { end: false }
trace { c!1; c!2 }
