/* variables.h: the members of a struct and their values, by the program's debug information. */
#ifndef EO_ACTOR_VARIABLES_H
#define EO_ACTOR_VARIABLES_H

#include "base/vec.h"
#include "core/finding.h"
#include "subjects/actor/symbols.h"
#include "subjects/actor/values.h"

/* Adds name and value ("votes", "3"; "log[2].key", "7") of each member of the struct or typedef of this name (a constant), whose bytes
 * these are, to *out: both allocated. False: no memory. Nothing is added if the program has no debug information of it,
 * or of another size. At most EO_VARIABLES_MOST members. */
enum { EO_VARIABLES_MOST = 256 };

typedef struct eo_member {
  char *name, *value;
} eo_member;
typedef EO_VEC(eo_member) eo_members;

bool eo__symbols_members(eo_symbols *symbols, const char *type, const void *bytes, size_t size,
                         const eo_value_style *style, eo_members *out);
void eo__members_release(eo_members *members);

#endif
