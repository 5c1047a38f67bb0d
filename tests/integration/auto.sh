#!/usr/bin/env bash
# `auto`, the default: says what the strongest of its members says, does the same each time, and can be split and put away.
# takes: 10
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
examples=$EO_BUILD/examples

# What dfs finds or proves, auto finds or proves; and more, where dfs has no end or a circle is in the way.
"$examples/findings" --quiet --tickets none --json auto.json >out 2>&1
"$examples/findings" --quiet --tickets none --strategy dfs --json dfs.json >out 2>&1
python3 - <<'CHECK' || problem 'auto and dfs differ'
import json, sys
verdicts = [{t["test"]: t["verdict"] for t in json.load(open(f))["tests"]} for f in ("auto.json", "dfs.json")]
auto, dfs = verdicts
assert auto.keys() == dfs.keys() and len(dfs) > 90
wrong = [t for t in dfs if auto[t] != dfs[t] and dfs[t] != "incomplete"]
print(wrong, [t for t in dfs if dfs[t] == "incomplete"], file=sys.stderr)
sys.exit(bool(wrong))
CHECK
says auto.json '"strategy": "auto"'

# It is as good as the best of the others, where that is quickly seen; and proves by states what dpor cannot.
if [ "$(basename "$EO_BUILD")" = build ]; then
  run 0 "$EO_SRC/bench/auto-accept" --seconds 5 bank demo door
  says out 'found: 3, not within the bound: 0'
  says out 'passed: 3, not within the bound: 0'
fi

# The clock has no say: the same executions each time.
for i in 1 2; do
  run 3 "$examples/senders" --test senders_9 --quiet --executions 9000 --tickets none --json same_$i.json
  says out '9,000 executions, stopped: after 9000 executions'
  says out 'by pos'
done
for member in executions pruned covered max_depth; do
  [ "$(grep "\"$member\"" same_1.json)" = "$(grep "\"$member\"" same_2.json)" ] || problem "$member: not the same again"
done

# Shared by workers and gone on with later, it still says what each member ran and guarantees: executions add up to all.
rm -f shared
for limit in 3000 7000; do
  run 3 "$examples/senders" --test senders_9 --quiet --jobs 2 --resume shared --executions $limit --tickets none --json shared.json
  says shared.json 'pct: a bug of depth 2 in the first 37 steps of 10 processes is hit with probability at least 0.0027 by each'
  sum=$(sed -nE 's/^ *"covered": "([^;]*);.*/\1/p' shared.json | grep -oE '[0-9,]+ by' | tr -d ', by' | paste -sd+ | bc)
  [ "$sum" = $limit ] || problem "members ran $sum of $limit executions"
done

# Shared, put away and taken up again, it comes to the same end.
run 0 "$examples/actors" --test resource_4_4 --quiet --jobs 3
says out 'complete (every equivalence class of interleavings)'
rm -f state
status=3 runs=0
while [ $status = 3 ] && [ $runs -lt 20 ]; do
  runs=$((runs + 1))
  "$examples/actors" --test resource_4_4 --quiet --executions $((runs * 3000)) --resume state >out 2>&1
  status=$?
done
[ $status = 0 ] && [ $runs -gt 3 ] || problem "--resume: exit code $status after $runs runs: $(cat out)"
says out 'complete (every equivalence class of interleavings)'

# A program that never ends and returns to the same states is proved by its states; without them, it is left open.
run 0 "$examples/findings" --test endless_execution --quiet
says out 'every reachable state'
run 3 "$examples/findings" --test endless_execution --quiet --executions 50 --resume ends
run 2 "$EO_BUILD/everyorder" model "$EO_SRC"/examples/models/leader_election.pml --strategy auto
says err "is for programs"
all_well
