#!/usr/bin/env bash
# usage: verdicts.sh [PROGRAMS [FIRST]]
# One verdict: random programs that end in every way, explored by every strategy; each output says the same, a finding that is
# shown means fail, and nobody passes what dfs finds a failure in. See verdicts.py. With arguments, for longer hunts: how many
# programs (15: one that ends in each way), and the first seed.
# timeout: 600
# takes: 15
# builds: release
# hunt: 30 SEED
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset EO_NO_REEXEC
# shellcheck disable=SC2046 # several words
gcc -std=gnu17 -g -Wall -Wextra -Werror -Wno-array-bounds "-I$EO_SRC/include/everyorder" \
  "$EO_SRC/tests/integration/verdict_program.c" -o "$scratch/program" "$EO_BUILD/libeveryorder.a" \
  $(pkg-config --libs libxxhash jansson hiredis) -ldw -lelf -pthread -ldl -Wl,-z,now
python3 "$EO_SRC/tests/integration/verdicts.py" "$scratch/program" "${1:-15}" "${2:-0}"
