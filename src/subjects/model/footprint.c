/* footprint.c: see footprint.h. Made once for each process, when it is first asked for. */
#include "subjects/model/footprint.h"

#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"

typedef struct maker {
  eo__feet *feet;
  eo_promela_run *run;
  uint32_t process; /* EO_PROMELA_NOBODY: any of its proctype */
} maker;

static void set(uint64_t *bits, uint32_t bit) { bits[bit / 64 % EO__FOOT_WORDS] |= UINT64_C(1) << bit % 64; }

static void set_all(uint64_t *bits) { memset(bits, 0xff, EO__FOOT_WORDS * sizeof *bits); }

static uint32_t global_number(const eo_promela *model, const eo_promela_symbol *symbol) {
  uint32_t number = 0;
  while (number < model->symbol_count && model->symbols[number] != symbol) number++;
  return number;
}

/* Of a variable that other processes may read or write; UINT32_MAX: of no other. */
static uint32_t shared_number(const maker *m, const eo_promela_symbol *symbol, bool global) {
  if (global) return global_number(m->run->model, symbol);
  for (size_t i = 0; i < m->feet->claimed.count; i++)
    if (m->feet->claimed.items[i] == symbol) return m->run->model->symbol_count + (uint32_t)i;
  return UINT32_MAX;
}

/* ---- Sets ------------------------------------------------------------------------------------------------------------- */

static bool join_bits(uint64_t *into, const uint64_t *from) {
  bool more = false;
  for (int w = 0; w < EO__FOOT_WORDS; w++) {
    more |= (from[w] & ~into[w]) != 0;
    into[w] |= from[w];
  }
  return more;
}

static bool join_flag(bool *into, bool from) {
  bool more = from && !*into;
  *into |= from;
  return more;
}

static bool join(eo__foot *into, const eo__foot *from) {
  bool more = join_bits(into->reads, from->reads);
  more |= join_bits(into->writes, from->writes);
  more |= join_bits(into->sends, from->sends);
  more |= join_bits(into->receives, from->receives);
  more |= join_bits(into->looks, from->looks);
  more |= join_bits(into->stands, from->stands);
  more |= join_bits(into->asks, from->asks);
  more |= join_bits(into->claims_receives, from->claims_receives);
  more |= join_bits(into->claims_sends, from->claims_sends);
  more |= join_flag(&into->sorts, from->sorts);
  more |= join_flag(&into->roams, from->roams);
  more |= join_flag(&into->makes, from->makes);
  more |= join_flag(&into->runs, from->runs);
  more |= join_flag(&into->counts, from->counts);
  more |= join_flag(&into->ends, from->ends);
  return more;
}

/* What tells whether a transition can be taken: it looks at the channels that it would use. */
static void add_looks(eo__foot *foot, const eo__foot *of) {
  join_bits(foot->looks, of->sends);
  join_bits(foot->looks, of->receives);
  join_bits(foot->asks, of->sends);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------------ */

static bool by_pid(const maker *m, const eo_promela_expr *e) {
  if (!e || e->op == EO_PROMELA_CONST) return true;
  if (e->op == EO_PROMELA_PID) return m->process != EO_PROMELA_NOBODY;
  if (e->op == EO_PROMELA_VAR || e->op == EO_PROMELA_NR_PR || e->op == EO_PROMELA_TIMEOUT || e->op >= EO_PROMELA_LEN)
    return false;
  return by_pid(m, e->a) && by_pid(m, e->b) && by_pid(m, e->c);
}

/* The one value of an index, or UINT32_MAX: it may be any. */
static uint32_t known_index(maker *m, const eo_promela_index *index) {
  if (!by_pid(m, index->value)) return UINT32_MAX;
  bool failed = m->run->failed;
  m->run->failed = false;
  int32_t value = eo__promela_evaluate(m->run, m->process, index->value);
  bool known = !m->run->failed && value >= 0 && (uint32_t)value < index->bound;
  m->run->failed = failed;
  return known ? (uint32_t)value : UINT32_MAX;
}

/* Is a local variable of channels never written? */
static bool stays(const eo__feet *feet, const eo_promela_symbol *symbol) {
  if (symbol->type != EO_PROMELA_CHAN || symbol->in_block) return false;
  for (size_t i = 0; i < feet->moved.count; i++)
    if (feet->moved.items[i] == symbol) return false;
  return true;
}

/* Are its channels there as long as the process? They are its own, or were there before it. */
static bool is_there(const maker *m, const eo_promela_symbol *symbol) {
  const eo_promela_run *run = m->run;
  uint32_t frame = run->process_at[m->process];
  for (uint32_t i = 0; i < symbol->count && !symbol->queue; i++) {
    const unsigned char *at = run->state + frame + symbol->offset + (size_t)i * symbol->stride;
    int32_t channel = eo__promela_cell_read(symbol->cell, at);
    if (channel < 1 || (uint32_t)channel > eo_promela_channels(run) || run->channel_at[channel - 1] > frame)
      return false;
  }
  return true;
}

/* The channels that a variable may hold. `meeting`: those of them that are rendezvous channels. False: any channel. */
static bool add_channels(maker *m, const eo_promela_ref *ref, uint64_t *bits, bool meeting) {
  const eo_promela_symbol *symbol = ref->symbol;
  bool fixed = ref->global ? symbol->queue && !m->feet->assigned[global_number(m->run->model, symbol)]
                           : m->process != EO_PROMELA_NOBODY && stays(m->feet, symbol) && is_there(m, symbol);
  if (!fixed || ref->index_count > 1) {
    set_all(bits);
    return false;
  }
  size_t base = ref->global ? EO_PROMELA_GLOBALS_AT : m->run->process_at[m->process];
  const unsigned char *at = m->run->state + base + ref->offset; /* with indices that are constant */
  uint32_t count = ref->index_count ? ref->indices[0].bound : 1;
  uint32_t one = ref->index_count ? known_index(m, &ref->indices[0]) : 0;
  for (uint32_t i = 0; i < count; i++) {
    if (one != UINT32_MAX && i != one) continue;
    size_t offset = ref->index_count ? (size_t)i * ref->indices[0].stride : 0;
    uint32_t channel = (uint32_t)eo__promela_cell_read(ref->cell, at + offset);
    if (channel && !(meeting && eo__promela_channel(m->run, channel)->capacity)) set(bits, channel - 1);
  }
  return true;
}

static void add_expression(maker *m, const eo_promela_expr *e, eo__foot *foot);

static void add_reference(maker *m, const eo_promela_ref *ref, bool writes, eo__foot *foot) {
  uint32_t number = shared_number(m, ref->symbol, ref->global);
  if (number != UINT32_MAX) set(writes ? foot->writes : foot->reads, number);
  for (uint32_t i = 0; i < ref->index_count; i++) add_expression(m, ref->indices[i].value, foot);
}

static void add_fields(maker *m, const eo_promela_message *message, eo__foot *foot) {
  for (uint32_t i = 0; i < message->count; i++) {
    add_expression(m, message->fields[i].value, foot);
    if (message->fields[i].into) add_reference(m, message->fields[i].into, true, foot);
  }
}

/* Channels that a process stands ready to receive from at a location. */
static void add_stands(maker *m, const eo_promela_location *location, eo__foot *foot) {
  for (uint32_t k = 0; k < location->count; k++) {
    const eo_promela_transition *t = location->transitions[k];
    if (t->kind == EO_PROMELA_RECEIVE) add_channels(m, t->message->channel->ref, foot->stands, true);
  }
}

static bool makes_channels(const eo_promela_symbol *symbol) {
  if (symbol->queue) return true;
  for (uint32_t i = 0; symbol->type == EO_PROMELA_STRUCT && i < symbol->fields->field_count; i++)
    if (makes_channels(symbol->fields->fields[i])) return true;
  return false;
}

static void add_initialisers(maker *m, const eo_promela_symbol *symbol, eo__foot *foot) {
  for (uint32_t i = 0; !symbol->in_block && i < symbol->value_count; i++) add_expression(m, symbol->values[i], foot);
  for (uint32_t i = 0; symbol->type == EO_PROMELA_STRUCT && i < symbol->fields->field_count; i++)
    add_initialisers(m, symbol->fields->fields[i], foot);
}

/* The channels that a process of this proctype claims. */
static void add_claimed(maker *m, const eo_promela_proctype *p, eo__foot *foot) {
  for (uint32_t k = 0; k < p->claim_count; k++)
    add_channels(m, p->claims[k].channel, p->claims[k].receives ? foot->claims_receives : foot->claims_sends, false);
}

/* That a process begins: its variables get their values, its channels are made, and it stands at its first location. */
static void add_start(maker *m, const eo_promela_proctype *started, eo__foot *foot) {
  maker its = {m->feet, m->run, EO_PROMELA_NOBODY};
  foot->runs = true;
  add_claimed(&its, started, foot);
  for (uint32_t i = 0; i < started->symbol_count; i++) {
    add_initialisers(&its, started->symbols[i], foot);
    foot->makes |= makes_channels(started->symbols[i]);
  }
  add_stands(&its, &started->locations[started->start], foot);
}

static void add_expression(maker *m, const eo_promela_expr *e, eo__foot *foot) {
  if (!e) return;
  if (e->op >= EO_PROMELA_LEN && e->op <= EO_PROMELA_POLL && e->a && e->a->ref)
    foot->roams |= !add_channels(m, e->a->ref, foot->looks, false);
  if (e->op == EO_PROMELA_NR_PR) foot->counts = true;
  if (e->op == EO_PROMELA_RUN) add_start(m, m->run->model->proctypes[e->proctype], foot);
  if (e->ref) add_reference(m, e->ref, false, foot);
  if (e->receive) add_fields(m, e->receive, foot);
  add_expression(m, e->a, foot);
  add_expression(m, e->b, foot);
  add_expression(m, e->c, foot);
  for (uint32_t i = 0; i < e->argument_count; i++) add_expression(m, e->arguments[i], foot);
}

/* ---- Transitions ------------------------------------------------------------------------------------------------------- */

/* Whoever sends or receives asks whether another process claims the channel, by whatever variable. */
static void add_claims(maker *m, eo__foot *foot) {
  for (uint32_t p = 0; p < m->run->model->proctype_count; p++) {
    const eo_promela_proctype *proctype = m->run->model->proctypes[p];
    for (uint32_t k = 0; k < proctype->claim_count; k++) add_reference(m, proctype->claims[k].channel, false, foot);
  }
}

static void add_transition(maker *m, const eo_promela_transition *t, eo__foot *foot);

/* All that may happen in a d_step. It must be able to go on, so it looks before it takes. */
static void add_dstep(maker *m, const eo_promela_dstep *d, eo__foot *foot) {
  for (uint32_t n = 0; n < d->count; n++)
    for (uint32_t i = 0; i < d->nodes[n].count; i++) add_transition(m, d->nodes[n].transitions[i], foot);
  add_looks(foot, foot);
}

static void add_transition(maker *m, const eo_promela_transition *t, eo__foot *foot) {
  add_expression(m, t->value, foot);
  if (t->target) add_reference(m, t->target, true, foot);
  if (t->message) {
    bool sends = t->kind == EO_PROMELA_SEND;
    add_reference(m, t->message->channel->ref, false, foot);
    add_fields(m, t->message, foot);
    foot->roams |= !add_channels(m, t->message->channel->ref, sends ? foot->sends : foot->receives, false);
    foot->sorts |= sends && t->message->ordered;
    if (m->run->model->claims) add_claims(m, foot);
  }
  for (uint32_t i = 0; i < t->argument_count; i++) add_expression(m, t->arguments[i], foot);
  foot->ends |= t->kind == EO_PROMELA_EXIT;
  if (t->dstep) add_dstep(m, t->dstep, foot);
}

/* A transition by itself, at its location. */
static void add_alone(maker *m, const eo_promela_proctype *p, uint32_t location, const eo_promela_transition *t,
                      eo__foot *foot) {
  const eo_promela_location *l = &p->locations[location];
  add_transition(m, t, foot);
  add_stands(m, l, foot);
  if (t->kind != EO_PROMELA_EXIT) add_stands(m, &p->locations[t->to], foot);
  for (uint32_t i = 0; t->kind == EO_PROMELA_EXIT && i < p->symbol_count; i++)
    foot->makes |= makes_channels(p->symbols[i]); /* its channels go with it */
  if (t->kind == EO_PROMELA_EXIT) add_claimed(m, p, foot);
  for (uint32_t k = 0; k < l->count; k++) { /* what must not be possible, so that this is */
    uint32_t escape = l->transitions[k]->escape;
    eo__foot other = {0};
    if (t->kind != EO_PROMELA_ELSE && (!escape || escape == t->escape)) continue;
    add_transition(m, l->transitions[k], &other);
    memset(other.writes, 0, sizeof other.writes);
    add_looks(foot, &other);
    join_bits(foot->reads, other.reads);
    join_bits(foot->looks, other.looks);
    join_bits(foot->asks, other.asks);
    foot->roams |= other.roams;
    foot->counts |= other.counts;
  }
}

/* ---- Processes ---------------------------------------------------------------------------------------------------------- */

/* What follows in an atomic sequence is part of the same step, if it can be done then. */
static bool join_sequence(eo__foot *into, const eo__foot *next) {
  eo__foot looking = *next;
  add_looks(&looking, next);
  return join(into, &looking);
}

static const eo__foot *whole_of_started(const eo__feet *feet, const eo_promela_transition *t) {
  bool runs = t->value && t->value->op == EO_PROMELA_RUN; /* the whole of a statement, or of what is assigned */
  return runs ? &feet->whole[t->value->proctype] : NULL;
}

static void forget(eo__feet_of *of) {
  eo__free(of->future);
  eo__free(of->now);
  eo__free(of);
}

static void make(maker *m, eo__feet_of *of) {
  const eo_promela_proctype *p = of->proctype;
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++) {
      const eo_promela_transition *t = p->locations[l].transitions[k];
      add_alone(m, p, l, t, &of->now[t->number]);
    }
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = p->location_count; l-- > 0;)
      for (uint32_t k = 0; k < p->locations[l].count; k++) {
        const eo_promela_transition *t = p->locations[l].transitions[k];
        const eo__foot *started = whole_of_started(m->feet, t);
        again |= join(&of->future[l], &of->now[t->number]);
        if (started) again |= join(&of->future[l], started);
        if (t->kind == EO_PROMELA_EXIT) continue;
        again |= join(&of->future[l], &of->future[t->to]);
        for (uint32_t i = 0; t->atomic && i < p->locations[t->to].count; i++)
          again |= join_sequence(&of->now[t->number], &of->now[p->locations[t->to].transitions[i]->number]);
      }
  }
}

static eo__feet_of *make_of(maker *m, const eo_promela_proctype *p) {
  eo__feet_of *of = eo__alloc(sizeof *of);
  if (!of) return NULL;
  of->future = eo__alloc((p->location_count + 1) * sizeof *of->future);
  of->now = eo__alloc((m->run->model->transition_count + 1) * sizeof *of->now);
  of->proctype = p;
  if (of->future && of->now) {
    make(m, of);
    return of;
  }
  forget(of);
  return NULL;
}

/* Of each proctype from its first location on, until nothing comes by what they start of each other. */
static bool make_whole(eo__feet *feet, eo_promela_run *run) {
  const eo_promela *model = run->model;
  maker m = {feet, run, EO_PROMELA_NOBODY};
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < model->proctype_count; i++) {
      eo__feet_of *of = make_of(&m, model->proctypes[i]);
      if (!of) return false;
      again |= join(&feet->whole[i], &of->future[model->proctypes[i]->start]);
      forget(of);
    }
  }
  feet->made = true;
  return true;
}

/* What the variables hold that name the same channels as long as the process lives. */
static uint64_t channels_of(const maker *m, const eo_promela_proctype *p) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < p->symbol_count; i++) {
    const eo_promela_symbol *symbol = p->symbols[i];
    const unsigned char *at = m->run->state + m->run->process_at[m->process] + symbol->offset;
    if (!stays(m->feet, symbol)) continue;
    hash = XXH3_64bits_withSeed(at, (size_t)symbol->count * symbol->stride, hash + is_there(m, symbol));
  }
  return hash;
}

const eo__feet_of *eo__feet_at(eo__feet *feet, eo_promela_run *run, uint32_t process) {
  const eo_promela_proctype *p = eo__promela_process(run, process);
  maker m = {feet, run, process};
  uint64_t channels = channels_of(&m, p);
  for (eo__feet_of **at = &feet->of[process]; *at; at = &(*at)->next) {
    eo__feet_of *of = *at;
    if (of->proctype != p || of->channels != channels) continue;
    *at = of->next; /* to the front */
    of->next = feet->of[process];
    feet->of[process] = of;
    return of;
  }
  eo__feet_of *made = feet->made || make_whole(feet, run) ? make_of(&m, p) : NULL;
  if (!made) return NULL;
  made->channels = channels;
  made->next = feet->of[process];
  feet->of[process] = made;
  return made;
}

void eo__feet_read(eo__feet *feet, eo_promela_run *run, const eo_promela_expr *fact, eo__foot *foot) {
  maker m = {feet, run, EO_PROMELA_NOBODY};
  add_expression(&m, fact, foot);
}

/* ---- Opening ------------------------------------------------------------------------------------------------------------- */

static bool note_assigned(eo__feet *feet, const eo_promela *model, const eo_promela_ref *ref) {
  if (ref && ref->global) feet->assigned[global_number(model, ref->symbol)] = true;
  bool moves = ref && !ref->global && ref->symbol->type == EO_PROMELA_CHAN;
  return !moves || eo_vec_push(&feet->moved, ref->symbol);
}

static bool find_assigned(eo__feet *feet, const eo_promela *model, const eo_promela_transition *t) {
  bool good = note_assigned(feet, model, t->target);
  for (uint32_t k = 0; t->message && k < t->message->count && good; k++)
    good = note_assigned(feet, model, t->message->fields[k].into);
  for (uint32_t n = 0; t->dstep && n < t->dstep->count; n++)
    for (uint32_t i = 0; i < t->dstep->nodes[n].count && good; i++)
      good = find_assigned(feet, model, t->dstep->nodes[n].transitions[i]);
  return good;
}

static bool find_claimed(eo__feet *feet, const eo_promela_ref *ref);

static bool find_claimed_in(eo__feet *feet, const eo_promela_expr *e) {
  if (!e) return true;
  return (!e->ref || find_claimed(feet, e->ref)) && find_claimed_in(feet, e->a) && find_claimed_in(feet, e->b) &&
         find_claimed_in(feet, e->c);
}

static bool find_claimed(eo__feet *feet, const eo_promela_ref *ref) {
  bool good = ref->global || eo_vec_push(&feet->claimed, ref->symbol);
  for (uint32_t i = 0; i < ref->index_count; i++) good = good && find_claimed_in(feet, ref->indices[i].value);
  return good;
}

bool eo__feet_open(eo__feet *feet, const eo_promela *model) {
  feet->of = eo__alloc((EO_PROMELA_MOST_PROCESSES + 1) * sizeof *feet->of);
  feet->assigned = eo__alloc((model->symbol_count + 1) * sizeof *feet->assigned);
  feet->whole = eo__alloc((model->proctype_count + 1) * sizeof *feet->whole);
  if (!feet->of || !feet->assigned || !feet->whole) return false;
  for (uint32_t i = 0; i < model->transition_count; i++)
    if (!find_assigned(feet, model, model->transitions[i])) return false;
  for (uint32_t p = 0; p < model->proctype_count; p++)
    for (uint32_t k = 0; k < model->proctypes[p]->claim_count; k++)
      if (!find_claimed(feet, model->proctypes[p]->claims[k].channel)) return false;
  return true;
}

void eo__feet_close(eo__feet *feet) {
  for (uint32_t i = 0; feet->of && i <= EO_PROMELA_MOST_PROCESSES; i++)
    for (eo__feet_of *of = feet->of[i], *next; of; of = next) {
      next = of->next;
      forget(of);
    }
  eo__free(feet->of);
  eo__free(feet->assigned);
  eo__free(feet->whole);
  eo_vec_release(&feet->claimed);
  eo_vec_release(&feet->moved);
}
