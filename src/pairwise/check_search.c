/* check_search.c: see check_search.h. Part by part: of the constraints that are still open, the one with the fewest
 * parameters left is taken, and the values of one of these are tried. */
#include "pairwise/check_search.h"

#include <string.h>

#include "base/alloc.h"
#include "pairwise/constraint.h"
#include "pairwise/system.h"

/* ---- Who has to do with whom -------------------------------------------------------------------------------------- */

static bool add_once(eo_pairwise_numbers *numbers, uint32_t number) {
  for (size_t i = 0; i < numbers->count; i++) {
    if (numbers->items[i] == number) return true;
  }
  return eo_vec_push(numbers, number);
}

static bool collect(eo_pairwise_numbers *params, const eo_pairwise_term *term) {
  for (size_t i = 0; i < term->children.count; i++) {
    if (!collect(params, term->children.items[i])) return false;
  }
  if (term->param != EO_PAIRWISE_NO_PARAM && !add_once(params, term->param)) return false;
  return term->other == EO_PAIRWISE_NO_PARAM || add_once(params, term->other);
}

/* Every parameter of a constraint gets the lowest mark among them, until nothing changes. */
static void mark_parts(eo_pairwise_search *search) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t c = 0; c < search->model->constraints.count; c++) {
      const eo_pairwise_numbers *params = &search->mentioned[c];
      uint32_t lowest = UINT32_MAX;
      for (size_t i = 0; i < params->count; i++) {
        uint32_t mark = search->part_of[params->items[i]];
        if (mark < lowest) lowest = mark;
      }
      for (size_t i = 0; i < params->count; i++) {
        uint32_t *mark = &search->part_of[params->items[i]];
        changed |= *mark != lowest;
        *mark = lowest;
      }
    }
  }
}

static bool connect(eo_pairwise_search *search) {
  const eo_pairwise_model *model = search->model;
  uint32_t params = (uint32_t)model->params.count;
  for (uint32_t c = 0; c < model->constraints.count; c++) {
    if (!collect(&search->mentioned[c], model->constraints.items[c].term)) return false;
    for (size_t i = 0; i < search->mentioned[c].count; i++) {
      if (!eo_vec_push(&search->touching[search->mentioned[c].items[i]], c)) return false;
    }
  }
  for (uint32_t p = 0; p < params; p++) search->part_of[p] = p;
  mark_parts(search);
  for (uint32_t p = 0; p < params; p++) {
    uint32_t mark = search->part_of[p];
    if (search->touching[p].count == 0) {
      search->part_of[p] = UINT32_MAX;
    } else if (mark == p) {
      search->part_of[p] = search->parts++;
    } else {
      search->part_of[p] = search->part_of[mark]; /* marks are the lowest, so this one is numbered */
    }
  }
  for (uint32_t c = 0; c < model->constraints.count; c++) {
    if (search->mentioned[c].count == 0) continue;
    if (!eo_vec_push(&search->together[search->part_of[search->mentioned[c].items[0]]], c)) return false;
  }
  return true;
}

/* ---- Trying ------------------------------------------------------------------------------------------------------- */

static eo_pairwise_truth truth_of(const eo_pairwise_search *search, uint32_t constraint) {
  return eo__pairwise_term_truth(search->model, search->model->constraints.items[constraint].term, search->row);
}

/* Of the open constraint with the fewest parameters without value, the first such. UINT32_MAX: none is open. */
static uint32_t next_param(const eo_pairwise_search *search, uint32_t part) {
  uint32_t best = UINT32_MAX, fewest = UINT32_MAX;
  for (size_t i = 0; i < search->together[part].count; i++) {
    uint32_t constraint = search->together[part].items[i], open = 0, first = UINT32_MAX;
    for (size_t k = 0; k < search->mentioned[constraint].count; k++) {
      uint32_t param = search->mentioned[constraint].items[k];
      if (search->row[param] != EO_PAIRWISE_ANY) continue;
      open++;
      if (first == UINT32_MAX) first = param;
    }
    if (open == 0 || open >= fewest || truth_of(search, constraint) != EO_PAIRWISE_OPEN) continue;
    fewest = open;
    best = first;
  }
  return best;
}

static bool none_broken(const eo_pairwise_search *search, const eo_pairwise_numbers *constraints) {
  for (size_t i = 0; i < constraints->count; i++) {
    if (truth_of(search, constraints->items[i]) == EO_PAIRWISE_FALSE) return false;
  }
  return true;
}

/* The depth is that of the parameters. */
static bool complete_part(eo_pairwise_search *search, uint32_t part) {
  uint32_t param = next_param(search, part);
  if (param == UINT32_MAX) return true;
  const eo_pairwise_param *values = &search->model->params.items[param];
  for (size_t v = 0; v < values->values.count; v++) {
    if (values->values.items[v].invalid) continue;
    search->row[param] = (uint16_t)v;
    if (none_broken(search, &search->touching[param]) && complete_part(search, part)) return true;
  }
  search->row[param] = EO_PAIRWISE_ANY;
  return false;
}

bool eo__pairwise_search_completes(eo_pairwise_search *search, const uint16_t *row) {
  size_t params = search->model->params.count, p = 0;
  if (search->hopeless) return false;
  while (p < params && (row[p] == EO_PAIRWISE_ANY ? p != search->found_invalid : row[p] == search->found[p])) p++;
  if (p == params) return true;
  memcpy(search->row, row, params * sizeof *row);
  for (uint32_t part = 0; part < search->parts; part++) search->untouched[part] = true;
  for (p = 0; p < params; p++) {
    if (row[p] != EO_PAIRWISE_ANY && search->part_of[p] != UINT32_MAX) search->untouched[search->part_of[p]] = false;
  }
  for (uint32_t part = 0; part < search->parts; part++) {
    if (search->untouched[part]) {
      if (search->possible[part]) continue;
      return false;
    }
    if (!none_broken(search, &search->together[part]) || !complete_part(search, part)) return false;
  }
  memcpy(search->found, search->row, params * sizeof *row);
  search->found_invalid = UINT32_MAX;
  for (uint32_t q = 0; q < params; q++) {
    if (row[q] == EO_PAIRWISE_ANY || !search->model->params.items[q].values.items[row[q]].invalid) continue;
    search->found_invalid = q;
  }
  return true;
}

/* ---- Opening ------------------------------------------------------------------------------------------------------ */

int eo__pairwise_search_init(eo_pairwise_search *search, const eo_pairwise_model *model, eo_error *error) {
  size_t params = model->params.count, constraints = model->constraints.count;
  memset(search, 0, sizeof *search);
  search->model = model;
  search->mentioned = eo__alloc((constraints + 1) * sizeof search->mentioned[0]);
  search->touching = eo__alloc(params * sizeof search->touching[0]);
  search->together = eo__alloc(params * sizeof search->together[0]);
  search->part_of = eo__alloc(params * sizeof search->part_of[0]);
  search->untouched = eo__alloc(params * sizeof search->untouched[0]);
  search->possible = eo__alloc(params * sizeof search->possible[0]);
  search->row = eo__alloc(params * sizeof search->row[0]);
  search->found = eo__alloc(params * sizeof search->found[0]);
  if (!search->mentioned || !search->touching || !search->together || !search->part_of || !search->untouched ||
      !search->possible || !search->row || !search->found || !connect(search)) {
    eo__pairwise_search_release(search);
    return eo__error_nomem(error);
  }
  for (size_t p = 0; p < params; p++) search->row[p] = search->found[p] = EO_PAIRWISE_ANY;
  search->found_invalid = UINT32_MAX;
  for (uint32_t c = 0; c < constraints; c++) {
    search->hopeless |= search->mentioned[c].count == 0 && truth_of(search, c) == EO_PAIRWISE_FALSE;
  }
  for (uint32_t part = 0; part < search->parts; part++) {
    search->possible[part] = none_broken(search, &search->together[part]) && complete_part(search, part);
  }
  return EO_OK;
}

void eo__pairwise_search_release(eo_pairwise_search *search) {
  for (size_t c = 0; search->mentioned && c < search->model->constraints.count; c++) {
    eo_vec_release(&search->mentioned[c]);
  }
  for (size_t p = 0; p < search->model->params.count; p++) {
    if (search->touching) eo_vec_release(&search->touching[p]);
    if (search->together) eo_vec_release(&search->together[p]);
  }
  eo__free(search->mentioned);
  eo__free(search->touching);
  eo__free(search->together);
  eo__free(search->part_of);
  eo__free(search->untouched);
  eo__free(search->possible);
  eo__free(search->row);
  eo__free(search->found);
}
