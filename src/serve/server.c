/* server.c: the loop. libmicrohttpd waits in its epoll set; we wait for that, for the output of replays, and a little while
 * for files that grow. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "serve/inside.h"

#define TICK 0.2 /* seconds: how late an event may be */

enum { TOKEN_LEAST = 16, SPARE_FILES = 64 };

static int open_folder(eo_server *server, const char *given, eo_error *error) {
  char *real = realpath(given, NULL);
  if (real == NULL) return eo__error_set(error, EO_EINPUT, "%.256s cannot be served: %s", given, strerror(errno));
  server->folder = eo__strdup(real);
  free(real);
  if (server->folder == NULL) return eo__error_nomem(error);
  server->folder_fd = open(server->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (server->folder_fd < 0)
    return eo__error_set(error, EO_EINPUT, "%.256s cannot be served: %s", given, strerror(errno));
  return EO_OK;
}

static bool is_plain(const char *token) {
  for (const char *at = token; *at != '\0'; at++)
    if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~", *at) == NULL) return false;
  return true;
}

static int choose_token(eo_server *server, const char *given, bool loopback, eo_error *error) {
  if (given != NULL && (strlen(given) < TOKEN_LEAST || !is_plain(given)))
    return eo__error_set(error, EO_EINPUT, "--token: expected at least %d letters, digits, or any of -_.~",
                         TOKEN_LEAST);
  if (given != NULL) {
    server->token = eo__strdup(given);
    return server->token != NULL ? EO_OK : eo__error_nomem(error);
  }
  if (loopback) return EO_OK;
  server->token = eo__serve_make_token(error);
  return server->token != NULL ? EO_OK : error->code;
}

static int name_it(eo_server *server, unsigned port, bool show_token, eo_error *error) {
  eo_text url;
  eo__text_init(&url);
  eo__text_add(&url, "http://%s:%u/", server->host, port);
  if (show_token) eo__text_add(&url, "?token=%s", server->token);
  server->url = url.failed ? NULL : eo__strdup(url.chars);
  eo__text_release(&url);
  return server->url != NULL ? EO_OK : eo__error_nomem(error);
}

/* A connection may need two: its own, and that of the file it sends. */
static unsigned most_connections(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return SPARE_FILES;
  rlim_t wanted = 2 * EO_SERVE_CONNECTIONS + SPARE_FILES;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= wanted) return EO_SERVE_CONNECTIONS;
  return limit.rlim_cur > SPARE_FILES + 8 ? (unsigned)(limit.rlim_cur - SPARE_FILES) / 2 : 4;
}

static int start_daemon(eo_server *server, eo_error *error) {
  server->daemon = MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, eo__serve_answer, server, MHD_OPTION_LISTEN_SOCKET,
      server->listening, MHD_OPTION_CONNECTION_LIMIT, most_connections(), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t)EO_SERVE_CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)EO_SERVE_PATIENCE, MHD_OPTION_END);
  if (server->daemon == NULL) return eo__error_set(error, EO_ESYSTEM, "the web server cannot be started");
  server->listening = -1; /* the daemon's now */
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  if (info == NULL) return eo__error_set(error, EO_ESYSTEM, "the web server cannot be waited for");
  server->epoll = info->epoll_fd;
  return EO_OK;
}

eo_server *eo__server_open(const eo_serve_options *options, eo_error *error) {
  bool loopback;
  unsigned port;
  eo_server *server = eo__alloc(sizeof(*server));
  if (server == NULL) {
    eo__error_nomem(error);
    return NULL;
  }
  server->folder_fd = server->listening = -1;
  server->seconds = options->seconds > 0 ? options->seconds : EO_SERVE_REPLAY_SECONDS;
  server->command = eo__strdup(options->command);
  int code = server->command != NULL ? open_folder(server, options->folder, error) : eo__error_nomem(error);
  if (code == EO_OK) {
    server->listening = eo__serve_listen(options->listen, &server->host, &port, &loopback, error);
    code = server->listening < 0 ? error->code : EO_OK;
  }
  if (code == EO_OK) code = choose_token(server, options->token, loopback, error);
  if (code == EO_OK) code = name_it(server, port, server->token != NULL && options->token == NULL, error);
  if (code == EO_OK) code = start_daemon(server, error);
  if (code == EO_OK) return server;
  eo__server_close(server);
  return NULL;
}

void eo__server_close(eo_server *server) {
  if (server->daemon != NULL) {
    eo__serve_follow_wake(server);
    eo__serve_replay_wake(server);
    MHD_stop_daemon(server->daemon);
  }
  eo__serve_listing_close(server);
  if (server->listening >= 0) close(server->listening);
  if (server->folder_fd >= 0) close(server->folder_fd);
  eo__free(server->folder);
  eo__free(server->command);
  eo__free(server->token);
  eo__free(server->host);
  eo__free(server->url);
  eo__free(server);
}

const char *eo__server_url(const eo_server *server) { return server->url; }
const char *eo__server_folder(const eo_server *server) { return server->folder; }
bool eo__server_guarded(const eo_server *server) { return server->token != NULL; }

/* Until when there is nothing to do, in milliseconds. */
static int patience(eo_server *server) {
  MHD_UNSIGNED_LONG_LONG theirs;
  int ours = server->followers != NULL || server->replayers != NULL ? (int)(TICK * 1000) : 1000;
  if (MHD_get_timeout(server->daemon, &theirs) == MHD_YES && theirs < (unsigned)ours) ours = (int)theirs;
  return ours;
}

int eo__server_run(eo_server *server, const volatile sig_atomic_t *stop, eo_error *error) {
  double next_tick = 0;
  while (!*stop) {
    struct pollfd polled[1 + EO_SERVE_REPLAYS] = {{.fd = server->epoll, .events = POLLIN}};
    size_t count = 1 + eo__serve_replay_poll(server, polled + 1, EO_SERVE_REPLAYS);
    if (poll(polled, count, patience(server)) < 0 && errno != EINTR)
      return eo__error_set(error, EO_ESYSTEM, "waiting for requests failed: %s", strerror(errno));
    if (MHD_run(server->daemon) != MHD_YES) return eo__error_set(error, EO_ESYSTEM, "the web server failed");
    eo__serve_replay_tick(server);
    double now = eo__seconds();
    if (now >= next_tick) {
      eo__serve_follow_tick(server);
      next_tick = now + TICK;
    }
  }
  return EO_OK;
}
