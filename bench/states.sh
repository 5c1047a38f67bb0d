#!/usr/bin/env bash
# usage: bench/states.sh [COORDINATORS PARTICIPANTS TRANSACTIONS]
# Distinct states a second on one core, fingerprints on: a cached depth-first search over two-phase commit (bench/states.c)
# beside SPIN's verifier on the same protocol, step by step (bench/twopc.pml), without its reduction, by turns; then `ses`
# on the protocols of examples/protocols, under rr and under rtc, which is its default, some seconds each. Rates are by CPU
# time, the best of three rounds. The two do not count quite the same states: in the middle of a handler, ours knows the event
# that it handles.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

size=("${@:-1}")
if [ $# -eq 0 ]; then size=(1 5 1); fi
rounds=3 seconds=${EO_STATES_SECONDS:-4}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cpu() { # COMMAND...: its user and system time, in seconds; what it prints goes to $scratch/out
  local TIMEFORMAT='%U %S'
  { time "$@" >"$scratch/out" 2>/dev/null || true; } 2>&1 | awk '{ print $1 + $2 }'
}

rate() { # STATES SECONDS
  awk -v states="$1" -v seconds="$2" 'BEGIN { printf "%.0f", states / (seconds > 0 ? seconds : 0.001) }'
}

spin_there=false
if command -v spin >/dev/null; then
  spin_there=true
  cp bench/twopc.pml "$scratch"
  (cd "$scratch" && spin "-DCOORDINATORS=${size[0]}" "-DPARTICIPANTS=${size[1]}" "-DTRANSACTIONS=${size[2]}" -a twopc.pml \
    >/dev/null && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c)
fi

ours=0 theirs=0
for ((round = 0; round < rounds; round++)); do
  build/bench/states "${size[@]}" >"$scratch/ours"
  now=$(sed -nE 's/.* ([0-9]+) states\/s.*/\1/p' "$scratch/ours")
  ((now > ours)) && ours=$now
  if $spin_there; then
    taken=$(cpu "$scratch/pan" -m100000 -w22)
    stored=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$scratch/out")
    now=$(rate "$stored" "$taken")
    ((now > theirs)) && theirs=$now
  fi
done
cat "$scratch/ours"
printf 'Everyorder     %9d states/s\n' "$ours"
if $spin_there; then
  printf 'SPIN           %9d states/s   (%s states)\n' "$theirs" "$stored"
  awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "ratio          %9.2f\n", a / b }'
else
  echo 'SPIN           not installed'
fi

if [ ! -x build/examples/protocols ]; then exit 0; fi
build/examples/protocols list | awk '/^[a-z_]*_correct/ { print $1 }' >"$scratch/tests"
ses() { # TEST EXPLORER: prints states and states a second
  local taken states
  taken=$(cpu timeout -s KILL $((10 * seconds + 60)) build/examples/protocols --test "$1" --strategy ses --explorer "$2" \
    --time "$seconds" --tickets none --json "$scratch/report.json")
  states=$(sed -nE 's/^ *"states": ([0-9]+),?$/\1/p' "$scratch/report.json" | head -1)
  echo "$states $(rate "$states" "$taken")"
}

while read -r name; do
  for explorer in rr rtc; do
    best=0 most=0
    for ((round = 0; round < rounds; round++)); do
      read -r states now < <(ses "$name" "$explorer")
      if ((now > best)); then best=$now most=$states; fi
    done
    printf 'ses, %-3s, %-20s %9d states, %9d states/s\n' "$explorer" "$name" "$most" "$best"
  done
done <"$scratch/tests"
