/* protocols_live_commit.c: two-phase commit, Paxos, Multi-Paxos and the transaction manager on threads. Specifications hold
 * there, too: what they refuse aborts the program. Built and run by protocols_commit_paxos.sh. */
#include <stdio.h>

#include <everyorder.h>

void twopc_run(int bug);
void paxos_run(int bug);
void multipaxos_run(int bug);
void tms_run(int bug);

static void run(void *which) {
  static void (*const all[])(int) = {twopc_run, paxos_run, multipaxos_run, tms_run};
  all[*(const int *)which](0);
}

int main(void) {
  for (int i = 0; i < 40; i++) {
    int which = i % 4, reason = eo_live_run(run, &which);
    if (reason != 0) {
      printf("run %d ended with %d\n", i, reason);
      return 1;
    }
  }
  puts("40 runs");
  return 0;
}
