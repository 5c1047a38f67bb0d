/* listing.c: what there is in the folder, newest first. The folder is looked through at most once a second, a file is
 * looked into again when it has changed, and one answer serves all who ask meanwhile. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/vec.h"
#include "serve/inside.h"
#include "serve/summary.h"

#define SCAN_EVERY 1.0  /* seconds */
#define SILENT_AFTER 10 /* seconds: a run that goes on has news twice a second */

enum { DEEPEST = 8, MOST_ENTRIES = 50000, MOST_NAMED = 1000 };

/* A file that is shown, and what is said of it. */
struct eo_summary {
  char *path;
  eo_serve_kind kind;
  struct timespec modified;
  off_t size;
  uint64_t scan; /* the last one that met it */
  json_t *about; /* NULL: not looked into yet, or none of ours */
  bool looked;
};

typedef struct found_file {
  char *path;
  struct stat status;
} found_file;

typedef struct scan {
  eo_server *server;
  EO_VEC(found_file) files;
  size_t entries;
  bool cut; /* not all of it was looked at */
} scan;

/* ---- Looking through the folder ------------------------------------------------------------------------------- */

static void look_through(scan *s, int folder, const char *prefix, int depth);

static void meet(scan *s, int folder, const char *prefix, const char *name, int depth) {
  struct stat status;
  eo_text path;
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  eo__text_init(&path);
  eo__text_add(&path, "%s%s", prefix, name);
  if (path.failed || path.length + 1 >= EO_SERVE_PATH) {
    s->cut = true;
  } else if (S_ISDIR(status.st_mode) && depth < DEEPEST) {
    int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    eo__text_add(&path, "/");
    if (inner >= 0 && !path.failed) look_through(s, inner, path.chars, depth + 1);
    if (inner >= 0 && path.failed) close(inner);
  } else if (S_ISREG(status.st_mode) && eo__serve_kind(name) != EO_SERVE_OTHER) {
    found_file file = {eo__strdup(path.chars), status};
    if (file.path == NULL || !eo_vec_push(&s->files, file)) {
      eo__free(file.path);
      s->cut = true;
    }
  }
  eo__text_release(&path);
}

/* Takes `folder`. */
static void look_through(scan *s, int folder, const char *prefix, int depth) {
  DIR *stream = fdopendir(folder);
  if (stream == NULL) {
    close(folder);
    return;
  }
  const struct dirent *entry;
  while ((entry = readdir(stream)) != NULL) {
    if (entry->d_name[0] == '.' || strcmp(entry->d_name, "node_modules") == 0) continue;
    if (++s->entries > MOST_ENTRIES) {
      s->cut = true;
      break;
    }
    meet(s, folder, prefix, entry->d_name, depth);
  }
  closedir(stream);
}

static int by_newest(const void *a, const void *b) {
  const struct timespec *one = &((const found_file *)a)->status.st_mtim,
                        *two = &((const found_file *)b)->status.st_mtim;
  if (one->tv_sec != two->tv_sec) return one->tv_sec < two->tv_sec ? 1 : -1;
  if (one->tv_nsec != two->tv_nsec) return one->tv_nsec < two->tv_nsec ? 1 : -1;
  return strcmp(((const found_file *)a)->path, ((const found_file *)b)->path);
}

/* ---- What is said of a file ----------------------------------------------------------------------------------- */

static void release_summary(eo_summary *summary) {
  eo__free(summary->path);
  json_decref(summary->about);
}

static eo_summary *find_summary(eo_server *server, const char *path) {
  for (size_t i = 0; i < server->summaries.count; i++)
    if (strcmp(server->summaries.items[i].path, path) == 0) return &server->summaries.items[i];
  eo_summary fresh = {.path = eo__strdup(path), .kind = eo__serve_kind(path)};
  if (fresh.path == NULL || !eo_vec_push(&server->summaries, fresh)) {
    eo__free(fresh.path);
    return NULL;
  }
  return &eo_vec_last(&server->summaries);
}

static eo_summary *know(eo_server *server, const found_file *found) {
  eo_summary *summary = find_summary(server, found->path);
  struct stat status;
  if (summary == NULL) return NULL;
  summary->scan = server->scans;
  bool same = summary->looked && summary->size == found->status.st_size &&
              memcmp(&summary->modified, &found->status.st_mtim, sizeof(summary->modified)) == 0;
  if (same) return summary;
  json_decref(summary->about);
  summary->about = NULL;
  summary->looked = true;
  int file = eo__serve_open_file(server, found->path, &status);
  if (file < 0) return summary;
  summary->size = status.st_size;
  summary->modified = status.st_mtim;
  summary->about = eo__serve_summarise(file, summary->kind, &status);
  close(file);
  return summary;
}

static void forget_gone(eo_server *server) {
  size_t kept = 0;
  for (size_t i = 0; i < server->summaries.count; i++) {
    if (server->summaries.items[i].scan == server->scans)
      server->summaries.items[kept++] = server->summaries.items[i];
    else
      release_summary(&server->summaries.items[i]);
  }
  server->summaries.count = kept;
}

/* ---- The answer ----------------------------------------------------------------------------------------------- */

static json_t *describe(const eo_summary *summary) {
  static const char *const kinds[] = {"", "report", "ticket", "html", "live"};
  json_t *item = json_object(), *path = json_string(summary->path);
  if (path == NULL) { /* a name that is no UTF-8 cannot be asked for by a page */
    json_decref(item);
    return NULL;
  }
  json_object_set_new(item, "path", path);
  json_object_set_new(item, "kind", json_string(kinds[summary->kind]));
  json_object_set_new(item, "size", json_integer((json_int_t)summary->size));
  json_object_set_new(item, "modified", json_integer((json_int_t)summary->modified.tv_sec));
  if (summary->kind == EO_SERVE_LIVE) {
    bool done = json_is_true(json_object_get(summary->about, "done"));
    const char *state = done ? "done" : time(NULL) - summary->modified.tv_sec > SILENT_AFTER ? "silent" : "running";
    json_object_set_new(item, "state", json_string(state));
  }
  json_object_update_missing(item, summary->about);
  return item;
}

static char *write_listing(eo_server *server, scan *s) {
  json_t *all = json_object(), *files = json_array();
  server->scans++;
  qsort(s->files.items, s->files.count, sizeof(*s->files.items), by_newest);
  for (size_t i = 0; i < s->files.count; i++) {
    if (json_array_size(files) >= MOST_NAMED) {
      s->cut = true;
      break;
    }
    eo_summary *summary = know(server, &s->files.items[i]);
    if (summary != NULL && summary->about != NULL) json_array_append_new(files, describe(summary));
  }
  forget_gone(server);
  json_object_set_new(all, "everyorder_serve", json_integer(1));
  json_object_set_new(all, "folder", eo__serve_string(server->folder));
  json_object_set_new(all, "cut", json_boolean(s->cut));
  json_object_set_new(all, "files", files);
  char *text = json_dumps(all, JSON_COMPACT);
  json_decref(all);
  return text;
}

eo_response *eo__serve_listing(eo_server *server) {
  double now = eo__seconds();
  if (server->named != NULL && now < server->named_at + SCAN_EVERY) return server->named;
  scan s = {.server = server};
  int folder = openat(server->folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) look_through(&s, folder, "", 0);
  char *text = write_listing(server, &s);
  for (size_t i = 0; i < s.files.count; i++) eo__free(s.files.items[i].path);
  eo_vec_release(&s.files);
  server->named_at = now;
  bool same = text != NULL && server->named_text != NULL && strcmp(text, server->named_text) == 0;
  if (text == NULL || same) {
    free(text);
    return server->named;
  }
  /* A slow client may still be reading the last one: it goes when nobody does. */
  eo__serve_listing_release(server);
  server->named = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
  server->named_text = server->named != NULL ? text : NULL;
  if (server->named == NULL) free(text);
  return server->named;
}

void eo__serve_listing_release(eo_server *server) {
  if (server->named != NULL) MHD_destroy_response(server->named);
  server->named = NULL;
  server->named_text = NULL;
}

void eo__serve_listing_close(eo_server *server) {
  eo__serve_listing_release(server);
  for (size_t i = 0; i < server->summaries.count; i++) release_summary(&server->summaries.items[i]);
  eo_vec_release(&server->summaries);
}
