#!/usr/bin/env bash
# usage: bench/reach.sh
# Executions a second of reach, with and without its tree, and of dpor beside it, on one core. From bench/run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
report=$(mktemp)
trap 'rm -f "$report"' EXIT

explore() { # TEST OPTION...: prints executions and seconds
  build/examples/actors --test "$1" --quiet --tickets none --json "$report" "${@:2}" >/dev/null
  sed -nE 's/^ {6}"(executions|elapsed_s)": ([0-9.e-]+),?$/\2/p' "$report" | paste -sd ' '
}
median() { # TEST OPTION...: of three
  for _ in 1 2 3; do explore "$@"; done | sort -g -k 2 | sed -n 2p
}

for test in scheduling_8 resource_4_4 store_8_3_3; do
  read -r executions dpor < <(median "$test" --strategy dpor)
  read -r reached reach < <(median "$test" --strategy reach)
  read -r again bare < <(median "$test" --strategy reach --no-tree)
  awk -v t="$test" -v n="$executions" -v m="$reached" -v l="$again" -v d="$dpor" -v r="$reach" -v b="$bare" 'BEGIN {
    printf "%-14s %8d executions; dpor %8.0f/s, reach %8.0f/s (%4.2f x), reach --no-tree %8.0f/s (%4.2f x)%s\n",
      t, n, n / d, n / r, d / r, n / b, d / b, n == m && n == l ? "" : ", BUT " m " AND " l " EXECUTIONS" }'
done
