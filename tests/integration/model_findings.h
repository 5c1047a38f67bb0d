/* model_findings.h: what a search of a random model found, as sorted texts, and the comparison of two searches. */
#ifndef EO_TESTS_MODEL_FINDINGS_H
#define EO_TESTS_MODEL_FINDINGS_H

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "base/vec.h"
#include "subjects/model/full.h"
#include "subjects/model/run.h"

/* Each finding once, as a text that both searches give it. */
typedef struct findings {
  const eo_promela_search *search;
  EO_VEC(char *) items;
  const char *wrong;             /* a way that cannot be gone */
  const struct formula *formula; /* that was judged; NULL: none */
  uint64_t checked;              /* executions of which it is false */
  eo_rng rng;                    /* for them */
} findings;

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort_findings(findings *f) {
  if (f->items.count) qsort(f->items.items, f->items.count, sizeof(char *), by_text);
}

static bool is_enabled(eo_promela_run *run, eo_promela_step step) {
  eo_promela_steps steps = {0};
  bool found = false;
  assert_true(eo__promela_enabled(run, &steps));
  for (size_t i = 0; i < steps.count; i++) found |= memcmp(&steps.items[i], &step, sizeof step) == 0;
  eo_vec_release(&steps);
  return found;
}

static void forget(findings *f) {
  for (size_t i = 0; i < f->items.count; i++) eo__free(f->items.items[i]);
  eo_vec_release(&f->items);
}

static bool same(const findings *a, const findings *b) {
  if (a->items.count != b->items.count) return false;
  for (size_t i = 0; i < a->items.count; i++)
    if (strcmp(a->items.items[i], b->items.items[i]) != 0) return false;
  return true;
}

#endif
