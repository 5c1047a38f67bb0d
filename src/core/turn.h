/* turn.h: which two steps of a failing execution, the other way round, make it pass? */
#ifndef EO_CORE_TURN_H
#define EO_CORE_TURN_H

#include "core/minimise.h"

/* Tries pairs of steps that are not ordered but by each other, the latest first: the second before the first, all else as
 * near as possible to what it was. Sets turn_early and turn_late of the finding, whose lines describe the schedule, if such
 * an execution has run to its end without a failure; else they stay 0. */
int eo_find_turn(eo_subject *subject, uint32_t max_depth, const eo_patience *patience, const eo_schedule *schedule,
                 eo_finding *finding, eo_error *error);

#endif
