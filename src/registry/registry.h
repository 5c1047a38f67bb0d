/* registry.h: the one list of everything pluggable. Adding a strategy is one file, its id here, and its line in
 * registry.c. */
#ifndef EO_REGISTRY_H
#define EO_REGISTRY_H

#include "core/report.h"
#include "core/strategy.h"
#include "registry/options.h"
#include "report/export.h"

typedef eo_strategy *eo_strategy_opener(const eo_strategy_options *options, eo_error *error);

/* Searches a model in place of the engine. */
struct eo_promela_search;
typedef int eo_promela_searcher(struct eo_promela_search *search, eo_error *error);

/* The index in eo__strategies, and the bit in sets of strategies; in the order of `everyorder strategies`. */
typedef enum eo_strategy_id {
  EO_STRATEGY_AUTO,
  EO_STRATEGY_BSRA,
  EO_STRATEGY_DFS,
  EO_STRATEGY_DPOR,
  EO_STRATEGY_FULL,
  EO_STRATEGY_IRS,
  EO_STRATEGY_PCT,
  EO_STRATEGY_PCTCP,
  EO_STRATEGY_POR,
  EO_STRATEGY_POS,
  EO_STRATEGY_PREEMPT,
  EO_STRATEGY_RANDOM,
  EO_STRATEGY_REACH,
  EO_STRATEGY_SES,
  EO_STRATEGY_SES_SS,
  EO_STRATEGY_SRA,
  EO_STRATEGY_SS,
  EO_STRATEGY_SURW,
  EO_STRATEGY_TAPCT,
  EO_STRATEGY_REPLAY,
  EO_STRATEGIES
} eo_strategy_id;
#define EO_BIT(name) (1u << EO_STRATEGY_##name)

/* Which options they heed is in registry/options.c; these are sets that heed several. */
#define EO_BITS_SEARCHES (EO_BIT(BSRA) | EO_BIT(FULL) | EO_BIT(POR) | EO_BIT(SRA)) /* of a model */
#define EO_BITS_SHARED (EO_BIT(FULL) | EO_BIT(POR))                                /* of those: by several threads */
#define EO_BITS_PRIORITIES (EO_BIT(PCT) | EO_BIT(PCTCP) | EO_BIT(TAPCT))
#define EO_BITS_DRAWING (EO_BITS_PRIORITIES | EO_BIT(IRS) | EO_BIT(POS) | EO_BIT(RANDOM) | EO_BIT(SURW))
#define EO_BITS_DELAYS (EO_BIT(SES) | EO_BIT(SES_SS) | EO_BIT(SS)) /* that count delays */
#define EO_BITS_PROBED (EO_BIT(AUTO) | EO_BIT(DFS) | EO_BIT(DPOR) | EO_BIT(PREEMPT))
#define EO_BITS_SPLIT (EO_BITS_PROBED | EO_BITS_DRAWING | EO_BITS_DELAYS)

typedef struct eo_strategy_entry {
  const char *name;
  const char *summary;      /* one line for `everyorder strategies` */
  eo_strategy_opener *open; /* NULL: not for --strategy, or it searches models by itself */
  eo_strategy_opener
      *probe; /* draws at random from the executions it would run; NULL: cannot. See eo__strategy_probe */
  const struct eo_explorer *explorer; /* of those that count delays: where the user names none */
  eo_promela_searcher *search;        /* NULL: the engine runs it */
  const char *covers;                 /* of a search: what a clean and whole one means */
  bool every_state;                   /* of a search: visits all states */
  bool relates;                       /* asks how steps relate, which of models only those under --delivery can say */
  bool turns;                         /* `auto`: others in turn, which it opens (registry/auto.h) */
  const char *advice;                 /* what to try where it was stopped before its end; NULL: nothing */
} eo_strategy_entry;

/* Ended by an entry without a name. */
extern const eo_strategy_entry eo__strategies[EO_STRATEGIES + 1];
const eo_strategy_entry *eo__strategy_find(const char *name); /* NULL as name: the default; NULL: none of that name */
int eo__strategy_unknown(const char *name, eo_error *error);  /* the error that there is none of that name */

/* Does the strategy listen to this option? */
bool eo__strategy_heeds(const eo_strategy_entry *entry, const eo_option *option);

/* Can its work be put away, and split among processes? Then it listens to --jobs, --resume and --cluster. */
bool eo__strategy_splits(const eo_strategy_entry *entry, const char *reduction);

/* Opens what estimates how many executions there are, with these options; NULL: that cannot be done, and *why (may be
 * NULL) says so in words that go on after "strategy 'NAME' ". */
eo_strategy_opener *eo__strategy_probe(const eo_strategy_entry *entry, const eo_strategy_options *options,
                                       const char **why);

/* The delaying explorers of the library; ended by NULL. */
extern const struct eo_explorer *const eo__explorers[];

/* By name (of the library's or the test program's), or from a file. NULL: *error says why. */
const struct eo_explorer *eo__explorer_find(const char *name, eo_error *error);

/* Is this the name of a file, a plug-in? */
bool eo__explorer_is_file(const char *name);

/* The strategies that wrap another, for `everyorder strategies`; ended by an entry without a name. */
typedef struct eo_wrapper_entry {
  const char *name;
  const char *summary;
} eo_wrapper_entry;
extern const eo_wrapper_entry eo__wrappers[];

typedef struct eo_reporter_entry {
  const char *name;
  eo_reporter *(*open)(FILE *out, bool colour);
} eo_reporter_entry;
/* The formats of `everyorder export`; ended by an entry without a name. */
typedef struct eo_export_entry {
  const char *name;
  eo_export *write;
} eo_export_entry;
extern const eo_export_entry eo__exports[];

eo_reporter *eo__reporter_open(const char *name, FILE *out, bool colour); /* NULL: no memory, or none of that name */

#endif
