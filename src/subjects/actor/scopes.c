/* scopes.c: see scopes.h. */
#include "subjects/actor/scopes.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subjects/actor/symbols_inside.h"
#include "subjects/actor/values.h"

/* The innermost function or block with this address, wherever it is described. */
static bool find_code(Dwarf_Die *within, Dwarf_Addr pc, Dwarf_Die *found) {
  Dwarf_Die die;
  for (int more = dwarf_child(within, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    bool has_it = dwarf_haspc(&die, pc) > 0;
    if (has_it) *found = die;
    if ((dwarf_haschildren(&die) && find_code(&die, pc, found)) || has_it) return true;
  }
  return false;
}

void eo__scope_open(eo_scope *scope, eo_symbols *symbols, uintptr_t pc) {
  Dwarf_Addr bias;
  Dwarf_Die code;
  *scope = (eo_scope){.symbols = symbols};
  Dwarf_Die *unit = pc ? eo__symbols_unit(symbols, pc, &bias) : NULL;
  if (unit) scope->count = dwarf_getscopes(unit, pc - bias, &scope->scopes);
  if (unit && scope->count <= 1 &&
      find_code(unit, pc - bias, &code)) { /* a lambda: described inside another function */
    if (scope->count > 0) free(scope->scopes);
    scope->count = dwarf_getscopes_die(&code, &scope->scopes);
  }
  if (scope->count <= 0) scope->scopes = NULL, scope->count = 0;
}

static bool is_at(Dwarf_Die *die, Dwarf_Addr address) {
  Dwarf_Attribute location, pooled;
  Dwarf_Op *operations;
  size_t count;
  Dwarf_Addr at;
  if (dwarf_tag(die) != DW_TAG_variable || !dwarf_attr(die, DW_AT_location, &location)) return false;
  if (dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) return false;
  if (operations[0].atom == DW_OP_addr) return operations[0].number == address;
  return operations[0].atom == DW_OP_addrx && dwarf_getlocation_attr(&location, operations, &pooled) == 0 &&
         dwarf_formaddr(&pooled, &at) == 0 && at == address;
}

static bool find_static(Dwarf_Die *within, Dwarf_Addr address, Dwarf_Die *found) {
  for (int more = dwarf_child(within, found); more == 0; more = dwarf_siblingof(found, found)) {
    Dwarf_Die inner;
    if (is_at(found, address)) return true;
    if (dwarf_haschildren(found) && find_static(found, address, &inner)) {
      *found = inner;
      return true;
    }
  }
  return false;
}

typedef struct static_search {
  uintptr_t address;
  Dwarf_Die die;
} static_search;

static bool search_statics(Dwarf_Die *unit, Dwarf_Addr bias, void *context) {
  static_search *search = context;
  return find_static(unit, search->address - bias, &search->die);
}

void eo__scope_open_static(eo_scope *scope, eo_symbols *symbols, uintptr_t address) {
  static_search search = {.address = address};
  *scope = (eo_scope){.symbols = symbols};
  if (eo__symbols_each_unit(symbols, false, search_statics, &search))
    scope->count = dwarf_getscopes_die(&search.die, &scope->scopes);
  if (scope->count <= 0) scope->scopes = NULL, scope->count = 0;
}

void eo__scope_close(eo_scope *scope) {
  free(scope->scopes);
  *scope = (eo_scope){0};
}

/* ---- Variables and members -------------------------------------------------------------------------------------- */

bool eo__scope_member(Dwarf_Die *type, const char *name, Dwarf_Die *member) {
  Dwarf_Die plain = *type, die;
  if (!eo__type_strip(&plain, NULL)) return false;
  for (int more = dwarf_child(&plain, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    int tag = dwarf_tag(&die);
    const char *own = dwarf_diename(&die);
    Dwarf_Die inner;
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !eo__type_of(&die, &inner)) continue;
    if (tag == DW_TAG_member && own && strcmp(own, name) == 0) {
      *member = inner;
      return true;
    }
    if ((tag == DW_TAG_inheritance || !own) && eo__scope_member(&inner, name, member)) return true;
  }
  return false;
}

/* A function of the unit, or of a namespace of it. */
static bool find_function(Dwarf_Die *within, const char *name, Dwarf_Die *function) {
  Dwarf_Die die;
  for (int more = dwarf_child(within, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    const char *own = dwarf_diename(&die);
    if (dwarf_tag(&die) == DW_TAG_subprogram && own && strcmp(own, name) == 0) {
      *function = die;
      return true;
    }
    if (dwarf_tag(&die) == DW_TAG_namespace && find_function(&die, name, function)) return true;
  }
  return false;
}

static bool find_variable(Dwarf_Die *within, const char *name, Dwarf_Die *found) {
  for (int more = dwarf_child(within, found); more == 0; more = dwarf_siblingof(found, found)) {
    int tag = dwarf_tag(found);
    const char *own = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_diename(found) : NULL;
    if (own && strcmp(own, name) == 0) return true;
  }
  return false;
}

/* Where a function was inlined, what the compiler has left out is written only where the function is described as such. */
static Dwarf_Die *origin_of(Dwarf_Die *scope, Dwarf_Die *origin) {
  Dwarf_Attribute attribute;
  return dwarf_attr(scope, DW_AT_abstract_origin, &attribute) ? dwarf_formref_die(&attribute, origin) : NULL;
}

bool eo__scope_variable(const eo_scope *scope, const char *name, Dwarf_Die *type, bool *constant) {
  Dwarf_Die die, origin, self, object;
  char captured[128];
  for (int i = 0; i < scope->count; i++) {
    Dwarf_Die *within = &scope->scopes[i];
    if (!find_variable(within, name, &die) && !(origin_of(within, &origin) && find_variable(&origin, name, &die)))
      continue;
    /* The compiler may have found out the value of a local variable as well: that makes it no constant. */
    *constant = dwarf_hasattr_integrate(&die, DW_AT_const_expr) ||
                (i + 1 == scope->count && dwarf_hasattr_integrate(&die, DW_AT_const_value));
    return eo__type_of(&die, type);
  }
  *constant = false;
  if (!scope->scopes) return false;
  snprintf(captured, sizeof captured, "__%.120s", name); /* by a lambda, as gcc calls it */
  for (int i = 0; i < scope->count; i++)
    if ((find_variable(&scope->scopes[i], "this", &die) || find_variable(&scope->scopes[i], "__closure", &die)) &&
        eo__type_of(&die, &self) && eo__type_strip(&self, NULL) && eo__type_of(&self, &object) &&
        (eo__scope_member(&object, name, type) || eo__scope_member(&object, captured, type)))
      return true;
  return find_function(&scope->scopes[scope->count - 1], name, &die) && eo__type_of(&die, type);
}

/* ---- Types ------------------------------------------------------------------------------------------------------ */

static bool is_type(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type || tag == DW_TAG_base_type;
}

static bool holds_types(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* Among the children of this one, and of namespaces and classes in it. */
static bool find_type(Dwarf_Die *within, const char *name, Dwarf_Die *type) {
  Dwarf_Die die;
  for (int more = dwarf_child(within, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    int tag = dwarf_tag(&die);
    const char *own = is_type(tag) ? dwarf_diename(&die) : NULL;
    Dwarf_Die plain = die;
    size_t size;
    if (own && strcmp(own, name) == 0 && eo__type_strip(&plain, NULL) && eo__type_size(&plain, &size)) {
      *type = die;
      return true;
    }
    if (holds_types(tag) && find_type(&die, name, type)) return true;
  }
  return false;
}

typedef struct type_search {
  const char *name;
  bool only_numbers;
  Dwarf_Die *type;
} type_search;

static bool search_types(Dwarf_Die *unit, Dwarf_Addr bias, void *context) {
  (void)bias;
  type_search *search = context;
  return find_type(unit, search->name, search->type) &&
         !(search->only_numbers && dwarf_tag(search->type) != DW_TAG_base_type);
}

bool eo__scope_type(const eo_scope *scope, const char *name, Dwarf_Die *type) {
  for (int i = 0; i < scope->count; i++) {
    Dwarf_Die origin, *within = &scope->scopes[i];
    if (find_type(within, name, type) || (origin_of(within, &origin) && find_type(&origin, name, type))) return true;
  }
  /* Without debug information of the place, a struct of that name is anybody's; an int is an int, also one of ours. */
  type_search search = {.name = name, .type = type, .only_numbers = !scope->scopes};
  return eo__symbols_each_unit(scope->symbols, true, search_types, &search);
}

/* ---- Enumerators ------------------------------------------------------------------------------------------------ */

static void read_enum(Dwarf_Die *type, eo_enumerators *out) {
  Dwarf_Die die;
  for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    Dwarf_Attribute attribute;
    Dwarf_Sword value;
    const char *name = dwarf_diename(&die);
    if (dwarf_tag(&die) != DW_TAG_enumerator || !name || !dwarf_attr(&die, DW_AT_const_value, &attribute)) continue;
    if (dwarf_formsdata(&attribute, &value) != 0) continue;
    if (!eo_vec_push(out, ((eo_enumerator){name, value, dwarf_dieoffset(type), dwarf_cu_getdwarf(type->cu)}))) return;
  }
}

static void read_enums(Dwarf_Die *within, eo_enumerators *out) {
  Dwarf_Die die;
  for (int more = dwarf_child(within, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    int tag = dwarf_tag(&die);
    if (tag == DW_TAG_enumeration_type)
      read_enum(&die, out);
    else if (holds_types(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
      read_enums(&die, out);
  }
}

static bool read_unit(Dwarf_Die *unit, Dwarf_Addr bias, void *context) {
  (void)bias;
  read_enums(unit, context);
  return false;
}

static const eo_enumerators *enumerators(eo_symbols *symbols) {
  bool *read;
  eo_enumerators *all = eo__symbols_enumerators(symbols, &read);
  if (!*read) eo__symbols_each_unit(symbols, false, read_unit, all);
  *read = true;
  return all;
}

const char *eo__scope_enumerator(eo_symbols *symbols, const char *name, int64_t value) {
  const eo_enumerators *all = enumerators(symbols);
  for (size_t i = 0; i < all->count; i++)
    if (all->items[i].value == value && strcmp(all->items[i].name, name) == 0) return all->items[i].name;
  return NULL;
}

const char *eo__scope_enumerator_among(eo_symbols *symbols, int64_t value,
                                       bool (*is_one)(void *context, const char *name), void *context) {
  const eo_enumerators *all = enumerators(symbols);
  const char *found = NULL;
  size_t most = 0;
  for (size_t from = 0, to; from < all->count; from = to) { /* those of one enum lie side by side */
    const eo_enumerator *first = &all->items[from];
    const char *name = NULL;
    for (to = from; to < all->count && all->items[to].type == first->type && all->items[to].of == first->of; to++)
      if (!name && all->items[to].value == value) name = all->items[to].name;
    size_t count = 0;
    for (size_t i = from; name && i < to; i++) count += is_one(context, all->items[i].name);
    if (count == 0 || count < most) continue;
    found = count > most || (found && strcmp(found, name) == 0) ? name : NULL;
    most = count;
  }
  return found;
}

const char *eo__scope_enumerator_of(Dwarf_Die *type, int64_t value) {
  Dwarf_Die plain = *type, die;
  if (!eo__type_strip(&plain, NULL) || dwarf_tag(&plain) != DW_TAG_enumeration_type) return NULL;
  for (int more = dwarf_child(&plain, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    Dwarf_Attribute attribute;
    Dwarf_Sword constant;
    if (dwarf_tag(&die) != DW_TAG_enumerator || !dwarf_attr(&die, DW_AT_const_value, &attribute)) continue;
    if (dwarf_formsdata(&attribute, &constant) == 0 && constant == value) return dwarf_diename(&die);
  }
  return NULL;
}

/* ---- Callers ---------------------------------------------------------------------------------------------------- */

/* Where an inlined function was called, as its scope says. */
static bool inlined_at(Dwarf_Die *scope, eo_source *source) {
  Dwarf_Die unit;
  Dwarf_Files *files;
  size_t count;
  int line = (int)eo__die_number(scope, DW_AT_call_line, 0);
  if (dwarf_tag(scope) != DW_TAG_inlined_subroutine || line == 0) return false;
  if (!dwarf_diecu(scope, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &count) != 0) return false;
  const char *file = dwarf_filesrc(files, eo__die_number(scope, DW_AT_call_file, 0), NULL, NULL);
  *source = (eo_source){file ? file : "", "", line};
  return file != NULL;
}

bool eo__symbols_caller(eo_symbols *symbols, const eo_fiber *fiber, eo_source *source) {
  uintptr_t frames[2];
  eo_scope scope;
  size_t count = eo__symbols_frames(symbols, fiber, frames, 2);
  bool found = false;
  if (count == 0) return false;
  eo__scope_open(&scope, symbols, frames[0]);
  for (int i = 0; i < scope.count && !found; i++) found = inlined_at(&scope.scopes[i], source);
  eo__scope_close(&scope);
  if (!found && count == 2) found = eo__symbols_source(symbols, frames[1], source) && source->line > 0;
  size_t length = found ? strlen(source->file) : 0;
  static const char ours[] = "core/machine.c";
  return found && !(length >= sizeof ours && strcmp(source->file + length - sizeof ours + 1, ours) == 0);
}
