/* worker.c: an exploration in its own process: subject, strategy and wrappers, engine; and what becomes of a failure:
 * it is minimised, described and sent to the parent. A failure that was seen before is only counted. */
#include "registry/worker.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "core/minimise.h"
#include "registry/registry.h"
#include "subjects/actor/actor.h"

enum { MOST_DISTINCT = 1000, MINIMISE_SECONDS = 10, MOST_MESSAGES = 10000000 /* of one process */ };

/* What place.depth says while a failure is minimised: a death then is a death of that. */
#define MINIMISING (UINT32_MAX - 1)

typedef struct exploration {
  const eo_request *request;
  eo_worker *worker;
  eo_subject *subject;
  eo_strategy *strategy;
  eo_engine engine;
  eo_news news;
  EO_VEC(eo_failure) seen;
  bool fatal; /* the execution under way was cut off: it kills workers */
  eo_error error;
} exploration;

static uint32_t depth_limit(const eo_options *options) { return options->depth ? options->depth : EO_DEFAULT_DEPTH; }

static eo_subject *open_subject(const eo_request *request, eo_error *error) {
  eo_actor_options options = {
      .function = request->function,
      .argument = request->argument,
      .timeouts_idle = request->options.timeouts_idle,
      .leaks = request->options.leaks,
      .watchdog = request->options.watchdog > 0 ? request->options.watchdog : EO_DEFAULT_WATCHDOG,
  };
  if (request->options.delivery) eo_delivery_parse(request->options.delivery, &options.delivery); /* it was checked */
  return eo__actor_open(&options, error);
}

static eo_strategy *open_strategy(exploration *x) {
  const eo_options *options = &x->request->options;
  const eo_strategy_entry *entry = eo__strategy_find(options->strategy);
  eo_strategy_options wanted = {.bounded = options->bounded,
                                .bound = (uint32_t)options->bound,
                                .seed = options->seed,
                                .executions = options->executions,
                                .reduction = options->reduction,
                                .subject = x->subject};
  if (options->delivery) eo_delivery_parse(options->delivery, &wanted.delivery);
  eo_stop_options stop = {.executions = options->executions,
                          .seconds = options->seconds,
                          .at_failure = !options->keep_going,
                          .flag = &x->worker->cell->stop,
                          .reason = x->news.stopped};
  eo_strategy *strategy = entry->open(&wanted, &x->error);
  strategy = eo__stop_open(strategy, &stop, &x->error);
  strategy = eo__meter_open(strategy, &x->news.meter, &x->error);
  return eo__recheck_open(strategy, &x->error);
}

/* Is this a step that killed workers? *failure then says so. */
static bool kills_worker(eo_worker *worker, uint64_t execution, uint32_t depth, eo_failure *failure) {
  if (__builtin_expect(worker->cell->fatal_count == 0, 1)) return false;
  const eo_fatal *fatal = eo_worker_fatal(worker, execution, depth);
  if (!fatal) return false;
  memset(failure, 0, sizeof *failure);
  failure->kind = EO_KIND_CRASH;
  int number = WIFSIGNALED(fatal->status) ? WTERMSIG(fatal->status) : WEXITSTATUS(fatal->status);
  snprintf(failure->message, sizeof failure->message,
           WIFSIGNALED(fatal->status) ? "the next step kills the whole process with signal %d (%s)"
                                      : "the next step ends the whole process with status %d%s",
           number, WIFSIGNALED(fatal->status) ? strsignal(number) : "");
  return true;
}

/* ---- Failures --------------------------------------------------------------------------------------------------- */

static void write_step(eo_subject *subject, eo_choice choice, eo_ticket_step *step) {
  subject->ops->process_name(subject, choice.process, step->process, sizeof step->process);
  step->takes = choice.kind == EO_CHOICE_TAKE;
  if (!step->takes) {
    step->value = choice.value;
  } else if (choice.value) {
    eo_sent sent = subject->ops->sent(subject, choice.value);
    subject->ops->process_name(subject, sent.from, step->from, sizeof step->from);
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
  eo_schedule_write(steps.items, count, out);
  eo_vec_release(&steps);
}

/* Runs these choices once more, telling each step into *finding. */
static int describe(eo_subject *subject, const eo_choice *choices, uint32_t count, uint32_t max_depth,
                    eo_finding *finding, eo_error *error) {
  eo_strategy *strategy = eo__replay_open(choices, count, error);
  if (!strategy) return EO_ENOMEM;
  eo_engine engine;
  eo_engine_init(&engine, subject, strategy);
  engine.max_depth = max_depth;
  engine.no_checkpoints = true;
  engine.describe = finding;
  int code = eo_engine_run(&engine, error);
  if (code == EO_OK && finding->failure.kind == EO_KIND_NONE) finding->failure = engine.failure;
  if (code == EO_OK && engine.failure.kind == EO_KIND_SHARING) finding->failure = engine.failure; /* with both places */
  if (code == EO_OK && !subject->ops->end(subject, finding)) code = eo_error_nomem(error);
  finding->depth = (uint32_t)finding->lines.count;
  eo_engine_release(&engine);
  strategy->ops->close(strategy);
  return code;
}

static void send_finding(exploration *x, const eo_finding *finding) {
  char *json = eo_finding_to_json(finding);
  eo_text record;
  eo_text_init(&record);
  eo_text_add(&record, "%c%llu ", EO_RECORD_FINDING, (unsigned long long)x->news.findings);
  eo_text_append(&record, json ? json : "", json ? strlen(json) : 0);
  if (json && !record.failed) eo_worker_send(x->worker, record.chars);
  eo_text_release(&record);
  eo_free(json);
}

/* A loop costs the whole watchdog time at each try, a fatal one a worker: those are told as they are. */
static bool can_minimise(const exploration *x, const eo_failure *failure) {
  eo_failure died; /* in an earlier attempt */
  if (kills_worker(x->worker, x->engine.place->execution, MINIMISING, &died)) return false;
  return !x->fatal && failure->kind != EO_KIND_LOOP && failure->kind != EO_KIND_NONDETERMINISM;
}

static int report(exploration *x, const eo_outcome *outcome) {
  eo_finding finding;
  eo_schedule best = {0};
  uint32_t limit = depth_limit(&x->request->options);
  eo_finding_init(&finding);
  if (!eo_vec_reserve(&best, outcome->depth + 1) || !best.items) return eo_error_nomem(&x->error);
  if (outcome->depth) memcpy(best.items, outcome->choices, outcome->depth * sizeof *best.items);
  best.count = outcome->depth;
  finding.failure = *outcome->failure;
  finding.execution = x->news.meter.executions;
  finding.rechecked = outcome->failure->kind != EO_KIND_NONDETERMINISM;
  int code = EO_OK;
  if (can_minimise(x, outcome->failure)) {
    eo_patience patience = {&x->worker->cell->stop, MINIMISE_SECONDS};
    x->engine.place->depth = MINIMISING;
    code = eo_minimise(x->subject, limit, outcome->failure, &patience, &best, &finding.fewest, &x->error);
  }
  /* The step that kills workers is not run again; nor the start, if it does. */
  if (code == EO_OK && !(x->fatal && best.count == 0))
    code = describe(x->subject, best.items, (uint32_t)best.count - x->fatal, limit, &finding, &x->error);
  eo_text schedule;
  eo_text_init(&schedule);
  write_schedule(x->subject, best.items, best.count, &schedule);
  finding.schedule = eo_strdup(schedule.chars);
  eo_text_release(&schedule);
  if (code == EO_OK) send_finding(x, &finding);
  eo_vec_release(&best);
  eo_finding_release(&finding);
  return code;
}

static bool seen_before(const exploration *x, const eo_failure *failure) {
  for (size_t i = 0; i < x->seen.count; i++)
    if (eo_failure_same(&x->seen.items[i], failure)) return true;
  return x->seen.count == MOST_DISTINCT;
}

static bool ended(void *context, const eo_outcome *outcome) {
  exploration *x = context;
  if (outcome->end != EO_END_FAILED) return true;
  x->news.failures++;
  x->news.cut |= outcome->failure->kind == EO_KIND_DEPTH;
  if (outcome->failure->kind == EO_KIND_NONDETERMINISM)
    snprintf(x->news.stopped, sizeof x->news.stopped, "the program is not deterministic");
  if (!seen_before(x, outcome->failure)) {
    x->news.findings++;
    if (!eo_vec_push(&x->seen, *outcome->failure)) eo_error_nomem(&x->error);
    report(x, outcome);
  }
  x->fatal = false;
  return x->error.code == EO_OK;
}

/* ---- Life of a worker ------------------------------------------------------------------------------------------- */

static void tell(exploration *x, size_t size) {
  x->news.counts = x->engine.counts;
  memcpy(x->worker->cell->news, &x->news, size);
}

static void between(void *context) {
  exploration *x = context;
  tell(x, offsetof(eo_news, code));
  eo_worker_between(x->worker);
}

static bool before_step(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  exploration *x = context;
  if (!kills_worker(x->worker, execution, depth, failure)) return false;
  x->fatal = true;
  return true;
}
static int run(exploration *x) {
  x->subject = open_subject(x->request, &x->error);
  if (!x->subject) return x->error.code;
  x->strategy = open_strategy(x);
  if (!x->strategy) return x->error.code;
  eo_engine_init(&x->engine, x->subject, x->strategy);
  x->engine.max_depth = depth_limit(&x->request->options);
  x->engine.place = &x->worker->cell->place;
  x->engine.ended = ended;
  x->engine.between = between;
  x->engine.before_step = before_step;
  x->engine.context = x;
  int code = eo_engine_run(&x->engine, &x->error);
  if (code == EO_OK) code = x->error.code;
  eo_text covered;
  eo_text_init(&covered);
  x->news.coverage = x->strategy->ops->coverage(x->strategy, &covered);
  snprintf(x->news.covered, sizeof x->news.covered, "%s", covered.chars);
  eo_text_release(&covered);
  return code;
}

int eo__worker_explore(const eo_request *request, eo_worker *worker) {
  exploration x = {.request = request, .worker = worker};
  x.news.code = run(&x);
  snprintf(x.news.error, sizeof x.news.error, "%s", x.error.text);
  if (x.strategy) {
    double share = x.strategy->ops->share(x.strategy);
    x.news.meter.share = share;
    x.news.meter.pending = x.strategy->ops->pending(x.strategy);
    tell(&x, sizeof x.news);
    eo_engine_release(&x.engine);
    x.strategy->ops->close(x.strategy);
  } else {
    memcpy(worker->cell->news, &x.news, sizeof x.news);
  }
  eo_vec_release(&x.seen);
  if (x.subject) x.subject->ops->close(x.subject);
  char end[2] = {EO_RECORD_END, 0};
  eo_worker_send(worker, end);
  return 0;
}

/* ---- Replay ----------------------------------------------------------------------------------------------------- */

/* Where `everyorder replay --gdb` stops: the next step is the one to look at. */
__attribute__((noinline)) void eo__replay_here(uint32_t step);
void eo__replay_here(uint32_t step) { __asm__ volatile("" ::"r"(step) : "memory"); }

typedef struct replaying {
  eo_worker *worker; /* NULL: debugging */
  uint32_t pause;    /* the step to pause before */
} replaying;

static bool before_replayed(void *context, uint64_t execution, uint32_t depth, eo_failure *failure) {
  const replaying *r = context;
  if (r->worker) return kills_worker(r->worker, execution, depth, failure);
  if (depth == r->pause) eo__replay_here(depth + 1);
  return false;
}

/* The choice a step of a ticket means. False: it names no process. */
static bool read_step(eo_subject *subject, const eo_ticket_step *step, eo_choice *choice) {
  *choice = (eo_choice){.process = subject->ops->process(subject, step->process), .value = step->value};
  if (choice->process == EO_NO_PROCESS) return false;
  if (!step->takes) return true;
  choice->kind = EO_CHOICE_TAKE;
  if (!*step->from) return true;
  uint32_t from = subject->ops->process(subject, step->from);
  if (from == EO_NO_PROCESS || step->nth > MOST_MESSAGES) return false;
  choice->value = subject->ops->message(subject, from, step->nth);
  return true;
}

static int ticket_choices(eo_subject *subject, const eo_ticket *ticket, eo_schedule *choices, eo_error *error) {
  for (size_t i = 0; i < ticket->steps.count; i++) {
    const eo_ticket_step *step = &ticket->steps.items[i];
    eo_choice choice;
    if (!read_step(subject, step, &choice))
      return eo_error_set(error, EO_EINPUT, "step %zu of the ticket: '%s%s%s' is not a process of this program", i + 1,
                          step->process, step->takes ? "' or '" : "", step->from);
    if (!eo_vec_push(choices, choice)) return eo_error_nomem(error);
  }
  return EO_OK;
}

int eo__worker_replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, eo_worker *worker,
                      eo_finding *finding, eo_error *error) {
  eo_schedule choices = {0};
  eo_subject *subject = open_subject(request, error);
  if (!subject) return error->code;
  int code = ticket_choices(subject, ticket, &choices, error);
  uint32_t all = (uint32_t)choices.count, last = until && until < all ? until : all;
  eo_strategy *strategy = code == EO_OK ? eo__replay_open(choices.items, worker ? last : all, error) : NULL;
  if (strategy) {
    replaying r = {worker, last ? last - 1 : 0};
    eo_engine engine;
    eo_engine_init(&engine, subject, strategy);
    engine.max_depth = depth_limit(&request->options);
    engine.no_checkpoints = true;
    engine.describe = finding;
    if (worker) engine.place = &worker->cell->place;
    engine.before_step = before_replayed;
    engine.context = &r;
    code = eo_engine_run(&engine, error);
    finding->failure = engine.failure;
    finding->depth = (uint32_t)finding->lines.count;
    if (code == EO_OK && !subject->ops->end(subject, finding)) code = eo_error_nomem(error);
    eo_engine_release(&engine);
    strategy->ops->close(strategy);
  }
  eo_vec_release(&choices);
  subject->ops->close(subject);
  return code;
}
