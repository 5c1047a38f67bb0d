/* progress.h: how far the exploration is: one line rewritten in place on a terminal, a line now and then elsewhere.
 * Its clock is the run's own. */
#ifndef EO_CLI_PROGRESS_H
#define EO_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"
#include "core/report.h"

typedef struct eo_progress {
  FILE *out;       /* NULL: quiet */
  bool live;       /* a terminal that can rewrite a line */
  bool on_screen;  /* a live line stands there */
  double next;     /* elapsed time at which to print again */
  double interval; /* of plain lines */
} eo_progress;

void eo__progress_init(eo_progress *progress, FILE *out); /* NULL: print nothing */
void eo__progress_begin(eo_progress *progress);           /* another test starts */
void eo__progress_show(eo_progress *progress, const eo_run *run);
void eo__progress_clear(eo_progress *progress); /* before anything else is printed */

/* The line itself, of at most `width` columns: what matters least is left out first. */
void eo__progress_line(eo_text *text, const eo_run *run, size_t width);

#endif
