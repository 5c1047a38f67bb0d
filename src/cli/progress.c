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

enum { PIECES = 8, DEFAULT_WIDTH = 80, PLAIN_WIDTH = 1000 };

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
  snprintf(pieces[count].chars, size, "%s executions", eo_text_thousands(digits, run->executions));
  pieces[count++].rank = 0;
  if (run->probes > 0) {
    char expected[64];
    snprintf(pieces[count].chars, size, "of %s", eo__shown_estimate(expected, run->estimate, run->estimate_high));
    pieces[count++].rank = 3;
  }
  if (run->findings > 0) {
    snprintf(pieces[count].chars, size, "%s finding%s", eo_text_thousands(digits, run->findings),
             run->findings == 1 ? "" : "s");
    pieces[count++].rank = 1;
  }
  if (run->share >= 0) {
    double percent = run->share * 100;
    snprintf(pieces[count].chars, size, percent < 10 ? "%.2f %%" : "%.1f %%", percent);
    pieces[count++].rank = 2;
  }
  if (run->elapsed > 0) {
    snprintf(pieces[count].chars, size, "%s/s",
             eo_text_thousands(digits, (uint64_t)((double)run->executions / run->elapsed)));
    pieces[count++].rank = 5;
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
  eo_text_init(&shown);
  size_t wide = eo__shown_add(&shown, name);
  size_t bytes = 0, taken = 0;
  while (shown.chars[bytes] != '\0' && (wide <= columns || taken + 2 < columns)) {
    uint32_t character;
    bytes += eo__utf8(shown.chars + bytes, &character);
    taken++;
  }
  eo_text_append(text, shown.chars, bytes);
  eo_text_release(&shown);
  if (wide > columns && columns >= 2) {
    eo_text_add(text, "..");
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
    if (pieces[i].rank <= highest) eo_text_add(text, "  %s", pieces[i].chars);
}

static size_t width_of(FILE *out) {
  struct winsize size;
  if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return DEFAULT_WIDTH;
  return size.ws_col;
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

void eo__progress_show(eo_progress *progress, const eo_run *run) {
  if (progress->out == NULL || run->elapsed < progress->next) return;
  eo_text line;
  eo_text_init(&line);
  /* One column stays free: a full line would make some terminals wrap. */
  eo__progress_line(&line, run, progress->live ? width_of(progress->out) - 1 : PLAIN_WIDTH);
  fprintf(progress->out, progress->live ? "\r%s\033[K" : "%s\n", line.chars);
  fflush(progress->out);
  eo_text_release(&line);
  progress->on_screen = progress->live;
  progress->next = run->elapsed + progress->interval;
  if (!progress->live)
    progress->interval = progress->interval * 2 < PLAIN_SLOWEST ? progress->interval * 2 : PLAIN_SLOWEST;
}

void eo__progress_clear(eo_progress *progress) {
  if (!progress->on_screen) return;
  fputs("\r\033[K", progress->out);
  fflush(progress->out);
  progress->on_screen = false;
}
