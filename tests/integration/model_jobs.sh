#!/usr/bin/env bash
# --jobs N of full and por: on every model, the report with three jobs is the one with one job but for times and memory, and so is
# each ticket; the same for properties, and where a search is ended by a number of states.
# timeout: 600
# takes: 10
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

compared=0 states=0
without_times() { # FILE...
  sed -E '/"(date|elapsed_s|seconds|started|jobs|bytes|time|states_per_second|executions_per_second|command|options)":/d' "$@"
}
compare() { # FILE OPTION...
  local how=$*
  rm -rf one one.json three three.json
  "$everyorder" model "$@" --quiet --json one.json --tickets one >one.out 2>&1
  local status=$?
  "$everyorder" model "$@" --quiet --json three.json --tickets three --jobs 3 >out 2>&1
  [ $? = $status ] || problem "$how --jobs 3: another exit code than $status"
  if [ ! -e one.json ]; then # refused, in the same words
    diff one.out out || problem "$how --jobs 3: refused in other words"
    return
  fi
  sed 's,"one/,"three/,' one.json | without_times >one.txt
  diff one.txt <(without_times three.json) || problem "$how --jobs 3: another report"
  if [ -d one ]; then diff -r one three || problem "$how --jobs 3: other tickets"; fi
  compared=$((compared + 1))
  states=$((states + $(member one.json states | paste -sd +)))
}

for file in "$EO_SRC"/tests/data/models/*.pml "$EO_SRC"/examples/models/*.pml; do
  compare "$file" --keep-going
  compare "$file" --keep-going --strategy por
done
for file in "$EO_SRC"/tests/data/properties/*.pml; do
  compare "$file" --property all --keep-going
  compare "$file" --property all --strategy por
  compare "$file" --property all --fair
done
larger="$EO_SRC/examples/models/mutual_exclusion.pml"
compare "$larger" -DN=3
compare "$larger" -DN=3 --strategy por
compare "$larger" -DN=3 --executions 12345
compare "$EO_SRC/examples/models/leader_election.pml" -DN=6 --strategy por --delivery causal
compare "$EO_SRC/examples/models/sliding_window.pml" -DW=3 --delivery async --keep-going
[ $compared -ge 120 ] && [ "$states" -ge 150000 ] || problem "only $compared runs, $states states"

# Threads, and an end in time.
"$everyorder" model "$EO_SRC/examples/models/mutual_exclusion.pml" -DN=4 --jobs 3 --time 4s --tickets none >out 2>&1 &
pid=$!
for _ in $(seq 40); do
  threads=$(ls "/proc/$pid/task" | wc -l)
  if [ "$threads" = 3 ]; then break; fi
  sleep 0.1
done
same "$threads" 3 'threads of --jobs 3'
wait $pid
[ $? = 3 ] || problem '--jobs 3 --time 4s: not stopped'

run 2 "$everyorder" model "$EO_SRC/tests/data/models/deadlock.pml" --hash-compact --jobs 2
says err 'is searched depth first, by one job'
run 2 "$everyorder" model "$EO_SRC/examples/models/figure_2_1.pml" --strategy bsra --delivery async --jobs 2
says err "strategy 'bsra' takes one job, since its searches are small"
echo "$compared runs compared, $states states"
all_well
