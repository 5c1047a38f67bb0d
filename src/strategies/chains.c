/* chains.c: see chains.h. */
#include "strategies/chains.h"

#include <string.h>

#include "core/program.h"

enum { CALM = 10000 }; /* so many steps without an event: something goes round in circles, and others must come to it */
#define NO_CHAIN UINT32_MAX
#define CALM_CHOICE (UINT32_MAX - 1)
#define DRAWN (UINT64_C(1) << 63) /* at least: a priority that was drawn, not given by a change point */

void eo__chains_init(eo_chain_sampler *sampler, const eo_sampler_kind *kind, const eo_strategy_ops *ops,
                     const eo_strategy_options *options) {
  eo__sampler_init(&sampler->sampler, kind, ops, options);
  EO_CHECK(options->view.of);
  sampler->view = options->view;
  sampler->traced = options->view.relations && options->view.relations->pending;
  sampler->queues = options->delivery == EO_DELIVERY_MAILBOX;
  sampler->bug_depth = options->bug_depth < EO_CHAINS_POINTS ? options->bug_depth : EO_CHAINS_POINTS;
  if (sampler->bug_depth == 0) sampler->bug_depth = 1;
  sampler->length = options->length;
  sampler->adapts = options->length == 0;
  eo__trace_init(&sampler->trace, options->view, false);
}

void eo__chains_release(eo_chain_sampler *sampler) {
  eo__trace_release(&sampler->trace);
  eo_vec_release(&sampler->chains);
  eo_vec_release(&sampler->slots);
  eo_vec_release(&sampler->upcoming);
  eo_vec_release(&sampler->message_chain);
  eo_vec_release(&sampler->shows);
}

static bool no_memory(eo_chain_sampler *sampler) {
  sampler->sampler.base.error = EO_ENOMEM;
  return false;
}

static uint32_t point_from(const eo_chain_sampler *sampler, uint32_t event) {
  uint32_t next = UINT32_MAX;
  for (uint32_t i = 0; i < sampler->point_count; i++)
    if (sampler->points[i] >= event && sampler->points[i] < next) next = sampler->points[i];
  return next;
}

bool eo__chains_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  eo_chain_sampler *s = (eo_chain_sampler *)strategy;
  if (!eo__sampler_begin(&s->sampler)) return false;
  eo__trace_cut(&s->trace, 0);
  eo_vec_clear(&s->chains);
  eo_vec_clear(&s->slots);
  if (s->upcoming.count) memset(s->upcoming.items, 0, s->upcoming.count * sizeof *s->upcoming.items);
  if (s->message_chain.count)
    memset(s->message_chain.items, 0, s->message_chain.count * sizeof *s->message_chain.items);
  s->events = s->calm = 0;
  s->point_count = eo__sampler_points(&s->sampler.rng, s->length, s->bug_depth - 1, s->points);
  s->next_point = point_from(s, 0);
  return true;
}

/* ---- Chains ----------------------------------------------------------------------------------------------------- */

/* What is known to come before an event: two clocks, either of which may be NULL; and whose event it is. */
typedef struct causes {
  const uint32_t *own, *source;
  uint32_t process;
} causes;

static bool follows(const eo_chain_sampler *s, const causes *past, const eo_chain *chain) {
  if (!s->traced) return chain->process == past->process;
  if (chain->index == UINT32_MAX || chain->process >= s->trace.stride) return false;
  return (past->own && past->own[chain->process] > chain->index) ||
         (past->source && past->source[chain->process] > chain->index);
}

/* Where in the set of so many slots a new event goes: a chain it follows, else room; `size`: neither. */
static uint32_t slot_in(const eo_chain_sampler *s, uint32_t first, uint32_t size, const causes *past) {
  uint32_t room = size;
  for (uint32_t i = 0; i < size; i++) {
    uint32_t chain = s->slots.items[first + i];
    if (chain == NO_CHAIN)
      room = i;
    else if (follows(s, past, &s->chains.items[chain]))
      return i;
  }
  return room;
}

/* The chain at whose end a new event goes. NO_CHAIN: no memory. */
static uint32_t find_chain(eo_chain_sampler *s, const causes *past) {
  uint32_t first = 0, size = 1, slot;
  for (;; first += size++) {
    if (first == s->slots.count) {
      if (!eo_vec_reserve(&s->slots, size)) return no_memory(s), NO_CHAIN;
      for (uint32_t i = 0; i < size; i++) s->slots.items[s->slots.count++] = NO_CHAIN;
    }
    slot = slot_in(s, first, size, past);
    if (slot < size) break;
  }
  uint32_t *set = s->slots.items + first, chain = set[slot];
  if (chain == NO_CHAIN) {
    eo_chain fresh = {.priority = eo__rng_next(&s->sampler.rng) | DRAWN};
    if (!eo_vec_push(&s->chains, fresh)) return no_memory(s), NO_CHAIN;
    chain = (uint32_t)s->chains.count - 1;
  }
  set[slot] = set[0];
  set[0] = chain;
  for (uint32_t i = 1; i < size; i++) { /* the set before it has one slot less */
    uint32_t moved = set[i];
    set[i] = set[(int32_t)(i - size)];
    set[(int32_t)(i - size)] = moved;
  }
  return chain;
}

/* ---- What is about to happen ------------------------------------------------------------------------------------ */

/* Nobody else notices these, but by what the process does next. */
static bool by_itself(uint32_t op) {
  return op == EO_OP_RECEIVE || op == EO_OP_SPAWN || eo__op_chooses(op) || op == EO_OP_SLEEP;
}

bool eo__chains_matters(const eo_chain_sampler *sampler, eo_choice choice, const eo_pending *pending) {
  if (sampler->shares || choice.kind == EO_CHOICE_TAKE || pending->timed) return true;
  if (by_itself(choice.op)) return choice.process < sampler->shows.count && sampler->shows.items[choice.process];
  return choice.op != EO_OP_SEND || sampler->queues || pending->touch_count > 0;
}

/* Did the last event, of an operation that concerns nobody else, touch what another process touched before? */
static bool has_shown(const eo_trace *trace) {
  const eo_record *record = &eo_vec_last(&trace->records);
  if (!by_itself(record->op)) return false;
  for (uint32_t i = 0; i < record->touches; i++) {
    uint32_t object = trace->touches.items[record->first_touch + i].object;
    for (size_t j = trace->objects.items[object].list.count; j-- > 0;)
      if (trace->records.items[trace->objects.items[object].list.items[j].by].process != record->process) return true;
  }
  return false;
}

static bool set_shows(eo_chain_sampler *s, uint32_t process) {
  while (s->shows.count <= process)
    if (!eo_vec_push(&s->shows, false)) return no_memory(s);
  return s->shows.items[process] = true;
}

static const uint32_t *clock_at(const eo_chain_sampler *s, uint32_t position) {
  return position == EO_NO_EVENT ? NULL : eo_trace_clock(&s->trace, position);
}

static const uint32_t *clock_of_message(const eo_chain_sampler *s, uint32_t message) {
  uint32_t mail = message && message < s->trace.mail_of.count ? s->trace.mail_of.items[message] : 0;
  return mail ? clock_at(s, s->trace.mails.items[mail - 1].by) : NULL;
}

/* After what its process did last, or after its spawn. */
static const uint32_t *clock_of_process(const eo_chain_sampler *s, uint32_t process) {
  if (process >= s->trace.threads.count) return NULL;
  const eo_thread *thread = &s->trace.threads.items[process];
  return clock_at(s, thread->last != EO_NO_EVENT ? thread->last : thread->spawner);
}

static bool know(eo_chain_sampler *s, uint32_t process) {
  while (s->upcoming.count <= process)
    if (!eo_vec_push(&s->upcoming, (eo_upcoming){0})) return no_memory(s);
  return true;
}

/* A message that is chosen to be taken is an event of its own: what comes before it is what came before its send. */
static uint32_t chain_of_message(eo_chain_sampler *s, eo_choice choice) {
  while (s->message_chain.count <= choice.value)
    if (!eo_vec_push(&s->message_chain, 0)) return no_memory(s), NO_CHAIN;
  uint32_t *chain = &s->message_chain.items[choice.value];
  if (*chain == 0) {
    causes past = {.source = clock_of_message(s, choice.value), .process = choice.process};
    uint32_t found = find_chain(s, &past);
    if (found == NO_CHAIN) return NO_CHAIN;
    s->chains.items[found].index = UINT32_MAX;
    *chain = found + 1;
  }
  return *chain - 1;
}

/* The chain that this choice belongs to. CALM_CHOICE: it is no event. NO_CHAIN: no memory. */
static uint32_t chain_of(eo_chain_sampler *s, eo_choice choice) {
  uint32_t process = choice.process;
  if (process >= s->upcoming.count && !know(s, process)) return NO_CHAIN;
  if (s->traced && choice.kind == EO_CHOICE_TAKE && choice.value) return chain_of_message(s, choice);
  eo_upcoming *next = &s->upcoming.items[process];
  if (next->known) return next->event ? next->chain : CALM_CHOICE;
  eo_pending pending = {.to = EO_NO_PROCESS};
  if (s->traced) s->view.relations->pending(s->view.of, process, &pending);
  next->known = true;
  next->event = !s->traced || s->is_event(s, choice, &pending);
  if (!next->event) return CALM_CHOICE;
  causes past = {.process = process};
  if (s->traced) {
    past.own = clock_of_process(s, process);
    past.source = clock_of_message(s, pending.message);
  }
  next->chain = find_chain(s, &past);
  if (next->chain == NO_CHAIN) return NO_CHAIN;
  eo_chain *chain = &s->chains.items[next->chain];
  chain->process = process;
  chain->index = s->traced && process < s->trace.threads.count ? s->trace.threads.items[process].events : 0;
  return next->chain;
}

/* ---- An execution ----------------------------------------------------------------------------------------------- */

/* What goes at once, or else the choice of the highest chain. UINT32_MAX: no memory. */
static uint32_t highest(eo_chain_sampler *s, const eo_point *point, bool *calm) {
  uint32_t best = UINT32_MAX;
  uint64_t most = 0;
  for (uint32_t i = 0; i < point->count; i++) {
    uint32_t chain = chain_of(s, point->choices[i]);
    if (chain == NO_CHAIN) return UINT32_MAX;
    if (chain == CALM_CHOICE) {
      *calm = true;
      return i;
    }
    if (s->chains.items[chain].priority <= most) continue;
    most = s->chains.items[chain].priority;
    best = i;
  }
  return best;
}

static void change(eo_chain_sampler *s, eo_choice choice) {
  uint32_t chain = chain_of(s, choice);
  for (uint32_t i = 0; i < s->point_count; i++)
    if (s->points[i] == s->next_point) s->chains.items[chain].priority = i + 1;
  s->next_point = point_from(s, s->next_point + 1);
}

/* Beyond the events that are spoken of: evenly. */
static uint32_t at_random(eo_chain_sampler *s, const eo_point *point) {
  uint32_t drawn = point->count == 1 ? 0 : eo__rng_below(&s->sampler.rng, point->count);
  uint32_t chain = chain_of(s, point->choices[drawn]);
  if (chain == NO_CHAIN) return EO_PRUNE;
  s->events += chain != CALM_CHOICE;
  return drawn;
}

uint32_t eo__chains_choose(eo_strategy *strategy, const eo_point *point) {
  eo_chain_sampler *s = (eo_chain_sampler *)strategy;
  bool calm = false;
  if (strategy->error) return EO_PRUNE; /* the trace is not whole */
  if (s->events >= s->length || s->calm > CALM) return at_random(s, point);
  uint32_t best = highest(s, point, &calm);
  if (best != UINT32_MAX && !calm && s->events == s->next_point) {
    change(s, point->choices[best]);
    best = highest(s, point, &calm);
  }
  if (best == UINT32_MAX) return EO_PRUNE;
  s->calm = calm ? s->calm + 1 : 0;
  s->events += !calm;
  /* Messages to take are events of their own, values are not. */
  return s->traced && point->choices[best].kind == EO_CHOICE_TAKE ? best : eo__sampler_value(&s->sampler, point, best);
}

void eo__chains_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  eo_chain_sampler *s = (eo_chain_sampler *)strategy;
  (void)depth;
  s->upcoming.items[taken.process].known = false;
  if (!s->traced) return;
  if (!eo__trace_add(&s->trace, taken, event)) {
    no_memory(s);
    return;
  }
  if (eo__sampler_learns(&s->sampler) && has_shown(&s->trace)) set_shows(s, taken.process);
  bool took = taken.kind == EO_CHOICE_TAKE && taken.value && taken.value < s->message_chain.count;
  uint32_t chain = took ? s->message_chain.items[taken.value] : 0;
  if (!chain) return;
  s->chains.items[chain - 1].process = taken.process; /* it has happened: others can follow it */
  s->chains.items[chain - 1].index = eo_vec_last(&s->trace.records).index;
}

void eo__chains_end(eo_strategy *strategy, eo_outcome *outcome) {
  eo_chain_sampler *s = (eo_chain_sampler *)strategy;
  (void)outcome;
  if (!eo__sampler_learns(&s->sampler)) return;
  if (s->chains.count > s->most) s->most = (uint32_t)s->chains.count;
  if (s->adapts && s->events > s->length) s->length = s->events;
  if (s->traced) s->shares |= (s->view.relations->unseen(s->view.of) & EO_DOUBT_SHARING) != 0;
}

/* ---- Fragments -------------------------------------------------------------------------------------------------- */

bool eo__chains_write(const eo_chain_sampler *sampler, eo_bytes *out) {
  uint32_t count = 0;
  for (size_t i = 0; i < sampler->shows.count; i++) count += sampler->shows.items[i];
  bool good = eo__fragment_number(out, sampler->length) && eo__fragment_number(out, sampler->most) &&
              eo__fragment_number(out, sampler->shares) && eo__fragment_number(out, count);
  for (uint32_t i = 0; i < sampler->shows.count && good; i++)
    if (sampler->shows.items[i]) good = eo__sampler_write_process(&sampler->view, i, out);
  return good;
}

bool eo__chains_read(eo_chain_sampler *sampler, eo_fragment_reader *reader) {
  sampler->length = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  sampler->most = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  sampler->shares = eo__fragment_read(reader, 1) != 0;
  for (uint64_t left = eo__fragment_read(reader, UINT32_MAX); left && !reader->bad; left--) {
    uint32_t process = eo__sampler_read_process(&sampler->view, reader);
    if (!reader->bad && !set_shows(sampler, process)) return false;
  }
  return true;
}
