/* tap.c: a run in the Test Anything Protocol, version 13: a line for each test, and below one that is not ok what was
 * found, in YAML. A test that was clean but not complete is ok, and says so. Written by close, all or nothing. */
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/report.h"
#include "report/shown.h"

enum { SHOWN_STEPS = 200 };

typedef struct tap_reporter {
  eo_reporter base;
  eo_text lines;   /* of the tests that are done */
  eo_text details; /* of the test under way */
  uint64_t tests, findings;
  bool failed; /* no memory */
} tap_reporter;

/* A `#` begins a directive; no name is one. */
static void add_name(eo_text *text, const char *name) {
  eo_text shown;
  eo__text_init(&shown);
  eo__shown_add(&shown, name);
  for (const char *c = shown.chars; *c != '\0'; c++) eo__text_append(text, *c == '#' ? "\\#" : c, *c == '#' ? 2 : 1);
  if (shown.failed) text->failed = true;
  eo__text_release(&shown);
}

/* In single quotes, where only the quote itself is special. */
static void add_scalar(eo_text *text, const char *key, const char *value) {
  eo_text shown;
  eo__text_init(&shown);
  eo__shown_add(&shown, value);
  eo__text_add(text, "  %s: '", key);
  for (const char *c = shown.chars; *c != '\0'; c++) eo__text_append(text, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
  eo__text_add(text, "'\n");
  if (shown.failed) text->failed = true;
  eo__text_release(&shown);
}

/* As a block, every line of it indented, empty ones too: Perl's parser wants that. */
static void add_block(eo_text *text, const char *key, const char *shown) {
  eo__text_add(text, "  %s: |\n", key);
  for (const char *line = shown; *line != '\0';) {
    size_t length = strcspn(line, "\n");
    eo__text_add(text, "    %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static void tap_begin(eo_reporter *reporter, const eo_run *run) {
  tap_reporter *tap = (tap_reporter *)reporter;
  (void)run;
  eo__text_clear(&tap->details);
  tap->findings = 0;
}

/* Only the first is taken apart; the interleaving of each is there. */
static void tap_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  tap_reporter *tap = (tap_reporter *)reporter;
  eo_text plain;
  char key[40];
  (void)run;
  eo__text_init(&plain);
  if (tap->findings++ == 0) {
    add_scalar(&tap->details, "kind", eo__kind_name(finding->failure.kind));
    add_scalar(&tap->details, "message", finding->failure.message);
    if (finding->failure.file[0] != '\0') {
      add_scalar(&tap->details, "file", finding->failure.file);
      eo__text_add(&tap->details, "  line: %d\n", finding->failure.line);
    }
    if (finding->ticket != NULL) add_scalar(&tap->details, "ticket", finding->ticket);
  }
  snprintf(key, sizeof(key), "finding_%llu", (unsigned long long)tap->findings);
  if (!eo__report_details(&plain, finding, SHOWN_STEPS)) tap->failed = true;
  add_block(&tap->details, key, plain.chars);
  eo__text_release(&plain);
}

static void tap_end(eo_reporter *reporter, const eo_run *run) {
  tap_reporter *tap = (tap_reporter *)reporter;
  eo_text *lines = &tap->lines;
  bool ok = run->verdict == EO_PASS || run->verdict == EO_INCOMPLETE;
  bool skipped = eo_run_was_skipped(run);
  eo__text_add(lines, "%s %llu - ", ok ? "ok" : "not ok", (unsigned long long)++tap->tests);
  add_name(lines, run->test);
  if (skipped) {
    eo__text_add(lines, " # SKIP ");
    add_name(lines, run->stopped);
  }
  eo__text_add(lines, "\n  ---\n");
  if (run->verdict == EO_ERROR) add_scalar(lines, "message", run->error);
  bool by_state = eo_run_is_by_state(run);
  eo__text_add(lines, "  %s: %llu\n  complete: %s\n", by_state ? "states" : "executions",
               (unsigned long long)(by_state ? run->states : run->executions), run->complete ? "yes" : "no");
  if (run->covered[0] != '\0') add_scalar(lines, "covered", run->covered);
  if (run->stopped[0] != '\0') add_scalar(lines, "stopped", run->stopped);
  eo__text_add(lines, "  duration_ms: %.3f\n%s  ...\n", run->elapsed * 1000, tap->details.chars);
}

static void tap_close(eo_reporter *reporter) {
  tap_reporter *tap = (tap_reporter *)reporter;
  if (!tap->failed && !tap->lines.failed && !tap->details.failed)
    fprintf(reporter->out, "TAP version 13\n%s1..%llu\n", tap->lines.chars, (unsigned long long)tap->tests);
  eo__text_release(&tap->lines);
  eo__text_release(&tap->details);
  eo__free(tap);
}

eo_reporter *eo__report_tap(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {
      .name = "tap", .begin = tap_begin, .finding = tap_finding, .end = tap_end, .close = tap_close};
  tap_reporter *tap = eo__alloc(sizeof(*tap));
  (void)colour;
  if (tap == NULL) return NULL;
  tap->base = (eo_reporter){&ops, out};
  eo__text_init(&tap->lines);
  eo__text_init(&tap->details);
  return &tap->base;
}
