/* ?? takes the first message that matches; !! keeps them in order. */
chan q = [4] of {byte, byte}; byte out[4], n;
active proctype S() { q!!3, 1; q!!1, 2; q!!2, 0; q!!1, 1 }
active proctype R() { byte a, b; do :: q??1, b -> out[n] = b; n++ :: q??a, 0 -> out[n] = a; n++ :: n == 3 -> q?3, b; break od }
