/* sequence.c: see sequence.h. */
#include "subjects/model/sequence.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#define FORGOTTEN UINT32_MAX

/* No way leads out, for the process that has the floor. */
static eo_failure endless(const eo_promela_run *run, uint32_t process) {
  eo_failure failure = {.kind = EO_KIND_LOOP};
  snprintf(failure.message, sizeof failure.message, "an atomic sequence that does not end: no way leads out of it");
  snprintf(failure.process, sizeof failure.process, "P%u:%s", process, eo__promela_process(run, process)->name);
  return failure;
}

static eo__sequence_frame *top(eo__sequence *w) { return w->frames.count ? &eo_vec_last(&w->frames) : NULL; }

static bool push(eo__sequence *w, uint32_t index) {
  size_t count = w->found.count;
  eo__sequence_frame f = {
      w->path->count, w->bytes.count, 0,    w->pending.count, w->pending.count, w->pending.count + count,
      index,          index,          false};
  if (!eo_vec_reserve(&w->pending, count)) return false;
  memcpy(w->pending.items + w->pending.count, w->found.items, count * sizeof *w->found.items);
  w->pending.count += count;
  if (count > 1) {
    f.size = w->run->size;
    if (!eo_vec_reserve(&w->bytes, f.size)) return false;
    memcpy(w->bytes.items + w->bytes.count, w->run->state, f.size);
    w->bytes.count += f.size;
  }
  return eo_vec_push(&w->frames, f);
}

/* The run is at a state inside, which the steps in `found` leave. */
static bool enter(eo__sequence *w) {
  if (++w->count <= w->many) return push(w, FORGOTTEN);
  bool fresh;
  uint64_t key[2];
  eo__promela_fingerprint(w->run, key);
  uint32_t index = eo__states_add(&w->states, key, &fresh);
  if (index == EO__STATES_NONE) return false; /* four thousand million do not fit into memory either */
  if (fresh) return eo_vec_push(&w->done, 0) && eo_vec_push(&w->stack, index) && push(w, index);
  eo__sequence_frame *from = top(w);
  if (!from) return true;
  if (w->done.items[index])
    from->out = true; /* or it was told that no way leads out from there */
  else if (index < from->low)
    from->low = index;
  return true;
}

/* Behind a step: inside still, or at the end. */
static bool go_on(eo__sequence *w) {
  uint32_t floor = eo__promela_floor(w->run);
  w->run->timeout = false;
  eo_vec_clear(&w->found);
  if (floor != EO_PROMELA_NOBODY && !eo__promela_enabled_of(w->run, floor, &w->found)) return false;
  if (w->found.count) {
    eo_failure failure;
    if (w->many && eo__sequence_asks(w->path->count) && eo__sequence_closed(w->run, w->path->count, &failure)) {
      if (w->frames.count) top(w)->out = true; /* as good as */
      return w->endless(w->context, &failure, true);
    }
    return enter(w);
  }
  eo__promela_yield(w->run);
  if (w->frames.count) top(w)->out = true;
  return w->arrive(w->context);
}

static bool take(eo__sequence *w) {
  eo__sequence_frame *from = top(w);
  eo_promela_step step = w->pending.items[from->next++];
  bool on, first = from->next == from->steps + 1;
  w->path->count = from->path;
  if (!first && !eo__promela_load(w->run, w->bytes.items + from->state, from->size)) return false;
  if (!w->step(w->context, step, &on)) return false;
  if (*w->stopped) return true;
  if (on) return go_on(w);
  top(w)->out = true;
  return true;
}

static bool tell(eo__sequence *w, const eo__sequence_frame *f) {
  eo_failure failure = endless(w->run, w->pending.items[f->steps].process);
  w->path->count = f->path;
  return w->endless(w->context, &failure, false);
}

/* All steps from the top frame were taken. */
static bool pop(eo__sequence *w) {
  eo__sequence_frame f = *top(w);
  bool complete = f.index == f.low, good = true;
  if (f.index != FORGOTTEN && complete) {
    uint32_t index;
    do {
      index = eo_vec_last(&w->stack);
      w->stack.count--;
      w->done.items[index] = 1;
    } while (index != f.index);
    if (!f.out) good = tell(w, &f);
    f.out = true;
  }
  w->bytes.count = f.state;
  w->pending.count = f.steps;
  w->frames.count--;
  eo__sequence_frame *before = top(w);
  if (!before) return good;
  before->out |= f.out;
  if (!complete && f.low < before->low) before->low = f.low;
  return good;
}

/* ---- Is there a way out? --------------------------------------------------------------------------------------------- */

typedef struct ahead {
  eo_promela_run run;
  eo_promela_steps path;
  eo__sequence walk;
  size_t most;
  bool left;
} ahead;

static bool look_step(void *context, eo_promela_step step, bool *on) {
  ahead *a = context;
  a->left |= a->walk.count > a->most;
  *on = eo__promela_apply(&a->run, step) || eo_promela_passes(&a->run);
  a->left |= !*on;
  eo_vec_clear(&a->path); /* where it leads is not asked for */
  return eo_vec_push(&a->path, step);
}

static bool look_arrive(void *context) {
  ((ahead *)context)->left = true;
  return true;
}

static bool look_endless(void *context, const eo_failure *failure, bool told) {
  (void)context, (void)failure, (void)told;
  return true;
}

bool eo__sequence_closed(const eo_promela_run *run, size_t steps, eo_failure *failure) {
  ahead a = {.most = steps / 2};
  a.walk = (eo__sequence){.run = &a.run,
                          .path = &a.path,
                          .stopped = &a.left,
                          .context = &a,
                          .step = look_step,
                          .arrive = look_arrive,
                          .endless = look_endless};
  bool good = eo__promela_run_init(&a.run, run->model);
  a.run.delivery = run->delivery;
  a.run.watch = run->watch;
  a.run.watcher = run->watcher;
  good = good && eo__promela_load(&a.run, run->state, run->size) && eo__sequence_on(&a.walk);
  bool closed = good && !a.left && !a.walk.halted; /* if time is up, it has not been looked at to the end */
  if (closed) *failure = endless(run, eo__promela_floor(run));
  eo__sequence_release(&a.walk);
  eo_vec_release(&a.path);
  eo__promela_run_release(&a.run);
  return closed;
}

bool eo__sequence_prolong(eo_promela_run *run, eo_promela_steps *path) {
  eo_promela_steps found = {0};
  eo_failure failure;
  bool good = true;
  for (size_t i = 0; good && !eo_promela_halts(run); i++) {
    if (i == path->count) {
      if (eo__sequence_asks(i) && eo__sequence_closed(run, i, &failure)) break;
      eo_vec_clear(&found);
      good = eo__promela_enabled_of(run, eo__promela_floor(run), &found);
      if (!good || !found.count || !eo_vec_push(path, found.items[0])) break;
    }
    eo__promela_apply(run, path->items[i]);
    run->timeout = false;
    good = !run->no_memory;
  }
  eo_vec_release(&found);
  return good;
}

/* ---- The whole ---------------------------------------------------------------------------------------------------------- */

bool eo__sequence_on(eo__sequence *w) {
  bool good = go_on(w);
  while (good && w->frames.count && !*w->stopped && !eo_promela_halts(w->run))
    good = top(w)->next < top(w)->end ? take(w) : pop(w);
  w->halted = good && w->frames.count && !*w->stopped;
  eo_vec_clear(&w->frames); /* what is left when it was stopped */
  eo_vec_clear(&w->bytes);
  eo_vec_clear(&w->pending);
  eo_vec_clear(&w->stack);
  return good;
}

void eo__sequence_forget(eo__sequence *w) {
  if (w->states.slots) {
    eo__states_release(&w->states);
    eo_vec_clear(&w->done);
  }
  w->count = 0;
}

uint64_t eo__sequence_bytes(const eo__sequence *w) {
  return eo__states_bytes(&w->states) + w->frames.capacity * sizeof *w->frames.items + w->bytes.capacity +
         (w->pending.capacity + w->found.capacity) * sizeof(eo_promela_step) + w->stack.capacity * sizeof(uint32_t) +
         w->done.capacity;
}

void eo__sequence_release(eo__sequence *w) {
  eo__states_release(&w->states);
  eo_vec_release(&w->frames);
  eo_vec_release(&w->bytes);
  eo_vec_release(&w->pending);
  eo_vec_release(&w->found);
  eo_vec_release(&w->stack);
  eo_vec_release(&w->done);
}
