/* expand.c: see expand.h. */
#include "subjects/model/expand.h"

#include <string.h>

#include "base/alloc.h"

/* ---- The list ------------------------------------------------------------------------------------------------------- */

void eo__log_clear(eo__log *log) {
  eo_vec_clear(&log->events);
  eo_vec_clear(&log->bytes);
  eo_vec_clear(&log->failures);
  eo_vec_clear(&log->steps);
}

void eo__log_release(eo__log *log) {
  eo_vec_release(&log->events);
  eo_vec_release(&log->bytes);
  eo_vec_release(&log->failures);
  eo_vec_release(&log->steps);
}

uint64_t eo__log_bytes(const eo__log *log) {
  return log->events.capacity * sizeof(eo__event) + log->bytes.capacity + log->failures.capacity * sizeof(eo_failure) +
         log->steps.capacity * sizeof(eo_promela_step);
}

uint64_t eo__log_size(const eo__log *log) {
  return log->events.count * sizeof(eo__event) + log->bytes.count + log->failures.count * sizeof(eo_failure) +
         log->steps.count * sizeof(eo_promela_step);
}

/* Makes room in the list, or ends this state. False: no memory. */
static bool have_room(eo__expander *e) {
  if (!e->most_size || eo__log_size(e->log) < e->most_size) return true;
  if (e->overflow) return e->overflow(e->context);
  e->stopped = e->too_large = true;
  return true;
}

static bool add_event(eo__expander *e, const eo__event *event, bool with_steps) {
  eo__log *log = e->log;
  eo__event own = *event;
  own.path = log->steps.count;
  own.steps = (uint32_t)e->path.count;
  return (!with_steps || eo_vec_append(&log->steps, &e->path)) && eo_vec_push(&log->events, own);
}

static bool fail(eo__expander *e, const eo_failure *failure) {
  eo__event event = {.kind = EO__FAILS, .at = e->log->failures.count};
  if (!eo_vec_push(&e->log->failures, *failure) || !add_event(e, &event, true)) return false;
  return have_room(e);
}

/* ---- Steps ---------------------------------------------------------------------------------------------------------- */

/* The processes that took part in the steps to here. */
static uint64_t movers(const eo__expander *e) {
  uint64_t who = 0;
  for (size_t i = 0; i < e->path.count; i++) {
    const eo_promela_step *step = &e->path.items[i];
    if (step->process < 64) who |= UINT64_C(1) << step->process;
    if (step->receiver < 64) who |= UINT64_C(1) << step->receiver;
  }
  return who;
}

/* The run is at a state that counts. */
static bool arrive_at(eo__expander *e, eo__bears bears) {
  eo__log *log = e->log;
  eo__event event = {
      .kind = EO__ARRIVES, .at = log->bytes.count, .size = (uint32_t)e->run.size, .bears = bears, .last = e->run.doing};
  eo__promela_fingerprint(&e->run, event.key);
  if (!eo_vec_reserve(&log->bytes, e->run.size)) return false;
  memcpy(log->bytes.items + log->bytes.count, e->run.state, e->run.size);
  log->bytes.count += e->run.size;
  if (!add_event(e, &event, e->keeps_steps)) return false;
  e->stopped |= ++e->arrivals == e->most_arrivals;
  return have_room(e);
}

/* The run is behind the steps from the state, in each location that the property can be in then. */
static bool arrive(void *context) {
  eo__expander *e = context;
  if (!e->search->property) return arrive_at(e, (eo__bears){0, 0});
  for (size_t i = 0; i < e->arcs.count && !e->stopped; i++) {
    const eo_promela_arc *arc = e->arcs.items[i];
    eo__property_put(&e->run, arc->to);
    if (!arrive_at(e, (eo__bears){arc->marks | e->marks, movers(e) | e->blocked})) return false;
  }
  return true;
}

/* Several threads may mark one transition at once. */
static void mark(eo__expander *e, uint32_t process, uint32_t transition) {
  uint32_t number = eo__promela_transition_of(&e->run, process, transition)->number;
  __atomic_store_n(&e->search->taken[number], 1, __ATOMIC_RELAXED);
}

static bool take(void *context, eo_promela_step step, bool *on) {
  eo__expander *e = context;
  if (e->search->taken) {
    mark(e, step.process, step.transition);
    if (step.receiver != EO_PROMELA_NO_RECEIVER) mark(e, step.receiver, step.receiver_transition);
  }
  if (!eo_vec_push(&e->path, step)) return false;
  *on = true;
  if (eo__promela_apply(&e->run, step)) return true;
  *on = eo_promela_passes(&e->run);
  e->stopped |= e->run.halted;
  if (e->run.no_memory || e->run.halted) return !e->run.no_memory;
  eo_failure failure = e->run.failure;
  return fail(e, &failure);
}

/* The run goes back to the state that is expanded. */
static bool load(eo__expander *e) {
  if (!eo__promela_load(&e->run, e->state, e->size)) return false;
  e->run.timeout = e->timeout;
  eo_vec_clear(&e->path);
  return true;
}

static bool endless(void *context, const eo_failure *failure, bool closed) {
  eo__expander *e = context;
  eo_promela_steps way = e->path;
  e->path = (eo_promela_steps){0};
  bool good = closed || (load(e) && eo__sequence_prolong(&e->run, &way));
  eo_vec_release(&e->path);
  e->path = way;
  return good && fail(e, failure);
}

static bool dead_end(eo__expander *e) {
  eo__event event = {.kind = EO__ENDS, .good = eo__promela_ended_well(&e->run)};
  if (!add_event(e, &event, false)) return false;
  if (event.good) return true;
  eo_failure failure;
  eo__promela_dead_end(&e->run, &failure);
  return fail(e, &failure);
}

/* ---- Properties ------------------------------------------------------------------------------------------------------- */

/* What the property can read in the state that is expanded. *on: something can. */
static bool read_state(eo__expander *e, bool tells, bool *on) {
  const eo_promela_property *p = e->search->property;
  uint64_t letter;
  bool ends = false;
  *on = true;
  if (!p) return true;
  eo_vec_clear(&e->arcs);
  e->marks = eo__property_state_marks(p, &e->run);
  *on = eo__property_letter(p, &e->run, &letter);
  if (!*on) {
    eo_failure failure = e->run.failure;
    return !tells || fail(e, &failure);
  }
  const eo_promela_arcs *from = &p->locations[eo__property_get(&e->run)];
  for (uint32_t i = 0; i < from->count; i++) {
    if (!eo__property_reads(&from->items[i], letter)) continue;
    ends |= from->items[i].to == EO_PROPERTY_END;
    if (from->items[i].to != EO_PROPERTY_END && !eo_vec_push(&e->arcs, &from->items[i])) return false;
  }
  *on = e->arcs.count > 0;
  e->blocked = ~UINT64_C(0);
  if (e->search->fair && *on && !eo__property_blocked(&e->run, &e->scratch, &e->blocked)) return false;
  if (!ends || !tells) return true;
  eo_failure failure;
  eo__property_violated(p, EO__VIOLATED_NOW, e->depth, 0, &failure);
  return fail(e, &failure) && load(e);
}

/* Nothing can happen: the property reads the last state for ever. */
static bool end_here(eo__expander *e) {
  if (!e->search->property) return dead_end(e);
  return e->search->property->moving || arrive(e);
}

/* ---- Expanding -------------------------------------------------------------------------------------------------------- */

/* The steps from `from` to before `to`, and those inside atomic sequences behind them. */
static bool take_steps(eo__expander *e, size_t from, size_t to) {
  bool on;
  for (size_t i = from; i < to && !e->stopped; i++) {
    if (((i || e->search->property) && !load(e)) || !take(e, e->found.items[i], &on)) return false;
    if (on && !e->stopped && !eo__sequence_on(&e->walk)) return false;
    e->stopped |= e->walk.halted;
  }
  return true;
}

static bool expand(eo__expander *e, eo__part part) {
  bool on;
  eo__sequence_forget(&e->walk);
  e->timeout = false;
  if (!load(e) || !eo__promela_enabled(&e->run, &e->found)) return false;
  e->timeout = e->run.timeout;
  if (!read_state(e, part != EO__PART_OTHERS, &on)) return false;
  size_t some = e->found.count, all = e->found.count;
  if (on && !e->stopped) {
    if (!all && !end_here(e)) return false;
    if (e->search->reduce && !e->timeout && !eo__ample_find(&e->ample, &e->run, &e->found, &some)) return false;
    if (!take_steps(e, part == EO__PART_OTHERS ? some : 0, part == EO__PART_SET ? some : all)) return false;
  }
  eo__event event = {.kind = EO__EXPANDED, .left = part == EO__PART_SET && some < all};
  eo_vec_clear(&e->path);
  return e->stopped || add_event(e, &event, false);
}

bool eo__expand(eo__expander *e, const unsigned char *waiting, eo__part part) {
  eo__waiting head;
  memcpy(&head, waiting, sizeof head);
  e->state = waiting + sizeof head;
  e->size = head.size;
  e->depth = head.depth;
  e->arrivals = 0;
  e->stopped = e->halted = e->too_large = false;
  return eo_promela_halts(&e->run) || expand(e, part);
}

static bool look_round(void *context) {
  eo__expander *e = context;
  e->halted |= e->halt && e->halt(e->context);
  e->stopped |= e->halted;
  return e->stopped;
}

/* ---- Beginning and end ------------------------------------------------------------------------------------------------- */

bool eo__expander_open(eo__expander *e, const eo_promela_search *search) {
  *e = (eo__expander){.search = search, .keeps_steps = search->edge != NULL};
  e->walk = (eo__sequence){.run = &e->run,
                           .path = &e->path,
                           .stopped = &e->stopped,
                           .context = e,
                           .step = take,
                           .arrive = arrive,
                           .endless = endless,
                           .many = EO__SEQUENCE_MANY};
  if (!eo__promela_run_init(&e->run, search->model)) return false;
  e->run.delivery = search->delivery;
  e->run.watch = look_round;
  e->run.watcher = e;
  return !search->reduce || eo__ample_open(&e->ample, search->model, search->property);
}

void eo__expander_close(eo__expander *e) {
  eo__promela_run_release(&e->run);
  eo__sequence_release(&e->walk);
  eo_vec_release(&e->path);
  eo_vec_release(&e->found);
  eo_vec_release(&e->scratch);
  eo_vec_release(&e->arcs);
  if (e->search && e->search->reduce) eo__ample_close(&e->ample);
}

uint64_t eo__expander_bytes(const eo__expander *e) {
  return (e->path.capacity + e->found.capacity) * sizeof(eo_promela_step) + eo__sequence_bytes(&e->walk);
}
