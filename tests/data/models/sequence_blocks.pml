/* Whether an atomic sequence goes on at once, or lets others in, depends on what comes to its channels meanwhile. */
chan q = [2] of {byte};
chan meet = [0] of {byte};
byte g, h;
active proctype Takes() { byte x; atomic { q?x; g = 1; q?x; g = 2 } }
active proctype Gives() { q!1; q!2 }
active proctype Looks() { end: (g == 1) -> assert(h == 0) }
active proctype Meets() { atomic { h = 1; meet!1; h = 0 } }
active proctype Comes() { byte own; own = 1; meet?own }
active proctype Sees() { end: (h == 1) -> assert(g < 2) }
