/* sr_tree.c: see sr_tree.h. */
#include "core/sr_tree.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/alloc.h"

enum { FEWEST_SLOTS = 1024, DEEPEST = 1 << 20 };
static const char head[] = "everyorder-tree 1";

void eo__sr_tree_init(eo_sr_tree *tree) { memset(tree, 0, sizeof *tree); }

void eo__sr_tree_release(eo_sr_tree *tree) {
  eo_vec_release(&tree->tests);
  eo_vec_release(&tree->nodes);
  eo_vec_release(&tree->labels);
  eo__free(tree->slots);
  eo__sr_tree_init(tree);
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_of(const eo_sr_tree *tree, uint32_t parent, const char *label, size_t length) {
  return XXH3_64bits_withSeed(label, length, tree->nodes.items[parent].hash);
}

static uint32_t *slot_of(const eo_sr_tree *tree, uint64_t hash, uint32_t parent, const char *label, size_t length) {
  for (size_t i = hash;; i++) {
    uint32_t *slot = &tree->slots[i & (tree->slot_count - 1)];
    if (*slot == 0) return slot;
    const eo_sr_node *node = &tree->nodes.items[*slot - 1];
    const char *its = tree->labels.items + node->label;
    if (node->hash == hash && node->parent == parent && strlen(its) == length && memcmp(its, label, length) == 0)
      return slot;
  }
}

static bool grow(eo_sr_tree *tree) {
  size_t wanted = tree->slot_count ? 2 * tree->slot_count : FEWEST_SLOTS;
  if (2 * (tree->nodes.count + 1) < tree->slot_count) return true;
  uint32_t *slots = eo__alloc(wanted * sizeof *slots);
  if (!slots) return false;
  for (uint32_t i = 0; i < tree->nodes.count; i++) {
    size_t at = tree->nodes.items[i].hash;
    if (tree->nodes.items[i].parent == EO_NO_NODE) continue;
    while (slots[at & (wanted - 1)]) at++;
    slots[at & (wanted - 1)] = i + 1;
  }
  eo__free(tree->slots);
  tree->slots = slots;
  tree->slot_count = wanted;
  return true;
}

static bool push_node(eo_sr_tree *tree, uint32_t parent, uint64_t hash, const char *label, size_t length) {
  eo_sr_node node = {.parent = parent, .child = EO_NO_NODE, .sibling = EO_NO_NODE, .hash = hash};
  if (!eo_vec_reserve(&tree->labels, length + 1) || !eo_vec_reserve(&tree->nodes, 1)) return false;
  node.label = tree->labels.count;
  memcpy(tree->labels.items + tree->labels.count, label, length);
  tree->labels.count += length;
  tree->labels.items[tree->labels.count++] = '\0';
  if (parent != EO_NO_NODE) {
    node.depth = tree->nodes.items[parent].depth + 1;
    node.sibling = tree->nodes.items[parent].child;
    tree->nodes.items[parent].child = (uint32_t)tree->nodes.count;
  }
  tree->nodes.items[tree->nodes.count++] = node;
  return true;
}

/* The child with this label, a new one if need be; EO_NO_NODE: no memory. */
static uint32_t child_of(eo_sr_tree *tree, uint32_t parent, const char *label, size_t length, bool *added) {
  if (!grow(tree)) return EO_NO_NODE;
  uint64_t hash = hash_of(tree, parent, label, length);
  uint32_t *slot = slot_of(tree, hash, parent, label, length);
  *added = *slot == 0;
  if (*slot) return *slot - 1;
  if (!push_node(tree, parent, hash, label, length)) return EO_NO_NODE;
  *slot = (uint32_t)tree->nodes.count;
  return *slot - 1;
}

static bool is_end(const eo_sr_tree *tree, uint32_t node) { return eo_sr_tree_label(tree, node)[0] == 'e'; }

/* The next node in the order of a walk through all below `root`. */
static uint32_t walk(const eo_sr_tree *tree, uint32_t root, uint32_t node) {
  if (tree->nodes.items[node].child != EO_NO_NODE) return tree->nodes.items[node].child;
  while (node != root && tree->nodes.items[node].sibling == EO_NO_NODE) node = tree->nodes.items[node].parent;
  return node == root ? EO_NO_NODE : tree->nodes.items[node].sibling;
}

/* ---- Tests and sequences ---------------------------------------------------------------------------------------- */

bool eo__sr_tree_begin(eo_sr_tree *tree, const char *name, const char *options) {
  eo_sr_test test = {.root = (uint32_t)tree->nodes.count};
  snprintf(test.name, sizeof test.name, "%s", name);
  snprintf(test.options, sizeof test.options, "%s", options);
  return eo_vec_reserve(&tree->tests, 1) && push_node(tree, EO_NO_NODE, tree->tests.count + 1, "", 0) &&
         eo_vec_push(&tree->tests, test);
}

const eo_sr_test *eo__sr_tree_find(const eo_sr_tree *tree, const char *name) {
  for (size_t i = 0; i < tree->tests.count; i++)
    if (strcmp(tree->tests.items[i].name, name) == 0) return &tree->tests.items[i];
  return NULL;
}

static bool add_end(eo_sr_tree *tree, uint32_t node, const char *label) {
  bool added = false;
  bool good = child_of(tree, node, label, strlen(label), &added) != EO_NO_NODE;
  tree->tests.items[tree->tests.count - 1].sequences += added;
  return good;
}

bool eo__sr_tree_add(eo_sr_tree *tree, const char *groups, bool failed) {
  uint32_t node = tree->tests.items[tree->tests.count - 1].root;
  bool added;
  for (size_t length; *groups; groups += length + (groups[length] == '\t')) {
    length = strcspn(groups, "\t");
    node = child_of(tree, node, groups, length, &added);
    if (node == EO_NO_NODE) return false;
  }
  return add_end(tree, node, failed ? "end failed" : "end");
}

/* ---- The file --------------------------------------------------------------------------------------------------- */

typedef struct labelled {
  const char *label;
  uint32_t node;
} labelled;

static int by_label(const void *a, const void *b) {
  return strcmp(((const labelled *)a)->label, ((const labelled *)b)->label);
}

/* The children of a node behind the others on the stack, the first one last. */
static bool push_children(const eo_sr_tree *tree, uint32_t node, labelled **items, size_t *count, size_t *capacity) {
  size_t had = *count;
  for (uint32_t child = tree->nodes.items[node].child; child != EO_NO_NODE; child = tree->nodes.items[child].sibling) {
    if (*count == *capacity && !eo__vec_grow((void **)items, capacity, *count + 1, sizeof **items)) return false;
    (*items)[(*count)++] = (labelled){eo_sr_tree_label(tree, child), child};
  }
  if (*count > had) qsort(*items + had, *count - had, sizeof **items, by_label);
  for (size_t i = had, j = *count; i + 1 < j; i++) {
    labelled last = (*items)[--j];
    (*items)[j] = (*items)[i];
    (*items)[i] = last;
  }
  return true;
}

bool eo__sr_tree_write(const eo_sr_tree *tree, eo_text *out) {
  EO_VEC(labelled) stack = {0};
  bool good = true;
  eo__text_add(out, "%s\n", head);
  for (size_t i = 0; i < tree->tests.count && good; i++) {
    const eo_sr_test *test = &tree->tests.items[i];
    eo__text_add(out, "test %s\noptions %s\ncomplete %s\nsequences %ju\n", test->name,
                 *test->options ? test->options : "-", test->complete ? "yes" : "no", (uintmax_t)test->sequences);
    good = push_children(tree, test->root, &stack.items, &stack.count, &stack.capacity);
    while (good && stack.count) {
      labelled next = eo_vec_pop(&stack);
      eo__text_add(out, "%u %s\n", tree->nodes.items[next.node].depth, next.label);
      good = push_children(tree, next.node, &stack.items, &stack.count, &stack.capacity);
    }
  }
  eo_vec_release(&stack);
  return good && !out->failed;
}

typedef struct lines {
  const char *at, *end;
  char *line; /* the next one, terminated; NULL: none */
  size_t capacity, number;
  bool more; /* that line is still to be dealt with */
} lines;

/* 1: there is one, 0: there is none, -1: no memory. */
static int next_line(lines *l) {
  if (l->at == l->end) return 0;
  const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
  size_t length = (size_t)((stop ? stop : l->end) - l->at);
  if (length + 1 > l->capacity && !eo__vec_grow((void **)&l->line, &l->capacity, length + 1, 1)) return -1;
  memcpy(l->line, l->at, length);
  l->line[length] = '\0';
  l->number++;
  l->at = stop ? stop + 1 : l->end;
  return 1;
}

static int bad_line(const lines *l, const char *what, eo_error *error) {
  return eo__error_set(error, EO_EINPUT, "tree file, line %zu: %s", l->number, what);
}

/* Fills *value with what is behind the word. */
static int read_field(lines *l, const char *word, const char **value, eo_error *error) {
  int there = next_line(l);
  size_t length = strlen(word);
  if (there < 0) return eo__error_nomem(error);
  if (!there || strncmp(l->line, word, length) != 0 || l->line[length] != ' ') {
    char what[64];
    snprintf(what, sizeof what, "expected '%s ...'%s", word, there ? "" : ", and there is no more");
    return bad_line(l, what, error);
  }
  *value = l->line + length + 1;
  return EO_OK;
}

static bool is_group(const char *label) {
  return strcmp(label, "end") == 0 || strcmp(label, "end failed") == 0 ||
         ((label[0] == 'r' || label[0] == 's') && label[1] == ' ' && label[2] != '\0' && !strchr(label, '\t'));
}

/* One line "DEPTH GROUP". */
static int read_node(eo_sr_tree *tree, const lines *l, uint32_t *last, eo_error *error) {
  char digits[16], *space = strchr(l->line, ' ');
  uint64_t depth;
  size_t length = space ? (size_t)(space - l->line) : 0;
  bool added = false, good = space && length < sizeof digits;
  if (good) snprintf(digits, sizeof digits, "%.*s", (int)length, l->line);
  if (!good || !eo__text_number(digits, DEEPEST, &depth) || depth == 0)
    return bad_line(l, "expected a depth and a group of events", error);
  if (!is_group(space + 1)) return bad_line(l, "a group begins with 'r ' or 's ', or is 'end' or 'end failed'", error);
  if (depth > tree->nodes.items[*last].depth + 1)
    return bad_line(l, "its depth is more than one above that of the line before", error);
  while (tree->nodes.items[*last].depth >= depth) *last = tree->nodes.items[*last].parent;
  if (tree->nodes.items[*last].label && is_end(tree, *last)) return bad_line(l, "no group can follow an end", error);
  uint32_t node = child_of(tree, *last, space + 1, strlen(space + 1), &added);
  if (node == EO_NO_NODE) return eo__error_nomem(error);
  if (!added) return bad_line(l, "this group is there twice", error);
  tree->tests.items[tree->tests.count - 1].sequences += is_end(tree, node);
  *last = node;
  return EO_OK;
}

/* The lines of one test; its first has been read. */
static int read_test(eo_sr_tree *tree, lines *l, eo_error *error) {
  char name[sizeof tree->tests.items->name];
  const char *value;
  uint64_t wanted = 0;
  snprintf(name, sizeof name, "%s", l->line + 5);
  if (strlen(l->line + 5) >= sizeof name) return bad_line(l, "the name is too long", error);
  if (eo__sr_tree_find(tree, name)) return bad_line(l, "this test is there twice", error);
  int code = read_field(l, "options", &value, error);
  if (code != EO_OK) return code;
  if (strlen(value) >= sizeof tree->tests.items->options) return bad_line(l, "the options are too long", error);
  if (!eo__sr_tree_begin(tree, name, strcmp(value, "-") == 0 ? "" : value)) return eo__error_nomem(error);
  eo_sr_test *test = &tree->tests.items[tree->tests.count - 1];
  code = read_field(l, "complete", &value, error);
  if (code == EO_OK && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
    code = bad_line(l, "complete is 'yes' or 'no'", error);
  if (code == EO_OK) test->complete = value[0] == 'y';
  if (code == EO_OK) code = read_field(l, "sequences", &value, error);
  if (code == EO_OK && !eo__text_number(value, UINT64_MAX, &wanted)) code = bad_line(l, "expected a number", error);
  uint32_t last = test->root;
  int there = 0;
  while (code == EO_OK && (there = next_line(l)) > 0 && strncmp(l->line, "test ", 5) != 0)
    code = read_node(tree, l, &last, error);
  if (code == EO_OK && there < 0) code = eo__error_nomem(error);
  l->more = there > 0;
  if (code == EO_OK && tree->tests.items[tree->tests.count - 1].sequences != wanted)
    code = eo__error_set(error, EO_EINPUT,
                         "tree file, line %zu: test %.100s has %ju sequences instead of %ju: is it cut off?", l->number,
                         name, (uintmax_t)tree->tests.items[tree->tests.count - 1].sequences, (uintmax_t)wanted);
  return code;
}

int eo__sr_tree_read(eo_sr_tree *tree, const char *text, size_t length, eo_error *error) {
  lines l = {.at = text, .end = text + length};
  int code = EO_OK, there = next_line(&l);
  if (there < 0) code = eo__error_nomem(error);
  if (there >= 0 && (there == 0 || strcmp(l.line, head) != 0))
    code = eo__error_set(error, EO_EINPUT, "this is no tree file of this version: its first line is not '%s'", head);
  if (code == EO_OK) there = next_line(&l);
  while (code == EO_OK && there > 0) {
    code = strncmp(l.line, "test ", 5) == 0 ? read_test(tree, &l, error) : bad_line(&l, "expected 'test ...'", error);
    there = l.more;
  }
  eo__free(l.line);
  return code;
}

/* ---- Comparing -------------------------------------------------------------------------------------------------- */

/* The same path from the root of the other test; EO_NO_NODE: there is none. */
static uint32_t same_path(const eo_sr_tree *tree, uint32_t root, uint32_t node, const eo_sr_tree *other, uint32_t than,
                          uint32_t *path) {
  uint32_t depth = tree->nodes.items[node].depth;
  for (uint32_t at = node; at != root; at = tree->nodes.items[at].parent) path[tree->nodes.items[at].depth - 1] = at;
  for (uint32_t i = 0; i < depth; i++) {
    const char *label = eo_sr_tree_label(tree, path[i]);
    size_t length = strlen(label);
    uint32_t slot = other->slot_count ? *slot_of(other, hash_of(other, than, label, length), than, label, length) : 0;
    if (!slot) return EO_NO_NODE;
    than = slot - 1;
  }
  return than;
}

bool eo__sr_tree_missing(const eo_sr_tree *tree, const eo_sr_test *test, const eo_sr_tree *other,
                         const eo_sr_test *than, eo_sr_each *each, void *context) {
  bool good = true;
  EO_VEC(uint32_t) path = {0};
  for (uint32_t node = walk(tree, test->root, test->root); node != EO_NO_NODE; node = walk(tree, test->root, node)) {
    if (!is_end(tree, node)) continue;
    uint32_t depth = tree->nodes.items[node].depth;
    good = path.capacity >= depth || eo_vec_reserve(&path, depth);
    if (!good) break;
    if (same_path(tree, test->root, node, other, than->root, path.items) == EO_NO_NODE) each(context, tree, node);
  }
  eo_vec_release(&path);
  return good;
}
