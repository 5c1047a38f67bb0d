/* finding_json.c: findings as one line of JSON, and back.
 *
 * The members of the failure and of the finding stand in one object, in the order of the structs. The addresses of a crash
 * are left out: they mean nothing to another process, and `backtrace` says what they were. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/finding.h"

/* ---- To JSON ------------------------------------------------------------------------------------------------------ */

/* Texts come from the program under test and may hold any bytes; JSON is UTF-8. A byte that is not becomes U+FFFD. That
 * is three bytes for one, so a text from a field of `size` bytes is cut to fit there again. */
static json_t *text_of(const char *bytes, size_t size) {
  static const char replacement[] = "\xef\xbf\xbd";
  eo_text clean;
  eo__text_init(&clean);
  size_t length = strnlen(bytes, size - 1);
  for (size_t i = 0; i < length;) {
    size_t sequence = eo__text_utf8(bytes + i, length - i);
    size_t added = sequence > 0 ? sequence : sizeof replacement - 1;
    if (clean.length + added >= size) break;
    eo__text_append(&clean, sequence > 0 ? bytes + i : replacement, added);
    i += sequence > 0 ? sequence : 1;
  }
  json_t *text = clean.failed ? NULL : json_stringn_nocheck(clean.chars, clean.length);
  eo__text_release(&clean);
  return text;
}

static json_t *string_of(const char *string) { return text_of(string ? string : "", SIZE_MAX); }
static json_t *string_or_null_of(const char *string) { return string ? string_of(string) : json_null(); }

/* Takes the value, which may be NULL: no memory. */
static bool put(json_t *object, const char *key, json_t *value) {
  return json_object_set_new_nocheck(object, key, value) == 0;
}

static json_t *strings_of(const eo_strings *strings) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < strings->count; i++) {
    if (json_array_append_new(array, string_of(strings->items[i])) == 0) continue;
    json_decref(array);
    array = NULL;
  }
  return array;
}

static json_t *mail_of(const eo_mailed *mail) {
  json_t *object = json_object();
  bool done = object && put(object, "number", json_integer(mail->number)) &&
              put(object, "other", string_of(mail->other)) && put(object, "text", string_of(mail->text));
  if (done) return object;
  json_decref(object);
  return NULL;
}

static json_t *mails_of(const eo_line *line) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < line->mails.count; i++) {
    if (json_array_append_new(array, mail_of(&line->mails.items[i])) == 0) continue;
    json_decref(array);
    array = NULL;
  }
  return array;
}

static json_t *variable_of(const eo_variable *variable) {
  json_t *object = json_object();
  bool done = object && put(object, "name", string_of(variable->name)) &&
              put(object, "before", string_of(variable->before)) && put(object, "after", string_of(variable->after));
  if (done) return object;
  json_decref(object);
  return NULL;
}

static json_t *variables_of(const eo_line *line) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < line->variables.count; i++) {
    if (json_array_append_new(array, variable_of(&line->variables.items[i])) == 0) continue;
    json_decref(array);
    array = NULL;
  }
  return array;
}

static json_t *after_of(const eo_line *line) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < line->after.count; i++) {
    if (json_array_append_new(array, json_integer(line->after.items[i])) == 0) continue;
    json_decref(array);
    array = NULL;
  }
  return array;
}

static json_t *line_of(const eo_line *line) {
  json_t *object = json_object();
  bool done = object && put(object, "process", string_of(line->process)) &&
              put(object, "name", string_of(line->name)) && put(object, "op", string_of(line->op)) &&
              put(object, "text", string_of(line->text)) && put(object, "file", string_of(line->file)) &&
              put(object, "function", string_of(line->function)) && put(object, "line", json_integer(line->line)) &&
              (!*eo_line_caller(line) || put(object, "caller", string_of(line->caller))) &&
              (!line->printed || put(object, "printed", string_of(line->printed))) &&
              put(object, "value", json_integer(line->value)) &&
              put(object, "preempts", json_boolean(line->preempts)) &&
              put(object, "delays", json_integer(line->delays)) && put(object, "other", string_of(line->other)) &&
              put(object, "sends", json_boolean(line->sends)) && put(object, "mails", mails_of(line)) &&
              put(object, "variables", variables_of(line)) && put(object, "after", after_of(line));
  if (done) return object;
  json_decref(object);
  return NULL;
}

static json_t *lines_of(const eo_finding *finding) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < finding->lines.count; i++) {
    if (json_array_append_new(array, line_of(&finding->lines.items[i])) == 0) continue;
    json_decref(array);
    array = NULL;
  }
  return array;
}

static bool put_failure(json_t *object, const eo_failure *failure) {
  return put(object, "kind", json_string_nocheck(eo__kind_name(failure->kind))) &&
         (!failure->class_name[0] || put(object, "class", text_of(failure->class_name, sizeof failure->class_name))) &&
         put(object, "message", text_of(failure->message, sizeof failure->message)) &&
         put(object, "process", text_of(failure->process, sizeof failure->process)) &&
         put(object, "file", text_of(failure->file, sizeof failure->file)) &&
         put(object, "line", json_integer(failure->line));
}

static bool put_rest(json_t *object, const eo_finding *finding) {
  EO_CHECK(finding->execution <= INT64_MAX);
  return put(object, "execution", json_integer((json_int_t)finding->execution)) &&
         put(object, "depth", json_integer(finding->depth)) &&
         put(object, "preemptions", json_integer(finding->preemptions)) &&
         put(object, "delays", json_integer(finding->delays)) &&
         put(object, "switches", json_integer(finding->switches)) &&
         put(object, "minimised", json_boolean(finding->minimised)) &&
         put(object, "fewest", json_boolean(finding->fewest)) &&
         put(object, "rechecked", json_boolean(finding->rechecked)) &&
         (!finding->beside || put(object, "beside", json_true())) &&
         put(object, "reversible", json_boolean(finding->reversible)) &&
         put(object, "earlier", json_integer(finding->earlier)) && put(object, "later", json_integer(finding->later)) &&
         put(object, "lines", lines_of(finding)) && put(object, "waiting", strings_of(&finding->waiting)) &&
         (finding->values.count == 0 || put(object, "values", strings_of(&finding->values))) &&
         (finding->circle.count == 0 || put(object, "circle", strings_of(&finding->circle))) &&
         put(object, "backtrace", strings_of(&finding->backtrace)) &&
         put(object, "ticket", string_or_null_of(finding->ticket)) &&
         put(object, "schedule", string_or_null_of(finding->schedule));
}

static int add_bytes(const char *bytes, size_t size, void *text) {
  eo__text_append(text, bytes, size);
  return ((eo_text *)text)->failed ? -1 : 0;
}

char *eo__finding_to_json(const eo_finding *finding) {
  eo_text out;
  eo__text_init(&out);
  json_t *object = json_object();
  /* Through a callback, so that the result is ours to free whichever allocator jansson uses. */
  if (!object || !put_failure(object, &finding->failure) || !put_rest(object, finding) ||
      json_dump_callback(object, add_bytes, &out, JSON_COMPACT) != 0) {
    eo__text_release(&out);
  }
  json_decref(object);
  return out.length > 0 ? out.chars : NULL;
}

/* ---- From JSON ---------------------------------------------------------------------------------------------------- */

/* Reads the members of one object. After the first error `code` is set and every read does nothing, so that callers
 * check once. */
typedef struct reader {
  json_t *object;
  size_t seen;    /* members read */
  char where[32]; /* "" or "lines[3]." */
  int code;
  eo_error *error;
} reader;

__attribute__((format(printf, 2, 3))) static void refuse(reader *r, const char *format, ...) {
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  r->code = eo__error_set(r->error, EO_EINPUT, "not a finding: %s", what);
}

static json_t *member(reader *r, const char *key) {
  if (r->code != EO_OK) return NULL;
  json_t *value = json_object_get(r->object, key);
  if (!value) refuse(r, "%s%s is missing", r->where, key);
  r->seen++;
  return value;
}

/* Every member was read once, so a larger object has some that do not belong there. */
static void no_more(reader *r) {
  if (r->code != EO_OK || json_object_size(r->object) == r->seen) return;
  refuse(r, "%shas %zu members that are unknown", r->where, json_object_size(r->object) - r->seen);
}

static const char *read_string(reader *r, const char *key) {
  json_t *value = member(r, key);
  if (!value) return NULL;
  if (!json_is_string(value)) refuse(r, "%s%s is not a string", r->where, key);
  return json_string_value(value);
}

static void read_chars(reader *r, const char *key, char *out, size_t size) {
  const char *string = read_string(r, key);
  if (!string) return;
  size_t length = strlen(string);
  if (length >= size) {
    refuse(r, "%s%s has more than %zu bytes", r->where, key, size - 1);
    return;
  }
  memcpy(out, string, length + 1);
}

static char *copy_of(reader *r, const char *string) {
  char *copy = eo__strdup(string);
  if (!copy) r->code = eo__error_nomem(r->error);
  return copy;
}

static char *read_copy(reader *r, const char *key) {
  const char *string = read_string(r, key);
  return string ? copy_of(r, string) : NULL;
}

static char *read_copy_or_null(reader *r, const char *key) {
  json_t *value = member(r, key);
  if (!value || json_is_null(value)) return NULL;
  if (!json_is_string(value)) {
    refuse(r, "%s%s is neither a string nor null", r->where, key);
    return NULL;
  }
  return copy_of(r, json_string_value(value));
}

static json_int_t read_integer(reader *r, const char *key, json_int_t min, json_int_t max) {
  json_t *value = member(r, key);
  if (!value) return 0;
  json_int_t integer = json_integer_value(value);
  if (json_is_integer(value) && integer >= min && integer <= max) return integer;
  refuse(r, "%s%s is not a whole number from %lld to %lld", r->where, key, (long long)min, (long long)max);
  return 0;
}

static bool read_bool(reader *r, const char *key) {
  json_t *value = member(r, key);
  if (value && !json_is_boolean(value)) refuse(r, "%s%s is neither true nor false", r->where, key);
  return json_is_true(value);
}

static json_t *read_array(reader *r, const char *key) {
  json_t *value = member(r, key);
  if (value && !json_is_array(value)) {
    refuse(r, "%s%s is not an array", r->where, key);
    return NULL;
  }
  return value;
}

static void read_strings(reader *r, const char *key, eo_strings *strings) {
  json_t *array = read_array(r, key);
  size_t count = json_array_size(array);
  if (count > 0 && !eo_vec_reserve(strings, count)) r->code = eo__error_nomem(r->error);
  for (size_t i = 0; r->code == EO_OK && i < count; i++) {
    const char *string = json_string_value(json_array_get(array, i));
    if (!string) {
      refuse(r, "%s[%zu] is not a string", key, i);
      return;
    }
    char *copy = copy_of(r, string);
    if (copy) strings->items[strings->count++] = copy;
  }
}

/* The reader of the ith object of an array, which is a member of r's object. */
static bool read_element(reader *r, json_t *array, size_t i, const char *key, reader *one) {
  *one = (reader){.object = json_array_get(array, i), .error = r->error};
  snprintf(one->where, sizeof one->where, "%.18s%.10s.", r->where, key);
  if (json_is_object(one->object)) return true;
  refuse(r, "%s%s has an element that is not an object", r->where, key);
  return false;
}

static void read_variables(reader *r, eo_line *line) {
  json_t *array = read_array(r, "variables");
  size_t count = json_array_size(array);
  if (count > 0 && !eo_vec_reserve(&line->variables, count)) r->code = eo__error_nomem(r->error);
  for (size_t i = 0; r->code == EO_OK && i < count; i++) {
    reader one;
    if (!read_element(r, array, i, "variables", &one)) return;
    eo_variable *variable = &line->variables.items[line->variables.count++];
    *variable = (eo_variable){.name = read_copy(&one, "name")};
    variable->before = read_copy(&one, "before");
    variable->after = read_copy(&one, "after");
    no_more(&one);
    r->code = one.code;
  }
}

static void read_mails(reader *r, eo_line *line) {
  json_t *array = read_array(r, "mails");
  size_t count = json_array_size(array);
  if (count > 0 && !eo_vec_reserve(&line->mails, count)) r->code = eo__error_nomem(r->error);
  for (size_t i = 0; r->code == EO_OK && i < count; i++) {
    reader one;
    if (!read_element(r, array, i, "mails", &one)) return;
    eo_mailed *mail = &line->mails.items[line->mails.count++];
    *mail = (eo_mailed){.number = (uint32_t)read_integer(&one, "number", 0, UINT32_MAX)};
    mail->other = read_copy(&one, "other");
    mail->text = read_copy(&one, "text");
    no_more(&one);
    r->code = one.code;
  }
}

static void read_after(reader *r, eo_line *line) {
  json_t *array = read_array(r, "after");
  size_t count = json_array_size(array);
  if (count > 0 && !eo_vec_reserve(&line->after, count)) r->code = eo__error_nomem(r->error);
  for (size_t i = 0; r->code == EO_OK && i < count; i++) {
    json_t *value = json_array_get(array, i);
    json_int_t step = json_integer_value(value);
    if (!json_is_integer(value) || step < 0 || step > UINT32_MAX)
      refuse(r, "%safter has an element that is not a step", r->where);
    else
      line->after.items[line->after.count++] = (uint32_t)step;
  }
}

static void read_line(reader *r, eo_line *line) {
  line->process = read_copy(r, "process");
  line->name = read_copy(r, "name");
  line->op = read_copy(r, "op");
  line->text = read_copy(r, "text");
  line->file = read_copy(r, "file");
  line->function = read_copy(r, "function");
  line->line = (int)read_integer(r, "line", INT_MIN, INT_MAX);
  if (json_object_get(r->object, "caller")) line->caller = read_copy(r, "caller"); /* written only where it is known */
  if (json_object_get(r->object, "printed")) line->printed = read_copy(r, "printed");
  line->value = (uint32_t)read_integer(r, "value", 0, UINT32_MAX);
  line->preempts = read_bool(r, "preempts");
  line->delays = (uint32_t)read_integer(r, "delays", 0, UINT32_MAX);
  line->other = read_copy(r, "other");
  line->sends = read_bool(r, "sends");
  read_mails(r, line);
  read_variables(r, line);
  read_after(r, line);
  no_more(r);
}

static void read_lines(reader *r, eo_finding *finding) {
  json_t *array = read_array(r, "lines");
  size_t count = json_array_size(array);
  if (count > 0 && !eo_vec_reserve(&finding->lines, count)) r->code = eo__error_nomem(r->error);
  for (size_t i = 0; r->code == EO_OK && i < count; i++) {
    reader one = {.object = json_array_get(array, i), .error = r->error};
    snprintf(one.where, sizeof one.where, "lines[%zu].", i);
    if (!json_is_object(one.object)) {
      refuse(r, "lines[%zu] is not an object", i);
      return;
    }
    /* Counted before it is filled, so that what a failure leaves in it is released with the rest. */
    eo_line *line = &finding->lines.items[finding->lines.count++];
    memset(line, 0, sizeof *line);
    read_line(&one, line);
    r->code = one.code;
  }
}

static void read_failure(reader *r, eo_failure *failure) {
  const char *kind = read_string(r, "kind");
  if (kind) {
    failure->kind = eo__kind_parse(kind);
    if (failure->kind == EO_KIND_NONE && strcmp(kind, eo__kind_name(EO_KIND_NONE)) != 0) refuse(r, "kind is unknown");
  }
  if (json_object_get(r->object, "class")) read_chars(r, "class", failure->class_name, sizeof failure->class_name);
  read_chars(r, "message", failure->message, sizeof failure->message);
  read_chars(r, "process", failure->process, sizeof failure->process);
  read_chars(r, "file", failure->file, sizeof failure->file);
  failure->line = (int)read_integer(r, "line", INT_MIN, INT_MAX);
}

static void read_finding(reader *r, eo_finding *finding) {
  read_failure(r, &finding->failure);
  finding->execution = (uint64_t)read_integer(r, "execution", 0, INT64_MAX);
  finding->depth = (uint32_t)read_integer(r, "depth", 0, UINT32_MAX);
  finding->preemptions = (uint32_t)read_integer(r, "preemptions", 0, UINT32_MAX);
  finding->delays = (uint32_t)read_integer(r, "delays", 0, UINT32_MAX);
  finding->switches = (uint32_t)read_integer(r, "switches", 0, UINT32_MAX);
  finding->minimised = read_bool(r, "minimised");
  finding->fewest = read_bool(r, "fewest");
  finding->rechecked = read_bool(r, "rechecked");
  finding->beside = json_object_get(r->object, "beside") && read_bool(r, "beside"); /* written only where it is true */
  finding->reversible = read_bool(r, "reversible");
  finding->earlier = (uint32_t)read_integer(r, "earlier", 0, UINT32_MAX);
  finding->later = (uint32_t)read_integer(r, "later", 0, UINT32_MAX);
  read_lines(r, finding);
  read_strings(r, "waiting", &finding->waiting);
  if (json_object_get(r->object, "values")) read_strings(r, "values", &finding->values);
  if (json_object_get(r->object, "circle")) read_strings(r, "circle", &finding->circle);
  read_strings(r, "backtrace", &finding->backtrace);
  finding->ticket = read_copy_or_null(r, "ticket");
  finding->schedule = read_copy_or_null(r, "schedule");
  no_more(r);
}

static json_t *load(const char *json, eo_error *error) {
  json_error_t why;
  json_t *object = json_loads(json, JSON_REJECT_DUPLICATES, &why);
  if (object && json_is_object(object)) return object;
  if (object) {
    json_decref(object);
    eo__error_set(error, EO_EINPUT, "not a finding: it is not a JSON object");
    return NULL;
  }
  /* jansson's lexer tells of failed allocations as of syntax errors, so look whether there is any memory. */
  void *probe = eo__alloc(1);
  bool memory = probe && json_error_code(&why) != json_error_out_of_memory;
  eo__free(probe);
  if (memory) {
    eo__error_set(error, EO_EINPUT, "not a finding: not JSON at column %d: %s", why.column, why.text);
  } else {
    eo__error_nomem(error);
  }
  return NULL;
}

int eo__finding_from_json(eo_finding *finding, const char *json, eo_error *error) {
  eo_error why = {0};
  eo_finding fresh;
  eo__finding_init(&fresh);
  reader r = {.object = load(json, &why), .error = &why};
  if (r.object) {
    read_finding(&r, &fresh);
  } else {
    r.code = why.code;
  }
  json_decref(r.object);
  if (r.code != EO_OK) {
    eo__finding_release(&fresh);
    return eo__error_set(error, r.code, "%s", why.text);
  }
  eo__finding_release(finding);
  *finding = fresh;
  return EO_OK;
}
