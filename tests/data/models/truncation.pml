/* What is left of a value depends on the type, in variables, in parameters and in messages. */
bit b; bool o; byte y; short s; int i; unsigned u : 3; bit bits[2]; mtype = {m}; mtype mm; pid p;
chan c = [1] of {bit, byte, short, int};
proctype Q(byte n; bit f) { assert(n == 4 && f == 1); y = n }
active proctype P() {
  b = 2; o = 3; y = 260; s = 65537; i = -1; u = 9; bits[1] = 2; mm = 257; p = 300;
  assert(b == 0 && o == 1 && y == 4 && s == 1 && u == 1 && bits[1] == 2 && mm == 1 && p == 44);
  c!3, 300, 70000, -7;
  c?b, y, s, i;
  assert(b == 1 && y == 44 && s == 4464 && i == -7);
  run Q(260, 3)
}
