/* acyclic.h: has the graph of a log of steps (core/heat.h) no circle at all? Mostly it has none, and to know that takes a small
 * part of the time and memory that looking for fair circles (core/circles.h) does. */
#ifndef EO_CORE_ACYCLIC_H
#define EO_CORE_ACYCLIC_H

#include "core/heat.h"

/* True: there is no circle of steps in which a specification stays hot. False: there may be one; or there is no memory. */
bool eo__heats_acyclic(const eo_heats *heats);

#endif
