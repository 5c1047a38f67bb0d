/* env.c: what surrounds communication: memory, hints, error handlers, attributes, what is known of the implementation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/call.h"
#include "mpi/comms.h"
#include "mpi/window.h"

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *base) {
  eo__mpi_enter("MPI_Alloc_mem");
  (void)info;
  if (size < 0 || !base) eo__mpi_fail("invalid-argument", "the size is %ld, or the address is NULL", (long)size);
  *(void **)base = eo__mpi_need(malloc((size_t)size + 1));
  return MPI_SUCCESS;
}

int MPI_Free_mem(void *base) {
  eo__mpi_enter("MPI_Free_mem");
  free(base);
  return MPI_SUCCESS;
}

int MPI_Get_library_version(char *version, int *length) {
  *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Everyorder");
  return MPI_SUCCESS;
}

int MPI_Query_thread(int *provided) {
  eo__mpi_enter("MPI_Query_thread");
  *provided = MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}

int MPI_Is_thread_main(int *flag) {
  eo__mpi_enter("MPI_Is_thread_main");
  *flag = 1;
  return MPI_SUCCESS;
}

/* ---- Hints ------------------------------------------------------------------------------------------------------------- */

enum { MOST_HINTS = 64 };

typedef struct info {
  eo__mpi_object object;
  int count;
  struct {
    char *key, *value;
  } all[MOST_HINTS];
} info;

static info *info_of(MPI_Info handle) { return eo__mpi_object_of(EO__MPI_INFO, handle); }

static int find_key(const info *i, const char *key) {
  int at = 0;
  while (at < i->count && strcmp(i->all[at].key, key) != 0) at++;
  return at;
}

int MPI_Info_create(MPI_Info *made) {
  eo__mpi_enter("MPI_Info_create");
  info *i = eo__mpi_object_new(EO__MPI_INFO, sizeof *i);
  *made = i->object.handle;
  return MPI_SUCCESS;
}

int MPI_Info_free(MPI_Info *handle) {
  eo__mpi_enter("MPI_Info_free");
  info_of(*handle)->object.freed = true;
  *handle = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

int MPI_Info_set(MPI_Info handle, const char *key, const char *value) {
  eo__mpi_enter("MPI_Info_set");
  info *i = info_of(handle);
  int at = find_key(i, key);
  if (at == MOST_HINTS) eo__mpi_fail("out-of-memory", "there are more than %d hints", MOST_HINTS);
  if (at == i->count) i->all[i->count++].key = eo__mpi_need(strdup(key));
  i->all[at].value = eo__mpi_need(strdup(value));
  return MPI_SUCCESS;
}

int MPI_Info_get(MPI_Info handle, const char *key, int length, char *value, int *flag) {
  eo__mpi_enter("MPI_Info_get");
  const info *i = info_of(handle);
  int at = find_key(i, key);
  *flag = at < i->count;
  if (*flag) snprintf(value, (size_t)length + 1, "%s", i->all[at].value);
  return MPI_SUCCESS;
}

int MPI_Info_get_valuelen(MPI_Info handle, const char *key, int *length, int *flag) {
  eo__mpi_enter("MPI_Info_get_valuelen");
  const info *i = info_of(handle);
  int at = find_key(i, key);
  *flag = at < i->count;
  if (*flag) *length = (int)strlen(i->all[at].value);
  return MPI_SUCCESS;
}

int MPI_Info_get_nkeys(MPI_Info handle, int *count) {
  eo__mpi_enter("MPI_Info_get_nkeys");
  *count = info_of(handle)->count;
  return MPI_SUCCESS;
}

int MPI_Info_get_nthkey(MPI_Info handle, int n, char *key) {
  eo__mpi_enter("MPI_Info_get_nthkey");
  const info *i = info_of(handle);
  if (n < 0 || n >= i->count) eo__mpi_fail("invalid-argument", "there is no key %d", n);
  strcpy(key, i->all[n].key);
  return MPI_SUCCESS;
}

int MPI_Info_delete(MPI_Info handle, const char *key) {
  eo__mpi_enter("MPI_Info_delete");
  info *i = info_of(handle);
  int at = find_key(i, key);
  if (at == i->count) eo__mpi_fail("invalid-argument", "there is no key %s", key);
  i->all[at] = i->all[--i->count];
  return MPI_SUCCESS;
}

int MPI_Info_dup(MPI_Info handle, MPI_Info *made) {
  eo__mpi_enter("MPI_Info_dup");
  const info *old = info_of(handle);
  info *i = eo__mpi_object_new(EO__MPI_INFO, sizeof *i);
  i->count = old->count;
  memcpy(i->all, old->all, sizeof i->all);
  *made = i->object.handle;
  return MPI_SUCCESS;
}

/* ---- Error handlers: an error is a finding before one could be called --------------------------------------------------- */

typedef struct handler {
  eo__mpi_object object;
} handler;

static void check_handler(MPI_Errhandler handle) {
  if (handle != MPI_ERRORS_ARE_FATAL && handle != MPI_ERRORS_RETURN) eo__mpi_object_of(EO__MPI_ERRHANDLER, handle);
}

static int make_handler(const void *function, MPI_Errhandler *made) {
  if (!function || !made) eo__mpi_fail("invalid-argument", "the function or the address of the handler is NULL");
  *made = ((handler *)eo__mpi_object_new(EO__MPI_ERRHANDLER, sizeof(handler)))->object.handle;
  return MPI_SUCCESS;
}

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
  eo__mpi_enter("MPI_Comm_create_errhandler");
  return make_handler((const void *)(uintptr_t)function, made);
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *made) {
  eo__mpi_enter("MPI_Win_create_errhandler");
  return make_handler((const void *)(uintptr_t)function, made);
}

int MPI_Errhandler_free(MPI_Errhandler *handle) {
  eo__mpi_enter("MPI_Errhandler_free");
  check_handler(*handle);
  if (*handle != MPI_ERRORS_ARE_FATAL && *handle != MPI_ERRORS_RETURN)
    ((handler *)eo__mpi_object_of(EO__MPI_ERRHANDLER, *handle))->object.freed = true;
  *handle = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle) {
  eo__mpi_enter("MPI_Comm_set_errhandler");
  check_handler(handle);
  eo__mpi_comm_own(comm)->handler = handle;
  return MPI_SUCCESS;
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handle) {
  eo__mpi_enter("MPI_Errhandler_set");
  check_handler(handle);
  eo__mpi_comm_own(comm)->handler = handle;
  return MPI_SUCCESS;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handle) {
  eo__mpi_enter("MPI_Comm_get_errhandler");
  *handle = eo__mpi_comm_own(comm)->handler;
  if (!*handle) *handle = MPI_ERRORS_ARE_FATAL;
  return MPI_SUCCESS;
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handle) {
  eo__mpi_enter("MPI_Win_set_errhandler");
  check_handler(handle);
  eo__mpi_window_of(win);
  return MPI_SUCCESS;
}

int MPI_Error_class(int code, int *class_) {
  *class_ = code;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length) {
  *length = snprintf(text, MPI_MAX_ERROR_STRING, code == MPI_SUCCESS ? "no error" : "error %d", code);
  return MPI_SUCCESS;
}

/* ---- Attributes ------------------------------------------------------------------------------------------------------------ */

typedef struct keyval {
  eo__mpi_object object;
  MPI_Comm_copy_attr_function *copy;
  MPI_Comm_delete_attr_function *delete_;
  void *extra;
} keyval;

static keyval *keyval_of(int key) { return eo__mpi_object_of(EO__MPI_KEYVAL, key); }

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_, int *key,
                           void *extra) {
  eo__mpi_enter("MPI_Comm_create_keyval");
  keyval *made = eo__mpi_object_new(EO__MPI_KEYVAL, sizeof *made);
  made->copy = copy;
  made->delete_ = delete_;
  made->extra = extra;
  *key = made->object.handle;
  return MPI_SUCCESS;
}

int MPI_Comm_free_keyval(int *key) {
  eo__mpi_enter("MPI_Comm_free_keyval");
  keyval_of(*key)->object.freed = true;
  *key = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

static eo__mpi_attribute **find_attribute(eo__mpi_comm *comm, int key) {
  eo__mpi_attribute **link = &comm->attributes;
  while (*link && (*link)->key != key) link = &(*link)->next;
  return link;
}

static void drop(eo__mpi_comm *comm, eo__mpi_attribute **link) {
  eo__mpi_attribute *a = *link;
  const keyval *k = eo__mpi_object_used(EO__MPI_KEYVAL, a->key);
  if (k->delete_) k->delete_(comm->object.handle, a->key, a->value, k->extra);
  *link = a->next;
  free(a);
}

int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value) {
  eo__mpi_enter("MPI_Comm_set_attr");
  eo__mpi_comm *c = eo__mpi_comm_own(comm);
  keyval_of(key);
  eo__mpi_attribute **link = find_attribute(c, key);
  if (*link) drop(c, link);
  eo__mpi_attribute *a = eo__mpi_need(malloc(sizeof *a));
  *a = (eo__mpi_attribute){c->attributes, key, value};
  c->attributes = a;
  return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag) {
  eo__mpi_enter("MPI_Comm_get_attr");
  static int most_tag = INT32_MAX, none = MPI_PROC_NULL, global = 1;
  eo__mpi_comm *c = eo__mpi_comm_own(comm);
  *flag = 1;
  switch (key) {
    case MPI_TAG_UB: *(void **)value = &most_tag; return MPI_SUCCESS;
    case MPI_HOST:
    case MPI_IO: *(void **)value = &none; return MPI_SUCCESS;
    case MPI_WTIME_IS_GLOBAL: *(void **)value = &global; return MPI_SUCCESS;
    case MPI_UNIVERSE_SIZE: *(void **)value = &eo__mpi.size; return MPI_SUCCESS;
    case MPI_APPNUM:
    case MPI_LASTUSEDCODE: *flag = 0; return MPI_SUCCESS;
    default: break;
  }
  keyval_of(key);
  const eo__mpi_attribute *a = *find_attribute(c, key);
  *flag = a != NULL;
  if (a) *(void **)value = a->value;
  return MPI_SUCCESS;
}

int MPI_Comm_delete_attr(MPI_Comm comm, int key) {
  eo__mpi_enter("MPI_Comm_delete_attr");
  eo__mpi_comm *c = eo__mpi_comm_own(comm);
  keyval_of(key);
  eo__mpi_attribute **link = find_attribute(c, key);
  if (!*link) eo__mpi_fail("invalid-argument", "the communicator has no such attribute");
  drop(c, link);
  return MPI_SUCCESS;
}

void eo__mpi_attributes_copy(const eo__mpi_comm *from, eo__mpi_comm *to) {
  for (const eo__mpi_attribute *a = from->attributes; a; a = a->next) {
    const keyval *k = eo__mpi_object_used(EO__MPI_KEYVAL, a->key);
    void *value = a->value;
    int flag = 0;
    if (k->copy) k->copy(from->object.handle, a->key, k->extra, a->value, (void *)&value, &flag);
    if (!flag) continue;
    eo__mpi_attribute *copy = eo__mpi_need(malloc(sizeof *copy));
    *copy = (eo__mpi_attribute){to->attributes, a->key, value};
    to->attributes = copy;
  }
}

void eo__mpi_attributes_drop(eo__mpi_comm *comm) {
  while (comm->attributes) drop(comm, &comm->attributes);
}

int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag) {
  eo__mpi_enter("MPI_Win_get_attr");
  static int unit, flavor, model = MPI_WIN_UNIFIED;
  const eo__mpi_window *w = eo__mpi_window_of(win);
  const eo__mpi_window_part *part = &w->parts[w->comm->rank];
  unit = (int)part->unit;
  flavor = w->dynamic ? MPI_WIN_FLAVOR_DYNAMIC : w->own ? MPI_WIN_FLAVOR_ALLOCATE : MPI_WIN_FLAVOR_CREATE;
  *flag = 1;
  switch (key) {
    case MPI_WIN_BASE: *(void **)value = (void *)part->base; break;
    case MPI_WIN_SIZE: *(const void **)value = &part->size; break;
    case MPI_WIN_DISP_UNIT: *(void **)value = &unit; break;
    case MPI_WIN_CREATE_FLAVOR: *(void **)value = &flavor; break;
    case MPI_WIN_MODEL: *(void **)value = &model; break;
    default: *flag = 0;
  }
  return MPI_SUCCESS;
}
