/* symbols_inside.h: what symbols.c shares with frames.c, scopes.c and variables.c, and nobody else. */
#ifndef EO_ACTOR_SYMBOLS_INSIDE_H
#define EO_ACTOR_SYMBOLS_INSIDE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/vec.h"
#include "fiber/fiber.h"
#include "subjects/actor/symbols.h"

/* A struct that was asked for. */
typedef struct eo_struct_type {
  const char *name; /* the caller's: constant */
  size_t size;
  bool found;
  Dwarf_Die die;
} eo_struct_type;
typedef EO_VEC(eo_struct_type) eo_struct_types;

eo_struct_types *eo__symbols_types(eo_symbols *symbols); /* those looked up so far */
Dwfl *eo__symbols_dwfl(eo_symbols *symbols);
bool eo__symbols_of_system(const char *path); /* a library of the system, whose lines few want to read */

/* Whose stack is to be walked next, by these callbacks. False: stacks cannot be walked here. */
bool eo__symbols_look_at(eo_symbols *symbols, const eo_fiber *fiber, const Dwfl_Thread_Callbacks *callbacks);
const eo_fiber *eo__symbols_fiber(const eo_symbols *symbols);

/* The unit of this code address; what is added to its addresses. NULL: there is no debug information of it. */
Dwarf_Die *eo__symbols_unit(eo_symbols *symbols, uintptr_t pc, Dwarf_Addr *bias);

/* Goes through the units of the program, none of the system's, and of ours only if it is said, until `visit` returns
 * true: whether it did. */
bool eo__symbols_each_unit(eo_symbols *symbols, bool with_ours,
                           bool (*visit)(Dwarf_Die *unit, Dwarf_Addr bias, void *context), void *context);

/* The enumerators of the program, in the order of its debug information; read once. */
typedef struct eo_enumerator {
  const char *name;
  int64_t value;
  Dwarf_Off type; /* which enum it belongs to, */
  Dwarf *of;      /* in which debug information */
} eo_enumerator;
typedef EO_VEC(eo_enumerator) eo_enumerators;
eo_enumerators *eo__symbols_enumerators(eo_symbols *symbols, bool **read);

/* The variables whose name is this one (of all that there are in the program's own objects); NULL ends. */
uintptr_t eo__symbols_next_variable(eo_symbols *symbols, const char *name, size_t *at);

#endif
