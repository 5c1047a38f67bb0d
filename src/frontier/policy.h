/* policy.h: what every frontier decides alike, whatever it keeps its fragments in; pure functions. Simsa et al. 2012, sections 3.4
 * and 4.5. */
#ifndef EO_FRONTIER_POLICY_H
#define EO_FRONTIER_POLICY_H

#include <stddef.h>

#include "core/frontier.h"

/* Seconds for a claim: a part of the whole budget, in proportion to the workers that will then be active (this one
 * included), so that there are soon fragments for all; but long enough to be worth handing over so many bytes. */
double eo__policy_budget(const eo_job_limits *limits, uint32_t active, size_t bytes);

/* How many pieces a claim shall leave what remains in, when there may soon be `expected` fragments: each that is not
 * claimed, and as many for each claim as that one was told; this one as 1. Not all that are missing are asked of one claim, as nobody
 * knows how finely it can be split, and what it was told is kept from the others. One worker alone has nobody to split
 * for. */
uint32_t eo__policy_pieces(const eo_job_limits *limits, uint64_t expected);

/* How many executions a claim may run, of so many that are left of the limit and not given to others. */
uint64_t eo__policy_allot(const eo_job_limits *limits, uint64_t left);

/* Nothing unclaimed is left: may a fragment that so many workers hold be given to another one? */
bool eo__policy_double(const eo_job_limits *limits, uint32_t holders);

/* Adds what a slice did. Coverage counts only if it finished its fragment: then the weaker one stays, and of two equal
 * ones the longer words, or the later in the alphabet: which is, where they differ in a number, the larger one. */
void eo__tally_add(eo_tally *total, const eo_tally *slice, bool finished);

#endif
