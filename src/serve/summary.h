/* summary.h: what a listing says of one file beyond its name. */
#ifndef EO_SERVE_SUMMARY_H
#define EO_SERVE_SUMMARY_H

#include <jansson.h>
#include <sys/stat.h>

#include "serve/inside.h"

/* A new object with the members that belong to a file of this kind; NULL: it is none of ours, or there is no memory.
 * Whatever the size of the file, little of it is held. */
json_t *eo__serve_summarise(int file, eo_serve_kind kind, const struct stat *status);

/* A string that is always UTF-8, or NULL: no memory. */
json_t *eo__serve_string(const char *chars);

#endif
