/* json_file.c: see json_file.h. */
#include "cli/json_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

static int refused(const eo_json_file *file, int why, eo_error *error) {
  return eo__error_set(error, EO_ESYSTEM, "%s %.256s cannot be written: %s", file->option, file->given, strerror(why));
}

/* Follows links and finds out what is there; a rename would put a file in the place of a link or a device. */
static int resolve(eo_json_file *file, eo_error *error) {
  struct stat status;
  char *real = realpath(file->given, NULL);
  file->path = eo__strdup(real != NULL ? real : file->given);
  free(real);
  if (file->path == NULL) return eo__error_nomem(error);
  if (stat(file->path, &status) != 0) {
    file->replace = true;
    return errno == ENOENT ? EO_OK : refused(file, errno, error);
  }
  if (S_ISDIR(status.st_mode)) return refused(file, EISDIR, error);
  file->replace = S_ISREG(status.st_mode);
  return access(file->path, W_OK) == 0 ? EO_OK : refused(file, errno, error);
}

static int write_in_place(const eo_json_file *file, eo_error *error) {
  fflush(stdout);
  int out = file->path != NULL ? eo__file_open_device(file->path) : dup(STDOUT_FILENO);
  if (out < 0 && errno == ENXIO)
    return eo__error_set(error, EO_ESYSTEM, "%s %.256s cannot be written: it is a pipe that nobody reads", file->option,
                         file->given);
  if (out < 0) return refused(file, errno, error);
  bool written = eo__file_write(out, file->bytes, file->size);
  int why = errno;
  close(out);
  return written ? EO_OK : refused(file, why, error);
}

int eo__json_file_open(eo_json_file *file, const char *option, const char *given, eo_error *error) {
  *file = (eo_json_file){.option = option, .given = given};
  int code = EO_OK;
  if (strcmp(given, "-") != 0) code = resolve(file, error);
  if (code == EO_OK && file->replace && !eo__file_try_replace(file->path)) code = refused(file, errno, error);
  if (code == EO_OK) {
    file->stream = open_memstream(&file->bytes, &file->size);
    code = file->stream != NULL ? EO_OK : eo__error_nomem(error);
  }
  if (code != EO_OK) eo__free(file->path);
  return code;
}

int eo__json_file_finish(eo_json_file *file, eo_error *error) {
  int code = EO_OK;
  if (fclose(file->stream) != 0 || file->size == 0) /* the reporter writes all or nothing */
    code = eo__error_nomem(error);
  else if (!file->replace)
    code = write_in_place(file, error);
  else if (!eo__file_replace(file->path, file->bytes, file->size))
    code = refused(file, errno, error);
  file->stream = NULL;
  eo__json_file_drop(file);
  return code;
}

void eo__json_file_drop(eo_json_file *file) {
  if (file->stream != NULL) fclose(file->stream);
  free(file->bytes);
  eo__free(file->path);
  *file = (eo_json_file){0};
}
