#!/usr/bin/env bash
# usage: bench/verdict.sh [ROUNDS]
# Processor time to the verdict on the larger sizes of examples/models: pan with its reduction (spin -a, gcc -O2, -DSAFETY;
# without and with the time to build it) beside `everyorder model --strategy bsra` under fifo delivery, which is how
# Promela's channels deliver here; the median of ROUNDS (default 3), in turn. The goal is less than pan's. Needs spin.
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

printf '%-36s %10s %10s %10s %10s %10s\n' model 'pan states' 'bsra' 'pan, s' 'built, s' 'bsra, s'
while read -r name options; do
  read -ra defines <<<"$options"
  build=$(seconds build_pan "$name" "${defines[@]}")
  : >"$scratch/pan.times"
  : >"$scratch/bsra.times"
  for _ in $(seq "$rounds"); do
    seconds "$scratch/pan" -m10000000 -w20 >>"$scratch/pan.times"
    stored=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$scratch/out")
    seconds build/everyorder model "examples/models/$name.pml" "${defines[@]}" --strategy bsra --delivery fifo --quiet \
      --tickets none >>"$scratch/bsra.times"
    states=$(sed -nE 's/^0 executions, ([0-9,]+) states.*/\1/p' "$scratch/out" | tr -d ,)
  done
  awk -v name="$name $options" -v pan="$(median <"$scratch/pan.times")" -v bsra="$(median <"$scratch/bsra.times")" \
    -v build="$build" -v stored="$stored" -v states="$states" 'BEGIN {
      printf "%-36s %10d %10d %10.3f %10.3f %10.3f%s\n", name, stored, states, pan, pan + build, bsra,
        bsra < pan ? "" : bsra < pan + build ? "   ! not less than pan once built" : "   ! not less" }'
done <<'MODELS'
leader_election -DN=8
token_passing -DN=13
mutual_exclusion -DN=3
flooding -DN=10
sliding_window -DW=8 -DMESSAGES=100
readers_writers -DN=5
MODELS
