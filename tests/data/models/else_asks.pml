/* An else asks what is in a channel, and whether somebody stands ready to receive. */
chan q = [1] of {byte};
chan meet = [0] of {byte};
byte g;
active proctype Asks() {
  byte x;
  if :: q?x -> g = 1 :: else -> g = 2 fi;
  if :: meet!1 -> skip :: else -> assert(g == 1) fi
}
active proctype Sends() { end: q!1 }
active proctype Stands() { byte own; own = 1; own = 2; end: meet?own }
