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

/* The calls that a process stands in which has left at a door, from the one of the program that called a function of everyorder.h
 * outwards: addresses of the calls themselves. 0: nothing is known. */
struct eo_fiber;
size_t eo__symbols_frames(eo_symbols *symbols, const struct eo_fiber *fiber, uintptr_t *out, size_t room);

/* From where the function was called that called a function of everyorder.h. False: that is the process's first, or nothing is known. */
bool eo__symbols_caller(eo_symbols *symbols, const struct eo_fiber *fiber, eo_source *source);

#endif
