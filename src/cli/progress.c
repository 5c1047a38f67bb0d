/* progress.c: see progress.h. */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/shown.h"

#define LIVE_FIRST 0.2 /* a test that is over sooner shows no line at all */
#define LIVE_EVERY 0.1
#define PLAIN_FIRST 5.0
#define PLAIN_SLOWEST 60.0
#define SHARE_KNOWN 0.001 /* below this an estimate of the time left is a guess */

enum { PIECES = 12, DEFAULT_WIDTH = 80, DEFAULT_HEIGHT = 24, PLAIN_WIDTH = 1000 };

typedef struct piece {
  char chars[80];
  int rank; /* the highest is left out first */
} piece;

static void add_clock(char *out, size_t size, const char *format, double seconds) {
  char clock[32];
  uint64_t s = seconds > 0 && seconds < 1e9 ? (uint64_t)seconds : seconds > 0 ? 1000000000 : 0;
  if (s >= 48 * 3600)
    snprintf(clock, sizeof(clock), "%u days", (unsigned)(s / 86400));
  else if (s >= 3600)
    snprintf(clock, sizeof(clock), "%u:%02u:%02u", (unsigned)(s / 3600), (unsigned)(s / 60 % 60), (unsigned)(s % 60));
  else
    snprintf(clock, sizeof(clock), "%u:%02u", (unsigned)(s / 60), (unsigned)(s % 60));
  snprintf(out, size, format, clock);
}

static size_t make_pieces(piece *pieces, const eo_run *run) {
  char digits[32];
  size_t count = 0;
  size_t size = sizeof(pieces->chars);
  snprintf(pieces[count].chars, size, "%s executions", eo__text_thousands(digits, run->executions));
  pieces[count++].rank = 0;
  if (run->probes > 0) {
    char expected[64];
    snprintf(pieces[count].chars, size, "of %s", eo__shown_estimate(expected, run->estimate, run->estimate_high));
    pieces[count++].rank = 3;
  }
  if (run->findings > 0) {
    snprintf(pieces[count].chars, size, "%s finding%s", eo__text_thousands(digits, run->findings),
             run->findings == 1 ? "" : "s");
    pieces[count++].rank = 1;
  }
  bool minimises = false;
  for (uint32_t i = 0; i < run->worker_count; i++) minimises = minimises || run->workers[i].minimises;
  if (minimises) {
    snprintf(pieces[count].chars, size, "minimising a finding");
    pieces[count++].rank = 1;
  }
  if (run->share >= 0) {
    double percent = run->share * 100;
    snprintf(pieces[count].chars, size, percent < 10 ? "%.2f %%" : "%.1f %%", percent);
    pieces[count++].rank = 2;
  }
  if (run->elapsed > 0) {
    snprintf(pieces[count].chars, size, "%s/s",
             eo__text_thousands(digits, (uint64_t)((double)run->executions / run->elapsed)));
    pieces[count++].rank = 5;
  }
  if (run->states > 0) {
    snprintf(pieces[count].chars, size, "%s states", eo__text_thousands(digits, run->states));
    pieces[count++].rank = 3;
  }
  if (run->delays > 0) {
    snprintf(pieces[count].chars, size, "%u delay%s", run->delays, run->delays == 1 ? "" : "s");
    pieces[count++].rank = 4;
  }
  if (run->cut > 0) {
    snprintf(pieces[count].chars, size, "%s cut off at --depth", eo__text_thousands(digits, run->cut));
    pieces[count++].rank = 4;
  }
  snprintf(pieces[count].chars, size, "depth %u", run->depth);
  pieces[count++].rank = 7;
  add_clock(pieces[count].chars, size, "%s", run->elapsed);
  pieces[count++].rank = 6;
  if (run->share > (run->probes > 0 ? 0 : SHARE_KNOWN)) {
    add_clock(pieces[count].chars, size, "about %s left", run->elapsed * (1 - run->share) / run->share);
    pieces[count++].rank = 4;
  }
  return count;
}

/* The name of the test, cut where it would take more than `columns`. */
static size_t add_name(eo_text *text, const char *name, size_t columns) {
  eo_text shown;
  eo__text_init(&shown);
  size_t wide = eo__shown_add(&shown, name);
  size_t bytes = 0, taken = 0;
  while (shown.chars[bytes] != '\0' && (wide <= columns || taken + 2 < columns)) {
    uint32_t character;
    bytes += eo__utf8(shown.chars + bytes, &character);
    taken++;
  }
  eo__text_append(text, shown.chars, bytes);
  eo__text_release(&shown);
  if (wide > columns && columns >= 2) {
    eo__text_add(text, "..");
    taken += 2;
  }
  return taken;
}

void eo__progress_line(eo_text *text, const eo_run *run, size_t width) {
  piece pieces[PIECES];
  size_t count = make_pieces(pieces, run);
  int highest = PIECES;
  size_t name = width / 3, total;
  size_t used = add_name(text, run->test, name);
  do { /* leave out by rank until the rest fits */
    total = used;
    highest--;
    for (size_t i = 0; i < count; i++) total += pieces[i].rank <= highest ? eo__shown_columns(pieces[i].chars) + 2 : 0;
  } while (total > width && highest >= 0);
  for (size_t i = 0; i < count; i++)
    if (pieces[i].rank <= highest) eo__text_add(text, "  %s", pieces[i].chars);
}

/* ---- Workers -------------------------------------------------------------------------------------------------- */

static void add_work(eo_text *text, const eo_run_worker *worker) {
  if (worker->probes)
    eo__text_add(text, "estimates");
  else if (worker->minimises)
    eo__text_add(text, "minimises a finding");
  else if (!worker->busy)
    eo__text_add(text, "waits for work");
  else if (worker->part > 0)
    eo__text_add(text, "part %llu", (unsigned long long)worker->part);
  else
    eo__text_add(text, "works");
  if (worker->busy && !worker->probes && worker->depth > 0) eo__text_add(text, ", depth %u", worker->depth);
}

/* Name, executions, rate, and what it is at; what does not fit is cut off. */
static void add_row(eo_text *text, const char *name, size_t name_width, uint64_t executions, double rate,
                    const char *what, size_t width) {
  char counts[96], digits[2][32];
  size_t taken = 2 + add_name(text, name, name_width);
  snprintf(counts, sizeof(counts), "%*s %14s executions %11s/s  ",
           taken < name_width + 2 ? (int)(name_width + 2 - taken) : 0, "", eo__text_thousands(digits[0], executions),
           eo__text_thousands(digits[1], (uint64_t)rate));
  size_t length = strlen(counts), rest = taken < width ? width - taken : 0;
  if (length > rest) length = rest;
  eo__text_append(text, counts, length);
  add_name(text, what, rest - length);
}

void eo__progress_workers(eo_text *text, const eo_run *run, size_t width, size_t rows) {
  size_t shown = run->worker_count <= rows ? run->worker_count : rows > 0 ? rows - 1 : 0, name_width = 9;
  for (size_t i = 0; i < shown; i++) {
    size_t columns = eo__shown_columns(run->workers[i].name);
    if (columns > name_width) name_width = columns;
  }
  if (name_width > width / 3) name_width = width / 3;
  for (size_t i = 0; i < shown; i++) {
    const eo_run_worker *worker = &run->workers[i];
    eo_text what;
    eo__text_init(&what);
    add_work(&what, worker);
    eo__text_add(text, "\n  ");
    add_row(text, worker->name, name_width, worker->executions, worker->rate, what.chars, width);
    eo__text_release(&what);
  }
  if (shown == run->worker_count || rows == 0) return;
  char others[48];
  uint64_t executions = 0;
  double rate = 0;
  for (size_t i = shown; i < run->worker_count; i++) {
    executions += run->workers[i].executions;
    rate += run->workers[i].rate;
  }
  snprintf(others, sizeof(others), "%u more", run->worker_count - (unsigned)shown);
  eo__text_add(text, "\n  ");
  add_row(text, others, name_width, executions, rate, "", width);
}

/* ---- On the terminal ------------------------------------------------------------------------------------------ */

static void size_of(FILE *out, size_t *width, size_t *height) {
  struct winsize size;
  bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0;
  *width = known && size.ws_col > 0 ? size.ws_col : DEFAULT_WIDTH;
  *height = known && size.ws_row > 0 ? size.ws_row : DEFAULT_HEIGHT;
}

void eo__progress_init(eo_progress *progress, FILE *out) {
  const char *term = getenv("TERM");
  *progress = (eo_progress){.out = out};
  progress->live = out != NULL && isatty(fileno(out)) && term != NULL && strcmp(term, "dumb") != 0;
}

void eo__progress_begin(eo_progress *progress) {
  eo__progress_clear(progress);
  progress->interval = progress->live ? LIVE_EVERY : PLAIN_FIRST;
  progress->next = progress->live ? LIVE_FIRST : PLAIN_FIRST;
}

/* To the first column of the first row. */
static void go_back(const eo_progress *progress) {
  fputc('\r', progress->out);
  if (progress->rows > 1) fprintf(progress->out, "\033[%zuA", progress->rows - 1);
}

/* Each row over what stood there; what was below the last one goes. */
static void draw(eo_progress *progress, const eo_run *run) {
  size_t width, height;
  eo_text text;
  eo__text_init(&text);
  size_of(progress->out, &width, &height);
  /* One column stays free: a full line would make some terminals wrap. */
  eo__progress_line(&text, run, width - 1);
  if (run->worker_count > 1 && height > 2) eo__progress_workers(&text, run, width - 1, height - 2);
  go_back(progress);
  progress->rows = 0;
  for (const char *row = text.chars;;) {
    size_t length = strcspn(row, "\n");
    fprintf(progress->out, "%.*s\033[K", (int)length, row);
    progress->rows++;
    if (row[length] == '\0') break;
    fputc('\n', progress->out);
    row += length + 1;
  }
  fputs("\033[J", progress->out);
  fflush(progress->out);
  eo__text_release(&text);
}

void eo__progress_show(eo_progress *progress, const eo_run *run) {
  if (progress->out == NULL || run->elapsed < progress->next) return;
  progress->next = run->elapsed + progress->interval;
  if (progress->live) {
    draw(progress, run);
    return;
  }
  eo_text line;
  eo__text_init(&line);
  eo__progress_line(&line, run, PLAIN_WIDTH);
  fprintf(progress->out, "%s\n", line.chars);
  fflush(progress->out);
  eo__text_release(&line);
  progress->interval = progress->interval * 2 < PLAIN_SLOWEST ? progress->interval * 2 : PLAIN_SLOWEST;
}

void eo__progress_clear(eo_progress *progress) {
  if (progress->rows == 0) return;
  go_back(progress);
  fputs("\033[J", progress->out);
  fflush(progress->out);
  progress->rows = 0;
}
