/* junit.c: a run as JUnit XML, as Jenkins defines it (junit-10.xsd of its xunit plug-in) and GitLab and GitHub's viewers
 * read it: a testsuite for the program, a testcase for each test. These show one failure of a testcase, the first; so
 * there is one, which tells of all findings of the test. Written by close, all or nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/export.h"
#include "report/report.h"
#include "report/shown.h"

enum { SHOWN_STEPS = 200 };

typedef struct junit_reporter {
  eo_reporter base;
  eo_text cases;   /* elements that are done */
  eo_text details; /* of the findings of the test under way */
  eo_text first;   /* attributes of the first of them */
  eo_text program;
  uint64_t findings; /* of the test under way */
  uint64_t tests, failures, errors, skipped;
  double seconds;
  bool failed; /* no memory */
} junit_reporter;

bool eo__report_details(eo_text *text, const eo_finding *finding, size_t steps) {
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  if (stream == NULL) return false;
  fprintf(stream, "%s: ", eo__kind_name(finding->failure.kind));
  eo__shown(stream, finding->failure.message, 0);
  if (finding->failure.file[0] != '\0') {
    fputs("\nat ", stream);
    eo__shown(stream, finding->failure.file, 0);
    fprintf(stream, ":%d", finding->failure.line);
  }
  fputs("\n\n", stream);
  eo__report_interleaving(stream, false, finding, steps);
  if (finding->ticket != NULL) {
    fputs("\nreplay: everyorder replay ", stream);
    eo__shown_path(stream, finding->ticket);
    fputc('\n', stream);
  }
  bool done = fclose(stream) == 0 && bytes != NULL;
  if (done) eo__text_append(text, bytes, size);
  free(bytes);
  return done && !text->failed;
}

static void junit_begin(eo_reporter *reporter, const eo_run *run) {
  junit_reporter *junit = (junit_reporter *)reporter;
  eo__text_clear(&junit->details);
  eo__text_clear(&junit->first);
  junit->findings = 0;
  if (junit->program.length == 0) eo__quote_xml(&junit->program, run->program);
}

static void junit_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  junit_reporter *junit = (junit_reporter *)reporter;
  eo_text plain;
  (void)run;
  eo__text_init(&plain);
  if (junit->findings++ == 0) {
    eo__text_add(&junit->first, " type=\"%s\" message=\"", eo__kind_name(finding->failure.kind));
    eo__quote_xml(&junit->first, finding->failure.message);
  } else {
    eo__text_add(&junit->details, "\n\n");
  }
  if (!eo__report_details(&plain, finding, SHOWN_STEPS)) junit->failed = true;
  eo__quote_xml_shown(&junit->details, plain.chars);
  eo__text_release(&plain);
}

static void add_failure(junit_reporter *junit, const eo_run *run) {
  eo_text *cases = &junit->cases;
  junit->failures++;
  if (junit->findings == 0) {
    eo__text_add(cases, "      <failure type=\"finding\" message=\"%llu %s fail\"/>\n",
                 (unsigned long long)run->failures, eo_run_is_by_state(run) ? "steps" : "executions");
    return;
  }
  eo__text_add(cases, "      <failure%s", junit->first.chars);
  if (junit->findings > 1) eo__text_add(cases, " (and %llu more)", (unsigned long long)junit->findings - 1);
  eo__text_add(cases, "\">%s</failure>\n", junit->details.chars);
}

static void add_words(eo_text *text, const eo_run *run) {
  bool by_state = eo_run_is_by_state(run);
  eo__text_add(text, "%llu %s by strategy ", (unsigned long long)(by_state ? run->states : run->executions),
               by_state ? "states" : "executions");
  eo__quote_xml(text, run->strategy);
  eo__text_add(text, "%s", run->options[0] != '\0' ? " " : "");
  eo__quote_xml(text, run->options);
  eo__text_add(text, run->complete ? ", complete" : ", not complete");
  if (run->covered[0] != '\0') {
    eo__text_add(text, ": ");
    eo__quote_xml(text, run->covered);
  }
  if (run->stopped[0] != '\0') {
    eo__text_add(text, "; stopped: ");
    eo__quote_xml(text, run->stopped);
  }
}

static void add_message(eo_text *text, const char *element, const char *message) {
  eo__text_add(text, "      <%s type=\"%s\" message=\"", element, element);
  eo__quote_xml(text, message);
  eo__text_add(text, "\"/>\n");
}

static void junit_end(eo_reporter *reporter, const eo_run *run) {
  junit_reporter *junit = (junit_reporter *)reporter;
  eo_text *cases = &junit->cases;
  junit->tests++;
  junit->seconds += run->elapsed;
  eo__text_add(cases, "    <testcase name=\"");
  eo__quote_xml(cases, run->test);
  eo__text_add(cases, "\" classname=\"");
  const char *slash = strrchr(run->program, '/');
  eo__quote_xml(cases, slash != NULL ? slash + 1 : run->program);
  eo__text_add(cases, "\" time=\"%.3f\">\n", run->elapsed);
  if (run->verdict == EO_FAIL) {
    add_failure(junit, run);
  } else if (run->verdict == EO_ERROR) {
    junit->errors++;
    add_message(cases, "error", run->error);
  } else if (eo_run_was_skipped(run)) {
    junit->skipped++;
    add_message(cases, "skipped", run->stopped);
  }
  eo__text_add(cases, "      <system-out>");
  add_words(cases, run);
  eo__text_add(cases, "</system-out>\n");
  if (run->verdict != EO_ERROR && run->error[0] != '\0') {
    eo__text_add(cases, "      <system-err>");
    eo__quote_xml(cases, run->error);
    eo__text_add(cases, "</system-err>\n");
  }
  eo__text_add(cases, "    </testcase>\n");
}

static void junit_close(eo_reporter *reporter) {
  junit_reporter *junit = (junit_reporter *)reporter;
  if (!junit->failed && !junit->cases.failed && !junit->details.failed && !junit->first.failed &&
      !junit->program.failed) {
    fprintf(reporter->out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites>\n"
            "  <testsuite name=\"%s\" tests=\"%llu\" failures=\"%llu\" errors=\"%llu\" skipped=\"%llu\" "
            "time=\"%.3f\">\n",
            junit->program.chars, (unsigned long long)junit->tests, (unsigned long long)junit->failures,
            (unsigned long long)junit->errors, (unsigned long long)junit->skipped, junit->seconds);
    fprintf(reporter->out, "%s  </testsuite>\n</testsuites>\n", junit->cases.chars);
  }
  eo__text_release(&junit->cases);
  eo__text_release(&junit->details);
  eo__text_release(&junit->first);
  eo__text_release(&junit->program);
  eo__free(junit);
}

eo_reporter *eo__report_junit(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {
      .name = "junit", .begin = junit_begin, .finding = junit_finding, .end = junit_end, .close = junit_close};
  junit_reporter *junit = eo__alloc(sizeof(*junit));
  (void)colour;
  if (junit == NULL) return NULL;
  junit->base = (eo_reporter){&ops, out};
  eo__text_init(&junit->cases);
  eo__text_init(&junit->details);
  eo__text_init(&junit->first);
  eo__text_init(&junit->program);
  return &junit->base;
}
