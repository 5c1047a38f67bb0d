/* address.h: redis://[[user][:password]@]HOST[:PORT][/NAME][?timeout=T], where a cluster's Redis is and which job is
 * meant. */
#ifndef EO_FRONTIER_ADDRESS_H
#define EO_FRONTIER_ADDRESS_H

#include <stdint.h>

#include "base/error.h"

typedef struct eo_address {
  char user[128];
  char password[256];
  char host[256];
  uint16_t port;
  char name[65];  /* of the job; "": none was given */
  double timeout; /* seconds to wait for a reply before asking again */
} eo_address;

/* Texts of errors never show the password. */
int eo__address_parse(eo_address *address, const char *text, eo_error *error);

/* The address without user and password, for messages and commands that are shown; out has at least 400 bytes. */
const char *eo__address_show(const eo_address *address, char *out);

#endif
