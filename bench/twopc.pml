/* twopc.pml: the two-phase commit of bench/states.c, step by step: a send, a receive with what follows it up to the next
 * operation, a choice are one step each. For `spin -a`, without reduction: what is compared is states a second. */
#ifndef COORDINATORS
#define COORDINATORS 1
#endif
#ifndef PARTICIPANTS
#define PARTICIPANTS 5
#endif
#ifndef TRANSACTIONS
#define TRANSACTIONS 1
#endif
#define ROOM 16 /* unbounded there; never full here */

mtype = { PREPARE, VOTE, DECIDE, DONE };

typedef queue { chan of_ = [ROOM] of { mtype, byte, byte } };
queue coordinators[COORDINATORS];
queue participants[PARTICIPANTS];

proctype coordinator(byte self) {
  byte transaction, answers, yes, i, vote;
  mtype what;
  do
  :: transaction < TRANSACTIONS ->
     d_step { answers = 0; yes = 0; i = 0 }
     do
     :: i < PARTICIPANTS -> atomic { participants[i].of_ ! PREPARE, self, 0; i++ }
     :: else -> break
     od;
     do
     :: answers < PARTICIPANTS -> d_step { coordinators[self].of_ ? VOTE, _, vote; yes = yes + vote; answers++ }
     :: else -> break
     od;
     d_step { vote = (yes == PARTICIPANTS -> 1 : 0); answers = 0; yes = 0; i = 0 }
     do
     :: i < PARTICIPANTS -> atomic { participants[i].of_ ! DECIDE, self, vote; i++ }
     :: else -> break
     od;
     do
     :: answers < PARTICIPANTS -> d_step { coordinators[self].of_ ? DONE, _, _; answers++ }
     :: else -> break
     od;
     transaction++
  :: else -> break
  od
}
