/* live_file.c: see live_file.h. */
#include "cli/live_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LONGEST_LINE = 1 << 14 }; /* in one write, so that a follower seldom sees half of it */

int eo__live_file_open(eo_live_file *file, const char *given, eo_error *error) {
  *file = (eo_live_file){.given = given};
  int opened = open(given, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
  if (opened < 0 && errno == ENXIO)
    return eo__error_set(error, EO_ESYSTEM, "--live %.256s cannot be written: it is a pipe that nobody reads", given);
  if (opened < 0)
    return eo__error_set(error, EO_ESYSTEM, "--live %.256s cannot be written: %s", given, strerror(errno));
  /* Lines of two runs would be mixed. The lock goes with the run and its workers, however they end. */
  if (flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(opened);
    return eo__error_set(error, EO_ESYSTEM,
                         "--live %.256s: another run is writing to it; give this one a file of its own", given);
  }
  fcntl(opened, F_SETFL, O_APPEND);         /* only opening must not wait */
  if (ftruncate(opened, 0) != 0) errno = 0; /* a pipe or a device has nothing to empty */
  file->stream = fdopen(opened, "a");
  if (file->stream == NULL) {
    close(opened);
    return eo__error_nomem(error);
  }
  setvbuf(file->stream, NULL, _IOLBF, LONGEST_LINE);
  return EO_OK;
}

int eo__live_file_finish(eo_live_file *file, eo_error *error) {
  bool failed = ferror(file->stream) != 0;
  errno = failed ? EIO : 0;
  failed = fclose(file->stream) != 0 || failed;
  file->stream = NULL;
  if (!failed) return EO_OK;
  return eo__error_set(error, EO_ESYSTEM, "--live %.256s could not be written to its end: %s", file->given,
                       strerror(errno));
}
