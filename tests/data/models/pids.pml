/* _pid is used again when a process has ended. */
byte seen[6]; byte count;
proctype Child(byte depth) {
  seen[_pid]++;
  if :: depth > 0 && count < 3 -> count++; run Child(depth - 1) :: else fi
}
init { run Child(1); (_nr_pr == 1); run Child(2); (_nr_pr == 1); seen[0] = count }
