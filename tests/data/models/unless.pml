/* unless: plain, in a loop, around atomic sequences, d_steps and selections, nested, with receives of both kinds, labels, and
 * gotos into and out of it. */
byte x, y, z;
chan c = [1] of {byte};
chan r = [0] of {byte};
hidden byte scratch;

active proctype P() {
  do
  :: { x = 1;
       x = 2;
       atomic { y = 1; y = 2 };
       if :: y == 2 -> x = 3 :: x == 1 -> x = 4 fi
     } unless { c?x -> y = 0; if :: x == 1 -> break :: else fi }
  od;
again:
  { d_step { z = 1; z = 2 }; { z = 3; r?z; z == 0 } unless { y == 4 -> z = 5 }; goto done } unless { r?x; goto again };
done:
  skip;
  { false; z = 7 } unless { y > 3 -> scratch = 0 }
}

active proctype Q() {
  byte i;
  do :: i < 2 -> c!i; i++ :: i >= 2 -> break od;
  y = 4;
  atomic { r!1; skip } unless { z == 5 };
  if :: x == 7 -> skip :: else fi
}
