/* ample.c: see ample.h. */
#include "subjects/model/ample.h"

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"

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

/* Whether a use of a channel is claimed by somebody depends on whether who claims it is there. */
static bool share_claims(const eo__foot *a, const eo__foot *b) {
  return meet(a->receives, b->claims_receives) || meet(a->claims_receives, b->receives) ||
         meet(a->sends, b->claims_sends) || meet(a->claims_sends, b->sends);
}

/* Any use of a channel by both, but for sends to a port, whose order nobody sees. */
static bool share_channels(const eo_promela_run *run, const eo__foot *a, const eo__foot *b) {
  if ((a->makes && b->roams) || (a->roams && b->makes)) return true;
  if (!run->delivery && meet(a->sends, b->sends)) return true;
  return meet(a->sends, b->receives) || meet(a->receives, b->sends) || meet(a->receives, b->receives) ||
         meet(a->looks, b->sends) || meet(a->looks, b->receives) || meet(a->sends, b->looks) ||
         meet(a->receives, b->looks);
}

/* Can what `other` does change what this transition does at its one channel now, or whether it can be done? In a channel
 * that is in order nobody but a receiver changes which message is first, as long as there is one, and whether there is room for
 * one more once there is none. */
static bool disturbs(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, uint32_t other,
                     const eo__foot *foot) {
  uint32_t channel = eo__promela_channel_meant(run, process, t);
  if (!channel) return true;
  uint32_t word = (channel - 1) / 64 % EO__FOOT_WORDS, bit = (channel - 1) % 64;
  bool sends = foot->sends[word] >> bit & 1, receives = foot->receives[word] >> bit & 1;
  if (foot->looks[word] >> bit & 1) return true;
  if (run->delivery) return t->kind == EO_PROMELA_RECEIVE && sends && !eo__port_holds(run, channel, other);
  uint32_t capacity = eo__promela_channel(run, channel)->capacity;
  uint32_t length = eo__promela_channel_length(run, channel);
  if (capacity == 0 || foot->sorts || t->message->ordered) return sends || receives;
  if (t->kind == EO_PROMELA_SEND) return sends || (receives && length == capacity);
  return receives || (sends && length == 0);
}

/* Does what this transition does, or whether it can be done, depend on what `other` does, or the other way round? */
static bool conflict(eo_promela_run *run, uint32_t process, const eo_promela_transition *t, const eo__foot *now,
                     uint32_t other, const eo__foot *foot) {
  if (share_variables(now, foot) || share_processes(now, foot) || share_claims(now, foot)) return true;
  if (t->kind == EO_PROMELA_EXIT && process + 1 < eo_promela_processes(run) && other > process)
    return true; /* the younger ones must end first */
  bool simple = t->message && !t->atomic;
  if (!simple) return share_channels(run, now, foot);
  eo__foot rest = *now; /* what else it does with channels is to look */
  memset(rest.sends, 0, sizeof rest.sends);
  memset(rest.receives, 0, sizeof rest.receives);
  return share_channels(run, &rest, foot) || disturbs(run, process, t, other, foot);
}

/* ---- Persistent sets --------------------------------------------------------------------------------------------------- */

/* Must `other` be with this process, which is in the set? */
static bool must_join(const eo__ample *a, eo_promela_run *run, uint32_t process, uint32_t other) {
  const struct eo__feet_of *own = a->feet.of[process], *its = a->feet.of[other];
  const eo__foot *future = &its->future[eo__promela_location_of(run, other)];
  const eo_promela_location *l = &own->proctype->locations[eo__promela_location_of(run, process)];
  for (uint32_t k = 0; k < l->count; k++) {
    const eo_promela_transition *t = l->transitions[k];
    if (conflict(run, process, t, &own->now[t->number], other, future)) return true;
  }
  return false;
}

/* The smallest set with this process; how many steps it has. */
static size_t close_over(eo__ample *a, eo_promela_run *run, uint32_t first) {
  uint32_t processes = eo_promela_processes(run), queue[EO_PROMELA_MOST_PROCESSES + 1], count = 0;
  memset(a->together, 0, sizeof a->together);
  a->together[first] = true;
  queue[count++] = first;
  for (uint32_t at = 0; at < count; at++)
    for (uint32_t other = 0; other < processes; other++) {
      if (a->together[other] || !must_join(a, run, queue[at], other)) continue;
      a->together[other] = true;
      queue[count++] = other;
    }
  size_t able = 0;
  for (size_t i = 0; i < a->count; i++) able += a->together[a->steps[i].process];
  return able;
}

/* ---- Properties -------------------------------------------------------------------------------------------------------- */

static bool changes(const eo__ample *a, const eo_promela_run *run, uint32_t process, const eo_promela_transition *t) {
  const struct eo__feet_of *of = a->feet.of[process];
  const eo__foot *now = &of->now[t->number];
  if (a->watched[of->proctype->number] || share_variables(now, &a->seen) || share_channels(run, now, &a->seen))
    return true;
  return (now->runs || now->ends) && (a->watches || a->seen.counts);
}

/* May a step of the set change what the property reads? */
static bool shows(const eo__ample *a, const eo_promela_run *run) {
  for (size_t i = 0; i < a->count && a->property; i++) {
    eo_promela_step step = a->steps[i];
    if (!a->together[step.process]) continue;
    if (changes(a, run, step.process, eo__promela_transition_of(run, step.process, step.transition))) return true;
    if (step.receiver != EO_PROMELA_NO_RECEIVER &&
        changes(a, run, step.receiver, eo__promela_transition_of(run, step.receiver, step.receiver_transition)))
      return true;
  }
  return false;
}

/* Proctypes whose places or variables a fact speaks of. */
static void watch(eo__ample *a, const eo_promela *model, const eo_promela_expr *e) {
  if (!e) return;
  bool spoken = e->op == EO_PROMELA_AT_LABEL || e->op == EO_PROMELA_REMOTE;
  if (spoken) a->watched[e->proctype] = true;
  for (uint32_t i = 0; e->op == EO_PROMELA_NP && i < model->proctype_count; i++)
    for (uint32_t l = 0; l < model->proctypes[i]->location_count; l++)
      a->watched[i] |= model->proctypes[i]->locations[l].progress;
  a->watches |= spoken || e->op == EO_PROMELA_NP;
  watch(a, model, e->a);
  watch(a, model, e->b);
  watch(a, model, e->c);
}

static bool open_property(eo__ample *a, const eo_promela *model, const eo_promela_property *property) {
  eo_promela_run run;
  a->watched = eo__alloc(model->proctype_count + 1);
  if (!a->watched || !eo__promela_run_init(&run, model)) return false;
  if (eo__promela_run_start(&run))
    for (uint32_t i = 0; i < property->fact_count; i++) {
      eo__feet_read(&a->feet, &run, property->facts[i], &a->seen);
      watch(a, model, property->facts[i]);
    }
  bool good = !run.no_memory;
  eo__promela_run_release(&run);
  a->watches |= property->labels;
  for (uint32_t i = 0; property->labels && i < model->proctype_count; i++)
    for (uint32_t l = 0; l < model->proctypes[i]->location_count; l++)
      a->watched[i] |= model->proctypes[i]->locations[l].accept;
  return good;
}

/* ---- The whole --------------------------------------------------------------------------------------------------------- */

static bool find_best(eo__ample *a, eo_promela_run *run) {
  size_t least = a->count;
  for (size_t i = 0; i < a->count && least > 1; i++) {
    uint32_t process = a->steps[i].process;
    if (i && a->steps[i - 1].process == process) continue;
    size_t able = close_over(a, run, process);
    if (able >= least || shows(a, run)) continue;
    least = able;
    memcpy(a->best, a->together, sizeof a->best);
  }
  return least < a->count;
}

bool eo__ample_find(eo__ample *a, eo_promela_run *run, eo_promela_steps *steps, size_t *some) {
  *some = steps->count;
  const eo_promela *m = run->model;
  if (steps->count < 2 || m->provides || m->ranks || m->trace) return true; /* all steps can depend on each other */
  for (uint32_t p = 0; p < eo_promela_processes(run); p++)
    if (!eo__feet_at(&a->feet, run, p)) return false;
  a->steps = steps->items;
  a->count = steps->count;
  if (!find_best(a, run)) return true;
  eo_vec_clear(&a->sorted);
  if (!eo_vec_reserve(&a->sorted, steps->count)) return false;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < steps->count; i++)
      if (a->best[steps->items[i].process] == (pass == 0)) a->sorted.items[a->sorted.count++] = steps->items[i];
    if (pass == 0) *some = a->sorted.count;
  }
  memcpy(steps->items, a->sorted.items, steps->count * sizeof *steps->items);
  return true;
}

bool eo__ample_open(eo__ample *a, const eo_promela *model, const eo_promela_property *property) {
  a->property = property;
  return eo__feet_open(&a->feet, model) && (!property || open_property(a, model, property));
}

void eo__ample_close(eo__ample *a) {
  eo__feet_close(&a->feet);
  eo__free(a->watched);
  eo_vec_release(&a->sorted);
}
