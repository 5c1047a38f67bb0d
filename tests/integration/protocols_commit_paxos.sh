#!/usr/bin/env bash
# Two-phase commit, Paxos, Multi-Paxos and the transaction manager: each bug is found by the default strategy, and its ticket
# replays; the correct version is silent, whoever looks; all run live.
# builds: release
# takes: 9
# timeout: 600
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
# shellcheck source=tests/integration/protocols.bash
. "$EO_SRC/tests/integration/protocols.bash"

for entry in twopc:4 paxos:3 multipaxos:3 tms:4; do
  found "${entry%:*}" "${entry#*:}"
  silent "${entry%:*}"
done

runs_live protocols_live_commit.c "40 runs"
all_well
