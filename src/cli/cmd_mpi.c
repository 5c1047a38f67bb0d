/* cmd_mpi.c: MPI programs: compiling them, and the name of the test that runs one (src/mpi/start.c reads it). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* eo-mpicc and eo-mpicxx lie beside the command. */
int eo__mpicc(const eo_front *front, char **words) {
  char path[PATH_MAX + 16];
  eo_error error;
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
  if (slash != NULL) {
    sprintf(slash + 1, "eo-%s", words[0]);
    words[0] = path;
    execv(path, words);
  }
  eo__error_set(&error, EO_ESYSTEM, "the compiler of MPI programs, %.256s, cannot be run: %s",
                slash != NULL ? path : words[0], strerror(errno));
  return eo__fail(front, &error);
}

/* A blank or a backslash gets a backslash before it. */
static void add_word(eo_text *out, const char *word) {
  for (; *word; word++) eo__text_add(out, "%s%c", *word == ' ' || *word == '\\' ? "\\" : "", *word);
}

int eo__mpi_test(const eo_args *args, eo_text *out, eo_error *error) {
  if (args->ranks == 0) return eo__error_set(error, EO_EINPUT, "mpi needs the number of ranks: -n 4");
  eo__text_add(out, "--test=mpi -n %d", args->ranks);
  if (args->buffering != 0) eo__text_add(out, " --buffering=%s", args->buffering == 1 ? "zero" : "infinite");
  if (args->windows != 0) eo__text_add(out, " --windows=separate");
  for (size_t i = 0; i < args->more.count; i++) {
    if (args->more.items[i][0] == '\0')
      return eo__error_set(error, EO_EINPUT, "an empty word cannot be an argument of an MPI program");
    eo__text_add(out, " ");
    add_word(out, args->more.items[i]);
  }
  return out->failed ? eo__error_nomem(error) : EO_OK;
}
