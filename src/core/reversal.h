/* reversal.h: which two steps of a failing execution need only come the other way round for it to pass. */
#ifndef EO_CORE_REVERSAL_H
#define EO_CORE_REVERSAL_H

#include "core/finding.h"
#include "core/minimise.h"

/* `finding` describes the execution of `schedule`. Looks for a pair of steps that race (of two processes, neither comes
 * after the other, both touch the same process), last ones first, such that the execution in which the later one comes
 * first passes: that is run and seen. Sets `reversible`, `earlier` and `later`, if there is such a pair. */
int eo__reverse(eo_subject *subject, uint32_t max_depth, const eo_patience *patience, const eo_schedule *schedule,
                eo_finding *finding, eo_error *error);

#endif
