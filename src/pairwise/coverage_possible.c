/* coverage_possible.c: which combinations can be covered at all; see coverage.h. Most are of parameters that nothing
 * connects. */
#include "pairwise/coverage.h"

static bool ask(const eo_pairwise_system *system, uint16_t *scratch, const uint32_t *params, const uint16_t *values,
                uint32_t count) {
  if (!system->possible) return true;
  if (system->together) return system->together(system->context, params, values, count);
  for (uint32_t i = 0; i < count; i++) scratch[params[i]] = values[i];
  bool possible = system->possible(system->context, scratch);
  for (uint32_t i = 0; i < count; i++) scratch[params[i]] = EO_PAIRWISE_ANY;
  return possible;
}

/* Does nothing connect the parameters? */
static bool apart(const eo_pairwise_system *system, const uint32_t *params, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      if (system->component[params[i]] == system->component[params[k]] &&
          system->component[params[i]] != EO_PAIRWISE_ALONE)
        return false;
  return true;
}

bool eo__coverage_possible(const eo__coverage *coverage, uint16_t *scratch, const uint32_t *params,
                           const uint16_t *values, uint32_t count) {
  const eo_pairwise_system *system = coverage->system;
  if (!system->component || !apart(system, params, count)) return ask(system, scratch, params, values, count);
  bool alive = true;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = coverage->base[params[i]] + values[i];
    alive = alive && (coverage->alive[number / 64] >> number % 64 & 1);
  }
  return alive;
}

void eo__coverage_find_alive(eo__coverage *coverage, uint16_t *scratch) {
  const eo_pairwise_system *system = coverage->system;
  for (uint32_t i = 0; i < system->params; i++)
    for (uint16_t v = 0; v < system->values[i]; v++) {
      uint32_t number = coverage->base[i] + v;
      bool alone = !system->component || system->component[i] == EO_PAIRWISE_ALONE;
      if (alone || ask(system, scratch, &i, &v, 1)) coverage->alive[number / 64] |= UINT64_C(1) << number % 64;
    }
}

bool eo__coverage_stopped(const eo__coverage *coverage, eo_error *error) {
  if (!coverage->stop || !coverage->stop(coverage->context)) return false;
  eo__error_set(error, EO_EINPUT, "stopped");
  return true;
}
