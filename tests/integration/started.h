/* started.h: a random system whose processes are active, as one in which init starts them, each with its number as a
 * parameter instead of _pid. */
#ifndef EO_TESTS_STARTED_H
#define EO_TESTS_STARTED_H

#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* The text, which the caller releases. */
static inline eo_text started_by_init(const char *active) {
  eo_text text;
  uint32_t processes = 0;
  eo__text_init(&text);
  while (*active) {
    if (strncmp(active, "active proctype P", 17) == 0) {
      eo__text_add(&text, "proctype P%u(byte me)", processes++);
      active = strchr(active, ')') + 1;
    } else if (strncmp(active, "_pid", 4) == 0) {
      eo__text_add(&text, "me");
      active += 4;
    } else {
      eo__text_add(&text, "%c", *active++);
    }
  }
  eo__text_add(&text, "init { atomic {");
  for (uint32_t i = 0; i < processes; i++) eo__text_add(&text, " run P%u(%u);", i, i);
  eo__text_add(&text, " } }\n");
  return text;
}

#endif
