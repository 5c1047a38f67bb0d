/* (c -> a : b), operators, signs, shifts, 32 bits. */
int x; short s; byte b; bool t;
active proctype P() {
  x = (b > 2 -> 7 : -3);
  b = 250;
  do :: b > 5 -> b = b + 3 :: else -> break od;
  s = 32767; s++;
  assert(s == -32768);
  x = 2147483647; x = x + 1;
  x = (1 << 4) | 3 ^ 1 & ~0;
  assert(x == (16 | (3 ^ (1 & ~0))));
  x = 17 / 5 * 3 % 4 - -2;
  t = !t && !(x == 3) || 5 >= 4;
  x = x >> 1;
  if :: t != 0 && s <= 0 && x < 99 -> skip :: else -> assert(false) fi
}
