/* graph.c: wraps a strategy and draws the states that it comes through (core/graph.h). It lets itself be asked at every
 * point, to see them, and hands on what the inner one answers; so it costs something, and is there only for `--dot`. */
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "core/graph.h"
#include "core/program.h"
#include "strategies/strategies.h"
#include "strategies/wrapper.h"

typedef struct drawing {
  eo_wrapper wrapper;
  eo_graph *graph;
  eo_view view;
  EO_VEC(uint32_t) path; /* nodes of the execution under way, by depth */
} drawing;

static void graph_close(eo_strategy *strategy) {
  eo_vec_release(&((drawing *)strategy)->path);
  eo__wrapper_close(strategy);
}

static uint32_t node_here(drawing *d) {
  uint64_t fingerprint[2];
  d->view.states->fingerprint(d->view.of, fingerprint);
  return eo__graph_node_of(d->graph, fingerprint);
}

static void arrive(drawing *d, uint32_t depth, uint32_t node) {
  if (depth < d->path.count)
    d->path.items[depth] = node;
  else if (!eo_vec_push(&d->path, node))
    d->wrapper.base.error = EO_ENOMEM;
}

static uint32_t graph_choose(eo_strategy *strategy, const eo_point *point) {
  drawing *d = (drawing *)strategy;
  if (point->depth == 0) arrive(d, 0, node_here(d));
  return eo__wrapper_choose(strategy, point);
}

/* The state after a failing step means nothing: each such step leads to an end of its own. */
static uint32_t node_failed(drawing *d, uint32_t from, eo_choice taken) {
  uint64_t fingerprint[2] = {(uint64_t)from << 32 | taken.process, ~(uint64_t)taken.value};
  uint32_t node = eo__graph_node_of(d->graph, fingerprint);
  eo__graph_end_at(d->graph, node, EO_GRAPH_FAILED);
  return node;
}

static void graph_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  drawing *d = (drawing *)strategy;
  eo_strategy *inner = d->wrapper.inner;
  if (inner->ops->observe) inner->ops->observe(inner, depth, taken, event);
  if (depth >= d->path.count) return;
  char name[EO_PROCESS_NAME], text[EO_GRAPH_TEXT];
  uint32_t from = d->path.items[depth];
  uint32_t to = event->flags & EO_EVENT_FAILED ? node_failed(d, from, taken) : node_here(d);
  d->view.processes->name(d->view.of, taken.process, name, sizeof name);
  bool valued = taken.kind == EO_CHOICE_RUN && eo__op_chooses(taken.op);
  snprintf(text, sizeof text, valued ? "%.60s %.20s %u" : "%.60s %.20s", name, eo__op_name(taken.op), taken.value);
  eo__graph_step(d->graph, from, to, text);
  arrive(d, depth + 1, to);
}

static void graph_end(eo_strategy *strategy, eo_outcome *outcome) {
  drawing *d = (drawing *)strategy;
  if (outcome->depth < d->path.count && outcome->end != EO_END_PRUNED && outcome->end != EO_END_CUT)
    eo__graph_end_at(d->graph, d->path.items[outcome->depth],
                     outcome->end == EO_END_FAILED ? EO_GRAPH_FAILED : EO_GRAPH_FINISHED);
  eo__wrapper_end(strategy, outcome);
}

static const eo_strategy_ops graph_ops = {
    .close = graph_close,
    .begin = eo__wrapper_begin_choosing,
    .choose = graph_choose,
    .observe = graph_observe,
    .end = graph_end,
    .guiding = &eo__wrapper_guiding,
    .telling = &eo__wrapper_telling,
    .fragments = &eo__wrapper_fragments,
};

eo_strategy *eo__graphing_open(eo_strategy *inner, eo_graph *graph, eo_view view, eo_error *error) {
  drawing *d = eo__wrapper_open(sizeof *d, &graph_ops, inner, error);
  if (!d) return NULL;
  d->graph = graph;
  d->view = view;
  return &d->wrapper.base;
}
