#!/usr/bin/env bash
# How a finding in a model is told: the values that are assigned, sent and received, and what variables and channels hold at the end.
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >m.pml <<'END'
mtype:fruit = {apple, pear};
typedef T { byte x; byte y[2] };
T t; byte n; mtype:fruit f;
chan q[2] = [3] of {byte, mtype:fruit}; chan meet = [0] of {byte, byte};
active proctype A() { byte i = 1; chan mine = [1] of {byte}; n = i + 1; q[1]!n,pear; q[1]!3,apple; meet!n,i; mine!7; t.y[1] = 4; assert(n == 3) }
active proctype B() { byte a, b; mtype:fruit g; chan c = q[1]; c?a,g; f = g; meet?a,b; c?[3,apple]; false }
END
"$everyorder" model m.pml --tickets none --json report.json >out 2>&1
says() { grep -qF -- "$1" out || problem "'$1' is not in: $(cat out)"; }
says 'n = i + 1 (is 2)'
says 'q[1]!n,pear (is 2,pear)'
says 'c?a,g (is 2,pear)'
says 'f = g (is pear)'
says 'meet!n,i (is 2,1), received by P1:B'
says '    t.x = 0, t.y = {0, 4}, n = 2, f = pear'
says '    P0:A i = 1'
says '    P1:B a = 2, b = 1, g = pear, c = q[1]'
says '    q[1] holds [3,apple]'
says '    P0:A mine holds [7]'
if grep -qF 'q[1]!3,apple (is' out; then problem 'constants are told twice'; fi
grep -qF '"P1:B a = 2, b = 1, g = pear, c = q[1]"' report.json || problem 'the values are not in JSON'

# One execution, drawn or asked for.
"$everyorder" model m.pml --simulate --seed 5 >out 2>&1
status=$?
[ $status = 1 ] || problem "a simulation that fails: exit code $status"
says 'n = i + 1 (is 2)'
cat >n.pml <<'END'
byte n;
active [2] proctype P() { printf("%d is %x\n", _pid, 10 + _pid); n++ }
END
printf '2\n1\n1\nq\n' | "$everyorder" model n.pml --simulate --interactive >out 2>&1
status=$?
[ $status = 3 ] || problem "a simulation that is left: exit code $status"
says '1 is b'
says 'stopped after 3 steps'
says '  2: P1:P n = n + 1 (n.pml:2)'
"$everyorder" model n.pml --simulate --seed 1 >first 2>&1 || problem "a simulation: $(cat first)"
"$everyorder" model n.pml --simulate --seed 1 | diff - first || problem 'the same seed, another execution'
"$everyorder" model n.pml --interactive >out 2>&1
[ $? = 2 ] || problem '--interactive alone'
all_well
