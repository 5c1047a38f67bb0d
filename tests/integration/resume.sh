#!/usr/bin/env bash
# --resume: a run that was stopped, by a limit, a signal or a kill of all its processes at any moment, goes on from its
# file and ends like one that never stopped. Files that do not fit are refused and left alone.
# serial: it counts on the program getting some processor time
# timeout: 300
set -uo pipefail

scratch=$(mktemp -d)
main=
cleanup() {
  if [ -n "$main" ]; then kill -KILL -- "-$main" 2>/dev/null; fi
  rm -rf "$scratch"
}
trap cleanup EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC
RANDOM=4

failures=0
problem() {
  echo "FAILED line ${BASH_LINENO[-2]}: $*"
  tail -n 20 out | sed 's/^/    /'
  failures=$((failures + 1))
}
same() { # GOT EXPECTED WHAT
  [ "$1" = "$2" ] || problem "$3: '$1' instead of '$2'"
}
member() { # FILE NAME
  sed -nE "s/^ {6}\"$2\": \"?(.*[^\",])?\"?,?\$/\1/p" "$1"
}

# A program that takes its time on any machine, since it sleeps.
cat >slow.c <<'PROGRAM'
#include <everyorder.h>
#include <stdlib.h>
#include <unistd.h>

struct sender {
  eo_pid to;
  long number;
};

static void sender(void *argument) {
  const struct sender *self = argument;
  eo_send(self->to, (int)self->number, NULL, 0);
}

static int order_of(int count) {
  int order = 0;
  eo_message message;
  for (long i = 1; i <= count; i++) {
    const struct sender self = {eo_self(), i};
    eo_spawn(sender, &self, sizeof self);
  }
  for (int i = 0; i < count; i++) {
    eo_receive(&message, EO_FOREVER);
    order = order * 10 + message.tag;
  }
  usleep(100);
  return order;
}

EO_TEST(first) { (void)order_of(2); }
EO_TEST(second) {
  const int order = order_of(3);
  eo_assert(order != 321, "the wrong way round");
  if (order == 231) abort();
}
PROGRAM
gcc -std=gnu17 -g -O1 -Wall "-I$EO_SRC/include/everyorder" slow.c -o slow "$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis \
  -ldw -lpthread -ldl || exit 1

# What must be the same: everything but times, and the order in which several workers come to what they find.
essence() { # FILE
  grep -E '^ {6}"(test|verdict|complete|covered|stopped|executions|pruned|failures|max_depth)"' "$1"
  grep -E '^ {10}"(kind|message)"' "$1" | sort
}

start() { # OPTION...: in the background, as $main, in a process group of its own
  setsid ./slow --quiet --tickets none --keep-going "$@" >out 2>&1 </dev/null &
  main=$!
}
finish() {
  local status=0
  wait "$main" 2>/dev/null || status=$?
  main=
  return $status
}

# All processes at once, at any moment, again and again; then it may end.
killed() { # OPTION...
  local kills=0 status=0
  rm -f state
  while [ $kills -lt 5 ]; do
    start "$@" --resume state --json report.json
    sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
    if ! kill -KILL -- "-$main" 2>/dev/null; then break; fi
    kills=$((kills + 1))
    finish
  done
  if [ $kills -eq 0 ]; then problem "it was over before anything was killed"; fi
  [ -s state ] || problem "$*: nothing was kept"
  start "$@" --resume state --json report.json
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
  start --strategy "$strategy" --json report.json
  finish
  essence report.json >expected
  grep -q '"executions"' expected || problem 'no report'
  for jobs in 1 2; do killed --strategy "$strategy" --jobs $jobs; done
done

echo 'limits and signals'
rm -f state
start --strategy dfs --json report.json
finish
essence report.json >expected
for executions in 10 100 1000; do
  start --resume state --executions $executions --jobs 2
  finish
done
start --resume state
sleep 0.5
kill -INT "$main"
status=0
finish || status=$? # 1 or 3: it may have found something by then
[ $status -eq 1 ] || same $status 3 'exit code after an interrupt'
start --resume state --time 300ms
finish
start --resume state --json report.json
finish
essence report.json >got
cmp -s expected got || {
  problem 'stopped by limits and a signal: another result'
  diff expected got
}
grep -q '"finished":false' state && problem 'something is not finished'
start --resume state --json report.json # it has nothing to do but to report
finish
same $? 1 'exit code of a finished one'
essence report.json >got
cmp -s expected got || problem 'a finished one: another report'

echo 'at the first finding, then the next'
rm -f state
for want in 1 2; do
  ./slow --quiet --tickets none --test second --resume state --json report.json >out 2>&1
  same "$(grep -c '^ \{10\}"kind"' report.json)" $want findings
done

echo 'files that do not fit'
refused() { # TEXT OPTION...
  local text=$1 status=0
  shift
  cp state before
  ./slow --quiet --tickets none "$@" --resume state >out 2>&1 </dev/null || status=$?
  same $status 2 "$text: exit code"
  grep -q "$text" out || problem "it does not say '$text'"
  cmp -s state before || problem "$text: the file was changed"
}
refused 'other options' --strategy preempt
refused 'other options' --depth 77
cp state good
sed 's/"pruned":0/"pruned":1/' good >state
refused damaged
head -c 200 good >state
refused damaged
sed '1s/resume 1/resume 9/' good >state
refused 'another version'
echo 'something else' >state
refused 'not a file to resume from'
head -c 100000 /dev/urandom >state
refused 'not a file to resume from'
cp good state
sed -i 's/the wrong way round/the wrong way around/' slow.c
gcc -std=gnu17 -g -O1 "-I$EO_SRC/include/everyorder" slow.c -o slow "$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw \
  -lpthread -ldl || exit 1
refused 'another build'
status=0
./slow --quiet --tickets none --test first --resume /no/such/folder/state >out 2>&1 || status=$?
grep -q 'cannot write /no/such/folder/state' out || problem 'a file that cannot be written is not told'

if [ $failures -gt 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
