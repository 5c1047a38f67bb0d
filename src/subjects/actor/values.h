/* values.h: bytes of the program in words, by a type of its debug information: numbers, names of enumerators, texts,
 * "{term = 3, candidate = P1.1}". Pointers are shown as addresses and not followed, but for those to string literals; a function is named. */
#ifndef EO_ACTOR_VALUES_H
#define EO_ACTOR_VALUES_H

#include <elfutils/libdw.h>

#include "base/text.h"
#include "subjects/actor/symbols.h"

/* How to say what debug information does not know. */
typedef struct eo_value_style {
  void (*pid)(void *context, eo_text *out, uint64_t pid);    /* an eo_pid; NULL: its number */
  const char *(*function)(void *context, uintptr_t address); /* the name of a function; "": not known */
  void *context;
  const char *tag; /* of the message, "MSG_VOTE": of a union's members, `vote` is the one that is meant; or NULL */
} eo_value_style;

/* What names and qualifiers stand for. *is_pid: eo_pid was among them. False: nothing is known, or it is void. */
bool eo__type_strip(Dwarf_Die *type, bool *is_pid);
bool eo__type_of(Dwarf_Die *die,
                 Dwarf_Die *type); /* of a variable, member, typedef, pointer, array, as it is written */
bool eo__type_size(Dwarf_Die *type, size_t *size);
Dwarf_Word eo__die_number(Dwarf_Die *die, unsigned attribute, Dwarf_Word otherwise);

/* Where a member that is a bit-field begins, counted in bits from the start of its struct. */
Dwarf_Word eo__bit_offset(Dwarf_Die *member, Dwarf_Word width, size_t unit);

/* Is it a text: an array of characters that can be printed up to its end or a zero? */
bool eo__value_is_text(Dwarf_Die *element, const unsigned char *bytes, size_t count);

bool eo__type_is_open(Dwarf_Die *type); /* a struct whose last member is an array of any length */

/* A message: a value in braces, or several if there are more bytes than one has. */
void eo__value_add_message(eo_text *out, Dwarf_Die *type, const unsigned char *bytes, size_t size,
                           const eo_value_style *style);

/* A value of `size` bytes. Of an array, and of a struct that ends in one, as many elements as there are. */
void eo__value_add(eo_text *out, Dwarf_Die *type, const unsigned char *bytes, size_t size, const eo_value_style *style);
void eo__value_add_bits(eo_text *out, Dwarf_Die *type, Dwarf_Word offset, Dwarf_Word width, const unsigned char *bytes,
                        size_t size);

/* Bytes of a text, quoted; what cannot be shown is escaped. At most so many columns; longer ones end in "…". */
void eo__value_add_text(eo_text *out, const unsigned char *bytes, size_t length);

#endif
