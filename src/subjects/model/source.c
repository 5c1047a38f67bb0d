/* source.c: a model from its file, through the C preprocessor. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "subjects/model/front.h"

enum { MOST_BYTES = 1 << 26, MOST_SECONDS = 20 };

/* Reads two pipes to their ends, so that neither fills up while the other is waited for. */
static bool drain(int out, int trouble, eo_text *text, eo_text *complaint) {
  struct pollfd ends[2] = {{out, POLLIN, 0}, {trouble, POLLIN, 0}};
  char buffer[4096];
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends, 2, -1) < 0 && errno != EINTR) return false;
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd < 0 || !ends[i].revents) continue;
      ssize_t got = read(ends[i].fd, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) ends[i].fd = -1;
      eo_text *to = i == 0 ? text : complaint;
      if (got > 0) eo__text_append(to, buffer, (size_t)got);
      if (to->length >= MOST_BYTES) return true; /* too much: who writes more is told by the pipe that is closed */
    }
  }
  return true;
}

/* A path that cpp takes for one: a name that begins with '-' would be an option to it, and '-' its input. */
static char *plain_path(const char *path) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s%s", path[0] == '-' ? "./" : "", path);
  char *made = text.failed ? NULL : eo__strdup(text.chars);
  eo__text_release(&text);
  return made;
}

/* In the child. The limits are there before cpp starts others: a model that includes what has no end, such as a device, must
 * not keep it for ever, nor take all the memory there is. */
static void become_cpp(const char **arguments, int out, int trouble, int refusal) {
  const struct rlimit seconds = {MOST_SECONDS, MOST_SECONDS},
                      bytes = {MOST_BYTES * UINT64_C(8), MOST_BYTES * UINT64_C(8)};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_AS, &bytes);
  if (dup2(out, 1) == 1 && dup2(trouble, 2) == 2)
    /* Not `environ`, which may be a variable of the program's (base/binding.h). */
    execvpe(arguments[0], (char *const *)arguments, __environ);
  int why = errno;
  if (write(refusal, &why, sizeof why) != sizeof why) _exit(126);
  _exit(127);
}

/* Why it could not be started; 0: it was. */
static int start_cpp(const char **arguments, int out, int trouble, pid_t *child) {
  int refusal[2], why = 0;
  if (pipe2(refusal, O_CLOEXEC) != 0) return errno;
  *child = fork();
  if (*child == 0) become_cpp(arguments, out, trouble, refusal[1]);
  if (*child < 0) why = errno;
  close(refusal[1]);
  while (*child > 0 && read(refusal[0], &why, sizeof why) < 0 && errno == EINTR) continue;
  close(refusal[0]);
  return why;
}

static int run_cpp(const char *path, const char *const *defines, size_t count, eo_text *text, eo_text *complaint,
                   int *status, eo_error *error) {
  const char **arguments = eo__alloc((count + 8) * sizeof *arguments);
  if (!arguments) return eo__error_nomem(error);
  size_t n = 0;
  arguments[n++] = "cpp";
  arguments[n++] = "-std=gnu99";
  for (size_t i = 0; i < count; i++) arguments[n++] = defines[i];
  arguments[n++] = "-x";
  arguments[n++] = "c";
  arguments[n++] = path;
  int out[2] = {-1, -1}, trouble[2] = {-1, -1}, code = EO_OK;
  pid_t child = -1;
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(trouble, O_CLOEXEC) != 0)
    code = eo__error_set(error, EO_ESYSTEM, "cannot make a pipe: %s", strerror(errno));
  int refused = code == EO_OK ? start_cpp(arguments, out[1], trouble[1], &child) : 0;
  if (refused)
    code =
        eo__error_set(error, EO_ESYSTEM, "cannot run cpp, which models are read through: %s; install it (Debian: cpp)",
                      strerror(refused));
  if (out[1] >= 0) close(out[1]);
  if (trouble[1] >= 0) close(trouble[1]);
  if (code == EO_OK && !drain(out[0], trouble[0], text, complaint))
    code = eo__error_set(error, EO_ESYSTEM, "cannot read what cpp writes: %s", strerror(errno));
  if (out[0] >= 0) close(out[0]);
  if (trouble[0] >= 0) close(trouble[0]);
  if (child > 0)
    while (waitpid(child, status, 0) < 0 && errno == EINTR) continue;
  eo__free(arguments);
  return code;
}

eo_promela *eo__promela_open(const char *path, const char *const *defines, size_t count, eo_error *error) {
  eo_text text, complaint;
  eo_promela *model = NULL;
  int status = 0;
  eo__text_init(&text);
  eo__text_init(&complaint);
  struct stat about;
  int code = EO_OK;
  if (stat(path, &about) != 0)
    code = eo__error_set(error, EO_EINPUT, "%.300s: cannot be read: %s", path, strerror(errno));
  else if (S_ISDIR(about.st_mode))
    code = eo__error_set(error, EO_EINPUT, "%.300s is a folder; name a Promela file", path);
  else if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
    code = eo__error_set(error, EO_EINPUT, "%.300s is no file; name a Promela file", path);
  for (size_t i = 0; i < count && code == EO_OK;
       i++) /* anything else would be a file to cpp, the second one to write */
    if (strncmp(defines[i], "-D", 2) != 0)
      code = eo__error_set(error, EO_EINPUT, "'%.100s' is no definition: write -DNAME or -DNAME=VALUE", defines[i]);
  char *named = plain_path(path);
  if (code == EO_OK && !named) code = eo__error_nomem(error);
  if (code == EO_OK) code = run_cpp(named, defines, count, &text, &complaint, &status, error);
  eo__free(named);
  if (code == EO_OK && (text.failed || complaint.failed)) code = eo__error_nomem(error);
  if (code == EO_OK && text.length >= MOST_BYTES)
    code = eo__error_set(error, EO_EINPUT, "%.300s is too large: more than %d bytes come out of cpp", path, MOST_BYTES);
  if (code == EO_OK && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
    const char *why = complaint.chars + strspn(complaint.chars, "\n");
    char *end = strchr(why, '\n');
    if (end) *end = '\0';
    if (!*why) why = "it takes too long, or too much memory: does the model include something that has no end?";
    code = eo__error_set(error, EO_EINPUT, "cpp refuses %.150s: %.300s", path, why);
  }
  if (code == EO_OK) model = eo__promela_read(path, text.chars, text.length, error);
  eo__text_release(&text);
  eo__text_release(&complaint);
  return model;
}
