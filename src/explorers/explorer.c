/* explorer.c: the explorers of the test program, and those of plug-ins. */
#include "explorers/explorer.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/own.h"

enum { MOST_ADDED = 64 };

/* Filled before main, by constructors: there is nobody to tell that there are too many but by leaving the rest out, and
 * 64 explorers in one program are too many. */
EO_OWN static const eo_explorer *added[MOST_ADDED];
EO_OWN static size_t added_count;

void eo_explorer_add(const eo_explorer *explorer) {
  if (added_count < MOST_ADDED) added[added_count++] = explorer;
}

const eo_explorer *eo__explorer_added(size_t index) { return index < added_count ? added[index] : NULL; }

int eo__explorer_check(const eo_explorer *explorer, const char *where, eo_error *error) {
  if (explorer->version != EO_EXPLORER_VERSION)
    return eo__error_set(error, EO_EINPUT,
                         "%.200s: the explorer is of version %u of explorer.h, and this is version %u; build it again",
                         where, explorer->version, EO_EXPLORER_VERSION);
  const struct {
    bool there;
    const char *name;
  } parts[] = {{explorer->name && *explorer->name, "name"},
               {explorer->size != NULL, "size"},
               {explorer->init != NULL, "init"},
               {explorer->next != NULL, "next"},
               {explorer->delay != NULL, "delay"},
               {explorer->step != NULL, "step"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!parts[i].there)
      return eo__error_set(error, EO_EINPUT, "%.200s: the explorer has no `%s`", where, parts[i].name);
  return EO_OK;
}

const eo_explorer *eo__explorer_load(const char *path, eo_error *error) {
  EO_OWN static const eo_explorer *loaded; /* a run has one; workers find it so without loading it again */
  EO_OWN static char loaded_from[512];
  char from[512];
  if (loaded && strcmp(loaded_from, path) == 0) return loaded;
  /* Without a slash the loader would look among the system's libraries. */
  if (snprintf(from, sizeof from, "%s%s", strchr(path, '/') ? "" : "./", path) >= (int)sizeof from) {
    eo__error_set(error, EO_EINPUT, "the path of the explorer is too long");
    return NULL;
  }
  if (access(from, R_OK) != 0) {
    eo__error_set(error, EO_EINPUT, "--explorer %.200s: %s", path, strerror(errno));
    return NULL;
  }
  void *library = dlopen(from, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    eo__error_set(error, EO_EINPUT, "--explorer: this is not a plug-in that can be loaded: %.300s", dlerror());
    return NULL;
  }
  const eo_explorer *explorer = dlsym(library, "eo_plugin_explorer");
  if (!explorer)
    eo__error_set(error, EO_EINPUT,
                  "%.200s has no eo_plugin_explorer: define it: const eo_explorer eo_plugin_explorer = {...};", path);
  if (!explorer || eo__explorer_check(explorer, path, error) != EO_OK) {
    dlclose(library);
    return NULL;
  }
  loaded = explorer;
  snprintf(loaded_from, sizeof loaded_from, "%s", path);
  return explorer;
}
