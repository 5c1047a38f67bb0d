/* chainrep_disk.c: where a server keeps what it has when clients have gone. */
#include <string.h>

#include "chainrep.h"

typedef struct chain_disk {
  uint8_t value[KEYS], version[KEYS];
} chain_disk;

enum { READY };

static void store(void *self, const eo_message *event) {
  chain_disk *d = self;
  const chainrep_page *page = event->data;
  memcpy(d->value + page->number * PAGE, page->value, PAGE);
  memcpy(d->version + page->number * PAGE, page->version, PAGE);
  eo_send(event->from, CHAINREP_WRITTEN, NULL, 0);
}

const eo_machine chainrep_disk = {.name = "disk",
                                  EO_VARIABLES(chain_disk),
                                  .start = READY,
                                  .event_name = chainrep_event_name,
                                  EO_STATES([READY] = {.name = "ready", .on = EO_ON(EO_DO(CHAINREP_WRITE, store))})};
