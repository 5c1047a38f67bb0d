#!/usr/bin/env bash
# One verdict, however a run ends: interrupted, out of time, its worker or itself killed, a finding in one test and an error in
# another, a report that cannot be written, no start at all. See verdict_ends.py.
# timeout: 120
# builds: release
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset EO_NO_REEXEC
# shellcheck disable=SC2046 # several words
gcc -std=gnu17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" "$EO_SRC/tests/integration/verdict_ends.c" \
  -o "$scratch/program" "$EO_BUILD/libeveryorder.a" $(pkg-config --libs libxxhash jansson hiredis) -ldw -lelf -pthread -ldl \
  -Wl,-z,now
python3 "$EO_SRC/tests/integration/verdict_ends.py" "$EO_BUILD/everyorder" "$scratch"
