/* Variables of blocks: a declaration inside a block is a step. */
byte x = 1;
active proctype P() {
  byte v = 2;
  { byte a = 3; a++; { byte b; b = b + 5 } ; byte y[2]; y[1] = a };
  { byte a; a = v };
  v++;
  byte z = v;
  if :: byte w; w = z :: byte w2 = 4; v = w2 fi;
  assert(v == 3 || v == 4)
}
active proctype Q() { byte a; x++; { x++ } ; int t; t = x }
active proctype R() { byte u = 7; u++; assert(u == 8) }
