/* policy.c: see policy.h. */
#include "frontier/policy.h"

#include <string.h>

enum { FRAGMENTS_PER_WORKER = 2, HOLDERS = 2, PARTS = 32 };
#define BYTES_PER_SECOND 20e6 /* so much more a claim must weigh to be worth another second of work */

double eo__policy_budget(const eo_job_limits *limits, uint32_t active, size_t bytes) {
  double part = limits->fixed_budget || active >= limits->workers ? 1 : (double)active / limits->workers;
  return limits->budget * part + (double)bytes / BYTES_PER_SECOND;
}

uint32_t eo__policy_pieces(const eo_job_limits *limits, uint64_t expected) {
  uint64_t most = (uint64_t)limits->workers * FRAGMENTS_PER_WORKER;
  if (limits->workers <= 1 || expected >= most) return 1;
  return (uint32_t)((most - expected + PARTS - 1) / PARTS) + 1;
}

/* Half of an equal part at a time, so that a fast one does not wait for a slow one for long. */
uint64_t eo__policy_allot(const eo_job_limits *limits, uint64_t left) {
  uint64_t part = limits->workers <= 1 ? left : left / (2 * (uint64_t)limits->workers);
  return part ? part : left ? 1 : 0;
}

bool eo__policy_double(const eo_job_limits *limits, uint32_t holders) {
  return !limits->no_doubling && holders < HOLDERS;
}

static bool says_less(const eo_tally *a, const eo_tally *b) {
  if (a->coverage != b->coverage) return a->coverage > b->coverage;
  size_t length_a = strlen(a->covered), length_b = strlen(b->covered);
  return length_a != length_b ? length_a > length_b : strcmp(a->covered, b->covered) > 0;
}

static void add_member(eo_member_tally *total, const eo_member_tally *slice) {
  total->executions += slice->executions;
  if (!*slice->reached || slice->drawn < total->drawn) return;
  total->drawn = slice->drawn;
  total->hit = slice->hit;
  memcpy(total->reached, slice->reached, sizeof total->reached);
}

void eo__tally_add(eo_tally *total, const eo_tally *slice, bool finished) {
  total->executions += slice->executions;
  total->pruned += slice->pruned;
  total->transitions += slice->transitions;
  total->skipped += slice->skipped;
  total->states += slice->states;
  total->failures += slice->failures;
  total->aside += slice->aside;
  if (slice->max_depth > total->max_depth) total->max_depth = slice->max_depth;
  eo__estimate_add(&total->estimate, &slice->estimate);
  total->doubts |= slice->doubts;
  if (finished && total->coverage == EO_COVERS_ALL) total->doubts &= ~slice->settles;
  total->cut += slice->cut;
  if (!*total->endless) memcpy(total->endless, slice->endless, sizeof total->endless);
  if (*slice->reached) {
    if (!*total->reached || slice->hit < total->hit) total->hit = slice->hit;
    memcpy(total->reached, slice->reached, sizeof total->reached);
  }
  for (int i = 0; i < EO_MEMBERS_MOST; i++) add_member(&total->members[i], &slice->members[i]);
  if (!finished || !says_less(slice, total)) return;
  total->coverage = slice->coverage;
  memcpy(total->covered, slice->covered, sizeof total->covered);
}
