/* Receives and peeks with constants, signs, names, eval and _ in every place. */
mtype = {red, green};
chan q = [3] of {byte, byte};
chan s = [2] of {short};
chan m = [2] of {mtype, byte};
chan b = [1] of {bool};
byte g = 1;
active proctype Copies() {
  byte x, y;
  q!1,2;
  q!3,4;
  q?<1,x>;
  assert(x == 2);
  q?<x,2>;
  assert(x == 1);
  q?<1,2>;
  q?<eval(g),y>;
  q?<_,eval(g + 1)>;
  q??<3,x>;
  assert(x == 4);
  q??<x,4>;
  assert(x == 3);
  q??3,4;
  if
  :: q?<5,x> -> assert(false)
  :: q?<1,_> -> q?1,2
  fi;
  assert(len(q) == 0)
}
active proctype Signs() {
  short v;
  s!-3;
  s?<-3>;
  if
  :: s?<3> -> assert(false)
  :: s?-3
  fi;
  s!3;
  s?(v);
  m!green,7;
  m?<green,v>;
  assert(v == 7);
  m?green(7);
  b!true;
  b?<true>;
  b?true
}
active proctype Waits() { g = 2 }
