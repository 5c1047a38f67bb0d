/* test_efsm.c: on random systems of EFSMs the reducing searches find exactly the deadlock states that full finds, and the
 * same assertions fail, under each delivery; and every way that they tell can be gone. builds: release */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "subjects/model/bsra.h"
#include "subjects/model/full.h"

#include "model_findings.h"
#include "random_efsm.h"
#include "started.h"

enum { SYSTEMS = 300, STARTED = 100, MOST_STATES = 60000 };

typedef struct searcher {
  const char *name;
  int (*search)(eo_promela_search *, eo_error *);
  bool sleep, visible;
} searcher;

static int by_value(const void *a, const void *b) {
  const int32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Local states and the multisets of messages: what happens-before knows beside them is no part of it. */
static char *describe(const eo_promela_run *run) {
  eo_text text;
  eo__text_init(&text);
  for (uint32_t i = 0; i < run->model->globals; i++) eo__text_add(&text, "%02x", run->state[EO_PROMELA_GLOBALS_AT + i]);
  for (uint32_t p = 0; p < eo_promela_processes(run); p++) {
    eo__text_add(&text, " P%u:", p);
    for (uint32_t i = 0; i < eo__promela_process(run, p)->frame; i++)
      eo__text_add(&text, "%02x", run->state[run->process_at[p] + i]);
  }
  for (uint32_t c = 1; c <= eo_promela_channels(run); c++) {
    int32_t values[64];
    uint32_t count = eo__promela_channel_length(run, c);
    assert_true(count <= 64);
    for (uint32_t i = 0; i < count; i++) values[i] = eo__promela_channel_field(run, c, i, 0);
    qsort(values, count, sizeof *values, by_value);
    eo__text_add(&text, " q%u:", c);
    for (uint32_t i = 0; i < count; i++) eo__text_add(&text, "%d,", (int)values[i]);
  }
  assert_false(text.failed);
  return text.chars;
}

static bool note(void *context, const eo_failure *failure, const eo_promela_step *steps, uint32_t count) {
  findings *f = context;
  eo_promela_run run;
  assert_true(eo__promela_run_init(&run, f->search->model));
  run.delivery = f->search->delivery;
  assert_true(eo__promela_run_start(&run));
  bool failed = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_enabled(&run, steps[i])) {
      const eo_promela_transition *t = eo__promela_transition_of(&run, steps[i].process, steps[i].transition);
      fail_msg("step %u of %u (P%u: line %d, %s, message %u) is not possible", i + 1, count, steps[i].process, t->line,
               t->text, steps[i].receiver_transition);
    }
    failed = !eo__promela_apply(&run, steps[i]);
  }
  char *text;
  if (failure->kind == EO_KIND_DEADLOCK) {
    text = describe(&run);
  } else {
    assert_true(failed);
    eo_text line;
    eo__text_init(&line);
    eo__text_add(&line, "%s:%d", failure->message, run.doing->line);
    text = line.chars;
  }
  eo__promela_run_release(&run);
  bool known = false;
  for (size_t i = 0; i < f->items.count; i++) known |= strcmp(f->items.items[i], text) == 0;
  if (known)
    eo__free(text);
  else
    assert_true(eo_vec_push(&f->items, text));
  return true;
}

/* False: it was too large. */
static bool find(const searcher *how, const eo_promela *model, eo_delivery delivery, findings *out, uint64_t *states) {
  eo_error error = {0};
  eo_promela_search search = {.model = model,
                              .delivery = delivery,
                              .most_states = MOST_STATES,
                              .failure = note,
                              .context = out,
                              .sleep = how->sleep,
                              .visible = how->visible ? "g" : NULL};
  *out = (findings){.search = &search};
  if (how->search(&search, &error) != EO_OK) fail_msg("%s: %s", how->name, error.text);
  sort_findings(out);
  *states = search.counts.states;
  return search.complete;
}

static bool has_deadlock(const findings *f) {
  for (size_t i = 0; i < f->items.count; i++)
    if (strstr(f->items.items[i], " q1:")) return true;
  return false;
}

typedef enum kind_of_system { PLAIN, SHARED, STARTED_BY_INIT } kind_of_system;

static eo_text make_system(uint64_t seed, kind_of_system kind) {
  eo_text text = random_efsm(seed, kind == SHARED);
  if (kind != STARTED_BY_INIT) return text;
  eo_text started = started_by_init(text.chars);
  eo__text_release(&text);
  return started;
}

static void compare(const searcher *searchers, size_t count, kind_of_system kind, const eo_delivery *deliveries,
                    size_t delivery_count) {
  uint64_t total[8] = {0};
  const searcher full = {"full", eo__promela_search_full, false, false};
  uint32_t with_deadlock = 0, compared = 0;
  for (uint64_t seed = 1; seed <= (kind == STARTED_BY_INIT ? STARTED : SYSTEMS); seed++) {
    eo_text text = make_system(seed, kind);
    eo_error error = {0};
    eo_promela *model = eo__promela_read("random", text.chars, strlen(text.chars), &error);
    if (getenv("EO_TEST_SHOW")) print_message("seed %u\n%s", (unsigned)seed, text.chars);
    if (!model) fail_msg("seed %u: %s\n%s", (unsigned)seed, error.text, text.chars);
    for (size_t d = 0; d < delivery_count; d++) {
      findings wanted, got;
      uint64_t states;
      bool complete = find(&full, model, deliveries[d], &wanted, &states);
      total[0] += complete ? states : 0;
      with_deadlock += complete && has_deadlock(&wanted);
      compared += complete;
      for (size_t i = 0; i < count && complete; i++) {
        bool all = find(&searchers[i], model, deliveries[d], &got, &states);
        total[i + 1] += states;
        if (!all || !same(&wanted, &got)) {
          for (size_t k = 0; k < wanted.items.count; k++) print_message("wanted %s\n", wanted.items.items[k]);
          for (size_t k = 0; k < got.items.count; k++) print_message("got    %s\n", got.items.items[k]);
          fail_msg("seed %u, delivery %d, %s: another set of findings%s\n%s", (unsigned)seed, (int)deliveries[d],
                   searchers[i].name, all ? "" : ", and not complete", text.chars);
        }
        forget(&got);
      }
      forget(&wanted);
    }
    eo__promela_close(model);
    eo__text_release(&text);
  }
  print_message("%u compared, %u with deadlocks; states: full %llu", compared, with_deadlock,
                (unsigned long long)total[0]);
  for (size_t i = 0; i < count; i++) print_message(", %s %llu", searchers[i].name, (unsigned long long)total[i + 1]);
  print_message("\n");
  assert_true(with_deadlock >= 40 * delivery_count);
}

static const eo_delivery schemes[] = {EO_DELIVERY_ASYNC, EO_DELIVERY_FIFO, EO_DELIVERY_CAUSAL};

static void systems_of_efsms(void **state) {
  static const searcher searchers[] = {{"bsra", eo__promela_search_bsra, false, false},
                                       {"bsra --sleep", eo__promela_search_bsra, true, false},
                                       {"sra", eo__promela_search_sra, false, false},
                                       {"por", eo__promela_search_por, false, false}};
  (void)state;
  compare(searchers, 4, PLAIN, schemes, 3);
  compare(searchers, 4, STARTED_BY_INIT, schemes, 3);
}

static void visible_variables(void **state) {
  static const searcher searchers[] = {{"bsra --visible", eo__promela_search_bsra, false, true},
                                       {"bsra --visible --sleep", eo__promela_search_bsra, true, true},
                                       {"por", eo__promela_search_por, false, false}};
  (void)state;
  compare(searchers, 3, SHARED, schemes, 3);
}

/* Channels as in Promela: bounded, in order. */
static void any_model(void **state) {
  static const searcher searchers[] = {{"por", eo__promela_search_por, false, false}};
  static const eo_delivery none[] = {EO_DELIVERY_MAILBOX};
  (void)state;
  compare(searchers, 1, PLAIN, none, 1);
  compare(searchers, 1, SHARED, none, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(systems_of_efsms), cmocka_unit_test(visible_variables),
                                     cmocka_unit_test(any_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
