/* sr_tree.h: the SR-tree (Lei's dissertation, section 3.5): the sequences of synchronisations of tests, in canonical form
 * (core/canonical.h), as paths of a tree whose edges are groups of events. Written to a file, read back and compared:
 * doc/formats/tree.md. */
#ifndef EO_CORE_SR_TREE_H
#define EO_CORE_SR_TREE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

#define EO_NO_NODE UINT32_MAX

/* A group of events after its parent's; or "end", "end failed": a sequence ends with its parent. Roots have no label. */
typedef struct eo_sr_node {
  uint32_t parent, child, sibling; /* EO_NO_NODE: none; child: the newest */
  uint32_t depth;
  uint64_t label; /* offset in `labels`; a terminated string */
  uint64_t hash;  /* of the label and all parents' */
} eo_sr_node;

typedef struct eo_sr_test {
  char name[256], options[512];
  bool complete; /* every sequence is here */
  uint32_t root;
  uint64_t sequences;
} eo_sr_test;

typedef struct eo_sr_tree {
  EO_VEC(eo_sr_test) tests;
  EO_VEC(eo_sr_node) nodes;
  EO_VEC(char) labels;
  uint32_t *slots; /* nodes by hash, + 1; 0: empty */
  size_t slot_count;
} eo_sr_tree;

void eo__sr_tree_init(eo_sr_tree *tree);
void eo__sr_tree_release(eo_sr_tree *tree);

/* A test, which is then tests.items[tests.count - 1]; false: no memory. */
bool eo__sr_tree_begin(eo_sr_tree *tree, const char *name, const char *options);
const eo_sr_test *eo__sr_tree_find(const eo_sr_tree *tree, const char *name); /* NULL: it is not there */

/* Adds a sequence to the last test: groups as eo__canonical_write writes them, and how it ended. One that is there is not
 * added again. False: no memory. */
bool eo__sr_tree_add(eo_sr_tree *tree, const char *groups, bool failed);

/* The file. Children are in the order of their labels, so that equal trees are equal files. */
bool eo__sr_tree_write(const eo_sr_tree *tree, eo_text *out);
int eo__sr_tree_read(eo_sr_tree *tree, const char *text, size_t length, eo_error *error);

/* Calls `each` for every sequence of one test that the other has not; `end` is its last node. False: no memory. */
typedef void eo_sr_each(void *context, const eo_sr_tree *tree, uint32_t end);
bool eo__sr_tree_missing(const eo_sr_tree *tree, const eo_sr_test *test, const eo_sr_tree *other,
                         const eo_sr_test *than, eo_sr_each *each, void *context);

static inline const char *eo_sr_tree_label(const eo_sr_tree *tree, uint32_t node) {
  return tree->labels.items + tree->nodes.items[node].label;
}

#endif
