#!/usr/bin/env bash
# The classic small subjects: each bug is found by the default strategy, and its ticket replays; the correct versions are silent,
# whoever looks. Only raft_3 takes more than can be run here: four elections that overlap.
# builds: release
# takes: 15
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
all_well
