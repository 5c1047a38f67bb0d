/* Readers and a writer with a manager: any number of readers at a time, or the writer alone; a waiting writer keeps new
 * readers out. N: clients, one of which writes; each asks once. */
#ifndef N
#define N 3
#endif

mtype = {read, write, done, granted};

chan manager = [2 * N] of {mtype, byte}; /* what is asked for, by whom */
chan client[N] = [1] of {mtype};
byte reading, writing;

active [N] proctype user() {
  if
  :: _pid == 0 ->
     manager!write, _pid;
     client[_pid]?granted;
     writing++;
     assert(writing == 1 && reading == 0);
     writing--
  :: else ->
     manager!read, _pid;
     client[_pid]?granted;
     reading++;
     assert(writing == 0);
     reading--
  fi;
  manager!done, _pid
}

active proctype server() {
  byte inside, finished, who, other, writer;
  bool busy, writer_waits, waits[N];
  do
  :: finished < N ->
     if
     :: manager?read, who ->
        if
        :: busy || writer_waits -> waits[who] = true
        :: else -> inside++; client[who]!granted
        fi
     :: manager?write, who ->
        if
        :: busy || inside > 0 -> writer_waits = true; writer = who
        :: else -> busy = true; client[who]!granted
        fi
     :: manager?done, who ->
        finished++;
        if
        :: busy -> busy = false
        :: else -> inside--
        fi;
        if
        :: !busy && inside == 0 && writer_waits -> writer_waits = false; busy = true; client[writer]!granted
        :: !busy && !writer_waits ->
           other = 0;
           do
           :: other < N && waits[other] -> waits[other] = false; inside++; client[other]!granted; other++
           :: other < N && !waits[other] -> other++
           :: other == N -> break
           od
        :: else
        fi
     fi
  :: finished == N -> break
  od
}
