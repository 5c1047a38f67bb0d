/* mpi.h: the C interface of MPI 3.1, for programs that `everyorder mpi` runs in every order (doc/mpi.md).
 *
 * A function that is not implemented compiles and is a finding when it is called. */
#ifndef EO_MPI_H
#define EO_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

/* ---- Handles ---------------------------------------------------------------------------------------------------
 *
 * Numbers whose upper bits say what they are of, so that a handle of another kind is noticed. */
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Group;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Win;
typedef int MPI_Info;
typedef int MPI_Errhandler;
typedef int MPI_Message;
typedef int MPI_File;
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int eo_cancelled;
  MPI_Count eo_bytes;
} MPI_Status;

typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int key, void *value, void *extra);
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int key, void *value, void *extra);
typedef int MPI_Win_copy_attr_function(MPI_Win win, int key, void *extra, void *in, void *out, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int key, void *value, void *extra);
typedef void MPI_Comm_errhandler_function(MPI_Comm *comm, int *error, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *win, int *error, ...);
typedef void MPI_File_errhandler_function(MPI_File *file, int *error, ...);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef int MPI_Grequest_query_function(void *extra, MPI_Status *status);
typedef int MPI_Grequest_free_function(void *extra);
typedef int MPI_Grequest_cancel_function(void *extra, int complete);

#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_SELF ((MPI_Comm)0x44000001)
#define MPI_GROUP_NULL ((MPI_Group)0x08000000)
#define MPI_GROUP_EMPTY ((MPI_Group)0x48000000)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x0c000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_MESSAGE_NULL ((MPI_Message)0x2c000000)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x6c000000)
#define MPI_OP_NULL ((MPI_Op)0x18000000)
#define MPI_WIN_NULL ((MPI_Win)0x20000000)
#define MPI_INFO_NULL ((MPI_Info)0x1c000000)
#define MPI_INFO_ENV ((MPI_Info)0x5c000001)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x14000000)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x54000000)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x54000001)
#define MPI_FILE_NULL ((MPI_File)0)

/* Basic types: which one, and its size in the lower byte. */
#define EO_MPI_BASIC(number, size) ((MPI_Datatype)(0x4c000000 | (number) << 8 | (int)(size)))
#define MPI_CHAR EO_MPI_BASIC(1, sizeof(char))
#define MPI_SIGNED_CHAR EO_MPI_BASIC(2, 1)
#define MPI_UNSIGNED_CHAR EO_MPI_BASIC(3, 1)
#define MPI_BYTE EO_MPI_BASIC(4, 1)
#define MPI_WCHAR EO_MPI_BASIC(5, sizeof(wchar_t))
#define MPI_SHORT EO_MPI_BASIC(6, sizeof(short))
#define MPI_UNSIGNED_SHORT EO_MPI_BASIC(7, sizeof(short))
#define MPI_INT EO_MPI_BASIC(8, sizeof(int))
#define MPI_UNSIGNED EO_MPI_BASIC(9, sizeof(int))
#define MPI_LONG EO_MPI_BASIC(10, sizeof(long))
#define MPI_UNSIGNED_LONG EO_MPI_BASIC(11, sizeof(long))
#define MPI_LONG_LONG_INT EO_MPI_BASIC(12, sizeof(long long))
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_UNSIGNED_LONG_LONG EO_MPI_BASIC(13, sizeof(long long))
#define MPI_FLOAT EO_MPI_BASIC(14, sizeof(float))
#define MPI_DOUBLE EO_MPI_BASIC(15, sizeof(double))
#define MPI_LONG_DOUBLE EO_MPI_BASIC(16, sizeof(long double))
#define MPI_C_BOOL EO_MPI_BASIC(17, 1)
#define MPI_INT8_T EO_MPI_BASIC(18, 1)
#define MPI_INT16_T EO_MPI_BASIC(19, 2)
#define MPI_INT32_T EO_MPI_BASIC(20, 4)
#define MPI_INT64_T EO_MPI_BASIC(21, 8)
#define MPI_UINT8_T EO_MPI_BASIC(22, 1)
#define MPI_UINT16_T EO_MPI_BASIC(23, 2)
#define MPI_UINT32_T EO_MPI_BASIC(24, 4)
#define MPI_UINT64_T EO_MPI_BASIC(25, 8)
#define MPI_AINT EO_MPI_BASIC(26, sizeof(MPI_Aint))
#define MPI_OFFSET EO_MPI_BASIC(27, 8)
#define MPI_COUNT EO_MPI_BASIC(28, 8)
#define MPI_C_FLOAT_COMPLEX EO_MPI_BASIC(29, 2 * sizeof(float))
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_C_DOUBLE_COMPLEX EO_MPI_BASIC(30, 2 * sizeof(double))
#define MPI_C_LONG_DOUBLE_COMPLEX EO_MPI_BASIC(31, 2 * sizeof(long double))
#define MPI_PACKED EO_MPI_BASIC(32, 1)
#define MPI_LB EO_MPI_BASIC(33, 0)
#define MPI_UB EO_MPI_BASIC(34, 0)
#define MPI_CXX_BOOL MPI_C_BOOL
#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX
#define MPI_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_LOGICAL EO_MPI_BASIC(35, 4)
#define MPI_INTEGER EO_MPI_BASIC(36, 4)
#define MPI_REAL EO_MPI_BASIC(37, 4)
#define MPI_DOUBLE_PRECISION EO_MPI_BASIC(38, 8)
#define MPI_CHARACTER EO_MPI_BASIC(39, 1)
/* For MPI_MINLOC and MPI_MAXLOC: structs of a value and an int. */
#define MPI_FLOAT_INT ((MPI_Datatype)0x4d000001)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x4d000002)
#define MPI_LONG_INT ((MPI_Datatype)0x4d000003)
#define MPI_2INT ((MPI_Datatype)0x4d000004)
#define MPI_SHORT_INT ((MPI_Datatype)0x4d000005)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)0x4d000006)

#define MPI_MAX ((MPI_Op)0x58000001)
#define MPI_MIN ((MPI_Op)0x58000002)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_PROD ((MPI_Op)0x58000004)
#define MPI_LAND ((MPI_Op)0x58000005)
#define MPI_BAND ((MPI_Op)0x58000006)
#define MPI_LOR ((MPI_Op)0x58000007)
#define MPI_BOR ((MPI_Op)0x58000008)
#define MPI_LXOR ((MPI_Op)0x58000009)
#define MPI_BXOR ((MPI_Op)0x5800000a)
#define MPI_MINLOC ((MPI_Op)0x5800000b)
#define MPI_MAXLOC ((MPI_Op)0x5800000c)
#define MPI_REPLACE ((MPI_Op)0x5800000d)
#define MPI_NO_OP ((MPI_Op)0x5800000e)

/* ---- Constants ------------------------------------------------------------------------------------------------- */

/* None of them is -1, which programs use for "no rank". */
#define MPI_PROC_NULL (-11)
#define MPI_ANY_SOURCE (-12)
#define MPI_ROOT (-13)
#define MPI_ANY_TAG (-14)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID (-15)
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_UNWEIGHTED ((int *)2)
#define MPI_WEIGHTS_EMPTY ((int *)3)

#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_MAX_ERROR_STRING 256
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_INFO_KEY 255
#define MPI_MAX_INFO_VAL 1024
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_PORT_NAME 256
#define MPI_BSEND_OVERHEAD 64

enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_GRAPH = 1, MPI_CART, MPI_DIST_GRAPH };
enum { MPI_COMM_TYPE_SHARED = 1 };
enum { MPI_LOCK_EXCLUSIVE = 234, MPI_LOCK_SHARED };
enum {
  MPI_MODE_NOCHECK = 1024,
  MPI_MODE_NOSTORE = 2048,
  MPI_MODE_NOPUT = 4096,
  MPI_MODE_NOPRECEDE = 8192,
  MPI_MODE_NOSUCCEED = 16384
};
enum { MPI_WIN_FLAVOR_CREATE = 1, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_SHARED };
enum { MPI_WIN_SEPARATE = 1, MPI_WIN_UNIFIED };
enum { /* keys of attributes: no number that could be taken for the attribute itself */
       MPI_TAG_UB = 0x64000000 - 32,
       MPI_HOST,
       MPI_IO,
       MPI_WTIME_IS_GLOBAL,
       MPI_UNIVERSE_SIZE,
       MPI_LASTUSEDCODE,
       MPI_APPNUM,
       MPI_WIN_BASE,
       MPI_WIN_SIZE,
       MPI_WIN_DISP_UNIT,
       MPI_WIN_CREATE_FLAVOR,
       MPI_WIN_MODEL
};
enum {
  MPI_COMBINER_NAMED = 1,
  MPI_COMBINER_DUP,
  MPI_COMBINER_CONTIGUOUS,
  MPI_COMBINER_VECTOR,
  MPI_COMBINER_HVECTOR,
  MPI_COMBINER_INDEXED,
  MPI_COMBINER_HINDEXED,
  MPI_COMBINER_INDEXED_BLOCK,
  MPI_COMBINER_HINDEXED_BLOCK,
  MPI_COMBINER_STRUCT,
  MPI_COMBINER_SUBARRAY,
  MPI_COMBINER_DARRAY,
  MPI_COMBINER_RESIZED
};
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
int eo_mpi_copy_attribute(int object, int key, void *extra, void *in, void *out, int *flag)
    __attribute__((visibility("hidden")));
#define MPI_COMM_DUP_FN eo_mpi_copy_attribute
#define MPI_TYPE_DUP_FN eo_mpi_copy_attribute
#define MPI_WIN_DUP_FN eo_mpi_copy_attribute
#define MPI_DUP_FN eo_mpi_copy_attribute
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN

enum { MPI_ORDER_C = 56, MPI_ORDER_FORTRAN };
enum { MPI_DISTRIBUTE_BLOCK = 121, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
enum { MPI_TYPECLASS_REAL = 1, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX };
#define MPI_DISTRIBUTE_DFLT_DARG (-49767)
enum { MPI_MODE_RDONLY = 2, MPI_MODE_RDWR = 8, MPI_MODE_WRONLY = 4, MPI_MODE_CREATE = 1, MPI_MODE_EXCL = 64 };
enum { MPI_MODE_DELETE_ON_CLOSE = 16, MPI_MODE_UNIQUE_OPEN = 32, MPI_MODE_APPEND = 128, MPI_MODE_SEQUENTIAL = 256 };
enum { MPI_SEEK_SET = 600, MPI_SEEK_CUR = 602, MPI_SEEK_END = 604 };

enum {
  MPI_SUCCESS,
  MPI_ERR_BUFFER,
  MPI_ERR_COUNT,
  MPI_ERR_TYPE,
  MPI_ERR_TAG,
  MPI_ERR_COMM,
  MPI_ERR_RANK,
  MPI_ERR_ROOT,
  MPI_ERR_GROUP,
  MPI_ERR_OP,
  MPI_ERR_TOPOLOGY,
  MPI_ERR_DIMS,
  MPI_ERR_ARG,
  MPI_ERR_UNKNOWN,
  MPI_ERR_TRUNCATE,
  MPI_ERR_OTHER,
  MPI_ERR_INTERN,
  MPI_ERR_IN_STATUS,
  MPI_ERR_PENDING,
  MPI_ERR_REQUEST,
  MPI_ERR_ACCESS,
  MPI_ERR_AMODE,
  MPI_ERR_BAD_FILE,
  MPI_ERR_CONVERSION,
  MPI_ERR_DUP_DATAREP,
  MPI_ERR_FILE_EXISTS,
  MPI_ERR_FILE_IN_USE,
  MPI_ERR_FILE,
  MPI_ERR_INFO,
  MPI_ERR_INFO_KEY,
  MPI_ERR_INFO_VALUE,
  MPI_ERR_INFO_NOKEY,
  MPI_ERR_IO,
  MPI_ERR_NAME,
  MPI_ERR_NO_MEM,
  MPI_ERR_NOT_SAME,
  MPI_ERR_NO_SPACE,
  MPI_ERR_NO_SUCH_FILE,
  MPI_ERR_PORT,
  MPI_ERR_QUOTA,
  MPI_ERR_READ_ONLY,
  MPI_ERR_SERVICE,
  MPI_ERR_SPAWN,
  MPI_ERR_UNSUPPORTED_DATAREP,
  MPI_ERR_UNSUPPORTED_OPERATION,
  MPI_ERR_WIN,
  MPI_ERR_BASE,
  MPI_ERR_LOCKTYPE,
  MPI_ERR_KEYVAL,
  MPI_ERR_RMA_CONFLICT,
  MPI_ERR_RMA_SYNC,
  MPI_ERR_SIZE,
  MPI_ERR_DISP,
  MPI_ERR_ASSERT,
  MPI_ERR_RMA_RANGE,
  MPI_ERR_RMA_ATTACH,
  MPI_ERR_RMA_SHARED,
  MPI_ERR_RMA_FLAVOR,
  MPI_ERR_LASTCODE = 0x3fffffff
};

/* ---- What the macros below use --------------------------------------------------------------------------------- */

/* As eo_place of everyorder.h. The arguments of an MPI function are not those of the eo_send behind it: `call` says only
 * how the message to the world is to be called, by the function. */
typedef struct eo_mpi_place {
  const char *file, *function;
  int line;
  const char *call;
  const char *name; /* of the function; NULL: a layer called it */
} eo_mpi_place;

/* The last call of this rank; and, until it comes to the library, the last one of the program itself. */
extern const eo_mpi_place *eo_mpi_at __attribute__((visibility("hidden")));
extern const eo_mpi_place *eo_mpi_above __attribute__((visibility("hidden")));

#define eo_mpi_here(text, name)                                                                                \
  (__extension__({                                                                                             \
    static const eo_mpi_place eo_mpi_place_here = {__FILE__, __func__, __LINE__, "world, \"" name "\"", name}; \
    eo_mpi_at = eo_mpi_above = &eo_mpi_place_here;                                                             \
    (void)0;                                                                                                   \
  }))

void eo_mpi_below(const eo_mpi_place *place, const char *name) __attribute__((visibility("hidden")));
int eo_mpi_not_there(const char *name, ...) __attribute__((visibility("hidden")));

/* ---- What is implemented -------------------------------------------------------------------------------------- */

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Finalized(int *flag);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Get_processor_name(char *name, int *length);
int MPI_Get_version(int *version, int *subversion);
double MPI_Wtime(void);
double MPI_Wtick(void);
int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Barrier(MPI_Comm comm);
int MPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *into, int room,
                 MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                         MPI_Comm comm, MPI_Status *status);
int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Buffer_attach(void *buffer, int size);
int MPI_Buffer_detach(void *buffer, int *size);
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Request_free(MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Waitsome(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int MPI_Testsome(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses);
int MPI_Test_cancelled(const MPI_Status *status, int *flag);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result);
int MPI_Comm_set_name(MPI_Comm comm, const char *name);
int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_indexed(int count, const int *lengths, const int *displacements, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *displacements, MPI_Datatype old,
                             MPI_Datatype *made);
int MPI_Type_hindexed(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_create_indexed_block(int count, int length, const int *displacements, MPI_Datatype old,
                                  MPI_Datatype *made);
int MPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *displacements, MPI_Datatype old,
                                   MPI_Datatype *made);
int MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                           MPI_Datatype *made);
int MPI_Type_struct(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype *types, MPI_Datatype *made);
int MPI_Type_create_subarray(int count, const int *sizes, const int *parts, const int *starts, int order,
                             MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *made);
int MPI_Type_dup(MPI_Datatype old, MPI_Datatype *made);
int MPI_Type_commit(MPI_Datatype *type);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Type_set_name(MPI_Datatype type, const char *name);
int MPI_Type_get_name(MPI_Datatype type, char *name, int *length);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent);
int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent);
int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lb);
int MPI_Type_ub(MPI_Datatype type, MPI_Aint *ub);
int MPI_Type_size(MPI_Datatype type, int *size);
int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size);
int MPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner);
int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types, int *integers,
                          MPI_Aint *addresses, MPI_Datatype *types);
int MPI_Get_address(const void *at, MPI_Aint *address);
int MPI_Address(void *at, MPI_Aint *address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint more);
MPI_Aint MPI_Aint_diff(MPI_Aint a, MPI_Aint b);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *made);
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *made);
int MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group *made);
int MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group *made);
int MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group *made);
int MPI_Group_translate_ranks(MPI_Group a, int count, const int *ranks, MPI_Group b, int *translated);
int MPI_Group_compare(MPI_Group a, MPI_Group b, int *result);
int MPI_Group_free(MPI_Group *group);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Gather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
               int root, MPI_Comm comm);
int MPI_Igather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm, MPI_Request *request);
int MPI_Gatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                const int *displacements, MPI_Datatype out_type, int root, MPI_Comm comm);
int MPI_Igatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                 const int *displacements, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Scatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm);
int MPI_Iscatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                 int root, MPI_Comm comm, MPI_Request *request);
int MPI_Scatterv(const void *in, const int *counts, const int *displacements, MPI_Datatype in_type, void *out,
                 int out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
int MPI_Iscatterv(const void *in, const int *counts, const int *displacements, MPI_Datatype in_type, void *out,
                  int out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request);
int MPI_Allgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm);
int MPI_Iallgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm, MPI_Request *request);
int MPI_Allgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                   const int *displacements, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Iallgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                    const int *displacements, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int MPI_Alltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                 MPI_Comm comm);
int MPI_Ialltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm, MPI_Request *request);
int MPI_Alltoallv(const void *in, const int *in_counts, const int *in_displacements, MPI_Datatype in_type, void *out,
                  const int *out_counts, const int *out_displacements, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Ialltoallv(const void *in, const int *in_counts, const int *in_displacements, MPI_Datatype in_type, void *out,
                   const int *out_counts, const int *out_displacements, MPI_Datatype out_type, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Alltoallw(const void *in, const int *in_counts, const int *in_displacements, const MPI_Datatype *in_types,
                  void *out, const int *out_counts, const int *out_displacements, const MPI_Datatype *out_types,
                  MPI_Comm comm);
int MPI_Ialltoallw(const void *in, const int *in_counts, const int *in_displacements, const MPI_Datatype *in_types,
                   void *out, const int *out_counts, const int *out_displacements, const MPI_Datatype *out_types,
                   MPI_Comm comm, MPI_Request *request);
int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *request);
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request);
int MPI_Reduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Ireduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *request);
int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Ireduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request *request);
int MPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Iscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int MPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Iexscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request *request);
int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op);
int MPI_Op_free(MPI_Op *op);
int MPI_Op_commutative(MPI_Op op, int *commutes);
int MPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op);
int MPI_Cart_create(MPI_Comm comm, int count, const int *sizes, const int *periods, int reorder, MPI_Comm *made);
int MPI_Cart_sub(MPI_Comm comm, const int *keeps, MPI_Comm *made);
int MPI_Cartdim_get(MPI_Comm comm, int *count);
int MPI_Cart_get(MPI_Comm comm, int most, int *sizes, int *periods, int *at);
int MPI_Cart_rank(MPI_Comm comm, const int *at, int *rank);
int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int *at);
int MPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *from, int *to);
int MPI_Topo_test(MPI_Comm comm, int *what);
int MPI_Dims_create(int members, int count, int *sizes);
int MPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
            MPI_Datatype target_type, MPI_Win win);
int MPI_Rput(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request *request);
int MPI_Get(void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
            MPI_Datatype target_type, MPI_Win win);
int MPI_Rget(void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Win win, MPI_Request *request);
int MPI_Accumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                   MPI_Datatype target_type, MPI_Op op, MPI_Win win);
int MPI_Raccumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request *request);
int MPI_Get_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                       MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                       MPI_Op op, MPI_Win win);
int MPI_Rget_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                        MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                        MPI_Op op, MPI_Win win, MPI_Request *request);
int MPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                     MPI_Win win);
int MPI_Compare_and_swap(const void *origin, const void *expected, void *result, MPI_Datatype type, int target,
                         MPI_Aint at, MPI_Win win);
int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win);
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win);
int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size);
int MPI_Win_detach(MPI_Win win, const void *base);
int MPI_Win_free(MPI_Win *win);
int MPI_Win_get_group(MPI_Win win, MPI_Group *group);
int MPI_Win_set_name(MPI_Win win, const char *name);
int MPI_Win_get_name(MPI_Win win, char *name, int *length);
int MPI_Win_fence(int assertion, MPI_Win win);
int MPI_Win_lock(int kind, int target, int assertion, MPI_Win win);
int MPI_Win_unlock(int target, MPI_Win win);
int MPI_Win_lock_all(int assertion, MPI_Win win);
int MPI_Win_unlock_all(MPI_Win win);
int MPI_Win_flush(int target, MPI_Win win);
int MPI_Win_flush_all(MPI_Win win);
int MPI_Win_flush_local(int target, MPI_Win win);
int MPI_Win_flush_local_all(MPI_Win win);
int MPI_Win_sync(MPI_Win win);
int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win);
int MPI_Win_complete(MPI_Win win);
int MPI_Win_wait(MPI_Win win);
int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made);
int MPI_Comm_remote_size(MPI_Comm comm, int *size);
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *base);
int MPI_Free_mem(void *base);
int MPI_Get_library_version(char *version, int *length);
int MPI_Query_thread(int *provided);
int MPI_Is_thread_main(int *flag);
int MPI_Info_create(MPI_Info *made);
int MPI_Info_free(MPI_Info *handle);
int MPI_Info_set(MPI_Info handle, const char *key, const char *value);
int MPI_Info_get(MPI_Info handle, const char *key, int length, char *value, int *flag);
int MPI_Info_get_valuelen(MPI_Info handle, const char *key, int *length, int *flag);
int MPI_Info_get_nkeys(MPI_Info handle, int *count);
int MPI_Info_get_nthkey(MPI_Info handle, int n, char *key);
int MPI_Info_delete(MPI_Info handle, const char *key);
int MPI_Info_dup(MPI_Info handle, MPI_Info *made);
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made);
int MPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *made);
int MPI_Errhandler_free(MPI_Errhandler *handle);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handle);
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handle);
int MPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handle);
int MPI_Error_class(int code, int *class_);
int MPI_Error_string(int code, char *text, int *length);
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_, int *key,
                           void *extra);
int MPI_Comm_free_keyval(int *key);
int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);
int MPI_Comm_delete_attr(MPI_Comm comm, int key);
int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete_, int *key, void *extra);
int MPI_Keyval_free(int *key);
int MPI_Attr_put(MPI_Comm comm, int key, void *value);
int MPI_Attr_get(MPI_Comm comm, int key, void *value, int *flag);
int MPI_Attr_delete(MPI_Comm comm, int key);
int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete_, int *key,
                           void *extra);
int MPI_Type_free_keyval(int *key);
int MPI_Type_set_attr(MPI_Datatype type, int key, void *value);
int MPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *flag);
int MPI_Type_delete_attr(MPI_Datatype type, int key);
int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete_, int *key,
                          void *extra);
int MPI_Win_free_keyval(int *key);
int MPI_Win_set_attr(MPI_Win win, int key, void *value);
int MPI_Win_delete_attr(MPI_Win win, int key);
int MPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *handle);
int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *made);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *handle);
int MPI_Comm_call_errhandler(MPI_Comm comm, int code);
int MPI_Win_call_errhandler(MPI_Win win, int code);
int MPI_Add_error_class(int *class_);
int MPI_Add_error_code(int class_, int *code);
int MPI_Add_error_string(int code, const char *text);
int MPI_Pcontrol(const int level, ...);
int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm *made);
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made);
int MPI_Graph_create(MPI_Comm comm, int nodes, const int *index, const int *edges, int reorder, MPI_Comm *made);
int MPI_Graphdims_get(MPI_Comm comm, int *nodes, int *edges);
int MPI_Graph_get(MPI_Comm comm, int most_nodes, int most_edges, int *index, int *edges);
int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *count);
int MPI_Graph_neighbors(MPI_Comm comm, int rank, int most, int *neighbors);
int MPI_Graph_map(MPI_Comm comm, int nodes, const int *index, const int *edges, int *rank);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in_count, const int *in, const int *in_weights, int out_count,
                                   const int *out, const int *out_weights, MPI_Info info, int reorder, MPI_Comm *made);
int MPI_Dist_graph_create(MPI_Comm comm, int count, const int *from, const int *degrees, const int *to,
                          const int *weights, MPI_Info info, int reorder, MPI_Comm *made);
int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *in_count, int *out_count, int *weighted);
int MPI_Dist_graph_neighbors(MPI_Comm comm, int most_in, int *in, int *in_weights, int most_out, int *out,
                             int *out_weights);
int MPI_Neighbor_allgather(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                           MPI_Datatype out_type, MPI_Comm comm);
int MPI_Ineighbor_allgather(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                            MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int *counts,
                            const int *places, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Ineighbor_allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int *counts,
                             const int *places, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_alltoall(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                          MPI_Comm comm);
int MPI_Ineighbor_alltoall(const void *in, int count, MPI_Datatype type, void *out, int out_count,
                           MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int MPI_Neighbor_alltoallv(const void *in, const int *counts, const int *places, MPI_Datatype type, void *out,
                           const int *out_counts, const int *out_places, MPI_Datatype out_type, MPI_Comm comm);
int MPI_Ineighbor_alltoallv(const void *in, const int *counts, const int *places, MPI_Datatype type, void *out,
                            const int *out_counts, const int *out_places, MPI_Datatype out_type, MPI_Comm comm,
                            MPI_Request *request);
int MPI_Neighbor_alltoallw(const void *in, const int *counts, const MPI_Aint *places, const MPI_Datatype *types,
                           void *out, const int *out_counts, const MPI_Aint *out_places, const MPI_Datatype *out_types,
                           MPI_Comm comm);
int MPI_Ineighbor_alltoallw(const void *in, const int *counts, const MPI_Aint *places, const MPI_Datatype *types,
                            void *out, const int *out_counts, const MPI_Aint *out_places, const MPI_Datatype *out_types,
                            MPI_Comm comm, MPI_Request *request);
int MPI_Cart_map(MPI_Comm comm, int count, const int *sizes, const int *periods, int *rank);
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win);
int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *unit, void *base);
int MPI_Cancel(MPI_Request *request);
int MPI_Type_create_darray(int size, int rank, int count, const int *sizes, const int *distributions,
                           const int *arguments, const int *processes, int order, MPI_Datatype old, MPI_Datatype *made);
int MPI_Pack_external_size(const char *form, int count, MPI_Datatype type, MPI_Aint *size);
int MPI_Pack_external(const char *form, const void *from, int count, MPI_Datatype type, void *to, MPI_Aint room,
                      MPI_Aint *at);
int MPI_Unpack_external(const char *form, const void *from, MPI_Aint size, MPI_Aint *at, void *to, int count,
                        MPI_Datatype type);
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made);
int MPI_Comm_disconnect(MPI_Comm *comm);
int MPI_Comm_get_parent(MPI_Comm *parent);
int MPI_Win_test(MPI_Win win, int *flag);
int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status);
int MPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *found, MPI_Request *request);
int MPI_Grequest_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *release,
                       MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request);
int MPI_Grequest_complete(MPI_Request request);
int MPI_Win_set_info(MPI_Win win, MPI_Info info);
int MPI_Win_get_info(MPI_Win win, MPI_Info *info);
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent);
int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lb, MPI_Count *extent);
int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag);
int MPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size);
int MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int room, int *at, MPI_Comm comm);
int MPI_Unpack(const void *from, int size, int *at, void *to, int count, MPI_Datatype type, MPI_Comm comm);
int MPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count);
int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count);
int MPI_Status_set_cancelled(MPI_Status *status, int flag);
int MPI_Type_match_size(int kind, int size, MPI_Datatype *type);
int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *found, MPI_Status *status);
int MPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *found, MPI_Status *status);
int MPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *found, MPI_Status *status);

/* All of these. */
/* clang-format off */
#define EO_MPI_NAMES(X) \
  X(Init) X(Init_thread) X(Initialized) X(Finalize) X(Finalized) X(Abort) X(Comm_rank) X(Comm_size) X(Get_processor_name) \
  X(Get_version) X(Wtime) X(Wtick) X(Send) X(Ssend) X(Rsend) X(Bsend) X(Recv) X(Barrier) X(Sendrecv) X(Sendrecv_replace) X(Probe) \
  X(Iprobe) X(Buffer_attach) X(Buffer_detach) X(Isend) X(Issend) X(Irsend) X(Ibsend) X(Irecv) X(Send_init) X(Ssend_init) \
  X(Rsend_init) X(Bsend_init) X(Recv_init) X(Start) X(Startall) X(Request_free) X(Wait) X(Waitall) X(Waitany) X(Waitsome) X(Test) \
  X(Testall) X(Testany) X(Testsome) X(Test_cancelled) X(Get_count) X(Comm_test_inter) X(Comm_group) X(Comm_compare) X(Comm_set_name) \
  X(Comm_get_name) X(Comm_dup) X(Comm_idup) X(Comm_split) X(Comm_create) X(Comm_free) X(Type_contiguous) X(Type_vector) \
  X(Type_create_hvector) X(Type_hvector) X(Type_indexed) X(Type_create_hindexed) X(Type_hindexed) X(Type_create_indexed_block) \
  X(Type_create_hindexed_block) X(Type_create_struct) X(Type_struct) X(Type_create_subarray) X(Type_create_resized) X(Type_dup) \
  X(Type_commit) X(Type_free) X(Type_set_name) X(Type_get_name) X(Type_get_extent) X(Type_get_true_extent) X(Type_extent) X(Type_lb) \
  X(Type_ub) X(Type_size) X(Type_size_x) X(Type_get_envelope) X(Type_get_contents) X(Get_address) X(Address) X(Aint_add) \
  X(Aint_diff) X(Group_size) X(Group_rank) X(Group_incl) X(Group_excl) X(Group_range_incl) X(Group_range_excl) X(Group_union) \
  X(Group_intersection) X(Group_difference) X(Group_translate_ranks) X(Group_compare) X(Group_free) X(Ibarrier) X(Bcast) X(Ibcast) \
  X(Gather) X(Igather) X(Gatherv) X(Igatherv) X(Scatter) X(Iscatter) X(Scatterv) X(Iscatterv) X(Allgather) X(Iallgather) \
  X(Allgatherv) X(Iallgatherv) X(Alltoall) X(Ialltoall) X(Alltoallv) X(Ialltoallv) X(Alltoallw) X(Ialltoallw) X(Reduce) X(Ireduce) \
  X(Allreduce) X(Iallreduce) X(Reduce_scatter) X(Ireduce_scatter) X(Reduce_scatter_block) X(Ireduce_scatter_block) X(Scan) X(Iscan) \
  X(Exscan) X(Iexscan) X(Op_create) X(Op_free) X(Op_commutative) X(Reduce_local) X(Cart_create) X(Cart_sub) X(Cartdim_get) \
  X(Cart_get) X(Cart_rank) X(Cart_coords) X(Cart_shift) X(Topo_test) X(Dims_create) X(Put) X(Rput) X(Get) X(Rget) X(Accumulate) \
  X(Raccumulate) X(Get_accumulate) X(Rget_accumulate) X(Fetch_and_op) X(Compare_and_swap) X(Win_create) X(Win_allocate) \
  X(Win_create_dynamic) X(Win_attach) X(Win_detach) X(Win_free) X(Win_get_group) X(Win_set_name) X(Win_get_name) X(Win_fence) \
  X(Win_lock) X(Win_unlock) X(Win_lock_all) X(Win_unlock_all) X(Win_flush) X(Win_flush_all) X(Win_flush_local) \
  X(Win_flush_local_all) X(Win_sync) X(Win_post) X(Win_start) X(Win_complete) X(Win_wait) X(Comm_split_type) X(Comm_remote_size) \
  X(Alloc_mem) X(Free_mem) X(Get_library_version) X(Query_thread) X(Is_thread_main) X(Info_create) X(Info_free) X(Info_set) \
  X(Info_get) X(Info_get_valuelen) X(Info_get_nkeys) X(Info_get_nthkey) X(Info_delete) X(Info_dup) X(Comm_create_errhandler) \
  X(Win_create_errhandler) X(Errhandler_free) X(Comm_set_errhandler) X(Errhandler_set) X(Comm_get_errhandler) X(Win_set_errhandler) \
  X(Error_class) X(Error_string) X(Comm_create_keyval) X(Comm_free_keyval) X(Comm_set_attr) X(Comm_get_attr) X(Comm_delete_attr) \
  X(Keyval_create) X(Keyval_free) X(Attr_put) X(Attr_get) X(Attr_delete) X(Type_create_keyval) X(Type_free_keyval) X(Type_set_attr) \
  X(Type_get_attr) X(Type_delete_attr) X(Win_create_keyval) X(Win_free_keyval) X(Win_set_attr) X(Win_delete_attr) \
  X(Win_get_errhandler) X(Errhandler_create) X(Errhandler_get) X(Comm_call_errhandler) X(Win_call_errhandler) X(Add_error_class) \
  X(Add_error_code) X(Add_error_string) X(Pcontrol) X(Intercomm_create) X(Intercomm_merge) X(Comm_remote_group) X(Comm_create_group) \
  X(Graph_create) X(Graphdims_get) X(Graph_get) X(Graph_neighbors_count) X(Graph_neighbors) X(Graph_map) \
  X(Dist_graph_create_adjacent) X(Dist_graph_create) X(Dist_graph_neighbors_count) X(Dist_graph_neighbors) X(Neighbor_allgather) \
  X(Ineighbor_allgather) X(Neighbor_allgatherv) X(Ineighbor_allgatherv) X(Neighbor_alltoall) X(Ineighbor_alltoall) \
  X(Neighbor_alltoallv) X(Ineighbor_alltoallv) X(Neighbor_alltoallw) X(Ineighbor_alltoallw) X(Cart_map) X(Win_allocate_shared) \
  X(Win_shared_query) X(Cancel) X(Type_create_darray) X(Pack_external_size) X(Pack_external) X(Unpack_external) X(Comm_set_info) \
  X(Comm_get_info) X(Comm_dup_with_info) X(Comm_disconnect) X(Comm_get_parent) X(Win_test) X(Request_get_status) X(Imrecv) \
  X(Grequest_start) X(Grequest_complete) X(Win_set_info) X(Win_get_info) X(Type_get_extent_x) X(Type_get_true_extent_x) \
  X(Win_get_attr) X(Pack_size) X(Pack) X(Unpack) X(Get_elements) X(Get_elements_x) X(Status_set_elements) X(Status_set_elements_x) \
  X(Status_set_cancelled) X(Type_match_size) X(Mprobe) X(Improbe) X(Mrecv)
/* clang-format on */

/* Each of them under the name of the profiling interface, too. In the library, those are the functions themselves, and the others lead
 * there (names.c), so that a program can have its own in their place. */
#define EO_MPI_PROFILED(name) extern __typeof__(MPI_##name) PMPI_##name;
#define EO_MPI_INSIDE(name) extern __typeof__(MPI_##name) MPI_##name __asm__("PMPI_" #name);
#ifdef EO_MPI_LIBRARY
EO_MPI_NAMES(EO_MPI_INSIDE)
#else
EO_MPI_NAMES(EO_MPI_PROFILED)
#endif

/* ---- Where a call stands in the source -------------------------------------------------------------------------
 *
 * Findings name the line of a call. A file that defines functions of these names itself (a layer for profiling) needs them without
 * macros: eo-mpicc finds which ones these are, and defines EO_MPI_OWN_MPI_Send and so on. Where it cannot, as they come from macros of
 * the program, the file defines EO_MPI_PLAIN, which leaves out all macros. */
#define eo_mpi_call(name, text, ...) (eo_mpi_here(text, #name), name(__VA_ARGS__))
#define eo_mpi_missing(name, text, ...) (eo_mpi_here(text, #name), eo_mpi_not_there(#name, ##__VA_ARGS__))
#define eo_mpi_plain(name, text, ...) name(__VA_ARGS__)
#define EO_MPI_SECOND_OF(first, second, ...) second
#define EO_MPI_SECOND(...) EO_MPI_SECOND_OF(__VA_ARGS__, )
#define EO_MPI_CALL(name, text, ...) EO_MPI_SECOND(EO_MPI_OWN_##name, eo_mpi_call)(name, text, __VA_ARGS__)
#define EO_MPI_MISSING(name, ...) EO_MPI_SECOND(EO_MPI_OWN_##name, eo_mpi_missing)(name, NULL, ##__VA_ARGS__)

/* Of a layer. The line is that of the call of the program that led there, if it was of the same function. */
#define EO_MPI_BELOW(name, text, ...)                                                                          \
  (__extension__({                                                                                             \
     static const eo_mpi_place eo_mpi_place_below = {__FILE__, __func__, __LINE__, "world, \"" #name "\"", 0}; \
     eo_mpi_below(&eo_mpi_place_below, #name);                                                                 \
   }),                                                                                                         \
   P##name(__VA_ARGS__))

/* A program that calls MPI_Cancel says so, since what it could undo is kept only then. */
#define EO_MPI_CANCELS                                                                     \
  (__extension__({                                                                         \
    static const char eo_mpi_cancels __attribute__((section("eo_mpi_cancels"), used)) = 1; \
    (void)eo_mpi_cancels;                                                                  \
  }))
#define eo_mpi_call_cancel(name, text, ...) (EO_MPI_CANCELS, eo_mpi_call(name, text, __VA_ARGS__))
#define EO_MPI_CALL_CANCEL(name, text, ...) \
  EO_MPI_SECOND(EO_MPI_OWN_##name, eo_mpi_call_cancel)(name, text, __VA_ARGS__)

#ifndef EO_MPI_PLAIN
#define MPI_Init(...) EO_MPI_CALL(MPI_Init, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Init(...) EO_MPI_BELOW(MPI_Init, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Init_thread(...) EO_MPI_CALL(MPI_Init_thread, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Init_thread(...) EO_MPI_BELOW(MPI_Init_thread, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Initialized(...) EO_MPI_CALL(MPI_Initialized, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Initialized(...) EO_MPI_BELOW(MPI_Initialized, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Finalize(...) EO_MPI_CALL(MPI_Finalize, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Finalize(...) EO_MPI_BELOW(MPI_Finalize, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Finalized(...) EO_MPI_CALL(MPI_Finalized, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Finalized(...) EO_MPI_BELOW(MPI_Finalized, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Abort(...) EO_MPI_CALL(MPI_Abort, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Abort(...) EO_MPI_BELOW(MPI_Abort, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_rank(...) EO_MPI_CALL(MPI_Comm_rank, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_rank(...) EO_MPI_BELOW(MPI_Comm_rank, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_size(...) EO_MPI_CALL(MPI_Comm_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_size(...) EO_MPI_BELOW(MPI_Comm_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_processor_name(...) EO_MPI_CALL(MPI_Get_processor_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_processor_name(...) EO_MPI_BELOW(MPI_Get_processor_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_version(...) EO_MPI_CALL(MPI_Get_version, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_version(...) EO_MPI_BELOW(MPI_Get_version, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Wtime(...) EO_MPI_CALL(MPI_Wtime, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Wtime(...) EO_MPI_BELOW(MPI_Wtime, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Wtick(...) EO_MPI_CALL(MPI_Wtick, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Wtick(...) EO_MPI_BELOW(MPI_Wtick, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Send(...) EO_MPI_CALL(MPI_Send, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Send(...) EO_MPI_BELOW(MPI_Send, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ssend(...) EO_MPI_CALL(MPI_Ssend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ssend(...) EO_MPI_BELOW(MPI_Ssend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Rsend(...) EO_MPI_CALL(MPI_Rsend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Rsend(...) EO_MPI_BELOW(MPI_Rsend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Bsend(...) EO_MPI_CALL(MPI_Bsend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Bsend(...) EO_MPI_BELOW(MPI_Bsend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Recv(...) EO_MPI_CALL(MPI_Recv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Recv(...) EO_MPI_BELOW(MPI_Recv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Barrier(...) EO_MPI_CALL(MPI_Barrier, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Barrier(...) EO_MPI_BELOW(MPI_Barrier, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Sendrecv(...) EO_MPI_CALL(MPI_Sendrecv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Sendrecv(...) EO_MPI_BELOW(MPI_Sendrecv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Sendrecv_replace(...) EO_MPI_CALL(MPI_Sendrecv_replace, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Sendrecv_replace(...) EO_MPI_BELOW(MPI_Sendrecv_replace, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Probe(...) EO_MPI_CALL(MPI_Probe, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Probe(...) EO_MPI_BELOW(MPI_Probe, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iprobe(...) EO_MPI_CALL(MPI_Iprobe, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iprobe(...) EO_MPI_BELOW(MPI_Iprobe, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Buffer_attach(...) EO_MPI_CALL(MPI_Buffer_attach, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Buffer_attach(...) EO_MPI_BELOW(MPI_Buffer_attach, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Buffer_detach(...) EO_MPI_CALL(MPI_Buffer_detach, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Buffer_detach(...) EO_MPI_BELOW(MPI_Buffer_detach, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Isend(...) EO_MPI_CALL(MPI_Isend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Isend(...) EO_MPI_BELOW(MPI_Isend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Issend(...) EO_MPI_CALL(MPI_Issend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Issend(...) EO_MPI_BELOW(MPI_Issend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Irsend(...) EO_MPI_CALL(MPI_Irsend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Irsend(...) EO_MPI_BELOW(MPI_Irsend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ibsend(...) EO_MPI_CALL(MPI_Ibsend, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ibsend(...) EO_MPI_BELOW(MPI_Ibsend, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Irecv(...) EO_MPI_CALL(MPI_Irecv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Irecv(...) EO_MPI_BELOW(MPI_Irecv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Send_init(...) EO_MPI_CALL(MPI_Send_init, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Send_init(...) EO_MPI_BELOW(MPI_Send_init, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ssend_init(...) EO_MPI_CALL(MPI_Ssend_init, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ssend_init(...) EO_MPI_BELOW(MPI_Ssend_init, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Rsend_init(...) EO_MPI_CALL(MPI_Rsend_init, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Rsend_init(...) EO_MPI_BELOW(MPI_Rsend_init, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Bsend_init(...) EO_MPI_CALL(MPI_Bsend_init, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Bsend_init(...) EO_MPI_BELOW(MPI_Bsend_init, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Recv_init(...) EO_MPI_CALL(MPI_Recv_init, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Recv_init(...) EO_MPI_BELOW(MPI_Recv_init, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Start(...) EO_MPI_CALL(MPI_Start, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Start(...) EO_MPI_BELOW(MPI_Start, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Startall(...) EO_MPI_CALL(MPI_Startall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Startall(...) EO_MPI_BELOW(MPI_Startall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Request_free(...) EO_MPI_CALL(MPI_Request_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Request_free(...) EO_MPI_BELOW(MPI_Request_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Wait(...) EO_MPI_CALL(MPI_Wait, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Wait(...) EO_MPI_BELOW(MPI_Wait, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Waitall(...) EO_MPI_CALL(MPI_Waitall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Waitall(...) EO_MPI_BELOW(MPI_Waitall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Waitany(...) EO_MPI_CALL(MPI_Waitany, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Waitany(...) EO_MPI_BELOW(MPI_Waitany, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Waitsome(...) EO_MPI_CALL(MPI_Waitsome, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Waitsome(...) EO_MPI_BELOW(MPI_Waitsome, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Test(...) EO_MPI_CALL(MPI_Test, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Test(...) EO_MPI_BELOW(MPI_Test, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Testall(...) EO_MPI_CALL(MPI_Testall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Testall(...) EO_MPI_BELOW(MPI_Testall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Testany(...) EO_MPI_CALL(MPI_Testany, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Testany(...) EO_MPI_BELOW(MPI_Testany, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Testsome(...) EO_MPI_CALL(MPI_Testsome, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Testsome(...) EO_MPI_BELOW(MPI_Testsome, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Test_cancelled(...) EO_MPI_CALL(MPI_Test_cancelled, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Test_cancelled(...) EO_MPI_BELOW(MPI_Test_cancelled, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_count(...) EO_MPI_CALL(MPI_Get_count, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_count(...) EO_MPI_BELOW(MPI_Get_count, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_test_inter(...) EO_MPI_CALL(MPI_Comm_test_inter, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_test_inter(...) EO_MPI_BELOW(MPI_Comm_test_inter, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_group(...) EO_MPI_CALL(MPI_Comm_group, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_group(...) EO_MPI_BELOW(MPI_Comm_group, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_compare(...) EO_MPI_CALL(MPI_Comm_compare, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_compare(...) EO_MPI_BELOW(MPI_Comm_compare, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_set_name(...) EO_MPI_CALL(MPI_Comm_set_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_set_name(...) EO_MPI_BELOW(MPI_Comm_set_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_get_name(...) EO_MPI_CALL(MPI_Comm_get_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_get_name(...) EO_MPI_BELOW(MPI_Comm_get_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_dup(...) EO_MPI_CALL(MPI_Comm_dup, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_dup(...) EO_MPI_BELOW(MPI_Comm_dup, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_idup(...) EO_MPI_CALL(MPI_Comm_idup, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_idup(...) EO_MPI_BELOW(MPI_Comm_idup, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_split(...) EO_MPI_CALL(MPI_Comm_split, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_split(...) EO_MPI_BELOW(MPI_Comm_split, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_create(...) EO_MPI_CALL(MPI_Comm_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_create(...) EO_MPI_BELOW(MPI_Comm_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_free(...) EO_MPI_CALL(MPI_Comm_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_free(...) EO_MPI_BELOW(MPI_Comm_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_contiguous(...) EO_MPI_CALL(MPI_Type_contiguous, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_contiguous(...) EO_MPI_BELOW(MPI_Type_contiguous, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_vector(...) EO_MPI_CALL(MPI_Type_vector, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_vector(...) EO_MPI_BELOW(MPI_Type_vector, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_hvector(...) EO_MPI_CALL(MPI_Type_create_hvector, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_hvector(...) EO_MPI_BELOW(MPI_Type_create_hvector, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_hvector(...) EO_MPI_CALL(MPI_Type_hvector, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_hvector(...) EO_MPI_BELOW(MPI_Type_hvector, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_indexed(...) EO_MPI_CALL(MPI_Type_indexed, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_indexed(...) EO_MPI_BELOW(MPI_Type_indexed, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_hindexed(...) EO_MPI_CALL(MPI_Type_create_hindexed, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_hindexed(...) EO_MPI_BELOW(MPI_Type_create_hindexed, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_hindexed(...) EO_MPI_CALL(MPI_Type_hindexed, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_hindexed(...) EO_MPI_BELOW(MPI_Type_hindexed, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_indexed_block(...) EO_MPI_CALL(MPI_Type_create_indexed_block, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_indexed_block(...) EO_MPI_BELOW(MPI_Type_create_indexed_block, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_hindexed_block(...) EO_MPI_CALL(MPI_Type_create_hindexed_block, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_hindexed_block(...) EO_MPI_BELOW(MPI_Type_create_hindexed_block, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_struct(...) EO_MPI_CALL(MPI_Type_create_struct, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_struct(...) EO_MPI_BELOW(MPI_Type_create_struct, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_struct(...) EO_MPI_CALL(MPI_Type_struct, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_struct(...) EO_MPI_BELOW(MPI_Type_struct, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_subarray(...) EO_MPI_CALL(MPI_Type_create_subarray, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_subarray(...) EO_MPI_BELOW(MPI_Type_create_subarray, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_resized(...) EO_MPI_CALL(MPI_Type_create_resized, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_resized(...) EO_MPI_BELOW(MPI_Type_create_resized, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_dup(...) EO_MPI_CALL(MPI_Type_dup, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_dup(...) EO_MPI_BELOW(MPI_Type_dup, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_commit(...) EO_MPI_CALL(MPI_Type_commit, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_commit(...) EO_MPI_BELOW(MPI_Type_commit, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_free(...) EO_MPI_CALL(MPI_Type_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_free(...) EO_MPI_BELOW(MPI_Type_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_set_name(...) EO_MPI_CALL(MPI_Type_set_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_set_name(...) EO_MPI_BELOW(MPI_Type_set_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_name(...) EO_MPI_CALL(MPI_Type_get_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_name(...) EO_MPI_BELOW(MPI_Type_get_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_extent(...) EO_MPI_CALL(MPI_Type_get_extent, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_extent(...) EO_MPI_BELOW(MPI_Type_get_extent, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_true_extent(...) EO_MPI_CALL(MPI_Type_get_true_extent, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_true_extent(...) EO_MPI_BELOW(MPI_Type_get_true_extent, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_extent(...) EO_MPI_CALL(MPI_Type_extent, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_extent(...) EO_MPI_BELOW(MPI_Type_extent, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_lb(...) EO_MPI_CALL(MPI_Type_lb, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_lb(...) EO_MPI_BELOW(MPI_Type_lb, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_ub(...) EO_MPI_CALL(MPI_Type_ub, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_ub(...) EO_MPI_BELOW(MPI_Type_ub, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_size(...) EO_MPI_CALL(MPI_Type_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_size(...) EO_MPI_BELOW(MPI_Type_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_size_x(...) EO_MPI_CALL(MPI_Type_size_x, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_size_x(...) EO_MPI_BELOW(MPI_Type_size_x, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_envelope(...) EO_MPI_CALL(MPI_Type_get_envelope, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_envelope(...) EO_MPI_BELOW(MPI_Type_get_envelope, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_contents(...) EO_MPI_CALL(MPI_Type_get_contents, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_contents(...) EO_MPI_BELOW(MPI_Type_get_contents, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_address(...) EO_MPI_CALL(MPI_Get_address, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_address(...) EO_MPI_BELOW(MPI_Get_address, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Address(...) EO_MPI_CALL(MPI_Address, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Address(...) EO_MPI_BELOW(MPI_Address, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Aint_add(...) EO_MPI_CALL(MPI_Aint_add, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Aint_add(...) EO_MPI_BELOW(MPI_Aint_add, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Aint_diff(...) EO_MPI_CALL(MPI_Aint_diff, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Aint_diff(...) EO_MPI_BELOW(MPI_Aint_diff, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_size(...) EO_MPI_CALL(MPI_Group_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_size(...) EO_MPI_BELOW(MPI_Group_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_rank(...) EO_MPI_CALL(MPI_Group_rank, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_rank(...) EO_MPI_BELOW(MPI_Group_rank, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_incl(...) EO_MPI_CALL(MPI_Group_incl, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_incl(...) EO_MPI_BELOW(MPI_Group_incl, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_excl(...) EO_MPI_CALL(MPI_Group_excl, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_excl(...) EO_MPI_BELOW(MPI_Group_excl, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_range_incl(...) EO_MPI_CALL(MPI_Group_range_incl, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_range_incl(...) EO_MPI_BELOW(MPI_Group_range_incl, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_range_excl(...) EO_MPI_CALL(MPI_Group_range_excl, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_range_excl(...) EO_MPI_BELOW(MPI_Group_range_excl, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_union(...) EO_MPI_CALL(MPI_Group_union, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_union(...) EO_MPI_BELOW(MPI_Group_union, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_intersection(...) EO_MPI_CALL(MPI_Group_intersection, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_intersection(...) EO_MPI_BELOW(MPI_Group_intersection, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_difference(...) EO_MPI_CALL(MPI_Group_difference, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_difference(...) EO_MPI_BELOW(MPI_Group_difference, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_translate_ranks(...) EO_MPI_CALL(MPI_Group_translate_ranks, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_translate_ranks(...) EO_MPI_BELOW(MPI_Group_translate_ranks, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_compare(...) EO_MPI_CALL(MPI_Group_compare, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_compare(...) EO_MPI_BELOW(MPI_Group_compare, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Group_free(...) EO_MPI_CALL(MPI_Group_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Group_free(...) EO_MPI_BELOW(MPI_Group_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ibarrier(...) EO_MPI_CALL(MPI_Ibarrier, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ibarrier(...) EO_MPI_BELOW(MPI_Ibarrier, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Bcast(...) EO_MPI_CALL(MPI_Bcast, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Bcast(...) EO_MPI_BELOW(MPI_Bcast, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ibcast(...) EO_MPI_CALL(MPI_Ibcast, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ibcast(...) EO_MPI_BELOW(MPI_Ibcast, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Gather(...) EO_MPI_CALL(MPI_Gather, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Gather(...) EO_MPI_BELOW(MPI_Gather, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Igather(...) EO_MPI_CALL(MPI_Igather, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Igather(...) EO_MPI_BELOW(MPI_Igather, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Gatherv(...) EO_MPI_CALL(MPI_Gatherv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Gatherv(...) EO_MPI_BELOW(MPI_Gatherv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Igatherv(...) EO_MPI_CALL(MPI_Igatherv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Igatherv(...) EO_MPI_BELOW(MPI_Igatherv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Scatter(...) EO_MPI_CALL(MPI_Scatter, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Scatter(...) EO_MPI_BELOW(MPI_Scatter, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iscatter(...) EO_MPI_CALL(MPI_Iscatter, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iscatter(...) EO_MPI_BELOW(MPI_Iscatter, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Scatterv(...) EO_MPI_CALL(MPI_Scatterv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Scatterv(...) EO_MPI_BELOW(MPI_Scatterv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iscatterv(...) EO_MPI_CALL(MPI_Iscatterv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iscatterv(...) EO_MPI_BELOW(MPI_Iscatterv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Allgather(...) EO_MPI_CALL(MPI_Allgather, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Allgather(...) EO_MPI_BELOW(MPI_Allgather, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iallgather(...) EO_MPI_CALL(MPI_Iallgather, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iallgather(...) EO_MPI_BELOW(MPI_Iallgather, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Allgatherv(...) EO_MPI_CALL(MPI_Allgatherv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Allgatherv(...) EO_MPI_BELOW(MPI_Allgatherv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iallgatherv(...) EO_MPI_CALL(MPI_Iallgatherv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iallgatherv(...) EO_MPI_BELOW(MPI_Iallgatherv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Alltoall(...) EO_MPI_CALL(MPI_Alltoall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Alltoall(...) EO_MPI_BELOW(MPI_Alltoall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ialltoall(...) EO_MPI_CALL(MPI_Ialltoall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ialltoall(...) EO_MPI_BELOW(MPI_Ialltoall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Alltoallv(...) EO_MPI_CALL(MPI_Alltoallv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Alltoallv(...) EO_MPI_BELOW(MPI_Alltoallv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ialltoallv(...) EO_MPI_CALL(MPI_Ialltoallv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ialltoallv(...) EO_MPI_BELOW(MPI_Ialltoallv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Alltoallw(...) EO_MPI_CALL(MPI_Alltoallw, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Alltoallw(...) EO_MPI_BELOW(MPI_Alltoallw, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ialltoallw(...) EO_MPI_CALL(MPI_Ialltoallw, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ialltoallw(...) EO_MPI_BELOW(MPI_Ialltoallw, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Reduce(...) EO_MPI_CALL(MPI_Reduce, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Reduce(...) EO_MPI_BELOW(MPI_Reduce, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ireduce(...) EO_MPI_CALL(MPI_Ireduce, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ireduce(...) EO_MPI_BELOW(MPI_Ireduce, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Allreduce(...) EO_MPI_CALL(MPI_Allreduce, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Allreduce(...) EO_MPI_BELOW(MPI_Allreduce, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iallreduce(...) EO_MPI_CALL(MPI_Iallreduce, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iallreduce(...) EO_MPI_BELOW(MPI_Iallreduce, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Reduce_scatter(...) EO_MPI_CALL(MPI_Reduce_scatter, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Reduce_scatter(...) EO_MPI_BELOW(MPI_Reduce_scatter, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ireduce_scatter(...) EO_MPI_CALL(MPI_Ireduce_scatter, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ireduce_scatter(...) EO_MPI_BELOW(MPI_Ireduce_scatter, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Reduce_scatter_block(...) EO_MPI_CALL(MPI_Reduce_scatter_block, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Reduce_scatter_block(...) EO_MPI_BELOW(MPI_Reduce_scatter_block, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ireduce_scatter_block(...) EO_MPI_CALL(MPI_Ireduce_scatter_block, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ireduce_scatter_block(...) EO_MPI_BELOW(MPI_Ireduce_scatter_block, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Scan(...) EO_MPI_CALL(MPI_Scan, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Scan(...) EO_MPI_BELOW(MPI_Scan, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iscan(...) EO_MPI_CALL(MPI_Iscan, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iscan(...) EO_MPI_BELOW(MPI_Iscan, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Exscan(...) EO_MPI_CALL(MPI_Exscan, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Exscan(...) EO_MPI_BELOW(MPI_Exscan, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Iexscan(...) EO_MPI_CALL(MPI_Iexscan, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Iexscan(...) EO_MPI_BELOW(MPI_Iexscan, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Op_create(...) EO_MPI_CALL(MPI_Op_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Op_create(...) EO_MPI_BELOW(MPI_Op_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Op_free(...) EO_MPI_CALL(MPI_Op_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Op_free(...) EO_MPI_BELOW(MPI_Op_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Op_commutative(...) EO_MPI_CALL(MPI_Op_commutative, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Op_commutative(...) EO_MPI_BELOW(MPI_Op_commutative, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Reduce_local(...) EO_MPI_CALL(MPI_Reduce_local, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Reduce_local(...) EO_MPI_BELOW(MPI_Reduce_local, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_create(...) EO_MPI_CALL(MPI_Cart_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_create(...) EO_MPI_BELOW(MPI_Cart_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_sub(...) EO_MPI_CALL(MPI_Cart_sub, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_sub(...) EO_MPI_BELOW(MPI_Cart_sub, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cartdim_get(...) EO_MPI_CALL(MPI_Cartdim_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cartdim_get(...) EO_MPI_BELOW(MPI_Cartdim_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_get(...) EO_MPI_CALL(MPI_Cart_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_get(...) EO_MPI_BELOW(MPI_Cart_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_rank(...) EO_MPI_CALL(MPI_Cart_rank, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_rank(...) EO_MPI_BELOW(MPI_Cart_rank, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_coords(...) EO_MPI_CALL(MPI_Cart_coords, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_coords(...) EO_MPI_BELOW(MPI_Cart_coords, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_shift(...) EO_MPI_CALL(MPI_Cart_shift, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_shift(...) EO_MPI_BELOW(MPI_Cart_shift, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Topo_test(...) EO_MPI_CALL(MPI_Topo_test, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Topo_test(...) EO_MPI_BELOW(MPI_Topo_test, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Dims_create(...) EO_MPI_CALL(MPI_Dims_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Dims_create(...) EO_MPI_BELOW(MPI_Dims_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Put(...) EO_MPI_CALL(MPI_Put, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Put(...) EO_MPI_BELOW(MPI_Put, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Rput(...) EO_MPI_CALL(MPI_Rput, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Rput(...) EO_MPI_BELOW(MPI_Rput, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get(...) EO_MPI_CALL(MPI_Get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get(...) EO_MPI_BELOW(MPI_Get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Rget(...) EO_MPI_CALL(MPI_Rget, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Rget(...) EO_MPI_BELOW(MPI_Rget, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Accumulate(...) EO_MPI_CALL(MPI_Accumulate, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Accumulate(...) EO_MPI_BELOW(MPI_Accumulate, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Raccumulate(...) EO_MPI_CALL(MPI_Raccumulate, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Raccumulate(...) EO_MPI_BELOW(MPI_Raccumulate, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_accumulate(...) EO_MPI_CALL(MPI_Get_accumulate, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_accumulate(...) EO_MPI_BELOW(MPI_Get_accumulate, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Rget_accumulate(...) EO_MPI_CALL(MPI_Rget_accumulate, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Rget_accumulate(...) EO_MPI_BELOW(MPI_Rget_accumulate, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Fetch_and_op(...) EO_MPI_CALL(MPI_Fetch_and_op, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Fetch_and_op(...) EO_MPI_BELOW(MPI_Fetch_and_op, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Compare_and_swap(...) EO_MPI_CALL(MPI_Compare_and_swap, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Compare_and_swap(...) EO_MPI_BELOW(MPI_Compare_and_swap, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_create(...) EO_MPI_CALL(MPI_Win_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_create(...) EO_MPI_BELOW(MPI_Win_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_allocate(...) EO_MPI_CALL(MPI_Win_allocate, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_allocate(...) EO_MPI_BELOW(MPI_Win_allocate, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_create_dynamic(...) EO_MPI_CALL(MPI_Win_create_dynamic, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_create_dynamic(...) EO_MPI_BELOW(MPI_Win_create_dynamic, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_attach(...) EO_MPI_CALL(MPI_Win_attach, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_attach(...) EO_MPI_BELOW(MPI_Win_attach, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_detach(...) EO_MPI_CALL(MPI_Win_detach, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_detach(...) EO_MPI_BELOW(MPI_Win_detach, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_free(...) EO_MPI_CALL(MPI_Win_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_free(...) EO_MPI_BELOW(MPI_Win_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_get_group(...) EO_MPI_CALL(MPI_Win_get_group, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_get_group(...) EO_MPI_BELOW(MPI_Win_get_group, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_set_name(...) EO_MPI_CALL(MPI_Win_set_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_set_name(...) EO_MPI_BELOW(MPI_Win_set_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_get_name(...) EO_MPI_CALL(MPI_Win_get_name, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_get_name(...) EO_MPI_BELOW(MPI_Win_get_name, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_fence(...) EO_MPI_CALL(MPI_Win_fence, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_fence(...) EO_MPI_BELOW(MPI_Win_fence, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_lock(...) EO_MPI_CALL(MPI_Win_lock, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_lock(...) EO_MPI_BELOW(MPI_Win_lock, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_unlock(...) EO_MPI_CALL(MPI_Win_unlock, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_unlock(...) EO_MPI_BELOW(MPI_Win_unlock, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_lock_all(...) EO_MPI_CALL(MPI_Win_lock_all, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_lock_all(...) EO_MPI_BELOW(MPI_Win_lock_all, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_unlock_all(...) EO_MPI_CALL(MPI_Win_unlock_all, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_unlock_all(...) EO_MPI_BELOW(MPI_Win_unlock_all, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_flush(...) EO_MPI_CALL(MPI_Win_flush, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_flush(...) EO_MPI_BELOW(MPI_Win_flush, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_flush_all(...) EO_MPI_CALL(MPI_Win_flush_all, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_flush_all(...) EO_MPI_BELOW(MPI_Win_flush_all, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_flush_local(...) EO_MPI_CALL(MPI_Win_flush_local, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_flush_local(...) EO_MPI_BELOW(MPI_Win_flush_local, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_flush_local_all(...) EO_MPI_CALL(MPI_Win_flush_local_all, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_flush_local_all(...) EO_MPI_BELOW(MPI_Win_flush_local_all, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_sync(...) EO_MPI_CALL(MPI_Win_sync, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_sync(...) EO_MPI_BELOW(MPI_Win_sync, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_post(...) EO_MPI_CALL(MPI_Win_post, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_post(...) EO_MPI_BELOW(MPI_Win_post, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_start(...) EO_MPI_CALL(MPI_Win_start, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_start(...) EO_MPI_BELOW(MPI_Win_start, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_complete(...) EO_MPI_CALL(MPI_Win_complete, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_complete(...) EO_MPI_BELOW(MPI_Win_complete, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_wait(...) EO_MPI_CALL(MPI_Win_wait, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_wait(...) EO_MPI_BELOW(MPI_Win_wait, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_split_type(...) EO_MPI_CALL(MPI_Comm_split_type, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_split_type(...) EO_MPI_BELOW(MPI_Comm_split_type, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_remote_size(...) EO_MPI_CALL(MPI_Comm_remote_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_remote_size(...) EO_MPI_BELOW(MPI_Comm_remote_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Alloc_mem(...) EO_MPI_CALL(MPI_Alloc_mem, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Alloc_mem(...) EO_MPI_BELOW(MPI_Alloc_mem, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Free_mem(...) EO_MPI_CALL(MPI_Free_mem, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Free_mem(...) EO_MPI_BELOW(MPI_Free_mem, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_library_version(...) EO_MPI_CALL(MPI_Get_library_version, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_library_version(...) EO_MPI_BELOW(MPI_Get_library_version, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Query_thread(...) EO_MPI_CALL(MPI_Query_thread, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Query_thread(...) EO_MPI_BELOW(MPI_Query_thread, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Is_thread_main(...) EO_MPI_CALL(MPI_Is_thread_main, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Is_thread_main(...) EO_MPI_BELOW(MPI_Is_thread_main, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_create(...) EO_MPI_CALL(MPI_Info_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_create(...) EO_MPI_BELOW(MPI_Info_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_free(...) EO_MPI_CALL(MPI_Info_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_free(...) EO_MPI_BELOW(MPI_Info_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_set(...) EO_MPI_CALL(MPI_Info_set, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_set(...) EO_MPI_BELOW(MPI_Info_set, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_get(...) EO_MPI_CALL(MPI_Info_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_get(...) EO_MPI_BELOW(MPI_Info_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_get_valuelen(...) EO_MPI_CALL(MPI_Info_get_valuelen, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_get_valuelen(...) EO_MPI_BELOW(MPI_Info_get_valuelen, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_get_nkeys(...) EO_MPI_CALL(MPI_Info_get_nkeys, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_get_nkeys(...) EO_MPI_BELOW(MPI_Info_get_nkeys, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_get_nthkey(...) EO_MPI_CALL(MPI_Info_get_nthkey, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_get_nthkey(...) EO_MPI_BELOW(MPI_Info_get_nthkey, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_delete(...) EO_MPI_CALL(MPI_Info_delete, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_delete(...) EO_MPI_BELOW(MPI_Info_delete, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Info_dup(...) EO_MPI_CALL(MPI_Info_dup, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Info_dup(...) EO_MPI_BELOW(MPI_Info_dup, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_create_errhandler(...) EO_MPI_CALL(MPI_Comm_create_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_create_errhandler(...) EO_MPI_BELOW(MPI_Comm_create_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_create_errhandler(...) EO_MPI_CALL(MPI_Win_create_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_create_errhandler(...) EO_MPI_BELOW(MPI_Win_create_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Errhandler_free(...) EO_MPI_CALL(MPI_Errhandler_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Errhandler_free(...) EO_MPI_BELOW(MPI_Errhandler_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_set_errhandler(...) EO_MPI_CALL(MPI_Comm_set_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_set_errhandler(...) EO_MPI_BELOW(MPI_Comm_set_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Errhandler_set(...) EO_MPI_CALL(MPI_Errhandler_set, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Errhandler_set(...) EO_MPI_BELOW(MPI_Errhandler_set, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_get_errhandler(...) EO_MPI_CALL(MPI_Comm_get_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_get_errhandler(...) EO_MPI_BELOW(MPI_Comm_get_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_set_errhandler(...) EO_MPI_CALL(MPI_Win_set_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_set_errhandler(...) EO_MPI_BELOW(MPI_Win_set_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Error_class(...) EO_MPI_CALL(MPI_Error_class, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Error_class(...) EO_MPI_BELOW(MPI_Error_class, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Error_string(...) EO_MPI_CALL(MPI_Error_string, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Error_string(...) EO_MPI_BELOW(MPI_Error_string, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_create_keyval(...) EO_MPI_CALL(MPI_Comm_create_keyval, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_create_keyval(...) EO_MPI_BELOW(MPI_Comm_create_keyval, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_free_keyval(...) EO_MPI_CALL(MPI_Comm_free_keyval, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_free_keyval(...) EO_MPI_BELOW(MPI_Comm_free_keyval, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_set_attr(...) EO_MPI_CALL(MPI_Comm_set_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_set_attr(...) EO_MPI_BELOW(MPI_Comm_set_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_get_attr(...) EO_MPI_CALL(MPI_Comm_get_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_get_attr(...) EO_MPI_BELOW(MPI_Comm_get_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_delete_attr(...) EO_MPI_CALL(MPI_Comm_delete_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_delete_attr(...) EO_MPI_BELOW(MPI_Comm_delete_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Keyval_create(...) EO_MPI_CALL(MPI_Keyval_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Keyval_create(...) EO_MPI_BELOW(MPI_Keyval_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Keyval_free(...) EO_MPI_CALL(MPI_Keyval_free, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Keyval_free(...) EO_MPI_BELOW(MPI_Keyval_free, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Attr_put(...) EO_MPI_CALL(MPI_Attr_put, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Attr_put(...) EO_MPI_BELOW(MPI_Attr_put, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Attr_get(...) EO_MPI_CALL(MPI_Attr_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Attr_get(...) EO_MPI_BELOW(MPI_Attr_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Attr_delete(...) EO_MPI_CALL(MPI_Attr_delete, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Attr_delete(...) EO_MPI_BELOW(MPI_Attr_delete, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_create_keyval(...) EO_MPI_CALL(MPI_Type_create_keyval, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_keyval(...) EO_MPI_BELOW(MPI_Type_create_keyval, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_free_keyval(...) EO_MPI_CALL(MPI_Type_free_keyval, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_free_keyval(...) EO_MPI_BELOW(MPI_Type_free_keyval, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_set_attr(...) EO_MPI_CALL(MPI_Type_set_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_set_attr(...) EO_MPI_BELOW(MPI_Type_set_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_attr(...) EO_MPI_CALL(MPI_Type_get_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_attr(...) EO_MPI_BELOW(MPI_Type_get_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_delete_attr(...) EO_MPI_CALL(MPI_Type_delete_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_delete_attr(...) EO_MPI_BELOW(MPI_Type_delete_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_create_keyval(...) EO_MPI_CALL(MPI_Win_create_keyval, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_create_keyval(...) EO_MPI_BELOW(MPI_Win_create_keyval, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_free_keyval(...) EO_MPI_CALL(MPI_Win_free_keyval, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_free_keyval(...) EO_MPI_BELOW(MPI_Win_free_keyval, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_set_attr(...) EO_MPI_CALL(MPI_Win_set_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_set_attr(...) EO_MPI_BELOW(MPI_Win_set_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_delete_attr(...) EO_MPI_CALL(MPI_Win_delete_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_delete_attr(...) EO_MPI_BELOW(MPI_Win_delete_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_get_errhandler(...) EO_MPI_CALL(MPI_Win_get_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_get_errhandler(...) EO_MPI_BELOW(MPI_Win_get_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Errhandler_create(...) EO_MPI_CALL(MPI_Errhandler_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Errhandler_create(...) EO_MPI_BELOW(MPI_Errhandler_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Errhandler_get(...) EO_MPI_CALL(MPI_Errhandler_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Errhandler_get(...) EO_MPI_BELOW(MPI_Errhandler_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_call_errhandler(...) EO_MPI_CALL(MPI_Comm_call_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_call_errhandler(...) EO_MPI_BELOW(MPI_Comm_call_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_call_errhandler(...) EO_MPI_CALL(MPI_Win_call_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_call_errhandler(...) EO_MPI_BELOW(MPI_Win_call_errhandler, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Add_error_class(...) EO_MPI_CALL(MPI_Add_error_class, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Add_error_class(...) EO_MPI_BELOW(MPI_Add_error_class, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Add_error_code(...) EO_MPI_CALL(MPI_Add_error_code, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Add_error_code(...) EO_MPI_BELOW(MPI_Add_error_code, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Add_error_string(...) EO_MPI_CALL(MPI_Add_error_string, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Add_error_string(...) EO_MPI_BELOW(MPI_Add_error_string, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Pcontrol(...) EO_MPI_CALL(MPI_Pcontrol, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Pcontrol(...) EO_MPI_BELOW(MPI_Pcontrol, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Intercomm_create(...) EO_MPI_CALL(MPI_Intercomm_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Intercomm_create(...) EO_MPI_BELOW(MPI_Intercomm_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Intercomm_merge(...) EO_MPI_CALL(MPI_Intercomm_merge, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Intercomm_merge(...) EO_MPI_BELOW(MPI_Intercomm_merge, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_remote_group(...) EO_MPI_CALL(MPI_Comm_remote_group, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_remote_group(...) EO_MPI_BELOW(MPI_Comm_remote_group, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_create_group(...) EO_MPI_CALL(MPI_Comm_create_group, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_create_group(...) EO_MPI_BELOW(MPI_Comm_create_group, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Graph_create(...) EO_MPI_CALL(MPI_Graph_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Graph_create(...) EO_MPI_BELOW(MPI_Graph_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Graphdims_get(...) EO_MPI_CALL(MPI_Graphdims_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Graphdims_get(...) EO_MPI_BELOW(MPI_Graphdims_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Graph_get(...) EO_MPI_CALL(MPI_Graph_get, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Graph_get(...) EO_MPI_BELOW(MPI_Graph_get, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Graph_neighbors_count(...) EO_MPI_CALL(MPI_Graph_neighbors_count, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Graph_neighbors_count(...) EO_MPI_BELOW(MPI_Graph_neighbors_count, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Graph_neighbors(...) EO_MPI_CALL(MPI_Graph_neighbors, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Graph_neighbors(...) EO_MPI_BELOW(MPI_Graph_neighbors, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Graph_map(...) EO_MPI_CALL(MPI_Graph_map, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Graph_map(...) EO_MPI_BELOW(MPI_Graph_map, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Dist_graph_create_adjacent(...) EO_MPI_CALL(MPI_Dist_graph_create_adjacent, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Dist_graph_create_adjacent(...) EO_MPI_BELOW(MPI_Dist_graph_create_adjacent, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Dist_graph_create(...) EO_MPI_CALL(MPI_Dist_graph_create, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Dist_graph_create(...) EO_MPI_BELOW(MPI_Dist_graph_create, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Dist_graph_neighbors_count(...) EO_MPI_CALL(MPI_Dist_graph_neighbors_count, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Dist_graph_neighbors_count(...) EO_MPI_BELOW(MPI_Dist_graph_neighbors_count, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Dist_graph_neighbors(...) EO_MPI_CALL(MPI_Dist_graph_neighbors, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Dist_graph_neighbors(...) EO_MPI_BELOW(MPI_Dist_graph_neighbors, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Neighbor_allgather(...) EO_MPI_CALL(MPI_Neighbor_allgather, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Neighbor_allgather(...) EO_MPI_BELOW(MPI_Neighbor_allgather, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ineighbor_allgather(...) EO_MPI_CALL(MPI_Ineighbor_allgather, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ineighbor_allgather(...) EO_MPI_BELOW(MPI_Ineighbor_allgather, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Neighbor_allgatherv(...) EO_MPI_CALL(MPI_Neighbor_allgatherv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Neighbor_allgatherv(...) EO_MPI_BELOW(MPI_Neighbor_allgatherv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ineighbor_allgatherv(...) EO_MPI_CALL(MPI_Ineighbor_allgatherv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ineighbor_allgatherv(...) EO_MPI_BELOW(MPI_Ineighbor_allgatherv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Neighbor_alltoall(...) EO_MPI_CALL(MPI_Neighbor_alltoall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Neighbor_alltoall(...) EO_MPI_BELOW(MPI_Neighbor_alltoall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ineighbor_alltoall(...) EO_MPI_CALL(MPI_Ineighbor_alltoall, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ineighbor_alltoall(...) EO_MPI_BELOW(MPI_Ineighbor_alltoall, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Neighbor_alltoallv(...) EO_MPI_CALL(MPI_Neighbor_alltoallv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Neighbor_alltoallv(...) EO_MPI_BELOW(MPI_Neighbor_alltoallv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ineighbor_alltoallv(...) EO_MPI_CALL(MPI_Ineighbor_alltoallv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ineighbor_alltoallv(...) EO_MPI_BELOW(MPI_Ineighbor_alltoallv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Neighbor_alltoallw(...) EO_MPI_CALL(MPI_Neighbor_alltoallw, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Neighbor_alltoallw(...) EO_MPI_BELOW(MPI_Neighbor_alltoallw, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Ineighbor_alltoallw(...) EO_MPI_CALL(MPI_Ineighbor_alltoallw, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Ineighbor_alltoallw(...) EO_MPI_BELOW(MPI_Ineighbor_alltoallw, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cart_map(...) EO_MPI_CALL(MPI_Cart_map, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cart_map(...) EO_MPI_BELOW(MPI_Cart_map, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_allocate_shared(...) EO_MPI_CALL(MPI_Win_allocate_shared, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_allocate_shared(...) EO_MPI_BELOW(MPI_Win_allocate_shared, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_shared_query(...) EO_MPI_CALL(MPI_Win_shared_query, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_shared_query(...) EO_MPI_BELOW(MPI_Win_shared_query, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Cancel(...) EO_MPI_CALL_CANCEL(MPI_Cancel, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Cancel(...) (EO_MPI_CANCELS, EO_MPI_BELOW(MPI_Cancel, #__VA_ARGS__, __VA_ARGS__))
#define MPI_Type_create_darray(...) EO_MPI_CALL(MPI_Type_create_darray, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_create_darray(...) EO_MPI_BELOW(MPI_Type_create_darray, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Pack_external_size(...) EO_MPI_CALL(MPI_Pack_external_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Pack_external_size(...) EO_MPI_BELOW(MPI_Pack_external_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Pack_external(...) EO_MPI_CALL(MPI_Pack_external, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Pack_external(...) EO_MPI_BELOW(MPI_Pack_external, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Unpack_external(...) EO_MPI_CALL(MPI_Unpack_external, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Unpack_external(...) EO_MPI_BELOW(MPI_Unpack_external, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_set_info(...) EO_MPI_CALL(MPI_Comm_set_info, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_set_info(...) EO_MPI_BELOW(MPI_Comm_set_info, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_get_info(...) EO_MPI_CALL(MPI_Comm_get_info, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_get_info(...) EO_MPI_BELOW(MPI_Comm_get_info, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_dup_with_info(...) EO_MPI_CALL(MPI_Comm_dup_with_info, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_dup_with_info(...) EO_MPI_BELOW(MPI_Comm_dup_with_info, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_disconnect(...) EO_MPI_CALL(MPI_Comm_disconnect, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_disconnect(...) EO_MPI_BELOW(MPI_Comm_disconnect, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Comm_get_parent(...) EO_MPI_CALL(MPI_Comm_get_parent, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Comm_get_parent(...) EO_MPI_BELOW(MPI_Comm_get_parent, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_test(...) EO_MPI_CALL(MPI_Win_test, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_test(...) EO_MPI_BELOW(MPI_Win_test, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Request_get_status(...) EO_MPI_CALL(MPI_Request_get_status, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Request_get_status(...) EO_MPI_BELOW(MPI_Request_get_status, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Imrecv(...) EO_MPI_CALL(MPI_Imrecv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Imrecv(...) EO_MPI_BELOW(MPI_Imrecv, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Grequest_start(...) EO_MPI_CALL(MPI_Grequest_start, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Grequest_start(...) EO_MPI_BELOW(MPI_Grequest_start, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Grequest_complete(...) EO_MPI_CALL(MPI_Grequest_complete, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Grequest_complete(...) EO_MPI_BELOW(MPI_Grequest_complete, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_set_info(...) EO_MPI_CALL(MPI_Win_set_info, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_set_info(...) EO_MPI_BELOW(MPI_Win_set_info, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_get_info(...) EO_MPI_CALL(MPI_Win_get_info, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_get_info(...) EO_MPI_BELOW(MPI_Win_get_info, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_extent_x(...) EO_MPI_CALL(MPI_Type_get_extent_x, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_extent_x(...) EO_MPI_BELOW(MPI_Type_get_extent_x, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_get_true_extent_x(...) EO_MPI_CALL(MPI_Type_get_true_extent_x, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_get_true_extent_x(...) EO_MPI_BELOW(MPI_Type_get_true_extent_x, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Win_get_attr(...) EO_MPI_CALL(MPI_Win_get_attr, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Win_get_attr(...) EO_MPI_BELOW(MPI_Win_get_attr, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Pack_size(...) EO_MPI_CALL(MPI_Pack_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Pack_size(...) EO_MPI_BELOW(MPI_Pack_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Pack(...) EO_MPI_CALL(MPI_Pack, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Pack(...) EO_MPI_BELOW(MPI_Pack, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Unpack(...) EO_MPI_CALL(MPI_Unpack, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Unpack(...) EO_MPI_BELOW(MPI_Unpack, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_elements(...) EO_MPI_CALL(MPI_Get_elements, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_elements(...) EO_MPI_BELOW(MPI_Get_elements, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Get_elements_x(...) EO_MPI_CALL(MPI_Get_elements_x, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Get_elements_x(...) EO_MPI_BELOW(MPI_Get_elements_x, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Status_set_elements(...) EO_MPI_CALL(MPI_Status_set_elements, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Status_set_elements(...) EO_MPI_BELOW(MPI_Status_set_elements, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Status_set_elements_x(...) EO_MPI_CALL(MPI_Status_set_elements_x, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Status_set_elements_x(...) EO_MPI_BELOW(MPI_Status_set_elements_x, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Status_set_cancelled(...) EO_MPI_CALL(MPI_Status_set_cancelled, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Status_set_cancelled(...) EO_MPI_BELOW(MPI_Status_set_cancelled, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Type_match_size(...) EO_MPI_CALL(MPI_Type_match_size, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Type_match_size(...) EO_MPI_BELOW(MPI_Type_match_size, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Mprobe(...) EO_MPI_CALL(MPI_Mprobe, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Mprobe(...) EO_MPI_BELOW(MPI_Mprobe, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Improbe(...) EO_MPI_CALL(MPI_Improbe, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Improbe(...) EO_MPI_BELOW(MPI_Improbe, #__VA_ARGS__, __VA_ARGS__)
#define MPI_Mrecv(...) EO_MPI_CALL(MPI_Mrecv, #__VA_ARGS__, __VA_ARGS__)
#define PMPI_Mrecv(...) EO_MPI_BELOW(MPI_Mrecv, #__VA_ARGS__, __VA_ARGS__)
#endif

/* ---- What is not: each compiles, and is a finding when it is called ------------------------------------------------ */

#define MPI_Close_port(...) EO_MPI_MISSING(MPI_Close_port, ##__VA_ARGS__)
#define PMPI_Close_port(...) eo_mpi_missing(MPI_Close_port, NULL, ##__VA_ARGS__)
#define MPI_Comm_accept(...) EO_MPI_MISSING(MPI_Comm_accept, ##__VA_ARGS__)
#define PMPI_Comm_accept(...) eo_mpi_missing(MPI_Comm_accept, NULL, ##__VA_ARGS__)
#define MPI_Comm_connect(...) EO_MPI_MISSING(MPI_Comm_connect, ##__VA_ARGS__)
#define PMPI_Comm_connect(...) eo_mpi_missing(MPI_Comm_connect, NULL, ##__VA_ARGS__)
#define MPI_Comm_join(...) EO_MPI_MISSING(MPI_Comm_join, ##__VA_ARGS__)
#define PMPI_Comm_join(...) eo_mpi_missing(MPI_Comm_join, NULL, ##__VA_ARGS__)
#define MPI_Comm_spawn(...) EO_MPI_MISSING(MPI_Comm_spawn, ##__VA_ARGS__)
#define PMPI_Comm_spawn(...) eo_mpi_missing(MPI_Comm_spawn, NULL, ##__VA_ARGS__)
#define MPI_Comm_spawn_multiple(...) EO_MPI_MISSING(MPI_Comm_spawn_multiple, ##__VA_ARGS__)
#define PMPI_Comm_spawn_multiple(...) eo_mpi_missing(MPI_Comm_spawn_multiple, NULL, ##__VA_ARGS__)
#define MPI_File_call_errhandler(...) EO_MPI_MISSING(MPI_File_call_errhandler, ##__VA_ARGS__)
#define PMPI_File_call_errhandler(...) eo_mpi_missing(MPI_File_call_errhandler, NULL, ##__VA_ARGS__)
#define MPI_File_close(...) EO_MPI_MISSING(MPI_File_close, ##__VA_ARGS__)
#define PMPI_File_close(...) eo_mpi_missing(MPI_File_close, NULL, ##__VA_ARGS__)
#define MPI_File_create_errhandler(...) EO_MPI_MISSING(MPI_File_create_errhandler, ##__VA_ARGS__)
#define PMPI_File_create_errhandler(...) eo_mpi_missing(MPI_File_create_errhandler, NULL, ##__VA_ARGS__)
#define MPI_File_delete(...) EO_MPI_MISSING(MPI_File_delete, ##__VA_ARGS__)
#define PMPI_File_delete(...) eo_mpi_missing(MPI_File_delete, NULL, ##__VA_ARGS__)
#define MPI_File_get_amode(...) EO_MPI_MISSING(MPI_File_get_amode, ##__VA_ARGS__)
#define PMPI_File_get_amode(...) eo_mpi_missing(MPI_File_get_amode, NULL, ##__VA_ARGS__)
#define MPI_File_get_atomicity(...) EO_MPI_MISSING(MPI_File_get_atomicity, ##__VA_ARGS__)
#define PMPI_File_get_atomicity(...) eo_mpi_missing(MPI_File_get_atomicity, NULL, ##__VA_ARGS__)
#define MPI_File_get_byte_offset(...) EO_MPI_MISSING(MPI_File_get_byte_offset, ##__VA_ARGS__)
#define PMPI_File_get_byte_offset(...) eo_mpi_missing(MPI_File_get_byte_offset, NULL, ##__VA_ARGS__)
#define MPI_File_get_errhandler(...) EO_MPI_MISSING(MPI_File_get_errhandler, ##__VA_ARGS__)
#define PMPI_File_get_errhandler(...) eo_mpi_missing(MPI_File_get_errhandler, NULL, ##__VA_ARGS__)
#define MPI_File_get_group(...) EO_MPI_MISSING(MPI_File_get_group, ##__VA_ARGS__)
#define PMPI_File_get_group(...) eo_mpi_missing(MPI_File_get_group, NULL, ##__VA_ARGS__)
#define MPI_File_get_info(...) EO_MPI_MISSING(MPI_File_get_info, ##__VA_ARGS__)
#define PMPI_File_get_info(...) eo_mpi_missing(MPI_File_get_info, NULL, ##__VA_ARGS__)
#define MPI_File_get_position(...) EO_MPI_MISSING(MPI_File_get_position, ##__VA_ARGS__)
#define PMPI_File_get_position(...) eo_mpi_missing(MPI_File_get_position, NULL, ##__VA_ARGS__)
#define MPI_File_get_position_shared(...) EO_MPI_MISSING(MPI_File_get_position_shared, ##__VA_ARGS__)
#define PMPI_File_get_position_shared(...) eo_mpi_missing(MPI_File_get_position_shared, NULL, ##__VA_ARGS__)
#define MPI_File_get_size(...) EO_MPI_MISSING(MPI_File_get_size, ##__VA_ARGS__)
#define PMPI_File_get_size(...) eo_mpi_missing(MPI_File_get_size, NULL, ##__VA_ARGS__)
#define MPI_File_get_type_extent(...) EO_MPI_MISSING(MPI_File_get_type_extent, ##__VA_ARGS__)
#define PMPI_File_get_type_extent(...) eo_mpi_missing(MPI_File_get_type_extent, NULL, ##__VA_ARGS__)
#define MPI_File_get_view(...) EO_MPI_MISSING(MPI_File_get_view, ##__VA_ARGS__)
#define PMPI_File_get_view(...) eo_mpi_missing(MPI_File_get_view, NULL, ##__VA_ARGS__)
#define MPI_File_iread(...) EO_MPI_MISSING(MPI_File_iread, ##__VA_ARGS__)
#define PMPI_File_iread(...) eo_mpi_missing(MPI_File_iread, NULL, ##__VA_ARGS__)
#define MPI_File_iread_all(...) EO_MPI_MISSING(MPI_File_iread_all, ##__VA_ARGS__)
#define PMPI_File_iread_all(...) eo_mpi_missing(MPI_File_iread_all, NULL, ##__VA_ARGS__)
#define MPI_File_iread_at(...) EO_MPI_MISSING(MPI_File_iread_at, ##__VA_ARGS__)
#define PMPI_File_iread_at(...) eo_mpi_missing(MPI_File_iread_at, NULL, ##__VA_ARGS__)
#define MPI_File_iread_at_all(...) EO_MPI_MISSING(MPI_File_iread_at_all, ##__VA_ARGS__)
#define PMPI_File_iread_at_all(...) eo_mpi_missing(MPI_File_iread_at_all, NULL, ##__VA_ARGS__)
#define MPI_File_iread_shared(...) EO_MPI_MISSING(MPI_File_iread_shared, ##__VA_ARGS__)
#define PMPI_File_iread_shared(...) eo_mpi_missing(MPI_File_iread_shared, NULL, ##__VA_ARGS__)
#define MPI_File_iwrite(...) EO_MPI_MISSING(MPI_File_iwrite, ##__VA_ARGS__)
#define PMPI_File_iwrite(...) eo_mpi_missing(MPI_File_iwrite, NULL, ##__VA_ARGS__)
#define MPI_File_iwrite_all(...) EO_MPI_MISSING(MPI_File_iwrite_all, ##__VA_ARGS__)
#define PMPI_File_iwrite_all(...) eo_mpi_missing(MPI_File_iwrite_all, NULL, ##__VA_ARGS__)
#define MPI_File_iwrite_at(...) EO_MPI_MISSING(MPI_File_iwrite_at, ##__VA_ARGS__)
#define PMPI_File_iwrite_at(...) eo_mpi_missing(MPI_File_iwrite_at, NULL, ##__VA_ARGS__)
#define MPI_File_iwrite_at_all(...) EO_MPI_MISSING(MPI_File_iwrite_at_all, ##__VA_ARGS__)
#define PMPI_File_iwrite_at_all(...) eo_mpi_missing(MPI_File_iwrite_at_all, NULL, ##__VA_ARGS__)
#define MPI_File_iwrite_shared(...) EO_MPI_MISSING(MPI_File_iwrite_shared, ##__VA_ARGS__)
#define PMPI_File_iwrite_shared(...) eo_mpi_missing(MPI_File_iwrite_shared, NULL, ##__VA_ARGS__)
#define MPI_File_open(...) EO_MPI_MISSING(MPI_File_open, ##__VA_ARGS__)
#define PMPI_File_open(...) eo_mpi_missing(MPI_File_open, NULL, ##__VA_ARGS__)
#define MPI_File_preallocate(...) EO_MPI_MISSING(MPI_File_preallocate, ##__VA_ARGS__)
#define PMPI_File_preallocate(...) eo_mpi_missing(MPI_File_preallocate, NULL, ##__VA_ARGS__)
#define MPI_File_read(...) EO_MPI_MISSING(MPI_File_read, ##__VA_ARGS__)
#define PMPI_File_read(...) eo_mpi_missing(MPI_File_read, NULL, ##__VA_ARGS__)
#define MPI_File_read_all(...) EO_MPI_MISSING(MPI_File_read_all, ##__VA_ARGS__)
#define PMPI_File_read_all(...) eo_mpi_missing(MPI_File_read_all, NULL, ##__VA_ARGS__)
#define MPI_File_read_all_begin(...) EO_MPI_MISSING(MPI_File_read_all_begin, ##__VA_ARGS__)
#define PMPI_File_read_all_begin(...) eo_mpi_missing(MPI_File_read_all_begin, NULL, ##__VA_ARGS__)
#define MPI_File_read_all_end(...) EO_MPI_MISSING(MPI_File_read_all_end, ##__VA_ARGS__)
#define PMPI_File_read_all_end(...) eo_mpi_missing(MPI_File_read_all_end, NULL, ##__VA_ARGS__)
#define MPI_File_read_at(...) EO_MPI_MISSING(MPI_File_read_at, ##__VA_ARGS__)
#define PMPI_File_read_at(...) eo_mpi_missing(MPI_File_read_at, NULL, ##__VA_ARGS__)
#define MPI_File_read_at_all(...) EO_MPI_MISSING(MPI_File_read_at_all, ##__VA_ARGS__)
#define PMPI_File_read_at_all(...) eo_mpi_missing(MPI_File_read_at_all, NULL, ##__VA_ARGS__)
#define MPI_File_read_at_all_begin(...) EO_MPI_MISSING(MPI_File_read_at_all_begin, ##__VA_ARGS__)
#define PMPI_File_read_at_all_begin(...) eo_mpi_missing(MPI_File_read_at_all_begin, NULL, ##__VA_ARGS__)
#define MPI_File_read_at_all_end(...) EO_MPI_MISSING(MPI_File_read_at_all_end, ##__VA_ARGS__)
#define PMPI_File_read_at_all_end(...) eo_mpi_missing(MPI_File_read_at_all_end, NULL, ##__VA_ARGS__)
#define MPI_File_read_ordered(...) EO_MPI_MISSING(MPI_File_read_ordered, ##__VA_ARGS__)
#define PMPI_File_read_ordered(...) eo_mpi_missing(MPI_File_read_ordered, NULL, ##__VA_ARGS__)
#define MPI_File_read_ordered_begin(...) EO_MPI_MISSING(MPI_File_read_ordered_begin, ##__VA_ARGS__)
#define PMPI_File_read_ordered_begin(...) eo_mpi_missing(MPI_File_read_ordered_begin, NULL, ##__VA_ARGS__)
#define MPI_File_read_ordered_end(...) EO_MPI_MISSING(MPI_File_read_ordered_end, ##__VA_ARGS__)
#define PMPI_File_read_ordered_end(...) eo_mpi_missing(MPI_File_read_ordered_end, NULL, ##__VA_ARGS__)
#define MPI_File_read_shared(...) EO_MPI_MISSING(MPI_File_read_shared, ##__VA_ARGS__)
#define PMPI_File_read_shared(...) eo_mpi_missing(MPI_File_read_shared, NULL, ##__VA_ARGS__)
#define MPI_File_seek(...) EO_MPI_MISSING(MPI_File_seek, ##__VA_ARGS__)
#define PMPI_File_seek(...) eo_mpi_missing(MPI_File_seek, NULL, ##__VA_ARGS__)
#define MPI_File_seek_shared(...) EO_MPI_MISSING(MPI_File_seek_shared, ##__VA_ARGS__)
#define PMPI_File_seek_shared(...) eo_mpi_missing(MPI_File_seek_shared, NULL, ##__VA_ARGS__)
#define MPI_File_set_atomicity(...) EO_MPI_MISSING(MPI_File_set_atomicity, ##__VA_ARGS__)
#define PMPI_File_set_atomicity(...) eo_mpi_missing(MPI_File_set_atomicity, NULL, ##__VA_ARGS__)
#define MPI_File_set_errhandler(...) EO_MPI_MISSING(MPI_File_set_errhandler, ##__VA_ARGS__)
#define PMPI_File_set_errhandler(...) eo_mpi_missing(MPI_File_set_errhandler, NULL, ##__VA_ARGS__)
#define MPI_File_set_info(...) EO_MPI_MISSING(MPI_File_set_info, ##__VA_ARGS__)
#define PMPI_File_set_info(...) eo_mpi_missing(MPI_File_set_info, NULL, ##__VA_ARGS__)
#define MPI_File_set_size(...) EO_MPI_MISSING(MPI_File_set_size, ##__VA_ARGS__)
#define PMPI_File_set_size(...) eo_mpi_missing(MPI_File_set_size, NULL, ##__VA_ARGS__)
#define MPI_File_set_view(...) EO_MPI_MISSING(MPI_File_set_view, ##__VA_ARGS__)
#define PMPI_File_set_view(...) eo_mpi_missing(MPI_File_set_view, NULL, ##__VA_ARGS__)
#define MPI_File_sync(...) EO_MPI_MISSING(MPI_File_sync, ##__VA_ARGS__)
#define PMPI_File_sync(...) eo_mpi_missing(MPI_File_sync, NULL, ##__VA_ARGS__)
#define MPI_File_write(...) EO_MPI_MISSING(MPI_File_write, ##__VA_ARGS__)
#define PMPI_File_write(...) eo_mpi_missing(MPI_File_write, NULL, ##__VA_ARGS__)
#define MPI_File_write_all(...) EO_MPI_MISSING(MPI_File_write_all, ##__VA_ARGS__)
#define PMPI_File_write_all(...) eo_mpi_missing(MPI_File_write_all, NULL, ##__VA_ARGS__)
#define MPI_File_write_all_begin(...) EO_MPI_MISSING(MPI_File_write_all_begin, ##__VA_ARGS__)
#define PMPI_File_write_all_begin(...) eo_mpi_missing(MPI_File_write_all_begin, NULL, ##__VA_ARGS__)
#define MPI_File_write_all_end(...) EO_MPI_MISSING(MPI_File_write_all_end, ##__VA_ARGS__)
#define PMPI_File_write_all_end(...) eo_mpi_missing(MPI_File_write_all_end, NULL, ##__VA_ARGS__)
#define MPI_File_write_at(...) EO_MPI_MISSING(MPI_File_write_at, ##__VA_ARGS__)
#define PMPI_File_write_at(...) eo_mpi_missing(MPI_File_write_at, NULL, ##__VA_ARGS__)
#define MPI_File_write_at_all(...) EO_MPI_MISSING(MPI_File_write_at_all, ##__VA_ARGS__)
#define PMPI_File_write_at_all(...) eo_mpi_missing(MPI_File_write_at_all, NULL, ##__VA_ARGS__)
#define MPI_File_write_at_all_begin(...) EO_MPI_MISSING(MPI_File_write_at_all_begin, ##__VA_ARGS__)
#define PMPI_File_write_at_all_begin(...) eo_mpi_missing(MPI_File_write_at_all_begin, NULL, ##__VA_ARGS__)
#define MPI_File_write_at_all_end(...) EO_MPI_MISSING(MPI_File_write_at_all_end, ##__VA_ARGS__)
#define PMPI_File_write_at_all_end(...) eo_mpi_missing(MPI_File_write_at_all_end, NULL, ##__VA_ARGS__)
#define MPI_File_write_ordered(...) EO_MPI_MISSING(MPI_File_write_ordered, ##__VA_ARGS__)
#define PMPI_File_write_ordered(...) eo_mpi_missing(MPI_File_write_ordered, NULL, ##__VA_ARGS__)
#define MPI_File_write_ordered_begin(...) EO_MPI_MISSING(MPI_File_write_ordered_begin, ##__VA_ARGS__)
#define PMPI_File_write_ordered_begin(...) eo_mpi_missing(MPI_File_write_ordered_begin, NULL, ##__VA_ARGS__)
#define MPI_File_write_ordered_end(...) EO_MPI_MISSING(MPI_File_write_ordered_end, ##__VA_ARGS__)
#define PMPI_File_write_ordered_end(...) eo_mpi_missing(MPI_File_write_ordered_end, NULL, ##__VA_ARGS__)
#define MPI_File_write_shared(...) EO_MPI_MISSING(MPI_File_write_shared, ##__VA_ARGS__)
#define PMPI_File_write_shared(...) eo_mpi_missing(MPI_File_write_shared, NULL, ##__VA_ARGS__)
#define MPI_Lookup_name(...) EO_MPI_MISSING(MPI_Lookup_name, ##__VA_ARGS__)
#define PMPI_Lookup_name(...) eo_mpi_missing(MPI_Lookup_name, NULL, ##__VA_ARGS__)
#define MPI_Open_port(...) EO_MPI_MISSING(MPI_Open_port, ##__VA_ARGS__)
#define PMPI_Open_port(...) eo_mpi_missing(MPI_Open_port, NULL, ##__VA_ARGS__)
#define MPI_Publish_name(...) EO_MPI_MISSING(MPI_Publish_name, ##__VA_ARGS__)
#define PMPI_Publish_name(...) eo_mpi_missing(MPI_Publish_name, NULL, ##__VA_ARGS__)
#define MPI_Register_datarep(...) EO_MPI_MISSING(MPI_Register_datarep, ##__VA_ARGS__)
#define PMPI_Register_datarep(...) eo_mpi_missing(MPI_Register_datarep, NULL, ##__VA_ARGS__)
#define MPI_T_category_changed(...) EO_MPI_MISSING(MPI_T_category_changed, ##__VA_ARGS__)
#define PMPI_T_category_changed(...) eo_mpi_missing(MPI_T_category_changed, NULL, ##__VA_ARGS__)
#define MPI_T_category_get_categories(...) EO_MPI_MISSING(MPI_T_category_get_categories, ##__VA_ARGS__)
#define PMPI_T_category_get_categories(...) eo_mpi_missing(MPI_T_category_get_categories, NULL, ##__VA_ARGS__)
#define MPI_T_category_get_cvars(...) EO_MPI_MISSING(MPI_T_category_get_cvars, ##__VA_ARGS__)
#define PMPI_T_category_get_cvars(...) eo_mpi_missing(MPI_T_category_get_cvars, NULL, ##__VA_ARGS__)
#define MPI_T_category_get_index(...) EO_MPI_MISSING(MPI_T_category_get_index, ##__VA_ARGS__)
#define PMPI_T_category_get_index(...) eo_mpi_missing(MPI_T_category_get_index, NULL, ##__VA_ARGS__)
#define MPI_T_category_get_info(...) EO_MPI_MISSING(MPI_T_category_get_info, ##__VA_ARGS__)
#define PMPI_T_category_get_info(...) eo_mpi_missing(MPI_T_category_get_info, NULL, ##__VA_ARGS__)
#define MPI_T_category_get_num(...) EO_MPI_MISSING(MPI_T_category_get_num, ##__VA_ARGS__)
#define PMPI_T_category_get_num(...) eo_mpi_missing(MPI_T_category_get_num, NULL, ##__VA_ARGS__)
#define MPI_T_category_get_pvars(...) EO_MPI_MISSING(MPI_T_category_get_pvars, ##__VA_ARGS__)
#define PMPI_T_category_get_pvars(...) eo_mpi_missing(MPI_T_category_get_pvars, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_get_index(...) EO_MPI_MISSING(MPI_T_cvar_get_index, ##__VA_ARGS__)
#define PMPI_T_cvar_get_index(...) eo_mpi_missing(MPI_T_cvar_get_index, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_get_info(...) EO_MPI_MISSING(MPI_T_cvar_get_info, ##__VA_ARGS__)
#define PMPI_T_cvar_get_info(...) eo_mpi_missing(MPI_T_cvar_get_info, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_get_num(...) EO_MPI_MISSING(MPI_T_cvar_get_num, ##__VA_ARGS__)
#define PMPI_T_cvar_get_num(...) eo_mpi_missing(MPI_T_cvar_get_num, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_handle_alloc(...) EO_MPI_MISSING(MPI_T_cvar_handle_alloc, ##__VA_ARGS__)
#define PMPI_T_cvar_handle_alloc(...) eo_mpi_missing(MPI_T_cvar_handle_alloc, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_handle_free(...) EO_MPI_MISSING(MPI_T_cvar_handle_free, ##__VA_ARGS__)
#define PMPI_T_cvar_handle_free(...) eo_mpi_missing(MPI_T_cvar_handle_free, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_read(...) EO_MPI_MISSING(MPI_T_cvar_read, ##__VA_ARGS__)
#define PMPI_T_cvar_read(...) eo_mpi_missing(MPI_T_cvar_read, NULL, ##__VA_ARGS__)
#define MPI_T_cvar_write(...) EO_MPI_MISSING(MPI_T_cvar_write, ##__VA_ARGS__)
#define PMPI_T_cvar_write(...) eo_mpi_missing(MPI_T_cvar_write, NULL, ##__VA_ARGS__)
#define MPI_T_enum_get_info(...) EO_MPI_MISSING(MPI_T_enum_get_info, ##__VA_ARGS__)
#define PMPI_T_enum_get_info(...) eo_mpi_missing(MPI_T_enum_get_info, NULL, ##__VA_ARGS__)
#define MPI_T_enum_get_item(...) EO_MPI_MISSING(MPI_T_enum_get_item, ##__VA_ARGS__)
#define PMPI_T_enum_get_item(...) eo_mpi_missing(MPI_T_enum_get_item, NULL, ##__VA_ARGS__)
#define MPI_T_finalize(...) EO_MPI_MISSING(MPI_T_finalize, ##__VA_ARGS__)
#define PMPI_T_finalize(...) eo_mpi_missing(MPI_T_finalize, NULL, ##__VA_ARGS__)
#define MPI_T_init_thread(...) EO_MPI_MISSING(MPI_T_init_thread, ##__VA_ARGS__)
#define PMPI_T_init_thread(...) eo_mpi_missing(MPI_T_init_thread, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_get_index(...) EO_MPI_MISSING(MPI_T_pvar_get_index, ##__VA_ARGS__)
#define PMPI_T_pvar_get_index(...) eo_mpi_missing(MPI_T_pvar_get_index, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_get_info(...) EO_MPI_MISSING(MPI_T_pvar_get_info, ##__VA_ARGS__)
#define PMPI_T_pvar_get_info(...) eo_mpi_missing(MPI_T_pvar_get_info, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_get_num(...) EO_MPI_MISSING(MPI_T_pvar_get_num, ##__VA_ARGS__)
#define PMPI_T_pvar_get_num(...) eo_mpi_missing(MPI_T_pvar_get_num, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_handle_alloc(...) EO_MPI_MISSING(MPI_T_pvar_handle_alloc, ##__VA_ARGS__)
#define PMPI_T_pvar_handle_alloc(...) eo_mpi_missing(MPI_T_pvar_handle_alloc, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_handle_free(...) EO_MPI_MISSING(MPI_T_pvar_handle_free, ##__VA_ARGS__)
#define PMPI_T_pvar_handle_free(...) eo_mpi_missing(MPI_T_pvar_handle_free, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_read(...) EO_MPI_MISSING(MPI_T_pvar_read, ##__VA_ARGS__)
#define PMPI_T_pvar_read(...) eo_mpi_missing(MPI_T_pvar_read, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_readreset(...) EO_MPI_MISSING(MPI_T_pvar_readreset, ##__VA_ARGS__)
#define PMPI_T_pvar_readreset(...) eo_mpi_missing(MPI_T_pvar_readreset, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_reset(...) EO_MPI_MISSING(MPI_T_pvar_reset, ##__VA_ARGS__)
#define PMPI_T_pvar_reset(...) eo_mpi_missing(MPI_T_pvar_reset, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_session_create(...) EO_MPI_MISSING(MPI_T_pvar_session_create, ##__VA_ARGS__)
#define PMPI_T_pvar_session_create(...) eo_mpi_missing(MPI_T_pvar_session_create, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_session_free(...) EO_MPI_MISSING(MPI_T_pvar_session_free, ##__VA_ARGS__)
#define PMPI_T_pvar_session_free(...) eo_mpi_missing(MPI_T_pvar_session_free, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_start(...) EO_MPI_MISSING(MPI_T_pvar_start, ##__VA_ARGS__)
#define PMPI_T_pvar_start(...) eo_mpi_missing(MPI_T_pvar_start, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_stop(...) EO_MPI_MISSING(MPI_T_pvar_stop, ##__VA_ARGS__)
#define PMPI_T_pvar_stop(...) eo_mpi_missing(MPI_T_pvar_stop, NULL, ##__VA_ARGS__)
#define MPI_T_pvar_write(...) EO_MPI_MISSING(MPI_T_pvar_write, ##__VA_ARGS__)
#define PMPI_T_pvar_write(...) eo_mpi_missing(MPI_T_pvar_write, NULL, ##__VA_ARGS__)
#define MPI_Type_create_f90_complex(...) EO_MPI_MISSING(MPI_Type_create_f90_complex, ##__VA_ARGS__)
#define PMPI_Type_create_f90_complex(...) eo_mpi_missing(MPI_Type_create_f90_complex, NULL, ##__VA_ARGS__)
#define MPI_Type_create_f90_integer(...) EO_MPI_MISSING(MPI_Type_create_f90_integer, ##__VA_ARGS__)
#define PMPI_Type_create_f90_integer(...) eo_mpi_missing(MPI_Type_create_f90_integer, NULL, ##__VA_ARGS__)
#define MPI_Type_create_f90_real(...) EO_MPI_MISSING(MPI_Type_create_f90_real, ##__VA_ARGS__)
#define PMPI_Type_create_f90_real(...) eo_mpi_missing(MPI_Type_create_f90_real, NULL, ##__VA_ARGS__)
#define MPI_Unpublish_name(...) EO_MPI_MISSING(MPI_Unpublish_name, ##__VA_ARGS__)
#define PMPI_Unpublish_name(...) eo_mpi_missing(MPI_Unpublish_name, NULL, ##__VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
