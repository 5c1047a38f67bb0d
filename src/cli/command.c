/* command.c: what the command `everyorder` does: find the test program and hand over to it by exec, so that signals,
 * exit code and terminal are the program's own. */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "registry/cluster.h"

/* ---- Finding the program -------------------------------------------------------------------------------------- */

static bool is_program_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool find_in_path(const char *name, char *out, size_t size) {
  const char *path = getenv("PATH");
  while (path != NULL && *path != '\0') {
    size_t length = strcspn(path, ":");
    int written = snprintf(out, size, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? path : ".", name);
    if (written > 0 && (size_t)written < size && is_program_file(out)) return true;
    path += length + (path[length] == ':');
  }
  return false;
}

/* Where `name` is: with a slash as it stands, else here, else along PATH. Errors say what is in the way. */
static int find_program(const char *name, char *out, size_t size, eo_error *error) {
  struct stat status;
  bool has_slash = strchr(name, '/') != NULL;
  int written = snprintf(out, size, "%s%s", has_slash ? "" : "./", name);
  if (written < 0 || (size_t)written >= size)
    return eo__error_set(error, EO_EINPUT, "the path of the program is too long");
  if (is_program_file(out)) return EO_OK;
  if (stat(out, &status) != 0) {
    int why = errno;
    if (!has_slash && find_in_path(name, out, size)) return EO_OK;
    if (!has_slash && why == ENOENT)
      return eo__error_set(error, EO_EINPUT, "there is no program %.256s, neither here nor in PATH; was it built?",
                           name);
    return eo__error_set(error, EO_EINPUT, "%.256s: %s%s", name, strerror(why), why == ENOENT ? "; was it built?" : "");
  }
  if (S_ISDIR(status.st_mode)) return eo__error_set(error, EO_EINPUT, "%.256s is a folder, not a program", name);
  return eo__error_set(error, EO_EINPUT, "%.256s cannot be executed; is it the program, or its source?", name);
}

/* Do the bytes hold `head` with `tail` right behind it? The two come apart so that this program does not. */
static bool holds(const char *bytes, size_t size, const char *head, const char *tail) {
  const char *at = bytes, *end = bytes + size;
  while ((at = memmem(at, (size_t)(end - at), head, strlen(head))) != NULL) {
    at += strlen(head);
    if ((size_t)(end - at) >= strlen(tail) && memcmp(at, tail, strlen(tail)) == 0) return true;
  }
  return false;
}

/* Does the program take its main from a shared library? Then that is a symbol it needs and does not define. */
static bool imports_main(const char *bytes, size_t size) {
  ElfW(Ehdr) file;
  if (size < sizeof(file)) return false;
  memcpy(&file, bytes, sizeof(file));
  for (size_t i = 0; i < file.e_shnum; i++) {
    ElfW(Shdr) section, names;
    size_t at = file.e_shoff + i * sizeof(section);
    if (at > size - sizeof(section)) return false;
    memcpy(&section, bytes + at, sizeof(section));
    if (section.sh_type != SHT_DYNSYM) continue;
    size_t names_at = file.e_shoff + section.sh_link * sizeof(names);
    if (names_at > size - sizeof(names)) return false;
    memcpy(&names, bytes + names_at, sizeof(names));
    if (section.sh_offset > size || section.sh_size > size - section.sh_offset || names.sh_offset > size) return false;
    for (size_t offset = 0; offset + sizeof(ElfW(Sym)) <= section.sh_size; offset += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      memcpy(&symbol, bytes + section.sh_offset + offset, sizeof(symbol));
      size_t name = names.sh_offset + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF && name <= size - sizeof("main") &&
          memcmp(bytes + name, "main", sizeof("main")) == 0)
        return true;
    }
  }
  return false;
}

/* The mark is in the file itself, or in the shared library that it takes its main from. */
static bool is_test_program(const char *bytes, size_t size) {
  return holds(bytes, size, EO_MARKER_HEAD, EO_MARKER_TAIL) ||
         (holds(bytes, size, "libeveryorder", ".so") && imports_main(bytes, size));
}

/* Does the file have these bytes? */
static bool file_holds(int file, const char *head, const char *tail) {
  struct stat status;
  if (fstat(file, &status) != 0 || status.st_size == 0) return false;
  size_t size = (size_t)status.st_size;
  const char *bytes = eo__map(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return false;
  bool found = holds(bytes, size, head, tail);
  munmap((void *)(uintptr_t)bytes, size);
  return found;
}

/* A program that is none of ours would be run with arguments it does not expect: refuse it. */
static int check_program(int file, const char *path, eo_error *error) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return eo__error_set(error, EO_ESYSTEM, "%.256s: cannot be read: %s", path, strerror(errno));
  size_t size = (size_t)status.st_size;
  void *bytes = size > 0 ? eo__map(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  bool found = bytes != MAP_FAILED && is_test_program(bytes, size);
  if (bytes != MAP_FAILED) munmap(bytes, size);
  if (found) return EO_OK;
  return eo__error_set(
      error, EO_EINPUT,
      "%.256s is not an Everyorder test program: declare tests with EO_TEST and link it with the library, "
      "without a main of its own",
      path);
}

/* A program that was found and looked at. What is then run is this very file, whatever gets its name meanwhile. */
typedef struct test_program {
  char path[PATH_MAX];
  int file; /* -1: not open */
} test_program;

static void close_program(test_program *p) {
  if (p->file >= 0) close(p->file);
  p->file = -1;
}

/* Opens `name`; p->path says where it was found. */
static int open_program(test_program *p, const char *name, eo_error *error) {
  p->file = -1;
  int code = find_program(name, p->path, sizeof(p->path), error);
  if (code != EO_OK) return code;
  p->file = eo__file_open(p->path);
  if (p->file < 0)
    return eo__error_set(error, EO_ESYSTEM, "%.256s: cannot be read: %s", p->path, eo__file_trouble(errno));
  code = check_program(p->file, p->path, error);
  if (code != EO_OK) close_program(p);
  return code;
}

/* ---- Handing over --------------------------------------------------------------------------------------------- */

/* Becomes `program COMMAND [first...] options [operands]`; returns only if that fails. */
static int become_with(const test_program *p, const char *command, const char *const *first, const char *operand,
                       const eo_args *args, eo_error *error) {
  eo_strings words = {0};
  int code = eo__args_forward(args, &words, error);
  char **argv = eo__alloc((words.count + args->more.count + 8) * sizeof(*argv));
  if (code == EO_OK && argv != NULL) {
    size_t count = 0;
    argv[count++] = (char *)p->path;
    argv[count++] = (char *)command;
    for (; first != NULL && *first != NULL; first++) argv[count++] = (char *)*first;
    for (size_t i = 0; i < words.count; i++) argv[count++] = words.items[i];
    if (operand != NULL) {
      argv[count++] = (char *)"--"; /* its name may begin with a dash */
      argv[count++] = (char *)operand;
      if (args->second != NULL) argv[count++] = (char *)args->second;
      for (size_t i = 0; i < args->more.count; i++) argv[count++] = (char *)args->more.items[i];
    }
    fflush(NULL);
    fexecve(p->file, argv, __environ);
    code = eo__error_set(error, EO_ESYSTEM, "%.256s: cannot be run: %s", p->path, strerror(errno));
  } else if (code == EO_OK) {
    code = eo__error_nomem(error);
  }
  for (size_t i = 0; i < words.count; i++) eo__free(words.items[i]);
  eo_vec_release(&words);
  eo__free(argv);
  return code;
}

static int become(const test_program *p, const char *command, const char *operand, const eo_args *args,
                  eo_error *error) {
  return become_with(p, command, NULL, operand, args, error);
}

static int open_mpi_program(test_program *p, const char *name, eo_error *error) {
  p->file = -1;
  int code = find_program(name, p->path, sizeof(p->path), error);
  if (code != EO_OK) return code;
  p->file = eo__file_open(p->path);
  if (p->file < 0)
    return eo__error_set(error, EO_ESYSTEM, "%.256s: cannot be read: %s", p->path, eo__file_trouble(errno));
  if (file_holds(p->file, "everyorder-mpi-", "program 1")) return EO_OK;
  bool real = file_holds(p->file, "libmpi", ".so") || file_holds(p->file, "libmpich", ".so");
  code = eo__error_set(error, EO_EINPUT, "%.256s %s: build it with `everyorder mpicc` in place of mpicc", p->path,
                       real ? "is linked with another implementation of MPI" : "is not an MPI program of Everyorder");
  close_program(p);
  return code;
}

static int launch(const eo_front *front, const char *name, const char *command, const char *operand,
                  const eo_args *args) {
  test_program p;
  eo_error error;
  if (open_program(&p, name, &error) == EO_OK) become(&p, command, operand, args, &error);
  close_program(&p);
  return eo__fail(front, &error);
}

static int command_test(const eo_front *front, const eo_args *args) {
  return launch(front, args->operand, "test", NULL, args);
}

/* An MPI program has loops that end, and every call is some steps. What the user says comes later, and counts. */
#define MPI_DEPTH "--depth=100000"

static int command_mpi(const eo_front *front, const eo_args *args) {
  test_program p = {.file = -1};
  eo_text test;
  eo_error error;
  eo__text_init(&test);
  int code = eo__mpi_test(args, &test, &error);
  if (code == EO_OK) code = open_mpi_program(&p, args->operand, &error);
  if (code == EO_OK) become_with(&p, "test", (const char *const[]){MPI_DEPTH, test.chars, NULL}, NULL, args, &error);
  close_program(&p);
  eo__text_release(&test);
  return eo__fail(front, &error);
}

/* A model is told by its name, or by what is defined for it. */
static bool names_model(const eo_args *args) {
  size_t length = strlen(args->operand);
  if (length > 4 && strcmp(args->operand + length - 4, ".pml") == 0) return true;
  return args->defines.count > 0 && eo__is_model(args->operand);
}

static int command_reach(const eo_front *front, const eo_args *args) {
  if (names_model(args)) return eo__cmd_reach_model(front, args);
  if (args->defines.count > 0) return eo__cmd_reach(front, args); /* refuses them */
  return launch(front, args->operand, "reach", NULL, args);
}

static int command_estimate(const eo_front *front, const eo_args *args) {
  return launch(front, args->operand, "estimate", NULL, args);
}

static int command_list(const eo_front *front, const eo_args *args) {
  return launch(front, args->operand, "list", NULL, args);
}

static int check_same_program(const eo_ticket *first, const char *path, eo_error *error) {
  eo_ticket ticket;
  eo__ticket_init(&ticket);
  int code = eo__ticket_load(&ticket, path, error);
  if (code == EO_OK && strcmp(ticket.program, first->program) != 0)
    code = eo__error_set(error, EO_EINPUT,
                         "the tickets are of two programs, %.200s and %.200s: make a report for each of them",
                         first->program, ticket.program);
  eo__ticket_release(&ticket);
  return code;
}

/* Whoever wrote the ticket has no say in what is run here: its program is run only if it is the one that the ticket was
 * made with. One that the user names is run as it is, and checks the ticket itself. */
static int launch_for_ticket(const eo_front *front, const eo_args *args, const eo_ticket *ticket, const char *command) {
  test_program p;
  eo_error error;
  char build[65];
  if (args->program != NULL) return launch(front, args->program, command, args->operand, args);
  int code = open_program(&p, ticket->program, &error);
  if (code == EO_OK) code = eo__file_build(p.file, p.path, build, &error);
  if (code == EO_OK && strcmp(build, ticket->build) != 0)
    code = eo__error_set(&error, EO_EINPUT,
                         "ticket was made for another build of %.256s: rebuild that version or explore again", p.path);
  if (code == EO_OK) become(&p, command, args->operand, args, &error);
  close_program(&p);
  return eo__fail(front, &error);
}

static int hand_over_ticket(const eo_front *front, const eo_args *args, const char *command, eo_handler handler) {
  eo_ticket ticket;
  eo_error error;
  eo__ticket_init(&ticket);
  int code = eo__ticket_load(&ticket, args->operand, &error);
  for (size_t i = 0; i < args->more.count && code == EO_OK; i++)
    code = check_same_program(&ticket, args->more.items[i], &error);
  const char *program = args->program != NULL ? args->program : ticket.program;
  if (code == EO_OK && args->program == NULL && access(program, F_OK) != 0)
    code = eo__error_set(&error, EO_EINPUT,
                         "the program of this ticket, %.256s, does not exist (relative to this folder); give its path "
                         "with --program PATH",
                         program);
  int status;
  if (code == EO_OK && eo__is_model(program))
    status = eo__model_ticket(front, args, &ticket, program, handler);
  else
    status = code == EO_OK ? launch_for_ticket(front, args, &ticket, command) : eo__fail(front, &error);
  eo__ticket_release(&ticket);
  return status;
}

static int command_replay(const eo_front *front, const eo_args *args) {
  return hand_over_ticket(front, args, "replay", eo__cmd_replay);
}

static int command_show(const eo_front *front, const eo_args *args) {
  return hand_over_ticket(front, args, "show", eo__cmd_show);
}

static int command_diff(const eo_front *front, const eo_args *args) {
  return hand_over_ticket(front, args, "diff", eo__cmd_diff);
}

static int command_export(const eo_front *front, const eo_args *args) {
  return hand_over_ticket(front, args, "export", eo__cmd_export);
}

static int command_report(const eo_front *front, const eo_args *args) {
  return hand_over_ticket(front, args, "report", eo__cmd_report);
}

/* ---- Workers -------------------------------------------------------------------------------------------------- */

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); }

/* The job; if that is asked for, waits until there is one that has not ended. */
static int find_job(const eo_args *args, const eo_address *address, eo_job *job, eo_error *error) {
  eo_job_status status;
  double patience = args->wait ? EO_CLUSTER_PATIENCE : EO_CLUSTER_FIRST_PATIENCE;
  eo_redis *redis = eo__redis_open(address, eo__stop_flag(), patience, error);
  if (!redis) return error->code;
  int code;
  for (;;) {
    code = eo__redis_status(redis, &status, error);
    /* EO_EINPUT: there is none, or one of another version. */
    bool wait = code == EO_EINPUT || (code == EO_OK && status.standing.ended);
    if (!args->wait || !wait || *eo__stop_flag()) break;
    nap();
  }
  eo__redis_frontier(redis)->ops->close(eo__redis_frontier(redis));
  if (code == EO_OK) *job = status.job;
  return code;
}

/* Opens the program that the worker may run, if it is the one that the job is for. */
static int open_for_job(test_program *p, const char *name, const eo_job *job, eo_error *error) {
  char build[65];
  int code = open_program(p, name, error);
  if (code == EO_OK) code = eo__file_build(p->file, p->path, build, error);
  if (code == EO_OK) code = eo__cluster_suits_build(job, build, error);
  if (code != EO_OK) close_program(p);
  return code;
}

/* The one of that build among the programs in a folder. */
static int search_folder(test_program *p, const char *folder, const eo_job *job, eo_error *error) {
  DIR *entries = opendir(folder);
  const struct dirent *entry;
  p->file = -1;
  if (entries == NULL) return eo__error_set(error, EO_EINPUT, "--program %.256s: %s", folder, strerror(errno));
  while (p->file < 0 && (entry = readdir(entries)) != NULL) {
    char path[PATH_MAX];
    eo_error unwanted;
    int length = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
    if (length < (int)sizeof(path) && is_program_file(path)) open_for_job(p, path, job, &unwanted);
  }
  closedir(entries);
  if (p->file >= 0) return EO_OK;
  return eo__error_set(error, EO_EINPUT, "no program in %.256s is the program of the job (%.256s, build %s)", folder,
                       job->program, job->build);
}

/* A worker runs what its own command line names, whatever the job says. */
static int start_worker(const eo_args *args, const eo_job *job, eo_error *error) {
  struct stat status;
  test_program p;
  bool folder = stat(args->program, &status) == 0 && S_ISDIR(status.st_mode);
  int code = folder ? search_folder(&p, args->program, job, error) : open_for_job(&p, args->program, job, error);
  if (code == EO_OK) code = become(&p, "worker", NULL, args, error);
  close_program(&p);
  return code;
}

/* A child that works on this job, to its end; its exit status. */
static int work_in_child(const eo_front *front, const eo_args *args, const eo_job *job) {
  eo_error error = {0};
  int status = -1;
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(EO_STATUS_USAGE);
    start_worker(args, job, &error);
    _exit(eo__fail(front, &error));
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    if (*eo__stop_flag()) kill(child, SIGTERM);
  return status;
}

/* One job after the other. What is wrong (another build, no program, no Redis) may be mended: it is tried again. */
static void work_for_ever(const eo_front *front, const eo_args *args, const eo_address *address) {
  const int naps = 33; /* some ten seconds */
  while (!*eo__stop_flag()) {
    eo_job job;
    eo_error error = {0};
    int code = find_job(args, address, &job, &error);
    if (*eo__stop_flag()) return;
    if (code != EO_OK) eo__fail(front, &error);
    if (code == EO_OK && work_in_child(front, args, &job) == 0) continue;
    for (int i = 0; i < naps && !*eo__stop_flag(); i++) nap();
  }
}

static int command_worker(const eo_front *front, const eo_args *args) {
  eo_error error = {0};
  eo_address address;
  eo_job job;
  int code = eo__address_parse(&address, args->join, &error);
  if (code == EO_OK && !*address.name)
    code = eo__error_set(&error, EO_EINPUT, "the address names no job: redis://HOST:PORT/NAME");
  if (code == EO_OK && args->program == NULL)
    code = eo__error_set(&error, EO_EINPUT,
                         "worker needs --program PATH: the program that it may run, or a folder of programs");
  if (code != EO_OK) return eo__fail(front, &error);
  if (args->wait) {
    eo__catch_signals();
    work_for_ever(front, args, &address);
    return EO_STATUS_CLEAN;
  }
  if (find_job(args, &address, &job, &error) == EO_OK) start_worker(args, &job, &error);
  return eo__fail(front, &error);
}

int eo__command_main(int argc, char **argv, eo_handler serve) {
  eo_front front = {.name = "everyorder",
                    .argv = argv,
                    .test = command_test,
                    .mpi = command_mpi,
                    .reach = command_reach,
                    .list = command_list,
                    .replay = command_replay,
                    .show = command_show,
                    .diff = command_diff,
                    .write = command_export,
                    .report = command_report,
                    .worker = command_worker,
                    .estimate = command_estimate,
                    .serve = serve};
  if (argc > 0 && eo__pict_called(argv[0])) {
    front.name = "pict";
    return eo__pict_main(&front, argc, argv);
  }
  return eo__front_main(&front, argc, argv);
}
