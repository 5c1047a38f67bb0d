/* engine_describe.c: an execution that a person will read: its steps in words, what each comes after, and where the processor
 * is taken from a process that could go on. */
#include "core/engine_inside.h"

/* The last event of a process that this clock covers; EO_NO_EVENT: none. */
static uint32_t last_covered(const eo_trace *trace, const uint32_t *clock, uint32_t process) {
  uint32_t at = clock[process] ? trace->threads.items[process].last : EO_NO_EVENT;
  while (at != EO_NO_EVENT && trace->records.items[at].index >= clock[process]) at = trace->records.items[at].previous;
  return at;
}

/* Which steps of other processes the last one comes after, but for those that follow from others. */
static bool describe_after(const eo_trace *trace, eo_line *line) {
  uint32_t last = (uint32_t)trace->records.count - 1, own = trace->records.items[last].process;
  const uint32_t *clock = eo_trace_clock(trace, last);
  for (uint32_t process = 0; process < trace->threads.count; process++) {
    uint32_t at = process == own ? EO_NO_EVENT : last_covered(trace, clock, process);
    bool follows = at == EO_NO_EVENT;
    for (uint32_t other = 0; other < trace->threads.count && !follows; other++) {
      if (other == process) continue;
      uint32_t between = other == own ? trace->records.items[last].previous : last_covered(trace, clock, other);
      follows = between != EO_NO_EVENT && eo_clock_covers(eo_trace_clock(trace, between), &trace->records.items[at]);
    }
    if (!follows && !eo_vec_push(&line->after, at)) return false;
  }
  return true;
}

bool eo__engine_describe(eo_engine *engine, const eo_point *point, eo_choice taken) {
  eo_line line;
  eo_finding *finding = engine->describe;
  eo_trace *trace = engine->described;
  if (!engine->subject->ops->describing->line(engine->subject, &line)) return false;
  if ((trace && !describe_after(trace, &line)) || !eo_vec_push(&finding->lines, line)) {
    eo__line_release(&line);
    return false;
  }
  if (point->last != EO_NO_PROCESS && point->last != taken.process) {
    finding->switches++;
    for (uint32_t i = 0; i < point->count; i++)
      if (point->choices[i].process == point->last) {
        eo_vec_last(&finding->lines).preempts = true;
        finding->preemptions++;
        break;
      }
  }
  return true;
}

void eo__engine_describe_afresh(eo_engine *engine) {
  eo_finding *finding = engine->describe;
  if (engine->described) eo__trace_cut(engine->described, 0);
  if (!finding) return;
  while (finding->lines.count) eo__line_release(&finding->lines.items[--finding->lines.count]);
  finding->switches = finding->preemptions = 0;
}
