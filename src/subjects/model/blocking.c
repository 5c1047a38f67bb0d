/* blocking.c: see blocking.h. Each process is followed by itself, depth first, from where it stands to where it stops;
 * every combination of their stops is a next blocking point. */
#include "subjects/model/blocking.h"

#include <string.h>

enum { MOST_PLACES = 20000 };

/* ---- Saved states ------------------------------------------------------------------------------------------------------ */

bool eo__blocking_save(eo__blocking *b, const eo__reduced *r, eo__blocking_state *state) {
  *state = (eo__blocking_state){b->saved.count, r->run.size, eo_promela_processes(&r->run)};
  if (!eo_vec_reserve(&b->saved, r->run.size)) return false;
  memcpy(b->saved.items + b->saved.count, r->run.state, r->run.size);
  b->saved.count += r->run.size;
  return true;
}

bool eo__blocking_restore(eo__blocking *b, eo__reduced *r, eo__blocking_state state) {
  return eo__promela_load(&r->run, b->saved.items + state.at, state.size);
}

void eo__blocking_drop(eo__blocking *b, eo__blocking_state state) { b->saved.count = state.at; }

/* ---- One process -------------------------------------------------------------------------------------------------------- */

eo__blocking_kind eo__blocking_kind_of(const eo__blocking *b, const eo_promela_run *run, eo_promela_step step) {
  const eo_promela_transition *t = eo__promela_transition_of(run, step.process, step.transition);
  if (t->kind == EO_PROMELA_EXIT) return EO__ENDS;
  if (b->efsm.visible[t->number]) return EO__VISIBLE;
  return t->kind == EO_PROMELA_RECEIVE ? EO__RECEIVES : EO__GOES_ON;
}

bool eo__blocking_looks(const eo__blocking *b, const eo_promela_run *run, uint32_t process) {
  const eo_promela_location *l = &eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)];
  for (uint32_t k = 0; b->efsm.visible_count && k < l->count; k++)
    if (b->efsm.visible[l->transitions[k]->number]) return true;
  return false;
}

static bool has_open_receive(const eo_promela_run *run, uint32_t process) {
  const eo_promela_location *l = &eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)];
  for (uint32_t k = 0; k < l->count; k++)
    if (l->transitions[k]->kind == EO_PROMELA_RECEIVE) return true;
  return false;
}

/* Its steps that receive nothing and are not visible, in `found`. */
static bool find_steps(eo__blocking *b, eo__reduced *r, uint32_t process) {
  eo_vec_clear(&b->found);
  if (!eo__promela_enabled_of(&r->run, process, &b->found)) return false;
  size_t kept = 0;
  for (size_t i = 0; i < b->found.count; i++)
    if (eo__blocking_kind_of(b, &r->run, b->found.items[i]) == EO__GOES_ON) b->found.items[kept++] = b->found.items[i];
  b->found.count = kept;
  return true;
}

/* The process may stop at this place: what led there is kept. */
static bool add_stop(eo__blocking *b, uint32_t place) {
  eo__blocking_stop stop = {b->steps.count, 0};
  for (uint32_t p = place; b->places.items[p].parent != UINT32_MAX; p = b->places.items[p].parent) stop.count++;
  if (!eo_vec_reserve(&b->steps, stop.count)) return false;
  b->steps.count += stop.count;
  size_t at = b->steps.count;
  for (uint32_t p = place; b->places.items[p].parent != UINT32_MAX; p = b->places.items[p].parent)
    b->steps.items[--at] = b->places.items[p].step;
  return eo_vec_push(&b->stops, stop);
}

/* The place that the run is at; *place: its number. */
static bool find_place(eo__blocking *b, eo__reduced *r, uint32_t parent, eo_promela_step step, uint32_t *place,
                       bool *fresh) {
  eo__blocking_place made = {.step = step, .parent = parent, .open = true};
  eo__promela_fingerprint(&r->run, made.hash);
  for (*place = 0; *place < b->places.count; (*place)++)
    if (memcmp(b->places.items[*place].hash, made.hash, sizeof made.hash) == 0) {
      *fresh = false;
      return true;
    }
  *fresh = true;
  if (b->places.count == MOST_PLACES)
    eo__reduced_stop(r,
                     "a process that takes steps for ever without receiving: the number of its messages has no bound");
  return eo_vec_push(&b->places, made);
}

static bool follow(eo__blocking *b, eo__reduced *r, uint32_t process, uint32_t place);

static bool follow_step(eo__blocking *b, eo__reduced *r, uint32_t process, uint32_t place, eo_promela_step step,
                        bool *closes) {
  size_t length = r->path.count;
  uint32_t next;
  bool on, fresh;
  if (!eo__reduced_step(r, step, &on)) return false;
  if (on && !r->stopped) {
    eo__promela_yield(&r->run);
    if (!find_place(b, r, place, step, &next, &fresh)) return false;
    *closes |= !fresh && b->places.items[next].open;
    if (fresh && !r->stopped && !follow(b, r, process, next)) return false;
  }
  r->path.count = length;
  return true;
}

/* From a place on. Where a circle closes the process may stop, too: it may go round for ever, and others go on. */
static bool follow(eo__blocking *b, eo__reduced *r, uint32_t process, uint32_t place) {
  eo_promela_steps own = {0};
  eo__blocking_state here;
  if (!find_steps(b, r, process)) return false;
  bool stops = !b->found.count || has_open_receive(&r->run, process) || eo__blocking_looks(b, &r->run, process);
  bool good = eo__blocking_save(b, r, &here), closes = false;
  for (size_t i = 0; good && i < b->found.count; i++) good = eo_vec_push(&own, b->found.items[i]);
  for (size_t i = 0; good && i < own.count && !eo__reduced_halts(r); i++)
    good = eo__blocking_restore(b, r, here) && follow_step(b, r, process, place, own.items[i], &closes);
  if (good) eo__blocking_drop(b, here);
  if (good) b->places.items[place].open = false;
  eo_vec_release(&own);
  return good && (r->stopped || !(stops || closes) || add_stop(b, place));
}

static bool follow_process(eo__blocking *b, eo__reduced *r, uint32_t process, eo__blocking_state from) {
  uint32_t place;
  bool fresh;
  b->first[process] = b->stops.count;
  if (!find_steps(b, r, process)) return false;
  if (!b->found.count) return eo_vec_push(&b->stops, ((eo__blocking_stop){0, 0}));
  eo_vec_clear(&b->places);
  if (!find_place(b, r, UINT32_MAX, (eo_promela_step){0}, &place, &fresh) || !follow(b, r, process, place))
    return false;
  if (b->stops.count == b->first[process]) /* every way ends in a failure: it stays */
    if (!eo_vec_push(&b->stops, ((eo__blocking_stop){0, 0}))) return false;
  return eo__blocking_restore(b, r, from);
}

/* ---- All of them --------------------------------------------------------------------------------------------------------- */

static bool visit(eo__blocking *b, eo__reduced *r) {
  uint64_t hash[2];
  eo__promela_fingerprint(&r->run, hash);
  for (size_t i = 0; i < b->met.count; i += 2)
    if (b->met.items[i] == hash[0] && b->met.items[i + 1] == hash[1]) return true;
  return eo_vec_push(&b->met, hash[0]) && eo_vec_push(&b->met, hash[1]) && b->visit(b->context, r);
}

static bool apply_stop(eo__blocking *b, eo__reduced *r, eo__blocking_stop stop) {
  bool on, good = true;
  r->quiet = true; /* they were told on the way */
  for (size_t i = 0; i < stop.count && good; i++) {
    good = eo__reduced_step(r, b->steps.items[stop.steps + i], &on);
    eo__promela_yield(&r->run);
  }
  r->quiet = false;
  return good;
}

static bool combine(eo__blocking *b, eo__reduced *r, uint32_t process, uint32_t processes) {
  size_t length = r->path.count;
  if (eo__reduced_halts(r)) return true;
  if (process == processes) return visit(b, r);
  size_t from = b->first[process], to = b->first[process + 1];
  if (to == from + 1) {
    b->moved[process] = b->stops.items[from].count > 0;
    if (!apply_stop(b, r, b->stops.items[from]) || !combine(b, r, process + 1, processes)) return false;
    r->path.count = length;
    return true;
  }
  eo__blocking_state here;
  if (!eo__blocking_save(b, r, &here)) return false;
  for (size_t i = from; i < to; i++) {
    b->moved[process] = b->stops.items[i].count > 0;
    if (!eo__blocking_restore(b, r, here) || !apply_stop(b, r, b->stops.items[i]) ||
        !combine(b, r, process + 1, processes))
      return false;
    r->path.count = length;
  }
  eo__blocking_drop(b, here);
  return true;
}

bool eo__blocking_points(eo__blocking *b, eo__reduced *r, bool (*each)(void *, eo__reduced *), void *context) {
  eo__blocking_state from;
  uint32_t processes = eo_promela_processes(&r->run);
  b->visit = each;
  b->context = context;
  eo_vec_clear(&b->saved);
  eo_vec_clear(&b->stops);
  eo_vec_clear(&b->steps);
  eo_vec_clear(&b->met);
  if (!eo__blocking_save(b, r, &from)) return false;
  for (uint32_t p = 0; p < processes && !r->stopped; p++)
    if (!follow_process(b, r, p, from)) return false;
  b->first[processes] = b->stops.count;
  return r->stopped || combine(b, r, 0, processes);
}

uint64_t eo__blocking_bytes(const eo__blocking *b) {
  return b->saved.capacity + b->places.capacity * sizeof *b->places.items + b->stops.capacity * sizeof *b->stops.items +
         (b->steps.capacity + b->found.capacity) * sizeof(eo_promela_step) + b->met.capacity * sizeof *b->met.items;
}

void eo__blocking_release(eo__blocking *b) {
  eo__efsm_close(&b->efsm);
  eo_vec_release(&b->found);
  eo_vec_release(&b->saved);
  eo_vec_release(&b->places);
  eo_vec_release(&b->stops);
  eo_vec_release(&b->steps);
  eo_vec_release(&b->met);
}
