/* env.c: what surrounds communication: memory, hints, what is known of the implementation. */
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

/* A level for a layer of the program, if it has one. */
int MPI_Pcontrol(const int level, ...) {
  eo__mpi_enter("MPI_Pcontrol");
  (void)level;
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

/* ---- Hints of communicators and windows: all members give them, and none is taken ---------------------------------------- */

static int set_hints(MPI_Comm comm, uint32_t context, MPI_Info hints) {
  if (hints != MPI_INFO_NULL) info_of(hints);
  eo__mpi_call_run(&(eo__mpi_call){.what = EO__MPI_SET_INFO,
                                   .comm = comm,
                                   .context = context,
                                   .gives = {.type = MPI_BYTE},
                                   .takes = {.type = MPI_BYTE}});
  return MPI_SUCCESS;
}

static int get_hints(MPI_Info *made) {
  if (!made) eo__mpi_fail("invalid-argument", "the address of the info object is NULL");
  *made = ((info *)eo__mpi_object_new(EO__MPI_INFO, sizeof(info)))->object.handle;
  return MPI_SUCCESS;
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info hints) {
  eo__mpi_enter("MPI_Comm_set_info");
  return set_hints(comm, 0, hints);
}

int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *made) {
  eo__mpi_enter("MPI_Comm_get_info");
  eo__mpi_comm_of(comm);
  return get_hints(made);
}

int MPI_Win_set_info(MPI_Win win, MPI_Info hints) {
  eo__mpi_enter("MPI_Win_set_info");
  const eo__mpi_window *w = eo__mpi_window_of(win);
  return set_hints(w->comm_handle, w->number, hints);
}

int MPI_Win_get_info(MPI_Win win, MPI_Info *made) {
  eo__mpi_enter("MPI_Win_get_info");
  eo__mpi_window_of(win);
  return get_hints(made);
}
