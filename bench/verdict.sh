#!/usr/bin/env bash
# usage: bench/verdict.sh [ROUNDS]
# Processor time to the verdict on the larger sizes of examples/models, and beyond: pan with its reduction (spin -a, gcc
# -O2, -DSAFETY, a small hash table and stack, which suit it), without and with the time to build it from the model, beside
# `everyorder model --strategy bsra` under fifo delivery, which is how Promela's channels deliver here, also with --sleep;
# the median of ROUNDS (default 3), in turn. Assertions over variables that processes share are checked in all states only
# with --visible: the last column, where there are any. The goal is less than pan's, from the model to the verdict; where
# pan, once it is built, takes no more time than bsra, the row says so. Needs spin.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=bench/beside_pan.bash
. bench/beside_pan.bash
build_pan() { # MODEL DEFINE...
  local model=$1
  shift
  cd "$scratch"
  spin "$@" -a "$root/examples/models/$model.pml"
  gcc -O2 -w -DSAFETY -DVECTORSZ=4096 -o pan pan.c
}

bsra() { # OPTION...: seconds
  seconds build/everyorder model "examples/models/$name.pml" "$@" --strategy bsra --delivery fifo --quiet --tickets none
}
states() { sed -nE 's/^0 executions, ([0-9,]+) states.*/\1/p' "$scratch/out" | tr -d ,; }
is_less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

printf '%-36s %9s %6s %6s %8s %8s %8s %8s %8s %9s\n' model pan bsra sleep visible 'pan, s' 'built, s' 'bsra, s' 'sleep, s' \
  'visible, s'
while read -r name visible options; do
  read -ra defines <<<"$options"
  build=$(seconds build_pan "$name" "${defines[@]}")
  rm -f "$scratch"/*.times
  seen=- visible_states=- note=''
  for _ in $(seq "$rounds"); do
    seconds "$scratch/pan" -m100000 -w20 >>"$scratch/pan.times"
    stored=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$scratch/out")
    ! grep -q 'too small' "$scratch/out" || note='   ! pan needs a larger -m'
    bsra "${defines[@]}" >>"$scratch/bsra.times"
    bsra_states=$(states)
    bsra "${defines[@]}" --sleep >>"$scratch/sleep.times"
    sleep_states=$(states)
    [ "$visible" != - ] || continue
    bsra "${defines[@]}" --visible "$visible" >>"$scratch/visible.times"
    visible_states=$(states)
  done
  pan=$(median <"$scratch/pan.times") own=$(median <"$scratch/bsra.times") sleeping=$(median <"$scratch/sleep.times")
  built=$(awk -v a="$pan" -v b="$build" 'BEGIN { print a + b }')
  [ "$visible" = - ] || seen=$(median <"$scratch/visible.times")
  if ! is_less "$own" "$built"; then
    note+='   ! not less'
  elif ! is_less "$own" "$pan" && ! is_less "$sleeping" "$pan"; then
    note+='   pan, once built, is as fast'
  fi
  printf '%-36s %9.0f %6s %6s %8s %8.3f %8.3f %8.3f %8.3f %9s%s\n' "$name $options" "$stored" "$bsra_states" "$sleep_states" \
    "$visible_states" "$pan" "$built" "$own" "$sleeping" "$seen" "$note"
done <<'MODELS'
leader_election leaders -DN=8
token_passing inside -DN=13
token_passing inside -DN=40
mutual_exclusion inside -DN=3
flooding - -DN=10
flooding - -DN=14
sliding_window - -DW=8 -DMESSAGES=100
readers_writers reading,writing -DN=5
MODELS
