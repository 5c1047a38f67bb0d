/* live_file.h: the file of --live, to which a run is written as it goes on, for `everyorder serve` and others. */
#ifndef EO_CLI_LIVE_FILE_H
#define EO_CLI_LIVE_FILE_H

#include <stdio.h>

#include "base/error.h"

typedef struct eo_live_file {
  const char *given; /* as the user typed it */
  FILE *stream;      /* for the reporter: each line is written at once; NULL: not asked for */
} eo_live_file;

/* Empties what is there already, in its place: whoever follows it notices that it became shorter. */
int eo__live_file_open(eo_live_file *file, const char *given, eo_error *error);

/* After the reporter was closed: closes, and says if not all of it could be written. */
int eo__live_file_finish(eo_live_file *file, eo_error *error);

#endif
