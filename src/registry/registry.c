/* registry.c: the lists. */
#include "registry/registry.h"

#include <string.h>

#include "report/report.h"
#include "strategies/strategies.h"

const eo_strategy_entry eo__strategies[] = {
    {"dfs", "every interleaving, depth first", "", eo__dfs_open},
    {"preempt", "every interleaving by number of preemptions, fewest first; up to --bound N, or all", "--bound",
     eo__preempt_open},
    {"random", "--executions N interleavings (10,000 if not given), each choice drawn evenly", "--seed --executions",
     eo__random_open},
    {NULL, NULL, NULL, NULL},
};

const eo_wrapper_entry eo__wrappers[] = {
    {"replay", "one interleaving, from a ticket (everyorder replay)"},
    {"recheck", "wraps: runs each failing interleaving again, and reports a program that is not deterministic"},
    {"meter", "wraps: counts, for the progress line and the reports"},
    {"stop", "wraps: --executions, --time, the first finding, an interrupt"},
    {NULL, NULL},
};

const eo_strategy_entry *eo__strategy_find(const char *name) {
  if (!name) return &eo__strategies[0];
  for (const eo_strategy_entry *entry = eo__strategies; entry->name; entry++)
    if (strcmp(entry->name, name) == 0) return entry;
  return NULL;
}

const eo_reporter_entry eo__reporters[] = {
    {"text", eo__report_text},
    {"json", eo__report_json},
    {NULL, NULL},
};
