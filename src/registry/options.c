/* options.c: see options.h. Adding an option is one row here, one field of eo_options (and of eo_strategy_options, if a
 * strategy reads it) and who reads the field. */
#include "registry/options.h"

#include <string.h>

#include "core/contain.h"
#include "registry/explore.h"
#include "registry/registry.h"

static const char *const explorer_words[] = {"rtc", "rr", "prr", "custom", NULL};
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
     .help = "how to explore: see `everyorder strategies`; default auto"},
    {"bound", "N", EO_OPTION_BOUND, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(bounded), .passed = TO(bounded),
     .most = INT32_MAX, .heeded = EO_BIT(DPOR) | EO_BIT(PREEMPT),
     .help = "at most N preemptions, for strategies that bound them"},
    {"dpor", "HOW", EO_OPTION_NAME, TEST | ESTIMATE, SHAPES, .field = AT(reduction), .passed = TO(reduction),
     .words = reduction_words, .heeded = EO_BIT(DPOR),
     .help = "how `--strategy dpor` reduces: optimal (default), source, classic"},
    {"no-tree", NULL, EO_OPTION_FLAG, TEST | MODEL, SHAPES, .field = AT(no_tree), .passed = TO(no_tree),
     .heeded = EO_BIT(REACH), .help = "reach: does not keep the sequences it has run; takes less memory"},
    {"sleep", NULL, EO_OPTION_FLAG, MODEL, SHAPES, .field = AT(sleep_sets), .heeded = EO_BIT(BSRA),
     .help = "bsra: with sleep sets"},
    {"visible", "VAR,...", EO_OPTION_TEXT, MODEL, SHAPES, .field = AT(visible), .heeded = EO_BIT(BSRA),
     .help = "bsra: every order of the accesses to these global variables, so that\n"
             "assertions over them are checked in all"},
    {"explorer", "E", EO_OPTION_TEXT, TEST | MODEL, SHAPES, .field = AT(explorer), .words = explorer_words,
     .heeded = EO_BITS_DELAYS,
     .help = "whose delays ses and ss count: rtc (default), rr, prr, custom, one\n"
             "of the program's own, or a plug-in ./FILE.so"},
    {"delays", "N", EO_OPTION_BOUND, TEST | MODEL, SHAPES, .field = AT(delays_bounded), .passed = TO(delays_bounded),
     .most = INT32_MAX, .heeded = EO_BITS_DELAYS, .help = "at most N delays; default: more and more"},
    {"delay-step", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(delay_step), .passed = TO(delay_step),
     .least = 1, .most = INT32_MAX, .fallback = 1, .heeded = EO_BIT(SES) | EO_BIT(SES_SS),
     .help = "how many more delays ses allows each time"},
    {"cache", "HOW", EO_OPTION_NAME, TEST | MODEL, SHAPES, .field = AT(cache), .words = cache_words,
     .heeded = EO_BIT(PREEMPT) | EO_BIT(SES),
     .help = "states that were seen: unlimited (default of ses), off, or at most\n"
             "--cache-mb, then refuse new ones or replace old ones"},
    {"cache-mb", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(cache_mb), .least = 1, .most = INT32_MAX,
     .heeded = EO_BIT(PREEMPT) | EO_BIT(SES) | EO_BIT(SES_SS) | EO_BITS_SEARCHES,
     .help = "memory for states that were seen (a quarter of it) and for what is\n"
             "left to explore, in MiB; default a quarter of the machine's"},
    {"samples", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(samples), .passed = TO(samples), .least = 1,
     .most = INT32_MAX, .fallback = 100, .heeded = EO_BIT(SS), .help = "of ss: N + G^d samples of d delays"},
    {"growth", "G", EO_OPTION_FACTOR, TEST | MODEL, SHAPES, .field = AT(growth), .passed = TO(growth), .least = 1,
     .most = INT32_MAX, .fallback = 3, .heeded = EO_BIT(SS), .help = "that G"},
    {"bug-depth", "D", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(bug_depth), .passed = TO(bug_depth), .least = 1,
     .most = 64, .fallback = 3, .heeded = EO_BITS_PRIORITIES,
     .help = "of pct, pctcp and tapct: how many ordered events a bug needs"},
    {"length", "N", EO_OPTION_INT, TEST | MODEL, SHAPES, .field = AT(length), .passed = TO(length), .least = 1,
     .most = INT32_MAX, .heeded = EO_BITS_PRIORITIES | EO_BIT(IRS),
     .help = "of those: steps of an execution; default: as long as the first ones;\n"
             "of irs: by how many steps the bound grows; default 100"},
    {"draw", "WHAT", EO_OPTION_WORD, TEST | MODEL, SHAPES, .field = AT(draw_process), .passed = TO(draw_process),
     .words = draw_words, .heeded = EO_BIT(RANDOM),
     .help = "of random: any choice, evenly (default), or process: first whose turn\n"
             "it is, then among the choices of that one"},
    {"executions", "N", EO_OPTION_MOST, TEST | MODEL, SHAPES | LIMIT | FREE, .field = AT(executions),
     .passed = TO(executions), .most = INT64_MAX,
     .heeded = EO_BITS_DRAWING | EO_BITS_SEARCHES | EO_BIT(SES_SS) | EO_BIT(SS),
     .help = "stop each test after N executions; 0: no limit, also where the strategy\n"
             "draws, which else ends after 10,000"},
    {"time", "T", EO_OPTION_SECONDS, TEST | MODEL | ESTIMATE, SHAPES | LIMIT, .field = AT(seconds),
     .help = "stop each test after a time: 30s, 5m, 1h, 250ms; estimate: default 1s"},
    {"depth", "N", EO_OPTION_UINT, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(depth), .least = 1, .most = UINT32_MAX,
     .fallback = 10000, .help = "cut an execution off after N steps"},
    {"depth-fails", NULL, EO_OPTION_FLAG, TEST | MODEL, SHAPES, .field = AT(depth_fails),
     .help = "an execution that is cut off there is a finding"},
    {"seed", "N", EO_OPTION_NUMBER, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(seed), .passed = TO(seed),
     .most = UINT64_MAX, .heeded = EO_BITS_DRAWING | EO_BITS_DELAYS | EO_BITS_PROBED,
     .help = "for whatever draws at random, and for estimates; default 0"},
    {"keep-going", NULL, EO_OPTION_FLAG, TEST | MODEL, SHAPES | LIMIT, .field = AT(keep_going),
     .help = "go on exploring a test after a finding"},
    {"minimise", "T", EO_OPTION_SECONDS, TEST, 0, .field = AT(minimise), .fallback = 2,
     .help = "spend so long on shorter ways to the findings of a test, all together;\n"
             "default 2s"},
    {"no-minimise", NULL, EO_OPTION_FLAG, TEST, 0, .field = AT(as_found),
     .help = "tell a finding as it was found, without looking for a shorter way"},
    {"timeouts", "WHEN", EO_OPTION_WORD, TEST | ESTIMATE, SHAPES, .field = AT(timeouts_idle),
     .passed = TO(timeouts_idle), .words = timeout_words,
     .help = "a receive times out eager: whenever nothing matches (default),\n"
             "or idle: only when nothing else can run"},
    {"delivery", "D", EO_OPTION_TEXT, TEST | MODEL | ESTIMATE, SHAPES, .field = AT(delivery), .words = delivery_words,
     .help = "which message a receive can take: the mailbox's oldest (default);\n"
             "fifo: the oldest of any sender; causal: any that was not sent\n"
             "because of another; async: any"},
    {"faults", "N", EO_OPTION_TEXT, TEST | ESTIMATE, SHAPES, .field = AT(faults),
     .help = "how many faults (eo_fault) an execution may have; or of which kind how\n"
             "many: disk=1,net=2; default 1"},
    {"leaks", NULL, EO_OPTION_FLAG, TEST | ESTIMATE, SHAPES, .field = AT(leaks),
     .help = "memory still allocated at the end is a finding"},
    {"abnormal", "WHICH", EO_OPTION_WORD, TEST | ESTIMATE, SHAPES, .field = AT(abnormal_fails), .words = abnormal_words,
     .help = "exits with a reason that are findings: unnoticed: those that nobody\n"
             "is linked to or monitors (default), or fail: all"},
    {"watchdog", "T", EO_OPTION_SECONDS, TEST | ESTIMATE, SHAPES, .field = AT(watchdog), .fallback = 2,
     .help = "a step that takes longer is a finding"},
    {"jobs", "N", EO_OPTION_INT, TEST | MODEL, FREE, .field = AT(jobs), .least = 1, .most = EO_WORKERS_MAX,
     .heeded = EO_BITS_SPLIT,
     .help = "share each test among N worker processes; default 1,\n"
             "with --cluster none on this machine"},
    {"tickets", "FOLDER", EO_OPTION_TEXT, TEST | MODEL, 0, .field = AT(tickets),
     .help = "where to write tickets; none: nowhere; default everyorder-tickets"},
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
  return code;
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
  int code = eo__error_set(error, EO_EINPUT, "strategy '%s' does not heed --%s: that is for %s", strategy->name,
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
