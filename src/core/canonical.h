/* canonical.h: the canonical form of a sequence of synchronisations (Lei's dissertation, section 3.5): the events of an execution in
 * groups, in turn all that every process does by itself, and decisions that do not depend on each other: receives, and
 * chooses. Two executions have the same canonical form exactly if they are of one partial order, as far as messages go. */
#ifndef EO_CORE_CANONICAL_H
#define EO_CORE_CANONICAL_H

#include "base/text.h"
#include "core/program.h"
#include "core/trace.h"

/* One event in words, as they are in tree files (doc/formats/tree.md) and in patterns:
 * "P1.1 send tag 3 to P1 #2", "P1 receive tag 3 from P1.1 #2", "P1 receive timeout", "P1 choose value 1". */
void eo__canonical_event(const eo_trace *trace, uint32_t position, eo_text *out);

/* Fills levels[], a number for each event: how many decisions a chain of events up to it has, at most. */
void eo__canonical_levels(const eo_trace *trace, uint32_t *levels);

static inline bool eo_canonical_decides(const eo_record *record) {
  return record->op == EO_OP_RECEIVE || eo__op_chooses(record->op);
}

/* The whole: groups, each ended by a tab, that begin with "r " (decisions) or "s " (others), events separated by "; ".
 * False: no memory. */
bool eo__canonical_write(const eo_trace *trace, eo_text *out);

#endif
