/* pattern.h: patterns over the events of an execution, for `--never` (doc/reach.md, "Patterns").
 *
 *   pattern  = clause { "and" clause }
 *   clause   = [ "no" ] event { order event }
 *   order    = "->"  (happens before)  |  "||"  (neither happens before the other)
 *   event    = process operation { "tag" N | "value" N | "from" process | "to" process | "timeout" }
 *
 * A process is a logical id in which * and ? stand for anything, an operation a name as in tickets, or *. */
#ifndef EO_CORE_PATTERN_H
#define EO_CORE_PATTERN_H

#include "base/error.h"
#include "core/trace.h"

typedef struct eo_pattern eo_pattern;

/* An error says at which column, from 1, and what was expected. */
eo_pattern *eo__pattern_open(const char *text, eo_error *error);
const char *eo__pattern_text(const eo_pattern *pattern);
void eo__pattern_close(eo_pattern *pattern); /* NULL: nothing */

/* Does the execution have all its clauses? Its `no` clauses: not one way to find them. */
bool eo__pattern_matches(const eo_pattern *pattern, const eo_trace *trace);

#endif
