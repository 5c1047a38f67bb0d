#!/usr/bin/env bash
# The classic small subjects: each bug is found by the default strategy, and its ticket replays; the correct versions are silent,
# whoever looks. Only raft_3 takes more than can be run here, four elections that overlap: an explorer that knows the order shows it.
# builds: release
# takes: 3
# timeout: 400
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
# shellcheck source=tests/integration/protocols.bash
. "$EO_SRC/tests/integration/protocols.bash"

protocols=$EO_BUILD/examples/classics
for entry in bank:2 commit:2 detector:2 espresso:2 lock_server:2 raft:2; do
  found "${entry%:*}" "${entry#*:}"
  silent "${entry%:*}"
done

cc -shared -fPIC -Wall -Wextra -I "$EO_SRC/include/everyorder" "$EO_SRC/tests/integration/plugin_figure_8.c" -o figure_8.so || problem 'cc'
figure_8='--strategy ses --explorer ./figure_8.so --delays 0 --faults 0 --executions 1 --no-minimise'
# shellcheck disable=SC2086 # words
run 1 "$protocols" --test raft_3 $figure_8 --tickets figure_8
says out 'commands 0 and 1 are both committed as number 0'
run 1 "$protocols" replay figure_8/raft_3-assertion-1.ticket
# shellcheck disable=SC2086 # words
run 3 "$protocols" --test raft_correct $figure_8
all_well
