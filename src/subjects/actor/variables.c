/* variables.c: see variables.h. Walks a struct by its DWARF description. Pointers are shown as addresses and never
 * followed; characters in arrays are a text as far as they can be printed. */
#include "subjects/actor/variables.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "subjects/actor/symbols_inside.h"

enum { ELEMENTS = 16, DEPTH = 6, TEXT_MOST = 60 }; /* of an array that are shown; of structs in structs; of a text */

typedef struct walk {
  eo_members *out;
  bool failed;
} walk;

/* ---- Finding the type ------------------------------------------------------------------------------------------- */

/* What a name or qualifier stands for. */
static bool strip(Dwarf_Die *die) {
  for (;;) {
    int tag = dwarf_tag(die);
    Dwarf_Attribute attribute;
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type) return true;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, die)) return false;
  }
}

static bool size_of(Dwarf_Die *die, size_t *size) {
  Dwarf_Word bytes;
  if (dwarf_aggregate_size(die, &bytes) != 0) return false;
  *size = (size_t)bytes;
  return true;
}

/* The struct of that name and size among the top-level types of a unit. */
static bool search_unit(Dwarf_Die *unit, eo_struct_type *w) {
  Dwarf_Die die;
  if (dwarf_child(unit, &die) != 0) return false;
  do {
    int tag = dwarf_tag(&die);
    if (tag != DW_TAG_typedef && tag != DW_TAG_structure_type) continue;
    const char *name = dwarf_diename(&die);
    Dwarf_Die type = die;
    size_t size;
    if (!name || strcmp(name, w->name) != 0 || !strip(&type) || dwarf_tag(&type) != DW_TAG_structure_type) continue;
    if (!size_of(&type, &size) || size != w->size) continue;
    w->die = type;
    return w->found = true;
  } while (dwarf_siblingof(&die, &die) == 0);
  return false;
}

static int search_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, void *context) {
  (void)user, (void)base;
  eo_struct_type *w = context;
  Dwarf_Addr bias;
  if (eo__symbols_of_system(name)) return DWARF_CB_OK;
  for (Dwarf_Die *unit = NULL; !w->found && (unit = dwfl_module_nextcu(module, unit, &bias));) search_unit(unit, w);
  return w->found ? DWARF_CB_ABORT : DWARF_CB_OK;
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

static uint64_t read_word(const unsigned char *bytes, size_t size) {
  uint64_t word = 0;
  memcpy(&word, bytes, size < sizeof word ? size : sizeof word); /* both architectures are little-endian */
  return word;
}

static int64_t extend(uint64_t word, size_t size) {
  unsigned shift = size < 8 ? 64 - 8 * (unsigned)size : 0;
  return (int64_t)(word << shift) >> shift;
}

static void add_base(walk *w, const char *name, Dwarf_Die *type, const unsigned char *bytes, size_t size) {
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = DW_ATE_unsigned;
  char text[64];
  if (dwarf_attr(type, DW_AT_encoding, &attribute)) dwarf_formudata(&attribute, &encoding);
  uint64_t word = read_word(bytes, size);
  if (encoding == DW_ATE_boolean) {
    snprintf(text, sizeof text, "%s", word ? "true" : "false");
  } else if (encoding == DW_ATE_float && (size == sizeof(float) || size == sizeof(double))) {
    float single;
    double number;
    memcpy(&single, bytes, sizeof single);
    if (size == sizeof number) memcpy(&number, bytes, sizeof number);
    snprintf(text, sizeof text, "%g", size == sizeof number ? number : (double)single);
  } else if ((encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char) && isprint((int)word) && word < 127) {
    snprintf(text, sizeof text, "%lld '%c'", (long long)word, (char)word);
  } else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char) {
    snprintf(text, sizeof text, "%lld", (long long)extend(word, size));
  } else {
    snprintf(text, sizeof text, "%llu", (unsigned long long)word);
  }
  add(w, name, text);
}

static void add_enumerator(walk *w, const char *name, Dwarf_Die *type, const unsigned char *bytes, size_t size) {
  int64_t value = extend(read_word(bytes, size), size);
  char text[160];
  snprintf(text, sizeof text, "%lld", (long long)value);
  Dwarf_Die die;
  for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    Dwarf_Attribute attribute;
    Dwarf_Sword constant;
    if (dwarf_tag(&die) != DW_TAG_enumerator || !dwarf_attr(&die, DW_AT_const_value, &attribute)) continue;
    if (dwarf_formsdata(&attribute, &constant) != 0 || constant != value || !dwarf_diename(&die)) continue;
    snprintf(text, sizeof text, "%.120s", dwarf_diename(&die));
    break;
  }
  add(w, name, text);
}

static void add_value(walk *w, const char *name, Dwarf_Die *type, const unsigned char *bytes, int depth);

static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type) && strip(type);
}

static bool is_text(Dwarf_Die *element, const unsigned char *bytes, size_t count) {
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  if (dwarf_tag(element) != DW_TAG_base_type || !dwarf_attr(element, DW_AT_encoding, &attribute)) return false;
  dwarf_formudata(&attribute, &encoding);
  if (encoding != DW_ATE_signed_char && encoding != DW_ATE_unsigned_char) return false;
  size_t length = strnlen((const char *)bytes, count);
  for (size_t i = 0; i < length; i++)
    if (!isprint(bytes[i])) return false;
  for (size_t i = length; i < count; i++)
    if (bytes[i]) return length > 0; /* what follows a text counts for nothing; before nothing it does */
  return length < count;
}

static void add_array(walk *w, const char *name, Dwarf_Die *type, const unsigned char *bytes, size_t size, int depth) {
  Dwarf_Die element;
  size_t each;
  char text[200];
  if (!type_of(type, &element) || !size_of(&element, &each) || each == 0) return;
  size_t count = size / each;
  if (is_text(&element, bytes, size)) {
    snprintf(text, sizeof text, "\"%.*s\"", TEXT_MOST, (const char *)bytes);
    add(w, name, text);
    return;
  }
  for (size_t i = 0; i < count && i < ELEMENTS; i++) {
    snprintf(text, sizeof text, "%.180s[%zu]", name, i);
    add_value(w, text, &element, bytes + i * each, depth + 1);
  }
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name, Dwarf_Word otherwise) {
  Dwarf_Attribute attribute;
  Dwarf_Word number;
  return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &number) == 0 ? number : otherwise;
}

/* Where a bit-field begins: counted from the start of the struct; up to DWARF 4, from the other end of its unit. */
static Dwarf_Word bit_offset(Dwarf_Die *member, Dwarf_Word width, size_t unit) {
  Dwarf_Attribute attribute;
  if (!dwarf_attr(member, DW_AT_bit_offset, &attribute)) return number_of(member, DW_AT_data_bit_offset, 0);
  Dwarf_Word bits = 8 * number_of(member, DW_AT_byte_size, unit);
  Dwarf_Word start = 8 * number_of(member, DW_AT_data_member_location, 0);
  return start + bits - number_of(member, DW_AT_bit_offset, 0) - width;
}

static void add_bits(walk *w, const char *name, Dwarf_Word offset, Dwarf_Word width, const unsigned char *bytes,
                     size_t size) {
  char text[32];
  if (offset / 8 >= size) return;
  size_t room = size - offset / 8;
  uint64_t word = read_word(bytes + offset / 8, room < 8 ? room : 8) >> (offset % 8);
  if (width < 64) word &= ((uint64_t)1 << width) - 1;
  snprintf(text, sizeof text, "%llu", (unsigned long long)word);
  add(w, name, text);
}

static void add_struct(walk *w, const char *prefix, Dwarf_Die *type, const unsigned char *bytes, size_t size,
                       int depth) {
  Dwarf_Die member;
  for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
    Dwarf_Die inner;
    char name[200];
    size_t inner_size;
    const char *own = dwarf_diename(&member);
    if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &inner)) continue;
    snprintf(name, sizeof name, "%.90s%s%.90s", prefix, *prefix && own ? "." : "", own ? own : "");
    if (!size_of(&inner, &inner_size)) continue;
    Dwarf_Word width = number_of(&member, DW_AT_bit_size, 0);
    Dwarf_Word offset = number_of(&member, DW_AT_data_member_location, 0);
    if (width > 0)
      add_bits(w, name, bit_offset(&member, width, inner_size), width, bytes, size);
    else if (offset + inner_size <= size)
      add_value(w, name, &inner, bytes + offset, depth + 1);
  }
}

static void add_value(walk *w, const char *name, Dwarf_Die *type, const unsigned char *bytes, int depth) {
  size_t size;
  char text[32];
  if (depth > DEPTH || !size_of(type, &size)) return;
  switch (dwarf_tag(type)) {
    case DW_TAG_base_type: add_base(w, name, type, bytes, size); break;
    case DW_TAG_enumeration_type: add_enumerator(w, name, type, bytes, size); break;
    case DW_TAG_array_type: add_array(w, name, type, bytes, size, depth); break;
    case DW_TAG_structure_type:
    case DW_TAG_union_type: add_struct(w, name, type, bytes, size, depth); break;
    case DW_TAG_pointer_type:
      snprintf(text, sizeof text, "0x%llx", (unsigned long long)read_word(bytes, size));
      add(w, name, text);
      break;
    default: break;
  }
}

/* The type, looked up once. NULL: there is none. */
static const eo_struct_type *find_type(eo_symbols *symbols, const char *name, size_t size) {
  eo_struct_types *types = eo__symbols_types(symbols);
  for (size_t i = 0; i < types->count; i++)
    if (types->items[i].size == size && strcmp(types->items[i].name, name) == 0)
      return types->items[i].found ? &types->items[i] : NULL;
  eo_struct_type type = {.name = name, .size = size};
  dwfl_getmodules(eo__symbols_dwfl(symbols), search_module, &type, 0);
  if (!eo_vec_push(types, type) || !type.found) return NULL;
  return &types->items[types->count - 1];
}

bool eo__symbols_members(eo_symbols *symbols, const char *type, const void *bytes, size_t size, eo_members *out) {
  const eo_struct_type *known =
      size > 0 ? find_type(symbols, strncmp(type, "struct ", 7) == 0 ? type + 7 : type, size) : NULL;
  walk walking = {.out = out};
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
