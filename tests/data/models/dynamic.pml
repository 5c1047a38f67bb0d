/* run with arguments; processes end youngest first, and take their channels with them. */
byte done;
chan out = [2] of {pid, byte};
proctype Worker(byte n; chan back) {
  chan mine = [1] of {byte};
  byte v;
  mine!n;
  mine?v;
  back!_pid, v + n;
  done++
}
init {
  byte i, v;
  pid p;
  do
  :: i < 3 -> p = run Worker(i, out); i++
  :: i == 3 -> break
  :: _nr_pr == 1 && i > 1 -> i = 3
  od;
  do
  :: out?p, v
  :: _nr_pr == 1 -> break
  od
}
