/* Jumps forwards, backwards, out of loops; labels that mean something on jumps. */
byte n;
active proctype P() {
start:
  do
  :: n < 3 -> n++; goto start
  :: n == 3 -> goto middle
  :: n > 5 -> break
  od;
  n = 0;
progress_here:
  goto done;
middle:
  if :: goto later :: n = 4 fi;
  n = 7;
  goto start;
later:
accept_this:
  goto start2;
done: skip;
start2: n = 9;
end_of_it:
}
