/* timeout is true when nothing else can happen. */
chan c = [1] of {byte}; byte lost, sent;
active proctype S() { byte v; do :: sent < 2 -> c!sent; sent++; if :: c?v :: timeout -> lost++ fi :: sent == 2 -> break od }
active proctype L() { byte v; do :: c?v -> if :: skip :: c!v fi :: timeout -> if :: sent == 2 -> break :: else fi od }
