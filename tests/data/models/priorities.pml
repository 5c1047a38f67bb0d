/* Priorities: of active processes, of those that are run, changed; atomic sequences, a provided
 * clause and a timeout. (pan knows no priorities beside a rendezvous.) */
byte low, high, said;
chan c = [1] of {byte};
chan r = [1] of {byte};

active proctype medium() priority 5 {
  byte m;
  said = get_priority(_pid + 1) + get_priority(200);
  c?m;
  set_priority(1, 2);
  m = _priority;
  r!m
}

active proctype strong() priority 9 provided (low < 2) {
  c!1;
  do
  :: high < 3 -> high++; if :: high == 2 -> _priority = 3 :: else fi
  :: high == 3 -> break
  od;
  if :: r?said -> set_priority(0, 4) :: timeout -> said = 99 fi
}

proctype worker() {
  byte w;
  atomic { low++; low++; low-- };
  if :: r?w :: timeout -> low = _priority fi
}

init priority 3 {
  run worker() priority 2;
  run worker();
  _priority = _priority - 1;
  assert(low <= 2)
}
