/* interleaving.c: one execution as a table of steps for people, with what is known of its end. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "report/fold.h"
#include "report/report.h"
#include "report/shown.h"

enum {
  TEXT_COLUMNS = 60, /* of a step; a longer one pushes its place to the right */
  WHO_COLUMNS = 24
};

typedef struct step_table {
  FILE *out;
  bool colour;
  const eo_finding *finding;
  size_t who; /* columns of the process, of the text */
  size_t text;
} step_table;

static size_t who_columns(const eo_line *line) {
  return eo__shown_columns(line->process) + (line->name[0] != '\0' ? eo__shown_columns(line->name) + 1 : 0);
}

/* As wide as the widest that is not out of proportion; the few beyond that overflow. */
static void widen(size_t *columns, size_t wanted, size_t limit) {
  if (wanted > *columns && wanted <= limit) *columns = wanted;
}

static void table_measure(step_table *table) {
  table->who = strlen("process");
  table->text = strlen("does");
  for (size_t i = 0; i < table->finding->lines.count; i++) {
    const eo_line *line = &table->finding->lines.items[i];
    widen(&table->who, who_columns(line), WHO_COLUMNS);
    widen(&table->text, eo__shown_columns(line->text), TEXT_COLUMNS);
  }
}

/* Line by line, below the step. */
static void show_printed(const step_table *table, const char *printed) {
  while (*printed) {
    size_t length = strcspn(printed, "\n");
    char *one = strndup(printed, length);
    fprintf(table->out, "%*s  %s| ", (int)table->who + 11, "", eo__paint(table->colour, EO_DIM));
    eo__shown(table->out, one ? one : "", 0);
    fprintf(table->out, "%s\n", eo__plain(table->colour));
    free(one);
    printed += length + (printed[length] != '\0');
  }
}

static void table_line(const step_table *table, size_t index) {
  FILE *out = table->out;
  const eo_line *line = &table->finding->lines.items[index];
  bool last = index + 1 == table->finding->lines.count && table->finding->failure.kind != EO_KIND_NONE;
  /* A gap wherever another process goes on, so that the eye finds the context switches. */
  if (index > 0 && strcmp(line->process, line[-1].process) != 0) fputs("\n", out);
  fprintf(out, " %s%s%s%s", eo__paint(table->colour, EO_YELLOW), line->delays ? "~" : " ", line->preempts ? ">" : " ",
          eo__plain(table->colour));
  fprintf(out, "%s%6zu%s  %s", eo__paint(table->colour, EO_DIM), index + 1, eo__plain(table->colour),
          last ? eo__paint(table->colour, EO_BOLD) : "");
  size_t who = who_columns(line);
  eo__shown(out, line->process, 0);
  if (line->name[0] != '\0') {
    fputc(' ', out);
    eo__shown(out, line->name, 0);
  }
  fprintf(out, "%*s  ", who < table->who ? (int)(table->who - who) : 0, "");
  eo__shown(out, line->text, line->file[0] != '\0' ? table->text : 0);
  fputs(last ? eo__plain(table->colour) : "", out);
  if (eo_line_caller(line)[0] != '\0') { /* of a function that many call, who called says more */
    fprintf(out, "  %s", eo__paint(table->colour, EO_DIM));
    eo__shown(out, line->caller, 0);
    fputs(" (", out);
    eo__shown(out, line->function, 0);
    fprintf(out, ")%s", eo__plain(table->colour));
  } else if (line->file[0] != '\0') {
    fprintf(out, "  %s", eo__paint(table->colour, EO_DIM));
    eo__shown(out, line->file, 0);
    fprintf(out, ":%d%s", line->line, eo__plain(table->colour));
  }
  fputc('\n', out);
  if (line->printed) show_printed(table, line->printed);
}

static void table_gap(const step_table *table, size_t steps) {
  fputs("\n         ... ", table->out);
  eo__shown_count(table->out, steps, "step");
  if (table->finding->ticket != NULL) {
    fputs(" not shown; to see all: everyorder replay ", table->out);
    eo__shown_path(table->out, table->finding->ticket);
    fputs("\n", table->out);
  } else {
    fputs(" not shown; to see all, write a ticket (--tickets FOLDER) and replay it\n", table->out);
  }
}

/* ---- Folding ------------------------------------------------------------------------------------------------------ */

/* What is shown: a line, or how often the lines before it come in all. */
typedef struct shown_row {
  size_t line, period, times; /* period 0: a line */
} shown_row;

typedef EO_VEC(shown_row) shown_rows;

/* False: no memory. */
static bool fold(const eo_finding *finding, bool all, shown_rows *rows) {
  size_t count = finding->lines.count, times = 0;
  for (size_t i = 0; i < count;) {
    size_t period = all ? 0 : eo__fold_period(finding, i, &times);
    for (size_t k = 0; k < (period ? period : 1); k++)
      if (!eo_vec_push(rows, ((shown_row){.line = i + k}))) return false;
    if (period && !eo_vec_push(rows, ((shown_row){i, period, times}))) return false;
    i += period ? period * times : 1;
  }
  return true;
}

static void table_row(const step_table *table, const shown_row *row) {
  if (!row->period) {
    table_line(table, row->line);
    return;
  }
  eo_text text;
  eo__text_init(&text);
  eo__fold_text(&text, row->line, row->period, row->times);
  fprintf(table->out, "         %s\n", text.chars);
  eo__text_release(&text);
}

static void table_print(const step_table *table, size_t limit) {
  const eo_line *lines = table->finding->lines.items;
  shown_rows rows = {0};
  if (!fold(table->finding, limit == EO_SHOW_ALL, &rows)) { /* no memory */
    eo_vec_release(&rows);
    return;
  }
  size_t count = rows.count;
  bool elided = limit != EO_SHOW_ALL && count > limit;
  size_t head = elided ? limit / 4 : count; /* the end tells more than the start */
  size_t tail = elided ? count - (limit - head) : count;
  bool preempted = false, delayed = false;
  fprintf(table->out, "%s     step  %-*s  %-*s  where%s\n", eo__paint(table->colour, EO_DIM), (int)table->who,
          "process", (int)table->text, "does", eo__plain(table->colour));
  for (size_t i = 0; i < head; i++) table_row(table, &rows.items[i]);
  if (elided) {
    size_t from = rows.items[head].line, to = rows.items[tail].line;
    table_gap(table, to - from);
    if (strcmp(lines[to].process, lines[to - 1].process) == 0) fputs("\n", table->out);
  }
  for (size_t i = tail; i < count; i++) table_row(table, &rows.items[i]);
  eo_vec_release(&rows);
  for (size_t i = 0; i < table->finding->lines.count; i++) {
    preempted = preempted || lines[i].preempts;
    delayed = delayed || lines[i].delays;
  }
  if (preempted)
    fprintf(table->out, "\n  %s> takes over from a process that could have gone on%s\n",
            eo__paint(table->colour, EO_DIM), eo__plain(table->colour));
  if (delayed)
    fprintf(table->out, "%s  %s~ a delay: without it the explorer would have chosen another step%s\n",
            preempted ? "" : "\n", eo__paint(table->colour, EO_DIM), eo__plain(table->colour));
}

static void strings_print(FILE *out, bool colour, const char *title, const eo_strings *strings) {
  if (strings->count == 0) return;
  fprintf(out, "\n  %s%s%s\n", eo__paint(colour, EO_BOLD), title, eo__plain(colour));
  for (size_t i = 0; i < strings->count; i++) {
    fputs("    ", out);
    eo__shown(out, strings->items[i], 0);
    fputc('\n', out);
  }
}

void eo__report_interleaving(FILE *out, bool colour, const eo_finding *finding, size_t limit) {
  step_table table = {.out = out, .colour = colour, .finding = finding};
  if (finding->lines.count > 0) {
    table_measure(&table);
    table_print(&table, limit);
  }
  if (finding->circle.count > 0) {
    eo_text circle;
    eo__text_init(&circle);
    eo__finding_circle(finding, &circle);
    fprintf(out, "\n  %scircle:%s ", eo__paint(colour, EO_BOLD), eo__plain(colour));
    eo__shown(out, circle.chars, 0);
    fputc('\n', out);
    eo__text_release(&circle);
  }
  strings_print(out, colour, "waiting:", &finding->waiting);
  strings_print(out, colour, "at the end:", &finding->values);
  strings_print(out, colour, finding->failure.kind == EO_KIND_SHARING ? "who:" : "backtrace:", &finding->backtrace);
}
