/* reach_variants.c: the race variants of a sequence, one at a time (Lei's dissertation, section 3.4, algorithm Generate-Variants, and
 * section 5.2.2: none is stored). A variant changes the outcomes of some races at once. What comes after a decision that is
 * changed is left out; so what is changed must not come after one another, nor need what is left out: the rows of Lei and
 * Carver's race tables, here as sets of races that are compatible in pairs. */
#include <string.h>

#include "strategies/reach_inside.h"

static bool needs_event(const sequence *q, const race *r, uint32_t position) {
  if (r->idle) return position < r->at;
  return (r->source != EO_NO_EVENT && comes_after(q, r->source, position)) ||
         (r->before != EO_NO_EVENT && comes_after(q, r->before, position));
}

/* Can both be changed at once? */
static bool are_compatible(const sequence *q, const race *a, const race *b) {
  return a->at != b->at && !comes_after(q, a->at, b->at) && !comes_after(q, b->at, a->at) &&
         (a->cut || !needs_event(q, a, b->at)) && (b->cut || !needs_event(q, b, a->at));
}

bool eo__reach_keeps(const sequence *q, uint32_t position) {
  for (size_t i = 0; i < q->chosen.count; i++)
    if (comes_after(q, position, q->races.items[q->chosen.items[i]].at)) return false;
  return true;
}

/* What the variant cannot do without: what is settled, and the past of what it changes. */
static bool is_needed(const sequence *q, uint32_t position) {
  if (q->moves.items[position].settled) return true;
  for (size_t i = 0; i < q->chosen.count; i++) {
    const race *r = &q->races.items[q->chosen.items[i]];
    if (!r->cut && needs_event(q, r, position)) return true;
  }
  return false;
}

bool eo__reach_has(const sequence *q, bool least, uint32_t position) {
  return least ? is_needed(q, position) : eo__reach_keeps(q, position);
}

/* ---- Under the mailbox: is there an order of the sends? ---------------------------------------------------------- */

static bool covers(const sequence *q, const uint32_t *clock, uint32_t position) {
  uint32_t process = q->moves.items[position].process;
  return clock[process] >= clock_at(q, position)[process];
}

/* What is in `clock` was sent after what `from` did. */
static bool add_past(const sequence *q, uint32_t *clock, uint32_t from) {
  if (from == EO_NO_EVENT || covers(q, clock, from)) return false;
  eo_clock_join(clock, clock_at(q, from), q->stride);
  return true;
}

/* Who had to do something before its rivals send: who sent what the race takes, or the one that times out. */
static uint32_t first_of(const race *r) { return r->source != EO_NO_EVENT ? r->source : r->before; }

static void close_over(const sequence *q, bool least, size_t changes, uint32_t *clock) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = q->edges.count; i-- > 0;) {
      const edge *e = &q->edges.items[i];
      if (covers(q, clock, e->to) && !covers(q, clock, e->from) && eo__reach_has(q, least, e->by) &&
          eo__reach_has(q, least, e->to))
        more |= add_past(q, clock, e->from);
    }
    for (size_t i = 0; i < changes; i++) {
      const race *r = &q->races.items[q->chosen.items[i]];
      for (uint32_t j = 0; j < r->rivals; j++) {
        uint32_t rival = q->rivals.items[r->first_rival + j];
        if (covers(q, clock, rival) && eo__reach_has(q, least, rival)) more |= add_past(q, clock, first_of(r));
      }
    }
  }
}

/* Is there an order of the sends in which each receive of the variant finds what it takes? `least`: of no more than what
 * is needed. There is one for the sequence; so each change must not make those late that have to be early. */
bool eo__reach_fits(const sequence *q, bool least, uint32_t *room) {
  for (size_t i = 0; i < q->chosen.count; i++) {
    const race *r = &q->races.items[q->chosen.items[i]];
    if (!r->rivals) continue;
    memset(room, 0, q->stride * sizeof *room);
    (void)add_past(q, room, first_of(r));
    close_over(q, least, i, room);
    for (uint32_t j = 0; j < r->rivals; j++) {
      uint32_t rival = q->rivals.items[r->first_rival + j];
      if (covers(q, room, rival) && eo__reach_has(q, least, rival)) return false;
    }
  }
  return true;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static bool can_add(const sequence *q, uint32_t number) {
  for (size_t i = 0; i < q->chosen.count; i++)
    if (!are_compatible(q, &q->races.items[q->chosen.items[i]], &q->races.items[number])) return false;
  return true;
}

static bool changes_something(const sequence *q) {
  for (size_t i = 0; i < q->chosen.count; i++)
    if (!q->races.items[q->chosen.items[i]].cut) return true;
  return false;
}

/* All sets of races that are compatible in pairs: each is followed by those that have it and more. `chosen` has room for
 * all, so that nothing is allocated here. */
bool eo__reach_next_row(sequence *q, uint32_t *room) {
  uint32_t next = q->chosen.count ? eo_vec_last(&q->chosen) + 1 : 0;
  for (;;) {
    if (next == q->races.count) {
      if (!q->chosen.count) return false;
      next = eo_vec_pop(&q->chosen) + 1;
    } else if (can_add(q, next)) {
      q->chosen.items[q->chosen.count++] = next;
      if (!eo__reach_fits(q, true, room))
        next = eo_vec_pop(&q->chosen) + 1;
      else if (changes_something(q))
        return true;
      else
        next++;
    } else {
      next++;
    }
  }
}
