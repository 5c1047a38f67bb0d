#!/usr/bin/env bash
# usage: bench/dpor.sh
# The three programs of examples/actors under dpor: executions a second on one core beside a bare loop of fibers
# (bench/step, same run) and the goal of 250,000; two workers beside one, and beside what the machine gives: two runs of one
# worker at the same time. Each the best of five rounds, since machines are noisy. Then classic and source beside optimal. From
# bench/run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

explore() { # REPORT TEST OPTION...: prints executions and seconds
  build/examples/actors --test "$2" --strategy dpor --quiet --tickets none --json "$scratch/$1" "${@:3}" >/dev/null
  sed -nE 's/^ {6}"(executions|elapsed_s)": ([0-9.e-]+),?$/\2/p' "$scratch/$1" | paste -sd ' '
}
at_once() { # TEST: the seconds of the slower of two
  explore first "$1" >"$scratch/one" &
  explore second "$1" >"$scratch/two"
  wait
  sort -g -k 2 "$scratch/one" "$scratch/two" | tail -1
}
best() { sort -g -k 2 "$1" | head -1; }

bare=$(build/bench/step | awk '/^[0-9]+ steps/ { steps = $1 } /bare loop, called/ { print 1e9 / ($5 * steps) }')
for test in scheduling_9 scheduling_10 resource_5_5 store_10_3_3; do
  for _ in 1 2 3 4 5; do
    explore report "$test" >>"$scratch/$test.one"
    explore report "$test" --jobs 2 >>"$scratch/$test.two"
    at_once "$test" >>"$scratch/$test.both"
  done
  read -r executions one < <(best "$scratch/$test.one")
  read -r again two < <(best "$scratch/$test.two")
  read -r _ both < <(best "$scratch/$test.both")
  awk -v t="$test" -v n="$executions" -v m="$again" -v one="$one" -v two="$two" -v both="$both" -v bare="$bare" 'BEGIN {
    printf "%-14s %8d executions %7.2f s %9.0f/s  %4.2f x 250,000  %5.3f x bare loop; 2 workers %6.2f s, %4.2f x (two runs at once: %4.2f x)%s\n",
      t, n, one, n / one, n / one / 250000, n / one / bare, two, one / two, 2 * one / both, n == m ? "" : ", BUT " m " EXECUTIONS" }'
done
for kind in optimal source classic; do
  read -r executions seconds < <(explore report scheduling_5 --dpor $kind)
  printf 'scheduling_5, --dpor %-8s %8d executions %7.3f s\n' $kind "$executions" "$seconds"
done
