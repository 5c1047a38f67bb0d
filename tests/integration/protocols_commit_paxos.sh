#!/usr/bin/env bash
# Two-phase commit, Paxos, Multi-Paxos and the transaction manager: each bug is found by a delaying explorer within a small
# budget, not in the run without delays, and its ticket replays; the correct version is silent at the same budget; all
# run live.
# builds: release
# timeout: 600
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

protocols=$EO_BUILD/examples/protocols
report() { # MEMBER: of the only test of result.json
  python3 -c "import json, sys; print(json.load(open('result.json'))['tests'][0][sys.argv[1]])" "$1"
}

# TEST, MOST (states for ses, executions for ss), STRATEGY and its options
while read -r name most options; do
  read -ra words <<<"--strategy $options"
  run 1 "$protocols" --test "$name" "${words[@]}" --quiet --no-minimise --tickets "t-$name" --json result.json
  found=$(report states)
  [ "$found" != 0 ] || found=$(report executions)
  [ "$found" -le "$most" ] || problem "$name: $options needs $found instead of at most $most"
  tickets=("t-$name"/*.ticket)
  [ -f "${tickets[0]}" ] || problem "$name: no ticket"
  run 1 "$protocols" replay "${tickets[0]}"

  for explorer in rr rtc prr; do
    run 3 "$protocols" --test "$name" --strategy ses --explorer "$explorer" --delays 0 --quiet --tickets none
  done
done <<'BUGS'
twopc_1 5000 ses --explorer rr
twopc_2 60000 ses --explorer rtc
twopc_3 6000 ses --explorer rr
twopc_4 60000 ses --explorer rtc
paxos_1 60000 ses --explorer rtc
paxos_2 45000 ses --explorer rtc
paxos_3 45000 ses --explorer rtc
multipaxos_1 150000 ses --explorer rr
multipaxos_2 65000 ses --explorer rr
multipaxos_3 30000 ses --explorer rr
tms_1 110000 ses --explorer rr
tms_2 300000 ses --explorer rtc
tms_3 9000 ses --explorer rr
tms_4 300000 ses --explorer rtc
BUGS

for protocol in twopc paxos multipaxos tms; do
  for explorer in rr rtc prr; do
    run 3 "$protocols" --test ${protocol}_correct --strategy ses --explorer $explorer --delays 1 --quiet --tickets none
    run 3 "$protocols" --test ${protocol}_correct --strategy ss --explorer $explorer --executions 1000 --quiet --tickets none
  done
  for strategy in random pct; do
    run 3 "$protocols" --test ${protocol}_correct --strategy $strategy --executions 1000 --quiet --tickets none
  done
done

# A message that is late after a long calm is what random draws do not come to: they have failures at once, and no more.
for name in twopc_2 paxos_1 multipaxos_3 tms_4; do
  run 3 "$protocols" --test $name --strategy random --executions 1000 --quiet --tickets none
  run 3 "$protocols" --test $name --strategy pct --executions 1000 --quiet --tickets none
done

libraries=$(pkg-config --libs libxxhash jansson hiredis)
# shellcheck disable=SC2086 # several words
run 0 cc -std=gnu17 -g -Wall -Wextra -Werror "-I$EO_SRC/include/everyorder" "-I$EO_SRC/examples/protocols" \
  "$EO_SRC/tests/integration/protocols_live_commit.c" "$EO_SRC"/examples/protocols/*.c -o protocols_live \
  "$EO_BUILD/libeveryorder.a" $libraries -ldw -lelf -pthread -ldl
run 0 ./protocols_live
same "$(cat out)" "40 runs" "live"
all_well
