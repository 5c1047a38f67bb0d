/* html.c: runs as one HTML file that shows them in a browser: doc/reports.md. The page is the same for all reports; the
 * data, the tree of doc/formats/json.md with the source lines that it speaks of, stands in it as JSON. Nothing of the
 * program under test is ever markup: the page makes text of it. */
#include "report/html.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/report.h"
#include "report/sources.h"
#include "report/tree.h"

typedef struct html_reporter {
  eo_reporter base;
  eo_tree tree;
} html_reporter;

void eo__html_write_json(FILE *out, const char *json) {
  for (;;) {
    size_t plain = strcspn(json, "<>&\xe2");
    fwrite(json, 1, plain, out);
    json += plain;
    if (*json == '\0') return;
    if (strncmp(json, "\xe2\x80\xa8", 3) == 0 || strncmp(json, "\xe2\x80\xa9", 3) == 0) {
      fputs(json[2] == '\xa8' ? "\\u2028" : "\\u2029", out);
      json += 3;
    } else if (*json == '\xe2') {
      fputc(*json++, out);
    } else {
      fprintf(out, "\\u%04x", (unsigned)*json++);
    }
  }
}

static eo_tree *tree_of(eo_reporter *reporter) { return &((html_reporter *)reporter)->tree; }

static void html_begin(eo_reporter *reporter, const eo_run *run) {
  (void)run;
  eo__tree_begin(tree_of(reporter));
}

static void html_progress(eo_reporter *reporter, const eo_run *run) { eo__tree_progress(tree_of(reporter), run); }

static void html_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  (void)run;
  eo__tree_finding(tree_of(reporter), finding);
}

static void html_end(eo_reporter *reporter, const eo_run *run) { eo__tree_end(tree_of(reporter), run); }

static void html_close(eo_reporter *reporter) {
  json_t *all = eo__tree_finish(tree_of(reporter));
  char *chars = NULL;
  if (all != NULL && json_object_set_new(all, "sources", eo__sources(all)) == 0) chars = json_dumps(all, JSON_COMPACT);
  if (chars != NULL) {
    fwrite(eo__html_head, 1, eo__html_head_size, reporter->out);
    eo__html_write_json(reporter->out, chars);
    fwrite(eo__html_tail, 1, eo__html_tail_size, reporter->out);
  }
  free(chars);
  json_decref(all);
  eo__tree_release(tree_of(reporter));
  eo__free(reporter);
}

eo_reporter *eo__report_html(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {.name = "html",
                                      .begin = html_begin,
                                      .progress = html_progress,
                                      .finding = html_finding,
                                      .end = html_end,
                                      .close = html_close};
  html_reporter *html = eo__alloc(sizeof(*html));
  (void)colour;
  if (html == NULL) return NULL;
  html->base = (eo_reporter){&ops, out};
  eo__tree_init(&html->tree);
  return &html->base;
}
