/* cmd_serve.c: `everyorder serve`: in the command only, so that test programs need no web server. */
#include <signal.h>

#include "cli/cli.h"
#include "core/program.h"
#include "registry/explore.h"
#include "serve/serve.h"

int eo__cmd_serve(const eo_front *front, const eo_args *args) {
  eo_error error = {0};
  eo_serve_options options = {.folder = args->operand != NULL ? args->operand : ".",
                              .listen = args->listen,
                              .token = args->token,
                              .seconds = args->explore.seconds,
                              .command = "/proc/self/exe"};
  eo_server *server = eo__server_open(&options, &error);
  if (server == NULL) return eo__fail(front, &error);
  signal(SIGPIPE, SIG_IGN);
  eo__catch_signals();
  printf("Serving %s at %s\n", eo__server_folder(server), eo__server_url(server));
  if (eo__server_guarded(server) && args->token != NULL) puts("with the token that was given");
  fflush(stdout);
  int code = eo__server_run(server, eo__stop_flag(), &error);
  eo__server_close(server);
  return code == EO_OK ? EO_STATUS_CLEAN : eo__fail(front, &error);
}
