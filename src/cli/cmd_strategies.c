/* cmd_strategies.c: the ways to explore. */
#include <string.h>

#include "cli/cli.h"
#include "explorers/explorer.h"
#include "registry/registry.h"

int eo__cmd_strategies(const eo_front *front, const eo_args *args) {
  (void)front;
  (void)args;
  int width = 0;
  for (const eo_strategy_entry *entry = eo__strategies; entry->name != NULL; entry++)
    width = (int)strlen(entry->name) > width ? (int)strlen(entry->name) : width;
  for (const eo_wrapper_entry *entry = eo__wrappers; entry->name != NULL; entry++)
    width = (int)strlen(entry->name) > width ? (int)strlen(entry->name) : width;
  puts("Strategies (--strategy):");
  for (const eo_strategy_entry *entry = eo__strategies; entry->name != NULL; entry++) {
    printf("  %-*s  %s\n", width, entry->name, entry->summary);
    eo_text heeded;
    eo__text_init(&heeded);
    eo__options_heeded(entry, &heeded);
    if (heeded.length > 0) printf("  %-*s  options: %s\n", width, "", heeded.chars);
    eo__text_release(&heeded);
    eo_request request = {.options = {.strategy = entry->name}};
    if (eo__strategy_splits(entry, NULL) && eo__strategy_heeds(entry, EO_OPTION_OF(cache)) &&
        eo__cache_mode(&request) != EO_CACHE_OFF)
      printf("  %-*s  --resume and --cluster need --cache off, because visited states are not saved\n", width, "");
    if (entry->probe != NULL) printf("  %-*s  can be estimated: everyorder estimate PROGRAM\n", width, "");
  }
  puts("\nExplorers (--explorer), whose delays ses and ss count:");
  for (size_t i = 0; eo__explorers[i] != NULL; i++)
    printf("  %-*s  %s\n", width, eo__explorers[i]->name, eo__explorers[i]->summary);
  const eo_explorer *added;
  for (size_t i = 0; (added = eo__explorer_added(i)) != NULL; i++)
    printf("  %-*s  %s\n", width, added->name ? added->name : "", added->summary ? added->summary : "of this program");
  printf("  %-*s  a plug-in: doc/explorers.md\n", width, "FILE.so");
  if (eo__wrappers[0].name != NULL) puts("\nEvery strategy runs inside these wrappers:");
  for (const eo_wrapper_entry *entry = eo__wrappers; entry->name != NULL; entry++)
    printf("  %-*s  %s\n", width, entry->name, entry->summary);
  return EO_STATUS_CLEAN;
}
