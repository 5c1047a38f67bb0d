#!/usr/bin/env bash
# usage: bench/models.sh [ROUNDS]
# States per second of processor time of `everyorder model --strategy full` beside pan, built by gcc -O2 from
# spin -o1 -o2 -o3 -a with -DNOREDUCE -DSAFETY, on the larger sizes of examples/models; the median of ROUNDS (default 3),
# in turn. The goal is half of pan's rate. Needs spin.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=bench/beside_pan.bash
. bench/beside_pan.bash

printf '%-34s %10s %12s %12s %6s\n' model states 'pan, 1/s' 'full, 1/s' ratio
while read -r name options; do
  read -ra defines <<<"$options"
  cd "$scratch"
  spin -o1 -o2 -o3 "${defines[@]}" -a "$root/examples/models/$name.pml" >/dev/null
  gcc -O2 -w -DNOREDUCE -DSAFETY -DVECTORSZ=4096 -o pan pan.c
  cd "$root"
  : >"$scratch/pan.times"
  : >"$scratch/full.times"
  for _ in $(seq "$rounds"); do
    seconds "$scratch/pan" -m1000000 >>"$scratch/pan.times"
    stored=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' "$scratch/out")
    seconds build/everyorder model "examples/models/$name.pml" "${defines[@]}" --quiet --tickets none >>"$scratch/full.times"
    states=$(sed -nE 's/^0 executions, ([0-9,]+) states.*/\1/p' "$scratch/out" | tr -d ,)
  done
  awk -v name="$name $options" -v pan="$(median <"$scratch/pan.times")" -v full="$(median <"$scratch/full.times")" \
    -v stored="$stored" -v states="$states" 'BEGIN {
      printf "%-34s %10d %12.0f %12.0f %6.2f%s\n", name, states, states / pan, states / full, pan / full,
        stored + 0 == states + 0 ? "" : ", BUT PAN STORES " stored }'
done <<'MODELS'
leader_election -DN=7
token_passing -DN=10
mutual_exclusion -DN=3
flooding -DN=5
sliding_window -DW=8 -DMESSAGES=100
readers_writers -DN=5
MODELS
