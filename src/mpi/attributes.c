/* attributes.c: what a program hangs on communicators, datatypes and windows, by keys of its own. */
#include <stdlib.h>

#include "mpi/comms.h"
#include "mpi/type.h"
#include "mpi/window.h"

/* Copying and deleting are the same for all, since all handles are numbers. */
typedef struct keyval {
  eo__mpi_object object;
  eo__mpi_object_kind of;
  MPI_Comm_copy_attr_function *copy;
  MPI_Comm_delete_attr_function *delete_;
  void *extra;
} keyval;

static keyval *keyval_of(eo__mpi_object_kind kind, int key) {
  keyval *k = eo__mpi_object_of(EO__MPI_KEYVAL, key);
  if (k->of != kind) eo__mpi_fail("invalid-argument", "the key 0x%x is for other objects", (unsigned)key);
  return k;
}

static eo__mpi_attribute **attributes_of(eo__mpi_object_kind kind, int handle) {
  if (kind == EO__MPI_COMM) return &eo__mpi_comm_own(handle)->attributes;
  if (kind == EO__MPI_WIN) return &eo__mpi_window_of(handle)->attributes;
  return &((eo__mpi_type *)(uintptr_t)eo__mpi_type_of(handle))->attributes;
}

static eo__mpi_attribute **find(eo__mpi_attribute **all, int key) {
  while (*all && (*all)->key != key) all = &(*all)->next;
  return all;
}

static void check_answer(const char *which, int answer) {
  if (answer != MPI_SUCCESS) eo__mpi_fail("abort", "the %s function of a key returns the error %d", which, answer);
}

static void drop(int handle, eo__mpi_attribute **link) {
  eo__mpi_attribute *a = *link;
  const keyval *k = eo__mpi_object_used(EO__MPI_KEYVAL, a->key);
  if (k->delete_) check_answer("delete", k->delete_(handle, a->key, a->value, k->extra));
  *link = a->next;
  free(a);
}

void eo__mpi_attributes_copy(int from, eo__mpi_attribute *const *all, eo__mpi_attribute **to) {
  for (const eo__mpi_attribute *a = *all; a; a = a->next) {
    const keyval *k = eo__mpi_object_used(EO__MPI_KEYVAL, a->key);
    void *value = a->value;
    int flag = 0;
    if (k->copy) check_answer("copy", k->copy(from, a->key, k->extra, a->value, (void *)&value, &flag));
    if (!flag) continue;
    eo__mpi_attribute *copy = eo__mpi_need(malloc(sizeof *copy));
    *copy = (eo__mpi_attribute){*to, a->key, value};
    *to = copy;
  }
}

void eo__mpi_attributes_drop(int handle, eo__mpi_attribute **all) {
  while (*all) drop(handle, all);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------- */

static int create(eo__mpi_object_kind kind, MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_,
                  int *key, void *extra) {
  if (!key) eo__mpi_fail("invalid-argument", "the address of the key is NULL");
  keyval *made = eo__mpi_object_new(EO__MPI_KEYVAL, sizeof *made);
  made->of = kind;
  made->copy = copy;
  made->delete_ = delete_;
  made->extra = extra;
  *key = made->object.handle;
  return MPI_SUCCESS;
}

static int destroy(eo__mpi_object_kind kind, int *key) {
  if (!key) eo__mpi_fail("invalid-argument", "the address of the key is NULL");
  keyval_of(kind, *key)->object.freed = true;
  *key = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

static int set(eo__mpi_object_kind kind, int handle, int key, void *value) {
  eo__mpi_attribute **all = attributes_of(kind, handle), **link = find(all, key);
  keyval_of(kind, key);
  if (*link) drop(handle, link);
  eo__mpi_attribute *a = eo__mpi_need(malloc(sizeof *a));
  *a = (eo__mpi_attribute){*all, key, value};
  *all = a;
  return MPI_SUCCESS;
}

static int get(eo__mpi_object_kind kind, int handle, int key, void *value, int *flag) {
  keyval_of(kind, key);
  const eo__mpi_attribute *a = *find(attributes_of(kind, handle), key);
  *flag = a != NULL;
  if (a) *(void **)value = a->value;
  return MPI_SUCCESS;
}

static int delete_one(eo__mpi_object_kind kind, int handle, int key) {
  keyval_of(kind, key);
  eo__mpi_attribute **link = find(attributes_of(kind, handle), key);
  if (!*link) eo__mpi_fail("invalid-argument", "there is no such attribute");
  drop(handle, link);
  return MPI_SUCCESS;
}

/* The attributes that every communicator has. */
static int get_of_comm(MPI_Comm comm, int key, void *value, int *flag) {
  static int most_tag = EO__MPI_MOST_TAG, none = MPI_PROC_NULL, global = 1, last_code;
  eo__mpi_comm_of(comm);
  if (!value || !flag) eo__mpi_fail("invalid-argument", "%s is NULL", value ? "flag" : "the address of the value");
  *flag = 1;
  switch (key) {
    case MPI_TAG_UB: *(void **)value = &most_tag; return MPI_SUCCESS;
    case MPI_HOST:
    case MPI_IO: *(void **)value = &none; return MPI_SUCCESS;
    case MPI_WTIME_IS_GLOBAL: *(void **)value = &global; return MPI_SUCCESS;
    case MPI_UNIVERSE_SIZE: *(void **)value = &eo__mpi.size; return MPI_SUCCESS;
    case MPI_LASTUSEDCODE:
      last_code = eo__mpi_last_code();
      *(void **)value = &last_code;
      return MPI_SUCCESS;
    case MPI_APPNUM: *flag = 0; return MPI_SUCCESS;
    default: return get(EO__MPI_COMM, comm, key, value, flag);
  }
}

static int get_of_window(MPI_Win win, int key, void *value, int *flag) {
  static int unit, flavor, model;
  const eo__mpi_window *w = eo__mpi_window_of(win);
  const eo__mpi_window_part *part = &w->parts[w->comm->rank];
  if (!value || !flag) eo__mpi_fail("invalid-argument", "%s is NULL", value ? "flag" : "the address of the value");
  unit = (int)part->unit;
  flavor = w->shared    ? MPI_WIN_FLAVOR_SHARED
           : w->dynamic ? MPI_WIN_FLAVOR_DYNAMIC
           : w->own     ? MPI_WIN_FLAVOR_ALLOCATE
                        : MPI_WIN_FLAVOR_CREATE;
  model = eo__mpi.separate && !w->shared ? MPI_WIN_SEPARATE : MPI_WIN_UNIFIED;
  *flag = 1;
  switch (key) {
    case MPI_WIN_BASE: *(void **)value = (void *)part->base; return MPI_SUCCESS;
    case MPI_WIN_SIZE: *(const void **)value = &part->size; return MPI_SUCCESS;
    case MPI_WIN_DISP_UNIT: *(void **)value = &unit; return MPI_SUCCESS;
    case MPI_WIN_CREATE_FLAVOR: *(void **)value = &flavor; return MPI_SUCCESS;
    case MPI_WIN_MODEL: *(void **)value = &model; return MPI_SUCCESS;
    default: return get(EO__MPI_WIN, win, key, value, flag);
  }
}

static int get_of_type(MPI_Datatype type, int key, void *value, int *flag) {
  if (!value || !flag) eo__mpi_fail("invalid-argument", "%s is NULL", value ? "flag" : "the address of the value");
  return get(EO__MPI_TYPE, type, key, value, flag);
}

#define CREATE(name, kind, copier, deleter)                               \
  int MPI_##name(copier *copy, deleter *delete_, int *key, void *extra) { \
    eo__mpi_enter("MPI_" #name);                                          \
    return create(kind, copy, delete_, key, extra);                       \
  }
#define DESTROY(name, kind)      \
  int MPI_##name(int *key) {     \
    eo__mpi_enter("MPI_" #name); \
    return destroy(kind, key);   \
  }
#define SET(name, kind, handle)                         \
  int MPI_##name(handle object, int key, void *value) { \
    eo__mpi_enter("MPI_" #name);                        \
    return set(kind, object, key, value);               \
  }
#define GET(name, getter, handle)                                  \
  int MPI_##name(handle object, int key, void *value, int *flag) { \
    eo__mpi_enter("MPI_" #name);                                   \
    return getter(object, key, value, flag);                       \
  }
#define DELETE(name, kind, handle)         \
  int MPI_##name(handle object, int key) { \
    eo__mpi_enter("MPI_" #name);           \
    return delete_one(kind, object, key);  \
  }

CREATE(Comm_create_keyval, EO__MPI_COMM, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function)
CREATE(Keyval_create, EO__MPI_COMM, MPI_Copy_function, MPI_Delete_function)
CREATE(Type_create_keyval, EO__MPI_TYPE, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function)
CREATE(Win_create_keyval, EO__MPI_WIN, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function)
DESTROY(Comm_free_keyval, EO__MPI_COMM)
DESTROY(Keyval_free, EO__MPI_COMM)
DESTROY(Type_free_keyval, EO__MPI_TYPE)
DESTROY(Win_free_keyval, EO__MPI_WIN)
SET(Comm_set_attr, EO__MPI_COMM, MPI_Comm)
SET(Attr_put, EO__MPI_COMM, MPI_Comm)
SET(Type_set_attr, EO__MPI_TYPE, MPI_Datatype)
SET(Win_set_attr, EO__MPI_WIN, MPI_Win)
GET(Comm_get_attr, get_of_comm, MPI_Comm)
GET(Attr_get, get_of_comm, MPI_Comm)
GET(Type_get_attr, get_of_type, MPI_Datatype)
GET(Win_get_attr, get_of_window, MPI_Win)
DELETE(Comm_delete_attr, EO__MPI_COMM, MPI_Comm)
DELETE(Attr_delete, EO__MPI_COMM, MPI_Comm)
DELETE(Type_delete_attr, EO__MPI_TYPE, MPI_Datatype)
DELETE(Win_delete_attr, EO__MPI_WIN, MPI_Win)

/* For MPI_COMM_DUP_FN and the like. */
int eo_mpi_copy_attribute(int object, int key, void *extra, void *in, void *out, int *flag) {
  (void)object;
  (void)key;
  (void)extra;
  *(void **)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
