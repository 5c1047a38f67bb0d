/* minimise.h: the same failure with the fewest context switches, found by running the subject again. */
#ifndef EO_CORE_MINIMISE_H
#define EO_CORE_MINIMISE_H

#include "core/engine.h"

/* When to be content with what there is, beside the limits in steps. NULL where it is asked for: never. */
typedef struct eo_patience {
  const volatile int *stop; /* set: at once */
  double seconds;
} eo_patience;

/* `schedule` holds a failing execution's choices and gets the best one found. *fewest: a search over every execution
 * with fewer switches found none that fails this way. Deterministic: limited in steps, not in time; but it ends early
 * when patience is at its end, or when tries run into endless loops, which cost the watchdog's time each. */
int eo__minimise(eo_subject *subject, uint32_t max_depth, const eo_failure *failure, const eo_patience *patience,
                 eo_schedule *schedule, bool *fewest, eo_error *error);

/* How often the process changes from one choice to the next. */
uint32_t eo__schedule_switches(const eo_choice *choices, size_t count);

#endif
