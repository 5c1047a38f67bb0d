/* cmd_show.h: what the subcommands that draw or write the execution of a ticket have in common. */
#ifndef EO_CLI_CMD_SHOW_H
#define EO_CLI_CMD_SHOW_H

#include "cli/options.h"
#include "core/ticket.h"
#include "report/diagram.h"

struct eo_front;

/* What the options, the terminal and the locale say. */
eo_diagram_style eo__diagram_style(const eo_args *args);

/* Reads a ticket, checks that it is for this program, runs it and describes what happened. Both are initialised, and the
 * caller releases them. */
int eo__ticket_describe(const struct eo_front *front, const eo_args *args, const char *path, eo_ticket *ticket,
                        eo_finding *finding, eo_error *error);

#endif
