/* registry.h: the one list of everything pluggable. Adding a strategy is one file and one line here. */
#ifndef EO_REGISTRY_H
#define EO_REGISTRY_H

#include "core/report.h"
#include "core/strategy.h"
#include "report/export.h"

typedef eo_strategy *eo_strategy_opener(const eo_strategy_options *options, eo_error *error);

typedef struct eo_strategy_entry {
  const char *name;
  const char *summary;      /* one line for `everyorder strategies` */
  const char *options;      /* the options it listens to, "" for none */
  eo_strategy_opener *open; /* NULL: not for --strategy */
  eo_strategy_opener
      *probe; /* draws at random from the executions it would run; NULL: cannot. See eo__strategy_probe */
} eo_strategy_entry;

/* Ended by an entry without a name. The first is the default. */
extern const eo_strategy_entry eo__strategies[];
const eo_strategy_entry *eo__strategy_find(const char *name); /* NULL as name: the default; NULL: none of that name */

bool eo__strategy_heeds(const eo_strategy_entry *entry, const char *option); /* "--bound": is that in `options`? */

/* What searches a model in place of the engine; NULL: it is an ordinary strategy. */
struct eo_promela_search;
typedef int eo_promela_searcher(struct eo_promela_search *search, eo_error *error);
eo_promela_searcher *eo__strategy_search(const eo_strategy_entry *entry);

/* Can its work be put away and split? Then it listens to --jobs, --resume and --cluster. */
bool eo__strategy_splits(const eo_strategy_entry *entry, const char *reduction);

/* Opens what estimates how many executions there are, with these options; NULL: that cannot be done, and *why (may be
 * NULL) says so in words that go on after "strategy 'NAME' ". */
eo_strategy_opener *eo__strategy_probe(const eo_strategy_entry *entry, const eo_strategy_options *options,
                                       const char **why);

/* The delaying explorers of the library; ended by NULL. The first is the default. */
extern const struct eo_explorer *const eo__explorers[];

/* By name (of the library's or the test program's), or from a file; NULL as name: the default. NULL: *error says why. */
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
