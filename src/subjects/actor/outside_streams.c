/* outside_streams.c: the standard streams of the C library, which outlive every execution. Their orientation, end of file, errors, lock
 * and what is left to read go back at each reset or restore. What a process has printed stays to be printed. */
#include <front.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "subjects/actor/outside.h"

enum { STREAMS = 3 };

/* How glibc's FILE is made; its <stdio.h> declares the struct, but not these. */
enum { NO_READS = 4, NO_WRITES = 8, END_SEEN = 0x10, ERROR_SEEN = 0x20, APPENDS = 0x1000 };
enum { LASTING_FLAGS = NO_READS | NO_WRITES | END_SEEN | ERROR_SEEN | APPENDS };
typedef struct stream_lock {
  int word;
  int depth;
  void *owner;
} stream_lock;

typedef struct stream_start {
  FILE *stream;
  int flags, file, mode;
  char *read_base, *read_at, *read_end;
} stream_start;

EO_OWN static stream_start start[STREAMS];

static stream_lock *lock_of(const FILE *stream) { return (stream_lock *)stream->_lock; }

static bool is_held(const FILE *stream) {
  const stream_lock *lock = lock_of(stream);
  return lock->word || lock->depth;
}

/* Of input only: an output's place to read from moves with what is printed. */
static bool has_read(const stream_start *then) { return then == start && then->stream->_IO_read_ptr != then->read_at; }

/* Asked at each reset and restore: nearly always nothing has changed, so that all is compared at once. */
static inline bool has_changed(const stream_start *then) {
  const FILE *stream = then->stream;
  const stream_lock *lock = lock_of(stream);
  unsigned differ = (unsigned)(stream->_mode ^ then->mode) |
                    ((unsigned)(stream->_flags ^ then->flags) & LASTING_FLAGS) |
                    (unsigned)(stream->_fileno ^ then->file) | (unsigned)lock->word | (unsigned)lock->depth;
  return differ != 0 || has_read(then);
}

bool eo__streams_changed(void) {
  for (int i = 0; i < STREAMS; i++)
    if (start[i].stream && has_changed(&start[i])) return true;
  return false;
}

/* Was the stream left while its pointers were being changed? */
static bool is_torn(const FILE *stream) {
  return stream->_IO_write_base < stream->_IO_buf_base || stream->_IO_write_ptr < stream->_IO_write_base ||
         stream->_IO_write_ptr > stream->_IO_buf_end;
}

static void put_back(const stream_start *then) {
  FILE *stream = then->stream;
  if (is_held(stream)) { /* by a process that was left in the middle of printing */
    memset(lock_of(stream), 0, sizeof(stream_lock));
    if (is_torn(stream)) __fpurge(stream);
  }
  if (stream->_mode > 0 || has_read(then)) __fpurge(stream); /* wide characters have a buffer of their own */
  if (has_read(then)) {
    stream->_IO_read_base = then->read_base;
    stream->_IO_read_ptr = then->read_at;
    stream->_IO_read_end = then->read_end;
  }
  stream->_mode = then->mode;
  stream->_fileno = then->file;
  stream->_flags = (stream->_flags & ~LASTING_FLAGS) | then->flags;
}

/* ---- Streams of the program -----------------------------------------------------------------------------------------
 *
 * One that the program had open before the exploration, and that a process has read from, goes back to its place. Where that
 * cannot be, as with a pipe, the next execution may read on, which leaves a doubt (eo_actor.remains). One that a process has opened and
 * not closed is closed, without what waits to be written: its descriptor is somebody else's in the next execution. */

enum { OTHERS = 64 };
typedef struct other_start {
  FILE *stream;
  const char *read_at;
  long place; /* < 0: it has none */
} other_start;

extern FILE *_IO_list_all __attribute__((weak));

EO_OWN static struct {
  other_start items[OTHERS];
  int count;
  bool overflowed;
} others;

static bool is_standard(const FILE *stream) { return stream == stdin || stream == stdout || stream == stderr; }

static bool is_of_a_file(const FILE *stream) { return stream->_fileno > 2; }

static void remember_others(void) {
  others.count = 0;
  others.overflowed = false;
  for (FILE *one = &_IO_list_all ? _IO_list_all : NULL; one; one = one->_chain) {
    if (is_standard(one) || !is_of_a_file(one)) continue;
    if (others.count == OTHERS) {
      others.overflowed = true;
      return;
    }
    others.items[others.count++] = (other_start){one, one->_IO_read_ptr, ftell(one)};
  }
}

static bool is_other(const FILE *stream) {
  for (int i = 0; i < others.count; i++)
    if (others.items[i].stream == stream) return true;
  return false;
}

void eo__streams_open(void) {
  FILE *const streams[STREAMS] = {stdin, stdout, stderr};
  for (int i = 0; i < STREAMS; i++) {
    const FILE *stream = streams[i];
    start[i] = (stream_start){streams[i],          stream->_flags & LASTING_FLAGS, stream->_fileno,
                              stream->_mode,       stream->_IO_read_base,          stream->_IO_read_ptr,
                              stream->_IO_read_end};
  }
  remember_others();
}

/* The list changes under our hands: from the start after each. */
static void close_new(void) {
  if (others.overflowed) return;
  for (FILE *one = &_IO_list_all ? _IO_list_all : NULL; one;) {
    if (is_standard(one) || !is_of_a_file(one) || is_other(one) || is_held(one)) {
      one = one->_chain;
      continue;
    }
    __fpurge(one);
    fclose(one);
    one = _IO_list_all;
  }
}

static bool is_open(const FILE *stream) {
  for (const FILE *one = _IO_list_all; one; one = one->_chain)
    if (one == stream) return true;
  return false;
}

static void others_back(void) {
  for (int i = 0; i < others.count; i++) {
    const other_start *then = &others.items[i];
    if (!is_open(then->stream)) { /* a process has closed it, for all executions to come */
      eo__actor->remains = true;
      continue;
    }
    if (then->stream->_IO_read_ptr == then->read_at || __fwriting(then->stream)) continue;
    __fpurge(then->stream);
    if (then->place < 0 || fseek(then->stream, then->place, SEEK_SET) != 0) eo__actor->remains = true;
    others.items[i].read_at = then->stream->_IO_read_ptr;
  }
}

void eo__streams_back(uint32_t changed) {
  if (changed & EO_CHANGED_FILES) close_new();
  if (changed) others_back();
  for (int i = 0; i < STREAMS; i++)
    if (start[i].stream && has_changed(&start[i])) put_back(&start[i]);
}

/* ---- What is printed ------------------------------------------------------------------------------------------------
 *
 * While an execution is described: what processes write to the standard output, by the stream or by a system call. One process runs
 * at a time, so that what has come since the last step is of the process that took it. */

enum { PRINTED_MOST = 1 << 14 }; /* in one step; the rest is left out */

EO_OWN static char printed[PRINTED_MOST + 1];
EO_OWN static size_t printed_size;
EO_OWN static bool listening;

void eo__streams_listen(bool on) {
  listening = on;
  printed_size = 0;
  if (on) __fpurge(stdout);
}

void eo__streams_written(const char *bytes, size_t size) {
  if (!listening) return;
  if (size > PRINTED_MOST - printed_size) size = PRINTED_MOST - printed_size;
  memcpy(printed + printed_size, bytes, size);
  printed_size += size;
}

static void take_buffered(void) {
  if (is_torn(stdout) || stdout->_IO_write_ptr <= stdout->_IO_write_base) return;
  eo__streams_written(stdout->_IO_write_base, (size_t)(stdout->_IO_write_ptr - stdout->_IO_write_base));
  __fpurge(stdout);
}

void eo_remark(const char *format, ...) {
  char text[512];
  va_list arguments;
  if (!listening) return;
  take_buffered();
  va_start(arguments, format);
  vsnprintf(text, sizeof text - 1, format, arguments);
  va_end(arguments);
  strcat(text, "\n");
  eo__streams_written(text, strlen(text));
}

const char *eo__streams_printed(void) {
  if (!listening) return "";
  take_buffered();
  printed[printed_size] = '\0';
  printed_size = 0;
  return printed;
}

/* ---- Buffers --------------------------------------------------------------------------------------------------------
 *
 * A stream must not keep a buffer that goes with the execution: it has one of its own of that size. */

static char *lasting(char *buffer) { return buffer && eo__outside_caller() ? NULL : buffer; }

int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  return EO_REAL(setvbuf)(stream, lasting(buffer), mode, size);
}

void setbuf(FILE *restrict stream, char *restrict buffer) {
  if (lasting(buffer) == buffer)
    EO_REAL(setbuf)(stream, buffer);
  else
    EO_REAL(setvbuf)(stream, NULL, _IOFBF, BUFSIZ);
}

void setbuffer(FILE *restrict stream, char *restrict buffer, size_t size) {
  if (lasting(buffer) == buffer)
    EO_REAL(setbuffer)(stream, buffer, size);
  else
    EO_REAL(setvbuf)(stream, NULL, _IOFBF, size);
}
