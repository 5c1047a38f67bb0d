/* object.c: see object.h. */
#include "mpi/object.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/rank.h"

typedef struct table {
  const char *name, *invalid, *leak; /* of findings */
  int first; /* the handle of the first one that a program makes; the next number is the next one's */
  int null;
  eo__mpi_object **items;
  int count, room;
} table;

static table tables[EO__MPI_OBJECT_KINDS] = {
    [EO__MPI_COMM] = {"communicator", "invalid-communicator", "communicator-leak", 0x44000002, MPI_COMM_NULL, NULL, 0,
                      0},
    [EO__MPI_GROUP] = {"group", "invalid-group", "group-leak", 0x48000001, MPI_GROUP_NULL, NULL, 0, 0},
    [EO__MPI_TYPE] = {"datatype", "invalid-type", "type-leak", 0x4e000000, MPI_DATATYPE_NULL, NULL, 0, 0},
    [EO__MPI_WIN] = {"window", "invalid-window", "window-leak", 0x60000001, MPI_WIN_NULL, NULL, 0, 0},
    [EO__MPI_INFO] = {"info object", "invalid-argument", "info-leak", 0x5c000002, MPI_INFO_NULL, NULL, 0, 0},
    [EO__MPI_ERRHANDLER] = {"error handler", "invalid-argument", "handler-leak", 0x54000002, MPI_ERRHANDLER_NULL, NULL,
                            0, 0},
    [EO__MPI_KEYVAL] = {"key", "invalid-argument", "key-leak", 0x64000000, MPI_KEYVAL_INVALID, NULL, 0, 0},
    [EO__MPI_MESSAGE] = {"message", "invalid-request", "message-leak", 0x6c000001, MPI_MESSAGE_NULL, NULL, 0, 0},
    [EO__MPI_OP] = {"operator", "invalid-operator", "operator-leak", 0x59000000, MPI_OP_NULL, NULL, 0, 0},
};

void *eo__mpi_object_new(eo__mpi_object_kind kind, size_t size) {
  table *t = &tables[kind];
  if (t->count == t->room) {
    t->room = 2 * t->room + 8;
    t->items = eo__mpi_need(realloc(t->items, (size_t)t->room * sizeof(void *)));
  }
  eo__mpi_object *object = eo__mpi_need(calloc(1, size));
  *object = (eo__mpi_object){.handle = t->first + t->count, .place = eo_mpi_at, .call = eo__mpi.call};
  return t->items[t->count++] = object;
}

void *eo__mpi_object_try(eo__mpi_object_kind kind, int handle, const char **trouble) {
  const table *t = &tables[kind];
  if (handle == t->null) {
    *trouble = "is the null handle";
    return NULL;
  }
  if (handle < t->first || handle - t->first >= t->count) {
    *trouble = "is none";
    return NULL;
  }
  eo__mpi_object *object = t->items[handle - t->first];
  *trouble = object->freed ? "was freed" : NULL;
  return object->freed ? NULL : object;
}

void *eo__mpi_object_of(eo__mpi_object_kind kind, int handle) {
  const char *trouble;
  void *object = eo__mpi_object_try(kind, handle, &trouble);
  if (!object) eo__mpi_fail(tables[kind].invalid, "the %s 0x%x %s", tables[kind].name, (unsigned)handle, trouble);
  return object;
}

void *eo__mpi_object_used(eo__mpi_object_kind kind, int handle) {
  const table *t = &tables[kind];
  return t->items[handle - t->first];
}

void eo__mpi_object_leaks(void) {
  for (int kind = 0; kind < EO__MPI_OBJECT_KINDS; kind++) {
    const table *t = &tables[kind];
    for (int i = 0; i < t->count; i++)
      if (!t->items[i]->freed) {
        eo__mpi_post *post = eo__mpi_post_new(EO__MPI_LEAK, 0, 0, MPI_BYTE, 2 * sizeof(char *));
        memcpy((char *)(uintptr_t)eo__mpi_payload(post), (const char *[]){t->leak, t->name}, 2 * sizeof(char *));
        post->place = t->items[i]->place;
        post->call = t->items[i]->call;
        return;
      }
  }
}
