/* sarif.c: the findings of a run as SARIF 2.1.0, for code-scanning pages: a rule for each kind, a result for each
 * finding, with the place, and the interleaving as a code flow. Written by close, all or nothing.
 *
 * The standard would have a thread flow for each process; viewers show the first one only. What a person has to follow is
 * the interleaving: it is one thread flow, whose locations say which process takes the step. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/report.h"
#include "report/shown.h"

typedef struct sarif_reporter {
  eo_reporter base;
  json_t *results, *notes;
  bool in_order; /* no test ended in an error */
  bool failed;   /* no memory */
} sarif_reporter;

static const char *const meanings[EO_KIND_KINDS] = {
    [EO_KIND_ASSERTION] = "An assertion is false in some order of events.",
    [EO_KIND_CRASH] = "The program crashes in some order of events.",
    [EO_KIND_OVERFLOW] = "The stack of a process overflows.",
    [EO_KIND_EXIT] = "The program ends itself by exit, _exit or quick_exit.",
    [EO_KIND_ABNORMAL] = "A process ends with a reason that nobody handles.",
    [EO_KIND_DEADLOCK] = "Processes wait for messages that nobody will send.",
    [EO_KIND_LOOP] = "A step takes longer than the watchdog allows.",
    [EO_KIND_DEPTH] = "An execution has more steps than --depth allows.",
    [EO_KIND_SHARING] = "Processes use the same variable without a message that orders them.",
    [EO_KIND_NONDETERMINISM] = "The same choices lead to a different execution.",
    [EO_KIND_MISUSE] = "The program API is used wrongly.",
    [EO_KIND_LEAK] = "Memory is still allocated at the end.",
    [EO_KIND_UNHANDLED] = "A machine gets an event for which its state has no handler.",
    [EO_KIND_LIVENESS] = "A required event never happens.",
    [EO_KIND_BOUNDS] = "A process reads past a message or its argument, or a message that is gone.",
    [EO_KIND_SEQUENCE] = "Events happen in a forbidden order.",
    [EO_KIND_OUTSIDE] = "The program calls a function that Everyorder cannot control.",
    [EO_KIND_MPI] = "An MPI program uses MPI wrongly, or its ranks wait for each other for ever.",
};

/* ---- Making JSON ----------------------------------------------------------------------------------------------------- */

static void set(sarif_reporter *sarif, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) sarif->failed = true;
}

static void push(sarif_reporter *sarif, json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0) sarif->failed = true;
}

/* In a message braces are placeholders and `[text](target)` is a link; what a program says must be neither. */
static json_t *make_message(sarif_reporter *sarif, const char *chars) {
  json_t *message = json_object();
  eo_text shown, text;
  eo__text_init(&shown);
  eo__text_init(&text);
  eo__shown_add(&shown, chars);
  for (const char *c = shown.chars; *c != '\0'; c++) {
    if (*c == '{' || *c == '}') eo__text_append(&text, c, 1);
    eo__text_append(&text, c, 1);
    if (c[0] == ']' && c[1] == '(') eo__text_add(&text, " ");
  }
  set(sarif, message, "text", shown.failed || text.failed ? NULL : json_string(text.chars));
  eo__text_release(&shown);
  eo__text_release(&text);
  return message;
}

/* A path as a URI: relative where it is relative, so that it is found in whatever the page shows the sources of. */
static json_t *make_uri(const char *path) {
  eo_text uri;
  eo__text_init(&uri);
  if (path[0] == '/') eo__text_add(&uri, "file://");
  for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                 strchr("/-._~+", *c) != NULL;
    eo__text_add(&uri, plain ? "%c" : "%%%02X", *c);
  }
  json_t *made = uri.failed ? NULL : json_string(uri.chars);
  eo__text_release(&uri);
  return made;
}

static json_t *make_place(sarif_reporter *sarif, const char *file, int line) {
  json_t *place = json_object(), *artifact = json_object(), *region = json_object();
  set(sarif, artifact, "uri", make_uri(file));
  set(sarif, region, "startLine", json_integer(line > 0 ? line : 1));
  set(sarif, place, "artifactLocation", artifact);
  set(sarif, place, "region", region);
  return place;
}

static void make_rule_id(char *out, size_t size, eo_kind kind) {
  snprintf(out, size, "%s", eo__kind_name(kind));
  for (char *c = out; *c != '\0'; c++)
    if (*c == ' ') *c = '-';
}

/* ---- Results --------------------------------------------------------------------------------------------------------- */

static json_t *make_step(sarif_reporter *sarif, const eo_finding *finding, size_t step) {
  const eo_line *line = &finding->lines.items[step];
  json_t *at = json_object(), *location = json_object();
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s%s%s %s", line->process, line->name[0] != '\0' ? " " : "", line->name, line->text);
  if (line->file[0] != '\0') set(sarif, location, "physicalLocation", make_place(sarif, line->file, line->line));
  set(sarif, location, "message", text.failed ? NULL : make_message(sarif, text.chars));
  set(sarif, at, "location", location);
  set(sarif, at, "executionOrder", json_integer((json_int_t)step + 1));
  if (step + 1 == finding->lines.count) set(sarif, at, "importance", json_string("essential"));
  eo__text_release(&text);
  return at;
}

static json_t *make_flows(sarif_reporter *sarif, const eo_finding *finding) {
  json_t *flows = json_array(), *flow = json_object(), *threads = json_array(), *thread = json_object();
  json_t *steps = json_array();
  for (size_t i = 0; i < finding->lines.count; i++) push(sarif, steps, make_step(sarif, finding, i));
  set(sarif, thread, "locations", steps);
  set(sarif, thread, "id", json_string("interleaving"));
  push(sarif, threads, thread);
  set(sarif, flow, "threadFlows", threads);
  push(sarif, flows, flow);
  return flows;
}

/* Where it fails, or, if that is nowhere in the sources, where the last step is. */
static json_t *make_locations(sarif_reporter *sarif, const eo_run *run, const eo_finding *finding) {
  json_t *locations = json_array(), *location = json_object(), *names = json_array(), *test = json_object();
  const char *file = finding->failure.file;
  int line = finding->failure.line;
  for (size_t i = finding->lines.count; file[0] == '\0' && i-- > 0;) {
    file = finding->lines.items[i].file;
    line = finding->lines.items[i].line;
  }
  if (file[0] != '\0') set(sarif, location, "physicalLocation", make_place(sarif, file, line));
  set(sarif, test, "name", eo__shown_json(run->test));
  set(sarif, test, "kind", json_string("function"));
  push(sarif, names, test);
  set(sarif, location, "logicalLocations", names);
  push(sarif, locations, location);
  return locations;
}

/* The same defect keeps it when lines move. */
static json_t *make_fingerprints(sarif_reporter *sarif, const eo_run *run, const eo_failure *failure) {
  json_t *prints = json_object();
  eo_text text;
  char hex[17];
  eo__text_init(&text);
  eo__text_add(&text, "%s\n%s\n%s\n%s", run->test, eo__kind_name(failure->kind), failure->process, failure->message);
  snprintf(hex, sizeof(hex), "%016llx", (unsigned long long)XXH3_64bits(text.chars, text.length));
  set(sarif, prints, "everyorder/v1", text.failed ? NULL : json_string(hex));
  eo__text_release(&text);
  return prints;
}

static void sarif_begin(eo_reporter *reporter, const eo_run *run) {
  (void)reporter;
  (void)run;
}

static void sarif_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  sarif_reporter *sarif = (sarif_reporter *)reporter;
  json_t *result = json_object();
  char id[32];
  eo_text text;
  eo__text_init(&text);
  make_rule_id(id, sizeof(id), finding->failure.kind);
  eo__text_add(&text, "%s: %s", eo__kind_name(finding->failure.kind), finding->failure.message);
  set(sarif, result, "ruleId", json_string(id));
  set(sarif, result, "ruleIndex", json_integer((json_int_t)finding->failure.kind - 1));
  set(sarif, result, "level", json_string("error"));
  set(sarif, result, "message", text.failed ? NULL : make_message(sarif, text.chars));
  set(sarif, result, "locations", make_locations(sarif, run, finding));
  if (finding->lines.count > 0) set(sarif, result, "codeFlows", make_flows(sarif, finding));
  set(sarif, result, "partialFingerprints", make_fingerprints(sarif, run, &finding->failure));
  if (finding->ticket != NULL) {
    json_t *properties = json_object();
    set(sarif, properties, "ticket", eo__shown_json(finding->ticket));
    set(sarif, result, "properties", properties);
  }
  push(sarif, sarif->results, result);
  eo__text_release(&text);
}

static void sarif_end(eo_reporter *reporter, const eo_run *run) {
  sarif_reporter *sarif = (sarif_reporter *)reporter;
  if (run->error[0] == '\0') return;
  json_t *note = json_object();
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s: %s", run->test, run->error);
  set(sarif, note, "level", json_string("error"));
  set(sarif, note, "message", text.failed ? NULL : make_message(sarif, text.chars));
  push(sarif, sarif->notes, note);
  sarif->in_order = sarif->in_order && run->verdict != EO_ERROR;
  eo__text_release(&text);
}

/* ---- The log --------------------------------------------------------------------------------------------------------- */

static json_t *make_rules(sarif_reporter *sarif) {
  json_t *rules = json_array();
  for (int kind = EO_KIND_NONE + 1; kind < EO_KIND_KINDS; kind++) {
    json_t *rule = json_object(), *configuration = json_object();
    char id[32];
    make_rule_id(id, sizeof(id), (eo_kind)kind);
    set(sarif, rule, "id", json_string(id));
    set(sarif, rule, "shortDescription", make_message(sarif, eo__kind_name((eo_kind)kind)));
    set(sarif, rule, "fullDescription", make_message(sarif, meanings[kind]));
    set(sarif, configuration, "level", json_string("error"));
    set(sarif, rule, "defaultConfiguration", configuration);
    push(sarif, rules, rule);
  }
  return rules;
}

static json_t *make_run(sarif_reporter *sarif) {
  json_t *run = json_object(), *tool = json_object(), *driver = json_object();
  json_t *invocations = json_array(), *invocation = json_object();
  set(sarif, driver, "name", json_string("Everyorder"));
  set(sarif, driver, "semanticVersion", json_string(EO_VERSION));
  set(sarif, driver, "rules", make_rules(sarif));
  set(sarif, tool, "driver", driver);
  set(sarif, run, "tool", tool);
  set(sarif, invocation, "executionSuccessful", json_boolean(sarif->in_order));
  set(sarif, invocation, "toolExecutionNotifications", sarif->notes);
  push(sarif, invocations, invocation);
  set(sarif, run, "invocations", invocations);
  set(sarif, run, "results", sarif->results);
  return run;
}

static void sarif_close(eo_reporter *reporter) {
  sarif_reporter *sarif = (sarif_reporter *)reporter;
  json_t *log = json_object(), *runs = json_array();
  push(sarif, runs, make_run(sarif));
  set(sarif, log, "$schema",
      json_string("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"));
  set(sarif, log, "version", json_string("2.1.0"));
  set(sarif, log, "runs", runs);
  char *chars = sarif->failed ? NULL : json_dumps(log, JSON_INDENT(2));
  if (chars != NULL) fprintf(reporter->out, "%s\n", chars);
  free(chars);
  json_decref(log);
  eo__free(sarif);
}

eo_reporter *eo__report_sarif(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {
      .name = "sarif", .begin = sarif_begin, .finding = sarif_finding, .end = sarif_end, .close = sarif_close};
  sarif_reporter *sarif = eo__alloc(sizeof(*sarif));
  (void)colour;
  if (sarif == NULL) return NULL;
  sarif->base = (eo_reporter){&ops, out};
  sarif->in_order = true;
  sarif->results = json_array();
  sarif->notes = json_array();
  return &sarif->base;
}
