#!/usr/bin/env bash
# usage: bench/growth.sh
# How the cost of a step grows with the length of an execution and the number of processes (bench/growth.c): processor
# time, time per step that was run, and the most memory in use. `dpor` runs a few executions to look for shared memory
# first, so its runs are of some ten executions. dfs, random and ses are given a hundred executions or 20 seconds. The first row of a
# test tells what a run costs beside its steps. How long live processes take to end: bench/run live. From bench/run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

measure() { # TEST SIZE STRATEGY OPTION...
  SIZE=$2 /usr/bin/env time -f '%U %S %M' -o "$scratch/time" build/bench/growth --test "$1" --strategy "${@:3}" \
    --depth 1000000 --time 20s --quiet --tickets none --json "$scratch/report" >/dev/null || true
  tail -1 "$scratch/time" | awk -v t="$1" -v n="$2" -v s="$3" \
    -v steps="$(sed -nE 's/^ {6}"transitions": ([0-9]+),?$/\1/p' "$scratch/report")" \
    -v executions="$(sed -nE 's/^ {6}"executions": ([0-9]+),?$/\1/p' "$scratch/report")" '{
    printf "%-10s %6d  %-7s %6d executions %9d steps %7.2f s  %8.0f ns a step  %6.1f MB\n",
      t, n, s, executions, steps, $1 + $2, 1e9 * ($1 + $2) / (steps ? steps : 1), $3 / 1024 }'
}

sizes=([0]='pipeline 50 200 400 1000 2000' [1]='ping_pong 10 1000 10000 100000' [2]='prefix 10 1000 10000 100000' [3]='processes 2 20 200')
for line in "${sizes[@]}"; do
  read -ra words <<<"$line"
  for size in "${words[@]:1}"; do measure "${words[0]}" "$size" dpor; done
  for size in "${words[@]:1}"; do measure "${words[0]}" "$size" dfs --executions 100; done
  for size in "${words[@]:1}"; do measure "${words[0]}" "$size" random --executions 100; done
  for size in "${words[@]:1}"; do measure "${words[0]}" "$size" ses --delays 0; done
done
