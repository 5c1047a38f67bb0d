/* protocols_live_commit.c: two-phase commit, Paxos, Multi-Paxos and the transaction manager on threads, with late messages
 * and without. Specifications hold there, too: what they refuse aborts the program. Built and run by
 * protocols_commit_paxos.sh. */
#include <stdio.h>

#include <everyorder.h>

void twopc_run(int bug, bool faults);
void paxos_run(int bug, bool faults);
void multipaxos_run(int bug, bool faults);
void tms_run(int bug, bool faults);

static void twopc(void *faults) { twopc_run(0, *(bool *)faults); }

static void paxos(void *faults) { paxos_run(0, *(bool *)faults); }

static void multipaxos(void *faults) { multipaxos_run(0, *(bool *)faults); }

static void tms(void *faults) { tms_run(0, *(bool *)faults); }

int main(void) {
  static const eo_function all[] = {twopc, paxos, multipaxos, tms};
  for (int i = 0; i < 40; i++) {
    bool faults = i / 4 % 2;
    int reason = eo_live_run(all[i % 4], &faults);
    if (reason != 0) {
      printf("run %d ended with %d\n", i, reason);
      return 1;
    }
  }
  puts("40 runs");
  return 0;
}
