#!/usr/bin/env bash
# Chain replication and the switch-and-LED driver: each bug is found by the default strategy, and its ticket replays; the correct
# version is silent, whoever looks; both run live.
# builds: release
# takes: 5
# timeout: 400
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"
# shellcheck source=tests/integration/protocols.bash
. "$EO_SRC/tests/integration/protocols.bash"

found chainrep 10
found osr 2
silent chainrep
silent osr
# A crash that cannot be had with the budget is not had: the bug that needs two is out of reach of one.
run 3 "$protocols" --test chainrep_10 --faults 1 --strategy pos --executions 3000 --quiet --tickets none

runs_live protocols_live.c "20 runs of each"
all_well
