/* starting.h: how a model begins. The usual way to start processes in Promela is `init { atomic { run A(); run B() } }`:
 * what such a process does until all are there is one thing, which depends on nobody, so that the processes it starts are
 * as good as active ones. From then on each keeps its _pid and what its parameters say, if it does not assign to them. */
#ifndef EO_MODEL_STARTING_H
#define EO_MODEL_STARTING_H

#include "subjects/model/run.h"

typedef struct eo__starting {
  eo_promela_steps steps;             /* of the process that starts others, from the initial state */
  const eo_promela_proctype *starter; /* NULL: nobody starts others, or several proctypes do */
  const eo_promela_transition *late;  /* a start that is not among them; NULL: none */
  const eo_promela_transition
      *unnumbered; /* one whose _pid depends on who has ended before; NULL: none, or it is not used */
  bool all_there;  /* nobody starts any behind these steps */
  bool complete;   /* nor has the starter an atomic sequence there */
  bool *after;     /* by location of the starter: may it be there behind these steps? */
} eo__starting;

/* `run` has its delivery; it is started, and is then behind the steps. Of an initial state that fails nothing is known.
 * False: no memory. */
bool eo__starting_find(eo__starting *starting, eo_promela_run *run);
void eo__starting_release(eo__starting *starting);

/* Is it behind the steps that a process of this proctype may come to this location? */
bool eo__starting_counts(const eo__starting *starting, const eo_promela_proctype *p, uint32_t location);

/* Does the name of a channel, or an expression, mean the same all the time that a process lives? By its _pid, and if
 * `parameters`, which is for when all processes are there, by those of them that nobody assigns to. */
bool eo__fixed_channel(const eo_promela_ref *ref, bool parameters);
bool eo__fixed_value(const eo_promela_expr *e, bool parameters);

#endif
