#!/usr/bin/env bash
# usage: bench/samplers.sh
# Executions a second of each strategy that draws, beside random in the same minute, in one worker on one core: on the
# concurrent-stops test of Gotovos 2011 (some 24 steps) and on two-phase commit (some 450). Taken in turns, the best of three.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

samplers=(random irs pct pos surw pctcp tapct)
json=$(mktemp)
trap 'rm -f "$json"' EXIT

rate() { # STRATEGY PROGRAM TEST EXECUTIONS
  "build/examples/$2" --test "$3" --strategy "$1" --executions "$4" --seed 1 --quiet --tickets none --json "$json" \
    >/dev/null || true
  awk -F '[ ,]+' '/^      "(executions|pruned)":/ { count += $3 } /^      "elapsed_s":/ { seconds = $3 }
    END { printf "%.0f\n", count / seconds }' "$json"
}

compare() { # PROGRAM TEST EXECUTIONS
  local -A best=()
  local sampler got
  for _ in 1 2 3; do
    for sampler in "${samplers[@]}"; do
      got=$(rate "$sampler" "$@")
      if [ "$got" -gt "${best[$sampler]:-0}" ]; then best[$sampler]=$got; fi
    done
  done
  echo "$2"
  for sampler in "${samplers[@]}"; do
    awk -v name="$sampler" -v rate="${best[$sampler]}" -v base="${best[random]}" \
      'BEGIN { printf "  %-7s %8d executions/s  %.2f of random\n", name, rate, rate / base }'
  done
}

compare reg_server l6_12_concurrent_stops 50000
compare protocols twopc_correct 2000
