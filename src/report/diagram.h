/* diagram.h: one execution as a sequence diagram for a terminal, and how two of them differ. */
#ifndef EO_REPORT_DIAGRAM_H
#define EO_REPORT_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"
#include "core/finding.h"

enum { EO_DIAGRAM_NARROWEST = 40, EO_DIAGRAM_WIDEST = 1000 };

typedef struct eo_diagram_style {
  size_t width; /* columns, from EO_DIAGRAM_NARROWEST */
  bool colour;
  bool ascii; /* no character beyond ASCII, the program's own text included */
} eo_diagram_style;

/* A lane for each process, a row or more for each step, what went wrong at the end; where there are too many processes
 * for the width, a list of steps. False: no memory. */
bool eo__report_diagram(FILE *out, const eo_diagram_style *style, const eo_finding *finding);

/* Where two executions of one test part: how much they share, what each does then, and, if the same happens in both but
 * in another order, which pairs of steps came the other way round. `names`: what to call them. False: no memory. */
bool eo__report_parting(FILE *out, const eo_diagram_style *style, const eo_finding *const findings[2],
                        const char *const names[2]);

/* Adds `chars` as in shown.h; with `ascii` nothing beyond ASCII is left. Returns the columns it takes. */
size_t eo__diagram_text(eo_text *text, const char *chars, bool ascii);

/* The next line of at most `columns` (at least 1) of a text that is fit to be shown: its length in bytes, broken at a
 * space where there is one; *skip is how many more bytes to leave out before the next. */
size_t eo__diagram_wrap(const char *chars, size_t columns, size_t *skip);

#endif
