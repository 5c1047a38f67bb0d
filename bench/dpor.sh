#!/usr/bin/env bash
# usage: bench/dpor.sh
# The three programs of examples/actors under dpor: executions a second on one core beside a bare loop of fibers
# (bench/step, same run) and the goal of 250,000; two workers beside one; classic and source beside optimal. From bench/run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
report=$(mktemp)
trap 'rm -f "$report"' EXIT

explore() { # TEST OPTION...: prints executions and seconds
  build/examples/actors --test "$1" --strategy dpor --quiet --tickets none --json "$report" "${@:2}" >/dev/null
  sed -nE 's/^ {6}"(executions|elapsed_s)": ([0-9.e-]+),?$/\2/p' "$report" | paste -sd ' '
}
median() { # TEST OPTION...: of three
  for _ in 1 2 3; do explore "$@"; done | sort -g -k 2 | sed -n 2p
}

bare=$(build/bench/step | awk '/^[0-9]+ steps/ { steps = $1 } /bare loop, called/ { print 1e9 / ($5 * steps) }')
for test in scheduling_9 resource_5_5 store_10_3_3; do
  read -r executions one < <(median "$test")
  read -r again two < <(median "$test" --jobs 2)
  awk -v t="$test" -v n="$executions" -v m="$again" -v one="$one" -v two="$two" -v bare="$bare" 'BEGIN {
    printf "%-14s %8d executions %7.2f s %9.0f/s  %4.2f x 250,000  %5.3f x bare loop; 2 workers %6.2f s, %4.2f x%s\n",
      t, n, one, n / one, n / one / 250000, n / one / bare, two, one / two, n == m ? "" : ", BUT " m " EXECUTIONS" }'
done
for kind in optimal source classic; do
  read -r executions seconds < <(explore scheduling_5 --dpor $kind)
  printf 'scheduling_5, --dpor %-8s %8d executions %7.3f s\n' $kind "$executions" "$seconds"
done
