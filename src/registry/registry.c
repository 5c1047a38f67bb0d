/* registry.c: the lists. */
#include "registry/registry.h"

#include <string.h>

#include "report/report.h"
#include "strategies/strategies.h"

const eo_strategy_entry eo__strategies[] = {
    {"dfs", "every interleaving, depth first", "--jobs --resume", eo__dfs_open},
    {"preempt", "every interleaving by number of preemptions, fewest first; up to --bound N, or all",
     "--bound --jobs --resume", eo__preempt_open},
    {"random", "--executions N interleavings (10,000 if not given), each choice drawn evenly",
     "--seed --executions --jobs --resume", eo__random_open},
    {"replay", "one interleaving, from a ticket: everyorder replay TICKET", "", NULL},
    {NULL, NULL, NULL, NULL},
};

const eo_wrapper_entry eo__wrappers[] = {
    {"recheck", "runs each failing interleaving again, and reports a program that is not deterministic"},
    {"meter", "counts, for the progress line and the reports"},
    {"stop", "--executions, --time, the first finding, an interrupt"},
    {NULL, NULL},
};

const eo_strategy_entry *eo__strategy_find(const char *name) {
  if (!name) return &eo__strategies[0];
  for (const eo_strategy_entry *entry = eo__strategies; entry->name; entry++)
    if (strcmp(entry->name, name) == 0) return entry;
  return NULL;
}

bool eo__strategy_splits(const eo_strategy_entry *entry) { return strstr(entry->options, "--jobs") != NULL; }

static const eo_reporter_entry reporters[] = {
    {"text", eo__report_text},
    {"json", eo__report_json},
};

eo_reporter *eo__reporter_open(const char *name, FILE *out, bool colour) {
  for (size_t i = 0; i < sizeof reporters / sizeof *reporters; i++)
    if (strcmp(reporters[i].name, name) == 0) return reporters[i].open(out, colour);
  return NULL;
}
