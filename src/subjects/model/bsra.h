/* bsra.h: simultaneous reachability analysis of multi-port EFSMs, which keeps every deadlock and few states.
 *
 *   bsra   blocking-based (Lei's dissertation, figures 2.3 to 2.5): all processes go on until each can only receive, or nothing;
 *          then as many as can receive at once
 *   sra    (section 2.2.4, for many ports): one step of each process that has one, at once */
#ifndef EO_PROMELA_BSRA_H
#define EO_PROMELA_BSRA_H

#include "subjects/model/full.h"

/* An error: no memory, or the model is not a system of multi-port EFSMs. */
int eo__promela_search_bsra(eo_promela_search *search, eo_error *error);
int eo__promela_search_sra(eo_promela_search *search, eo_error *error);

#endif
