#!/usr/bin/env bash
# dpor with several workers, with workers that are killed, and resumed after everything was killed: always as many
# executions and findings as one undisturbed worker, which are known (tests/golden/counts.tsv).
# serial: it counts on the workers getting some processor time
# timeout: 300
# builds: release
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

failures=0
member() { # NAME
  sed -nE "s/^ {6}\"$1\": \"?(.*[^\",])?\"?,?\$/\1/p" report.json
}
check() { # WHAT EXECUTIONS FAILURES FINDINGS
  local got
  got="$(member executions) $(member failures) $(grep -c '^ \{10\}"kind"' report.json) $(member complete) $(member pruned)"
  if [ "$got" != "$2 $3 $4 true 0" ]; then
    echo "FAILED $1: '$got' instead of '$2 $3 $4 true 0'"
    failures=$((failures + 1))
  fi
}
start() { # TEST OPTION...: in the background, as $main, in a process group of its own
  rm -f report.json
  setsid "$EO_BUILD/examples/actors" --test "$1" --strategy dpor --keep-going --quiet --tickets none --json report.json \
    "${@:2}" >out 2>&1 </dev/null &
  main=$!
}
finish() {
  wait "$main" 2>/dev/null
  main=
}

while read -r test executions failing findings; do
  for jobs in 1 2 3; do
    start "$test" --jobs $jobs
    finish
    check "$test --jobs $jobs" "$executions" "$failing" "$findings"
  done
done <<'ROWS'
resource_3_3 385 0 0
resource_4_4 15071 0 0
store_7_3_3 3564 0 0
scheduling_7 5040 0 0
resource_cyclic_2 3 1 1
resource_cyclic_3 13 7 4
ROWS

kills=0
start scheduling_9 --jobs 2
while kill -0 "$main" 2>/dev/null && [ $kills -lt 5 ]; do
  sleep 0.1
  worker=$(pgrep -P "$main" | tail -n 1)
  if [ -n "$worker" ] && kill -KILL "$worker" 2>/dev/null; then kills=$((kills + 1)); fi
done
finish
check "scheduling_9, $kills workers killed" 362880 0 0

stopped=0
for jobs in 1 2 1 2; do
  start scheduling_9 --jobs $jobs --resume state
  sleep 0.2
  if kill -KILL -- "-$main" 2>/dev/null; then stopped=$((stopped + 1)); fi
  finish
done
start scheduling_9 --jobs 2 --resume state --executions 300000
finish
start scheduling_9 --resume state
finish
check "scheduling_9, stopped $stopped times and resumed" 362880 0 0

echo "$kills workers killed, $stopped runs killed, $failures differences"
[ $failures -eq 0 ] && [ $kills -gt 0 ] && [ $stopped -gt 0 ] # else it was over too soon to say anything
