/* segments.c: which parts of memory are the program's global variables (capture.h): the writable segments of the main
 * executable and of shared libraries that are the program's own, without what the loader makes read-only after
 * relocation and without the tool's own pages (EO_OWN); and what the program has allocated before the exploration
 * (early.h). */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "base/alloc.h"
#include "base/copies.h"
#include "base/early.h"
#include "base/map.h"
#include "base/object.h"
#include "subjects/actor/pages.h"

/* With a page-aligned variable in each, .data and .bss begin at a page: so they are apart from the table of library calls
 * (eo__page.table), which GNU ld puts before .data and lld before .bss. */
__attribute__((used, aligned(EO_PAGE))) static char begins_data[1] = {1};
__attribute__((used, aligned(EO_PAGE))) static char begins_bss[1];

extern char __start_eo_own[] __attribute__((weak, visibility("hidden")));
extern char __stop_eo_own[] __attribute__((weak, visibility("hidden")));

typedef struct search {
  eo_capture *capture;
  eo_error *error;
  bool first; /* the main executable comes first */
  int code;
} search;

static char *page_down(uintptr_t address) { return (char *)(address & ~(uintptr_t)(EO_PAGE - 1)); }
static char *page_up(uintptr_t address) { return page_down(address + EO_PAGE - 1); }

static bool holds(const struct dl_phdr_info *object, uintptr_t address) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz) return true;
  }
  return false;
}

static bool has(const struct dl_phdr_info *object, ElfW(Word) type) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    if (object->dlpi_phdr[i].p_type == type) return true;
  }
  return false;
}

static bool region_add(eo_capture *capture, char *from, char *to) {
  if (from >= to) return true;
  if (capture->region_count == EO__REGIONS) return false;
  capture->regions[capture->region_count++] = (eo__region){from, to, capture->global_count};
  capture->global_count += (size_t)(to - from) / EO_PAGE;
  return true;
}

/* [from, to) without the holes from `hole` on. */
static bool region_cut(eo_capture *capture, char *from, char *to, const eo__region *hole, size_t holes) {
  for (; holes; hole++, holes--) {
    if (hole->to <= from || hole->from >= to || hole->from >= hole->to) continue;
    return region_cut(capture, from, hole->from, hole + 1, holes - 1) &&
           region_cut(capture, hole->to, to, hole + 1, holes - 1);
  }
  return region_add(capture, from, to);
}

static bool add_object(eo_capture *capture, const struct dl_phdr_info *object) {
  eo__region holes[2] = {{page_down((uintptr_t)__start_eo_own), page_up((uintptr_t)__stop_eo_own), 0}};
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    /* As the loader does it: a last page that is only partly relro stays writable. */
    if (part->p_type == PT_GNU_RELRO) holes[1] = (eo__region){page_down(start), page_down(start + part->p_memsz), 0};
  }
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
    if (!region_cut(capture, page_down(start), page_up(start + part->p_memsz), holes, 2)) return false;
  }
  return true;
}

/* ---- Lazy binding ----------------------------------------------------------------------------------------------
 *
 * Unless it is linked with -z now, a program's calls into libraries are bound at their first execution, by a write to a
 * table (.got.plt) that often shares a page with variables. Undone by each reset it would be done again in each
 * execution, and it would look like a variable that processes share. So all of it is done before the baseline. */

/* The page of the table that we call by ourselves is never closed to reading: a handler of ours would fault in its own calls. We are linked
 * so that no variable lies there (begins_data). In other objects, such as a program that is linked with our shared library, variables
 * may lie in it: calls from there are then stepped while the page is closed. */

/* In a program that is not position-independent, the address of a library's function may be that of the program's own
 * stub for it, which must not be bound to itself. */
static uintptr_t target_of(const struct dl_phdr_info *object, const eo_object *from, size_t symbol) {
  void *const where[] = {RTLD_DEFAULT, RTLD_NEXT};
  const char *name = from->strings + from->symbols[symbol].st_name;
  const char *version = eo__object_needs_version(from, symbol);
  for (size_t i = 0; i < 2; i++) {
    uintptr_t target = (uintptr_t)(version ? dlvsym(where[i], name, version) : dlsym(where[i], name));
    if (target && (from->symbols[symbol].st_shndx != SHN_UNDEF || !holds(object, target))) return target;
  }
  return 0;
}

static void bind_all(eo_capture *capture, const struct dl_phdr_info *object) {
  eo_object from = eo__object_of(object);
  if (!from.symbols || !from.strings || !from.calls) return;
  eo__region *table = &capture->tables[capture->table_count];
  *table = (eo__region){(char *)UINTPTR_MAX, NULL, 0};
  for (size_t i = 0; i < from.call_count; i++) {
    const ElfW(Rela) *one = &from.calls[i];
    if (ELF64_R_TYPE(one->r_info) != EO_RELOCATION_CALL) continue;
    uintptr_t *place = (uintptr_t *)(object->dlpi_addr + one->r_offset);
    if ((char *)place < table->from) table->from = (char *)place;
    if ((char *)(place + 1) > table->to) table->to = (char *)(place + 1);
    if (!holds(object, *place)) continue; /* bound already: an unbound one leads back into its own object */
    uintptr_t target = target_of(object, &from, ELF64_R_SYM(one->r_info));
    if (target) *place = target;
  }
  if (table->to && holds(object, (uintptr_t)&eo__segments_open) && capture->table_count < EO__REGIONS - 1)
    capture->table_count++;
}

/* ---- What is the program's -------------------------------------------------------------------------------------- */

static int check_main(const struct dl_phdr_info *object, eo_error *error) {
  if (!has(object, PT_INTERP)) {
    return eo__error_set(error, EO_EINPUT,
                         "the program is linked statically, so the C library's variables cannot be distinguished from "
                         "its own: link it without -static");
  }
  if (__asan_init && holds(object, (uintptr_t)__asan_init)) {
    return eo__error_set(error, EO_EINPUT,
                         "the sanitizer's runtime is linked into the program, so its variables cannot be distinguished "
                         "from the program's: link with -shared-libasan");
  }
  if (((uintptr_t)__start_eo_own | (uintptr_t)__stop_eo_own) % EO_PAGE != 0) {
    return eo__error_set(error, EO_ESYSTEM,
                         "Everyorder's own variables share a page with the program's: was libeveryorder built with "
                         "-flto? Build it without");
  }
  return EO_OK;
}

bool eo__segments_is_programs(const struct dl_phdr_info *object) {
  return !eo__object_is_system(object->dlpi_name) && !holds(object, (uintptr_t)&eo__segments_open) &&
         object->dlpi_addr != getauxval(AT_BASE);
}

bool eo__segments_is_systems_code(uintptr_t pc) {
  Dl_info code;
  return dladdr((const void *)pc, &code) && eo__object_is_system(code.dli_fname);
}

static int too_many(eo_error *error) {
  return eo__error_set(error, EO_ESYSTEM, "the program has variables in more than %d places", EO__REGIONS);
}

static int visit(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  search *at = context;
  bool first = at->first;
  at->first = false;
  if (first) {
    at->code = check_main(object, at->error);
    if (at->code) return 1;
  } else if (!eo__segments_is_programs(object) && !eo__aside_is_cpp(object)) {
    return 0;
  }
  bind_all(at->capture, object);
  if (!eo__asides_add(at->capture, object, first)) {
    at->code = eo__error_nomem(at->error);
    return 1;
  }
  if (add_object(at->capture, object)) return 0;
  at->code = too_many(at->error);
  return 1;
}

static void *reserve(size_t size) {
  void *got = eo__map(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

/* What AddressSanitizer's code reads at the start of functions, handlers included; copied into the program's data. */
extern int __asan_option_detect_stack_use_after_return __attribute__((weak));

static bool holds_table(const eo_capture *capture, const char *page) {
  const char *option = (const char *)&__asan_option_detect_stack_use_after_return;
  if (option && option >= page && option < page + EO_PAGE) return true;
  for (size_t i = 0; i < capture->table_count; i++) {
    if (capture->tables[i].from < page + EO_PAGE && page < capture->tables[i].to) return true;
  }
  return false;
}

static void hold_lone(eo_capture *capture, uintptr_t page) {
  uintptr_t end = capture->lone_low + capture->lone_span;
  if (capture->lone_span == 0 || page + EO_PAGE > end) end = page + EO_PAGE;
  if (capture->lone_span == 0 || page < capture->lone_low) capture->lone_low = page;
  capture->lone_span = end - capture->lone_low;
}

/* Pages that are all zero are not written, so that a large .bss costs no memory. */
EO__RAW static void take_baseline(eo_capture *capture) {
  for (size_t i = 0; i < capture->region_count; i++) {
    const eo__region *region = &capture->regions[i];
    for (size_t j = 0; j < (size_t)(region->to - region->from) / EO_PAGE; j++) {
      eo__page *page = &capture->globals[region->first + j];
      page->address = region->from + j * EO_PAGE;
      page->global = true;
      page->table = holds_table(capture, page->address);
      page->lone = eo__copy_holds((uintptr_t)page->address);
      if (page->lone) hold_lone(capture, (uintptr_t)page->address);
      eo__asides_mark(capture, page);
      char *baseline = capture->baseline + (region->first + j) * EO_PAGE;
      if (!eo__bytes_are_zero(page->address, EO_PAGE)) eo__bytes_copy(baseline, page->address);
    }
  }
}

/* ---- Mappings ----------------------------------------------------------------------------------------------------- */

/* What is shared with a file or with other OS processes, our own workers among them, cannot be put back for us alone. */
static void add_mapping(void *context, const eo_mapping *mapping) {
  eo_capture *capture = context;
  enum { MOST = 256 << 20, SPARE = 8 };
  bool large = capture->global_count * EO_PAGE + (size_t)(mapping->to - mapping->from) > MOST;
  if (!large && !mapping->shared && !(mapping->protection & PROT_EXEC) && capture->region_count < EO__REGIONS - SPARE) {
    (void)region_add(capture, mapping->from, mapping->to);
    return;
  }
  eo__loose loose = {mapping->from, mapping->to, mapping->protection, false};
  if (!eo_vec_push(&capture->loose, loose) ||
      eo__protect(loose.from, (size_t)(loose.to - loose.from), loose.protection & ~PROT_WRITE) != 0)
    capture->strayed = true;
}

int eo__segments_open(eo_capture *capture, eo_error *error) {
  search at = {capture, error, true, EO_OK};
  eo__early_end();
  capture->early_ended = true;
  dl_iterate_phdr(visit, &at);
  if (at.code) return at.code;
  eo__asides_sort(capture);
  if (capture->counts_us) capture->region_count = capture->global_count = 0; /* a handler that counts must not fault */
  if (capture->global_count && !region_add(capture, EO__EARLY_AT, page_up((uintptr_t)eo__early_top())))
    return too_many(error);
  if (capture->global_count && !eo__mappings(add_mapping, capture)) capture->strayed = true;
  size_t count = capture->global_count ? capture->global_count : 1;
  capture->globals = reserve(count * sizeof(*capture->globals));
  capture->baseline = reserve(count * EO_PAGE);
  if (!capture->globals || !capture->baseline) return eo__error_nomem(error);
  take_baseline(capture);
  return EO_OK;
}

void eo__segments_close(eo_capture *capture) {
  if (capture->early_ended) eo__early_resume();
  eo_vec_release(&capture->asides);
  size_t count = capture->global_count ? capture->global_count : 1;
  if (capture->globals) munmap(capture->globals, count * sizeof(*capture->globals));
  if (capture->baseline) munmap(capture->baseline, count * EO_PAGE);
}

/* ---- Libraries that were loaded later ---------------------------------------------------------------------------- */

typedef struct late_search {
  const eo_capture *capture;
  bool first;
} late_search;

/* The last variable is behind what the loader makes read-only. */
static int visit_late(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  late_search *at = context;
  bool first = at->first;
  uintptr_t fixed = 0;
  at->first = false;
  if (first || !eo__segments_is_programs(object)) return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_GNU_RELRO) fixed = object->dlpi_addr + part->p_vaddr + part->p_memsz;
  }
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t last = object->dlpi_addr + part->p_vaddr + part->p_memsz - 1;
    if (part->p_type == PT_LOAD && part->p_flags & PF_W && last >= fixed &&
        !eo__capture_is_global(at->capture, (const void *)last))
      return 1;
  }
  return 0;
}

bool eo__segments_missing(const eo_capture *capture) {
  return dl_iterate_phdr(visit_late, &(late_search){capture, true});
}

/* ---- Thread-local variables -------------------------------------------------------------------------------------- */

/* Of a library that is loaded in the middle of the program, a thread has the variables from their first use on. */
typedef struct tls_index {
  unsigned long module, offset;
} tls_index;
extern void *__tls_get_addr(tls_index *index);

typedef struct thread_search {
  void (*found)(char *from, char *to, const char *image, size_t image_size);
  bool first;
} thread_search;

static int visit_thread(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  thread_search *at = context;
  bool first = at->first;
  at->first = false;
  for (int i = 0; i < object->dlpi_phnum && (first || eo__segments_is_programs(object)); i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_TLS) continue;
    char *from = object->dlpi_tls_data;
    if (!from) from = __tls_get_addr(&(tls_index){object->dlpi_tls_modid, 0});
    at->found(from, from + part->p_memsz, (const char *)object->dlpi_addr + part->p_vaddr, part->p_filesz);
  }
  return 0;
}

void eo__segments_threads(void (*found)(char *from, char *to, const char *image, size_t image_size)) {
  dl_iterate_phdr(visit_thread, &(thread_search){found, true});
}
