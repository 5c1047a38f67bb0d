/* cycles.c: see cycles.h. */
#include "subjects/model/cycles.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define NONE UINT32_MAX

/* ---- The graph ----------------------------------------------------------------------------------------------------- */

bool eo__cycles_node(eo__cycles *c, uint32_t node) {
  while (c->first.count <= node)
    if (!eo_vec_push(&c->first, c->edges.count)) return false;
  return true;
}

/* The kinds are few: what is borne is mostly what the edge before bears. */
static bool kind_of(eo__cycles *c, eo__bears b, uint32_t *kind) {
  for (uint32_t i = 0, at = c->kind; i < c->kinds.count; i++, at = at + 1 < c->kinds.count ? at + 1 : 0)
    if (c->kinds.items[at].marks == b.marks && c->kinds.items[at].fair == b.fair) {
      *kind = c->kind = at;
      return true;
    }
  *kind = c->kind = (uint32_t)c->kinds.count;
  return eo_vec_push(&c->kinds, b);
}

bool eo__cycles_add(eo__cycles *c, uint32_t to, eo__bears bears) {
  eo__cycles_edge edge = {.to = to};
  bears.marks &= c->all.marks;
  bears.fair &= c->all.fair;
  return kind_of(c, bears, &edge.bears) && eo_vec_push(&c->edges, edge);
}

static uint64_t begin(const eo__cycles *c, uint32_t node) {
  return node < c->first.count ? c->first.items[node] : c->edges.count;
}

static uint64_t end(const eo__cycles *c, uint32_t node) { return begin(c, node + 1); }

static eo__bears bears(const eo__cycles *c, uint64_t edge) { return c->kinds.items[c->edges.items[edge].bears]; }

/* ---- Components ------------------------------------------------------------------------------------------------------ */

/* Tarjan's algorithm with its stack in memory. `low` of a node whose component is complete is NONE. */
typedef struct visit {
  uint32_t node;
  uint64_t next; /* edge */
} visit;

typedef struct seeker {
  const eo__cycles *graph;
  uint32_t nodes;
  uint32_t *index, *low; /* by node; index 0: not visited */
  uint32_t *component;   /* by node, from 1; 0: not complete */
  uint32_t components, visited;
  EO_VEC(visit) path;
  eo__numbers stack;
} seeker;

static bool enter(seeker *s, uint32_t node) {
  s->index[node] = s->low[node] = ++s->visited;
  visit v = {node, begin(s->graph, node)};
  return eo_vec_push(&s->path, v) && eo_vec_push(&s->stack, node);
}

/* Do the edges between these nodes, a whole component, bear everything? */
static bool bears_all(const seeker *s, const uint32_t *nodes, size_t count) {
  const eo__cycles *c = s->graph;
  eo__bears got = {0, 0};
  bool inside = false;
  for (size_t i = 0; i < count; i++)
    for (uint64_t e = begin(c, nodes[i]); e < end(c, nodes[i]); e++) {
      if (s->component[c->edges.items[e].to] != s->components) continue;
      inside = true;
      got.marks |= bears(c, e).marks;
      got.fair |= bears(c, e).fair;
    }
  return inside && got.marks == c->all.marks && got.fair == c->all.fair;
}

/* The node is the first of its component that was entered: all behind it on the stack are in it. */
static bool complete(seeker *s, uint32_t node) {
  size_t from = s->stack.count;
  s->components++;
  do {
    s->component[s->stack.items[--from]] = s->components;
  } while (s->stack.items[from] != node);
  bool found = bears_all(s, s->stack.items + from, s->stack.count - from);
  s->stack.count = from;
  return found;
}

/* *found: the last component bears everything. */
static bool seek(seeker *s, bool *found) {
  const eo__cycles *c = s->graph;
  *found = false;
  if (!enter(s, 0)) return false;
  while (s->path.count) {
    visit *v = &eo_vec_last(&s->path);
    if (v->next < end(c, v->node)) {
      uint32_t from = v->node, to = c->edges.items[v->next++].to;
      if (!s->index[to]) {
        if (!enter(s, to)) return false;
      } else if (!s->component[to] && s->index[to] < s->low[from]) {
        s->low[from] = s->index[to];
      }
      continue;
    }
    uint32_t node = v->node;
    s->path.count--;
    if (s->path.count) {
      uint32_t before = eo_vec_last(&s->path).node;
      if (s->low[node] < s->low[before]) s->low[before] = s->low[node];
    }
    if (s->low[node] == s->index[node] && complete(s, node)) {
      *found = true;
      return true;
    }
  }
  return true;
}

/* ---- The way --------------------------------------------------------------------------------------------------------- */

/* Breadth first from one node: for each node the edge that first led to it. */
typedef struct walk {
  uint64_t *by; /* 1 + the edge; 0: not reached */
  uint32_t *from;
  eo__numbers queue;
} walk;

typedef struct wanted {
  uint32_t component; /* to stay in; 0: anywhere */
  uint32_t into;      /* a node, or any of a component, or NONE: an edge that bears some of: */
  uint32_t into_component;
  eo__bears missing;
} wanted;

static bool satisfied(const seeker *s, const wanted *w, uint64_t edge) {
  uint32_t to = s->graph->edges.items[edge].to;
  if (w->into_component) return s->component[to] == w->into_component;
  if (w->into != NONE) return to == w->into;
  eo__bears b = bears(s->graph, edge);
  return (b.marks & w->missing.marks) || (b.fair & w->missing.fair);
}

/* Appends the shortest way from the node to an edge that is wanted. */
static bool go(const seeker *s, walk *k, uint32_t from, const wanted *w, eo__cycles_way *way, uint32_t *at) {
  const eo__cycles *c = s->graph;
  uint64_t last = UINT64_MAX;
  uint32_t source = from;
  memset(k->by, 0, s->nodes * sizeof *k->by);
  eo_vec_clear(&k->queue);
  if (!eo_vec_push(&k->queue, from)) return false;
  for (size_t i = 0; i < k->queue.count && last == UINT64_MAX; i++) {
    uint32_t node = k->queue.items[i];
    for (uint64_t e = begin(c, node); e < end(c, node) && last == UINT64_MAX; e++) {
      uint32_t to = c->edges.items[e].to;
      if (w->component && s->component[to] != w->component) continue;
      if (satisfied(s, w, e)) {
        last = e;
        source = node;
      } else if (!k->by[to] && to != from) {
        k->by[to] = e + 1;
        k->from[to] = node;
        if (!eo_vec_push(&k->queue, to)) return false;
      }
    }
  }
  size_t length = 1, start = way->hops.count;
  for (uint32_t n = source; n != from; n = k->from[n]) length++;
  EO_CHECK(last != UINT64_MAX); /* the component is strongly connected, and bears what is wanted */
  if (!eo_vec_reserve(&way->hops, length)) return false;
  way->hops.count += length;
  way->hops.items[start + length - 1] = (eo__cycles_hop){source, (uint32_t)(last - begin(c, source))};
  for (uint32_t n = source; --length; n = k->from[n])
    way->hops.items[start + length - 1] = (eo__cycles_hop){k->from[n], (uint32_t)(k->by[n] - 1 - begin(c, k->from[n]))};
  *at = c->edges.items[last].to;
  return true;
}

static void note(const seeker *s, const eo__cycles_way *way, size_t from, eo__bears *missing) {
  for (size_t i = from; i < way->hops.count; i++) {
    eo__bears b = bears(s->graph, begin(s->graph, way->hops.items[i].node) + way->hops.items[i].nth);
    missing->marks &= ~b.marks;
    missing->fair &= ~b.fair;
  }
}

/* Into the last component, and through it until everything was borne and the first node is reached again. */
static bool make_way(const seeker *s, walk *k, eo__cycles_way *way) {
  wanted in = {.into = NONE, .into_component = s->components};
  uint32_t at = 0;
  if (s->component[0] != s->components && !go(s, k, 0, &in, way, &at)) return false;
  wanted round = {.component = s->components, .into = NONE, .missing = s->graph->all};
  uint32_t first = at;
  way->loop = way->hops.count;
  while (round.missing.marks || round.missing.fair) {
    size_t before = way->hops.count;
    if (!go(s, k, at, &round, way, &at)) return false;
    note(s, way, before, &round.missing);
  }
  wanted back = {.component = s->components, .into = first};
  return (at == first && way->hops.count > way->loop) || go(s, k, at, &back, way, &at);
}

bool eo__cycles_find(const eo__cycles *c, uint32_t nodes, bool *found, eo__cycles_way *way) {
  seeker s = {.graph = c, .nodes = nodes};
  walk k = {0};
  *found = false;
  s.index = eo__alloc(nodes * sizeof *s.index);
  s.low = eo__alloc(nodes * sizeof *s.low);
  s.component = eo__alloc(nodes * sizeof *s.component);
  bool good = s.index && s.low && s.component && seek(&s, found);
  eo__free(s.index);
  eo__free(s.low);
  eo_vec_release(&s.path);
  eo_vec_release(&s.stack);
  if (good && *found) {
    k.by = eo__alloc(nodes * sizeof *k.by);
    k.from = eo__alloc(nodes * sizeof *k.from);
    good = k.by && k.from && make_way(&s, &k, way);
  }
  eo__free(s.component);
  eo__free(k.by);
  eo__free(k.from);
  eo_vec_release(&k.queue);
  return good;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------------ */

uint64_t eo__cycles_bytes(const eo__cycles *c, uint64_t nodes) {
  return c->edges.capacity * sizeof *c->edges.items + c->first.capacity * sizeof *c->first.items +
         c->kinds.capacity * sizeof *c->kinds.items + nodes * (3 * sizeof(uint32_t) + sizeof(visit) + sizeof(uint32_t));
}

uint64_t eo__cycles_growth(const eo__cycles *c) {
  return c->edges.count == c->edges.capacity ? c->edges.capacity * sizeof *c->edges.items : 0;
}

void eo__cycles_release(eo__cycles *c) {
  eo_vec_release(&c->edges);
  eo_vec_release(&c->first);
  eo_vec_release(&c->kinds);
}

void eo__cycles_way_release(eo__cycles_way *way) { eo_vec_release(&way->hops); }
