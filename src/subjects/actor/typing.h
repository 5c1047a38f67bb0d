/* typing.h: the type of an expression of C or C++, from its text. */
#ifndef EO_ACTOR_TYPING_H
#define EO_ACTOR_TYPING_H

#include "subjects/actor/scopes.h"

/* The nth argument, from 0, of a call whose arguments these are: where it begins, and *length. NULL: there is none. A comma
 * inside parentheses, brackets, braces, or quotes does not count. */
const char *eo__call_argument(const char *call, unsigned n, size_t *length);

/* What the pointer or array in this text points to; of "sizeof (vote)" and "n * sizeof *v": what is measured. False: it
 * cannot be told. */
bool eo__typing_pointee(const eo_scope *scope, const char *text, size_t length, Dwarf_Die *type);
bool eo__typing_measured(const eo_scope *scope, const char *text, size_t length, Dwarf_Die *type);

#endif
