/* alloc.c: the C library's allocator behind a counter that lets tests make any one allocation fail. */
#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"

EO_OWN long eo__alloc_budget = -1;

/* Takes one allocation from the budget. Without one, nothing is written: this variable lies among the globals of the
 * program under test, which are watched. */
static bool spend(void) {
  if (eo__alloc_budget < 0) return true;
  if (eo__alloc_budget == 0) return false;
  eo__alloc_budget--;
  return true;
}

/* The C library may answer NULL for a size of 0; here NULL means no memory and nothing else. */
static size_t at_least_one(size_t size) { return size > 0 ? size : 1; }

/* The code of these functions lies apart, so that what they ask for is not taken for the program's (early.h). They must be
 * the callers, so the call is not the last thing that they do. */
#define ALLOCATES __attribute__((section("eo_allocates"), noinline))
#define STAY_CALLER() __asm__ volatile("" ::: "memory")

ALLOCATES void *eo__alloc(size_t size) {
  void *block = spend() ? calloc(1, at_least_one(size)) : NULL;
  STAY_CALLER();
  return block;
}

ALLOCATES void *eo__realloc(void *old, size_t size) {
  void *block = spend() ? realloc(old, at_least_one(size)) : NULL;
  STAY_CALLER();
  return block;
}

char *eo__strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = eo__alloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

void eo__free(void *block) { free(block); }
