/* store.c: where machines keep what they have (store.h). */
#include "store.h"

#include <string.h>

typedef struct store_page {
  uint8_t number, size;
  uint8_t data[STORE_PAGE_MAX];
} store_page;

typedef struct store {
  uint8_t data[STORE_PAGES * STORE_PAGE_MAX];
} store;

static const char *event_name(int event) {
  return event == STORE_WRITE ? "WRITE" : event == STORE_WRITTEN ? "WRITTEN" : NULL;
}

static void keep(void *self, const eo_message *event) {
  store *s = self;
  const store_page *page = event->data;
  memcpy(s->data + page->number * page->size, page->data, page->size);
  eo_send(event->from, STORE_WRITTEN, NULL, 0);
}

static const eo_machine store_machine = {.name = "store",
                                         EO_VARIABLES(store),
                                         .event_name = event_name,
                                         EO_STATES({.name = "ready", .on = EO_ON(EO_DO(STORE_WRITE, keep))})};

void store_save(store_writer *writer, const void *data, size_t size) {
  if (!writer->store) writer->store = eo_create(&store_machine, NULL, 0);
  if (writer->written == STORE_PAGES) return;
  store_page page = {.number = writer->written++, .size = (uint8_t)(size / STORE_PAGES)};
  eo_assert(size % STORE_PAGES == 0 && page.size <= STORE_PAGE_MAX, "%zu bytes do not fill the pages", size);
  memcpy(page.data, (const uint8_t *)data + page.number * page.size, page.size);
  eo_send(writer->store, STORE_WRITE, &page, sizeof page);
}
