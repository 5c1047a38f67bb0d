/* generate.c: see generate.h. The tests of a model are made in stages, each a system of its own (stage.h):
 *   1. the tests of each sub-model, which become the values of one node;
 *   2. all nodes at the order asked for, valid values only;
 *   3. with sub-models and constraints: what 2 could not cover, because no test of a sub-model went with it. If this
 *      brings new tests of sub-models, 2 and 3 again, with these too;
 *   4. for each parameter with invalid values: these, with the valid values of the others.
 * Existing tests begin the stage that they belong to. In the end the solver fills the places that are still open. */
#include "pairwise/generate.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/generate_inside.h"

#define MAIN_PART 0.6 /* of the time is stage 2's where there are others */

/* ---- Opening and closing ------------------------------------------------------------------------------------------ */

static eo_pairwise_algorithm *find_algorithm(const char *name) {
  if (!name || strcmp(name, "best") == 0) return eo__pairwise_best;
  if (strcmp(name, "ipo") == 0) return eo__pairwise_ipo;
  return strcmp(name, "ipo-ec") == 0 ? eo__pairwise_ipo_ec : NULL;
}

static int check_request(const eo_pairwise_model *model, const eo_pairwise_request *request, eo_error *error) {
  if (!find_algorithm(request->algorithm))
    return eo__error_set(error, EO_EINPUT, "there is no algorithm '%.32s'; there are best, ipo and ipo-ec",
                         request->algorithm);
  return eo__pairwise_check_order(model, request->order, error);
}

int eo__pairwise_check_order(const eo_pairwise_model *model, uint32_t order, eo_error *error) {
  if (order < 1 || order > EO_PAIRWISE_MAX_ORDER)
    return eo__error_set(error, EO_EINPUT, "the order is %u: it must be from 1 to %d", order, EO_PAIRWISE_MAX_ORDER);
  if (order > model->params.count)
    return eo__error_set(error, EO_EINPUT, "the order is %u, but the model has only %zu parameter%s", order,
                         model->params.count, model->params.count == 1 ? "" : "s");
  return EO_OK;
}

static int driver_open(eo__driver *d, const eo_pairwise_model *model, const eo_pairwise_request *request,
                       eo_error *error) {
  uint32_t params = (uint32_t)model->params.count;
  uint32_t existing = request->existing ? eo_pairwise_rows_count(request->existing) : 0;
  *d = (eo__driver){.model = model, .request = request, .params = params};
  d->algorithm = find_algorithm(request->algorithm);
  eo__rng_init(&d->rng, request->effort.seed);
  int code = eo__pairwise_wanted(model, request->order, &d->wanted, error);
  if (code != EO_OK) return code;
  d->solver = eo__pairwise_solver_open(model, error);
  if (!d->solver) return error->code;
  d->numbers = eo__alloc((params + 1) * sizeof *d->numbers);
  d->whole = eo__alloc((3 * params + model->groups.count + 1) * sizeof *d->whole);
  d->row = eo__alloc((params + 1) * sizeof *d->row);
  d->homes = eo__alloc((existing + 1) * sizeof *d->homes);
  d->groups = eo__alloc((model->groups.count + 1) * sizeof *d->groups);
  d->bad = eo__alloc((params + 1) * sizeof *d->bad);
  d->owner = eo__alloc((params + 1) * sizeof *d->owner);
  d->members = eo__alloc((params + 1) * sizeof *d->members);
  d->node_of = eo__alloc((params + 1) * sizeof *d->node_of);
  if (!d->owner || !d->members || !d->node_of) return eo__error_nomem(error);
  if (!d->numbers || !d->whole || !d->row || !d->homes || !d->groups || !d->bad) return eo__error_nomem(error);
  for (uint32_t i = 0; i < params; i++) {
    d->numbers[i] = i;
    eo__pairwise_rows_init(&d->bad[i], params);
  }
  eo__pairwise_rows_init(&d->valid, params);
  eo__pairwise_rows_init(&d->existing, params);
  return EO_OK;
}

static void driver_close(eo__driver *d) {
  for (size_t i = 0; d->groups && i < d->model->groups.count; i++) eo__pairwise_rows_release(&d->groups[i]);
  for (size_t i = 0; d->bad && i < d->params; i++) eo__pairwise_rows_release(&d->bad[i]);
  eo__pairwise_rows_release(&d->valid);
  eo__pairwise_rows_release(&d->existing);
  eo__pairwise_solver_close(d->solver);
  eo__pairwise_wanted_release(&d->wanted);
  eo__free(d->numbers);
  eo__free(d->whole);
  eo__free(d->row);
  eo__free(d->homes);
  eo__free(d->groups);
  eo__free(d->bad);
  eo__free(d->owner);
  eo__free(d->members);
  eo__free(d->node_of);
}

/* ---- Effort ------------------------------------------------------------------------------------------------------- */

static bool has_invalid(const eo_pairwise_param *param) {
  for (size_t i = 0; i < param->values.count; i++)
    if (param->values.items[i].invalid) return true;
  return false;
}

static uint32_t side_stages(const eo__driver *d) {
  uint32_t count = (uint32_t)d->model->groups.count + (d->model->groups.count > 0);
  for (uint32_t i = 0; i < d->params; i++) count += has_invalid(&d->model->params.items[i]);
  return count;
}

/* Once told to stop, no later stage improves anything either. */
static bool on_progress(void *context, uint32_t tests, double elapsed) {
  eo__driver *d = context;
  const eo_pairwise_effort *effort = &d->request->effort;
  if (!d->stopped && effort->progress && !effort->progress(effort->context, d->before + tests, elapsed))
    d->stopped = true;
  return !d->stopped;
}

int eo__generate_run(eo__driver *d, eo_pairwise_stage *stage, bool is_main, eo_error *error) {
  eo_pairwise_effort effort = d->request->effort;
  uint32_t sides = side_stages(d);
  double part = !sides ? 1 : is_main ? MAIN_PART : (1 - MAIN_PART) / sides;
  effort.seconds *= part;
  if (d->request->work > 0) eo__pairwise_stage_effort(stage, d->request->work * part, &effort);
  effort.progress = on_progress;
  effort.context = d;
  return eo__pairwise_stage_run(stage, d->algorithm, &effort, error);
}

/* ---- Rows of stages --------------------------------------------------------------------------------------------------- */

int eo__generate_take_rows(eo__driver *d, const eo_pairwise_stage *stage, eo_pairwise_rows *rows, eo_error *error) {
  eo__pairwise_rows_release(rows);
  eo__pairwise_rows_init(rows, d->params);
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&stage->rows); i++) {
    eo__pairwise_stage_spread(stage, eo_pairwise_row(&stage->rows, i), d->row);
    if (!eo__pairwise_rows_add(rows, d->row)) return eo__error_nomem(error);
  }
  return EO_OK;
}

/* The rows of d->valid begin the stage. */
int eo__generate_keep_valid(eo__driver *d, eo_pairwise_stage *stage, eo_error *error) {
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->valid); i++) {
    bool fits = true;
    if (!eo__pairwise_stage_keep(stage, eo_pairwise_row(&d->valid, i), &fits)) return eo__error_nomem(error);
    EO_CHECK(fits);
  }
  return EO_OK;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static int make_valid(eo__driver *d, eo_error *error) {
  for (uint32_t i = 0; i < eo_pairwise_rows_count(&d->existing); i++)
    if (d->homes[i] == EO__VALID && !eo__pairwise_rows_add(&d->valid, eo_pairwise_row(&d->existing, i)))
      return eo__error_nomem(error);
  return d->model->groups.count ? eo__generate_with_groups(d, error) : eo__generate_plain(d, true, error);
}

static int add_row(eo__driver *d, eo_pairwise_rows *rows, const uint16_t *row, unsigned invalids, eo_error *error) {
  memcpy(d->row, row, d->params * sizeof *d->row);
  EO_CHECK(eo__pairwise_solver_complete(d->solver, d->row, invalids));
  return eo__pairwise_rows_add(rows, d->row) ? EO_OK : eo__error_nomem(error);
}

/* Existing tests in their order, then the others; `next`: of each home, the first row that is not among them yet. */
static int gather_from(eo__driver *d, uint32_t *next, eo_pairwise_rows *rows, eo_error *error) {
  int code = EO_OK;
  for (uint32_t i = 0; code == EO_OK && i < eo_pairwise_rows_count(&d->existing); i++) {
    uint32_t home = d->homes[i];
    if (home == EO__DROPPED) continue;
    const eo_pairwise_rows *from = home == EO__VALID ? &d->valid : &d->bad[home];
    uint32_t at = next[home == EO__VALID ? d->params : home]++;
    code = add_row(d, rows, eo_pairwise_row(from, at), home != EO__VALID, error);
  }
  for (uint32_t i = next[d->params]; code == EO_OK && i < eo_pairwise_rows_count(&d->valid); i++)
    code = add_row(d, rows, eo_pairwise_row(&d->valid, i), 0, error);
  for (uint32_t p = 0; p < d->params; p++)
    for (uint32_t i = next[p]; code == EO_OK && i < eo_pairwise_rows_count(&d->bad[p]); i++)
      code = add_row(d, rows, eo_pairwise_row(&d->bad[p], i), 1, error);
  return code;
}

static int gather(eo__driver *d, eo_pairwise_rows *rows, eo_error *error) {
  uint32_t *next = eo__alloc((d->params + 1) * sizeof *next);
  int code = next ? gather_from(d, next, rows, error) : eo__error_nomem(error);
  eo__free(next);
  return code;
}

/* *forcing: whether sub-models begin with what other parameters force; afterwards, whether there was any of it. */
static int generate_once(const eo_pairwise_model *model, const eo_pairwise_request *request, bool *forcing,
                         eo_pairwise_result *result, eo_error *error) {
  eo__driver d;
  int code = check_request(model, request, error);
  if (code != EO_OK) return code;
  memset(result, 0, sizeof *result);
  eo__pairwise_rows_init(&result->rows, (uint32_t)model->params.count);
  eo__text_init(&result->dropped);
  eo__text_init(&result->excluded);
  code = driver_open(&d, model, request, error);
  d.forcing = *forcing;
  if (code == EO_OK) code = eo__generate_satisfiable(&d, error);
  if (code == EO_OK) code = eo__generate_excluded(&d, &result->excluded, error);
  if (code == EO_OK) code = eo__generate_existing(&d, result, error);
  if (code == EO_OK) code = make_valid(&d, error);
  d.before = eo_pairwise_rows_count(&d.valid);
  for (uint32_t i = 0; code == EO_OK && i < d.params; i++) {
    if (!has_invalid(&model->params.items[i])) continue;
    code = eo__generate_bad(&d, i, error);
    d.before += eo_pairwise_rows_count(&d.bad[i]);
  }
  if (code == EO_OK) code = gather(&d, &result->rows, error);
  *forcing = d.forced;
  driver_close(&d);
  if (code != EO_OK) eo__pairwise_result_release(result);
  return code;
}

/* Keeps the smaller set. Where the other one was stopped there is none. */
static void compare_with(const eo_pairwise_model *model, const eo_pairwise_request *request, bool *forcing,
                         eo_pairwise_result *result) {
  eo_pairwise_result other;
  eo_error stopped;
  if (generate_once(model, request, forcing, &other, &stopped) != EO_OK) return;
  if (eo_pairwise_rows_count(&other.rows) < eo_pairwise_rows_count(&result->rows)) {
    eo_pairwise_result smaller = other;
    other = *result;
    *result = smaller;
  }
  eo__pairwise_result_release(&other);
}

/* A smaller set of a sub-model can make the whole larger, and so can a test that is forced in it. So the other ways are tried
 * too, and what less work would find. */
int eo__pairwise_generate(const eo_pairwise_model *model, const eo_pairwise_request *request,
                          eo_pairwise_result *result, eo_error *error) {
  static const double less[] = {0, EO_PAIRWISE_WORK};
  eo_pairwise_request lower = *request;
  bool forced = true;
  int code = generate_once(model, request, &forced, result, error);
  if (code != EO_OK || model->groups.count == 0) return code;
  if (forced) compare_with(model, request, &(bool){false}, result);
  for (size_t i = 0; i < 2 && less[i] < request->work; i++) {
    lower.work = less[i];
    compare_with(model, &lower, &(bool){true}, result);
    if (forced) compare_with(model, &lower, &(bool){false}, result);
  }
  return EO_OK;
}

void eo__pairwise_result_release(eo_pairwise_result *result) {
  eo__pairwise_rows_release(&result->rows);
  eo__text_release(&result->dropped);
  eo__text_release(&result->excluded);
}
