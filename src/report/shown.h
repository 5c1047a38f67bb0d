/* shown.h: text of the program under test, made fit to be shown. It may hold anything: control characters that would
 * take over a terminal, bytes that are no UTF-8. */
#ifndef EO_REPORT_SHOWN_H
#define EO_REPORT_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

/* Length in bytes of the UTF-8 character at `chars` (a terminated string, not at its end); 0: there is none. */
size_t eo__utf8(const char *chars, uint32_t *character);

/* Adds `chars` with control characters and stray bytes escaped as in C; returns how many columns that takes, counting
 * one for each character. */
size_t eo__shown_add(eo_text *text, const char *chars);

/* The same as a string of JSON; NULL: no memory. */
struct json_t *eo__shown_json(const char *chars);

/* Adds `chars` quoted for a shell where that is needed. */
void eo__shown_quote(eo_text *text, const char *chars);

/* The same straight into a stream: `chars` escaped and filled up to `columns`; a path quoted; "12,345 steps". */
void eo__shown(FILE *out, const char *chars, size_t columns);
void eo__shown_path(FILE *out, const char *path);
void eo__shown_count(FILE *out, uint64_t count, const char *what);
size_t eo__shown_columns(const char *chars);

/* "~362,880 (±3 %)" into out (at least 64 bytes); returns out. `high`: the upper end of its band. */
char *eo__shown_estimate(char *out, double estimate, double high);

/* The code where colour is on, else "". */
#define EO_RED "\033[1;31m"
#define EO_GREEN "\033[32m"
#define EO_YELLOW "\033[33m"
#define EO_BOLD "\033[1m"
#define EO_DIM "\033[2m"
const char *eo__paint(bool colour, const char *code);
const char *eo__plain(bool colour);

#endif
