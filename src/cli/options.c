/* options.c: see options.h. Adding an option is one row of the table and one field of eo_args. */
#include "cli/options.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "core/contain.h"
#include "registry/explore.h"
#include "registry/registry.h"
#include "report/diagram.h"

typedef enum option_kind {
  OPTION_FLAG,    /* int, set to 1 */
  OPTION_NUMBER,  /* uint64_t from `least` to `most` */
  OPTION_SECONDS, /* double, more than 0 */
  OPTION_TEXT,    /* const char *, not empty */
  OPTION_WORD,    /* int, the index of the word in `words` */
  OPTION_LIST     /* args->tests */
} option_kind;

enum {
  SHAPES = 1, /* shapes an exploration: reported with the run, part of a cluster's job */
  HIDDEN = 2, /* not in --help */
  OURS = 4,   /* for the command, not handed on to the program */
  LIMIT = 8   /* of those that shape: says when to stop, not what is explored; a run may be resumed with another one */
};

struct eo_option {
  const char *name;
  const char *value; /* placeholder; NULL: takes none */
  option_kind kind;
  unsigned commands;
  unsigned flags;
  size_t field; /* offset in eo_args */
  uint64_t least, most;
  const char *const *words;
  const char *help; /* lines after the first are indented by the printer */
};

static const char *const timeout_words[] = {"eager", "idle", NULL};
static const char *const abnormal_words[] = {"unnoticed", "fail", NULL};
static const char *const reduction_words[] = {"optimal", "source", "classic", NULL};
static const char *const cache_words[] = {"unlimited", "refuse", "replace", "off", NULL};
static const char *const output_words[] = {"text", "csv", "json", "tap", NULL};
static const char *const colour_words[] = {"auto", "always", "never", NULL};

#define AT(member) offsetof(eo_args, member)
#define TEST EO_COMMAND_TEST
#define ESTIMATE EO_COMMAND_ESTIMATE
#define REPLAY EO_COMMAND_REPLAY
#define WORKER EO_COMMAND_WORKER
#define PAIRWISE EO_COMMAND_PAIRWISE
#define SHOW EO_COMMAND_SHOW
#define DIFF EO_COMMAND_DIFF
#define EXPORT EO_COMMAND_EXPORT
#define REPORT EO_COMMAND_REPORT
#define REACH EO_COMMAND_REACH
#define MODEL EO_COMMAND_MODEL
#define ANY EO_COMMAND_ANY

/* In the order of --help. */
static const eo_option options[] = {
    {"test", "GLOB", OPTION_LIST, TEST | ESTIMATE | EO_COMMAND_LIST, 0, 0, 0, 0, NULL,
     "only tests whose name matches (* and ?); may be given again"},
    {"params", "SET", OPTION_TEXT, TEST | ESTIMATE | EO_COMMAND_LIST, 0, AT(params), 0, 0, NULL,
     "rows of tests with parameters: pairwise (default: every pair of\n"
     "values), 3-way to 6-way, all, or those of a FILE"},
    {"strategy", "S", OPTION_TEXT, TEST | MODEL | ESTIMATE, 0, AT(strategy), 0, 0, NULL,
     "how to explore: see `everyorder strategies`; default dfs"},
    {"bound", "N", OPTION_NUMBER, TEST | MODEL | ESTIMATE, SHAPES, AT(bound), 0, INT32_MAX, NULL,
     "at most N preemptions, for strategies that bound them"},
    {"dpor", "HOW", OPTION_WORD, TEST | ESTIMATE, SHAPES, AT(reduction), 0, 0, reduction_words,
     "how `--strategy dpor` reduces: optimal (default), source, classic"},
    {"save", "FILE", OPTION_TEXT, REACH, 0, AT(save), 0, 0, NULL,
     "write the tree of all sequences of synchronisations"},
    {"against", "FILE", OPTION_TEXT, REACH, 0, AT(against), 0, 0, NULL,
     "say which sequences are not those of that tree, and which of its are\n"
     "not there any more"},
    {"never", "PATTERN", OPTION_TEXT, REACH, 0, AT(never), 0, 0, NULL,
     "a sequence with these events is a finding: 'P1 receive tag 2 ->\n"
     "P1.1 send to P1' and the like"},
    {"no-tree", NULL, OPTION_FLAG, TEST | MODEL, SHAPES, AT(no_tree), 0, 0, NULL,
     "reach: does not keep the sequences it has run; takes less memory"},
    {"sleep", NULL, OPTION_FLAG, MODEL, SHAPES, AT(sleep_sets), 0, 0, NULL, "bsra: with sleep sets"},
    {"visible", "VAR,...", OPTION_TEXT, MODEL, SHAPES, AT(visible), 0, 0, NULL,
     "bsra: every order of the accesses to these global variables, so that\n"
     "assertions over them are checked in all"},
    {"explorer", "E", OPTION_TEXT, TEST | MODEL | WORKER, SHAPES, AT(explorer), 0, 0, NULL,
     "whose delays ses and ss count: rtc (default), rr, prr, custom, one\n"
     "of the program's own, or a plug-in ./FILE.so; worker: the plug-in\n"
     "that it may load"},
    {"delays", "N", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(delays), 0, INT32_MAX, NULL,
     "at most N delays; default: more and more"},
    {"delay-step", "N", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(delay_step), 1, INT32_MAX, NULL,
     "how many more delays ses allows each time; default 1"},
    {"cache", "HOW", OPTION_WORD, TEST | MODEL, SHAPES, AT(cache), 0, 0, cache_words,
     "states that were seen: unlimited (default of ses), off, or at most\n"
     "--cache-mb, then refuse new ones or replace old ones"},
    {"cache-mb", "N", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(cache_mb), 1, INT32_MAX, NULL,
     "memory for states that were seen (a quarter of it) and for what is\n"
     "left to explore, in MiB; default a quarter of the machine's"},
    {"samples", "N", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(samples), 1, INT32_MAX, NULL,
     "of ss: N + G^d samples of d delays; default 100"},
    {"growth", "G", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(growth), 1, INT32_MAX, NULL, "that G; default 3"},
    {"bug-depth", "D", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(bug_depth), 1, 64, NULL,
     "of pct, pctcp and tapct: how many ordered events a bug needs; default 3"},
    {"length", "N", OPTION_NUMBER, TEST | MODEL, SHAPES, AT(length), 1, INT32_MAX, NULL,
     "of those: steps of an execution; default: as long as the first ones; of irs: by how many steps the "
     "bound grows; default 100"},
    {"executions", "N", OPTION_NUMBER, TEST | MODEL, SHAPES | LIMIT, AT(executions), 0, INT64_MAX, NULL,
     "stop each test after N executions; 0: no limit, also where the strategy\n"
     "draws, which else ends after 10,000"},
    {"time", "T", OPTION_SECONDS, TEST | MODEL | ESTIMATE, SHAPES | LIMIT, AT(seconds), 0, 0, NULL,
     "stop each test after a time: 30s, 5m, 1h, 250ms; estimate: default 1s"},
    {"depth", "N", OPTION_NUMBER, TEST | MODEL | ESTIMATE, SHAPES, AT(depth), 1, UINT32_MAX, NULL,
     "cut an execution off after N steps; default 10000"},
    {"depth-fails", NULL, OPTION_FLAG, TEST | MODEL, SHAPES, AT(depth_fails), 0, 0, NULL,
     "an execution that is cut off there is a finding"},
    {"order", "T", OPTION_TEXT, PAIRWISE, 0, AT(order), 0, 0, NULL,
     "cover every T values of different parameters, 1 to 6; max: all\n"
     "combinations; default 2"},
    {"algorithm", "A", OPTION_TEXT, PAIRWISE, 0, AT(algorithm), 0, 0, NULL,
     "best (default): the smallest set; ipo, ipo-ec: as published"},
    {"effort", "HOW", OPTION_TEXT, PAIRWISE, 0, AT(effort), 0, 0, NULL,
     "of `best`: fast: one pass; best: as long as it helps;\n"
     "a time such as 30s: so long; default: about a second at most"},
    {"existing", "FILE", OPTION_TEXT, PAIRWISE, 0, AT(existing), 0, 0, NULL,
     "keep the tests of FILE that are still valid, and add what is\n"
     "missing"},
    {"drop-unknown", NULL, OPTION_FLAG, PAIRWISE, 0, AT(drop_unknown), 0, 0, NULL,
     "columns of FILE that are no parameters any more are left out"},
    {"output", "FORMAT", OPTION_WORD, PAIRWISE, 0, AT(output), 0, 0, output_words,
     "text (default: as PICT writes it), csv, json or tap"},
    {"explain", NULL, OPTION_FLAG, PAIRWISE, 0, AT(explain), 0, 0, NULL,
     "no tests, but what is impossible, and which constraints say so"},
    {"check", NULL, OPTION_FLAG, PAIRWISE, 0, AT(check), 0, 0, NULL,
     "say what the tests in the file TESTS cover and break"},
    {"seed", "N", OPTION_NUMBER, TEST | MODEL | ESTIMATE | PAIRWISE, SHAPES, AT(seed), 0, UINT64_MAX, NULL,
     "for whatever draws at random, and for estimates; default 0"},
    {"keep-going", NULL, OPTION_FLAG, TEST | MODEL, SHAPES | LIMIT, AT(keep_going), 0, 0, NULL,
     "go on exploring a test after a finding"},
    {"no-minimise", NULL, OPTION_FLAG, TEST, 0, AT(no_minimise), 0, 0, NULL,
     "tell a finding as it was found, without looking for a shorter way"},
    {"timeouts", "WHEN", OPTION_WORD, TEST | ESTIMATE, SHAPES, AT(idle), 0, 0, timeout_words,
     "a receive times out eager: whenever nothing matches (default),\n"
     "or idle: only when nothing else can run"},
    {"delivery", "D", OPTION_TEXT, TEST | MODEL | ESTIMATE, SHAPES, AT(delivery), 0, 0, NULL,
     "which message a receive can take: the mailbox's oldest (default);\n"
     "fifo: the oldest of any sender; causal: any that was not sent\n"
     "because of another; async: any"},
    {"leaks", NULL, OPTION_FLAG, TEST | ESTIMATE, SHAPES, AT(leaks), 0, 0, NULL,
     "memory still allocated at the end is a finding"},
    {"abnormal", "WHICH", OPTION_WORD, TEST | ESTIMATE, SHAPES, AT(abnormal), 0, 0, abnormal_words,
     "exits with a reason that are findings: unnoticed: those that nobody\n"
     "is linked to or monitors (default), or fail: all"},
    {"watchdog", "T", OPTION_SECONDS, TEST | ESTIMATE, SHAPES, AT(watchdog), 0, 0, NULL,
     "a step that takes longer is a finding; default 2s"},
    {"jobs", "N", OPTION_NUMBER, TEST | MODEL | WORKER, 0, AT(jobs), 1, EO_WORKERS_MAX, NULL,
     "share each test among N worker processes; default 1,\n"
     "with --cluster none on this machine"},
    {"resume", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(resume), 0, 0, NULL,
     "keep the state in FILE, and go on from there if it exists"},
    {"tickets", "FOLDER", OPTION_TEXT, TEST | MODEL, 0, AT(tickets), 0, 0, NULL,
     "where to write tickets; none: nowhere; default everyorder-tickets"},
    {"json", "FILE", OPTION_TEXT, TEST | MODEL | ESTIMATE, 0, AT(json), 0, 0, NULL,
     "write the results as JSON; -: to standard output,\n"
     "and the report for people to standard error"},
    {"report", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(report), 0, 0, NULL,
     "write the results as one HTML file, to be opened in a browser"},
    {"live", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(live), 0, 0, NULL,
     "write what happens as it happens, for `everyorder serve`: name it\n"
     "SOMETHING.eolive"},
    {"junit", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(junit), 0, 0, NULL,
     "write the results as JUnit XML, for build servers"},
    {"tap", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(tap), 0, 0, NULL,
     "write the results in the Test Anything Protocol"},
    {"sarif", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(sarif), 0, 0, NULL,
     "write the findings as SARIF, for code-scanning pages"},
    {"dot", "FILE", OPTION_TEXT, TEST | MODEL, 0, AT(dot), 0, 0, NULL,
     "write the states that were seen and the steps between them as a\n"
     "graph for Graphviz, up to 4096 states"},
    {"quiet", NULL, OPTION_FLAG, TEST | MODEL | WORKER | PAIRWISE, 0, AT(quiet), 0, 0, NULL, "no progress"},
    {"cluster", "ADDRESS", OPTION_TEXT, TEST, 0, AT(cluster), 0, 0, NULL,
     "let the workers of a cluster explore: redis://HOST:PORT/NAME"},
    {"budget", "T", OPTION_SECONDS, TEST, 0, AT(budget), 0, 0, NULL,
     "of a cluster's worker, for one part of the work; default 10s"},
    {"grace", "T", OPTION_SECONDS, TEST, 0, AT(grace), 0, 0, NULL,
     "how much later than that its result may come; default 15s"},
    {"join", "ADDRESS", OPTION_TEXT, WORKER, 0, AT(join), 0, 0, NULL, "the job to work on: redis://HOST:PORT/NAME"},
    {"wait", NULL, OPTION_FLAG, WORKER, OURS, AT(wait), 0, 0, NULL,
     "wait for the job, and when it has ended for the next of that name"},
    {"until", "STEP", OPTION_NUMBER, REPLAY, 0, AT(until), 1, UINT32_MAX, NULL,
     "stop after this step; with --gdb: before it"},
    {"gdb", NULL, OPTION_FLAG, REPLAY, 0, AT(gdb), 0, 0, NULL, "replay under gdb, stopped before the last step"},
    {"output", "FILE", OPTION_TEXT, REPORT, 0, AT(file), 0, 0, NULL, "the HTML file to write; also -o FILE"},
    {"format", "FORMAT", OPTION_TEXT, EXPORT, 0, AT(format), 0, 0, NULL, "what to write: see above"},
    {"output", "FILE", OPTION_TEXT, EXPORT, 0, AT(file), 0, 0, NULL,
     "where to write it, also -o FILE; -: to standard output (default)"},
    {"width", "N", OPTION_NUMBER, SHOW | DIFF, 0, AT(width), EO_DIAGRAM_NARROWEST, EO_DIAGRAM_WIDEST, NULL,
     "columns; default: those of the terminal, or COLUMNS, or 80"},
    {"ascii", NULL, OPTION_FLAG, SHOW | DIFF, 0, AT(ascii), 0, 0, NULL,
     "draw with ASCII alone, as where the locale is not UTF-8"},
    {"program", "PATH", OPTION_TEXT, REPLAY | SHOW | DIFF | EXPORT | REPORT, OURS, AT(program), 0, 0, NULL,
     "where the program is, if not where the ticket says"},
    {"program", "PATH", OPTION_TEXT, WORKER, OURS, AT(program), 0, 0, NULL,
     "the program that this worker may run, or a folder with such ones"},
    {"in-process", NULL, OPTION_FLAG, REPLAY, HIDDEN, AT(in_process), 0, 0, NULL, ""},
    {"colour", "WHEN", OPTION_WORD, TEST | MODEL | REPLAY | SHOW | DIFF, 0, AT(colour), 0, 0, colour_words,
     "auto (default: on a terminal without NO_COLOR), always, never"},
    {"color", "WHEN", OPTION_WORD, TEST | MODEL | REPLAY | SHOW | DIFF, HIDDEN, AT(colour), 0, 0, colour_words, ""},
    {"listen", "WHERE", OPTION_TEXT, EO_COMMAND_SERVE, 0, AT(listen), 0, 0, NULL,
     "ADDRESS:PORT; default 127.0.0.1:8372; port 0: a free one"},
    {"time", "T", OPTION_SECONDS, EO_COMMAND_SERVE, 0, AT(seconds), 0, 0, NULL,
     "stop a replay after a time; default 60s"},
    {"token", "T", OPTION_TEXT, EO_COMMAND_SERVE, 0, AT(token), 0, 0, NULL,
     "what clients must show; made and printed if the address is not\n"
     "loopback and none is given"},
    {"help", NULL, OPTION_FLAG, ANY, 0, AT(help), 0, 0, NULL, "this text"},
    {"version", NULL, OPTION_FLAG, ANY, HIDDEN, AT(version), 0, 0, NULL, ""}};

enum { OPTIONS = sizeof(options) / sizeof(options[0]), LONGEST_WORD = 32 };

void eo__args_init(eo_args *args) {
  *args = (eo_args){
      .bound = EO_NOT_GIVEN, .delays = EO_NOT_GIVEN, .executions = EO_NOT_GIVEN, .cache = -1, .reduction = -1};
}

void eo__args_release(eo_args *args) {
  eo_vec_release(&args->tests);
  eo_vec_release(&args->given);
  eo_vec_release(&args->more);
  eo_vec_release(&args->defines);
}

/* ---- Suggestions ---------------------------------------------------------------------------------------------- */

static int unknown_option(const char *word, const char *name, eo_command command, eo_error *error) {
  const char *names[OPTIONS];
  size_t count = 0;
  for (size_t i = 0; i < OPTIONS; i++) {
    if (strcmp(options[i].name, name) == 0)
      return eo__error_set(error, EO_EINPUT, "--%s is not an option of this command", name);
    if ((options[i].commands & command) != 0 && (options[i].flags & HIDDEN) == 0) names[count++] = options[i].name;
  }
  const char *nearest = eo__text_nearest(name, names, count);
  if (nearest == NULL) return eo__error_set(error, EO_EINPUT, "unknown option %.64s", word);
  return eo__error_set(error, EO_EINPUT, "unknown option %.64s; did you mean --%s?", word, nearest);
}

/* ---- Parsing -------------------------------------------------------------------------------------------------- */

static int bad_value(const eo_option *option, const char *value, const char *expected, eo_error *error) {
  return eo__error_set(error, EO_EINPUT, "--%s %.64s: expected %s", option->name, *value != '\0' ? value : "''",
                       expected);
}

static int set_number(const eo_option *option, void *field, const char *value, eo_error *error) {
  uint64_t number;
  if (eo__text_number(value, option->most, &number) && number >= option->least) {
    *(uint64_t *)field = number;
    return EO_OK;
  }
  eo_text expected;
  char digits[32];
  eo__text_init(&expected);
  eo__text_add(&expected, "a whole number from %u to %s", (unsigned)option->least,
               eo__text_thousands(digits, option->most));
  int code = bad_value(option, value, expected.chars, error);
  eo__text_release(&expected);
  return code;
}

static int set_word(const eo_option *option, void *field, const char *value, eo_error *error) {
  eo_text expected;
  eo__text_init(&expected);
  for (int i = 0; option->words[i] != NULL; i++) {
    if (strcmp(option->words[i], value) == 0) {
      *(int *)field = i;
      eo__text_release(&expected);
      return EO_OK;
    }
    eo__text_add(&expected, "%s%s", i == 0 ? "" : option->words[i + 1] != NULL ? ", " : " or ", option->words[i]);
  }
  int code = bad_value(option, value, expected.chars, error);
  eo__text_release(&expected);
  return code;
}

static int set_option(eo_args *args, const eo_option *option, const char *value, eo_error *error) {
  void *field = (char *)args + option->field;
  if (!eo_vec_push(&args->given, ((eo_given){option, value}))) return eo__error_nomem(error);
  if (option->kind == OPTION_FLAG) {
    *(int *)field = 1;
    return EO_OK;
  }
  EO_CHECK(value != NULL);
  switch (option->kind) {
    case OPTION_FLAG: break; /* done above */
    case OPTION_NUMBER: return set_number(option, field, value, error);
    case OPTION_SECONDS:
      if (!eo__text_seconds(value, field) || !(*(double *)field > 0))
        return bad_value(option, value, "a time such as 30s, 5m, 1h or 250ms", error);
      return EO_OK;
    case OPTION_TEXT:
      *(const char **)field = value;
      return *value != '\0' ? EO_OK : bad_value(option, value, option->value, error);
    case OPTION_WORD: return set_word(option, field, value, error);
    case OPTION_LIST: return eo_vec_push(&args->tests, value) ? EO_OK : eo__error_nomem(error);
  }
  return EO_OK;
}

static const eo_option *find_option(const char *name, size_t length, eo_command command) {
  for (size_t i = 0; i < OPTIONS; i++)
    if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0 &&
        (options[i].commands & command) != 0)
      return &options[i];
  return NULL;
}

/* argv[*at] begins with "--", or is -o: parses it, and its value if that stands in the next argument. */
static int parse_option(eo_args *args, eo_command command, int argc, char **argv, int *at, eo_error *error) {
  const char *word = argv[*at];
  bool is_short = word[1] == 'o'; /* -o FILE, -oFILE */
  const char *name = is_short ? "output" : word + 2;
  const char *equals = strchr(name, '=');
  size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
  const eo_option *option = find_option(name, length, command);
  if (option == NULL) {
    char copy[LONGEST_WORD + 2];
    snprintf(copy, sizeof(copy), "%.*s", (int)(length < sizeof(copy) ? length : sizeof(copy) - 1), name);
    return unknown_option(word, copy, command, error);
  }
  const char *value = equals != NULL ? equals + 1 : is_short && word[2] != '\0' ? word + 2 : NULL;
  if (option->value == NULL && value != NULL)
    return eo__error_set(error, EO_EINPUT, "--%s takes no value", option->name);
  if (option->value != NULL && value == NULL) {
    if (*at + 1 >= argc || strncmp(argv[*at + 1], "--", 2) == 0)
      return is_short ? eo__error_set(error, EO_EINPUT, "-o needs a value: -o %s", option->value)
                      : eo__error_set(error, EO_EINPUT, "--%s needs a value: --%s %s", option->name, option->name,
                                      option->value);
    value = argv[++*at];
  }
  return set_option(args, option, value, error);
}

/* -DNAME, -DNAME=VALUE, or the same in two arguments. */
static int add_define(eo_args *args, int argc, char **argv, int *at, eo_error *error) {
  const char *text = argv[*at] + 2;
  if (*text == '\0' && *at + 1 < argc) text = argv[++*at];
  if (*text == '\0') return eo__error_set(error, EO_EINPUT, "-D needs a name: -DN=3");
  return eo_vec_push(&args->defines, text) ? EO_OK : eo__error_nomem(error);
}

int eo__args_parse(eo_args *args, eo_command command, int argc, char **argv, int first, eo_error *error) {
  bool ended = false;
  for (int i = first; i < argc; i++) {
    const char *word = argv[i];
    int code = EO_OK;
    if (!ended && strcmp(word, "--") == 0)
      ended = true;
    else if (!ended && strcmp(word, "-h") == 0)
      args->help = 1;
    else if (!ended && (strncmp(word, "--", 2) == 0 || (command & (EXPORT | REPORT) && strncmp(word, "-o", 2) == 0)))
      code = parse_option(args, command, argc, argv, &i, error);
    else if (!ended && command == EO_COMMAND_PAIRWISE && eo__pict_option_is(word))
      code = eo__pict_option(args, word, error);
    else if (!ended && (command & (MODEL | REACH)) != 0 && strncmp(word, "-D", 2) == 0)
      code = add_define(args, argc, argv, &i, error);
    else if (!ended && word[0] == '-' && word[1] != '\0')
      code = unknown_option(word, word + 1, command, error);
    else if (command == EO_COMMAND_CLUSTER && args->action == NULL)
      args->action = word;
    else if ((command == EO_COMMAND_PAIRWISE || command == EO_COMMAND_DIFF) && args->operand != NULL &&
             args->second == NULL)
      args->second = word;
    else if (args->operand != NULL && command == EO_COMMAND_REPORT)
      code = eo_vec_push(&args->more, word) ? EO_OK : eo__error_nomem(error);
    else if (args->operand != NULL)
      code = eo__error_set(error, EO_EINPUT, "one argument too many: %.64s", word);
    else
      args->operand = word;
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

/* ---- What was given ------------------------------------------------------------------------------------------- */

void eo__args_explore(const eo_args *args, eo_options *explore) {
  uint64_t executions = args->executions == EO_NOT_GIVEN ? 0 : args->executions == 0 ? EO_NO_LIMIT : args->executions;
  *explore = (eo_options){.strategy = args->strategy,
                          .bounded = args->bound != EO_NOT_GIVEN,
                          .bound = args->bound != EO_NOT_GIVEN ? (int)args->bound : 0,
                          .executions = executions,
                          .seconds = args->seconds,
                          .depth = (uint32_t)args->depth,
                          .seed = args->seed,
                          .depth_fails = args->depth_fails,
                          .keep_going = args->keep_going,
                          .timeouts_idle = args->idle,
                          .leaks = args->leaks,
                          .abnormal_fails = args->abnormal,
                          .as_found = args->no_minimise,
                          .watchdog = args->watchdog,
                          .delivery = args->delivery,
                          .no_tree = args->no_tree,
                          .sleep_sets = args->sleep_sets,
                          .visible = args->visible,
                          .explorer = args->explorer,
                          .delays_bounded = args->delays != EO_NOT_GIVEN,
                          .delays = args->delays != EO_NOT_GIVEN ? (int)args->delays : 0,
                          .delay_step = (int)args->delay_step,
                          .cache = args->cache >= 0 ? cache_words[args->cache] : NULL,
                          .cache_mb = (int)args->cache_mb,
                          .samples = (int)args->samples,
                          .growth = (double)args->growth,
                          .bug_depth = (int)args->bug_depth,
                          .length = (int)args->length,
                          .jobs = (int)args->jobs,
                          .reduction = args->reduction >= 0 ? reduction_words[args->reduction] : NULL};
  explore->tickets = args->tickets != NULL ? args->tickets : "everyorder-tickets";
  if (strcmp(explore->tickets, "none") == 0) explore->tickets = NULL;
}

void eo__args_describe(const eo_args *args, eo_text *out) {
  for (size_t i = 0; i < OPTIONS; i++) {
    const eo_given *last = NULL; /* what counts, if it was given more than once */
    for (size_t j = 0; j < args->given.count; j++)
      if (args->given.items[j].option == &options[i]) last = &args->given.items[j];
    if (last == NULL || (options[i].flags & SHAPES) == 0) continue;
    eo__text_add(out, "%s--%s%s%s", out->length > 0 ? " " : "", options[i].name, last->value != NULL ? " " : "",
                 last->value != NULL ? last->value : "");
  }
}

/* The value that is in force, as text; nothing: it is that of a command line without the option. */
static void add_value(const eo_option *option, const eo_args *args, const eo_args *fresh, eo_text *out) {
  const void *field = (const char *)args + option->field, *initial = (const char *)fresh + option->field;
  switch (option->kind) {
    case OPTION_FLAG:
      if (*(const int *)field) eo__text_add(out, "yes");
      break;
    case OPTION_NUMBER:
      if (*(const uint64_t *)field != *(const uint64_t *)initial)
        eo__text_add(out, "%llu", (unsigned long long)*(const uint64_t *)field);
      break;
    case OPTION_SECONDS:
      if (*(const double *)field > 0) eo__text_add(out, "%.9g s", *(const double *)field);
      break;
    case OPTION_WORD:
      if (*(const int *)field != *(const int *)initial) eo__text_add(out, "%s", option->words[*(const int *)field]);
      break;
    case OPTION_TEXT:
      if (*(const char *const *)field) eo__text_add(out, "%s", *(const char *const *)field);
      break;
    case OPTION_LIST: break; /* which tests, not how */
  }
}

/* A plug-in is told by what is in it, not by where it is. */
static int add_explorer(const char *explorer, eo_text *out, eo_error *error) {
  char build[65];
  if (!eo__explorer_is_file(explorer)) {
    eo__text_add(out, "%s", explorer);
    return EO_OK;
  }
  int code = eo__program_build(explorer, build, error);
  if (code == EO_OK) eo__text_add(out, "plug-in %s", build);
  return code;
}

int eo__args_shape(const eo_args *args, eo_text *out, eo_error *error) {
  const eo_strategy_entry *strategy = eo__strategy_find(args->strategy);
  eo_args fresh;
  eo_text value;
  int code = EO_OK;
  eo__args_init(&fresh);
  eo__text_init(&value);
  eo__text_add(out, "strategy %s\n", strategy->name);
  for (size_t i = 0; i < OPTIONS && code == EO_OK; i++) {
    const eo_option *option = &options[i];
    /* Strategies that draw as many executions as they are told do others when they are told another number. */
    bool drawn = option->field == AT(executions) && eo__strategy_heeds(strategy, "--executions");
    if ((option->flags & SHAPES) == 0 || ((option->flags & LIMIT) != 0 && !drawn)) continue;
    eo__text_clear(&value);
    if (option->field == AT(explorer) && args->explorer != NULL)
      code = add_explorer(args->explorer, &value, error);
    else
      add_value(option, args, &fresh, &value);
    if (value.length > 0) eo__text_add(out, "%s %s\n", option->name, value.chars);
    if (value.failed) out->failed = true;
  }
  eo__text_release(&value);
  if (code == EO_OK && out->failed) code = eo__error_nomem(error);
  return code;
}

int eo__args_check_job(const eo_args *args, eo_error *error) {
  for (size_t i = 0; i < args->given.count; i++) {
    const eo_option *option = args->given.items[i].option;
    if ((option->flags & SHAPES) == 0 && option->field != AT(strategy))
      return eo__error_set(error, EO_EINPUT, "--%s is not for a job", option->name);
  }
  if (args->operand || args->tests.count || args->help)
    return eo__error_set(error, EO_EINPUT, "a job has options that shape the exploration, and nothing else");
  return EO_OK;
}

int eo__args_forward(const eo_args *args, eo_strings *out, eo_error *error) {
  for (size_t i = 0; i < args->given.count; i++) {
    const eo_given *given = &args->given.items[i];
    if ((given->option->flags & OURS) != 0) continue;
    eo_text text;
    eo__text_init(&text);
    eo__text_add(&text, "--%s%s%s", given->option->name, given->value != NULL ? "=" : "",
                 given->value != NULL ? given->value : "");
    char *word = text.failed ? NULL : eo__strdup(text.chars);
    eo__text_release(&text);
    if (word == NULL || !eo_vec_push(out, word)) {
      eo__free(word);
      return eo__error_nomem(error);
    }
  }
  return EO_OK;
}

int eo__args_check_model(const eo_args *args, eo_error *error) {
  for (size_t i = 0; i < args->given.count; i++)
    if ((args->given.items[i].option->commands & (MODEL | REACH)) == 0)
      return eo__error_set(error, EO_EINPUT, "--%s is for programs: a model does without",
                           args->given.items[i].option->name);
  return EO_OK;
}

void eo__options_help(FILE *out, eo_command command) {
  for (size_t i = 0; i < OPTIONS; i++) {
    const eo_option *option = &options[i];
    if ((option->commands & command) == 0 || (option->flags & HIDDEN) != 0) continue;
    int taken = fprintf(out, "  --%s%s%s", option->name, option->value != NULL ? " " : "",
                        option->value != NULL ? option->value : "");
    const char *line = option->help;
    for (;;) {
      const char *end = strchr(line, '\n');
      fprintf(out, "%*s%.*s\n", 22 - taken, "", end != NULL ? (int)(end - line) : (int)strlen(line), line);
      if (end == NULL) break;
      line = end + 1;
      taken = 0;
    }
  }
}
