#!/usr/bin/env bash
# Liveness as users see it: circles that no single path of a strategy closes, fair choices, and what is said where not every
# circle was looked for.
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >program.c <<'PROGRAM'
#include <everyorder.h>

enum { ASKED, DONE, AGAIN, WORK };
enum { IDLE, WAITING };

typedef struct nothing {
  char none;
} nothing;

static const eo_machine answered = {
    .name = "answered", EO_VARIABLES(nothing), EO_OBSERVES(ASKED, DONE),
    EO_STATES([IDLE] = {.name = "idle", .on = EO_ON(EO_GOTO(ASKED, WAITING), EO_IGNORE(DONE))},
              [WAITING] = {.name = "waiting", .hot = true, .on = EO_ON(EO_GOTO(DONE, IDLE), EO_IGNORE(ASKED))})};

static void go_on(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_send(eo_self(), AGAIN, NULL, 0);
}
static const eo_machine restless = {
    .name = "restless", EO_VARIABLES(nothing),
    EO_STATES({.name = "turning", .entry = go_on, .on = EO_ON(EO_DO(AGAIN, go_on))})};

static void begin(int machines, const eo_machine *machine) {
  eo_specify(&answered, NULL, 0);
  eo_announce(ASKED, NULL, 0);
  for (int i = 0; i < machines; i++) eo_create(machine, NULL, 0);
}

/* Each turns by itself: the circle of both is closed by no path that goes on from no state twice. */
EO_TEST(apart) { begin(2, &restless); }

/* Timers that may say "not yet" each time, for ever or not for ever. */
static void tick(void *self, const eo_message *event) {
  (void)event;
  if (eo_flip()) {
    eo_announce(DONE, NULL, 0);
    eo_halt(self);
  }
}
static void tick_fair(void *self, const eo_message *event) {
  (void)event;
  if (eo_choose_fair(3) == 2 && eo_flip_fair()) {
    eo_announce(DONE, NULL, 0);
    eo_halt(self);
  }
}
static const eo_machine timer = {.name = "timer", EO_VARIABLES(nothing),
                                 EO_STATES({.name = "on", .on = EO_ON(EO_DO(EO_NULL, tick))})};
static const eo_machine fair_timer = {.name = "timer", EO_VARIABLES(nothing),
                                      EO_STATES({.name = "on", .on = EO_ON(EO_DO(EO_NULL, tick_fair))})};
EO_TEST(not_yet) { begin(1, &timer); }
EO_TEST(soon) { begin(1, &fair_timer); }

/* No message is sent: states come twice whatever the delivery. */
static void choose_for_ever(void *argument) {
  (void)argument;
  for (;;) (void)eo_choose(2);
}
EO_TEST(chooses) {
  eo_specify(&answered, NULL, 0);
  eo_announce(ASKED, NULL, 0);
  eo_spawn(choose_for_ever, NULL, 0);
}

/* Hot in some thousand states, and then no more. */
typedef struct worker {
  int left;
} worker;
static void work(void *self, const eo_message *event) {
  worker *vars = self;
  if (event->tag == EO_CREATED) vars->left = 9;
  if (vars->left--)
    eo_send(eo_self(), WORK, NULL, 0);
  else
    eo_announce(DONE, NULL, 0);
}
static const eo_machine worker_machine = {
    .name = "worker", EO_VARIABLES(worker), EO_STATES({.name = "works", .entry = work, .on = EO_ON(EO_DO(WORK, work))})};
EO_TEST(much) { begin(3, &worker_machine); }
PROGRAM
compile program.c program

quick=(--quiet --json report.json --tickets tickets)
looked='without looking for every cycle'

keeping=("ses --explorer rtc" "ses --explorer rr" "ses --explorer prr" "ses --explorer rtc --jobs 2"
  "preempt --cache unlimited" "preempt --cache unlimited --jobs 2" "ses+ss")

for way in "${keeping[@]}"; do
  read -ra words <<<"$way"
  for test in apart not_yet; do
    rm -rf tickets
    run 1 ./program --test $test --strategy "${words[@]}" "${quick[@]}"
    same "$(member report.json kind finding)" liveness "$test, $way"
    run 1 "$everyorder" replay tickets/*
    says out 'reproduced: liveness: specification answered stays hot for ever'
  done
  run 0 ./program --test soon --strategy "${words[@]}" "${quick[@]}"
  same "$(member report.json complete)" true "soon, $way"
  run 0 ./program --test much --strategy "${words[@]}" "${quick[@]}"
  silent report.json "$looked"
done

# Without a cache nothing is said of executions that go on for ever.
for way in dfs preempt dpor reach; do
  for test in apart not_yet soon chooses; do
    ./program --test $test --strategy $way --depth 60 --executions 500 "${quick[@]}" >out 2>&1
    [ "$(member report.json verdict)" != pass ] || problem "$test passes with $way"
  done
done

# States hold what happened before what under causal delivery, and come twice all the same where nothing is sent.
for delivery in mailbox fifo async causal; do
  run 1 ./program --test chooses --strategy ses --delivery $delivery "${quick[@]}"
  same "$(member report.json kind finding)" liveness "chooses, $delivery"
done

# There is no room for the graph; it has a bound; it is gone when a run is stopped, so that such runs are not resumed.
run 3 ./program --test much --strategy ses --cache-mb 1 "${quick[@]}"
says report.json "$looked"
run 3 ./program --test much --strategy ses --delays 1 "${quick[@]}"
says report.json "$looked"
run 2 ./program --test much --strategy ses --resume state "${quick[@]}"

all_well
