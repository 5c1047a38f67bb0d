/* twopc.pml: the two-phase commit of bench/states.c, step by step: a send, a receive with all that follows it up to the
 * next operation, a choice are one step each. For `spin -a`, without reduction: states a second are what is compared. */
#ifndef COORDINATORS
#define COORDINATORS 1
#endif
#ifndef PARTICIPANTS
#define PARTICIPANTS 5
#endif
#ifndef TRANSACTIONS
#define TRANSACTIONS 1
#endif
#define ROOM (2 * PARTICIPANTS * COORDINATORS) /* unbounded there, never full here */

mtype = { PREPARE, VOTE, DECIDE, DONE };

chan to_participant[PARTICIPANTS] = [ROOM] of { mtype, byte, byte };
chan to_coordinator[COORDINATORS] = [ROOM] of { mtype, byte, byte };

active [PARTICIPANTS] proctype participant() {
  byte from, yes, prepared, committed;
  mtype what;
end:
  atomic {
    to_participant[_pid] ? what, from, yes;
    if
    :: what == PREPARE -> what = 0; goto choosing
    :: else -> what = 0; committed = committed + yes; yes = 0; goto finishing
    fi
  };
choosing:
  if
  :: yes = 0
  :: atomic { yes = 1; prepared++ }
  fi;
  atomic { to_coordinator[from] ! VOTE, _pid, yes; yes = 0; from = 0; goto end };
finishing:
  atomic { to_coordinator[from] ! DONE, _pid, 0; from = 0; goto end }
}

active [COORDINATORS] proctype coordinator() {
  byte i, transaction, answers, yes, vote;
asking:
  atomic {
    to_participant[i] ! PREPARE, _pid - PARTICIPANTS, 0;
    i++;
    if
    :: i < PARTICIPANTS -> goto asking
    :: else -> i = 0
    fi
  };
voting:
  atomic {
    to_coordinator[_pid - PARTICIPANTS] ? VOTE, _, vote;
    yes = yes + vote;
    vote = 0;
    answers++;
    if
    :: answers < PARTICIPANTS -> goto voting
    :: else -> vote = (yes == PARTICIPANTS -> 1 : 0); yes = 0; answers = 0
    fi
  };
deciding:
  atomic {
    to_participant[i] ! DECIDE, _pid - PARTICIPANTS, vote;
    i++;
    if
    :: i < PARTICIPANTS -> goto deciding
    :: else -> i = 0; vote = 0
    fi
  };
waiting:
  atomic {
    to_coordinator[_pid - PARTICIPANTS] ? DONE, _, _;
    answers++;
    if
    :: answers < PARTICIPANTS -> goto waiting
    :: else -> answers = 0; transaction++
    fi;
    if
    :: transaction < TRANSACTIONS -> goto asking
    :: else
    fi
  };
end:
  false
}
