/* json_file.c: see json_file.h. */
#include "cli/json_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

static int refused(const eo_json_file *file, int why, eo_error *error) {
  return eo_error_set(error, EO_ESYSTEM, "%s %.256s cannot be written: %s", file->option, file->given, strerror(why));
}

/* Follows links and finds out what is there; a rename would put a file in the place of a link or a device. */
static int resolve(eo_json_file *file, eo_error *error) {
  struct stat status;
  char *real = realpath(file->given, NULL);
  file->path = eo_strdup(real != NULL ? real : file->given);
  free(real);
  if (file->path == NULL) return eo_error_nomem(error);
  if (stat(file->path, &status) != 0) {
    file->replace = true;
    return errno == ENOENT ? EO_OK : refused(file, errno, error);
  }
  if (S_ISDIR(status.st_mode)) return refused(file, EISDIR, error);
  file->replace = S_ISREG(status.st_mode);
  return access(file->path, W_OK) == 0 ? EO_OK : refused(file, errno, error);
}

/* Writes the bytes beside the file. With none it only tries whether that is possible. */
static int write_beside(const eo_json_file *file, const char *beside, eo_error *error) {
  FILE *stream = fopen(beside, "we");
  if (stream == NULL) return refused(file, errno, error);
  bool written = fwrite(file->bytes != NULL ? file->bytes : "", 1, file->size, stream) == file->size;
  int why = errno;
  bool flushed = fflush(stream) == 0 && (file->size == 0 || fsync(fileno(stream)) == 0);
  why = written && !flushed ? errno : why;
  if (fclose(stream) != 0 || !written || !flushed) {
    unlink(beside);
    return refused(file, why, error);
  }
  return EO_OK;
}

static int write_replacing(const eo_json_file *file, bool only_try, eo_error *error) {
  eo_text beside;
  eo_text_init(&beside);
  eo_text_add(&beside, "%s.tmp", file->path);
  int code = beside.failed ? eo_error_nomem(error) : write_beside(file, beside.chars, error);
  if (code == EO_OK && only_try)
    unlink(beside.chars);
  else if (code == EO_OK && rename(beside.chars, file->path) != 0) {
    code = refused(file, errno, error);
    unlink(beside.chars);
  }
  eo_text_release(&beside);
  return code;
}

static int write_in_place(const eo_json_file *file, eo_error *error) {
  FILE *stream = file->path != NULL ? fopen(file->path, "we") : stdout;
  if (stream == NULL) return refused(file, errno, error);
  bool written = fwrite(file->bytes, 1, file->size, stream) == file->size && fflush(stream) == 0;
  int why = errno;
  if (stream != stdout) fclose(stream);
  return written ? EO_OK : refused(file, why, error);
}

int eo__json_file_open(eo_json_file *file, const char *option, const char *given, eo_error *error) {
  *file = (eo_json_file){.option = option, .given = given};
  int code = EO_OK;
  if (strcmp(given, "-") != 0) code = resolve(file, error);
  if (code == EO_OK && file->replace) code = write_replacing(file, true, error);
  if (code == EO_OK) {
    file->stream = open_memstream(&file->bytes, &file->size);
    code = file->stream != NULL ? EO_OK : eo_error_nomem(error);
  }
  if (code != EO_OK) eo_free(file->path);
  return code;
}

int eo__json_file_finish(eo_json_file *file, eo_error *error) {
  int code = EO_OK;
  if (fclose(file->stream) != 0 || file->size == 0) /* the reporter writes all or nothing */
    code = eo_error_nomem(error);
  else
    code = file->replace ? write_replacing(file, false, error) : write_in_place(file, error);
  file->stream = NULL;
  eo__json_file_drop(file);
  return code;
}

void eo__json_file_drop(eo_json_file *file) {
  if (file->stream != NULL) fclose(file->stream);
  free(file->bytes);
  eo_free(file->path);
  *file = (eo_json_file){0};
}
