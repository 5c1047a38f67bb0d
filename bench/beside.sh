#!/usr/bin/env bash
# usage: bench/beside.sh FOLDER [ROUNDS]
# What a change costs: the same programs in this build and in the one in FOLDER (the build folder of another checkout),
# in turns, so that both see the same machine. For each program the processor time of the best of ROUNDS rounds (5) and
# the ratio to the other build's; executions must be equal. With valgrind, instructions of one short run, which are
# exact. Nothing here passes or fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
other=${1:?the build folder of another checkout}
rounds=${2:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

programs='actors scheduling_9 --strategy dpor
actors store_10_3_3 --strategy dpor
actors resource_4_4 --strategy dpor
reg_server l6_12_concurrent_stops --strategy dfs
protocols chainrep_correct --strategy ses --delays 2
protocols multipaxos_correct --strategy ses --delays 2
protocols osr_correct --strategy ses --delays 4
protocols paxos_correct --strategy ses --delays 3
protocols tms_correct --strategy ses --delays 2
protocols twopc_correct --strategy ses --delays 3'

once() { # FOLDER PROGRAM TEST OPTION...: prints processor seconds and executions or states
  local TIMEFORMAT='%U %S'
  { time "$1/examples/$2" --test "$3" "${@:4}" --quiet --tickets none --json "$scratch/report" >/dev/null || true; } \
    2>"$scratch/time"
  awk -v n="$(sed -nE 's/^ {6}"executions": ([0-9]+),?$/\1/p' "$scratch/report" | head -1)" \
    '{ print $1 + $2, n }' "$scratch/time"
}

while read -r -a words; do
  : >"$scratch/this"
  : >"$scratch/that"
  for ((round = 0; round < rounds; round++)); do
    once build "${words[@]}" >>"$scratch/this"
    once "$other" "${words[@]}" >>"$scratch/that"
  done
  read -r here count < <(sort -g "$scratch/this" | head -1)
  read -r there counted < <(sort -g "$scratch/that" | head -1)
  awk -v w="${words[*]:1}" -v a="$here" -v b="$there" -v n="$count" -v m="$counted" 'BEGIN {
    printf "%-44s %9d executions %7.2f s beside %7.2f s: %5.3f x%s\n", w, n, a, b, a / b, n == m ? "" : ", BUT " m " EXECUTIONS THERE" }'
done <<<"$programs"

count_instructions() { # FOLDER TEST: of all its processes
  setarch -R valgrind --tool=callgrind --trace-children=yes --callgrind-out-file=/dev/null \
    "$1/examples/actors" --test "$2" --strategy dpor --quiet --tickets none 2>&1 >/dev/null |
    awk '/Collected/ { n += $NF } END { print n }'
}
if command -v valgrind >/dev/null; then
  for test in scheduling_7 resource_3_3; do
    awk -v t=$test -v a="$(count_instructions build $test)" -v b="$(count_instructions "$other" $test)" \
      'BEGIN { printf "%-44s %9.1f M instructions beside %.1f M: %5.3f x\n", t " --strategy dpor", a / 1e6, b / 1e6, a / b }'
  done
fi
