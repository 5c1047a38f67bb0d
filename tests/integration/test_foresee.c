/* test_foresee.c: what a subject foresees of a step is what the step then does. Random programs over every operation are
 * run in many orders; after each step, it is foreseen from all steps before it that touched something, and what it really
 * touched, whom it doomed and to whom it sent must be the same; so must what is foreseen of it before it is taken. What a doomed process was about to do touches nothing
 * that the subject did not say it could. Where a specification looks on, all but what that touches is foreseen.
 * builds: release asan
 * hunt: SEED 1000 */
#include <everyorder.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "explored.h"
#include "sanitized.h"

/* Not a global: those are part of what is explored, and brought back. */
typedef struct checks {
  uint64_t steps, doomed, foregone;
} checks;

typedef struct foreseeing {
  eo_wrapper wrapper;
  EO_VEC(eo_touch) next; /* what the step that was chosen last will touch */
  EO_VEC(uint32_t) next_doomed;
  eo_trace trace;
  uint64_t left; /* executions */
  bool watched;  /* by a specification */
  checks checked;
} foreseeing;

static void foreseeing_close(eo_strategy *strategy) {
  foreseeing *f = (foreseeing *)strategy;
  eo__trace_release(&f->trace);
  eo_vec_release(&f->next);
  eo_vec_release(&f->next_doomed);
  eo__wrapper_close(strategy);
}

static bool foreseeing_begin(eo_strategy *strategy, eo_beginning *beginning) {
  foreseeing *f = (foreseeing *)strategy;
  if (f->left == 0 || !eo__wrapper_begin_choosing(strategy, beginning)) return false;
  f->left--;
  eo__trace_cut(&f->trace, beginning->shared);
  return true;
}

static bool touches_this(const eo_touch *touches, uint32_t count, const eo_touch *wanted, bool at_least) {
  for (uint32_t i = 0; i < count; i++)
    if (touches[i].object == wanted->object && (touches[i].writes == wanted->writes || (at_least && touches[i].writes)))
      return true;
  return false;
}

static bool has_process(const uint32_t *processes, uint32_t count, uint32_t wanted) {
  for (uint32_t i = 0; i < count; i++)
    if (processes[i] == wanted) return true;
  return false;
}

static bool touch_the_same(const eo_touch *some, uint32_t some_count, const eo_touch *others, uint32_t other_count) {
  bool same_touches = true;
  for (uint32_t i = 0; i < some_count; i++) same_touches &= touches_this(others, other_count, &some[i], false);
  for (uint32_t i = 0; i < other_count; i++) same_touches &= touches_this(some, some_count, &others[i], false);
  return same_touches;
}

/* The steps before `end` that touched something, and one more. */
static void foresee(foreseeing *f, uint32_t end, uint32_t last, uint32_t process, eo_foreseen *seen) {
  EO_VEC(uint32_t) steps = {0};
  const eo_view *view = &f->trace.view;
  for (uint32_t i = 0; i < end; i++)
    if (f->trace.records.items[i].touches) assert_true(eo_vec_push(&steps, i));
  assert_true(eo_vec_push(&steps, last));
  assert_int_equal(view->relations->foresee(view->of, steps.items, (uint32_t)steps.count, process, seen),
                   f->watched ? EO_UNFORESEEN : EO_OK);
  eo_vec_release(&steps);
}

static uint32_t foreseeing_choose(eo_strategy *strategy, const eo_point *point) {
  foreseeing *f = (foreseeing *)strategy;
  uint32_t chosen = eo__wrapper_choose(strategy, point);
  eo_foreseen seen;
  if (chosen == EO_PRUNE) return chosen;
  foresee(f, point->depth, EO_NEXT, point->choices[chosen].process, &seen);
  eo_vec_clear(&f->next);
  eo_vec_clear(&f->next_doomed);
  for (uint32_t i = 0; i < seen.touch_count; i++) assert_true(eo_vec_push(&f->next, seen.touches[i]));
  for (uint32_t i = 0; i < seen.doomed_count; i++) assert_true(eo_vec_push(&f->next_doomed, seen.doomed[i]));
  return chosen;
}

static void foreseeing_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  foreseeing *f = (foreseeing *)strategy;
  eo_foreseen seen;
  assert_true(eo__trace_add(&f->trace, taken, event));
  const eo_record *last = &f->trace.records.items[depth];
  if (last->touches && !(event->flags & EO_EVENT_FAILED)) {
    foresee(f, depth, depth, EO_NO_PROCESS, &seen);
    if (event->op != EO_OP_SPAWN) { /* which touches only what is the child's */
      assert_true(touch_the_same(f->next.items, (uint32_t)f->next.count, seen.touches, seen.touch_count));
      assert_int_equal(f->next_doomed.count, seen.doomed_count);
      for (uint32_t i = 0; i < seen.doomed_count; i++)
        assert_true(has_process(f->next_doomed.items, (uint32_t)f->next_doomed.count, seen.doomed[i]));
    }
    const uint32_t *doomed = f->trace.doomed.items + last->first_doomed;
    const eo_touch *touches = f->trace.touches.items + last->first_touch;
    for (uint32_t i = 0; f->watched && i < seen.touch_count; i++)
      assert_true(touches_this(touches, last->touches, &seen.touches[i], false));
    assert_true(f->watched || touch_the_same(touches, last->touches, seen.touches, seen.touch_count));
    assert_int_equal(seen.doomed_count, last->doomed);
    for (uint32_t i = 0; i < last->doomed; i++) assert_true(has_process(doomed, last->doomed, seen.doomed[i]));
    assert_true(f->watched || seen.told_count == last->mails);
    for (uint32_t i = 0; i < seen.told_count; i++)
      assert_int_equal(seen.told[i], f->trace.mails.items[last->first_mail + i].sent.to);
    f->checked.steps++;
    f->checked.doomed += last->doomed;
  }
  if (f->wrapper.inner->ops->observe) f->wrapper.inner->ops->observe(f->wrapper.inner, depth, taken, event);
}

static void foreseeing_end(eo_strategy *strategy, eo_outcome *outcome) {
  foreseeing *f = (foreseeing *)strategy;
  const eo_view *view = &f->trace.view;
  for (uint32_t process = 0; process < f->trace.threads.count; process++) {
    const eo_thread *thread = &f->trace.threads.items[process];
    const eo_foregone *foregone = thread->doomer != EO_NO_EVENT ? view->relations->foregone(view->of, process) : NULL;
    if (!foregone || foregone->op == EO_OP_SPAWN) continue; /* a spawn touches only what is the child's */
    eo_foreseen seen;
    foresee(f, thread->doomer, EO_FOREGONE, process, &seen);
    for (uint32_t i = 0; i < seen.touch_count; i++)
      assert_true(touches_this(foregone->touches, foregone->touch_count, &seen.touches[i], true));
    f->checked.foregone++;
  }
  eo__wrapper_end(strategy, outcome);
}

static const eo_strategy_ops foreseeing_ops = {
    .close = foreseeing_close,
    .begin = foreseeing_begin,
    .choose = foreseeing_choose,
    .observe = foreseeing_observe,
    .end = foreseeing_end,
    .telling = &eo__wrapper_telling,
};

static const eo_machine onlooker = {.name = "onlooker", EO_OBSERVES(0, 1, 2), EO_STATES({.name = "watching"})};

static void run_watched(void *argument) {
  eo_specify(&onlooker, NULL, 0);
  run_script(argument);
}

static void explore_foreseeing(eo_function function, eo_delivery delivery, opener *open, uint64_t seed, checks *sum) {
  static int first = 0;
  eo_error error = {0};
  eo_engine engine;
  eo_actor_options options = {
      .function = function, .argument = &first, .timeouts_idle = program.idle, .watchdog = 10, .delivery = delivery};
  eo_subject *subject = eo__actor_open(&options, &error);
  if (!subject) fail_msg("%s", error.text);
  eo_strategy_options wanted = {.view = eo_subject_view(subject),
                                .delivery = delivery,
                                .timeouts_idle = program.idle,
                                .seed = seed,
                                .executions = 40};
  foreseeing *f = eo__wrapper_open(sizeof *f, &foreseeing_ops, open(&wanted, &error), &error);
  assert_non_null(f);
  f->left = 40;
  f->watched = function == run_watched;
  eo__trace_init(&f->trace, eo_subject_view(subject), false);
  eo__engine_init(&engine, subject, &f->wrapper.base);
  assert_int_equal(eo__engine_run(&engine, &error), EO_OK);
  eo__engine_release(&engine);
  sum->steps += f->checked.steps;
  sum->doomed += f->checked.doomed;
  sum->foregone += f->checked.foregone;
  f->wrapper.base.ops->close(&f->wrapper.base);
  subject->ops->close(subject);
}

static uint64_t first_seed = 1, programs = SANITIZED ? 80 : 250;

static void check_programs(eo_function function) {
  checks sum = {0};
  for (uint64_t i = 0; i < programs; i++) {
    draw_and_learn(i % 2 ? draw_society_program : draw_program, first_seed + i);
    explore_foreseeing(function, EO_DELIVERY_ASYNC, eo__random_open, first_seed + i, &sum);
    explore_foreseeing(function, EO_DELIVERY_MAILBOX, eo__dpor_open, first_seed + i, &sum);
  }
  printf("%ju steps, %ju that they doomed, %ju operations that doomed processes did not do\n", (uintmax_t)sum.steps,
         (uintmax_t)sum.doomed, (uintmax_t)sum.foregone);
  assert_true(sum.steps > 20 * programs && sum.doomed > programs && sum.foregone > programs / 2);
}

static void as_foreseen(void **state) {
  (void)state;
  check_programs(run_script);
}

static void under_a_specification(void **state) {
  (void)state;
  check_programs(run_watched);
}

/* Arguments, for longer hunts: first seed, number of programs. */
int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_foreseen), cmocka_unit_test(under_a_specification)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  if (argc > 2) programs = strtoull(argv[2], NULL, 10);
  if (!open_notes()) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
