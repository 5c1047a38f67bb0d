/* Channels come and go with the processes that make them. */
chan shown = [1] of {chan};
byte done;
proctype Owner(byte n) { chan own = [1] of {byte}; shown!own; own?n; done++ }
init {
  chan c, d;
  run Owner(0);
  shown?c;
  c!1;
  run Owner(1);
  shown?d;
  d!2;
  (done == 2);
  assert(c != d)
}
