#!/usr/bin/env bash
# Our own MPI programs, right and wrong, each judged as its header says, class and all.
# takes: 20
set -uo pipefail

# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

mkdir programs
cp "$EO_SRC"/tests/data/mpi/*.c programs
rm programs/{one_message,wait_for_each_other,exchange_head_on}.c # of mpi_suite.sh, whose verdicts name other classes
PATH=$EO_BUILD:$PATH run 0 "$EO_SRC/tests/mpi-suite" programs -j 2 -v --strict
all_well
