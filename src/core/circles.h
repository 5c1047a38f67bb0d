/* circles.h: fair circles in the graph of a log of steps (core/heat.h).
 *
 * An infinite execution of finitely many states comes to some of them again and again: these, with the steps taken again and
 * again, are strongly connected. A specification stays hot for ever exactly if it is hot in all of these steps. The
 * execution is fair exactly if
 *   each process is stuck in one of these states or takes one of these steps (weak fairness), and
 *   a fair choice (eo_choose_fair) that is made in a state again and again gets all of its values there.
 * Of the graph of the steps in which a specification stays hot, each component is looked at as a whole: a larger one is
 * the fairer to processes. A fair choice of which a value leads out of the component is taken out of the graph with all of
 * its values, and what is left falls into components again (as for Streett automata). So a circle is found exactly if
 * there is one, in time linear in the log, but for such choices. */
#ifndef EO_CORE_CIRCLES_H
#define EO_CORE_CIRCLES_H

#include "base/vec.h"
#include "core/heat.h"

typedef struct eo_circles eo_circles;

/* The graph of all steps in the log. NULL: no memory. */
eo_circles *eo__circles_open(const eo_heats *heats);
void eo__circles_close(eo_circles *circles); /* NULL: nothing */

/* Looks for a fair circle, and keeps its component. EO_OK: *found says whether there is one; EO_ENOMEM. */
int eo__circles_search(eo_circles *circles, bool *found);

/* With a circle found: is this state on it? */
bool eo__circles_on(const eo_circles *circles, uint64_t state);

typedef struct eo_round_step {
  uint32_t mark;
  uint64_t to;
} eo_round_step;
typedef EO_VEC(eo_round_step) eo_round;

/* A fair way round from a state on the circle back to it. False: no memory. */
bool eo__circles_round(eo_circles *circles, uint64_t from, eo_round *round);

#endif
