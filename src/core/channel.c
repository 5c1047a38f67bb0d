/* channel.c: see channel.h. */
#include "core/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xxhash.h>

#define MARK UINT64_C(0x0be5e9e4c0f1a7d3)
enum { LEAST_NUMBER = 1024, MOST_NUMBER = 1 << 16, BELOW = 16 };

typedef struct head {
  uint64_t mark, size, hash;
} head;

eo_message_state eo__message_look(const eo_bytes *input, const unsigned char **bytes, size_t *size) {
  const head expected = {.mark = MARK};
  head given;
  if (input->count == 0) return EO_MESSAGE_PART;
  size_t of_mark = input->count < sizeof expected.mark ? input->count : sizeof expected.mark;
  if (memcmp(input->items, &expected.mark, of_mark) != 0) return EO_MESSAGE_BAD;
  if (input->count < sizeof given) return EO_MESSAGE_PART;
  memcpy(&given, input->items, sizeof given);
  if (given.size > EO_MESSAGE_MOST || input->count - sizeof given > given.size) return EO_MESSAGE_BAD;
  if (input->count - sizeof given < given.size) return EO_MESSAGE_PART;
  *bytes = input->items + sizeof given;
  *size = given.size;
  return XXH3_64bits(*bytes, *size) == given.hash ? EO_MESSAGE_WHOLE : EO_MESSAGE_BAD;
}

bool eo__message_add(eo_bytes *output, const void *bytes, size_t size) {
  head h = {.mark = MARK, .size = size, .hash = XXH3_64bits(bytes, size)};
  if (size > EO_MESSAGE_MOST || !eo_vec_reserve(output, sizeof h + size)) return false;
  memcpy(output->items + output->count, &h, sizeof h);
  if (size) memcpy(output->items + output->count + sizeof h, bytes, size);
  output->count += sizeof h + size;
  return true;
}

/* The program may have made the descriptor one that does not wait. */
static bool waits(int file, short events) {
  if (errno != EAGAIN) return false;
  struct pollfd one = {.fd = file, .events = events};
  poll(&one, 1, -1);
  return true;
}

int eo__channel_send(int file, const eo_bytes *message) {
  for (size_t done = 0; done < message->count;) {
    ssize_t sent = send(file, message->items + done, message->count - done, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || waits(file, POLLOUT))) continue;
    if (sent <= 0) return EO_ESYSTEM;
    done += (size_t)sent;
  }
  return EO_OK;
}

static bool receive_all(int file, void *bytes, size_t size) {
  for (char *at = bytes; size > 0;) {
    ssize_t got = recv(file, at, size, 0);
    if (got < 0 && (errno == EINTR || waits(file, POLLIN))) continue;
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

int eo__channel_receive(int file, eo_bytes *content) {
  head h;
  eo_vec_clear(content);
  if (!receive_all(file, &h, sizeof h) || h.mark != MARK || h.size > EO_MESSAGE_MOST) return EO_ESYSTEM;
  if (!eo_vec_reserve(content, h.size + 1)) return EO_ENOMEM;
  if (!receive_all(file, content->items, h.size) || XXH3_64bits(content->items, h.size) != h.hash) return EO_ESYSTEM;
  content->count = h.size;
  return EO_OK;
}

/* Above the soft limit, which can be raised for a moment; else just below it. */
int eo__channel_hide(int file) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return file;
  struct rlimit raised = limit;
  rlim_t least = limit.rlim_cur < LEAST_NUMBER ? LEAST_NUMBER : limit.rlim_cur;
  if (least > MOST_NUMBER) least = MOST_NUMBER;
  raised.rlim_cur = least + BELOW;
  bool above = raised.rlim_cur <= limit.rlim_max && raised.rlim_cur > limit.rlim_cur;
  if (above && setrlimit(RLIMIT_NOFILE, &raised) != 0) above = false;
  if (!above && least > limit.rlim_cur - BELOW) least = limit.rlim_cur - BELOW;
  int hidden = fcntl(file, F_DUPFD_CLOEXEC, (int)least);
  if (above) setrlimit(RLIMIT_NOFILE, &limit);
  if (hidden < 0) return file;
  close(file);
  return hidden;
}
