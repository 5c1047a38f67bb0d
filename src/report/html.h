/* html.h: inside of the HTML report, for its reporter and its tests. */
#ifndef EO_REPORT_HTML_H
#define EO_REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

/* The page around the data, made of src/report/web by scripts/make-page when the library is built. */
extern const char eo__html_head[], eo__html_tail[];
extern const size_t eo__html_head_size, eo__html_tail_size;

/* Writes JSON so that it can stand in a script element: what could end the element, begin a comment or break a line is
 * escaped as JSON escapes, which mean the same. In JSON these characters are found in strings only. */
void eo__html_write_json(FILE *out, const char *json);

#endif
