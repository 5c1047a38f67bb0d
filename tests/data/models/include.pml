#include "include.h"
#define TWICE(a) ((a) + (a))
#if SIZE > 1
byte x[SIZE];
#else
byte x[9];
#endif
active [SIZE] proctype P() { x[_pid] = TWICE(_pid); assert(x[_pid] == 2 * _pid) }
