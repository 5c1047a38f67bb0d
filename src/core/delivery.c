/* delivery.c: the names of deliveries, as on the command line and in tickets. */
#include <string.h>

#include "core/view.h"

static const char *const names[] = {"mailbox", "fifo", "causal", "async"};

const char *eo__delivery_name(eo_delivery delivery) { return names[delivery]; }

bool eo__delivery_parse(const char *name, eo_delivery *delivery) {
  for (int i = 0; i <= EO_DELIVERY_ASYNC; i++) {
    if (strcmp(names[i], name) != 0) continue;
    *delivery = (eo_delivery)i;
    return true;
  }
  return false;
}
