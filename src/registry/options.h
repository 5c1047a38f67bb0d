/* options.h: the options that say how a test is explored, in one table: their names, where they are kept, what is allowed,
 * their defaults, which strategies heed them, and whether the exploration depends on them. The command line, --help, the
 * checks of eo_explore, strategies, --resume, a cluster's job and the JSON all go by this table. Options of the command
 * line that have nothing to do with exploring are rows of the same kind in cli/options.c. */
#ifndef EO_REGISTRY_OPTIONS_H
#define EO_REGISTRY_OPTIONS_H

#include <stddef.h>

#include <everyorder.h>

#include "base/error.h"
#include "base/text.h"
#include "core/strategy.h"

/* Subcommands. */
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
  EO_COMMAND_REACH = 1 << 16, /* takes the options of test as well; */
  EO_COMMAND_MPI = 1 << 17    /* so does this */
} eo_command;
#define EO_COMMAND_ANY 0x7ffffff

/* What the field is, and how its value is written. All zero: the option was not given. */
typedef enum eo_option_kind {
  EO_OPTION_FLAG,    /* int, 1 if given */
  EO_OPTION_INT,     /* int from `least` to `most` */
  EO_OPTION_UINT,    /* uint32_t, the same */
  EO_OPTION_NUMBER,  /* uint64_t, the same */
  EO_OPTION_MOST,    /* uint64_t; 0 is written for no limit, which is EO_NO_LIMIT */
  EO_OPTION_BOUND,   /* two ints, one after the other: 1 if given, and the number */
  EO_OPTION_FACTOR,  /* double, written as a whole number from `least` to `most` */
  EO_OPTION_SECONDS, /* double, more than 0 */
  EO_OPTION_TEXT,    /* const char *, not empty */
  EO_OPTION_NAME,    /* const char *, one of `words` */
  EO_OPTION_WORD,    /* int, the index of the word in `words` */
  EO_OPTION_LIST     /* of the command line: adds to the tests */
} eo_option_kind;

#define EO_NO_LIMIT INT64_MAX /* of executions, also for strategies that draw 10,000 unless they are told a number */

enum {
  EO_OPTION_SHAPES = 1, /* the exploration depends on this option: reported with the run, part of a cluster's job */
  EO_OPTION_LIMIT = 2,  /* of those: says when to stop, not what is explored; a run may be resumed with another limit */
  EO_OPTION_FREE = 4,   /* may be given to strategies that do not heed it: a wrapper does, or a check of its own */
  EO_OPTION_HIDDEN = 8, /* not in --help */
  EO_OPTION_OURS = 16   /* of the command line: for the command, not handed on to the program */
};

typedef struct eo_option {
  const char *name;  /* without the dashes */
  const char *value; /* placeholder; NULL: takes none */
  eo_option_kind kind;
  unsigned commands; /* EO_COMMAND_*: which take it */
  unsigned flags;
  uint32_t heeded; /* bit set of strategies: 1 << EO_STRATEGY_*; 0: whatever the strategy is */
  size_t field;    /* offset in eo_options; of rows in cli/options.c in eo_args */
  size_t passed;   /* offset of the same field in eo_strategy_options; 0: strategies do not get it as it is */
  uint64_t least, most;
  double fallback;          /* what counts where the field is 0; added to the help text */
  const char *const *words; /* of EO_OPTION_TEXT: usual values, for completion; others are allowed */
  const char *help;         /* lines after the first are indented by the printer */
} eo_option;

/* In the order of --help and of everything that lists them. */
extern const eo_option eo__options[];
extern const size_t eo__option_count;

/* The row of a field of eo_options: EO_OPTION_OF(cache). There is one for each field but model, params and name. */
#define EO_OPTION_OF(field) eo__option_of(offsetof(eo_options, field))
const eo_option *eo__option_of(size_t field);

/* Below, `field` is that of the option's kind, in whichever struct. */
bool eo__option_is_given(const eo_option *option, const void *field);

/* Adds the value as the command line takes it; nothing if it was not given. */
void eo__option_add(const eo_option *option, const void *field, eo_text *out);

/* Sets the field by what was written; value is NULL for a flag. Strings are kept as they are. */
int eo__option_parse(const eo_option *option, void *field, const char *value, eo_error *error);

/* Of kinds with `words`: the index of this one, or -1. */
int eo__option_word(const eo_option *option, const char *word);

/* What counts: the field, or if it was not given the default. Of kinds that are numbers. */
double eo__option_number(const eo_option *option, const eo_options *options);

/* Are all values allowed, and does the strategy heed each option that was given? */
struct eo_strategy_entry;
int eo__options_check(const eo_options *options, const struct eo_strategy_entry *strategy, eo_error *error);

/* Fills the fields of *wanted that are just passed on, with their defaults. */
void eo__options_pass(const eo_options *options, eo_strategy_options *wanted);

#endif
