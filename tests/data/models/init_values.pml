/* Initial values: of arrays, from other variables, of channels in arrays. */
byte a = 3, b[3] = 7, c[4] = {1, 2, 3};
int d = -5;
chan q[2] = [1] of {byte};
byte e = a + 2;
active [2] proctype P() {
  byte l = e * 2;
  byte m[2] = l;
  chan mine = q[_pid];
  mine!l;
  q[1 - _pid]?m[1];
  assert(m[0] == 10 && m[1] == 10 && c[3] == 3 && b[2] == 7 && d == -5)
}
