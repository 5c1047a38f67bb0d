/* The system of figure 2.1 of the dissertation: three machines, two of which have a port. M1 sends x to M3 and y to M2;
 * M2 answers y by sending z to M3, which takes two messages. In which order it gets them depends on how messages are
 * delivered: x first under causal delivery, either under asynchronous delivery. */
mtype = {x, y, z};

chan T2 = [2] of {mtype};
chan T3 = [2] of {mtype};

active proctype M1() {
  T3!x;
  T2!y
}

active proctype M2() {
  T2?_;
  T3!z
}

active proctype M3() {
  T3?_;
  T3?_
}
