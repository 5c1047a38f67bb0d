/* address.c: where to listen. Addresses are numbers, so that nothing has to be looked up. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "serve/inside.h"

enum { DEFAULT_PORT = 8372, BACKLOG = 128, HOST_MAX = 64 };

typedef union socket_address {
  struct sockaddr any;
  struct sockaddr_in four;
  struct sockaddr_in6 six;
} socket_address;

/* "ADDRESS:PORT", "[ADDRESS]:PORT" or "PORT" taken apart. */
static bool split(const char *given, char *host, uint64_t *port) {
  const char *colon = strrchr(given, ':');
  const char *digits = colon != NULL ? colon + 1 : given;
  size_t length = colon != NULL ? (size_t)(colon - given) : 0;
  bool bracketed = length > 2 && given[0] == '[' && given[length - 1] == ']';
  if (bracketed) {
    given++;
    length -= 2;
  }
  if (length >= HOST_MAX || !eo__text_number(digits, 65535, port) || (colon != NULL && length == 0)) return false;
  if (!bracketed && memchr(given, ':', length) != NULL) return false;
  if (length > 0) {
    memcpy(host, given, length);
    host[length] = '\0';
  }
  if (strcmp(host, "localhost") == 0) memcpy(host, "127.0.0.1", sizeof("127.0.0.1"));
  return true;
}

static bool is_loopback(const socket_address *address) {
  if (address->any.sa_family == AF_INET) return ntohl(address->four.sin_addr.s_addr) >> 24 == 127;
  return IN6_IS_ADDR_LOOPBACK(&address->six.sin6_addr);
}

static socklen_t size_of(const socket_address *address) {
  return address->any.sa_family == AF_INET ? sizeof(address->four) : sizeof(address->six);
}

static int listen_at(const socket_address *address) {
  int on = 1;
  int listening = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listening < 0) return -1;
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(listening, &address->any, size_of(address)) == 0 && listen(listening, BACKLOG) == 0) return listening;
  int why = errno;
  close(listening);
  errno = why;
  return -1;
}

int eo__serve_listen(const char *given, char **host, unsigned *port, bool *loopback, eo_error *error) {
  char name[HOST_MAX] = "127.0.0.1";
  uint64_t wanted = DEFAULT_PORT;
  socket_address address = {0};
  if (given != NULL && !split(given, name, &wanted))
    return eo__error_set(error, EO_EINPUT, "--listen %.64s: expected ADDRESS:PORT, such as 127.0.0.1:8372 or [::1]:0",
                         given);
  if (inet_pton(AF_INET, name, &address.four.sin_addr) == 1) {
    address.four.sin_family = AF_INET;
    address.four.sin_port = htons((uint16_t)wanted);
  } else if (inet_pton(AF_INET6, name, &address.six.sin6_addr) == 1) {
    address.six.sin6_family = AF_INET6;
    address.six.sin6_port = htons((uint16_t)wanted);
  } else {
    return eo__error_set(error, EO_EINPUT, "--listen %.64s: the address must be a number, such as 127.0.0.1 or [::1]",
                         given);
  }
  *loopback = is_loopback(&address);
  int listening = listen_at(&address);
  if (listening < 0)
    return eo__error_set(error, EO_ESYSTEM, "port %u of %s cannot be listened at: %s%s", (unsigned)wanted, name,
                         strerror(errno), errno == EADDRINUSE ? "; --listen 127.0.0.1:0 takes a free one" : "");
  socklen_t size = sizeof(address);
  bool six = address.any.sa_family == AF_INET6;
  getsockname(listening, &address.any, &size);
  *port = ntohs(six ? address.six.sin6_port : address.four.sin_port);
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, six ? "[%s]" : "%s", name);
  *host = text.failed ? NULL : eo__strdup(text.chars);
  eo__text_release(&text);
  if (*host != NULL) return listening;
  close(listening);
  return eo__error_nomem(error);
}
