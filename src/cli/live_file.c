/* live_file.c: see live_file.h. */
#include "cli/live_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 14 }; /* in one write, so that a follower seldom sees half of it */

int eo__live_file_open(eo_live_file *file, const char *given, eo_error *error) {
  *file = (eo_live_file){.given = given, .stream = fopen(given, "we")};
  if (file->stream == NULL)
    return eo_error_set(error, EO_ESYSTEM, "--live %.256s cannot be written: %s", given, strerror(errno));
  setvbuf(file->stream, NULL, _IOLBF, LONGEST_LINE);
  return EO_OK;
}

int eo__live_file_finish(eo_live_file *file, eo_error *error) {
  bool failed = ferror(file->stream) != 0;
  errno = failed ? EIO : 0;
  failed = fclose(file->stream) != 0 || failed;
  file->stream = NULL;
  if (!failed) return EO_OK;
  return eo_error_set(error, EO_ESYSTEM, "--live %.256s could not be written to its end: %s", file->given,
                      strerror(errno));
}
