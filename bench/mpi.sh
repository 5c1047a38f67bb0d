#!/usr/bin/env bash
# usage: bench/mpi.sh
# MPI programs beside the same messages sent by eo_send, in the same run: processor time of one long execution under auto, less that
# of a program that does nothing; then executions a second of a master and its workers under dpor. Each the best of five
# rounds. From bench/run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
TIMEFORMAT='%U %S'

build/everyorder mpicc -O2 bench/mpi/programs/ranks.c -o "$scratch/ranks"
actors() { # SIZE ROUNDS
  cc -O2 -g -DSIZE="$1" -DROUNDS="$2" -Iinclude/everyorder bench/mpi/programs/actors.c -Lbuild -leveryorder -Wl,-rpath,"$PWD/build" \
    -o "$scratch/actors_$1_$2"
}
seconds() { # COMMAND...: of processor time
  { time "$@" --quiet --tickets none --json "$scratch/report" >/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
}
best_of() { # NAME
  sort -g "$scratch/$1" | head -1
}
executions() { sed -nE 's/^ {6}"executions": ([0-9]+),?$/\1/p' "$scratch/report"; }

actors 2 1
for line in 'ping_pong 2 1000' 'ring 4 500' 'ring 8 250'; do
  read -r pattern size rounds <<<"$line"
  actors "$size" "$rounds"
  rm -f "$scratch"/{ranks,actors}.{long,none}
  for _ in 1 2 3 4 5; do
    seconds build/everyorder mpi -n "$size" "$scratch/ranks" "$pattern" "$rounds" >>"$scratch/ranks.long"
    seconds build/everyorder mpi -n "$size" "$scratch/ranks" nothing >>"$scratch/ranks.none"
    seconds "$scratch/actors_${size}_$rounds" --test "$pattern" >>"$scratch/actors.long"
    seconds "$scratch/actors_2_1" --test ping_pong >>"$scratch/actors.none"
  done
  awk -v what="$pattern, $size ranks, $rounds rounds" -v a="$(best_of ranks.long)" -v b="$(best_of ranks.none)" \
    -v c="$(best_of actors.long)" -v d="$(best_of actors.none)" 'BEGIN {
      printf "%-32s %6.3f s (start %5.3f), by eo_send %6.3f s (start %5.3f): %4.2f times\n", what, a, b, c, d, (a - b) / (c - d) }'
done
for size in 5 6 7 8; do
  actors "$size" 1
  rm -f "$scratch"/{ranks,actors}.long
  for _ in 1 2 3; do
    seconds build/everyorder mpi -n "$size" "$scratch/ranks" master 1 --strategy dpor >>"$scratch/ranks.long"
    count=$(executions)
    seconds "$scratch/actors_${size}_1" --test master --strategy dpor >>"$scratch/actors.long"
    other=$(executions)
  done
  awk -v size="$size" -v n="$count" -v m="$other" -v a="$(best_of ranks.long)" -v c="$(best_of actors.long)" 'BEGIN {
    printf "master and %d workers: %6d executions in %6.3f s, %7.0f/s; by eo_send %6d in %6.3f s, %7.0f/s: %4.2f times an execution\n",
      size - 1, n, a, n / a, m, c, m / c, (a / n) / (c / m) }'
done
