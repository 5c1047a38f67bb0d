/* bsra.c: the edges that leave a state (algorithm Generate_BSRGEdges, figures 2.4 and 2.5). Next blocking points come from
 * blocking.c. A process that is through stays where it is: ending it says nothing about messages.
 *
 * A potential HET is taken by its definition 9, not only by lemma 2.4.2: a message that must be taken behind one that is
 * in the port already (fifo: of the same sender; causal: known to the sender) is not of the frontier before the process
 * has moved, so who sends it is no reason to wait. */
#include "subjects/model/bsra.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/blocking.h"
#include "subjects/model/ports.h"

enum { MOST_COMPUTED = 1000 }; /* steps: a circle has no end */

typedef struct option {
  eo_promela_step step;
  bool receives, visible;
  uint64_t name; /* for sleep sets */
} option;

/* What one process can do at a blocking point. */
typedef struct options {
  size_t from, count; /* in `steps` */
  bool may_wait;      /* epsilon: one of its receives is a potential HET, or a visible transition is due */
  bool all_asleep;    /* it can do something, all of which is done elsewhere */
} options;

typedef struct bsra {
  eo__blocking blocking;
  bool single; /* sra */
  EO_VEC(option) steps;
  options of[EO_PROMELA_MOST_PROCESSES + 1];
  uint32_t chosen[EO_PROMELA_MOST_PROCESSES + 1]; /* of the options, from 1; 0: it waits */
  eo__blocking_state here;                        /* the blocking point */
  size_t path;                                    /* to it */
  uint64_t edges;
  eo__sleep asleep, next;
} bsra;

/* ---- What a process can do -------------------------------------------------------------------------------------------- */

/* Could a message come to a port that it would receive from here, without a step of its own? 0: no, 1: yes, -1: memory. */
static int may_hear_more(bsra *b, eo__reduced *r, uint32_t process) {
  eo_promela_run *run = &r->run;
  const eo_promela_location *l = &eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)];
  for (uint32_t k = 0; k < l->count; k++) {
    if (l->transitions[k]->kind != EO_PROMELA_RECEIVE) continue;
    uint32_t port = eo__promela_channel_meant(run, process, l->transitions[k]);
    for (uint32_t other = 0; port && other < eo_promela_processes(run); other++) {
      if (other == process) continue;
      const eo__efsm_reach *reach = eo__efsm_reachable(&b->blocking.efsm, run, other);
      if (!reach) return -1;
      if (reach->channels[(port - 1) / 64] >> (port - 1) % 64 & 1 && !eo__port_holds(run, port, other)) return 1;
    }
  }
  return 0;
}

static bool is_asleep(const bsra *b, const option *o) {
  return b->asleep.count && !b->blocking.moved[o->step.process] && eo__sleep_has(&b->asleep, o->name);
}

static bool find_options(bsra *b, eo__reduced *r, uint32_t process) {
  options *o = &b->of[process];
  eo_promela_steps *found = &b->blocking.found;
  *o = (options){.from = b->steps.count};
  eo_vec_clear(found);
  if (!eo__promela_enabled_of(&r->run, process, found)) return false;
  bool slept = false;
  for (size_t i = 0; i < found->count; i++) {
    eo__blocking_kind kind = eo__blocking_kind_of(&b->blocking, &r->run, found->items[i]);
    bool counts = kind == EO__RECEIVES || kind == EO__VISIBLE || (b->single && kind == EO__GOES_ON);
    if (!counts) continue;
    eo_promela_step step = found->items[i];
    option one = {step, eo__promela_transition_of(&r->run, process, step.transition)->kind == EO_PROMELA_RECEIVE,
                  kind == EO__VISIBLE, r->search->sleep ? eo__reduced_name(&r->run, step) : 0};
    if (is_asleep(b, &one))
      slept = true;
    else if (!eo_vec_push(&b->steps, one))
      return false;
  }
  o->count = b->steps.count - o->from;
  int more = may_hear_more(b, r, process);
  o->may_wait = more > 0 || eo__blocking_looks(&b->blocking, &r->run, process);
  o->all_asleep = slept && !o->count && !o->may_wait;
  return more >= 0;
}

/* ---- Edges ------------------------------------------------------------------------------------------------------------- */

/* What need not be done behind this edge: what a process that waits could have done here, and what was asleep already. */
static bool find_next_asleep(bsra *b, eo__reduced *r) {
  eo_vec_clear(&b->next);
  for (size_t i = 0; i < b->asleep.count; i++) {
    uint32_t who = b->asleep.items[i] & 0xff;
    if (!b->blocking.moved[who] && !b->chosen[who] && !eo__sleep_add(&b->next, b->asleep.items[i])) return false;
  }
  for (uint32_t p = 0; p < eo_promela_processes(&r->run); p++)
    for (size_t i = 0; !b->chosen[p] && i < b->of[p].count; i++) {
      const option *o = &b->steps.items[b->of[p].from + i];
      if (!o->visible && !eo__sleep_add(&b->next, o->name)) return false; /* orders of visible ones count */
    }
  return true;
}

/* The only step of a process, if nobody can see it and it depends on nobody. False: there is none, or no memory. */
static bool only_step(bsra *b, eo__reduced *r, uint32_t process, eo_promela_step *step, bool *good) {
  eo_promela_run *run = &r->run;
  const eo_promela_location *l = &eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)];
  for (uint32_t k = 0; k < l->count; k++)
    if (l->transitions[k]->kind == EO_PROMELA_RECEIVE || b->blocking.efsm.visible[l->transitions[k]->number])
      return false;
  eo_vec_clear(&b->blocking.found);
  *good = eo__promela_enabled_of(run, process, &b->blocking.found);
  if (!*good || b->blocking.found.count != 1) return false;
  *step = b->blocking.found.items[0];
  eo_promela_kind kind = eo__promela_transition_of(run, process, step->transition)->kind;
  return kind != EO_PROMELA_SEND && kind != EO_PROMELA_EXIT;
}

/* What a process computes by itself behind a message is part of the same transition of an EFSM (section 2.3.1: comp(t)).
 * A step that fails is left for the expansion of the state, which tells. */
static bool compute(bsra *b, eo__reduced *r, uint32_t process) {
  bool good = true;
  eo_promela_step step;
  for (int steps = 0; steps < MOST_COMPUTED && only_step(b, r, process, &step, &good); steps++) {
    eo__blocking_state before;
    if (!eo__blocking_save(&b->blocking, r, &before)) return false;
    bool passed = eo__promela_apply(&r->run, step);
    if (r->run.no_memory || (!passed && !eo__blocking_restore(&b->blocking, r, before))) return false;
    eo__blocking_drop(&b->blocking, before);
    if (!passed) return true;
    if (!eo_vec_push(&r->path, step)) return false;
  }
  return good;
}

/* Receives first: what others send must not move the messages that they name. */
static bool take_edge(bsra *b, eo__reduced *r) {
  bool on = true, fresh, sleeps = r->search->sleep;
  uint32_t processes = eo_promela_processes(&r->run);
  if (!eo__blocking_restore(&b->blocking, r, b->here) || (sleeps && !find_next_asleep(b, r))) return false;
  r->path.count = b->path;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t p = 0; p < processes && on && !r->stopped; p++) {
      if (!b->chosen[p]) continue;
      const option *o = &b->steps.items[b->of[p].from + b->chosen[p] - 1];
      if (o->receives == (pass == 0) && !eo__reduced_step(r, o->step, &on)) return false;
    }
  for (uint32_t p = 0; p < processes && on && !r->stopped; p++)
    if (b->chosen[p] && !compute(b, r, p)) return false;
  eo__promela_yield(&r->run);
  b->edges++;
  return !on || r->stopped || eo__reduced_arrive(r, sleeps ? &b->next : NULL, &fresh);
}

/* Every set with at most one step of each process, as large as can be but for those who may wait; at most one of it is
 * visible. */
static bool choose(bsra *b, eo__reduced *r, uint32_t process, uint32_t count, bool looked) {
  if (eo__reduced_halts(r)) return true;
  if (process == b->here.processes) return !count || take_edge(b, r);
  const options *o = &b->of[process];
  bool waits = !o->count || o->may_wait;
  for (uint32_t i = 1; i <= o->count; i++) {
    bool looks = b->steps.items[o->from + i - 1].visible;
    if (looks && looked) {
      waits = true;
      continue;
    }
    b->chosen[process] = i;
    if (!choose(b, r, process + 1, count + 1, looked || looks)) return false;
  }
  b->chosen[process] = 0;
  return !waits || choose(b, r, process + 1, count, looked);
}

static bool nothing_can_happen(bsra *b, eo__reduced *r, bool *nothing) {
  *nothing = true;
  for (uint32_t p = 0; p < eo_promela_processes(&r->run) && *nothing; p++) {
    eo_vec_clear(&b->blocking.found);
    if (!eo__promela_enabled_of(&r->run, p, &b->blocking.found)) return false;
    for (size_t i = 0; i < b->blocking.found.count; i++)
      *nothing &= eo__blocking_kind_of(&b->blocking, &r->run, b->blocking.found.items[i]) == EO__ENDS;
  }
  return true;
}

/* At a blocking point: step 2 of figure 2.4. */
static bool leave(void *context, eo__reduced *r) {
  bsra *b = context;
  bool fresh, nothing = false;
  uint32_t processes = eo_promela_processes(&r->run);
  eo_vec_clear(&b->steps);
  for (uint32_t p = 0; p < processes; p++) {
    if (!find_options(b, r, p)) return false;
    if (b->of[p].all_asleep) return true;
  }
  b->path = r->path.count;
  b->edges = 0;
  if (!eo__blocking_save(&b->blocking, r, &b->here) || !choose(b, r, 0, 0, false)) return false;
  if (!b->edges && !r->stopped && !b->asleep.count) {
    r->path.count = b->path;
    if (!eo__blocking_restore(&b->blocking, r, b->here) || !nothing_can_happen(b, r, &nothing)) return false;
    if (nothing && b->path && !eo__reduced_arrive(r, NULL, &fresh)) return false;
  }
  eo__blocking_drop(&b->blocking, b->here);
  return true;
}

/* All that the process that starts others does before anything else happens, as one edge. */
static bool start_all(bsra *b, eo__reduced *r) {
  const eo_promela_steps *steps = &b->blocking.efsm.starting.steps;
  bool on = true, fresh;
  for (size_t i = 0; i < steps->count; i++)
    if (!eo__reduced_step(r, steps->items[i], &on)) return false;
  return eo__reduced_arrive(r, NULL, &fresh);
}

/* A process that starts others, or has the floor, goes on alone: what it does depends on nobody. */
static bool go_alone(bsra *b, eo__reduced *r, uint32_t process) {
  eo_promela_steps steps = {0};
  bool good = eo__promela_enabled_of(&r->run, process, &steps), on = true, fresh;
  good = good && eo__blocking_save(&b->blocking, r, &b->here);
  for (size_t i = 0; i < steps.count && good && !r->stopped; i++) {
    eo_vec_clear(&r->path);
    good = eo__blocking_restore(&b->blocking, r, b->here) && eo__reduced_step(r, steps.items[i], &on);
    if (good && on && !r->stopped) good = eo__reduced_arrive(r, NULL, &fresh);
  }
  if (good) eo__blocking_drop(&b->blocking, b->here);
  eo_vec_release(&steps);
  return good;
}

static bool expand(eo__reduced *r) {
  bsra *b = r->context;
  bool nothing;
  if (!nothing_can_happen(b, r, &nothing)) return false;
  if (nothing) return eo__reduced_dead_end(r);
  if (r->current == 0 && b->blocking.efsm.starting.steps.count) return start_all(b, r);
  uint32_t floor = eo__promela_floor(&r->run);
  for (uint32_t p = 0; p < eo_promela_processes(&r->run); p++) {
    const eo__efsm_reach *reach = eo__efsm_reachable(&b->blocking.efsm, &r->run, p);
    if (!reach) return false;
    if (p == floor || reach->runs) return go_alone(b, r, p);
  }
  eo_vec_clear(&b->asleep);
  const eo__sleep *asleep = &r->nodes.items[r->current].asleep;
  for (size_t i = 0; i < asleep->count; i++)
    if (!eo_vec_push(&b->asleep, asleep->items[i])) return false;
  memset(b->blocking.moved, 0, sizeof b->blocking.moved);
  return b->single ? leave(b, r) : eo__blocking_points(&b->blocking, r, leave, b);
}

static uint64_t bytes_beside(const eo__reduced *r) {
  const bsra *b = r->context;
  return eo__blocking_bytes(&b->blocking) + b->steps.capacity * sizeof *b->steps.items;
}

static int search_all(eo_promela_search *search, const char *name, bool single, eo_error *error) {
  bsra *b = eo__alloc(sizeof *b);
  if (!b) return eo__error_nomem(error);
  b->single = single;
  eo__reduced r = {.search = search, .expand = expand, .bytes_beside = bytes_beside, .ends = true, .context = b};
  int code = eo__efsm_open(&b->blocking.efsm, search->model, search->delivery, name, search->visible, error);
  if (code == EO_OK) code = eo__reduced_search(&r, error);
  eo__blocking_release(&b->blocking);
  eo_vec_release(&b->steps);
  eo_vec_release(&b->asleep);
  eo_vec_release(&b->next);
  eo__free(b);
  return code;
}

int eo__promela_search_bsra(eo_promela_search *search, eo_error *error) {
  return search_all(search, "bsra", false, error);
}

int eo__promela_search_sra(eo_promela_search *search, eo_error *error) {
  return search_all(search, "sra", true, error);
}
