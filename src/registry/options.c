/* options.c: see options.h. Adding an option is one row here, one field of eo_options (and of eo_strategy_options, if a
 * strategy reads it) and who reads the field. */
#include "registry/options.h"

#include <string.h>

#include "core/contain.h"
#include "registry/explore.h"
#include "registry/registry.h"

static const char *const explorer_words[] = {"rtc", "rr", "prr", "any", "custom", NULL};
static const char *const delivery_words[] = {"mailbox", "fifo", "causal", "async", NULL};
static const char *const timeout_words[] = {"eager", "idle", NULL};
static const char *const draw_words[] = {"choice", "process", NULL};
static const char *const abnormal_words[] = {"unnoticed", "fail", NULL};
static const char *const reduction_words[] = {"optimal", "source", "classic", NULL};
static const char *const cache_words[] = {[EO_CACHE_UNLIMITED] = "unlimited",
                                          [EO_CACHE_REFUSE] = "refuse",
                                          [EO_CACHE_REPLACE] = "replace",
                                          [EO_CACHE_OFF] = "off",
                                          [EO_CACHE_OFF + 1] = NULL};

#define AT(member) offsetof(eo_options, member)
#define TO(member) offsetof(eo_strategy_options, member)
_Static_assert(TO(delivery) == 0, "so that 0 is the offset of no option");
_Static_assert(AT(bound) == AT(bounded) + sizeof(int) && TO(bound) == TO(bounded) + sizeof(int),
               "as EO_OPTION_BOUND is");
_Static_assert(AT(delays) == AT(delays_bounded) + sizeof(int) && TO(delays) == TO(delays_bounded) + sizeof(int), "");

#define TEST EO_COMMAND_TEST
#define MODEL EO_COMMAND_MODEL
#define ESTIMATE EO_COMMAND_ESTIMATE
#define SHAPES EO_OPTION_SHAPES
#define LIMIT EO_OPTION_LIMIT
#define FREE EO_OPTION_FREE

const eo_option eo__options[] = {
    {"strategy", "S", EO_OPTION_TEXT, TEST | MODEL | ESTIMATE, 0, .field = AT(strategy),
     .help = "the strategy; `everyorder strategies` lists all; default auto,\n"
             "for a model full"},
    {"bound", "N", EO_OPTION_BOUND, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(bounded), .passed = TO(bounded),
     .most = INT32_MAX, .heeded = EO_BIT(DPOR) | EO_BIT(PREEMPT),
     .help = "run only interleavings of at most N preemptions (dpor, preempt)"},
    {"dpor", "HOW", EO_OPTION_NAME, TEST | ESTIMATE, SHAPES, .field = AT(reduction), .passed = TO(reduction),
     .words = reduction_words, .heeded = EO_BIT(DPOR),
     .help = "the algorithm of dpor: optimal (default), source, classic"},
    {"no-tree", NULL, EO_OPTION_FLAG, TEST | MODEL, SHAPES, .field = AT(no_tree), .passed = TO(no_tree),
     .heeded = EO_BIT(REACH), .help = "reach: do not keep the sequences; takes less memory"},
    {"sleep", NULL, EO_OPTION_FLAG, MODEL, SHAPES, .field = AT(sleep_sets), .heeded = EO_BIT(BSRA),
     .help = "bsra: use sleep sets"},
    {"fair", NULL, EO_OPTION_FLAG, MODEL, SHAPES, .field = AT(fair), .heeded = EO_BIT(FULL),
     .help = "properties: judge only executions that are fair to every process\n"
             "(weak fairness)"},
    {"bitstate", "N", EO_OPTION_INT, MODEL, SHAPES, .field = AT(bitstate_mb), .least = 1, .most = 1 << 20,
     .heeded = EO_BIT(FULL),
     .help = "full: keep only three bits of each state, in a table of N MiB; may\n"
             "mistake a state for another; the result estimates how many were missed"},
    {"hash-compact", NULL, EO_OPTION_FLAG, MODEL, SHAPES, .field = AT(hash_compact), .heeded = EO_BIT(FULL),
     .help = "full: keep only 64 bits of each state; may mistake a state for another"},
    {"visible", "VAR,...", EO_OPTION_TEXT, MODEL, SHAPES, .field = AT(visible), .heeded = EO_BIT(BSRA),
     .help = "bsra: explore every order of the accesses to these global variables,\n"
             "so that assertions about them are checked in each"},
    {"explorer", "E", EO_OPTION_TEXT, TEST | MODEL, SHAPES, .field = AT(explorer), .words = explorer_words,
     .heeded = EO_BITS_DELAYS,
     .help = "ses, ss: the delaying explorer: rtc, rr, prr, any, custom, an explorer of\n"
             "the program, or a plug-in ./FILE.so; default: rtc, of ss any"},
    {"delays", "N", EO_OPTION_BOUND, TEST | MODEL, SHAPES, .field = AT(delays_bounded), .passed = TO(delays_bounded),
     .most = INT32_MAX, .heeded = EO_BITS_DELAYS, .help = "ses, ss: at most N delays; default: no bound, fewest first"},
    {"delay-step", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(delay_step), .passed = TO(delay_step),
     .least = 1, .most = INT32_MAX, .fallback = 1, .heeded = EO_BIT(SES) | EO_BIT(SES_SS),
     .help = "ses: how many delays each round adds"},
    {"cache", "HOW", EO_OPTION_NAME, TEST | MODEL, SHAPES, .field = AT(cache), .words = cache_words,
     .heeded = EO_BIT(PREEMPT) | EO_BIT(SES),
     .help = "visited states: unlimited (default of ses): keep all; off (default of\n"
             "preempt): keep none; refuse, replace: keep up to --cache-mb, then\n"
             "refuse new states or replace old ones"},
    {"cache-mb", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(cache_mb), .least = 1, .most = INT32_MAX,
     .heeded = EO_BIT(PREEMPT) | EO_BIT(SES) | EO_BIT(SES_SS) | EO_BITS_SEARCHES,
     .help = "memory in MiB: a quarter for visited states, the rest for the\n"
             "frontier; default a quarter of the machine's memory, for a model half"},
    {"samples", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(samples), .passed = TO(samples), .least = 1,
     .most = INT32_MAX, .fallback = 100, .heeded = EO_BIT(SS), .help = "ss: take N + G^d samples with d delays"},
    {"growth", "G", EO_OPTION_FACTOR, TEST | MODEL, SHAPES, .field = AT(growth), .passed = TO(growth), .least = 1,
     .most = INT32_MAX, .fallback = 3, .heeded = EO_BIT(SS), .help = "ss: the G of --samples"},
    {"bug-depth", "D", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(bug_depth), .passed = TO(bug_depth), .least = 1,
     .most = 64, .fallback = 3, .heeded = EO_BITS_PRIORITIES,
     .help = "pct, pctcp, tapct: look for bugs that need D ordered events"},
    {"length", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(length), .passed = TO(length), .least = 1,
     .most = INT32_MAX, .heeded = EO_BITS_PRIORITIES | EO_BIT(IRS),
     .help = "pct, pctcp, tapct: expected steps of an execution; default: the\n"
             "longest of the first 100; irs: steps that each round adds; default 100"},
    {"draw", "WHAT", EO_OPTION_WORD, TEST | MODEL, SHAPES, .field = AT(draw_process), .passed = TO(draw_process),
     .words = draw_words, .heeded = EO_BIT(RANDOM),
     .help = "random: choice (default): each choice is equally likely; process:\n"
             "first draw a process, then one of its choices"},
    {"executions", "N", EO_OPTION_MOST, TEST | MODEL, SHAPES | LIMIT | FREE, .field = AT(executions),
     .passed = TO(executions), .most = INT64_MAX,
     .heeded = EO_BITS_DRAWING | EO_BITS_SEARCHES | EO_BIT(SES_SS) | EO_BIT(SS),
     .help = "stop each test after N executions; 0: no limit; default 10,000 for\n"
             "sampling strategies, no limit for others"},
    {"time", "T", EO_OPTION_SECONDS, TEST | MODEL | ESTIMATE, SHAPES | LIMIT, .field = AT(seconds),
     .help = "stop each test after a time: 30s, 5m, 1h, 250ms; default: no limit;\n"
             "for estimate 1s"},
    {"depth", "N", EO_OPTION_UINT, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(depth), .least = 1, .most = UINT32_MAX,
     .fallback = 10000, .help = "cut off an execution after N steps; 100000 under mpi"},
    {"depth-fails", NULL, EO_OPTION_FLAG, TEST | MODEL, SHAPES, .field = AT(depth_fails),
     .help = "report an execution that reaches --depth as a finding"},
    {"seed", "N", EO_OPTION_NUMBER, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(seed), .passed = TO(seed),
     .most = UINT64_MAX, .heeded = EO_BITS_DRAWING | EO_BITS_DELAYS | EO_BITS_PROBED,
     .help = "seed of all random choices; default 0"},
    {"keep-going", NULL, EO_OPTION_FLAG, TEST | MODEL, SHAPES | LIMIT, .field = AT(keep_going),
     .help = "continue a test after a finding"},
    {"minimise", "T", EO_OPTION_SECONDS, TEST, 0, .field = AT(minimise), .fallback = 2,
     .help = "look for shorter executions of the findings of a test for this long"},
    {"no-minimise", NULL, EO_OPTION_FLAG, TEST, 0, .field = AT(as_found),
     .help = "report findings as they were found; do not look for shorter ones"},
    {"timeouts", "WHEN", EO_OPTION_WORD, TEST | ESTIMATE, SHAPES, .field = AT(timeouts_idle),
     .passed = TO(timeouts_idle), .words = timeout_words,
     .help = "when a receive may time out: eager (default): whenever no message\n"
             "matches; idle: only when no process can run"},
    {"delivery", "D", EO_OPTION_NAME, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(delivery), .words = delivery_words,
     .help = "which matching message a receive may take: mailbox (default): the\n"
             "oldest; fifo: the oldest of each sender; causal: each one whose send\n"
             "no send of another one precedes; async: any"},
    {"faults", "N", EO_OPTION_TEXT, TEST | ESTIMATE, SHAPES, .field = AT(faults),
     .help = "at most N faults (eo_fault) in an execution, or a number for each\n"
             "kind: disk=1,net=2; default 1"},
    {"leaks", NULL, EO_OPTION_FLAG, TEST | ESTIMATE, SHAPES, .field = AT(leaks),
     .help = "report memory that is still allocated at the end as a finding"},
    {"abnormal", "WHICH", EO_OPTION_WORD, TEST | ESTIMATE, SHAPES, .field = AT(abnormal_fails), .words = abnormal_words,
     .help = "which abnormal exits are findings: unnoticed (default): those of\n"
             "processes that nobody is linked to or monitors; fail: all"},
    {"watchdog", "T", EO_OPTION_SECONDS, TEST | ESTIMATE, SHAPES, .field = AT(watchdog), .fallback = 2,
     .help = "report a step that takes longer than this as a finding"},
    {"jobs", "N", EO_OPTION_INT, TEST | MODEL, FREE, .field = AT(jobs), .least = 1, .most = EO_WORKERS_MAX,
     .heeded = EO_BITS_SPLIT | EO_BITS_SHARED,
     .help = "share each test among N worker processes (full and por: threads);\n"
             "default 1, with --cluster 0"},
    {"tickets", "FOLDER", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(tickets),
     .help = "folder for tickets; none: write none; default everyorder-tickets"},
};
const size_t eo__option_count = sizeof eo__options / sizeof *eo__options;

const eo_option *eo__option_of(size_t field) {
  const eo_option *option = eo__options;
  while (option->field != field) {
    option++;
    EO_CHECK(option < eo__options + eo__option_count);
  }
  return option;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

bool eo__option_is_given(const eo_option *option, const void *field) {
  switch (option->kind) {
    case EO_OPTION_FLAG:
    case EO_OPTION_INT:
    case EO_OPTION_BOUND:
    case EO_OPTION_WORD: return *(const int *)field != 0;
    case EO_OPTION_UINT: return *(const uint32_t *)field != 0;
    case EO_OPTION_NUMBER:
    case EO_OPTION_MOST: return *(const uint64_t *)field != 0;
    case EO_OPTION_FACTOR:
    case EO_OPTION_SECONDS: return *(const double *)field != 0;
    case EO_OPTION_TEXT:
    case EO_OPTION_NAME: return *(const char *const *)field != NULL;
    case EO_OPTION_LIST: return false; /* which tests, not how */
  }
  return false;
}

void eo__option_add(const eo_option *option, const void *field, eo_text *out) {
  if (!eo__option_is_given(option, field)) return;
  switch (option->kind) {
    case EO_OPTION_FLAG: eo__text_add(out, "yes"); break;
    case EO_OPTION_INT: eo__text_add(out, "%d", *(const int *)field); break;
    case EO_OPTION_BOUND: eo__text_add(out, "%d", ((const int *)field)[1]); break;
    case EO_OPTION_UINT: eo__text_add(out, "%u", (unsigned)*(const uint32_t *)field); break;
    case EO_OPTION_NUMBER: eo__text_add(out, "%llu", (unsigned long long)*(const uint64_t *)field); break;
    case EO_OPTION_MOST: {
      uint64_t most = *(const uint64_t *)field;
      eo__text_add(out, "%llu", (unsigned long long)(most == EO_NO_LIMIT ? 0 : most));
      break;
    }
    case EO_OPTION_FACTOR: eo__text_add(out, "%.9g", *(const double *)field); break;
    case EO_OPTION_SECONDS: eo__text_add(out, "%.9g s", *(const double *)field); break;
    case EO_OPTION_TEXT:
    case EO_OPTION_NAME: eo__text_add(out, "%s", *(const char *const *)field); break;
    case EO_OPTION_WORD: eo__text_add(out, "%s", option->words[*(const int *)field]); break;
    case EO_OPTION_LIST: break;
  }
}

int eo__option_word(const eo_option *option, const char *word) {
  for (int i = 0; option->words[i] != NULL; i++)
    if (strcmp(option->words[i], word) == 0) return i;
  return -1;
}

static int bad_value(const eo_option *option, const char *value, eo_error *error) {
  eo_text expected;
  char digits[32];
  eo__text_init(&expected);
  size_t words = 0;
  while (option->words != NULL && option->words[words] != NULL) words++;
  if (option->words != NULL)
    for (int i = 0; option->words[i] != NULL; i++)
      eo__text_add(&expected, "%s%s", i == 0 ? "" : option->words[i + 1] != NULL ? ", " : " or ", option->words[i]);
  else if (option->kind == EO_OPTION_SECONDS)
    eo__text_add(&expected, "a time such as 30s, 5m, 1h or 250ms");
  else if (option->kind == EO_OPTION_TEXT)
    eo__text_add(&expected, "%s", option->value);
  else
    eo__text_add(&expected, "a whole number from %u to %s", (unsigned)option->least,
                 eo__text_thousands(digits, option->most));
  int code = eo__error_set(error, EO_EINPUT, "--%s %.64s: expected %s", option->name, *value != '\0' ? value : "''",
                           expected.chars);
  eo__text_release(&expected);
  return words > 0 ? eo__error_suggest(error, value, option->words, words) : code;
}

static int parse_number(const eo_option *option, void *field, const char *value, eo_error *error) {
  uint64_t number;
  if (!eo__text_number(value, option->most, &number) || number < option->least) return bad_value(option, value, error);
  switch (option->kind) {
    case EO_OPTION_INT: *(int *)field = (int)number; break;
    case EO_OPTION_BOUND:
      ((int *)field)[0] = 1;
      ((int *)field)[1] = (int)number;
      break;
    case EO_OPTION_UINT: *(uint32_t *)field = (uint32_t)number; break;
    case EO_OPTION_FACTOR: *(double *)field = (double)number; break;
    case EO_OPTION_MOST: *(uint64_t *)field = number ? number : EO_NO_LIMIT; break;
    default: *(uint64_t *)field = number;
  }
  return EO_OK;
}

int eo__option_parse(const eo_option *option, void *field, const char *value, eo_error *error) {
  EO_CHECK((value != NULL) == (option->kind != EO_OPTION_FLAG));
  switch (option->kind) {
    case EO_OPTION_FLAG: *(int *)field = 1; return EO_OK;
    case EO_OPTION_SECONDS:
      if (!eo__text_seconds(value, field) || !(*(double *)field > 0)) return bad_value(option, value, error);
      return EO_OK;
    case EO_OPTION_TEXT: *(const char **)field = value; return *value != '\0' ? EO_OK : bad_value(option, value, error);
    case EO_OPTION_NAME: {
      int index = eo__option_word(option, value);
      if (index < 0) return bad_value(option, value, error);
      *(const char **)field = option->words[index];
      return EO_OK;
    }
    case EO_OPTION_WORD: {
      int index = eo__option_word(option, value);
      if (index < 0) return bad_value(option, value, error);
      *(int *)field = index;
      return EO_OK;
    }
    default: return parse_number(option, field, value, error);
  }
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static const void *field_of(const eo_option *option, const eo_options *options) {
  return (const char *)options + option->field;
}

/* Of a field that somebody's code has filled in: is it what could have been parsed? */
static bool is_allowed(const eo_option *option, const void *field) {
  const int *ints = field;
  double number = 0;
  switch (option->kind) {
    case EO_OPTION_INT: number = ints[0]; break;
    case EO_OPTION_BOUND: number = ints[1]; break;
    case EO_OPTION_FACTOR: number = *(const double *)field; break;
    case EO_OPTION_SECONDS: return *(const double *)field > 0;
    case EO_OPTION_NAME: return eo__option_word(option, *(const char *const *)field) >= 0;
    default: return true;
  }
  return number >= (double)option->least && number <= (double)option->most;
}

static int not_heeded(const eo_option *option, const eo_strategy_entry *strategy, eo_error *error) {
  eo_text who;
  eo__text_init(&who);
  uint32_t left = option->heeded;
  for (int id = 0; id < EO_STRATEGIES; id++) {
    if (!(left & 1u << id)) continue;
    left &= ~(1u << id);
    eo__text_add(&who, "%s%s", who.length == 0 ? "" : left ? ", " : " and ", eo__strategies[id].name);
  }
  int code = eo__error_set(error, EO_EINPUT, "strategy '%s' does not use --%s: that is an option of %s", strategy->name,
                           option->name, who.chars);
  eo__text_release(&who);
  return code;
}

int eo__options_check(const eo_options *options, const eo_strategy_entry *strategy, eo_error *error) {
  for (size_t i = 0; i < eo__option_count; i++) {
    const eo_option *option = &eo__options[i];
    const void *field = field_of(option, options);
    if (!eo__option_is_given(option, field)) continue;
    if (!is_allowed(option, field)) {
      eo_text value;
      eo__text_init(&value);
      eo__option_add(option, field, &value);
      int code = bad_value(option, value.chars, error);
      eo__text_release(&value);
      return code;
    }
    if ((option->flags & FREE) == 0 && !eo__strategy_heeds(strategy, option))
      return not_heeded(option, strategy, error);
  }
  return EO_OK;
}

double eo__option_number(const eo_option *option, const eo_options *options) {
  const void *field = field_of(option, options);
  if (!eo__option_is_given(option, field)) return option->fallback;
  switch (option->kind) {
    case EO_OPTION_INT: return *(const int *)field;
    case EO_OPTION_UINT: return *(const uint32_t *)field;
    default: return *(const double *)field;
  }
}

void eo__options_pass(const eo_options *options, eo_strategy_options *wanted) {
  for (size_t i = 0; i < eo__option_count; i++) {
    const eo_option *option = &eo__options[i];
    const void *from = field_of(option, options);
    void *to = (char *)wanted + option->passed;
    if (option->passed == 0) continue;
    switch (option->kind) {
      case EO_OPTION_FLAG:
      case EO_OPTION_WORD: *(int *)to = *(const int *)from; break;
      case EO_OPTION_BOUND: memcpy(to, from, 2 * sizeof(int)); break;
      case EO_OPTION_INT: *(uint32_t *)to = (uint32_t)eo__option_number(option, options); break;
      case EO_OPTION_FACTOR: *(double *)to = eo__option_number(option, options); break;
      case EO_OPTION_NUMBER:
      case EO_OPTION_MOST: *(uint64_t *)to = *(const uint64_t *)from; break;
      case EO_OPTION_NAME: *(const char **)to = *(const char *const *)from; break;
      default: EO_CHECK(!"strategies get no options of this kind as they are");
    }
  }
}
