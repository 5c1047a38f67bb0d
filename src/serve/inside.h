/* inside.h: what the files of the server know of one another. */
#ifndef EO_SERVE_INSIDE_H
#define EO_SERVE_INSIDE_H

#include <microhttpd.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/embedded.h"
#include "base/text.h"
#include "serve/serve.h"

typedef struct MHD_Connection eo_connection;
typedef struct MHD_Response eo_response;

enum {
  EO_SERVE_CONNECTIONS = 512,
  EO_SERVE_CONNECTION_BYTES = 32 << 10, /* for the head of a request and what is being sent */
  EO_SERVE_PATIENCE = 20,               /* seconds that a client may do nothing */
  EO_SERVE_BLOCK = 16 << 10,            /* of what is streamed */
  EO_SERVE_REPLAYS = 4,                 /* at a time */
  EO_SERVE_REPLAY_SECONDS = 60,
  EO_SERVE_PATH = 1024 /* longest path below the folder, and its end */
};

typedef struct eo_follower eo_follower; /* follow.c */
typedef struct eo_replayer eo_replayer; /* replay.c */
typedef struct eo_summary eo_summary;   /* listing.c */

struct eo_server {
  char *folder; /* absolute */
  int folder_fd;
  char *command;
  double seconds; /* for a replay */
  char *token;    /* NULL: none is asked for */
  char *host;     /* as in --listen, for the check of the header Host */
  char *url;
  int listening;
  int epoll;
  struct MHD_Daemon *daemon;
  eo_follower *followers; /* those that wait for news are among them */
  eo_replayer *replayers;
  unsigned replaying;
  struct {
    eo_summary *items;
    size_t count;
    size_t capacity;
  } summaries;        /* of files that were looked into */
  eo_response *named; /* the last listing; NULL: none */
  char *named_text;
  double named_at;
  uint64_t scans;
};

/* ---- address.c */

/* Opens a socket that listens. *loopback: nobody else can reach it. *host: the address as in a URL, allocated; *port: where
 * it is. Negative: see *error. */
int eo__serve_listen(const char *given, char **host, unsigned *port, bool *loopback, eo_error *error);

/* ---- guard.c: who may ask what. */

char *eo__serve_make_token(eo_error *error);

/* Is this the header Host of somebody who knows where the server is? Others may be a page elsewhere whose name was made to
 * lead here. */
bool eo__serve_host_right(const eo_server *server, const char *host);

bool eo__serve_token_right(const char *token, const char *given); /* takes as long for every wrong one of a length */

/* Does the request show the token, in a header, a cookie or the query? *in_query: there. */
bool eo__serve_token_shown(const eo_server *server, eo_connection *connection, bool *in_query);

/* Was a request that changes something made by our own page, or by no page at all? */
bool eo__serve_same_origin(eo_connection *connection);

/* ---- folder.c */

/* Opens a regular file below the folder; no part of the path may be a link, begin with a dot or be empty. -1: errno. */
int eo__serve_open_file(const eo_server *server, const char *path, struct stat *status);

typedef enum eo_serve_kind {
  EO_SERVE_OTHER, /* nothing that is shown */
  EO_SERVE_REPORT,
  EO_SERVE_TICKET,
  EO_SERVE_HTML,
  EO_SERVE_LIVE
} eo_serve_kind;
eo_serve_kind eo__serve_kind(const char *path); /* by how its name ends */

/* ---- listing.c: the answer that names what is in the folder. NULL: no memory. */
eo_response *eo__serve_listing(eo_server *server);
void eo__serve_listing_release(eo_server *server); /* the answer */
void eo__serve_listing_close(eo_server *server);   /* and all that is known of files */

/* ---- follow.c */

/* Follows a log from this offset on; takes `file`. NULL: no memory. */
eo_response *eo__serve_follow(eo_server *server, eo_connection *connection, int file, uint64_t from);
void eo__serve_follow_tick(eo_server *server);
void eo__serve_follow_wake(eo_server *server); /* all that sleep, before the end */

/* ---- replay.c */

/* Starts a replay. NULL: see *error; EO_EINPUT: too many at a time. */
eo_response *eo__serve_replay(eo_server *server, eo_connection *connection, const char *ticket, eo_error *error);
size_t eo__serve_replay_poll(const eo_server *server, struct pollfd *polled, size_t room);
void eo__serve_replay_tick(eo_server *server);
void eo__serve_replay_wake(eo_server *server);

/* ---- routes.c: the answer to every request. */
enum MHD_Result eo__serve_answer(void *context, eo_connection *connection, const char *url, const char *method,
                                 const char *version, const char *upload, size_t *upload_size, void **request);

/* ---- Our page: the files in web/ */
extern const eo_embedded eo__web_files[];

#endif
