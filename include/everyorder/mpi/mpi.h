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
enum {
  MPI_TAG_UB = 101,
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

/* As eo_place of everyorder.h. */
typedef struct eo_mpi_place {
  const char *file, *function;
  int line;
  const char *call;
} eo_mpi_place;

/* The last call of this rank. */
extern const eo_mpi_place *eo_mpi_at __attribute__((visibility("hidden")));

#define eo_mpi_here(text)                                                               \
  (__extension__({                                                                      \
    static const eo_mpi_place eo_mpi_place_here = {__FILE__, __func__, __LINE__, text}; \
    eo_mpi_at = &eo_mpi_place_here;                                                     \
    (void)0;                                                                            \
  }))

int eo_mpi_not_there(const char *name, ...) __attribute__((visibility("hidden")));
#define eo_mpi_missing(name, ...) (eo_mpi_here(NULL), eo_mpi_not_there("MPI_" #name, ##__VA_ARGS__))

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

/* The same under the names of the profiling interface. */
int PMPI_Init(int *argc, char ***argv);
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int PMPI_Initialized(int *flag);
int PMPI_Finalize(void);
int PMPI_Finalized(int *flag);
int PMPI_Abort(MPI_Comm comm, int code);
int PMPI_Comm_rank(MPI_Comm comm, int *rank);
int PMPI_Comm_size(MPI_Comm comm, int *size);
int PMPI_Get_processor_name(char *name, int *length);
int PMPI_Get_version(int *version, int *subversion);
double PMPI_Wtime(void);
double PMPI_Wtick(void);
int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int PMPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int PMPI_Rsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int PMPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status);
int PMPI_Barrier(MPI_Comm comm);
int PMPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *into, int room,
                  MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm, MPI_Status *status);
int PMPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag, int from, int from_tag,
                          MPI_Comm comm, MPI_Status *status);
int PMPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status);
int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int PMPI_Buffer_attach(void *buffer, int size);
int PMPI_Buffer_detach(void *buffer, int *size);
int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Irsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request);
int PMPI_Ssend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Rsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Bsend_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request);
int PMPI_Start(MPI_Request *request);
int PMPI_Startall(int count, MPI_Request *requests);
int PMPI_Request_free(MPI_Request *request);
int PMPI_Wait(MPI_Request *request, MPI_Status *status);
int PMPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int PMPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int PMPI_Waitsome(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses);
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int PMPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int PMPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int PMPI_Testsome(int count, MPI_Request *requests, int *out, int *indices, MPI_Status *statuses);
int PMPI_Test_cancelled(const MPI_Status *status, int *flag);
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag);
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int PMPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result);
int PMPI_Comm_set_name(MPI_Comm comm, const char *name);
int PMPI_Comm_get_name(MPI_Comm comm, char *name, int *length);
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *made);
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request);
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made);
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made);
int PMPI_Comm_free(MPI_Comm *comm);
int PMPI_Type_contiguous(int count, MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_indexed(int count, const int *lengths, const int *displacements, MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_create_hindexed(int count, const int *lengths, const MPI_Aint *displacements, MPI_Datatype old,
                              MPI_Datatype *made);
int PMPI_Type_hindexed(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_create_indexed_block(int count, int length, const int *displacements, MPI_Datatype old,
                                   MPI_Datatype *made);
int PMPI_Type_create_hindexed_block(int count, int length, const MPI_Aint *displacements, MPI_Datatype old,
                                    MPI_Datatype *made);
int PMPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                            MPI_Datatype *made);
int PMPI_Type_struct(int count, int *lengths, MPI_Aint *displacements, MPI_Datatype *types, MPI_Datatype *made);
int PMPI_Type_create_subarray(int count, const int *sizes, const int *parts, const int *starts, int order,
                              MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_create_resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *made);
int PMPI_Type_dup(MPI_Datatype old, MPI_Datatype *made);
int PMPI_Type_commit(MPI_Datatype *type);
int PMPI_Type_free(MPI_Datatype *type);
int PMPI_Type_set_name(MPI_Datatype type, const char *name);
int PMPI_Type_get_name(MPI_Datatype type, char *name, int *length);
int PMPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent);
int PMPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent);
int PMPI_Type_extent(MPI_Datatype type, MPI_Aint *extent);
int PMPI_Type_lb(MPI_Datatype type, MPI_Aint *lb);
int PMPI_Type_ub(MPI_Datatype type, MPI_Aint *ub);
int PMPI_Type_size(MPI_Datatype type, int *size);
int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size);
int PMPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner);
int PMPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types, int *integers,
                           MPI_Aint *addresses, MPI_Datatype *types);
int PMPI_Get_address(const void *at, MPI_Aint *address);
int PMPI_Address(void *at, MPI_Aint *address);
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint more);
MPI_Aint PMPI_Aint_diff(MPI_Aint a, MPI_Aint b);
int PMPI_Group_size(MPI_Group group, int *size);
int PMPI_Group_rank(MPI_Group group, int *rank);
int PMPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int PMPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *made);
int PMPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *made);
int PMPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *made);
int PMPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group *made);
int PMPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group *made);
int PMPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group *made);
int PMPI_Group_translate_ranks(MPI_Group a, int count, const int *ranks, MPI_Group b, int *translated);
int PMPI_Group_compare(MPI_Group a, MPI_Group b, int *result);
int PMPI_Group_free(MPI_Group *group);
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int PMPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Gather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm);
int PMPI_Igather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                 int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Gatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                 const int *displacements, MPI_Datatype out_type, int root, MPI_Comm comm);
int PMPI_Igatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                  const int *displacements, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Scatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                 int root, MPI_Comm comm);
int PMPI_Iscatter(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                  int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Scatterv(const void *in, const int *counts, const int *displacements, MPI_Datatype in_type, void *out,
                  int out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
int PMPI_Iscatterv(const void *in, const int *counts, const int *displacements, MPI_Datatype in_type, void *out,
                   int out_count, MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *request);
int PMPI_Allgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm);
int PMPI_Iallgather(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                    MPI_Comm comm, MPI_Request *request);
int PMPI_Allgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                    const int *displacements, MPI_Datatype out_type, MPI_Comm comm);
int PMPI_Iallgatherv(const void *in, int in_count, MPI_Datatype in_type, void *out, const int *counts,
                     const int *displacements, MPI_Datatype out_type, MPI_Comm comm, MPI_Request *request);
int PMPI_Alltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                  MPI_Comm comm);
int PMPI_Ialltoall(const void *in, int in_count, MPI_Datatype in_type, void *out, int out_count, MPI_Datatype out_type,
                   MPI_Comm comm, MPI_Request *request);
int PMPI_Alltoallv(const void *in, const int *in_counts, const int *in_displacements, MPI_Datatype in_type, void *out,
                   const int *out_counts, const int *out_displacements, MPI_Datatype out_type, MPI_Comm comm);
int PMPI_Ialltoallv(const void *in, const int *in_counts, const int *in_displacements, MPI_Datatype in_type, void *out,
                    const int *out_counts, const int *out_displacements, MPI_Datatype out_type, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Alltoallw(const void *in, const int *in_counts, const int *in_displacements, const MPI_Datatype *in_types,
                   void *out, const int *out_counts, const int *out_displacements, const MPI_Datatype *out_types,
                   MPI_Comm comm);
int PMPI_Ialltoallw(const void *in, const int *in_counts, const int *in_displacements, const MPI_Datatype *in_types,
                    void *out, const int *out_counts, const int *out_displacements, const MPI_Datatype *out_types,
                    MPI_Comm comm, MPI_Request *request);
int PMPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int PMPI_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                 MPI_Request *request);
int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int PMPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request);
int PMPI_Reduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int PMPI_Ireduce_scatter(const void *in, void *out, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         MPI_Request *request);
int PMPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int PMPI_Ireduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request);
int PMPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int PMPI_Iscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
int PMPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int PMPI_Iexscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request);
int PMPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op);
int PMPI_Op_free(MPI_Op *op);
int PMPI_Op_commutative(MPI_Op op, int *commutes);
int PMPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op);
int PMPI_Cart_create(MPI_Comm comm, int count, const int *sizes, const int *periods, int reorder, MPI_Comm *made);
int PMPI_Cart_sub(MPI_Comm comm, const int *keeps, MPI_Comm *made);
int PMPI_Cartdim_get(MPI_Comm comm, int *count);
int PMPI_Cart_get(MPI_Comm comm, int most, int *sizes, int *periods, int *at);
int PMPI_Cart_rank(MPI_Comm comm, const int *at, int *rank);
int PMPI_Cart_coords(MPI_Comm comm, int rank, int most, int *at);
int PMPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *from, int *to);
int PMPI_Topo_test(MPI_Comm comm, int *what);
int PMPI_Dims_create(int members, int count, int *sizes);
int PMPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Win win);
int PMPI_Rput(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
              MPI_Datatype target_type, MPI_Win win, MPI_Request *request);
int PMPI_Get(void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Win win);
int PMPI_Rget(void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
              MPI_Datatype target_type, MPI_Win win, MPI_Request *request);
int PMPI_Accumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Win win);
int PMPI_Raccumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                     MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request *request);
int PMPI_Get_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                        MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                        MPI_Op op, MPI_Win win);
int PMPI_Rget_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                         MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                         MPI_Op op, MPI_Win win, MPI_Request *request);
int PMPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                      MPI_Win win);
int PMPI_Compare_and_swap(const void *origin, const void *expected, void *result, MPI_Datatype type, int target,
                          MPI_Aint at, MPI_Win win);
int PMPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win);
int PMPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win);
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win);
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size);
int PMPI_Win_detach(MPI_Win win, const void *base);
int PMPI_Win_free(MPI_Win *win);
int PMPI_Win_get_group(MPI_Win win, MPI_Group *group);
int PMPI_Win_set_name(MPI_Win win, const char *name);
int PMPI_Win_get_name(MPI_Win win, char *name, int *length);
int PMPI_Win_fence(int assertion, MPI_Win win);
int PMPI_Win_lock(int kind, int target, int assertion, MPI_Win win);
int PMPI_Win_unlock(int target, MPI_Win win);
int PMPI_Win_lock_all(int assertion, MPI_Win win);
int PMPI_Win_unlock_all(MPI_Win win);
int PMPI_Win_flush(int target, MPI_Win win);
int PMPI_Win_flush_all(MPI_Win win);
int PMPI_Win_flush_local(int target, MPI_Win win);
int PMPI_Win_flush_local_all(MPI_Win win);
int PMPI_Win_sync(MPI_Win win);
int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win win);
int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win win);
int PMPI_Win_complete(MPI_Win win);
int PMPI_Win_wait(MPI_Win win);
int PMPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made);
int PMPI_Comm_remote_size(MPI_Comm comm, int *size);
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *base);
int PMPI_Free_mem(void *base);
int PMPI_Get_library_version(char *version, int *length);
int PMPI_Query_thread(int *provided);
int PMPI_Is_thread_main(int *flag);
int PMPI_Info_create(MPI_Info *made);
int PMPI_Info_free(MPI_Info *handle);
int PMPI_Info_set(MPI_Info handle, const char *key, const char *value);
int PMPI_Info_get(MPI_Info handle, const char *key, int length, char *value, int *flag);
int PMPI_Info_get_valuelen(MPI_Info handle, const char *key, int *length, int *flag);
int PMPI_Info_get_nkeys(MPI_Info handle, int *count);
int PMPI_Info_get_nthkey(MPI_Info handle, int n, char *key);
int PMPI_Info_delete(MPI_Info handle, const char *key);
int PMPI_Info_dup(MPI_Info handle, MPI_Info *made);
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made);
int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *function, MPI_Errhandler *made);
int PMPI_Errhandler_free(MPI_Errhandler *handle);
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handle);
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handle);
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handle);
int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler handle);
int PMPI_Error_class(int code, int *class_);
int PMPI_Error_string(int code, char *text, int *length);
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_, int *key,
                            void *extra);
int PMPI_Comm_free_keyval(int *key);
int PMPI_Comm_set_attr(MPI_Comm comm, int key, void *value);
int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);
int PMPI_Comm_delete_attr(MPI_Comm comm, int key);
int PMPI_Win_get_attr(MPI_Win win, int key, void *value, int *flag);
int PMPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size);
int PMPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int room, int *at, MPI_Comm comm);
int PMPI_Unpack(const void *from, int size, int *at, void *to, int count, MPI_Datatype type, MPI_Comm comm);
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype type, int *count);
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count);
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype type, MPI_Count count);
int PMPI_Status_set_cancelled(MPI_Status *status, int flag);
int PMPI_Type_match_size(int kind, int size, MPI_Datatype *type);
int PMPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *found, MPI_Status *status);
int PMPI_Improbe(int from, int tag, MPI_Comm comm, int *flag, MPI_Message *found, MPI_Status *status);
int PMPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *found, MPI_Status *status);

/* ---- Where a call stands in the source -------------------------------------------------------------------------
 *
 * Findings name the line of a call. A program that defines functions of these names (a layer for profiling) does so
 * behind `#define EO_MPI_PLAIN`. */
#ifndef EO_MPI_PLAIN
#define MPI_Init(...) (eo_mpi_here(#__VA_ARGS__), MPI_Init(__VA_ARGS__))
#define MPI_Init_thread(...) (eo_mpi_here(#__VA_ARGS__), MPI_Init_thread(__VA_ARGS__))
#define MPI_Initialized(...) (eo_mpi_here(#__VA_ARGS__), MPI_Initialized(__VA_ARGS__))
#define MPI_Finalize(...) (eo_mpi_here(#__VA_ARGS__), MPI_Finalize(__VA_ARGS__))
#define MPI_Finalized(...) (eo_mpi_here(#__VA_ARGS__), MPI_Finalized(__VA_ARGS__))
#define MPI_Abort(...) (eo_mpi_here(#__VA_ARGS__), MPI_Abort(__VA_ARGS__))
#define MPI_Comm_rank(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_rank(__VA_ARGS__))
#define MPI_Comm_size(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_size(__VA_ARGS__))
#define MPI_Get_processor_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_processor_name(__VA_ARGS__))
#define MPI_Get_version(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_version(__VA_ARGS__))
#define MPI_Wtime(...) (eo_mpi_here(#__VA_ARGS__), MPI_Wtime(__VA_ARGS__))
#define MPI_Wtick(...) (eo_mpi_here(#__VA_ARGS__), MPI_Wtick(__VA_ARGS__))
#define MPI_Send(...) (eo_mpi_here(#__VA_ARGS__), MPI_Send(__VA_ARGS__))
#define MPI_Ssend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ssend(__VA_ARGS__))
#define MPI_Rsend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Rsend(__VA_ARGS__))
#define MPI_Bsend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Bsend(__VA_ARGS__))
#define MPI_Recv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Recv(__VA_ARGS__))
#define MPI_Barrier(...) (eo_mpi_here(#__VA_ARGS__), MPI_Barrier(__VA_ARGS__))
#define MPI_Sendrecv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Sendrecv(__VA_ARGS__))
#define MPI_Sendrecv_replace(...) (eo_mpi_here(#__VA_ARGS__), MPI_Sendrecv_replace(__VA_ARGS__))
#define MPI_Probe(...) (eo_mpi_here(#__VA_ARGS__), MPI_Probe(__VA_ARGS__))
#define MPI_Iprobe(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iprobe(__VA_ARGS__))
#define MPI_Buffer_attach(...) (eo_mpi_here(#__VA_ARGS__), MPI_Buffer_attach(__VA_ARGS__))
#define MPI_Buffer_detach(...) (eo_mpi_here(#__VA_ARGS__), MPI_Buffer_detach(__VA_ARGS__))
#define MPI_Isend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Isend(__VA_ARGS__))
#define MPI_Issend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Issend(__VA_ARGS__))
#define MPI_Irsend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Irsend(__VA_ARGS__))
#define MPI_Ibsend(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ibsend(__VA_ARGS__))
#define MPI_Irecv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Irecv(__VA_ARGS__))
#define MPI_Send_init(...) (eo_mpi_here(#__VA_ARGS__), MPI_Send_init(__VA_ARGS__))
#define MPI_Ssend_init(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ssend_init(__VA_ARGS__))
#define MPI_Rsend_init(...) (eo_mpi_here(#__VA_ARGS__), MPI_Rsend_init(__VA_ARGS__))
#define MPI_Bsend_init(...) (eo_mpi_here(#__VA_ARGS__), MPI_Bsend_init(__VA_ARGS__))
#define MPI_Recv_init(...) (eo_mpi_here(#__VA_ARGS__), MPI_Recv_init(__VA_ARGS__))
#define MPI_Start(...) (eo_mpi_here(#__VA_ARGS__), MPI_Start(__VA_ARGS__))
#define MPI_Startall(...) (eo_mpi_here(#__VA_ARGS__), MPI_Startall(__VA_ARGS__))
#define MPI_Request_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Request_free(__VA_ARGS__))
#define MPI_Wait(...) (eo_mpi_here(#__VA_ARGS__), MPI_Wait(__VA_ARGS__))
#define MPI_Waitall(...) (eo_mpi_here(#__VA_ARGS__), MPI_Waitall(__VA_ARGS__))
#define MPI_Waitany(...) (eo_mpi_here(#__VA_ARGS__), MPI_Waitany(__VA_ARGS__))
#define MPI_Waitsome(...) (eo_mpi_here(#__VA_ARGS__), MPI_Waitsome(__VA_ARGS__))
#define MPI_Test(...) (eo_mpi_here(#__VA_ARGS__), MPI_Test(__VA_ARGS__))
#define MPI_Testall(...) (eo_mpi_here(#__VA_ARGS__), MPI_Testall(__VA_ARGS__))
#define MPI_Testany(...) (eo_mpi_here(#__VA_ARGS__), MPI_Testany(__VA_ARGS__))
#define MPI_Testsome(...) (eo_mpi_here(#__VA_ARGS__), MPI_Testsome(__VA_ARGS__))
#define MPI_Test_cancelled(...) (eo_mpi_here(#__VA_ARGS__), MPI_Test_cancelled(__VA_ARGS__))
#define MPI_Get_count(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_count(__VA_ARGS__))
#define MPI_Comm_test_inter(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_test_inter(__VA_ARGS__))
#define MPI_Comm_group(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_group(__VA_ARGS__))
#define MPI_Comm_compare(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_compare(__VA_ARGS__))
#define MPI_Comm_set_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_set_name(__VA_ARGS__))
#define MPI_Comm_get_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_get_name(__VA_ARGS__))
#define MPI_Comm_dup(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_dup(__VA_ARGS__))
#define MPI_Comm_idup(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_idup(__VA_ARGS__))
#define MPI_Comm_split(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_split(__VA_ARGS__))
#define MPI_Comm_create(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_create(__VA_ARGS__))
#define MPI_Comm_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_free(__VA_ARGS__))
#define MPI_Type_contiguous(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_contiguous(__VA_ARGS__))
#define MPI_Type_vector(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_vector(__VA_ARGS__))
#define MPI_Type_create_hvector(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_hvector(__VA_ARGS__))
#define MPI_Type_hvector(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_hvector(__VA_ARGS__))
#define MPI_Type_indexed(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_indexed(__VA_ARGS__))
#define MPI_Type_create_hindexed(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_hindexed(__VA_ARGS__))
#define MPI_Type_hindexed(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_hindexed(__VA_ARGS__))
#define MPI_Type_create_indexed_block(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_indexed_block(__VA_ARGS__))
#define MPI_Type_create_hindexed_block(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_hindexed_block(__VA_ARGS__))
#define MPI_Type_create_struct(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_struct(__VA_ARGS__))
#define MPI_Type_struct(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_struct(__VA_ARGS__))
#define MPI_Type_create_subarray(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_subarray(__VA_ARGS__))
#define MPI_Type_create_resized(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_create_resized(__VA_ARGS__))
#define MPI_Type_dup(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_dup(__VA_ARGS__))
#define MPI_Type_commit(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_commit(__VA_ARGS__))
#define MPI_Type_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_free(__VA_ARGS__))
#define MPI_Type_set_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_set_name(__VA_ARGS__))
#define MPI_Type_get_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_get_name(__VA_ARGS__))
#define MPI_Type_get_extent(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_get_extent(__VA_ARGS__))
#define MPI_Type_get_true_extent(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_get_true_extent(__VA_ARGS__))
#define MPI_Type_extent(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_extent(__VA_ARGS__))
#define MPI_Type_lb(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_lb(__VA_ARGS__))
#define MPI_Type_ub(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_ub(__VA_ARGS__))
#define MPI_Type_size(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_size(__VA_ARGS__))
#define MPI_Type_size_x(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_size_x(__VA_ARGS__))
#define MPI_Type_get_envelope(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_get_envelope(__VA_ARGS__))
#define MPI_Type_get_contents(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_get_contents(__VA_ARGS__))
#define MPI_Get_address(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_address(__VA_ARGS__))
#define MPI_Address(...) (eo_mpi_here(#__VA_ARGS__), MPI_Address(__VA_ARGS__))
#define MPI_Aint_add(...) (eo_mpi_here(#__VA_ARGS__), MPI_Aint_add(__VA_ARGS__))
#define MPI_Aint_diff(...) (eo_mpi_here(#__VA_ARGS__), MPI_Aint_diff(__VA_ARGS__))
#define MPI_Group_size(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_size(__VA_ARGS__))
#define MPI_Group_rank(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_rank(__VA_ARGS__))
#define MPI_Group_incl(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_incl(__VA_ARGS__))
#define MPI_Group_excl(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_excl(__VA_ARGS__))
#define MPI_Group_range_incl(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_range_incl(__VA_ARGS__))
#define MPI_Group_range_excl(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_range_excl(__VA_ARGS__))
#define MPI_Group_union(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_union(__VA_ARGS__))
#define MPI_Group_intersection(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_intersection(__VA_ARGS__))
#define MPI_Group_difference(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_difference(__VA_ARGS__))
#define MPI_Group_translate_ranks(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_translate_ranks(__VA_ARGS__))
#define MPI_Group_compare(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_compare(__VA_ARGS__))
#define MPI_Group_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Group_free(__VA_ARGS__))
#define MPI_Ibarrier(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ibarrier(__VA_ARGS__))
#define MPI_Bcast(...) (eo_mpi_here(#__VA_ARGS__), MPI_Bcast(__VA_ARGS__))
#define MPI_Ibcast(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ibcast(__VA_ARGS__))
#define MPI_Gather(...) (eo_mpi_here(#__VA_ARGS__), MPI_Gather(__VA_ARGS__))
#define MPI_Igather(...) (eo_mpi_here(#__VA_ARGS__), MPI_Igather(__VA_ARGS__))
#define MPI_Gatherv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Gatherv(__VA_ARGS__))
#define MPI_Igatherv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Igatherv(__VA_ARGS__))
#define MPI_Scatter(...) (eo_mpi_here(#__VA_ARGS__), MPI_Scatter(__VA_ARGS__))
#define MPI_Iscatter(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iscatter(__VA_ARGS__))
#define MPI_Scatterv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Scatterv(__VA_ARGS__))
#define MPI_Iscatterv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iscatterv(__VA_ARGS__))
#define MPI_Allgather(...) (eo_mpi_here(#__VA_ARGS__), MPI_Allgather(__VA_ARGS__))
#define MPI_Iallgather(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iallgather(__VA_ARGS__))
#define MPI_Allgatherv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Allgatherv(__VA_ARGS__))
#define MPI_Iallgatherv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iallgatherv(__VA_ARGS__))
#define MPI_Alltoall(...) (eo_mpi_here(#__VA_ARGS__), MPI_Alltoall(__VA_ARGS__))
#define MPI_Ialltoall(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ialltoall(__VA_ARGS__))
#define MPI_Alltoallv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Alltoallv(__VA_ARGS__))
#define MPI_Ialltoallv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ialltoallv(__VA_ARGS__))
#define MPI_Alltoallw(...) (eo_mpi_here(#__VA_ARGS__), MPI_Alltoallw(__VA_ARGS__))
#define MPI_Ialltoallw(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ialltoallw(__VA_ARGS__))
#define MPI_Reduce(...) (eo_mpi_here(#__VA_ARGS__), MPI_Reduce(__VA_ARGS__))
#define MPI_Ireduce(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ireduce(__VA_ARGS__))
#define MPI_Allreduce(...) (eo_mpi_here(#__VA_ARGS__), MPI_Allreduce(__VA_ARGS__))
#define MPI_Iallreduce(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iallreduce(__VA_ARGS__))
#define MPI_Reduce_scatter(...) (eo_mpi_here(#__VA_ARGS__), MPI_Reduce_scatter(__VA_ARGS__))
#define MPI_Ireduce_scatter(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ireduce_scatter(__VA_ARGS__))
#define MPI_Reduce_scatter_block(...) (eo_mpi_here(#__VA_ARGS__), MPI_Reduce_scatter_block(__VA_ARGS__))
#define MPI_Ireduce_scatter_block(...) (eo_mpi_here(#__VA_ARGS__), MPI_Ireduce_scatter_block(__VA_ARGS__))
#define MPI_Scan(...) (eo_mpi_here(#__VA_ARGS__), MPI_Scan(__VA_ARGS__))
#define MPI_Iscan(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iscan(__VA_ARGS__))
#define MPI_Exscan(...) (eo_mpi_here(#__VA_ARGS__), MPI_Exscan(__VA_ARGS__))
#define MPI_Iexscan(...) (eo_mpi_here(#__VA_ARGS__), MPI_Iexscan(__VA_ARGS__))
#define MPI_Op_create(...) (eo_mpi_here(#__VA_ARGS__), MPI_Op_create(__VA_ARGS__))
#define MPI_Op_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Op_free(__VA_ARGS__))
#define MPI_Op_commutative(...) (eo_mpi_here(#__VA_ARGS__), MPI_Op_commutative(__VA_ARGS__))
#define MPI_Reduce_local(...) (eo_mpi_here(#__VA_ARGS__), MPI_Reduce_local(__VA_ARGS__))
#define MPI_Cart_create(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cart_create(__VA_ARGS__))
#define MPI_Cart_sub(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cart_sub(__VA_ARGS__))
#define MPI_Cartdim_get(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cartdim_get(__VA_ARGS__))
#define MPI_Cart_get(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cart_get(__VA_ARGS__))
#define MPI_Cart_rank(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cart_rank(__VA_ARGS__))
#define MPI_Cart_coords(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cart_coords(__VA_ARGS__))
#define MPI_Cart_shift(...) (eo_mpi_here(#__VA_ARGS__), MPI_Cart_shift(__VA_ARGS__))
#define MPI_Topo_test(...) (eo_mpi_here(#__VA_ARGS__), MPI_Topo_test(__VA_ARGS__))
#define MPI_Dims_create(...) (eo_mpi_here(#__VA_ARGS__), MPI_Dims_create(__VA_ARGS__))
#define MPI_Put(...) (eo_mpi_here(#__VA_ARGS__), MPI_Put(__VA_ARGS__))
#define MPI_Rput(...) (eo_mpi_here(#__VA_ARGS__), MPI_Rput(__VA_ARGS__))
#define MPI_Get(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get(__VA_ARGS__))
#define MPI_Rget(...) (eo_mpi_here(#__VA_ARGS__), MPI_Rget(__VA_ARGS__))
#define MPI_Accumulate(...) (eo_mpi_here(#__VA_ARGS__), MPI_Accumulate(__VA_ARGS__))
#define MPI_Raccumulate(...) (eo_mpi_here(#__VA_ARGS__), MPI_Raccumulate(__VA_ARGS__))
#define MPI_Get_accumulate(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_accumulate(__VA_ARGS__))
#define MPI_Rget_accumulate(...) (eo_mpi_here(#__VA_ARGS__), MPI_Rget_accumulate(__VA_ARGS__))
#define MPI_Fetch_and_op(...) (eo_mpi_here(#__VA_ARGS__), MPI_Fetch_and_op(__VA_ARGS__))
#define MPI_Compare_and_swap(...) (eo_mpi_here(#__VA_ARGS__), MPI_Compare_and_swap(__VA_ARGS__))
#define MPI_Win_create(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_create(__VA_ARGS__))
#define MPI_Win_allocate(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_allocate(__VA_ARGS__))
#define MPI_Win_create_dynamic(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_create_dynamic(__VA_ARGS__))
#define MPI_Win_attach(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_attach(__VA_ARGS__))
#define MPI_Win_detach(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_detach(__VA_ARGS__))
#define MPI_Win_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_free(__VA_ARGS__))
#define MPI_Win_get_group(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_get_group(__VA_ARGS__))
#define MPI_Win_set_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_set_name(__VA_ARGS__))
#define MPI_Win_get_name(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_get_name(__VA_ARGS__))
#define MPI_Win_fence(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_fence(__VA_ARGS__))
#define MPI_Win_lock(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_lock(__VA_ARGS__))
#define MPI_Win_unlock(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_unlock(__VA_ARGS__))
#define MPI_Win_lock_all(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_lock_all(__VA_ARGS__))
#define MPI_Win_unlock_all(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_unlock_all(__VA_ARGS__))
#define MPI_Win_flush(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_flush(__VA_ARGS__))
#define MPI_Win_flush_all(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_flush_all(__VA_ARGS__))
#define MPI_Win_flush_local(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_flush_local(__VA_ARGS__))
#define MPI_Win_flush_local_all(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_flush_local_all(__VA_ARGS__))
#define MPI_Win_sync(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_sync(__VA_ARGS__))
#define MPI_Win_post(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_post(__VA_ARGS__))
#define MPI_Win_start(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_start(__VA_ARGS__))
#define MPI_Win_complete(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_complete(__VA_ARGS__))
#define MPI_Win_wait(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_wait(__VA_ARGS__))
#define MPI_Comm_split_type(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_split_type(__VA_ARGS__))
#define MPI_Comm_remote_size(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_remote_size(__VA_ARGS__))
#define MPI_Alloc_mem(...) (eo_mpi_here(#__VA_ARGS__), MPI_Alloc_mem(__VA_ARGS__))
#define MPI_Free_mem(...) (eo_mpi_here(#__VA_ARGS__), MPI_Free_mem(__VA_ARGS__))
#define MPI_Get_library_version(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_library_version(__VA_ARGS__))
#define MPI_Query_thread(...) (eo_mpi_here(#__VA_ARGS__), MPI_Query_thread(__VA_ARGS__))
#define MPI_Is_thread_main(...) (eo_mpi_here(#__VA_ARGS__), MPI_Is_thread_main(__VA_ARGS__))
#define MPI_Info_create(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_create(__VA_ARGS__))
#define MPI_Info_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_free(__VA_ARGS__))
#define MPI_Info_set(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_set(__VA_ARGS__))
#define MPI_Info_get(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_get(__VA_ARGS__))
#define MPI_Info_get_valuelen(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_get_valuelen(__VA_ARGS__))
#define MPI_Info_get_nkeys(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_get_nkeys(__VA_ARGS__))
#define MPI_Info_get_nthkey(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_get_nthkey(__VA_ARGS__))
#define MPI_Info_delete(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_delete(__VA_ARGS__))
#define MPI_Info_dup(...) (eo_mpi_here(#__VA_ARGS__), MPI_Info_dup(__VA_ARGS__))
#define MPI_Comm_create_errhandler(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_create_errhandler(__VA_ARGS__))
#define MPI_Win_create_errhandler(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_create_errhandler(__VA_ARGS__))
#define MPI_Errhandler_free(...) (eo_mpi_here(#__VA_ARGS__), MPI_Errhandler_free(__VA_ARGS__))
#define MPI_Comm_set_errhandler(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_set_errhandler(__VA_ARGS__))
#define MPI_Errhandler_set(...) (eo_mpi_here(#__VA_ARGS__), MPI_Errhandler_set(__VA_ARGS__))
#define MPI_Comm_get_errhandler(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_get_errhandler(__VA_ARGS__))
#define MPI_Win_set_errhandler(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_set_errhandler(__VA_ARGS__))
#define MPI_Error_class(...) (eo_mpi_here(#__VA_ARGS__), MPI_Error_class(__VA_ARGS__))
#define MPI_Error_string(...) (eo_mpi_here(#__VA_ARGS__), MPI_Error_string(__VA_ARGS__))
#define MPI_Comm_create_keyval(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_create_keyval(__VA_ARGS__))
#define MPI_Comm_free_keyval(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_free_keyval(__VA_ARGS__))
#define MPI_Comm_set_attr(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_set_attr(__VA_ARGS__))
#define MPI_Comm_get_attr(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_get_attr(__VA_ARGS__))
#define MPI_Comm_delete_attr(...) (eo_mpi_here(#__VA_ARGS__), MPI_Comm_delete_attr(__VA_ARGS__))
#define MPI_Win_get_attr(...) (eo_mpi_here(#__VA_ARGS__), MPI_Win_get_attr(__VA_ARGS__))
#define MPI_Pack_size(...) (eo_mpi_here(#__VA_ARGS__), MPI_Pack_size(__VA_ARGS__))
#define MPI_Pack(...) (eo_mpi_here(#__VA_ARGS__), MPI_Pack(__VA_ARGS__))
#define MPI_Unpack(...) (eo_mpi_here(#__VA_ARGS__), MPI_Unpack(__VA_ARGS__))
#define MPI_Get_elements(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_elements(__VA_ARGS__))
#define MPI_Get_elements_x(...) (eo_mpi_here(#__VA_ARGS__), MPI_Get_elements_x(__VA_ARGS__))
#define MPI_Status_set_elements(...) (eo_mpi_here(#__VA_ARGS__), MPI_Status_set_elements(__VA_ARGS__))
#define MPI_Status_set_elements_x(...) (eo_mpi_here(#__VA_ARGS__), MPI_Status_set_elements_x(__VA_ARGS__))
#define MPI_Status_set_cancelled(...) (eo_mpi_here(#__VA_ARGS__), MPI_Status_set_cancelled(__VA_ARGS__))
#define MPI_Type_match_size(...) (eo_mpi_here(#__VA_ARGS__), MPI_Type_match_size(__VA_ARGS__))
#define MPI_Mprobe(...) (eo_mpi_here(#__VA_ARGS__), MPI_Mprobe(__VA_ARGS__))
#define MPI_Improbe(...) (eo_mpi_here(#__VA_ARGS__), MPI_Improbe(__VA_ARGS__))
#define MPI_Mrecv(...) (eo_mpi_here(#__VA_ARGS__), MPI_Mrecv(__VA_ARGS__))
#endif

/* ---- What is not: each compiles, and is a finding when it is called ------------------------------------------------ */

#define MPI_Add_error_class(...) eo_mpi_missing(Add_error_class, ##__VA_ARGS__)
#define MPI_Add_error_code(...) eo_mpi_missing(Add_error_code, ##__VA_ARGS__)
#define MPI_Add_error_string(...) eo_mpi_missing(Add_error_string, ##__VA_ARGS__)
#define MPI_Attr_delete(...) eo_mpi_missing(Attr_delete, ##__VA_ARGS__)
#define MPI_Attr_get(...) eo_mpi_missing(Attr_get, ##__VA_ARGS__)
#define MPI_Attr_put(...) eo_mpi_missing(Attr_put, ##__VA_ARGS__)
#define MPI_Cancel(...) eo_mpi_missing(Cancel, ##__VA_ARGS__)
#define MPI_Cart_map(...) eo_mpi_missing(Cart_map, ##__VA_ARGS__)
#define MPI_Close_port(...) eo_mpi_missing(Close_port, ##__VA_ARGS__)
#define MPI_Comm_accept(...) eo_mpi_missing(Comm_accept, ##__VA_ARGS__)
#define MPI_Comm_call_errhandler(...) eo_mpi_missing(Comm_call_errhandler, ##__VA_ARGS__)
#define MPI_Comm_connect(...) eo_mpi_missing(Comm_connect, ##__VA_ARGS__)
#define MPI_Comm_create_group(...) eo_mpi_missing(Comm_create_group, ##__VA_ARGS__)
#define MPI_Comm_disconnect(...) eo_mpi_missing(Comm_disconnect, ##__VA_ARGS__)
#define MPI_Comm_dup_with_info(...) eo_mpi_missing(Comm_dup_with_info, ##__VA_ARGS__)
#define MPI_Comm_get_info(...) eo_mpi_missing(Comm_get_info, ##__VA_ARGS__)
#define MPI_Comm_get_parent(...) eo_mpi_missing(Comm_get_parent, ##__VA_ARGS__)
#define MPI_Comm_join(...) eo_mpi_missing(Comm_join, ##__VA_ARGS__)
#define MPI_Comm_remote_group(...) eo_mpi_missing(Comm_remote_group, ##__VA_ARGS__)
#define MPI_Comm_set_info(...) eo_mpi_missing(Comm_set_info, ##__VA_ARGS__)
#define MPI_Comm_spawn(...) eo_mpi_missing(Comm_spawn, ##__VA_ARGS__)
#define MPI_Comm_spawn_multiple(...) eo_mpi_missing(Comm_spawn_multiple, ##__VA_ARGS__)
#define MPI_Dist_graph_create(...) eo_mpi_missing(Dist_graph_create, ##__VA_ARGS__)
#define MPI_Dist_graph_create_adjacent(...) eo_mpi_missing(Dist_graph_create_adjacent, ##__VA_ARGS__)
#define MPI_Dist_graph_neighbors(...) eo_mpi_missing(Dist_graph_neighbors, ##__VA_ARGS__)
#define MPI_Dist_graph_neighbors_count(...) eo_mpi_missing(Dist_graph_neighbors_count, ##__VA_ARGS__)
#define MPI_Errhandler_create(...) eo_mpi_missing(Errhandler_create, ##__VA_ARGS__)
#define MPI_Errhandler_get(...) eo_mpi_missing(Errhandler_get, ##__VA_ARGS__)
#define MPI_File_call_errhandler(...) eo_mpi_missing(File_call_errhandler, ##__VA_ARGS__)
#define MPI_File_close(...) eo_mpi_missing(File_close, ##__VA_ARGS__)
#define MPI_File_create_errhandler(...) eo_mpi_missing(File_create_errhandler, ##__VA_ARGS__)
#define MPI_File_delete(...) eo_mpi_missing(File_delete, ##__VA_ARGS__)
#define MPI_File_get_amode(...) eo_mpi_missing(File_get_amode, ##__VA_ARGS__)
#define MPI_File_get_atomicity(...) eo_mpi_missing(File_get_atomicity, ##__VA_ARGS__)
#define MPI_File_get_byte_offset(...) eo_mpi_missing(File_get_byte_offset, ##__VA_ARGS__)
#define MPI_File_get_errhandler(...) eo_mpi_missing(File_get_errhandler, ##__VA_ARGS__)
#define MPI_File_get_group(...) eo_mpi_missing(File_get_group, ##__VA_ARGS__)
#define MPI_File_get_info(...) eo_mpi_missing(File_get_info, ##__VA_ARGS__)
#define MPI_File_get_position(...) eo_mpi_missing(File_get_position, ##__VA_ARGS__)
#define MPI_File_get_position_shared(...) eo_mpi_missing(File_get_position_shared, ##__VA_ARGS__)
#define MPI_File_get_size(...) eo_mpi_missing(File_get_size, ##__VA_ARGS__)
#define MPI_File_get_type_extent(...) eo_mpi_missing(File_get_type_extent, ##__VA_ARGS__)
#define MPI_File_get_view(...) eo_mpi_missing(File_get_view, ##__VA_ARGS__)
#define MPI_File_iread(...) eo_mpi_missing(File_iread, ##__VA_ARGS__)
#define MPI_File_iread_all(...) eo_mpi_missing(File_iread_all, ##__VA_ARGS__)
#define MPI_File_iread_at(...) eo_mpi_missing(File_iread_at, ##__VA_ARGS__)
#define MPI_File_iread_at_all(...) eo_mpi_missing(File_iread_at_all, ##__VA_ARGS__)
#define MPI_File_iread_shared(...) eo_mpi_missing(File_iread_shared, ##__VA_ARGS__)
#define MPI_File_iwrite(...) eo_mpi_missing(File_iwrite, ##__VA_ARGS__)
#define MPI_File_iwrite_all(...) eo_mpi_missing(File_iwrite_all, ##__VA_ARGS__)
#define MPI_File_iwrite_at(...) eo_mpi_missing(File_iwrite_at, ##__VA_ARGS__)
#define MPI_File_iwrite_at_all(...) eo_mpi_missing(File_iwrite_at_all, ##__VA_ARGS__)
#define MPI_File_iwrite_shared(...) eo_mpi_missing(File_iwrite_shared, ##__VA_ARGS__)
#define MPI_File_open(...) eo_mpi_missing(File_open, ##__VA_ARGS__)
#define MPI_File_preallocate(...) eo_mpi_missing(File_preallocate, ##__VA_ARGS__)
#define MPI_File_read(...) eo_mpi_missing(File_read, ##__VA_ARGS__)
#define MPI_File_read_all(...) eo_mpi_missing(File_read_all, ##__VA_ARGS__)
#define MPI_File_read_all_begin(...) eo_mpi_missing(File_read_all_begin, ##__VA_ARGS__)
#define MPI_File_read_all_end(...) eo_mpi_missing(File_read_all_end, ##__VA_ARGS__)
#define MPI_File_read_at(...) eo_mpi_missing(File_read_at, ##__VA_ARGS__)
#define MPI_File_read_at_all(...) eo_mpi_missing(File_read_at_all, ##__VA_ARGS__)
#define MPI_File_read_at_all_begin(...) eo_mpi_missing(File_read_at_all_begin, ##__VA_ARGS__)
#define MPI_File_read_at_all_end(...) eo_mpi_missing(File_read_at_all_end, ##__VA_ARGS__)
#define MPI_File_read_ordered(...) eo_mpi_missing(File_read_ordered, ##__VA_ARGS__)
#define MPI_File_read_ordered_begin(...) eo_mpi_missing(File_read_ordered_begin, ##__VA_ARGS__)
#define MPI_File_read_ordered_end(...) eo_mpi_missing(File_read_ordered_end, ##__VA_ARGS__)
#define MPI_File_read_shared(...) eo_mpi_missing(File_read_shared, ##__VA_ARGS__)
#define MPI_File_seek(...) eo_mpi_missing(File_seek, ##__VA_ARGS__)
#define MPI_File_seek_shared(...) eo_mpi_missing(File_seek_shared, ##__VA_ARGS__)
#define MPI_File_set_atomicity(...) eo_mpi_missing(File_set_atomicity, ##__VA_ARGS__)
#define MPI_File_set_errhandler(...) eo_mpi_missing(File_set_errhandler, ##__VA_ARGS__)
#define MPI_File_set_info(...) eo_mpi_missing(File_set_info, ##__VA_ARGS__)
#define MPI_File_set_size(...) eo_mpi_missing(File_set_size, ##__VA_ARGS__)
#define MPI_File_set_view(...) eo_mpi_missing(File_set_view, ##__VA_ARGS__)
#define MPI_File_sync(...) eo_mpi_missing(File_sync, ##__VA_ARGS__)
#define MPI_File_write(...) eo_mpi_missing(File_write, ##__VA_ARGS__)
#define MPI_File_write_all(...) eo_mpi_missing(File_write_all, ##__VA_ARGS__)
#define MPI_File_write_all_begin(...) eo_mpi_missing(File_write_all_begin, ##__VA_ARGS__)
#define MPI_File_write_all_end(...) eo_mpi_missing(File_write_all_end, ##__VA_ARGS__)
#define MPI_File_write_at(...) eo_mpi_missing(File_write_at, ##__VA_ARGS__)
#define MPI_File_write_at_all(...) eo_mpi_missing(File_write_at_all, ##__VA_ARGS__)
#define MPI_File_write_at_all_begin(...) eo_mpi_missing(File_write_at_all_begin, ##__VA_ARGS__)
#define MPI_File_write_at_all_end(...) eo_mpi_missing(File_write_at_all_end, ##__VA_ARGS__)
#define MPI_File_write_ordered(...) eo_mpi_missing(File_write_ordered, ##__VA_ARGS__)
#define MPI_File_write_ordered_begin(...) eo_mpi_missing(File_write_ordered_begin, ##__VA_ARGS__)
#define MPI_File_write_ordered_end(...) eo_mpi_missing(File_write_ordered_end, ##__VA_ARGS__)
#define MPI_File_write_shared(...) eo_mpi_missing(File_write_shared, ##__VA_ARGS__)
#define MPI_Graph_create(...) eo_mpi_missing(Graph_create, ##__VA_ARGS__)
#define MPI_Graph_get(...) eo_mpi_missing(Graph_get, ##__VA_ARGS__)
#define MPI_Graph_map(...) eo_mpi_missing(Graph_map, ##__VA_ARGS__)
#define MPI_Graph_neighbors(...) eo_mpi_missing(Graph_neighbors, ##__VA_ARGS__)
#define MPI_Graph_neighbors_count(...) eo_mpi_missing(Graph_neighbors_count, ##__VA_ARGS__)
#define MPI_Graphdims_get(...) eo_mpi_missing(Graphdims_get, ##__VA_ARGS__)
#define MPI_Grequest_complete(...) eo_mpi_missing(Grequest_complete, ##__VA_ARGS__)
#define MPI_Grequest_start(...) eo_mpi_missing(Grequest_start, ##__VA_ARGS__)
#define MPI_Imrecv(...) eo_mpi_missing(Imrecv, ##__VA_ARGS__)
#define MPI_Ineighbor_allgather(...) eo_mpi_missing(Ineighbor_allgather, ##__VA_ARGS__)
#define MPI_Ineighbor_allgatherv(...) eo_mpi_missing(Ineighbor_allgatherv, ##__VA_ARGS__)
#define MPI_Ineighbor_alltoall(...) eo_mpi_missing(Ineighbor_alltoall, ##__VA_ARGS__)
#define MPI_Ineighbor_alltoallv(...) eo_mpi_missing(Ineighbor_alltoallv, ##__VA_ARGS__)
#define MPI_Ineighbor_alltoallw(...) eo_mpi_missing(Ineighbor_alltoallw, ##__VA_ARGS__)
#define MPI_Intercomm_create(...) eo_mpi_missing(Intercomm_create, ##__VA_ARGS__)
#define MPI_Intercomm_merge(...) eo_mpi_missing(Intercomm_merge, ##__VA_ARGS__)
#define MPI_Keyval_create(...) eo_mpi_missing(Keyval_create, ##__VA_ARGS__)
#define MPI_Keyval_free(...) eo_mpi_missing(Keyval_free, ##__VA_ARGS__)
#define MPI_Lookup_name(...) eo_mpi_missing(Lookup_name, ##__VA_ARGS__)
#define MPI_Neighbor_allgather(...) eo_mpi_missing(Neighbor_allgather, ##__VA_ARGS__)
#define MPI_Neighbor_allgatherv(...) eo_mpi_missing(Neighbor_allgatherv, ##__VA_ARGS__)
#define MPI_Neighbor_alltoall(...) eo_mpi_missing(Neighbor_alltoall, ##__VA_ARGS__)
#define MPI_Neighbor_alltoallv(...) eo_mpi_missing(Neighbor_alltoallv, ##__VA_ARGS__)
#define MPI_Neighbor_alltoallw(...) eo_mpi_missing(Neighbor_alltoallw, ##__VA_ARGS__)
#define MPI_Open_port(...) eo_mpi_missing(Open_port, ##__VA_ARGS__)
#define MPI_Pack_external(...) eo_mpi_missing(Pack_external, ##__VA_ARGS__)
#define MPI_Pack_external_size(...) eo_mpi_missing(Pack_external_size, ##__VA_ARGS__)
#define MPI_Pcontrol(...) eo_mpi_missing(Pcontrol, ##__VA_ARGS__)
#define MPI_Publish_name(...) eo_mpi_missing(Publish_name, ##__VA_ARGS__)
#define MPI_Register_datarep(...) eo_mpi_missing(Register_datarep, ##__VA_ARGS__)
#define MPI_Request_get_status(...) eo_mpi_missing(Request_get_status, ##__VA_ARGS__)
#define MPI_T_category_changed(...) eo_mpi_missing(T_category_changed, ##__VA_ARGS__)
#define MPI_T_category_get_categories(...) eo_mpi_missing(T_category_get_categories, ##__VA_ARGS__)
#define MPI_T_category_get_cvars(...) eo_mpi_missing(T_category_get_cvars, ##__VA_ARGS__)
#define MPI_T_category_get_index(...) eo_mpi_missing(T_category_get_index, ##__VA_ARGS__)
#define MPI_T_category_get_info(...) eo_mpi_missing(T_category_get_info, ##__VA_ARGS__)
#define MPI_T_category_get_num(...) eo_mpi_missing(T_category_get_num, ##__VA_ARGS__)
#define MPI_T_category_get_pvars(...) eo_mpi_missing(T_category_get_pvars, ##__VA_ARGS__)
#define MPI_T_cvar_get_index(...) eo_mpi_missing(T_cvar_get_index, ##__VA_ARGS__)
#define MPI_T_cvar_get_info(...) eo_mpi_missing(T_cvar_get_info, ##__VA_ARGS__)
#define MPI_T_cvar_get_num(...) eo_mpi_missing(T_cvar_get_num, ##__VA_ARGS__)
#define MPI_T_cvar_handle_alloc(...) eo_mpi_missing(T_cvar_handle_alloc, ##__VA_ARGS__)
#define MPI_T_cvar_handle_free(...) eo_mpi_missing(T_cvar_handle_free, ##__VA_ARGS__)
#define MPI_T_cvar_read(...) eo_mpi_missing(T_cvar_read, ##__VA_ARGS__)
#define MPI_T_cvar_write(...) eo_mpi_missing(T_cvar_write, ##__VA_ARGS__)
#define MPI_T_enum_get_info(...) eo_mpi_missing(T_enum_get_info, ##__VA_ARGS__)
#define MPI_T_enum_get_item(...) eo_mpi_missing(T_enum_get_item, ##__VA_ARGS__)
#define MPI_T_finalize(...) eo_mpi_missing(T_finalize, ##__VA_ARGS__)
#define MPI_T_init_thread(...) eo_mpi_missing(T_init_thread, ##__VA_ARGS__)
#define MPI_T_pvar_get_index(...) eo_mpi_missing(T_pvar_get_index, ##__VA_ARGS__)
#define MPI_T_pvar_get_info(...) eo_mpi_missing(T_pvar_get_info, ##__VA_ARGS__)
#define MPI_T_pvar_get_num(...) eo_mpi_missing(T_pvar_get_num, ##__VA_ARGS__)
#define MPI_T_pvar_handle_alloc(...) eo_mpi_missing(T_pvar_handle_alloc, ##__VA_ARGS__)
#define MPI_T_pvar_handle_free(...) eo_mpi_missing(T_pvar_handle_free, ##__VA_ARGS__)
#define MPI_T_pvar_read(...) eo_mpi_missing(T_pvar_read, ##__VA_ARGS__)
#define MPI_T_pvar_readreset(...) eo_mpi_missing(T_pvar_readreset, ##__VA_ARGS__)
#define MPI_T_pvar_reset(...) eo_mpi_missing(T_pvar_reset, ##__VA_ARGS__)
#define MPI_T_pvar_session_create(...) eo_mpi_missing(T_pvar_session_create, ##__VA_ARGS__)
#define MPI_T_pvar_session_free(...) eo_mpi_missing(T_pvar_session_free, ##__VA_ARGS__)
#define MPI_T_pvar_start(...) eo_mpi_missing(T_pvar_start, ##__VA_ARGS__)
#define MPI_T_pvar_stop(...) eo_mpi_missing(T_pvar_stop, ##__VA_ARGS__)
#define MPI_T_pvar_write(...) eo_mpi_missing(T_pvar_write, ##__VA_ARGS__)
#define MPI_Type_create_darray(...) eo_mpi_missing(Type_create_darray, ##__VA_ARGS__)
#define MPI_Type_create_f90_complex(...) eo_mpi_missing(Type_create_f90_complex, ##__VA_ARGS__)
#define MPI_Type_create_f90_integer(...) eo_mpi_missing(Type_create_f90_integer, ##__VA_ARGS__)
#define MPI_Type_create_f90_real(...) eo_mpi_missing(Type_create_f90_real, ##__VA_ARGS__)
#define MPI_Type_create_keyval(...) eo_mpi_missing(Type_create_keyval, ##__VA_ARGS__)
#define MPI_Type_delete_attr(...) eo_mpi_missing(Type_delete_attr, ##__VA_ARGS__)
#define MPI_Type_free_keyval(...) eo_mpi_missing(Type_free_keyval, ##__VA_ARGS__)
#define MPI_Type_get_attr(...) eo_mpi_missing(Type_get_attr, ##__VA_ARGS__)
#define MPI_Type_get_extent_x(...) eo_mpi_missing(Type_get_extent_x, ##__VA_ARGS__)
#define MPI_Type_get_true_extent_x(...) eo_mpi_missing(Type_get_true_extent_x, ##__VA_ARGS__)
#define MPI_Type_set_attr(...) eo_mpi_missing(Type_set_attr, ##__VA_ARGS__)
#define MPI_Unpack_external(...) eo_mpi_missing(Unpack_external, ##__VA_ARGS__)
#define MPI_Unpublish_name(...) eo_mpi_missing(Unpublish_name, ##__VA_ARGS__)
#define MPI_Win_allocate_shared(...) eo_mpi_missing(Win_allocate_shared, ##__VA_ARGS__)
#define MPI_Win_call_errhandler(...) eo_mpi_missing(Win_call_errhandler, ##__VA_ARGS__)
#define MPI_Win_create_keyval(...) eo_mpi_missing(Win_create_keyval, ##__VA_ARGS__)
#define MPI_Win_delete_attr(...) eo_mpi_missing(Win_delete_attr, ##__VA_ARGS__)
#define MPI_Win_free_keyval(...) eo_mpi_missing(Win_free_keyval, ##__VA_ARGS__)
#define MPI_Win_get_errhandler(...) eo_mpi_missing(Win_get_errhandler, ##__VA_ARGS__)
#define MPI_Win_get_info(...) eo_mpi_missing(Win_get_info, ##__VA_ARGS__)
#define MPI_Win_set_attr(...) eo_mpi_missing(Win_set_attr, ##__VA_ARGS__)
#define MPI_Win_set_info(...) eo_mpi_missing(Win_set_info, ##__VA_ARGS__)
#define MPI_Win_shared_query(...) eo_mpi_missing(Win_shared_query, ##__VA_ARGS__)
#define MPI_Win_test(...) eo_mpi_missing(Win_test, ##__VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
