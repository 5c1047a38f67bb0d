/* packed.c: packing by the program, and what is asked about what was received. */
#include <stdlib.h>
#include <string.h>

#include "mpi/access.h"
#include "mpi/point.h"
#include "mpi/type.h"

int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size) {
  eo__mpi_enter("MPI_Pack_size");
  eo__mpi_comm_of(comm);
  eo__mpi_check_type(type);
  *size = (int)eo__mpi_packed_size(count, type);
  return MPI_SUCCESS;
}

int MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int room, int *at, MPI_Comm comm) {
  eo__mpi_enter("MPI_Pack");
  eo__mpi_comm_of(comm);
  eo__mpi_check_data(from, count, type);
  int size = (int)eo__mpi_packed_size(count, type);
  if (!at || *at < 0 || size > room - *at) eo__mpi_fail("truncation", "there is no room for %d bytes more", size);
  eo__mpi_pack((char *)to + *at, from, count, type);
  *at += size;
  return MPI_SUCCESS;
}

int MPI_Unpack(const void *from, int size, int *at, void *to, int count, MPI_Datatype type, MPI_Comm comm) {
  eo__mpi_enter("MPI_Unpack");
  eo__mpi_comm_of(comm);
  eo__mpi_check_data(to, count, type);
  int wanted = (int)eo__mpi_packed_size(count, type);
  if (!at || *at < 0 || wanted > size - *at) eo__mpi_fail("truncation", "fewer than %d bytes are left", wanted);
  eo__mpi_unpack(to, (const char *)from + *at, (size_t)wanted, type);
  *at += wanted;
  return MPI_SUCCESS;
}

/* Basic items in so many bytes. */
static MPI_Count elements(const MPI_Status *status, MPI_Datatype handle) {
  eo__mpi_check_type(handle);
  const eo__mpi_type *type = eo__mpi_type_of(handle);
  MPI_Count left = status->eo_bytes, found = 0;
  if (type->size == 0) return 0;
  while (left > 0)
    for (size_t i = 0; i < type->segment_count && left > 0; i++) {
      MPI_Count one = type->segments[i].basic & 0xff, here = left / one;
      if (here > type->segments[i].count) here = type->segments[i].count;
      if (here == 0) return MPI_UNDEFINED;
      found += here;
      left -= here * one;
    }
  return found;
}

int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count) {
  eo__mpi_enter("MPI_Get_elements");
  *count = (int)elements(status, type);
  return MPI_SUCCESS;
}

int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count) {
  eo__mpi_enter("MPI_Get_elements_x");
  *count = elements(status, type);
  return MPI_SUCCESS;
}

int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count) {
  eo__mpi_enter("MPI_Status_set_elements");
  eo__mpi_check_type(type);
  status->eo_bytes = (MPI_Count)eo__mpi_packed_size(count, type);
  return MPI_SUCCESS;
}

int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count) {
  eo__mpi_enter("MPI_Status_set_elements_x");
  eo__mpi_check_type(type);
  status->eo_bytes = count * (MPI_Count)eo__mpi_type_size(type);
  return MPI_SUCCESS;
}

int MPI_Status_set_cancelled(MPI_Status *status, int flag) {
  eo__mpi_enter("MPI_Status_set_cancelled");
  status->eo_cancelled = flag;
  return MPI_SUCCESS;
}

int MPI_Type_match_size(int kind, int size, MPI_Datatype *type) {
  eo__mpi_enter("MPI_Type_match_size");
  static const struct {
    int kind;
    MPI_Datatype type;
  } all[] = {{MPI_TYPECLASS_REAL, MPI_FLOAT},
             {MPI_TYPECLASS_REAL, MPI_DOUBLE},
             {MPI_TYPECLASS_REAL, MPI_LONG_DOUBLE},
             {MPI_TYPECLASS_INTEGER, MPI_INT8_T},
             {MPI_TYPECLASS_INTEGER, MPI_INT16_T},
             {MPI_TYPECLASS_INTEGER, MPI_INT32_T},
             {MPI_TYPECLASS_INTEGER, MPI_INT64_T},
             {MPI_TYPECLASS_COMPLEX, MPI_C_FLOAT_COMPLEX},
             {MPI_TYPECLASS_COMPLEX, MPI_C_DOUBLE_COMPLEX}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].kind == kind && (all[i].type & 0xff) == size) {
      *type = all[i].type;
      return MPI_SUCCESS;
    }
  eo__mpi_fail("invalid-argument", "there is no type of %d bytes of that class", size);
}

/* ---- Messages that are taken out when they are found ------------------------------------------------------------------------ */

typedef struct message {
  eo__mpi_object object;
  MPI_Status status;
  char bytes[];
} message;

/* The message that was found is received at once, for later. */
static MPI_Message take(const MPI_Status *found, MPI_Comm comm) {
  if (found->MPI_SOURCE == MPI_PROC_NULL) return MPI_MESSAGE_NO_PROC;
  message *m = eo__mpi_object_new(EO__MPI_MESSAGE, sizeof *m + (size_t)found->eo_bytes);
  m->status = *found;
  eo__mpi_transfer receive = {.receives = true,
                              .buffer = m->bytes,
                              .count = (int)found->eo_bytes,
                              .type = MPI_PACKED,
                              .peer = found->MPI_SOURCE,
                              .tag = found->MPI_TAG,
                              .comm = comm};
  eo__mpi_request *request = eo__mpi_transfer_begin(&receive, true);
  eo__mpi_wait(EO__MPI_UNTIL_ALL, &request, 1);
  eo__mpi_complete(request, NULL);
  return m->object.handle;
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *found, MPI_Status *status) {
  eo__mpi_enter("MPI_Mprobe");
  eo__mpi_check_status(status);
  MPI_Status own = {0};
  eo__mpi_probe(from, tag, comm, &own);
  *found = take(&own, comm);
  if (status && status != MPI_STATUS_IGNORE) *status = own;
  return MPI_SUCCESS;
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *found, MPI_Status *status) {
  eo__mpi_enter("MPI_Improbe");
  MPI_Status own = {0};
  *flag = eo__mpi_probe_now(from, tag, comm, &own);
  if (!*flag) return MPI_SUCCESS;
  *found = take(&own, comm);
  if (status && status != MPI_STATUS_IGNORE) *status = own;
  return MPI_SUCCESS;
}

static void check_room(const message *m, size_t room) {
  size_t size = (size_t)m->status.eo_bytes;
  if (size > room) eo__mpi_fail("truncation", "there is room for %zu bytes, and the message has %zu", room, size);
}

static void receive(void *buffer, int count, MPI_Datatype type, MPI_Message *found, MPI_Status *status) {
  eo__mpi_check_data(buffer, count, type);
  if (*found == MPI_MESSAGE_NO_PROC) {
    eo__mpi_status_nobody(status);
  } else {
    message *m = eo__mpi_object_of(EO__MPI_MESSAGE, *found);
    check_room(m, eo__mpi_packed_size(count, type));
    eo__mpi_unpack(buffer, m->bytes, (size_t)m->status.eo_bytes, type);
    if (status && status != MPI_STATUS_IGNORE) *status = m->status;
    m->object.freed = true;
  }
  *found = MPI_MESSAGE_NULL;
}

int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *found, MPI_Status *status) {
  eo__mpi_enter("MPI_Mrecv");
  eo__mpi_check_status(status);
  receive(buffer, count, type, found, status);
  return MPI_SUCCESS;
}

/* The message is there: the request is done when the program asks, or later. */
typedef struct later {
  void *buffer;
  MPI_Datatype type;
  int count;
  MPI_Message message;
} later;

static void finish(eo__mpi_request *request, MPI_Status *status) {
  later *l = request->more;
  receive(l->buffer, l->count, l->type, &l->message, status);
}

static void look(eo__mpi_request *request, MPI_Status *status) {
  const later *l = request->more;
  if (l->message == MPI_MESSAGE_NO_PROC)
    eo__mpi_status_nobody(status);
  else if (status && status != MPI_STATUS_IGNORE)
    *status = ((message *)eo__mpi_object_used(EO__MPI_MESSAGE, l->message))->status;
}

int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *found, MPI_Request *request) {
  eo__mpi_enter("MPI_Imrecv");
  if (!found || !request)
    eo__mpi_fail("invalid-request", "the address of the %s is NULL", found ? "request" : "message");
  eo__mpi_check_data(buffer, count, type);
  if (*found != MPI_MESSAGE_NO_PROC)
    check_room(eo__mpi_object_of(EO__MPI_MESSAGE, *found), eo__mpi_packed_size(count, type));
  eo__mpi_request *made = eo__mpi_request_new();
  later *l = eo__mpi_need(malloc(sizeof *l));
  *l = (later){buffer, type, count, *found};
  made->more = l;
  made->finish = finish;
  made->look = look;
  made->done = true;
  eo__mpi_touch(buffer, count, type, true);
  eo__mpi_guard(made, buffer, count, type, true);
  *request = eo__mpi_request_handle(made);
  *found = MPI_MESSAGE_NULL;
  return MPI_SUCCESS;
}
