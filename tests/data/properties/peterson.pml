/* Peterson's lock. Each process gets in if processes are treated fairly, and only then. */
byte turn, inside;
bool flag[2];

active [2] proctype P() {
  do
  :: skip;
wait:
    flag[_pid] = 1;
    turn = 1 - _pid;
    (flag[1 - _pid] == 0 || turn == _pid);
crit:
    inside++;
    inside--;
    flag[_pid] = 0
  od
}

ltl mutex { [] (inside <= 1) }
ltl gets_in { [] (P[0]@wait -> <> P[0]@crit) }
ltl again_and_again { []<> P[1]@crit }
ltl somebody { <> (inside == 1) }
ltl never_both { ! <> (P[0]@crit && P[1]@crit) }
