#!/usr/bin/env bash
# Models that cannot be read, constructs that are not supported, deliveries that do not apply, searches that are cut short:
# each is told with the place and what to do, and has its exit code.
# timeout: 120
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cases=0
refused() { # TEXT WORDS OPTION...: a model of this text is refused in words that contain these
  local text=$1 words=$2 status=0
  shift 2
  cases=$((cases + 1))
  printf '%b' "$text" >m.pml
  "$everyorder" model m.pml --quiet --tickets none "$@" >out 2>&1 || status=$?
  [ $status = 2 ] || problem "exit code $status: $text"
  grep -qF -- "$words" out || problem "'$words' is missing for $text: $(head -n 1 out)"
}

# Syntax, with line and column.
refused 'active proctype P() { byte x\n  x = ; }' 'm.pml:2:7: an expression is missing before'
refused 'active proctype P() { x = 1 }' "m.pml:1:23: 'x' is not declared"
refused 'active proctype P() { skip skip }' "m.pml:1:28: ';' is missing before 'skip'"
refused 'active proctype P() { if fi }' "m.pml:1:26: '::' is missing"
refused 'active proctype P() { do :: skip }' "'od' is missing before"
refused 'active proctype P() { skip' "'}' is missing before the end of the file"
refused 'byte x = 99999999999;' 'm.pml:1:10: this number is too large'
refused 'byte 3x;' 'm.pml:1:6: a number ends in'
refused 'active proctype P() { /* }' 'm.pml:1' # cpp says so
refused 'active proctype P() { printf("a) }' 'm.pml:1'
refused 'active proctype P() { byte x; x = 1 $ 2 }' "m.pml:1:37: '\$' is not part of Promela"
refused 'byte x, x; init { skip }' "m.pml:1:9: 'x' is declared in this block already"
refused 'init { skip } init { skip }' 'there is an init already'
refused 'proctype P() { skip }' 'no process runs from the start'
refused 'init { run Q() }' "m.pml:1:12: there is no proctype 'Q' to run"
refused 'proctype Q(byte a) { skip } init { run Q() }' "has 1 parameters, and is given 0"
refused 'init { byte x; x = run Q() + 1 }' 'run is the whole of a statement'
refused 'chan c = [1] of {byte, byte}; init { c!1 }' "messages of 'c' have 2 fields, not 1"
refused 'byte c; init { xr c; skip }' "m.pml:1:19: 'c' is no channel"
refused 'byte c; init { c!1 }' "'c' is no channel"
refused 'chan c = [1] of {byte}; init { byte x; x = c + 1 }' 'a channel is no number'
refused 'byte a[3]; init { a = 1 }' "m.pml:1:19: 'a' is an array"
refused 'byte a[3]; init { a[3] = 1 }' 'index 3 of an array of 3'
refused 'byte a[0]; init { skip }' 'an array of 0 elements'
refused 'byte a; init { a.x = 1 }' "'a' has no fields"
refused 'typedef T { byte x }; T t; init { t.y = 1 }' "T has no field 'y'"
refused 'typedef T { byte x }; T t; init { t = 1 }' 'a whole T'
refused 'init { goto L }' "m.pml:1:8: there is no label 'L'"
refused 'init { break }' 'm.pml:1:8: break outside of a loop'
refused 'init { L: skip; L: skip }' "m.pml:1:17: there is a label 'L' in this block already"
refused 'init { else }' "'else' stands at the beginning of an option"
refused 'init { if :: else :: else fi }' "a second 'else'"
refused 'init { d_step { skip; goto L }; L: skip }' 'this goto leaves the d_step'
refused 'init { goto L; d_step { skip; L: skip } }' 'leads into a d_step'
refused 'proctype Q() { skip } init { d_step { run Q() } }' 'run inside a d_step'
refused 'init { L: goto L }' 'go round in a circle'
refused 'init { byte x; select (x : 5 .. 2) }' 'nothing can be chosen'
refused 'inline f(a) { skip } init { f() }' "m.pml:1:29: the inline 'f' has 1 parameters, and is given 0"
refused 'inline f() { f() } init { f() }' 'does '"'f'"' call itself?'
refused '#include "nowhere.h"\ninit { skip }' 'cpp refuses m.pml'
refused '' 'no process runs from the start'
refused "init { $(printf '%.0s(' {1..300}) }" 'levels of nesting'

# What is part of Promela, but not here.
for construct in 'ltl p { [] true }|an ltl formula' 'never { skip }|a never claim' 'trace { skip }|a trace assertion' \
  'notrace { skip }|a notrace assertion' 'init { c_code { x } }|embedded C (c_code)' 'c_decl { int x; }|embedded C (c_decl)' \
  'c_state "int x" "Global"|embedded C (c_state)' 'init { { skip } unless { skip } }|unless' \
  'active proctype P() priority 2 { skip }|a priority' 'byte x; active proctype P() provided (x > 0) { skip }|a provided clause' \
  'active D_proctype P() { skip }|a D_proctype' 'hidden byte x; init { skip }|a hidden variable' \
  'init { (enabled(0)) }|enabled()' \
  'init { (pc_value(0) > 1) }|pc_value()' 'init { set_priority(0, 1) }|set_priority()' 'init { (np_) }|np_' \
  'init { (_last == 0) }|_last' 'mtype:fruit = {apple}; init { skip }|an mtype with a name of its own' \
  'proctype P() { L: skip } init { (P[0]@L) }|a reference to a label'; do
  refused "byte before;\n${construct%|*}" "m.pml:2:" # the place
  grep -qF -- "${construct#*|} is not supported" out || grep -qF -- "${construct#*|} of another process is not supported" out ||
    problem "$construct: $(head -n 1 out)"
done

# Deliveries.
refused 'chan c = [1] of {byte}; active [2] proctype P() { byte x; c!1; c?x }' "several processes receive from channel 'c'" --delivery fifo
refused 'chan c = [1] of {byte}; active proctype P() { byte x; c?x } active proctype Q() { byte x; c?x }' \
  "several processes receive from channel 'c'" --delivery async
refused 'chan c = [0] of {byte}; active proctype P() { byte x; c?x }' 'a rendezvous channel' --delivery causal
refused 'init { skip }' "there is no delivery 'sideways'" --delivery sideways

# Of which it cannot be said how steps relate.
port='chan c = [1] of {byte}; byte g; active proctype P() { byte x;'
unrelated() { # REST TEXT
  refused "$port $1 } active proctype Q() { c!1; g++ }" "$2" --strategy reach --delivery async
  grep -q 'full explores such models' out || problem "$1: $(head -n 1 out)"
}
unrelated 'atomic { c?x; c?x }' 'm.pml:1: an atomic sequence'
unrelated '(len(c) > 0) -> c?x' 'm.pml:1: it asks what is in a channel'
unrelated 'if :: c?[1] -> skip fi; c?x' 'm.pml:1: it asks what is in a channel'
unrelated 'if :: c?x :: timeout fi' 'm.pml:1: timeout and _nr_pr depend on all processes'
unrelated 'x = _nr_pr; c?x' 'm.pml:1: timeout and _nr_pr depend on all processes'
unrelated 'if :: c?x :: else fi' 'm.pml:1: an else beside a receive'
unrelated '(g > 0) -> c?x' 'm.pml:1: whether it can be taken depends on a global variable'
unrelated 'c?eval(g)' 'm.pml:1: whether it can be taken depends on a global variable'
unrelated 'd_step { (g > 0) -> x = 1 }; c?x' 'm.pml:1: whether it can be taken depends on a global variable'
refused 'proctype Q() { skip } active [2] proctype P() { run Q() }' 'several processes start others' \
  --strategy dpor --delivery fifo
refused 'active proctype P() { chan c = [1] of {byte}; c!1 }' "'c' is made by a process" --strategy dpor --delivery fifo
refused 'chan c = [1] of {byte}; active proctype P() { byte x; xr c; c?x }' 'know no xr and xs' \
  --strategy dpor --delivery fifo

# The command itself.
refused 'init { skip }' "is for models whose channels are ports: --delivery async, fifo or causal" --strategy dpor
refused 'init { skip }' "there is no strategy 'fool'" --strategy fool
status=0
"$everyorder" model nowhere.pml >out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'nowhere.pml: cannot be read' out || problem "a file that is not there: $(cat out)"
status=0
"$everyorder" model . >out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'is a folder' out || problem "a folder: $(cat out)"
status=0
PATH=/nowhere "$everyorder" model m.pml >out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'cannot run cpp' out || problem "without cpp: $(cat out)"

# Without an end, stopped by a bound, which it says.
printf 'chan c = [1] of {byte}; int n; active proctype P() { do :: n++ od }\n' >endless.pml
status=0
"$everyorder" model endless.pml --quiet --executions 1000 >out 2>&1 || status=$?
[ $status = 3 ] && grep -q 'stopped: as many states as were asked for' out || problem "--executions: $status $(cat out)"
status=0
"$everyorder" model endless.pml --quiet --time 1s >out 2>&1 || status=$?
[ $status = 3 ] && grep -q 'stopped: after 1 s' out || problem "--time: $status $(cat out)"
status=0
"$everyorder" model endless.pml --quiet --cache-mb 64 >out 2>&1 || status=$?
[ $status = 3 ] && grep -q 'stopped: as much memory as was allowed' out || problem "--cache-mb: $status $(cat out)"
printf 'chan c = [1] of {byte}; active proctype P() { do :: c!1 od } active proctype Q() { byte x; c?x }\n' >flood.pml
status=0
"$everyorder" model flood.pml --quiet --delivery fifo --executions 500 >out 2>&1 || status=$?
[ $status = 3 ] && grep -q 'stopped: as many states' out || problem "an unbounded port: $status $(cat out)"

# A ticket of a model that was changed, or is gone.
printf 'byte n; active proctype P() { n = 1; assert(n == N) }\n' >t.pml
"$everyorder" model t.pml -DN=2 --quiet >/dev/null 2>&1
ticket=$(ls everyorder-tickets/t-assertion-1.ticket)
status=0
"$everyorder" replay "$ticket" >out 2>&1 || status=$?
[ $status = 1 ] && grep -q '^reproduced: assertion' out || problem "replay: $status $(cat out)"
printf 'byte n; active proctype P() { n = 1; n = 1; assert(n == N) }\n' >t.pml
status=0
"$everyorder" replay "$ticket" >out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'made for another version of t.pml' out || problem "a changed model: $status $(cat out)"
rm t.pml
status=0
"$everyorder" replay "$ticket" >out 2>&1 || status=$?
[ $status = 2 ] && grep -q 'is not there' out || problem "a model that is gone: $status $(cat out)"

echo "$cases models refused"
all_well
