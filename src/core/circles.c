/* circles.c: see circles.h. Components by Tarjan's algorithm (1972), without recursion. */
#include "core/circles.h"

#include <string.h>

#include "base/alloc.h"

#define NONE UINT32_MAX

typedef struct edge {
  uint32_t to; /* node; NONE: it leads out of the graph */
  uint32_t mark;
  uint16_t stays;
  bool fair : 1;
  bool barred : 1;            /* a fair choice that cannot be made again and again */
  bool wanted : 1, taken : 1; /* while a round is made */
} edge;

/* Those of Tarjan's stack have an order and are in no component yet. */
typedef struct node {
  uint64_t state;
  uint32_t order; /* 0: not come to */
  uint32_t low;   /* in a search of ways: the edge that leads here */
  uint32_t set;   /* only nodes of one set are looked at together */
  uint32_t next;  /* edge to look at; in a search of ways: the node that the way comes from */
} node;

typedef struct part {
  uint32_t count, set;
} part;

struct eo_circles {
  node *nodes;
  uint32_t *first; /* of each node, its first edge; those of the next end them */
  edge *edges;
  uint32_t *table; /* of nodes, by state; index + 1 */
  uint32_t node_count, edge_count, room;
  uint32_t processes;      /* more than any mark says */
  uint32_t *seen;          /* by process: the last node it was seen at, + 1 */
  uint32_t *count;         /* by process */
  uint32_t *stack, *calls; /* of nodes */
  uint32_t stacked, called, order;
  uint32_t *members;     /* of the set at hand */
  uint16_t bit;          /* of the specification that stays hot */
  uint32_t sets;         /* numbers given */
  uint32_t found;        /* the set that is a fair circle; 0: none yet */
  EO_VEC(part) parts;    /* sets still to be taken apart */
  EO_VEC(uint32_t) left; /* their nodes, one set behind the other */
  bool failed;           /* no memory */
};

static uint32_t process_of(const edge *e) { return e->mark >> 16; }

/* ---- The graph ---------------------------------------------------------------------------------------------------- */

static uint32_t *place_of(const eo_circles *c, uint64_t state) {
  uint32_t at = (uint32_t)(state * 0x9e3779b97f4a7c15u >> 32) & (c->room - 1);
  while (c->table[at] && c->nodes[c->table[at] - 1].state != state) at = (at + 1) & (c->room - 1);
  return &c->table[at];
}

static uint32_t node_of(const eo_circles *c, uint64_t state) { return state ? *place_of(c, state) - 1 : NONE; }

/* Room for twice as many. */
static bool grow(eo_circles *c) {
  uint32_t room = c->room ? 2 * c->room : 1024;
  node *nodes = room ? eo__realloc(c->nodes, room / 2 * sizeof *nodes) : NULL;
  if (nodes) c->nodes = nodes;
  uint32_t *table = nodes ? eo__alloc(room * sizeof *table) : NULL;
  if (!table) return false;
  eo__free(c->table);
  c->table = table;
  c->room = room;
  for (uint32_t i = 0; i < c->node_count; i++) *place_of(c, c->nodes[i].state) = i + 1;
  return true;
}

/* Nodes are the states that steps were taken from. In `order` is counted how many there are of each. */
static bool add_nodes(eo_circles *c, const eo_heats *heats) {
  eo_heat heat;
  uint64_t steps = 0;
  for (uint64_t i = 0, end = eo__heats_places(heats); i < end; i++) {
    if (!eo__heats_at(heats, i, &heat)) continue;
    if (++steps == NONE || (2 * (uint64_t)c->node_count >= c->room && !grow(c))) return false;
    uint32_t *at = place_of(c, heat.from);
    if (!*at) {
      c->nodes[c->node_count++] = (node){.state = heat.from};
      *at = c->node_count;
    }
    c->nodes[*at - 1].order++;
    if (heat.mark >> 16 >= c->processes) c->processes = (heat.mark >> 16) + 1;
  }
  c->edge_count = (uint32_t)steps;
  node *nodes = eo__realloc(c->nodes, ((size_t)c->node_count + 1) * sizeof *nodes); /* no room for more */
  if (nodes) c->nodes = nodes;
  return nodes != NULL;
}

static bool add_edges(eo_circles *c, const eo_heats *heats) {
  eo_heat heat;
  size_t nodes = (size_t)c->node_count + 1, edges = (size_t)c->edge_count + 1, processes = (size_t)c->processes + 1;
  c->first = eo__alloc(nodes * sizeof *c->first);
  c->stack = eo__alloc(nodes * sizeof *c->stack);
  c->calls = eo__alloc(nodes * sizeof *c->calls);
  c->members = eo__alloc(nodes * sizeof *c->members);
  c->edges = eo__alloc(edges * sizeof *c->edges);
  c->seen = eo__alloc(processes * sizeof *c->seen);
  c->count = eo__alloc(processes * sizeof *c->count);
  if (!c->first || !c->stack || !c->calls || !c->members || !c->edges || !c->seen || !c->count) return false;
  for (uint32_t i = 0; i < c->node_count; i++) {
    c->first[i + 1] = c->first[i] + c->nodes[i].order;
    c->nodes[i].next = c->first[i];
  }
  for (uint64_t i = 0, end = eo__heats_places(heats); i < end; i++) {
    if (!eo__heats_at(heats, i, &heat)) continue;
    uint32_t at = c->nodes[node_of(c, heat.from)].next++;
    c->edges[at] = (edge){.to = node_of(c, heat.to), .mark = heat.mark, .stays = heat.stays, .fair = heat.fair};
  }
  return true;
}

eo_circles *eo__circles_open(const eo_heats *heats) {
  eo_circles *c = eo__alloc(sizeof *c);
  if (c && grow(c) && add_nodes(c, heats) && add_edges(c, heats)) return c;
  eo__circles_close(c);
  return NULL;
}

void eo__circles_close(eo_circles *c) {
  if (!c) return;
  void *blocks[] = {c->nodes, c->first, c->edges, c->table, c->seen, c->count, c->stack, c->calls, c->members};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) eo__free(blocks[i]);
  eo_vec_release(&c->parts);
  eo_vec_release(&c->left);
  eo__free(c);
}

/* ---- Components --------------------------------------------------------------------------------------------------- */

/* Does this step stay within a set, with the specification hot? */
static bool inside(const eo_circles *c, const edge *e, uint32_t set) {
  return e->to != NONE && !e->barred && e->stays & c->bit && c->nodes[e->to].set == set;
}

/* Can the fair choices that are made inside get all of their values there? Bars those that cannot; false: there were some. */
static bool choices_stay(eo_circles *c, const uint32_t *members, uint32_t count, uint32_t set) {
  bool stay = true;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t begin = c->first[members[i]], end = c->first[members[i] + 1];
    for (uint32_t out = begin; out < end; out++) {
      const edge *o = &c->edges[out];
      if (!o->fair || o->barred || inside(c, o, set)) continue;
      for (uint32_t e = begin; e < end; e++) {
        if (!c->edges[e].fair || process_of(&c->edges[e]) != process_of(o)) continue;
        if (inside(c, &c->edges[e], set)) stay = false;
        c->edges[e].barred = true;
      }
    }
  }
  return stay;
}

/* Is each process stuck somewhere inside, or does it take a step there? */
static bool fair_to_processes(eo_circles *c, const uint32_t *members, uint32_t count, uint32_t set) {
  memset(c->seen, 0, c->processes * sizeof *c->seen);
  memset(c->count, 0, c->processes * sizeof *c->count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t e = c->first[members[i]]; e < c->first[members[i] + 1]; e++) {
      uint32_t process = process_of(&c->edges[e]);
      if (c->seen[process] != members[i] + 1) {
        c->seen[process] = members[i] + 1;
        c->count[process]++;
      }
    }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t e = c->first[members[i]]; e < c->first[members[i] + 1]; e++)
      if (inside(c, &c->edges[e], set)) c->count[process_of(&c->edges[e])] = 0;
  for (uint32_t process = 0; process < c->processes; process++)
    if (c->count[process] == count) return false;
  return true;
}

static bool goes_round(const eo_circles *c, const uint32_t *members, uint32_t count, uint32_t set) {
  for (uint32_t e = c->first[*members]; count == 1 && e < c->first[*members + 1]; e++)
    if (inside(c, &c->edges[e], set)) return true;
  return count > 1;
}

/* A component, whose nodes have become a set of their own. True: it is a fair circle. */
static bool judge(eo_circles *c, const uint32_t *members, uint32_t count, uint32_t set) {
  if (!goes_round(c, members, count, set)) return false;
  if (!choices_stay(c, members, count, set)) { /* what is left of it may fall apart */
    for (uint32_t i = 0; i < count; i++)
      if (!eo_vec_push(&c->left, members[i])) c->failed = true;
    if (!eo_vec_push(&c->parts, ((part){count, set}))) c->failed = true;
    return false;
  }
  if (!fair_to_processes(c, members, count, set)) return false; /* then no part of it is */
  c->found = set;
  return true;
}

static void come_to(eo_circles *c, uint32_t at) {
  node *n = &c->nodes[at];
  n->order = n->low = ++c->order;
  n->next = c->first[at];
  c->stack[c->stacked++] = at;
  c->calls[c->called++] = at;
}

/* All that can be reached from this node within its set. True: there was a fair circle. */
static bool visit(eo_circles *c, uint32_t root, uint32_t set) {
  come_to(c, root);
  while (c->called) {
    uint32_t at = c->calls[c->called - 1];
    node *n = &c->nodes[at];
    if (n->next < c->first[at + 1]) {
      const edge *e = &c->edges[n->next++];
      if (!inside(c, e, set)) continue;
      const node *to = &c->nodes[e->to];
      if (!to->order)
        come_to(c, e->to);
      else if (to->order < n->low)
        n->low = to->order;
      continue;
    }
    c->called--;
    node *caller = c->called ? &c->nodes[c->calls[c->called - 1]] : NULL;
    if (caller && n->low < caller->low) caller->low = n->low;
    if (n->low != n->order) continue;
    uint32_t end = c->stacked, own = ++c->sets;
    do c->nodes[c->stack[--c->stacked]].set = own;
    while (c->stack[c->stacked] != at);
    if (judge(c, c->stack + c->stacked, end - c->stacked, own)) return true;
  }
  return false;
}

/* With the specifications of one bit. */
static bool search_bit(eo_circles *c) {
  c->found = c->sets = 0;
  for (uint32_t i = 0; i < c->edge_count; i++) c->edges[i].barred = false;
  c->left.count = c->parts.count = 0;
  if (!eo_vec_reserve(&c->left, c->node_count) || !eo_vec_push(&c->parts, ((part){c->node_count, ++c->sets})))
    return false;
  for (uint32_t i = 0; i < c->node_count; i++) {
    c->nodes[i].set = c->sets;
    c->left.items[c->left.count++] = i;
  }
  while (c->parts.count && !c->failed) {
    part p = eo_vec_pop(&c->parts);
    uint32_t *members = c->members;
    c->left.count -= p.count;
    memcpy(members, c->left.items + c->left.count, p.count * sizeof *members);
    c->order = c->stacked = c->called = 0;
    for (uint32_t i = 0; i < p.count; i++) c->nodes[members[i]].order = 0;
    for (uint32_t i = 0; i < p.count; i++)
      if (!c->nodes[members[i]].order && visit(c, members[i], p.set)) return true;
  }
  return !c->failed;
}

int eo__circles_search(eo_circles *c, bool *found) {
  uint16_t bits = 0;
  *found = false;
  for (uint32_t i = 0; i < c->edge_count; i++) bits |= c->edges[i].stays;
  for (uint32_t bit = 0; bit < 16; bit++) {
    c->bit = (uint16_t)(1u << bit);
    if (!(bits & c->bit)) continue;
    if (!search_bit(c)) return EO_ENOMEM;
    *found = c->found != 0;
    if (*found) break;
  }
  return EO_OK;
}

bool eo__circles_on(const eo_circles *c, uint64_t state) {
  uint32_t at = node_of(c, state);
  return at != NONE && c->found && c->nodes[at].set == c->found;
}

/* ---- A way round -------------------------------------------------------------------------------------------------- */

/* While a round is made, `seen` says of a process that the round is already fair to it. */

static bool stuck_at(const eo_circles *c, uint32_t at, uint32_t process) {
  for (uint32_t e = c->first[at]; e < c->first[at + 1]; e++)
    if (process_of(&c->edges[e]) == process) return false;
  return true;
}

/* Would coming to this state be new: is a process stuck in it that nothing was done for yet? */
static bool helps(const eo_circles *c, uint32_t at) {
  for (uint32_t process = 0; process < c->processes; process++)
    if (!c->seen[process] && stuck_at(c, at, process)) return true;
  return false;
}

static void arrive(eo_circles *c, uint32_t at) {
  for (uint32_t process = 0; process < c->processes; process++)
    if (!c->seen[process] && stuck_at(c, at, process)) c->seen[process] = 1;
}

/* Takes a step of the round. */
static bool take(eo_circles *c, uint32_t at, uint32_t number, eo_round *round) {
  edge *e = &c->edges[number];
  for (uint32_t i = c->first[at]; e->fair && i < c->first[at + 1]; i++)
    if (c->edges[i].fair && process_of(&c->edges[i]) == process_of(e)) c->edges[i].wanted = true;
  e->taken = true;
  for (uint32_t i = c->first[at]; i < c->first[at + 1]; i++) /* it may have been logged twice */
    if (c->edges[i].mark == e->mark) c->edges[i].taken = true;
  c->seen[process_of(e)] = 1;
  arrive(c, e->to);
  return eo_vec_push(round, ((eo_round_step){e->mark, c->nodes[e->to].state}));
}

static bool asked_for(const eo_circles *c, const edge *e) {
  return (e->wanted && !e->taken) || !c->seen[process_of(e)];
}

/* The nearest edge that something is missing without, breadth first from this node, and the node it begins at; with `home`,
 * one that leads there. NONE: nothing is missing. Nodes lead back to the start of the search, whose own `low` is NONE. */
static uint32_t nearest(eo_circles *c, uint32_t from, uint32_t home, uint32_t *begin) {
  uint32_t head = 0, tail = 0, *queue = c->stack;
  for (uint32_t i = 0; i < c->node_count; i++) c->nodes[i].order = 0;
  c->nodes[from].order = 1;
  c->nodes[from].low = NONE;
  queue[tail++] = from;
  while (head < tail) {
    uint32_t at = queue[head++];
    for (uint32_t e = c->first[at]; e < c->first[at + 1]; e++) {
      const edge *out = &c->edges[e];
      if (!inside(c, out, c->found)) continue;
      *begin = at;
      if (home != NONE ? out->to == home : asked_for(c, out) || helps(c, out->to)) return e;
      if (c->nodes[out->to].order) continue;
      c->nodes[out->to].order = 1;
      c->nodes[out->to].low = e;
      c->nodes[out->to].next = at;
      queue[tail++] = out->to;
    }
  }
  return NONE;
}

/* Goes to the end of this edge, which begins at that node, by the way that was found. */
static bool go(eo_circles *c, uint32_t at, uint32_t number, eo_round *round) {
  uint32_t length = 0, *way = c->calls, *nodes = c->members;
  for (; number != NONE; number = c->nodes[at].low, at = c->nodes[at].next) {
    nodes[length] = at;
    way[length++] = number;
  }
  while (length--)
    if (!take(c, nodes[length], way[length], round)) return false;
  return true;
}

bool eo__circles_round(eo_circles *c, uint64_t from, eo_round *round) {
  uint32_t start = node_of(c, from), at = start, begin, number;
  eo_vec_clear(round);
  for (uint32_t i = 0; i < c->edge_count; i++) c->edges[i].wanted = c->edges[i].taken = false;
  memset(c->seen, 0, c->processes * sizeof *c->seen);
  arrive(c, start);
  do { /* the way back may be what makes another value of a choice missing */
    while ((number = nearest(c, at, NONE, &begin)) != NONE) {
      if (!go(c, begin, number, round)) return false;
      at = c->edges[number].to;
    }
    if (at == start && round->count) return true;
    number = nearest(c, at, start, &begin);
    EO_CHECK(number != NONE);
    if (!go(c, begin, number, round)) return false;
    at = start;
  } while (nearest(c, at, NONE, &begin) != NONE);
  return true;
}
