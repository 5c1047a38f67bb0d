/* run.c: what a run is told as: at its beginning, as it goes on, and what has become of it. */
#include <stdio.h>
#include <string.h>

#include "core/faults.h"
#include "core/promise.h"
#include "registry/auto.h"
#include "registry/explore.h"
#include "registry/registry.h"
#include "registry/verdict.h"

void eo__run_init(eo_run *run, const eo_request *request) {
  memset(run, 0, sizeof *run);
  run->program = request->program;
  run->subject = request->model ? "model" : "actor";
  run->test = request->test;
  run->row = request->row;
  const eo_strategy_entry *strategy = eo__strategy_find(request->options.strategy);
  run->strategy = strategy->name;
  run->advice = strategy->advice;
  run->options = "";
  run->share = -1;
  run->begun = true;
}

/* Twice the standard error to both sides, but never below what was run. Once more was run than the probes say, the share
 * that the strategy knows of says it. */
void eo__run_estimate(eo_run *run, const eo_estimate *probed) {
  double ran = (double)(run->executions - run->aside), error = 2 * eo__estimate_error(probed);
  run->probes = probed->probes;
  if (!probed->probes) return;
  run->estimate = eo__estimate_mean(probed);
  if (run->estimate < ran && run->share > 0) run->estimate = ran / run->share;
  run->estimate_low = run->estimate - error;
  run->estimate_high = run->estimate + error;
  if (run->estimate < ran) run->estimate = ran;
  if (run->estimate_low < ran) run->estimate_low = ran;
  if (run->estimate_high < ran) run->estimate_high = ran;
  if (run->estimate > 0) run->share = ran / run->estimate;
}

void eo__run_stand(eo_run *run, const eo_standing *standing) {
  const eo_tally *total = &standing->total;
  run->executions = total->executions;
  run->pruned = total->pruned;
  run->aside = total->aside;
  run->transitions = total->transitions;
  run->skipped = total->skipped;
  run->states = total->states;
  run->failures = total->failures;
  run->max_depth = total->max_depth;
  run->findings = standing->findings;
  run->cut = total->cut;
  memcpy(run->endless, total->endless, sizeof run->endless);
  run->pending = 0;
  eo__run_estimate(run, &total->estimate);
}

/* What the strategy of a run that was stopped can say of what was run. What it says without a probability holds for one part alone. */
static void add_reached(eo_text *words, const eo_run *run, const eo_standing *standing) {
  const eo_tally *total = &standing->total;
  bool parts = run->jobs > 1 || standing->fragments > 1;
  eo__auto_reached(total->members, parts, words);
  if (!*total->reached || (total->hit <= 0 && parts)) return;
  eo__text_add(words, "%s", total->reached);
  if (total->hit > 0) eo__promise_add(words, total->hit, total->executions);
}

/* Everything was covered, so nobody needs advice on how to cover more. But the program may have been meant to end. */
static void advise_to_specify(eo_run *run) {
  size_t room = sizeof run->endless;
  char *advice = strstr(run->endless, ": ");
  if (!advice) return;
  snprintf(advice, room - (size_t)(advice - run->endless), "; if something must happen, specify it: %s",
           strcmp(run->subject, "model") == 0 ? "an ltl formula" : "eo_specify");
}

void eo__run_conclude(eo_run *run, const eo_request *request, const eo_standing *standing, const eo_error *error) {
  eo_error unwanted = {0};
  const eo_tally *total = &standing->total;
  eo_text reached, covered, assumed;
  eo__run_stand(run, standing);
  eo__text_init(&reached);
  eo__text_init(&covered);
  eo__text_init(&assumed);
  add_reached(&reached, run, standing);
  bool drawn_in_turns = total->coverage == EO_COVERS_SAMPLE && eo__strategy_find(request->options.strategy)->turns;
  eo__text_add(&covered, "%s", total->covered);
  if (drawn_in_turns && reached.length) eo__text_add(&covered, ": %s", reached.chars);
  eo__assumptions(&request->options, request->row, &assumed);
  eo_text faults;
  eo__text_init(&faults);
  eo_fault_budget budget;
  if (eo__faults_parse(request->options.faults, &budget, NULL) == EO_OK) eo__faults_words(&budget, &faults);
  bool by_state = eo_run_is_by_state(run); /* each execution led to a state that was seen before */
  eo_facts facts = {.executions = by_state ? run->states : run->executions,
                    .by_state = by_state,
                    .findings = run->findings,
                    .failures = run->failures,
                    .coverage = total->coverage,
                    .covered = covered.chars,
                    .stopped = standing->stopped,
                    .reached = reached.chars,
                    .assumed = assumed.chars,
                    .faults = faults.chars,
                    .doubts = total->doubts | (total->cut && *standing->stopped ? EO_DOUBT_DEPTH : 0),
                    .cut = total->cut,
                    .depth = eo__depth(request),
                    .issued = standing->issued,
                    .finished = standing->finished,
                    .left = standing->fragments,
                    .error = error->code != EO_OK ? error->text : NULL};
  eo__run_decide(run, &facts);
  eo__text_release(&reached);
  eo__text_release(&covered);
  eo__text_release(&assumed);
  eo__text_release(&faults);
  if (run->verdict == EO_PASS) advise_to_specify(run);
  if (run->complete) run->estimate = run->estimate_low = run->estimate_high = (double)(run->executions - run->aside);
  run->exact = run->complete && eo__estimate_check(request, &unwanted) == EO_OK;
}
