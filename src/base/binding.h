/* binding.h: keeps the tool's calls apart from the program's names.
 *
 * A program under test may define any name that C leaves to it: `send`, `list`, `json_array`. If the C library, or a
 * library that the tool stands on, defines the same name, the linker gives the program's definition to everybody who
 * refers to that name, the tool included, and a call of `send` in the tool would run into a variable. So:
 *
 * - In the static library (scripts/seal), a reference of the tool to a name of another library is a call of a stub of
 *   the tool's own, which jumps to the address in a slot. The slots are filled here.
 * - In the shared library, references are entries in its table of addresses (GOT), which the dynamic linker has filled.
 *   Here the entries are corrected that lead to the program.
 * - The same for the libraries that the tool stands on, down to the C library: what they call by name is never a
 *   function of the program. The program's own libraries are left as they are.
 *
 * All of this happens before main, and before the tool's first call of another library. */
#ifndef EO_BASE_BINDING_H
#define EO_BASE_BINDING_H

#include <stdbool.h>
#include <stdint.h>

/* A reference of the tool to a function or stream of another library. Made by scripts/seal. */
typedef struct eo__slot {
  uintptr_t target;    /* the address to jump to; of a stream, its FILE * */
  const char *name;    /* NULL ends the list */
  const char *version; /* with which it was linked; NULL: any */
} eo__slot;

/* A function of the tool's that takes the place of the C library's (interpose.c). Made by scripts/seal. */
typedef struct eo__stand_in {
  const char *name; /* NULL ends the list */
  uintptr_t address;
} eo__stand_in;

/* Done by the first call through a slot, and before main. Doing it again does nothing. */
void eo__bind(void);

/* Is it done? While it is under way, as when it loads a library, no function of another library can be called. */
bool eo__bound(void);

/* The function of the system's libraries that one of ours stands in for; 0: there is none. dlsym(RTLD_NEXT, ...) could find
 * one of the program's. */
uintptr_t eo__bound_next(const char *name);

/* Does the code at this address call our malloc, though the program has a malloc of its own? */
bool eo__bound_apart(const void *code);

#endif
