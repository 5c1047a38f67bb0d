/* values.c: see values.h. */
#include "subjects/actor/values.h"

#include <ctype.h>
#include <dwarf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
  ELEMENTS = 16,
  DEPTH = 8,
  TEXT_MOST = 60,
  LENGTH_MOST = 400
}; /* of what is shown; bytes of one value in words */

typedef struct walk {
  eo_text *out;
  const eo_value_style *style;
  size_t most; /* length of `out` at which the rest is left out */
  const char
      *named; /* the last enumerator of the struct that is being written: it may say which member of a union is meant */
} walk;

/* ---- Types ------------------------------------------------------------------------------------------------------ */

bool eo__type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

bool eo__type_strip(Dwarf_Die *type, bool *is_pid) {
  for (;;) {
    switch (dwarf_tag(type)) {
      case DW_TAG_typedef: {
        const char *name = dwarf_diename(type);
        if (is_pid && name && strcmp(name, "eo_pid") == 0) *is_pid = true;
        break;
      }
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_atomic_type:
      case DW_TAG_restrict_type: break;
      default: return true;
    }
    if (!eo__type_of(type, type)) return false;
  }
}

bool eo__type_size(Dwarf_Die *type, size_t *size) {
  Dwarf_Word bytes;
  if (dwarf_aggregate_size(type, &bytes) != 0) return false;
  *size = (size_t)bytes;
  return true;
}

Dwarf_Word eo__die_number(Dwarf_Die *die, unsigned attribute, Dwarf_Word otherwise) {
  Dwarf_Attribute found;
  Dwarf_Word number;
  return dwarf_attr_integrate(die, attribute, &found) && dwarf_formudata(&found, &number) == 0 ? number : otherwise;
}

Dwarf_Word eo__bit_offset(Dwarf_Die *member, Dwarf_Word width, size_t unit) {
  Dwarf_Attribute attribute;
  if (!dwarf_attr(member, DW_AT_bit_offset, &attribute)) /* up to DWARF 4: from the other end of its unit */
    return eo__die_number(member, DW_AT_data_bit_offset, 0);
  Dwarf_Word bits = 8 * eo__die_number(member, DW_AT_byte_size, unit);
  Dwarf_Word start = 8 * eo__die_number(member, DW_AT_data_member_location, 0);
  return start + bits - eo__die_number(member, DW_AT_bit_offset, 0) - width;
}

/* ---- Numbers and texts ------------------------------------------------------------------------------------------ */

static uint64_t read_word(const unsigned char *bytes, size_t size) {
  uint64_t word = 0;
  memcpy(&word, bytes, size < sizeof word ? size : sizeof word); /* both architectures are little-endian */
  return word;
}

static int64_t extend(uint64_t word, unsigned bits) {
  unsigned shift = bits < 64 ? 64 - bits : 0;
  return (int64_t)(word << shift) >> shift;
}

static bool is_character(Dwarf_Die *type) {
  if (dwarf_tag(type) != DW_TAG_base_type) return false;
  Dwarf_Word encoding = eo__die_number(type, DW_AT_encoding, 0);
  return encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
}

void eo__value_add_text(eo_text *out, const unsigned char *bytes, size_t length) {
  eo__text_add(out, "\"");
  size_t shown = 0;
  for (size_t i = 0; i < length;) {
    if (shown == TEXT_MOST) {
      eo__text_add(out, "…");
      break;
    }
    size_t sequence = eo__text_utf8((const char *)bytes + i, length - i);
    if (bytes[i] == '"' || bytes[i] == '\\')
      eo__text_add(out, "\\%c", bytes[i]);
    else if (bytes[i] == '\n' || bytes[i] == '\t')
      eo__text_add(out, bytes[i] == '\n' ? "\\n" : "\\t");
    else if (sequence > 1 || (sequence == 1 && isprint(bytes[i])))
      eo__text_append(out, (const char *)bytes + i, sequence);
    else
      eo__text_add(out, "\\x%02x", bytes[i]);
    i += sequence > 0 ? sequence : 1;
    shown++;
  }
  eo__text_add(out, "\"");
}

/* Mostly letters, and ended by a zero or by its size; what follows the zero counts for nothing, unless nothing is before it. */
bool eo__value_is_text(Dwarf_Die *element, const unsigned char *bytes, size_t count) {
  if (!is_character(element)) return false;
  size_t length = strnlen((const char *)bytes, count), printable = 0;
  for (size_t i = 0; i < length; i++)
    printable += isprint(bytes[i]) || bytes[i] >= 128 || bytes[i] == '\n' || bytes[i] == '\t';
  if (length > 0) return 2 * printable >= length;
  for (size_t i = 0; i < count; i++)
    if (bytes[i]) return false;
  return count > 0;
}

/* A whole number of this type, of so many bits. A byte is a character only if the program calls it `char`. */
static void add_number(eo_text *out, Dwarf_Die *type, uint64_t word, unsigned bits) {
  Dwarf_Word encoding = eo__die_number(type, DW_AT_encoding, DW_ATE_unsigned);
  const char *name = dwarf_diename(type);
  if (encoding == DW_ATE_boolean)
    eo__text_add(out, "%s", word ? "true" : "false");
  else if (is_character(type) && name && strcmp(name, "char") == 0 && word < 127 && isprint((int)word))
    eo__text_add(out, "%llu '%c'", (unsigned long long)word, (char)word);
  else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
    eo__text_add(out, "%lld", (long long)extend(word, bits));
  else
    eo__text_add(out, "%llu", (unsigned long long)word);
}

/* Of 128 bits. */
static void add_wide(eo_text *out, const unsigned char *bytes, bool is_signed) {
  __extension__ unsigned __int128 number;
  char digits[40], *first = digits + sizeof digits;
  memcpy(&number, bytes, sizeof number);
  bool negative = is_signed && bytes[sizeof number - 1] >= 128;
  if (negative) number = -number;
  do {
    *--first = (char)('0' + (int)(number % 10));
    number /= 10;
  } while (number > 0);
  eo__text_add(out, "%s%.*s", negative ? "-" : "", (int)(digits + sizeof digits - first), first);
}

/* On x86-64, __float128 is as large as long double and has another format: the name tells which one it is. */
static void add_float(eo_text *out, const char *name, const unsigned char *bytes, size_t size) {
  float single;
  double number;
  long double longest;
  if (size == sizeof single) {
    memcpy(&single, bytes, sizeof single);
    eo__text_add(out, "%g", (double)single);
  } else if (size == sizeof number) {
    memcpy(&number, bytes, sizeof number);
    eo__text_add(out, "%g", number);
  } else if (size == sizeof longest && name && strstr(name, "long double")) {
    memcpy(&longest, bytes, sizeof longest);
    eo__text_add(out, "%Lg", longest);
  } else {
    eo__text_add(out, "?");
  }
}

static void add_base(eo_text *out, Dwarf_Die *type, const unsigned char *bytes, size_t size) {
  const char *name = dwarf_diename(type);
  Dwarf_Word encoding = eo__die_number(type, DW_AT_encoding, 0);
  switch (encoding) {
    case DW_ATE_float: add_float(out, name, bytes, size); return;
    case DW_ATE_complex_float:
      add_float(out, name, bytes, size / 2);
      eo__text_add(out, " + ");
      add_float(out, name, bytes + size / 2, size / 2);
      eo__text_add(out, "i");
      return;
    case DW_ATE_decimal_float: break;
    default:
      if (size == 2 * sizeof(uint64_t))
        add_wide(out, bytes, encoding == DW_ATE_signed);
      else if (size <= sizeof(uint64_t))
        add_number(out, type, read_word(bytes, size), 8 * (unsigned)size);
      else
        break;
      return;
  }
  eo__text_add(out, "?");
}

static const char *enumerator_name(Dwarf_Die *type, int64_t value) {
  Dwarf_Die die;
  for (int more = dwarf_child(type, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    Dwarf_Attribute attribute;
    Dwarf_Sword constant;
    if (dwarf_tag(&die) != DW_TAG_enumerator || !dwarf_attr(&die, DW_AT_const_value, &attribute)) continue;
    if (dwarf_formsdata(&attribute, &constant) == 0 && constant == value) return dwarf_diename(&die);
  }
  return NULL;
}

/* By its name; a sum of flags, which has none, as a number. */
static void add_enumerator(eo_text *out, Dwarf_Die *type, uint64_t word, unsigned bits) {
  int64_t value = extend(word, bits);
  const char *name = enumerator_name(type, value);
  if (!name) name = enumerator_name(type, (int64_t)word); /* of an unsigned type */
  if (name)
    eo__text_add(out, "%s", name);
  else
    eo__text_add(out, "%lld", (long long)value);
}

/* ---- Structs, unions, arrays ------------------------------------------------------------------------------------- */

static void add_value(walk *w, Dwarf_Die *written, const unsigned char *bytes, size_t size, int depth);

static bool is_full(walk *w) {
  if (w->out->length < w->most) return false;
  eo__text_add(w->out, "…");
  return true;
}

static void add_array(walk *w, Dwarf_Die *type, const unsigned char *bytes, size_t size, int depth) {
  Dwarf_Die element, plain;
  size_t each;
  if (!eo__type_of(type, &element)) return;
  plain = element;
  if (!eo__type_strip(&plain, NULL) || !eo__type_size(&plain, &each) || each == 0) return;
  if (eo__value_is_text(&plain, bytes, size)) {
    eo__value_add_text(w->out, bytes, strnlen((const char *)bytes, size));
    return;
  }
  size_t count = size / each;
  eo__text_add(w->out, "{");
  for (size_t i = 0; i < count; i++) {
    if (i == ELEMENTS || is_full(w)) {
      if (i == ELEMENTS) eo__text_add(w->out, ", …");
      break;
    }
    if (i) eo__text_add(w->out, ", ");
    add_value(w, &element, bytes + i * each, each, depth + 1);
  }
  eo__text_add(w->out, "}");
}

void eo__value_add_bits(eo_text *out, Dwarf_Die *type, Dwarf_Word offset, Dwarf_Word width, const unsigned char *bytes,
                        size_t size) {
  if (offset / 8 >= size) return;
  size_t room = size - offset / 8;
  unsigned shift = (unsigned)(offset % 8);
  uint64_t word = read_word(bytes + offset / 8, room < 8 ? room : 8) >> shift;
  if (shift + width > 64 && room > 8) word |= (uint64_t)bytes[offset / 8 + 8] << (64 - shift);
  if (width < 64) word &= ((uint64_t)1 << width) - 1;
  if (dwarf_tag(type) == DW_TAG_enumeration_type)
    add_enumerator(out, type, word, (unsigned)width);
  else
    add_number(out, type, word, (unsigned)width);
}

/* The last member of a struct may be an array that goes on behind it. */
static size_t extent(Dwarf_Die *plain, size_t size, size_t room) {
  Dwarf_Die bounds;
  if (dwarf_tag(plain) != DW_TAG_array_type || size > 0) return size;
  return dwarf_child(plain, &bounds) == 0 && !dwarf_hasattr(&bounds, DW_AT_upper_bound) ? room : size;
}

/* The value of a member. False: nothing can be said of it. */
static bool add_member(walk *w, Dwarf_Die *member, const unsigned char *bytes, size_t size, int depth) {
  Dwarf_Die written, plain;
  size_t inner;
  if (!eo__type_of(member, &written)) return false;
  plain = written;
  if (!eo__type_strip(&plain, NULL)) return false;
  if (!eo__type_size(&plain, &inner)) inner = 0;
  Dwarf_Word width = eo__die_number(member, DW_AT_bit_size, 0);
  Dwarf_Word offset = eo__die_number(member, DW_AT_data_member_location, 0);
  const char *name = dwarf_diename(member);
  bool inherited = dwarf_tag(member) == DW_TAG_inheritance;
  if (width == 0 && offset + inner > size) return false;
  if (name && inherited == false) eo__text_add(w->out, "%s = ", name);
  if (width > 0)
    eo__value_add_bits(w->out, &plain, eo__bit_offset(member, width, inner), width, bytes, size);
  else
    add_value(w, &written, bytes + offset, extent(&plain, inner, size - offset), depth + 1);
  return true;
}

static bool is_shown(Dwarf_Die *member) {
  int tag = dwarf_tag(member);
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return false;
  if (dwarf_hasattr(member, DW_AT_external) || dwarf_hasattr(member, DW_AT_declaration)) return false; /* static */
  const char *name = dwarf_diename(member);
  return !name || strncmp(name, "_vptr", 5) != 0;
}

/* "vote" is meant by VOTE and by MSG_VOTE. */
static bool is_meant(const char *name, const char *by) {
  size_t length = name ? strlen(name) : 0, all = by ? strlen(by) : 0;
  if (length == 0 || all < length || strcasecmp(by + all - length, name) != 0) return false;
  return all == length || by[all - length - 1] == '_';
}

/* Whichever of the two names a member of this union; NULL: neither does, and all members are shown. */
static const char *meant_by(const walk *w, Dwarf_Die *type) {
  const char *const names[] = {w->named, w->style->tag};
  for (size_t i = 0; i < 2; i++) {
    Dwarf_Die member;
    for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member))
      if (is_shown(&member) && is_meant(dwarf_diename(&member), names[i])) return names[i];
  }
  return NULL;
}

/* ---- Pointers --------------------------------------------------------------------------------------------------- */

typedef struct constant {
  uintptr_t at;
  size_t room; /* bytes from there to the end of its segment */
} constant;

static int find_constant(struct dl_phdr_info *object, size_t size, void *context) {
  constant *c = context;
  (void)size;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD || (segment->p_flags & (PF_R | PF_W)) != PF_R) continue;
    if (c->at >= start && c->at - start < segment->p_filesz) c->room = segment->p_filesz - (c->at - start);
  }
  return c->room > 0;
}

/* A string literal, which lies where nobody can write: it is the same whenever it is looked at. */
static bool add_literal(walk *w, Dwarf_Die *pointer, uint64_t word) {
  Dwarf_Die target;
  constant c = {.at = (uintptr_t)word};
  if (!eo__type_of(pointer, &target) || !eo__type_strip(&target, NULL) || !is_character(&target)) return false;
  if (dl_iterate_phdr(find_constant, &c) == 0) return false;
  const unsigned char *text = (const unsigned char *)c.at; // NOLINT(performance-no-int-to-ptr): found in a segment
  size_t length = strnlen((const char *)text, c.room);
  if (length == c.room || !eo__value_is_text(&target, text, length + 1)) return false;
  eo__value_add_text(w->out, text, length);
  return true;
}

static bool add_function(walk *w, Dwarf_Die *pointer, uint64_t word) {
  Dwarf_Die target;
  if (!w->style->function || !eo__type_of(pointer, &target) || !eo__type_strip(&target, NULL)) return false;
  if (dwarf_tag(&target) != DW_TAG_subroutine_type) return false;
  const char *name = w->style->function(w->style->context, (uintptr_t)word);
  eo__text_add(w->out, "%s", name);
  return *name != '\0';
}

static void add_pointer(walk *w, Dwarf_Die *type, uint64_t word) {
  if (word == 0)
    eo__text_add(w->out, "NULL");
  else if (add_function(w, type, word))
    return;
  else if (!add_literal(w, type, word))
    eo__text_add(w->out, "%#llx", (unsigned long long)word);
}

/* ---- Structs, and any value ------------------------------------------------------------------------------------- */

static void add_struct(walk *w, Dwarf_Die *type, const unsigned char *bytes, size_t size, int depth) {
  Dwarf_Die member;
  bool is_union = dwarf_tag(type) == DW_TAG_union_type, any = false;
  const char *meant = is_union ? meant_by(w, type) : NULL, *before_it = w->named;
  eo__text_add(w->out, "{");
  for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
    if (!is_shown(&member) || (meant && !is_meant(dwarf_diename(&member), meant))) continue;
    size_t before = w->out->length;
    if (any) eo__text_add(w->out, is_union ? " | " : ", ");
    if (any && is_full(w)) break;
    size_t inside = w->out->length;
    bool said = add_member(w, &member, bytes, size, depth);
    if (said && dwarf_tag(&member) == DW_TAG_inheritance && !w->out->failed)
      said = strcmp(w->out->chars + inside, "{}") != 0; /* a base class without members */
    if (said)
      any = true;
    else if (!w->out->failed)
      w->out->chars[w->out->length = before] = '\0';
  }
  w->named = before_it;
  eo__text_add(w->out, "}");
}

static void add_value(walk *w, Dwarf_Die *written, const unsigned char *bytes, size_t size, int depth) {
  Dwarf_Die type = *written;
  bool is_pid = false;
  if (depth > DEPTH || !eo__type_strip(&type, &is_pid)) {
    eo__text_add(w->out, "…");
    return;
  }
  if (is_pid && w->style->pid && size == sizeof(uint64_t)) {
    w->style->pid(w->style->context, w->out, read_word(bytes, size));
    return;
  }
  switch (dwarf_tag(&type)) {
    case DW_TAG_base_type: add_base(w->out, &type, bytes, size); break;
    case DW_TAG_enumeration_type:
      add_enumerator(w->out, &type, read_word(bytes, size), 8 * (unsigned)size);
      w->named = enumerator_name(&type, extend(read_word(bytes, size), 8 * (unsigned)size));
      break;
    case DW_TAG_array_type: add_array(w, &type, bytes, size, depth); break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: add_struct(w, &type, bytes, size, depth); break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
    case DW_TAG_ptr_to_member_type: add_pointer(w, &type, read_word(bytes, size)); break;
    default: eo__text_add(w->out, "?"); break;
  }
}

void eo__value_add(eo_text *out, Dwarf_Die *type, const unsigned char *bytes, size_t size,
                   const eo_value_style *style) {
  walk w = {.out = out, .style = style, .most = out->length + LENGTH_MOST};
  add_value(&w, type, bytes, size, 0);
}

bool eo__type_is_open(Dwarf_Die *type) {
  Dwarf_Die member, last, plain;
  bool any = false;
  if (dwarf_tag(type) != DW_TAG_structure_type) return false;
  for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member))
    if (dwarf_tag(&member) == DW_TAG_member) last = member, any = true;
  if (!any || !eo__type_of(&last, &plain) || !eo__type_strip(&plain, NULL)) return false;
  size_t size;
  if (!eo__type_size(&plain, &size)) size = 0;
  return extent(&plain, size, 1) == 1;
}

void eo__value_add_message(eo_text *out, Dwarf_Die *type, const unsigned char *bytes, size_t size,
                           const eo_value_style *style) {
  Dwarf_Die plain = *type;
  size_t each = 0;
  walk w = {.out = out, .style = style, .most = out->length + LENGTH_MOST};
  if (!eo__type_strip(&plain, NULL)) return;
  int tag = dwarf_tag(&plain);
  bool known = eo__type_size(&plain, &each);
  bool braces = tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
  if (is_character(&plain) && size > 1 && eo__value_is_text(&plain, bytes, size)) {
    eo__text_add(out, "{");
    eo__value_add_text(out, bytes, strnlen((const char *)bytes, size));
    eo__text_add(out, "}");
  } else if (tag == DW_TAG_array_type || (braces && (size == each || eo__type_is_open(&plain)))) {
    add_value(&w, type, bytes, size, 0);
  } else if (known && each > 0) {
    eo__text_add(out, "{");
    for (size_t i = 0; i < size / each; i++) {
      if (i == ELEMENTS || is_full(&w)) {
        if (i == ELEMENTS) eo__text_add(out, ", …");
        break;
      }
      if (i) eo__text_add(out, ", ");
      add_value(&w, type, bytes + i * each, each, 1);
    }
    eo__text_add(out, "}");
  }
}
