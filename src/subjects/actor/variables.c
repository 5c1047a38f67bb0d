/* variables.c: see variables.h. Walks a struct by its DWARF description, down to what values.c puts into words. */
#include "subjects/actor/variables.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/program.h"
#include "subjects/actor/symbols_inside.h"

enum { ELEMENTS = 16, DEPTH = 6 }; /* of an array that are shown; of structs in structs */

typedef struct walk {
  eo_members *out;
  const eo_value_style *style;
  bool failed;
} walk;

/* ---- Finding the type ------------------------------------------------------------------------------------------- */

/* The struct of that name and size among the top-level types of a unit. */
static bool search_unit(Dwarf_Die *unit, Dwarf_Addr bias, void *context) {
  (void)bias;
  eo_struct_type *w = context;
  Dwarf_Die die;
  if (dwarf_child(unit, &die) != 0) return false;
  do {
    int tag = dwarf_tag(&die);
    if (tag != DW_TAG_typedef && tag != DW_TAG_structure_type && tag != DW_TAG_class_type) continue;
    const char *name = dwarf_diename(&die);
    Dwarf_Die type = die;
    size_t size;
    if (!name || strcmp(name, w->name) != 0 || !eo__type_strip(&type, NULL) ||
        (dwarf_tag(&type) != DW_TAG_structure_type && dwarf_tag(&type) != DW_TAG_class_type))
      continue;
    if (!eo__type_size(&type, &size) || size != w->size) continue;
    w->die = type;
    return w->found = true;
  } while (dwarf_siblingof(&die, &die) == 0);
  return false;
}

/* ---- Writing values --------------------------------------------------------------------------------------------- */

static void add(walk *w, const char *name, const char *value) {
  if (w->out->count >= EO_VARIABLES_MOST || w->failed) return;
  eo_member member = {eo__strdup(name), eo__strdup(value)};
  if (member.name && member.value && eo_vec_push(w->out, member)) return;
  eo__free(member.name);
  eo__free(member.value);
  w->failed = true;
}

static void add_value(walk *w, const char *name, Dwarf_Die *written, const unsigned char *bytes, int depth);

/* What is no struct, no union and no array, or an array of characters. */
static void add_leaf(walk *w, const char *name, Dwarf_Die *written, const unsigned char *bytes, size_t size) {
  eo_text text;
  eo__text_init(&text);
  eo__value_add(&text, written, bytes, size, w->style);
  w->failed = w->failed || text.failed;
  add(w, name, text.chars);
  eo__text_release(&text);
}

static void add_array(walk *w, const char *name, Dwarf_Die *type, const unsigned char *bytes, size_t size, int depth) {
  Dwarf_Die element, plain;
  size_t each;
  char text[200];
  if (!eo__type_of(type, &element)) return;
  plain = element;
  if (!eo__type_strip(&plain, NULL) || !eo__type_size(&plain, &each) || each == 0) return;
  if (eo__value_is_text(&plain, bytes, size)) {
    add_leaf(w, name, type, bytes, size);
    return;
  }
  for (size_t i = 0; i < size / each && i < ELEMENTS; i++) {
    snprintf(text, sizeof text, "%.180s[%zu]", name, i);
    add_value(w, text, &element, bytes + i * each, depth + 1);
  }
}

static void add_bits(walk *w, const char *name, Dwarf_Die *type, Dwarf_Word offset, Dwarf_Word width,
                     const unsigned char *bytes, size_t size) {
  eo_text text;
  eo__text_init(&text);
  eo__value_add_bits(&text, type, offset, width, bytes, size);
  w->failed = w->failed || text.failed;
  if (text.length > 0) add(w, name, text.chars);
  eo__text_release(&text);
}

static void add_struct(walk *w, const char *prefix, Dwarf_Die *type, const unsigned char *bytes, size_t size,
                       int depth) {
  Dwarf_Die member;
  for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
    Dwarf_Die written, plain;
    char name[200];
    size_t inner_size;
    const char *own = dwarf_diename(&member);
    if (dwarf_tag(&member) != DW_TAG_member || !eo__type_of(&member, &written)) continue;
    plain = written;
    if (!eo__type_strip(&plain, NULL) || !eo__type_size(&plain, &inner_size)) continue;
    snprintf(name, sizeof name, "%.90s%s%.90s", prefix, *prefix && own ? "." : "", own ? own : "");
    Dwarf_Word width = eo__die_number(&member, DW_AT_bit_size, 0);
    Dwarf_Word offset = eo__die_number(&member, DW_AT_data_member_location, 0);
    if (width > 0)
      add_bits(w, name, &plain, eo__bit_offset(&member, width, inner_size), width, bytes, size);
    else if (offset + inner_size <= size)
      add_value(w, name, &written, bytes + offset, depth + 1);
  }
}

static void add_value(walk *w, const char *name, Dwarf_Die *written, const unsigned char *bytes, int depth) {
  Dwarf_Die type = *written;
  size_t size;
  if (depth > DEPTH || !eo__type_strip(&type, NULL) || !eo__type_size(&type, &size)) return;
  switch (dwarf_tag(&type)) {
    case DW_TAG_array_type: add_array(w, name, &type, bytes, size, depth); break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: add_struct(w, name, &type, bytes, size, depth); break;
    default: add_leaf(w, name, written, bytes, size); break;
  }
}

/* The type, looked up once. NULL: there is none. */
static const eo_struct_type *find_type(eo_symbols *symbols, const char *name, size_t size) {
  eo_struct_types *types = eo__symbols_types(symbols);
  for (size_t i = 0; i < types->count; i++)
    if (types->items[i].size == size && strcmp(types->items[i].name, name) == 0)
      return types->items[i].found ? &types->items[i] : NULL;
  eo_struct_type type = {.name = name, .size = size};
  eo__symbols_each_unit(symbols, false, search_unit, &type);
  if (!eo_vec_push(types, type) || !type.found) return NULL;
  return &types->items[types->count - 1];
}

bool eo__symbols_members(eo_symbols *symbols, const char *type, const void *bytes, size_t size,
                         const eo_value_style *style, eo_members *out) {
  const eo_struct_type *known = size > 0 ? find_type(symbols, eo__type_name(type), size) : NULL;
  walk walking = {.out = out, .style = style};
  if (known) {
    Dwarf_Die die = known->die;
    add_struct(&walking, "", &die, bytes, size, 0);
  }
  return !walking.failed;
}

void eo__members_release(eo_members *members) {
  for (size_t i = 0; i < members->count; i++) {
    eo__free(members->items[i].name);
    eo__free(members->items[i].value);
  }
  eo_vec_release(members);
}
