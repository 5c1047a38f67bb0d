/* fold.c: see fold.h. */
#include "report/fold.h"

#include <string.h>

#include "base/text.h"

enum {
  LONGEST_PERIOD = 8,
  LEAST_FOLDED = 24 /* lines that repeat themselves, in all */
};

static bool same_line(const eo_line *a, const eo_line *b) {
  return strcmp(a->process, b->process) == 0 && strcmp(a->text, b->text) == 0 && strcmp(a->file, b->file) == 0 &&
         strcmp(eo_line_caller(a), eo_line_caller(b)) == 0 && a->line == b->line && a->preempts == b->preempts &&
         strcmp(a->printed ? a->printed : "", b->printed ? b->printed : "") == 0;
}

/* How often in all the `period` lines from `at` on come one after the other. */
static size_t times_at(const eo_finding *finding, size_t at, size_t period) {
  const eo_line *lines = finding->lines.items;
  size_t end = at + period;
  while (end < finding->lines.count && same_line(&lines[end], &lines[end - period])) end++;
  return (end - at) / period;
}

size_t eo__fold_period(const eo_finding *finding, size_t at, size_t *times) {
  for (size_t period = 1; period <= LONGEST_PERIOD && at + period < finding->lines.count; period++) {
    *times = times_at(finding, at, period);
    if (*times > 2 && *times * period >= LEAST_FOLDED) return period;
  }
  return 0;
}

void eo__fold_text(eo_text *text, size_t at, size_t period, size_t times) {
  char digits[32], steps[32];
  eo__text_add(text, "... %s times in all, up to step %s", eo__text_thousands(digits, times),
               eo__text_thousands(steps, at + period * times));
}
