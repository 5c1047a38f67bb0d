/* test_fingerprint.c: two states have the same fingerprint exactly if a slow comparison, which looks at everything each
 * time, says that they are the same: on random programs, on machines, wherever states were saved and restored, and
 * whatever numbers processes have in this worker. builds: release */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/vec.h"
#include "core/subject.h"
#include "subjects/actor/actor.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/wide.h"

#include "random_program.h"
#include "state_oracle.h"

/* ---- The slow comparison ---------------------------------------------------------------------------------------- */

typedef EO_VEC(char) bytes;

static void put(bytes *out, const void *from, size_t size) {
  if (!eo_vec_reserve(out, size + 1)) abort();
  if (size) memcpy(out->items + out->count, from, size);
  out->count += size;
}

static void put_number(bytes *out, uint64_t number) { put(out, &number, sizeof number); }

static void put_text(bytes *out, const char *text) { put(out, text, strlen(text) + 1); }

static void put_sized(bytes *out, const void *from, size_t size) {
  put_number(out, size);
  put(out, from, size);
}

static void put_process(bytes *out, eo_actor *actor, const eo_process *process) {
  put_text(out, eo__actor_name(actor, process->number));
  put_number(out, process->state);
  if (process->state != EO_ALIVE) return;
  bool doomed = process->pending == &process->exit_op;
  put_number(out, process->children);
  put_number(out, process->refs);
  put_number(out, process->citizen.traps);
  put_number(out, process->citizen.killed);
  put_number(out, process->now);
  put_number(out, doomed);
  size_t size;
  const void *machine = eo__actor_machine_state(process, &size);
  const char *top = process->arena + EO_STACK_SIZE, *sp = process->fiber.sp;
  if (doomed) {
    put_number(out, (uint64_t)process->exit_op.reason);
  } else {
    if (machine)
      put_sized(out, machine, size);
    else {
      put_number(out, (uint64_t)(uintptr_t)process->pending);
      const char *meant = eo__actor_meant_end(process), *end = eo__actor_stack_end(process);
      put_sized(out, sp, (size_t)(meant - sp));
      if (meant != end) put_sized(out, eo__actor_small_inbox(process), (size_t)(end - eo__actor_small_inbox(process)));
      if (process->pending->name) put_text(out, process->op_name);
      if (process->outgoing) put_sized(out, process->outgoing->bytes, process->outgoing->size);
    }
    put_sized(out, top, eo__heap_used(process));
  }
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    put_text(out, eo__actor_name(actor, mail->from));
    put_number(out, (uint64_t)mail->tag);
    put_number(out, mail->time);
    put_sized(out, mail->bytes, mail->size);
  }
}

static int by_text(const void *a, const void *b) {
  return strcmp((*(eo_name *const *)a)->text, (*(eo_name *const *)b)->text);
}

/* Everything that the state is. */
static void put_state(bytes *out, eo_subject *subject) {
  eo_actor *actor = (eo_actor *)subject;
  for (size_t i = 0; i < actor->live.count; i++) put_process(out, actor, actor->live.items[i]);
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_citizen *citizen = &actor->live.items[i]->citizen;
    for (const eo_bond *bond = citizen->ended ? NULL : citizen->first; bond; bond = eo_bond_next(bond, citizen)) {
      if (bond->ends[0]->ended || bond->ends[1]->ended) continue;
      put_text(out, eo__actor_name(actor, bond->ends[0]->number));
      put_text(out, eo__actor_name(actor, bond->ends[1]->number));
      put_number(out, bond->ref);
    }
  }
  EO_VEC(eo_name *) sorted = {0};
  for (eo_name *name = actor->world.names; name; name = name->next) assert_true(eo_vec_push(&sorted, name));
  if (sorted.count) qsort(sorted.items, sorted.count, sizeof *sorted.items, by_text);
  for (size_t i = 0; i < sorted.count; i++) {
    put_text(out, sorted.items[i]->text);
    put_text(out, eo__actor_name(actor, sorted.items[i]->holder->number));
  }
  eo_vec_release(&sorted);
  uint64_t globals[2];
  eo__capture_fingerprint(actor->capture, NULL, 0, globals);
  put(out, globals, sizeof globals);
}

typedef struct met {
  uint64_t print[2];
  bytes state;
} met;

typedef EO_VEC(met) met_list;

static int by_print(const void *a, const void *b) {
  return memcmp(((const met *)a)->print, ((const met *)b)->print, sizeof((const met *)a)->print);
}

static int by_state(const void *a, const void *b) {
  const met *x = a, *y = b;
  if (x->state.count != y->state.count) return x->state.count < y->state.count ? -1 : 1;
  return memcmp(x->state.items, y->state.items, x->state.count);
}

static void meet(met_list *list, eo_subject *subject) {
  met m = {0};
  subject->ops->states->fingerprint(subject, m.print);
  put_state(&m.state, subject);
  assert_true(eo_vec_push(list, m));
}

/* How many different ones there are. */
static size_t check_met(met_list *list, const char *what) {
  size_t different[2] = {0};
  for (int by = 0; by < 2; by++) {
    qsort(list->items, list->count, sizeof *list->items, by ? by_state : by_print);
    for (size_t i = 0; i < list->count; i++) {
      bool same_print = i && by_print(&list->items[i - 1], &list->items[i]) == 0;
      bool same_state = i && by_state(&list->items[i - 1], &list->items[i]) == 0;
      if (same_print != same_state)
        fail_msg("%s: %s", what,
                 same_print ? "different states have the same fingerprint" : "one state has two fingerprints");
      different[by] += !same_print;
    }
  }
  assert_int_equal(different[0], different[1]);
  return different[0];
}

static void release_met(met_list *list) {
  for (size_t i = 0; i < list->count; i++) eo_vec_release(&list->items[i].state);
  eo_vec_release(list);
}

/* ---- Machines --------------------------------------------------------------------------------------------------- */

enum { ASK = 1, VOTE, DECIDE, VOTERS = 3 };

typedef struct voter {
  eo_pid chair;
  int decided;
  char *note;
} voter;

static void voter_starts(void *self, const eo_message *event) { ((voter *)self)->chair = *(const eo_pid *)event->data; }

static void voter_votes(void *self, const eo_message *event) {
  voter *v = self;
  (void)event;
  int vote = eo_flip();
  v->note = malloc(8);
  snprintf(v->note, 8, "%d", vote);
  eo_send(v->chair, VOTE, &vote, sizeof vote);
}

static void voter_decides(void *self, const eo_message *event) {
  voter *v = self;
  v->decided = 1 + *(const int *)event->data;
  free(v->note);
  v->note = NULL;
}

static const eo_machine_state voter_states[] = {
    {.name = "voting", .entry = voter_starts, .on = EO_ON(EO_DO(ASK, voter_votes), EO_DO(DECIDE, voter_decides))}};
static const eo_machine voter_machine = {
    .name = "voter", .size = sizeof(voter), .states = voter_states, .state_count = 1};

typedef struct chair {
  eo_pid voters[VOTERS];
  int votes, yes;
} chair;

static void chair_starts(void *self, const eo_message *event) {
  chair *c = self;
  eo_pid me = eo_self();
  (void)event;
  for (int i = 0; i < VOTERS; i++) c->voters[i] = eo_create(&voter_machine, &me, sizeof me);
  for (int i = 0; i < VOTERS; i++) eo_send(c->voters[i], ASK, NULL, 0);
}

static void chair_counts(void *self, const eo_message *event) {
  chair *c = self;
  c->votes++;
  c->yes += *(const int *)event->data;
  if (c->votes < VOTERS) return;
  int decision = c->yes == VOTERS;
  for (int i = 0; i < VOTERS; i++) eo_send(c->voters[i], DECIDE, &decision, sizeof decision);
}

static const eo_machine_state chair_states[] = {
    {.name = "counting", .entry = chair_starts, .on = EO_ON(EO_DO(VOTE, chair_counts))}};
static const eo_machine chair_machine = {
    .name = "chair", .size = sizeof(chair), .states = chair_states, .state_count = 1};

static void machines(void *argument) {
  (void)argument;
  eo_become(&chair_machine, NULL, 0);
}

/* A machine whose functions look at what they were given, argument or event, after they have sent something: in between,
 * that is all that tells what they will do. */
enum { TELL = 10, HELLO, SAID };

typedef struct gift {
  eo_pid giver;
  uint64_t value;
} gift;

static void taker_starts(void *self, const eo_message *event) {
  const gift *given = event->data;
  *(eo_pid *)self = given->giver;
  eo_send(given->giver, HELLO, NULL, 0);
  eo_send(given->giver, SAID, &given->value, sizeof given->value);
}

static void taker_hears(void *self, const eo_message *event) {
  eo_send(*(eo_pid *)self, HELLO, NULL, 0);
  eo_send(event->from, SAID, NULL, 0);
}

static const eo_machine_state taker_states[] = {
    {.name = "taking", .entry = taker_starts, .on = EO_ON(EO_DO(TELL, taker_hears))}};
static const eo_machine taker_machine = {
    .name = "taker", .size = sizeof(eo_pid), .states = taker_states, .state_count = 1};

static void nod(void *self, const eo_message *event) { (void)self, (void)event; }

static void helper_starts(void *self, const eo_message *event) {
  (void)self;
  eo_send(*(const eo_pid *)event->data, TELL, NULL, 0);
}

static const eo_machine_state helper_states[] = {
    {.name = "helping", .entry = helper_starts, .on = EO_ON(EO_DO(SAID, nod))}};
static const eo_machine helper_machine = {.name = "helper", .states = helper_states, .state_count = 1};

static void giver_starts(void *self, const eo_message *event) {
  (void)self, (void)event;
  gift given = {eo_self(), eo_choose(2)};
  eo_pid taker = eo_create(&taker_machine, &given, sizeof given);
  eo_create(&helper_machine, &taker, sizeof taker);
  eo_send(taker, TELL, NULL, 0);
}

static const eo_machine_state giver_states[] = {
    {.name = "giving", .entry = giver_starts, .on = EO_ON(EO_DO(HELLO, nod), EO_DO(SAID, nod))}};
static const eo_machine giver_machine = {.name = "giver", .states = giver_states, .state_count = 1};

static void giving(void *argument) {
  (void)argument;
  eo_become(&giver_machine, NULL, 0);
}

/* ---- Walks ------------------------------------------------------------------------------------------------------ */

static eo_subject *open_subject(eo_function function, void *argument) {
  eo_error error = {0};
  eo_actor_options options = {.function = function, .argument = argument, .watchdog = 10, .fingerprints = true};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) fail_msg("%s", error.text);
  return subject;
}

enum { DEEPEST = 200, SAVES = 32 };

/* Random steps, saves and returns, from the start `rounds` times. Looks at some of the states only, so that several
 * steps lie between two looks. */
static void wander(eo_subject *subject, eo_rng *rng, int rounds, met_list *list) {
  eo_event events[DEEPEST + 1]; /* static variables would be the program's */
  for (int round = 0; round < rounds; round++) {
    void *saved[SAVES];
    uint32_t depths[SAVES], depth = 0;
    size_t saves = 0;
    bool good = subject->ops->reset(subject);
    for (int move = 0; move < 150 && good; move++) {
      const eo_choice *choices;
      uint32_t count = subject->ops->enabled(subject, &choices), what = eo__rng_below(rng, 10);
      if (list && what < 6) meet(list, subject);
      if (what < 3 && saves < SAVES && (saved[saves] = subject->ops->saving->save(subject))) depths[saves++] = depth;
      if (count && depth < DEEPEST && what != 9)
        good = subject->ops->step(subject, choices[eo__rng_below(rng, count)], &events[depth++]);
      if ((!good || !count || what == 9) && saves) {
        size_t to = eo__rng_below(rng, (uint32_t)saves);
        while (saves > to + 1) subject->ops->saving->forget(subject, saved[--saves]);
        good = subject->ops->saving->restore(subject, saved[to]);
        assert_true(good);
        depth = depths[to];
      } else if (!count) {
        break;
      }
    }
    while (saves) subject->ops->saving->forget(subject, saved[--saves]);
  }
}

/* Gives the processes other numbers than the program would. */
static void number_otherwise(eo_subject *subject) {
  static const char *const names[] = {"P1.4", "P1.2.1", "P1.3", "P1.1.1", "P1.2"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_true(subject->ops->processes->number(subject, names[i]) != EO_NO_PROCESS);
}

static size_t walk_and_check(eo_function function, void *argument, const char *what, uint64_t seed) {
  met_list list = {0};
  eo_rng rng;
  eo__rng_init(&rng, seed);
  for (int otherwise = 0; otherwise < 2; otherwise++) {
    eo_subject *subject = open_subject(function, argument);
    if (otherwise) number_otherwise(subject);
    wander(subject, &rng, 6, NULL); /* what is called for the first time leaves traces of the dynamic linker */
    wander(subject, &rng, 10, &list);
    subject->ops->close(subject);
  }
  size_t looks = list.count, different = check_met(&list, what);
  release_met(&list);
  return looks - different;
}

static void random_programs(void **state) {
  (void)state;
  size_t again = 0;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    char what[64];
    int first = 0;
    snprintf(what, sizeof what, "program %llu", (unsigned long long)seed);
    if (seed > 60)
      draw_society_program(seed);
    else if (seed % 3)
      draw_program(seed);
    else
      draw_busy_program(seed);
    memset(notes->pids, 0, sizeof notes->pids);
    snprintf(notes->ids[0], sizeof notes->ids[0], "P1");
    eo_subject *subject = open_subject(learn_pids, &first);
    subject->ops->reset(subject);
    eo_event event[64];
    const eo_choice *choices;
    for (int i = 0; i < 60 && subject->ops->enabled(subject, &choices); i++)
      subject->ops->step(subject, choices[0], &event[i]);
    subject->ops->close(subject);
    again += walk_and_check(run_script, &first, what, seed);
  }
  assert_true(again > 1000); /* states that were met in several ways */
}

static void of_machines(void **state) {
  (void)state;
  size_t again = 0;
  for (uint64_t seed = 1; seed <= 10; seed++) again += walk_and_check(machines, NULL, "machines", seed);
  assert_true(again > 100);
}

/* ---- Orders ------------------------------------------------------------------------------------------------------- */

/* From each of the first states of breadth-first search: two steps of different processes, in both orders. When the slow
 * comparison says that they lead to the same state, so does the fingerprint; of machines that happens often. */
static void both_orders(void **state) {
  (void)state;
  eo_subject *subject = open_subject(machines, NULL);
  eo_rng rng;
  eo__rng_init(&rng, 3);
  wander(subject, &rng, 20, NULL);
  oracle o;
  assert_true(oracle_run(&o, subject, 400));
  eo_event events[DEEPEST];
  size_t same = 0;
  for (size_t at = 0; at < 400 && at < o.states.count; at++) {
    const eo_choice *listed;
    eo_choice two[2];
    assert_true(oracle_go(&o, subject, at, events));
    uint32_t count = subject->ops->enabled(subject, &listed);
    if (count < 2 || listed[0].process == listed[count - 1].process) continue;
    two[0] = listed[count - 2];
    two[1] = listed[count - 1];
    if (two[0].process == two[1].process) two[0] = listed[0];
    met_list list = {0};
    for (int order = 0; order < 2; order++) {
      uint32_t depth = o.states.items[at].depth;
      assert_true(oracle_go(&o, subject, at, events));
      if (subject->ops->step(subject, two[order], &events[depth]) &&
          subject->ops->step(subject, two[!order], &events[depth + 1]))
        meet(&list, subject);
    }
    if (list.count == 2) same += check_met(&list, "two orders") == 1;
    release_met(&list);
  }
  print_message("%zu pairs of steps lead to the same state in both orders\n", same);
  assert_true(same > 50);
  oracle_release(&o);
  subject->ops->close(subject);
}

/* Breadth-first search finds the same states in a worker that numbers processes otherwise. */
static void in_every_worker(void **state) {
  (void)state;
  oracle o[2];
  for (int otherwise = 0; otherwise < 2; otherwise++) {
    eo_subject *subject = open_subject(machines, NULL);
    eo_rng rng;
    eo__rng_init(&rng, 3);
    if (otherwise) number_otherwise(subject);
    wander(subject, &rng, 20, NULL);
    assert_true(oracle_run(&o[otherwise], subject, 3000));
    subject->ops->close(subject);
  }
  assert_int_equal(o[0].states.count, o[1].states.count);
  assert_int_equal(o[0].transitions, o[1].transitions);
  for (size_t i = 0; i < o[0].states.count; i++)
    assert_memory_equal(o[0].states.items[i].print, o[1].states.items[i].print, sizeof o[0].states.items[i].print);
  for (int i = 0; i < 2; i++) oracle_release(&o[i]);
}

/* ---- What comes next -------------------------------------------------------------------------------------------- */

typedef struct taken {
  uint64_t from[2], to[2];
  uint32_t process, value;
} taken;

/* The same choice in the same state leads to the same state: fingerprints leave out nothing that matters later, and
 * nothing that does not matter comes back into them. How often that was seen. */
static size_t go_on_equally(eo_function function, const char *what) {
  enum { ROOM = 1 << 14 };
  eo_subject *subject = open_subject(function, NULL);
  taken *table = calloc(ROOM, sizeof *table);
  assert_non_null(table);
  eo_rng rng;
  eo__rng_init(&rng, 5);
  wander(subject, &rng, 20, NULL);
  size_t again = 0;
  for (int round = 0; round < 400; round++) {
    eo_event events[DEEPEST];
    const eo_choice *choices;
    uint32_t depth = 0, count;
    bool good = subject->ops->reset(subject);
    while (good && depth < DEEPEST && (count = subject->ops->enabled(subject, &choices))) {
      eo_choice choice = choices[eo__rng_below(&rng, count)];
      taken now = {.process = choice.process, .value = choice.value};
      subject->ops->states->fingerprint(subject, now.from);
      good = subject->ops->step(subject, choice, &events[depth++]);
      if (!good) break;
      subject->ops->states->fingerprint(subject, now.to);
      taken *was = &table[(now.from[0] + choice.process * 31 + choice.value * 7) % ROOM];
      bool same =
          memcmp(was->from, now.from, sizeof now.from) == 0 && was->process == now.process && was->value == now.value;
      if (same && memcmp(was->to, now.to, sizeof now.to) != 0)
        fail_msg("%s: the same step from the same state leads to two states", what);
      again += same;
      *was = now;
    }
  }
  free(table);
  subject->ops->close(subject);
  return again;
}

static void equal_states_go_on_equally(void **state) {
  (void)state;
  assert_true(go_on_equally(machines, "machines") > 1000);
  assert_true(go_on_equally(giving, "giving") > 1000);
}

static void only_waits(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
}

/* This program has no thread-local variables, and the tool's own are not taken for some: a process gets no copies of any, and
 * switching to it costs no more for it. */
static void nothing_is_kept_for_each_process(void **state) {
  (void)state;
  eo_subject *subject = open_subject(only_waits, NULL);
  assert_true(subject->ops->reset(subject));
  const eo_actor *actor = eo__actor_of(subject);
  assert_false(actor->apart);
  assert_int_equal(eo__heap_used(actor->live.items[0]), 0);
  subject->ops->close(subject);
}

/* Workers whose processors differ share a set of states. */
static void wide_vectors_change_nothing(void **state) {
  (void)state;
  unsigned char some[4096];
  for (size_t i = 0; i < sizeof some; i++) some[i] = (unsigned char)(i * i + (i >> 3));
  if (eo__wide_built && !eo__wide_helps()) skip();
  for (size_t size = 0; size <= sizeof some; size++) {
    uint64_t hash[2];
    XXH128_hash_t value = XXH3_128bits(some, size);
    eo__wide_hash(some, size, hash);
    assert_true(hash[0] == value.low64 && hash[1] == value.high64);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
      cmocka_unit_test(of_machines),
      cmocka_unit_test(both_orders),
      cmocka_unit_test(in_every_worker),
      cmocka_unit_test(wide_vectors_change_nothing),
      cmocka_unit_test(equal_states_go_on_equally),
      cmocka_unit_test(nothing_is_kept_for_each_process),
  };
  if (!open_notes()) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
