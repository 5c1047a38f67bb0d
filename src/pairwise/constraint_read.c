/* constraint_read.c: reads constraints, as PICT's grammar has them, by recursive descent:
 *
 *   constraint: IF some THEN some [ELSE some] ;   |  some ;
 *   some:       all { OR all }
 *   all:        one { AND one }
 *   one:        NOT one  |  ( some )  |  ISNEGATIVE ( [parameter] )  |  ISPOSITIVE ( [parameter] )  |  leaf
 *   leaf:       [parameter] relation what
 *
 * Lines whose first character is # are comments, also inside a constraint. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "pairwise/constraint.h"
#include "pairwise/names.h"
#include "pairwise/reader.h"

enum { MAX_DEPTH = 100 }; /* of parentheses and NOTs, so that no input overflows the stack */

/* ---- Characters --------------------------------------------------------------------------------------------------- */

/* To the next character that means something. */
static void skip_blanks(eo_pairwise_reader *reader) {
  bool line_start = reader->at == 0 || reader->text[reader->at - 1] == '\n';
  for (; reader->at < reader->length; reader->at++) {
    char c = reader->text[reader->at];
    if (c == '\n') {
      line_start = true;
    } else if (line_start && c == '#') {
      const char *end = memchr(reader->text + reader->at, '\n', reader->length - reader->at);
      reader->at = (end ? (size_t)(end - reader->text) : reader->length) - 1;
    } else if (!eo__pairwise_blank(c)) {
      return;
    }
  }
}

/* Is this next? If so it is read. Words end where letters do, in any case. */
static bool take(eo_pairwise_reader *reader, const char *token) {
  skip_blanks(reader);
  size_t length = strlen(token), left = reader->length - reader->at;
  const char *at = reader->text + reader->at;
  if (left < length || strncasecmp(at, token, length) != 0) return false;
  if (isalpha((unsigned char)token[0]) && left > length && isalpha((unsigned char)at[length])) return false;
  reader->at += length;
  return true;
}

/* What stands there, for errors: a word or a character. */
static int unexpected(eo_pairwise_reader *reader, const char *wanted) {
  skip_blanks(reader);
  if (reader->at >= reader->length) {
    return eo__pairwise_fail(reader, reader->at, "the constraint ends too early: %s expected", wanted);
  }
  const char *at = reader->text + reader->at;
  size_t left = reader->length - reader->at, length = 0;
  while (length < left && length < 40 && (isalnum((unsigned char)at[length]) || at[length] == '_')) length++;
  if (length == 0) {
    length = eo__text_utf8(at, left);
    if (length == 0) return eo__pairwise_fail(reader, reader->at, "%s expected", wanted);
  }
  return eo__pairwise_fail(reader, reader->at, "%s expected, not '%.*s'", wanted, (int)length, at);
}

/* A text up to a closing character, which is read too; \ before ], before " or before \ takes that character as it is.
 * `start` is where it was opened. */
static int read_quoted(eo_pairwise_reader *reader, size_t start, char close, char **result) {
  eo_text text;
  eo__text_init(&text);
  for (; reader->at < reader->length && reader->text[reader->at] != '\n'; reader->at++) {
    char c = reader->text[reader->at];
    if (c == close) break;
    if (c == '\\') {
      char next = reader->at + 1 < reader->length ? reader->text[reader->at + 1] : '\n';
      if (next != '\\' && next != '"' && next != ']') {
        eo__text_release(&text);
        return eo__pairwise_fail(reader, reader->at, "a \\ is written \\\\ here (only \\\\, \\\" and \\] are known)");
      }
      c = next;
      reader->at++;
    }
    eo__text_append(&text, &c, 1);
  }
  if (reader->at >= reader->length || reader->text[reader->at] != close) {
    eo__text_release(&text);
    return eo__pairwise_fail(reader, start, "there is no %c for this %c on the same line", close, reader->text[start]);
  }
  reader->at++;
  *result = text.failed ? NULL : eo__strdup(text.chars);
  eo__text_release(&text);
  return *result ? EO_OK : eo__error_nomem(reader->error);
}

/* What was read since `start`, with single blanks between words and without comments. */
static char *as_written(eo_pairwise_reader *reader, size_t start) {
  eo_text text;
  eo__text_init(&text);
  eo_pairwise_reader again = *reader;
  again.at = start;
  again.length = reader->at;
  bool quoted = false;
  while (again.at < again.length) {
    size_t before = again.at;
    if (!quoted) skip_blanks(&again);
    if (again.at >= again.length) break;
    if (again.at > before && text.length > 0) eo__text_append(&text, " ", 1);
    char c = again.text[again.at++];
    if (c == '\\' && again.at < again.length) {
      eo__text_append(&text, &c, 1);
      c = again.text[again.at++];
    } else if (c == '"') {
      quoted = !quoted;
    }
    eo__text_append(&text, &c, 1);
  }
  char *written = text.failed ? NULL : eo__strdup(text.chars);
  eo__text_release(&text);
  if (!written) eo__error_nomem(reader->error);
  return written;
}

/* ---- Leaves ------------------------------------------------------------------------------------------------------- */

static eo_pairwise_term *term_open(eo_pairwise_reader *reader, eo_pairwise_kind kind) {
  eo_pairwise_term *term = eo__alloc(sizeof *term);
  if (!term) {
    eo__error_nomem(reader->error);
    return NULL;
  }
  term->kind = kind;
  term->param = term->other = EO_PAIRWISE_NO_PARAM;
  return term;
}

/* Takes the child over, also when it fails. */
static int add_child(eo_pairwise_reader *reader, eo_pairwise_term *term, eo_pairwise_term *child) {
  if (eo_vec_push(&term->children, child)) return EO_OK;
  eo__pairwise_term_close(child);
  return eo__error_nomem(reader->error);
}

/* As PICT: a constraint that names an unknown parameter is read to its end, and left out. */
static int find_param(eo_pairwise_reader *reader, size_t offset, const char *name, uint32_t *param) {
  int64_t found = eo__pairwise_model_param(reader->model, name);
  *param = found < 0 ? EO_PAIRWISE_NO_PARAM : (uint32_t)found;
  if (found >= 0) return EO_OK;
  reader->unknown = true;
  return eo__pairwise_warn(reader, offset, "there is no parameter '%s': the constraint is left out", name);
}

static int read_param(eo_pairwise_reader *reader, uint32_t *param) {
  if (!take(reader, "[")) return unexpected(reader, "a [parameter]");
  size_t offset = reader->at - 1;
  char *name = NULL;
  int code = read_quoted(reader, offset, ']', &name);
  if (code == EO_OK) code = find_param(reader, offset, name, param);
  eo__free(name);
  return code;
}

static const char *type_of(bool numeric) { return numeric ? "numbers" : "strings"; }

/* A number or a string, of the parameter's type. */
static int read_constant(eo_pairwise_reader *reader, eo_pairwise_term *leaf) {
  bool known = leaf->param != EO_PAIRWISE_NO_PARAM;
  const eo_pairwise_param *param = known ? &reader->model->params.items[leaf->param] : NULL;
  eo_pairwise_constant constant = {0};
  skip_blanks(reader);
  size_t offset = reader->at;
  if (take(reader, "\"")) {
    int code = read_quoted(reader, offset, '"', &constant.name);
    if (code != EO_OK) return code;
  } else {
    size_t length = eo__pairwise_number(reader->text + offset, reader->length - offset, &constant.number);
    if (length == 0) return unexpected(reader, "a number, a \"string\" or a [parameter]");
    reader->at += length;
  }
  int code = EO_OK;
  if (leaf->comparison == EO_PAIRWISE_LIKE && !constant.name) {
    code = eo__pairwise_fail(reader, offset, "LIKE takes a pattern in quotes");
  } else if (known && param->numeric == (constant.name != NULL)) {
    code = eo__pairwise_fail(reader, offset, "the values of [%s] are %s; this is a %s", param->name,
                             type_of(param->numeric), constant.name ? "string" : "number");
  } else if (!eo_vec_push(&leaf->constants, constant)) {
    code = eo__error_nomem(reader->error);
  }
  if (code != EO_OK) eo__free(constant.name);
  return code;
}

static int read_set(eo_pairwise_reader *reader, eo_pairwise_term *leaf) {
  if (!take(reader, "{")) return unexpected(reader, "{ and values");
  do {
    int code = read_constant(reader, leaf);
    if (code != EO_OK) return code;
  } while (take(reader, ","));
  return take(reader, "}") ? EO_OK : unexpected(reader, ", or }");
}

/* The right side of a comparison. */
static int read_compared(eo_pairwise_reader *reader, eo_pairwise_term *leaf) {
  skip_blanks(reader);
  size_t offset = reader->at;
  if (offset >= reader->length || reader->text[offset] != '[') return read_constant(reader, leaf);
  int code = read_param(reader, &leaf->other);
  if (code != EO_OK || reader->unknown) return code;
  const eo_pairwise_param *param = &reader->model->params.items[leaf->param];
  const eo_pairwise_param *other = &reader->model->params.items[leaf->other];
  if (leaf->param == leaf->other) {
    return eo__pairwise_fail(reader, offset, "[%s] is compared with itself", param->name);
  }
  if (param->numeric != other->numeric) {
    return eo__pairwise_fail(reader, offset, "the values of [%s] are %s, those of [%s] are %s", param->name,
                             type_of(param->numeric), other->name, type_of(other->numeric));
  }
  return EO_OK;
}

/* As PICT: a comparison that is the same for all values is most likely a slip. */
static int warn_if_idle(eo_pairwise_reader *reader, const eo_pairwise_term *leaf, size_t start) {
  const eo_pairwise_param *param = &reader->model->params.items[leaf->param];
  size_t holding = 0;
  for (size_t v = 0; v < param->values.count; v++) {
    holding += eo__pairwise_leaf_holds(reader->model, leaf, (uint16_t)v, 0);
  }
  if (holding > 0 && holding < param->values.count) return EO_OK;
  char *written = as_written(reader, start);
  if (!written) return EO_ENOMEM;
  int code = eo__pairwise_warn(reader, start, "%s of [%s] satisfies %s", holding ? "every value" : "no value",
                               param->name, written);
  eo__free(written);
  return code;
}

static bool read_comparison(eo_pairwise_reader *reader, eo_pairwise_term *leaf, bool *negated) {
  static const struct {
    const char *token;
    eo_pairwise_comparison comparison;
  } known[] = {{"=", EO_PAIRWISE_EQUAL},          {"<>", EO_PAIRWISE_UNEQUAL}, {"<=", EO_PAIRWISE_LESS_EQUAL},
               {">=", EO_PAIRWISE_GREATER_EQUAL}, {"<", EO_PAIRWISE_LESS},     {">", EO_PAIRWISE_GREATER},
               {"LIKE", EO_PAIRWISE_LIKE}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    leaf->comparison = known[i].comparison;
    if (take(reader, known[i].token)) return true;
  }
  *negated = take(reader, "NOT");
  if (*negated && take(reader, "LIKE")) return true;
  leaf->comparison = EO_PAIRWISE_EQUAL;
  if (!take(reader, "IN")) return false;
  leaf->kind = EO_PAIRWISE_IN;
  return true;
}

static int fill_leaf(eo_pairwise_reader *reader, eo_pairwise_term *leaf, bool *negated) {
  skip_blanks(reader);
  size_t start = reader->at;
  int code = read_param(reader, &leaf->param);
  if (code != EO_OK) return code;
  skip_blanks(reader);
  size_t relation = reader->at;
  if (!read_comparison(reader, leaf, negated)) return unexpected(reader, "=, <>, <, <=, >, >=, IN or LIKE");
  bool known = leaf->param != EO_PAIRWISE_NO_PARAM;
  if (known && leaf->comparison == EO_PAIRWISE_LIKE && reader->model->params.items[leaf->param].numeric) {
    return eo__pairwise_fail(reader, relation, "LIKE is for strings; the values of [%s] are numbers",
                             reader->model->params.items[leaf->param].name);
  }
  code = leaf->kind == EO_PAIRWISE_IN ? read_set(reader, leaf) : read_compared(reader, leaf);
  if (code == EO_OK && !reader->unknown && leaf->other == EO_PAIRWISE_NO_PARAM)
    code = warn_if_idle(reader, leaf, start);
  return code;
}

/* ---- Terms -------------------------------------------------------------------------------------------------------- */

/* Each returns the term, or NULL after it said why. */
static eo_pairwise_term *read_some(eo_pairwise_reader *reader, unsigned depth);

static eo_pairwise_term *negate(eo_pairwise_reader *reader, eo_pairwise_term *child) {
  if (!child) return NULL;
  eo_pairwise_term *term = term_open(reader, EO_PAIRWISE_NOT);
  if (!term) {
    eo__pairwise_term_close(child);
    return NULL;
  }
  if (add_child(reader, term, child) == EO_OK) return term;
  eo__pairwise_term_close(term);
  return NULL;
}

static eo_pairwise_term *read_leaf(eo_pairwise_reader *reader) {
  bool negated = false;
  eo_pairwise_term *leaf = term_open(reader, EO_PAIRWISE_COMPARE);
  if (!leaf) return NULL;
  if (fill_leaf(reader, leaf, &negated) == EO_OK) return negated ? negate(reader, leaf) : leaf;
  eo__pairwise_term_close(leaf);
  return NULL;
}

/* A leaf for the parameter, or one for each that has an invalid value. */
static int add_negative(eo_pairwise_reader *reader, eo_pairwise_term *term, uint32_t param) {
  eo_pairwise_term *leaf = term_open(reader, EO_PAIRWISE_NEGATIVE);
  if (!leaf) return EO_ENOMEM;
  leaf->param = param;
  return add_child(reader, term, leaf);
}

static int add_negatives(eo_pairwise_reader *reader, eo_pairwise_term *term) {
  for (uint32_t p = 0; p < reader->model->params.count; p++) {
    const eo_pairwise_param *param = &reader->model->params.items[p];
    bool invalid = false;
    for (size_t v = 0; v < param->values.count; v++) invalid |= param->values.items[v].invalid;
    if (invalid && add_negative(reader, term, p) != EO_OK) return EO_ENOMEM;
  }
  return EO_OK;
}

/* After ISNEGATIVE or ISPOSITIVE. PICT has the parameter's name without brackets; nothing means any parameter. */
static int read_function(eo_pairwise_reader *reader, eo_pairwise_term *term) {
  uint32_t param = EO_PAIRWISE_NO_PARAM;
  if (!take(reader, "(")) return unexpected(reader, "(");
  size_t open = reader->at - 1;
  if (take(reader, ")")) return add_negatives(reader, term);
  int code;
  skip_blanks(reader);
  if (reader->at < reader->length && reader->text[reader->at] == '[') {
    code = read_param(reader, &param);
    if (code == EO_OK && !take(reader, ")")) return unexpected(reader, ")");
  } else {
    size_t offset = reader->at, close = eo__pairwise_find(reader, (eo_pairwise_span){offset, reader->length}, ')');
    if (close == reader->length) return eo__pairwise_fail(reader, open, "there is no ) for this (");
    char *name = eo__pairwise_copy(reader, eo__pairwise_trim(reader, offset, close));
    reader->at = close + 1;
    code = name ? find_param(reader, offset, name, &param) : eo__error_nomem(reader->error);
    eo__free(name);
  }
  return code == EO_OK && param != EO_PAIRWISE_NO_PARAM ? add_negative(reader, term, param) : code;
}

static eo_pairwise_term *read_one(eo_pairwise_reader *reader, unsigned depth) {
  skip_blanks(reader);
  if (depth >= MAX_DEPTH) {
    eo__pairwise_fail(reader, reader->at, "more than %d parentheses and NOTs inside one another", MAX_DEPTH);
    return NULL;
  }
  if (take(reader, "NOT")) return negate(reader, read_one(reader, depth + 1));
  if (take(reader, "(")) {
    eo_pairwise_term *term = read_some(reader, depth + 1);
    if (!term || take(reader, ")")) return term;
    unexpected(reader, "AND, OR or )");
    eo__pairwise_term_close(term);
    return NULL;
  }
  bool negative = take(reader, "ISNEGATIVE");
  if (!negative && !take(reader, "ISPOSITIVE")) return read_leaf(reader);
  eo_pairwise_term *term = term_open(reader, EO_PAIRWISE_SOME);
  if (!term) return NULL;
  if (read_function(reader, term) == EO_OK) return negative ? term : negate(reader, term);
  eo__pairwise_term_close(term);
  return NULL;
}

/* Parts with a word between them. One part is not wrapped. */
static eo_pairwise_term *read_joined(eo_pairwise_reader *reader, unsigned depth, const char *word,
                                     eo_pairwise_kind kind,
                                     eo_pairwise_term *part(eo_pairwise_reader *reader, unsigned depth)) {
  eo_pairwise_term *first = part(reader, depth);
  if (!first || !take(reader, word)) return first;
  eo_pairwise_term *term = term_open(reader, kind);
  if (!term) {
    eo__pairwise_term_close(first);
    return NULL;
  }
  int code = add_child(reader, term, first);
  do {
    eo_pairwise_term *next = code == EO_OK ? part(reader, depth) : NULL;
    code = next ? add_child(reader, term, next) : EO_EINPUT;
  } while (code == EO_OK && take(reader, word));
  if (code == EO_OK) return term;
  eo__pairwise_term_close(term);
  return NULL;
}

static eo_pairwise_term *read_all(eo_pairwise_reader *reader, unsigned depth) {
  return read_joined(reader, depth, "AND", EO_PAIRWISE_ALL, read_one);
}

static eo_pairwise_term *read_some(eo_pairwise_reader *reader, unsigned depth) {
  return read_joined(reader, depth, "OR", EO_PAIRWISE_SOME, read_all);
}

/* ---- Constraints -------------------------------------------------------------------------------------------------- */

static int fill_conditional(eo_pairwise_reader *reader, eo_pairwise_term *term) {
  eo_pairwise_term *part = read_some(reader, 0);
  if (!part || add_child(reader, term, part) != EO_OK) return EO_EINPUT;
  if (!take(reader, "THEN")) return unexpected(reader, "AND, OR or THEN");
  part = read_some(reader, 0);
  if (!part || add_child(reader, term, part) != EO_OK) return EO_EINPUT;
  if (!take(reader, "ELSE")) return EO_OK;
  part = read_some(reader, 0);
  return part ? add_child(reader, term, part) : EO_EINPUT;
}

static eo_pairwise_term *read_term(eo_pairwise_reader *reader) {
  if (!take(reader, "IF")) return read_some(reader, 0);
  eo_pairwise_term *term = term_open(reader, EO_PAIRWISE_IF);
  if (!term || fill_conditional(reader, term) == EO_OK) return term;
  eo__pairwise_term_close(term);
  return NULL;
}

static int read_constraint(eo_pairwise_reader *reader) {
  eo_pairwise_constraint constraint = {0};
  size_t start = reader->at;
  const char *at = reader->text + start;
  if (*at == '{' ||
      (reader->length - start > 8 && strncasecmp(at, "relation", 8) == 0 && !isalpha((unsigned char)at[8]))) {
    return eo__pairwise_fail(reader, start, "sub-models and relations stand before the first constraint");
  }
  constraint.line = eo__pairwise_line(reader, start);
  reader->unknown = false;
  constraint.term = read_term(reader);
  if (!constraint.term) return reader->error->code;
  int code = EO_OK;
  if (!take(reader, ";")) {
    bool conditional = constraint.term->kind == EO_PAIRWISE_IF && constraint.term->children.count == 2;
    code = unexpected(reader, conditional ? "AND, OR, ELSE or ;" : "AND, OR or ;");
  }
  if (code == EO_OK) {
    constraint.text = as_written(reader, start);
    if (!constraint.text) code = EO_ENOMEM;
  }
  bool kept = code == EO_OK && !reader->unknown;
  if (kept && !eo_vec_push(&reader->model->constraints, constraint)) code = eo__error_nomem(reader->error);
  if (kept && code == EO_OK) return EO_OK;
  eo__pairwise_term_close(constraint.term);
  eo__free(constraint.text);
  return code;
}

int eo__pairwise_read_constraints(eo_pairwise_reader *reader) {
  for (skip_blanks(reader); reader->at < reader->length; skip_blanks(reader)) {
    int code = read_constraint(reader);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}
