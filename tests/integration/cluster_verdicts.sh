#!/usr/bin/env bash
# usage: cluster_verdicts.sh [PROGRAMS [FIRST]]
# A cluster says what a local run says: random programs that end in every way (verdict_program.c), and programs that leave
# something open or assume something, explored here and by a cluster: verdict, words, counts and findings are the same. With
# arguments, for longer hunts: how many programs, and the first seed.
# takes: 6
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"

compile "$EO_SRC/tests/integration/leaves_open.c" leaves
compile "$EO_SRC/tests/integration/verdict_program.c" drawn -Wno-array-bounds
start_redis
redis=redis://127.0.0.1:$port

both_ways() { # WHAT COMMAND...: here and by a cluster
  local what=$1 here there
  shift
  "$@" --tickets none --quiet --json expected.json >out 2>err </dev/null
  here=$?
  timeout 60 "$@" --tickets none --quiet --json result.json --cluster "$redis/it" --jobs 2 >out 2>err </dev/null
  there=$?
  same $there $here "$what: exit code"
  equal "$what"
  [ -n "$(member result.json endless)" ] || [ -z "$(member expected.json endless)" ] ||
    problem "$what: nothing is said of what was cut off"
  "$everyorder" cluster drop "$redis/it" >/dev/null 2>&1
}

for strategy in dfs dpor; do
  # shellcheck disable=SC2086 # several words
  both_ways "shares, $strategy" ./leaves --test shares --strategy $strategy
  for options in '--depth 9' '--depth 9 --depth-fails --keep-going' '--timeouts idle' '--delivery fifo' '--depth 12 --keep-going'; do
    # shellcheck disable=SC2086
    both_ways "gathers, $strategy $options" ./leaves --test gathers --strategy $strategy $options
  done
done
both_ways 'without a limit' ./leaves --test gathers --strategy dpor --executions 0

ends=(clean assertion deadlock crash abort misuse sharing exit liveness endless specific abnormal kill timeouts)
first=${2:-0}
for seed in $(seq "$first" $((first + ${1:-14} - 1))); do
  export EO_VERDICT_SEED=$seed EO_VERDICT_END=${ends[seed % ${#ends[@]}]}
  for options in 'dpor --keep-going --depth 40' 'preempt --bound 1 --keep-going --depth 40'; do
    # shellcheck disable=SC2086
    both_ways "seed $seed, $EO_VERDICT_END, $options" ./drawn --strategy $options --no-minimise
  done
done

all_well
