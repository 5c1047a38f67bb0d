/* reach_tree.c: what becomes of each sequence that was run: it goes into the SR-tree (Lei's dissertation, section 3.5), and, if that is
 * asked for, into a file and past the pattern of --never.
 *
 * Here the tree is kept to see that each sequence comes once. Nodes are told by hashes, of the groups of the canonical form
 * (core/canonical.h) from the root on, so that a node takes 8 to 16 bytes. */
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "core/canonical.h"
#include "core/pattern.h"
#include "strategies/reach_inside.h"

enum { FEWEST_SLOTS = 1024, FLUSH_AT = 1 << 16 };

static uint64_t stir(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

static bool put(uint64_t *slots, size_t count, uint64_t key) {
  size_t at = key & (count - 1);
  while (slots[at] && slots[at] != key) at = (at + 1) & (count - 1);
  bool is_new = slots[at] == 0;
  slots[at] = key;
  return is_new;
}

static bool grow(reach_tree *tree) {
  if (2 * (tree->nodes + 1) < tree->slot_count) return true;
  size_t wanted = tree->slot_count ? 2 * tree->slot_count : FEWEST_SLOTS;
  uint64_t *slots = eo__alloc(wanted * sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i < tree->slot_count; i++)
    if (tree->slots[i]) (void)put(slots, wanted, tree->slots[i]);
  eo__free(tree->slots);
  tree->slots = slots;
  tree->slot_count = wanted;
  return true;
}

/* Fills groups[2 * level + (0: decisions, 1: others)]; how many there are. */
static size_t sum_groups(reach *x, uint64_t *groups) {
  const eo_trace *trace = &x->order.trace;
  uint32_t *levels = (uint32_t *)(groups + 2 * (trace->records.count + 1));
  size_t count = 0;
  eo__canonical_levels(trace, levels);
  memset(groups, 0, 2 * (trace->records.count + 1) * sizeof *groups);
  for (uint32_t i = 0; i < trace->records.count; i++) {
    const eo_record *record = &trace->records.items[i];
    size_t group = 2 * (size_t)levels[i] + !eo_canonical_decides(record);
    groups[group] += stir(eo__trace_event_hash(trace, i), 3);
    if (group >= count) count = group + 1;
  }
  return count;
}

static bool add_to_tree(reach *x, bool failed) {
  reach_tree *tree = &x->tree;
  size_t wanted = 3 * (x->order.trace.records.count + 1);
  if (x->groups.capacity < wanted && !eo_vec_reserve(&x->groups, wanted)) return false;
  size_t count = sum_groups(x, x->groups.items);
  uint64_t key = 1;
  bool is_new = true;
  for (size_t i = 0; i <= count; i++) {
    if (i < count && !x->groups.items[i]) continue;
    if (!grow(tree)) return false;
    key = stir(key, i < count ? x->groups.items[i] : 5u + failed);
    is_new = put(tree->slots, tree->slot_count, key ? key : 1);
    tree->nodes += is_new;
  }
  if (!is_new) tree->twice++;
  return true;
}

static bool flush(reach *x) {
  for (size_t done = 0; done < x->lines.length;) {
    ssize_t written = write(x->sink->file, x->lines.chars + done, x->lines.length - done);
    if (written <= 0) return false;
    done += (size_t)written;
  }
  eo__text_clear(&x->lines);
  return true;
}

bool eo__reach_store(reach *x, bool failed) {
  x->matched = false;
  if (!x->no_tree && !add_to_tree(x, failed)) return false;
  if (!x->sink) return true;
  x->matched = x->sink->never && eo__pattern_matches(x->sink->never, &x->order.trace);
  if (!x->matched && !x->sink->all) return true;
  eo__text_add(&x->lines, "%c%c", x->matched ? '!' : '+', failed ? 'F' : '.');
  if (!eo__canonical_write(&x->order.trace, &x->lines)) return false;
  eo__text_add(&x->lines, "\n");
  if (x->lines.failed) return false;
  if (x->lines.length > FLUSH_AT && !flush(x)) x->unwritten = true;
  return true;
}

void eo__reach_tree_release(reach *x) {
  if (x->sink) (void)flush(x);
  eo__text_release(&x->lines);
  eo_vec_release(&x->groups);
  eo__free(x->tree.slots);
}
