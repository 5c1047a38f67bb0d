/* file.h: whole files, read and replaced without being led astray: by pipes that nobody writes to, by links that somebody
 * planted, by others who write at the same time. */
#ifndef EO_BASE_FILE_H
#define EO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Opens a regular file for reading, without ever waiting. -1: errno says why; ENXIO: it is no regular file. */
int eo__file_open(const char *path);

/* What errno says, in words, also of eo__file_open. */
const char *eo__file_trouble(int reason);

/* Reads all of a regular file of at most `most` bytes. False: errno says why; EFBIG: it is larger; ENOMEM. */
bool eo__file_read(const char *path, size_t most, eo_text *out);

/* Puts these bytes in the place of what is there, all of it or nothing, also when the machine dies: writes a new file
 * with a name that nobody can guess beside it, and renames that. A link at the path is replaced, not followed. False:
 * errno says why. */
bool eo__file_replace(const char *path, const void *bytes, size_t size);

/* Could eo__file_replace write there? */
bool eo__file_try_replace(const char *path);

/* Opens what is there to be written in place: a pipe or a device. Never waits for somebody to read: errno is ENXIO then. */
int eo__file_open_device(const char *path);

bool eo__file_write(int file, const void *bytes, size_t size);

#endif
