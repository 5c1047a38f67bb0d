/* live.c: a run as it goes on, one JSON object per line, for whoever follows it: doc/formats/live.md. Each line is
 * written whole and at once, and says little, so that a follower needs little memory for it: what a finding looks like
 * step by step is in its ticket. A line that cannot be made for lack of memory is left out. */
#include <math.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/report.h"
#include "report/shown.h"

#define PROGRESS_EVERY 0.5 /* seconds */

enum { LIVE_VERSION = 1, STRING_MAX = 1024 };

typedef struct live_reporter {
  eo_reporter base;
  double next;      /* elapsed time of the test at which progress is told again */
  bool named;       /* the program was told */
  eo_verdict whole; /* of all tests so far */
} live_reporter;

/* ---- One line ------------------------------------------------------------------------------------------------- */

/* Longer strings are cut; bytes that are no UTF-8 become U+FFFD. */
static void add_string(eo_text *line, const char *key, const char *chars) {
  eo__text_add(line, ",\"%s\":", key);
  if (chars == NULL) {
    eo__text_add(line, "null");
    return;
  }
  eo__text_add(line, "\"");
  for (size_t taken = 0; chars[taken] != '\0' && taken < STRING_MAX;) {
    uint32_t character;
    size_t length = eo__utf8(chars + taken, &character);
    if (length == 0)
      eo__text_add(line, "\xef\xbf\xbd");
    else if (character < 0x20 || character == '"' || character == '\\' || (character >= 0x7f && character < 0xa0))
      eo__text_add(line, "\\u%04x", (unsigned)character);
    else
      eo__text_append(line, chars + taken, length);
    taken += length == 0 ? 1 : length;
  }
  eo__text_add(line, "\"");
}

static void add_count(eo_text *line, const char *key, uint64_t value) {
  eo__text_add(line, ",\"%s\":%llu", key, (unsigned long long)value);
}

static void add_number(eo_text *line, const char *key, double value) {
  if (isfinite(value))
    eo__text_add(line, ",\"%s\":%.6g", key, value);
  else
    eo__text_add(line, ",\"%s\":null", key);
}

static void open_line(eo_text *line, const char *event) {
  eo__text_init(line);
  eo__text_add(line, "{\"event\":\"%s\"", event);
}

static void close_line(eo_text *line, FILE *out) {
  eo__text_add(line, "}\n");
  if (!line->failed) fwrite(line->chars, 1, line->length, out);
  eo__text_release(line);
}

/* ---- Events --------------------------------------------------------------------------------------------------- */

static void add_counters(eo_text *line, const eo_run *run) {
  eo__text_add(line, ",\"elapsed_s\":%.3f", run->elapsed);
  add_count(line, "executions", run->executions);
  add_count(line, "pruned", run->pruned);
  add_count(line, "transitions", run->transitions);
  add_count(line, "states", run->states);
  add_count(line, "pending", run->pending);
  add_count(line, "findings", run->findings);
  add_count(line, "failures", run->failures);
  add_count(line, "cut", run->cut);
  add_count(line, "depth", run->depth);
  add_count(line, "delays", run->delays);
  add_count(line, "max_depth", run->max_depth);
  add_count(line, "jobs", run->jobs);
  add_count(line, "restarts", run->restarts);
  add_number(line, "share", run->share >= 0 ? run->share : NAN);
  add_number(line, "estimate", run->probes > 0 ? run->estimate : NAN);
  add_number(line, "estimate_high", run->probes > 0 ? run->estimate_high : NAN);
}

static void live_begin(eo_reporter *reporter, const eo_run *run) {
  live_reporter *live = (live_reporter *)reporter;
  eo_text line;
  if (!live->named) {
    open_line(&line, "run");
    add_count(&line, "everyorder_live", LIVE_VERSION);
    add_string(&line, "version", EO_VERSION);
    add_string(&line, "program", run->program);
    close_line(&line, reporter->out);
  }
  live->named = true;
  live->next = 0;
  open_line(&line, "begin");
  add_string(&line, "test", run->test);
  add_string(&line, "subject", run->subject);
  add_string(&line, "strategy", run->strategy);
  add_string(&line, "options", run->options);
  add_count(&line, "jobs", run->jobs);
  close_line(&line, reporter->out);
}

static void live_progress(eo_reporter *reporter, const eo_run *run) {
  live_reporter *live = (live_reporter *)reporter;
  eo_text line;
  if (run->elapsed < live->next) return;
  live->next = run->elapsed + PROGRESS_EVERY;
  open_line(&line, "progress");
  add_counters(&line, run);
  close_line(&line, reporter->out);
}

static void live_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  eo_text line;
  (void)run;
  open_line(&line, "finding");
  add_string(&line, "kind", eo__kind_name(finding->failure.kind));
  add_string(&line, "message", finding->failure.message);
  add_string(&line, "process", finding->failure.process);
  add_string(&line, "file", finding->failure.file);
  add_count(&line, "line", (uint64_t)finding->failure.line);
  add_string(&line, "ticket", finding->ticket);
  add_count(&line, "execution", finding->execution);
  add_count(&line, "depth", finding->depth);
  add_count(&line, "preemptions", finding->preemptions);
  add_count(&line, "delays", finding->delays);
  add_count(&line, "switches", finding->switches);
  close_line(&line, reporter->out);
}

static const char *const verdicts[] = {"pass", "fail", "incomplete", "error"};

static void live_end(eo_reporter *reporter, const eo_run *run) {
  live_reporter *live = (live_reporter *)reporter;
  eo_text line;
  live->whole = eo__verdict_both(live->whole, run->verdict);
  open_line(&line, "end");
  add_string(&line, "test", run->test);
  add_string(&line, "verdict", verdicts[run->verdict]);
  eo__text_add(&line, ",\"complete\":%s", run->complete ? "true" : "false");
  add_string(&line, "covered", run->covered);
  add_string(&line, "stopped", run->stopped);
  if (run->endless[0] != '\0') add_string(&line, "endless", run->endless);
  add_string(&line, "error", run->error);
  add_counters(&line, run);
  close_line(&line, reporter->out);
}

static void live_close(eo_reporter *reporter) {
  eo_text line;
  open_line(&line, "done");
  add_string(&line, "verdict", verdicts[((live_reporter *)reporter)->whole]);
  close_line(&line, reporter->out);
  eo__free(reporter);
}

eo_reporter *eo__report_live(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {.name = "live",
                                      .begin = live_begin,
                                      .progress = live_progress,
                                      .finding = live_finding,
                                      .end = live_end,
                                      .close = live_close};
  live_reporter *live = eo__alloc(sizeof(*live));
  (void)colour;
  if (live == NULL) return NULL;
  live->base = (eo_reporter){&ops, out};
  return &live->base;
}
