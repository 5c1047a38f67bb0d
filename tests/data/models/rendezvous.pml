/* Several senders, several receivers, constants that must fit. */
mtype = {a, b}; chan r = [0] of {mtype, byte}; byte got[2];
active [2] proctype S() { byte i; do :: i < 2 -> r!a, i; i++ :: i < 2 -> r!b, _pid; i++ :: else -> break od }
active [2] proctype R() { byte v; end: do :: r?a, v -> got[_pid - 2] = v :: r?b, eval(_pid - 2) :: r?b, 1 od }
