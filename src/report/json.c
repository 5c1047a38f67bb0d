/* json.c: a run as one JSON object for other programs: doc/formats/json.md. The tree is built as the run goes on and
 * written at the end. A member that cannot be made for lack of memory makes the whole report fail, not a smaller one.
 */
#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/report.h"
#include "report/shown.h"

typedef struct json_reporter {
  eo_reporter base;
  json_t *tests;
  json_t *errors; /* findings of the test under way; owned */
  bool failed;    /* no memory */
} json_reporter;

/* JSON is UTF-8: what is not becomes U+FFFD. */
static json_t *make_text(const char *chars) {
  if (chars == NULL) return json_null();
  json_t *made = json_string(chars);
  if (made != NULL) return made;
  eo_text clean;
  eo_text_init(&clean);
  while (*chars != '\0') {
    uint32_t character;
    size_t length = eo__utf8(chars, &character);
    eo_text_append(&clean, length == 0 ? "\xef\xbf\xbd" : chars, length == 0 ? 3 : length);
    chars += length == 0 ? 1 : length;
  }
  made = clean.failed ? NULL : json_string(clean.chars);
  eo_text_release(&clean);
  return made;
}

/* Both take `value` over, and note a NULL (no memory) as the failure it is. */
static void set(json_reporter *json, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) json->failed = true;
}

static void push(json_reporter *json, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0) json->failed = true;
}

static void set_text(json_reporter *json, json_t *object, const char *key, const char *value) {
  set(json, object, key, make_text(value));
}

static void set_number(json_reporter *json, json_t *object, const char *key, uint64_t value) {
  set(json, object, key, json_integer((json_int_t)value));
}

static json_t *make_step(json_reporter *json, const eo_line *line) {
  json_t *step = json_object();
  set_text(json, step, "process", line->process);
  set_text(json, step, "name", line->name);
  set_text(json, step, "op", line->op);
  set_text(json, step, "text", line->text);
  set_text(json, step, "file", line->file);
  set_number(json, step, "line", (uint64_t)line->line);
  set_text(json, step, "function", line->function);
  set_number(json, step, "value", line->value);
  set(json, step, "preempts", json_boolean(line->preempts));
  set_text(json, step, "other", line->other);
  json_t *mails = json_array(), *after = json_array();
  for (size_t i = 0; i < line->mails.count; i++) {
    json_t *mail = json_object();
    set_number(json, mail, "number", line->mails.items[i].number);
    set_text(json, mail, "other", line->mails.items[i].other);
    set_text(json, mail, "text", line->mails.items[i].text ? line->mails.items[i].text : "");
    push(json, mails, mail);
  }
  for (size_t i = 0; i < line->after.count; i++) push(json, after, json_integer(line->after.items[i]));
  set(json, step, line->sends ? "sends" : "takes", mails);
  set(json, step, "after", after);
  return step;
}

static json_t *make_strings(json_reporter *json, const eo_strings *strings) {
  json_t *array = json_array();
  for (size_t i = 0; i < strings->count; i++) push(json, array, make_text(strings->items[i]));
  return array;
}

static json_t *make_finding(json_reporter *json, const eo_finding *finding) {
  const eo_failure *failure = &finding->failure;
  json_t *object = json_object();
  set_text(json, object, "kind", eo_kind_name(failure->kind));
  set_text(json, object, "message", failure->message);
  set_text(json, object, "process", failure->process);
  set_text(json, object, "file", failure->file);
  set_number(json, object, "line", (uint64_t)failure->line);
  set_text(json, object, "ticket", finding->ticket);
  set_number(json, object, "execution", finding->execution);
  set_number(json, object, "depth", finding->depth);
  set_number(json, object, "preemptions", finding->preemptions);
  set_number(json, object, "delays", 0); /* for strategies that count them; none does yet */
  set_number(json, object, "switches", finding->switches);
  set(json, object, "fewest", json_boolean(finding->fewest));
  set(json, object, "rechecked", json_boolean(finding->rechecked));
  set_text(json, object, "schedule", finding->schedule);
  json_t *steps = json_array();
  for (size_t i = 0; i < finding->lines.count; i++) push(json, steps, make_step(json, &finding->lines.items[i]));
  set(json, object, "steps", steps);
  set(json, object, "waiting", make_strings(json, &finding->waiting));
  set(json, object, "backtrace", make_strings(json, &finding->backtrace));
  return object;
}

static json_t *make_estimate(json_reporter *json, const eo_run *run) {
  if (run->probes == 0) return json_null();
  json_t *object = json_object();
  set(json, object, "executions", json_real(run->estimate));
  set(json, object, "low", json_real(run->estimate_low));
  set(json, object, "high", json_real(run->estimate_high));
  set_number(json, object, "probes", run->probes);
  return object;
}

static json_t *make_row(json_reporter *json, const eo_row *row) {
  json_t *object = json_object();
  for (size_t i = 0; row != NULL && i < row->count; i++) set_text(json, object, row->names[i], row->values[i]);
  return object;
}

static json_t *make_run(json_reporter *json, const eo_run *run) {
  static const char *const verdicts[] = {"pass", "fail", "incomplete", "error"};
  json_t *object = json_object();
  set_text(json, object, "program", run->program);
  set_text(json, object, "subject", run->subject);
  set_text(json, object, "test", run->test);
  set(json, object, "params", make_row(json, run->row));
  set_text(json, object, "strategy", run->strategy);
  set_text(json, object, "options", run->options);
  set_text(json, object, "verdict", verdicts[run->verdict]);
  set(json, object, "complete", json_boolean(run->complete));
  set_text(json, object, "covered", run->covered);
  set_text(json, object, "stopped", run->stopped);
  set_number(json, object, "executions", run->executions);
  set_number(json, object, "pruned", run->pruned);
  set_number(json, object, "failures", run->failures);
  set_number(json, object, "transitions", run->transitions);
  set_number(json, object, "skipped", run->skipped);
  set_number(json, object, "states", run->states);
  set_number(json, object, "max_depth", run->max_depth);
  set(json, object, "elapsed_s", json_real(run->elapsed));
  set(json, object, "estimate", make_estimate(json, run));
  set_number(json, object, "jobs", run->jobs);
  set_number(json, object, "restarts", run->restarts);
  set_text(json, object, "error", run->error);
  return object;
}

static void json_begin(eo_reporter *reporter, const eo_run *run) {
  json_reporter *json = (json_reporter *)reporter;
  (void)run;
  json_decref(json->errors);
  json->errors = json_array();
}

static void json_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  json_reporter *json = (json_reporter *)reporter;
  (void)run;
  push(json, json->errors, make_finding(json, finding));
}

static void json_end(eo_reporter *reporter, const eo_run *run) {
  json_reporter *json = (json_reporter *)reporter;
  json_t *object = make_run(json, run);
  set(json, object, "errors", json->errors);
  json->errors = NULL;
  push(json, json->tests, object);
}

static void json_close(eo_reporter *reporter) {
  json_reporter *json = (json_reporter *)reporter;
  json_t *all = json_object();
  set_number(json, all, "everyorder", 1);
  set_text(json, all, "version", EO_VERSION);
  set(json, all, "tests", json->tests);
  char *chars = json->failed ? NULL : json_dumps(all, JSON_INDENT(2));
  if (chars != NULL) fprintf(reporter->out, "%s\n", chars);
  free(chars);
  json_decref(all);
  json_decref(json->errors);
  eo_free(json);
}

eo_reporter *eo__report_json(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {
      .name = "json", .begin = json_begin, .finding = json_finding, .end = json_end, .close = json_close};
  json_reporter *json = eo_alloc(sizeof(*json));
  (void)colour;
  if (json == NULL) return NULL;
  json->base = (eo_reporter){&ops, out};
  json->tests = json_array();
  json->failed = json->tests == NULL;
  return &json->base;
}
