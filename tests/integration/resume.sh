#!/usr/bin/env bash
# --resume: a run that was stopped, by a limit, a signal or a kill of all its processes at any moment, goes on from its
# file and ends like one that never stopped. Files that do not fit are refused and left alone.
# serial: it counts on the program getting some processor time
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

RANDOM=4

export SLOW=50
slow_outlet
cat >slow.c <<'PROGRAM'
#include "order_of.h"

EO_TEST(first) { (void)order_of(2); }
EO_TEST(second) {
  const int order = order_of(3);
  eo_assert(order != 321, "the wrong way round");
  if (order == 231) abort();
}
PROGRAM
compile slow.c slow

# What must be the same: everything but times, and the order in which several workers come to what they find.
essence() { # FILE
  grep -E '^ {6}"(test|verdict|complete|covered|stopped|executions|pruned|failures|max_depth)"' "$1"
  grep -E '^ {10}"(kind|message)"' "$1" | sort
}

explore() { # OPTION...: in the background
  start ./slow --quiet --tickets none --strategy dfs --keep-going "$@"
}

# All processes at once, at any moment, again and again; then it may end.
killed() { # OPTION...
  local kills=0 status=0
  rm -f state
  while [ $kills -lt 5 ]; do
    explore "$@" --resume state --json report.json
    sleep "0.$((RANDOM % 900 + 100))"
    if ! kill -KILL -- "-$main" 2>/dev/null; then break; fi
    kills=$((kills + 1))
    finish
  done
  if [ $kills -eq 0 ]; then problem "it was over before anything was killed"; fi
  [ -s state ] || problem "$*: nothing was kept"
  explore "$@" --resume state --json report.json
  finish || status=$?
  same $status 1 "$*: exit code"
  essence report.json >got
  cmp -s expected got || {
    problem "$*: killed $kills times, another result"
    diff expected got
  }
}

for strategy in dfs preempt; do
  echo "$strategy"
  explore --strategy "$strategy" --json report.json
  finish
  essence report.json >expected
  grep -q '"executions"' expected || problem 'no report'
  for jobs in 1 2; do killed --strategy "$strategy" --jobs $jobs; done
done

echo 'limits and signals'
rm -f state
explore --strategy dfs --json report.json
finish
essence report.json >expected
for executions in 10 100 1000; do
  explore --resume state --executions $executions --jobs 2
  finish
done
explore --resume state
sleep 0.5
kill -INT "$main"
status=0
finish || status=$? # 1 or 3: it may have found something by then
[ $status -eq 1 ] || same $status 3 'exit code after an interrupt'
explore --resume state --time 300ms
finish
explore --resume state --json report.json
finish
essence report.json >got
cmp -s expected got || {
  problem 'stopped by limits and a signal: another result'
  diff expected got
}
grep -q '"finished":false' state && problem 'something is not finished'
explore --resume state --json report.json # it has nothing to do but to report
finish
same $? 1 'exit code of a finished one'
essence report.json >got
cmp -s expected got || problem 'a finished one: another report'

echo 'at the first finding, then the next'
rm -f state
for want in 1 2; do
  ./slow --quiet --tickets none --strategy dfs --test second --resume state --json report.json >out 2>&1
  same "$(grep -c '^ \{10\}"kind"' report.json)" $want findings
done

echo 'files that do not fit'
refused() { # TEXT OPTION...
  local text=$1 status=0
  shift
  cp state before
  ./slow --quiet --tickets none --strategy dfs "$@" --resume state >out 2>&1 </dev/null || status=$?
  same $status 2 "$text: exit code"
  grep -q "$text" out || problem "it does not say '$text'"
  cmp -s state before || problem "$text: the file was changed"
}
refused 'other options: --strategy (file: dfs, now: preempt)' --strategy preempt
refused 'other options: --depth (file: default, now: 77)' --depth 77
cp state good
sed 's/"pruned":0/"pruned":1/' good >state
refused damaged
head -c 200 good >state
refused damaged
sed '1s/resume 3/resume 9/' good >state
refused 'another version'
echo 'something else' >state
refused 'not a file to resume from'
head -c 100000 /dev/urandom >state
refused 'not a file to resume from'
cp good state
sed -i 's/the wrong way round/the wrong way around/' slow.c
compile slow.c slow
refused 'another build'
status=0
./slow --quiet --tickets none --test first --resume /no/such/folder/state >out 2>&1 || status=$?
grep -q 'cannot write /no/such/folder/state' out || problem 'a file that cannot be written is not told'

all_well
