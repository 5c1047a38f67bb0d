/* symbols.c: names for addresses, by libdwfl on this very process (symbols.h). */
#include "subjects/actor/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/copies.h"
#include "base/vec.h"
#include "subjects/actor/symbols_inside.h"

typedef struct variable {
  uintptr_t start;
  size_t size;
  const char *name;
} variable;

/* Answers that were given: looking through all symbols each time would take longer than all else of describing a step. */
enum { SOURCES = 1024 };
typedef struct known_source {
  uintptr_t pc; /* 0: none */
  bool found;
  eo_source source;
} known_source;

struct eo_symbols {
  known_source sources[SOURCES]; /* by the low bits of the address */
  Dwfl *dwfl;
  Dwfl_Callbacks callbacks;
  EO_VEC(variable) variables; /* sorted by start; filled when first asked for */
  bool variables_read;
  eo_struct_types types;
  eo_enumerators enumerators;
  bool enumerators_read;
  const eo_fiber *fiber; /* whose stack is walked */
  bool attached;
  EO_VEC(char *) names; /* those that libdwfl does not keep for us */
};

bool eo__symbols_of_system(const char *path) {
  return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 || path[0] == '[';
}

/* The standard search may ask a server on the network for what it does not find; for the system's libraries, whose
 * lines few want to read, it is not worth the wait. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, const char *file,
                          const char *link, GElf_Word check, char **found) {
  int descriptor = dwfl_build_id_find_debuginfo(module, user, name, base, file, link, check, found);
  if (descriptor >= 0 || !name || eo__symbols_of_system(name)) return descriptor;
  return dwfl_standard_find_debuginfo(module, user, name, base, file, link, check, found);
}

static int find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, char **file, Elf **elf) {
  (void)module;
  (void)user;
  (void)base;
  (void)elf;
  int descriptor = open(name, O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) *file = eo__strdup(name);
  return descriptor;
}

typedef struct report {
  Dwfl *dwfl;
  bool first, failed;
} report;

/* The objects as the dynamic linker has loaded them. The list of mappings would not do: libdwfl itself maps files that it reads, and these
 * look there as if they were loaded twice. */
static int report_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  report *at = context;
  bool is_program = at->first || eo__copy_is(object->dlpi_addr);
  const char *path = is_program ? "/proc/self/exe" : object->dlpi_name;
  uintptr_t from = UINTPTR_MAX, to = 0;
  at->first = false;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD) continue;
    if (start < from) from = start & ~(uintptr_t)(part->p_align - 1);
    if (start + part->p_memsz > to) to = (start + part->p_memsz + part->p_align - 1) & ~(uintptr_t)(part->p_align - 1);
  }
  if (from >= to || strchr(path, '/') == NULL) return 0; /* the kernel's object */
  at->failed = dwfl_report_module(at->dwfl, path, from, to) == NULL;
  return at->failed;
}

static bool report_objects(Dwfl *dwfl) {
  report all = {dwfl, true, false};
  dwfl_report_begin(dwfl);
  dl_iterate_phdr(report_object, &all);
  return dwfl_report_end(dwfl, NULL, NULL) == 0 && !all.failed;
}

eo_symbols *eo__symbols_open(void) {
  eo_symbols *symbols = eo__alloc(sizeof(*symbols));
  if (!symbols) return NULL;
  symbols->callbacks.find_elf = find_elf;
  symbols->callbacks.find_debuginfo = find_debuginfo;
  symbols->dwfl = dwfl_begin(&symbols->callbacks);
  if (!symbols->dwfl || !report_objects(symbols->dwfl)) {
    eo__symbols_close(symbols);
    return NULL;
  }
  return symbols;
}

eo_struct_types *eo__symbols_types(eo_symbols *symbols) { return &symbols->types; }

eo_enumerators *eo__symbols_enumerators(eo_symbols *symbols, bool **read) {
  *read = &symbols->enumerators_read;
  return &symbols->enumerators;
}

bool eo__symbols_look_at(eo_symbols *symbols, const eo_fiber *fiber, const Dwfl_Thread_Callbacks *callbacks) {
  symbols->fiber = fiber;
  if (!symbols->attached) symbols->attached = dwfl_attach_state(symbols->dwfl, NULL, getpid(), callbacks, symbols);
  return symbols->attached;
}

const eo_fiber *eo__symbols_fiber(const eo_symbols *symbols) { return symbols->fiber; }

Dwfl *eo__symbols_dwfl(eo_symbols *symbols) { return symbols->dwfl; }

void eo__symbols_close(eo_symbols *symbols) {
  if (!symbols) return;
  if (symbols->dwfl) dwfl_end(symbols->dwfl);
  for (size_t i = 0; i < symbols->names.count; i++) eo__free(symbols->names.items[i]);
  eo_vec_release(&symbols->names);
  eo_vec_release(&symbols->types);
  eo_vec_release(&symbols->enumerators);
  eo_vec_release(&symbols->variables);
  eo__free(symbols);
}

/* A copy of the first `length` bytes, or if there is no memory the whole, which is not wrong either. */
static const char *keep_name(eo_symbols *symbols, const char *name, size_t length) {
  char *kept = name[length] ? eo__strdup(name) : NULL;
  if (!kept) return name;
  kept[length] = '\0';
  if (eo_vec_push(&symbols->names, kept)) return kept;
  eo__free(kept);
  return name;
}

/* The C++ library's, if the program has it. */
extern char *__cxa_demangle(const char *name, char *room, size_t *size, int *status) __attribute__((weak));

/* As the programmer wrote it: "guard variable for f()::x" for _ZGVZ1fvE1x, "std::cout" for _ZSt4cout@GLIBCXX_3.4. */
static const char *plain_name(eo_symbols *symbols, const char *name) {
  int status = -1;
  if (name[0] != '_' || name[1] != 'Z' || !__cxa_demangle) return name;
  char *plain = __cxa_demangle(keep_name(symbols, name, strcspn(name, "@")), NULL, NULL, &status);
  if (plain && eo_vec_push(&symbols->names, plain)) return plain;
  eo__free(plain);
  return name;
}

/* Without the types of its parameters: "worker" of "worker(void*)". */
static const char *short_name(eo_symbols *symbols, const char *name) {
  size_t length = strlen(name), open = 0;
  if (length == 0 || name[length - 1] != ')') return name;
  for (size_t i = length, depth = 0; i-- > 0 && open == 0;) {
    depth += name[i] == ')';
    depth -= name[i] == '(';
    if (depth == 0) open = i;
  }
  bool is_operator = open >= 8 && strncmp(name + open - 8, "operator", 8) == 0;
  return open > 0 && !is_operator ? keep_name(symbols, name, open) : name;
}

/* Compilers append ".cold", ".part.1" and the like to what the programmer wrote, and libraries "@GLIBC_2.34". */
static const char *function_name(eo_symbols *symbols, const char *name) {
  size_t length = strcspn(name, ".@");
  return length ? keep_name(symbols, name, length) : name;
}

/* A static variable of a function is "name.0" to gcc, "function.name" or "function.name.1" to clang. */
static const char *variable_name(eo_symbols *symbols, const char *name) {
  size_t length = strcspn(name, "@"); /* behind it: a version */
  for (size_t i = length; i-- > 1 && ((name[i] >= '0' && name[i] <= '9') || name[i] == '.');) {
    if (name[i] == '.') length = i;
  }
  size_t start = length;
  while (start > 0 && name[start - 1] != '.') start--;
  return start < length ? keep_name(symbols, name + start, length - start) : name;
}

/* By the table of addresses; else, since clang writes none, by looking at each unit. Where only some units are in the
 * table, libdwfl takes what lies between two of them for a part of the first, so its answer is checked. */
Dwarf_Die *eo__symbols_unit(eo_symbols *symbols, uintptr_t pc, Dwarf_Addr *bias) {
  Dwfl_Module *module = dwfl_addrmodule(symbols->dwfl, pc);
  Dwarf_Die *unit = module ? dwfl_module_addrdie(module, pc, bias) : NULL;
  if (!module || (unit && dwarf_haspc(unit, pc - *bias) == 1)) return unit;
  unit = NULL;
  while ((unit = dwfl_module_nextcu(module, unit, bias)))
    if (dwarf_haspc(unit, pc - *bias) == 1) return unit;
  return NULL;
}

static const char *unit_text(Dwarf_Die *unit, unsigned attribute) {
  Dwarf_Attribute found;
  const char *text = unit && dwarf_attr(unit, attribute, &found) ? dwarf_formstring(&found) : NULL;
  return text ? text : "";
}

typedef struct each_unit {
  bool (*visit)(Dwarf_Die *unit, Dwarf_Addr bias, void *context);
  void *context;
  const char *folder; /* where the units that are left out were compiled; "": none is */
  bool ended;
} each_unit;

/* There are hundreds of units of ours, with more in them than most programs have, and nothing that a program could mean. */
static bool is_ours(Dwarf_Die *unit, const char *folder) {
  return *folder && strncmp(unit_text(unit, DW_AT_name), "src/", 4) == 0 &&
         strcmp(unit_text(unit, DW_AT_comp_dir), folder) == 0;
}

static int visit_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, void *context) {
  (void)user, (void)base;
  each_unit *each = context;
  Dwarf_Addr bias;
  if (eo__symbols_of_system(name)) return DWARF_CB_OK;
  for (Dwarf_Die *unit = NULL; !each->ended && (unit = dwfl_module_nextcu(module, unit, &bias));)
    each->ended = !is_ours(unit, each->folder) && each->visit(unit, bias, each->context);
  return each->ended ? DWARF_CB_ABORT : DWARF_CB_OK;
}

bool eo__symbols_each_unit(eo_symbols *symbols, bool with_ours,
                           bool (*visit)(Dwarf_Die *unit, Dwarf_Addr bias, void *context), void *context) {
  Dwarf_Addr bias;
  Dwarf_Die *own = with_ours ? NULL : eo__symbols_unit(symbols, (uintptr_t)eo__symbols_each_unit, &bias);
  each_unit each = {visit, context, unit_text(own, DW_AT_comp_dir), false};
  dwfl_getmodules(symbols->dwfl, visit_module, &each, 0);
  return each.ended;
}

static const char *search_units(eo_symbols *symbols, uintptr_t pc, int *number) {
  Dwarf_Addr bias;
  Dwarf_Die *unit = eo__symbols_unit(symbols, pc, &bias);
  Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, pc - bias) : NULL;
  if (!line || dwarf_lineno(line, number) != 0) return NULL;
  return dwarf_linesrc(line, NULL, NULL);
}

static bool find_source(eo_symbols *symbols, uintptr_t pc, eo_source *source) {
  *source = (eo_source){"", "", 0};
  Dwfl_Module *module = dwfl_addrmodule(symbols->dwfl, pc);
  if (!module) return false;
  GElf_Off offset;
  GElf_Sym symbol;
  const char *function = dwfl_module_addrinfo(module, pc, &offset, &symbol, NULL, NULL, NULL);
  /* Without symbols of its own an address is given the name before it, however far away. */
  if (function && (symbol.st_size == 0 || offset < symbol.st_size))
    source->function = short_name(symbols, plain_name(symbols, function_name(symbols, function)));
  const char *file = search_units(symbols, pc, &source->line);
  if (file) source->file = file;
  return source->function[0] != '\0' || source->line != 0;
}

bool eo__symbols_source(eo_symbols *symbols, uintptr_t pc, eo_source *source) {
  known_source *known = &symbols->sources[pc % SOURCES];
  if (known->pc != pc || pc == 0) {
    known->pc = pc;
    known->found = find_source(symbols, pc, &known->source);
  }
  *source = known->source;
  return known->found;
}

/* ---- Variables ------------------------------------------------------------------------------------------------ */

static int read_variables(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, void *context) {
  (void)user;
  (void)base;
  eo_symbols *symbols = context;
  if (eo__symbols_of_system(name)) return DWARF_CB_OK;
  int count = dwfl_module_getsymtab(module);
  Dwarf_Addr low;
  dwfl_module_info(module, NULL, &low, NULL, NULL, NULL, NULL, NULL);
  for (int i = 1; i < count; i++) {
    GElf_Sym symbol;
    GElf_Addr address;
    GElf_Word section;
    const char *text = dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL, NULL);
    int type = GELF_ST_TYPE(symbol.st_info);
    if (!text || !*text || symbol.st_size == 0 || section == SHN_UNDEF) continue;
    if (type != STT_OBJECT && type != STT_COMMON) continue;
    if (address < low) continue; /* in a part of the file that is not loaded */
    variable one = {(uintptr_t)address, symbol.st_size, variable_name(symbols, text)};
    if (!eo_vec_push(&symbols->variables, one)) return DWARF_CB_ABORT;
  }
  return DWARF_CB_OK;
}

/* Aliases of one object: the longest name's extent first, then by name, so that the answer does not depend on the order
 * of the symbol table. */
static int by_start(const void *left, const void *right) {
  const variable *a = left, *b = right;
  if (a->start != b->start) return a->start < b->start ? -1 : 1;
  if (a->size != b->size) return a->size > b->size ? -1 : 1;
  return strcmp(a->name, b->name);
}

static void read_all_variables(eo_symbols *symbols) {
  if (symbols->variables_read) return;
  symbols->variables_read = true;
  dwfl_getmodules(symbols->dwfl, read_variables, symbols, 0);
  if (symbols->variables.count) qsort(symbols->variables.items, symbols->variables.count, sizeof(variable), by_start);
}

uintptr_t eo__symbols_next_variable(eo_symbols *symbols, const char *name, size_t *at) {
  read_all_variables(symbols);
  while (*at < symbols->variables.count) {
    const variable *one = &symbols->variables.items[(*at)++];
    if (strcmp(one->name, name) == 0 || (one->name[0] == '_' && strstr(one->name, name))) return one->start;
  }
  return 0;
}

bool eo__symbols_variable(eo_symbols *symbols, uintptr_t address, const char **name, uintptr_t *start, size_t *size) {
  read_all_variables(symbols);
  size_t low = 0, high = symbols->variables.count;
  while (low < high) { /* the first that starts behind the address */
    size_t middle = low + (high - low) / 2;
    if (symbols->variables.items[middle].start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return false;
  variable *found = &symbols->variables.items[low - 1];
  while (found > symbols->variables.items && found[-1].start == found->start) found--;
  if (address - found->start >= found->size) return false;
  if (found->name[0] == '_') found->name = plain_name(symbols, found->name);
  *name = found->name;
  *start = found->start;
  *size = found->size;
  return true;
}
