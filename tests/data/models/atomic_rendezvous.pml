/* The floor goes from the sender of a rendezvous to an atomic receiver, or is lost. */
chan r = [0] of {byte};
chan s = [0] of {byte};
byte x, y, z;
active proctype A() { atomic { x = 1; r!1; x = 2; s!2; x = 3 }; x = 4 }
active proctype B() { byte v; atomic { r?v; y = v; y++; y++ }; y = 9 }
active proctype C() { byte v; s?v; z = v; z++ }
active proctype D() { do :: z < 2 -> z++ :: x == 4 -> break od }
