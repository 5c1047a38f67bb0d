#!/usr/bin/env bash
# Two-phase commit, Paxos, Multi-Paxos and the transaction manager: each bug is found by a delaying explorer within a small
# budget, not in the run without delays, and its ticket replays; the correct version is silent at the same budget; all
# run live.
# builds: release
# takes: 19
# timeout: 600
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
# shellcheck source=tests/integration/protocols.bash
. "$EO_SRC/tests/integration/protocols.bash"

while read -r name most options; do
  read -ra words <<<"--strategy $options"
  found_within "$name" "$most" "${words[@]:1}"
done <<'BUGS'
twopc_1 5000 ses --explorer rr
twopc_2 3000 ses --explorer rtc
twopc_3 6000 ses --explorer rr
twopc_4 8000 ses --explorer rtc
paxos_1 8000 ses --explorer rtc
paxos_2 5000 ses --explorer prr
paxos_3 300 ss --explorer rtc
multipaxos_1 6000 ses --explorer rr
multipaxos_2 400 ss --explorer rr
multipaxos_3 4000 ses --explorer prr
tms_1 13000 ses --explorer rr
tms_2 15000 ses --explorer rtc
tms_3 9000 ses --explorer rr
tms_4 18000 ses --explorer rtc
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
not_drawn twopc_2 twopc_4 paxos_1 paxos_2 multipaxos_1 multipaxos_2 tms_1 tms_4

runs_live protocols_live_commit.c "40 runs"
all_well
