/* Labels of gotos: one that a property asks for is a place of its own, as in spin; the others are none. */
byte turns;
active proctype P() {
again:
  do
  :: turns < 3 -> turns++; break
  :: turns >= 3 -> goto last
  od;
here: goto again;
last: skip
}
active proctype Q() {
again:
  turns < 3;
here: goto again
}
ltl comes { <> P@here }
ltl begins_there { P[0]@here }
ltl never_there { [] !P@here }
ltl again_and_again { [] <> P@here }
