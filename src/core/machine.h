/* machine.h: machines in words, for those who describe what happened. */
#ifndef EO_CORE_MACHINE_H
#define EO_CORE_MACHINE_H

#include <everyorder.h>

/* "VOTE", or its number. Calls event_name of the program. */
const char *eo__event_name(const eo_machine *machine, int event, char *room, size_t size);
const char *eo__machine_name(const eo_machine *machine);
const char *eo__state_name(const eo_machine *machine, int state);

#endif
