#!/usr/bin/env bash
# Models that cannot be read, constructs that are not supported, deliveries that do not apply, searches that are cut short:
# each is told with the place and what to do, and has its exit code.
# serial: it measures time
# timeout: 600
# takes: 6
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

# Priorities and traces.
refused 'active proctype P() priority 0 { skip }' 'a priority of 0; there can be 1 to 255'
refused 'init { run P() priority 256 } proctype P() { skip }' 'a priority of 256; there can be 1 to 255'
refused 'init { skip } trace { skip }' "'skip' is no event"
refused 'chan c = [1] of {byte}; byte x; init { c!1 } trace { c?x }' 'an event of a trace stores nothing'
refused 'init { chan c = [1] of {byte}; c!1 } trace { c!1 }' "'c' is not declared"
refused 'chan c = [1] of {byte}; init { c!1 } trace { c!1 } notrace { c!1 }' 'a second trace'
refused 'chan c = [1] of {byte}; init { c!1 } trace { c!1 }' "--delivery does not support 'trace'" --delivery fifo
refused 'init priority 2 { skip }' "--delivery does not support 'priority'" --delivery fifo
refused 'init { { skip } unless { true } }' "--delivery does not support 'unless'" --delivery fifo

# What is part of Promela, but not here.
for construct in 'init { skip } never { byte n; skip }|a never claim with variables of its own' \
  'init { c_code { x } }|embedded C (c_code)' 'c_decl { int x; }|embedded C (c_decl)' \
  'c_state "int x" "Global"|embedded C (c_state)' 'init { d_step { { skip } unless { skip } } }|unless inside a d_step' \
  'init { skip } never { { skip } unless { true } }|unless in a never claim' \
  'chan q = [1] of {byte}; init { q!1 } trace { accept: q!1 }|an accept or progress label in a trace' \
  'active D_proctype P() { skip }|a D_proctype' \
  'init { (enabled(0)) }|enabled()' \
  'init { (pc_value(0) > 1) }|pc_value()' 'init { (np_) }|np_ outside of a never claim' \
  'init { (_last == 0) }|_last' 'chan c = [1] of {byte}; init { byte x; STDIN?x }|STDIN' \
  'init { skip } never { do :: timeout od }|timeout in a property' \
  'proctype P() { L: skip } init { (P[0]@L) }|a reference to a label'; do
  refused "byte before;\n${construct%|*}" "m.pml:2:" # the place
  grep -qF -- "${construct#*|} is not supported" out || grep -qF -- "${construct#*|} of another process is not supported" out ||
    problem "$construct: $(head -n 1 out)"
done

# Properties.
refused 'init { skip } ltl p { [] (x) }' "m.pml:1:27: 'x' is not declared"
refused 'init { skip } ltl p { [] }' "an expression is missing before '}'"
refused 'init { skip } ltl p { [] true' 'this ltl has no end'
refused 'init { skip } ltl p { true } ltl p { true }' "there is a property 'p' already"
refused 'init { skip } ltl p { (<> true) + 1 == 2 }' 'a temporal operator inside of an arithmetic expression'
refused 'byte x; init { skip } never { x = 1 }' "'x = 1' is no condition: a never claim only looks at the states of a model"
refused 'proctype P() { skip } init { skip } ltl p { <> P@L }' "there is no label 'L' in 'P'"
refused 'proctype P() { skip } init { skip } ltl p { <> (P:x == 1) }' "'x' is not declared"
refused 'init { skip } ltl p { true }' "there is no property 'q'; there are p, acceptance, progress, none and all" --property q
refused 'init { skip } ltl p { true }' "the property 'p' needs a search of states, --strategy full or por; --property none leaves properties out" --strategy dfs
refused 'init { skip }' '--fair' --fair --strategy por

# Deliveries.
refused 'chan c = [1] of {byte}; active [2] proctype P() { byte x; c!1; c?x }' "several processes receive from channel 'c'" --delivery fifo
refused 'chan c = [1] of {byte}; active proctype P() { byte x; c?x } active proctype Q() { byte x; c?x }' \
  "several processes receive from channel 'c'" --delivery async
refused 'chan c = [0] of {byte}; active proctype P() { byte x; c?x }' 'a rendezvous channel' --delivery causal
refused 'byte x; active proctype P() provided (x == 0) { skip }' "--delivery does not support 'provided'" --delivery fifo
refused 'init { skip }' '--delivery sideways: expected mailbox, fifo, causal or async' --delivery sideways

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
refused 'chan c = [1] of {byte}; active proctype P() { byte x; xr c; c?x }' 'do not support xr and xs' \
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

# Limits hold inside of long steps and sequences, too: each ends within a second of its time, with a verdict and a report.
printf 'int x; active proctype P() { assert(x == 1); x = 1; d_step { do :: x++ od } }\n' >dstep.pml
printf 'int x; active proctype P() { atomic { do :: x++ od } }\n' >atomic.pml
printf 'int x; active [200] proctype P() { do :: x < 0 -> skip :: (x + _pid) %% 2 == 5 -> skip :: x++ od }\n' >wide.pml
printf 'int a[60000], x; active [3] proctype P() { do :: x++ :: a[x %% 60000] = x od }\n' >large.pml
printf 'chan c[6] = [1] of {byte}; active [6] proctype P() { byte x; do :: c[(_pid + 1) %% 6]!x; x++ :: c[_pid]?x od }\n' >ports.pml
within() { # EXIT MILLISECONDS COMMAND...: ends so, in two seconds more than that at most, and writes its report
  local wanted=$1 most=$(($2 + 2000)) from status=0
  shift 2
  rm -f report.json
  from=$(date +%s%N)
  "$@" --json report.json --tickets none >out 2>&1 || status=$?
  from=$((($(date +%s%N) - from) / 1000000))
  [ $status = "$wanted" ] || problem "$*: exit code $status instead of $wanted: $(tail -n 3 out)"
  [ $from -le $most ] || problem "$*: $from ms, $most at most"
  [ "$(member report.json verdict)" = "$([ "$wanted" = 1 ] && echo fail || echo incomplete)" ] ||
    problem "$*: verdict '$(member report.json verdict)'"
}
for how in full por; do
  within 1 300 "$everyorder" model dstep.pml --quiet --keep-going --strategy $how --time 300ms
  for model in endless atomic wide large; do
    within 3 300 "$everyorder" model $model.pml --quiet --strategy $how --time 300ms
    grep -q 'stopped: after 0.3 s' out || problem "$model $how --time: $(cat out)"
  done
done
for how in full por bsra sra; do
  within 3 300 "$everyorder" model ports.pml --quiet --strategy $how --delivery async --time 300ms
done
for signal in INT TERM; do # a first one ends the search, as --time does
  within 1 300 timeout --preserve-status --signal=$signal 0.3 "$everyorder" model dstep.pml --quiet --keep-going
done

# --cache-mb bounds all that grows.
for how in full por; do
  for model in endless large atomic; do
    status=0
    /usr/bin/time -f %M -o peak "$everyorder" model $model.pml --quiet --strategy $how --cache-mb 64 --time 20s >out 2>&1 || status=$?
    [ $status = 3 ] && grep -q 'stopped: as much memory as was allowed' out || problem "$model $how --cache-mb: $status $(cat out)"
    [ "$(tail -n 1 peak)" -le $(((64 + 32) * 1024)) ] || problem "$model $how --cache-mb 64: $(tail -n 1 peak) kB"
  done
done

# What goes wrong: it is found by all of these, told with its line, and replays.
fails() { # TEXT WORDS
  printf '%b' "$1" >f.pml
  for how in full por dfs random; do
    status=0
    rm -rf everyorder-tickets
    "$everyorder" model f.pml --quiet --strategy $how >out 2>&1 || status=$?
    [ $status = 1 ] && grep -qF -- "$2" out || problem "$how: exit code $status, '$2' is missing for $1: $(head -n 3 out)"
    status=0
    "$everyorder" replay everyorder-tickets/f-*.ticket >out 2>&1 || status=$?
    [ $status = 1 ] && grep -q '^reproduced: ' out || problem "replay of $1 by $how: $status $(tail -n 3 out)"
  done
}
fails 'int z;\nactive proctype P() {\n  int x = 5 % z;\n  x = 3 }' 'process P0:P, at f.pml:3'
fails 'int z;\nint y = 4 / z; init { skip }' 'in test f, at f.pml:2'
fails 'byte a[2], n = 2;\nproctype Q() { byte x = a[n]; x = 1 }\ninit { run Q() }' 'process P1:Q, at f.pml:2'
fails 'byte z;\nproctype Q(byte p) { p = 1 }\ninit { run Q(1 / z) }' 'process P0:init, at f.pml:3'
fails 'typedef T { byte x; byte y = 3 / 0 }\nT t; init { skip }' 'division by zero'
fails 'proctype R() { run R() }\ninit { run R() }' 'more than 255 processes'
fails 'byte x;\ninit { atomic { x = 2; do :: x = 5 - x od } }' 'endless loop: an atomic sequence that does not end'
fails 'byte x, y;\ninit { x = 1; atomic { do :: x = 1 - x :: y = (y + 1) % 7 od } }' 'endless loop: an atomic sequence'
fails 'byte x;\ninit { d_step { do :: x = x + 3 od } }' 'a d_step that does not end'
fails 'byte x, y;\ninit { d_step { assert(x == 1); x = 1; y = 2 / (x - 1) } }' 'division by zero'

for body in 'c?v; v = 2' 'if :: c?v :: v == 7 -> v = 1 fi; v = 2' 'do :: v == 7 -> v = 1 :: c?v -> break od'; do
  fails "chan c = [0] of {byte};\nactive proctype P() { byte v; end: d_step { $body } }\nactive proctype Q() { end: c!3 }" \
    'a rendezvous inside a d_step'
done

# What goes on for long, or for ever if one wishes, is no endless loop.
for text in 'int x; init { d_step { do :: x < 300000 -> x++ :: else -> break od } }' \
  'byte x, y; init { atomic { do :: x = 1 - x :: y = (y + 1) %% 7 :: y == 5 -> break od } }' \
  'byte x; chan c = [1] of {byte}; active proctype P() { atomic { do :: x < 200 -> x++ :: x > 100 -> c!1; break od } }'; do
  # shellcheck disable=SC2059
  printf "$text" >f.pml
  for how in full por; do
    "$everyorder" model f.pml --quiet --strategy $how >out 2>&1 || problem "$how: exit code $? for $text: $(cat out)"
  done
done

# An assertion that fails inside of a d_step does not end it.
printf 'byte x; init { d_step { x = 1; assert(x == 2); x = 3 }; assert(x == 3) }' >f.pml
status=0
"$everyorder" model f.pml --quiet --keep-going --tickets none >out 2>&1 || status=$?
[ $status = 1 ] && [ "$(grep -c '^assertion: ' out)" = 1 ] || problem "a failed assertion in a d_step: $status $(cat out)"

# A name that begins with '-' is no option of cpp; what is no file, or includes what has no end, is refused.
printf 'byte x; init { x = 1; assert(x == 2) }' >-DN=3.pml
cp -- -DN=3.pml -o
for name in -DN=3.pml -o; do
  status=0
  rm -rf everyorder-tickets
  "$everyorder" model --quiet -- $name >out 2>&1 || status=$?
  [ $status = 1 ] || problem "a model named $name: $status $(cat out)"
  status=0
  "$everyorder" replay everyorder-tickets/*.ticket >out 2>&1 || status=$?
  [ $status = 1 ] || problem "a ticket of a model named $name: $status $(cat out)"
done
status=0
"$everyorder" model /dev/zero >out 2>&1 || status=$?
[ $status = 2 ] && grep -q '/dev/zero is no file' out || problem "a device: $status $(cat out)"
refused '#include "/dev/zero"\ninit { skip }' 'cpp refuses m.pml: cc1: out of memory' # of what cpp may have
refused '#include "m.pml"\ninit { skip }' 'cpp refuses m.pml'

# What no search looks for is said.
printf 'byte x; init { progress: x = 1; x = 2 }' >f.pml
"$everyorder" model f.pml --tickets none >out 2>&1
grep -q 'clean means: every state; no cycles without progress: --property progress' out || problem "labels: $(cat out)"
printf 'byte x; init { x = 1; x = 2 }' >f.pml
"$everyorder" model f.pml --tickets none --strategy por >out 2>&1
grep -q 'clean means: every deadlock, assertion and fault, but not every state' out || problem "por: $(cat out)"

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
[ $status = 2 ] && grep -q 'does not exist' out || problem "a model that is gone: $status $(cat out)"

echo "$cases models refused"
all_well
