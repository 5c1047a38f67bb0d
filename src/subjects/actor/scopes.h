/* scopes.h: what names mean at a place in the program, by its debug information: variables, types, members, enumerators. */
#ifndef EO_ACTOR_SCOPES_H
#define EO_ACTOR_SCOPES_H

#include <elfutils/libdw.h>

#include "subjects/actor/symbols.h"

typedef struct eo_scope {
  eo_symbols *symbols;
  Dwarf_Die *scopes; /* innermost first; NULL: none is known, and only what is global has a meaning */
  int count;
} eo_scope;

/* The scope of this code address; 0: none. */
void eo__scope_open(eo_scope *scope, eo_symbols *symbols, uintptr_t pc);

/* The scope in which the static variable at this address is declared. */
void eo__scope_open_static(eo_scope *scope, eo_symbols *symbols, uintptr_t address);
void eo__scope_close(eo_scope *scope);

/* The type of the variable or parameter of this name, as it is written; of a function, what it returns; in C++ also of a
 * member of `this`. *constant: its value is part of the debug information. */
bool eo__scope_variable(const eo_scope *scope, const char *name, Dwarf_Die *type, bool *constant);

/* The type of this name: "vote", "long int". A name of C++ is looked for without its namespaces. Complete, if there is a complete one. */
bool eo__scope_type(const eo_scope *scope, const char *name, Dwarf_Die *type);

/* The type of a member of a struct, a union or a class, also of one that is inherited or part of a nameless one. */
bool eo__scope_member(Dwarf_Die *type, const char *name, Dwarf_Die *member);

/* The name of the enumerator that has this value: `name` itself, if that is one of the program's. NULL: it is not. */
const char *eo__scope_enumerator(eo_symbols *symbols, const char *name, int64_t value);

/* Of the enum of which `is_one` accepts the most enumerators: the name for this value. NULL: there is none, or there are several. */
const char *eo__scope_enumerator_among(eo_symbols *symbols, int64_t value,
                                       bool (*is_one)(void *context, const char *name), void *context);

/* Of an enum: its enumerator of this value. */
const char *eo__scope_enumerator_of(Dwarf_Die *type, int64_t value);

#endif
