#!/usr/bin/env bash
# The command line: what each option does and refuses, exit codes, the JSON report, progress, interruption.
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

examples=$EO_BUILD/examples
findings=$examples/findings
small=$examples/listing_4_2
large=$examples/senders # senders_9 never ends
unset NO_COLOR
export TERM=xterm

empty() { # FILE
  [ ! -s "$1" ] || problem "$1 is not empty"
}

# ---- Exit codes ----------------------------------------------------------------------------------------------------

run 0 "$everyorder" test "$small"
says out '1 execution, complete (every equivalence class of interleavings)'
says out '1 test: 1 passed'
run 1 "$everyorder" test "$findings" --test assertion_ours --tickets none
says out 'assertion: one and one is 2 (1 + 1 == 3 is false)'
says out '1 test: 1 failed'
run 3 "$everyorder" test "$small" --strategy preempt --bound 0
says out 'at most 0 preemptions'
run 3 "$everyorder" test "$small" --strategy random --executions 10
run 2 "$everyorder" test "$small" --no-such-option
empty out
# Of several tests the worst counts: a finding more than what is missing.
run 1 "$everyorder" test "$findings" --test assertion_ours --test clean_choose --executions 2 --tickets none
run 0 "$everyorder" test "$findings" --test 'clean_s*'

# ---- Help, lists ---------------------------------------------------------------------------------------------------

run 2 "$everyorder"
says err Usage
for command in '' test list replay report strategies help; do
  # shellcheck disable=SC2086 # no word at all for the overview
  run 0 "$everyorder" $command --help
  says out Usage
  empty err
  if [ -n "$command" ]; then
    run 0 "$everyorder" help "$command"
    says out Usage
  fi
done
run 0 "$everyorder" test -h
cp out help
for option in test strategy bound dpor executions time depth seed keep-going timeouts leaks abnormal watchdog tickets json report; do
  grep -q -- "--$option" help || problem "the help of test does not name --$option"
done
run 0 "$everyorder" replay --help
says out --gdb
says out --until
run 0 "$everyorder" --version
says out "everyorder $(sed -n 's/^#define EO_VERSION "\(.*\)"/\1/p' "$EO_SRC/include/everyorder/everyorder.h")"

run 0 "$everyorder" strategies
for strategy in dfs preempt random irs pct pctcp tapct pos surw replay recheck; do says out "$strategy"; done
run 0 "$everyorder" list "$small"
says out 'listing_4_2  examples/listing_4_2.c:'
run 0 "$everyorder" list "$findings" --test 'misuse_*'
silent out assertion
says out misuse_spawn_null

# ---- What is refused, with a word about what to do --------------------------------------------------------------------

run 2 "$everyorder" tset "$small"
says err 'did you mean test?'
run 2 "$small" listign_4_2
says err 'there is no command listign_4_2; did you mean --test listing_4_2?'
run 2 "$everyorder" test "$small" --test listing_42
says err '; did you mean listing_4_2?'
run 2 "$small" listing_4_2
says err '; to run that test: --test listing_4_2'
run 2 "$everyorder" test
run 2 "$everyorder" test "$small" another
run 2 "$everyorder" test no/such/program
says err 'no/such/program'
run 2 "$everyorder" test no-such-program
says err 'was it built?'
run 2 "$everyorder" test "$EO_SRC/examples/listing_4_2.c"
run 2 "$everyorder" test "$scratch"
says err folder
run 2 "$everyorder" test /bin/true
says err 'not an Everyorder test program'
run 2 "$everyorder" test "$small" --test nothing
says err 'there is: listing_4_2'
run 2 "$everyorder" list "$small" --test nothing
run 2 "$everyorder" test "$small" --strategy dsf
says err "no strategy 'dsf'"
# A slip in a word of a closed set.
meant() { # WORD COMMAND...
  run 2 "$everyorder" "${@:2}"
  says err "; did you mean $1?"
}
meant dfs test "$small" --strategy dsf
meant full model "$EO_SRC/tests/data/models/deadlock.pml" --strategy fulll
meant optimal test "$small" --strategy dpor --dpor optimale
meant unlimited test "$small" --strategy ses --cache unlimted
meant fifo test "$small" --delivery fiof
meant idle test "$small" --timeouts idel
meant unnoticed test "$small" --abnormal unoticed
meant never test "$small" --colour nver
meant pairwise list "$examples/cache" --params piarwise
meant ipo pairwise - --algorithm ipp
meant json pairwise - --output jsno
meant status cluster statsu redis://127.0.0.1:1/x
# reach is a strategy of its own: its help has no option of another one.
run 0 "$everyorder" reach --help
silent out '--strategy S'
silent out --bug-depth
says out --never
run 2 "$everyorder" test "$small" --strategy replay
run 2 "$everyorder" test "$small" --exections 5
says err 'did you mean --executions?'
run 2 "$everyorder" test "$small" --until 5
run 2 "$everyorder" test "$small" --bound 2
says err "strategy 'auto' does not use --bound: that is an option of dpor and preempt"
run 2 "$everyorder" test "$small" --dpor source
says err "strategy 'auto' does not use --dpor: that is an option of dpor"
run 2 "$everyorder" test "$small" --strategy random --bound 2
for jobs in 0 257 two -1; do
  run 2 "$everyorder" test "$small" "--jobs=$jobs"
  says err 'a whole number from 1 to 256'
done
run 2 "$everyorder" test "$small" --resume "$small" # the program itself, say
says err 'not a file to resume from'
run 2 "$everyorder" help nothing

refused() { # OPTION VALUE...
  local option=$1 value
  shift
  for value in "$@"; do
    run 2 "$everyorder" test "$small" "--$option=$value"
    says err "--$option"
    empty out
  done
  run 2 "$everyorder" test "$small" "--$option"
  says err "--$option needs a value"
}
refused bound -1 x 1x '' 99999999999 1.5
refused dpor x '' Source
refused executions -1 x '' 99999999999999999999
refused time 0 0s -1s x 1x '' 1e999
refused depth 0 -1 x '' 4294967296
refused seed -1 x '' 18446744073709551616
refused timeouts x '' IDLE
refused watchdog 0 -2s x ''
refused tickets ''
refused json ''
refused report ''
refused strategy ''
refused colour x ''
for option in keep-going leaks quiet help; do
  run 2 "$everyorder" test "$small" "--$option=1"
  says err 'takes no value'
done

# ---- JSON ------------------------------------------------------------------------------------------------------------

run 1 "$everyorder" test "$findings" --test abnormal_before_monitor --keep-going --json report.json
for name in subject test strategy options verdict complete executions pruned transitions states max_depth elapsed_s \
  errors skipped jobs restarts; do
  [ "$(grep -cE "^ {6}\"$name\": " report.json)" -eq 1 ] || problem "report.json has no member $name"
done
for name in kind message ticket execution depth preemptions delays schedule steps; do
  [ "$(grep -cE "^ {10}\"$name\": " report.json)" -eq 1 ] || problem "a finding of report.json has no member $name"
done
same "$(member report.json subject)" actor subject
same "$(member report.json test)" abnormal_before_monitor test
same "$(member report.json strategy)" auto strategy
same "$(member report.json options)" --keep-going options
same "$(member report.json verdict)" fail verdict
same "$(member report.json complete)" true complete
same "$(member report.json executions)" 2 executions
same "$(member report.json kind finding)" 'abnormal exit' kind
same "$(member report.json depth finding)" 2 depth
same "$(member report.json preemptions finding)" 1 preemptions
same "$(member report.json execution finding)" 2 execution
ticket=$(member report.json ticket finding)
[ -f "$ticket" ] || problem "there is no ticket '$ticket'"
[ ! -e report.json.tmp ] || problem 'report.json.tmp was left'

# To standard output: nothing but the report there, and the text for people elsewhere.
run 0 "$everyorder" test "$small" --json -
same "$(head -n 1 out)" '{' 'first line'
same "$(tail -n 1 out)" '}' 'last line'
same "$(member out verdict)" pass verdict
says err '1 test: 1 passed'
run 0 "$everyorder" test "$findings" --test 'clean_c*' --test 'clean_s*' --json many.json
same "$(member many.json verdict | sort | uniq -c | awk '{ print $2 }')" pass verdicts
same "$(member many.json test | sort)" "$("$everyorder" list "$findings" --test 'clean_c*' --test 'clean_s*' | awk '{ print $1 }' | sort)" tests
for file in no/such/folder/x.json "$scratch"; do
  run 2 "$everyorder" test "$small" --json "$file"
  empty out # found out before anything was explored
  says err "$file"
done
run 2 "$everyorder" test "$small" --json /dev/full
says err 'cannot be written'
run 2 bash -c '"$1" test "$2" >/dev/full' bash "$everyorder" "$small"
run 2 bash -c '(ulimit -f 0; exec "$1" test "$2" --json large.json 2>&1) | cat; exit "${PIPESTATUS[0]}"' bash "$everyorder" "$small"
says out 'File too large'

# Two steps that need only come the other way round, where that is what is wrong.
run 1 "$everyorder" test "$examples/demo" --test look_then_take --tickets others --quiet --json demo.json
same "$(jq -c .tests[0].errors[0].passes_if demo.json)" \
  '{"step":13,"before":10,"text":"P1'"'"'s GIVE_BACK reaches P1.1 before P1.2'"'"'s TAKE"}' 'what it takes to pass'
run 1 "$everyorder" test "$findings" --test 'assertion_*' --test deadlock_of_two --tickets none --quiet --json passes.json
same "$(jq -c '.tests[] | select(.errors[0].passes_if != null) | .test' passes.json)" '"assertion_in_some_orders"' \
  'the one that would pass in another order'

# ---- HTML ------------------------------------------------------------------------------------------------------------

# The data of a report, as JSON again. The page is looked at by report_browser.sh.
data() { # FILE
  sed -n 's/.*id="data">\(.*\)<\/script>$/\1/p' "$1"
}
run 1 "$everyorder" test "$findings" --test abnormal_before_monitor --keep-going --report report.html --json report.json
says report.html '<!doctype html>'
same "$(tail -n 1 report.html)" '</html>' 'last line'
same "$(grep -c 'id="data"' report.html)" 1 'lines of data'
same "$(data report.html | jq -c .tests[0].errors)" "$(jq -c .tests[0].errors report.json)" findings
same "$(data report.html | jq -r '.sources | keys[]')" examples/findings.c sources
same "$(data report.html | jq -r '.sources["examples/findings.c"].lines | to_entries[] | select(.value | test("eo_monitor\\(eo_spawn")) | .value')" \
  "$(grep -F 'eo_monitor(eo_spawn(exit_with' "$EO_SRC/examples/findings.c" | head -n 1)" 'a line of source'
ticket=$(jq -r .tests[0].errors[0].ticket report.json)
run 0 "$everyorder" report "$ticket" -o ticket.html
empty out
empty err
same "$(data ticket.html | jq -c '.tests[0].errors[0] | [.kind, .message, .depth, .preemptions, .switches, .schedule, .passes_if, .steps]')" \
  "$(jq -c '.tests[0].errors[0] | [.kind, .message, .depth, .preemptions, .switches, .schedule, .passes_if, .steps]' report.json)" 'the ticket again'
same "$(data ticket.html | jq -r .tests[0].errors[0].ticket)" "$ticket" ticket
run 0 "$findings" report -oown.html "$ticket" "$ticket"
same "$(data own.html | jq '.tests | length')" 2 tickets
run 2 "$everyorder" report "$ticket"
says err 'report needs -o FILE'
run 2 "$everyorder" report -o nothing.html
says err 'report needs TICKET...'
run 2 "$everyorder" report -o
says err '-o needs a value'
run 2 "$everyorder" report "$ticket" -o no/such/folder/x.html
says err 'cannot be written'
run 2 "$everyorder" report report.json -o nothing.html
[ ! -e nothing.html ] || problem 'a report of nothing was written'
run 2 "$everyorder" report "$ticket" others/* -o nothing.html
says err 'of two programs'
run 0 "$everyorder" test "$small" --report -
same "$(head -n 1 out)" '<!doctype html>' 'first line'
says err '1 test: 1 passed'
run 2 "$everyorder" test "$small" --report - --json -
says err '--json and --report cannot both go to standard output'
run 2 "$everyorder" test "$small" --report no/such/folder/x.html
empty out
says err '--report no/such/folder/x.html cannot be written'

# ---- What the options do ------------------------------------------------------------------------------------------------

run 3 "$everyorder" test "$small" --strategy dfs --executions 2 --json two.json
same "$(member two.json executions)" 2 executions
same "$(member two.json verdict)" incomplete verdict
same "$(member two.json complete)" false complete
same "$(member two.json stopped)" 'after 2 executions' stopped
run 0 "$everyorder" test "$small" --executions 3 # just as many as there are
run 0 "$everyorder" test "$small" --executions 0 # no limit

# Plain dfs has some 10^21 executions of this test before it: no machine is fast enough to end it.
run 3 "$everyorder" test "$large" --test senders_9 --strategy dfs --time 500ms --json time.json
# Also where the work cannot be put away.
run 3 timeout 30 "$everyorder" test "$large" --test senders_9 --strategy dpor --dpor classic --time 100ms
says out "after 0.1 s"
same "$(member time.json stopped)" 'after 0.5 s' stopped
[ "$(member time.json executions)" -gt 0 ] || problem 'half a second without an execution'

run 1 "$everyorder" test "$small" --depth 5 --depth-fails --tickets none --json depth.json
same "$(member depth.json kind finding)" depth kind
same "$(member depth.json max_depth)" 5 max_depth
run 3 "$everyorder" test "$small" --strategy dfs --depth 5 --tickets none --json depth.json
says out 'no failure within 5 steps of the executions that were run; 3 of them were cut off there'
says out 'steps in a row'
same "$(member depth.json verdict)" incomplete verdict
same "$(member depth.json cut)" "$(member depth.json executions)" cut
same "$(member depth.json max_depth)" 5 max_depth
run 0 "$everyorder" test "$small" --depth 6

for bound in 0 1 2; do
  run $((bound == 2 ? 0 : 3)) "$everyorder" test "$small" --strategy preempt --bound $bound --json bound.json
  same "$(member bound.json executions)" $((bound + 1)) "executions at bound $bound"
done
run 0 "$everyorder" test "$small" --strategy preempt

# The same seed does the same, another one something else.
drawn() { # SEED
  run 1 "$everyorder" test "$examples/reg_server" --test l6_11_concurrent_stops_bug --strategy random --seed "$1" \
    --executions 300 --keep-going --tickets none --json drawn.json
  grep -v elapsed_s drawn.json >"drawn-$1-$2"
}
drawn 7 a
drawn 7 b
cmp -s drawn-7-a drawn-7-b || problem 'the same seed gave different results'
drawn 8 a
same "$(member drawn-8-a executions)" 300 executions
cmp -s <(grep -v '"options"' drawn-7-a) <(grep -v '"options"' drawn-8-a) && problem 'another seed gave the same'

# Without --keep-going it ends at the first finding; with it, everything is explored and each defect told once.
run 1 "$everyorder" test "$examples/reg_server" --test l6_08_multiple_stops_exception --tickets none --json first.json
same "$(member first.json executions)" 1 executions
same "$(member first.json complete)" false complete
same "$(member first.json stopped)" 'at the first finding' stopped
run 1 "$everyorder" test "$examples/reg_server" --test l6_08_multiple_stops_exception --strategy dfs --tickets none --keep-going \
  --json all.json
same "$(member all.json executions)" 3 executions
same "$(member all.json complete)" true complete
same "$(member all.json kind finding | sort | tr '\n' ,)" 'abnormal exit,deadlock,' kinds
# What cannot be trusted any more is not complete.
run 1 "$everyorder" test "$findings" --test nondeterminism_of_a_failure --keep-going --tickets none --json lies.json
same "$(member lies.json kind finding)" nondeterminism kind
same "$(member lies.json complete)" false 'complete, though not deterministic'

rm -rf everyorder-tickets
run 1 "$everyorder" test "$findings" --test assertion_ours --tickets none
[ ! -e everyorder-tickets ] || problem '--tickets none wrote some'
says out 'no ticket was written'
run 1 "$everyorder" test "$findings" --test assertion_ours --tickets 'my tickets'
[ "$(ls 'my tickets' | wc -l)" -eq 1 ] || problem '--tickets did not write one ticket'
[ ! -e everyorder-tickets ] || problem '--tickets FOLDER wrote elsewhere too'
run 1 "$everyorder" test "$findings" --test assertion_ours
[ "$(ls everyorder-tickets | wc -l)" -eq 1 ] || problem 'no ticket in everyorder-tickets'
says out "replay:    everyorder replay everyorder-tickets/$(ls everyorder-tickets)"
# A machine that refuses: said, with what to look at.
(
  ulimit -v 4000000
  "$everyorder" test "$findings" --test clean_choose >out 2>&1 </dev/null
  echo $? >status
)
same "$(cat status)" 2 'exit status without addresses'
says out 'ulimit -v'

# Where none can be written the finding is still told, and the reason is.
"$everyorder" test "$findings" --test assertion_ours --tickets /dev/null/folder >out 2>err </dev/null
says out 'one and one is 2'
cat err >>out
says out '/dev/null/folder'

run 1 "$everyorder" test "$findings" --test leak --leaks --tickets none --json leak.json
same "$(member leak.json kind finding)" leak kind
run 0 "$everyorder" test "$findings" --test leak
run 0 "$everyorder" test "$findings" --test clean_no_leak --leaks

# The message comes in time, whenever it is waited for.
run 0 "$everyorder" test "$findings" --test clean_timeout_finite --json eager.json
run 0 "$everyorder" test "$findings" --test clean_timeout_finite --timeouts eager --json eager2.json
run 0 "$everyorder" test "$findings" --test clean_timeout_finite --timeouts idle --json idle.json
same "$(member eager.json executions)" "$(member eager2.json executions)" 'eager is the default'
[ "$(member idle.json executions)" -lt "$(member eager.json executions)" ] || problem '--timeouts idle changes nothing'

run 1 /usr/bin/time -f '%U %S' -o took "$everyorder" test "$findings" --test endless_private_loop --watchdog 200ms \
  --tickets none --json loop.json
same "$(member loop.json kind finding)" 'endless loop' kind
# Each of the runs that make a finding of it (found, again, described) costs the watchdog once, not its default of 2 s. It
# is processor time that the watchdog counts.
tail -n 1 took | awk '{ exit !($1 + $2 >= 0.2 && $1 + $2 < 5) }' || problem "--watchdog 200ms was not kept: $(tail -n 1 took) s"

# ---- Progress, colours -----------------------------------------------------------------------------------------------------

run 3 "$everyorder" test "$large" --test senders_9 --strategy dfs --time 7s
grep -qE '^senders_9 .* executions .*/s' err || problem 'no progress after 5 s'
grep -q $'[\r\033]' err && problem 'progress that is not for a terminal has control characters'
run 3 "$everyorder" test "$large" --test senders_9 --strategy dfs --time 200ms --quiet
empty err

on_terminal() { # COMMAND...: its output as on a terminal, into out
  script -qec "$(printf '%q ' "$@")" /dev/null >out 2>err </dev/null
}
on_terminal "$everyorder" test "$large" --test senders_9 --strategy dfs --time 2s
grep -q $'\rsenders_9 .*executions.*\033\\[K' out || problem 'no live line on a terminal'
on_terminal "$everyorder" test "$small" --quiet
grep -q $'\033\\[' out || problem 'no colours on a terminal'
NO_COLOR=1 on_terminal "$everyorder" test "$small" --quiet
grep -q $'\033' out && problem 'colours in spite of NO_COLOR'
NO_COLOR='' on_terminal "$everyorder" test "$small" --quiet
grep -q $'\033\\[' out || problem 'an empty NO_COLOR counts'
TERM=dumb on_terminal "$everyorder" test "$small" --quiet
grep -q $'\033' out && problem 'colours on a dumb terminal'
on_terminal "$everyorder" test "$small" --quiet --colour never
grep -q $'\033' out && problem 'colours in spite of --colour never'
run 0 "$everyorder" test "$small"
grep -q $'\033' out && problem 'colours in a file'
run 0 "$everyorder" test "$small" --colour always
grep -q $'\033\\[' out || problem 'no colours with --colour always'

# ---- Interrupts -------------------------------------------------------------------------------------------------------------

# Waits until the command has a worker that has begun, as a person would.
interrupt() { # SIGNAL COMMAND...
  local signal=$1 main status=0 tries=0
  shift
  EO_INTERRUPTED=$mark setsid "$@" >out 2>err </dev/null &
  main=$!
  until pgrep -P "$main" >/dev/null || [ $((tries += 1)) -gt 200 ]; do sleep 0.1; done
  sleep 0.5
  kill "-$signal" -- "-$main"
  wait "$main" || status=$?
  [ "$status" -eq 3 ] || problem "exit $status instead of 3 after SIG$signal"
  if grep -lzx "EO_INTERRUPTED=$mark" /proc/[0-9]*/environ 2>/dev/null; then problem 'processes were left behind'; fi
}
mark=$$.$RANDOM # workers have sessions of their own: they are known by this
interrupt INT "$everyorder" test "$large" --strategy dfs --test senders_8 --test senders_9 --json stopped.json
says out 'interrupted'
says out '2 tests'
same "$(member stopped.json verdict | tr '\n' ,)" incomplete,incomplete, verdicts
same "$(member stopped.json stopped | head -n 1)" interrupted stopped
interrupt TERM "$large" --strategy dfs --test senders_9
interrupt HUP "$large" --strategy dfs --test senders_9
says out 'interrupted'

# ---- A program by itself -----------------------------------------------------------------------------------------------------

run 0 "$small"
says out '1 execution, complete (every equivalence class of interleavings)'
run 0 "$small" test --json own.json
same "$(member own.json executions)" 1 executions
run 3 "$small" --strategy preempt --bound 1 --executions 5 --time 1m --depth 100 --keep-going --timeouts idle \
  --leaks --watchdog 5s --tickets none --json own.json --quiet --colour never
same "$(member own.json options)" \
  '--bound 1 --executions 5 --time 1m --depth 100 --keep-going --timeouts idle --leaks --watchdog 5s' options
run 0 "$small" list
says out listing_4_2
run 0 "$small" strategies
run 0 "$small" --help
says out --keep-going
run 2 "$small" --no-such-option
run 2 "$small" listing_4_2
says err '--test listing_4_2'
run 1 "$findings" --test assertion_ours --tickets own
run 1 "$findings" replay own/*.ticket
says out reproduced
# Through PATH, and with a name that looks like an option.
cp "$small" ./-odd
run 0 "$everyorder" test ./-odd
run 0 env PATH="$examples:$PATH" "$everyorder" test listing_4_2

all_well
