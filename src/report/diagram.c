/* diagram.c: a sequence diagram for a terminal. Each row is a line of cells, the lanes, and beside it the words; what
 * does not fit beside the lanes goes on in further rows, so that nothing is cut off. */
#include "report/diagram.h"

#include <string.h>

#include "base/alloc.h"
#include "report/fold.h"
#include "report/lanes.h"
#include "report/shown.h"

enum {
  LANE_LEAST = 8, /* columns: an arrow with a short tag */
  LANE_MOST = 20,
  WORDS_LEAST = 22,
  WORDS_MOST = 64,
  FOLD_WORDS = 40, /* "... 1,000 times in all, up to step 10,000" */
  WHERE_MOST = 40,
  GAP = 2
};

typedef enum ink { PAINT_NONE, PAINT_DIM, PAINT_BOLD, PAINT_YELLOW, PAINT_RED } ink;

typedef struct row_cell {
  char glyph[5]; /* one character; "" is a space */
  ink paint;
} row_cell;

typedef struct symbol_set {
  const char *life, *none, *row, *dash, *cross, *right, *left, *self, *act, *take, *born, *end, *pick, *fail, *wait;
} symbol_set;

static const symbol_set drawn = {"│", "·", "─", "╌", "┼", "▶", "◀", "↩", "●", "○", "┬", "■", "◇", "✗", "?"};
static const symbol_set typed = {"|", ".", "-", ".", "+", ">", "<", "@", "*", "o", "+", "#", "%", "X", "?"};

typedef struct canvas {
  FILE *out;
  const eo_diagram_style *style;
  const symbol_set *symbols;
  const eo_finding *finding;
  eo_lanes lanes;
  size_t digits;   /* of a step's number */
  size_t lane;     /* columns of each; 0: a list */
  size_t who;      /* of a list: columns of the process */
  size_t words;    /* columns */
  size_t where;    /* columns; 0: not shown */
  row_cell *cells; /* of one row */
  bool preempted;  /* some step did */
  bool *failed;    /* no memory */
} canvas;

/* ---- Text ----------------------------------------------------------------------------------------------------------- */

size_t eo__diagram_text(eo_text *text, const char *chars, bool ascii) {
  eo_text shown;
  if (!ascii) return eo__shown_add(text, chars);
  eo__text_init(&shown);
  eo__shown_add(&shown, chars);
  size_t before = text->length;
  for (const char *c = shown.chars; *c != '\0';) {
    uint32_t character = 0;
    size_t length = eo__utf8(c, &character);
    if (length <= 1)
      eo__text_append(text, c, 1);
    else if (character == 0x2026) /* the ellipsis of a long payload */
      eo__text_add(text, "...");
    else
      eo__text_add(text, character > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)character);
    c += length > 1 ? length : 1;
  }
  if (shown.failed) text->failed = true;
  eo__text_release(&shown);
  return text->length - before;
}

size_t eo__diagram_wrap(const char *chars, size_t columns, size_t *skip) {
  size_t bytes = 0, taken = 0, space = 0;
  uint32_t character;
  *skip = 0;
  while (chars[bytes] != '\0' && taken < columns) {
    if (chars[bytes] == ' ' && taken > 0) space = bytes;
    size_t length = eo__utf8(chars + bytes, &character);
    bytes += length > 0 ? length : 1;
    taken++;
  }
  if (chars[bytes] == '\0') return bytes;
  if (chars[bytes] == ' ') space = bytes;
  if (space == 0) return bytes; /* one long word */
  *skip = strspn(chars + space, " ");
  return space;
}

static void release(const canvas *diagram, eo_text *text) {
  if (text->failed) *diagram->failed = true;
  eo__text_release(text);
}

static const char *code_of(ink paint) {
  static const char *const codes[] = {"", EO_DIM, EO_BOLD, EO_YELLOW, EO_RED};
  return codes[paint];
}

static void put_painted(const canvas *diagram, ink paint, const char *chars, size_t length) {
  bool painted = diagram->style->colour && paint != PAINT_NONE;
  fprintf(diagram->out, "%s%.*s%s", painted ? code_of(paint) : "", (int)length, chars, eo__plain(painted));
}

static size_t columns_of(const char *chars, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++) columns += ((unsigned char)chars[i] & 0xc0) != 0x80;
  return columns;
}

/* How many bytes the first so many columns take. */
static size_t bytes_of(const char *chars, size_t columns) {
  size_t bytes = 0;
  for (size_t i = 0; i < columns && chars[bytes] != '\0'; i++) {
    bytes++;
    while (((unsigned char)chars[bytes] & 0xc0) == 0x80) bytes++;
  }
  return bytes;
}

static size_t text_columns(const canvas *diagram, const char *chars) {
  eo_text text;
  eo__text_init(&text);
  size_t columns = eo__diagram_text(&text, chars, diagram->style->ascii);
  release(diagram, &text);
  return columns;
}

/* A paragraph below the diagram. */
static void put_paragraph(const canvas *diagram, ink paint, const char *chars, size_t indent) {
  size_t skip;
  for (const char *rest = chars; *rest != '\0';) {
    size_t length = eo__diagram_wrap(rest, diagram->style->width - indent, &skip);
    fprintf(diagram->out, "%*s", (int)indent, "");
    put_painted(diagram, paint, rest, length);
    fputc('\n', diagram->out);
    rest += length + skip;
  }
}

/* ---- Cells ---------------------------------------------------------------------------------------------------------- */

static void set_cell(canvas *diagram, size_t at, const char *glyph, size_t length, ink paint) {
  row_cell *cell = &diagram->cells[at];
  memcpy(cell->glyph, glyph, length);
  cell->glyph[length] = '\0';
  cell->paint = paint;
}

static void set_symbol(canvas *diagram, size_t at, const char *glyph, ink paint) {
  set_cell(diagram, at, glyph, strlen(glyph), paint);
}

static bool is_alive(const eo_lane *lane, uint32_t step) {
  return (lane->spawned == EO_NO_STEP || lane->spawned < step) && (lane->ended == EO_NO_STEP || lane->ended >= step);
}

/* The lanes as they stand at this step, with nobody doing anything. `step` may be one past the last. */
static void draw_lives(canvas *diagram, uint32_t step) {
  size_t width = diagram->lanes.lanes.count * diagram->lane;
  memset(diagram->cells, 0, width * sizeof(row_cell));
  for (size_t i = 0; i < diagram->lanes.lanes.count; i++)
    if (is_alive(&diagram->lanes.lanes.items[i], step))
      set_symbol(diagram, i * diagram->lane, diagram->symbols->life, PAINT_DIM);
}

/* As much of the label as there is room for: all of it, without its payload, the number alone, nothing. */
static size_t fit_label(const char *label, size_t room, const char **from) {
  size_t length = strlen(label);
  *from = label;
  if (columns_of(label, length) <= room) return length;
  if (strncmp(label, "tag ", 4) == 0) {
    length = 4 + strcspn(label + 4, " ");
    if (length <= room) return length;
    *from = label + 4;
    length -= 4;
  } else {
    length = strcspn(label, " ");
  }
  return columns_of(*from, length) <= room ? length : 0;
}

/* In the first stretch from the sender, so that it crosses no lane. */
static void draw_label(canvas *diagram, size_t low, size_t room, const char *chars) {
  eo_text label;
  const char *from;
  eo__text_init(&label);
  eo__diagram_text(&label, chars, diagram->style->ascii);
  size_t length = fit_label(label.chars, room, &from), columns = columns_of(from, length);
  size_t at = low + (room - columns) / 2;
  for (size_t i = 0; i < length;) {
    uint32_t character;
    size_t one = eo__utf8(from + i, &character);
    if (one == 0) one = 1;
    set_cell(diagram, at++, from + i, one, PAINT_NONE);
    i += one;
  }
  release(diagram, &label);
}

/* From one lane to another, with a head there. */
static void draw_arrow(canvas *diagram, uint32_t from, uint32_t to, bool solid, ink paint) {
  const symbol_set *symbols = diagram->symbols;
  size_t a = from * diagram->lane, b = to * diagram->lane;
  size_t low = a < b ? a + 1 : b + 1, high = a < b ? b : a;
  for (size_t i = low; i < high; i++) {
    bool crosses = i % diagram->lane == 0 && diagram->cells[i].glyph[0] != '\0';
    set_symbol(diagram, i, crosses ? symbols->cross : solid ? symbols->row : symbols->dash, paint);
  }
  set_symbol(diagram, a < b ? b - 1 : b + 1, a < b ? symbols->right : symbols->left, paint);
  if (diagram->cells[b].glyph[0] == '\0')
    set_symbol(diagram, b, symbols->none, PAINT_DIM); /* not there, or not any more */
}

/* The arrows of what a step sent, the longest first: a shorter one keeps its head. */
static void draw_mails(canvas *diagram, uint32_t own, const eo_line *line) {
  for (size_t distance = diagram->lanes.lanes.count; distance-- > 0;)
    for (size_t i = 0; i < line->mails.count; i++) {
      uint32_t to = eo__lane_of(&diagram->lanes, line->mails.items[i].other);
      if (to == EO_NO_STEP || (to > own ? to - own : own - to) != distance) continue;
      if (to == own)
        set_symbol(diagram, own * diagram->lane + 1, diagram->symbols->self, PAINT_NONE);
      else
        draw_arrow(diagram, own, to, true, PAINT_NONE);
    }
  const eo_mailed *only = line->mails.count == 1 ? &line->mails.items[0] : NULL;
  uint32_t to = only ? eo__lane_of(&diagram->lanes, only->other) : EO_NO_STEP;
  if (to == EO_NO_STEP || to == own || only->text == NULL) return;
  /* Between the two lanes nearest to the sender, less the head where it ends there. */
  bool near = to == own + 1 || to + 1 == own;
  size_t room = diagram->lane - 1 - (near ? 1 : 0);
  size_t low = to > own ? own * diagram->lane + 1 : own * diagram->lane - diagram->lane + 1 + (near ? 1 : 0);
  draw_label(diagram, low, room, only->text);
}

static bool is_op(const eo_line *line, const char *op) { return strcmp(line->op, op) == 0; }

static void draw_step(canvas *diagram, uint32_t step) {
  const symbol_set *symbols = diagram->symbols;
  const eo_line *line = &diagram->finding->lines.items[step];
  uint32_t own = diagram->lanes.of.items[step], other = eo__lane_of(&diagram->lanes, line->other);
  draw_lives(diagram, step);
  if (line->sends && line->mails.count > 0)
    draw_mails(diagram, own, line);
  else if (other != EO_NO_STEP && other != own && !is_op(line, "receive") && !is_op(line, "exit"))
    draw_arrow(diagram, own, other, false, PAINT_DIM);
  if (is_op(line, "spawn") && other != EO_NO_STEP && other != own)
    set_symbol(diagram, other * diagram->lane, symbols->born, PAINT_NONE);
  const char *glyph = is_op(line, "receive")  ? symbols->take
                      : is_op(line, "exit")   ? symbols->end
                      : is_op(line, "choose") ? symbols->pick
                                              : symbols->act;
  set_symbol(diagram, own * diagram->lane, glyph, PAINT_BOLD);
}

static void put_cells(const canvas *diagram) {
  size_t count = diagram->lanes.lanes.count * diagram->lane;
  for (size_t i = 0; i < count;) {
    size_t end = i;
    ink paint = diagram->cells[i].paint;
    bool painted = diagram->style->colour && paint != PAINT_NONE;
    fputs(painted ? code_of(paint) : "", diagram->out);
    for (; end < count && diagram->cells[end].paint == paint; end++)
      fputs(diagram->cells[end].glyph[0] != '\0' ? diagram->cells[end].glyph : " ", diagram->out);
    fputs(eo__plain(painted), diagram->out);
    i = end;
  }
}

/* ---- Rows ------------------------------------------------------------------------------------------------------------ */

/* What stands left of the words in a row of a list: the process, in the first row of a step. */
static void put_who(const canvas *diagram, uint32_t step, bool first) {
  eo_text who;
  eo__text_init(&who);
  size_t columns = 0;
  if (first) {
    const eo_line *line = &diagram->finding->lines.items[step];
    columns = eo__diagram_text(&who, line->process, diagram->style->ascii);
    if (line->name[0] != '\0') {
      eo__text_add(&who, " ");
      columns += 1 + eo__diagram_text(&who, line->name, diagram->style->ascii);
    }
  }
  size_t bytes = who.length;
  bool cut = columns > diagram->who;
  if (cut) bytes = bytes_of(who.chars, columns = diagram->who - 1);
  fprintf(diagram->out, "%.*s%s", (int)bytes, who.chars, !cut ? "" : diagram->style->ascii ? "~" : "…");
  fprintf(diagram->out, "%*s", (int)(diagram->who - columns - (cut ? 1 : 0)), "");
  release(diagram, &who);
}

/* The rows of a step: its number, the lanes or the process, and the words in as many rows as they take. The cells of
 * the first row have been drawn. Or of what is told before this step, without a number and a process. */
static void put_rows(canvas *diagram, uint32_t step, bool is_step, const char *words, const char *where, ink paint) {
  bool preempts = is_step && diagram->finding->lines.items[step].preempts;
  const char *rest = words;
  for (bool first = true; first || *rest != '\0'; first = false) {
    size_t skip, length = eo__diagram_wrap(rest, diagram->words, &skip);
    put_painted(diagram, PAINT_YELLOW, first && preempts ? ">" : " ", 1);
    if (first && is_step) {
      char number[24];
      int digits = snprintf(number, sizeof(number), "%*u", (int)diagram->digits, (unsigned)step + 1);
      put_painted(diagram, PAINT_DIM, number, (size_t)digits);
    } else {
      fprintf(diagram->out, "%*s", (int)diagram->digits, "");
    }
    fprintf(diagram->out, "%*s", GAP, "");
    if (!first && diagram->lane > 0) draw_lives(diagram, step + is_step);
    if (diagram->lane > 0)
      put_cells(diagram);
    else
      put_who(diagram, step, first && is_step);
    fprintf(diagram->out, "%*s", length > 0 ? GAP : 0, "");
    put_painted(diagram, paint, rest, length);
    if (first && diagram->where > 0 && where[0] != '\0') {
      fprintf(diagram->out, "%*s", (int)(diagram->words - columns_of(rest, length) + GAP), "");
      put_painted(diagram, PAINT_DIM, where, strlen(where));
    }
    fputc('\n', diagram->out);
    rest += length + skip;
  }
}

/* What a step did; a receive also says which step sent it. */
static void add_words(const canvas *diagram, eo_text *words, const eo_line *line) {
  eo__diagram_text(words, line->text, diagram->style->ascii);
  if (line->sends || line->mails.count == 0) return;
  const eo_letter *letter = eo__lanes_letter(&diagram->lanes, line->mails.items[0].number);
  if (letter != NULL && letter->sent != EO_NO_STEP) eo__text_add(words, " (step %u)", (unsigned)letter->sent + 1);
}

static void add_where(const canvas *diagram, eo_text *where, const eo_line *line) {
  if (eo_line_caller(line)[0] != '\0') {
    eo__diagram_text(where, line->caller, diagram->style->ascii);
    return;
  }
  if (line->file[0] == '\0') return;
  eo__diagram_text(where, line->file, diagram->style->ascii);
  eo__text_add(where, ":%d", line->line);
}

static void put_step(canvas *diagram, uint32_t step) {
  const eo_line *line = &diagram->finding->lines.items[step];
  eo_text words, where;
  eo__text_init(&words);
  eo__text_init(&where);
  add_words(diagram, &words, line);
  add_where(diagram, &where, line);
  if (diagram->lane > 0) draw_step(diagram, step);
  put_rows(diagram, step, true, words.chars, where.chars, PAINT_NONE);
  diagram->preempted = diagram->preempted || line->preempts;
  release(diagram, &words);
  release(diagram, &where);
}

/* From this step on: one step, or those that repeat themselves, once. The result is where to go on. */
static size_t put_steps(canvas *diagram, size_t step) {
  size_t times = 1, period = eo__fold_period(diagram->finding, step, &times);
  for (size_t i = 0; i < (period ? period : 1); i++) put_step(diagram, (uint32_t)(step + i));
  if (!period) return step + 1;
  eo_text words;
  eo__text_init(&words);
  eo__fold_text(&words, step, period, times);
  size_t next = step + period * times;
  if (diagram->lane > 0) draw_lives(diagram, (uint32_t)next);
  put_rows(diagram, (uint32_t)next, false, words.chars, "", PAINT_DIM);
  release(diagram, &words);
  return next;
}

/* Those that wait at the end of a deadlock: each line of `waiting` begins with the process. */
static void draw_waiting(canvas *diagram) {
  for (size_t i = 0; i < diagram->finding->waiting.count; i++) {
    char process[EO_PROCESS_NAME];
    const char *chars = diagram->finding->waiting.items[i];
    snprintf(process, sizeof(process), "%.*s", (int)strcspn(chars, " "), chars);
    uint32_t lane = eo__lane_of(&diagram->lanes, process);
    if (lane != EO_NO_STEP) set_symbol(diagram, lane * diagram->lane, diagram->symbols->wait, PAINT_RED);
  }
}

static void put_failure_row(canvas *diagram) {
  const eo_failure *failure = &diagram->finding->failure;
  uint32_t end = (uint32_t)diagram->finding->lines.count, lane = eo__lane_of(&diagram->lanes, failure->process);
  eo_text words;
  if (failure->kind == EO_KIND_NONE || diagram->lane == 0 || diagram->lanes.lanes.count == 0) return;
  eo__text_init(&words);
  eo__text_add(&words, "%s", eo__kind_name(failure->kind));
  draw_lives(diagram, end);
  draw_waiting(diagram);
  if (lane != EO_NO_STEP && failure->kind != EO_KIND_DEADLOCK)
    set_symbol(diagram, lane * diagram->lane, diagram->symbols->fail, PAINT_RED);
  put_rows(diagram, end, false, words.chars, "", PAINT_RED);
  release(diagram, &words);
}

/* ---- Measures -------------------------------------------------------------------------------------------------------- */

static void widen(size_t *columns, size_t wanted, size_t most) {
  if (wanted > most) wanted = most;
  if (wanted > *columns) *columns = wanted;
}

typedef struct wish_list {
  size_t words, where, lane, id, who;
} wish_list;

static void measure(const canvas *diagram, wish_list *wishes) {
  *wishes = (wish_list){.lane = LANE_LEAST, .who = strlen("process")};
  for (size_t i = 0; i < diagram->finding->lines.count; i++) {
    const eo_line *line = &diagram->finding->lines.items[i];
    eo_text words, where;
    size_t times;
    eo__text_init(&words);
    eo__text_init(&where);
    add_words(diagram, &words, line);
    add_where(diagram, &where, line);
    if (eo__fold_period(diagram->finding, i, &times)) widen(&wishes->words, FOLD_WORDS, WORDS_MOST);
    widen(&wishes->words, columns_of(words.chars, words.length), WORDS_MOST);
    if (columns_of(where.chars, where.length) <= WHERE_MOST)
      widen(&wishes->where, columns_of(where.chars, where.length), WHERE_MOST);
    widen(&wishes->who,
          text_columns(diagram, line->process) + (line->name[0] ? 1 + text_columns(diagram, line->name) : 0),
          WORDS_LEAST);
    for (size_t j = 0; j < line->mails.count; j++)
      if (line->sends && line->mails.items[j].text != NULL)
        widen(&wishes->lane, text_columns(diagram, line->mails.items[j].text) + 5, LANE_MOST);
    release(diagram, &words);
    release(diagram, &where);
  }
  for (size_t i = 0; i < diagram->lanes.lanes.count; i++) {
    const eo_lane *lane = &diagram->lanes.lanes.items[i];
    widen(&wishes->id, text_columns(diagram, lane->process) + 1, SIZE_MAX);
    widen(&wishes->lane, text_columns(diagram, lane->name) + 1, LANE_MOST);
  }
  widen(&wishes->words, WORDS_LEAST, WORDS_MOST);
  if (wishes->id > wishes->lane) wishes->lane = wishes->id;
}

/* Words first, then the place in the source, then wider lanes; where not even narrow lanes fit, a list. */
static void lay_out(canvas *diagram) {
  wish_list wishes;
  measure(diagram, &wishes);
  size_t left = 1 + diagram->digits + GAP, room = diagram->style->width - left, lanes = diagram->lanes.lanes.count;
  size_t least = wishes.id > LANE_LEAST ? wishes.id : LANE_LEAST;
  if (lanes == 0 || lanes > room || lanes * least + GAP + WORDS_LEAST > room) {
    size_t half = diagram->style->width / 2;
    diagram->who = wishes.who > wishes.id ? wishes.who : wishes.id;
    if (diagram->who > half) diagram->who = half;
    size_t beside = diagram->who + GAP;
    diagram->where = wishes.where > 0 && beside + wishes.words + GAP + wishes.where <= room ? wishes.where : 0;
    size_t rest = room - beside - (diagram->where > 0 ? diagram->where + GAP : 0);
    diagram->words = diagram->where > 0 && wishes.words < rest ? wishes.words : rest;
    return;
  }
  size_t wanted = lanes * least + GAP + wishes.words;
  if (wishes.where > 0 && wanted + GAP + wishes.where <= room) diagram->where = wishes.where;
  size_t rest = room - (diagram->where > 0 ? diagram->where + GAP : 0);
  diagram->words = wanted <= rest ? wishes.words : rest - lanes * least - GAP;
  diagram->lane = (rest - diagram->words - GAP) / lanes;
  if (diagram->lane > wishes.lane) diagram->lane = wishes.lane;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

/* A row of the head: the ids, or the names where there are any. */
static void put_head_row(const canvas *diagram, bool names) {
  bool any = !names;
  for (size_t i = 0; i < diagram->lanes.lanes.count; i++) any = any || diagram->lanes.lanes.items[i].name[0] != '\0';
  if (!any) return;
  size_t gap = 1 + diagram->digits + GAP; /* columns still to write before the next text */
  for (size_t i = 0; i < diagram->lanes.lanes.count; i++) {
    const eo_lane *lane = &diagram->lanes.lanes.items[i];
    eo_text text;
    eo__text_init(&text);
    eo__diagram_text(&text, names ? lane->name : lane->process, diagram->style->ascii);
    size_t bytes = bytes_of(text.chars, diagram->lane - 1), columns = columns_of(text.chars, bytes);
    if (bytes > 0) {
      fprintf(diagram->out, "%*s", (int)gap, "");
      put_painted(diagram, names ? PAINT_DIM : PAINT_BOLD, text.chars, bytes);
      gap = 0;
    }
    gap += diagram->lane - columns;
    release(diagram, &text);
  }
  fputc('\n', diagram->out);
}

static void put_head(const canvas *diagram) {
  if (diagram->lane > 0) {
    put_head_row(diagram, false);
    put_head_row(diagram, true);
    return;
  }
  eo_text head;
  eo__text_init(&head);
  eo__text_add(&head, " %*s%*s%-*s%*s%s", (int)diagram->digits, "step", GAP, "", (int)diagram->who, "process", GAP, "",
               "does");
  put_painted(diagram, PAINT_DIM, head.chars, head.length);
  fputc('\n', diagram->out);
  release(diagram, &head);
}

static void put_legend(const canvas *diagram) {
  const symbol_set *symbols = diagram->symbols;
  eo_text text;
  eo__text_init(&text);
  if (diagram->lane > 0)
    eo__text_add(&text, "%s does  %s receives  %s exits", symbols->act, symbols->take, symbols->end);
  if (diagram->preempted)
    eo__text_add(&text, "%s> takes over from a process that could have gone on", diagram->lane > 0 ? "  " : "");
  if (text.length > 0) fputc('\n', diagram->out);
  put_paragraph(diagram, PAINT_DIM, text.chars, 0);
  release(diagram, &text);
}

static void put_strings(const canvas *diagram, const char *title, const eo_strings *strings) {
  if (strings->count == 0) return;
  fprintf(diagram->out, "\n%s\n", title);
  for (size_t i = 0; i < strings->count; i++) {
    eo_text text;
    eo__text_init(&text);
    eo__diagram_text(&text, strings->items[i], diagram->style->ascii);
    put_paragraph(diagram, PAINT_NONE, text.chars, 2);
    release(diagram, &text);
  }
}

static void put_circle(const canvas *diagram) {
  eo_text words, text;
  if (diagram->finding->circle.count == 0) return;
  eo__text_init(&words);
  eo__text_init(&text);
  eo__finding_circle(diagram->finding, &words);
  eo__diagram_text(&text, words.chars, diagram->style->ascii);
  fputs("\ncircle:\n", diagram->out);
  put_paragraph(diagram, PAINT_NONE, text.chars, 2);
  release(diagram, &words);
  release(diagram, &text);
}

/* Messages that nobody took. */
static void put_unread(const canvas *diagram) {
  bool titled = false;
  for (size_t i = 0; i < diagram->lanes.letters.count; i++) {
    const eo_letter *letter = &diagram->lanes.letters.items[i];
    eo_text text;
    if (letter->taken != EO_NO_STEP || letter->sent == EO_NO_STEP) continue;
    eo__text_init(&text);
    eo__diagram_text(&text, letter->text, diagram->style->ascii);
    eo__text_add(&text, "%sfrom ", text.length > 0 ? " " : "");
    eo__diagram_text(&text, diagram->lanes.lanes.items[letter->from].process, diagram->style->ascii);
    eo__text_add(&text, " to ");
    eo__diagram_text(&text, diagram->lanes.lanes.items[letter->to].process, diagram->style->ascii);
    eo__text_add(&text, " (step %u)", (unsigned)letter->sent + 1);
    if (!titled) fputs("\nnever received:\n", diagram->out);
    put_paragraph(diagram, PAINT_NONE, text.chars, 2);
    titled = true;
    release(diagram, &text);
  }
}

static void put_failure(const canvas *diagram) {
  const eo_failure *failure = &diagram->finding->failure;
  eo_text text;
  if (failure->kind == EO_KIND_NONE) return;
  eo__text_init(&text);
  eo__text_add(&text, "%s: ", eo__kind_name(failure->kind));
  eo__diagram_text(&text, failure->message, diagram->style->ascii);
  if (failure->file[0] != '\0') {
    eo__text_add(&text, ", at ");
    eo__diagram_text(&text, failure->file, diagram->style->ascii);
    eo__text_add(&text, ":%d", failure->line);
  }
  fputc('\n', diagram->out);
  put_paragraph(diagram, PAINT_RED, text.chars, 0);
  release(diagram, &text);
  put_circle(diagram);
  put_strings(diagram, "waiting:", &diagram->finding->waiting);
  put_strings(diagram, failure->kind == EO_KIND_SHARING ? "who:" : "backtrace:", &diagram->finding->backtrace);
}

bool eo__report_diagram(FILE *out, const eo_diagram_style *style, const eo_finding *finding) {
  bool failed = false;
  canvas diagram = {.failed = &failed,
                    .out = out,
                    .style = style,
                    .symbols = style->ascii ? &typed : &drawn,
                    .finding = finding,
                    .digits = 4};
  for (size_t rest = finding->lines.count / 10000; rest > 0; rest /= 10) diagram.digits++;
  bool done = eo__lanes_init(&diagram.lanes, finding);
  if (done && finding->lines.count > 0) {
    lay_out(&diagram);
    diagram.cells = eo__alloc((diagram.lanes.lanes.count * diagram.lane + 1) * sizeof(row_cell));
    done = diagram.cells != NULL;
  }
  if (done && finding->lines.count > 0) {
    put_head(&diagram);
    for (size_t i = 0; i < finding->lines.count;) i = put_steps(&diagram, i);
    put_failure_row(&diagram);
    put_legend(&diagram);
  }
  if (done) {
    put_unread(&diagram);
    put_failure(&diagram);
  }
  eo__free(diagram.cells);
  eo__lanes_release(&diagram.lanes);
  return done && !failed;
}
