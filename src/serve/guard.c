/* guard.c: who may ask what. On loopback everybody on this machine may, but no page of another site in a browser of this
 * machine: it could make its own name lead here (hence the look at Host), or send a request blindly (hence the look at
 * Origin). Elsewhere a token is asked for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "serve/inside.h"

#define COOKIE "everyorder_token"

char *eo__serve_make_token(eo_error *error) {
  unsigned char bytes[16];
  char token[2 * sizeof(bytes) + 1];
  if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
    eo__error_set(error, EO_ESYSTEM, "the machine gives no random bytes for a token: %s; give one with --token",
                  strerror(errno));
    return NULL;
  }
  for (size_t i = 0; i < sizeof(bytes); i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  char *made = eo__strdup(token);
  if (made == NULL) eo__error_nomem(error);
  return made;
}

bool eo__serve_host_right(const eo_server *server, const char *host) {
  if (server->token != NULL) return true;
  if (host == NULL) return false;
  const char *colon = strrchr(host, ':');
  const char *bracket = strchr(host, ']');
  if (bracket != NULL && colon < bracket) colon = NULL;
  size_t length = colon != NULL ? (size_t)(colon - host) : strlen(host);
  const char *const names[] = {"localhost", "127.0.0.1", "[::1]", server->host};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (strlen(names[i]) == length && strncasecmp(host, names[i], length) == 0) return true;
  return false;
}

bool eo__serve_token_right(const char *token, const char *given) {
  size_t length = strlen(token), given_length = strlen(given);
  volatile unsigned char differs = length != given_length;
  for (size_t i = 0; i < given_length; i++) differs |= (unsigned char)(given[i] ^ token[i % length]);
  return differs == 0;
}

bool eo__serve_token_shown(const eo_server *server, eo_connection *connection, bool *in_query) {
  static const char bearer[] = "Bearer ";
  *in_query = false;
  if (server->token == NULL) return true;
  const char *header = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
  if (header != NULL && strncasecmp(header, bearer, strlen(bearer)) == 0 &&
      eo__serve_token_right(server->token, header + strlen(bearer)))
    return true;
  const char *cookie = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, COOKIE);
  if (cookie != NULL && eo__serve_token_right(server->token, cookie)) return true;
  const char *query = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
  *in_query = query != NULL && eo__serve_token_right(server->token, query);
  return *in_query;
}

/* A browser lets a page of another site send this header only after asking us, and we never agree. */
bool eo__serve_same_origin(eo_connection *connection) {
  static const char scheme[] = "http://";
  const char *ours = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Everyorder");
  const char *origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
  const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
  const char *site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
  if (ours == NULL || host == NULL) return false;
  if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0) return false;
  if (origin == NULL) return true;
  return strncasecmp(origin, scheme, strlen(scheme)) == 0 && strcasecmp(origin + strlen(scheme), host) == 0;
}
