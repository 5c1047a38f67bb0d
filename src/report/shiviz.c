/* shiviz.c: an execution as a log for ShiViz: the regular expression that takes it apart in the first line, nothing in
 * the second (it would divide the log into executions), then two lines for each event: its host with its vector clock,
 * and what happened. ShiViz draws an arrow wherever one event happens directly before another of another host. */
#include "base/alloc.h"
#include "report/export.h"
#include "report/lanes.h"
#include "report/shown.h"

static const char parser[] = "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)";

/* Ids of processes have neither blanks nor quotes; one that has, in a damaged finding, is left out by shown.h's rules. */
static void add_host(eo_text *text, const char *process) {
  for (const char *c = process; *c != '\0'; c++)
    eo__text_add(text, "%c", *c > ' ' && *c < 0x7f && *c != '"' && *c != '\\' ? *c : '_');
}

static void add_clock(eo_text *text, const eo_lanes *lanes, const uint32_t *clock) {
  const char *before = "{";
  for (size_t i = 0; i < lanes->lanes.count; i++) {
    if (clock[i] == 0) continue;
    eo__text_add(text, "%s\"", before);
    add_host(text, lanes->lanes.items[i].process);
    eo__text_add(text, "\":%u", (unsigned)clock[i]);
    before = ", ";
  }
  eo__text_add(text, "}");
}

static void add_event(eo_text *text, const eo_lanes *lanes, size_t step, const uint32_t *clock) {
  const eo_line *line = &lanes->finding->lines.items[step];
  const eo_failure *failure = &lanes->finding->failure;
  add_host(text, lanes->lanes.items[lanes->of.items[step]].process);
  eo__text_add(text, " ");
  add_clock(text, lanes, clock);
  eo__text_add(text, "\n");
  eo__shown_add(text, line->text);
  if (line->file[0] != '\0') {
    eo__text_add(text, " at ");
    eo__shown_add(text, line->file);
    eo__text_add(text, ":%d", line->line);
  }
  if (step + 1 == lanes->finding->lines.count && failure->kind != EO_KIND_NONE) {
    eo__text_add(text, "; %s: ", eo__kind_name(failure->kind));
    eo__shown_add(text, failure->message);
  }
  eo__text_add(text, "\n");
}

bool eo__export_shiviz(FILE *out, const char *test, const eo_finding *finding) {
  eo_lanes lanes;
  eo_text text;
  (void)test; /* there is nowhere to put it */
  eo__text_init(&text);
  bool done = eo__lanes_init(&lanes, finding);
  uint32_t *clocks = done ? eo__lanes_clocks(&lanes) : NULL;
  done = clocks != NULL;
  if (done) fprintf(out, "%s\n\n", parser);
  for (size_t i = 0; done && i < finding->lines.count; i++) {
    eo__text_clear(&text);
    add_event(&text, &lanes, i, clocks + i * lanes.lanes.count);
    done = !text.failed;
    fputs(text.chars, out);
  }
  eo__free(clocks);
  eo__text_release(&text);
  eo__lanes_release(&lanes);
  return done;
}
