/* object.h: the ELF objects of this process (the executable and its shared libraries) as the dynamic linker has loaded
 * them: their symbols and relocations.
 *
 * Nothing here calls a function of the C library: binding.c uses it before such calls are possible. */
#ifndef EO_BASE_OBJECT_H
#define EO_BASE_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the dynamic section of one object says. A pointer is NULL where the object has no such table. */
typedef struct eo_object {
  uintptr_t base; /* what to add to the addresses in its tables */
  const char *path;
  const char *name; /* by which others need it: "libc.so.6" */
  const ElfW(Dyn) * dynamic;
  const ElfW(Sym) * symbols;
  const char *strings;
  const uint32_t *gnu_hash, *sysv_hash;
  const ElfW(Half) * versions; /* per symbol */
  const char *defined;         /* ElfW(Verdef): versions that this object defines */
  const char *needed;          /* ElfW(Verneed): versions that this object asks others for */
  const ElfW(Rela) * relocations;
  size_t relocation_count;
  const ElfW(Rela) * calls; /* relocations that may be done lazily, at the first call */
  size_t call_count;
} eo_object;

#if defined(__x86_64__)
#define EO_RELOCATION_CALL R_X86_64_JUMP_SLOT
#define EO_RELOCATION_ADDRESS R_X86_64_GLOB_DAT
#define EO_RELOCATION_WORD R_X86_64_64
#define EO_RELOCATION_COPY R_X86_64_COPY
#else
#define EO_RELOCATION_CALL R_AARCH64_JUMP_SLOT
#define EO_RELOCATION_ADDRESS R_AARCH64_GLOB_DAT
#define EO_RELOCATION_WORD R_AARCH64_ABS64
#define EO_RELOCATION_COPY R_AARCH64_COPY
#endif

/* `dynamic` may be NULL: then the object has nothing. */
eo_object eo__object_read(uintptr_t base, const char *path, const ElfW(Dyn) * dynamic);

eo_object eo__object_of(const struct dl_phdr_info *info); /* of dl_iterate_phdr */

/* "GLIBC_2.34" and the like: with which version of this symbol the object was linked; NULL: any. */
const char *eo__object_needs_version(const eo_object *object, size_t symbol);

/* The definition of a name that other objects can see; NULL: none. With version NULL, the default one. */
const ElfW(Sym) * eo__object_find(const eo_object *object, const char *name, const char *version);

/* The address that a definition stands for. A function of which there are several implementations is asked which one
 * this processor should use. */
uintptr_t eo__object_address(const eo_object *object, const ElfW(Sym) * definition);

/* Is it one of the system's libraries, or of those that the tool stands on? Others are parts of the program under test. */
bool eo__object_is_system(const char *path);

bool eo__object_same(const char *a, const char *b); /* strcmp */

#endif
