# protocols.bash: what the tests of examples/protocols and examples/classics share. After tools.bash.
# shellcheck shell=bash

protocols=$EO_BUILD/examples/protocols

# Each of the bugs of a protocol is found by auto, and its ticket replays.
found() { # PROTOCOL BUGS
  local i tickets
  for ((i = 1; i <= $2; i++)); do
    run 1 "$protocols" --test "$1_$i" --faults 2 --seed 1 --executions 20000 --quiet --no-minimise --tickets "t-$1-$i"
    tickets=("t-$1-$i"/*.ticket)
    [ -f "${tickets[0]}" ] || problem "$1_$i: no ticket"
    run 1 "$protocols" replay "${tickets[0]}"
  done
}

# The correct version has no finding, whoever looks.
silent() { # PROTOCOL
  local explorer strategy
  for explorer in rr rtc prr; do
    run 3 "$protocols" --test "$1_correct" --faults 2 --strategy ses --explorer $explorer --delays 1 --quiet --tickets none
    run 3 "$protocols" --test "$1_correct" --faults 2 --strategy ss --explorer $explorer --executions 1000 --quiet --tickets none
  done
  for strategy in random pct pos; do
    run 3 "$protocols" --test "$1_correct" --faults 2 --strategy $strategy --executions 3000 --quiet --tickets none
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
