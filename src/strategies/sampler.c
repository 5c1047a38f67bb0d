/* sampler.c: see sampler.h. */
#include "strategies/sampler.h"

#include <inttypes.h>
#include <string.h>

#include "core/program.h"
#include "core/promise.h"

enum { DEFAULT_EXECUTIONS = 10000 };

void eo__sampler_init(eo_sampler *sampler, const eo_sampler_kind *kind, const eo_strategy_ops *ops,
                      const eo_strategy_options *options) {
  sampler->base.ops = ops;
  sampler->kind = kind;
  sampler->seed = options->seed;
  sampler->total = options->executions ? options->executions : DEFAULT_EXECUTIONS;
  sampler->end = sampler->total;
  sampler->faults.most = options->faults;
}

bool eo__sampler_begin(eo_sampler *sampler) {
  if (sampler->next == sampler->end) return false;
  sampler->faults.passed = 0;
  /* The first number of the generator of the seed, so that seeds and numbers do not just add up. */
  uint64_t kind = sampler->kind->seed_alone ? 0 : (uint64_t)sampler->kind->letter << 56;
  eo__rng_init(&sampler->rng, sampler->seed ^ kind);
  eo__rng_init(&sampler->rng, eo__rng_next(&sampler->rng) + sampler->next++);
  return true;
}

/* The number of fault points of the first execution is not known when they are drawn. */
enum { POINTS_AT_FIRST = 16 };

bool eo__sampler_fault(eo_sampler_faults *faults, eo_rng *rng, bool learns) {
  if (faults->passed == 0) {
    uint32_t most = faults->most < EO_SAMPLER_FAULTS ? faults->most : EO_SAMPLER_FAULTS;
    uint32_t points = faults->points ? faults->points : POINTS_AT_FIRST;
    faults->count = eo__sampler_points(rng, points, eo__rng_below(rng, most + 1), faults->places);
  }
  bool happens = false;
  for (uint32_t i = 0; i < faults->count; i++) happens |= faults->places[i] == faults->passed;
  faults->passed++;
  if (learns && faults->passed > faults->points) faults->points = faults->passed;
  return happens;
}

/* Does the fault happen, of the process whose first choice this is? Where no more is allowed, it has no other. */
static uint32_t decide_fault(eo_sampler *sampler, const eo_point *point, uint32_t first) {
  bool happens = eo__sampler_fault(&sampler->faults, &sampler->rng, sampler->next <= EO_SAMPLES_TO_LEARN);
  bool may = first + 1 < point->count && point->choices[first + 1].process == point->choices[first].process;
  return first + (happens && may);
}

uint32_t eo__sampler_any(eo_sampler *sampler, const eo_point *point) {
  uint32_t drawn = point->count == 1 ? 0 : eo__rng_below(&sampler->rng, point->count);
  if (__builtin_expect(point->choices[drawn].op != EO_OP_FAULT, 1)) return drawn;
  while (drawn > 0 && point->choices[drawn - 1].process == point->choices[drawn].process) drawn--;
  return decide_fault(sampler, point, drawn);
}

uint32_t eo__sampler_value(eo_sampler *sampler, const eo_point *point, uint32_t first) {
  if (__builtin_expect(point->choices[first].op == EO_OP_FAULT, 0)) return decide_fault(sampler, point, first);
  uint32_t end = first + 1;
  while (end < point->count && point->choices[end].process == point->choices[first].process) end++;
  if (end == first + 1) return first;
  sampler->values |= eo__sampler_learns(sampler);
  return first + eo__rng_below(&sampler->rng, end - first);
}

uint32_t eo__sampler_process(eo_sampler *sampler, const eo_point *point) {
  uint32_t processes = 0, first = 0;
  for (uint32_t i = 0; i < point->count; i++)
    processes += i == 0 || point->choices[i].process != point->choices[i - 1].process;
  uint32_t skipped = processes == 1 ? 0 : eo__rng_below(&sampler->rng, processes);
  for (; skipped > 0; skipped--) do
      first++;
    while (point->choices[first].process == point->choices[first - 1].process);
  return eo__sampler_value(sampler, point, first);
}

uint32_t eo__sampler_points(eo_rng *rng, uint32_t n, uint32_t d, uint32_t *points) {
  if (d > n) d = n;
  for (uint32_t i = 0; i < d; i++) {
    uint32_t drawn = eo__rng_below(rng, n), j = 0;
    while (j < i && points[j] != drawn) j++;
    if (j < i)
      i--; /* it is there: again */
    else
      points[i] = drawn;
  }
  return d;
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

void eo__sampler_words(const eo_sampler *sampler, eo_text *words) {
  eo__text_add(words, "%" PRIu64 " interleavings drawn at random (%s, seed %" PRIu64 ")", sampler->total,
               sampler->kind->name, sampler->seed);
}

double eo__sampler_odds(double first, double n, uint32_t d) {
  double odds = first > 1 ? 1 / first : 1; /* of nothing there is one order */
  for (uint32_t i = 1; i < d && n > 1; i++) odds /= n;
  return odds;
}

const char *eo__sampler_given(const eo_sampler *sampler) {
  return sampler->values ? ", given the values it needs," : "";
}

eo_coverage eo__sampler_coverage(const eo_sampler *sampler, double (*reached)(eo_strategy *, eo_text *),
                                 eo_text *words) {
  eo__sampler_words(sampler, words);
  eo__text_add(words, ": ");
  double probability = reached((eo_strategy *)&sampler->base, words);
  eo__promise_add(words, probability, sampler->total);
  return EO_COVERS_SAMPLE;
}

/* ---- What is left ----------------------------------------------------------------------------------------------- */

uint64_t eo__sampler_pending(eo_strategy *strategy) {
  const eo_sampler *sampler = (const eo_sampler *)strategy;
  return sampler->end - sampler->next;
}

double eo__sampler_share(eo_strategy *strategy) {
  const eo_sampler *sampler = (const eo_sampler *)strategy;
  return 1 - (double)(sampler->end - sampler->next) / (double)sampler->total;
}

static bool write(const eo_sampler *sampler, uint64_t first, uint64_t end, eo_bytes *out) {
  return eo__fragment_begin(out, sampler->kind->letter) && eo__fragment_number(out, first) &&
         eo__fragment_number(out, end) && eo__fragment_number(out, sampler->values) &&
         eo__fragment_number(out, sampler->faults.points) &&
         (!sampler->kind->write || sampler->kind->write(sampler, out)) && eo__fragment_end(out);
}

static bool save(eo_strategy *strategy, eo_bytes *out) {
  const eo_sampler *sampler = (const eo_sampler *)strategy;
  return write(sampler, sampler->next, sampler->end, out);
}

static int load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  eo_sampler *sampler = (eo_sampler *)strategy;
  eo_fragment_reader reader;
  int code = eo__fragment_open(&reader, bytes, size, sampler->kind->letter, error);
  if (code != EO_OK) return code;
  sampler->next = eo__fragment_read(&reader, sampler->total);
  sampler->end = eo__fragment_read(&reader, sampler->total);
  sampler->values = eo__fragment_read(&reader, 1) != 0;
  sampler->faults.points = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  if (sampler->kind->read && !reader.bad && !sampler->kind->read(sampler, &reader)) return eo__error_nomem(error);
  return reader.bad || reader.at != reader.end || sampler->next > sampler->end ? eo__fragment_refuse(error) : EO_OK;
}

static bool split(eo_strategy *strategy, eo_bytes *out) {
  eo_sampler *sampler = (eo_sampler *)strategy;
  uint64_t middle = sampler->end - (sampler->end - sampler->next) / 2;
  if (middle == sampler->end || sampler->next < sampler->kind->lessons) return false;
  if (sampler->faults.points && sampler->next < EO_SAMPLES_TO_LEARN) return false;
  if (!write(sampler, middle, sampler->end, out)) {
    strategy->error = EO_ENOMEM;
    return false;
  }
  sampler->end = middle;
  return true;
}

const eo_fragments eo__sampler_fragments = {.save = save, .load = load, .split = split};

bool eo__sampler_write_process(const eo_view *view, uint32_t process, eo_bytes *out) {
  char name[EO_PROCESS_NAME];
  view->processes->name(view->of, process, name, sizeof name);
  return eo__fragment_number(out, strlen(name)) && eo__fragment_raw(out, name, strlen(name));
}

uint32_t eo__sampler_read_process(const eo_view *view, eo_fragment_reader *reader) {
  char name[EO_PROCESS_NAME] = "";
  eo__fragment_read_raw(reader, name, eo__fragment_read(reader, sizeof name - 1));
  uint32_t process = reader->bad ? EO_NO_PROCESS : view->processes->number(view->of, name);
  if (process == EO_NO_PROCESS) reader->bad = true;
  return process;
}
