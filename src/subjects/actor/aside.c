/* aside.c: what lies among the program's variables and is none of them, although it is in the same pages (eo__aside):
 *
 * - Copies. A program that uses a variable of a library by its address (`stdout`, `std::cout`) has a place for it in its own .bss,
 *   by a copy relocation, and the library uses that place, too. Of a system library, it is still the library's business who
 *   uses the variable when; of a library that is the program's own, it is a variable like others.
 * - Variables of the C++ library (those in namespace std), which a program linked with -static-libstdc++ has in itself.
 * - All variables of the C++ library itself, which go back like the program's (its global locale, handlers).
 * - Counters of coverage, profiling and sanitizers, which every function changes. They say what was run, so that states which
 *   differ in them are the same state.
 *
 * Neither is watched for sharing, and counters are not hashed. Both go back at a reset like the rest of their page. */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/object.h"
#include "subjects/actor/pages.h"

static bool add(eo_capture *capture, uintptr_t from, size_t size, bool counters) {
  return size == 0 || eo_vec_push(&capture->asides, ((eo__aside){from, from + size, counters}));
}

/* ---- Copies ----------------------------------------------------------------------------------------------------- */

typedef struct wanted {
  const char *name, *version;
  bool first; /* the executable, which has the copy */
  bool system;
} wanted;

static int look_for_definition(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  wanted *at = context;
  bool first = at->first;
  at->first = false;
  if (first) return 0;
  eo_object object = eo__object_of(info);
  const ElfW(Sym) *found = eo__object_find(&object, at->name, at->version);
  if (!found) return 0;
  at->system = !eo__segments_is_programs(info);
  return 1;
}

/* Those of the C library that a program sets, and that mean something to all of it, are variables like its own. What the C library
 * writes by itself, again and again, is not among them (tzname, signgam). */
static bool is_for_programs(const char *name) {
  static const char *const names[] = {"optind",
                                      "opterr",
                                      "optopt",
                                      "optarg",
                                      "stdin",
                                      "stdout",
                                      "stderr",
                                      "environ",
                                      "_environ",
                                      "__environ",
                                      "program_invocation_name",
                                      "program_invocation_short_name",
                                      "__progname",
                                      "__progname_full",
                                      "error_one_per_line",
                                      "error_message_count",
                                      "error_print_progname",
                                      "obstack_alloc_failed_handler",
                                      "re_syntax_options"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool add_copies(eo_capture *capture, const struct dl_phdr_info *info) {
  eo_object object = eo__object_of(info);
  if (!object.symbols || !object.strings) return true;
  for (size_t i = 0; i < object.relocation_count; i++) {
    const ElfW(Rela) *one = &object.relocations[i];
    if (ELF64_R_TYPE(one->r_info) != EO_RELOCATION_COPY) continue;
    size_t symbol = ELF64_R_SYM(one->r_info);
    const ElfW(Sym) *copy = &object.symbols[symbol];
    wanted what = {object.strings + copy->st_name, eo__object_needs_version(&object, symbol), true, false};
    dl_iterate_phdr(look_for_definition, &what);
    if (what.system && !is_for_programs(what.name) && !add(capture, object.base + one->r_offset, copy->st_size, false))
      return false;
  }
  return true;
}

/* ---- Counters --------------------------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *const *prefixes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(text, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

static bool is_counter(const char *name) {
  static const char *const prefixes[] = {"__gcov", "__llvm_", "__prof", "__covrec", "__sancov", "__asan", "__odr_asan"};
  return name[0] == '_' && name[1] == '_' && starts(name, prefixes, sizeof prefixes / sizeof *prefixes);
}

/* Names in namespaces that are the C++ library's alone: its variables, those inside its functions, and their guards. And what
 * is local to the file of the library that makes the first locale. */
static bool is_cpp(const char *name, const char *file) {
  static const char *const prefixes[] = {"_ZSt",           "_ZNSt",         "_ZZNSt",
                                         "_ZZSt",          "_ZGVNSt",       "_ZGVZNSt",
                                         "_ZGVZSt",        "_ZN9__gnu_cxx", "_ZN14__gnu_internal",
                                         "_ZN10__cxxabiv1"};
  if (name[0] != '_' || name[1] != 'Z') return false;
  return starts(name, prefixes, sizeof prefixes / sizeof *prefixes) || strstr(file, "locale_init.") != NULL;
}

static bool is_counter_section(const char *name) {
  static const char *const prefixes[] = {"__llvm_prf_cnts", "__llvm_prf_bits", "__llvm_prf_data", "__llvm_prf_vnds",
                                         "__sancov_cntrs",  "__sancov_bools",  "__sancov_guards"};
  return name[0] == '_' && starts(name, prefixes, sizeof prefixes / sizeof *prefixes);
}

/* "__gcov0.NAME", "__profc_NAME": a function of ours is counted, perhaps one that a signal handler calls. */
static bool counts_us(const char *name) { return strstr(name, "eo__segments_open") != NULL; }

typedef struct image {
  const char *bytes;
  size_t size;
} image;

static const void *part(const image *file, uint64_t offset, uint64_t size) {
  return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

static bool add_symbols(eo_capture *capture, const image *file, uintptr_t base, const ElfW(Shdr) * table,
                        const ElfW(Shdr) * strings) {
  const ElfW(Sym) *symbols = part(file, table->sh_offset, table->sh_size);
  const char *names = part(file, strings->sh_offset, strings->sh_size);
  if (!symbols || !names || !strings->sh_size || names[strings->sh_size - 1]) return true;
  const char *source = ""; /* whose local symbols these are */
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
    const ElfW(Sym) *one = &symbols[i];
    if (one->st_name >= strings->sh_size) continue;
    const char *name = names + one->st_name;
    if (ELF64_ST_TYPE(one->st_info) == STT_FILE) source = name;
    if (ELF64_ST_TYPE(one->st_info) != STT_OBJECT || one->st_shndx == SHN_UNDEF) continue;
    bool counter = is_counter(name), local = ELF64_ST_BIND(one->st_info) == STB_LOCAL;
    if (!counter && !is_cpp(name, local ? source : "")) continue;
    capture->counts_us = capture->counts_us || (counter && counts_us(name));
    if (!add(capture, base + one->st_value, one->st_size, counter)) return false;
  }
  return true;
}

static bool add_counters(eo_capture *capture, const image *file, uintptr_t base) {
  const ElfW(Ehdr) *head = part(file, 0, sizeof *head);
  const ElfW(Shdr) *sections = head && head->e_shentsize == sizeof *sections
                                   ? part(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections)
                                   : NULL;
  if (!sections || head->e_shstrndx >= head->e_shnum) return true;
  const ElfW(Shdr) *strings = &sections[head->e_shstrndx];
  const char *names = part(file, strings->sh_offset, strings->sh_size);
  for (size_t i = 0; i < head->e_shnum; i++) {
    const ElfW(Shdr) *one = &sections[i];
    bool counters = names && one->sh_name < strings->sh_size && one->sh_flags & SHF_WRITE &&
                    is_counter_section(names + one->sh_name);
    if (counters && !add(capture, base + one->sh_addr, one->sh_size, true)) return false;
    if (one->sh_type == SHT_SYMTAB && one->sh_link < head->e_shnum &&
        !add_symbols(capture, file, base, one, &sections[one->sh_link]))
      return false;
  }
  return true;
}

static bool read_counters(eo_capture *capture, const char *path, uintptr_t base) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  struct stat about;
  bool done = true;
  if (descriptor < 0) return true;
  if (fstat(descriptor, &about) == 0 && about.st_size > 0) {
    void *bytes = eo__map(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      done = add_counters(capture, &(image){bytes, (size_t)about.st_size}, base);
      munmap(bytes, (size_t)about.st_size);
    }
  }
  close(descriptor);
  return done;
}

/* ---- The C++ library ------------------------------------------------------------------------------------------------ */

bool eo__aside_is_cpp(const struct dl_phdr_info *object) {
  const char *name = strrchr(object->dlpi_name, '/');
  return name && (strncmp(name, "/libstdc++", 10) == 0 || strncmp(name, "/libc++.", 8) == 0);
}

static bool add_whole(eo_capture *capture, const struct dl_phdr_info *object) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && part->p_flags & PF_W &&
        !add(capture, object->dlpi_addr + part->p_vaddr, part->p_memsz, false))
      return false;
  }
  return true;
}

/* ---- All of them -------------------------------------------------------------------------------------------------- */

bool eo__asides_add(eo_capture *capture, const struct dl_phdr_info *info, bool first) {
  if (!first && eo__aside_is_cpp(info)) return add_whole(capture, info);
  return (!first || add_copies(capture, info)) &&
         read_counters(capture, first ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr);
}

static int by_start(const void *left, const void *right) {
  const eo__aside *a = left, *b = right;
  return a->from < b->from ? -1 : a->from > b->from;
}

/* In order, and without overlaps: a section holds its symbols. */
void eo__asides_sort(eo_capture *capture) {
  size_t kept = 0;
  eo__aside *items = capture->asides.items;
  if (!capture->asides.count) return;
  qsort(items, capture->asides.count, sizeof *items, by_start);
  for (size_t i = 1; i < capture->asides.count; i++) {
    if (items[i].from >= items[kept].to)
      items[++kept] = items[i];
    else if (items[i].to > items[kept].to)
      items[kept].to = items[i].to;
  }
  capture->asides.count = kept + 1;
}

/* The first that ends behind this address. */
static const eo__aside *first_behind(const eo_capture *capture, uintptr_t address) {
  size_t low = 0, high = capture->asides.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (capture->asides.items[middle].to <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return capture->asides.items + low;
}

const eo__aside *eo__aside_at(const eo_capture *capture, uintptr_t address) {
  const eo__aside *at = first_behind(capture, address), *end = capture->asides.items + capture->asides.count;
  return at < end && at->from <= address ? at : NULL;
}

void eo__asides_mark(const eo_capture *capture, eo__page *page) {
  uintptr_t start = (uintptr_t)page->address;
  const eo__aside *at = first_behind(capture, start), *end = capture->asides.items + capture->asides.count;
  for (; at < end && at->from < start + EO_PAGE; at++) {
    page->asides = true;
    page->counts = page->counts || at->counters;
  }
}

void eo__asides_blank(const eo_capture *capture, const eo__page *page, char *bytes) {
  uintptr_t start = (uintptr_t)page->address, stop = start + EO_PAGE;
  const eo__aside *at = first_behind(capture, start), *end = capture->asides.items + capture->asides.count;
  for (; at < end && at->from < stop; at++) {
    uintptr_t from = at->from > start ? at->from : start, to = at->to < stop ? at->to : stop;
    if (at->counters) eo__bytes_zero(bytes + (from - start), to - from);
  }
}
