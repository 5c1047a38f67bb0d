/* options.h: the command line. The table of options that say how to explore (registry/options.h) and the one of all others
 * (options.c) give parsing, --help, the error texts and the options as they are reported and handed on to a test program. */
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
#include "registry/options.h"

/* One option as given; value is NULL for a flag. */
typedef struct eo_given {
  const eo_option *option;
  const char *value;
} eo_given;

/* Of pairwise: what PICT's options say of the model's syntax and of the output; 0: not given. */
typedef struct eo_pict_args {
  char value_separator, alias_separator, invalid_prefix;
  bool case_sensitive, statistics;
  bool draw_seed;   /* /r without a number */
  bool seed_shown;  /* /r at all */
  bool json;        /* /f:json: in PICT's shape */
  bool called;      /* under the name `pict`: its exit codes */
  bool needed_only; /* /e: existing tests that cover nothing new are left out */
  uint32_t order;   /* 0: as --order says */
} eo_pict_args;

enum { EO_COLOUR_AUTO, EO_COLOUR_ALWAYS, EO_COLOUR_NEVER };

/* A command line, taken apart. Strings are those of argv. */
typedef struct eo_args {
  EO_VEC(const char *) tests;
  EO_VEC(eo_given) given;       /* in order */
  const char *action;           /* of cluster: what to do; NULL: none */
  const char *operand;          /* PROGRAM, TICKET, COMMAND, MODEL or ADDRESS; NULL: none */
  const char *second;           /* of diff: the other TICKET; of pairwise --check: TESTS; NULL: none */
  EO_VEC(const char *) defines; /* of model, and of reach: each -D */
  int simulate, interactive;    /* of model: run one execution; ask what comes next */
  const char *property;         /* of model: names with commas between them; NULL: as the model says */
  EO_VEC(const char *) more;    /* of report: the tickets after the first; of mpi: what the program is given */
  eo_options explore;           /* what is said of how to explore; all zero: nothing */
  const char *json, *program, *cluster, *join, *resume, *params;
  const char *junit, *report, *live, *listen, *token, *tap, *sarif, *dot, *format, *file;
  const char *order, *algorithm, *effort, *existing; /* of pairwise */
  const char *save, *against, *never;                /* of reach */
  uint64_t until;
  double budget, grace;
  int colour, quiet, gdb, in_process, wait, help, version;
  int ranks, buffering, windows; /* of mpi */
  int output, explain, check, drop_unknown;
  eo_pict_args pict;
  int ascii;
  uint64_t width; /* 0: not given */
} eo_args;

void eo__args_init(eo_args *args);
void eo__args_release(eo_args *args);

/* Parses argv[first] to argv[argc - 1] for this subcommand. */
int eo__args_parse(eo_args *args, eo_command command, int argc, char **argv, int first, eo_error *error);

/* args->explore, with the defaults of the command line. */
void eo__args_explore(const eo_args *args, eo_options *options);

/* Those that shape an exploration, as the user would type them, each once: "--bound 2 --keep-going". */
void eo__args_describe(const eo_args *args, eo_text *out);

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

/* Adds the options that this strategy listens to, without those that do not depend on the strategy: "--bound --jobs". */
void eo__options_heeded(const struct eo_strategy_entry *strategy, eo_text *out);

/* All options of all subcommands: those that say how to explore, then the others; NULL: no more. */
const eo_option *eo__option_at(size_t index);

/* The table of options of this subcommand, for --help. */
void eo__options_help(FILE *out, eo_command command);

#endif
