#!/usr/bin/env bash
# dpor with several workers, with workers that are killed, and resumed after everything was killed: always as many
# executions and findings as one undisturbed worker, which are known (tests/golden/counts.tsv).
# serial: it counts on the workers getting some processor time
# builds: release
# takes: 5
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

check() { # WHAT EXECUTIONS FAILURES FINDINGS
  local name got=''
  for name in executions failures complete pruned; do got+="$(member report.json $name) "; done
  same "$got$(member report.json kind finding | wc -l)" "$2 $3 true 0 $4" "$1"
}
explore() { # TEST OPTION...: in the background
  rm -f report.json
  start "$EO_BUILD/examples/actors" --test "$1" --strategy dpor --keep-going --quiet --tickets none --json report.json "${@:2}"
}

while read -r test executions failing findings; do
  for jobs in 1 2 3; do
    explore "$test" --jobs $jobs
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
explore scheduling_9 --jobs 2
while kill -0 "$main" 2>/dev/null && [ $kills -lt 5 ]; do
  sleep 0.02
  worker=$(pgrep -P "$main" | tail -n 1)
  if [ -n "$worker" ] && kill -KILL "$worker" 2>/dev/null; then kills=$((kills + 1)); fi
done
finish
check "scheduling_9, $kills workers killed" 362880 0 0

stopped=0
for jobs in 1 2 1 2; do
  explore scheduling_9 --jobs $jobs --resume state
  sleep 0.2
  if kill -KILL -- "-$main" 2>/dev/null; then stopped=$((stopped + 1)); fi
  finish
done
explore scheduling_9 --jobs 2 --resume state --executions 300000
finish
explore scheduling_9 --resume state
finish
check "scheduling_9, stopped $stopped times and resumed" 362880 0 0

echo "$kills workers killed, $stopped runs killed, $failures differences"
if [ $kills -eq 0 ] || [ $stopped -eq 0 ]; then problem 'it was over too soon to say anything'; fi
all_well
