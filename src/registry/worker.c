/* worker.c: exploring, in a process of its own: subject, strategy and wrappers, engine; and what becomes of a failure:
 * it is minimised, described and handed back with the slice. A failure that was seen before is only counted. */
#include "registry/worker.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <time.h>

#include <xxhash.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "core/heat.h"
#include "core/minimise.h"
#include "core/program.h"
#include "core/reversal.h"
#include "registry/endless.h"
#include "registry/probing.h"
#include "registry/registry.h"
#include "subjects/actor/actor.h"
#include "subjects/model/subject.h"

enum {
  MOST_DISTINCT = 1000,
  MOST_BESIDE = 16, /* failures of probes and scouts that are kept */
  MINIMISE_SECONDS = 10,
  REVERSE_SECONDS = 2,
  MOST_MESSAGES = 10000000, /* of one process */
  MOST_LINES = 20000        /* of a finding of a search */
};

/* What place.depth says while a failure is minimised: a death then is a death of that. */
#define MINIMISING (UINT32_MAX - 1)
#define REVERSING (UINT32_MAX - 2) /* the same, while it is tried the other way round */

#define PROBE_PART 0.03 /* of the time */

typedef struct exploration {
  const eo_request *request;
  eo_cell *cell;
  eo_subject *subject;
  /* Opened for a claim, and kept as long as the next claim is just what was saved of the last. */
  eo_strategy *inner, *stop, *strategy; /* the user's; the wrapper with the limits; all of them */
  eo_engine engine;
  eo_bytes saved;    /* what the strategy had left when it was last put away */
  eo_claim claim;    /* under way */
  char stopped[128]; /* why it stopped before its end, or "" */
  eo_news news;
  uint64_t states;                   /* counted before this slice */
  double share;                      /* done before this slice; negative: unknown */
  eo_estimate probed, all_probed;    /* after this slice; in the life of this worker */
  double probe_seconds, all_seconds; /* spent on probes; on all slices */
  eo_slice slice;
  EO_VEC(eo_failure) seen;
  EO_VEC(eo_failure) beside; /* that probes and scouts met */
  bool fatal;                /* the execution under way was cut off: it kills workers */
  eo_failure fatal_failure;
  uint32_t fatal_depth;
  bool broken;       /* the program is not deterministic */
  bool met_beside;   /* what is reported is a failure of a probe or a scout */
  char endless[256]; /* how the first execution that was cut off goes on */
  eo_error error;
} exploration;

static uint32_t depth_limit(const eo_options *options) { return options->depth ? options->depth : EO_DEFAULT_DEPTH; }

eo_subject *eo__worker_subject(const eo_request *request, eo_cell *cell, eo_error *error) {
  if (request->model) {
    eo_delivery delivery = EO_DELIVERY_MAILBOX;
    if (request->options.delivery) eo__delivery_parse(request->options.delivery, &delivery); /* it was checked */
    return eo__promela_subject_open(request->model, delivery, error);
  }
  eo_actor_options options = {
      .function = request->function,
      .argument = request->argument,
      .timeouts_idle = request->options.timeouts_idle,
      .leaks = request->options.leaks,
      .fingerprints = request->visited || request->graph,
      .confined = true,
      .watchdog = eo__watchdog(request),
      .hurry = cell ? &cell->hurry : NULL,
      .gave_up = cell ? &cell->slow : NULL,
      .pulse = cell ? &cell->pulse : NULL,
  };
  if (request->options.delivery) eo__delivery_parse(request->options.delivery, &options.delivery); /* it was checked */
  return eo__actor_open(&options, error);
}

static eo_stop_options limits(exploration *x) {
  const eo_claim *claim = &x->claim;
  eo_stop_options stop = {.at_failure = !x->request->options.keep_going,
                          .flag = &x->cell->stop,
                          .reason = x->stopped,
                          .executions = claim->executions == UINT64_MAX ? 0 : claim->executions,
                          .look = claim->executions == 0};
  if (!x->inner->ops->fragments) { /* it cannot be put away, only be ended */
    stop.seconds = x->request->options.seconds;
    return stop;
  }
  stop.seconds = claim->budget;
  stop.recall = &x->cell->recall;
  return stop;
}

static bool seen_before(void *context, const eo_failure *failure) {
  const exploration *x = context;
  for (size_t i = 0; i < x->seen.count; i++)
    if (eo__failure_same(&x->seen.items[i], failure)) return true;
  return x->seen.count == MOST_DISTINCT;
}

/* Is the claim the search of the log? Without a log nobody has given out such a fragment: it is then refused like any other
 * that a strategy did not write. */
static bool is_last(const exploration *x) { return x->request->heats && eo__rounds_claimed(&x->claim.bytes); }

static bool open_strategy(exploration *x) {
  eo_strategy_options wanted = eo__strategy_options(x->request, x->subject);
  bool last = is_last(x);
  if (last) wanted.heats = NULL; /* all is logged */
  x->inner = eo__strategy_find(x->request->options.strategy)->open(&wanted, &x->error);
  eo_rounds_options rounds = {x->request->heats, wanted.view, x->request->visited, seen_before, x};
  if (last) x->inner = eo__rounds_open(x->inner, &rounds, &x->error);
  if (!x->inner) return false;
  eo_stop_options stop = limits(x);
  eo_strategy *seen = x->inner;
  if (x->request->graph) seen = eo__graphing_open(seen, x->request->graph, wanted.view, &x->error);
  x->stop = eo__stop_open(seen, &stop, &x->error);
  x->strategy = eo__recheck_open(eo__meter_open(x->stop, &x->news.meter, &x->error), &x->error);
  if (x->subject->ops->auditing) x->strategy = eo__rerun_open(x->strategy, &x->error);
  return x->strategy != NULL;
}

/* What a step did that ended workers; `process` would have taken it. */
static void tell_fatal(const eo_fatal *fatal, const char *process, eo_failure *failure) {
  int status = fatal->status, number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  const char *blocked = fatal->blocked ? ", with signals blocked" : "";
  char *out = failure->message;
  size_t size = sizeof failure->message;
  memset(failure, 0, sizeof *failure);
  failure->kind = EO_KIND_CRASH;
  failure->fatal = true;
  snprintf(failure->process, sizeof failure->process, "%s", process);
  switch (fatal->cause) {
    case EO_FATAL_ENDED:
      if (WIFSIGNALED(status))
        snprintf(out, size, "the next step kills the whole process with signal %d (%s)", number, strsignal(number));
      else
        snprintf(out, size, "the next step ends the whole process with status %d", number);
      break;
    case EO_FATAL_ENDLESS:
      failure->kind = EO_KIND_LOOP;
      snprintf(out, size, "%s runs on and on without an operation%s (--watchdog)", process, blocked);
      break;
    case EO_FATAL_WAITS:
      failure->kind = EO_KIND_LOOP;
      snprintf(out, size, "%s waits for something outside%s, and does not go on (--watchdog)", process, blocked);
      break;
    case EO_FATAL_STOPPED: snprintf(out, size, "the next step stops the whole process, as SIGSTOP does"); break;
    case EO_FATAL_THREAD:
      snprintf(out, size,
               "the next step ends the thread that it runs in (pthread_exit, the system call exit, seccomp)");
      break;
    case EO_FATAL_EXEC:
      snprintf(out, size, "the next step makes the process another program, %s (exec)", fatal->name);
      break;
    case EO_FATAL_CLOSED:
      snprintf(out, size, "the next step closes or blocks a descriptor that is Everyorder's own");
      break;
    case EO_FATAL_WRITTEN:
      snprintf(out, size, "the next step writes into a descriptor that is Everyorder's own");
      break;
    case EO_FATAL_SIGNALS:
      snprintf(out, size, "the next step sends signal %d (%s) to Everyorder itself", status, strsignal(status));
  }
}

/* Has this place ended workers? */
static const eo_fatal *find_fatal(const eo_cell *cell, uint64_t execution, uint32_t depth) {
  return cell->wary ? eo__fatals_find(eo__worker_fatals(), cell->fragment, execution, depth) : NULL;
}

/* Is this a step that ended workers? *failure then says so. */
static bool kills_worker(const eo_cell *cell, const eo_engine *engine, uint32_t depth, eo_failure *failure) {
  const eo_fatal *fatal = find_fatal(cell, engine->place->execution, depth);
  if (!fatal) return false;
  char name[EO_PROCESS_NAME];
  uint32_t process = depth == EO_AT_START ? 0 : engine->choices.items[depth].process;
  engine->subject->ops->processes->name(engine->subject, process, name, sizeof name);
  tell_fatal(fatal, name, failure);
  return true;
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

static void write_step(eo_subject *subject, eo_choice choice, eo_ticket_step *step) {
  subject->ops->processes->name(subject, choice.process, step->process, sizeof step->process);
  step->takes = choice.kind == EO_CHOICE_TAKE;
  if (!step->takes) {
    step->value = choice.value;
  } else if (choice.value) {
    eo_sent sent = subject->ops->relations->sent(subject, choice.value);
    subject->ops->processes->name(subject, sent.from, step->from, sizeof step->from);
    step->nth = sent.nth;
  }
}

static void write_schedule(eo_subject *subject, const eo_choice *choices, size_t count, eo_text *out) {
  EO_VEC(eo_ticket_step) steps = {0};
  if (!eo_vec_reserve(&steps, count + 1) || !steps.items) {
    out->failed = true;
    return;
  }
  for (size_t i = 0; i < count; i++) {
    steps.items[i] = (eo_ticket_step){0};
    write_step(subject, choices[i], &steps.items[i]);
  }
  eo__schedule_write(steps.items, count, out);
  eo_vec_release(&steps);
}

/* Runs these choices once more, telling each step into *finding. */
static int describe(eo_subject *subject, const eo_request *request, const eo_choice *choices, uint32_t count,
                    uint32_t max_depth, eo_finding *finding, eo_error *error) {
  eo_strategy *strategy = eo__replay_open(choices, count, error);
  eo_delays_noted noted = {0};
  eo_strategy_options wanted = eo__strategy_options(request, subject);
  if (strategy && eo__strategy_heeds(eo__strategy_find(request->options.strategy), "--explorer"))
    strategy = eo__delays_open(strategy, &wanted, &noted, error);
  if (!strategy) return EO_ENOMEM;
  eo_engine engine;
  eo__engine_init(&engine, subject, strategy);
  engine.max_depth = max_depth;
  engine.no_checkpoints = true;
  engine.describe = finding;
  int code = eo__engine_expect(&engine, finding->failure.kind, finding->failure.message, error);
  if (code == EO_OK) code = eo__engine_run(&engine, error);
  if (code == EO_OK && finding->failure.kind == EO_KIND_NONE) finding->failure = engine.failure;
  if (finding->failure.kind == EO_KIND_SEQUENCE &&
      eo_subject_relates_plain(subject)) /* until now the strategy said so */
    finding->rechecked = eo__failure_same(&finding->failure, &engine.failure);
  bool tells_more = engine.failure.kind == EO_KIND_SHARING || engine.failure.kind == EO_KIND_LIVENESS;
  if (code == EO_OK && tells_more) finding->failure = engine.failure; /* both places; how long the circle is now */
  if (code == EO_OK && (!subject->ops->describing->end(subject, finding) || !eo__finding_number(finding)))
    code = eo__error_nomem(error);
  finding->depth = (uint32_t)finding->lines.count;
  for (size_t i = 0; i < noted.count && i < finding->lines.count; i++) finding->lines.items[i].delays = noted.items[i];
  eo_vec_release(&noted);
  eo__engine_release(&engine);
  strategy->ops->close(strategy);
  return code;
}

int eo__worker_tell(eo_subject *subject, const eo_request *request, const eo_failure *failure, const eo_choice *choices,
                    uint32_t count, char **json, eo_error *error) {
  eo_finding finding;
  eo_text schedule;
  uint32_t limit = depth_limit(&request->options);
  eo__finding_init(&finding);
  eo__text_init(&schedule);
  finding.failure = *failure;
  finding.execution = 1;
  finding.rechecked = true;
  finding.depth = count; /* more lines than anybody reads take longer than the search: `replay` prints them */
  int code = count > MOST_LINES
                 ? EO_OK
                 : describe(subject, request, choices, count, limit > count ? limit : count + 1, &finding, error);
  write_schedule(subject, choices, count, &schedule);
  finding.schedule = eo__strdup(schedule.chars);
  *json = code == EO_OK && finding.schedule && !schedule.failed ? eo__finding_to_json(&finding) : NULL;
  eo__text_release(&schedule);
  eo__finding_release(&finding);
  return code == EO_OK && !*json ? eo__error_nomem(error) : code;
}

static int add_finding(exploration *x, const eo_finding *finding) {
  char *json = eo__finding_to_json(finding);
  if (json && eo_vec_push(&x->slice.findings, json)) return EO_OK;
  eo__free(json);
  return eo__error_nomem(&x->error);
}

/* A loop costs the whole watchdog time at each try, a fatal one a worker: those are told as they are. */
static bool can_minimise(const exploration *x, const eo_failure *failure) {
  if (find_fatal(x->cell, x->engine.place->execution, MINIMISING)) return false; /* an earlier attempt died */
  return !x->fatal && !x->request->options.as_found && failure->kind != EO_KIND_LOOP &&
         failure->kind != EO_KIND_NONDETERMINISM;
}

static bool can_reverse(const exploration *x, const eo_failure *failure) {
  return can_minimise(x, failure) && !find_fatal(x->cell, x->engine.place->execution, REVERSING);
}

/* The execution as it would be without `late`. A step that was not run, as it kills workers, is not part of what the
 * strategy has seen: it is the last. */
static bool plain_schedule(const exploration *x, eo_strategy *strategy, const eo_outcome *outcome, eo_schedule *out) {
  eo_vec_clear(out);
  if (!eo_vec_reserve(out, outcome->depth + 1)) return false;
  if (!strategy || !strategy->ops->telling->plain) {
    if (outcome->depth) memcpy(out->items, outcome->choices, outcome->depth * sizeof *out->items);
    out->count = outcome->depth;
    return true;
  }
  if (!strategy->ops->telling->plain(strategy, out)) return false;
  if (!x->fatal || outcome->depth == 0) return true;
  eo_choice last = outcome->choices[outcome->depth - 1];
  if (last.kind == EO_CHOICE_TAKE && !x->request->options.delivery) last.kind = EO_CHOICE_RUN, last.value = 0;
  return eo_vec_push(out, last);
}

static uint32_t delays(const exploration *x) {
  return x->inner && x->inner->ops->telling->delays ? x->inner->ops->telling->delays(x->inner) : 0;
}

static int report(exploration *x, const eo_outcome *outcome) {
  eo_finding finding;
  eo_schedule best = {0};
  uint32_t limit = depth_limit(&x->request->options);
  eo__finding_init(&finding);
  bool late = x->inner && x->inner->late;
  if (!plain_schedule(x, x->inner, outcome, &best) || !best.items) return eo__error_nomem(&x->error);
  if (late) x->subject->ops->relations->late(x->subject, false);
  finding.failure = *outcome->failure;
  finding.execution = x->news.meter.executions; /* of this slice */
  finding.beside = x->met_beside;
  finding.delays = delays(x);
  finding.rechecked = outcome->failure->kind != EO_KIND_NONDETERMINISM;
  int code = EO_OK;
  if (can_minimise(x, outcome->failure)) {
    eo_patience patience = {&x->cell->stop, MINIMISE_SECONDS};
    x->engine.place->depth = MINIMISING;
    code = eo__minimise(x->subject, limit, outcome->failure, &patience, &best, &finding.fewest, &x->error);
  }
  /* The step that kills workers is not run again; nor the start, if it does. */
  if (code == EO_OK && !(x->fatal && best.count == 0))
    code = describe(x->subject, x->request, best.items, (uint32_t)best.count - x->fatal, limit, &finding, &x->error);
  if (code == EO_OK && can_reverse(x, outcome->failure)) {
    eo_patience patience = {&x->cell->stop, REVERSE_SECONDS};
    x->engine.place->depth = REVERSING;
    code = eo__reverse(x->subject, limit, &patience, &best, &finding, &x->error);
  }
  eo_text schedule;
  eo__text_init(&schedule);
  write_schedule(x->subject, best.items, best.count, &schedule);
  finding.schedule = eo__strdup(schedule.chars);
  eo__text_release(&schedule);
  if (code == EO_OK) code = add_finding(x, &finding);
  if (late) x->subject->ops->relations->late(x->subject, true);
  eo_vec_release(&best);
  eo__finding_release(&finding);
  return code;
}

/* A probe or a scout has failed, whose execution counts nowhere: its failure goes with the slice, to be confirmed and
 * described at the end of the run if the executions that count have not shown it by then. Until then it changes nothing,
 * so that what is explored does not depend on what is drawn beside. */
static bool met_beside(void *context, eo_strategy *strategy, const eo_outcome *outcome) {
  exploration *x = context;
  for (size_t i = 0; i < x->beside.count; i++)
    if (eo__failure_same(&x->beside.items[i], outcome->failure)) return true;
  if (x->beside.count == MOST_BESIDE) return true;
  eo_finding finding;
  eo_schedule schedule = {0};
  eo_text text;
  eo__finding_init(&finding);
  eo__text_init(&text);
  finding.failure = *outcome->failure;
  finding.depth = outcome->depth;
  finding.beside = true;
  if (!eo_vec_push(&x->beside, *outcome->failure) || !plain_schedule(x, strategy, outcome, &schedule)) {
    eo__error_nomem(&x->error);
  } else {
    write_schedule(x->subject, schedule.items, schedule.count, &text);
    finding.schedule = text.failed ? NULL : eo__strdup(text.chars);
    if (finding.schedule)
      add_finding(x, &finding);
    else
      eo__error_nomem(&x->error);
  }
  eo__text_release(&text);
  eo_vec_release(&schedule);
  eo__finding_release(&finding);
  return x->error.code == EO_OK;
}

/* No failure, unless it was asked for (--depth-fails); but what it would have gone on with is left open. */
static void note_cut(exploration *x, const eo_outcome *outcome) {
  x->news.doubts |= EO_DOUBT_DEPTH;
  x->news.cut++;
  if (*x->endless || outcome->end != EO_END_CUT) return;
  eo_text words;
  eo_schedule plain = {0};
  bool late = x->inner->late, idle = x->request->options.timeouts_idle != 0;
  eo__text_init(&words);
  eo__engine_leave(&x->engine);
  if (!plain_schedule(x, x->inner, outcome, &plain)) eo__error_nomem(&x->error);
  if (late) x->subject->ops->relations->late(x->subject, false);
  if (plain.count) eo__endless_words(x->subject, plain.items, (uint32_t)plain.count, idle, &words, &x->error);
  if (late) x->subject->ops->relations->late(x->subject, true);
  snprintf(x->endless, sizeof x->endless, "%s", words.failed ? "" : words.chars);
  eo_vec_release(&plain);
  eo__text_release(&words);
}

static bool ended(void *context, const eo_outcome *outcome) {
  exploration *x = context;
  if (outcome->end == EO_END_CUT) note_cut(x, outcome);
  if (!outcome->failure) return true;
  if (!outcome->counted) return met_beside(x, x->inner, outcome);
  /* An audit can make one fail that the strategy does not count: it is told all the same. */
  x->news.failures +=
      outcome->end == EO_END_FAILED && x->news.failures < x->news.meter.executions + x->news.meter.pruned;
  if (outcome->failure->kind == EO_KIND_DEPTH) note_cut(x, outcome);
  x->broken = outcome->failure->kind == EO_KIND_NONDETERMINISM;
  /* The last one ends everything, so it is told whether or not an earlier run has told it. */
  if (x->broken || !seen_before(x, outcome->failure)) {
    x->news.findings++;
    if (!eo_vec_push(&x->seen, *outcome->failure)) eo__error_nomem(&x->error);
    report(x, outcome);
    x->cell->recall = 1; /* the parent shall have it, whatever comes next */
  }
  x->fatal = false;
  return x->error.code == EO_OK;
}

/* ---- A slice ------------------------------------------------------------------------------------------------------ */

static uint64_t states(const exploration *x) {
  return x->inner->ops->telling->states ? x->inner->ops->telling->states(x->inner) : 0;
}

static void between(void *context) {
  exploration *x = context;
  eo__worker_check();
  x->news.delays = delays(x);
  x->news.states = states(x) - x->states;
  x->news.counts = x->engine.counts;
  x->news.gained = x->share >= 0 && x->news.meter.share >= 0 ? x->news.meter.share - x->share : 0;
  memcpy(x->cell->news, &x->news, sizeof x->news);
}

/* Of a worker that comes after others that died. */
__attribute__((noinline)) static bool refuses_step(exploration *x, uint32_t depth, eo_failure *failure) {
  eo__worker_check();
  if (x->fatal && depth == x->fatal_depth) { /* it is run again, to be certain */
    *failure = x->fatal_failure;
    return true;
  }
  if (!kills_worker(x->cell, &x->engine, depth, failure)) return false;
  x->fatal = true;
  x->fatal_failure = *failure;
  x->fatal_depth = depth;
  x->cell->recall = 1; /* the next death shall not cost the way here once more */
  return true;
}

static bool before_step(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  exploration *x = context;
  (void)execution;
  if (__builtin_expect(!x->cell->wary, 1)) return false;
  return refuses_step(x, depth, failure);
}

static void close_strategy(exploration *x) {
  if (!x->strategy) return;
  eo__engine_release(&x->engine);
  x->strategy->ops->close(x->strategy);
  x->strategy = NULL;
}

/* The strategy with what was claimed, and the engine; as they are, if that is just what they have left. */
static int get_ready(exploration *x) {
  const eo_bytes *bytes = &x->claim.bytes;
  bool same = x->strategy && bytes->count == x->saved.count &&
              (bytes->count == 0 || memcmp(bytes->items, x->saved.items, bytes->count) == 0);
  if (same) {
    eo_stop_options stop = limits(x);
    eo__stop_again(x->stop, &stop);
  } else {
    close_strategy(x);
    if (!open_strategy(x)) return x->error.code;
    eo__engine_init(&x->engine, x->subject, x->strategy);
    x->engine.max_depth = depth_limit(&x->request->options);
    x->engine.depth_fails = x->request->options.depth_fails != 0;
    x->engine.place = &x->cell->place;
    x->engine.ended = ended;
    x->engine.between = between;
    x->engine.before_step = before_step;
    x->engine.audits = true;
    x->engine.context = x;
    if (bytes->count && !is_last(x)) {
      int code = x->strategy->ops->fragments->load(x->strategy, bytes->items, bytes->count, &x->error);
      if (code != EO_OK) return code;
    }
  }
  x->news = (eo_news){.meter.share = -1};
  x->probed = (eo_estimate){0};
  x->share = x->strategy->ops->telling->share(x->strategy);
  x->states = states(x);
  x->engine.counts = (eo_engine_counts){0};
  x->engine.executions = 0;
  if (x->request->visited) eo__visited_slice(x->request->visited);
  if (x->request->heats) eo__heats_look(x->request->heats);
  x->cell->place.execution = 0; /* before the fragment: the place is meant within it */
  x->cell->fragment = x->claim.fragment;
  return EO_OK;
}

/* After a slice that leaves something to do: what is finished needs no estimate. Whoever began with the whole probes a
 * little; after that all do, while the estimate can be better, for a small part of their time. What is drawn depends on the
 * fragment, so that it is new in every slice, and the same in the same one. A worker that is to stop, or to hand over what
 * it has and go on, does not probe. */
static int probe(exploration *x) {
  static const eo_probe_limits at_start = {2048, 200000, 1}, later = {64, 20000, 0.1};
  const eo_bytes *bytes = &x->claim.bytes;
  bool whole = bytes->count == 0, due = x->probe_seconds < PROBE_PART * x->all_seconds;
  if (x->claim.executions == 0 || !(whole || due) || eo__estimate_within(&x->all_probed, EO_PROBED_WELL)) return EO_OK;
  bool goes_on = x->news.meter.executions < x->claim.executions;
  if (x->cell->stop || (x->cell->recall && goes_on) || x->broken) return EO_OK;
  if (x->news.failures && !x->request->options.keep_going) return EO_OK;
  eo__engine_leave(&x->engine);
  double started = eo__seconds();
  uint64_t seed = XXH3_64bits_withSeed(whole ? "" : (const char *)bytes->items, bytes->count, x->request->options.seed);
  eo_probe_listener listener = {x, met_beside};
  x->cell->hurry = 1;
  int code =
      eo__probe(x->request, x->subject, x->cell, seed, whole ? &at_start : &later, &listener, &x->probed, &x->error);
  x->cell->hurry = 0;
  if (code == EO_OK) code = x->error.code;
  eo__estimate_add(&x->all_probed, &x->probed);
  x->probe_seconds += eo__seconds() - started;
  return code;
}

static bool add_rest(exploration *x, eo_bytes *piece) {
  if (!eo_vec_push(&x->slice.rest, *piece)) {
    eo_vec_release(piece);
    return false;
  }
  *piece = (eo_bytes){0};
  return true;
}

static bool copy(eo_bytes *to, const eo_bytes *from) {
  eo_vec_clear(to);
  if (from->count && !eo_vec_reserve(to, from->count)) return false;
  if (from->count) memcpy(to->items, from->items, from->count);
  to->count = from->count;
  return true;
}

/* Gives away what is wanted, then puts away what remains. */
static int leave_rest(exploration *x) {
  eo_strategy *strategy = x->strategy;
  eo_bytes kept = {0}, piece = {0};
  bool good = true, looked = x->claim.executions == 0;
  if (!x->inner->ops->fragments || looked) { /* nothing was run; or it is only told that it is not finished */
    good = copy(&kept, &x->claim.bytes) && add_rest(x, &kept);
    if (looked) close_strategy(x); /* an execution was begun */
    return good ? EO_OK : eo__error_nomem(&x->error);
  }
  for (uint32_t i = 1; good && i < x->claim.pieces && strategy->ops->fragments->split(strategy, &piece); i++)
    good = add_rest(x, &piece);
  eo_vec_release(&piece);
  good = good && !strategy->error && strategy->ops->fragments->save(strategy, &kept) && copy(&x->saved, &kept);
  if (good) return add_rest(x, &kept) ? EO_OK : eo__error_nomem(&x->error);
  eo_vec_release(&kept);
  return eo__error_nomem(&x->error);
}

static uint32_t doubts(const exploration *x) {
  uint32_t of_subject = x->subject->ops->auditing ? x->subject->ops->auditing->doubts(x->subject) : 0;
  return x->news.doubts | x->inner->doubts | x->engine.doubts | of_subject;
}

static void tally(exploration *x) {
  eo_tally *t = &x->slice.tally;
  *t = (eo_tally){.executions = x->news.meter.executions,
                  .pruned = x->news.meter.pruned,
                  .transitions = x->engine.counts.transitions,
                  .skipped = x->engine.counts.skipped,
                  .states = states(x) - x->states,
                  .failures = x->news.failures,
                  .max_depth = x->news.meter.max_depth,
                  .estimate = x->probed,
                  .doubts = doubts(x),
                  .settles = x->inner->settles,
                  .cut = x->news.cut};
  memcpy(t->endless, x->endless, sizeof t->endless);
  eo_text covered;
  eo__text_init(&covered);
  t->coverage = x->strategy->ops->telling->coverage(x->strategy, &covered);
  snprintf(t->covered, sizeof t->covered, "%s", covered.chars);
  bool shares = x->subject->ops->relations && x->subject->ops->relations->shares(x->subject);
  if (shares && t->coverage == EO_COVERS_ALL) t->doubts |= EO_ASSUMED_SHARED;
  eo__text_clear(&covered);
  if (x->inner->ops->telling->reached) t->hit = x->inner->ops->telling->reached(x->inner, &covered);
  if (x->inner->ops->telling->reached && t->hit >= 0) snprintf(t->reached, sizeof t->reached, "%s", covered.chars);
  eo__text_release(&covered);
}

static void release_slice(eo_slice *slice) {
  for (size_t i = 0; i < slice->rest.count; i++) eo_vec_release(&slice->rest.items[i]);
  for (size_t i = 0; i < slice->findings.count; i++) eo__free(slice->findings.items[i]);
  eo_vec_release(&slice->rest);
  eo_vec_release(&slice->findings);
  *slice = (eo_slice){0};
}

static int explore_claim(exploration *x) {
  double started = eo__seconds();
  int code = get_ready(x);
  if (code == EO_OK) code = eo__engine_run(&x->engine, &x->error);
  if (code == EO_OK) code = x->error.code;
  bool more = *x->stopped || x->broken;
  if (code == EO_OK && more) code = probe(x);
  if (code != EO_OK) return code;
  x->news.estimate = x->probed;
  tally(x);
  x->news.meter.share = more ? x->strategy->ops->telling->share(x->strategy) : 1;
  between(x);
  if (more)
    code = leave_rest(x);
  else
    close_strategy(x);
  x->slice.seconds = eo__seconds() - started;
  x->all_seconds += x->slice.seconds;
  return code;
}

/* ---- Life of a worker --------------------------------------------------------------------------------------------- */

static int know(exploration *x, const eo_strings *findings) {
  for (size_t i = 0; i < findings->count; i++) {
    eo_finding finding;
    eo__finding_init(&finding);
    int code = eo__finding_from_json(&finding, findings->items[i], &x->error);
    if (code == EO_OK && !eo_vec_push(&x->seen, finding.failure)) code = eo__error_nomem(&x->error);
    eo__finding_release(&finding);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

static int take_and_explore(exploration *x, eo_frontier *frontier, const char *name) {
  long patience = 1000000; /* nanoseconds; doubled while there is nothing, to a 20th of a second */
  for (;;) {
    eo_taken taken;
    bool accepted;
    int code = frontier->ops->take(frontier, name, eo__seconds(), &x->claim, &taken, &x->error);
    if (code != EO_OK || taken == EO_TAKE_END) return code;
    if (taken == EO_TAKE_WAIT) {
      nanosleep(&(struct timespec){.tv_nsec = patience}, NULL);
      if (patience < 50000000) patience *= 2;
      continue;
    }
    patience = 1000000;
    size_t seen = x->seen.count, beside = x->beside.count;
    code = explore_claim(x);
    if (code == EO_OK)
      code = frontier->ops->done(frontier, name, eo__seconds(), &x->claim, &x->slice, &accepted, &x->error);
    release_slice(&x->slice);
    eo_vec_release(&x->claim.bytes);
    x->cell->recall = 0; /* it was meant for this claim */
    if (code != EO_OK) return code;
    if (!accepted) { /* nobody has heard of what was found there, and nobody else's rest goes on from it */
      x->seen.count = seen;
      x->beside.count = beside;
      x->broken = false;
      close_strategy(x);
    }
  }
}

int eo__worker_loop(const eo_request *request, eo_frontier *frontier, const char *name, eo_cell *cell,
                    const eo_strings *known, eo_error *error) {
  eo_request own = *request;
  exploration x = {.request = &own, .cell = cell};
  int code = own.visited ? EO_OK : eo__request_visited(&own, &x.error); /* of a cluster: each process for itself */
  if (code == EO_OK) x.subject = eo__worker_subject(&own, cell, &x.error);
  if (!x.subject) code = x.error.code;
  if (code == EO_OK && known) code = know(&x, known);
  if (code == EO_OK) code = take_and_explore(&x, frontier, name);
  close_strategy(&x);
  eo_vec_release(&x.seen);
  eo_vec_release(&x.beside);
  eo_vec_release(&x.saved);
  if (x.subject) x.subject->ops->close(x.subject);
  if (!request->visited) eo__visited_close(own.visited);
  if (code != EO_OK && error) *error = x.error;
  return code;
}

/* ---- Replay ----------------------------------------------------------------------------------------------------- */

typedef struct replaying {
  eo_cell *cell;  /* NULL: debugging */
  uint32_t pause; /* the step to pause before */
  eo_subject *subject;
  uint32_t process; /* that takes it */
  const eo_engine *engine;
} replaying;

static bool before_replayed(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  const replaying *r = context;
  if (r->cell) {
    eo__worker_check();
    (void)execution;
    return kills_worker(r->cell, r->engine, depth, failure);
  }
  if (depth == r->pause) r->subject->ops->describing->halt(r->subject, r->process, depth + 1);
  return false;
}

/* The choice a step of a ticket means. False: it names no process. */
static bool read_step(eo_subject *subject, const eo_ticket_step *step, eo_choice *choice) {
  *choice = (eo_choice){.process = subject->ops->processes->number(subject, step->process), .value = step->value};
  if (choice->process == EO_NO_PROCESS) return false;
  if (!step->takes) return true;
  choice->kind = EO_CHOICE_TAKE;
  if (!*step->from) return true;
  uint32_t from = subject->ops->processes->number(subject, step->from);
  if (from == EO_NO_PROCESS || step->nth > MOST_MESSAGES) return false;
  choice->value = subject->ops->relations->message(subject, from, step->nth);
  return true;
}

static int ticket_choices(eo_subject *subject, const eo_ticket *ticket, eo_schedule *choices, eo_error *error) {
  for (size_t i = 0; i < ticket->steps.count; i++) {
    const eo_ticket_step *step = &ticket->steps.items[i];
    eo_choice choice;
    if (!read_step(subject, step, &choice))
      return eo__error_set(error, EO_EINPUT, "step %zu of the ticket: '%s%s%s' is not a process of this program", i + 1,
                           step->process, step->takes ? "' or '" : "", step->from);
    if (!eo_vec_push(choices, choice)) return eo__error_nomem(error);
  }
  return EO_OK;
}

static int reverse_replayed(const eo_request *request, eo_subject *subject, eo_cell *cell, const eo_schedule *choices,
                            eo_finding *finding, eo_error *error) {
  eo_kind kind = finding->failure.kind;
  eo_patience patience = {&cell->stop, REVERSE_SECONDS};
  if (kind == EO_KIND_NONE || kind == EO_KIND_LOOP || kind == EO_KIND_NONDETERMINISM) return EO_OK;
  if (find_fatal(cell, cell->place.execution, REVERSING)) return EO_OK; /* an earlier attempt died */
  cell->place.depth = REVERSING;
  return eo__reverse(subject, depth_limit(&request->options), &patience, choices, finding, error);
}

/* Runs the execution that a probe or a scout has failed in once more. *again: how that ended. */
static int run_beside(exploration *x, const eo_finding *finding, const eo_schedule *choices, eo_failure *again) {
  eo_strategy *strategy = eo__replay_open(choices->items, (uint32_t)choices->count, &x->error);
  if (!strategy) return x->error.code;
  eo__engine_init(&x->engine, x->subject, strategy);
  x->engine.max_depth = depth_limit(&x->request->options);
  x->engine.no_checkpoints = true;
  x->engine.place = &x->cell->place;
  x->engine.before_step = before_step;
  x->engine.context = x;
  int code = eo__engine_expect(&x->engine, finding->failure.kind, finding->failure.message, &x->error);
  if (code == EO_OK) code = eo__engine_run(&x->engine, &x->error);
  *again = x->engine.failure;
  eo__engine_release(&x->engine);
  strategy->ops->close(strategy);
  return code;
}

int eo__worker_confirm(const eo_request *request, const eo_finding *finding, eo_cell *cell, char **json,
                       eo_error *error) {
  exploration x = {.request = request, .cell = cell};
  eo_ticket ticket;
  eo_schedule choices = {0};
  eo_failure again = {0};
  eo__ticket_init(&ticket);
  *json = NULL;
  int code = eo__schedule_parse(&ticket, finding->schedule ? finding->schedule : "", &x.error);
  if (code == EO_OK && !(x.subject = eo__worker_subject(request, cell, &x.error))) code = x.error.code;
  if (code == EO_OK) code = ticket_choices(x.subject, &ticket, &choices, &x.error);
  if (code == EO_OK) code = run_beside(&x, finding, &choices, &again);
  if (code == EO_OK) {
    eo_outcome outcome = {EO_END_FAILED, (uint32_t)choices.count, &again, choices.items, true};
    if (!eo__failure_same(&again, &finding->failure)) eo__recheck_differs(&finding->failure, &again, &again);
    x.met_beside = true;
    code = report(&x, &outcome);
  }
  if (code == EO_OK && x.slice.findings.count) *json = eo_vec_pop(&x.slice.findings);
  release_slice(&x.slice);
  eo_vec_release(&choices);
  eo__ticket_release(&ticket);
  if (x.subject) x.subject->ops->close(x.subject);
  if (code != EO_OK) *error = x.error;
  return code;
}

/* Plain steps of a model do not tell how they relate, so that no pattern can be looked for in them. But a model that has
 * taken the same steps has done the same: there is nothing in it that could be otherwise. */
static void follows_from_steps(const eo_ticket *ticket, eo_finding *finding) {
  if (finding->failure.kind != EO_KIND_NONE) return;
  finding->failure.kind = ticket->kind;
  memcpy(finding->failure.message, ticket->message, sizeof finding->failure.message);
}

int eo__worker_replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, eo_cell *cell,
                      eo_finding *finding, eo_error *error) {
  eo_schedule choices = {0};
  eo_subject *subject = eo__worker_subject(request, cell, error);
  if (!subject) return error->code;
  if (request->model) eo__promela_subject_await(subject, ticket->kind, ticket->message, ticket->at);
  int code = ticket_choices(subject, ticket, &choices, error);
  uint32_t all = (uint32_t)choices.count, last = until && until < all ? until : all;
  eo_strategy *strategy = code == EO_OK ? eo__replay_open(choices.items, cell ? last : all, error) : NULL;
  if (strategy) {
    replaying r = {cell, last ? last - 1 : 0, subject, last ? choices.items[last - 1].process : EO_NO_PROCESS, NULL};
    eo_engine engine;
    r.engine = &engine;
    eo__engine_init(&engine, subject, strategy);
    engine.max_depth = depth_limit(&request->options);
    engine.no_checkpoints = true;
    engine.describe = finding;
    if (cell) engine.place = &cell->place;
    engine.before_step = before_replayed;
    engine.context = &r;
    code = eo__engine_expect(&engine, ticket->kind, ticket->message, error);
    if (code == EO_OK) code = eo__engine_run(&engine, error);
    finding->failure = engine.failure;
    finding->depth = (uint32_t)finding->lines.count;
    if (ticket->kind == EO_KIND_SEQUENCE && !eo_subject_relates_plain(subject) && finding->depth == all)
      follows_from_steps(ticket, finding);
    if (code == EO_OK && (!subject->ops->describing->end(subject, finding) || !eo__finding_number(finding)))
      code = eo__error_nomem(error);
    eo__engine_release(&engine);
    strategy->ops->close(strategy);
    if (code == EO_OK && cell && request->reverse && last == all)
      code = reverse_replayed(request, subject, cell, &choices, finding, error);
  }
  eo_vec_release(&choices);
  subject->ops->close(subject);
  return code;
}
