/* map.c: see map.h. */
#include "base/map.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"

enum { MOST = 256, PAGE = 4096 };

typedef struct range {
  char *from, *to;
} range;

EO_OWN static struct {
  range items[MOST];
  size_t count;
  bool overflowed;
  bool locked; /* atomic */
} maps;

static void lock(void) {
  while (__atomic_exchange_n(&maps.locked, true, __ATOMIC_ACQUIRE)) {}
}

static void unlock(void) { __atomic_store_n(&maps.locked, false, __ATOMIC_RELEASE); }

static char *page_up(char *at) { return (char *)(((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1)); }

static void add(char *from, char *to) {
  if (from >= to) return;
  if (maps.count == MOST)
    maps.overflowed = true;
  else
    maps.items[maps.count++] = (range){from, to};
}

/* What is left of those that had a part in [from, to). */
static void cut(char *from, char *to) {
  for (size_t i = 0; i < maps.count;) {
    range old = maps.items[i];
    if (old.to <= from || to <= old.from) {
      i++;
      continue;
    }
    maps.items[i] = maps.items[--maps.count];
    add(old.from, from < old.to ? from : old.to);
    add(to > old.from ? to : old.from, old.to);
  }
}

void eo__mapped(char *from, size_t size) {
  lock();
  cut(from, page_up(from + size));
  add(from, page_up(from + size));
  unlock();
}

void eo__unmapped(char *from, size_t size) {
  if (!maps.count) return;
  lock();
  cut(from, page_up(from + size));
  unlock();
}

bool eo__is_mapped(const void *address) {
  for (size_t i = 0; i < maps.count; i++)
    if ((const char *)address >= maps.items[i].from && (const char *)address < maps.items[i].to) return true;
  return false;
}

/* The kernel knows how much of it is there, and with which protection. */
bool eo__mappings(void (*found)(void *context, const eo_mapping *mapping), void *context) {
  if (!maps.count) return !maps.overflowed;
  FILE *file = fopen("/proc/self/maps", "re");
  char line[512], rights[5];
  unsigned long from, to;
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3 || rights[1] != 'w') continue;
    for (size_t i = 0; i < maps.count; i++) {
      char *low = maps.items[i].from > (char *)from ? maps.items[i].from : (char *)from;
      char *high = maps.items[i].to < (char *)to ? maps.items[i].to : (char *)to;
      int protection = PROT_WRITE | (rights[0] == 'r' ? PROT_READ : 0) | (rights[2] == 'x' ? PROT_EXEC : 0);
      if (low < high) found(context, &(eo_mapping){low, high, protection, rights[3] == 's'});
    }
  }
  fclose(file);
  return !maps.overflowed;
}
