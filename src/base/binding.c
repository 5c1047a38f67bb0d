/* binding.c: see binding.h. Like object.c, this calls no function of the C library by a name that a program may define:
 * scripts/seal checks both. */
#include "base/binding.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "base/object.h"
#include "base/own.h"

/* gcc would make calls of `strlen` out of loops. */
#if !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* There where scripts/seal has made them: in the static library that is installed. */
#define HIDDEN_WEAK __attribute__((weak, visibility("hidden")))
extern eo__slot eo__slots[] HIDDEN_WEAK, eo__streams[] HIDDEN_WEAK;
extern const eo__stand_in eo__stand_ins[] HIDDEN_WEAK;
extern const char *const eo__stands_on[] HIDDEN_WEAK; /* names of libraries, ended by NULL */
#pragma weak _DYNAMIC /* of the object that this code is in; a program that is linked statically has none */

extern ssize_t __write(int, const void *, size_t);

/* glibc loads the library of this function when somebody first asks for a backtrace. That would be too late for us to know
 * it as one that the tool stands on. */
__attribute__((used)) static __typeof__(&_Unwind_Backtrace) const unwinds = _Unwind_Backtrace;

typedef enum role {
  BYSTANDER, /* the system's, but the tool does not need it: a sanitizer, the C++ library */
  PROGRAM,   /* the program under test; also the tool, where that is linked into the executable */
  TOOL,      /* the tool's shared library */
  GROUND     /* a library that the tool stands on */
} role;

typedef struct loaded {
  eo_object object;
  role role;
} loaded;

/* All objects of the process, in the order in which the dynamic linker looks for names: the executable is the first. */
typedef struct process {
  loaded *objects;
  size_t count;
  int (*protect)(void *, size_t, int); /* mprotect */
} process;

#define STATIC                                                                                                    \
  "the program is linked statically, so the C library's variables cannot be distinguished from its own: link it " \
  "without "                                                                                                      \
  "-static"
#define MISSING "the libraries on this system are not those that Everyorder was built with: there is no "
#define CLOSED "cannot correct a table of addresses of "

static void print(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  (void)!__write(STDERR_FILENO, text, length);
}

__attribute__((noreturn)) static void fail(const char *text, const char *name) {
  print("everyorder: ");
  print(text);
  print(name);
  print("\n");
  _Exit(2);
}

/* What the dynamic linker tells debuggers. Read through the table of addresses, lest the executable gets a copy of it. */
static const struct r_debug *linker_state(void) {
  const struct r_debug *state;
#if defined(__x86_64__)
  __asm__("movq _r_debug@GOTPCREL(%%rip), %0" : "=r"(state));
#else
  __asm__("adrp %0, :got:_r_debug\n\tldr %0, [%0, :got_lo12:_r_debug]" : "=r"(state));
#endif
  return state;
}

/* ---- Who is who ------------------------------------------------------------------------------------------------- */

/* False: no such library is loaded. */
static bool ground_add(process *all, const char *file) {
  for (size_t i = 1; i < all->count; i++) {
    loaded *one = &all->objects[i];
    if (!eo__object_same(one->object.name, file)) continue;
    if (one->role != TOOL) one->role = GROUND;
    return true;
  }
  return false;
}

static void ground_add_needed(process *all, const eo_object *object) {
  for (const ElfW(Dyn) *at = object->dynamic; at && object->strings && at->d_tag != DT_NULL; at++) {
    if (at->d_tag == DT_NEEDED) ground_add(all, object->strings + at->d_un.d_val);
  }
}

/* A library is loaded after one that needs it, but for circles, which do not matter here. Returns a library that the tool
 * stands on and that is not loaded, or NULL. */
static const char *roles_find(process *all) {
  for (size_t i = 0; i < all->count; i++) {
    loaded *one = &all->objects[i];
    one->role = i == 0 || !eo__object_is_system(one->object.path) ? PROGRAM : BYSTANDER;
    if (i > 0 && one->object.dynamic == _DYNAMIC) one->role = TOOL;
  }
  for (const char *const *file = eo__stands_on; file && *file; file++) {
    if (!ground_add(all, *file)) return *file;
  }
  ground_add(all, "libdebuginfod.so.1"); /* where there is one, libdw loads it without naming it as needed */
  for (size_t i = 1; i < all->count; i++) {
    if (all->objects[i].role >= TOOL) ground_add_needed(all, &all->objects[i].object);
  }
  return NULL;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static int order_of(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

/* They are in alphabetical order (scripts/seal). */
static const eo__stand_in *stand_in_find(const char *name) {
  EO_OWN static size_t count;
  while (eo__stand_ins && eo__stand_ins[count].name) count++;
  for (size_t low = 0, high = count; low < high;) {
    size_t middle = low + (high - low) / 2;
    int order = order_of(name, eo__stand_ins[middle].name);
    if (order == 0) return &eo__stand_ins[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

/* Whom a name means when the program's objects are left out; 0: nobody. */
static uintptr_t meant(const process *all, const char *name, const char *version) {
  const eo__stand_in *own = stand_in_find(name);
  if (own) return own->address;
  for (size_t i = 0; i < all->count; i++) {
    const loaded *one = &all->objects[i];
    if (one->role == PROGRAM) continue;
    const ElfW(Sym) *found = eo__object_find(&one->object, name, version);
    if (found && ELF64_ST_TYPE(found->st_info) != STT_TLS) return eo__object_address(&one->object, found);
  }
  return 0;
}

/* A variable of a library that the executable has taken a copy of: everybody uses that one. */
static bool is_copy(const eo_object *object, const ElfW(Sym) * symbol) {
  for (size_t i = 0; i < object->relocation_count; i++) {
    const ElfW(Rela) *one = &object->relocations[i];
    if (ELF64_R_TYPE(one->r_info) == EO_RELOCATION_COPY && one->r_offset == symbol->st_value) return true;
  }
  return false;
}

/* Rules out almost all names, and fast. */
static bool program_defines(const process *all, const char *name) {
  for (size_t i = 0; i < all->count; i++) {
    if (all->objects[i].role == PROGRAM && eo__object_find(&all->objects[i].object, name, NULL)) return true;
  }
  return false;
}

/* Has the dynamic linker given everybody a definition of the program's own for this name? */
static bool is_taken(const process *all, const char *name, const char *version) {
  for (size_t i = 0; i < all->count; i++) {
    const loaded *one = &all->objects[i];
    const ElfW(Sym) *found = eo__object_find(&one->object, name, version);
    if (!found) continue;
    const eo__stand_in *own = stand_in_find(name);
    if (one->role != PROGRAM || (own && one->object.base + found->st_value == own->address)) return false;
    return !is_copy(&one->object, found);
  }
  return false;
}

/* ---- Slots ------------------------------------------------------------------------------------------------------ */

static void slots_fill(const process *all) {
  for (eo__slot *slot = eo__slots; slot->name; slot++) {
    uintptr_t target = meant(all, slot->name, slot->version);
    if (!target) fail(MISSING, slot->name);
    slot->target = target;
  }
  for (eo__slot *stream = eo__streams; stream->name; stream++) {
    uintptr_t target = meant(all, stream->name, stream->version);
    if (!target) fail(MISSING, stream->name);
    stream->target = *(const uintptr_t *)target;
  }
}

/* ---- Tables of addresses ---------------------------------------------------------------------------------------- */

#define PAGE ((uintptr_t)4096)

typedef struct range {
  uintptr_t from, to;
} range;

/* Of a shared library: the part of this type (and with these flags). */
static range part_of(const eo_object *object, ElfW(Word) type, ElfW(Word) flags) {
  const ElfW(Ehdr) *header = (const void *)object->base;
  const ElfW(Phdr) *parts = (const void *)(object->base + header->e_phoff);
  range found = {0, 0};
  for (unsigned i = 0; i < header->e_phnum; i++) {
    if (parts[i].p_type != type || (parts[i].p_flags & flags) != flags) continue;
    found.from = object->base + parts[i].p_vaddr;
    found.to = found.from + parts[i].p_memsz;
  }
  return found;
}

/* What the dynamic linker has made read-only after relocation; as it does, without a last page that is only partly so. */
static range read_only_of(const eo_object *object) {
  range found = part_of(object, PT_GNU_RELRO, 0);
  return (range){found.from & ~(PAGE - 1), found.to & ~(PAGE - 1)};
}

static void entry_set(const process *all, const eo_object *object, uintptr_t *entry, uintptr_t target) {
  uintptr_t page = (uintptr_t)entry & ~(PAGE - 1);
  range read_only = read_only_of(object);
  bool closed = page >= read_only.from && page < read_only.to;
  if (closed && all->protect((void *)page, PAGE, PROT_READ | PROT_WRITE) != 0) fail(CLOSED, object->path);
  *entry = target;
  if (closed) all->protect((void *)page, PAGE, PROT_READ);
}

static void entries_correct(const process *all, const eo_object *object, const ElfW(Rela) * relocations, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ElfW(Rela) *one = &relocations[i];
    size_t symbol = ELF64_R_SYM(one->r_info), type = ELF64_R_TYPE(one->r_info);
    if (!symbol || (type != EO_RELOCATION_CALL && type != EO_RELOCATION_ADDRESS && type != EO_RELOCATION_WORD))
      continue;
    const char *name = object->strings + object->symbols[symbol].st_name;
    if (!program_defines(all, name)) continue;
    const char *version = eo__object_needs_version(object, symbol);
    if (!is_taken(all, name, version)) continue;
    uintptr_t target = meant(all, name, version);
    if (!target) continue;
    if (type == EO_RELOCATION_WORD) target += (uintptr_t)one->r_addend;
    entry_set(all, object, (uintptr_t *)(object->base + one->r_offset), target);
  }
}

/* The dynamic linker calls the program's allocator, if it has one, by addresses that it keeps in variables. */
static void linker_correct(const process *all, const eo_object *linker) {
  static const char *const names[] = {"malloc", "calloc", "realloc", "free"};
  range read_only = read_only_of(linker);
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    const ElfW(Sym) *theirs = eo__object_find(&all->objects[0].object, names[i], NULL);
    uintptr_t ours = meant(all, names[i], NULL);
    if (!theirs || !ours || !is_taken(all, names[i], NULL)) continue;
    for (uintptr_t at = read_only.from; at < read_only.to; at += sizeof(uintptr_t)) {
      uintptr_t *word = (uintptr_t *)at;
      if (*word == all->objects[0].object.base + theirs->st_value) entry_set(all, linker, word, ours);
    }
  }
}

/* The code of libraries that use our allocator though the program has its own. */
EO_OWN static range apart[32];
EO_OWN static size_t apart_count;

bool eo__bound_apart(const void *code) {
  for (size_t i = 0; i < apart_count; i++) {
    if ((uintptr_t)code >= apart[i].from && (uintptr_t)code < apart[i].to) return true;
  }
  return false;
}

static void tables_correct(process *all) {
  all->protect = (int (*)(void *, size_t, int))meant(all, "mprotect", NULL);
  if (!all->protect) fail(MISSING, "mprotect");
  bool own_malloc = is_taken(all, "malloc", NULL);
  for (size_t i = 1; i < all->count; i++) {
    const eo_object *object = &all->objects[i].object;
    if (all->objects[i].role < TOOL || !object->symbols || !object->strings) continue;
    entries_correct(all, object, object->relocations, object->relocation_count);
    entries_correct(all, object, object->calls, object->call_count);
    if (object->base == linker_state()->r_ldbase) linker_correct(all, object);
    if (own_malloc && apart_count < sizeof(apart) / sizeof(*apart))
      apart[apart_count++] = part_of(object, PT_LOAD, PF_X);
  }
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

/* The next object from here on in which names are looked for: not the kernel's. */
static const struct link_map *with_names(const struct link_map *at) {
  while (at && eo__object_same(at->l_name, "linux-vdso.so.1")) at = at->l_next;
  return at;
}

/* Returns a library that must be loaded first, or NULL when all is done. */
static const char *bind_with(const struct link_map *first) {
  process all = {.count = 1};
  for (const struct link_map *at = first; (at = with_names(at->l_next));) all.count++;
  all.objects = __builtin_alloca(all.count * sizeof(*all.objects));
  const struct link_map *at = first;
  for (size_t i = 0; i < all.count; i++, at = with_names(at->l_next))
    all.objects[i].object = eo__object_read(at->l_addr, at->l_name, at->l_ld);
  const char *missing = roles_find(&all);
  if (missing) {
    void *(*load)(const char *, int) = (void *(*)(const char *, int))meant(&all, "dlopen", NULL);
    if (!load || !load(missing, RTLD_LAZY)) fail(MISSING, missing);
    return missing;
  }
  if (eo__slots) slots_fill(&all);
  tables_correct(&all);
  return NULL;
}

EO_OWN static bool begun, done;

static void bind_all(void) {
  const struct link_map *first = linker_state()->r_map;
  /* Tests look inside a static library that is not sealed, and have no names that clash. */
  if (!eo__slots && (!first || first->l_ld == _DYNAMIC)) return;
  if (!first || !first->l_next) fail(STATIC, "");
  /* The linker leaves a library out if the program defines the one name by which we ask for it (scripts/seal). */
  while (bind_with(first)) continue;
}

__attribute__((constructor(101))) void eo__bind(void) {
  if (begun) return;
  begun = true;
  bind_all();
  done = true;
}

bool eo__bound(void) { return done; }

uintptr_t eo__bound_next(const char *name) {
  bool behind_us = false; /* a sanitizer comes before us, and its functions call the next ones: ours */
  for (const struct link_map *at = linker_state()->r_map; at; at = with_names(at->l_next)) {
    eo_object object = eo__object_read(at->l_addr, at->l_name, at->l_ld);
    behind_us = behind_us || object.dynamic == _DYNAMIC;
    if (!behind_us || object.dynamic == _DYNAMIC || !eo__object_is_system(object.path)) continue;
    const ElfW(Sym) *found = eo__object_find(&object, name, NULL);
    if (found) return eo__object_address(&object, found);
  }
  return 0;
}
