/* store.h: where a machine keeps what it has when its work is over: a machine that writes one page after the other. */
#ifndef STORE_H
#define STORE_H

#include "protocols.h"

enum { STORE_WRITE = EVENTS_COMMON + 1, STORE_WRITTEN };
enum { STORE_PAGES = 4, STORE_PAGE_MAX = 16 };

/* Of the machine that saves: all zero at first. */
typedef struct store_writer {
  eo_pid store;
  uint8_t written; /* pages */
} store_writer;

/* Writes the next page of `data`, if there is one: to be called first when it is time to save, and then on every
 * STORE_WRITTEN. */
void store_save(store_writer *writer, const void *data, size_t size);

#endif
