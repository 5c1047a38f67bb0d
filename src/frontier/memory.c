/* memory.c: see memory.h.
 *
 * Fragments lie in slots, which are reused. Each slot is in one list: of those that nobody has claimed, in the order they
 * came, of those with one claim and with two, ordered by when the first of these runs out; or of free slots. So taking
 * and handing back cost the same however many fragments there are. A fragment's number is never used again, so that a
 * result that comes late finds another number in the slot, or none, and is refused. */
#include "frontier/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "frontier/policy.h"

enum { MOST_CLAIMS = 2, FREE = MOST_CLAIMS + 1, LISTS, SLOT_BITS = 24, MOST_FINDINGS = 1000 };
#define NONE UINT32_MAX

typedef struct holder {
  uint64_t token;
  double deadline;
} holder;

typedef struct fragment {
  uint64_t number; /* 0: a free slot */
  eo_bytes bytes;
  uint32_t claims;
  holder holders[MOST_CLAIMS];
  uint64_t allotted; /* executions, while it is claimed */
  uint32_t pieces;   /* it may become while it is claimed; else 1 */
  bool looked;       /* the claim is only to see whether anything is in it */
  uint32_t list, before, after;
} fragment;

typedef struct visitor {
  uint64_t name; /* its hash; 0: none */
  double last;   /* time it asked */
} visitor;

typedef struct memory {
  eo_frontier base;
  eo_job_limits limits;
  eo_tally total;
  eo_strings findings;
  EO_VEC(eo_failure) known; /* one for each finding */
  eo_strings beside;        /* what probes and scouts met; the same may be among the findings by now */
  EO_VEC(fragment) slots;
  struct {
    uint32_t first, last;
    uint64_t count;
  } lists[LISTS];
  uint64_t numbers, tokens; /* given so far */
  uint64_t bytes;           /* of all fragments */
  uint64_t finished;        /* fragments that were removed: as many as there are numbers, less those that are left */
  uint64_t expected;        /* sum of all pieces */
  uint64_t allotted;        /* sum of all allotted */
  uint64_t lost, late;
  eo_bytes last;            /* limits.last, copied; empty: it was given out, or there is none */
  EO_VEC(visitor) visitors; /* a hash table, half empty */
  uint32_t visitor_count;
  char stopped[128];
} memory;

/* ---- Lists ------------------------------------------------------------------------------------------------------ */

static double runs_out(const fragment *f) {
  double first = f->holders[0].deadline;
  return f->claims == 2 && f->holders[1].deadline < first ? f->holders[1].deadline : first;
}

static void leave(memory *m, uint32_t slot) {
  fragment *f = &m->slots.items[slot];
  m->lists[f->list].count--;
  *(f->before == NONE ? &m->lists[f->list].first : &m->slots.items[f->before].after) = f->after;
  *(f->after == NONE ? &m->lists[f->list].last : &m->slots.items[f->after].before) = f->before;
}

/* At the end, or before those that run out later. Budgets being much alike, that is near the end. */
static void join(memory *m, uint32_t slot, uint32_t list) {
  fragment *f = &m->slots.items[slot];
  uint32_t before = m->lists[list].last;
  bool timed = list == 1 || list == 2;
  while (timed && before != NONE && runs_out(&m->slots.items[before]) > runs_out(f))
    before = m->slots.items[before].before;
  f->list = list;
  f->before = before;
  f->after = before == NONE ? m->lists[list].first : m->slots.items[before].after;
  *(f->before == NONE ? &m->lists[list].first : &m->slots.items[f->before].after) = slot;
  *(f->after == NONE ? &m->lists[list].last : &m->slots.items[f->after].before) = slot;
  m->lists[list].count++;
}

static void move(memory *m, uint32_t slot, uint32_t list) {
  leave(m, slot);
  join(m, slot, list);
}

/* Room for so many more fragments. */
static bool make_room(memory *m, size_t count) {
  while (m->lists[FREE].count < count) {
    if (m->slots.count >= (1u << SLOT_BITS) || !eo_vec_push(&m->slots, ((fragment){0}))) return false;
    join(m, (uint32_t)m->slots.count - 1, FREE);
  }
  return true;
}

/* Takes the bytes over. There must be room. */
static void add_fragment(memory *m, eo_bytes *bytes) {
  uint32_t slot = m->lists[FREE].first;
  fragment *f = &m->slots.items[slot];
  leave(m, slot);
  *f = (fragment){.number = ++m->numbers, .bytes = *bytes, .pieces = 1};
  m->bytes += bytes->count;
  *bytes = (eo_bytes){0};
  m->expected++;
  join(m, slot, 0);
}

/* It is claimed no more. */
static void give_back(memory *m, fragment *f) {
  m->expected -= f->pieces - 1;
  m->allotted -= f->allotted;
  f->pieces = 1;
  f->allotted = 0;
  f->looked = false;
}

static void remove_fragment(memory *m, uint32_t slot) {
  fragment *f = &m->slots.items[slot];
  give_back(m, f);
  m->expected--;
  m->finished++;
  m->bytes -= f->bytes.count;
  eo_vec_release(&f->bytes);
  f->number = 0;
  f->claims = 0;
  move(m, slot, FREE);
}

static uint64_t left(const memory *m) { return m->lists[0].count + m->lists[1].count + m->lists[2].count; }
static uint64_t claimed(const memory *m) { return m->lists[1].count + m->lists[2].count; } /* by one or two */

/* Claims whose time is over. What they bring is still taken if nobody else was there first. */
static void lapse(memory *m, double now) {
  for (uint32_t list = 2; list > 0; list--) {
    uint32_t slot;
    while ((slot = m->lists[list].first) != NONE && runs_out(&m->slots.items[slot]) <= now) {
      fragment *f = &m->slots.items[slot];
      if (f->claims == 2 && f->holders[0].deadline > now) f->holders[1] = f->holders[0];
      if (f->claims == 2) f->holders[0] = f->holders[1];
      f->claims--;
      m->lost++;
      if (f->claims == 0) give_back(m, f);
      move(m, slot, f->claims);
    }
  }
}

/* ---- Who asks ---------------------------------------------------------------------------------------------------- */

static visitor *find_visitor(const memory *m, uint64_t name) {
  size_t mask = m->visitors.capacity - 1, at = name & mask;
  while (m->visitors.items[at].name && m->visitors.items[at].name != name) at = (at + 1) & mask;
  return &m->visitors.items[at];
}

static bool grow_visitors(memory *m) {
  visitor *old = m->visitors.items;
  size_t capacity = m->visitors.capacity, wanted = capacity ? 2 * capacity : 16;
  visitor *items = eo__alloc(wanted * sizeof *items);
  if (!items) return false;
  m->visitors.items = items;
  m->visitors.capacity = m->visitors.count = wanted;
  for (size_t i = 0; i < capacity; i++)
    if (old[i].name) *find_visitor(m, old[i].name) = old[i];
  eo__free(old);
  return true;
}

static bool note_visitor(memory *m, const char *worker, double now) {
  uint64_t name = XXH3_64bits(worker, strlen(worker)) | 1;
  if (2 * m->visitor_count >= m->visitors.capacity && !grow_visitors(m)) return false;
  visitor *v = find_visitor(m, name);
  if (!v->name) m->visitor_count++;
  *v = (visitor){name, now};
  return true;
}

/* ---- Taking ------------------------------------------------------------------------------------------------------ */

/* How many executions may still be given out. */
static uint64_t to_allot(const memory *m) {
  uint64_t taken = m->total.executions + m->allotted;
  if (!m->limits.executions) return UINT64_MAX;
  return taken < m->limits.executions ? m->limits.executions - taken : 0;
}

static bool limit_reached(const memory *m) {
  return m->limits.executions && m->total.executions >= m->limits.executions;
}

/* The one to give, or NONE: for now there is nothing. */
static uint32_t choose(const memory *m, bool looking) {
  if (m->lists[0].first != NONE && (looking || to_allot(m) > 0)) return m->lists[0].first;
  if (m->lists[0].first == NONE && !looking)
    for (uint32_t held = 1; held < MOST_CLAIMS; held++)
      if (m->lists[held].first != NONE && eo__policy_double(&m->limits, held)) return m->lists[held].first;
  return NONE;
}

static int fill_claim(memory *m, uint32_t slot, double now, eo_claim *claim, eo_error *error) {
  fragment *f = &m->slots.items[slot];
  *claim = (eo_claim){.fragment = f->number, .token = ++m->tokens << SLOT_BITS | slot, .executions = UINT64_MAX};
  if (f->bytes.count) {
    if (!eo_vec_reserve(&claim->bytes, f->bytes.count)) return eo__error_nomem(error);
    memcpy(claim->bytes.items, f->bytes.items, f->bytes.count);
    claim->bytes.count = f->bytes.count;
  }
  if (f->claims == 0) {
    f->looked = limit_reached(m);
    f->pieces = f->looked ? 1 : eo__policy_pieces(&m->limits, m->expected);
    f->allotted = m->limits.executions ? eo__policy_allot(&m->limits, to_allot(m)) : 0;
    m->expected += f->pieces - 1;
    m->allotted += f->allotted;
  }
  claim->pieces = f->pieces;
  claim->budget = eo__policy_budget(&m->limits, (uint32_t)claimed(m) + (f->claims == 0), f->bytes.count);
  if (m->limits.executions) claim->executions = f->allotted;
  f->holders[f->claims++] = (holder){claim->token, now + claim->budget + m->limits.grace};
  move(m, slot, f->claims);
  return EO_OK;
}

static int memory_take(eo_frontier *frontier, const char *worker, double now, eo_claim *claim, eo_taken *taken,
                       eo_error *error) {
  memory *m = (memory *)frontier;
  *taken = EO_TAKE_END;
  lapse(m, now);
  if (!note_visitor(m, worker, now)) return eo__error_nomem(error);
  if (*m->stopped || left(m) == 0) return EO_OK;
  uint32_t slot = choose(m, limit_reached(m));
  *taken = slot == NONE ? EO_TAKE_WAIT : EO_TAKEN;
  return slot == NONE ? EO_OK : fill_claim(m, slot, now, claim, error);
}

/* ---- Handing back ------------------------------------------------------------------------------------------------ */

/* What a slice brings, ready to be put in place without anything that could fail. */
typedef struct delivery {
  EO_VEC(eo_bytes) rest;
  eo_strings findings;
  EO_VEC(eo_failure) known;
  eo_strings beside;
  bool nondeterminism;
} delivery;

static void release_strings(eo_strings *strings) {
  for (size_t i = 0; i < strings->count; i++) eo__free(strings->items[i]);
  eo_vec_release(strings);
}

static void delivery_release(delivery *d) {
  for (size_t i = 0; i < d->rest.count; i++) eo_vec_release(&d->rest.items[i]);
  eo_vec_release(&d->rest);
  release_strings(&d->findings);
  release_strings(&d->beside);
  eo_vec_release(&d->known);
}

static bool among(const eo_failure *failures, size_t count, const eo_failure *failure) {
  for (size_t i = 0; i < count; i++)
    if (eo__failure_same(&failures[i], failure)) return true;
  return false;
}

/* `before`: executions before the slice. */
static int unpack_finding(const memory *m, const char *json, uint64_t before, delivery *d, eo_error *error) {
  eo_finding finding;
  eo__finding_init(&finding);
  int code = eo__finding_from_json(&finding, json, error);
  if (code != EO_OK) return code;
  const eo_failure *failure = &finding.failure;
  if (finding.beside) {
    char *copy = m->beside.count + d->beside.count < MOST_FINDINGS ? eo__strdup(json) : NULL;
    if (copy && !eo_vec_push(&d->beside, copy)) eo__free(copy), copy = NULL;
    if (!copy && m->beside.count + d->beside.count < MOST_FINDINGS) code = eo__error_nomem(error);
    eo__finding_release(&finding);
    return code;
  }
  d->nondeterminism |= failure->kind == EO_KIND_NONDETERMINISM;
  if (!among(m->known.items, m->known.count, failure) && !among(d->known.items, d->known.count, failure) &&
      m->known.count + d->known.count < MOST_FINDINGS) {
    finding.execution += before;
    char *numbered = eo__finding_to_json(&finding);
    if (!numbered || !eo_vec_push(&d->known, *failure) || !eo_vec_push(&d->findings, numbered)) {
      eo__free(numbered);
      code = eo__error_nomem(error);
    }
  }
  eo__finding_release(&finding);
  return code;
}

static bool copy_bytes(eo_bytes *to, const eo_bytes *from) {
  if (from->count && !eo_vec_reserve(to, from->count)) return false;
  if (from->count) memcpy(to->items, from->items, from->count);
  to->count = from->count;
  return true;
}

static int unpack(memory *m, const eo_slice *slice, delivery *d, eo_error *error) {
  for (size_t i = 0; i < slice->rest.count; i++) {
    if (!eo_vec_push(&d->rest, (eo_bytes){0}) || !copy_bytes(&eo_vec_last(&d->rest), &slice->rest.items[i]))
      return eo__error_nomem(error);
  }
  for (size_t i = 0; i < slice->findings.count; i++) {
    int code = unpack_finding(m, slice->findings.items[i], m->total.executions, d, error);
    if (code != EO_OK) return code;
  }
  if (!make_room(m, d->rest.count) || !eo_vec_reserve(&m->findings, d->findings.count) ||
      !eo_vec_reserve(&m->beside, d->beside.count) || !eo_vec_reserve(&m->known, d->known.count))
    return eo__error_nomem(error);
  return EO_OK;
}

static void stop(memory *m, const char *why) {
  if (!*m->stopped) snprintf(m->stopped, sizeof m->stopped, "%s", why);
}

/* The last fragment of all, when all others are finished. There is always room: one has just been removed. */
static void add_last(memory *m) {
  if (left(m) > 0 || *m->stopped || !m->last.count || !(m->total.doubts & EO_DOUBT_LIVENESS)) return;
  add_fragment(m, &m->last);
}

/* Nothing in here and below can fail. */
static void accept_findings(memory *m, delivery *d) {
  for (size_t i = 0; i < d->findings.count; i++) m->findings.items[m->findings.count++] = d->findings.items[i];
  for (size_t i = 0; i < d->known.count; i++) m->known.items[m->known.count++] = d->known.items[i];
  for (size_t i = 0; i < d->beside.count; i++) m->beside.items[m->beside.count++] = d->beside.items[i];
  d->findings.count = d->beside.count = 0;
}

/* Of a run under way, not of one that is taken up again: they may end it. */
static void accept_new_findings(memory *m, delivery *d) {
  bool new = d->findings.count > 0;
  accept_findings(m, d);
  if (d->nondeterminism) stop(m, "the program is not deterministic");
  if (new && m->limits.at_failure) stop(m, "at the first finding");
}

static void accept(memory *m, uint32_t slot, const eo_slice *slice, delivery *d) {
  bool looked = m->slots.items[slot].looked;
  remove_fragment(m, slot);
  eo__tally_add(&m->total, &slice->tally, d->rest.count == 0);
  for (size_t i = 0; i < d->rest.count; i++) add_fragment(m, &d->rest.items[i]);
  if (m->limits.bytes && m->bytes > m->limits.bytes) stop(m, "the frontier takes as much memory as it may");
  accept_new_findings(m, d);
  if (looked && d->rest.count > 0) {
    char why[64];
    snprintf(why, sizeof why, "after %" PRIu64 " execution%s", m->total.executions,
             m->total.executions == 1 ? "" : "s");
    stop(m, why);
  }
  add_last(m);
}

static int memory_done(eo_frontier *frontier, const char *worker, double now, const eo_claim *claim,
                       const eo_slice *slice, bool *accepted, eo_error *error) {
  memory *m = (memory *)frontier;
  uint32_t slot = (uint32_t)(claim->token & ((1u << SLOT_BITS) - 1));
  *accepted = false;
  if (!note_visitor(m, worker, now)) return eo__error_nomem(error);
  bool there = claim->fragment && slot < m->slots.count && m->slots.items[slot].number == claim->fragment;
  /* A claim that ran out may since have been given to another, with fewer executions left for it. */
  bool late = !there || (m->limits.executions && slice->tally.executions > m->slots.items[slot].allotted);
  delivery d = {0};
  int code = unpack(m, slice, &d, error);
  if (code == EO_OK && late) {
    m->late++;
    if (!*m->stopped) accept_new_findings(m, &d); /* else there is one, or nobody wants more */
  } else if (code == EO_OK) {
    accept(m, slot, slice, &d);
    *accepted = true;
  }
  delivery_release(&d);
  return code;
}

/* ---- The rest ----------------------------------------------------------------------------------------------------- */

static int memory_look(eo_frontier *frontier, double now, eo_standing *standing, eo_error *error) {
  memory *m = (memory *)frontier;
  (void)error;
  lapse(m, now);
  EO_CHECK(left(m) == m->numbers - m->finished);
  *standing = (eo_standing){.total = m->total,
                            .fragments = left(m),
                            .claimed = m->lists[1].count + m->lists[2].count,
                            .findings = m->findings.count,
                            .issued = m->numbers,
                            .finished = m->finished,
                            .lost = m->lost,
                            .late = m->late,
                            .ended = *m->stopped || left(m) == 0};
  memcpy(standing->stopped, m->stopped, sizeof standing->stopped);
  double lately = now - m->limits.budget - m->limits.grace;
  for (size_t i = 0; i < m->visitors.count; i++)
    standing->workers += m->visitors.items[i].name && m->visitors.items[i].last >= lately;
  return EO_OK;
}

static int memory_stop(eo_frontier *frontier, const char *why, eo_error *error) {
  (void)error;
  stop((memory *)frontier, why);
  return EO_OK;
}

static void memory_close(eo_frontier *frontier) {
  memory *m = (memory *)frontier;
  for (size_t i = 0; i < m->slots.count; i++) eo_vec_release(&m->slots.items[i].bytes);
  eo_vec_release(&m->slots);
  release_strings(&m->findings);
  release_strings(&m->beside);
  eo_vec_release(&m->known);
  eo_vec_release(&m->visitors);
  eo_vec_release(&m->last);
  eo__free(m);
}

static const eo_frontier_ops memory_ops = {
    .close = memory_close,
    .take = memory_take,
    .done = memory_done,
    .look = memory_look,
    .stop = memory_stop,
};

static int restore_state(memory *m, const eo_job_state *state, eo_error *error) {
  delivery d = {0};
  eo_slice slice = {.tally = state->total, .findings = state->findings};
  slice.rest.items = state->fragments.items;
  slice.rest.count = state->fragments.count;
  int code = unpack(m, &slice, &d, error);
  if (code == EO_OK) {
    m->total = state->total;
    for (size_t i = 0; i < d.rest.count; i++) add_fragment(m, &d.rest.items[i]);
    accept_findings(m, &d);
  }
  delivery_release(&d);
  return code;
}

eo_frontier *eo__memory_open(const eo_job_limits *limits, const eo_job_state *state, eo_error *error) {
  memory *m = eo__alloc(sizeof *m);
  if (!m) {
    eo__error_nomem(error);
    return NULL;
  }
  m->base.ops = &memory_ops;
  m->limits = *limits;
  for (int i = 0; i < LISTS; i++) m->lists[i].first = m->lists[i].last = NONE;
  m->limits.last = (eo_bytes){0};
  int code = copy_bytes(&m->last, &limits->last) ? EO_OK : eo__error_nomem(error);
  if (code != EO_OK)
    ;
  else if (state)
    code = restore_state(m, state, error);
  else if (make_room(m, 1))
    add_fragment(m, &(eo_bytes){0});
  else
    code = eo__error_nomem(error);
  if (code == EO_OK) return &m->base;
  memory_close(&m->base);
  return NULL;
}

const eo_strings *eo__memory_findings(const eo_frontier *frontier) { return &((const memory *)frontier)->findings; }
const eo_strings *eo__memory_beside(const eo_frontier *frontier) { return &((const memory *)frontier)->beside; }

int eo__memory_state(const eo_frontier *frontier, eo_job_state *state, eo_error *error) {
  const memory *m = (const memory *)frontier;
  *state = (eo_job_state){.total = m->total};
  bool good = true;
  for (size_t i = 0; good && i < m->slots.count; i++) {
    if (!m->slots.items[i].number) continue;
    good = eo_vec_push(&state->fragments, (eo_bytes){0}) &&
           copy_bytes(&eo_vec_last(&state->fragments), &m->slots.items[i].bytes);
  }
  for (size_t i = 0; good && i < m->findings.count + m->beside.count; i++) {
    size_t told = m->findings.count;
    char *copy = eo__strdup(i < told ? m->findings.items[i] : m->beside.items[i - told]);
    good = copy && eo_vec_push(&state->findings, copy);
    if (!good) eo__free(copy);
  }
  if (good) return EO_OK;
  eo__job_state_release(state);
  return eo__error_nomem(error);
}

void eo__job_state_release(eo_job_state *state) {
  for (size_t i = 0; i < state->fragments.count; i++) eo_vec_release(&state->fragments.items[i]);
  eo_vec_release(&state->fragments);
  release_strings(&state->findings);
  *state = (eo_job_state){0};
}
