#!/usr/bin/env bash
# usage: traces.sh [EXECUTIONS]
# Every example: dpor and reach run exactly one execution of each trace that dfs finds, where dfs has at most so many
# (500; of machines and of traces_roles.c, twice that), else of each that --dpor source finds.
# takes: 10
# builds: release
# hunt: 20000
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
libraries=$(pkg-config --libs libxxhash jansson hiredis)

failures=0
for example in senders program_m bank demo findings ping_pong philosophers listing_4_2 reg_server actors door lock roles; do
  sources=("$EO_SRC/examples/$example.c")
  if [ "$example" = roles ]; then sources=("$EO_SRC/tests/integration/traces_roles.c"); fi
  if [ -d "$EO_SRC/examples/$example" ]; then sources=("$EO_SRC/examples/$example"/*.c); fi
  # shellcheck disable=SC2086 # several words
  gcc -std=gnu17 -O1 -g -D_GNU_SOURCE "-I$EO_SRC/src" "-I$EO_SRC/tests/integration" "-I$EO_SRC/include/everyorder" \
    "$EO_SRC/tests/integration/traces.c" "${sources[@]}" -o "$example" "$EO_BUILD/libeveryorder_inside.a" $libraries \
    -ldw -lelf -pthread -ldl -Wl,-z,now
  printf '%s: ' "$example"
  limit=${1:-500}
  case $example in door | lock | roles) limit=$((2 * limit + 100)) ;; esac
  setarch -R "./$example" "$limit" 2>/dev/null | tee "$example.out" || failures=$((failures + 1))
done
equal=$(awk '/ equal, /{sum += $1} END{print sum}' ./*.out)
reached=$(awk '/ by reach too, /{sum += $3} END{print sum}' ./*.out)
echo "$equal equal in all, $reached by reach too"
[ "$failures" -eq 0 ] && [ "$equal" -ge 600 ] && [ "$reached" -ge 450 ]
