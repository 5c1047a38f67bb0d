/* json_file.h: a report that goes to a file: --json, --report. It is found out before the exploration whether it can be written; what is there
 * already is replaced only by a whole new report. */
#ifndef EO_CLI_JSON_FILE_H
#define EO_CLI_JSON_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

typedef struct eo_json_file {
  const char *option; /* for messages: "--json" */
  const char *given;  /* as the user typed it; "-" is standard output */
  char *path;         /* where a link leads; NULL: standard output */
  bool replace;       /* write beside it and rename; false: a pipe or a device, written in place */
  FILE *stream;       /* for the reporter; kept in memory */
  char *bytes;
  size_t size;
} eo_json_file;

int eo__json_file_open(eo_json_file *file, const char *option, const char *given, eo_error *error);

/* Writes what the reporter has put into the stream, and closes. After the reporter was closed. */
int eo__json_file_finish(eo_json_file *file, eo_error *error);

/* Instead of finish: leaves what is there as it is. */
void eo__json_file_drop(eo_json_file *file);

#endif
