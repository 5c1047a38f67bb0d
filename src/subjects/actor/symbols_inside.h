/* symbols_inside.h: what symbols.c shares with variables.c, and nobody else. */
#ifndef EO_ACTOR_SYMBOLS_INSIDE_H
#define EO_ACTOR_SYMBOLS_INSIDE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/vec.h"
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

#endif
