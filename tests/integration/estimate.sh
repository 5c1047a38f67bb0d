#!/usr/bin/env bash
# How far are we: what a run says of the whole after a tenth of it, against the truth; that probes change nothing of the
# exploration, whatever they meet; and `estimate`. With the argument `long`: more programs.
# takes: 12
# hunt: long
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC
examples=$EO_BUILD/examples

failures=0
problem() {
  echo "FAILED line ${BASH_LINENO[-2]}: $*" >&2
  failures=$((failures + 1))
}
member() { # NAME: of the test in report.json
  sed -nE "s/^ {6}\"$1\": \"?(.*[^\",])?\"?,?\$/\1/p" report.json
}
estimate() { # NAME: of its estimate
  sed -nE "s/^ {8}\"$1\": ([0-9.e+]*),?\$/\1/p" report.json
}
explore() { # PROGRAM OPTION...
  local program=$1
  shift
  "$program" test --quiet --tickets none --no-minimise --keep-going --json report.json "$@" >out 2>&1
}
is_true() { awk "BEGIN { exit !($1) }"; }

# ---- Against the truth -----------------------------------------------------------------------------------------------------

# The median of nine runs that were stopped after a tenth of the executions.
check_median() { # PROGRAM TEST STRATEGY [OPTION...]
  local program=$examples/$1 test=$2 strategy=$3 all seed median
  shift 3
  explore "$program" --test "$test" --strategy "$strategy" "$@"
  all=$(member executions)
  [ "$(member complete)" = true ] || problem "$test, $strategy: it did not come to its end"
  is_true "$(estimate executions) == $all && $(estimate low) == $all && $(estimate high) == $all" ||
    problem "$test, $strategy: at the end there is nothing to estimate"
  [ "$all" -gt 100 ] || [ "$(estimate probes)" = 0 ] || problem "$test, $strategy: it was probed, and ended at once"
  for seed in 1 2 3 4 5 6 7 8 9; do
    explore "$program" --test "$test" --strategy "$strategy" --executions $((all / 10)) --seed $seed "$@"
    [ "$(member executions)" = $((all / 10)) ] || problem "$test, $strategy: not a tenth: $(member executions)"
    is_true "$(estimate low) <= $(estimate executions) && $(estimate executions) <= $(estimate high) &&
      $(estimate low) >= $((all / 10)) && $(estimate probes) >= 64" || problem "$test, $strategy: $(cat report.json)"
    estimate executions
  done >drawn
  sort -g drawn >estimates
  median=$(sed -n 5p estimates)
  echo "$test $strategy $*: $all executions, estimated $(tr '\n' ' ' <estimates)"
  is_true "$median >= $all / 2 && $median <= $all * 2" || problem "$test, $strategy: $all executions, estimated $median"
}

# One of each shape: dpor's trees even and uneven, small and large; dfs with failures, links and timeouts.
for test in resource_4_4 resource_3_5 resource_single_4 resource_cyclic_4 store_4_2_2 store_7_3_3; do
  check_median actors $test dpor
done
for test in resource_1_1 store_1_1_1 scheduling_3; do check_median actors $test dfs; done
check_median senders senders_6 dpor
check_median actors store_4_2_2 dpor --delivery fifo
check_median senders senders_2 preempt
check_median reg_server l6_12_concurrent_stops dpor
for test in max_attached_proc_2 final_ping_failure_2 final_detach_on_exit; do check_median reg_server $test dfs; done
if [ "${1-}" = long ]; then
  for n in 4 5 7; do check_median senders senders_$n dpor; done
  for test in resource_3_3 resource_single_3 store_6_2_2; do check_median actors $test dpor; done
  for test in l6_12_concurrent_stops final_detach_attach; do check_median reg_server $test dfs; done
fi

# With several workers, and gone on with later, the probes add up.
explore "$examples/senders" --test senders_9 --strategy dfs --time 1s --jobs 2
is_true "$(estimate executions) > 1e21 && $(estimate executions) < 4e21" || problem "jobs: $(estimate executions)"
explore "$examples/senders" --test senders_8 --strategy dfs --executions 10 --resume state
before=$(estimate probes)
explore "$examples/senders" --test senders_8 --strategy dfs --executions 20 --resume state
[ "$(estimate probes)" -ge "$before" ] || problem "resumed: $(estimate probes) probes after $before"

# ---- Probes that end badly -------------------------------------------------------------------------------------------------

# In most orders the worker is killed; in the first it is not.
cat >deadly.c <<'PROGRAM'
#include <everyorder.h>
#include <signal.h>
#include <unistd.h>

static void sender(void *argument) {
  const eo_pid to = *(const eo_pid *)argument;
  eo_send(to, 1, NULL, 0);
}

static int orders(int count) {
  eo_pid self = eo_self(), last = {0}, from[4];
  eo_message message;
  int turned = 0;
  for (int i = 0; i < count; i++) from[i] = eo_spawn(sender, &self, sizeof self);
  for (int i = 0; i < count; i++) {
    eo_receive(&message, EO_FOREVER);
    if (message.from != from[i]) turned = 1;
    last = message.from;
  }
  (void)last;
  return turned;
}

EO_TEST(killed) { if (orders(2)) kill(getpid(), SIGKILL); }
EO_TEST(ended) { if (orders(2)) _exit(7); }
EO_TEST(loops) { if (orders(2)) for (volatile int i = 0;; i++) {} }
EO_TEST(killed_at_once) { kill(getpid(), SIGKILL); }
PROGRAM
gcc -std=gnu17 -g -O1 -Wall "-I$EO_SRC/include/everyorder" deadly.c -o deadly "$EO_BUILD/libeveryorder.a" -lxxhash -lhiredis \
  -ljansson -ldw -lpthread -ldl || exit 1

# What a run without probes says: `source` is not probed, nor is `preempt` with a bound that leaves nothing out.
essence() {
  grep -E '^ {6}"(verdict|complete|executions|pruned|failures|max_depth)"' report.json
  grep -E '^ {10}"(kind|message|depth|switches|schedule)"' report.json
}
for test in killed ended killed_at_once loops; do
  explore ./deadly --test $test --strategy preempt --bound 1000 --executions 20 --watchdog 100ms
  [ "$(member estimate)" = null ] || problem "$test: a bound is probed: $(member estimate)"
  essence | grep -v '"complete"\|verdict' >expected
  explore ./deadly --test $test --strategy preempt --executions 20 --watchdog 100ms
  essence | grep -v '"complete"\|verdict' >got
  cmp -s expected got || {
    problem "$test: probes have changed the result"
    diff expected got
  }
done

# ---- The command -----------------------------------------------------------------------------------------------------------

"$EO_BUILD/everyorder" estimate "$examples/senders" --test 'senders_?' --strategy dpor --json report.json >out 2>&1 ||
  problem "estimate: $(cat out)"
grep -q '^senders_9 *~362,880 executions of ~37 steps, .*(64 probes)$' out || problem "senders_9: $(cat out)"
[ "$(grep -c '"estimate"' report.json)" = 8 ] || problem "estimate --json: $(cat report.json)"
"$examples/actors" estimate --test resource_1_1 --strategy dfs --time 200ms --seed 3 >out 2>&1 || problem "resource_1_1: $(cat out)"
grep -Eq '^resource_1_1 +~2[0-9][0-9] \(±[0-9]+ %\) executions' out || problem "resource_1_1: $(cat out)"
refused() { # TEXT OPTION...
  local text=$1 status=0
  shift
  "$examples/senders" estimate "$@" >out 2>&1 || status=$?
  [ $status = 2 ] || problem "estimate $*: exit code $status"
  grep -q "$text" out || problem "estimate $*: $(cat out)"
}
refused 'nothing to estimate' --strategy random
refused 'cannot be estimated with a --bound' --strategy preempt --bound 2
refused 'with --dpor optimal only' --strategy dpor --dpor classic
status=0
./deadly estimate --test killed_at_once >out 2>&1 || status=$?
[ $status = 2 ] || problem "estimate of what kills: $status"
grep -q 'killed_at_once .*ends the whole process' out || problem "estimate of what kills: $(cat out)"

[ $failures -eq 0 ]
