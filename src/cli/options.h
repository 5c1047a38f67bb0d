/* options.h: the options of all subcommands. One table (options.c) gives parsing, --help, the error texts and the
 * options as they are reported and handed on to a test program. */
#ifndef EO_CLI_OPTIONS_H
#define EO_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <everyorder.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "core/finding.h"

typedef enum eo_command {
  EO_COMMAND_TEST = 1,
  EO_COMMAND_LIST = 2,
  EO_COMMAND_REPLAY = 4,
  EO_COMMAND_STRATEGIES = 8,
  EO_COMMAND_HELP = 16,
  EO_COMMAND_WORKER = 32,
  EO_COMMAND_CLUSTER = 64,
  EO_COMMAND_ESTIMATE = 128,
  EO_COMMAND_REPORT = 256,
  EO_COMMAND_SERVE = 1 << 14
} eo_command;
#define EO_COMMAND_ANY 0xffff

typedef struct eo_option eo_option;

/* One option as given; value is NULL for a flag. */
typedef struct eo_given {
  const eo_option *option;
  const char *value;
} eo_given;

enum { EO_COLOUR_AUTO, EO_COLOUR_ALWAYS, EO_COLOUR_NEVER };
#define EO_NOT_GIVEN UINT64_MAX

/* A command line, taken apart. Strings are those of argv. */
typedef struct eo_args {
  EO_VEC(const char *) tests;
  EO_VEC(eo_given) given;    /* in order */
  const char *action;        /* of cluster: what to do; NULL: none */
  const char *operand;       /* PROGRAM, TICKET, COMMAND or ADDRESS; NULL: none */
  EO_VEC(const char *) more; /* of report: the tickets after the first */
  const char *report, *output;
  const char *strategy, *tickets, *json, *program, *delivery, *cluster, *join, *resume;
  const char *live, *listen, *token;
  uint64_t bound; /* EO_NOT_GIVEN: none */
  uint64_t executions, depth, seed, until, jobs;
  double seconds, watchdog, budget, grace;
  int keep_going, idle, leaks, colour, quiet, gdb, in_process, wait, help, version;
  int reduction; /* -1: not given */
} eo_args;

void eo__args_init(eo_args *args);
void eo__args_release(eo_args *args);

/* Parses argv[first] to argv[argc - 1] for this subcommand. */
int eo__args_parse(eo_args *args, eo_command command, int argc, char **argv, int first, eo_error *error);

/* The same as eo_options, with the defaults of the command line. */
void eo__args_explore(const eo_args *args, eo_options *options);

/* Does a --test say so, or is there none? */
bool eo__args_want(const eo_args *args, const char *test);

/* Those that shape an exploration, as the user would type them, each once: "--bound 2 --keep-going". */
void eo__args_describe(const eo_args *args, eo_text *out);

/* Adds all that were given but --program to *out, to hand them on to a test program: "--name" or "--name=value", each
 * allocated by eo_strdup. */
int eo__args_forward(const eo_args *args, eo_strings *out, eo_error *error);

/* The table of options of this subcommand, for --help. */
void eo__options_help(FILE *out, eo_command command);

/* The word of the list that `word` was probably meant to be, or NULL. */
const char *eo__nearest(const char *word, const char *const *list, size_t count);

#endif
