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
  EO_COMMAND_PAIRWISE = 256,
  EO_COMMAND_REPORT = 512,
  EO_COMMAND_SERVE = 1024,
  EO_COMMAND_SHOW = 1 << 12,
  EO_COMMAND_DIFF = 1 << 13,
  EO_COMMAND_EXPORT = 1 << 14,
  EO_COMMAND_MODEL = 1 << 15,
  EO_COMMAND_REACH = 1 << 16 /* takes the options of test as well */
} eo_command;
#define EO_COMMAND_ANY 0x7ffffff

typedef struct eo_option eo_option;

/* One option as given; value is NULL for a flag. */
typedef struct eo_given {
  const eo_option *option;
  const char *value;
} eo_given;

/* Of pairwise: what PICT's options say of the model's syntax and of the output; 0: not given. */
typedef struct eo_pict_args {
  char value_separator, alias_separator, invalid_prefix;
  bool case_sensitive, statistics;
  bool draw_seed; /* /r without a number */
} eo_pict_args;

enum { EO_COLOUR_AUTO, EO_COLOUR_ALWAYS, EO_COLOUR_NEVER };
#define EO_NOT_GIVEN UINT64_MAX

/* A command line, taken apart. Strings are those of argv. */
typedef struct eo_args {
  EO_VEC(const char *) tests;
  EO_VEC(eo_given) given;       /* in order */
  const char *action;           /* of cluster: what to do; NULL: none */
  const char *operand;          /* PROGRAM, TICKET, COMMAND, MODEL or ADDRESS; NULL: none */
  const char *second;           /* of diff: the other TICKET; of pairwise --check: TESTS; NULL: none */
  EO_VEC(const char *) defines; /* of model, and of reach: each -D */
  EO_VEC(const char *) more;    /* of report: the tickets after the first */
  const char *strategy, *tickets, *json, *program, *delivery, *cluster, *join, *resume, *params;
  const char *junit, *report, *live, *listen, *token, *tap, *sarif, *dot, *format, *file;
  const char *order, *algorithm, *effort, *existing; /* of pairwise */
  uint64_t bound;                                    /* EO_NOT_GIVEN: none */
  uint64_t executions, depth, seed, until, jobs;
  double seconds, watchdog, budget, grace;
  int keep_going, depth_fails, no_minimise, idle, leaks, abnormal, colour, quiet, gdb, in_process, wait, help, version;
  const char *explorer;
  uint64_t delays; /* EO_NOT_GIVEN: any number */
  uint64_t delay_step, cache_mb, samples, growth, bug_depth, length;
  const char *save, *against, *never; /* of reach */
  int no_tree;
  int sleep_sets;      /* of bsra */
  const char *visible; /* of bsra */
  int cache;           /* -1: not given */
  int reduction;       /* -1: not given */
  int output, explain, check, drop_unknown;
  eo_pict_args pict;
  int ascii;
  uint64_t width; /* 0: not given */
} eo_args;

void eo__args_init(eo_args *args);
void eo__args_release(eo_args *args);

/* Parses argv[first] to argv[argc - 1] for this subcommand. */
int eo__args_parse(eo_args *args, eo_command command, int argc, char **argv, int first, eo_error *error);

/* The same as eo_options, with the defaults of the command line. */
void eo__args_explore(const eo_args *args, eo_options *options);

/* Those that shape an exploration, as the user would type them, each once: "--bound 2 --keep-going". */
void eo__args_describe(const eo_args *args, eo_text *out);

/* What the exploration depends on, as registry/shape.h has it; the strategy's name has been checked. */
int eo__args_shape(const eo_args *args, eo_text *out, eo_error *error);

/* Of the options of a job, which come from Redis: are they such as shape an exploration, and no others? */
int eo__args_check_job(const eo_args *args, eo_error *error);

/* Adds all that were given but --program to *out, to hand them on to a test program: "--name" or "--name=value", each
 * allocated by eo__strdup. */
int eo__args_forward(const eo_args *args, eo_strings *out, eo_error *error);

/* Is this word one of PICT's options, and not a path? Then takes it: "/o:3", "-e:FILE", "/c". */
bool eo__pict_option_is(const char *word);
int eo__pict_option(eo_args *args, const char *word, eo_error *error);

/* Of reach, whose operand is a model: are all options such as a model takes? */
int eo__args_check_model(const eo_args *args, eo_error *error);

/* The table of options of this subcommand, for --help. */
void eo__options_help(FILE *out, eo_command command);

#endif
