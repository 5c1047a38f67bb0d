/* replay.c: `everyorder replay TICKET` in a process of its own, whose text is sent as it comes. It gets so much time and
 * may print so much; it ends with whoever asked for it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/ticket.h"
#include "serve/inside.h"

enum { LARGEST_TICKET = 16 << 20, MOST_PRINTED = 8 << 20, NO_STATUS = -1 };

struct eo_replayer {
  eo_server *server;
  eo_connection *connection;
  eo_replayer *next, *before;
  pid_t pid; /* leads its process group; 0: it was waited for */
  int output;
  double until;
  size_t printed;
  const char *stopped; /* why it was killed, or NULL */
  bool asleep;
  size_t last_at, last_length; /* of what is sent when it has ended */
  char last[160];
};

/* ---- The child ------------------------------------------------------------------------------------------------ */

/* A ticket names its program as seen from where the test was run: here, or in the folder or one between it and the
 * ticket. */
static void go_where_it_is(const char *program, const char *folder, const char *ticket) {
  char path[EO_SERVE_PATH * 4];
  if (program[0] == '/' || access(program, X_OK) == 0) return;
  size_t root = strlen(folder);
  int length = snprintf(path, sizeof(path), "%s/%s", folder, ticket);
  if (length < 0 || (size_t)length >= sizeof(path)) return;
  for (char *slash = strrchr(path, '/'); slash != NULL && (size_t)(slash - path) >= root; slash = strrchr(path, '/')) {
    *slash = '\0';
    if (chdir(path) != 0) return;
    if (access(program, X_OK) == 0) return;
  }
}

static void become_replay(const eo_server *server, const char *program, const char *ticket, int output, pid_t parent) {
  char path[EO_SERVE_PATH * 4];
  sigset_t none;
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  int input = open("/dev/null", O_RDONLY);
  if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) _exit(127);
  close_range(3, ~0U, 0);
  go_where_it_is(program, server->folder, ticket);
  int length = snprintf(path, sizeof(path), "%s/%s", server->folder, ticket);
  if (length < 0 || (size_t)length >= sizeof(path)) _exit(127);
  char *argv[] = {"everyorder", "replay", "--colour=never", "--", path, NULL};
  execv(server->command, argv);
  dprintf(2, "everyorder cannot be run: %s\n", strerror(errno));
  _exit(127);
}

static int start(eo_replayer *r, const char *program, const char *ticket, eo_error *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return eo__error_set(error, EO_ESYSTEM, "no pipe: %s", strerror(errno));
  pid_t parent = getpid();
  fflush(NULL);
  r->pid = fork();
  if (r->pid == 0) become_replay(r->server, program, ticket, ends[1], parent);
  int why = errno;
  close(ends[1]);
  r->output = ends[0];
  if (r->pid > 0) {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return EO_OK;
  }
  r->pid = 0;
  return eo__error_set(error, EO_ESYSTEM, "no process: %s", strerror(why));
}

static void end_child(eo_replayer *r, const char *why) {
  if (r->pid <= 0) return;
  if (r->stopped == NULL) r->stopped = why;
  kill(-r->pid, SIGKILL);
  kill(r->pid, SIGKILL); /* before setsid there is no group */
}

/* Its exit status as the last line. What still runs has closed its output, and nobody hears of it any more. */
static void finish(eo_replayer *r) {
  int status = 0;
  pid_t got = waitpid(r->pid, &status, WNOHANG);
  for (int i = 0; got == 0 && i < 20; i++) { /* it is just exiting */
    usleep(5000);
    got = waitpid(r->pid, &status, WNOHANG);
  }
  if (got == 0) {
    end_child(r, "it went on without output");
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR) {}
  }
  kill(-r->pid, SIGKILL); /* whatever it left behind */
  r->pid = 0;
  int length;
  if (r->stopped != NULL)
    length = snprintf(r->last, sizeof(r->last), "\n[stopped: %s]\n", r->stopped);
  else if (WIFSIGNALED(status))
    length = snprintf(r->last, sizeof(r->last), "\n[ended by signal %d]\n", WTERMSIG(status));
  else
    length = snprintf(r->last, sizeof(r->last), "\n[exit status %d]\n", WEXITSTATUS(status));
  r->last_length = (size_t)length;
}

/* ---- Its text ------------------------------------------------------------------------------------------------- */

static ssize_t read_output(void *context, uint64_t position, char *buffer, size_t room) {
  eo_replayer *r = context;
  (void)position;
  if (r->pid > 0) {
    ssize_t got = read(r->output, buffer, room);
    if (got > 0) {
      r->printed += (size_t)got;
      if (r->printed > MOST_PRINTED) end_child(r, "it printed too much");
      return got;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      r->asleep = true;
      MHD_suspend_connection(r->connection);
      return 0;
    }
    finish(r);
  }
  size_t left = r->last_length - r->last_at;
  size_t part = left < room ? left : room;
  if (part == 0) return MHD_CONTENT_READER_END_OF_STREAM;
  memcpy(buffer, r->last + r->last_at, part);
  r->last_at += part;
  return (ssize_t)part;
}

static void close_replayer(void *context) {
  eo_replayer *r = context;
  if (r->pid > 0) {
    end_child(r, "");
    finish(r);
  }
  close(r->output);
  if (r->next != NULL) r->next->before = r->before;
  if (r->before != NULL)
    r->before->next = r->next;
  else
    r->server->replayers = r->next;
  r->server->replaying--;
  eo__free(r);
}

/* ---- Starting ------------------------------------------------------------------------------------------------- */

static int read_program(const eo_server *server, const char *path, char *program, size_t size, eo_error *error) {
  struct stat status;
  eo_ticket ticket;
  int file = eo__serve_open_file(server, path, &status);
  if (file < 0) return eo__error_set(error, EO_EINPUT, "there is no such ticket");
  bool large = status.st_size > LARGEST_TICKET;
  char *bytes = large ? NULL : eo__alloc((size_t)status.st_size + 1);
  ssize_t got = bytes != NULL ? pread(file, bytes, (size_t)status.st_size, 0) : -1;
  close(file);
  eo__ticket_init(&ticket);
  int code = large           ? eo__error_set(error, EO_EINPUT, "it is too large to be a ticket")
             : bytes == NULL ? eo__error_nomem(error)
             : got < 0       ? eo__error_set(error, EO_EINPUT, "it cannot be read")
                             : eo__ticket_parse(&ticket, bytes, (size_t)got, error);
  snprintf(program, size, "%s", ticket.program);
  eo__ticket_release(&ticket);
  eo__free(bytes);
  return code;
}

eo_response *eo__serve_replay(eo_server *server, eo_connection *connection, const char *path, eo_error *error) {
  char program[sizeof(((eo_ticket *)0)->program)];
  if (read_program(server, path, program, sizeof(program), error) != EO_OK) return NULL;
  eo_replayer *r = eo__alloc(sizeof(*r));
  if (r == NULL) {
    eo__error_nomem(error);
    return NULL;
  }
  r->server = server;
  r->connection = connection;
  r->output = -1;
  r->until = eo__seconds() + server->seconds;
  r->next = server->replayers;
  if (r->next != NULL) r->next->before = r;
  server->replayers = r;
  server->replaying++;
  eo_response *response = NULL;
  if (start(r, program, path, error) == EO_OK) {
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EO_SERVE_BLOCK, read_output, r, close_replayer);
    if (response == NULL) eo__error_nomem(error);
  }
  if (response == NULL) close_replayer(r);
  return response;
}

size_t eo__serve_replay_poll(const eo_server *server, struct pollfd *polled, size_t room) {
  size_t count = 0;
  for (const eo_replayer *r = server->replayers; r != NULL && count < room; r = r->next)
    if (r->asleep) polled[count++] = (struct pollfd){.fd = r->output, .events = POLLIN};
  return count;
}

/* libmicrohttpd does not look at a connection that sleeps. */
static bool is_gone(const eo_replayer *r) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  struct pollfd polled = {.fd = info != NULL ? info->connect_fd : -1, .events = POLLRDHUP};
  return poll(&polled, 1, 0) > 0;
}

void eo__serve_replay_tick(eo_server *server) {
  double now = eo__seconds();
  for (eo_replayer *r = server->replayers; r != NULL; r = r->next) {
    struct pollfd polled = {.fd = r->output, .events = POLLIN};
    if (r->pid > 0 && now > r->until) end_child(r, "it took too long");
    if (r->pid > 0 && r->asleep && is_gone(r)) end_child(r, "nobody listens");
    if (!r->asleep || poll(&polled, 1, 0) <= 0) continue;
    r->asleep = false;
    MHD_resume_connection(r->connection);
  }
}

void eo__serve_replay_wake(eo_server *server) {
  for (eo_replayer *r = server->replayers; r != NULL; r = r->next) {
    if (r->asleep) MHD_resume_connection(r->connection);
    r->asleep = false;
  }
}
