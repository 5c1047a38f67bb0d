#!/usr/bin/env bash
# The HTML report in a real browser: tests/browser/report.mjs, in the Chromium of this machine.
# serial: it measures time
# builds: release
# takes: 15
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# shellcheck source=tests/browser/browser.bash
. "$EO_SRC/tests/browser/browser.bash"

cd "$scratch"
# shellcheck disable=SC2046 # several words
gcc -std=gnu17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" \
  "-ffile-prefix-map=$EO_SRC/=" "$EO_SRC/tests/integration/report_program.c" -o program "$EO_BUILD/libeveryorder.a" \
  $(pkg-config --libs libxxhash jansson hiredis) -ldw -lelf -pthread -ldl -Wl,-z,now

expect() { # STATUS COMMAND...
  local expected=$1 status=0
  shift
  "$@" >"$scratch/log" 2>&1 || status=$?
  [ "$status" -eq "$expected" ] || { cat "$scratch/log" && give_up "exit $status instead of $expected: $*"; }
}
cd "$EO_SRC" # where the paths of the sources are seen from
expect 1 "$EO_BUILD/examples/findings" --strategy dfs --keep-going --leaks --depth-fails --executions 1000 --quiet --tickets none --report "$scratch/findings.html"
expect 1 "$scratch/program" --strategy dfs --depth-fails --quiet --tickets none --report "$scratch/program.html"
expect 1 "$EO_BUILD/examples/bank" --test lost_update --strategy ses --quiet --tickets none --report "$scratch/delays.html"
expect 0 "$EO_BUILD/everyorder" test "$EO_BUILD/examples/listing_4_2" --report "$scratch/passing.html"
expect 0 "$EO_BUILD/everyorder" mpicc tests/data/mpi/exchange_head_on.c -o "$scratch/exchange"
expect 1 "$EO_BUILD/everyorder" mpi -n 2 "$scratch/exchange" --quiet --tickets none --report "$scratch/mpi.html"

cp "$EO_SRC/tests/browser/report.mjs" "$folder"
node "$folder/report.mjs" "$scratch/findings.html" "$scratch/program.html" "$scratch/passing.html" "$scratch/delays.html" "$scratch/mpi.html"
