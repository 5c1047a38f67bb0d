/* ports.h: channels as ports of multi-port EFSMs (Lei's dissertation, section 2.3.1): unbounded, each with one receiving process,
 * which may take any message of the frontier that the delivery gives.
 *
 *   async    messages without order: kept sorted by their bytes, since order means nothing
 *   fifo     by sender, and in the order of sending; the frontier is the first of each sender
 *   causal   the same, and for each message which processes know of it (their present is after its sending) and which
 *            messages under way were sent before it, in the sense of happens-before; the frontier is those that have no
 *            other one of the same port before them
 *
 * What is known is all that happens-before can ever say about messages under way: nothing else is part of the state. */
#ifndef EO_MODEL_PORTS_H
#define EO_MODEL_PORTS_H

#include "subjects/model/run.h"

/* Bytes of a message in a channel, under the delivery of this run. */
uint32_t eo__promela_stride(const eo_promela_run *run, const eo_promela_queue *queue);

void eo__port_put(eo_promela_run *run, const int32_t *values, uint32_t channel);
void eo__port_remove(eo_promela_run *run, uint32_t channel, uint32_t slot);
bool eo__port_offers(const eo_promela_run *run, uint32_t channel, uint32_t slot); /* is it of the frontier? */
bool eo__port_twin(const eo_promela_run *run, uint32_t channel, uint32_t slot); /* is it the same as the one before? */
uint32_t eo__port_sender(const eo_promela_run *run, uint32_t channel, uint32_t slot); /* 0 under async: nobody knows */
/* Does a message wait there that must be taken before any that this process sends from now on? Never under async. */
bool eo__port_holds(const eo_promela_run *run, uint32_t channel, uint32_t sender);
/* Can there be more than one process of this proctype? */
bool eo__port_several(const eo_promela *model, const eo_promela_proctype *p);
void eo__port_born(eo_promela_run *run, uint32_t parent, uint32_t child); /* it knows what its parent knows */
void eo__port_forget(eo_promela_run *run, uint32_t process);              /* it has ended */

#endif
