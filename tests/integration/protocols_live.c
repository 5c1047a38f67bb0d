/* protocols_live.c: protocols of examples/protocols on threads. Specifications hold there, too: what they refuse aborts the
 * program. Built and run by protocols_chain_osr.sh. */
#include <stdio.h>

#include "chainrep.h"

void osr_start(int bug); /* osr.h has names that chainrep.h has as well */

static void chain(void *unused) {
  (void)unused;
  chainrep_start(CORRECT);
}

static void driver(void *unused) {
  (void)unused;
  osr_start(CORRECT);
}

int main(void) {
  for (int i = 0; i < 20; i++) {
    int reason = eo_live_run(chain, NULL);
    if (reason == 0) reason = eo_live_run(driver, NULL);
    if (reason != 0) {
      printf("run %d ended with %d\n", i, reason);
      return 1;
    }
  }
  puts("20 runs of each");
  return 0;
}
