/* efsm.h: a model as a system of multi-port EFSMs (Lei's dissertation, section 2.3.1): whether it is one, and what its graphs say
 * about who may yet send where. Processes of an EFSM system share nothing but ports. What is allowed beyond that, since it
 * changes no deadlock: global variables that nobody writes or one process has for itself, and counters, which are only
 * added to and looked at by assertions; and variables that are named as visible (section 5.2.1), every access of which
 * is then a visible transition. */
#ifndef EO_PROMELA_EFSM_H
#define EO_PROMELA_EFSM_H

#include "subjects/model/starting.h"

enum { EO__EFSM_WORDS = (EO_PROMELA_MOST_CHANNELS + 64) / 64 };

typedef struct eo__efsm_reach {
  uint64_t channels[EO__EFSM_WORDS]; /* that it can send to from here, by number - 1 */
  bool runs;                         /* it can start processes from here */
} eo__efsm_reach;

typedef struct eo__efsm {
  const eo_promela *model;
  uint32_t processes; /* that `reach` has room for, by _pid */
  struct eo__efsm_table {
    const eo_promela_proctype *proctype; /* NULL: not made yet */
    eo__efsm_reach *locations;
  } * tables;
  eo__starting starting;
  bool *visible; /* transitions, by number */
  uint32_t visible_count;
} eo__efsm;

/* `visible`: names of global variables, with commas between them; NULL: none. The error says what is not of an EFSM. */
int eo__efsm_open(eo__efsm *efsm, const eo_promela *model, eo_delivery delivery, const char *strategy,
                  const char *visible, eo_error *error);
void eo__efsm_close(eo__efsm *efsm);

/* reachable(l, T) of definition 10, for every T: of this process where it stands. NULL: no memory. */
const eo__efsm_reach *eo__efsm_reachable(eo__efsm *efsm, eo_promela_run *run, uint32_t process);

#endif
