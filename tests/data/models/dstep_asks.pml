/* What a d_step does depends on what is in a channel, also where nothing is. */
chan q = [1] of {byte};
byte g;
active proctype Sends() { end: q!1 }
active proctype Asks() { byte x; d_step { if :: q?x -> g = 1 :: else -> g = 2 fi }; assert(g == 1) }
