/* verdict.c: see verdict.h. */
#include "registry/verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool given(const char *text) { return text && *text; }

/* Every fragment that was put was finished or is left; and where the run came to its end, nothing is left. */
static bool adds_up(const eo_facts *facts) {
  if (facts->issued != facts->finished + facts->left) return false;
  return facts->left == 0 || given(facts->stopped) || given(facts->error);
}

static void add_cut(const eo_facts *facts, eo_text *words) {
  char steps[32], cut[32];
  eo__text_thousands(steps, facts->depth);
  eo__text_thousands(cut, facts->cut);
  const char *separator = words->length ? "; " : "";
  if (facts->findings || facts->failures)
    eo__text_add(words, "%s%s execution%s cut off after %s steps", separator, facts->cut ? cut : "some",
                 facts->cut == 1 ? " was" : "s were", steps);
  else
    eo__text_add(words, "%sno failure within %s steps of %s; %s of them %s cut off there", separator, steps,
                 given(facts->stopped) ? "each" : "the executions that were run", facts->cut ? cut : "some",
                 facts->cut == 1 ? "was" : "were");
}

static void add_words(const eo_facts *facts, bool nothing, eo_text *words) {
  if (nothing)
    eo__text_add(words, "nothing: no execution came to its end");
  else if (given(facts->stopped))
    eo__text_add(words, "the %s%s%s", facts->by_state ? "states that were visited" : "executions that were run",
                 given(facts->reached) ? ": " : "", given(facts->reached) ? facts->reached : "");
  else if (given(facts->covered))
    eo__text_add(words, "%s", facts->covered);
  if (given(facts->faults) && facts->doubts & EO_ASSUMED_FAULTS) eo__text_add(words, ", with %s", facts->faults);
  if (given(facts->assumed)) eo__text_add(words, "%s", facts->assumed);
  eo__doubts_add(words, facts->doubts & ~(uint32_t)EO_DOUBT_DEPTH);
  if (facts->doubts & EO_DOUBT_DEPTH) add_cut(facts, words);
}

void eo__verdict(const eo_facts *facts, eo_conclusion *conclusion) {
  bool nothing = facts->executions == 0, right = adds_up(facts);
  eo_text words;
  eo__text_init(&words);
  *conclusion = (eo_conclusion){0};
  conclusion->complete = facts->coverage == EO_COVERS_ALL && !given(facts->stopped) && !given(facts->error) &&
                         !(facts->doubts & EO_DOUBT_ALL) && !nothing && right;
  if (given(facts->error))
    snprintf(conclusion->error, sizeof conclusion->error, "%s", facts->error);
  else if (!right)
    snprintf(conclusion->error, sizeof conclusion->error,
             "the work does not add up: of %llu pieces %llu were done and %llu are left (this is a bug)",
             (unsigned long long)facts->issued, (unsigned long long)facts->finished, (unsigned long long)facts->left);
  conclusion->verdict = facts->findings || facts->failures ? EO_FAIL
                        : *conclusion->error               ? EO_ERROR
                        : conclusion->complete             ? EO_PASS
                                                           : EO_INCOMPLETE;
  add_words(facts, nothing && !given(facts->stopped), &words);
  snprintf(conclusion->covered, sizeof conclusion->covered, "%s", words.chars);
  eo__text_release(&words);
}

void eo__run_decide(eo_run *run, const eo_facts *facts) {
  eo_conclusion conclusion;
  eo__verdict(facts, &conclusion);
  run->verdict = conclusion.verdict;
  run->complete = conclusion.complete;
  memcpy(run->covered, conclusion.covered, sizeof run->covered);
  if (*conclusion.error) memcpy(run->error, conclusion.error, sizeof run->error); /* else a ticket's trouble stays */
  snprintf(run->stopped, sizeof run->stopped, "%s", given(facts->stopped) ? facts->stopped : "");
}

void eo__run_fail(eo_run *run, const eo_error *error) {
  eo_facts facts = {.executions = run->executions,
                    .findings = run->findings,
                    .failures = run->failures,
                    .stopped = "by an error",
                    .error = error->text};
  eo__run_decide(run, &facts);
  run->stopped[0] = '\0'; /* the error says it */
}

void eo__assumptions(const eo_options *options, const eo_row *row, eo_text *words) {
  eo_delivery delivery = EO_DELIVERY_MAILBOX;
  if (options->delivery) eo__delivery_parse(options->delivery, &delivery); /* it was checked */
  if (delivery != EO_DELIVERY_MAILBOX) eo__text_add(words, ", under --delivery %s", eo__delivery_name(delivery));
  if (options->timeouts_idle) eo__text_add(words, ", where timeouts fire only when nothing else can run");
  if (row) eo__text_add(words, ", with these parameters");
}

void eo__run_check(const eo_run *run, uint64_t told) {
  if (run->verdict == EO_PASS)
    EO_CHECK(run->findings == 0 && run->failures == 0 && run->complete && run->executions + run->states > 0);
  if (run->findings > 0 || run->failures > 0 || told > 0) EO_CHECK(run->verdict == EO_FAIL);
}
