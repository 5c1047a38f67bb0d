/* redis_server.h: a Redis of a test's own, on a free port of this machine and in a folder of its own. */
#ifndef TESTS_REDIS_SERVER_H
#define TESTS_REDIS_SERVER_H

#include <arpa/inet.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct redis_server {
  pid_t pid;
  uint16_t port;
  char folder[256];
} redis_server;

/* A port that was free a moment ago. */
static inline uint16_t free_port(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0 || bind(file, (struct sockaddr *)&address, size) != 0 ||
      getsockname(file, (struct sockaddr *)&address, &size) != 0)
    abort();
  close(file);
  return ntohs(address.sin_port);
}

static inline int can_connect(uint16_t port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int connected = connect(file, (struct sockaddr *)&address, sizeof address) == 0;
  close(file);
  return connected;
}

/* Starts it, or starts it again where it was. `option` and `value`: one more setting, or NULL. */
static inline void redis_server_start(redis_server *server, const char *option, const char *value) {
  char port[8];
  snprintf(port, sizeof port, "%u", server->port);
  server->pid = fork();
  if (server->pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!freopen("/dev/null", "w", stdout)) _exit(127);
    execlp("redis-server", "redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", server->folder, "--save", "",
           "--appendonly", "yes", "--appendfsync", "always", option, value, (char *)NULL);
    _exit(127);
  }
  for (int i = 0; !can_connect(server->port); i++) {
    usleep(10000);
    if (i == 1000) {
      fprintf(stderr, "redis-server does not start\n");
      abort();
    }
  }
}

static inline void redis_server_init(redis_server *server) {
  const char *tmp = getenv("TMPDIR");
  snprintf(server->folder, sizeof server->folder, "%s/redis.XXXXXX", tmp ? tmp : "/tmp");
  if (!mkdtemp(server->folder)) abort();
  server->port = free_port();
}

static inline void redis_server_kill(redis_server *server) {
  kill(server->pid, SIGKILL);
  waitpid(server->pid, NULL, 0);
}

static inline void redis_server_release(redis_server *server) {
  char command[300];
  redis_server_kill(server);
  snprintf(command, sizeof command, "rm -rf '%s'", server->folder);
  if (system(command) != 0) fprintf(stderr, "%s is left\n", server->folder);
}

#endif
