/* pages.c: see pages.h. */
#include "base/pages.h"

#include <string.h>

#include "base/alloc.h"

static bool is_full(const eo_pages *p) { return p->count == p->pages.count * (uint64_t)EO_PAGE_ITEMS; }

bool eo__pages_push(eo_pages *p, const void *item) {
  if (is_full(p)) {
    unsigned char *page = eo__alloc((size_t)EO_PAGE_ITEMS * p->size);
    if (!page || !eo_vec_push(&p->pages, page)) {
      eo__free(page);
      return false;
    }
  }
  memcpy(eo_pages_at(p, p->count++), item, p->size);
  return true;
}

void eo__pages_release(eo_pages *p) {
  for (size_t i = 0; i < p->pages.count; i++) eo__free(p->pages.items[i]);
  eo_vec_release(&p->pages);
  p->count = 0;
}

uint64_t eo__pages_bytes(const eo_pages *p) {
  return p->pages.count * (uint64_t)EO_PAGE_ITEMS * p->size + p->pages.capacity * sizeof(unsigned char *);
}

uint64_t eo__pages_growth(const eo_pages *p) { return is_full(p) ? (uint64_t)EO_PAGE_ITEMS * p->size : 0; }
