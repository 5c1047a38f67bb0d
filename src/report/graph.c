/* graph.c: `--dot`: the states of each test and the steps between them, for Graphviz. One digraph for each test. */
#include "core/graph.h"

#include "base/alloc.h"
#include "base/text.h"
#include "report/export.h"
#include "report/report.h"

static void graph_begin(eo_reporter *reporter, const eo_run *run) { (void)reporter, (void)run; }

static void graph_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  (void)reporter, (void)run, (void)finding;
}

static void add_title(eo_text *text, const eo_run *run, const eo_graph *graph) {
  eo__text_add(text, "digraph states {\n  charset=\"UTF-8\";\n  labelloc=t;\n  label=\"");
  eo__quote_dot(text, run->test);
  eo__text_add(text, "\\n%s%u states, %u steps%s\";\n", graph->cut ? "the first " : "", graph->node_count,
               graph->edge_count, graph->cut ? " of a larger graph" : "");
  eo__text_add(text,
               "  node [shape=circle, fontname=\"sans-serif\", fontsize=9];\n"
               "  edge [fontname=\"sans-serif\", fontsize=8];\n");
}

static void graph_end(eo_reporter *reporter, const eo_run *run) {
  static const char *const looks[] = {[EO_GRAPH_INNER] = "",
                                      [EO_GRAPH_FINISHED] = " [shape=doublecircle]",
                                      [EO_GRAPH_FAILED] = " [shape=octagon, color=\"#b00020\", penwidth=2]"};
  const eo_graph *graph = run->graph;
  eo_text text;
  if (!graph) return;
  eo__text_init(&text);
  add_title(&text, run, graph);
  for (uint32_t i = 0; i < graph->node_count; i++) eo__text_add(&text, "  %u%s;\n", i, looks[graph->nodes[i].end]);
  for (uint32_t i = 0; i < graph->edge_count; i++) {
    eo__text_add(&text, "  %u -> %u [label=\"", graph->edges[i].from, graph->edges[i].to);
    eo__quote_dot(&text, graph->edges[i].text);
    eo__text_add(&text, "\"];\n");
  }
  eo__text_add(&text, "}\n");
  if (text.failed)
    fputs("digraph states { label=\"there was no memory to draw this\"; }\n", reporter->out);
  else
    fputs(text.chars, reporter->out);
  eo__text_release(&text);
}

static void graph_close(eo_reporter *reporter) { eo__free(reporter); }

static const eo_reporter_ops graph_ops = {"dot", graph_begin, NULL, graph_finding, graph_end, graph_close};

eo_reporter *eo__report_graph(FILE *out, bool colour) {
  eo_reporter *reporter = eo__alloc(sizeof *reporter);
  (void)colour;
  if (reporter) *reporter = (eo_reporter){&graph_ops, out};
  return reporter;
}
