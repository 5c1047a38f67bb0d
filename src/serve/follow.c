/* follow.c: a log of `test --live` (doc/formats/live.md) as server-sent events. A follower has one buffer of one line. When
 * it has nothing to say its connection sleeps, until the file has grown or it is time for a sign of life. Of a log that is
 * long already only some of the progress is sent, and all the rest. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "serve/inside.h"

#define ALIVE_EVERY 10.0 /* seconds */

enum {
  LONGEST_LINE = 32 << 10,
  MOST_PROGRESS = 1000, /* lines of progress of what has been before */
  FRAME = 64            /* what is written round a line */
};

/* Invariant: bytes[0 .. filled) are those of the file that end at offset `read_to`; lines before `line` in it were dealt
 * with. */
struct eo_follower {
  eo_server *server;
  eo_connection *connection;
  eo_follower *next, *before;
  int file;
  uint64_t read_to;
  size_t line, filled;
  bool too_long; /* the line under way is dropped up to its end */
  bool asleep, ended;
  double last_sent;
  uint64_t start_size;    /* of the file when it began */
  uint64_t last_progress; /* where the last one that was sent ended */
  size_t out_at, out_length;
  char out[LONGEST_LINE + FRAME];
  char bytes[LONGEST_LINE];
};

/* ---- Lines of the file ---------------------------------------------------------------------------------------- */

/* Reads more behind what is there; false: there is no more now. */
static bool read_more(eo_follower *f) {
  memmove(f->bytes, f->bytes + f->line, f->filled - f->line);
  f->filled -= f->line;
  f->line = 0;
  if (f->filled == sizeof(f->bytes)) {
    f->too_long = true;
    f->filled = 0;
  }
  ssize_t got = pread(f->file, f->bytes + f->filled, sizeof(f->bytes) - f->filled, (off_t)f->read_to);
  if (got <= 0) return false;
  f->filled += (size_t)got;
  f->read_to += (uint64_t)got;
  return true;
}

static bool begins(const char *line, size_t length, const char *with) {
  return length >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static bool is_text(const char *line, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)line[i] < ' ') return false;
  return length > 0;
}

/* Of what was there before, about so many lines of progress are enough for a picture. */
static bool is_spare(eo_follower *f, const char *line, size_t length, uint64_t end) {
  if (!begins(line, length, "{\"event\":\"progress\"")) return false;
  bool spare = end < f->start_size && end - f->last_progress < f->start_size / MOST_PROGRESS;
  if (!spare) f->last_progress = end;
  return spare;
}

/* The next line that is to be sent, as an event in `out`; false: there is none now. */
static bool take_line(eo_follower *f) {
  for (;;) {
    char *start = f->bytes + f->line;
    char *newline = memchr(start, '\n', f->filled - f->line);
    if (newline == NULL) {
      if (!read_more(f)) return false;
      continue;
    }
    size_t length = (size_t)(newline - start);
    f->line += length + 1;
    uint64_t end = f->read_to - (f->filled - f->line);
    bool dropped = f->too_long || !is_text(start, length) || is_spare(f, start, length, end);
    f->too_long = false;
    if (dropped) continue;
    int head = snprintf(f->out, FRAME, "id: %llu\ndata: ", (unsigned long long)end);
    memcpy(f->out + head, start, length);
    memcpy(f->out + head + length, "\n\n", 2);
    f->out_length = (size_t)head + length + 2;
    f->ended = begins(start, length, "{\"event\":\"done\"");
    return true;
  }
}

/* ---- Events --------------------------------------------------------------------------------------------------- */

static void say(eo_follower *f, const char *text) {
  f->out_length = strlen(text);
  memcpy(f->out, text, f->out_length);
}

static void start_again(eo_follower *f, uint64_t size) {
  f->read_to = f->line = f->filled = f->last_progress = 0;
  f->start_size = size;
  f->too_long = f->ended = false;
  say(f, "event: restart\ndata: {}\n\n");
}

static bool is_shorter(const eo_follower *f, uint64_t *size) {
  struct stat status;
  *size = fstat(f->file, &status) == 0 ? (uint64_t)status.st_size : f->read_to;
  return *size < f->read_to;
}

/* Fills `out` with the next thing to send; false: there is nothing. */
static bool next_event(eo_follower *f, double now) {
  uint64_t size;
  f->out_at = f->out_length = 0;
  if (is_shorter(f, &size))
    start_again(f, size);
  else if (!take_line(f) && now >= f->last_sent + ALIVE_EVERY)
    say(f, ": still here\n\n");
  if (f->out_length > 0) f->last_sent = now;
  return f->out_length > 0;
}

static ssize_t read_events(void *context, uint64_t position, char *buffer, size_t room) {
  eo_follower *f = context;
  size_t given = 0;
  (void)position;
  double now = eo__seconds();
  while (given < room) {
    if (f->out_at == f->out_length) {
      if (f->ended && given == 0) return MHD_CONTENT_READER_END_OF_STREAM;
      if (f->ended || !next_event(f, now)) break;
    }
    size_t part = f->out_length - f->out_at < room - given ? f->out_length - f->out_at : room - given;
    memcpy(buffer + given, f->out + f->out_at, part);
    f->out_at += part;
    given += part;
  }
  if (given == 0) {
    f->asleep = true;
    MHD_suspend_connection(f->connection);
  }
  return (ssize_t)given;
}

static void close_follower(void *context) {
  eo_follower *f = context;
  if (f->next != NULL) f->next->before = f->before;
  if (f->before != NULL)
    f->before->next = f->next;
  else
    f->server->followers = f->next;
  close(f->file);
  eo__free(f);
}

eo_response *eo__serve_follow(eo_server *server, eo_connection *connection, int file, uint64_t from) {
  struct stat status;
  eo_follower *f = eo__alloc(sizeof(*f));
  if (f == NULL) {
    close(file);
    return NULL;
  }
  f->server = server;
  f->connection = connection;
  f->file = file;
  f->read_to = from;
  f->last_progress = from;
  f->start_size = fstat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
  f->last_sent = eo__seconds();
  say(f, "retry: 2000\n\n");
  f->next = server->followers;
  if (f->next != NULL) f->next->before = f;
  server->followers = f;
  eo_response *response =
      MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EO_SERVE_BLOCK, read_events, f, close_follower);
  if (response == NULL) close_follower(f);
  return response;
}

void eo__serve_follow_tick(eo_server *server) {
  double now = eo__seconds();
  for (eo_follower *f = server->followers; f != NULL; f = f->next) {
    struct stat status;
    if (!f->asleep) continue;
    bool changed = fstat(f->file, &status) != 0 || (uint64_t)status.st_size != f->read_to;
    if (!changed && now < f->last_sent + ALIVE_EVERY) continue;
    f->asleep = false;
    MHD_resume_connection(f->connection);
  }
}

void eo__serve_follow_wake(eo_server *server) {
  for (eo_follower *f = server->followers; f != NULL; f = f->next) {
    if (f->asleep) MHD_resume_connection(f->connection);
    f->asleep = false;
  }
}
