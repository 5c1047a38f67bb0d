/* start.c: how an MPI program starts. It is a shared object that can be executed (eo-mpicc links it so). Executed, it is a test
 * program; before it explores, it loads a copy of its own file for each rank, so that each rank has the program's
 * variables to itself. The dynamic linker gives each copy its own, no switch between ranks has to do anything, and the variables are
 * captured like those of any library. (Namespaces of dlmopen would do the same, but there are 16 of them.)
 *
 * A name of a test says how it is run: "mpi -n 4 ARGUMENT...". */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi/rank.h"
#include "mpi/world.h"

/* By these marks the command knows a test program, and an MPI program. */
__attribute__((used)) static const char mark[] = "everyorder-test-program 1", mpi_mark[] = "everyorder-mpi-program 1";

#if defined(__x86_64__)
#define LOADER "/lib64/ld-linux-x86-64.so.2"
__asm__(
    ".globl eo_mpi_start\n.hidden eo_mpi_start\n.type eo_mpi_start, @function\neo_mpi_start:\n"
    "  xor %ebp, %ebp\n  mov %rdx, %r9\n  pop %rsi\n  mov %rsp, %rdx\n  and $-16, %rsp\n  push %rax\n  push %rsp\n"
    "  xor %r8d, %r8d\n  xor %ecx, %ecx\n  mov eo_main@GOTPCREL(%rip), %rdi\n"
    "  call *__libc_start_main@GOTPCREL(%rip)\n  hlt\n");
#else
#define LOADER "/lib/ld-linux-aarch64.so.1"
__asm__(
    ".globl eo_mpi_start\n.hidden eo_mpi_start\n.type eo_mpi_start, %function\neo_mpi_start:\n"
    "  mov x29, #0\n  mov x30, #0\n  mov x5, x0\n  ldr x1, [sp]\n  add x2, sp, #8\n  mov x6, sp\n"
    "  adrp x0, :got:eo_main\n  ldr x0, [x0, #:got_lo12:eo_main]\n  mov x3, #0\n  mov x4, #0\n"
    "  bl __libc_start_main\n  bl abort\n");
#endif

__attribute__((section(".interp"), used)) static const char loader[] = LOADER;

/* By which the executed image finds a copy's code. */
__attribute__((visibility("default"), used)) void eo_mpi_copy(void *start) { eo__mpi_rank_main(start); }

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern char _end[] __attribute__((visibility("hidden")));

/* ---- Copies ------------------------------------------------------------------------------------------------------- */

enum { MOST_RANKS = 512 };

static eo_function *copies;
static int copy_count;

/* A new file without a name that holds the program. */
static int copy_file(void) {
  struct stat status;
  int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = memfd_create("rank", MFD_CLOEXEC);
  bool done = from >= 0 && to >= 0 && fstat(from, &status) == 0;
  off_t at = 0;
  while (done && at < status.st_size) done = sendfile(to, from, &at, (size_t)(status.st_size - at)) > 0;
  if (from >= 0) close(from);
  if (done || to < 0) return to;
  close(to);
  return -1;
}

static bool load_copy(char *why, size_t size) {
  char path[MOST_RANKS + 64], apart[MOST_RANKS + 1] = "";
  int file = copy_file();
  memset(apart, '/', (size_t)copy_count); /* what has the same path is taken for the same file */
  snprintf(path, sizeof path, "/proc/%d/fd/%s%d", (int)getpid(), apart, file);
  void *library = file < 0 ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *function = library ? dlsym(library, "eo_mpi_copy") : NULL;
  if (!function) snprintf(why, size, "the program cannot be loaded for rank %d: %s", copy_count, dlerror());
  if (file >= 0) close(file);
  if (!function) return false;
  char name[16];
  snprintf(name, sizeof name, "rank %d", copy_count);
  eo_copy_add(function, name);
  memcpy(&copies[copy_count++], &function, sizeof function);
  return true;
}

static bool load_copies(int count, char *why, size_t size) {
  eo_function *more = realloc(copies, (size_t)count * sizeof *copies);
  if (!more) {
    snprintf(why, size, "out of memory");
    return false;
  }
  copies = more;
  if (copy_count == 0) {
    eo_copy_add(&copies, NULL); /* what was executed is the world's alone */
    eo_first_is_trusted();
  }
  while (copy_count < count)
    if (!load_copy(why, size)) return false;
  return true;
}

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

typedef struct plan {
  eo_test test;
  int size;
  eo__mpi_buffering buffering;
  size_t start_size;
  eo__mpi_start start; /* its arguments follow */
} plan;

static plan *the_plan; /* one test is run at a time, and its name is of this program */

static eo_function rank_main(int rank) { return copies[rank]; }

static void body(void) {
  eo__mpi_world_run(the_plan->size, the_plan->buffering, rank_main, &the_plan->start, the_plan->start_size);
}

/* The next word of a name; blanks inside it have a backslash before them. */
static const char *word(const char *at, char *out) {
  while (*at == ' ') at++;
  for (; *at && *at != ' '; at++) {
    if (*at == '\\' && at[1]) at++;
    *out++ = *at;
  }
  *out = '\0';
  return at;
}

static bool parse_head(const char **at, plan *made, char *room, char *why, size_t size) {
  static const char *const ways[] = {"both", "zero", "infinite"};
  *at = word(*at, room);
  if (strcmp(room, "-n") != 0) return false;
  *at = word(*at, room);
  char *end;
  long ranks = strtol(room, &end, 10);
  if (*end || end == room || ranks < 1 || ranks > MOST_RANKS) {
    snprintf(why, size, "-n %.32s: the number of ranks is from 1 to %d", room, MOST_RANKS);
    return false;
  }
  made->size = (int)ranks;
  const char *next = word(*at, room);
  if (strncmp(room, "--buffering=", 12) == 0) {
    for (int i = 0; i < 3; i++)
      if (strcmp(room + 12, ways[i]) == 0) made->buffering = (eo__mpi_buffering)i;
    *at = next;
    next = word(*at, room);
  }
  made->start.separate = strcmp(room, "--windows=separate") == 0;
  if (made->start.separate) *at = next;
  return true;
}

static eo_test *make(const char *name, char *why, size_t size) {
  if (strncmp(name, "mpi -n ", 7) != 0) return NULL;
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  size_t room = sizeof(plan) + strlen(path) + 2 * strlen(name) + 16;
  plan *made = calloc(1, room);
  char *kept = strdup(name), *text = malloc(strlen(name) + 1);
  const char *at = name + 3;
  if (!made || !kept || !text || !parse_head(&at, made, text, why, size) || !load_copies(made->size, why, size)) {
    free(made);
    free(kept);
    free(text);
    return NULL;
  }
  char *out = (char *)(&made->start + 1);
  out = stpcpy(out, path) + 1;
  made->start.argc = 1;
  for (at = word(at, text); *text; at = word(at, text), made->start.argc++) out = stpcpy(out, text) + 1;
  free(text);
  made->start_size = (size_t)(out - (char *)&made->start);
  made->test = (eo_test){.name = kept, .place = {"", "main", 0, NULL}, .body = body};
  the_plan = made;
  return &made->test;
}

/* In the image that was executed, not in the copies. */
__attribute__((constructor)) static void begin(void) {
  uintptr_t headers = getauxval(AT_PHDR);
  if (headers >= (uintptr_t)__ehdr_start && headers < (uintptr_t)_end)
    eo_tests_made_by(make, "this is an MPI program: everyorder mpi -n 2 PROGRAM [ARGUMENT]...");
}
