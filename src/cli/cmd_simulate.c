/* cmd_simulate.c: `everyorder model FILE --simulate`: one execution of a model, told step by step as it goes on. What comes next
 * is drawn from the seed; with --interactive, who runs it says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cli/cli.h"
#include "report/shown.h"
#include "subjects/model/subject.h"

enum { MOST_STEPS = 10000 }; /* unless --depth says otherwise */

typedef struct simulation {
  eo_subject *subject;
  eo_rng rng;
  bool asks;
  uint32_t steps;
  eo_failure failure; /* NONE: it goes well */
  bool left;          /* who runs it has had enough */
} simulation;

static bool tell_step(simulation *s) {
  eo_line line = {0};
  if (!s->subject->ops->describing->line(s->subject, &line)) return false;
  printf("%5u  %-12s ", s->steps, line.process);
  eo__shown(stdout, line.text, 0);
  printf("  %s:%d\n", line.file, line.line);
  eo__line_release(&line);
  return true;
}

/* Which of them? UINT32_MAX: no more. */
static uint32_t ask(simulation *s, const eo_choice *choices, uint32_t count) {
  char answer[64];
  for (uint32_t i = 0; i < count; i++) {
    eo_text text;
    eo__text_init(&text);
    eo__promela_choice_text(s->subject, choices[i], &text);
    printf("  %3u: ", i + 1);
    eo__shown(stdout, text.failed ? "?" : text.chars, 0);
    putchar('\n');
    eo__text_release(&text);
  }
  for (;;) {
    printf("which (1 to %u; r: any, q: end)? ", count);
    fflush(stdout);
    if (!fgets(answer, sizeof answer, stdin) || answer[0] == 'q') return UINT32_MAX;
    if (answer[0] == 'r') return eo__rng_below(&s->rng, count);
    char *end;
    unsigned long number = strtoul(answer, &end, 10);
    if (end != answer && number >= 1 && number <= count) return (uint32_t)number - 1;
  }
}

/* False: no memory. */
static bool run(simulation *s, uint32_t most) {
  const eo_subject_ops *ops = s->subject->ops;
  const eo_choice *choices;
  eo_event event;
  ops->describing->describe(s->subject, true);
  if (!ops->reset(s->subject)) s->failure = *ops->failure(s->subject);
  while (s->failure.kind == EO_KIND_NONE && s->steps < most && !s->subject->error && !*eo__stop_flag()) {
    uint32_t count = ops->enabled(s->subject, &choices);
    if (!count && !ops->finish(s->subject)) s->failure = *ops->failure(s->subject);
    if (!count) return !s->subject->error;
    uint32_t which = s->asks ? ask(s, choices, count) : eo__rng_below(&s->rng, count);
    s->left = which == UINT32_MAX;
    if (s->left) return true;
    s->steps++;
    if (!ops->step(s->subject, choices[which], &event)) s->failure = *ops->failure(s->subject);
    if (!tell_step(s)) return false;
  }
  s->left = s->failure.kind == EO_KIND_NONE;
  return !s->subject->error;
}

static void tell_list(const char *title, const eo_strings *strings) {
  if (strings->count) printf("%s\n", title);
  for (size_t i = 0; i < strings->count; i++) {
    fputs("  ", stdout);
    eo__shown(stdout, strings->items[i], 0);
    putchar('\n');
  }
}

static bool tell_end(simulation *s) {
  eo_finding finding;
  eo__finding_init(&finding);
  finding.failure = s->failure;
  bool good = s->subject->ops->describing->end(s->subject, &finding);
  if (s->failure.kind != EO_KIND_NONE)
    printf("%s: %s\n", eo__kind_name(s->failure.kind), s->failure.message);
  else
    printf(s->left ? "stopped after %u steps\n" : "ended after %u steps\n", s->steps);
  tell_list("waiting:", &finding.waiting);
  tell_list("at the end:", &finding.values);
  eo__finding_release(&finding);
  return good;
}

int eo__cmd_simulate(const eo_front *front, const eo_args *args) {
  eo_error error = {0};
  eo_delivery delivery = EO_DELIVERY_MAILBOX;
  bool known = !args->explore.delivery || eo__delivery_parse(args->explore.delivery, &delivery);
  if (!known) eo__error_set(&error, EO_EINPUT, "--delivery: expected mailbox, fifo, causal or async");
  if (known && delivery != EO_DELIVERY_MAILBOX && eo__promela_check_ports(front->model, &error) != EO_OK) known = false;
  if (!known) return eo__fail(front, &error);
  simulation s = {.subject = eo__promela_subject_open(front->model, delivery, &error), .asks = args->interactive != 0};
  if (!s.subject) return eo__fail(front, &error);
  eo__rng_init(&s.rng, args->explore.seed);
  eo__catch_signals();
  bool good = run(&s, args->explore.depth ? args->explore.depth : MOST_STEPS) && tell_end(&s);
  s.subject->ops->close(s.subject);
  if (!good) eo__error_nomem(&error);
  if (!good) return eo__fail(front, &error);
  return s.failure.kind != EO_KIND_NONE ? EO_STATUS_FINDING : s.left ? EO_STATUS_INCOMPLETE : EO_STATUS_CLEAN;
}
