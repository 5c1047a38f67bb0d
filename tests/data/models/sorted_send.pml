/* A send in order of value can come before what would be received next. */
chan q = [2] of {byte};
bool ready;
active proctype Takes() { byte x; q!2; ready = true; q?x; assert(x == 2) }
active proctype Sorts() { ready; end: q!!1 }
