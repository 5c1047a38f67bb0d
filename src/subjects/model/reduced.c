/* reduced.c: see reduced.h. */
#include "subjects/model/reduced.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"

/* ---- Sleep sets ----------------------------------------------------------------------------------------------------- */

bool eo__sleep_has(const eo__sleep *sleep, uint64_t name) {
  for (size_t i = 0; i < sleep->count && sleep->items[i] <= name; i++)
    if (sleep->items[i] == name) return true;
  return false;
}

bool eo__sleep_add(eo__sleep *sleep, uint64_t name) {
  if (eo__sleep_has(sleep, name)) return true;
  if (!eo_vec_push(sleep, name)) return false;
  for (size_t i = sleep->count - 1; i && sleep->items[i - 1] > name; i--) {
    sleep->items[i] = sleep->items[i - 1];
    sleep->items[i - 1] = name;
  }
  return true;
}

/* What is in both; true: `own` lost something. */
static bool sleep_meet(eo__sleep *own, const eo__sleep *other) {
  size_t kept = 0, before = own->count;
  for (size_t i = 0; i < before; i++)
    if (other && eo__sleep_has(other, own->items[i])) own->items[kept++] = own->items[i];
  own->count = kept;
  return kept < before;
}

static uint64_t mix(uint64_t x) { /* the last part of splitmix64 */
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

uint64_t eo__reduced_name(const eo_promela_run *run, eo_promela_step step) {
  const eo_promela_transition *t = eo__promela_transition_of(run, step.process, step.transition);
  eo_promela_run *own = (eo_promela_run *)run; /* evaluating changes nothing that matters */
  uint64_t name = mix(((uint64_t)step.process << 32 | t->number) + 1), who = step.process;
  if (step.receiver != EO_PROMELA_NO_RECEIVER)
    name = mix(name + ((uint64_t)step.receiver << 16 | step.receiver_transition));
  if (!run->delivery || t->kind != EO_PROMELA_RECEIVE) return name << 8 | who;
  uint32_t channel = eo__promela_channel_meant(own, step.process, t);
  if (!channel) return name << 8 | who;
  for (uint32_t i = 0; i < eo__promela_channel(run, channel)->field_count; i++)
    name = mix(name ^ (uint32_t)eo__promela_channel_field(run, channel, step.receiver_transition, i));
  return mix(name + eo__port_sender(run, channel, step.receiver_transition)) << 8 | who;
}

/* ---- Paths and findings --------------------------------------------------------------------------------------------- */

static bool steps_append(eo_promela_steps *to, const eo_promela_step *from, size_t count) {
  if (!eo_vec_reserve(to, count)) return false;
  if (count) memcpy(to->items + to->count, from, count * sizeof *from);
  to->count += count;
  return true;
}

static bool path_to(const eo__reduced *r, uint32_t number, eo_promela_steps *out) {
  size_t at = 0;
  for (uint32_t n = number; n; n = r->nodes.items[n].parent) at += r->nodes.items[n].count;
  if (!eo_vec_reserve(out, at)) return false;
  out->count = at;
  for (; number; number = r->nodes.items[number].parent) {
    const eo__reduced_node *node = &r->nodes.items[number];
    at -= node->count;
    memcpy(out->items + at, r->trail.items + node->steps, node->count * sizeof *out->items);
  }
  return true;
}

/* Does an assertion fail on the way to a node? */
static bool fails_before(const eo__reduced *r, uint32_t number) {
  for (; number; number = r->nodes.items[number].parent)
    if (r->nodes.items[number].fails) return true;
  return false;
}

static bool path_fails(const eo__reduced *r) { return r->fails_at && r->fails_at <= r->path.count; }

void eo__reduced_stop(eo__reduced *r, const char *why) {
  if (!r->stopped) snprintf(r->search->why, sizeof r->search->why, "%s", why);
  r->stopped = true;
}

bool eo__reduced_tell(eo__reduced *r, const eo_failure *failure) {
  eo_promela_search *search = r->search;
  eo_promela_steps all = {0};
  bool good = path_to(r, r->current, &all) && steps_append(&all, r->path.items, r->path.count);
  search->counts.failures++;
  bool on = !search->stop_at_failure;
  if (good && search->failure) on &= search->failure(search->context, failure, all.items, (uint32_t)all.count);
  if (!on) eo__reduced_stop(r, EO__AT_FINDING);
  eo_vec_release(&all);
  return good;
}

bool eo__reduced_step(eo__reduced *r, eo_promela_step step, bool *on) {
  if (!path_fails(r)) r->fails_at = 0;
  if (!eo_vec_push(&r->path, step)) return false;
  *on = true;
  if (eo__promela_apply(&r->run, step)) return true;
  *on = eo_promela_passes(&r->run);
  if (r->run.no_memory || r->run.halted) return !r->run.no_memory;
  if (!r->fails_at) r->fails_at = r->path.count;
  eo_failure failure = r->run.failure;
  return r->quiet || eo__reduced_tell(r, &failure);
}

static bool tell_dead_end(eo__reduced *r) {
  eo_promela_steps found = {0};
  size_t length = r->path.count;
  bool good = true, on = true;
  while (r->ends && good && (good = eo__promela_enabled(&r->run, &found)) && found.count)
    good = eo__reduced_step(r, found.items[0], &on);
  eo_vec_release(&found);
  bool well = eo__promela_ended_well(&r->run);
  if (r->search->dead_end) r->search->dead_end(r->search->context, r->current, well);
  eo_failure failure;
  if (good && !well) {
    eo__promela_dead_end(&r->run, &failure);
    good = eo__reduced_tell(r, &failure);
  }
  r->path.count = length;
  return good;
}

bool eo__reduced_dead_end(eo__reduced *r) {
  bool late = r->search->counts.failures && fails_before(r, r->current);
  return late ? eo_vec_push(&r->late, r->current) : tell_dead_end(r);
}

/* ---- The graph ------------------------------------------------------------------------------------------------------- */

/* Memory that grows with the states that are kept. */
static void measure(eo__reduced *r) {
  r->search->bytes = eo__states_bytes(&r->states) + r->bytes.capacity + r->nodes.capacity * sizeof *r->nodes.items +
                     (r->queue.capacity + r->late.capacity) * sizeof(uint32_t) +
                     (r->trail.capacity + r->path.capacity) * sizeof *r->trail.items +
                     r->sleepers * 2 * sizeof(uint64_t); /* their vectors double */
  if (r->bytes_beside) r->search->bytes += r->bytes_beside(r);
}

/* Is there room for one more node, and for the table of states to grow behind it? Vectors double when they are full, which must not go beyond what is allowed. */
static bool fits(eo__reduced *r) {
  uint64_t more = eo__states_growth(&r->states);
  if (r->nodes.count == r->nodes.capacity) more += r->nodes.capacity * sizeof *r->nodes.items;
  if (r->queue.count == r->queue.capacity) more += r->queue.capacity * sizeof(uint32_t);
  if (r->bytes.count + r->run.size > r->bytes.capacity) more += r->bytes.capacity;
  if (r->trail.count + r->path.count > r->trail.capacity) more += r->trail.capacity * sizeof *r->trail.items;
  if (!more || !r->search->most_bytes) return true;
  measure(r);
  if (r->search->bytes + more <= r->search->most_bytes || !r->nodes.count) return true;
  eo__reduced_stop(r, EO__AT_MEMORY);
  return false;
}

static bool add_node(eo__reduced *r, const eo__sleep *asleep) {
  uint32_t depth = r->nodes.count ? r->nodes.items[r->current].depth + (uint32_t)r->path.count : 0;
  eo__reduced_node node = {
      r->current,    depth, r->trail.count, (uint32_t)r->path.count, r->bytes.count, (uint32_t)r->run.size, true,
      path_fails(r), {0}};
  r->search->counts.states++;
  if (depth > r->search->counts.depth) r->search->counts.depth = depth;
  if (!eo_vec_push(&r->queue, (uint32_t)r->nodes.count) || !eo_vec_push(&r->nodes, node) ||
      !eo_vec_reserve(&r->bytes, r->run.size) || !steps_append(&r->trail, r->path.items, r->path.count))
    return false;
  memcpy(r->bytes.items + r->bytes.count, r->run.state, r->run.size);
  r->bytes.count += r->run.size;
  for (size_t i = 0; asleep && i < asleep->count; i++)
    if (!eo_vec_push(&eo_vec_last(&r->nodes).asleep, asleep->items[i])) return false;
  r->sleepers += asleep ? asleep->count : 0;
  return true;
}

bool eo__reduced_arrive(eo__reduced *r, const eo__sleep *asleep, bool *fresh) {
  eo_promela_search *search = r->search;
  uint64_t key[2];
  eo__promela_fingerprint(&r->run, key);
  uint32_t number = eo__states_add(&r->states, key, fresh);
  if (number == EO__STATES_NONE) return false;
  if (*fresh && !fits(r)) return true;
  if (search->edge &&
      !search->edge(search->context, r->current, number, r->path.items, (uint32_t)r->path.count, key, r->run.doing))
    return false;
  if (*fresh) return add_node(r, asleep);
  search->counts.matched++;
  eo__reduced_node *node = &r->nodes.items[number];
  if (search->counts.failures && !path_fails(r) && !fails_before(r, r->current) &&
      fails_before(r, number)) { /* a better way to it: not over itself, since that fails */
    node->parent = r->current;
    node->steps = r->trail.count;
    node->count = (uint32_t)r->path.count;
    node->fails = false;
    if (!steps_append(&r->trail, r->path.items, r->path.count)) return false;
  }
  if (!sleep_meet(&node->asleep, asleep) || node->waiting) return true;
  node->waiting = true;
  return eo_vec_push(&r->queue, number);
}

/* ---- The search ------------------------------------------------------------------------------------------------------ */

static bool look_round(void *context) {
  eo__reduced *r = context;
  eo_promela_search *search = r->search;
  measure(r);
  if (search->progress) search->progress(search->context, search);
  if (search->stop && *search->stop) eo__reduced_stop(r, "interrupted");
  if (search->most_bytes && search->bytes >= search->most_bytes) eo__reduced_stop(r, EO__AT_MEMORY);
  if (r->nodes.count >= UINT32_MAX / 2) eo__reduced_stop(r, "more than two thousand million states");
  return r->stopped;
}

bool eo__reduced_halts(eo__reduced *r) { return r->stopped || eo_promela_halts(&r->run); }

static bool start(eo__reduced *r) {
  bool fresh;
  if (!eo__promela_run_init(&r->run, r->search->model)) return false;
  r->run.delivery = r->search->delivery;
  r->run.watch = look_round;
  r->run.watcher = r;
  if (eo__promela_run_start(&r->run)) return eo__reduced_arrive(r, NULL, &fresh);
  if (r->run.no_memory) return false;
  eo__search_no_start(r->search, &r->run.failure);
  r->stopped = true;
  return true;
}

bool eo__reduced_go_back(eo__reduced *r) {
  const eo__reduced_node *node = &r->nodes.items[r->current];
  eo_vec_clear(&r->path);
  r->fails_at = 0;
  return eo__promela_load(&r->run, r->bytes.items + node->state, node->size);
}

static bool run_all(eo__reduced *r) {
  if (!start(r)) return false;
  for (; r->next < r->queue.count; r->next++) {
    if (r->search->most_states && r->search->counts.states >= r->search->most_states)
      eo__reduced_stop(r, EO__AT_STATES);
    if (eo__reduced_halts(r)) break;
    r->current = r->queue.items[r->next];
    eo__reduced_node *node = &r->nodes.items[r->current];
    node->waiting = false;
    if (!eo__reduced_go_back(r) || !r->expand(r)) return false;
  }
  for (size_t i = 0; i < r->late.count && !eo__reduced_halts(r); i++) {
    r->current = r->late.items[i];
    if (!eo__reduced_go_back(r) || !tell_dead_end(r)) return false;
  }
  measure(r);
  return true;
}

int eo__reduced_search(eo__reduced *r, eo_error *error) {
  r->search->counts = (eo_promela_counts){0};
  r->search->why[0] = '\0';
  bool good = run_all(r);
  r->search->complete = good && !r->stopped;
  for (size_t i = 0; i < r->nodes.count; i++) eo_vec_release(&r->nodes.items[i].asleep);
  eo__promela_run_release(&r->run);
  eo__states_release(&r->states);
  eo_vec_release(&r->nodes);
  eo_vec_release(&r->bytes);
  eo_vec_release(&r->queue);
  eo_vec_release(&r->late);
  eo_vec_release(&r->trail);
  eo_vec_release(&r->path);
  return good ? EO_OK : eo__error_nomem(error);
}
