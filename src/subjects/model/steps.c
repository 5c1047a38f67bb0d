/* steps.c: evaluating expressions, which steps are possible, and taking one. The order of trying, the floor, timeout and
 * rendezvous are pan's (new_state in pan.c, do_transit and pan.m). */
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"
#include "subjects/model/trace.h"

enum { SHORT_DSTEP = 1024 }; /* statements of a d_step before it is asked whether it goes round */

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

unsigned char *eo__promela_place(eo_promela_run *run, const eo_promela_ref *ref) {
  size_t base = ref->global ? EO_PROMELA_GLOBALS_AT : run->process_at[run->who];
  size_t at = base + ref->offset;
  for (uint32_t i = 0; i < ref->index_count; i++) {
    const eo_promela_index *index = &ref->indices[i];
    int32_t value = eo__promela_value(run, index->value);
    if (value < 0 || (uint32_t)value >= index->bound) {
      eo__promela_fail(run, EO_KIND_CRASH, "index %d of '%s', an array of %u", (int)value, ref->symbol->name,
                       index->bound);
      return NULL;
    }
    at += (size_t)value * index->stride;
  }
  return run->state + at;
}

static int32_t variable(eo_promela_run *run, const eo_promela_ref *ref) {
  if (!ref->index_count && ref->cell.size == 1)
    return run->state[(ref->global ? EO_PROMELA_GLOBALS_AT : run->process_at[run->who]) + ref->offset];
  const unsigned char *at = eo__promela_place(run, ref);
  return at ? eo__promela_cell_read(ref->cell, at) : 0;
}

/* The number of a channel; 0: it failed. */
static uint32_t channel_of(eo_promela_run *run, const eo_promela_expr *e) {
  int32_t channel = variable(run, e->ref);
  if (run->failed) return 0;
  if (channel < 1 || (uint32_t)channel > eo_promela_channels(run)) {
    eo__promela_fail(run, EO_KIND_CRASH, "'%s' is %s", e->ref->symbol->name,
                     channel ? "a channel that is gone" : "no channel: it was never set to one");
    return 0;
  }
  return (uint32_t)channel;
}

static bool full(const eo_promela_run *run, uint32_t channel) {
  if (run->delivery) return false;
  uint32_t capacity = eo__promela_channel(run, channel)->capacity;
  return eo__promela_channel_length(run, channel) == (capacity ? capacity : 1);
}

static int32_t about_channel(eo_promela_run *run, const eo_promela_expr *e) {
  uint32_t channel = channel_of(run, e->a);
  if (!channel) return 0;
  uint32_t length = eo__promela_channel_length(run, channel);
  switch (e->op) {
    case EO_PROMELA_FULL: return full(run, channel);
    case EO_PROMELA_NFULL: return !full(run, channel);
    case EO_PROMELA_EMPTY: return length == 0;
    case EO_PROMELA_NEMPTY: return length != 0;
    case EO_PROMELA_POLL: return eo__promela_match(run, e->receive, channel) != UINT32_MAX;
    default: return (int32_t)length;
  }
}

static int32_t divide(eo_promela_run *run, int32_t a, int32_t b, bool rest) {
  if (b == 0) {
    eo__promela_fail(run, EO_KIND_CRASH, "division by zero");
    return 0;
  }
  if (b == -1) return rest ? 0 : (int32_t)(0u - (uint32_t)a);
  return rest ? a % b : a / b;
}

static int32_t start_process(eo_promela_run *run, const eo_promela_expr *e) {
  int32_t arguments[256];
  for (uint32_t i = 0; i < e->argument_count && i < 256; i++) arguments[i] = eo__promela_value(run, e->arguments[i]);
  uint32_t process = run->failed ? 0 : eo__promela_add_process(run, e->proctype, arguments);
  if (run->model->ranks && !run->failed) eo__promela_set_rank(run, process, e->rank);
  return run->failed ? 0 : (int32_t)process;
}

static int32_t rank_of(eo_promela_run *run, const eo_promela_expr *e) {
  int32_t pid = eo__promela_value(run, e->a);
  return pid >= 0 && (uint32_t)pid < eo_promela_processes(run) ? (int32_t)eo__promela_rank(run, (uint32_t)pid) : 0;
}

static int32_t binary(eo_promela_run *run, const eo_promela_expr *e) {
  int32_t a = eo__promela_value(run, e->a);
  if (e->op == EO_PROMELA_AND) return a && eo__promela_value(run, e->b);
  if (e->op == EO_PROMELA_OR) return a || eo__promela_value(run, e->b);
  int32_t b = eo__promela_value(run, e->b);
  uint32_t ua = (uint32_t)a, ub = (uint32_t)b;
  switch (e->op) {
    case EO_PROMELA_ADD: return (int32_t)(ua + ub);
    case EO_PROMELA_SUBTRACT: return (int32_t)(ua - ub);
    case EO_PROMELA_MULTIPLY: return (int32_t)(ua * ub);
    case EO_PROMELA_DIVIDE: return divide(run, a, b, false);
    case EO_PROMELA_MODULO: return divide(run, a, b, true);
    case EO_PROMELA_AND_BITS: return a & b;
    case EO_PROMELA_XOR_BITS: return a ^ b;
    case EO_PROMELA_OR_BITS: return a | b;
    case EO_PROMELA_LEFT: return (int32_t)(ua << (ub & 31));
    case EO_PROMELA_RIGHT: return a >> (ub & 31);
    case EO_PROMELA_LESS: return a < b;
    case EO_PROMELA_GREATER: return a > b;
    case EO_PROMELA_LESS_EQUAL: return a <= b;
    case EO_PROMELA_GREATER_EQUAL: return a >= b;
    case EO_PROMELA_EQUAL: return a == b;
    default: return a != b;
  }
}

/* ---- Other processes, for properties ---- */

/* The process that a property speaks of; EO_PROMELA_NOBODY: there is none. */
static uint32_t spoken_of(eo_promela_run *run, const eo_promela_expr *e) {
  uint32_t processes = eo_promela_processes(run);
  if (e->a) {
    int32_t pid = eo__promela_value(run, e->a);
    bool there =
        pid >= 0 && (uint32_t)pid < processes && eo__promela_process(run, (uint32_t)pid)->number == e->proctype;
    return there ? (uint32_t)pid : EO_PROMELA_NOBODY;
  }
  for (uint32_t i = 0; i < processes; i++)
    if (eo__promela_process(run, i)->number == e->proctype) return i;
  return EO_PROMELA_NOBODY;
}

static int32_t of_another(eo_promela_run *run, const eo_promela_expr *e) {
  uint32_t process = spoken_of(run, e), asker = run->who;
  if (process == EO_PROMELA_NOBODY) return 0;
  if (e->op == EO_PROMELA_AT_LABEL) return eo__promela_location_of(run, process) == (uint32_t)e->value;
  run->who = process;
  int32_t value = variable(run, e->ref);
  run->who = asker;
  return value;
}

static bool nobody_progresses(const eo_promela_run *run) {
  for (uint32_t i = 0; i < eo_promela_processes(run); i++)
    if (eo__promela_process(run, i)->locations[eo__promela_location_of(run, i)].progress) return false;
  return true;
}

int32_t eo__promela_value(eo_promela_run *run, const eo_promela_expr *e) {
  switch (e->op) {
    case EO_PROMELA_CONST: return e->value;
    case EO_PROMELA_VAR: return variable(run, e->ref);
    case EO_PROMELA_PID: return (int32_t)run->who;
    case EO_PROMELA_NR_PR: return run->state[0];
    case EO_PROMELA_TIMEOUT: return run->timeout;
    case EO_PROMELA_NOT: return !eo__promela_value(run, e->a);
    case EO_PROMELA_NEGATE: return (int32_t)(0u - (uint32_t)eo__promela_value(run, e->a));
    case EO_PROMELA_INVERT: return ~eo__promela_value(run, e->a);
    case EO_PROMELA_IF: return eo__promela_value(run, eo__promela_value(run, e->a) ? e->b : e->c);
    case EO_PROMELA_LEN:
    case EO_PROMELA_FULL:
    case EO_PROMELA_NFULL:
    case EO_PROMELA_EMPTY:
    case EO_PROMELA_NEMPTY:
    case EO_PROMELA_POLL: return about_channel(run, e);
    case EO_PROMELA_RUN: return start_process(run, e);
    case EO_PROMELA_RANK_OF: return rank_of(run, e);
    case EO_PROMELA_AT_LABEL:
    case EO_PROMELA_REMOTE: return of_another(run, e);
    case EO_PROMELA_NP: return nobody_progresses(run);
    case EO_PROMELA_IMPLIES: return !eo__promela_value(run, e->a) || eo__promela_value(run, e->b);
    case EO_PROMELA_EQUIVALENT: return !eo__promela_value(run, e->a) == !eo__promela_value(run, e->b);
    default: return binary(run, e);
  }
}

int32_t eo__promela_evaluate(eo_promela_run *run, uint32_t process, const eo_promela_expr *e) {
  run->who = process;
  return eo__promela_value(run, e);
}

uint32_t eo__promela_channel_meant(eo_promela_run *run, uint32_t process, const eo_promela_transition *t) {
  bool failed = run->failed;
  run->who = process;
  uint32_t channel = channel_of(run, t->message->channel);
  run->failed = failed;
  return channel;
}

/* ---- What is possible -------------------------------------------------------------------------------------------- */

typedef enum readiness { BLOCKED, READY, MEETING /* a send that needs a receiver now */ } readiness;

static readiness ready(eo_promela_run *run, const eo_promela_transition *t);

static readiness ready_to_communicate(eo_promela_run *run, const eo_promela_transition *t) {
  uint32_t channel = channel_of(run, t->message->channel);
  if (!channel) return READY; /* taking it tells what is wrong */
  bool meets = !run->delivery && eo__promela_channel(run, channel)->capacity == 0;
  if (t->kind == EO_PROMELA_SEND) return full(run, channel) ? BLOCKED : meets ? MEETING : READY;
  return !meets && eo__promela_match(run, t->message, channel) != UINT32_MAX ? READY : BLOCKED;
}

/* The first that can be taken at a node of a d_step. */
static const eo_promela_transition *first_ready(eo_promela_run *run, const eo_promela_dnode *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    const eo_promela_transition *t = node->transitions[i];
    run->work++;
    if (t->kind == EO_PROMELA_ELSE || ready(run, t) != BLOCKED || run->failed) return t;
  }
  return NULL;
}

/* A receive of a rendezvous that this d_step can begin with: pan takes part in it, which is not supported here. A process
 * that merely waited there would hide all that comes after. */
static const eo_promela_transition *first_meeting(eo_promela_run *run, const eo_promela_dstep *d) {
  for (uint32_t i = 0; i < d->nodes[0].count && !run->delivery; i++) {
    const eo_promela_transition *t = d->nodes[0].transitions[i];
    uint32_t channel = t->kind == EO_PROMELA_RECEIVE ? eo__promela_channel_meant(run, run->who, t) : 0;
    if (channel && eo__promela_channel(run, channel)->capacity == 0) return t;
  }
  return NULL;
}

static readiness ready(eo_promela_run *run, const eo_promela_transition *t) {
  run->doing = t;
  switch (t->kind) {
    case EO_PROMELA_CONDITION:
      if (t->value->op == EO_PROMELA_RUN) return READY;
      return eo__promela_value(run, t->value) || run->failed ? READY : BLOCKED;
    case EO_PROMELA_SEND:
    case EO_PROMELA_RECEIVE: {
      readiness r = ready_to_communicate(run, t);
      return run->failed ? READY : r;
    }
    case EO_PROMELA_DSTEP:
      return first_meeting(run, t->dstep) || first_ready(run, &t->dstep->nodes[0]) ? READY : BLOCKED;
    case EO_PROMELA_EXIT: return run->who + 1 == eo_promela_processes(run) ? READY : BLOCKED;
    default: return READY;
  }
}

/* May the process do anything? If that cannot be said, it may, and taking a step tells why. */
static bool provided(eo_promela_run *run, uint32_t process) {
  const eo_promela_expr *condition = eo__promela_process(run, process)->provided;
  if (!condition) return true;
  bool holds = eo__promela_evaluate(run, process, condition) || run->failed;
  run->failed = false;
  return holds;
}

/* Of those who can receive, the ones with the highest priority do. From step `from` on. */
static void leave_highest(const eo_promela_run *run, eo_promela_steps *steps, size_t from) {
  uint32_t highest = 0;
  for (size_t i = from; i < steps->count; i++) {
    uint32_t rank = eo__promela_rank(run, steps->items[i].receiver);
    if (rank > highest) highest = rank;
  }
  size_t left = from;
  for (size_t i = from; i < steps->count; i++)
    if (eo__promela_rank(run, steps->items[i].receiver) == highest) steps->items[left++] = steps->items[i];
  steps->count = left;
}

/* The receives that can meet this send: the message is put into the channel for as long as they are asked. */
static bool add_meetings(eo_promela_run *run, uint32_t sender, uint32_t transition, const eo_promela_transition *t,
                         eo_promela_steps *steps) {
  uint32_t channel = channel_of(run, t->message->channel);
  eo__promela_put(run, t->message, channel);
  if (run->failed)
    return eo_vec_push(steps, ((eo_promela_step){(uint16_t)sender, (uint16_t)transition, EO_PROMELA_NO_RECEIVER, 0}));
  bool good = true;
  size_t before = steps->count;
  for (uint32_t other = 0; other < eo_promela_processes(run) && good; other++) {
    if (other == sender || !provided(run, other)) continue;
    const eo_promela_location *l = &eo__promela_process(run, other)->locations[eo__promela_location_of(run, other)];
    uint32_t escape = 0;
    run->who = other;
    run->work += l->count;
    for (uint32_t i = 0; i < l->count && good; i++) {
      const eo_promela_transition *r = l->transitions[i];
      if (escape && r->escape != escape) break;
      if (r->kind != EO_PROMELA_RECEIVE || eo__promela_channel_meant(run, other, r) != channel) continue;
      run->doing = r;
      bool match = eo__promela_match(run, r->message, channel) != UINT32_MAX || run->failed;
      run->failed = false;
      if (!match) continue;
      escape = r->escape;
      good =
          eo_vec_push(steps, ((eo_promela_step){(uint16_t)sender, (uint16_t)transition, (uint16_t)other, (uint16_t)i}));
    }
  }
  run->who = sender;
  if (run->model->ranks) leave_highest(run, steps, before);
  unsigned char *head = run->state + run->channel_at[channel - 1];
  memset(head + 2, 0, 2 + eo__promela_channel(run, channel)->slot);
  return good;
}

/* A receive from a port: a step for each message that it can take. */
static bool add_messages(eo_promela_run *run, uint32_t process, uint32_t transition, const eo_promela_transition *t,
                         eo_promela_steps *steps) {
  uint32_t channel = channel_of(run, t->message->channel);
  if (!channel || t->message->count != eo__promela_channel(run, channel)->field_count)
    return eo_vec_push(steps, ((eo_promela_step){(uint16_t)process, (uint16_t)transition, EO_PROMELA_NO_RECEIVER, 0}));
  for (uint32_t slot = 0; slot < eo__promela_channel_length(run, channel); slot++) {
    if (!eo__port_offers(run, channel, slot) || eo__port_twin(run, channel, slot)) continue;
    if (!eo__promela_matches(run, t->message, channel, slot)) continue;
    if (!eo_vec_push(steps, ((eo_promela_step){(uint16_t)process, (uint16_t)transition, EO_PROMELA_NO_RECEIVER,
                                               (uint16_t)slot})))
      return false;
  }
  return true;
}

static bool add_enabled(eo_promela_run *run, uint32_t process, eo_promela_steps *steps);

/* Can a process with a higher priority do something? */
static bool outranked(eo_promela_run *run, uint32_t process, bool *higher) {
  eo_promela_steps steps = {0};
  bool good = true;
  *higher = false;
  for (uint32_t i = 0; i < eo_promela_processes(run) && good && !*higher; i++) {
    if (eo__promela_rank(run, i) <= eo__promela_rank(run, process)) continue;
    good = add_enabled(run, i, &steps);
    *higher = steps.count > 0;
  }
  eo_vec_release(&steps);
  return good;
}

bool eo__promela_enabled_of(eo_promela_run *run, uint32_t process, eo_promela_steps *steps) {
  bool higher = false;
  if (run->model->ranks && !outranked(run, process, &higher)) return false;
  return higher || add_enabled(run, process, steps);
}

static bool add_enabled(eo_promela_run *run, uint32_t process, eo_promela_steps *steps) {
  const eo_promela_location *l = &eo__promela_process(run, process)->locations[eo__promela_location_of(run, process)];
  size_t before = steps->count;
  uint32_t escape = 0; /* that is taken */
  run->who = process;
  run->failed = false; /* of an assertion before */
  if (!provided(run, process)) return true;
  for (uint32_t i = 0; i < l->count; i++) {
    const eo_promela_transition *t = l->transitions[i];
    run->work++;
    if (escape && t->escape != escape) return true;
    if (t->kind == EO_PROMELA_ELSE && steps->count > before) continue;
    readiness r = ready(run, t);
    run->failed = false; /* taking it will tell */
    if (r == BLOCKED) continue;
    bool takes = run->delivery && t->kind == EO_PROMELA_RECEIVE;
    bool good =
        r == MEETING ? add_meetings(run, process, i, t, steps)
        : takes      ? add_messages(run, process, i, t, steps)
                : eo_vec_push(steps, ((eo_promela_step){(uint16_t)process, (uint16_t)i, EO_PROMELA_NO_RECEIVER, 0}));
    run->failed = false;
    if (steps->count > before) escape = t->escape;
    if (!good) {
      run->no_memory = true;
      return false;
    }
  }
  return true;
}

bool eo__promela_enabled(eo_promela_run *run, eo_promela_steps *steps) {
  uint32_t floor = eo__promela_floor(run), processes = eo_promela_processes(run);
  run->timeout = false;
  eo_vec_clear(steps);
  if (floor != EO_PROMELA_NOBODY && floor < processes) {
    if (!eo__promela_enabled_of(run, floor, steps)) return false;
    if (steps->count) return true;
  }
  for (int again = 0; again < 2 && !steps->count; again++) {
    run->timeout = again == 1;
    for (uint32_t i = 0; i < processes; i++)
      if (!eo__promela_enabled_of(run, i, steps)) return false;
  }
  return true;
}

/* ---- Taking a step ----------------------------------------------------------------------------------------------- */

static void perform(eo_promela_run *run, const eo_promela_transition *t);

/* Whether a d_step goes round for ever. It is deterministic, so that it does when it comes to the same node and state
 * again: it is compared with where it stood after a number of statements that doubles (Brent's algorithm). */
typedef struct rounds {
  unsigned char *state;
  size_t size;
  uint32_t node;
  uint64_t next; /* statement after which it is kept again */
} rounds;

static bool goes_round(eo_promela_run *run, rounds *r, uint64_t statements, uint32_t node) {
  if (r->state && r->node == node && r->size == run->size && memcmp(r->state, run->state, run->size) == 0) return true;
  if (statements < r->next) return false;
  unsigned char *grown = eo__realloc(r->state, run->size);
  if (!grown) {
    eo__promela_no_memory(run);
    return false;
  }
  memcpy(grown, run->state, run->size);
  *r = (rounds){grown, run->size, node, statements * 2};
  return false;
}

static void perform_dstep_at(eo_promela_run *run, const eo_promela_dstep *d, rounds *r) {
  uint32_t node = 0;
  for (uint64_t statements = 0; node != EO_PROMELA_DSTEP_END; statements++) {
    const eo_promela_transition *t = first_ready(run, &d->nodes[node]);
    if (run->failed) return;
    bool endless = statements >= SHORT_DSTEP && goes_round(run, r, statements, node);
    if (!t || endless) {
      if (d->nodes[node].count) run->doing = d->nodes[node].transitions[0];
      eo__promela_fail(run, EO_KIND_CRASH,
                       t ? "a d_step that does not end" : "a d_step cannot go on here: nothing can be taken");
      return;
    }
    if (statements && eo_promela_halts(run)) {
      run->failed = run->halted = true;
      return;
    }
    run->doing = t;
    if (t->kind == EO_PROMELA_SEND) {
      uint32_t channel = channel_of(run, t->message->channel);
      if (channel && eo__promela_channel(run, channel)->capacity == 0)
        eo__promela_fail(run, EO_KIND_CRASH, "a rendezvous inside a d_step");
    }
    if (run->failed) return;
    perform(run, t);
    if (run->failed) return;
    node = t->to;
  }
}

static void perform_dstep(eo_promela_run *run, const eo_promela_dstep *d) {
  rounds r = {.next = SHORT_DSTEP};
  const eo_promela_transition *meeting = first_meeting(run, d);
  if (meeting) {
    run->doing = meeting;
    eo__promela_fail(run, EO_KIND_CRASH, "a rendezvous inside a d_step");
    return;
  }
  perform_dstep_at(run, d, &r);
  eo__free(r.state);
}

/* Does another process claim the channel for itself? */
static void check_claims(eo_promela_run *run, const eo_promela_transition *t, uint32_t channel) {
  uint32_t who = run->who, processes = eo_promela_processes(run);
  bool receives = t->kind == EO_PROMELA_RECEIVE;
  for (uint32_t i = 0; i < processes; i++) {
    const eo_promela_proctype *p = eo__promela_process(run, i);
    for (uint32_t k = 0; i != who && k < p->claim_count; k++) {
      if (p->claims[k].receives != receives) continue;
      run->who = i;
      bool same = variable(run, p->claims[k].channel) == (int32_t)channel;
      run->who = who;
      if (same)
        eo__promela_fail(run, EO_KIND_ASSERTION, "assertion violated: %s %s, which P%u:%s claims for itself",
                         receives ? "xr" : "xs", p->claims[k].channel->symbol->name, i, p->name);
    }
  }
}

static void set_rank(eo_promela_run *run, const eo_promela_transition *t) {
  int32_t pid = eo__promela_value(run, t->arguments[0]), rank = eo__promela_value(run, t->value);
  if (run->failed || pid < 0 || (uint32_t)pid >= eo_promela_processes(run)) return; /* of nobody: nothing, as in pan */
  if (rank < 1 || rank > 255)
    eo__promela_fail(run, EO_KIND_CRASH, "a priority of %d; there can be 1 to 255", (int)rank);
  else
    eo__promela_set_rank(run, (uint32_t)pid, (uint32_t)rank);
}

static void perform(eo_promela_run *run, const eo_promela_transition *t) {
  switch (t->kind) {
    case EO_PROMELA_CONDITION:
      if (t->value->op == EO_PROMELA_RUN) start_process(run, t->value);
      break;
    case EO_PROMELA_ASSIGN: {
      int32_t value = eo__promela_value(run, t->value);
      unsigned char *at = eo__promela_place(run, t->target);
      if (at) eo__promela_write(t->target->cell, at, value);
      break;
    }
    case EO_PROMELA_SEND: {
      uint32_t channel = channel_of(run, t->message->channel);
      if (channel && run->model->claims) check_claims(run, t, channel);
      if (channel && run->model->trace) eo__trace_sends(run, t->message, channel);
      if (channel) eo__promela_put(run, t->message, channel);
      break;
    }
    case EO_PROMELA_RECEIVE: {
      uint32_t channel = channel_of(run, t->message->channel);
      uint32_t slot = !channel ? UINT32_MAX : run->delivery ? run->slot : eo__promela_match(run, t->message, channel);
      if (channel && run->model->claims) check_claims(run, t, channel);
      if (slot != UINT32_MAX && run->model->trace && !t->message->copies) eo__trace_receives(run, channel, slot);
      if (slot != UINT32_MAX) eo__promela_get(run, t->message, channel, slot);
      break;
    }
    case EO_PROMELA_RANK: set_rank(run, t); break;
    case EO_PROMELA_ASSERT:
      if (!eo__promela_value(run, t->value))
        eo__promela_fail(run, EO_KIND_ASSERTION, "assertion violated: %s", t->text);
      break;
    case EO_PROMELA_PRINT:
      for (uint32_t i = 0; i < t->argument_count; i++) eo__promela_value(run, t->arguments[i]);
      break;
    case EO_PROMELA_DSTEP: perform_dstep(run, t->dstep); break;
    default: break;
  }
}

static void go(eo_promela_run *run, uint32_t process, const eo_promela_transition *t) {
  uint16_t to = (uint16_t)t->to;
  memcpy(run->state + run->process_at[process] + 2, &to, sizeof to);
  run->state[2] = t->atomic ? (unsigned char)(process + 1) : 0;
}

static void apply(eo_promela_run *run, eo_promela_step step) {
  const eo_promela_transition *t = eo__promela_transition_of(run, step.process, step.transition);
  run->who = step.process;
  run->slot = step.receiver_transition;
  run->doing = t;
  const eo_promela_expr *condition = eo__promela_process(run, step.process)->provided;
  if (condition) eo__promela_value(run, condition);
  if (t->kind == EO_PROMELA_CONDITION && t->value->op != EO_PROMELA_RUN) eo__promela_value(run, t->value);
  if (!run->failed) perform(run, t);
  if (run->failed) return;
  if (t->kind == EO_PROMELA_EXIT) {
    run->state[2] = 0;
    eo__promela_end_process(run);
    return;
  }
  go(run, step.process, t);
  if (step.receiver == EO_PROMELA_NO_RECEIVER) return;
  const eo_promela_transition *r = eo__promela_transition_of(run, step.receiver, step.receiver_transition);
  run->who = step.receiver;
  run->doing = r;
  perform(run, r);
  if (!run->failed) go(run, step.receiver, r);
}

bool eo__promela_apply(eo_promela_run *run, eo_promela_step step) {
  run->failed = run->asserted = run->halted = false;
  run->work++;
  apply(run, step);
  run->failed |= run->asserted;
  return !run->failed;
}
