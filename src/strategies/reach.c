/* reach.c: reachability testing (Lei's dissertation, chapters 3 and 5.2.2; Lei and Carver 2006): from one execution exactly those
 * whose races end otherwise, each sequence of synchronisations once.
 *
 *   An execution is a sequence of events, seen as a partial order (core/trace.h). Its races are the other outcomes of its
 *   decisions: a receive takes another message that it could have taken, or times out; a choose has another value. A variant
 *   changes some of them at once and keeps all else but what comes after a change. It is the prefix of another execution:
 *   that is run with the variant given and then goes on by itself, its races are looked at in turn, and so on.
 *
 * Which variants, so that every sequence comes once (a partition, so that nothing has to be remembered of what was run):
 *
 *   All sequences but the one that was run have some of its races in them. A variant stands for the sequences that have the
 *   races it changes, and of those that it leaves as they are, none. From there on, what it changed and the past of that is
 *   settled, and what it left as it was must not come to be: these outcomes are forbidden (`forbidden`), until the variant
 *   is done. They are told by their hashes, which tell their whole past.
 *
 * The variant itself takes none of them: it has another outcome there. Only when a later variant leaves out a decision
 * since the message it took is not sent any more can a forbidden outcome become possible again. Then it is avoided while the
 * execution goes on by itself; if nothing else is left, that execution is given up, and counts as pruned. Its races are
 * looked at all the same. doc/reach.md has this in full. */
#include "strategies/reach_inside.h"

#include <stdio.h>

#include "base/alloc.h"
#include "core/finding.h"
#include "core/pattern.h"

/* ---- What is explored elsewhere --------------------------------------------------------------------------------- */

bool eo__reach_is_forbidden(const reach *x, uint64_t hash) {
  for (uint32_t at = x->slots[hash % FORBIDDEN_SLOTS]; at; at = x->forbidden.items[at - 1].next)
    if (x->forbidden.items[at - 1].hash == hash) return true;
  return false;
}

static bool forbid(reach *x, uint64_t hash) {
  uint32_t *slot = &x->slots[hash % FORBIDDEN_SLOTS];
  if (!eo_vec_push(&x->forbidden, ((forbidden){hash, *slot}))) return false;
  *slot = (uint32_t)x->forbidden.count;
  return true;
}

static void forget(reach *x, size_t count) {
  while (x->forbidden.count > count) {
    forbidden last = eo_vec_pop(&x->forbidden);
    x->slots[last.hash % FORBIDDEN_SLOTS] = last.next;
  }
}

/* ---- Variants --------------------------------------------------------------------------------------------------- */

static void sequence_free(sequence *q) {
  if (!q) return;
  eo_vec_release(&q->moves);
  eo_vec_release(&q->clocks);
  eo_vec_release(&q->edges);
  eo_vec_release(&q->races);
  eo_vec_release(&q->rivals);
  eo_vec_release(&q->chosen);
  eo__free(q);
}

/* A new one on top of the stack. */
static sequence *push_sequence(reach *x) {
  sequence *q = x->spare.count ? eo_vec_pop(&x->spare) : eo__alloc(sizeof *q);
  if (!q || !eo_vec_push(&x->stack, q)) {
    sequence_free(q);
    x->base.error = EO_ENOMEM;
    return NULL;
  }
  eo_vec_clear(&q->moves);
  q->given = q->wanted = 0;
  q->told = 0;
  q->forbidden = x->forbidden.count;
  q->run = q->early = false;
  return q;
}

static void pop_sequence(reach *x) {
  sequence *q = eo_vec_pop(&x->stack);
  if (!eo_vec_push(&x->spare, q)) sequence_free(q);
}

static bool add_moves(const sequence *from, sequence *to, bool least, bool rest) {
  for (uint32_t i = 0; i < from->moves.count; i++) {
    if (!eo__reach_has(from, least, i) || (rest && eo__reach_has(from, true, i))) continue;
    move m = from->moves.items[i];
    m.settled = !rest && (least || eo__reach_has(from, true, i));
    if (!eo_vec_push(&to->moves, m)) return false;
  }
  return true;
}

static bool add_changes(const sequence *from, sequence *to) {
  for (size_t i = 0; i < from->chosen.count; i++) {
    const race *r = &from->races.items[from->chosen.items[i]];
    if (!eo_vec_push(&to->moves, ((move){r->process, r->value, r->op, true, false}))) return false;
  }
  to->wanted = to->moves.count;
  return true;
}

/* Under the mailbox the changes can rule out something that could be kept: then what is needed comes first, and the rest
 * as far as it goes. */
static bool fill(reach *x, const sequence *from, sequence *to) {
  bool whole = !to->early && eo__reach_fits(from, false, x->room.items);
  bool good =
      add_moves(from, to, !whole, false) && add_changes(from, to) && (whole || add_moves(from, to, false, true));
  to->given = to->moves.count;
  return good;
}

/* Of the races that the variant leaves as they are, no outcome is to come. */
static bool forbid_others(reach *x, const sequence *q) {
  size_t next = 0;
  for (uint32_t i = 0; i < q->races.count; i++) {
    if (next < q->chosen.count && q->chosen.items[next] == i)
      next++;
    else if (eo__reach_keeps(q, q->races.items[i].at) && !forbid(x, q->races.items[i].hash))
      return false;
  }
  return true;
}

/* Puts the next variant that there is on top of the stack; false: there is none, or no memory. */
static bool next_variant(reach *x) {
  while (x->stack.count) {
    sequence *q = eo_vec_last(&x->stack);
    if (!q->run) return true; /* a step failed: the others go on */
    forget(x, q->forbidden);
    if (x->room.capacity < q->stride && !eo_vec_reserve(&x->room, q->stride)) break;
    if (!eo__reach_next_row(q, x->room.items)) {
      pop_sequence(x);
      continue;
    }
    if (!forbid_others(x, q)) break;
    sequence *variant = push_sequence(x);
    if (!variant || !fill(x, q, variant)) break;
    x->variants++;
    return true;
  }
  if (x->stack.count) x->base.error = EO_ENOMEM;
  return false;
}

/* ---- One execution ---------------------------------------------------------------------------------------------- */

static void go_back(reach *x, uint32_t depth) {
  eo__order_cut(&x->order, depth);
  while (x->also.count && eo_vec_last(&x->also).at >= depth) x->also.count--;
}

/* How many first steps the execution that was run last has in common with what is to be run now. */
static uint32_t in_common(const reach *x, const sequence *q) {
  uint32_t same = 0;
  size_t count = x->order.trace.records.count, most = q->given < count ? q->given : count;
  while (same < most && x->order.trace.records.items[same].process == q->moves.items[same].process &&
         x->order.trace.records.items[same].value == q->moves.items[same].value)
    same++;
  return same;
}

static bool reach_begin(eo_strategy *strategy, eo_beginning *beginning) {
  reach *x = (reach *)strategy;
  if (strategy->error) return false;
  if (!eo__scouts_begin(&x->scouts)) {
    if (!next_variant(x)) return false;
    beginning->shared = in_common(x, eo_vec_last(&x->stack));
  }
  x->next = beginning->shared;
  go_back(x, beginning->shared);
  return true;
}

static uint32_t find(const eo_point *point, const move *wanted) {
  for (uint32_t i = 0; i < point->count; i++)
    if (point->choices[i].process == wanted->process && point->choices[i].value == wanted->value) return i;
  return EO_PRUNE;
}

/* May the choice number i be taken, of which the process has `count` from `first` on? */
static bool may_choose(reach *x, const eo_point *point, uint32_t i, uint32_t first, uint32_t count) {
  const eo_choice *choice = &point->choices[i];
  if (!eo__order_is_allowed(&x->order, point, choice, &point->choices[first], count)) return false;
  bool decides = choice->kind == EO_CHOICE_TAKE || eo__op_chooses(choice->op) || x->idle_timeouts;
  if (eo__order_is_blocked(&x->order, choice)) return false;
  return !decides || !x->forbidden.count || !eo__reach_is_forbidden(x, eo__reach_foretell(x, choice));
}

/* The next move of the variant; EO_PRUNE: there is none, or it cannot be taken any more. */
static uint32_t choose_given(reach *x, const eo_point *point) {
  const sequence *q = eo_vec_last(&x->stack);
  while (x->next < q->given) {
    uint32_t i = find(point, &q->moves.items[x->next]), first = i;
    x->refuse = q->moves.items[x->next].refused;
    if (x->next++ < q->wanted) {
      x->lost |= i == EO_PRUNE;
      return i;
    }
    if (i == EO_PRUNE) continue;
    while (first > 0 && point->choices[first - 1].process == point->choices[i].process) first--;
    if (may_choose(x, point, i, first, eo__order_choices_of(point, first))) return i;
  }
  return EO_PRUNE;
}

/* By itself: the first process that is not at a receive; else, of all that receives can take, what was sent last. So what
 * was sent long ago is an alternative in many races from the start. If it were taken first, races would come to light in
 * executions in which decisions that depend on them are forbidden an outcome already, and many would be given up. */
static uint32_t choose_freely(reach *x, const eo_point *point) {
  uint32_t receive = EO_PRUNE, newest = EO_NO_EVENT;
  for (uint32_t first = 0, count; first < point->count; first += count) {
    count = eo__order_choices_of(point, first);
    bool waits = point->choices[first].op == EO_OP_RECEIVE;
    for (uint32_t i = first; i < first + count; i++) {
      const eo_posted *mail = waits ? eo__order_mail(&x->order, &point->choices[i]) : NULL;
      bool newer = mail && (newest == EO_NO_EVENT || mail->by > newest);
      if ((waits && receive != EO_PRUNE && !newer) || !may_choose(x, point, i, first, count)) continue;
      if (!waits) return i;
      receive = i;
      if (mail) newest = mail->by;
    }
  }
  return receive;
}

static uint32_t reach_choose(eo_strategy *strategy, const eo_point *point) {
  reach *x = (reach *)strategy;
  if (strategy->error || x->lost || x->order.impossible != EO_NO_EVENT) return EO_PRUNE;
  if (x->scouts.under_way) return eo__scouts_choose(&x->scouts, &x->order, point);
  uint32_t chosen = choose_given(x, point);
  if (chosen == EO_PRUNE) x->refuse = false;
  if (chosen == EO_PRUNE && !x->lost) chosen = choose_freely(x, point);
  if (chosen != EO_PRUNE && !eo__reach_note_choices(x, point, chosen)) strategy->error = EO_ENOMEM;
  if (chosen != EO_PRUNE && point->choices[chosen].op == EO_OP_FAULT) /* one that is taken keeps others from theirs */
    strategy->doubts |= EO_DOUBT_FAULTS;
  return strategy->error ? EO_PRUNE : x->refuse ? chosen | EO_REFUSED : chosen;
}

/* The same step can fail in many sequences: what else happens does not matter. It counts in the one whose changes all lie in
 * its past, of which there is one: a sequence that has the step and another change has the same step without that change. */
static bool owns_failure(const reach *x, const sequence *q, uint32_t depth) {
  const uint32_t *past = eo_trace_clock(&x->order.trace, depth);
  if (eo__order_follows_another(&x->order, depth)) return false;
  for (uint32_t i = 0; i < q->wanted; i++)
    if (q->moves.items[i].settled && (i > depth || !eo_clock_covers(past, &x->order.trace.records.items[i])))
      return false;
  return true;
}

static void reach_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  (void)depth;
  reach *x = (reach *)strategy;
  if (strategy->error) return;
  if (!eo__order_add(&x->order, taken, event)) {
    strategy->error = EO_ENOMEM;
    return;
  }
  if (x->scouts.under_way) return;
  eo__reach_look(x);
}

/* A failure that counts here ends the execution; the others go on in the next one. */
static bool reach_goes_on(eo_strategy *strategy, uint32_t depth) {
  const reach *x = (const reach *)strategy;
  if (strategy->error || x->scouts.under_way) return false;
  const sequence *q = eo_vec_last(&x->stack);
  return depth < q->told || !owns_failure(x, q, depth);
}

/* No order of the sends gives what was run: a receive that timed out has announced something to a specification, after
 * what it would have taken was sent (eo__order_could_time_out). If that was a variant, it is run once more, with no more
 * than what its changes need before them. */
static bool give_up_impossible(reach *x, sequence *q, eo_outcome *outcome) {
  outcome->failure = NULL;
  outcome->end = EO_END_PRUNED;
  q->run = q->early || x->stack.count == 1;
  eo_vec_clear(&q->races);
  if (q->run) return true;
  q->early = true;
  eo_vec_clear(&q->moves);
  return fill(x, x->stack.items[x->stack.count - 2], q);
}

/* That the program did not fail is of no account: it did what it must never do. */
static void fail_as_matched(reach *x, eo_outcome *outcome) {
  x->failure.kind = EO_KIND_SEQUENCE;
  snprintf(x->failure.message, sizeof x->failure.message, "%s", eo__pattern_text(x->sink->never));
  outcome->end = EO_END_FAILED;
  outcome->failure = &x->failure;
}

static void reach_end(eo_strategy *strategy, eo_outcome *outcome) {
  reach *x = (reach *)strategy;
  eo__doubt_unseen(strategy, &x->view);
  if (strategy->error) return;
  if (x->scouts.under_way) {
    eo__scouts_end(&x->scouts, outcome);
    return;
  }
  sequence *q = eo_vec_last(&x->stack);
  size_t steps = x->order.trace.records.count;
  bool good = true;
  if (x->order.impossible != EO_NO_EVENT) {
    if (!give_up_impossible(x, q, outcome)) strategy->error = EO_ENOMEM;
    return;
  }
  q->run = !(outcome->end == EO_END_FAILED && steps == outcome->depth && steps > q->told &&
             eo_vec_last(&x->order.trace.records).flags & EO_EVENT_STUCK);
  if (!q->run) {
    good = eo__reach_copy(x, q);
    q->given = q->told = (uint32_t)steps;
  } else {
    good = eo__reach_collect(x, q);
    if (x->order.failures.count) { /* how it goes on after a failure is not how the program does */
      if (outcome->end == EO_END_CUT) strategy->doubts |= EO_DOUBT_DEPTH;
      outcome->end = EO_END_PRUNED;
      outcome->failure = NULL;
    }
  }
  if (good && outcome->end != EO_END_PRUNED) good = eo__reach_store(x, outcome->failure != NULL);
  if (!good) strategy->error = EO_ENOMEM;
  bool ends = outcome->end == EO_END_FINISHED || outcome->end == EO_END_CUT;
  if (good && ends && x->matched) fail_as_matched(x, outcome);
}

static eo_coverage reach_coverage(eo_strategy *strategy, eo_text *words) {
  const reach *x = (const reach *)strategy;
  eo__text_add(words, "every equivalence class of interleavings");
  if (x->lost) {
    eo__text_add(words, " until the program behaved differently with the same choices");
    return EO_COVERS_BOUND;
  }
  if (x->tree.twice || x->unwritten) {
    eo__text_add(words, x->unwritten ? "; not all sequences could be written: is there space for temporary files?"
                                     : "; some were run twice: the program is not deterministic");
    return EO_COVERS_BOUND;
  }
  if (x->refused) {
    eo__text_add(words, " by messages; not the order of %s and %s, which are no messages: --strategy dpor does that",
                 x->what[0], x->what[1]);
    return EO_COVERS_BOUND;
  }
  return EO_COVERS_ALL;
}

static uint64_t reach_pending(eo_strategy *strategy) {
  const reach *x = (const reach *)strategy;
  uint64_t races = 0;
  for (size_t i = 0; i < x->stack.count; i++) races += x->stack.items[i]->races.count;
  return races;
}

static double reach_share(eo_strategy *strategy) {
  (void)strategy;
  return -1;
}

static bool reach_plain(eo_strategy *strategy, eo_schedule *out) {
  return eo__order_plain(&((reach *)strategy)->order, out);
}

static void reach_close(eo_strategy *strategy) {
  reach *x = (reach *)strategy;
  for (size_t i = 0; i < x->stack.count; i++) sequence_free(x->stack.items[i]);
  for (size_t i = 0; i < x->spare.count; i++) sequence_free(x->spare.items[i]);
  eo_vec_release(&x->stack);
  eo_vec_release(&x->spare);
  eo_vec_release(&x->also);
  eo_vec_release(&x->candidates);
  eo_vec_release(&x->forbidden);
  eo_vec_release(&x->room);
  eo__reach_tree_release(x);
  eo__order_release(&x->order);
  eo__free(x);
}

static const eo_strategy_ops reach_ops = {
    .close = reach_close,
    .begin = reach_begin,
    .choose = reach_choose,
    .observe = reach_observe,
    .guiding = &(const eo_guiding){.goes_on = reach_goes_on},
    .end = reach_end,
    .telling =
        &(const eo_telling){
            .coverage = reach_coverage, .share = reach_share, .pending = reach_pending, .plain = reach_plain},
};

eo_strategy *eo__reach_open(const eo_strategy_options *options, eo_error *error) {
  if (!options->view.relations) {
    eo__error_set(error, EO_EINPUT,
                  "strategy 'reach': the subject does not say which of its steps depend on each other");
    return NULL;
  }
  reach *x = eo__alloc(sizeof *x);
  if (!x) {
    eo__error_nomem(error);
    return NULL;
  }
  x->base.ops = &reach_ops;
  x->view = options->view;
  x->delivery = options->delivery;
  x->idle_timeouts = options->timeouts_idle;
  x->no_tree = options->no_tree;
  x->sink = options->sink;
  eo__text_init(&x->lines);
  eo__scouts_init(&x->scouts, options->seed);
  eo__order_init(&x->order, options->view, options->delivery, &x->base.error);
  if (!push_sequence(x)) {
    eo__error_nomem(error);
    reach_close(&x->base);
    return NULL;
  }
  options->view.relations->receives_choose(options->view.of, true);
  x->base.receives_choose = true;
  return &x->base;
}
