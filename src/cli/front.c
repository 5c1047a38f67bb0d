/* front.c: from argv to the handler of a subcommand, the same way in the command and in a test program; help and
 * version on the way. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/os_process.h"
#include "report/shown.h"

typedef struct command_row {
  const char *name;
  eo_command id;
  const char *in_command; /* operands, as the usage line shows them */
  const char *in_program;
  const char *summary;
  const char *about; /* further lines for its own --help, or "" */
} command_row;

static const command_row commands[] = {
    {"test", EO_COMMAND_TEST, "PROGRAM [options]", "[options]",
     "run the tests of a program in every order that can happen",
     "Each finding is shown step by step, and written as a ticket that `everyorder replay` runs again.\n\n"},
    {"reach", EO_COMMAND_REACH | EO_COMMAND_TEST, "PROGRAM|FILE.pml [options]", "[options]",
     "run each order of receives once, and compare two versions",
     "Reachability testing: as `test --strategy reach`; of a model FILE.pml [-DNAME[=VALUE]]... as `model --strategy\n"
     "reach`. A sequence says which message each receive took. The sequences are all there are if the run is "
     "complete.\n"
     "Exit status 1 also means that --against found a difference.\n\n"},
    {"mpi", EO_COMMAND_MPI | EO_COMMAND_TEST, "PROGRAM [ARGUMENT]... [options]", NULL,
     "run an MPI program in every order that can happen",
     "PROGRAM was linked by `everyorder mpicc`, which takes the arguments of a C compiler. Words "
     "that begin\n"
     "with two dashes are options, up to the word -- ; all other words after PROGRAM are its own arguments.\n\n"},
    {"estimate", EO_COMMAND_ESTIMATE, "PROGRAM [options]", "[options]", "estimate how many executions a test has",
     "Runs random executions and extrapolates; reports no findings. Exit status 0: there is an estimate for each "
     "test.\n\n"},
    {"list", EO_COMMAND_LIST, "PROGRAM [options]", "[options]", "print the names of the tests and their source lines",
     ""},
    {"replay", EO_COMMAND_REPLAY, "TICKET [options]", "TICKET [options]", "run the execution of a ticket again",
     "Exit status 1: the execution fails as the ticket says. 3: it does not, or --until stopped it.\n\n"},
    {"show", EO_COMMAND_SHOW, "TICKET [options]", "TICKET [options]", "draw the execution of a ticket",
     "A sequence diagram: a lane for each process, an arrow for each message. Exit status as of replay.\n\n"},
    {"diff", EO_COMMAND_DIFF, "TICKET TICKET", "TICKET TICKET", "compare the executions of two tickets",
     "Both must be of the same test of the same program. Exit status 0: they are the same; 1: they differ.\n\n"},
    {"export", EO_COMMAND_EXPORT, "TICKET [options]", "TICKET [options]",
     "write the execution of a ticket for other tools",
     "FORMAT is one of\n"
     "  shiviz     log with vector clocks, for ShiViz\n"
     "  mermaid    sequence diagram, for Mermaid\n"
     "  dot        graph of happens-before, for Graphviz\n"
     "  perfetto   trace events, for ui.perfetto.dev and chrome://tracing\n\n"},
    {"report", EO_COMMAND_REPORT, "TICKET... -o FILE", "TICKET... -o FILE", "write an HTML report of tickets",
     "Replays each ticket and writes one HTML file. Exit status 0: each failed as the ticket says; else 3.\n\n"},
    {"worker", EO_COMMAND_WORKER, "--program PATH --join ADDRESS [options]", "--join ADDRESS [options]",
     "work on a job of `test --cluster`",
     "Explores parts of the job until the job has ended. May be started and killed at any time.\n\n"},
    {"cluster", EO_COMMAND_CLUSTER, "ACTION ADDRESS", "ACTION ADDRESS",
     "look at a cluster's jobs; pause, resume or cancel one",
     "ACTION is one of\n"
     "  status   print the state of the job; without NAME in the address, of all jobs\n"
     "  pause    give out no more work for now\n"
     "  resume   give out work again\n"
     "  cancel   stop the job for good; its results stay\n"
     "  drop     delete the job and its results\n\n"},
    {"model", EO_COMMAND_MODEL, "FILE [-DNAME[=VALUE]]... [options]", NULL, "explore a Promela model",
     "FILE is read through cpp. --strategy full, the default, visits every state, as many as spin's pan with its\n"
     "reductions off, and shows a shortest trace to each error. Other strategies run executions, as for programs.\n\n"},
    {"pairwise", EO_COMMAND_PAIRWISE, "MODEL [options]", "MODEL [options]",
     "write a test set that contains every pair of parameter values",
     "MODEL is a file in PICT's language, or - for standard input. PICT's options work as well: /o:N /d:C /a:C /n:C\n"
     "/e:FILE /r[:N] /c /s /f:FORMAT.\n"
     "pairwise --check MODEL TESTS: exit status 1 if a combination is missing or a constraint is broken.\n\n"},
    {"serve", EO_COMMAND_SERVE, "[DIR] [options]", NULL, "show runs in a browser, also while they go on",
     "Shows the reports, tickets and logs below DIR (default: this folder), and replays tickets. Runs until it is\n"
     "interrupted. Only this machine can connect unless --listen says otherwise.\n\n"},
    {"strategies", EO_COMMAND_STRATEGIES, "", "", "list the strategies and their options", ""},
    {"help", EO_COMMAND_HELP, "[COMMAND]", "[COMMAND]", "print this text, or the help of a command", ""}};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]), COLUMN = 30 /* where summaries begin */ };

static const char exit_codes[] =
    "Exit status:\n"
    "  0  everything was covered, and nothing failed\n"
    "  1  a finding\n"
    "  2  wrong usage, or the machine refused something\n"
    "  3  nothing failed, but not everything was covered (bounded, sampled or stopped)\n"
    "  4  an error inside Everyorder\n";

int eo__fail(const eo_front *front, const eo_error *error) {
  char text[sizeof error->text];
  memcpy(text, error->text, sizeof text);
  fprintf(stderr, "%s: ", front->name);
  /* It may quote a ticket, a model or a record that somebody else wrote. */
  for (char *line = text, *end; line != NULL; line = end) {
    if ((end = strchr(line, '\n')) != NULL) *end++ = '\0';
    eo__shown(stderr, line, 0);
    fputc('\n', stderr);
  }
  bool theirs = error->code == EO_EINPUT || error->code == EO_ESYSTEM || error->code == EO_ENOMEM;
  return theirs ? EO_STATUS_USAGE : EO_STATUS_INTERNAL;
}

bool eo__colour(const eo_args *args, FILE *stream) {
  const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
  if (args->colour != EO_COLOUR_AUTO) return args->colour == EO_COLOUR_ALWAYS;
  return isatty(fileno(stream)) && (none == NULL || *none == '\0') && term != NULL && strcmp(term, "dumb") != 0;
}

/* Some are for the command alone. */
static bool is_here(const eo_front *front, const command_row *command) {
  return front->program == NULL || command->in_program != NULL;
}

static const command_row *find_command(const eo_front *front, const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (is_here(front, &commands[i]) && strcmp(commands[i].name, name) == 0) return &commands[i];
  return NULL;
}

bool eo__command_at(const eo_front *front, size_t index, eo_command_name *command) {
  *command = (eo_command_name){0};
  for (size_t i = 0; i < COMMANDS; i++) {
    if (!is_here(front, &commands[i]) || index-- > 0) continue;
    *command = (eo_command_name){commands[i].name, commands[i].id, commands[i].summary};
    return true;
  }
  return false;
}

static void print_usage(FILE *out, const eo_front *front, const command_row *command) {
  const char *operands = front->program != NULL ? command->in_program : command->in_command;
  fprintf(out, "Usage: %s %s %s\n\n", front->name, command->name, operands);
  fprintf(out, "%c%s.\n%s%s", command->summary[0] - 'a' + 'A', command->summary + 1,
          command->about[0] != '\0' ? "" : "\n", command->about);
  fputs("Options:\n", out);
  eo__options_help(out, command->id);
  if (command->id == EO_COMMAND_TEST) fprintf(out, "\n%s", exit_codes);
}

static void print_overview(FILE *out, const eo_front *front) {
  bool is_program = front->program != NULL;
  fprintf(out, "Usage: %s %s\n\n", front->name, is_program ? "[COMMAND] [options]" : "COMMAND [operands] [options]");
  fputs(is_program ? "A program of tests that Everyorder runs in every order that can happen.\n\n"
                   : "Tests programs of processes that send each other messages, in every order that can happen.\n\n",
        out);
  fputs("Commands:\n", out);
  for (size_t i = 0; i < COMMANDS; i++) {
    if (!is_here(front, &commands[i])) continue;
    const char *operands = is_program ? commands[i].in_program : commands[i].in_command;
    int taken = fprintf(out, "  %s %s", commands[i].name, operands);
    const char *without = is_program && commands[i].id == EO_COMMAND_TEST ? " (if no command is given)" : "";
    bool fits = taken < COLUMN;
    fprintf(out, "%s%*s%s%s\n", fits ? "" : "\n", fits ? COLUMN - taken : COLUMN, "", commands[i].summary, without);
  }
  if (is_program) {
    fputs("\nOptions of test:\n", out);
    eo__options_help(out, EO_COMMAND_TEST);
  }
  fprintf(out, "\n`%s help COMMAND` or `%s COMMAND --help` says more about a command.\n\n%s", front->name, front->name,
          exit_codes);
}

static int unknown_command(const eo_front *front, const char *word) {
  const char *names[COMMANDS + 1];
  size_t count = 0;
  for (size_t i = 0; i < COMMANDS; i++)
    if (is_here(front, &commands[i])) names[count++] = commands[i].name;
  const char *near_test = front->program != NULL ? eo__test_nearest(word) : NULL;
  if (near_test != NULL) names[count++] = near_test;
  const char *nearest = eo__text_nearest(word, names, count);
  eo_test *test = NULL;
  fprintf(stderr, "%s: there is no command %.64s", front->name, word);
  if (front->program != NULL && eo__test_find(word, &test, NULL) == EO_OK && test != NULL)
    fprintf(stderr, "; to run that test: --test %.64s", word);
  else if (nearest != NULL)
    fprintf(stderr, "; did you mean %s%s?", nearest == near_test ? "--test " : "", nearest);
  else if (front->program == NULL && access(word, X_OK) == 0)
    fprintf(stderr, "; to run its tests: %s test %.64s", front->name, word);
  fprintf(stderr, "\n`%s --help` lists the commands.\n", front->name);
  return EO_STATUS_USAGE;
}

static int help(const eo_front *front, const eo_args *args) {
  const command_row *command = args->operand != NULL ? find_command(front, args->operand) : NULL;
  if (args->operand != NULL && command == NULL) return unknown_command(front, args->operand);
  if (command == NULL)
    print_overview(stdout, front);
  else
    print_usage(stdout, front, command);
  return EO_STATUS_CLEAN;
}

static int dispatch(const eo_front *front, const command_row *command, const eo_args *args) {
  switch ((int)command->id) {
    case EO_COMMAND_REACH | EO_COMMAND_TEST: return front->reach(front, args);
    case EO_COMMAND_MPI | EO_COMMAND_TEST: return front->mpi(front, args);
    case EO_COMMAND_TEST: return front->test(front, args);
    case EO_COMMAND_ESTIMATE: return front->estimate(front, args);
    case EO_COMMAND_LIST: return front->list(front, args);
    case EO_COMMAND_REPLAY: return front->replay(front, args);
    case EO_COMMAND_SHOW: return front->show(front, args);
    case EO_COMMAND_DIFF: return front->diff(front, args);
    case EO_COMMAND_EXPORT: return front->write(front, args);
    case EO_COMMAND_REPORT: return front->report(front, args);
    case EO_COMMAND_WORKER: return front->worker(front, args);
    case EO_COMMAND_CLUSTER: return eo__cmd_cluster(front, args);
    case EO_COMMAND_MODEL: return eo__cmd_model(front, args);
    case EO_COMMAND_PAIRWISE: return eo__cmd_pairwise(front, args);
    case EO_COMMAND_STRATEGIES: return eo__cmd_strategies(front, args);
    case EO_COMMAND_SERVE: return front->serve(front, args);
    case EO_COMMAND_HELP: return help(front, args);
  }
  return EO_STATUS_INTERNAL;
}

/* Too few or too many operands; the parser lets at most one through. */
static int check_operand(const eo_front *front, const command_row *command, const eo_args *args, eo_error *error) {
  const char *operands = front->program != NULL ? command->in_program : command->in_command;
  bool takes = operands[0] != '\0' && operands[0] != '-' && strcmp(operands, "[options]") != 0;
  bool needs = takes && operands[0] != '[';
  if (command->id == EO_COMMAND_CLUSTER && args->action != NULL) operands += strcspn(operands, " ") + 1;
  if (command->id == EO_COMMAND_WORKER && args->join == NULL)
    return eo__error_set(error, EO_EINPUT, "worker needs --join redis://HOST:PORT/NAME");
  if (command->id == EO_COMMAND_REPORT && args->file == NULL && args->operand != NULL)
    return eo__error_set(error, EO_EINPUT, "report needs -o FILE: the HTML file to write");
  if (needs && args->operand == NULL)
    return eo__error_set(error, EO_EINPUT, "%s needs %.*s", command->name, (int)strcspn(operands, " "), operands);
  if (args->check && args->second == NULL)
    return eo__error_set(error, EO_EINPUT, "pairwise --check needs two files: MODEL and TESTS");
  if (command->id == EO_COMMAND_PAIRWISE && !args->check && args->second != NULL)
    return eo__error_set(error, EO_EINPUT, "one argument too many: %.64s; to check tests: --check MODEL TESTS",
                         args->second);
  if (command->id == EO_COMMAND_DIFF && args->second == NULL)
    return eo__error_set(error, EO_EINPUT, "diff needs two tickets");
  if (command->id == EO_COMMAND_EXPORT && args->format == NULL)
    return eo__error_set(error, EO_EINPUT, "export needs --format FORMAT: shiviz, mermaid, dot or perfetto");
  if (!takes && args->operand != NULL)
    return eo__error_set(error, EO_EINPUT, "one argument too many: %.64s%s%.64s", args->operand,
                         command->id == EO_COMMAND_TEST ? "; to run one test: --test " : "",
                         command->id == EO_COMMAND_TEST ? args->operand : "");
  return EO_OK;
}

static int run_command(const eo_front *front, const command_row *command, eo_args *args, int argc, char **argv,
                       int first) {
  eo_error error;
  int code = eo__args_parse(args, command->id, argc, argv, first, &error);
  if (code == EO_OK && args->help) {
    if (first == 1)
      print_overview(stdout, front);
    else
      print_usage(stdout, front, command);
    return EO_STATUS_CLEAN;
  }
  if (code == EO_OK && args->version) {
    printf("everyorder %s\n", EO_VERSION);
    return EO_STATUS_CLEAN;
  }
  if (code == EO_OK) code = check_operand(front, command, args, &error);
  if (code == EO_OK) return dispatch(front, command, args);
  int status = eo__fail(front, &error);
  fprintf(stderr, "`%s %s%s--help` lists the options.\n", front->name, first > 1 ? command->name : "",
          first > 1 ? " " : "");
  return status;
}

int eo__front_main(const eo_front *front, int argc, char **argv) {
  eo__os_alone();
  signal(SIGXFSZ, SIG_IGN); /* a report that becomes too large for `ulimit -f` is an error like that of a full disk */
  bool named = argc > 1 && argv[1][0] != '-';
  if (!named && argc < 2 && front->program == NULL) {
    print_overview(stderr, front);
    return EO_STATUS_USAGE;
  }
  if (named && front->program == NULL && (strcmp(argv[1], "mpicc") == 0 || strcmp(argv[1], "mpicxx") == 0))
    return eo__mpicc(front, argv + 1);
  if (named && front->program == NULL && strcmp(argv[1], "complete") == 0)
    return eo__complete(front, argc - 2, argv + 2);
  /* Without a command, a test program runs its tests; the command itself knows --help and --version only. */
  const command_row *command = find_command(front, named ? argv[1] : front->program != NULL ? "test" : "help");
  if (command == NULL) return unknown_command(front, argv[1]);
  eo_args args;
  eo__args_init(&args);
  int status = run_command(front, command, &args, argc, argv, named ? 2 : 1);
  eo__args_release(&args);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "%s: standard output could not be written\n", front->name);
    return status == EO_STATUS_FINDING ? status : EO_STATUS_USAGE; /* as of other reports: verdict.h */
  }
  return status;
}
