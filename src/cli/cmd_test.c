/* cmd_test.c: explores the tests of this program, one after the other, and reports. */
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/cluster_test.h"
#include "cli/json_file.h"
#include "cli/live_file.h"
#include "cli/progress.h"
#include "cli/sequences.h"
#include "core/contain.h"
#include "core/graph.h"
#include "core/program.h"
#include "registry/registry.h"
#include "registry/resume.h"
#include "registry/shape.h"
#include "registry/verdict.h"

/* The reports for other tools: one reporter each, of that name, into a file that is written at the end. */
static const struct {
  const char *option, *reporter;
  size_t field; /* of eo_args */
} report_files[] = {
    {"--json", "json", offsetof(eo_args, json)},     {"--junit", "junit", offsetof(eo_args, junit)},
    {"--tap", "tap", offsetof(eo_args, tap)},        {"--sarif", "sarif", offsetof(eo_args, sarif)},
    {"--report", "html", offsetof(eo_args, report)}, {"--dot", "dot", offsetof(eo_args, dot)},
};
enum { REPORT_FILES = sizeof(report_files) / sizeof(report_files[0]) };

/* One run of the subcommand. */
typedef struct test_session {
  const eo_front *front;
  const eo_args *args;
  eo_options options;
  const char *described; /* the options, as typed */
  eo_reporter *reporters[REPORT_FILES + 2];
  size_t reporter_count;
  uint64_t told; /* findings of the test under way */
  FILE *out;
  eo_progress progress;
  eo_json_file files[REPORT_FILES];
  size_t file_count;
  eo_live_file live;
  eo_resume *resume; /* NULL: not asked for */
  eo_sequences sequences;
  eo_verdict verdict; /* of all tests so far */
  int error_status;   /* with EO_ERROR: the exit code */
} test_session;

/* ---- Exit code and signals ------------------------------------------------------------------------------------ */

/* Of an error: whether Everyorder's own one, or of usage and environment, is told by the larger of the two codes. */
static void note_error(test_session *session, int status) {
  session->verdict = eo__verdict_both(session->verdict, EO_ERROR);
  if (status > session->error_status) session->error_status = status;
}

static void note_verdict(test_session *session, eo_verdict verdict, int code) {
  session->verdict = eo__verdict_both(session->verdict, verdict);
  if (verdict == EO_ERROR)
    note_error(session,
               code == EO_EINPUT || code == EO_ESYSTEM || code == EO_ENOMEM ? EO_STATUS_USAGE : EO_STATUS_INTERNAL);
}

static int status_of(const test_session *session) {
  static const int statuses[] = {
      [EO_PASS] = EO_STATUS_CLEAN, [EO_FAIL] = EO_STATUS_FINDING, [EO_INCOMPLETE] = EO_STATUS_INCOMPLETE};
  return session->verdict == EO_ERROR ? session->error_status : statuses[session->verdict];
}

/* The first one ends the run in order, the second at once, unless it comes so soon that it is the same one: timeout(1) sends
 * each to the program and to its group. One that a worker sent is that worker's failure. */
static void on_signal(int number, siginfo_t *info, void *context) {
  enum { THE_SAME_MS = 100 };
  static volatile int64_t first;
  struct timespec now = {0};
  (void)context;
  if (info->si_code <= 0 && eo__contain_accuse(number, info->si_pid)) return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t at = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (!first) first = at;
  *eo__stop_flag() = 1;
  if (at - first <= THE_SAME_MS) return;
  signal(number, SIG_DFL);
  raise(number);
}

void eo__catch_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, before;
  sigset_t unblocked;
  sigemptyset(&action.sa_mask);
  sigemptyset(&unblocked);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaddset(&unblocked, numbers[i]);
    if (numbers[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
      continue; /* nohup */
    sigaction(numbers[i], &action, NULL);
  }
  sigprocmask(SIG_UNBLOCK, &unblocked, NULL);
}

/* Nobody reads the text any more, as after `| head`: the run ends in order, and its files are written. */
static void on_closed_output(int number) {
  (void)number;
  *eo__stop_flag() = 1;
}

static void catch_closed_output(void) {
  struct sigaction action = {.sa_handler = on_closed_output, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(SIGPIPE, &action, NULL);
}

/* ---- Reporting ------------------------------------------------------------------------------------------------ */

static void on_progress(void *context, const eo_run *run) {
  test_session *session = context;
  for (size_t i = 0; i < session->reporter_count; i++)
    if (session->reporters[i]->ops->progress != NULL) session->reporters[i]->ops->progress(session->reporters[i], run);
  eo__progress_show(&session->progress, run);
}

static void on_hush(void *context) { eo__progress_clear(&((test_session *)context)->progress); }

static void on_finding(void *context, const eo_run *run, const eo_finding *finding) {
  test_session *session = context;
  session->told++;
  eo__progress_clear(&session->progress);
  for (size_t i = 0; i < session->reporter_count; i++)
    session->reporters[i]->ops->finding(session->reporters[i], run, finding);
  fflush(session->out); /* a worker forked after this must not inherit, and print again, what is buffered */
}

static const char *file_given(const eo_args *args, size_t report) {
  return *(const char *const *)((const char *)args + report_files[report].field);
}

/* Standard output is for one of them; then the report for people goes to standard error. */
static int check_outputs(test_session *session, const eo_args *args, eo_error *error) {
  const char *taken = NULL;
  for (size_t i = 0; i < REPORT_FILES; i++) {
    const char *given = file_given(args, i);
    if (given == NULL || strcmp(given, "-") != 0) continue;
    if (taken != NULL)
      return eo__error_set(error, EO_EINPUT, "%s and %s cannot both go to standard output", taken,
                           report_files[i].option);
    taken = report_files[i].option;
  }
  session->out = taken != NULL ? stderr : stdout;
  return EO_OK;
}

static int add_reporter(test_session *session, const char *name, FILE *out, bool colour, eo_error *error) {
  eo_reporter *reporter = eo__reporter_open(name, out, colour);
  if (reporter == NULL) return eo__error_nomem(error);
  session->reporters[session->reporter_count++] = reporter;
  return EO_OK;
}

static int open_reporters(test_session *session, const eo_args *args, eo_error *error) {
  int code = check_outputs(session, args, error);
  for (size_t i = 0; i < REPORT_FILES && code == EO_OK; i++) {
    if (file_given(args, i) == NULL) continue;
    eo_json_file *file = &session->files[session->file_count];
    code = eo__json_file_open(file, report_files[i].option, file_given(args, i), error);
    if (code != EO_OK) break;
    session->file_count++;
    code = add_reporter(session, report_files[i].reporter, file->stream, false, error);
  }
  if (code == EO_OK && args->live != NULL) code = eo__live_file_open(&session->live, args->live, error);
  if (code == EO_OK && args->live != NULL) code = add_reporter(session, "live", session->live.stream, false, error);
  if (code == EO_OK) code = add_reporter(session, "text", session->out, eo__colour(args, session->out), error);
  eo__progress_init(&session->progress, args->quiet ? NULL : stderr);
  return code;
}

/* A report that could not be written is an error, whatever the tests said. */
static void close_reporters(test_session *session) {
  eo_error error;
  while (session->reporter_count > 0) {
    session->reporter_count--;
    session->reporters[session->reporter_count]->ops->close(session->reporters[session->reporter_count]);
  }
  fflush(session->out);
  for (size_t i = 0; i < session->file_count; i++)
    if (eo__json_file_finish(&session->files[i], &error) != EO_OK)
      note_error(session, eo__fail(session->front, &error));
  if (eo__sequences_finish(&session->sequences, &error) != EO_OK) note_error(session, eo__fail(session->front, &error));
  if (session->live.stream != NULL && eo__live_file_finish(&session->live, &error) != EO_OK)
    note_error(session, eo__fail(session->front, &error));
}

/* ---- Exploring ------------------------------------------------------------------------------------------------ */

/* What is known of a run whatever the exploration fills in. */
static void name_run(eo_run *run, const test_session *session, const eo_test *test) {
  run->program = session->front->program;
  run->subject = session->front->model != NULL ? "model" : "actor";
  run->test = test->name;
  run->row = test->row;
  run->strategy = eo__strategy_find(session->options.strategy)->name;
  run->options = session->described;
  run->jobs = session->options.jobs > 0 ? (uint32_t)session->options.jobs : 1;
}

static void explore(test_session *session, eo_test *test) {
  eo_run run = {.share = -1};
  eo_request request;
  eo_error error = {0};
  eo_listener listener = {session, on_progress, on_finding, on_hush};
  int code = EO_OK;
  name_run(&run, session, test);
  eo__request_init(&request, session->front, test);
  request.options = session->options;
  request.options.name = test->name;
  request.resume = session->resume;
  request.sink = eo__sequences_begin(&session->sequences);
  for (size_t i = 0; i < session->reporter_count; i++) session->reporters[i]->ops->begin(session->reporters[i], &run);
  eo__progress_begin(&session->progress);
  fflush(NULL);
  if (session->args->dot != NULL) code = (request.graph = eo__graph_open(&error)) != NULL ? EO_OK : error.code;
  bool begun = code == EO_OK && !*eo__stop_flag();
  session->told = 0;
  if (code == EO_OK && !begun) {
    eo__run_decide(&run, &(eo_facts){.stopped = "interrupted before its turn"});
  } else if (begun) {
    code = session->args->cluster != NULL
               ? eo__cluster_test(session->front, session->args, &request, &listener, &run, &error)
               : eo__explore(&request, &listener, &run, &error);
  }
  if (code != EO_OK) eo__run_fail(&run, &error);
  name_run(&run, session, test);
  eo__run_check(&run, session->told);
  run.graph = request.graph;
  eo__progress_clear(&session->progress);
  for (size_t i = 0; i < session->reporter_count; i++) session->reporters[i]->ops->end(session->reporters[i], &run);
  eo__graph_close(request.graph);
  eo_vec_release(&run.unreached_code);
  note_verdict(session, run.verdict, code);
  bool found = false;
  if (eo__sequences_end(&session->sequences, &run, session->out, &found, &error) != EO_OK)
    note_error(session, eo__fail(session->front, &error));
  if (found) note_verdict(session, EO_FAIL, EO_OK);
  fflush(session->out);
}

/* Everything that can be wrong before the first execution, so that nothing is lost to it later. */
static int check(test_session *session, const eo_args *args, eo_error *error) {
  eo_request request;
  int code = eo__tests_prepare(args, error);
  if (code == EO_OK && args->cluster != NULL) code = eo__cluster_test_check(args, error);
  if (code != EO_OK) return code;
  eo_test *test = eo__tests();
  do { /* each: what a strategy can do depends on the property of a model */
    eo__request_init(&request, session->front, test);
    request.options = session->options;
    code = eo__request_check(&request, error);
  } while (code == EO_OK && (test = test->next) != NULL);
  if (code != EO_OK || (args->resume == NULL && args->cluster == NULL)) return code;
  const eo_strategy_entry *entry = eo__strategy_find(session->options.strategy);
  bool shared = entry->search != NULL && eo__strategy_heeds(entry, EO_OPTION_OF(jobs));
  bool whole = shared && args->cluster == NULL && args->dot == NULL && !session->options.bitstate_mb &&
               !session->options.hash_compact;
  if (!whole && !eo__strategy_splits(entry, session->options.reduction))
    return eo__error_set(error, EO_EINPUT, "strategy '%s' does not support --%s: %s", entry->name,
                         args->resume != NULL ? "resume" : "cluster",
                         args->resume == NULL || entry->search == NULL ? "its search cannot be saved"
                         : shared ? "it goes with neither --dot nor --bitstate nor --hash-compact"
                                  : "its searches are small; full and por support it");
  if (eo__strategy_heeds(entry, EO_OPTION_OF(explorer)) && eo__cache_mode(&request) != EO_CACHE_OFF)
    return eo__error_set(error, EO_EINPUT, "the states that strategy '%s' has visited are not saved: %s", entry->name,
                         !eo__strategy_heeds(entry, EO_OPTION_OF(cache)) ? "it supports neither --resume nor --cluster"
                         : args->resume != NULL                          ? "--resume needs --cache off"
                                                                         : "--cluster needs --cache off");
  if (args->resume != NULL && args->cluster != NULL)
    return eo__error_set(error, EO_EINPUT, "--resume cannot be used with --cluster: Redis keeps the state of the job");
  if (args->dot != NULL && args->cluster != NULL)
    return eo__error_set(
        error, EO_EINPUT,
        "--dot cannot be used with --cluster: run the test on this machine, with --jobs to use several cores");
  if (args->cluster != NULL) return EO_OK;
  eo_text shape;
  eo__text_init(&shape);
  code = eo__shape_add(&args->explore, &shape, error);
  if (code == EO_OK) session->resume = eo__resume_open(args->resume, &request, shape.chars, error);
  eo__text_release(&shape);
  return session->resume != NULL ? EO_OK : error->code;
}

int eo__cmd_test(const eo_front *front, const eo_args *args) {
  test_session session = {.front = front, .args = args};
  eo_text described;
  eo_error error;
  eo__args_explore(args, &session.options);
  if (args->dot != NULL && session.options.strategy == NULL)
    session.options.strategy = eo__strategies[EO_STRATEGY_DFS].name; /* one that comes through every state */
  eo__text_init(&described);
  eo__args_describe(args, &described);
  session.described = described.chars;
  int code = described.failed ? eo__error_nomem(&error) : check(&session, args, &error);
  if (code == EO_OK) code = eo__sequences_open(&session.sequences, args, &error);
  if (code == EO_OK) code = open_reporters(&session, args, &error);
  if (code == EO_OK) {
    eo__catch_signals();
    catch_closed_output();
    for (eo_test *test = eo__tests(); test != NULL; test = test->next)
      if (eo__test_wanted(args, test)) explore(&session, test);
    close_reporters(&session);
  }
  eo__resume_close(session.resume);
  eo__sequences_release(&session.sequences);
  eo__text_release(&described);
  return code == EO_OK ? status_of(&session) : eo__fail(front, &error);
}

int eo__cmd_reach(const eo_front *front, const eo_args *args) {
  eo_args reach = *args;
  eo_error error;
  const eo_strategy_entry *strategy = &eo__strategies[EO_STRATEGY_REACH];
  if (args->explore.strategy != NULL && eo__strategy_find(args->explore.strategy) != strategy) {
    eo__error_set(&error, EO_EINPUT, "%s always uses its own strategy: --strategy %.64s is an option of test",
                  strategy->name, args->explore.strategy);
    return eo__fail(front, &error);
  }
  if (args->defines.count > 0 && front->model == NULL) {
    eo__error_set(&error, EO_EINPUT, "-D%.64s: a program is compiled already; -D is for models, FILE.pml",
                  args->defines.items[0]);
    return eo__fail(front, &error);
  }
  reach.explore.strategy = strategy->name;
  return eo__cmd_test(front, &reach);
}
