/* sat.c: see sat.h.
 *
 * There are no restarts. So a question is answered in the end even though not everything learnt is kept: a clause that
 * is long, or for which there is no room, is used once, to go back, and the value it gave is remembered as a consequence
 * of all decisions up to that level, which it is. Dropping what was learnt, between questions, is all the tidying. */
#include "pairwise/sat.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { OPEN, TRUE, FALSE };
enum { SIZE, NEXT, LITERALS = 3 };
enum { LONGEST_KEPT = 40, LEARNT_ROOM = 1 << 18 };
static const size_t most_given = UINT32_MAX / 4;

/* ---- Building ----------------------------------------------------------------------------------------------------- */

void eo__sat_init(eo_sat *sat) {
  memset(sat, 0, sizeof *sat);
  sat->bump = 1;
}

void eo__sat_release(eo_sat *sat) {
  eo_vec_release(&sat->groups);
  eo_vec_release(&sat->group_of);
  eo_vec_release(&sat->arena);
  eo_vec_release(&sat->units);
  eo_vec_release(&sat->learnt);
  eo_vec_release(&sat->core);
  eo__free(sat->watches);
  eo__free(sat->values);
  eo__free(sat->levels);
  eo__free(sat->reasons);
  eo__free(sat->trail);
  eo__free(sat->level_starts);
  eo__free(sat->decisions);
  eo__free(sat->seen);
}

bool eo__sat_variable(eo_sat *sat, uint32_t *variable) {
  if (!eo_vec_push(&sat->group_of, EO_SAT_NONE)) return false;
  *variable = sat->variables++;
  return true;
}

bool eo__sat_group(eo_sat *sat, uint32_t count, const uint16_t *preferred, uint32_t *group) {
  eo_sat_group new = {
      .first = sat->variables, .count = count, .preferred = preferred, .chosen = EO_SAT_NONE, .last = EO_SAT_NONE};
  *group = (uint32_t)sat->groups.count;
  if (!eo_vec_push(&sat->groups, new)) return false;
  eo_literals some = {0};
  bool good = true;
  for (uint32_t i = 0; i < count && good; i++) {
    uint32_t variable;
    good = eo__sat_variable(sat, &variable) && eo_vec_push(&some, eo_literal_of(variable, true));
    if (good) sat->group_of.items[variable] = *group;
  }
  good = good && eo__sat_clause(sat, &some);
  eo_vec_release(&some);
  return good;
}

static int by_literal(const void *a, const void *b) {
  const eo_literal *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

bool eo__sat_clause(eo_sat *sat, eo_literals *literals) {
  size_t kept = 0;
  if (literals->count > 1) qsort(literals->items, literals->count, sizeof(eo_literal), by_literal);
  for (size_t i = 0; i < literals->count; i++) {
    eo_literal literal = literals->items[i];
    if (kept > 0 && literal == literals->items[kept - 1]) continue;
    if (kept > 0 && literal == eo_literal_not(literals->items[kept - 1])) return true; /* always holds */
    literals->items[kept++] = literal;
  }
  literals->count = kept;
  if (kept == 0) sat->impossible = true;
  if (kept == 1) return eo_vec_push(&sat->units, literals->items[0]);
  if (kept < 2) return true;
  if (sat->arena.count + kept + LITERALS > most_given || !eo_vec_reserve(&sat->arena, kept + LITERALS)) return false;
  uint32_t *clause = sat->arena.items + sat->arena.count;
  clause[SIZE] = (uint32_t)kept;
  memcpy(clause + LITERALS, literals->items, kept * sizeof(eo_literal));
  sat->arena.count += kept + LITERALS;
  return true;
}

/* ---- Values ------------------------------------------------------------------------------------------------------- */

static void set(eo_sat *sat, eo_literal literal, eo_sat_reason reason) {
  uint32_t variable = literal / 2;
  sat->values[literal] = TRUE;
  sat->values[literal ^ 1] = FALSE;
  sat->levels[variable] = sat->level;
  sat->reasons[variable] = reason;
  sat->trail[sat->trail_count++] = literal;
  if (literal % 2 == 0 && sat->group_of.items[variable] != EO_SAT_NONE) {
    eo_sat_group *group = &sat->groups.items[sat->group_of.items[variable]];
    group->chosen = group->last = variable - group->first;
  }
}

static void go_back(eo_sat *sat, uint32_t level) {
  if (sat->level <= level) return;
  uint32_t start = sat->level_starts[level];
  while (sat->trail_count > start) {
    eo_literal literal = sat->trail[--sat->trail_count];
    sat->values[literal] = sat->values[literal ^ 1] = OPEN;
    uint32_t group = sat->group_of.items[literal / 2];
    if (literal % 2 == 0 && group != EO_SAT_NONE) sat->groups.items[group].chosen = EO_SAT_NONE;
  }
  sat->propagated = start;
  sat->level = level;
}

static void decide(eo_sat *sat, eo_literal literal) {
  sat->level_starts[sat->level] = sat->trail_count;
  sat->decisions[sat->level] = literal;
  sat->level++;
  if (sat->values[literal] == OPEN) set(sat, literal, (eo_sat_reason){EO_SAT_DECISION, 0});
}

static void watch(eo_sat *sat, uint32_t clause) {
  uint32_t *words = sat->arena.items + clause;
  for (int i = 0; i < 2; i++) {
    words[NEXT + i] = sat->watches[words[LITERALS + i]];
    sat->watches[words[LITERALS + i]] = clause;
  }
}

/* ---- Consequences ------------------------------------------------------------------------------------------------- */

typedef struct conflict {
  eo_sat_reason reason; /* a clause that is false; or a group that has this true variable */
  eo_literal second;    /* and this false literal, whose variable is true */
  bool found;
} conflict;

static conflict propagate_group(eo_sat *sat, uint32_t variable) {
  conflict clash = {.reason = {EO_SAT_GROUP, variable}};
  uint32_t index = sat->group_of.items[variable];
  if (index == EO_SAT_NONE) return clash;
  const eo_sat_group *group = &sat->groups.items[index];
  for (uint32_t other = group->first; other < group->first + group->count; other++) {
    eo_literal literal = eo_literal_of(other, false);
    if (other == variable || sat->values[literal] == TRUE) continue;
    if (sat->values[literal] == FALSE) {
      clash.found = true;
      clash.second = literal;
      return clash;
    }
    set(sat, literal, clash.reason);
  }
  return clash;
}

/* Another literal to watch in place of the false one; false: there is none. */
static bool move_watch(eo_sat *sat, uint32_t clause, int slot) {
  uint32_t *words = sat->arena.items + clause, *literals = words + LITERALS;
  for (uint32_t k = 2; k < words[SIZE]; k++) {
    if (sat->values[literals[k]] == FALSE) continue;
    eo_literal old = literals[slot];
    literals[slot] = literals[k];
    literals[k] = old;
    words[NEXT + slot] = sat->watches[literals[slot]];
    sat->watches[literals[slot]] = clause;
    return true;
  }
  return false;
}

static conflict propagate_clauses(eo_sat *sat, eo_literal false_literal) {
  uint32_t *link = &sat->watches[false_literal], clause;
  while ((clause = *link) != EO_SAT_NONE) {
    uint32_t *words = sat->arena.items + clause;
    int slot = words[LITERALS] == false_literal ? 0 : 1;
    eo_literal other = words[LITERALS + 1 - slot];
    uint32_t next = words[NEXT + slot];
    if (sat->values[other] != TRUE && move_watch(sat, clause, slot)) {
      *link = next;
      continue;
    }
    eo_sat_reason reason = {EO_SAT_CLAUSE, clause};
    if (sat->values[other] == FALSE) return (conflict){.reason = reason, .found = true};
    if (sat->values[other] == OPEN) set(sat, other, reason);
    link = &words[NEXT + slot];
  }
  return (conflict){0};
}

static conflict propagate(eo_sat *sat) {
  while (sat->propagated < sat->trail_count) {
    eo_literal literal = sat->trail[sat->propagated++];
    conflict found = {0};
    if (literal % 2 == 0) found = propagate_group(sat, literal / 2);
    if (!found.found) found = propagate_clauses(sat, eo_literal_not(literal));
    if (found.found) return found;
  }
  return (conflict){0};
}

/* ---- Learning ----------------------------------------------------------------------------------------------------- */

static void bump(eo_sat *sat, uint32_t variable) {
  uint32_t group = sat->group_of.items[variable];
  if (group != EO_SAT_NONE) sat->groups.items[group].activity += sat->bump;
}

static void decay(eo_sat *sat) {
  sat->bump *= 1.05;
  if (sat->bump < 1e100) return;
  for (size_t g = 0; g < sat->groups.count; g++) sat->groups.items[g].activity *= 1e-100;
  sat->bump = 1;
}

/* Takes note of a false literal that was part of why; counts those of the present level, keeps the others. */
static void note(eo_sat *sat, eo_literal literal, uint32_t *pending) {
  uint32_t variable = literal / 2;
  if (sat->seen[variable] || sat->levels[variable] == 0) return;
  sat->seen[variable] = 1;
  bump(sat, variable);
  if (sat->levels[variable] == sat->level) {
    (*pending)++;
  } else {
    sat->learnt.items[sat->learnt.count++] = literal;
  }
}

/* The false literals that a reason is made of, but for what it gave. */
static void note_reason(eo_sat *sat, eo_sat_reason reason, eo_literal given, uint32_t *pending) {
  if (reason.kind == EO_SAT_CLAUSE) {
    const uint32_t *words = sat->arena.items + reason.data;
    for (uint32_t i = 0; i < words[SIZE]; i++) {
      if (words[LITERALS + i] != given) note(sat, words[LITERALS + i], pending);
    }
  } else if (reason.kind == EO_SAT_GROUP) {
    note(sat, eo_literal_of(reason.data, false), pending);
  } else if (reason.kind == EO_SAT_LEVELS) {
    for (uint32_t i = 0; i < reason.data; i++) note(sat, eo_literal_not(sat->decisions[i]), pending);
  }
}

/* From a conflict at a level above 0 to a clause, in `learnt`, whose first literal is the only one of this level.
 * Returns the highest level of the others. */
static uint32_t analyse(eo_sat *sat, conflict clash) {
  uint32_t pending = 0, at = sat->trail_count, back = 0;
  sat->learnt.count = 1;
  note_reason(sat, clash.reason, EO_SAT_NONE, &pending);
  if (clash.reason.kind == EO_SAT_GROUP) note(sat, clash.second, &pending);
  eo_literal literal;
  for (;;) {
    do literal = sat->trail[--at];
    while (!sat->seen[literal / 2]);
    sat->seen[literal / 2] = 0;
    if (--pending == 0) break;
    note_reason(sat, sat->reasons[literal / 2], literal, &pending);
  }
  sat->learnt.items[0] = eo_literal_not(literal);
  for (size_t i = 1; i < sat->learnt.count; i++) {
    eo_literal other = sat->learnt.items[i];
    sat->seen[other / 2] = 0;
    if (sat->levels[other / 2] <= back) continue;
    back = sat->levels[other / 2];
    sat->learnt.items[i] = sat->learnt.items[1];
    sat->learnt.items[1] = other;
  }
  decay(sat);
  return back;
}

/* Goes back to where the clause gives a value. */
static void learn(eo_sat *sat, uint32_t back) {
  size_t count = sat->learnt.count;
  go_back(sat, back);
  eo_sat_reason reason = {EO_SAT_LEVELS, back};
  if (count > 1 && count <= LONGEST_KEPT && count + LITERALS <= sat->arena.capacity - sat->arena.count) {
    uint32_t clause = (uint32_t)sat->arena.count, *words = sat->arena.items + clause;
    words[SIZE] = (uint32_t)count;
    memcpy(words + LITERALS, sat->learnt.items, count * sizeof(eo_literal));
    sat->arena.count += count + LITERALS;
    watch(sat, clause);
    reason = (eo_sat_reason){EO_SAT_CLAUSE, clause};
  }
  set(sat, sat->learnt.items[0], reason);
}

/* Only at level 0, where no reason is ever looked at. */
static void forget(eo_sat *sat) {
  memset(sat->watches, 0xff, (size_t)sat->variables * 2 * sizeof sat->watches[0]);
  sat->arena.count = sat->given;
  for (size_t at = 0; at < sat->given; at += sat->arena.items[at + SIZE] + LITERALS) watch(sat, (uint32_t)at);
}

/* An assumption is false: which others made it so? */
static void find_core(eo_sat *sat, eo_literal assumption) {
  uint32_t pending = 0;
  eo_vec_clear(&sat->core);
  sat->core.items[sat->core.count++] = assumption;
  if (sat->levels[assumption / 2] == 0) return;
  sat->learnt.count = 0;
  sat->seen[assumption / 2] = 1;
  for (uint32_t at = sat->trail_count; at > sat->level_starts[0]; at--) {
    eo_literal literal = sat->trail[at - 1];
    if (!sat->seen[literal / 2]) continue;
    sat->seen[literal / 2] = 0;
    if (sat->reasons[literal / 2].kind == EO_SAT_DECISION) {
      sat->core.items[sat->core.count++] = literal;
    } else {
      sat->learnt.count = 0; /* only the marks matter */
      note_reason(sat, sat->reasons[literal / 2], literal, &pending);
    }
  }
}

/* ---- Questions ---------------------------------------------------------------------------------------------------- */

bool eo__sat_start(eo_sat *sat) {
  size_t n = (size_t)sat->variables + 1;
  sat->given = sat->arena.count;
  if (!eo_vec_reserve(&sat->arena, LEARNT_ROOM) || !eo_vec_reserve(&sat->learnt, n) || !eo_vec_reserve(&sat->core, n)) {
    return false;
  }
  sat->watches = eo__alloc(n * 2 * sizeof sat->watches[0]);
  sat->values = eo__alloc(n * 2);
  sat->levels = eo__alloc(n * sizeof sat->levels[0]);
  sat->reasons = eo__alloc(n * sizeof sat->reasons[0]);
  sat->trail = eo__alloc(n * sizeof sat->trail[0]);
  sat->level_starts = eo__alloc(n * 2 * sizeof sat->level_starts[0]);
  sat->decisions = eo__alloc(n * 2 * sizeof sat->decisions[0]);
  sat->seen = eo__alloc(n);
  if (!sat->watches || !sat->values || !sat->levels || !sat->reasons || !sat->trail || !sat->level_starts ||
      !sat->decisions || !sat->seen) {
    return false;
  }
  forget(sat);
  for (size_t i = 0; i < sat->units.count; i++) {
    eo_literal literal = sat->units.items[i];
    if (sat->values[literal] == FALSE) sat->impossible = true;
    if (sat->values[literal] == OPEN) set(sat, literal, (eo_sat_reason){EO_SAT_DECISION, 0});
  }
  if (!sat->impossible && propagate(sat).found) sat->impossible = true;
  return true;
}

/* The next group to decide; EO_SAT_NONE: all are. `from`: those before are decided, as long as nothing is taken back. */
static uint32_t pick_next(const eo_sat *sat, const uint32_t *groups, uint32_t count, uint32_t *from) {
  while (*from < count && sat->groups.items[groups[*from]].chosen != EO_SAT_NONE) (*from)++;
  return *from < count ? groups[*from] : EO_SAT_NONE;
}

static uint32_t pick_active(const eo_sat *sat, const uint32_t *groups, uint32_t count) {
  uint32_t best = EO_SAT_NONE;
  for (uint32_t i = 0; i < count; i++) {
    const eo_sat_group *group = &sat->groups.items[groups[i]];
    if (group->chosen != EO_SAT_NONE) continue;
    if (best == EO_SAT_NONE || group->activity > sat->groups.items[best].activity) best = groups[i];
  }
  return best;
}

static eo_literal pick_value(const eo_sat *sat, const eo_sat_group *group, bool ordered) {
  if (!ordered && group->last != EO_SAT_NONE) {
    eo_literal literal = eo_literal_of(group->first + group->last, true);
    if (sat->values[literal] == OPEN) return literal;
  }
  for (uint32_t i = 0; i < group->count; i++) {
    eo_literal literal = eo_literal_of(group->first + group->preferred[i], true);
    if (sat->values[literal] == OPEN) return literal;
  }
  EO_CHECK(!"a group whose values are all excluded has been noticed");
  return 0;
}

/* Back to the decisions that the last question has in common with this one. */
static void go_back_to_common(eo_sat *sat, const eo_literal *assumptions, uint32_t count) {
  uint32_t common = 0;
  while (common < count && common < sat->level && sat->decisions[common] == assumptions[common]) common++;
  go_back(sat, common);
}

bool eo__sat_solve(eo_sat *sat, const eo_literal *assumptions, uint32_t count, const uint32_t *groups,
                   uint32_t group_count, bool ordered) {
  eo_vec_clear(&sat->core);
  if (sat->impossible) return false;
  if (sat->arena.capacity - sat->arena.count < LEARNT_ROOM / 4) {
    go_back(sat, 0);
    forget(sat);
  }
  go_back_to_common(sat, assumptions, count);
  bool hard = false; /* the next in line will do, until there is a conflict */
  uint32_t from = 0;
  for (;;) {
    conflict clash = propagate(sat);
    if (clash.found) {
      if (sat->level == 0) {
        sat->impossible = true;
        return false;
      }
      learn(sat, analyse(sat, clash));
      hard = true;
      from = 0;
    } else if (sat->level < count) {
      eo_literal assumption = assumptions[sat->level];
      if (sat->values[assumption] == FALSE) {
        find_core(sat, assumption);
        return false;
      }
      decide(sat, assumption);
    } else {
      uint32_t group =
          hard && !ordered ? pick_active(sat, groups, group_count) : pick_next(sat, groups, group_count, &from);
      if (group == EO_SAT_NONE) return true;
      decide(sat, pick_value(sat, &sat->groups.items[group], ordered));
    }
  }
}
