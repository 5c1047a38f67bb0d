/* promise.h: what drawing executions at random promises, in words. */
#ifndef EO_CORE_PROMISE_H
#define EO_CORE_PROMISE_H

#include <stdint.h>

#include "base/text.h"

/* " is hit with probability at least P by each, so at least Q by all": of so many executions that are drawn independently,
 * each of which hits something with at least this probability. Rounded down: "at least" stays true. */
void eo__promise_add(eo_text *words, double probability, uint64_t executions);

#endif
