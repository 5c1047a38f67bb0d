/* cli.h: what the command `everyorder` and every test program have in common: the same subcommands, options and exit
 * codes. A test program carries them out; the command finds the program and hands over to it. Only this folder prints
 * to the terminal or exits. */
#ifndef EO_CLI_CLI_H
#define EO_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/options.h"
#include "core/ticket.h"
#include "registry/explore.h"

enum {
  EO_STATUS_CLEAN = 0, /* everything covered */
  EO_STATUS_FINDING = 1,
  EO_STATUS_USAGE = 2,      /* usage or environment */
  EO_STATUS_INCOMPLETE = 3, /* clean, but bounded, sampled or stopped */
  EO_STATUS_INTERNAL = 4
};

/* Found in every test program, never in the command: kept in two halves so that only program_main.c joins them. */
#define EO_MARKER_HEAD "everyorder-test-"
#define EO_MARKER_TAIL "program 1"

/* Who was started, and what it does for the subcommands that need a program. */
typedef struct eo_front eo_front;
typedef int (*eo_handler)(const eo_front *front, const eo_args *args);
struct eo_front {
  const char *name;    /* for messages and usage lines */
  const char *program; /* path of the running test program; NULL: this is the command */
  char **argv;
  const struct eo_promela *model; /* in place of a program: its path is `program`; NULL: none */
  const char *build;              /* of the model */
  eo_handler test, reach, list, replay, report, worker, estimate;
  eo_handler show, diff, write;
  eo_handler serve, mpi; /* of the command only */
};

/* The two mains. */
int eo__program_main(int argc, char **argv);
int eo__command_main(int argc, char **argv, eo_handler serve); /* which has what the library has not */

/* Parses the command line, answers help and version, and calls the handler. */
int eo__front_main(const eo_front *front, int argc, char **argv);

/* The subcommands of this front, in the order of --help. False: there are no more, and all of *command is zero. */
typedef struct eo_command_name {
  const char *name;
  eo_command id;
  const char *summary;
} eo_command_name;
bool eo__command_at(const eo_front *front, size_t index, eo_command_name *command);

/* Answers a completion script: see complete.c. */
int eo__complete(const eo_front *front, int count, char **words);

/* Prints "name: text" to standard error and returns the exit code that belongs to error->code. */
int eo__fail(const eo_front *front, const eo_error *error);

/* The subcommands, inside a test program; cluster, pairwise and strategies in both. */
int eo__cmd_test(const eo_front *front, const eo_args *args);
int eo__cmd_reach(const eo_front *front, const eo_args *args);
int eo__cmd_estimate(const eo_front *front, const eo_args *args);
int eo__cmd_list(const eo_front *front, const eo_args *args);
int eo__cmd_replay(const eo_front *front, const eo_args *args);
int eo__cmd_show(const eo_front *front, const eo_args *args);
int eo__cmd_diff(const eo_front *front, const eo_args *args);
int eo__cmd_export(const eo_front *front, const eo_args *args);
int eo__cmd_report(const eo_front *front, const eo_args *args);
int eo__cmd_worker(const eo_front *front, const eo_args *args);
int eo__cmd_cluster(const eo_front *front, const eo_args *args);
int eo__cmd_pairwise(const eo_front *front, const eo_args *args);

/* Where the command was called by the name `pict`: PICT's command line and exit codes. */
enum {
  EO_PICT_NO_MEMORY = 1,
  EO_PICT_FAILED = 2,
  EO_PICT_BAD_OPTION = 3,
  EO_PICT_BAD_MODEL = 4,
  EO_PICT_BAD_CONSTRAINTS = 5,
  EO_PICT_BAD_EXISTING = 6
};
bool eo__pict_called(const char *name);
int eo__pict_main(const eo_front *front, int argc, char **argv);
int eo__cmd_strategies(const eo_front *front, const eo_args *args);

int eo__cmd_model(const eo_front *front, const eo_args *args);
int eo__cmd_simulate(const eo_front *front, const eo_args *args);    /* one execution of a model that was opened */
int eo__cmd_reach_model(const eo_front *front, const eo_args *args); /* reach, whose operand is a model */

/* A ticket whose program is no executable is that of a model, which is opened as it was then. `handler`: eo__cmd_replay
 * and the like. */
bool eo__is_model(const char *path);
int eo__model_ticket(const eo_front *front, const eo_args *args, const eo_ticket *ticket, const char *path,
                     eo_handler handler);

/* Becomes the compiler of MPI programs, eo-mpicc or eo-mpicxx by words[0], with these arguments behind words[0]. */
int eo__mpicc(const eo_front *front, char **words);

/* Adds --test with the name of the test that runs an MPI program as `args` say. Released by the caller. */
int eo__mpi_test(const eo_args *args, eo_text *out, eo_error *error);

/* In the command alone. */
int eo__cmd_serve(const eo_front *front, const eo_args *args);

/* The first SIGINT or SIGTERM ends the exploration with what it has (eo__stop_flag); the handler is gone then, so the
 * second one kills. */
void eo__catch_signals(void);

/* Are there tests, and does every --test match one? From then on eo__tests() has a test for each row of those with
 * parameters. */
int eo__tests_prepare(const eo_args *args, eo_error *error);

/* Does a --test say so (by its name, or that of all its rows), or is there none? */
bool eo__test_wanted(const eo_args *args, const eo_test *test);

/* The test of that name, which may name a row as well; or the declared one with this row ("clients=2\nmode=safe", "" for
 * none). *test is NULL if there is none. Needs no eo__tests_prepare. */
int eo__test_find(const char *name, eo_test **test, eo_error *error);
int eo__test_find_row(const char *name, const char *row, eo_test **test, eo_error *error);

/* The declared name nearest to this word, which names no test; NULL: none is near. */
const char *eo__test_nearest(const char *word);

/* Is colour wanted on this stream? */
bool eo__colour(const eo_args *args, FILE *stream);

/* Fills what the program and the test say of a request; the options are the caller's. */
void eo__request_init(eo_request *request, const eo_front *front, eo_test *test);

/* Reads a ticket into *ticket, which the caller has initialised and releases. */
int eo__ticket_load(eo_ticket *ticket, const char *path, eo_error *error);

/* In a test program: is this ticket for this very program, and does what the user asks make sense for it? Then runs its
 * execution again and describes it; *finding is initialised, and the caller releases it. `reverse`: and looks for the order in which it
 * passes. */
int eo__ticket_check(const eo_front *front, const eo_args *args, const eo_ticket *ticket, eo_test **test,
                     eo_error *error);
int eo__ticket_run(const eo_front *front, const eo_args *args, const eo_ticket *ticket, eo_test *test, bool reverse,
                   eo_finding *finding, eo_error *error);

/* Did a replay show what the ticket says? */
bool eo__ticket_reproduced(const eo_ticket *ticket, const eo_failure *failure);

#endif
