/* errors.c: error handlers and codes. An error of a call is a finding before a handler could be called, so that handlers run only
 * when the program calls them itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comms.h"
#include "mpi/window.h"

/* ---- Handlers ---------------------------------------------------------------------------------------------------------- */

typedef struct handler {
  eo__mpi_object object;
  eo__mpi_object_kind of;
  MPI_Comm_errhandler_function *function; /* handles are numbers: it is the same for windows */
} handler;

static bool is_ours(MPI_Errhandler handle) { return handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_RETURN; }

static int create(eo__mpi_object_kind kind, MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
  if (!function || !made) eo__mpi_fail("invalid-argument", "the function or the address of the handler is NULL");
  handler *h = eo__mpi_object_new(EO__MPI_ERRHANDLER, sizeof *h);
  h->of = kind;
  h->function = function;
  *made = h->object.handle;
  return MPI_SUCCESS;
}

static MPI_Errhandler *handler_of(eo__mpi_object_kind kind, int handle) {
  return kind == EO__MPI_COMM ? &eo__mpi_comm_own(handle)->handler : &eo__mpi_window_of(handle)->handler;
}

static int set(eo__mpi_object_kind kind, int handle, MPI_Errhandler errors) {
  MPI_Errhandler *of = handler_of(kind, handle);
  if (!is_ours(errors) && ((handler *)eo__mpi_object_of(EO__MPI_ERRHANDLER, errors))->of != kind)
    eo__mpi_fail("invalid-argument", "the error handler is for other objects");
  *of = errors;
  return MPI_SUCCESS;
}

/* What is got is freed by the program, too, but the handler itself lives until all are freed: so each get is an object. */
static int get(eo__mpi_object_kind kind, int handle, MPI_Errhandler *errors) {
  MPI_Errhandler own = *handler_of(kind, handle);
  if (!errors) eo__mpi_fail("invalid-argument", "the address of the handler is NULL");
  if (!own) own = MPI_ERRORS_ARE_FATAL;
  *errors = own;
  if (is_ours(own)) return MPI_SUCCESS;
  const handler *h = eo__mpi_object_used(EO__MPI_ERRHANDLER, own);
  return create(kind, h->function, errors);
}

static int call(eo__mpi_object_kind kind, int handle, int code) {
  MPI_Errhandler own = *handler_of(kind, handle);
  if (own == MPI_ERRORS_RETURN) return MPI_SUCCESS;
  if (!own || own == MPI_ERRORS_ARE_FATAL) eo__mpi_fail("abort", "the program ends itself with the error %d", code);
  const handler *h = eo__mpi_object_used(EO__MPI_ERRHANDLER, own);
  h->function(&handle, &code);
  return MPI_SUCCESS;
}

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
  eo__mpi_enter("MPI_Comm_create_errhandler");
  return create(EO__MPI_COMM, function, made);
}

int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *made) {
  eo__mpi_enter("MPI_Errhandler_create");
  return create(EO__MPI_COMM, function, made);
}

int MPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *made) {
  eo__mpi_enter("MPI_Win_create_errhandler");
  return create(EO__MPI_WIN, function, made);
}

int MPI_Errhandler_free(MPI_Errhandler *handle) {
  eo__mpi_enter("MPI_Errhandler_free");
  if (!handle) eo__mpi_fail("invalid-argument", "the address of the handler is NULL");
  if (!is_ours(*handle)) ((handler *)eo__mpi_object_of(EO__MPI_ERRHANDLER, *handle))->object.freed = true;
  *handle = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle) {
  eo__mpi_enter("MPI_Comm_set_errhandler");
  return set(EO__MPI_COMM, comm, handle);
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handle) {
  eo__mpi_enter("MPI_Errhandler_set");
  return set(EO__MPI_COMM, comm, handle);
}

int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handle) {
  eo__mpi_enter("MPI_Win_set_errhandler");
  return set(EO__MPI_WIN, win, handle);
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handle) {
  eo__mpi_enter("MPI_Comm_get_errhandler");
  return get(EO__MPI_COMM, comm, handle);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handle) {
  eo__mpi_enter("MPI_Errhandler_get");
  return get(EO__MPI_COMM, comm, handle);
}

int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *handle) {
  eo__mpi_enter("MPI_Win_get_errhandler");
  return get(EO__MPI_WIN, win, handle);
}

int MPI_Comm_call_errhandler(MPI_Comm comm, int code) {
  eo__mpi_enter("MPI_Comm_call_errhandler");
  return call(EO__MPI_COMM, comm, code);
}

int MPI_Win_call_errhandler(MPI_Win win, int code) {
  eo__mpi_enter("MPI_Win_call_errhandler");
  return call(EO__MPI_WIN, win, code);
}

/* ---- Codes ------------------------------------------------------------------------------------------------------------- */

/* Those of the program follow MPI_ERR_LASTCODE. A class is a code of itself. */
typedef struct code {
  int class_;
  char *text;
} code;

static code *codes;
static int code_count;

int eo__mpi_last_code(void) { return MPI_ERR_LASTCODE + code_count; }

static int add(int class_) {
  codes = eo__mpi_need(realloc(codes, (size_t)(code_count + 1) * sizeof *codes));
  code_count++;
  codes[code_count - 1] = (code){class_ ? class_ : eo__mpi_last_code(), NULL};
  return eo__mpi_last_code();
}

/* NULL: it is one of MPI. */
static code *find(int number) {
  if (number > MPI_ERR_LASTCODE && number <= eo__mpi_last_code()) return &codes[number - MPI_ERR_LASTCODE - 1];
  if (number < 0 || number > MPI_ERR_RMA_FLAVOR) eo__mpi_fail("invalid-argument", "there is no error code %d", number);
  return NULL;
}

int MPI_Add_error_class(int *class_) {
  eo__mpi_enter("MPI_Add_error_class");
  *class_ = add(0);
  return MPI_SUCCESS;
}

int MPI_Add_error_code(int class_, int *number) {
  eo__mpi_enter("MPI_Add_error_code");
  const code *c = find(class_);
  if (c && c->class_ != class_) eo__mpi_fail("invalid-argument", "the code %d is no class", class_);
  *number = add(class_);
  return MPI_SUCCESS;
}

int MPI_Add_error_string(int number, const char *text) {
  eo__mpi_enter("MPI_Add_error_string");
  code *c = find(number);
  if (!c) eo__mpi_fail("invalid-argument", "the code %d is one of MPI", number);
  free(c->text);
  c->text = eo__mpi_need(strndup(text, MPI_MAX_ERROR_STRING - 1));
  return MPI_SUCCESS;
}

int MPI_Error_class(int number, int *class_) {
  eo__mpi_enter("MPI_Error_class");
  const code *c = find(number);
  *class_ = c ? c->class_ : number;
  return MPI_SUCCESS;
}

int MPI_Error_string(int number, char *text, int *length) {
  eo__mpi_enter("MPI_Error_string");
  const code *c = find(number);
  if (c)
    *length = snprintf(text, MPI_MAX_ERROR_STRING, "%s", c->text ? c->text : "");
  else
    *length = snprintf(text, MPI_MAX_ERROR_STRING, number == MPI_SUCCESS ? "no error" : "error %d", number);
  return MPI_SUCCESS;
}
