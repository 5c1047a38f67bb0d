/* fuzz_model.c: Promela. What is refused is told with file and line; what is read can be searched, under every delivery
 * that it allows, and the states come back as they were saved.
 * runs: 10000 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "subjects/model/full.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static bool failed(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  (void)steps;
  REQUIRE(failure->kind != EO_KIND_NONE && *failure->message);
  *(uint32_t *)context += count;
  return true;
}

static void search(const eo_promela *model, eo_delivery delivery) {
  uint32_t total = 0;
  eo_error error = {0};
  eo_promela_search s = {.model = model,
                         .delivery = delivery,
                         .most_states = 200,
                         .most_bytes = 1 << 26,
                         .failure = failed,
                         .context = &total};
  int code = eo__promela_search_full(&s, &error);
  REQUIRE(code == EO_OK || code == EO_ENOMEM);
  REQUIRE(s.complete || *s.why || code != EO_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  eo_error error = {0};
  if (size > 4000) return 0;
  eo_promela *model = eo__promela_read("fuzz.pml", (const char *)data, size, &error);
  if (!model) {
    REQUIRE(error.code == EO_EINPUT && strchr(error.text, ':'));
    return 0;
  }
  search(model, EO_DELIVERY_MAILBOX);
  if (eo__promela_check_ports(model, &error) == EO_OK) {
    search(model, EO_DELIVERY_FIFO);
    search(model, EO_DELIVERY_CAUSAL);
    search(model, EO_DELIVERY_ASYNC);
  }
  eo__promela_close(model);
  return 0;
}
