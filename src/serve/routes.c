/* routes.c: every request and its answer.
 *
 *   GET  /, /app.css, /app.js     our page
 *   GET  /api/runs                what there is
 *   GET  /api/follow?path=LOG     a run as it goes on: server-sent events
 *   POST /api/replay?path=TICKET  replays, and answers with its text
 *   GET  /files/PATH              a file of the folder
 *
 * Whatever comes from the folder is somebody else's: our page shows it as text, and an HTML report gets an origin of its own
 * (sandbox), from which nothing here can be asked for. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "serve/inside.h"

/* For our own page: nothing but our own files. */
#define PAGE_POLICY                                                                                     \
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " \
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/* For a report, which is one file that needs no other. */
#define REPORT_POLICY                                                                                 \
  "sandbox allow-scripts allow-modals allow-popups; default-src 'none'; script-src 'unsafe-inline'; " \
  "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; "   \
  "frame-ancestors 'none'"
#define NOTHING_POLICY "sandbox; default-src 'none'; frame-ancestors 'none'"

typedef enum MHD_Result result;

/* ---- Answers -------------------------------------------------------------------------------------------------- */

static void add_header(eo_response *response, const char *name, const char *value) {
  MHD_add_response_header(response, name, value);
}

/* What every answer says. */
static void add_headers(eo_response *response, const char *type, const char *policy) {
  add_header(response, "Content-Type", type);
  add_header(response, "Content-Security-Policy", policy);
  add_header(response, "X-Content-Type-Options", "nosniff");
  add_header(response, "Referrer-Policy", "no-referrer");
  add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
  add_header(response, "Cross-Origin-Opener-Policy", "same-origin");
  add_header(response, "Cache-Control", "no-store");
}

/* Sends and lets go of it. NULL: no memory, so the connection is closed. */
static result send_response(eo_connection *connection, unsigned status, eo_response *response) {
  if (response == NULL) return MHD_NO;
  result done = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return done;
}

static result send_text(eo_connection *connection, unsigned status, const char *text) {
  eo_response *response = MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_MUST_COPY);
  if (response == NULL) return MHD_NO;
  add_headers(response, "text/plain; charset=utf-8", NOTHING_POLICY);
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED) add_header(response, "Allow", "GET, HEAD, POST");
  return send_response(connection, status, response);
}

static result not_found(eo_connection *connection) {
  return send_text(connection, MHD_HTTP_NOT_FOUND, "There is no page or file of this name.\n");
}

/* ---- Our page ------------------------------------------------------------------------------------------------- */

static result send_page(eo_connection *connection, const char *url) {
  static const struct {
    const char *url, *name, *type;
  } pages[] = {{"/", "index.html", "text/html; charset=utf-8"},
               {"/app.css", "app.css", "text/css; charset=utf-8"},
               {"/app.js", "app.js", "text/javascript; charset=utf-8"}};
  for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
    if (strcmp(url, pages[i].url) != 0) continue;
    for (const eo_embedded *file = eo__web_files; file->name != NULL; file++) {
      if (strcmp(file->name, pages[i].name) != 0) continue;
      eo_response *response = MHD_create_response_from_buffer(file->size, (void *)file->bytes, MHD_RESPMEM_PERSISTENT);
      if (response == NULL) return MHD_NO;
      add_headers(response, pages[i].type, PAGE_POLICY);
      return send_response(connection, MHD_HTTP_OK, response);
    }
  }
  return not_found(connection);
}

/* The token goes into a cookie that scripts cannot read, and out of the address line. */
static result send_cookie(const eo_server *server, eo_connection *connection) {
  eo_text cookie;
  eo_response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  if (response == NULL) return MHD_NO;
  eo__text_init(&cookie);
  eo__text_add(&cookie, "everyorder_token=%s; Path=/; HttpOnly; SameSite=Strict", server->token);
  add_headers(response, "text/plain; charset=utf-8", NOTHING_POLICY);
  add_header(response, "Set-Cookie", cookie.chars);
  add_header(response, "Location", "/");
  eo__text_release(&cookie);
  return send_response(connection, MHD_HTTP_SEE_OTHER, response);
}

/* ---- What is in the folder ------------------------------------------------------------------------------------ */

static result send_listing(eo_server *server, eo_connection *connection) {
  const eo_response *before = server->named;
  eo_response *response = eo__serve_listing(server);
  if (response == NULL) return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "There is no memory.\n");
  if (response != before || MHD_get_response_header(response, "Content-Type") == NULL)
    add_headers(response, "application/json", NOTHING_POLICY);
  return MHD_queue_response(connection, MHD_HTTP_OK, response); /* it is kept for the next who asks */
}

static result send_file(const eo_server *server, eo_connection *connection, const char *path) {
  static const struct {
    const char *type, *policy;
  } as[] = {[EO_SERVE_REPORT] = {"application/json", NOTHING_POLICY},
            [EO_SERVE_TICKET] = {"text/plain; charset=utf-8", NOTHING_POLICY},
            [EO_SERVE_HTML] = {"text/html; charset=utf-8", REPORT_POLICY},
            [EO_SERVE_LIVE] = {"text/plain; charset=utf-8", NOTHING_POLICY}};
  struct stat status;
  eo_serve_kind kind = eo__serve_kind(path);
  int file = kind != EO_SERVE_OTHER ? eo__serve_open_file(server, path, &status) : -1;
  if (file < 0) return not_found(connection);
  eo_response *response = MHD_create_response_from_fd64((uint64_t)status.st_size, file);
  if (response == NULL) {
    close(file);
    return MHD_NO;
  }
  add_headers(response, as[kind].type, as[kind].policy);
  return send_response(connection, MHD_HTTP_OK, response);
}

static result send_events(eo_server *server, eo_connection *connection) {
  const char *path = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "path");
  const char *last = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Last-Event-ID");
  struct stat status;
  uint64_t from = 0;
  if (path == NULL || eo__serve_kind(path) != EO_SERVE_LIVE) return not_found(connection);
  if (last != NULL && !eo__text_number(last, INT64_MAX, &from)) from = 0;
  int file = eo__serve_open_file(server, path, &status);
  if (file < 0) return not_found(connection);
  eo_response *response = eo__serve_follow(server, connection, file, from);
  if (response == NULL) return MHD_NO;
  add_headers(response, "text/event-stream", NOTHING_POLICY);
  return send_response(connection, MHD_HTTP_OK, response);
}

static result send_replay(eo_server *server, eo_connection *connection) {
  eo_error error;
  const char *path = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "path");
  if (!eo__serve_same_origin(connection))
    return send_text(connection, MHD_HTTP_FORBIDDEN,
                     "Only the page of this server may start a replay, or a request with the header X-Everyorder.\n");
  if (path == NULL || eo__serve_kind(path) != EO_SERVE_TICKET) return not_found(connection);
  if (server->replaying >= EO_SERVE_REPLAYS)
    return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "Enough replays are under way: try again later.\n");
  eo_response *response = eo__serve_replay(server, connection, path, &error);
  if (response == NULL) {
    eo_text text;
    eo__text_init(&text);
    eo__text_add(&text, "%s\n", error.text);
    result done =
        send_text(connection, error.code == EO_EINPUT ? MHD_HTTP_NOT_FOUND : MHD_HTTP_SERVICE_UNAVAILABLE, text.chars);
    eo__text_release(&text);
    return done;
  }
  add_headers(response, "text/plain; charset=utf-8", NOTHING_POLICY);
  return send_response(connection, MHD_HTTP_OK, response);
}

/* ---- Which ---------------------------------------------------------------------------------------------------- */

static result route(eo_server *server, eo_connection *connection, const char *url, const char *method) {
  static const char files[] = "/files/";
  bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
  if (strcmp(url, "/api/replay") == 0) {
    if (strcmp(method, "POST") == 0) return send_replay(server, connection);
    return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "A replay is started by POST.\n");
  }
  if (!reads)
    return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET and HEAD requests are answered here.\n");
  if (strcmp(url, "/api/runs") == 0) return send_listing(server, connection);
  if (strcmp(url, "/api/follow") == 0)
    return strcmp(method, "GET") == 0 ? send_events(server, connection) : not_found(connection);
  if (strncmp(url, files, strlen(files)) == 0) return send_file(server, connection, url + strlen(files));
  return send_page(connection, url);
}

result eo__serve_answer(void *context, eo_connection *connection, const char *url, const char *method,
                        const char *version, const char *upload, size_t *upload_size, void **request) {
  static int begun;
  eo_server *server = context;
  bool in_query;
  (void)version;
  (void)upload;
  if (*request == NULL) { /* the head is there; the body is not yet */
    *request = &begun;
    return MHD_YES;
  }
  if (*upload_size > 0) { /* no request has one that we would read */
    *upload_size = 0;
    return MHD_YES;
  }
  if (!eo__serve_host_right(server, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host")))
    return send_text(connection, MHD_HTTP_MISDIRECTED_REQUEST,
                     "This server answers requests for its own address only: use the address that it printed.\n");
  if (!eo__serve_token_shown(server, connection, &in_query))
    return send_text(connection, MHD_HTTP_UNAUTHORIZED,
                     "A token is asked for: open the address that everyorder serve printed, add ?token=..., or send "
                     "the header Authorization: Bearer ...\n");
  if (in_query && strcmp(url, "/") == 0 && strcmp(method, "GET") == 0) return send_cookie(server, connection);
  return route(server, connection, url, method);
}
