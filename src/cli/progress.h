/* progress.h: how far the exploration is: on a terminal one line rewritten in place and, where there are several workers,
 * a row for each of them below it, gone without trace at the end; elsewhere a line now and then.
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
  size_t rows;     /* that stand on the screen, the cursor in the last */
  double next;     /* elapsed time at which to print again */
  double interval; /* of plain lines */
} eo_progress;

void eo__progress_init(eo_progress *progress, FILE *out); /* NULL: print nothing */
void eo__progress_begin(eo_progress *progress);           /* another test starts */
void eo__progress_show(eo_progress *progress, const eo_run *run);
void eo__progress_clear(eo_progress *progress); /* before anything else is printed */

/* The rows of the workers, at most `rows` of at most `width` columns, each after a line feed. Where there are more
 * workers than that, the last row sums up the others. */
void eo__progress_workers(eo_text *text, const eo_run *run, size_t width, size_t rows);

/* The line itself, of at most `width` columns: what matters least is left out first. */
void eo__progress_line(eo_text *text, const eo_run *run, size_t width);

#endif
