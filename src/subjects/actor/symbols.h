/* symbols.h: names for addresses, from the program's own ELF symbols and debug information (libdw). Opened only when
 * there is something to describe; works without debug information, with less to say. */
#ifndef EO_ACTOR_SYMBOLS_H
#define EO_ACTOR_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct eo_symbols eo_symbols;

eo_symbols *eo__symbols_open(void); /* NULL: no memory or no /proc; callers then print addresses */
void eo__symbols_close(eo_symbols *symbols);

/* The source line of a code address. Strings are valid until close. line 0: unknown. function "" if unknown. */
typedef struct eo_source {
  const char *file; /* base name or path as the compiler recorded it */
  const char *function;
  int line;
} eo_source;
bool eo__symbols_source(eo_symbols *symbols, uintptr_t pc, eo_source *source);

/* The variable that holds this data address: its name, start and size, static ones included. */
bool eo__symbols_variable(eo_symbols *symbols, uintptr_t address, const char **name, uintptr_t *start, size_t *size);

#endif
