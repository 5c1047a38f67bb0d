#!/usr/bin/env bash
# usage: bench/control.sh [ROUNDS]
# What it costs to control and audit processes: each program of bench/beside.sh in this build, and in one that leaves processes to themselves
# (`scripts/build uncontrolled`): no filter for system calls, nothing that processes have changed outside goes back, nothing is looked for
# in messages, the processor's modes are not compared, no execution is audited or run again. What is watched without being asked for
# (globals) stays. Nothing here passes or fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build release
scripts/build uncontrolled
exec bench/beside.sh build/uncontrolled "$@"
