#!/usr/bin/env bash
# eo_fault from the command line: budgets, the same count however the work is shared, samplers that place faults, tickets, and a
# minimiser that drops what is not needed. Exact counts against brute force are in test_faults.c.
# takes: 2
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >lossy.c <<'PROGRAM'
#include <everyorder.h>
enum { KEPT, LOST };
static void sender(void *to) {
  for (int i = 0; i < 3; i++) {
    bool dropped = eo_fault("drop");
    bool slow = eo_fault("slow"); /* which does no harm */
    (void)slow;
    eo_send(*(const eo_pid *)to, dropped ? LOST : KEPT, NULL, 0);
  }
}
EO_TEST(loses_two) {
  int lost = 0;
  eo_pid self = eo_self();
  for (int i = 0; i < 2; i++) eo_spawn(sender, &self, sizeof self);
  for (int i = 0; i < 6; i++) {
    eo_message m;
    eo_receive(&m, EO_FOREVER);
    lost += m.tag == LOST;
  }
  eo_assert(lost < 2, "too many are lost");
}
PROGRAM
compile lossy.c lossy

run 0 ./lossy --quiet
says out 'with at most 1 fault'
run 0 ./lossy --quiet --faults slow=3,drop=1 --json one.json
says out 'with at most 3 faults of slow and 1 fault of drop'
run 0 ./lossy --quiet --faults slow=3,drop=1 --strategy dpor --json dpor.json
run 0 ./lossy --quiet --faults slow=3,drop=1 --strategy dpor --jobs 3 --json jobs.json
same "$(member dpor.json executions)" "$(member jobs.json executions)" 'executions of three workers'
run 3 ./lossy --quiet --faults 1 --strategy dpor --dpor source
says out 'may be missing'
run 2 ./lossy --faults drop
says err 'disk=1,net=2'

# All of them find it; what is told has the two faults it needs, and no other.
for strategy in auto dpor 'random --executions 2000' 'pos --executions 2000' 'pct --executions 2000' 'pctcp --executions 2000' \
  'surw --executions 2000' 'ses' 'ss --time 20s'; do
  rm -rf tickets
  # shellcheck disable=SC2086
  run 1 ./lossy --faults 4 --tickets tickets --strategy $strategy
  same "$(grep -c 'fault "drop" happens' out)" 2 "$strategy: faults that are needed"
  same "$(grep -c 'fault "slow" happens' out)" 0 "$strategy: faults that are not"
  run 1 "$EO_BUILD/everyorder" replay tickets/*.ticket
  says out 'reproduced: assertion: too many are lost (lost < 2 is false)'
done
all_well
