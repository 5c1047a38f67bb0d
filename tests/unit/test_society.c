/* test_society.c: properties of random societies, in half of which exit signals travel. The one that exploring stands on: two
 * deeds of different citizens (or arrivals of signals) that have nothing in common, by what they touch and whom they doom, have
 * the same effects in both orders, touch the same, and lead to the same society; and whether they have something in common does
 * not depend on the order either. What a deed touches lies within
 * its bound. An exit by the short way is one by the long way. Lists and names are sound at any time.
 *
 * Arguments, for longer hunts: first seed, number of societies. builds: release asan */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "core/society.h"

enum { CITIZENS = 5, NAMES = 3, LONGEST = 24, PAIRS = 12, COURIERS = 100 };

static const char *const names[NAMES] = {"a", "b", "c"};
static uint64_t first_seed = 1, societies = 3000;
static size_t blocks; /* allocated */

/* ---- A society --------------------------------------------------------------------------------------------------- */

/* A signal on its way. */
typedef struct courier {
  eo_citizen itself;
  int from, to, flags, reason;
  bool arrived;
} courier;

typedef struct town {
  eo_society society;
  eo_name *names;
  eo_citizen citizens[CITIZENS];
  uint32_t refs[CITIZENS];
  courier couriers[COURIERS]; /* as they set out */
  int courier_count;
  eo_effects effects;
  bool fails; /* the last deed was an exit that is not normal */
} town;

static void *town_alloc(eo_society *society, size_t size) {
  (void)society;
  blocks++;
  return malloc(size);
}

static void town_free(eo_society *society, void *block, size_t size) {
  (void)society, (void)size;
  blocks--;
  free(block);
}

/* Another order than that of the numbers. */
static bool town_before(const eo_society *society, const eo_citizen *a, const eo_citizen *b) {
  (void)society;
  return a->number * 7 % 11 < b->number * 7 % 11;
}

static const eo_society_ops town_ops = {town_alloc, town_free, town_before, NULL};

static void town_init(town *t, bool travels) {
  memset(t, 0, sizeof *t);
  t->society = (eo_society){.ops = &town_ops, .names = &t->names, .name_buckets = 1, .travels = travels};
  for (uint32_t i = 0; i < CITIZENS; i++) t->citizens[i].number = i;
}

static void town_release(town *t) {
  for (int i = 0; i < CITIZENS; i++) {
    eo_citizen *citizen = &t->citizens[i];
    eo_effects_clear(&t->effects);
    eo__society_apply(&t->society, &(eo_deed){.kind = EO_OP_EXIT, .self = citizen}, &t->effects);
    eo__society_forget(&t->society, citizen);
  }
  assert_null(t->names);
  assert_int_equal(t->society.bonds, 0);
  eo__effects_release(&t->effects);
}

/* A deed, by numbers: so that it can be done in several towns. */
typedef struct plan {
  eo_op_kind kind;
  int flags, self, other, name, reason; /* self: a citizen; from CITIZENS on, what a courier carries arrives */
  uint32_t ref;
  bool on;
} plan;

static plan draw(eo_rng *rng, int self) {
  static const eo_op_kind kinds[] = {EO_OP_SEND,       EO_OP_EXIT,    EO_OP_LINK,      EO_OP_LINK,
                                     EO_OP_UNLINK,     EO_OP_MONITOR, EO_OP_DEMONITOR, EO_OP_REGISTER,
                                     EO_OP_UNREGISTER, EO_OP_WHEREIS, EO_OP_MONITOR,   EO_OP_TRAP_EXIT,
                                     EO_OP_REGISTER,   EO_OP_KILL,    EO_OP_KILL,      EO_OP_IS_ALIVE};
  static const int reasons[] = {EO_NORMAL, 1, 2, EO_KILL};
  return (plan){.kind = kinds[eo__rng_below(rng, sizeof kinds / sizeof *kinds)],
                .self = self,
                .flags = eo__rng_below(rng, 2) ? EO_OP_BY_NAME | EO_OP_CAUGHT : 0,
                .other = (int)eo__rng_below(rng, CITIZENS),
                .name = (int)eo__rng_below(rng, NAMES),
                .reason = reasons[eo__rng_below(rng, 4)],
                .ref = 1 + eo__rng_below(rng, 4),
                .on = eo__rng_below(rng, 2)};
}

static eo_deed arrival_of(town *t, int number) {
  courier *c = &t->couriers[number];
  return (eo_deed){.kind = EO_OP_SIGNAL,
                   .flags = c->flags,
                   .self = &c->itself,
                   .other = &t->citizens[c->to],
                   .from = &t->citizens[c->from],
                   .reason = c->reason};
}

static eo_deed deed_of(town *t, const plan *p) {
  if (p->self >= CITIZENS) return arrival_of(t, p->self - CITIZENS);
  eo_citizen *self = &t->citizens[p->self];
  if (self->doomed) return (eo_deed){.kind = EO_OP_EXIT, .self = self, .reason = self->reason};
  bool by_name = p->kind == EO_OP_SEND || p->kind == EO_OP_UNREGISTER || p->kind == EO_OP_WHEREIS ||
                 (p->kind == EO_OP_MONITOR && p->flags & EO_OP_BY_NAME);
  bool alone = by_name || p->kind == EO_OP_EXIT || p->kind == EO_OP_DEMONITOR || p->kind == EO_OP_TRAP_EXIT;
  return (eo_deed){.kind = p->kind,
                   .flags = p->kind == EO_OP_SEND                    ? EO_OP_BY_NAME | p->flags
                            : p->kind == EO_OP_DEMONITOR && p->flags ? EO_OP_QUIET
                                                                     : p->flags,
                   .self = self,
                   .other = alone ? NULL : &t->citizens[p->other],
                   .name = by_name || p->kind == EO_OP_REGISTER ? names[p->name] : NULL,
                   .ref = p->kind == EO_OP_MONITOR ? ++t->refs[p->self] : p->ref,
                   .reason = p->reason,
                   .on = p->on};
}

static bool touches(const eo_effects *effects, const eo_contact *wanted, bool at_least) {
  for (size_t i = 0; i < effects->touches.count; i++) {
    const eo_contact *c = &effects->touches.items[i];
    bool same = wanted->name ? c->name && strcmp(c->name, wanted->name) == 0 : c->a == wanted->a && c->b == wanted->b;
    if (c->kind == wanted->kind && same && (c->writes == wanted->writes || (at_least && c->writes))) return true;
  }
  return false;
}

static void check_sound(town *t) {
  size_t bonds = 0;
  for (int i = 0; i < CITIZENS; i++) {
    const eo_citizen *citizen = &t->citizens[i];
    const eo_bond *previous = NULL;
    for (const eo_bond *bond = citizen->first; bond; bond = eo_bond_next(bond, citizen)) {
      const eo_citizen *other = eo_bond_other(bond, citizen);
      assert_true(bond->ends[0] != bond->ends[1] && (bond->ends[0] == citizen || bond->ends[1] == citizen));
      bool awaits = t->society.travels && bond->ref == 0 && !(bond->over[0] && bond->over[1]);
      assert_true(awaits || !citizen->ended || !other->ended);
      assert_false(bond->muted && (bond->ref == 0 || bond->ends[1]->ended));
      if (previous) assert_false(town_before(&t->society, other, eo_bond_other(previous, citizen)));
      bonds += bond->ends[0] == citizen;
      previous = bond;
    }
    assert_ptr_equal(citizen->last, previous);
    if (citizen->name) assert_ptr_equal(eo__society_holder(&t->society, citizen->name->text), citizen);
    assert_false(citizen->ended && citizen->name);
  }
  assert_int_equal(t->society.bonds, bonds);
  for (const eo_name *name = t->names; name; name = name->next) assert_ptr_equal(name->holder->name, name);
}

/* Exit signals set out, as the deed says; and so do DOWNs, which can come after one in the order of delivery. */
static void send_off(town *t) {
  for (size_t i = 0; i < t->effects.signals.count && t->society.travels; i++) {
    const eo_signal *s = &t->effects.signals.items[i];
    if (s->kind != EO_SIGNAL_LEAVE && (s->kind != EO_SIGNAL_DOWN || !s->from)) continue;
    assert_true(t->courier_count < COURIERS);
    t->couriers[t->courier_count] = (courier){.itself = {.number = (uint32_t)(CITIZENS + t->courier_count)},
                                              .from = (int)s->from->number,
                                              .to = (int)s->to->number,
                                              .flags = s->kind == EO_SIGNAL_DOWN ? EO_OP_MONITORED
                                                       : s->linked               ? EO_OP_LINKED
                                                                                 : 0,
                                              .reason = s->reason};
    t->courier_count++;
  }
}

/* What it touches is within its bound; of one that is alone, what eo_society_exit_alone says. */
static void perform(town *t, const plan *p) {
  eo_deed deed = deed_of(t, p);
  eo_effects bound = {0};
  eo__society_bound(&t->society, &deed, &bound);
  assert_int_equal(bound.signals.count, 0);
  eo_citizen copy = *deed.self;
  bool alone = deed.kind == EO_OP_EXIT && eo_society_exit_alone(&copy);
  t->fails = deed.kind == EO_OP_EXIT && deed.reason != EO_NORMAL;
  eo_effects_clear(&t->effects);
  eo__society_apply(&t->society, &deed, &t->effects);
  assert_false(t->effects.lost);
  for (size_t i = 0; i < t->effects.touches.count; i++)
    assert_true(touches(&bound, &t->effects.touches.items[i], true));
  if (alone) {
    assert_memory_equal(&copy, deed.self, sizeof copy);
    assert_true(t->effects.touches.count == 2 && t->effects.signals.count == 0 && t->effects.noticed == copy.killed);
    assert_true(touches(
        &t->effects, &(eo_contact){.kind = EO_OBJECT_LIFE, .writes = true, .a = copy.number, .b = copy.number}, false));
    assert_true(touches(&t->effects,
                        &(eo_contact){.kind = EO_OBJECT_NAMED, .writes = true, .a = copy.number, .b = copy.number},
                        false));
  }
  eo__effects_release(&bound);
  if (p->self >= CITIZENS) t->couriers[p->self - CITIZENS].arrived = true;
  send_off(t);
  check_sound(t);
}

/* ---- Two deeds in both orders ------------------------------------------------------------------------------------ */

typedef struct outcome {
  EO_VEC(eo_contact) touches;
  uint64_t doomed; /* bits */
  uint64_t digest; /* of everything but the touches */
} outcome;

static void mix(uint64_t *digest, uint64_t word) { *digest = (*digest ^ word) * UINT64_C(0x9E3779B97F4A7C15) + 1; }

static void note_outcome(const town *t, outcome *out) {
  const eo_effects *e = &t->effects;
  for (size_t i = 0; i < e->touches.count; i++) {
    eo_contact contact = e->touches.items[i];
    for (int n = 0; n < NAMES && contact.name; n++)
      if (strcmp(contact.name, names[n]) == 0) contact.name = names[n];
    assert_true(eo_vec_push(&out->touches, contact));
  }
  for (size_t i = 0; i < e->signals.count; i++) {
    const eo_signal *s = &e->signals.items[i];
    if (s->kind == EO_SIGNAL_DOOM) out->doomed |= (uint64_t)1 << s->to->number;
    mix(&out->digest, (uint64_t)s->kind << 32 | s->to->number);
    mix(&out->digest, s->from ? s->from->number : 99);
    mix(&out->digest, s->ref << 8 | (uint32_t)(s->reason + 9));
  }
  mix(&out->digest, e->other ? e->other->number : 99);
  mix(&out->digest, (uint64_t)e->result << 1 | (t->fails && e->noticed)); /* of a normal exit nobody asks */
}

static uint64_t digest_of(const town *t) {
  uint64_t digest = 0;
  for (int i = 0; i < CITIZENS; i++) {
    const eo_citizen *c = &t->citizens[i];
    mix(&digest, (uint64_t)c->killed << 3 | (uint64_t)c->traps << 2 | (uint64_t)c->doomed << 1 | c->ended);
    mix(&digest, (uint64_t)(int64_t)c->reason);
    mix(&digest, c->name ? (uint64_t)c->name->text[0] : 0);
    for (const eo_bond *bond = c->first; bond; bond = eo_bond_next(bond, c))
      mix(&digest, (uint64_t)bond->over[bond->ends[0] == c] << 50 | (uint64_t)bond->over[bond->ends[0] != c] << 49 |
                       bond->ref << 9 | (uint64_t)bond->muted << 8 | (uint64_t)(bond->ref && bond->ends[0] == c) << 7 |
                       eo_bond_other(bond, c)->number);
  }
  return digest;
}

static bool dependent(const outcome *x, int who, const outcome *y, int whom) {
  if (x->doomed >> whom & 1 || y->doomed >> who & 1) return true;
  for (size_t i = 0; i < x->touches.count; i++)
    for (size_t j = 0; j < y->touches.count; j++) {
      const eo_contact *a = &x->touches.items[i], *b = &y->touches.items[j];
      bool pair = (a->a == b->a && a->b == b->b) || (a->a == b->b && a->b == b->a);
      if (a->kind == b->kind && a->name == b->name && (a->name || pair) && (a->writes || b->writes)) return true;
    }
  return false;
}

static bool has_touch(const outcome *out, const eo_contact *wanted) {
  for (size_t i = 0; i < out->touches.count; i++) {
    const eo_contact *c = &out->touches.items[i];
    bool pair = (c->a == wanted->a && c->b == wanted->b) || (c->a == wanted->b && c->b == wanted->a);
    if (c->kind == wanted->kind && c->name == wanted->name && (c->name || pair) && c->writes == wanted->writes)
      return true;
  }
  return false;
}

static bool touch_the_same(const outcome *x, const outcome *y) {
  for (size_t i = 0; i < x->touches.count; i++)
    if (!has_touch(y, &x->touches.items[i])) return false;
  for (size_t i = 0; i < y->touches.count; i++)
    if (!has_touch(x, &y->touches.items[i])) return false;
  return true;
}

/* The prefix, then one and the other. */
static uint64_t run(bool travels, const plan *prefix, int count, const plan *one, const plan *other, outcome *first,
                    outcome *second) {
  town t;
  town_init(&t, travels);
  for (int i = 0; i < count; i++) perform(&t, &prefix[i]);
  perform(&t, one);
  note_outcome(&t, first);
  perform(&t, other);
  note_outcome(&t, second);
  uint64_t digest = digest_of(&t);
  town_release(&t);
  return digest;
}

static void check_pair(bool travels, const plan *prefix, int count, const plan *a, const plan *b, uint64_t *commuting) {
  outcome out[4] = {0};
  uint64_t ab = run(travels, prefix, count, a, b, &out[0], &out[1]);
  uint64_t ba = run(travels, prefix, count, b, a, &out[2], &out[3]);
  bool depend = dependent(&out[0], a->self, &out[1], b->self);
  assert_int_equal(depend, dependent(&out[3], a->self, &out[2], b->self));
  if (!depend) {
    if (ab != ba || out[0].digest != out[3].digest || out[1].digest != out[2].digest)
      print_message("%s of %d and %s of %d: the society %s, their effects %s\n", eo__op_name(a->kind), a->self,
                    eo__op_name(b->kind), b->self, ab == ba ? "is the same" : "differs",
                    out[0].digest == out[3].digest && out[1].digest == out[2].digest ? "are the same" : "differ");
    assert_true(ab == ba && out[0].digest == out[3].digest && out[1].digest == out[2].digest);
    assert_true(touch_the_same(&out[0], &out[3]) && touch_the_same(&out[1], &out[2]));
    ++*commuting;
  }
  for (int i = 0; i < 4; i++) eo_vec_release(&out[i].touches);
}

/* Who does the next deed: a courier that is on its way, a citizen that lives; -1: nobody. */
static int draw_living(eo_rng *rng, const town *t) {
  int alive = 0, at = 0;
  if (t->courier_count && eo__rng_below(rng, 2)) {
    int drawn = (int)eo__rng_below(rng, (uint32_t)t->courier_count);
    if (!t->couriers[drawn].arrived) return CITIZENS + drawn;
  }
  for (int i = 0; i < CITIZENS; i++) alive += !t->citizens[i].ended;
  if (alive == 0) return -1;
  for (int left = (int)eo__rng_below(rng, (uint32_t)alive); left > 0 || t->citizens[at].ended; at++)
    left -= !t->citizens[at].ended;
  return at;
}

static void deeds_that_share_nothing_commute(void **state) {
  (void)state;
  uint64_t pairs = 0, commuting = 0, arrivals = 0;
  for (uint64_t seed = first_seed; seed < first_seed + societies; seed++) {
    eo_rng rng;
    plan prefix[LONGEST];
    int count = 0;
    town t;
    eo__rng_init(&rng, seed);
    bool travels = seed % 2;
    town_init(&t, travels);
    for (int length = (int)eo__rng_below(&rng, LONGEST); count < length; count++) {
      int self = draw_living(&rng, &t);
      if (self < 0) break;
      prefix[count] = draw(&rng, self);
      if (prefix[count].kind == EO_OP_EXIT && eo__rng_below(&rng, 2)) prefix[count].kind = EO_OP_TRAP_EXIT;
      perform(&t, &prefix[count]);
    }
    for (int i = 0; i < PAIRS; i++) {
      int one = draw_living(&rng, &t), other = draw_living(&rng, &t);
      if (one < 0 || other < 0 || one == other) continue;
      plan a = draw(&rng, one), b = draw(&rng, other);
      check_pair(travels, prefix, count, &a, &b, &commuting);
      pairs++;
      arrivals += one >= CITIZENS || other >= CITIZENS;
    }
    town_release(&t);
    assert_int_equal(blocks, 0);
  }
  print_message("%ju pairs, %ju of them commute; in %ju a signal arrives\n", (uintmax_t)pairs, (uintmax_t)commuting,
                (uintmax_t)arrivals);
  assert_true(pairs > 4 * societies && commuting > pairs / 4 && commuting < pairs && arrivals > societies / 2);
}

/* Names in several buckets are found as in one. */
static void names_move_house(void **state) {
  (void)state;
  town t;
  eo_name *buckets[8] = {NULL};
  town_init(&t, false);
  for (int i = 0; i < NAMES; i++) perform(&t, &(plan){.kind = EO_OP_REGISTER, .self = 0, .other = i, .name = i});
  eo__society_rehash(&t.society, buckets, 8);
  for (int i = 0; i < NAMES; i++) assert_ptr_equal(eo__society_holder(&t.society, names[i]), &t.citizens[i]);
  eo_effects_clear(&t.effects);
  eo__society_apply(&t.society, &(eo_deed){.kind = EO_OP_UNREGISTER, .self = &t.citizens[4], .name = "b"}, &t.effects);
  assert_true(t.effects.result && t.effects.other == &t.citizens[1]);
  assert_null(eo__society_holder(&t.society, "b"));
  t.names = NULL; /* the old bucket is the caller's again */
  town_release(&t);
  assert_int_equal(blocks, 0);
}

/* ---- Signals that travel ------------------------------------------------------------------------------------------ */

static const eo_effects *apply(town *t, eo_deed deed) {
  eo_effects_clear(&t->effects);
  eo__society_apply(&t->society, &deed, &t->effects);
  return &t->effects;
}

static const eo_effects *arrive(town *t, int from, int to, int flags, int reason) {
  static eo_citizen nobody = {.number = CITIZENS};
  return apply(t, (eo_deed){.kind = EO_OP_SIGNAL,
                            .flags = flags,
                            .self = &nobody,
                            .other = &t->citizens[to],
                            .from = &t->citizens[from],
                            .reason = reason});
}

static const eo_effects *act_on(town *t, eo_op_kind kind, int self, int other, int reason) {
  return apply(t, (eo_deed){.kind = kind, .self = &t->citizens[self], .other = &t->citizens[other], .reason = reason});
}

static bool is_signal(const eo_effects *effects, eo_signal_kind kind) {
  return effects->signals.count == 1 && effects->signals.items[0].kind == kind;
}

/* The exit of one leaves the other alone; what its signal does is decided where it arrives. */
static void signals_travel(void **state) {
  town t;
  (void)state;
  town_init(&t, true);
  act_on(&t, EO_OP_LINK, 0, 1, 0);
  assert_true(is_signal(act_on(&t, EO_OP_EXIT, 0, 0, 3), EO_SIGNAL_LEAVE));
  assert_false(t.citizens[1].doomed);
  assert_int_equal(act_on(&t, EO_OP_LINK, 1, 0, 0)->signals.count, 0); /* linked as it is */
  assert_true(is_signal(arrive(&t, 0, 1, EO_OP_LINKED, 3), EO_SIGNAL_DOOM));
  assert_int_equal(t.citizens[1].reason, 3);
  assert_true(is_signal(act_on(&t, EO_OP_EXIT, 1, 0, 3), EO_SIGNAL_LEAVE)); /* also to one that has ended */
  arrive(&t, 1, 0, EO_OP_LINKED, 3);
  assert_int_equal(t.society.bonds, 0);
  town_release(&t);
  assert_int_equal(blocks, 0);
}

/* After an unlink it does nothing; to one that traps exits by then it is a message, but for a kill; it comes too late to one that
 * was doomed. */
static void signals_arrive(void **state) {
  town t;
  (void)state;
  town_init(&t, true);
  act_on(&t, EO_OP_LINK, 0, 1, 0);
  act_on(&t, EO_OP_LINK, 0, 2, 0);
  assert_int_equal(act_on(&t, EO_OP_EXIT, 0, 0, 3)->signals.count, 2);
  act_on(&t, EO_OP_UNLINK, 1, 0, 0);
  assert_int_equal(arrive(&t, 0, 1, EO_OP_LINKED, 3)->signals.count, 0);
  t.citizens[2].traps = true;
  assert_true(is_signal(arrive(&t, 0, 2, EO_OP_LINKED, 3), EO_SIGNAL_EXIT));
  assert_int_equal(act_on(&t, EO_OP_LINK, 2, 0, 0)->signals.items[0].reason, EO_NOPROC); /* that was its end */
  const eo_effects *sent = act_on(&t, EO_OP_KILL, 2, 1, EO_KILL);
  assert_true(is_signal(sent, EO_SIGNAL_LEAVE));
  assert_int_equal(sent->touches.count, 0);
  t.citizens[1].traps = true;
  assert_true(is_signal(arrive(&t, 2, 1, 0, EO_KILL), EO_SIGNAL_DOOM));
  assert_int_equal(t.citizens[1].reason, EO_KILLED);
  assert_int_equal(arrive(&t, 2, 1, 0, EO_KILL)->signals.count, 0);
  assert_true(is_signal(act_on(&t, EO_OP_KILL, 2, 2, EO_KILL), EO_SIGNAL_DOOM)); /* to oneself at once */
  town_release(&t);
  assert_int_equal(blocks, 0);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(deeds_that_share_nothing_commute),
                                     cmocka_unit_test(names_move_house), cmocka_unit_test(signals_travel),
                                     cmocka_unit_test(signals_arrive)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) societies = strtoull(argv[2], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
