/* text.c: a run for people. Findings are shown as they come; each test ends in one result line, the whole in a summary
 * that says what a clean result means. Everything that the program under test has a say in passes through shown.h. */
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "report/report.h"
#include "report/shown.h"

enum {
  NAME_COLUMNS = 24, /* of a test in the result lines */
  SHOWN_STEPS = 200, /* of a finding; longer ones lose their middle */
  COVERED_KINDS = 8
};

typedef struct text_reporter {
  eo_reporter base;
  bool colour;
  uint64_t tests, passed, failed, parts, skips, errors;
  uint64_t findings, executions, transitions, skipped, states, bytes, restarts;
  double elapsed;
  struct { /* what clean tests covered, in different words */
    char words[EO_COVERED];
    uint64_t tests;
  } covered[COVERED_KINDS];
  size_t covered_count;
} text_reporter;

/* ---- Findings ------------------------------------------------------------------------------------------------- */

static void finding_head(const text_reporter *text, const eo_run *run, const eo_failure *failure) {
  FILE *out = text->base.out;
  fprintf(out, "\n%s%s%s: ", eo__paint(text->colour, EO_RED), eo__kind_name(failure->kind), eo__plain(text->colour));
  eo__shown(out, failure->message, 0);
  fprintf(out, "\n  %sin test ", eo__paint(text->colour, EO_DIM));
  eo__shown(out, run->test, 0);
  if (failure->process[0] != '\0') {
    fputs(", process ", out);
    eo__shown(out, failure->process, 0);
  }
  if (failure->file[0] != '\0') {
    fputs(", at ", out);
    eo__shown(out, failure->file, 0);
    fprintf(out, ":%d", failure->line);
  }
  fprintf(out, "%s\n\n", eo__plain(text->colour));
}

static void put_passes_if(const text_reporter *text, const eo_finding *finding) {
  eo_text words;
  eo__text_init(&words);
  eo__finding_passes_if(finding, &words);
  fprintf(text->base.out, "\n  %spasses if:%s ", eo__paint(text->colour, EO_BOLD), eo__plain(text->colour));
  eo__shown(text->base.out, words.chars, 0);
  fprintf(text->base.out, " (step %u before step %u)", finding->later + 1, finding->earlier + 1);
  eo__text_release(&words);
}

static void finding_tail(const text_reporter *text, const eo_finding *finding) {
  FILE *out = text->base.out;
  fprintf(out, "\n  %s%s%s ", eo__paint(text->colour, EO_BOLD),
          finding->minimised ? "minimised:" : "as found: ", eo__plain(text->colour));
  eo__shown_count(out, finding->depth, "step");
  fprintf(out, ", %u context switch%s%s, ", finding->switches, finding->switches == 1 ? "" : "es",
          finding->fewest      ? " (fewest possible)"
          : finding->minimised ? " (shortest found)"
                               : "");
  eo__shown_count(out, finding->preemptions, "preemption");
  if (finding->delays) {
    fputs("; found with ", out);
    eo__shown_count(out, finding->delays, "delay");
  }
  if (!finding->rechecked) fputs("; not confirmed by a second run", out);
  if (finding->beside)
    fprintf(out, "\n  %smet:%s       by a random probe, beside the executions that were explored",
            eo__paint(text->colour, EO_BOLD), eo__plain(text->colour));
  if (finding->reversible) put_passes_if(text, finding);
  fprintf(out, "\n  %sreplay:%s    ", eo__paint(text->colour, EO_BOLD), eo__plain(text->colour));
  if (finding->ticket != NULL) {
    fputs("everyorder replay ", out);
    eo__shown_path(out, finding->ticket);
    fputs("\n\n", out);
  } else {
    fputs("no ticket was written (--tickets FOLDER writes them)\n\n", out);
  }
}

static void text_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  text_reporter *text = (text_reporter *)reporter;
  finding_head(text, run, &finding->failure);
  eo__report_interleaving(reporter->out, text->colour, finding, SHOWN_STEPS);
  finding_tail(text, finding);
}

/* ---- Results -------------------------------------------------------------------------------------------------- */

static void seconds_of(FILE *out, double seconds) {
  if (seconds < 100)
    fprintf(out, "%.2f s", seconds);
  else
    fprintf(out, "%.0f min %02.0f s", (double)(uint64_t)(seconds / 60), (double)((uint64_t)seconds % 60));
}

static void text_begin(eo_reporter *reporter, const eo_run *run) {
  (void)reporter;
  (void)run;
}

static void note_covered(text_reporter *text, const char *words) {
  size_t i = 0;
  while (i < text->covered_count && strcmp(text->covered[i].words, words) != 0) i++;
  if (words[0] == '\0' || i == COVERED_KINDS) return;
  if (i == text->covered_count) {
    snprintf(text->covered[i].words, sizeof(text->covered[i].words), "%s", words);
    text->covered_count++;
  }
  text->covered[i].tests++;
}

static void add_up(text_reporter *text, const eo_run *run) {
  uint64_t *const counts[] = {&text->passed, &text->failed, &text->parts, &text->errors};
  ++*(eo_run_was_skipped(run) ? &text->skips : counts[run->verdict]);
  text->tests++;
  text->findings += run->findings;
  text->executions += run->executions;
  text->transitions += run->transitions;
  text->states += run->states;
  text->bytes += run->bytes;
  text->skipped += run->skipped;
  text->restarts += run->restarts;
  text->elapsed += run->elapsed;
  if (run->verdict == EO_PASS || run->verdict == EO_INCOMPLETE) note_covered(text, run->covered);
}

static void result_words(FILE *out, const eo_run *run) {
  if (run->verdict == EO_ERROR) {
    eo__shown(out, run->error, 0);
    return;
  }
  if (eo_run_was_skipped(run)) {
    fprintf(out, "not run: %s", run->stopped);
    return;
  }
  if (run->verdict == EO_FAIL) {
    eo__shown_count(out, run->findings, "finding");
    fputs(" in ", out);
  }
  bool by_state = eo_run_is_by_state(run);
  eo__shown_count(out, by_state ? run->states : run->executions, by_state ? "state" : "execution");
  if (!by_state && run->pruned > 0 && (run->executions == 0 || run->failures > run->executions)) {
    fputs(" and ", out);
    eo__shown_count(out, run->pruned, "pruned one");
  }
  if (run->failures > run->findings && by_state) {
    fputs(", ", out);
    eo__shown_count(out, run->failures, "failing step");
  } else if (run->failures > run->findings) {
    char digits[32];
    fprintf(out, ", %s of which fail", eo__text_thousands(digits, run->failures));
  }
  if (run->complete)
    fprintf(out, ", complete%s%s%s", run->covered[0] != '\0' ? " (" : "", run->covered,
            run->covered[0] != '\0' ? ")" : "");
  else if (run->verdict != EO_FAIL && run->stopped[0] == '\0')
    fprintf(out, ", %s", run->covered);
  if (run->cut > 0 && (run->stopped[0] != '\0' || run->verdict == EO_FAIL)) {
    char digits[32];
    fprintf(out, ", %s cut off at --depth", eo__text_thousands(digits, run->cut));
  }
  if (run->stopped[0] != '\0') fprintf(out, ", stopped: %s", run->stopped);
  if (run->verdict == EO_INCOMPLETE && run->stopped[0] != '\0' && run->probes > 0) {
    char expected[64];
    fprintf(out, ", of %s", eo__shown_estimate(expected, run->estimate, run->estimate_high));
  }
}

static void text_end(eo_reporter *reporter, const eo_run *run) {
  static const struct {
    const char *word, *colour;
  } labels[] = {{"ok", EO_GREEN}, {"FAIL", EO_RED}, {"part", EO_YELLOW}, {"ERROR", EO_RED}, {"skip", EO_YELLOW}};
  text_reporter *text = (text_reporter *)reporter;
  FILE *out = reporter->out;
  size_t label = eo_run_was_skipped(run) ? EO_ERROR + 1 : run->verdict;
  add_up(text, run);
  fprintf(out, "%s%-5s%s ", eo__paint(text->colour, labels[label].colour), labels[label].word, eo__plain(text->colour));
  eo__shown(out, run->test, NAME_COLUMNS);
  fputs("  ", out);
  result_words(out, run);
  fprintf(out, "   %s", eo__paint(text->colour, EO_DIM));
  seconds_of(out, run->elapsed);
  fprintf(out, "%s\n", eo__plain(text->colour));
  if (run->verdict == EO_INCOMPLETE && run->stopped[0] != '\0' && run->advice != NULL && run->executions > 0)
    fprintf(out, "      %s\n", run->advice);
  if (run->endless[0] != '\0') fprintf(out, "      cut off: %s\n", run->endless);
  if (run->unreached[0] != '\0') fprintf(out, "      never reached: %s\n", run->unreached);
  if (run->verdict != EO_ERROR && run->error[0] != '\0') { /* a ticket that could not be written, say */
    fputs("      but ", out);
    eo__shown(out, run->error, 0);
    fputc('\n', out);
  }
}

/* ---- The summary ---------------------------------------------------------------------------------------------- */

static void summary_counts(const text_reporter *text) {
  const struct {
    uint64_t count;
    const char *word, *colour;
  } parts[] = {{text->passed, "passed", EO_GREEN},
               {text->failed, "failed", EO_RED},
               {text->parts, "clean but not complete", EO_YELLOW},
               {text->skips, "not run", EO_YELLOW},
               {text->errors, "could not be run", EO_RED}};
  FILE *out = text->base.out;
  fputc('\n', out);
  eo__shown_count(out, text->tests, "test");
  const char *before = ": ";
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    if (parts[i].count == 0) continue;
    char digits[32];
    fprintf(out, "%s%s%s %s%s", before, eo__paint(text->colour, parts[i].colour),
            eo__text_thousands(digits, parts[i].count), parts[i].word, eo__plain(text->colour));
    before = ", ";
  }
  if (text->findings > 0) {
    fputs("; ", out);
    eo__shown_count(out, text->findings, "finding");
  }
  fputc('\n', out);
}

enum { MANY_STATES = 10000 }; /* from which on what a state takes can be told */

static void summary_work(const text_reporter *text) {
  FILE *out = text->base.out;
  eo__shown_count(out, text->executions, "execution");
  fputs(", ", out);
  if (text->states > 0) {
    eo__shown_count(out, text->states, "state");
    if (text->bytes > 0 && text->states >= MANY_STATES)
      fprintf(out, " (%llu bytes each)", (unsigned long long)(text->bytes / text->states));
    fputs(", ", out);
  }
  eo__shown_count(out, text->transitions, "step");
  fputs(" run", out);
  if (text->skipped > 0) {
    char digits[32];
    fprintf(out, " and %s skipped by restoring checkpoints", eo__text_thousands(digits, text->skipped));
  }
  if (text->restarts > 0) {
    fputs(", ", out);
    eo__shown_count(out, text->restarts, "worker restart");
  }
  fputs(", in ", out);
  seconds_of(out, text->elapsed);
  fputc('\n', out);
}

static void text_close(eo_reporter *reporter) {
  text_reporter *text = (text_reporter *)reporter;
  FILE *out = reporter->out;
  if (text->tests > 0) {
    summary_counts(text);
    summary_work(text);
  }
  for (size_t i = 0; i < text->covered_count; i++) {
    fprintf(out, "clean means: %s", text->covered[i].words);
    if (text->covered[i].tests < text->tests) {
      fputs(" (", out);
      eo__shown_count(out, text->covered[i].tests, "test");
      fputs(")", out);
    }
    fputc('\n', out);
  }
  eo__free(text);
}

eo_reporter *eo__report_text(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {
      .name = "text", .begin = text_begin, .finding = text_finding, .end = text_end, .close = text_close};
  text_reporter *text = eo__alloc(sizeof(*text));
  if (text == NULL) return NULL;
  text->base = (eo_reporter){&ops, out};
  text->colour = colour;
  return &text->base;
}
