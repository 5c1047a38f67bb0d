/* copies.c: see copies.h. */
#include "base/copies.h"

#include <everyorder.h>
#include <front.h>
#include <link.h>
#include <stdio.h>

#include "base/vec.h"

typedef struct copy {
  uintptr_t base, from, to;
  char name[16];
} copy;

static EO_VEC(copy) copies; /* changed before anything is explored */

typedef struct wanted {
  uintptr_t address;
  const char *name;
} wanted;

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  const wanted *adds = context;
  copy found = {.base = object->dlpi_addr, .from = UINTPTR_MAX};
  snprintf(found.name, sizeof found.name, "%s", adds->name ? adds->name : "");
  bool is_it = false;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t from = object->dlpi_addr + part->p_vaddr;
    if (adds->address - from < part->p_memsz) is_it = true;
    if (from < found.from) found.from = from;
    if (from + part->p_memsz > found.to) found.to = from + part->p_memsz;
  }
  if (is_it) (void)eo_vec_push(&copies, found); /* without memory its lines go without names */
  return is_it;
}

void eo_copy_add(const void *address, const char *name) {
  wanted adds = {(uintptr_t)address, name};
  dl_iterate_phdr(visit, &adds);
}

bool eo__copy_first_is_trusted;

void eo_first_is_trusted(void) { eo__copy_first_is_trusted = true; }

bool eo__copy_is(uintptr_t base) {
  for (size_t i = 0; i < copies.count; i++)
    if (copies.items[i].base == base) return true;
  return false;
}

static const copy *holder(uintptr_t address) {
  for (size_t i = 0; i < copies.count; i++)
    if (address >= copies.items[i].from && address < copies.items[i].to) return &copies.items[i];
  return NULL;
}

bool eo__copy_holds(uintptr_t address) { return holder(address) != NULL; }

const char *eo__copy_name(uintptr_t address) {
  const copy *found = holder(address);
  return found ? found->name : "";
}
