/* Processes that can do something only while a condition holds: in atomic sequences, as receivers, and when they end. */
byte turn, done;
chan meet = [0] of {byte};

active [2] proctype P() provided (turn == _pid) {
  byte i;
  do
  :: i < 2 -> atomic { i++; turn = 1 - _pid; done++ }
  :: else -> break
  od;
  meet!_pid
}

active proctype taker() provided (turn != 1 || done > 2) {
  byte who;
end:
  do
  :: meet?who -> turn = 1 - who
  od
}

active proctype disturber() {
  atomic { turn = 0; done = 0 };
  assert(done < 4)
}
