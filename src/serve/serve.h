/* serve.h: a small web server that shows what is in a folder: reports, tickets, and runs as they go on.
 *
 * One thread, one loop: libmicrohttpd is run from it, and so are the processes that replay tickets. What a client can make
 * the server hold is bounded: connections, bytes for each, watchers' buffers, replays at a time, what a listing names. */
#ifndef EO_SERVE_SERVE_H
#define EO_SERVE_SERVE_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct eo_server eo_server;

typedef struct eo_serve_options {
  const char *folder;  /* what to show */
  const char *listen;  /* ADDRESS:PORT, PORT or NULL for the default */
  const char *token;   /* to be shown by clients; NULL: one is made where one is needed */
  const char *command; /* path of the program whose `replay TICKET` replays */
  double seconds;      /* that a replay may take; 0: the default */
} eo_serve_options;

/* Listens when it returns. NULL: see *error. */
eo_server *eo__server_open(const eo_serve_options *options, eo_error *error);
void eo__server_close(eo_server *server);

/* Where a browser finds it, with the token if that was made here. */
const char *eo__server_url(const eo_server *server);
const char *eo__server_folder(const eo_server *server); /* its absolute path */
bool eo__server_guarded(const eo_server *server);       /* is a token asked for? */

/* Answers until *stop is not 0; a signal wakes it. */
int eo__server_run(eo_server *server, const volatile sig_atomic_t *stop, eo_error *error);

#endif
