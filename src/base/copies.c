/* copies.c: see copies.h. */
#include "base/copies.h"

#include <everyorder.h>
#include <front.h>
#include <link.h>

#include "base/vec.h"

static EO_VEC(uintptr_t) bases; /* changed before anything is explored */

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  uintptr_t address = *(const uintptr_t *)context;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || address - object->dlpi_addr - part->p_vaddr >= part->p_memsz) continue;
    (void)eo_vec_push(&bases, (uintptr_t)object->dlpi_addr); /* without memory its lines go without names */
    return 1;
  }
  return 0;
}

void eo_copy_add(const void *address) {
  uintptr_t at = (uintptr_t)address;
  dl_iterate_phdr(visit, &at);
}

bool eo__copy_is(uintptr_t base) {
  for (size_t i = 0; i < bases.count; i++)
    if (bases.items[i] == base) return true;
  return false;
}
