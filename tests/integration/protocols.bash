# protocols.bash: what the tests of examples/protocols share. After tools.bash.
# shellcheck shell=bash

protocols=$EO_BUILD/examples/protocols

# One line for each bug: TEST, MOST (states for ses, executions for ss), strategy and its options. It is found within that,
# its ticket replays, and no explorer shows it without a delay.
found_within() { # TEST MOST OPTION...
  local name=$1 most=$2 found tickets explorer
  shift 2
  run 1 "$protocols" --test "$name" --strategy "$@" --quiet --no-minimise --tickets "t-$name" --json result.json
  found=$(member result.json states)
  [ "$found" != 0 ] || found=$(member result.json executions)
  [ "$found" -le "$most" ] || problem "$name: $* needs $found instead of at most $most"
  tickets=("t-$name"/*.ticket)
  [ -f "${tickets[0]}" ] || problem "$name: no ticket"
  run 1 "$protocols" replay "${tickets[0]}"
  for explorer in rr rtc prr; do
    run 3 "$protocols" --test "$name" --strategy ses --explorer "$explorer" --delays 0 --quiet --tickets none
  done
}

# Those that draw without an explorer do not come to it.
not_drawn() { # TEST...
  local name strategy
  for name in "$@"; do
    for strategy in random pct; do
      run 3 "$protocols" --test "$name" --strategy $strategy --executions 1000 --quiet --tickets none
    done
  done
}

runs_live() { # SOURCE OUTPUT
  local libraries
  libraries=$(pkg-config --libs libxxhash jansson hiredis)
  # shellcheck disable=SC2086 # several words
  run 0 cc -std=gnu17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" "-I$EO_SRC/examples/protocols" \
    "$EO_SRC/tests/integration/$1" "$EO_SRC"/examples/protocols/*.c -o protocols_live \
    "$EO_BUILD/libeveryorder.a" $libraries -ldw -lelf -pthread -ldl
  run 0 ./protocols_live
  same "$(cat out)" "$2" live
}
