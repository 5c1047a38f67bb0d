/* folder.c: files below the folder that is served, and nothing else. A path is walked one part after the other without
 * following links, so that nothing that happens meanwhile can lead out of the folder. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "serve/inside.h"

/* The next part of *path into `part`; false: it is one that is not served. */
static bool next_part(const char **path, char *part, size_t size) {
  size_t length = strcspn(*path, "/");
  if (length == 0 || length >= size || **path == '.') return false;
  memcpy(part, *path, length);
  part[length] = '\0';
  *path += length;
  return true;
}

static int refuse(int folder, int why) {
  close(folder);
  errno = why;
  return -1;
}

int eo__serve_open_file(const eo_server *server, const char *path, struct stat *status) {
  char part[256];
  int at = fcntl(server->folder_fd, F_DUPFD_CLOEXEC, 0);
  if (at < 0) return -1;
  for (;;) {
    if (!next_part(&path, part, sizeof(part))) return refuse(at, ENOENT);
    bool last = *path == '\0';
    int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (last ? 0 : O_DIRECTORY);
    int next = openat(at, part, flags);
    int why = errno;
    if (next < 0) return refuse(at, why);
    close(at);
    at = next;
    if (last) break;
    path++;
  }
  if (fstat(at, status) != 0 || !S_ISREG(status->st_mode)) return refuse(at, ENOENT);
  return at;
}

eo_serve_kind eo__serve_kind(const char *path) {
  static const struct {
    const char *ending;
    eo_serve_kind kind;
  } kinds[] = {
      {".json", EO_SERVE_REPORT}, {".ticket", EO_SERVE_TICKET}, {".html", EO_SERVE_HTML}, {".eolive", EO_SERVE_LIVE}};
  size_t length = strlen(path);
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    size_t ending = strlen(kinds[i].ending);
    if (length > ending && strcmp(path + length - ending, kinds[i].ending) == 0) return kinds[i].kind;
  }
  return EO_SERVE_OTHER;
}
