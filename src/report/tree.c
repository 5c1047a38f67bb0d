/* tree.c: see tree.h. A member that cannot be made for lack of memory makes the whole report fail, not a smaller one. */
#include "report/tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/shown.h"

/* JSON is UTF-8: what is not becomes U+FFFD. */
json_t *eo__tree_text(const char *chars) {
  if (chars == NULL) return json_null();
  json_t *made = json_string(chars);
  if (made != NULL) return made;
  eo_text clean;
  eo__text_init(&clean);
  while (*chars != '\0') {
    uint32_t character;
    size_t length = eo__utf8(chars, &character);
    eo__text_append(&clean, length == 0 ? "\xef\xbf\xbd" : chars, length == 0 ? 3 : length);
    chars += length == 0 ? 1 : length;
  }
  made = clean.failed ? NULL : json_string(clean.chars);
  eo__text_release(&clean);
  return made;
}

/* Both take `value` over, and note a NULL (no memory) as the failure it is. */
static void set(eo_tree *tree, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) tree->failed = true;
}

static void push(eo_tree *tree, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0) tree->failed = true;
}

static void set_text(eo_tree *tree, json_t *object, const char *key, const char *value) {
  set(tree, object, key, eo__tree_text(value));
}

static void set_number(eo_tree *tree, json_t *object, const char *key, uint64_t value) {
  set(tree, object, key, json_integer((json_int_t)value));
}

static json_t *make_variables(eo_tree *tree, const eo_line *line) {
  json_t *array = json_array();
  for (size_t i = 0; i < line->variables.count; i++) {
    json_t *variable = json_object();
    set_text(tree, variable, "name", line->variables.items[i].name);
    set_text(tree, variable, "before", line->variables.items[i].before);
    set_text(tree, variable, "after", line->variables.items[i].after);
    push(tree, array, variable);
  }
  return array;
}

static json_t *make_step(eo_tree *tree, const eo_line *line) {
  json_t *step = json_object();
  set_text(tree, step, "process", line->process);
  set_text(tree, step, "name", line->name);
  set_text(tree, step, "op", line->op);
  set_text(tree, step, "text", line->text);
  set_text(tree, step, "file", line->file);
  set_number(tree, step, "line", (uint64_t)line->line);
  set_text(tree, step, "function", line->function);
  if (eo_line_caller(line)[0] != '\0') set_text(tree, step, "caller", line->caller);
  if (line->printed) set_text(tree, step, "printed", line->printed);
  set_number(tree, step, "value", line->value);
  set(tree, step, "preempts", json_boolean(line->preempts));
  if (line->delays) set_number(tree, step, "delays", line->delays);
  set_text(tree, step, "other", line->other);
  json_t *mails = json_array(), *after = json_array();
  for (size_t i = 0; i < line->mails.count; i++) {
    json_t *mail = json_object();
    set_number(tree, mail, "number", line->mails.items[i].number);
    set_text(tree, mail, "other", line->mails.items[i].other);
    set_text(tree, mail, "text", line->mails.items[i].text ? line->mails.items[i].text : "");
    push(tree, mails, mail);
  }
  for (size_t i = 0; i < line->after.count; i++) push(tree, after, json_integer(line->after.items[i]));
  set(tree, step, line->sends ? "sends" : "takes", mails);
  set(tree, step, "after", after);
  if (line->variables.count > 0) set(tree, step, "variables", make_variables(tree, line));
  return step;
}

static json_t *make_strings(eo_tree *tree, const eo_strings *strings) {
  json_t *array = json_array();
  for (size_t i = 0; i < strings->count; i++) push(tree, array, eo__tree_text(strings->items[i]));
  return array;
}

static json_t *make_passes_if(eo_tree *tree, const eo_finding *finding) {
  json_t *object = json_object();
  eo_text text;
  eo__text_init(&text);
  eo__finding_passes_if(finding, &text);
  set_number(tree, object, "step", finding->later + 1);
  set_number(tree, object, "before", finding->earlier + 1);
  set(tree, object, "text", text.failed ? NULL : eo__tree_text(text.chars));
  eo__text_release(&text);
  return object;
}

static json_t *make_finding(eo_tree *tree, const eo_finding *finding) {
  const eo_failure *failure = &finding->failure;
  json_t *object = json_object();
  set_text(tree, object, "kind", eo__kind_name(failure->kind));
  if (failure->class_name[0]) set_text(tree, object, "class", failure->class_name);
  set_text(tree, object, "message", failure->message);
  set_text(tree, object, "process", failure->process);
  set_text(tree, object, "file", failure->file);
  set_number(tree, object, "line", (uint64_t)failure->line);
  set_text(tree, object, "ticket", finding->ticket);
  set_number(tree, object, "execution", finding->execution);
  set_number(tree, object, "depth", finding->depth);
  set_number(tree, object, "preemptions", finding->preemptions);
  set_number(tree, object, "delays", finding->delays);
  set_number(tree, object, "switches", finding->switches);
  set(tree, object, "minimised", json_boolean(finding->minimised));
  set(tree, object, "fewest", json_boolean(finding->fewest));
  set(tree, object, "rechecked", json_boolean(finding->rechecked));
  if (finding->beside) set(tree, object, "beside", json_true());
  set(tree, object, "passes_if", finding->reversible ? make_passes_if(tree, finding) : json_null());
  set_text(tree, object, "schedule", finding->schedule);
  json_t *steps = json_array();
  for (size_t i = 0; i < finding->lines.count; i++) push(tree, steps, make_step(tree, &finding->lines.items[i]));
  set(tree, object, "steps", steps);
  set(tree, object, "waiting", make_strings(tree, &finding->waiting));
  if (finding->values.count > 0) set(tree, object, "values", make_strings(tree, &finding->values));
  if (finding->circle.count > 0) set(tree, object, "circle", make_strings(tree, &finding->circle));
  set(tree, object, "backtrace", make_strings(tree, &finding->backtrace));
  return object;
}

static json_t *make_estimate(eo_tree *tree, const eo_run *run) {
  if (run->probes == 0 && !run->exact) return json_null();
  json_t *object = json_object();
  set(tree, object, "executions", json_real(run->estimate));
  set(tree, object, "low", json_real(run->estimate_low));
  set(tree, object, "high", json_real(run->estimate_high));
  set_number(tree, object, "probes", run->probes);
  return object;
}

static json_t *make_history(eo_tree *tree) {
  json_t *object = json_object();
  json_t *seconds = json_array(), *executions = json_array(), *pending = json_array(), *depth = json_array();
  for (size_t i = 0; i < tree->sampled; i++) {
    const eo_sample *sample = &tree->samples[i];
    push(tree, seconds, json_real(sample->seconds));
    push(tree, executions, json_integer((json_int_t)sample->executions));
    push(tree, pending, json_integer((json_int_t)sample->pending));
    push(tree, depth, json_integer(sample->depth));
  }
  set(tree, object, "seconds", seconds);
  set(tree, object, "executions", executions);
  set(tree, object, "pending", pending);
  set(tree, object, "depth", depth);
  return object;
}

static json_t *make_row(eo_tree *tree, const eo_row *row) {
  json_t *object = json_object();
  for (size_t i = 0; row != NULL && i < row->count; i++) set_text(tree, object, row->names[i], row->values[i]);
  return object;
}

static json_t *make_unreached(eo_tree *tree, const eo_run *run) {
  json_t *all = json_array();
  for (size_t i = 0; i < run->unreached_code.count; i++) {
    const eo_unreached *u = &run->unreached_code.items[i];
    json_t *object = json_object();
    set_text(tree, object, "process", u->process);
    set_text(tree, object, "file", u->file);
    set_number(tree, object, "line", (uint64_t)u->line);
    if (u->text) set_text(tree, object, "statement", u->text);
    set(tree, object, "end", json_boolean(!u->text));
    push(tree, all, object);
  }
  return all;
}

static json_t *make_run(eo_tree *tree, const eo_run *run) {
  static const char *const verdicts[] = {"pass", "fail", "incomplete", "error"};
  json_t *object = json_object();
  set_text(tree, object, "program", run->program);
  set_text(tree, object, "subject", run->subject);
  set_text(tree, object, "test", run->test);
  set(tree, object, "params", make_row(tree, run->row));
  set_text(tree, object, "strategy", run->strategy);
  set_text(tree, object, "options", run->options);
  set_text(tree, object, "verdict", verdicts[run->verdict]);
  set(tree, object, "complete", json_boolean(run->complete));
  set_text(tree, object, "covered", run->covered);
  if (*run->unreached) set_text(tree, object, "unreached", run->unreached);
  if (run->unreached_code.count > 0) set(tree, object, "unreached_code", make_unreached(tree, run));
  set_text(tree, object, "stopped", run->stopped);
  set_number(tree, object, "executions", run->executions);
  set_number(tree, object, "pruned", run->pruned);
  set_number(tree, object, "failures", run->failures);
  set_number(tree, object, "cut", run->cut);
  if (*run->endless) set_text(tree, object, "endless", run->endless);
  set_number(tree, object, "transitions", run->transitions);
  set_number(tree, object, "skipped", run->skipped);
  set_number(tree, object, "states", run->states);
  if (run->bytes > 0) set_number(tree, object, "bytes", run->bytes);
  set_number(tree, object, "max_depth", run->max_depth);
  set(tree, object, "elapsed_s", json_real(run->elapsed));
  set(tree, object, "estimate", make_estimate(tree, run));
  set_number(tree, object, "jobs", run->jobs);
  set_number(tree, object, "restarts", run->restarts);
  set_text(tree, object, "error", run->error);
  if (tree->sampled > 0) set(tree, object, "history", make_history(tree));
  return object;
}

/* ---- As the run goes on ----------------------------------------------------------------------------------------- */

void eo__tree_init(eo_tree *tree) {
  *tree = (eo_tree){.tests = json_array()};
  tree->failed = tree->tests == NULL;
}

void eo__tree_release(eo_tree *tree) {
  json_decref(tree->tests);
  json_decref(tree->errors);
  *tree = (eo_tree){0};
}

void eo__tree_begin(eo_tree *tree) {
  json_decref(tree->errors);
  tree->errors = json_array();
  tree->sampled = 0;
  tree->interval = EO_SAMPLE_FIRST;
}

static void add_sample(eo_tree *tree, const eo_run *run) {
  if (tree->sampled == EO_SAMPLES) {
    for (size_t i = 0; i < EO_SAMPLES / 2; i++) tree->samples[i] = tree->samples[2 * i + 1];
    tree->sampled = EO_SAMPLES / 2;
    tree->interval *= 2;
  }
  tree->samples[tree->sampled++] = (eo_sample){run->elapsed, run->executions, run->pending, run->depth};
}

void eo__tree_progress(eo_tree *tree, const eo_run *run) {
  double last = tree->sampled > 0 ? tree->samples[tree->sampled - 1].seconds : 0;
  if (run->elapsed >= last + tree->interval) add_sample(tree, run);
}

void eo__tree_finding(eo_tree *tree, const eo_finding *finding) {
  push(tree, tree->errors, make_finding(tree, finding));
}

void eo__tree_end(eo_tree *tree, const eo_run *run) {
  if (tree->sampled > 0) {
    /* At the end nothing is under way, and what was pending has been put away. */
    eo_sample last = tree->samples[tree->sampled - 1];
    eo_run final = *run;
    final.depth = last.depth;
    if (!run->complete) final.pending = last.pending;
    add_sample(tree, &final);
  }
  json_t *object = make_run(tree, run);
  set(tree, object, "errors", tree->errors);
  tree->errors = NULL;
  push(tree, tree->tests, object);
}

json_t *eo__tree_finish(eo_tree *tree) {
  json_t *all = json_object();
  set_number(tree, all, "everyorder", 1);
  set_text(tree, all, "version", EO_VERSION);
  set(tree, all, "tests", tree->tests);
  tree->tests = NULL;
  if (!tree->failed) return all;
  json_decref(all);
  return NULL;
}
