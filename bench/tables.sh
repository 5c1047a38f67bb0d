#!/usr/bin/env bash
# usage: bench/tables.sh [PATTERN]
# Tables 2.1 to 2.8 of the dissertation for examples/models: states and edges of full, por, sra and bsra under each
# delivery and size, the states of bsra --sleep, those of pan with its reduction (spin -a, gcc -O2), and the states that
# the dissertation printed, with its rates. pan searches the same system: where a port has several senders, or messages
# that overtake each other, it is given the model with channels that are multisets (bench/multiset.awk), marked with *;
# elsewhere Promela's channels are ports. A row ends with what is not as it should be:
#   deadlocks   bsra does not find the deadlocks that full finds
#   spin        bsra stores more states than pan with its reduction
#   rate        1 - bsra/full is less than the rate that was printed
#   multisets   the model with multisets has not as many states as full
# `>` says that full was stopped there, by EO_TABLES_STATES states (default 30 million) or EO_TABLES_MB of memory (default
# 5000). With PATTERN only rows that contain it, such as 'LE' or 'causal'. Needs spin.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
pattern=${1:-.}
root=$PWD
most=${EO_TABLES_STATES:-30000000}
megabytes=${EO_TABLES_MB:-5000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v spin >/dev/null || {
  echo 'spin is not installed (Debian: apt install spin)' >&2
  exit 2
}

member() { sed -nE "s/^ {6}\"$1\": \"?([^\",]*)\"?,?\$/\1/p" "$scratch/report.json"; }
# Sets states, edges and complete.
run() { # STRATEGY FILE OPTION...
  local strategy=$1 file=$2
  shift 2
  rm -f "$scratch/report.json"
  build/everyorder model "$file" "$@" --strategy "$strategy" --keep-going --executions "$most" --cache-mb "$megabytes" \
    --quiet --tickets none --json "$scratch/report.json" >/dev/null 2>&1 || true
  states=$(member states) edges=$(($(member transitions) - 1)) complete=$(member complete)
  # shellcheck disable=SC2016
  grep -A1 '"kind": "deadlock"' "$scratch/report.json" | grep message | sort -u >"$scratch/$strategy.deadlocks" || true
}
spin_states() { # FILE DEFINE...
  local file=$1
  shift
  (cd "$scratch" && spin "$@" -a "$file" >/dev/null &&
    gcc -O2 -w -DSAFETY -DVECTORSZ=4096 -o pan pan.c && ./pan -c0 -m1000000 -w22 2>/dev/null |
    sed -nE 's/^ *([0-9]+) states, stored.*/\1/p')
}
rate() { awk -v part="$1" -v whole="$2" 'BEGIN { printf "%.0f", 100 * (1 - part / whole) }'; }

# Sets reduced: what pan stores, of the same system.
beside() { # FULL NAME SIZE DELIVERY MODEL DEFINE...
  local full=$1 name=$2 size=$3 delivery=$4 model=$5
  shift 5
  star=' '
  if [ "$delivery" != async ] && [ "$name $delivery" != 'FL fifo' ]; then
    reduced=$(spin_states "$root/$model" "$@")
    return
  fi
  star='*'
  cpp -P "$@" "$model" | awk -v most=$((size + 1)) -f bench/multiset.awk >"$scratch/multiset.pml"
  run full "$scratch/multiset.pml"
  [ "$states" = "$full" ] || notes+=' multisets'
  reduced=$(spin_states "$scratch/multiset.pml")
}

row() { # TABLE NAME SIZE DELIVERY FULL POR POR% SRA SRA% BSRA BSRA% MODEL DEFINE...
  local table=$1 name=$2 size=$3 delivery=$4 notes='' more='' star reduced
  local printed="$5 | $6 $7% | $8 $9% | ${10} ${11}%" printed_rate=${11} model=examples/models/${12}.pml
  shift 12
  run full "$model" --delivery "$delivery" "$@"
  local full=$states full_edges=$edges
  [ "$complete" = true ] || more='>'
  printf '%-4s %-2s %2s %-6s %9s %9s' "$table" "$name" "$size" "$delivery" "$more$full" "$more$full_edges"
  local strategy stopped
  for strategy in por sra bsra; do
    run "$strategy" "$model" --delivery "$delivery" "$@"
    stopped=''
    [ "$complete" = true ] || stopped='>'
    printf ' |%7s %8s %3s%%' "$stopped$states" "$stopped$edges" "$(rate "$states" "$full")"
  done
  local bsra=$states
  [ -n "$more" ] || cmp -s "$scratch/full.deadlocks" "$scratch/bsra.deadlocks" || notes+=' deadlocks'
  [ "$(rate "$bsra" "$full")" -ge "$printed_rate" ] || notes+=' rate'
  run bsra "$model" --delivery "$delivery" "$@" --sleep
  printf ' |%6s' "$states"
  beside "$full" "$name" "$size" "$delivery" "$model" "$@"
  [ "$bsra" -le "$reduced" ] || notes+=' spin'
  printf ' | %7s%s | printed %s%s\n' "$reduced" "$star" "$printed" "${notes:+   !$notes}"
}

printf '%-16s%19s |%21s |%21s |%21s |%6s | %7s  | %s\n' '' 'full: states edges' 'por' 'sra' 'bsra' sleep spin \
  'printed: full | por | sra | bsra'
while read -r line; do
  [[ $line =~ $pattern ]] || continue
  # shellcheck disable=SC2086
  row $line
done <<'ROWS'
2.1 LE 3 async 1015 - - - - 410 70 leader_election -DN=3
2.1 FL 3 async 90 - - - - 31 66 flooding -DN=3
2.1 FL 4 async 173 - - - - 44 75 flooding -DN=4
2.1 FL 5 async 340 - - - - 60 82 flooding -DN=5
2.1 SW 2 async 14287 - - - - 645 95 sliding_window -DW=2
2.2 LE 3 fifo 379 - - - - 9 98 leader_election -DN=3
2.2 FL 3 fifo 90 - - - - 31 66 flooding -DN=3
2.2 FL 4 fifo 173 - - - - 44 75 flooding -DN=4
2.2 FL 5 fifo 340 - - - - 60 82 flooding -DN=5
2.2 SW 2 fifo 2939 - - - - 219 94 sliding_window -DW=2
2.3 LE 3 causal 379 59 84 37 90 9 98 leader_election -DN=3
2.3 LE 4 causal 2228 77 96 45 98 11 99 leader_election -DN=4
2.3 LE 5 causal 14194 95 99 53 100 13 100 leader_election -DN=5
2.3 LE 6 causal 93194 113 100 61 100 15 100 leader_election -DN=6
2.4 TP 3 causal 111 92 12 97 13 27 76 token_passing -DN=3
2.4 TP 4 causal 165 120 25 124 25 39 77 token_passing -DN=4
2.4 TP 5 causal 252 148 40 151 40 53 79 token_passing -DN=5
2.4 TP 6 causal 405 176 57 178 56 69 83 token_passing -DN=6
2.4 TP 7 causal 690 204 71 205 70 87 88 token_passing -DN=7
2.4 TP 8 causal 1239 232 82 232 81 107 92 token_passing -DN=8
2.4 TP 9 causal 2316 260 89 259 89 129 95 token_passing -DN=9
2.4 TP 10 causal 4449 288 94 286 94 153 97 token_passing -DN=10
2.4 TP 11 causal 8694 316 96 313 96 179 98 token_passing -DN=11
2.4 TP 12 causal 17163 344 98 340 98 207 99 token_passing -DN=12
2.4 TP 13 causal 34080 372 99 367 99 237 99 token_passing -DN=13
2.5 FL 3 causal 68 48 30 13 81 21 69 flooding -DN=3
2.5 FL 4 causal 208 135 35 36 83 34 84 flooding -DN=4
2.5 FL 5 causal 496 310 38 84 83 50 90 flooding -DN=5
2.5 FL 6 causal 1080 661 39 157 85 69 94 flooding -DN=6
2.5 FL 7 causal 2256 1364 40 255 89 91 96 flooding -DN=7
2.5 FL 8 causal 4616 2771 40 378 92 116 98 flooding -DN=8
2.5 FL 9 causal 9344 5586 40 526 94 144 98 flooding -DN=9
2.5 FL 10 causal 18808 11217 40 699 96 175 99 flooding -DN=10
2.6 ME 2 causal 62 27 56 15 76 3 96 mutual_exclusion -DN=2
2.6 ME 3 causal 2198 528 76 450 80 19 99 mutual_exclusion -DN=3
2.7 SW 1 causal 89 81 14 71 20 12 87 sliding_window -DW=1
2.7 SW 2 causal 2939 1177 60 1243 58 219 94 sliding_window -DW=2
2.7 SW 3 causal 41335 15116 63 16141 61 2296 96 sliding_window -DW=3
2.8 RW 3 causal 394 250 20 298 24 43 90 readers_writers -DN=3
2.8 RW 4 causal 4926 2909 40 2910 41 277 95 readers_writers -DN=4
2.8 RW 5 causal 67962 39001 52 31272 54 1375 98 readers_writers -DN=5
ROWS
echo "What is marked with ! is explained in doc/models.md, 'The tables of the dissertation'."
