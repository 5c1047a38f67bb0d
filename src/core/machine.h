/* machine.h: machines in words, for those who describe what happened. */
#ifndef EO_CORE_MACHINE_H
#define EO_CORE_MACHINE_H

#include <everyorder.h>

/* "VOTE", or its number. Calls event_name of the program. */
const char *eo__event_name(const eo_machine *machine, int event, char *room, size_t size);
const char *eo__machine_name(const eo_machine *machine);
const char *eo__state_name(const eo_machine *machine, int state);

/* The machine that a process with this function and argument becomes; NULL: it is no such process. */
const eo_machine *eo__machine_created(eo_function function, const void *bytes);

/* The first function that runs when the event comes in that state; NULL: none. */
eo_action eo__machine_handler(const eo_machine *machine, int state, int event);

/* For a runtime without stacks for specifications: one in `room`, which has eo__observer_size bytes and is aligned to 16.
 * The entry function of its start state runs in init, the reaction in see; both return when it rests. `bytes` are what
 * eo_runtime.specify was given. */
size_t eo__observer_size(const eo_machine *machine);
void eo__observer_init(void *room, const void *bytes);
void eo__observer_see(void *room, const eo_message *event);

#endif
