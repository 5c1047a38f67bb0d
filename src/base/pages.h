/* pages.h: a growing array whose items never move. It grows by a page, so that growing neither copies what is there nor takes
 * memory for as much again; for arrays that take most of the memory.
 *
 *   eo_pages numbers = {.size = sizeof(int)};
 *   if (!eo__pages_push(&numbers, &number)) return eo__error_nomem(error);
 *   int *third = eo_pages_at(&numbers, 2);
 *   eo__pages_release(&numbers); */
#ifndef EO_BASE_PAGES_H
#define EO_BASE_PAGES_H

#include <stdint.h>

#include "base/vec.h"

enum { EO_PAGE_ITEMS = 4096 };

typedef struct eo_pages {
  uint32_t size; /* of an item; set by the owner */
  uint64_t count;
  EO_VEC(unsigned char *) pages;
} eo_pages;

static inline void *eo_pages_at(const eo_pages *pages, uint64_t index) {
  return pages->pages.items[index / EO_PAGE_ITEMS] + index % EO_PAGE_ITEMS * pages->size;
}

bool eo__pages_push(eo_pages *pages, const void *item); /* false: no memory, and the array is as before */
void eo__pages_release(eo_pages *pages);

/* Memory in use, and how much more it will be when one more item is added. */
uint64_t eo__pages_bytes(const eo_pages *pages);
uint64_t eo__pages_growth(const eo_pages *pages);

#endif
