/* file.c: see file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH ".everyorder.XXXXXX" /* mkostemp draws the end, and makes a new file or fails */

int eo__file_open(const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return -1;
  int reason = fstat(file, &status) != 0 ? errno
               : S_ISDIR(status.st_mode) ? EISDIR
               : S_ISREG(status.st_mode) ? 0
                                         : ENXIO;
  if (reason == 0) return file;
  close(file);
  errno = reason;
  return -1;
}

const char *eo__file_trouble(int reason) { return reason == ENXIO ? "it is not a regular file" : strerror(reason); }

bool eo__file_read(const char *path, size_t most, eo_text *out) {
  char block[1 << 16];
  ssize_t got;
  int file = eo__file_open(path);
  if (file < 0) return false;
  while ((got = read(file, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) eo__text_append(out, block, (size_t)got);
    if (out->failed || out->length > most) break;
  }
  int reason = out->failed ? ENOMEM : out->length > most ? EFBIG : got < 0 ? errno : 0;
  close(file);
  errno = reason;
  return reason == 0;
}

bool eo__file_write(int file, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    ssize_t wrote = write(file, at, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    at += wrote;
    size -= (size_t)wrote;
  }
  return true;
}

/* A new file in the folder of `path`; its name goes to *scratch. -1: errno. */
static int open_beside(const char *path, eo_text *scratch) {
  const char *slash = strrchr(path, '/');
  eo__text_append(scratch, path, slash ? (size_t)(slash - path) + 1 : 0);
  eo__text_add(scratch, "%s", SCRATCH);
  if (scratch->failed) {
    errno = ENOMEM;
    return -1;
  }
  return mkostemp(scratch->chars, O_CLOEXEC);
}

/* mkostemp's file is for its owner alone. The new one may be used by whom the old one was for. */
static mode_t mode_for(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) return status.st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* The name is on the disk, too. Some file systems cannot do that for a folder; the file is whole all the same. */
static void sync_folder(const char *path) {
  eo_text folder;
  const char *slash = strrchr(path, '/');
  eo__text_init(&folder);
  eo__text_append(&folder, path, slash ? (size_t)(slash - path) + 1 : 0);
  if (!slash) eo__text_add(&folder, ".");
  int file = folder.failed ? -1 : open(folder.chars, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    fsync(file);
    close(file);
  }
  eo__text_release(&folder);
}

bool eo__file_replace(const char *path, const void *bytes, size_t size) {
  eo_text scratch;
  eo__text_init(&scratch);
  int file = open_beside(path, &scratch);
  bool good = file >= 0 && eo__file_write(file, bytes, size) && fchmod(file, mode_for(path)) == 0 && fsync(file) == 0;
  int reason = errno;
  if (file >= 0 && close(file) != 0 && good) {
    good = false;
    reason = errno;
  }
  if (good && rename(scratch.chars, path) != 0) {
    good = false;
    reason = errno;
  }
  if (good) sync_folder(path);
  if (!good && file >= 0) unlink(scratch.chars);
  eo__text_release(&scratch);
  errno = reason;
  return good;
}

bool eo__file_try_replace(const char *path) {
  eo_text scratch;
  eo__text_init(&scratch);
  int file = open_beside(path, &scratch), reason = errno;
  if (file >= 0) {
    close(file);
    unlink(scratch.chars);
  }
  eo__text_release(&scratch);
  errno = reason;
  return file >= 0;
}

int eo__file_open_device(const char *path) {
  int file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return -1;
  int flags = fcntl(file, F_GETFL);
  if (flags >= 0 && fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0) return file;
  int reason = errno;
  close(file);
  errno = reason;
  return -1;
}
