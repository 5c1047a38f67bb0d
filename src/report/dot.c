/* dot.c: an execution as a graph for Graphviz: what happens before what. A column for each process, with its steps from
 * top to bottom; an edge wherever a step directly comes after one of another process, with the message if that is why.
 * Steps without a path between them could have come in either order. */
#include <string.h>

#include "report/export.h"
#include "report/lanes.h"

static void add_node(eo_text *text, const eo_lanes *lanes, size_t step) {
  const eo_line *line = &lanes->finding->lines.items[step];
  bool last = step + 1 == lanes->finding->lines.count && lanes->finding->failure.kind != EO_KIND_NONE;
  eo__text_add(text, "    s%zu [label=\"%zu  ", step + 1, step + 1);
  eo__quote_dot(text, line->text);
  eo__text_add(text, "\", tooltip=\"");
  eo__quote_dot(text, line->file[0] != '\0' ? line->file : line->op);
  if (line->file[0] != '\0') eo__text_add(text, ":%d", line->line);
  eo__text_add(text, "\"%s];\n", last ? ", color=\"#b00020\", penwidth=2" : "");
}

static void add_process(eo_text *text, const eo_lanes *lanes, uint32_t lane) {
  const eo_lane *process = &lanes->lanes.items[lane];
  size_t before = 0;
  if (process->steps == 0) return;
  eo__text_add(text, "  subgraph cluster_%u {\n    label=\"", (unsigned)lane);
  eo__quote_dot(text, process->process);
  if (process->name[0] != '\0') {
    eo__text_add(text, " ");
    eo__quote_dot(text, process->name);
  }
  eo__text_add(text, "\";\n");
  for (size_t i = 0; i < lanes->of.count; i++) {
    if (lanes->of.items[i] != lane) continue;
    add_node(text, lanes, i);
    if (before > 0) eo__text_add(text, "    s%zu -> s%zu [weight=10];\n", before, i + 1);
    before = i + 1;
  }
  eo__text_add(text, "  }\n");
}

/* The message that the earlier step sent and the later one took, if there is one. */
static const eo_letter *letter_between(const eo_lanes *lanes, uint32_t earlier, size_t later) {
  const eo_line *line = &lanes->finding->lines.items[later];
  for (size_t i = 0; !line->sends && i < line->mails.count; i++) {
    const eo_letter *letter = eo__lanes_letter(lanes, line->mails.items[i].number);
    if (letter != NULL && letter->sent == earlier) return letter;
  }
  return NULL;
}

static void add_edges(eo_text *text, const eo_lanes *lanes, size_t later) {
  const eo_line *line = &lanes->finding->lines.items[later];
  for (size_t i = 0; i < line->after.count; i++) {
    uint32_t earlier = line->after.items[i];
    if (earlier >= later) continue;
    const eo_letter *letter = letter_between(lanes, earlier, later);
    eo__text_add(text, "  s%u -> s%zu [constraint=true, ", (unsigned)earlier + 1, later + 1);
    if (letter != NULL) {
      eo__text_add(text, "color=\"#1f5fbf\", label=\"");
      eo__quote_dot(text, letter->text);
      eo__text_add(text, "\"];\n");
    } else {
      eo__text_add(text, "style=dashed];\n");
    }
  }
}

bool eo__export_dot(FILE *out, const char *test, const eo_finding *finding) {
  eo_lanes lanes;
  eo_text text;
  const eo_failure *failure = &finding->failure;
  eo__text_init(&text);
  bool done = eo__lanes_init(&lanes, finding);
  if (done) {
    eo__text_add(&text, "digraph execution {\n  charset=\"UTF-8\";\n  labelloc=t;\n  label=\"");
    eo__quote_dot(&text, test);
    if (failure->kind != EO_KIND_NONE) {
      eo__text_add(&text, "\\n%s: ", eo__kind_name(failure->kind));
      eo__quote_dot(&text, failure->message);
    }
    eo__text_add(&text,
                 "\";\n  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10];\n"
                 "  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (uint32_t i = 0; i < lanes.lanes.count; i++) add_process(&text, &lanes, i);
    for (size_t i = 0; i < finding->lines.count; i++) add_edges(&text, &lanes, i);
    eo__text_add(&text, "}\n");
  }
  done = done && !text.failed;
  if (done) fputs(text.chars, out);
  eo__text_release(&text);
  eo__lanes_release(&lanes);
  return done;
}
