/* test_undo.c: random walks over a program's states: steps, saves, forgetting, and going back to any of the saved states,
 * however far. Every state that was met must be the one that its choices lead to from the start: the same fingerprint,
 * the same choices, the same failure. Each program also runs with a global that keeps states from being noted by
 * processes, so that they are saved in whole pages. builds: release asan
 * hunt: SEED 10 */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "base/vec.h"
#include "core/subject.h"
#include "subjects/actor/actor.h"

/* ---- Programs --------------------------------------------------------------------------------------------------- */

enum { MOVES = 1500, PAGE = 4096, WORD = 1, BYE = 2, NOW = 3 };

static unsigned mix(unsigned seen, unsigned what) { return (seen ^ what) * 2654435761u + 1; }

static unsigned mix_bytes(unsigned seen, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) seen = mix(seen, ((const unsigned char *)bytes)[i]);
  return seen;
}

typedef struct job {
  eo_pid to;
  unsigned number;
} job;

static eo_pid start(eo_function function, unsigned number) {
  job j;
  memset(&j, 0, sizeof j);
  j.to = eo_self();
  j.number = number;
  return eo_spawn(function, &j, sizeof j);
}

static void sends_words(void *argument) {
  job j = *(job *)argument;
  for (unsigned i = 0; i < 2; i++) {
    char *text = malloc(24 + 200 * j.number), *empty = calloc(1, 64);
    for (int at = 0; at < 64; at++) eo_assert(empty[at] == 0, "calloc gives %d", empty[at]);
    memset(empty, 0x55, 64);
    snprintf(text, 24, "word %u of %u", i, j.number);
    eo_send(j.to, WORD, text, strlen(text) + 1);
    text = realloc(text, 1000);
    memset(text + 500, 'x', 500);
    if (eo_flip()) free(empty);
    free(text);
  }
}

static void heap(void *argument) {
  (void)argument;
  char *all = malloc(1);
  size_t size = 0;
  for (unsigned i = 0; i < 2; i++) start(sends_words, i);
  for (int i = 0; i < 4; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    all = realloc(all, size + message.size);
    memcpy(all + size, message.data, message.size);
    size += message.size;
  }
  char *large = malloc((size_t)3 * PAGE);
  memset(large, 'y', (size_t)3 * PAGE);
  unsigned seen = mix_bytes(0, all, size);
  if (eo_choose(2) == 1) free(large);
  eo_send(eo_self(), BYE, &seen, sizeof seen);
}

static void sends_large(void *argument) {
  const job *j = argument;
  static const size_t sizes[] = {257, 300, 1000, 5000};
  for (int i = 0; i < 2; i++) {
    char bytes[5000];
    memset(bytes, 'a' + i, sizeof bytes);
    eo_send(j->to, WORD, bytes, sizes[(j->number + 2 * (unsigned)i) % 4]);
  }
}

static void is_started_large(void *argument) {
  char *bytes = argument;
  memset(bytes, 'z', 900);
  eo_sleep(1);
}

static void large(void *argument) {
  (void)argument;
  char bytes[1000] = "large";
  unsigned seen = 0;
  for (unsigned i = 0; i < 2; i++) start(sends_large, i);
  for (int i = 0; i < 4; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    seen = mix_bytes(seen, message.data, message.size);
    if (i == 2) eo_spawn(is_started_large, bytes, sizeof bytes);
  }
  (void)eo_choose(3);
  eo_send(eo_self(), BYE, &seen, sizeof seen);
}

static void is_named(void *argument) {
  eo_message message;
  (void)argument;
  if (!eo_register("server", eo_self())) return;
  while (eo_receive(&message, 0) && message.tag != BYE) continue;
  if (eo_flip()) eo_unregister("server");
  eo_register("other", eo_self());
}

static void names(void *argument) {
  (void)argument;
  unsigned seen = 0;
  for (unsigned i = 0; i < 2; i++) start(is_named, i);
  for (unsigned i = 0; i < 3; i++) {
    eo_pid server = eo_whereis(i % 2 ? "other" : "server");
    seen = mix(seen, (unsigned)server);
    if (server != EO_NOBODY) eo_send(server, i == 2 ? BYE : WORD, &seen, sizeof seen);
  }
  seen = mix(seen, eo_unregister("other"));
  eo_sleep(seen % 7);
}

static void dies(void *argument) {
  const job *j = argument;
  eo_pid self = eo_self();
  eo_send(j->to, WORD, &self, sizeof self);
  if (j->number) eo_exit((int)j->number);
}

static void waits(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
}

static void bonds(void *argument) {
  (void)argument;
  unsigned seen = 0;
  eo_ref refs[2];
  job j;
  memset(&j, 0, sizeof j);
  j.to = eo_self();
  eo_trap_exit(true);
  for (unsigned i = 0; i < 2; i++) {
    j.number = i;
    eo_pid child = eo_spawn_monitor(dies, &j, sizeof j, &refs[i]);
    eo_link(child);
  }
  eo_pid linked = eo_spawn_link(waits, NULL, 0);
  for (int i = 0; i < 4; i++) {
    eo_message message;
    if (!eo_receive(&message, 10)) continue;
    seen = mix(mix_bytes(seen, message.data, message.size), (unsigned)message.tag);
  }
  eo_demonitor(refs[0], EO_FLUSH);
  eo_unlink(linked);
  if (eo_flip()) eo_link(linked);
  eo_exit(seen % 3 ? 0 : 7);
}

static bool is_even(const eo_message *message, void *context) {
  unsigned *looked = context, number;
  char scratch[600];
  memset(scratch, (int)++*looked, sizeof scratch);
  __asm__ volatile("" : : "r"(scratch) : "memory");
  memcpy(&number, message->data, sizeof number);
  return number % 2 == 0;
}

static void sends_numbers(void *argument) {
  const job *j = argument;
  for (unsigned i = j->number; i < j->number + 3; i++) eo_send(j->to, WORD, &i, sizeof i);
}

static void predicates(void *argument) {
  (void)argument;
  eo_message message;
  unsigned seen = 0, looked = 0;
  for (unsigned i = 0; i < 2; i++) start(sends_numbers, 3 * i);
  for (int i = 0; i < 3; i++)
    seen = eo_receive_if(&message, is_even, &looked, 5) ? mix_bytes(seen, message.data, message.size) : mix(seen, 1);
  if (eo_receive_tag(&message, WORD, 0)) seen = mix(seen, looked);
  seen = mix(seen, (unsigned)eo_now());
  eo_sleep(5);
  eo_assert(looked < 12, "it looked %u times", looked);
  eo_send(eo_self(), BYE, &seen, sizeof seen);
}

__attribute__((noinline)) static unsigned goes_deep(unsigned levels, unsigned seen) {
  char room[1500];
  memset(room, (int)levels, sizeof room / 3); /* the rest holds what others left there */
  __asm__ volatile("" : : "r"(room) : "memory");
  if (levels == 0) return mix(seen, eo_choose(2));
  seen = goes_deep(levels - 1, mix_bytes(seen, room, 100));
  __asm__ volatile("" : : "r"(room) : "memory");
  return mix(seen, levels % 2 ? eo_choose(2) : 0);
}

static void is_deep(void *argument) {
  const job *j = argument;
  unsigned seen = goes_deep(j->number * 8 + eo_choose(3), 1);
  eo_send(j->to, WORD, &seen, sizeof seen);
}

static void depths(void *argument) {
  (void)argument;
  eo_message message;
  for (unsigned i = 0; i < 2; i++) start(is_deep, i);
  unsigned seen = goes_deep(2, 3);
  for (int i = 0; i < 2; i++) {
    eo_receive(&message, EO_FOREVER);
    seen = goes_deep(seen % 4, mix_bytes(seen, message.data, message.size));
  }
}

static void has_children(void *argument) {
  const job *j = argument;
  int *leaked = malloc(sizeof *leaked);
  *leaked = 1;
  for (unsigned i = 0; i < j->number; i++) start(has_children, j->number - 1 - i);
  if (eo_flip()) eo_send(j->to, WORD, &j->number, sizeof j->number);
}

static void families(void *argument) {
  (void)argument;
  start(has_children, 2);
  eo_message message;
  for (int i = 0; i < 3; i++)
    if (eo_receive(&message, 0)) start(has_children, 1);
}

/* Addresses get out: to a stack, to a heap; and a block is freed by another process. */
typedef struct handed {
  unsigned *on_stack;
  char *on_heap;
  eo_pid to;
} handed;

static void writes_elsewhere(void *argument) {
  handed h = *(handed *)argument;
  for (int i = 0; i < 2; i++) {
    *h.on_stack = mix(*h.on_stack, eo_choose(2));
    h.on_heap[i] = 'w';
    eo_send(h.to, NOW, NULL, 0);
  }
  free(h.on_heap);
  char *own = malloc(50);
  strcpy(own, "mine");
  eo_send(h.to, WORD, &own, sizeof own);
}

static void pointers(void *argument) {
  (void)argument;
  unsigned value = 1, seen = 0;
  (void)eo_choose(2);
  handed h = {&value, calloc(1, 40), eo_self()};
  start(sends_numbers, 4);
  eo_spawn(writes_elsewhere, &h, sizeof h);
  for (int i = 0; i < 3; i++) {
    eo_message message;
    eo_receive_tag(&message, i < 2 ? NOW : WORD, EO_FOREVER);
    seen = mix(seen, value);
    if (i < 2) continue;
    char *theirs = *(char *const *)message.data;
    seen = mix_bytes(seen, theirs, strlen(theirs));
    theirs[0] = (char)('a' + eo_choose(2));
    eo_sleep(1);
    free(theirs);
  }
}

/* The same through a global that is declared shared. */
static _Alignas(PAGE) volatile struct {
  unsigned *value;
  char rest[PAGE - sizeof(unsigned *)];
} shared_page;

static void finds_address(void *argument) {
  (void)argument;
  unsigned *kept = NULL;
  for (int i = 0; i < 4; i++) {
    if (shared_page.value) kept = shared_page.value;
    if (eo_choose(2) && kept) *kept = mix(*kept, 5);
  }
}

static void globals(void *argument) {
  (void)argument;
  unsigned value = 1;
  for (unsigned i = 0; i < 2; i++) start(finds_address, i);
  (void)eo_choose(2);
  shared_page.value = &value;
  eo_sleep(value % 5);
  shared_page.value = NULL; /* the page as it was; but who looked knows */
  for (int i = 0; i < 3; i++) eo_sleep(value % 7);
}

/* Its own global, watched: nothing is saved from there on, and it is as it was after going back. */
static int written_late;

static void watched(void *argument) {
  (void)argument;
  start(sends_numbers, 1);
  for (unsigned i = 0; i < 3; i++) {
    eo_message message;
    eo_assert(written_late == 0, "left over: %d", written_late);
    eo_receive(&message, EO_FOREVER);
  }
  written_late = 1 + (int)eo_choose(3);
  eo_sleep(1);
}

__attribute__((no_sanitize("undefined"))) static void crashes(void *argument) {
  (void)argument;
  eo_message message;
  start(sends_numbers, 1);
  start(dies, 0);
  unsigned chosen = eo_choose(3);
  eo_receive(&message, EO_FOREVER);
  eo_assert(chosen != 1 || message.tag != WORD || message.size != 4, "one of them");
  if (chosen == 2) *(volatile int *)(uintptr_t)(eo_choose(2) * 8) = 1;
  eo_receive(&message, EO_FOREVER);
}

/* Machines, some with memory on the heap, and a specification that has some too, and is hot now and then. */
typedef struct ring {
  eo_pid next;
  unsigned rounds;
  char *kept;
} ring;

static void keep_word(void *self, const eo_message *event) {
  ring *vars = self;
  char *longer = realloc(vars->kept, 40 + 100 * (size_t)vars->rounds);
  if (!longer) return;
  vars->kept = longer;
  memset(longer + 100 * (size_t)vars->rounds, (int)event->size, 40);
}

static void hand_on(void *self, const eo_message *event) {
  ring *vars = self;
  keep_word(self, event);
  if (++vars->rounds == 3)
    eo_halt(self);
  else if (vars->next != EO_NOBODY)
    eo_send(vars->next, vars->rounds == 2 ? BYE : WORD, event->data, event->size);
  else
    eo_goto(self, 1, "waits", 6);
}

static void meet_next(void *self, const eo_message *event) {
  ring *vars = self;
  if (event->size == sizeof vars->next) memcpy(&vars->next, event->data, sizeof vars->next);
}

static const eo_machine ring_machine = {
    EO_VARIABLES(ring), .name = "ring",
    EO_STATES({.name = "on", .entry = meet_next, .on = EO_ON(EO_DO(WORD, hand_on), EO_IGNORE(BYE))},
              {.name = "waits", .entry = keep_word, .on = EO_ON(EO_DEFER(WORD), EO_GOTO(BYE, 0))})};

static const eo_machine ring_watcher = {
    EO_VARIABLES(ring), .name = "watcher", EO_OBSERVES(WORD, BYE),
    EO_STATES({.name = "cold", .on = EO_ON(EO_GOTO_WITH(WORD, 1, keep_word), EO_DO(BYE, keep_word))},
              {.name = "hot", .hot = true, .on = EO_ON(EO_GOTO_WITH(BYE, 0, keep_word), EO_GOTO(WORD, 1))})};

static void machines(void *argument) {
  (void)argument;
  eo_specify(&ring_watcher, NULL, 0);
  eo_pid last = eo_create(&ring_machine, NULL, 0), middle = eo_create(&ring_machine, &last, sizeof last);
  for (unsigned i = 0; i < 2; i++) eo_send(i ? last : middle, WORD, "words", 6 - i);
  if (eo_choose(2) == 1) eo_announce(BYE, NULL, 0);
  eo_send(middle, WORD, "more", 5);
}

static const struct {
  const char *name;
  eo_function function;
  bool noted; /* all of its states can be noted, process by process */
} programs[] = {
    {"heap", heap, true},         {"large", large, true},           {"names", names, true},
    {"bonds", bonds, true},       {"predicates", predicates, true}, {"depths", depths, true},
    {"families", families, true}, {"pointers", pointers, false},    {"globals", globals, false},
    {"watched", watched, false},  {"crashes", crashes, true},       {"machines", machines, true},
};

static _Alignas(
    PAGE) volatile char whole_page[PAGE]; /* declared shared: written, it does not keep states from being saved */

static void in_whole_pages(void *argument) {
  whole_page[0] = 1;
  (*(eo_function *)argument)(NULL);
}

/* The sanitizer's functions leave on the stacks what depends on its own heap, not on the program: a state in the middle
 * of an execution is not the same twice. */
#ifdef __SANITIZE_ADDRESS__
enum { LOOK_OFTEN = 0, WALKS = 1 };
#else
enum { LOOK_OFTEN = 1, WALKS = 3 };
#endif

/* ---- Walks ------------------------------------------------------------------------------------------------------ */

typedef struct met {
  eo_choice path[256];
  uint32_t length;
  eo_kind failure;
  uint64_t state[2];
  uint32_t choices;
} met;

typedef struct walk {
  eo_subject *subject;
  eo_rng rng;
  eo_choice path[256];
  eo_event events[256];
  uint32_t depth;
  bool failed;
  struct {
    uint32_t depth;
    void *state;
  } saved[256];
  size_t saves;
  uint32_t restores, lost, most_cost;
  EO_VEC(met) met;
} walk;

static void forget_last(walk *w) { w->subject->ops->saving->forget(w->subject, w->saved[--w->saves].state); }

static void reset(walk *w) {
  while (w->saves) forget_last(w);
  w->depth = 0;
  w->failed = !w->subject->ops->reset(w->subject);
}

static void go_back(walk *w) {
  if (w->saves == 0 || eo__rng_below(&w->rng, 50) == 0) {
    reset(w);
    return;
  }
  /* Mostly to the last few. */
  size_t to = eo__rng_below(&w->rng, 3) ? w->saves - 1 - eo__rng_below(&w->rng, w->saves < 3 ? (uint32_t)w->saves : 3)
                                        : eo__rng_below(&w->rng, (uint32_t)w->saves);
  while (w->saves > to + 1) forget_last(w);
  if (!w->subject->ops->saving->restore(w->subject, w->saved[to].state)) {
    w->lost++;
    reset(w);
    return;
  }
  w->depth = w->saved[to].depth;
  w->failed = false;
  w->restores++;
}

static void forget_one(walk *w) {
  size_t which = eo__rng_below(&w->rng, (uint32_t)w->saves);
  w->subject->ops->saving->forget(w->subject, w->saved[which].state);
  memmove(&w->saved[which], &w->saved[which + 1], (--w->saves - which) * sizeof w->saved[0]);
}

static void save(walk *w) {
  if (w->failed || (w->saves && w->saved[w->saves - 1].depth == w->depth)) return;
  uint32_t cost = w->subject->ops->saving->cost(w->subject);
  void *state = w->subject->ops->saving->save(w->subject);
  if (!state) return;
  if (cost > w->most_cost) w->most_cost = cost;
  w->saved[w->saves].depth = w->depth;
  w->saved[w->saves++].state = state;
}

static void note(const walk *w, met *m) {
  const eo_choice *choices;
  memset(m, 0, sizeof *m);
  m->length = w->depth;
  memcpy(m->path, w->path, w->depth * sizeof *w->path);
  m->failure = w->failed ? w->subject->ops->failure(w->subject)->kind : EO_KIND_NONE;
  if (w->failed) return;
  m->choices = w->subject->ops->enabled(w->subject, &choices);
  w->subject->ops->states->fingerprint(w->subject, m->state);
}

static void meet(walk *w) {
  met m;
  note(w, &m);
  assert_true(eo_vec_push(&w->met, m));
}

/* False: the end. */
static bool step(walk *w) {
  const eo_choice *choices;
  uint32_t count = w->failed ? 0 : w->subject->ops->enabled(w->subject, &choices);
  if (count == 0 || w->depth == 256) return false;
  eo_choice choice = choices[eo__rng_below(&w->rng, count)];
  w->path[w->depth] = choice;
  w->failed = !w->subject->ops->step(w->subject, choice, &w->events[w->depth++]);
  return true;
}

static void wander(walk *w, uint32_t moves, bool look_often) {
  reset(w);
  for (uint32_t i = 0; i < moves; i++) {
    uint32_t what = eo__rng_below(&w->rng, 100);
    if (what < 35)
      save(w);
    else if (what < 38 && w->saves)
      forget_one(w);
    else if (what < 43)
      go_back(w);
    else if ((what < 50 && look_often) ||
             !step(w)) { /* looking clears what is dead on stacks: not to go on from there */
      meet(w);
      go_back(w);
    }
  }
  while (w->saves) forget_last(w);
}

static void compare(walk *w, const char *name, int how) {
  for (size_t i = 0; i < w->met.count; i++) {
    const met *expected = &w->met.items[i];
    met m;
    reset(w);
    while (w->depth < expected->length) {
      assert_false(w->failed);
      w->path[w->depth] = expected->path[w->depth];
      w->failed = !w->subject->ops->step(w->subject, w->path[w->depth], &w->events[w->depth]);
      w->depth++;
    }
    note(w, &m);
    if (memcmp(&m, expected, sizeof m) != 0)
      fail_msg(
          "%s, mode %d: state %zu, met after %u steps (failure %d, %u choices), is not the one that its choices lead "
          "to from the start (failure %d, %u choices)",
          name, how, i, m.length, (int)expected->failure, expected->choices, (int)m.failure, m.choices);
  }
}

typedef enum { NOTED, WHOLE, LITTLE_ROOM } mode;

/* What the dearest save cost. */
static uint32_t walk_program(size_t program, uint64_t seed, mode how, bool look_often) {
  eo_error error = {0};
  eo_function function = programs[program].function;
  eo_actor_options options = {.function = function, .watchdog = 10};
  if (how == WHOLE) options = (eo_actor_options){.function = in_whole_pages, .argument = &function, .watchdog = 10};
  options.fingerprints = look_often;
  if (how == LITTLE_ROOM) options.undo_log = look_often ? 9000 : 4 * PAGE;
  walk *w = eo__alloc(sizeof *w); /* ours: what the program allocates before it is opened is captured */
  assert_non_null(w);
  eo__rng_init(&w->rng, seed);
  w->subject = eo__actor_open(&options, &error);
  if (!w->subject) fail_msg("%s", error.text);
  wander(w, MOVES / 4, false); /* the first calls of functions leave traces of the dynamic linker on the stacks */
  eo_vec_clear(&w->met);
  wander(w, MOVES, look_often);
  compare(w, programs[program].name, (int)how);
  uint32_t most_cost = w->most_cost;
  assert_true(w->restores > 0);
  assert_true(w->met.count > 0);
  if (programs[program].noted) assert_true((w->lost > 0) == (how == LITTLE_ROOM));
  w->subject->ops->close(w->subject);
  eo_vec_release(&w->met);
  eo__free(w);
  return most_cost;
}

static uint64_t first_seed = 1, walks = WALKS;

static void states_are_those_of_a_replay(void **state) {
  (void)state;
  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
    for (uint64_t seed = first_seed; seed < first_seed + walks; seed++)
      for (int often = 0; often <= LOOK_OFTEN; often++) {
        uint32_t noted = walk_program(p, seed, NOTED, often);
        uint32_t whole = walk_program(p, seed, WHOLE, often);
        walk_program(p, seed, LITTLE_ROOM, often);
        if (programs[p].noted && noted >= whole)
          fail_msg("%s: noting costs %u, saving whole pages %u", programs[p].name, noted, whole);
      }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_those_of_a_replay)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) walks = strtoull(argv[2], NULL, 10);
  eo_shared((const void *)whole_page, sizeof whole_page);
  eo_shared((const void *)&shared_page, sizeof shared_page);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
