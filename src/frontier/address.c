/* address.c: see address.h. */
#include "frontier/address.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { DEFAULT_PORT = 6379, SHOWN = 400 };
#define DEFAULT_TIMEOUT 5.0
#define FORM "redis://[[user]:password@]HOST[:PORT]/NAME"

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Copies `length` characters, with %XX as the byte it stands for. False: too long, or a bad %. */
static bool copy(char *out, size_t size, const char *text, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= length || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0) return false;
      c = (char)(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    }
    if (c == '\0' || count + 1 >= size) return false;
    out[count++] = c;
  }
  out[count] = '\0';
  return true;
}

static int parse_login(eo_address *address, const char *text, size_t length, eo_error *error) {
  const char *colon = memchr(text, ':', length);
  size_t user = colon ? (size_t)(colon - text) : length;
  if (!copy(address->user, sizeof address->user, text, user) ||
      (colon && !copy(address->password, sizeof address->password, colon + 1, length - user - 1)))
    return eo__error_set(error, EO_EINPUT,
                         "the user or password in the address is too long, or has a %% that is not written as %%25");
  return EO_OK;
}

static int parse_host(eo_address *address, const char *text, size_t length, eo_error *error) {
  const char *end = text + length, *colon = NULL;
  if (length && *text == '[') { /* an IPv6 address */
    const char *close = memchr(text, ']', length);
    if (close) {
      length = (size_t)(close - text) - 1;
      colon = close + 1 < end ? close + 1 : NULL;
    }
    text++;
    if (!close || (colon && *colon != ':')) return eo__error_set(error, EO_EINPUT, "the address has a [ without its ]");
  } else {
    colon = memchr(text, ':', length);
    if (colon) length = (size_t)(colon - text);
  }
  char digits[8];
  uint64_t port = DEFAULT_PORT;
  if (colon && (!copy(digits, sizeof digits, colon + 1, (size_t)(end - colon) - 1) ||
                !eo__text_number(digits, UINT16_MAX, &port) || port == 0))
    return eo__error_set(error, EO_EINPUT, "the port in the address is not a number from 1 to 65535");
  address->port = (uint16_t)port;
  if (length == 0) return eo__error_set(error, EO_EINPUT, "the address names no host; expected " FORM);
  if (!copy(address->host, sizeof address->host, text, length))
    return eo__error_set(error, EO_EINPUT, "the host in the address is too long, or has a bad %%");
  return EO_OK;
}

static int parse_name(eo_address *address, const char *text, size_t length, eo_error *error) {
  bool right = length < sizeof address->name;
  for (size_t i = 0; i < length; i++) right = right && (isalnum((unsigned char)text[i]) || strchr("._-", text[i]));
  if (!right)
    return eo__error_set(error, EO_EINPUT,
                         "the name of the job, '%.*s': expected at most %zu letters, digits, dots, dashes and "
                         "underscores",
                         (int)(length < 100 ? length : 100), text, sizeof address->name - 1);
  memcpy(address->name, text, length);
  return EO_OK;
}

static int parse_query(eo_address *address, const char *query, eo_error *error) {
  const char *value = strncmp(query, "timeout=", 8) == 0 ? query + 8 : NULL;
  if (value && eo__text_seconds(value, &address->timeout) && address->timeout > 0) return EO_OK;
  return eo__error_set(error, EO_EINPUT,
                       "'?%.64s' in the address: expected ?timeout=T, with a time such as 2s or 500ms", query);
}

int eo__address_parse(eo_address *address, const char *text, eo_error *error) {
  memset(address, 0, sizeof *address);
  address->timeout = DEFAULT_TIMEOUT;
  if (strncmp(text, "rediss://", 9) == 0)
    return eo__error_set(error, EO_EINPUT,
                         "rediss:// needs TLS, which the hiredis this was built with (Debian 12's 0.14) does not have; "
                         "use redis:// through a tunnel: doc/cluster.md, 'Over a network that others use'");
  if (strncmp(text, "redis://", 8) != 0)
    return eo__error_set(error, EO_EINPUT, "'%.*s' is not the address of a cluster; expected " FORM,
                         (int)(strchr(text, '@') ? 0 : strnlen(text, 64)), text);
  text += 8;
  size_t authority = strcspn(text, "/?");
  /* The last @: what comes before may have some that should have been written %40. */
  const char *login = memrchr(text, '@', authority);
  int code = login ? parse_login(address, text, (size_t)(login - text), error) : EO_OK;
  const char *host = login ? login + 1 : text;
  if (code == EO_OK) code = parse_host(address, host, authority - (size_t)(host - text), error);
  const char *rest = text + authority;
  size_t name = strcspn(rest, "?");
  if (code == EO_OK && name > 1) code = parse_name(address, rest + 1, name - 1, error);
  if (code == EO_OK && rest[name]) code = parse_query(address, rest + name + 1, error);
  return code;
}

const char *eo__address_show(const eo_address *address, char *out) {
  bool six = strchr(address->host, ':') != NULL;
  snprintf(out, SHOWN, "redis://%s%s%s:%u%s%s", six ? "[" : "", address->host, six ? "]" : "", address->port,
           *address->name ? "/" : "", address->name);
  return out;
}
