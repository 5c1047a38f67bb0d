/* engine.c: the exploration loop.
 *
 *   while the strategy begins another execution
 *     bring the subject to where it parts from the last one   (position: restore a checkpoint, or reset; then replay)
 *     until it ends: list the choices, let the strategy choose, take the step, let it observe
 *     tell the strategy how it ended
 *
 * Where states are saved is in engine_checkpoints.c, how steps are described in engine_describe.c. */
#include "core/engine.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/own.h"
#include "base/text.h"
#include "core/doubt.h"
#include "core/engine_inside.h"
#include "core/pattern.h"
#include "core/program.h"

void eo__engine_init(eo_engine *engine, eo_subject *subject, eo_strategy *strategy) {
  memset(engine, 0, sizeof *engine);
  engine->subject = subject;
  engine->strategy = strategy;
  engine->place = &engine->own_place;
  engine->max_depth = UINT32_MAX;
  engine->interval = EO_LEAST_INTERVAL;
}

void eo__engine_leave(eo_engine *engine) { eo__checkpoints_drop(engine, 0); }

void eo__engine_release(eo_engine *engine) {
  eo__checkpoints_drop(engine, 0);
  eo_vec_release(&engine->choices);
  eo_vec_release(&engine->events);
  eo_vec_release(&engine->audited);
  eo_vec_release(&engine->audited_before);
  eo_vec_release(&engine->checkpoints);
  eo__pattern_close(engine->never);
  engine->never = NULL;
}

static bool found_by_audit(eo_kind kind) { return kind == EO_KIND_SHARING || kind == EO_KIND_BOUNDS; }

int eo__engine_expect(eo_engine *engine, eo_kind kind, const char *message, eo_error *error) {
  if (kind == EO_KIND_DEPTH) engine->depth_fails = true;
  engine->under_audit = found_by_audit(kind) && engine->subject->ops->auditing;
  if (kind != EO_KIND_SEQUENCE) return EO_OK;
  eo__pattern_close(engine->never);
  engine->never = eo__pattern_open(message, error);
  return engine->never ? EO_OK : error->code;
}

/* ---- One execution ---------------------------------------------------------------------------------------------- */

static bool same_event(const eo_event *a, const eo_event *b) {
  return a->process == b->process && a->op == b->op && a->other == b->other && a->message == b->message &&
         a->sent == b->sent && a->flags == b->flags;
}

static void fail_here(eo_engine *engine, eo_kind kind, const char *message) {
  memset(&engine->failure, 0, sizeof engine->failure);
  engine->failure.kind = kind;
  snprintf(engine->failure.message, sizeof engine->failure.message, "%s", message);
}

static bool subject_failed(eo_engine *engine) {
  engine->failure = *engine->subject->ops->failure(engine->subject);
  return false;
}

/* Why is in engine->failure, if that matters. */
static __attribute__((noinline)) bool refuse_step(eo_subject *subject, eo_choice choice, eo_event *event) {
  choice.kind &= (uint16_t)~EO_CHOICE_REFUSED;
  subject->ops->refuse(subject, choice, event);
  event->flags |= EO_EVENT_REFUSED;
  return false;
}

static inline __attribute__((always_inline)) bool take_step(eo_engine *engine, uint32_t depth, eo_choice choice) {
  engine->place->depth = depth;
  engine->counts.transitions++;
  engine->choices.items[depth] = choice;
  if (__builtin_expect(choice.kind & EO_CHOICE_REFUSED, 0))
    return refuse_step(engine->subject, choice, &engine->events.items[depth]);
  return engine->subject->ops->step(engine->subject, choice, &engine->events.items[depth]) || subject_failed(engine);
}

static bool refused(eo_engine *engine, uint32_t depth) {
  return engine->before_step && engine->before_step(engine->context, engine->place->execution, depth, &engine->failure);
}

static bool start(eo_engine *engine) {
  engine->place->depth = EO_AT_START;
  if (refused(engine, EO_AT_START)) return false;
  return engine->subject->ops->reset(engine->subject) || subject_failed(engine);
}

/* Steps that were run before go otherwise now. What: how; the last calls that may be why are added. */
static void not_deterministic(eo_engine *engine, const char *what) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "the same choices led to a different execution when they were run again: %s", what);
  size_t length = strlen(text.chars);
  eo__text_add(&text, "; last calls outside before that: ");
  if (engine->subject->ops->auditing && engine->subject->ops->auditing->outside(engine->subject, &text))
    length = SIZE_MAX;
  fail_here(engine, EO_KIND_NONDETERMINISM, "");
  snprintf(engine->failure.message, sizeof engine->failure.message, "%.*s", length < INT_MAX ? (int)length : INT_MAX,
           text.chars);
  eo__text_release(&text);
}

/* A step that was run before is another event now. */
static void differs(eo_engine *engine, uint32_t depth, const eo_event *before) {
  const eo_event *now = &engine->events.items[depth];
  char name[EO_PROCESS_NAME], what[256];
  engine->subject->ops->processes->name(engine->subject, before->process, name, sizeof name);
  int length = snprintf(what, sizeof what, "step %u, of %s", depth + 1, name);
  if (now->op != before->op)
    snprintf(what + length, sizeof what - (size_t)length, ", was %s and is %s", eo__op_name((eo_op_kind)before->op),
             eo__op_name((eo_op_kind)now->op));
  else if (now->sent != before->sent)
    snprintf(what + length, sizeof what - (size_t)length, ", sent %u messages and sends %u", before->sent, now->sent);
  else
    snprintf(what + length, sizeof what - (size_t)length, ", has another outcome");
  not_deterministic(engine, what);
}

/* A step that was run before without failing has failed. */
static void failed_now(eo_engine *engine, uint32_t depth) {
  char what[600];
  if (engine->failure.kind == EO_KIND_NONDETERMINISM) {
    snprintf(what, sizeof what, "step %u: %.500s", depth + 1, engine->failure.message);
  } else {
    snprintf(what, sizeof what, "%s %u, which did not fail, gives %s: %.450s", depth ? "after step" : "the start, step",
             depth, eo__kind_name(engine->failure.kind), engine->failure.message);
  }
  not_deterministic(engine, what);
}

/* Brings the subject to the state after the first `shared` steps of the last execution. False: that failed. */
static bool position(eo_engine *engine, uint32_t shared, bool afresh) {
  if (afresh) eo__checkpoints_drop(engine, 0);
  uint32_t depth = engine->no_checkpoints || afresh ? 0 : eo__checkpoints_restore(engine, shared);
  eo__checkpoints_plan(engine);
  if (depth == 0 && !start(engine)) {
    if (afresh) failed_now(engine, 0);
    return false;
  }
  for (; depth < shared; depth++) {
    eo_event before = engine->events.items[depth];
    if (!take_step(engine, depth, engine->choices.items[depth]) &&
        !(before.flags & engine->events.items[depth].flags & EO_EVENT_STUCK)) {
      if (afresh) failed_now(engine, depth + 1);
      return false;
    }
    if (!same_event(&engine->events.items[depth], &before)) {
      differs(engine, depth, &before);
      return false;
    }
    eo__checkpoints_maybe(engine, depth + 1, engine->returns_known ? 2 : 1);
  }
  return true;
}

/* It has done what it must never do? */
static bool matches_never(eo_engine *engine) {
  if (!engine->never || !engine->described || !eo__pattern_matches(engine->never, engine->described)) return false;
  fail_here(engine, EO_KIND_SEQUENCE, eo__pattern_text(engine->never));
  return true;
}

/* It has come to its end. */
static eo_end finish(eo_engine *engine) {
  if (engine->subject->ops->finish(engine->subject)) return matches_never(engine) ? EO_END_FAILED : EO_END_FINISHED;
  subject_failed(engine);
  return EO_END_FAILED;
}

/* It has as many steps as are allowed. */
static eo_end cut_off(eo_engine *engine) {
  if (matches_never(engine)) return EO_END_FAILED;
  if (!engine->depth_fails) return EO_END_CUT;
  char text[96];
  snprintf(text, sizeof text, "the execution has more than %u steps (--depth)", engine->max_depth);
  fail_here(engine, EO_KIND_DEPTH, text);
  return EO_END_FAILED;
}

/* Memory has run out: the execution is given up, and the run ends with that error. */
static eo_end out_of_memory(eo_engine *engine) {
  engine->strategy->error = EO_ENOMEM;
  return EO_END_PRUNED;
}

/* Runs on from `depth` to the end of the execution. *depth is then its length. */
static eo_end run_on(eo_engine *engine, uint32_t *depth) {
  eo_subject *subject = engine->subject;
  eo_strategy *strategy = engine->chooser;
  const eo_guiding *guiding = strategy->ops->guiding;
  uint32_t (*whose)(eo_strategy *, uint32_t) =
      guiding && subject->ops->turn && !engine->describe ? guiding->whose : NULL;
  uint32_t last = *depth ? engine->choices.items[*depth - 1].process : EO_NO_PROCESS;
  for (;;) {
    eo_point point = {.depth = *depth, .last = last};
    uint32_t of = whose ? whose(strategy, *depth) : EO_EVERYBODY;
    if (of != EO_EVERYBODY) point.count = subject->ops->turn(subject, of, &point.choices, &point.others);
    if (point.count == 0 && of != EO_NO_PROCESS) point.count = subject->ops->enabled(subject, &point.choices);
    if (__builtin_expect(subject->error != EO_OK, 0)) return out_of_memory(engine);
    if (point.count == 0) return finish(engine);
    if (*depth >= engine->max_depth) return cut_off(engine);
    uint32_t index = strategy->ops->choose(strategy, &point);
    if (index == EO_PRUNE) return EO_END_PRUNED;
    bool refuse = index & EO_REFUSED && subject->ops->refuse;
    index &= ~EO_REFUSED;
    EO_CHECK(index < point.count);
    eo__checkpoints_maybe(engine, *depth, point.count + point.others);
    if (!eo_vec_reserve(&engine->choices, *depth + 1) || !eo_vec_reserve(&engine->events, *depth + 1))
      return out_of_memory(engine);
    eo_choice choice = point.choices[index];
    if (engine->before_step) engine->choices.items[*depth] = choice; /* for it to see */
    if (!refuse && refused(engine, *depth)) {
      if (!strategy->receives_choose || !subject->ops->refuse) {
        (*depth)++; /* it was chosen: what lies beside it is still to be explored */
        return EO_END_FAILED;
      }
      refuse = true;
    }
    if (__builtin_expect(refuse, 0))
      eo_choice_set(&choice, choice.process, choice.value, choice.op, choice.kind | EO_CHOICE_REFUSED);
    bool good = take_step(engine, (*depth)++, choice);
    if (__builtin_expect(subject->error != EO_OK, 0)) return out_of_memory(engine);
    if ((engine->described && !eo__trace_add(engine->described, choice, &engine->events.items[*depth - 1])) ||
        (engine->describe && !eo__engine_describe(engine, &point, choice)))
      return out_of_memory(engine); /* what is described is not whole: nothing can be added to it */
    if (strategy->ops->observe) strategy->ops->observe(strategy, *depth - 1, choice, &engine->events.items[*depth - 1]);
    if (!good && !(engine->events.items[*depth - 1].flags & EO_EVENT_STUCK && guiding && guiding->goes_on &&
                   guiding->goes_on(strategy, *depth - 1)))
      return EO_END_FAILED;
    last = choice.process;
  }
}

/* ---- Audits ----------------------------------------------------------------------------------------------------- */

enum { MOST_AUDITS = 16 };

/* Runs the first *depth choices of this execution again. False: it failed after so many. */
static bool run_again(eo_engine *engine, eo_event *events, uint32_t *depth) {
  eo_subject *subject = engine->subject;
  if (!subject->ops->reset(subject)) {
    *depth = 0;
    return false;
  }
  for (uint32_t i = 0; i < *depth; i++) {
    uint16_t before = engine->events.items[i].flags;
    eo_choice choice = engine->choices.items[i];
    if (choice.kind & EO_CHOICE_REFUSED ? refuse_step(subject, choice, &events[i])
                                        : subject->ops->step(subject, choice, &events[i]))
      continue;
    if (events[i].flags & before & EO_EVENT_STUCK) continue; /* it failed then, too, and was passed over */
    *depth = i + 1;
    return false;
  }
  return true;
}

/* The execution, which did not fail, has failed under audit after so many steps, in a way that audits do not look for. Either the
 * program is not deterministic: then it does not fail again, or, without an audit, it does (see audit). Or the closed
 * memory is the reason, which system calls may have met, or the step took too long: that leaves a doubt, since nobody has
 * looked at what would have come after it. True: it is not deterministic. */
static bool fails_beside(eo_engine *engine, uint32_t all, uint32_t depth) {
  engine->failure = *engine->subject->ops->failure(engine->subject);
  if (engine->failure.kind == EO_KIND_LOOP || !run_again(engine, engine->audited.items, &all)) {
    engine->doubts |= EO_DOUBT_SHARING;
    return false;
  }
  failed_now(engine, depth);
  return true;
}

/* Until the subject is sure; then, if it fails, once more. True: it fails in a way that only audits see, or is not
 * deterministic. */
static bool fails_under_audit(eo_engine *engine, uint32_t *depth) {
  eo_subject *subject = engine->subject;
  uint32_t first = *depth, second = *depth, again;
  bool good = run_again(engine, engine->audited.items, &first);
  for (int i = 0; i < MOST_AUDITS && (again = subject->ops->auditing->unsure(subject)) != 0; i++) {
    if (!good && !found_by_audit(subject->ops->failure(subject)->kind)) break;
    first = again < *depth ? again : *depth;
    good = run_again(engine, engine->audited.items, &first);
  }
  if (good) return false;
  if (!found_by_audit(subject->ops->failure(subject)->kind)) {
    bool fails = fails_beside(engine, *depth, first);
    if (fails) *depth = first;
    return fails;
  }
  engine->failure = *subject->ops->failure(subject);
  good = run_again(engine, engine->audited.items, &second);
  if (good || !eo__failure_same(&engine->failure, subject->ops->failure(subject)))
    fail_here(engine, EO_KIND_NONDETERMINISM, "the same choices did not show the same sharing of memory again");
  *depth = first;
  return true;
}

static void keep_audited(eo_engine *engine, uint32_t depth) {
  memcpy(engine->audited_before.items, engine->choices.items, depth * sizeof(eo_choice));
  engine->audited_before.count = depth;
}

/* Does the execution call for an audit? If only the time does, not when it is the one that was audited last: another run of
 * the same choices, as strategies make to compare the two, would show the same. */
static bool wants_audit(const eo_engine *engine, uint32_t depth) {
  const eo_auditing *auditing = engine->subject->ops->auditing;
  if (!engine->audits || !auditing) return false;
  if (auditing->unsure(engine->subject)) return true;
  return auditing->due(engine->subject) &&
         !(depth && depth == engine->audited_before.count &&
           memcmp(engine->choices.items, engine->audited_before.items, depth * sizeof(eo_choice)) == 0);
}

/* True: the execution, which has not failed, does so under audit or after it, after *depth steps. Leaves the subject at the end of the
 * execution, where it was. */
static bool audit(eo_engine *engine, uint32_t *depth) {
  eo_subject *subject = engine->subject;
  uint32_t all = *depth;
  eo__checkpoints_drop(engine, 0);
  eo_vec_clear(&engine->audited_before);
  if (!eo_vec_reserve(&engine->audited, all + 1) || !eo_vec_reserve(&engine->audited_before, all + 1)) {
    engine->strategy->error = EO_ENOMEM;
    return false;
  }
  subject->ops->auditing->audit(subject, true);
  bool fails = fails_under_audit(engine, depth);
  subject->ops->auditing->audit(subject, false);
  if (run_again(engine, engine->events.items, &all) || fails) {
    if (!fails) keep_audited(engine, all);
    return fails;
  }
  subject_failed(engine); /* without audit, as it did not before: the program is not deterministic */
  *depth = all;
  failed_now(engine, all);
  return true;
}

/* Runs the same choices from the start; each step is described, if they are. */
static eo_end run_over(eo_engine *engine, uint32_t *depth, eo_end end) {
  uint32_t all = *depth;
  eo__engine_describe_afresh(engine);
  *depth = 0;
  if (!start(engine)) return EO_END_FAILED;
  while (*depth < all) {
    eo_choice choice = engine->choices.items[*depth];
    eo_point point = {.depth = *depth, .last = *depth ? engine->choices.items[*depth - 1].process : EO_NO_PROCESS};
    point.count = engine->subject->ops->enabled(engine->subject, &point.choices);
    bool good = take_step(engine, (*depth)++, choice);
    if ((engine->described && !eo__trace_add(engine->described, choice, &engine->events.items[*depth - 1])) ||
        (engine->describe && !eo__engine_describe(engine, &point, choice)))
      return out_of_memory(engine);
    if (!good) return EO_END_FAILED;
  }
  return end == EO_END_FINISHED ? finish(engine) : end;
}

/* An execution under audit that shows that it must be run again. */
static eo_end until_sure(eo_engine *engine, uint32_t *depth, eo_end end) {
  for (int i = 0; i < MOST_AUDITS && engine->subject->ops->auditing->unsure(engine->subject); i++)
    end = run_over(engine, depth, end);
  return end;
}

static bool execute(eo_engine *engine, uint32_t shared, bool afresh) {
  uint32_t depth = shared;
  engine->expected = shared;
  if (engine->described) eo__trace_cut(engine->described, shared);
  eo_engine_counts counts = engine->counts;
  if (!afresh) eo__checkpoints_return(engine, shared);
  eo_outcome outcome = {.end = EO_END_FAILED, .counted = true};
  if (position(engine, shared, afresh)) outcome.end = run_on(engine, &depth);
  if (engine->under_audit) outcome.end = until_sure(engine, &depth, outcome.end);
  if (afresh) engine->counts = counts;
  outcome.depth = depth;
  outcome.choices = engine->choices.items;
  if (outcome.end == EO_END_FAILED) outcome.failure = &engine->failure;
  engine->length = depth;
  bool audited = outcome.end != EO_END_FAILED && wants_audit(engine, depth) && audit(engine, &depth);
  if (audited) outcome.failure = &engine->failure;
  if (engine->subject->error != EO_OK) { /* whatever it looks like */
    outcome.end = out_of_memory(engine);
    outcome.failure = NULL;
    audited = false;
  }
  engine->strategy->ops->end(engine->strategy, &outcome);
  if (audited) {
    outcome.end = EO_END_FAILED;
    outcome.failure = &engine->failure;
    outcome.depth = depth;
    outcome.choices = engine->choices.items;
    outcome.counted = true;
  }
  if (outcome.end == EO_END_FAILED) eo__checkpoints_drop(engine, 0); /* `ended` may run others, to minimise */
  if ((!outcome.counted && !outcome.failure) || !engine->ended) return true;
  return engine->ended(engine->context, &outcome);
}

static _Thread_local const eo_engine *running;
EO_OWN_THREAD(running);

void eo__engine_under_way(char *out, size_t size) {
  const eo_engine *engine = running;
  size_t length = 0;
  if (size) out[0] = '\0';
  if (!engine || !size) return;
  uint32_t depth = engine->place->depth == EO_AT_START ? 0 : engine->place->depth + 1;
  length = (size_t)snprintf(out, size, "execution %llu:", (unsigned long long)engine->executions);
  for (uint32_t i = 0; i < depth && i < engine->choices.capacity && length < size; i++) {
    char name[EO_PROCESS_NAME];
    engine->subject->ops->processes->name(engine->subject, engine->choices.items[i].process, name, sizeof name);
    length += (size_t)snprintf(out + length, size - length, " %s", name);
  }
}

/* The strategy's next execution. */
static bool begin(eo_engine *engine, eo_beginning *beginning) {
  *beginning = (eo_beginning){.chooser = engine->strategy};
  if (!engine->strategy->ops->begin(engine->strategy, beginning)) return false;
  eo_strategy *chooser = engine->chooser = beginning->chooser;
  const eo_guiding *guiding = chooser->ops->guiding;
  const eo_telling *telling = chooser->ops->telling;
  engine->returns_known = guiding ? guiding->returns : NULL;
  if (engine->between) engine->between(engine->context);
  engine->executions++;
  engine->place->execution = telling && telling->name ? telling->name(chooser) : engine->executions;
  return true;
}

int eo__engine_run(eo_engine *engine, eo_error *error) {
  eo_beginning beginning;
  bool going = true;
  if (!engine->subject->ops->saving) engine->no_checkpoints = true;
  eo__checkpoints_plan_none(engine);
  const eo_engine *outer = running; /* minimising runs engines inside one */
  running = engine;
  eo_trace described;
  if (engine->describe) engine->subject->ops->describing->describe(engine->subject, true);
  if ((engine->describe || engine->never) && eo_subject_relates_plain(engine->subject)) {
    engine->described = &described;
    eo__trace_init(&described, eo_subject_view(engine->subject), false);
  }
  if (engine->under_audit) engine->subject->ops->auditing->audit(engine->subject, true);
  while (going && begin(engine, &beginning)) {
    going = execute(engine, beginning.shared, beginning.afresh);
    if (engine->strategy->error || engine->subject->error) break;
  }
  running = outer;
  if (engine->under_audit) engine->subject->ops->auditing->audit(engine->subject, false);
  if (engine->describe) engine->subject->ops->describing->describe(engine->subject, false);
  if (engine->described) eo__trace_release(engine->described);
  engine->described = NULL;
  if (engine->strategy->error == EO_ENOMEM || engine->subject->error) return eo__error_nomem(error);
  if (engine->strategy->error == EO_OK) return EO_OK;
  const char *trouble = engine->strategy->trouble;
  return eo__error_set(error, engine->strategy->error, "%s", trouble ? trouble : "the strategy failed");
}
