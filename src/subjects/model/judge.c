/* judge.c: see judge.h. */
#include "subjects/model/judge.h"

/* The automaton over the word: its nodes are a place in the word and a location. Behind the last place comes `loop`. */
typedef struct word {
  const eo__judge *judge;
  uint32_t length, loop;
} word;

static uint32_t node(const word *w, uint32_t place, uint32_t location) {
  return place * w->judge->property->location_count + location;
}

static bool add_arcs(word *w, eo__cycles *graph, uint32_t place, uint32_t location) {
  const eo__judged *state = &w->judge->states.items[place];
  const eo_promela_arcs *from = &w->judge->property->locations[location];
  uint32_t next = place + 1 < w->length ? place + 1 : w->loop;
  for (uint32_t i = 0; i < from->count; i++) {
    const eo_promela_arc *arc = &from->items[i];
    if (!eo__property_reads(arc, state->letter) || arc->to == EO_PROPERTY_END) continue;
    eo__bears bears = {arc->marks | state->marks, 0};
    if (!eo__cycles_add(graph, node(w, next, arc->to), bears)) return false;
  }
  return true;
}

/* Is no process that can go on left out for ever? */
static bool is_fair(const word *w) {
  uint64_t fair = 0;
  if (!w->judge->fair) return true;
  for (uint32_t i = w->loop; i < w->length; i++) fair |= w->judge->states.items[i].blocked;
  for (uint32_t i = w->loop + 1; i < w->length; i++) fair |= w->judge->states.items[i].moved;
  if (w->length < w->judge->states.count) fair |= w->judge->states.items[w->length].moved;
  return fair == ~UINT64_C(0);
}

/* Can the automaton read the first `length` states, and those from `loop` on again and again? */
static bool goes_round(const eo__judge *f, uint32_t length, uint32_t loop, bool *violated) {
  word w = {f, length, loop};
  eo__cycles graph = {.all = {eo__property_all_marks(f->property), 0}};
  eo__cycles_way way = {0};
  uint32_t locations = f->property->location_count;
  bool good = true;
  *violated = false;
  if (!is_fair(&w)) return true;
  for (uint32_t place = 0; place < length && good; place++)
    for (uint32_t l = 0; l < locations && good; l++)
      good = eo__cycles_node(&graph, node(&w, place, l)) && add_arcs(&w, &graph, place, l);
  good = good && eo__cycles_find(&graph, length * locations, violated, &way);
  eo__cycles_way_release(&way);
  eo__cycles_release(&graph);
  return good;
}

/* Can the automaton come to its end with the last state? */
static bool comes_to_end(const eo__judge *f, bool *violated) {
  uint32_t locations = f->property->location_count;
  EO_VEC(unsigned char) now = {0}, next = {0};
  *violated = false;
  bool good = eo_vec_reserve(&now, locations) && eo_vec_reserve(&next, locations);
  for (uint32_t l = 0; good && l < locations; l++) now.items[l] = l == 0;
  for (size_t place = 0; good && place < f->states.count && !*violated; place++) {
    for (uint32_t l = 0; l < locations; l++) next.items[l] = 0;
    for (uint32_t l = 0; l < locations; l++)
      for (uint32_t i = 0; now.items[l] && i < f->property->locations[l].count; i++) {
        const eo_promela_arc *arc = &f->property->locations[l].items[i];
        if (!eo__property_reads(arc, f->states.items[place].letter)) continue;
        if (arc->to == EO_PROPERTY_END)
          *violated = true;
        else
          next.items[arc->to] = 1;
      }
    for (uint32_t l = 0; l < locations; l++) now.items[l] = next.items[l];
  }
  eo_vec_release(&now);
  eo_vec_release(&next);
  return good;
}

/* The run is at a state that counts. */
static bool arrive(eo__judge *f, eo_promela_run *run, bool *violated, eo_failure *failure) {
  eo__judged here = {.blocked = ~UINT64_C(0), .moved = f->moved, .step = f->steps};
  eo__promela_fingerprint(run, here.state);
  if (!eo__property_letter(f->property, run, &here.letter)) {
    *failure = run->failure;
    *violated = true;
    return true;
  }
  here.marks = eo__property_state_marks(f->property, run);
  f->moved = 0;
  if (f->fair && !eo__property_blocked(run, &f->scratch, &here.blocked)) return false;
  if (!eo_vec_push(&f->states, here) || !comes_to_end(f, violated)) return false;
  if (*violated) {
    eo__property_violated(f->property, EO__VIOLATED_NOW, f->steps, 0, failure);
    return true;
  }
  uint32_t last = (uint32_t)f->states.count - 1;
  for (uint32_t i = last; i-- > 0 && !*violated;) {
    const eo__judged *before = &f->states.items[i];
    if (before->state[0] != here.state[0] || before->state[1] != here.state[1]) continue;
    if (!goes_round(f, last, i, violated)) return false;
    if (*violated)
      eo__property_violated(f->property, EO__VIOLATED_CYCLE, before->step, f->steps - before->step, failure);
  }
  return true;
}

bool eo__judge_start(eo__judge *f, eo_promela_run *run, bool *violated, eo_failure *failure) {
  *violated = false;
  if (!f->property) return true;
  eo_vec_clear(&f->states);
  f->steps = 0;
  f->moved = 0;
  return arrive(f, run, violated, failure);
}

bool eo__judge_step(eo__judge *f, eo_promela_run *run, eo_promela_step step, bool *violated, eo_failure *failure) {
  *violated = false;
  if (!f->property) return true;
  f->steps++;
  if (step.process < 64) f->moved |= UINT64_C(1) << step.process;
  if (step.receiver < 64) f->moved |= UINT64_C(1) << step.receiver;
  uint32_t floor = eo__promela_floor(run);
  if (floor != EO_PROMELA_NOBODY) { /* inside of an atomic sequence, unless that cannot go on */
    eo_vec_clear(&f->scratch);
    if (!eo__promela_enabled_of(run, floor, &f->scratch)) return false;
    if (f->scratch.count) return true;
    eo__promela_yield(run);
  }
  return arrive(f, run, violated, failure);
}

bool eo__judge_end(eo__judge *f, bool *violated, eo_failure *failure) {
  *violated = false;
  if (!f->property || f->property->moving || !f->states.count) return true;
  uint32_t count = (uint32_t)f->states.count;
  if (!goes_round(f, count, count - 1, violated)) return false;
  if (*violated) eo__property_violated(f->property, EO__VIOLATED_END, f->steps, 0, failure);
  return true;
}

void eo__judge_release(eo__judge *f) {
  eo_vec_release(&f->states);
  eo_vec_release(&f->scratch);
}
