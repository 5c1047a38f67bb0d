/* A trace: the receives on a channel and the sends on another one, whatever else happens; the last send does not fit. */
mtype = { ask, answer, bye };
chan to = [2] of {mtype, byte};
chan back = [1] of {mtype, byte};
chan other = [1] of {byte};

active proctype Client() {
  byte i, x;
  do
  :: i < 2 -> to!ask,i; other!i; back?answer,x; i++
  :: else -> break
  od;
  to!bye,0
}

active proctype Server() {
  byte x;
  do
  :: to?ask,x; other?_; back!answer,x
  :: to?bye,_; if :: back!answer,7 :: to!ask,9 fi; break
  od
}

trace {
  do
  :: to?ask,_; back!answer,_
  :: to?bye,0; break
  od;
end:
  back!bye,_
}
