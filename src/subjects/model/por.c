/* por.c: see por.h. A persistent set here is all that some processes can do, when nothing that the others may ever do
 * (footprint.h) depends on it, or can add to it. Where it leads to no new state everything is done, so that in a circle no
 * process is put off for ever. An atomic sequence is one step.
 *
 * Why nothing is missed. Let w be a way from state s to a failure none of whose steps that can come first is asleep in s. If
 * some of them are in the set of s, let t be the one that is taken first: no step that can come first in the rest of w is
 * asleep behind t, and the rest is shorter. If none is, no step of w is in the set, and all of w can be done behind any step
 * of the set, also one that leads to a new state, of which there are finitely many. A state where nothing but timeouts can
 * happen is a dead end of the system without them: those are all visited, everything is done there, and nothing is
 * asleep in them or behind. */
#include "subjects/model/por.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/footprint.h"
#include "subjects/model/ports.h"
#include "subjects/model/reduced.h"
#include "subjects/model/sequence.h"

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
  eo__sleep next;
  eo__sequence walk;
  bool timeout; /* in the state that is expanded */
  bool fresh;   /* a new state was met */
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

/* Which processes there are, and where they stand. */
static bool share_processes(const eo__foot *a, const eo__foot *b) {
  return (a->runs && (b->runs || b->counts || b->ends)) || (b->runs && (a->counts || a->ends)) ||
         (a->counts && b->ends) || (a->ends && b->counts) || meet(a->stands, b->asks) || meet(a->asks, b->stands);
}

/* Any use of a channel by both, but for sends to a port, whose order nobody sees. */
static bool share_channels(const eo_promela_run *run, const eo__foot *a, const eo__foot *b) {
  if ((a->makes && b->roams) || (a->roams && b->makes)) return true;
  if (!run->delivery && meet(a->sends, b->sends)) return true;
  return meet(a->sends, b->receives) || meet(a->receives, b->sends) || meet(a->receives, b->receives) ||
         meet(a->looks, b->sends) || meet(a->looks, b->receives) || meet(a->sends, b->looks) ||
         meet(a->receives, b->looks);
}

/* Can what `other` does change what this transition does at its one channel now, or whether it can be done? */
static bool disturbs(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, bool enabled,
                     uint32_t other, const eo__foot *foot) {
  uint32_t channel = eo__promela_channel_meant(run, process, t);
  if (!channel) return true;
  uint32_t word = (channel - 1) / 64 % EO__FOOT_WORDS, bit = (channel - 1) % 64;
  bool sends = foot->sends[word] >> bit & 1, receives = foot->receives[word] >> bit & 1;
  if (foot->looks[word] >> bit & 1) return true;
  if (run->delivery) return t->kind == EO_PROMELA_RECEIVE && sends && !eo__port_holds(run, channel, other);
  if (eo__promela_channel(run, channel)->capacity == 0 || foot->sorts || t->message->ordered) return sends || receives;
  if (t->kind == EO_PROMELA_SEND) return sends || (receives && !enabled);
  return receives || (sends && !enabled);
}

/* Does what this transition does, or whether it can be done, depend on what `other` does, or the other way round? */
static bool conflict(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, const eo__foot *now,
                     bool enabled, uint32_t other, const eo__foot *foot) {
  if (share_variables(now, foot) || share_processes(now, foot)) return true;
  if (t->kind == EO_PROMELA_EXIT && !enabled && other > process) return true; /* the younger ones must end first */
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
  const eo__foot *future = &its->future[eo__promela_location_of(run, other)];
  const eo_promela_location *l = &own->proctype->locations[eo__promela_location_of(run, process)];
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
  const eo_promela_transition *t = eo__promela_transition_of(run, a->step.process, a->step.transition);
  const eo_promela_transition *u = eo__promela_transition_of(run, b->step.process, b->step.transition);
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

static bool walk_step(void *context, eo_promela_step step, bool *on) { return eo__reduced_step(context, step, on); }

static bool walk_arrive(void *context) {
  eo__reduced *r = context;
  por *s = r->context;
  bool fresh = false;
  if (!eo__reduced_arrive(r, &s->next, &fresh)) return false;
  s->fresh |= fresh;
  return true;
}

static bool walk_endless(void *context, const eo_failure *failure, bool closed) {
  eo__reduced *r = context;
  eo_promela_steps way = r->path;
  size_t fails_at = r->fails_at;
  r->path = (eo_promela_steps){0};
  bool good = closed || eo__reduced_go_back(r);
  r->run.timeout = !closed && ((por *)r->context)->timeout;
  good = good && (closed || eo__sequence_prolong(&r->run, &way));
  eo_vec_release(&r->path);
  r->path = way;
  r->fails_at = fails_at;
  return good && eo__reduced_tell(r, failure);
}

static bool find_events(por *s, eo__reduced *r) {
  const eo__sleep *asleep = &r->nodes.items[r->current].asleep;
  eo_vec_clear(&s->events);
  if (!eo__promela_enabled(&r->run, &s->found)) return false;
  for (size_t i = 0; i < s->found.count; i++) {
    uint64_t name = eo__reduced_name(&r->run, s->found.items[i]);
    event e = {s->found.items[i], name, asleep->count && eo__sleep_has(asleep, name)};
    if (!eo_vec_push(&s->events, e)) return false;
  }
  for (uint32_t p = 0; p < eo_promela_processes(&r->run); p++)
    if (!eo__feet_at(&s->feet, &r->run, p)) return false;
  return true;
}

static bool take(por *s, eo__reduced *r, const bool *done, size_t which) {
  bool on;
  if (!eo__reduced_go_back(r)) return false;
  eo_vec_clear(&s->next);
  if (!s->timeout && !r->search->model->provides && !find_next_asleep(s, r, done, which)) return false;
  r->run.timeout = s->timeout;
  eo__sequence_forget(&s->walk);
  if (!eo__reduced_step(r, s->events.items[which].step, &on)) return false;
  return !on || r->stopped || eo__sequence_on(&s->walk);
}

/* First what is in the best set, then, if that leads to nothing new, the rest. Under a timeout all, whatever sleeps. */
static bool take_all(por *s, eo__reduced *r, bool *done) {
  bool all = s->timeout || r->search->model->provides; /* who may go on can depend on anything that is written */
  s->fresh = false;
  for (int pass = 0; pass < 2; pass++) {
    if (pass && (s->fresh || all)) break;
    for (size_t i = 0; i < s->events.count && !r->stopped; i++) {
      const event *e = &s->events.items[i];
      bool now = all || s->best[e->step.process] == (pass == 0);
      if (!now || (e->asleep && !all)) continue;
      if (!take(s, r, done, i)) return false;
      done[i] = true;
    }
  }
  return true;
}

static bool expand(eo__reduced *r) {
  por *s = r->context;
  if (!find_events(s, r)) return false;
  if (!s->events.count) return eo__reduced_dead_end(r);
  s->timeout = r->run.timeout;
  if (!s->timeout && !r->search->model->provides && !find_best(s, r)) return false;
  bool *done = eo__alloc(s->events.count * sizeof *done);
  bool good = done && take_all(s, r, done);
  eo__free(done);
  return good;
}

static uint64_t bytes_beside(const eo__reduced *r) { return eo__sequence_bytes(&((const por *)r->context)->walk); }

int eo__promela_search_por(eo_promela_search *search, eo_error *error) {
  por *s = eo__alloc(sizeof *s);
  if (!s) return eo__error_nomem(error);
  eo__reduced r = {.search = search, .expand = expand, .bytes_beside = bytes_beside, .context = s};
  s->walk = (eo__sequence){.run = &r.run,
                           .path = &r.path,
                           .stopped = &r.stopped,
                           .context = &r,
                           .step = walk_step,
                           .arrive = walk_arrive,
                           .endless = walk_endless,
                           .many = EO__SEQUENCE_MANY};
  int code = eo__feet_open(&s->feet, search->model) ? eo__reduced_search(&r, error) : eo__error_nomem(error);
  search->counts.atomic = s->walk.steps;
  eo__sequence_release(&s->walk);
  eo__feet_close(&s->feet);
  eo_vec_release(&s->events);
  eo_vec_release(&s->found);
  eo_vec_release(&s->next);
  eo__free(s);
  return code;
}
