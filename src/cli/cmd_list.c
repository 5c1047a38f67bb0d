/* cmd_list.c: the names of the tests, one to a line, and where they are. */
#include <string.h>

#include "cli/cli.h"
#include "core/program.h"

int eo__cmd_list(const eo_front *front, const eo_args *args) {
  size_t widest = 0;
  eo_error error;
  if (eo__tests_prepare(args, &error) != EO_OK) return eo__fail(front, &error);
  for (const eo_test *test = eo__tests(); test != NULL; test = test->next)
    if (eo__test_wanted(args, test) && strlen(test->name) > widest) widest = strlen(test->name);
  for (const eo_test *test = eo__tests(); test != NULL; test = test->next)
    if (eo__test_wanted(args, test))
      printf("%-*s  %s:%d\n", (int)widest, test->name, test->place.file, test->place.line);
  return EO_STATUS_CLEAN;
}
