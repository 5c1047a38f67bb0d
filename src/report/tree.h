/* tree.h: runs as a tree of JSON, doc/formats/json.md, built as they go on. What the reporters for programs and for
 * browsers have in common. */
#ifndef EO_REPORT_TREE_H
#define EO_REPORT_TREE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/report.h"

#define EO_SAMPLE_FIRST 0.05 /* seconds between samples at first; twice as many whenever there is no more room */
enum { EO_SAMPLES = 200 };

typedef struct eo_sample {
  double seconds;
  uint64_t executions, pending;
  uint32_t depth;
} eo_sample;

typedef struct eo_tree {
  json_t *tests;
  json_t *errors;                /* findings of the test under way */
  bool failed;                   /* no memory: there will be no tree */
  eo_sample samples[EO_SAMPLES]; /* of the test under way; they are spread evenly over its time */
  size_t sampled;
  double interval;
} eo_tree;

void eo__tree_init(eo_tree *tree);
void eo__tree_release(eo_tree *tree);

/* The callbacks of a reporter. Without progress there is no history in the tree. */
void eo__tree_begin(eo_tree *tree);
void eo__tree_progress(eo_tree *tree, const eo_run *run);
void eo__tree_finding(eo_tree *tree, const eo_finding *finding);
void eo__tree_end(eo_tree *tree, const eo_run *run);

/* All of it, to be released by the caller. NULL: memory ran out at some time. */
json_t *eo__tree_finish(eo_tree *tree);

/* A string in JSON, which is UTF-8: what is not becomes U+FFFD. NULL becomes null. */
json_t *eo__tree_text(const char *chars);

#endif
