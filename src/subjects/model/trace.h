/* trace.h: `trace` and `notrace`: in which order messages may, or may not, be sent and received. Such a block is the code of a
 * process whose statements are events; it watches every send and receive on the channels that it names there, and has a location
 * in each state. As in pan: an event that fits nowhere violates a trace, and one that comes to the end of a notrace violates
 * that; a notrace that an event does not fit is done with. An execution ends well only where a trace may end. */
#ifndef EO_PROMELA_TRACE_H
#define EO_PROMELA_TRACE_H

#include "subjects/model/run.h"

struct parser;

/* Made by the compiler: reads the block that is next. */
void eo__trace_read(struct parser *p);

/* This message is about to be sent by the process under way, or received. What is wrong is a failure of the run. */
void eo__trace_sends(eo_promela_run *run, const eo_promela_message *m, uint32_t channel);
void eo__trace_receives(eo_promela_run *run, uint32_t channel, uint32_t slot);
bool eo__trace_may_end(const eo_promela_run *run);

#endif
