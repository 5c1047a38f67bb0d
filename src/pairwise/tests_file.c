/* tests_file.c: writes tests; see tests_file.h and doc/formats/pairwise-tests.md. */
#include "pairwise/tests_file.h"

#include <string.h>

#include "base/alloc.h"

/* Which name of each value comes next; NULL: no memory, or no value has more than one. */
typedef struct alias_turns {
  const eo_pairwise_model *model;
  uint32_t **next;
} alias_turns;

static bool has_aliases(const eo_pairwise_param *param) {
  for (size_t v = 0; v < param->values.count; v++) {
    if (param->values.items[v].names.count > 1) return true;
  }
  return false;
}

static void turns_release(alias_turns *turns) {
  for (size_t p = 0; turns->next && p < turns->model->params.count; p++) eo__free(turns->next[p]);
  eo__free(turns->next);
}

static bool turns_init(alias_turns *turns, const eo_pairwise_model *model) {
  turns->model = model;
  turns->next = eo__alloc(model->params.count * sizeof turns->next[0]);
  if (!turns->next) return false;
  for (size_t p = 0; p < model->params.count; p++) {
    const eo_pairwise_param *param = &model->params.items[p];
    if (!has_aliases(param)) continue;
    turns->next[p] = eo__alloc(param->values.count * sizeof turns->next[p][0]);
    if (!turns->next[p]) return false;
  }
  return true;
}

static const char *take_turn(const alias_turns *turns, size_t p, uint16_t value) {
  const eo_pairwise_value *own = &turns->model->params.items[p].values.items[value];
  if (!turns->next[p]) return own->names.items[0];
  uint32_t turn = turns->next[p][value]++;
  return own->names.items[turn % own->names.count];
}

/* ---- Cells -------------------------------------------------------------------------------------------------------- */

/* A tab would be the next column. */
static void add_plain(eo_text *text, const char *cell) {
  for (; *cell; cell++) eo__text_append(text, *cell == '\t' ? " " : cell, 1);
}

/* RFC 4180. An empty name is written "", so that it is not taken for no value. */
static void add_csv(eo_text *text, const char *cell) {
  size_t length = strlen(cell);
  bool blank = length == 0 || (unsigned char)cell[0] <= ' ' || (unsigned char)cell[length - 1] <= ' ';
  if (!blank && !strpbrk(cell, ",\"\r\n\t")) {
    eo__text_append(text, cell, length);
    return;
  }
  eo__text_append(text, "\"", 1);
  for (; *cell; cell++) eo__text_append(text, *cell == '"' ? "\"\"" : cell, *cell == '"' ? 2 : 1);
  eo__text_append(text, "\"", 1);
}

/* Bytes that are not UTF-8 become U+FFFD. */
static void add_json(eo_text *text, const char *cell) {
  eo__text_append(text, "\"", 1);
  for (size_t left = strlen(cell); left > 0;) {
    size_t length = eo__text_utf8(cell, left);
    if (length == 0) {
      eo__text_append(text, "\xef\xbf\xbd", 3);
      length = 1;
    } else if (*cell == '"' || *cell == '\\') {
      eo__text_add(text, "\\%c", *cell);
    } else if (length == 1 && (unsigned char)*cell < ' ') {
      eo__text_add(text, "\\u%04x", (unsigned char)*cell);
    } else {
      eo__text_append(text, cell, length);
    }
    cell += length;
    left -= length;
  }
  eo__text_append(text, "\"", 1);
}

/* # and \ mean something in TAP. */
static void add_tap(eo_text *text, const char *cell) {
  for (; *cell; cell++) {
    if (*cell == '#' || *cell == '\\') eo__text_append(text, "\\", 1);
    eo__text_append(text, cell, 1);
  }
}

/* ---- Rows --------------------------------------------------------------------------------------------------------- */

static void (*adder_of(eo_pairwise_format format))(eo_text *, const char *) {
  switch (format) {
    case EO_PAIRWISE_CSV: return add_csv;
    case EO_PAIRWISE_JSON: return add_json;
    case EO_PAIRWISE_TAP: return add_tap;
    default: return add_plain;
  }
}

static void add_header(const eo_pairwise_model *model, uint32_t rows, eo_pairwise_format format, eo_text *text) {
  if (format == EO_PAIRWISE_JSON) {
    eo__text_add(text, "{\"pairwise\": 1, \"tests\": [");
  } else if (format == EO_PAIRWISE_TAP) {
    eo__text_add(text, "TAP version 13\n1..%u\n", rows);
  } else {
    for (size_t p = 0; p < model->params.count; p++) {
      if (p > 0) eo__text_append(text, format == EO_PAIRWISE_CSV ? "," : "\t", 1);
      adder_of(format)(text, model->params.items[p].name);
    }
    eo__text_append(text, "\n", 1);
  }
}

static void add_row(alias_turns *turns, const uint16_t *row, eo_pairwise_format format, eo_text *text, eo_text *cell) {
  const eo_pairwise_model *model = turns->model;
  bool named = format == EO_PAIRWISE_JSON || format == EO_PAIRWISE_TAP, first = true;
  for (size_t p = 0; p < model->params.count; p++) {
    bool any = row[p] == EO_PAIRWISE_ANY;
    if (named && any) continue;
    if (!first) eo__text_add(text, "%s", named ? ", " : format == EO_PAIRWISE_CSV ? "," : "\t");
    first = false;
    if (named) {
      adder_of(format)(text, model->params.items[p].name);
      eo__text_append(text, ": ", 2);
    }
    if (any) continue;
    eo__text_clear(cell);
    if (model->params.items[p].values.items[row[p]].invalid) eo__text_add(cell, "%c", model->syntax.invalid_prefix);
    eo__text_add(cell, "%s", take_turn(turns, p, row[p]));
    adder_of(format)(text, cell->chars);
    text->failed |= cell->failed;
  }
}

/* PICT's JSON: an array of tests, each an array of names and values. */
static void add_pict_json(alias_turns *turns, const eo_pairwise_rows *rows, eo_text *text, eo_text *cell) {
  const eo_pairwise_model *model = turns->model;
  uint32_t count = eo_pairwise_rows_count(rows);
  eo__text_add(text, "[\n");
  for (uint32_t r = 0; r < count && !text->failed; r++) {
    eo__text_add(text, "  [\n");
    for (size_t p = 0; p < model->params.count; p++) {
      uint16_t value = eo_pairwise_row(rows, r)[p];
      eo__text_clear(cell);
      if (model->params.items[p].values.items[value].invalid) eo__text_add(cell, "%c", model->syntax.invalid_prefix);
      eo__text_add(cell, "%s", take_turn(turns, p, value));
      eo__text_add(text, "    {\n      \"key\": ");
      add_json(text, model->params.items[p].name);
      eo__text_add(text, ",\n      \"value\": ");
      add_json(text, cell->chars);
      eo__text_add(text, "\n    }%s\n", p + 1 < model->params.count ? "," : "");
      text->failed |= cell->failed;
    }
    eo__text_add(text, "  ]%s\n", r + 1 < count ? "," : "");
  }
  eo__text_add(text, "]\n");
}

void eo__pairwise_tests_write(const eo_pairwise_model *model, const eo_pairwise_rows *rows, eo_pairwise_format format,
                              eo_text *text) {
  alias_turns turns;
  eo_text cell;
  eo__text_init(&cell);
  uint32_t count = eo_pairwise_rows_count(rows);
  if (!turns_init(&turns, model)) text->failed = true;
  if (format == EO_PAIRWISE_PICT_JSON) {
    if (!text->failed) add_pict_json(&turns, rows, text, &cell);
    turns_release(&turns);
    eo__text_release(&cell);
    return;
  }
  add_header(model, count, format, text);
  for (uint32_t r = 0; r < count && !text->failed; r++) {
    if (format == EO_PAIRWISE_JSON) eo__text_add(text, "%s\n  {", r > 0 ? "," : "");
    if (format == EO_PAIRWISE_TAP) eo__text_add(text, "ok %u - ", r + 1);
    add_row(&turns, eo_pairwise_row(rows, r), format, text, &cell);
    if (format == EO_PAIRWISE_JSON) eo__text_append(text, "}", 1);
    if (format == EO_PAIRWISE_TAP) eo__text_add(text, " # SKIP not run");
    if (format != EO_PAIRWISE_JSON) eo__text_append(text, "\n", 1);
  }
  if (format == EO_PAIRWISE_JSON) eo__text_add(text, "\n]}\n");
  turns_release(&turns);
  eo__text_release(&cell);
}
