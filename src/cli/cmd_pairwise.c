/* cmd_pairwise.c: from a model to tests that have every pair (or more) of its values, and the check of such tests. */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/cli.h"
#include "pairwise/check.h"
#include "pairwise/generate.h"
#include "pairwise/tests_file.h"
#include "pairwise/wanted.h"

#define SHOWN_FIRST 0.5 /* seconds without a word */
#define SHOWN_EVERY 0.1
#define LONG 10.0 /* seconds, as estimated */
#define FAR_TOO_LONG 1e5

enum {
  LARGEST_FILE = 64 << 20,
  MOST_ROWS = 1000000 /* of --order max */
};

typedef struct session {
  const eo_front *front;
  const eo_args *args;
  eo_pairwise_model model;
  uint32_t order; /* 0: all combinations */
  double shown;   /* when progress was, in seconds since the start */
  int blame;      /* which exit code of PICT an error has now */
  bool on_screen;
} session;

/* ---- Files ---------------------------------------------------------------------------------------------------- */

static const char *shown_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

static int read_stream(FILE *file, const char *path, eo_text *bytes, eo_error *error) {
  char block[65536];
  size_t got = 0;
  while (bytes->length < LARGEST_FILE && (got = fread(block, 1, sizeof(block), file)) > 0)
    eo__text_append(bytes, block, got);
  if (ferror(file))
    return eo__error_set(error, EO_EINPUT, "%.256s cannot be read: %s", shown_name(path), strerror(errno));
  if (bytes->failed) return eo__error_nomem(error);
  if (bytes->length >= LARGEST_FILE)
    return eo__error_set(error, EO_EINPUT, "%.256s is too large: more than 64 MiB", shown_name(path));
  return EO_OK;
}

static int read_file(const char *path, eo_text *bytes, eo_error *error) {
  if (strcmp(path, "-") == 0) return read_stream(stdin, path, bytes, error);
  FILE *file = fopen(path, "re");
  if (file == NULL) return eo__error_set(error, EO_EINPUT, "%.256s cannot be read: %s", path, strerror(errno));
  int code = read_stream(file, path, bytes, error);
  fclose(file);
  return code;
}

static void print_lines(const session *s, const char *before, const char *lines) {
  while (*lines != '\0') {
    int length = (int)strcspn(lines, "\n");
    fprintf(stderr, "%s: %s%.*s\n", s->front->name, before, length, lines);
    lines += length + (lines[length] == '\n');
  }
}

static int read_model(session *s, eo_error *error) {
  const eo_pict_args *pict = &s->args->pict;
  eo_pairwise_syntax syntax = eo__pairwise_pict;
  eo_text bytes;
  eo__text_init(&bytes);
  if (pict->value_separator != '\0') syntax.value_separator = pict->value_separator;
  if (pict->alias_separator != '\0') syntax.alias_separator = pict->alias_separator;
  if (pict->invalid_prefix != '\0') syntax.invalid_prefix = pict->invalid_prefix;
  syntax.case_sensitive = pict->case_sensitive;
  int code = read_file(s->args->operand, &bytes, error);
  s->blame = EO_PICT_BAD_MODEL;
  if (code == EO_OK)
    code = eo__pairwise_model_read(&s->model, shown_name(s->args->operand), bytes.chars, bytes.length, &syntax, error);
  for (size_t i = 0; code == EO_OK && i < s->model.warnings.count; i++)
    print_lines(s, "warning: ", s->model.warnings.items[i]);
  if (code != EO_OK && s->model.in_constraints) s->blame = EO_PICT_BAD_CONSTRAINTS;
  eo__text_release(&bytes);
  return code;
}

static int read_tests(session *s, const char *path, unsigned strict, eo_pairwise_rows *rows, eo_text *dropped,
                      eo_error *error) {
  eo_text bytes;
  eo__text_init(&bytes);
  int code = read_file(path, &bytes, error);
  if (code == EO_OK)
    code =
        eo__pairwise_tests_read(&s->model, shown_name(path), bytes.chars, bytes.length, strict, rows, dropped, error);
  eo__text_release(&bytes);
  return code;
}

/* ---- Options -------------------------------------------------------------------------------------------------- */

static int choose_order(session *s, eo_error *error) {
  const char *given = s->args->order;
  uint64_t order = s->args->pict.order != 0 ? s->args->pict.order : 2;
  if (given != NULL && strcmp(given, "max") == 0) {
    s->order = 0;
    return EO_OK;
  }
  if (given != NULL && !eo__text_number(given, UINT32_MAX, &order))
    return eo__error_set(error, EO_EINPUT, "--order %.64s: expected a whole number from 1 to %d, or max", given,
                         EO_PAIRWISE_MAX_ORDER);
  /* What there is to combine is enough where no order is given. To PICT these are the sub-models, if there are some. */
  uint32_t units = eo__pairwise_units(&s->model);
  bool own = given == NULL && s->args->pict.order == 0;
  size_t most = s->args->pict.called ? units : s->model.params.count;
  if (own && order > most) order = most;
  if (!own && s->model.groups.count > 0 && order > units)
    return eo__error_set(error, EO_EINPUT,
                         "the order is %u, but the model has only %u sub-models and parameters outside of sub-models",
                         (unsigned)order, units);
  s->order = (uint32_t)order;
  return eo__pairwise_check_order(&s->model, s->order, error);
}

static int choose_effort(const session *s, eo_pairwise_request *request, eo_error *error) {
  const char *given = s->args->effort;
  double *seconds = &request->effort.seconds;
  if (given == NULL)
    request->work = EO_PAIRWISE_WORK;
  else if (strcmp(given, "best") == 0)
    request->work = EO_PAIRWISE_MUCH_WORK;
  else if (strcmp(given, "fast") != 0 && (!eo__text_seconds(given, seconds) || !(*seconds > 0))) {
    static const char *const words[] = {"fast", "best"};
    eo__error_set(error, EO_EINPUT, "--effort %.64s: expected fast, best, or a time such as 30s", given);
    return eo__error_suggest(error, given, words, sizeof(words) / sizeof(words[0]));
  }
  return EO_OK;
}

static void choose_seed(const session *s, eo_pairwise_effort *effort) {
  uint32_t drawn = 0;
  effort->seed = s->args->explore.seed;
  if (s->args->pict.draw_seed) {
    if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn)) drawn = (uint32_t)time(NULL);
    effort->seed = drawn;
  }
  if (s->args->pict.seed_shown) fprintf(stderr, "Used seed: %llu\n", (unsigned long long)effort->seed);
}

/* ---- Progress ------------------------------------------------------------------------------------------------- */

static bool on_progress(void *context, uint32_t tests, double elapsed) {
  session *s = context;
  if (!s->args->quiet && isatty(STDERR_FILENO) && elapsed >= SHOWN_FIRST && elapsed >= s->shown + SHOWN_EVERY) {
    fprintf(stderr, "\r%u tests  %.1f s   (Ctrl-C: stop here)\033[K", tests, elapsed);
    fflush(stderr);
    s->shown = elapsed;
    s->on_screen = true;
  }
  return !*eo__stop_flag();
}

static void clear_progress(session *s) {
  if (s->on_screen) fputs("\r\033[K", stderr);
  s->on_screen = false;
}

/* ---- Making tests --------------------------------------------------------------------------------------------- */

static int print_statistics(session *s, const eo_pairwise_rows *rows, double seconds, eo_error *error) {
  eo_pairwise_verdict verdict;
  char digits[32];
  uint32_t order = s->order != 0 ? s->order : (uint32_t)s->model.params.count;
  if (order > EO_PAIRWISE_MAX_ORDER)
    return eo__error_set(error, EO_EINPUT, "/s: combinations of more than %d values are not counted",
                         EO_PAIRWISE_MAX_ORDER);
  int code = eo__pairwise_check(&s->model, order, rows, &verdict, error);
  if (code != EO_OK) return code;
  unsigned whole = (unsigned)seconds, tests = eo_pairwise_rows_count(rows);
  if (s->args->pict.called)
    printf("Combinations:   %llu\nGenerated tests:%u\nGeneration time:%u:%02u:%02u\n",
           (unsigned long long)verdict.wanted, tests, whole / 3600, whole / 60 % 60, whole % 60);
  else
    printf("Combinations:    %s\nGenerated tests: %u\nGeneration time: %.3f s\n",
           eo__text_thousands(digits, verdict.wanted), tests, seconds);
  eo__pairwise_verdict_release(&verdict);
  return EO_OK;
}

static int print_rows(session *s, const eo_pairwise_rows *rows, double seconds, eo_error *error) {
  static const eo_pairwise_format formats[] = {EO_PAIRWISE_TEXT, EO_PAIRWISE_CSV, EO_PAIRWISE_JSON, EO_PAIRWISE_TAP};
  eo_text text;
  if (s->args->pict.statistics) return print_statistics(s, rows, seconds, error);
  eo__text_init(&text);
  eo__pairwise_tests_write(&s->model, rows, s->args->pict.json ? EO_PAIRWISE_PICT_JSON : formats[s->args->output],
                           &text);
  int code = text.failed ? eo__error_nomem(error) : EO_OK;
  if (code == EO_OK) fwrite(text.chars, 1, text.length, stdout);
  eo__text_release(&text);
  return code;
}

/* The same once more without minding columns: is there nothing else wrong? */
static void hint_at_columns(session *s, eo_error *error) {
  eo_pairwise_rows rows;
  eo_text dropped, text;
  eo_error other = {0};
  eo__pairwise_rows_init(&rows, (uint32_t)s->model.params.count);
  eo__text_init(&dropped);
  eo__text_init(&text);
  if (strcmp(s->args->existing, "-") != 0 && read_tests(s, s->args->existing, 0, &rows, &dropped, &other) == EO_OK) {
    eo__text_add(&text, "%s; to ignore a column that is no parameter any more: --drop-unknown", error->text);
    if (!text.failed) eo__error_set(error, EO_EINPUT, "%s", text.chars);
  }
  eo__text_release(&text);
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&rows);
}

/* What is no longer there is told with the rows that are no longer valid. */
static int read_existing(session *s, eo_pairwise_rows *rows, eo_error *error) {
  eo_text dropped;
  eo__text_init(&dropped);
  int code =
      read_tests(s, s->args->existing, s->args->drop_unknown ? 0 : EO_PAIRWISE_STRICT_COLUMNS, rows, &dropped, error);
  if (code == EO_OK) print_lines(s, "", dropped.chars);
  if (code == EO_EINPUT && !s->args->drop_unknown) hint_at_columns(s, error);
  eo__text_release(&dropped);
  return code;
}

/* Existing tests are read for what is wrong with them: those that are valid are among all. */
static int make_all(session *s, eo_error *error) {
  eo_pairwise_rows rows;
  double started = eo__seconds();
  int code = EO_OK;
  eo__pairwise_rows_init(&rows, (uint32_t)s->model.params.count);
  s->blame = EO_PICT_BAD_EXISTING;
  if (s->args->existing != NULL) code = read_existing(s, &rows, error);
  eo_vec_clear(&rows.values);
  if (code == EO_OK) s->blame = EO_PICT_BAD_CONSTRAINTS;
  if (code == EO_OK) code = eo__pairwise_enumerate(&s->model, MOST_ROWS, &rows, error);
  if (code == EO_OK) code = print_rows(s, &rows, eo__seconds() - started, error);
  eo__pairwise_rows_release(&rows);
  return code;
}

/* What takes long is announced, and what would take days refused. */
static int announce(const session *s, eo_error *error) {
  eo_pairwise_estimate estimate;
  char digits[32];
  int code = eo__pairwise_estimate(&s->model, s->order, &estimate, error);
  if (code != EO_OK || estimate.seconds < LONG) return code;
  if (estimate.seconds > FAR_TOO_LONG)
    return eo__error_set(error, EO_EINPUT,
                         "there are about %.2g combinations of %u values: the tests would take about %.2g hours. Lower "
                         "the order, or give the high order to fewer parameters (sub-models, relations)",
                         estimate.combinations, s->order, estimate.seconds / 3600);
  bool in_hours = estimate.seconds >= 2 * 3600;
  if (!s->args->quiet)
    fprintf(stderr, "%s: about %s tests, and about %.0f %s until the first set; Ctrl-C stops\n", s->front->name,
            eo__text_thousands(digits, (uint64_t)estimate.tests), in_hours ? estimate.seconds / 3600 : estimate.seconds,
            in_hours ? "hours" : "s");
  return EO_OK;
}

static int make_some(session *s, eo_error *error) {
  eo_pairwise_rows existing;
  eo_pairwise_result result;
  eo_pairwise_request request = {.order = s->order, .algorithm = s->args->algorithm};
  double started = eo__seconds();
  eo__pairwise_rows_init(&existing, (uint32_t)s->model.params.count);
  int code = choose_effort(s, &request, error);
  s->blame = EO_PICT_BAD_EXISTING;
  if (code == EO_OK && s->args->existing != NULL) code = read_existing(s, &existing, error);
  if (code == EO_OK) s->blame = EO_PICT_BAD_CONSTRAINTS;
  if (code == EO_OK) code = announce(s, error);
  if (code == EO_OK) {
    choose_seed(s, &request.effort);
    request.effort.progress = on_progress;
    request.effort.context = s;
    request.existing = s->args->existing != NULL ? &existing : NULL;
    request.needed_only = s->args->pict.needed_only;
    code = eo__pairwise_generate(&s->model, &request, &result, error);
    clear_progress(s);
  }
  eo__pairwise_rows_release(&existing);
  if (code != EO_OK) return code;
  print_lines(s, "warning: ", result.excluded.chars);
  print_lines(s, "dropped ", result.dropped.chars);
  code = print_rows(s, &result.rows, eo__seconds() - started, error);
  eo__pairwise_result_release(&result);
  return code;
}

static int explain(session *s, eo_error *error) {
  eo_text text;
  uint32_t order = s->order != 0 ? s->order : (uint32_t)s->model.params.count;
  eo__text_init(&text);
  int code = eo__pairwise_explain(&s->model, order, &text, error);
  if (code == EO_OK) fwrite(text.chars, 1, text.length, stdout);
  eo__text_release(&text);
  return code;
}

/* ---- Checking tests --------------------------------------------------------------------------------------------- */

static int print_json(const eo_pairwise_verdict *verdict, const eo_pairwise_rows *rows, eo_error *error) {
  json_t *object =
      json_pack("{s:i,s:I,s:I,s:I,s:i,s:i,s:s,s:s}", "tests", (int)eo_pairwise_rows_count(rows), "wanted",
                (json_int_t)verdict->wanted, "covered", (json_int_t)verdict->covered, "impossible",
                (json_int_t)verdict->impossible, "broken", (int)verdict->broken, "unneeded", (int)verdict->unneeded,
                "missing", verdict->missing.chars, "problems", verdict->problems.chars);
  char *chars = object != NULL ? json_dumps(object, JSON_INDENT(2)) : NULL;
  if (chars != NULL) printf("%s\n", chars);
  int code = chars != NULL ? EO_OK : eo__error_nomem(error);
  free(chars);
  json_decref(object);
  return code;
}

static void print_each(const char *before, const char *lines) {
  while (*lines != '\0') {
    int length = (int)strcspn(lines, "\n");
    printf("%s%.*s\n", before, length, lines);
    lines += length + (lines[length] == '\n');
  }
}

static void print_verdict(const session *s, const eo_pairwise_verdict *verdict, const eo_pairwise_rows *rows) {
  char digits[32], total[32], impossible[32];
  print_each("missing ", verdict->missing.chars);
  print_each("", verdict->problems.chars);
  printf(
      "%u test%s: %s of %s combinations of %u value%s covered, %s impossible; %u row%s broken, %u could be left out\n",
      eo_pairwise_rows_count(rows), eo_pairwise_rows_count(rows) == 1 ? "" : "s",
      eo__text_thousands(digits, verdict->covered), eo__text_thousands(total, verdict->wanted), s->order,
      s->order == 1 ? "" : "s", eo__text_thousands(impossible, verdict->impossible), verdict->broken,
      verdict->broken == 1 ? "" : "s", verdict->unneeded);
}

static int check(session *s, int *status, eo_error *error) {
  eo_pairwise_rows rows;
  eo_pairwise_verdict verdict;
  eo_text dropped; /* stays empty */
  if (s->order == 0) s->order = (uint32_t)s->model.params.count;
  if (s->args->output != EO_PAIRWISE_TEXT && s->args->output != EO_PAIRWISE_JSON)
    return eo__error_set(error, EO_EINPUT, "--check writes text or json");
  eo__pairwise_rows_init(&rows, (uint32_t)s->model.params.count);
  eo__text_init(&dropped);
  int code = eo__pairwise_check_order(&s->model, s->order, error);
  if (code == EO_OK) code = read_tests(s, s->args->second, EO_PAIRWISE_STRICT, &rows, &dropped, error);
  if (code == EO_OK) code = eo__pairwise_check(&s->model, s->order, &rows, &verdict, error);
  if (code == EO_OK) {
    if (s->args->output == EO_PAIRWISE_JSON)
      code = print_json(&verdict, &rows, error);
    else
      print_verdict(s, &verdict, &rows);
    if (verdict.covered < verdict.wanted || verdict.broken > 0) *status = EO_STATUS_FINDING;
    eo__pairwise_verdict_release(&verdict);
  }
  eo__text_release(&dropped);
  eo__pairwise_rows_release(&rows);
  return code;
}

static int fail(const session *s, const eo_error *error) {
  int status = eo__fail(s->front, error);
  if (!s->args->pict.called) return status;
  return error->code == EO_ENOMEM ? EO_PICT_NO_MEMORY : error->code == EO_EINPUT ? s->blame : EO_PICT_FAILED;
}

int eo__cmd_pairwise(const eo_front *front, const eo_args *args) {
  session s = {.front = front, .args = args};
  int status = EO_STATUS_CLEAN;
  eo_error error = {0};
  int code = read_model(&s, &error);
  if (code != EO_OK) return fail(&s, &error);
  code = choose_order(&s, &error);
  if (code == EO_OK && args->check)
    code = check(&s, &status, &error);
  else if (code == EO_OK && args->explain)
    code = explain(&s, &error);
  else if (code == EO_OK && s.order == 0)
    code = make_all(&s, &error);
  else if (code == EO_OK) {
    eo__catch_signals(); /* all else just ends */
    code = make_some(&s, &error);
  }
  eo__pairwise_model_release(&s.model);
  return code == EO_OK ? status : fail(&s, &error);
}
