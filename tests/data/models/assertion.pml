/* Two processes increment a counter without a lock: one increment can be lost. */
byte n, done;
active [2] proctype Adder() {
  byte seen;
  seen = n;
  n = seen + 1;
  done++;
  if
  :: done == 2 -> assert(n == 2)
  :: else
  fi
}
