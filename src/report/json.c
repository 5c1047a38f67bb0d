/* json.c: a run as one JSON object for other programs: doc/formats/json.md. The tree is built as the run goes on and
 * written at the end. */
#include <stdlib.h>

#include "base/alloc.h"
#include "report/report.h"
#include "report/tree.h"

typedef struct json_reporter {
  eo_reporter base;
  eo_tree tree;
} json_reporter;

static eo_tree *tree_of(eo_reporter *reporter) { return &((json_reporter *)reporter)->tree; }

static void json_begin(eo_reporter *reporter, const eo_run *run) {
  (void)run;
  eo__tree_begin(tree_of(reporter));
}

static void json_finding(eo_reporter *reporter, const eo_run *run, const eo_finding *finding) {
  (void)run;
  eo__tree_finding(tree_of(reporter), finding);
}

static void json_end(eo_reporter *reporter, const eo_run *run) { eo__tree_end(tree_of(reporter), run); }

static void json_close(eo_reporter *reporter) {
  json_t *all = eo__tree_finish(tree_of(reporter));
  char *chars = all != NULL ? json_dumps(all, JSON_INDENT(2)) : NULL;
  if (chars != NULL) fprintf(reporter->out, "%s\n", chars);
  free(chars);
  json_decref(all);
  eo__tree_release(tree_of(reporter));
  eo__free(reporter);
}

eo_reporter *eo__report_json(FILE *out, bool colour) {
  static const eo_reporter_ops ops = {
      .name = "json", .begin = json_begin, .finding = json_finding, .end = json_end, .close = json_close};
  json_reporter *json = eo__alloc(sizeof(*json));
  (void)colour;
  if (json == NULL) return NULL;
  json->base = (eo_reporter){&ops, out};
  eo__tree_init(&json->tree);
  return &json->base;
}
