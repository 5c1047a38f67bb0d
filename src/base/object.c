/* object.c: see object.h. */
#include "base/object.h"

#include <elf.h>
#if defined(__aarch64__)
#include <sys/ifunc.h>
#endif

/* gcc would make calls of `strlen` out of loops. */
#if !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

bool eo__object_same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static bool starts(const char *text, const char *with) {
  while (*with && *text == *with) text++, with++;
  return *with == '\0';
}

static const char *file_of(const char *path) {
  const char *file = path;
  for (; *path; path++) {
    if (*path == '/') file = path + 1;
  }
  return file;
}

bool eo__object_is_system(const char *path) {
  static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "linux-vdso", "linux-gate"};
  static const char *const names[] = {"ld-",       "libc.",      "libc-",      "libpthread", "libasan",
                                      "libubsan",  "libtsan",    "liblsan",    "libdw",      "libelf",
                                      "libxxhash", "libhiredis", "libjansson", "libcmocka",  "libclang_rt"};
  for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
    if (starts(path, folders[i])) return true;
  }
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    if (starts(file_of(path), names[i])) return true;
  }
  return false;
}

/* glibc has added the load address to these pointers, other loaders have not, and none has in the kernel's object. */
static const void *loaded(uintptr_t base, ElfW(Addr) pointer) {
  return (const void *)(pointer < base ? pointer + base : pointer);
}

eo_object eo__object_read(uintptr_t base, const char *path, const ElfW(Dyn) * dynamic) {
  eo_object object = {.base = base, .path = path, .dynamic = dynamic};
  object.name = file_of(path);
  if (!dynamic) return object;
  ElfW(Xword) name = 0;
  for (const ElfW(Dyn) *at = dynamic; at->d_tag != DT_NULL; at++) {
    const void *pointer = loaded(base, at->d_un.d_ptr);
    switch (at->d_tag) {
      case DT_SYMTAB: object.symbols = pointer; break;
      case DT_STRTAB: object.strings = pointer; break;
      case DT_GNU_HASH: object.gnu_hash = pointer; break;
      case DT_HASH: object.sysv_hash = pointer; break;
      case DT_VERSYM: object.versions = pointer; break;
      case DT_VERDEF: object.defined = pointer; break;
      case DT_VERNEED: object.needed = pointer; break;
      case DT_RELA: object.relocations = pointer; break;
      case DT_RELASZ: object.relocation_count = at->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_JMPREL: object.calls = pointer; break;
      case DT_PLTRELSZ: object.call_count = at->d_un.d_val / sizeof(ElfW(Rela)); break;
      case DT_SONAME: name = at->d_un.d_val; break;
      default: break;
    }
  }
  if (object.strings && name) object.name = object.strings + name;
  return object;
}

eo_object eo__object_of(const struct dl_phdr_info *info) {
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_DYNAMIC) dynamic = (const void *)(info->dlpi_addr + part->p_vaddr);
  }
  return eo__object_read(info->dlpi_addr, info->dlpi_name, dynamic);
}

/* ---- Versions --------------------------------------------------------------------------------------------------- */

#define NUMBER 0x7fff /* of versions[i]: which version */
#define HIDDEN 0x8000 /* not the default version of its name */

const char *eo__object_needs_version(const eo_object *object, size_t symbol) {
  if (!object->versions || !object->needed) return NULL;
  const char *file = object->needed;
  for (;;) {
    const ElfW(Verneed) *need = (const void *)file;
    const char *entry = file + need->vn_aux;
    for (unsigned i = 0; i < need->vn_cnt; i++) {
      const ElfW(Vernaux) *version = (const void *)entry;
      if (version->vna_other == (object->versions[symbol] & NUMBER)) return object->strings + version->vna_name;
      entry += version->vna_next;
    }
    if (!need->vn_next) return NULL;
    file += need->vn_next;
  }
}

/* As the dynamic linker decides it: a definition without a version is good for every version. */
static bool has_version(const eo_object *object, size_t symbol, const char *version) {
  if (!object->versions) return true;
  unsigned number = object->versions[symbol] & NUMBER;
  if (!version) return !(object->versions[symbol] & HIDDEN);
  if (number <= VER_NDX_GLOBAL || !object->defined) return true;
  const char *at = object->defined;
  for (;;) {
    const ElfW(Verdef) *definition = (const void *)at;
    if ((definition->vd_ndx & NUMBER) == number) {
      const ElfW(Verdaux) *name = (const void *)(at + definition->vd_aux);
      return eo__object_same(object->strings + name->vda_name, version);
    }
    if (!definition->vd_next) return false;
    at += definition->vd_next;
  }
}

/* ---- Definitions ------------------------------------------------------------------------------------------------ */

static bool is_definition(const eo_object *object, size_t symbol, const char *name, const char *version) {
  const ElfW(Sym) *one = &object->symbols[symbol];
  return one->st_shndx != SHN_UNDEF && ELF64_ST_BIND(one->st_info) != STB_LOCAL &&
         eo__object_same(object->strings + one->st_name, name) && has_version(object, symbol, version);
}

static const ElfW(Sym) * find_gnu(const eo_object *object, const char *name, const char *version) {
  uint32_t hash = 5381;
  for (const char *at = name; *at; at++) hash = hash * 33 + (unsigned char)*at;
  const uint32_t *table = object->gnu_hash;
  uint32_t bucket_count = table[0], first = table[1], bloom_size = table[2], shift = table[3];
  const ElfW(Addr) *bloom = (const void *)&table[4];
  const uint32_t *buckets = (const void *)&bloom[bloom_size];
  const uint32_t *chain = &buckets[bucket_count];
  ElfW(Addr) word = bloom[hash / __ELF_NATIVE_CLASS % bloom_size];
  if (!(word >> hash % __ELF_NATIVE_CLASS & word >> (hash >> shift) % __ELF_NATIVE_CLASS & 1)) return NULL;
  uint32_t symbol = buckets[hash % bucket_count];
  if (symbol < first) return NULL;
  for (;; symbol++) {
    uint32_t other = chain[symbol - first];
    if ((other | 1) == (hash | 1) && is_definition(object, symbol, name, version)) return &object->symbols[symbol];
    if (other & 1) return NULL;
  }
}

static const ElfW(Sym) * find_sysv(const eo_object *object, const char *name, const char *version) {
  uint32_t hash = 0;
  for (const char *at = name; *at; at++) {
    hash = (hash << 4) + (unsigned char)*at;
    hash = (hash ^ (hash & 0xf0000000) >> 24) & 0x0fffffff;
  }
  const uint32_t *buckets = &object->sysv_hash[2];
  const uint32_t *chain = &buckets[object->sysv_hash[0]];
  for (uint32_t symbol = buckets[hash % object->sysv_hash[0]]; symbol; symbol = chain[symbol]) {
    if (is_definition(object, symbol, name, version)) return &object->symbols[symbol];
  }
  return NULL;
}

const ElfW(Sym) * eo__object_find(const eo_object *object, const char *name, const char *version) {
  if (!object->symbols || !object->strings) return NULL;
  if (object->gnu_hash) return find_gnu(object, name, version);
  return object->sysv_hash ? find_sysv(object, name, version) : NULL;
}

uintptr_t eo__object_address(const eo_object *object, const ElfW(Sym) * definition) {
  uintptr_t address = definition->st_shndx == SHN_ABS ? definition->st_value : object->base + definition->st_value;
  if (ELF64_ST_TYPE(definition->st_info) != STT_GNU_IFUNC) return address;
#if defined(__aarch64__)
  extern unsigned long __getauxval(unsigned long);
  __ifunc_arg_t features = {sizeof(features), __getauxval(AT_HWCAP), __getauxval(AT_HWCAP2)};
  return ((uintptr_t(*)(uint64_t, const __ifunc_arg_t *))address)(features._hwcap | _IFUNC_ARG_HWCAP, &features);
#else
  return ((uintptr_t(*)(void))address)();
#endif
}
