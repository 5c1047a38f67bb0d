/* por.c: see por.h. A persistent set here is all that some processes can do, when nothing that the others may ever do
 * (footprint.h) can change it, or add to it. Where it leads to no new state everything is done, so that in a circle no
 * process is put off for ever. An atomic sequence is one step. */
#include "subjects/model/por.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/footprint.h"
#include "subjects/model/ports.h"
#include "subjects/model/reduced.h"

enum { MOST_ATOMIC = 100000 };

/* Something that can be done here. */
typedef struct event {
  eo_promela_step step;
  uint64_t name;
  bool asleep;
} event;

typedef struct por {
  eo__feet feet;
  EO_VEC(event) events;
  eo_promela_steps found;
  bool together[EO_PROMELA_MOST_PROCESSES + 1], best[EO_PROMELA_MOST_PROCESSES + 1];
  EO_VEC(unsigned char) saved; /* the state, and those inside atomic sequences */
  eo__sleep next;
  uint32_t inside; /* steps of this atomic sequence and its choices */
  bool fresh;
} por;

static bool meet(const uint64_t *a, const uint64_t *b) {
  uint64_t both = 0;
  for (int w = 0; w < EO__FOOT_WORDS; w++) both |= a[w] & b[w];
  return both != 0;
}

/* ---- Dependence -------------------------------------------------------------------------------------------------------- */

static bool share_variables(const eo__foot *a, const eo__foot *b) {
  return meet(a->writes, b->reads) || meet(a->writes, b->writes) || meet(a->reads, b->writes);
}

static bool share_processes(const eo__foot *a, const eo__foot *b) {
  return (a->runs && (b->runs || b->counts || b->ends)) || (b->runs && (a->counts || a->ends)) ||
         (a->counts && b->ends) || (a->ends && b->counts);
}

/* Any use of a channel by both, but for sends to a port, whose order nobody sees. */
static bool share_channels(const eo_promela_run *run, const eo__foot *a, const eo__foot *b) {
  if (!run->delivery && meet(a->sends, b->sends)) return true;
  return meet(a->sends, b->receives) || meet(a->receives, b->sends) || meet(a->receives, b->receives) ||
         meet(a->looks, b->sends) || meet(a->looks, b->receives) || meet(a->sends, b->looks) ||
         meet(a->receives, b->looks);
}

/* Can what `other` does change what this transition does at its one channel now, or whether it can be done? */
static bool disturbs(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, bool enabled,
                     uint32_t other, const eo__foot *foot) {
  uint32_t channel = eo_promela_channel_meant(run, process, t);
  if (!channel) return true;
  uint32_t word = (channel - 1) / 64 % EO__FOOT_WORDS, bit = (channel - 1) % 64;
  bool sends = foot->sends[word] >> bit & 1, receives = foot->receives[word] >> bit & 1;
  if (foot->looks[word] >> bit & 1) return true;
  if (run->delivery) return t->kind == EO_PROMELA_RECEIVE && sends && !eo__port_holds(run, channel, other);
  if (eo_promela_channel(run, channel)->capacity == 0 || foot->sorts || t->message->ordered) return sends || receives;
  if (t->kind == EO_PROMELA_SEND) return sends || (receives && !enabled);
  return receives || (sends && !enabled);
}

static bool conflict(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, const eo__foot *now,
                     bool enabled, uint32_t other, const eo__foot *foot) {
  if (share_variables(now, foot)) return true;
  if (t->kind == EO_PROMELA_EXIT) { /* a process can end when the younger ones have */
    const eo_promela_proctype *p = eo_promela_process(run, process);
    for (uint32_t i = 0; i < p->symbol_count; i++)
      if (p->symbols[i]->queue) return true; /* its channels go with it */
    return foot->runs || foot->counts || (!enabled && other > process);
  }
  if (share_processes(now, foot)) return true;
  bool simple = t->message && !t->atomic;
  if (!simple) return share_channels(run, now, foot);
  eo__foot rest = *now; /* what else it does with channels is to look */
  memset(rest.sends, 0, sizeof rest.sends);
  memset(rest.receives, 0, sizeof rest.receives);
  return share_channels(run, &rest, foot) || disturbs(run, process, t, enabled, other, foot);
}

/* ---- Persistent sets --------------------------------------------------------------------------------------------------- */

static bool can(const por *s, uint32_t process, uint32_t transition) {
  for (size_t i = 0; i < s->events.count; i++) {
    eo_promela_step step = s->events.items[i].step;
    if (step.process == process && step.transition == transition) return true;
  }
  return false;
}

/* Must `other` be with this process, which is in the set? 0: no, 1: yes, -1: no memory. */
static int must_join(por *s, eo__reduced *r, uint32_t process, uint32_t other) {
  eo_promela_run *run = &r->run;
  const struct eo__feet_of *own = eo__feet_at(&s->feet, run, process), *its = eo__feet_at(&s->feet, run, other);
  if (!own || !its) return -1;
  const eo__foot *future = &its->future[eo_promela_location_of(run, other)];
  const eo_promela_location *l = &own->proctype->locations[eo_promela_location_of(run, process)];
  for (uint32_t k = 0; k < l->count; k++) {
    const eo_promela_transition *t = l->transitions[k];
    if (conflict(run, process, t, &own->now[t->number], can(s, process, k), other, future)) return 1;
  }
  return 0;
}

/* The smallest set with this process; how much it can do. SIZE_MAX: no memory. */
static size_t close_over(por *s, eo__reduced *r, uint32_t first) {
  uint32_t processes = eo_promela_processes(&r->run), queue[EO_PROMELA_MOST_PROCESSES + 1], count = 0;
  memset(s->together, 0, sizeof s->together);
  s->together[first] = true;
  queue[count++] = first;
  for (uint32_t at = 0; at < count; at++)
    for (uint32_t other = 0; other < processes; other++) {
      int joins = s->together[other] ? 0 : must_join(s, r, queue[at], other);
      if (joins < 0) return SIZE_MAX;
      if (!joins) continue;
      s->together[other] = true;
      queue[count++] = other;
    }
  size_t able = 0;
  for (size_t i = 0; i < s->events.count; i++) able += s->together[s->events.items[i].step.process];
  return able;
}

static bool find_best(por *s, eo__reduced *r) {
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < s->events.count && least > 1; i++) {
    uint32_t process = s->events.items[i].step.process;
    if (i && s->events.items[i - 1].step.process == process) continue;
    size_t able = close_over(s, r, process);
    if (able == SIZE_MAX) return false;
    if (able >= least) continue;
    least = able;
    memcpy(s->best, s->together, sizeof s->best);
  }
  return true;
}

/* ---- Sleep sets --------------------------------------------------------------------------------------------------------- */

static bool one_way(por *s, eo_promela_run *run, const event *a, const event *b) {
  const eo_promela_transition *t = eo_promela_transition_of(run, a->step.process, a->step.transition);
  const eo_promela_transition *u = eo_promela_transition_of(run, b->step.process, b->step.transition);
  const eo__foot *now = &s->feet.of[a->step.process].now[t->number];
  const eo__foot *foot = &s->feet.of[b->step.process].now[u->number];
  /* A message that can be taken from a port can still be taken when more have come. */
  bool arrival = run->delivery && t->kind == EO_PROMELA_RECEIVE && u->kind == EO_PROMELA_SEND && !t->atomic &&
                 !u->atomic && !share_variables(now, foot);
  return arrival || !conflict(run, a->step.process, t, now, true, b->step.process, foot);
}

static bool independent(por *s, eo_promela_run *run, const event *a, const event *b) {
  if (a->step.receiver != EO_PROMELA_NO_RECEIVER || b->step.receiver != EO_PROMELA_NO_RECEIVER) return false;
  return a->step.process != b->step.process && one_way(s, run, a, b) && one_way(s, run, b, a);
}

/* What need not be done behind this one: what was done or slept here before it, and does not depend on it. */
static bool find_next_asleep(por *s, eo__reduced *r, const bool *done, size_t which) {
  eo_vec_clear(&s->next);
  for (size_t i = 0; i < s->events.count; i++)
    if (i != which && (done[i] || s->events.items[i].asleep) &&
        independent(s, &r->run, &s->events.items[i], &s->events.items[which]) &&
        !eo__sleep_add(&s->next, s->events.items[i].name))
      return false;
  return true;
}

/* ---- Expanding ------------------------------------------------------------------------------------------------------------ */

/* A state that is gone back to; the last that was saved is dropped first. */
typedef struct kept {
  size_t at, size;
} kept;

static bool save(por *s, eo__reduced *r, kept *state) {
  *state = (kept){s->saved.count, r->run.size};
  if (!eo_vec_reserve(&s->saved, r->run.size)) return false;
  memcpy(s->saved.items + s->saved.count, r->run.state, r->run.size);
  s->saved.count += r->run.size;
  return true;
}

static bool restore(por *s, eo__reduced *r, kept state) {
  return eo_promela_load(&r->run, s->saved.items + state.at, state.size);
}

static bool go_on(por *s, eo__reduced *r);

/* Every way that the process with the floor can go. */
static bool stay_inside(por *s, eo__reduced *r) {
  eo_promela_steps own = s->found;
  s->found = (eo_promela_steps){0};
  kept here;
  size_t length = r->path.count;
  bool good = save(s, r, &here), on;
  for (size_t i = 0; i < own.count && good && !r->stopped; i++) {
    r->path.count = length;
    good = restore(s, r, here) && eo__reduced_step(r, own.items[i], &on);
    if (good && on && !r->stopped) good = go_on(s, r);
  }
  s->saved.count = here.at;
  eo_vec_release(&own);
  return good;
}

/* After a step: on to the end of an atomic sequence. */
static bool go_on(por *s, eo__reduced *r) {
  uint32_t floor = eo_promela_floor(&r->run);
  bool fresh = false;
  eo_vec_clear(&s->found);
  r->run.timeout = false;
  if (floor != EO_PROMELA_NOBODY && !eo_promela_enabled_of(&r->run, floor, &s->found)) return false;
  if (s->found.count && ++s->inside > MOST_ATOMIC) {
    eo__reduced_stop(r, "an atomic sequence of more than 100000 steps");
    return true;
  }
  if (s->found.count) {
    r->search->counts.atomic++;
    return stay_inside(s, r);
  }
  eo_promela_yield(&r->run);
  if (!eo__reduced_arrive(r, &s->next, &fresh)) return false;
  s->fresh |= fresh;
  return true;
}

static bool find_events(por *s, eo__reduced *r) {
  const eo__sleep *asleep = &r->nodes.items[r->current].asleep;
  eo_vec_clear(&s->events);
  if (!eo_promela_enabled(&r->run, &s->found)) return false;
  for (size_t i = 0; i < s->found.count; i++) {
    uint64_t name = eo__reduced_name(&r->run, s->found.items[i]);
    event e = {s->found.items[i], name, asleep->count && eo__sleep_has(asleep, name)};
    if (!eo_vec_push(&s->events, e)) return false;
  }
  for (uint32_t p = 0; p < eo_promela_processes(&r->run); p++)
    if (!eo__feet_at(&s->feet, &r->run, p)) return false;
  return true;
}

static bool take(por *s, eo__reduced *r, kept here, bool timeout, const bool *done, size_t which) {
  bool on;
  if (!restore(s, r, here) || !find_next_asleep(s, r, done, which)) return false;
  r->run.timeout = timeout;
  r->path.count = 0;
  s->inside = 0;
  if (!eo__reduced_step(r, s->events.items[which].step, &on)) return false;
  return !on || r->stopped || go_on(s, r);
}

/* First what is in the best set, then, if that leads to nothing new, the rest. */
static bool take_all(por *s, eo__reduced *r, bool all, bool *done) {
  bool timeout = r->run.timeout;
  kept here;
  eo_vec_clear(&s->saved);
  if (!save(s, r, &here)) return false;
  s->fresh = false;
  for (int pass = 0; pass < 2; pass++) {
    if (pass && (s->fresh || all)) break;
    for (size_t i = 0; i < s->events.count && !r->stopped; i++) {
      const event *e = &s->events.items[i];
      bool now = all || s->best[e->step.process] == (pass == 0);
      if (!now || e->asleep) continue;
      if (!take(s, r, here, timeout, done, i)) return false;
      done[i] = true;
    }
  }
  return true;
}

static bool expand(eo__reduced *r) {
  por *s = r->context;
  if (!find_events(s, r)) return false;
  if (!s->events.count) return eo__reduced_dead_end(r);
  bool all = r->run.timeout || r->search->model->claims; /* who claims channels looks at all that others do */
  if (!all && !find_best(s, r)) return false;
  bool *done = eo_alloc(s->events.count * sizeof *done);
  bool good = done && take_all(s, r, all, done);
  eo_free(done);
  return good;
}

int eo_promela_search_por(eo_promela_search *search, eo_error *error) {
  por *s = eo_alloc(sizeof *s);
  if (!s) return eo_error_nomem(error);
  eo__reduced r = {.search = search, .expand = expand, .context = s};
  int code = eo__feet_open(&s->feet, search->model) ? eo__reduced_search(&r, error) : eo_error_nomem(error);
  eo__feet_close(&s->feet);
  eo_vec_release(&s->events);
  eo_vec_release(&s->found);
  eo_vec_release(&s->saved);
  eo_vec_release(&s->next);
  eo_free(s);
  return code;
}
