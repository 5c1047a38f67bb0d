/* cmd_estimate.c: says of each test how many executions there are to explore, from random ones; nothing is explored and
 * nothing reported. */
#include <jansson.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json_file.h"
#include "core/program.h"
#include "registry/registry.h"
#include "report/shown.h"

enum { NAME_COLUMNS = 24 };

typedef struct session {
  const eo_front *front;
  eo_options options;
  eo_text described;
  FILE *out;
  eo_json_file json;
  json_t *tests; /* NULL: no JSON is wanted */
  bool failed;   /* no memory for it */
  int status;
} session;

/* What was run to draw so many executions takes longer than exploring them, which shares first steps. */
static double time_of(const eo_forecast *forecast) {
  const eo_estimate *estimate = &forecast->estimate;
  return forecast->seconds / (double)estimate->probes * eo__estimate_mean(estimate);
}

static void print_time(FILE *out, double seconds) {
  static const struct {
    double seconds;
    const char *unit;
  } units[] = {{365.25 * 86400, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
  size_t i = 0;
  while (i < sizeof(units) / sizeof(units[0]) - 1 && seconds < 2 * units[i].seconds) i++;
  double count = seconds / units[i].seconds;
  if (count >= 1e6)
    fputs("a million years and more", out);
  else if (seconds < 1)
    fputs("under 1 s", out);
  else
    fprintf(out, "about %.0f %s", count, units[i].unit);
}

static void print_forecast(session *s, const eo_test *test, const eo_forecast *forecast) {
  const eo_estimate *estimate = &forecast->estimate;
  double mean = eo__estimate_mean(estimate);
  char expected[64], digits[32];
  eo__shown(s->out, test->name, NAME_COLUMNS);
  fprintf(s->out, "  %s executions of ~%.0f steps, ",
          eo__shown_estimate(expected, mean, mean + 2 * eo__estimate_error(estimate)),
          (double)estimate->steps / (double)estimate->probes);
  print_time(s->out, time_of(forecast));
  fprintf(s->out, "   (%s probes%s)\n", eo__text_thousands(digits, estimate->probes),
          forecast->killed ? "; the last one ended the whole process, or did not end" : "");
  if (forecast->failed == 0) return;
  fprintf(s->out, "      %s of the probes failed: ", eo__text_thousands(digits, forecast->failed));
  eo__shown(s->out, forecast->failure, 0);
  fputs("\n      everyorder test shows how\n", s->out);
}

static void add_json(session *s, const eo_test *test, const eo_forecast *forecast) {
  const eo_estimate *estimate = &forecast->estimate;
  double mean = eo__estimate_mean(estimate), error = 2 * eo__estimate_error(estimate);
  json_t *object = json_pack(
      "{s:s,s:s,s:s,s:s,s:s,s:{s:f,s:f,s:f,s:I},s:f,s:f,s:I}", "program", s->front->program, "subject", "actor", "test",
      test->name, "strategy", eo__strategy_find(s->options.strategy)->name, "options", s->described.chars, "estimate",
      "executions", mean, "low", mean > error + 1 ? mean - error : 1.0, "high", mean + error, "probes",
      (json_int_t)estimate->probes, "steps", (double)estimate->steps / (double)estimate->probes, "seconds",
      time_of(forecast), "failed", (json_int_t)forecast->failed);
  json_t *failure = *forecast->failure ? json_string(forecast->failure) : NULL; /* NULL: no text that JSON can hold */
  if (failure != NULL && json_object_set_new(object, "failure", failure) != 0) s->failed = true;
  json_t *params = json_object();
  for (size_t i = 0; test->row != NULL && i < test->row->count; i++)
    if (json_object_set_new(params, test->row->names[i], json_string(test->row->values[i])) != 0) s->failed = true;
  if (json_object_set_new(object, "params", params) != 0) s->failed = true;
  if (json_array_append_new(s->tests, object) != 0) s->failed = true;
}

static void estimate(session *s, eo_test *test) {
  eo_request request;
  eo_forecast forecast;
  eo_error error = {0};
  eo__request_init(&request, s->front, test);
  request.options = s->options;
  fflush(NULL);
  if (eo__estimate(&request, &forecast, &error) == EO_OK) {
    print_forecast(s, test, &forecast);
    if (s->tests != NULL) add_json(s, test, &forecast);
    if (forecast.failed > 0 || forecast.killed) s->status = EO_STATUS_FINDING; /* it weighs more than an error */
    return;
  }
  eo__shown(s->out, test->name, NAME_COLUMNS);
  fprintf(s->out, "  %s\n", error.text);
  if (s->status != EO_STATUS_FINDING) s->status = error.code == EO_EBUG ? EO_STATUS_INTERNAL : EO_STATUS_USAGE;
}

static int open_json(session *s, const eo_args *args, eo_error *error) {
  s->out = args->json != NULL && strcmp(args->json, "-") == 0 ? stderr : stdout;
  if (args->json == NULL) return EO_OK;
  s->tests = json_array();
  return s->tests != NULL ? eo__json_file_open(&s->json, "--json", args->json, error) : eo__error_nomem(error);
}

static int finish_json(session *s, eo_error *error) {
  if (s->json.stream == NULL) return EO_OK;
  json_t *all = json_pack("{s:i,s:s,s:O}", "everyorder", 1, "version", EO_VERSION, "tests", s->tests);
  char *chars = s->failed || all == NULL ? NULL : json_dumps(all, JSON_INDENT(2));
  if (chars != NULL) fprintf(s->json.stream, "%s\n", chars);
  free(chars);
  json_decref(all);
  return eo__json_file_finish(&s->json, error);
}

static int check(session *s, const eo_args *args, eo_error *error) {
  eo_request request;
  int code = eo__tests_prepare(args, error);
  if (code != EO_OK) return code;
  eo__request_init(&request, s->front, eo__tests());
  request.options = s->options;
  return eo__estimate_check(&request, error);
}

int eo__cmd_estimate(const eo_front *front, const eo_args *args) {
  session s = {.front = front};
  eo_error error = {0};
  eo__args_explore(args, &s.options);
  eo__text_init(&s.described);
  eo__args_describe(args, &s.described);
  int code = s.described.failed ? eo__error_nomem(&error) : check(&s, args, &error);
  if (code == EO_OK) code = open_json(&s, args, &error);
  if (code == EO_OK) {
    eo__catch_signals();
    for (eo_test *test = eo__tests(); test != NULL && !*eo__stop_flag(); test = test->next)
      if (eo__test_wanted(args, test)) estimate(&s, test);
    if (*eo__stop_flag() && s.status == EO_STATUS_CLEAN) s.status = EO_STATUS_INCOMPLETE;
    code = finish_json(&s, &error);
  }
  int failed = code != EO_OK ? eo__fail(front, &error) : EO_STATUS_CLEAN;
  json_decref(s.tests);
  eo__text_release(&s.described);
  return code == EO_OK || s.status == EO_STATUS_FINDING ? s.status : failed;
}
