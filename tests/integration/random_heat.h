/* random_heat.h: random programs of machines that send themselves and each other events, with specifications that become hot
 * and cold; and a plain search for fair circles in them (heat_search).
 *
 * What a program does stands in tables, which are followed twice: by machines (run_heat), and by heat_search, which knows
 * nothing of the library: states are plain structs, and a step is one operation, from door to door. */
#ifndef EO_TESTS_RANDOM_HEAT_H
#define EO_TESTS_RANDOM_HEAT_H

#include <everyorder.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/own.h"
#include "base/rng.h"

/* ---- Programs ----------------------------------------------------------------------------------------------------- */

enum {
  MACHINES = 3,
  MODES = 2,
  TAGS = 3,  /* that are sent; the first begins */
  NOTES = 4, /* that are announced */
  SPECS = 2,
  SPEC_STATES = 4, /* the last is cold, and goes on to the second at once */
  LONGEST = 12,
  ANNOUNCED = 10 /* the first tag of a note */
};

typedef enum heat_op { STOP, SEND, CHOOSE, CHOOSE_FAIR, NOTE, MODE, NOTHING } heat_op;

/* Behind a choice stand as many instructions as it has values: one is followed, then `next`. */
typedef struct heat_line {
  uint8_t op, a, b, next;
} heat_line;

static struct {
  int machines, specs;
  bool starts[MACHINES];                                 /* is told to begin */
  bool polls[MACHINES];                                  /* does something when its queue is empty */
  int first_note;                                        /* announced at the start; -1: none */
  heat_line scripts[MACHINES][MODES][TAGS + 1][LONGEST]; /* the last: of an empty queue */
  struct {
    int start;
    bool hot[SPEC_STATES];
    int to[SPEC_STATES][NOTES]; /* -1: ignores it */
  } of[SPECS];
} heat;

static inline heat_line *heat_script(int machine, int mode, int tag) { return heat.scripts[machine][mode][tag]; }

/* Something that takes no message; `sends`: or one that does, at most once in a script. */
static inline heat_line heat_draw_line(eo_rng *rng, bool *sends, int next) {
  unsigned kind = eo__rng_below(rng, 6);
  if (kind < 3 && *sends)
    return (heat_line){SEND, (uint8_t)eo__rng_below(rng, (uint32_t)heat.machines),
                       (uint8_t)(1 + eo__rng_below(rng, TAGS - 1)), (uint8_t)next};
  if (kind < 4) return (heat_line){NOTE, (uint8_t)eo__rng_below(rng, NOTES), 0, (uint8_t)next};
  if (kind < 5) return (heat_line){MODE, (uint8_t)eo__rng_below(rng, MODES), 0, (uint8_t)next};
  return (heat_line){NOTHING, 0, 0, (uint8_t)next};
}

/* Each event that is taken sends one on at most, so that there are never more than at the start. */
static inline void heat_draw_script(eo_rng *rng, heat_line *script, bool sends) {
  int at = 0, parts = (int)eo__rng_below(rng, 3);
  memset(script, 0, LONGEST * sizeof *script);
  for (int i = 0; i < parts; i++) {
    if (eo__rng_below(rng, 3)) {
      bool sent = sends;
      script[at] = heat_draw_line(rng, &sent, at + 1);
      if (script[at].op == SEND) sends = false;
      at++;
      continue;
    }
    int values = 2 + (int)eo__rng_below(rng, 2), end = at + 1 + values;
    bool any = false;
    script[at] = (heat_line){eo__rng_below(rng, 2) ? CHOOSE_FAIR : CHOOSE, (uint8_t)values, 0, 0};
    for (int v = 0; v < values; v++) {
      bool sent = sends;
      script[at + 1 + v] = heat_draw_line(rng, &sent, end);
      any |= script[at + 1 + v].op == SEND;
    }
    if (any) sends = false;
    at = end;
  }
  if (sends && eo__rng_below(rng, 4))
    script[at] = (heat_line){SEND, (uint8_t)eo__rng_below(rng, (uint32_t)heat.machines),
                             (uint8_t)(1 + eo__rng_below(rng, TAGS - 1)), (uint8_t)(at + 1)};
}

static inline void heat_draw(uint64_t seed) {
  eo_rng rng;
  eo__rng_init(&rng, seed);
  memset(&heat, 0, sizeof heat);
  heat.machines = 1 + (int)eo__rng_below(&rng, MACHINES);
  heat.specs = 1 + (int)eo__rng_below(&rng, SPECS);
  heat.first_note = (int)eo__rng_below(&rng, NOTES + 1) - 1;
  for (int m = 0; m < heat.machines; m++) {
    heat.starts[m] = eo__rng_below(&rng, 3) != 0;
    heat.polls[m] = eo__rng_below(&rng, 4) == 0;
    for (int mode = 0; mode < MODES; mode++)
      for (int tag = 0; tag <= TAGS; tag++) heat_draw_script(&rng, heat_script(m, mode, tag), tag < TAGS);
  }
  for (int s = 0; s < heat.specs; s++) {
    heat.of[s].start = (int)eo__rng_below(&rng, 2);
    heat.of[s].hot[1] = true;
    heat.of[s].hot[2] = eo__rng_below(&rng, 2);
    for (int state = 0; state < SPEC_STATES - 1; state++)
      for (int note = 0; note < NOTES; note++)
        heat.of[s].to[state][note] = eo__rng_below(&rng, 2) ? (int)eo__rng_below(&rng, SPEC_STATES) : -1;
  }
}

/* ---- As machines -------------------------------------------------------------------------------------------------- */

typedef struct heat_self {
  int machine, mode;
} heat_self;

EO_OWN static eo_pid heat_pids[MACHINES]; /* the same in every execution, so that it is no state of the program */

static void heat_begin(void *self, const eo_message *event) {
  ((heat_self *)self)->machine = *(const int *)event->data;
}

static void heat_handle(void *self, const eo_message *event) {
  heat_self *vars = self;
  const heat_line *script = heat_script(vars->machine, vars->mode, event->tag == EO_NULL ? TAGS : event->tag);
  for (int at = 0; script[at].op != STOP;) {
    const heat_line *line = &script[at];
    switch (line->op) {
      case SEND: eo_send(heat_pids[line->a], line->b, NULL, 0); break;
      case CHOOSE: at += 1 + (int)eo_choose(line->a); continue;
      case CHOOSE_FAIR: at += 1 + (int)eo_choose_fair(line->a); continue;
      case NOTE: eo_announce(ANNOUNCED + line->a, NULL, 0); break;
      case MODE: vars->mode = line->a; break;
      default: break;
    }
    at = line->next;
  }
}

#define HEAT_MACHINE(...)                                                                                     \
  {                                                                                                           \
    .name = "machine", EO_VARIABLES(heat_self),                                                               \
    EO_STATES({.name = "runs",                                                                                \
               .entry = heat_begin,                                                                           \
               .on = EO_ON(EO_DO(0, heat_handle), EO_DO(1, heat_handle), EO_DO(2, heat_handle) __VA_ARGS__)}) \
  }
static const eo_machine heat_waits = HEAT_MACHINE(), heat_polls = HEAT_MACHINE(, EO_DO(EO_NULL, heat_handle));

static void heat_through(void *self, const eo_message *event) {
  (void)event;
  eo_goto(self, 1, NULL, 0);
}

static eo_on heat_ons[SPECS][SPEC_STATES][NOTES + 1];
static eo_machine_state heat_states[SPECS][SPEC_STATES];
static eo_machine heat_specs[SPECS];

static inline void heat_make_specs(void) {
  static const int observed[NOTES] = {ANNOUNCED, ANNOUNCED + 1, ANNOUNCED + 2, ANNOUNCED + 3};
  static const char *const names[] = {"zero", "one", "two", "through"};
  for (int s = 0; s < heat.specs; s++) {
    for (int state = 0; state < SPEC_STATES; state++) {
      for (int note = 0; note < NOTES; note++) {
        int to = heat.of[s].to[state][note];
        heat_ons[s][state][note] =
            (eo_on){ANNOUNCED + note, to < 0 ? EO_REACT_IGNORE : EO_REACT_GOTO, to < 0 ? 0 : to, NULL};
      }
      heat_states[s][state] = (eo_machine_state){.name = names[state],
                                                 .entry = state == SPEC_STATES - 1 ? heat_through : NULL,
                                                 .on = heat_ons[s][state],
                                                 .hot = heat.of[s].hot[state]};
    }
    heat_specs[s] = (eo_machine){.name = s ? "second" : "first",
                                 .start = heat.of[s].start,
                                 .states = heat_states[s],
                                 .state_count = SPEC_STATES,
                                 .observes = observed,
                                 .observe_count = NOTES};
  }
}

static void run_heat(void *argument) {
  (void)argument;
  for (int s = 0; s < heat.specs; s++) eo_specify(&heat_specs[s], NULL, 0);
  if (heat.first_note >= 0) eo_announce(ANNOUNCED + heat.first_note, NULL, 0);
  for (int m = 0; m < heat.machines; m++)
    heat_pids[m] = eo_create(heat.polls[m] ? &heat_polls : &heat_waits, &m, sizeof m);
  for (int m = 0; m < heat.machines; m++)
    if (heat.starts[m]) eo_send(heat_pids[m], 0, NULL, 0);
}

/* ---- As a graph --------------------------------------------------------------------------------------------------- */

enum { QUEUE = 4, MOST_STATES = 400, MOST_OUT = 16, CREATOR = MACHINES, HEAT_PROCESSES };

typedef enum heat_delivered { HEAT_MAILBOX, HEAT_FIFO, HEAT_ASYNC } heat_delivered;
static heat_delivered heat_delivery;
static bool heat_idle; /* who polls does so only when nobody can do anything else */

/* A machine between events is not busy, and then what it does is all 0. */
typedef struct heat_process {
  uint8_t there, mode, queued;
  uint8_t queue[QUEUE];      /* tags, and above them who sent them */
  uint8_t busy, as, tag, at; /* does this: the script of a mode and a tag, as far as that line */
} heat_process;

typedef struct heat_state {
  heat_process machines[MACHINES];
  uint8_t created, told, ended; /* the first process */
  uint8_t specs[SPECS];
} heat_state;

typedef struct heat_edge {
  int to, process;
  bool fair, barred, stays[SPECS];
} heat_edge;

typedef struct heat_graph {
  int states;
  bool more; /* than there is room for */
  heat_state items[MOST_STATES];
  int counts[MOST_STATES];
  heat_edge edges[MOST_STATES][MOST_OUT];
  bool reaches[MOST_STATES], reached[MOST_STATES];
  int stack[MOST_STATES];
} heat_graph;

static inline void heat_observe(heat_state *state, int note, bool cooled[SPECS]) {
  for (int s = 0; s < heat.specs; s++) {
    int to = heat.of[s].to[state->specs[s]][note];
    if (to < 0) continue;
    if (!heat.of[s].hot[to]) cooled[s] = true;
    state->specs[s] = (uint8_t)(to == SPEC_STATES - 1 ? 1 : to);
  }
}

/* Runs a machine to its next door. */
static inline void heat_go_on(heat_state *state, int machine, bool cooled[SPECS]) {
  heat_process *p = &state->machines[machine];
  for (;;) {
    const heat_line *line = &heat_script(machine, p->as, p->tag)[p->at];
    if (line->op == STOP) p->busy = p->as = p->tag = p->at = 0;
    if (line->op == STOP || line->op == SEND || line->op == CHOOSE || line->op == CHOOSE_FAIR) return;
    if (line->op == NOTE) heat_observe(state, line->a, cooled);
    if (line->op == MODE) p->mode = line->a;
    p->at = line->next;
  }
}

static inline void heat_send(heat_state *state, int from, int to, int tag) {
  heat_process *p = &state->machines[to];
  if (p->queued == QUEUE) abort(); /* see heat_draw_script */
  p->queue[p->queued++] = (uint8_t)(from << 4 | tag);
}

/* May this message be the next that is taken? */
static inline bool heat_offered(const heat_process *p, int at) {
  if (heat_delivery == HEAT_MAILBOX) return at == 0;
  for (int i = 0; i < at && heat_delivery == HEAT_FIFO; i++)
    if (p->queue[i] >> 4 == p->queue[at] >> 4) return false;
  return true;
}

/* The message that is taken in this way; QUEUE: none, it does what it does when there is none. */
static inline int heat_taken(const heat_process *p, int way) {
  for (int at = 0; at < p->queued; at++)
    if (heat_offered(p, at) && way-- == 0) return at;
  return QUEUE;
}

/* But for a mailbox, a message may be on its way for as long as it likes, unless it is from the process itself. */
static inline bool heat_has_arrived(const heat_process *p, int process, int at) {
  return heat_delivery == HEAT_MAILBOX || p->queue[at] >> 4 == process;
}

static inline int heat_ways_to_take(const heat_process *p, int process, bool polls) {
  int ways = 0;
  for (int at = 0; at < p->queued; at++) {
    ways += heat_offered(p, at);
    polls = polls && !heat_has_arrived(p, process, at);
  }
  return ways + polls;
}

/* In how many ways a process can go on; with or without polling. */
static inline int heat_ways(const heat_state *state, int process, bool polls) {
  if (process == CREATOR) return !state->ended;
  const heat_process *p = &state->machines[process];
  if (!p->there) return 0;
  if (!p->busy) return heat_ways_to_take(p, process, polls && heat.polls[process]);
  const heat_line *line = &heat_script(process, p->as, p->tag)[p->at];
  return line->op == SEND ? 1 : line->a;
}

static inline void heat_step_creator(heat_state *state) {
  while (state->created == heat.machines && state->told < heat.machines && !heat.starts[state->told]) state->told++;
  if (state->created < heat.machines)
    state->machines[state->created++].there = 1;
  else if (state->told < heat.machines)
    heat_send(state, CREATOR, state->told++, 0);
  else
    state->ended = 1;
}

/* Takes a step. True: it was a fair choice. */
static inline bool heat_step(heat_state *state, int process, int way, bool cooled[SPECS]) {
  if (process == CREATOR) {
    heat_step_creator(state);
    return false;
  }
  heat_process *p = &state->machines[process];
  bool fair = false;
  if (!p->busy) {
    int taken = heat_taken(p, way);
    p->tag = taken == QUEUE ? TAGS : p->queue[taken] & 15;
    if (taken != QUEUE) {
      memmove(p->queue + taken, p->queue + taken + 1, (size_t)(--p->queued - taken));
      p->queue[p->queued] = 0;
    }
    p->busy = 1;
    p->as = p->mode;
  } else {
    const heat_line *line = &heat_script(process, p->as, p->tag)[p->at];
    fair = line->op == CHOOSE_FAIR;
    if (line->op == SEND) heat_send(state, process, line->a, line->b);
    p->at = line->op == SEND ? line->next : (uint8_t)(p->at + 1 + way);
  }
  heat_go_on(state, process, cooled);
  return fair;
}

static inline int heat_node(heat_graph *g, const heat_state *state) {
  int at = 0;
  while (at < g->states && memcmp(&g->items[at], state, sizeof *state) != 0) at++;
  if (at < g->states) return at;
  if (at == MOST_STATES) {
    g->more = true;
    return 0;
  }
  g->items[at] = *state;
  g->counts[at] = 0;
  return g->states++;
}

static inline bool heat_hot(const heat_state *state, int spec) { return heat.of[spec].hot[state->specs[spec]]; }

static inline void heat_expand(heat_graph *g, int at) {
  bool polls = true;
  for (int process = 0; process < HEAT_PROCESSES && heat_idle; process++)
    if (heat_ways(&g->items[at], process, false)) polls = false;
  for (int process = 0; process < HEAT_PROCESSES && !g->more; process++)
    for (int way = 0, ways = heat_ways(&g->items[at], process, polls); way < ways && !g->more; way++) {
      heat_state next = g->items[at];
      bool cooled[SPECS] = {false};
      heat_edge edge = {.process = process, .fair = heat_step(&next, process, way, cooled)};
      for (int s = 0; s < heat.specs; s++)
        edge.stays[s] = heat_hot(&g->items[at], s) && heat_hot(&next, s) && !cooled[s];
      edge.to = heat_node(g, &next);
      if (g->counts[at] == MOST_OUT) abort();
      g->edges[at][g->counts[at]++] = edge;
    }
}

/* All states that can be reached. */
static inline void heat_build(heat_graph *g) {
  heat_state start = {0};
  bool ignored[SPECS];
  g->states = 0;
  g->more = false;
  for (int s = 0; s < heat.specs; s++) start.specs[s] = (uint8_t)heat.of[s].start;
  if (heat.first_note >= 0) heat_observe(&start, heat.first_note, ignored);
  heat_node(g, &start);
  for (int at = 0; at < g->states && !g->more; at++) heat_expand(g, at);
}

/* ---- What there is to find ---------------------------------------------------------------------------------------- */

static inline bool heat_hot_end(const heat_graph *g) {
  for (int at = 0; at < g->states; at++)
    for (int s = 0; s < heat.specs; s++)
      if (g->counts[at] == 0 && heat_hot(&g->items[at], s)) return true;
  return false;
}

static inline bool heat_uses(const heat_edge *edge, int spec) { return edge->stays[spec] && !edge->barred; }

/* Marks what a state reaches by steps in which the specification stays hot. */
static inline void heat_reach(heat_graph *g, int from, int spec, bool *marks) {
  int count = 0;
  memset(marks, 0, (size_t)g->states * sizeof *marks);
  g->stack[count++] = from;
  marks[from] = true;
  while (count) {
    int at = g->stack[--count];
    for (int e = 0; e < g->counts[at]; e++) {
      const heat_edge *edge = &g->edges[at][e];
      if (!heat_uses(edge, spec) || marks[edge->to]) continue;
      marks[edge->to] = true;
      g->stack[count++] = edge->to;
    }
  }
}

/* Marks in `reaches` the states that this one reaches and that reach it. */
static inline void heat_component(heat_graph *g, int from, int spec) {
  heat_reach(g, from, spec, g->reaches);
  bool grew = true;
  memset(g->reached, 0, (size_t)g->states * sizeof *g->reached);
  g->reached[from] = true;
  while (grew) {
    grew = false;
    for (int at = g->states - 1; at >= 0; at--)
      for (int e = 0; e < g->counts[at] && g->reaches[at] && !g->reached[at]; e++)
        if (heat_uses(&g->edges[at][e], spec) && g->reached[g->edges[at][e].to]) grew = g->reached[at] = true;
  }
  for (int at = 0; at < g->states; at++) g->reaches[at] = g->reaches[at] && g->reached[at];
}

static inline bool heat_inside(const heat_graph *g, int from, const heat_edge *edge, int spec) {
  return g->reaches[from] && heat_uses(edge, spec) && g->reaches[edge->to];
}

/* Bars the fair choices of the component that have a value that leads out of it. True: there were some. */
static inline bool heat_bar(heat_graph *g, int spec) {
  bool some = false;
  for (int at = 0; at < g->states; at++)
    for (int process = 0; process < HEAT_PROCESSES && g->reaches[at]; process++) {
      bool in = false, out = false;
      for (int e = 0; e < g->counts[at]; e++) {
        const heat_edge *edge = &g->edges[at][e];
        if (!edge->fair || edge->process != process) continue;
        if (heat_inside(g, at, edge, spec))
          in = true;
        else
          out = true;
      }
      for (int e = 0; in && out && e < g->counts[at]; e++)
        if (g->edges[at][e].fair && g->edges[at][e].process == process) g->edges[at][e].barred = some = true;
    }
  return some;
}

static inline bool heat_fair(const heat_graph *g, int spec) {
  bool goes_round = false;
  for (int process = 0; process < HEAT_PROCESSES; process++) {
    bool stuck = false, moves = false;
    for (int at = 0; at < g->states; at++) {
      bool can = false;
      for (int e = 0; e < g->counts[at] && g->reaches[at]; e++) {
        if (g->edges[at][e].process != process) continue;
        can = true;
        moves |= heat_inside(g, at, &g->edges[at][e], spec);
      }
      stuck |= g->reaches[at] && !can;
    }
    if (!stuck && !moves) return false;
    goes_round |= moves;
  }
  return goes_round;
}

/* Each state's component, and after choices were barred, what became of it. */
static inline bool heat_circle(heat_graph *g) {
  for (int s = 0; s < heat.specs; s++) {
    for (int at = 0; at < g->states; at++)
      for (int e = 0; e < g->counts[at]; e++) g->edges[at][e].barred = false;
    for (bool barred = true; barred;) {
      barred = false;
      for (int at = 0; at < g->states; at++) {
        heat_component(g, at, s);
        barred |= heat_bar(g, s);
      }
    }
    for (int at = 0; at < g->states; at++) {
      heat_component(g, at, s);
      if (heat_fair(g, s)) return true;
    }
  }
  return false;
}

#endif
