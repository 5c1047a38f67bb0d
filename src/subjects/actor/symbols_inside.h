/* symbols_inside.h: what symbols.c shares with variables.c, and nobody else. */
#ifndef EO_ACTOR_SYMBOLS_INSIDE_H
#define EO_ACTOR_SYMBOLS_INSIDE_H

#include <elfutils/libdwfl.h>

#include "subjects/actor/symbols.h"

Dwfl *eo__symbols_dwfl(eo_symbols *symbols);
bool eo__symbols_of_system(const char *path); /* a library of the system, whose lines few want to read */

#endif
