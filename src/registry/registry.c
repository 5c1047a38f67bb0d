/* registry.c: the lists. */
#include "registry/registry.h"

#include <string.h>

#include "explorers/explorer.h"
#include "report/report.h"
#include "strategies/strategies.h"
#include "subjects/model/bsra.h"
#include "subjects/model/full.h"

enum { MOST_SUGGESTED = 64 };

static eo_strategy *open_dpor(const eo_strategy_options *options, eo_error *error) {
  const char *reduction = options->reduction ? options->reduction : "";
  if (strcmp(reduction, "source") == 0) return eo__dpor_sets_open(options, true, error);
  if (strcmp(reduction, "classic") == 0) return eo__dpor_sets_open(options, false, error);
  return eo__dpor_open(options, error);
}

#define ONE_PROCESS "every deadlock, and every assertion over variables of one process"

const eo_strategy_entry eo__strategies[EO_STRATEGIES + 1] = {
    [EO_STRATEGY_AUTO] =
        {"auto",
         "the default: sampling strategies in turn with dpor (or ses), until dpor or ses has covered everything",
         .probe = eo__dpor_probe_open, .turns = true},
    [EO_STRATEGY_BSRA] = {"bsra",
                          "every deadlock of a model of EFSMs by blocking-based simultaneous reachability analysis",
                          .search = eo__promela_search_bsra, .covers = ONE_PROCESS},
    [EO_STRATEGY_DFS] = {"dfs", "every interleaving, depth first", .open = eo__dfs_open, .probe = eo__probe_open,
                         .advice = "--strategy preempt --bound 2 tries the simplest interleavings first"},
    [EO_STRATEGY_DPOR] = {"dpor", "one execution per equivalence class of interleavings (optimal DPOR)",
                          .open = open_dpor, .probe = eo__dpor_probe_open, .relates = true},
    [EO_STRATEGY_FULL] = {"full", "every state of a model, breadth first, with a shortest trace to each error",
                          .search = eo__promela_search_full, .covers = "every state", .every_state = true},
    [EO_STRATEGY_IRS] =
        {"irs", "--executions N random interleavings, cut off after few steps at first, then after more and more",
         .open = eo__irs_open},
    [EO_STRATEGY_PCT] =
        {"pct", "--executions N interleavings by random priorities of processes, which change at random points (PCT)",
         .open = eo__pct_open},
    [EO_STRATEGY_PCTCP] = {"pctcp", "as pct, with priorities of causal chains of messages instead of processes",
                           .open = eo__pctcp_open},
    [EO_STRATEGY_POR] = {"por",
                         "every deadlock and failed assertion of a model by partial-order reduction (persistent sets)",
                         .search = eo__promela_search_por,
                         .covers = "every deadlock, assertion and fault, but not every state"},
    [EO_STRATEGY_POS] = {"pos",
                         "--executions N interleavings by random priorities of operations, drawn again after each race",
                         .open = eo__pos_open},
    [EO_STRATEGY_PREEMPT] = {"preempt",
                             "every interleaving, those with fewest preemptions first; up to --bound N, or all",
                             .open = eo__preempt_open, .probe = eo__probe_open},
    [EO_STRATEGY_RANDOM] = {"random", "--executions N interleavings (default 10,000), each choice drawn evenly",
                            .open = eo__random_open},
    [EO_STRATEGY_REACH] = {"reach",
                           "one execution for each way in which messages can be received (reachability testing)",
                           .open = eo__reach_open, .relates = true},
    [EO_STRATEGY_SES] = {"ses",
                         "every state, those with fewest delays of the --explorer first; up to --delays N, or all",
                         .open = eo__ses_open, .explorer = &eo__explorer_rtc},
    [EO_STRATEGY_SES_SS] =
        {"ses+ss", "ses until --cache-mb is full, then samples from the frontier of ses, up to --executions or --time",
         .open = eo__ses_ss_open, .explorer = &eo__explorer_rtc},
    [EO_STRATEGY_SRA] = {"sra", "every deadlock of a model of EFSMs by simultaneous reachability analysis",
                         .search = eo__promela_search_sra, .covers = ONE_PROCESS},
    [EO_STRATEGY_SS] =
        {"ss", "sampled executions by number of delays of the --explorer, up to --delays N, --executions or --time",
         .open = eo__ss_open, .explorer = &eo__explorer_any},
    [EO_STRATEGY_SURW] =
        {"surw", "--executions N interleavings, nearly uniform: a process is weighted by the steps it has left",
         .open = eo__surw_open},
    [EO_STRATEGY_TAPCT] = {"tapct", "as pctcp, with chains of racing messages only", .open = eo__tapct_open},
    [EO_STRATEGY_REPLAY] = {"replay", "the execution of a ticket: everyorder replay TICKET", .open = NULL},
};
_Static_assert(EO_STRATEGIES <= 32, "sets of strategies are 32 bits");

const eo_wrapper_entry eo__wrappers[] = {
    {"rerun", "runs some interleavings twice, and reports a program that is not deterministic"},
    {"recheck", "runs each failing interleaving again, and reports a program that is not deterministic"},
    {"meter", "counts, for the progress line and the reports"},
    {"graph", "--dot: writes the graph of states that were visited"},
    {"stop", "--executions, --time, the first finding, an interrupt"},
    {NULL, NULL},
};

const eo_explorer *const eo__explorers[] = {&eo__explorer_rtc, &eo__explorer_rr,     &eo__explorer_prr,
                                            &eo__explorer_any, &eo__explorer_custom, NULL};

static const eo_explorer *known_explorer(size_t index) {
  size_t own = sizeof eo__explorers / sizeof *eo__explorers - 1;
  return index < own ? eo__explorers[index] : eo__explorer_added(index - own);
}

bool eo__explorer_is_file(const char *name) {
  size_t length = strlen(name);
  return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

const eo_explorer *eo__explorer_find(const char *name, eo_error *error) {
  const eo_explorer *explorer;
  const char *names[MOST_SUGGESTED];
  size_t count = 0;
  if (eo__explorer_is_file(name)) return eo__explorer_load(name, error);
  for (size_t i = 0; (explorer = known_explorer(i)); i++) {
    if (eo__explorer_check(explorer, "an explorer of this program", error) != EO_OK) return NULL;
    if (strcmp(explorer->name, name) == 0) return explorer;
    if (count < MOST_SUGGESTED) names[count++] = explorer->name;
  }
  eo__error_set(
      error, EO_EINPUT,
      "there is no explorer '%.64s'; `everyorder strategies` lists them, and a file needs a / or .so in its name",
      name);
  eo__error_suggest(error, name, names, count);
  return NULL;
}

const eo_strategy_entry *eo__strategy_find(const char *name) {
  if (!name) return &eo__strategies[EO_STRATEGY_AUTO];
  for (const eo_strategy_entry *entry = eo__strategies; entry->name; entry++)
    if (strcmp(entry->name, name) == 0) return entry;
  return NULL;
}

int eo__strategy_unknown(const char *name, eo_error *error) {
  const char *names[EO_STRATEGIES];
  for (size_t i = 0; i < EO_STRATEGIES; i++) names[i] = eo__strategies[i].name;
  eo__error_set(error, EO_EINPUT, "there is no strategy '%.64s'; `everyorder strategies` lists them", name);
  return eo__error_suggest(error, name, names, EO_STRATEGIES);
}

bool eo__strategy_heeds(const eo_strategy_entry *entry, const eo_option *option) {
  return option->heeded == 0 || (option->heeded & 1u << (entry - eo__strategies)) != 0;
}

/* With sets of its own at every point, a race that one part finds may ask for a branch in another part. */
bool eo__strategy_splits(const eo_strategy_entry *entry, const char *reduction) {
  bool optimal = !reduction || strcmp(reduction, "optimal") == 0;
  return !entry->search && eo__strategy_heeds(entry, EO_OPTION_OF(jobs)) && optimal;
}

/* Probes draw from what the strategy runs when nothing is left out and nothing comes twice. */
eo_strategy_opener *eo__strategy_probe(const eo_strategy_entry *entry, const eo_strategy_options *options,
                                       const char **why) {
  const char *reason = NULL;
  if (!entry->probe)
    reason = !entry->open ? "searches a model, whose number of states cannot be estimated"
             : eo__strategy_heeds(entry, EO_OPTION_OF(executions))
                 ? "runs as many executions as --executions says: there is nothing to estimate"
             : eo__strategy_heeds(entry, EO_OPTION_OF(cache))
                 ? "stops at visited states, so random executions cannot estimate it; --strategy dfs can be estimated"
                 : "cannot be estimated; --strategy dpor runs the same number of executions, and can";
  else if (options->bounded)
    reason = "cannot be estimated with a --bound: leave out the bound to estimate all executions";
  else if (options->reduction && strcmp(options->reduction, "optimal") != 0)
    reason = "can be estimated with --dpor optimal only: the others run some executions more than once";
  else if (options->visited && eo__strategy_heeds(entry, EO_OPTION_OF(cache)))
    reason = "cannot be estimated with a --cache: leave out the cache to estimate all executions";
  if (why) *why = reason;
  return reason ? NULL : entry->probe;
}

const eo_export_entry eo__exports[] = {
    {"shiviz", eo__export_shiviz},
    {"mermaid", eo__export_mermaid},
    {"dot", eo__export_dot},
    {"perfetto", eo__export_perfetto},
    {NULL, NULL},
};

static const eo_reporter_entry reporters[] = {
    {"text", eo__report_text}, {"json", eo__report_json},   {"html", eo__report_html}, {"junit", eo__report_junit},
    {"tap", eo__report_tap},   {"sarif", eo__report_sarif}, {"live", eo__report_live}, {"dot", eo__report_graph},
};

eo_reporter *eo__reporter_open(const char *name, FILE *out, bool colour) {
  for (size_t i = 0; i < sizeof reporters / sizeof *reporters; i++)
    if (strcmp(reporters[i].name, name) == 0) return reporters[i].open(out, colour);
  return NULL;
}
