/* typing.c: see typing.h. A small part of the grammar of expressions: names, members, elements, addresses, casts, compound
 * literals, calls, sizeof. Whatever is not in it is unknown, and nothing is said about it: what the program means is never guessed.
 *
 * An expression has a type of the debug information, and so many pointers to that as the addresses taken in it. */
#include "subjects/actor/typing.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "subjects/actor/values.h"

enum { NAME_ROOM = 128, DEEPEST = 32 };

typedef struct reader {
  const eo_scope *scope;
  const char *at, *end;
  int depth;
} reader;

typedef struct typed {
  Dwarf_Die type;
  int pointers;
} typed;

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static const char closing[] = ")]}";

/* Behind the bracket, quote or character at `at`. */
static const char *skip_one(const char *at, const char *end) {
  const char *open = strchr("([{", *at);
  char quote = *at;
  if (quote == '"' || quote == '\'') {
    for (at++; at < end && *at != quote; at++) at += *at == '\\';
    return at < end ? at + 1 : end;
  }
  if (!*at || !open) return at + 1;
  for (at++; at < end && !strchr(closing, *at);) at = skip_one(at, end);
  return at < end ? at + 1 : end;
}

const char *eo__call_argument(const char *call, unsigned n, size_t *length) {
  const char *end = call + strlen(call), *from = call;
  for (;; n--) {
    const char *at = from;
    while (at < end && *at != ',') at = skip_one(at, end);
    while (from < at && isspace((unsigned char)*from)) from++;
    *length = (size_t)(at - from);
    while (*length > 0 && isspace((unsigned char)from[*length - 1])) --*length;
    if (n == 0) return from;
    if (at >= end) return NULL;
    from = at + 1;
  }
}

static void skip_space(reader *r) {
  while (r->at < r->end && isspace((unsigned char)*r->at)) r->at++;
}

static bool take(reader *r, const char *word) {
  skip_space(r);
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  bool name = isalpha((unsigned char)word[0]);
  if (name && r->at + length < r->end && (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')) return false;
  r->at += length;
  return true;
}

/* Of "a::b", the last part. */
static bool take_name(reader *r, char name[NAME_ROOM]) {
  do {
    skip_space(r);
    size_t length = 0;
    if (r->at >= r->end || !(isalpha((unsigned char)*r->at) || *r->at == '_')) return false;
    while (r->at + length < r->end && (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')) length++;
    if (length >= NAME_ROOM) return false;
    memcpy(name, r->at, length);
    name[length] = '\0';
    r->at += length;
  } while (take(r, "::"));
  return true;
}

/* ---- Types ------------------------------------------------------------------------------------------------------ */

/* "unsigned long" is called so by clang, and "long unsigned int" by gcc. */
static bool find_number_type(const eo_scope *scope, int unsigneds, int signeds, int shorts, int longs, bool is_char,
                             Dwarf_Die *type) {
  char name[64];
  if (is_char) return eo__scope_type(scope, unsigneds ? "unsigned char" : signeds ? "signed char" : "char", type);
  const char *size = shorts ? "short " : longs > 1 ? "long long " : longs ? "long " : "";
  snprintf(name, sizeof name, "%s%s%s", size, unsigneds ? "unsigned " : "", "int");
  if (eo__scope_type(scope, name, type)) return true;
  snprintf(name, sizeof name, "%s%s", unsigneds ? "unsigned " : "", *size ? size : "int");
  if (name[strlen(name) - 1] == ' ') name[strlen(name) - 1] = '\0';
  return eo__scope_type(scope, name, type);
}

static void skip_qualifiers(reader *r) {
  while (take(r, "const") || take(r, "volatile") || take(r, "struct") || take(r, "union") || take(r, "enum") ||
         take(r, "class") || take(r, "typename"))
    continue;
}

/* The name of a type, with what comes behind it: "const vote *", "int[2]". An array is as if a pointer. */
static bool take_type(reader *r, typed *out) {
  int unsigneds = 0, signeds = 0, shorts = 0, longs = 0, ints = 0, chars = 0;
  char name[NAME_ROOM];
  skip_qualifiers(r);
  for (bool more = true; more;) {
    if (take(r, "unsigned"))
      unsigneds++;
    else if (take(r, "signed"))
      signeds++;
    else if (take(r, "short"))
      shorts++;
    else if (take(r, "long"))
      longs++;
    else if (take(r, "int"))
      ints++;
    else if (take(r, "char"))
      chars++;
    else
      more = false;
  }
  out->pointers = 0;
  if (unsigneds + signeds + shorts + longs + ints + chars > 0) {
    if (!find_number_type(r->scope, unsigneds, signeds, shorts, longs, chars > 0, &out->type)) return false;
  } else {
    Dwarf_Die variable;
    bool constant;
    if (!take_name(r, name)) return false;
    if (eo__scope_variable(r->scope, name, &variable, &constant)) return false;
    skip_space(r);
    if (r->at < r->end && *r->at == '<') { /* the debug information calls it as it likes */
      return false;
    }
    if (strcmp(name, "bool") == 0 && eo__scope_type(r->scope, "_Bool", &out->type)) name[0] = '\0';
    if (*name && !eo__scope_type(r->scope, name, &out->type)) return false;
  }
  for (;;) {
    skip_qualifiers(r);
    if (take(r, "*")) {
      out->pointers++;
    } else if (skip_space(r), r->at < r->end && *r->at == '[') {
      r->at = skip_one(r->at, r->end);
      out->pointers++;
    } else {
      return true;
    }
  }
}

/* ---- Expressions ------------------------------------------------------------------------------------------------ */

static bool take_unary(reader *r, typed *out);

/* What it points to, or has as its elements. */
static bool point(typed *t) {
  if (t->pointers > 0) {
    t->pointers--;
    return true;
  }
  if (!eo__type_strip(&t->type, NULL)) return false;
  switch (dwarf_tag(&t->type)) {
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return eo__type_of(&t->type, &t->type) && point(t);
    case DW_TAG_pointer_type:
    case DW_TAG_array_type: return eo__type_of(&t->type, &t->type);
    default: return false;
  }
}

static void see_through_reference(typed *t) {
  Dwarf_Die plain = t->type;
  if (t->pointers > 0 || !eo__type_strip(&plain, NULL)) return;
  if (dwarf_tag(&plain) == DW_TAG_reference_type || dwarf_tag(&plain) == DW_TAG_rvalue_reference_type)
    eo__type_of(&plain, &t->type);
}

static bool take_postfix(reader *r, typed *out) {
  char name[NAME_ROOM];
  for (;;) {
    skip_space(r);
    see_through_reference(out);
    bool arrow = take(r, "->");
    if (arrow || take(r, ".")) {
      Dwarf_Die member;
      if (arrow && !point(out)) return false;
      if (!take_name(r, name) || out->pointers > 0 || !eo__scope_member(&out->type, name, &member)) return false;
      out->type = member;
    } else if (r->at < r->end && *r->at == '[') {
      r->at = skip_one(r->at, r->end);
      if (!point(out)) return false;
    } else {
      return true;
    }
  }
}

/* "(vote){3, 1}", "(vote *)p"; else nothing is taken. *literal: it is the first. */
static bool take_cast(reader *r, typed *out, bool *literal) {
  reader before = *r;
  if (take(r, "(") && take_type(r, out) && take(r, ")")) {
    skip_space(r);
    *literal = r->at < r->end && *r->at == '{';
    if (*literal) r->at = skip_one(r->at, r->end);
    return true;
  }
  *r = before;
  return false;
}

static bool take_primary(reader *r, typed *out) {
  char name[NAME_ROOM];
  bool constant;
  skip_space(r);
  if (r->at < r->end && *r->at == '"') {
    r->at = skip_one(r->at, r->end);
    *out = (typed){.pointers = 1};
    return eo__scope_type(r->scope, "char", &out->type);
  }
  if (take(r, "(")) {
    reader inner = *r;
    const char *open = r->at - 1, *behind = skip_one(open, r->end);
    inner.end = behind - 1;
    bool known = take_unary(&inner, out) && (skip_space(&inner), inner.at == inner.end);
    r->at = behind;
    return known;
  }
  reader before = *r;
  if (!take_name(r, name)) return false;
  skip_space(r);
  bool braced = r->at < r->end && *r->at == '{', called = r->at < r->end && *r->at == '(';
  *out = (typed){0};
  if (braced) { /* done{1, 2} */
    *r = before;
    if (!take_type(r, out)) return false;
    r->at = skip_one(r->at, r->end);
    return true;
  }
  if (!eo__scope_variable(r->scope, name, &out->type, &constant)) return false;
  if (called) r->at = skip_one(r->at, r->end);
  return true;
}

static bool take_unary(reader *r, typed *out) {
  bool literal = false, known;
  if (++r->depth > DEEPEST) return false;
  if (take(r, "&")) {
    known = take_unary(r, out);
    if (known) see_through_reference(out);
    out->pointers++;
    /* The address of an array is, in bytes, that of its elements: &(int[2]){1, 2}. */
  } else if (take(r, "*")) {
    known = take_unary(r, out) && point(out);
  } else if (take_cast(r, out, &literal)) {
    typed ignored;
    known = literal ? take_postfix(r, out) : take_unary(r, &ignored) || r->at <= r->end;
    if (!literal) r->at = r->end;
  } else {
    known = take_primary(r, out) && take_postfix(r, out);
  }
  r->depth--;
  return known;
}

/* All of the text, but for what is added to a pointer. */
static bool take_whole(reader *r, typed *out) {
  if (!take_unary(r, out)) return false;
  skip_space(r);
  return r->at == r->end || *r->at == '+' || *r->at == '-';
}

bool eo__typing_pointee(const eo_scope *scope, const char *text, size_t length, Dwarf_Die *type) {
  reader r = {.scope = scope, .at = text, .end = text + length};
  typed t = {0};
  size_t size;
  if (!take_whole(&r, &t) || !point(&t)) return false;
  while (t.pointers > 0) return false; /* a pointer to a pointer */
  *type = t.type;
  Dwarf_Die plain = t.type;
  if (!eo__type_strip(&plain, NULL)) return false; /* void */
  return eo__type_size(&plain, &size) || dwarf_tag(&plain) == DW_TAG_array_type;
}

bool eo__typing_measured(const eo_scope *scope, const char *text, size_t length, Dwarf_Die *type) {
  reader r = {.scope = scope, .at = text, .end = text + length};
  typed t = {0};
  while (r.at < r.end && !take(&r, "sizeof")) r.at++;
  if (r.at >= r.end) return false;
  bool literal;
  if (!take_cast(&r, &t, &literal) && !take_unary(&r, &t)) return false;
  see_through_reference(&t);
  *type = t.type;
  return t.pointers == 0;
}
