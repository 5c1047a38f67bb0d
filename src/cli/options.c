/* options.c: see options.h. Here are the options that do not say how to explore: one row of the table and one
 * field of eo_args each. */
#include "cli/options.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "core/contain.h"
#include "registry/explore.h"
#include "registry/registry.h"
#include "report/diagram.h"

static const char *const output_words[] = {"text", "csv", "json", "tap", NULL};
static const char *const params_words[] = {"pairwise", "3-way", "4-way", "5-way", "6-way", "all", NULL};
static const char *const order_words[] = {"1", "2", "3", "4", "5", "6", "max", NULL};
static const char *const algorithm_words[] = {"best", "ipo", "ipo-ec", NULL};
static const char *const effort_words[] = {"fast", "best", NULL};
static const char *const format_words[] = {"shiviz", "mermaid", "dot", "perfetto", NULL};
static const char *const windows_words[] = {"unified", "separate", NULL};
static const char *const buffering_words[] = {"both", "zero", "infinite", NULL};
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
#define MPI EO_COMMAND_MPI
#define ANY EO_COMMAND_ANY

/* In the order of --help. */
static const eo_option options[] = {
    {"test", "GLOB", EO_OPTION_LIST, TEST | ESTIMATE | EO_COMMAND_LIST, 0, .field = 0,
     .help = "only tests whose name matches (* and ?); may be given several times"},
    {"params", "SET", EO_OPTION_TEXT, TEST | ESTIMATE | EO_COMMAND_LIST, 0, .field = AT(params), .words = params_words,
     .help = "parameter values to test: pairwise (default): every pair of values;\n"
             "3-way to 6-way; all; or the rows of a FILE"},
    {"ranks", "N", EO_OPTION_INT, MPI, EO_OPTION_OURS, .field = AT(ranks), .least = 1, .most = 512,
     .help = "number of ranks; short form -n N"},
    {"buffering", "HOW", EO_OPTION_WORD, MPI, EO_OPTION_OURS, .field = AT(buffering), .words = buffering_words,
     .help = "may a standard send return before it is received? zero: never;\n"
             "infinite: always; both (default): either"},
    {"windows", "HOW", EO_OPTION_WORD, MPI, EO_OPTION_OURS, .field = AT(windows), .words = windows_words,
     .help = "do windows have one memory (unified, the default), or a copy for\n"
             "operations of others (separate)?"},
    {"property", "NAME,...", EO_OPTION_TEXT, MODEL, 0, .field = AT(property),
     .help = "check only these ltl formulas and never claims; acceptance, progress:\n"
             "cycles by labels; none: deadlocks and assertions alone; all"},
    {"simulate", NULL, EO_OPTION_FLAG, MODEL, 0, .field = AT(simulate),
     .help = "run one random execution (--seed N) and print each step as it is\n"
             "taken; --depth N: at most N steps, default 10,000"},
    {"interactive", NULL, EO_OPTION_FLAG, MODEL, 0, .field = AT(interactive),
     .help = "with --simulate: ask before each step which step to take"},
    {"save", "FILE", EO_OPTION_TEXT, REACH, 0, .field = AT(save), .help = "write the tree of all sequences"},
    {"against", "FILE", EO_OPTION_TEXT, REACH, 0, .field = AT(against),
     .help = "compare with that tree: which sequences are new, which are gone"},
    {"never", "PATTERN", EO_OPTION_TEXT, REACH, 0, .field = AT(never),
     .help = "report a sequence with these events as a finding, for instance\n"
             "'P1 receive tag 2 -> P1.1 send to P1'"},
    {"order", "T", EO_OPTION_TEXT, PAIRWISE, 0, .field = AT(order), .words = order_words,
     .help = "cover every combination of T values, 1 to 6; max: every combination\n"
             "of all values; default 2"},
    {"algorithm", "A", EO_OPTION_NAME, PAIRWISE, 0, .field = AT(algorithm), .words = algorithm_words,
     .help = "best (default): smallest sets; ipo, ipo-ec: as published"},
    {"effort", "HOW", EO_OPTION_TEXT, PAIRWISE, 0, .field = AT(effort), .words = effort_words,
     .help = "how long to search for a smaller set: fast: one pass, no search; best:\n"
             "some 20 seconds; 30s: that long; default: half a second for pairs"},
    {"existing", "FILE", EO_OPTION_TEXT, PAIRWISE, 0, .field = AT(existing),
     .help = "keep the valid tests of FILE, and add what is missing"},
    {"drop-unknown", NULL, EO_OPTION_FLAG, PAIRWISE, 0, .field = AT(drop_unknown),
     .help = "ignore columns of FILE that are no parameters any more"},
    {"output", "FORMAT", EO_OPTION_WORD, PAIRWISE, 0, .field = AT(output), .words = output_words,
     .help = "text (default): as PICT writes it; csv, json or tap"},
    {"explain", NULL, EO_OPTION_FLAG, PAIRWISE, 0, .field = AT(explain),
     .help = "print which combinations are impossible, and because of which constraints"},
    {"check", NULL, EO_OPTION_FLAG, PAIRWISE, 0, .field = AT(check),
     .help = "print which combinations the file TESTS covers, and which constraints it breaks"},
    {"seed", "N", EO_OPTION_NUMBER, PAIRWISE, 0, .field = AT(explore.seed), .most = UINT64_MAX,
     .help = "seed of all random choices; default 0"},
    {"jobs", "N", EO_OPTION_INT, WORKER, 0, .field = AT(explore.jobs), .least = 1, .most = EO_WORKERS_MAX,
     .help = "number of worker processes; default 1"},
    {"explorer", "E", EO_OPTION_TEXT, WORKER, 0, .field = AT(explore.explorer),
     .help = "the plug-in that the worker may load"},
    {"resume", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(resume),
     .heeded = (EO_BITS_SPLIT & ~EO_BIT(SES_SS)) | EO_BIT(FULL),
     .help = "keep the state of the search in FILE; continue from there if it exists"},
    {"json", "FILE", EO_OPTION_TEXT, TEST | MODEL | ESTIMATE, 0, .field = AT(json),
     .help = "write the results as JSON; -: to standard output, and the text\n"
             "report to standard error"},
    {"report", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(report),
     .help = "write the results as one HTML file, for a browser"},
    {"live", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(live),
     .help = "write progress while the run goes on, for `everyorder serve`; the\n"
             "name should end in .eolive"},
    {"junit", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(junit),
     .help = "write the results as JUnit XML, for build servers"},
    {"tap", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(tap),
     .help = "write the results in the Test Anything Protocol"},
    {"sarif", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(sarif),
     .help = "write the findings as SARIF, for code-scanning pages"},
    {"dot", "FILE", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(dot),
     .help = "write the graph of visited states for Graphviz, up to 4096 states"},
    {"quiet", NULL, EO_OPTION_FLAG, TEST | MODEL | WORKER | PAIRWISE, 0, .field = AT(quiet),
     .help = "show no progress"},
    {"cluster", "ADDRESS", EO_OPTION_TEXT, TEST, 0, .field = AT(cluster),
     .help = "share the test among machines: redis://HOST:PORT/NAME"},
    {"budget", "T", EO_OPTION_SECONDS, TEST, 0, .field = AT(budget),
     .help = "cluster: time for one part of the work; default 10s"},
    {"grace", "T", EO_OPTION_SECONDS, TEST, 0, .field = AT(grace),
     .help = "cluster: how late the result of a part may come; default 15s"},
    {"join", "ADDRESS", EO_OPTION_TEXT, WORKER, 0, .field = AT(join),
     .help = "the job to work on: redis://HOST:PORT/NAME"},
    {"wait", NULL, EO_OPTION_FLAG, WORKER, EO_OPTION_OURS, .field = AT(wait),
     .help = "wait for the job, and after its end for the next job of that name"},
    {"until", "STEP", EO_OPTION_NUMBER, REPLAY, 0, .field = AT(until), .least = 1, .most = UINT32_MAX,
     .help = "stop after this step; with --gdb: before this step"},
    {"gdb", NULL, EO_OPTION_FLAG, REPLAY, 0, .field = AT(gdb), .help = "run under gdb, and stop before the last step"},
    {"output", "FILE", EO_OPTION_TEXT, REPORT, 0, .field = AT(file),
     .help = "the HTML file to write; short form -o FILE"},
    {"format", "FORMAT", EO_OPTION_TEXT, EXPORT, 0, .field = AT(format), .words = format_words,
     .help = "shiviz, mermaid, dot or perfetto: see above"},
    {"output", "FILE", EO_OPTION_TEXT, EXPORT, 0, .field = AT(file),
     .help = "the file to write; short form -o FILE; default -: standard output"},
    {"width", "N", EO_OPTION_NUMBER, SHOW | DIFF, 0, .field = AT(width), .least = EO_DIAGRAM_NARROWEST,
     .most = EO_DIAGRAM_WIDEST, .help = "width in columns; default: of the terminal, or COLUMNS, or 80"},
    {"ascii", NULL, EO_OPTION_FLAG, SHOW | DIFF, 0, .field = AT(ascii), .help = "draw with ASCII characters only"},
    {"program", "PATH", EO_OPTION_TEXT, REPLAY | SHOW | DIFF | EXPORT | REPORT, EO_OPTION_OURS, .field = AT(program),
     .help = "path of the program, if it is not the path in the ticket"},
    {"program", "PATH", EO_OPTION_TEXT, WORKER, EO_OPTION_OURS, .field = AT(program),
     .help = "the program that this worker may run, or a folder of programs"},
    {"in-process", NULL, EO_OPTION_FLAG, REPLAY, EO_OPTION_HIDDEN, .field = AT(in_process), .help = ""},
    {"colour", "WHEN", EO_OPTION_WORD, TEST | MODEL | REPLAY | SHOW | DIFF, 0, .field = AT(colour),
     .words = colour_words, .help = "auto (default): on a terminal without NO_COLOR; always or never"},
    {"color", "WHEN", EO_OPTION_WORD, TEST | MODEL | REPLAY | SHOW | DIFF, EO_OPTION_HIDDEN, .field = AT(colour),
     .words = colour_words, .help = ""},
    {"listen", "WHERE", EO_OPTION_TEXT, EO_COMMAND_SERVE, 0, .field = AT(listen),
     .help = "ADDRESS:PORT; default 127.0.0.1:8372; port 0: any free port"},
    {"time", "T", EO_OPTION_SECONDS, EO_COMMAND_SERVE, 0, .field = AT(explore.seconds),
     .help = "stop a replay after a time; default 60s"},
    {"token", "T", EO_OPTION_TEXT, EO_COMMAND_SERVE, 0, .field = AT(token),
     .help = "password of clients; if the address is not loopback, the default is\n"
             "a random one, which is printed"},
    {"help", NULL, EO_OPTION_FLAG, ANY, 0, .field = AT(help), .help = "print this text"},
    {"version", NULL, EO_OPTION_FLAG, ANY, EO_OPTION_HIDDEN, .field = AT(version), .help = ""}};

enum { OPTIONS = sizeof(options) / sizeof(options[0]), LONGEST_WORD = 32 };

const eo_option *eo__option_at(size_t i) {
  if (i < eo__option_count) return &eo__options[i];
  return i - eo__option_count < OPTIONS ? &options[i - eo__option_count] : NULL;
}

static void *field_of(eo_args *args, const eo_option *option) {
  bool explores = option >= eo__options && option < eo__options + eo__option_count;
  return (char *)args + (explores ? AT(explore) : 0) + option->field;
}

void eo__args_init(eo_args *args) { *args = (eo_args){0}; }

void eo__args_release(eo_args *args) {
  eo_vec_release(&args->tests);
  eo_vec_release(&args->given);
  eo_vec_release(&args->more);
  eo_vec_release(&args->defines);
}

/* ---- Suggestions ---------------------------------------------------------------------------------------------- */

static int unknown_option(const char *word, const char *name, eo_command command, eo_error *error) {
  EO_VEC(const char *) names = {0};
  const eo_option *option;
  int code = EO_OK;
  for (size_t i = 0; code == EO_OK && (option = eo__option_at(i)) != NULL; i++) {
    if (strcmp(option->name, name) == 0)
      code = eo__error_set(error, EO_EINPUT, "--%s is not an option of this command", name);
    else if ((option->commands & command) != 0 && (option->flags & EO_OPTION_HIDDEN) == 0 &&
             !eo_vec_push(&names, option->name))
      code = eo__error_nomem(error);
  }
  const char *nearest = code == EO_OK ? eo__text_nearest(name, names.items, names.count) : NULL;
  eo_vec_release(&names);
  if (code != EO_OK) return code;
  if (nearest == NULL) return eo__error_set(error, EO_EINPUT, "unknown option %.64s", word);
  return eo__error_set(error, EO_EINPUT, "unknown option %.64s; did you mean --%s?", word, nearest);
}

/* ---- Parsing -------------------------------------------------------------------------------------------------- */

static int set_option(eo_args *args, const eo_option *option, const char *value, eo_error *error) {
  if (!eo_vec_push(&args->given, ((eo_given){option, value}))) return eo__error_nomem(error);
  if (option->kind == EO_OPTION_LIST) return eo_vec_push(&args->tests, value) ? EO_OK : eo__error_nomem(error);
  return eo__option_parse(option, field_of(args, option), value, error);
}

static const eo_option *find_option(const char *name, size_t length, eo_command command) {
  const eo_option *option;
  for (size_t i = 0; (option = eo__option_at(i)) != NULL; i++)
    if (strlen(option->name) == length && memcmp(option->name, name, length) == 0 && (option->commands & command) != 0)
      break;
  return option;
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

/* -n N */
static int parse_ranks(eo_args *args, int argc, char **argv, int *at, eo_error *error) {
  if (*at + 1 >= argc) return eo__error_set(error, EO_EINPUT, "-n needs a value: -n 4");
  return set_option(args, find_option("ranks", strlen("ranks"), MPI), argv[++*at], error);
}

/* Behind the first operand: any word is the MPI program's own, and a further ticket is a report's. */
static bool one_of_more(eo_command command, const char *word, bool ended) {
  return (command & MPI) != 0 || (command == EO_COMMAND_REPORT && (ended || word[0] != '-' || word[1] == '\0'));
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
    else if (args->operand != NULL && one_of_more(command, word, ended))
      code = eo_vec_push(&args->more, word) ? EO_OK : eo__error_nomem(error);
    else if (!ended && (command & MPI) != 0 && (strcmp(word, "-n") == 0 || strcmp(word, "-np") == 0))
      code = parse_ranks(args, argc, argv, &i, error);
    else if (!ended && word[0] == '-' && word[1] != '\0')
      code = unknown_option(word, word + 1, command, error);
    else if (command == EO_COMMAND_CLUSTER && args->action == NULL)
      args->action = word;
    else if ((command == EO_COMMAND_PAIRWISE || command == EO_COMMAND_DIFF) && args->operand != NULL &&
             args->second == NULL)
      args->second = word;
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
  *explore = args->explore;
  if (explore->tickets == NULL) explore->tickets = "everyorder-tickets";
  if (strcmp(explore->tickets, "none") == 0) explore->tickets = NULL;
}

void eo__args_describe(const eo_args *args, eo_text *out) {
  const eo_option *option;
  for (size_t i = 0; (option = eo__option_at(i)) != NULL; i++) {
    const eo_given *last = NULL; /* what counts, if it was given more than once */
    for (size_t j = 0; j < args->given.count; j++)
      if (args->given.items[j].option == option) last = &args->given.items[j];
    if (last == NULL || (option->flags & EO_OPTION_SHAPES) == 0) continue;
    eo__text_add(out, "%s--%s%s%s", out->length > 0 ? " " : "", option->name, last->value != NULL ? " " : "",
                 last->value != NULL ? last->value : "");
  }
}

int eo__args_check_job(const eo_args *args, eo_error *error) {
  for (size_t i = 0; i < args->given.count; i++) {
    const eo_option *option = args->given.items[i].option;
    if ((option->flags & EO_OPTION_SHAPES) == 0 && option != EO_OPTION_OF(strategy))
      return eo__error_set(error, EO_EINPUT, "--%s is not for a job", option->name);
  }
  if (args->operand || args->tests.count || args->help)
    return eo__error_set(error, EO_EINPUT, "a job can only have options that shape the exploration");
  return EO_OK;
}

int eo__args_forward(const eo_args *args, eo_strings *out, eo_error *error) {
  for (size_t i = 0; i < args->given.count; i++) {
    const eo_given *given = &args->given.items[i];
    if ((given->option->flags & EO_OPTION_OURS) != 0) continue;
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
      return eo__error_set(error, EO_EINPUT, "--%s is for programs, not for models", args->given.items[i].option->name);
  return EO_OK;
}

void eo__options_heeded(const eo_strategy_entry *strategy, eo_text *out) {
  const eo_option *option;
  for (size_t i = 0; (option = eo__option_at(i)) != NULL; i++)
    if (option->heeded != 0 && eo__strategy_heeds(strategy, option))
      eo__text_add(out, "%s--%s", out->length > 0 ? " " : "", option->name);
}

static void print_help(FILE *out, const eo_option *option) {
  int taken = fprintf(out, "  --%s%s%s", option->name, option->value != NULL ? " " : "",
                      option->value != NULL ? option->value : "");
  const char *line = option->help;
  for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1, taken = 0)
    fprintf(out, "%*s%.*s\n", 22 - taken, "", (int)(end - line), line);
  fprintf(out, "%*s%s", 22 - taken, "", line);
  if (option->fallback > 0)
    fprintf(out, "; default %.9g%s", option->fallback, option->kind == EO_OPTION_SECONDS ? "s" : "");
  fputc('\n', out);
}

/* `reach` takes the options of `test`, but for the choice of a strategy and the options of other strategies. */
static bool is_of_reach(const eo_option *option) {
  bool used = (option->flags & EO_OPTION_LIMIT) != 0 || eo__strategy_heeds(&eo__strategies[EO_STRATEGY_REACH], option);
  return used && option != EO_OPTION_OF(strategy);
}

void eo__options_help(FILE *out, eo_command command) {
  const eo_option *option;
  for (size_t i = 0; (option = eo__option_at(i)) != NULL; i++)
    if ((option->commands & command) != 0 && (option->flags & EO_OPTION_HIDDEN) == 0 &&
        ((command & REACH) == 0 || is_of_reach(option)))
      print_help(out, option);
}
