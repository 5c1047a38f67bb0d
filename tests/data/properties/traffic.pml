/* A request and its answer over channels, with a timer that may never fire. Strong, weak and released waiting. */
mtype = { ask, answer, none };
mtype state = none;
chan line = [1] of { mtype };
chan back = [0] of { mtype };

active proctype client() {
  do
  :: atomic { line!ask; state = ask };
     if
     :: back?answer -> state = answer
     :: timeout -> skip
     fi;
     state = none
  od
}

active proctype server() {
  byte lost;
end:
  do
  :: line?ask ->
     if
     :: back!answer
     :: lost < 2 -> lost++
     fi
  od
}

ltl until { (state != answer) U (state == ask) }
ltl weak { (state != answer) W (state == ask) }
ltl answered { [] (state == ask -> <> (state == answer)) }
ltl released { (state == ask) V (state != answer || len(line) == 0) }
ltl words { always ((state == answer) implies eventually (state == none)) }
ltl lost_less { [] (server:lost <= 2) }
ltl same { [] (state == ask) <-> [] (state == ask) }
