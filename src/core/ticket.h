/* ticket.h: a file that replays one execution exactly. Text, versioned: doc/formats/ticket.md. */
#ifndef EO_CORE_TICKET_H
#define EO_CORE_TICKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "core/finding.h"
#include "core/params.h"
#include "core/view.h"

#define EO_TICKET_VERSION 4 /* versions 1 to 3 are read too */

/* One step of a schedule: run `process` (logical id), with this value if it stands at a choose; or let its receive take a
 * message, or time out. */
typedef struct eo_ticket_step {
  char process[EO_PROCESS_NAME];
  uint32_t value;
  bool takes;
  char from[EO_PROCESS_NAME]; /* takes: whose message; "": none, it times out */
  uint32_t nth;               /* of those that `from` sent, from 1 */
} eo_ticket_step;

typedef struct eo_ticket {
  int version; /* a ticket of version 1 has neither `delivery` nor steps that take; one below 3 no `params`, below 4 no `abnormal` */
  char program[512]; /* path as given when the ticket was made */
  char build[65];    /* hash of the program's contents, hex */
  char test[128];
  char params[EO_ROW_TEXT]; /* the row of a test with parameters: "clients=2\nmode=safe"; "": it has none */
  eo_kind kind;             /* what it shows */
  char message[1024];
  char at[320];         /* "file:line" of the failure or "" */
  uint32_t depth;       /* --depth in force */
  uint32_t watchdog_ms; /* --watchdog in force */
  bool timeouts_idle;
  bool leaks;
  bool abnormal_fails;
  eo_delivery delivery;
  EO_VEC(eo_ticket_step) steps;
} eo_ticket;

void eo__ticket_init(eo_ticket *ticket);
void eo__ticket_release(eo_ticket *ticket);

/* As text, ending in a line with the checksum of all before it. */
int eo__ticket_write(const eo_ticket *ticket, eo_text *out, eo_error *error);

/* Refuses anything that is not exactly what write made: cut short, changed, of another version; the error says which. */
int eo__ticket_parse(eo_ticket *ticket, const char *bytes, size_t size, eo_error *error);

/* The schedule alone: "P1*3 P1.1 P1=2*2 P1<P1.1#3 P1<none". */
void eo__schedule_write(const eo_ticket_step *steps, size_t count, eo_text *out);
int eo__schedule_parse(eo_ticket *ticket, const char *text, eo_error *error);

#endif
