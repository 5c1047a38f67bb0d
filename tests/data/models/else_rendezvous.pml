/* A rendezvous that can happen now keeps else away from the sender, and never from the receiver. */
chan r = [0] of {byte};
byte n, m;
active proctype S() { do :: n < 3 -> if :: r!n -> n++ :: else -> m++; if :: m > 4 -> break :: else fi fi :: n == 3 -> break od }
active proctype R() { byte v; do :: if :: r?v :: else -> m < 3; m++ fi :: m > 4 || n == 3 -> break od }
