/* endless.c: see endless.h. An execution that was cut off mostly ends in a few steps of others (a strategy varies the end
 * first), so what it does for ever is looked for three quarters down: who took a good part of the steps of its second
 * half goes on for ever, and the stretch of such steps around that point is what is told. */
#include "registry/endless.h"

#include "base/alloc.h"
#include "registry/explore.h"
#include "registry/options.h"
#include "strategies/strategies.h"

enum { NAMED = 3, SMALL_PART = 64 }; /* processes in one list; less than one step in so many does not count */

typedef struct part {
  uint32_t process;
  uint32_t recent; /* steps in the second half */
  bool goes_on, could_run;
} part;

typedef struct ending {
  eo_subject *subject;
  EO_VEC(part) parts;
  uint32_t depth;           /* where it was cut off */
  uint32_t steps, timeouts; /* of the stretch */
} ending;

static part *part_of(ending *e, uint32_t process) {
  for (size_t i = 0; i < e->parts.count; i++)
    if (e->parts.items[i].process == process) return &e->parts.items[i];
  return eo_vec_push(&e->parts, ((part){.process = process})) ? &eo_vec_last(&e->parts) : NULL;
}

static bool goes_on(const ending *e, uint32_t process) {
  for (size_t i = 0; i < e->parts.count; i++)
    if (e->parts.items[i].process == process) return e->parts.items[i].goes_on;
  return false;
}

/* Finds who goes on, and the stretch around `middle`. False: no memory. */
static bool find_stretch(ending *e, const eo_event *events, uint32_t depth, uint32_t middle) {
  for (uint32_t i = depth / 2; i < depth; i++) {
    part *p = part_of(e, events[i].process);
    if (!p) return false;
    p->recent++;
  }
  for (size_t i = 0; i < e->parts.count; i++)
    e->parts.items[i].goes_on = e->parts.items[i].recent > (depth - depth / 2) / SMALL_PART;
  uint32_t from = middle, to = middle;
  while (from > 0 && goes_on(e, events[from - 1].process)) from--;
  while (to < depth && goes_on(e, events[to].process)) to++;
  e->steps = to - from;
  for (uint32_t i = from; i < to; i++) e->timeouts += (events[i].flags & EO_EVENT_TIMEOUT) != 0;
  return true;
}

/* Runs the first `count` of these choices. The subject is then there, and the engine has the events. */
static int run_first(ending *e, eo_engine *engine, const eo_choice *choices, uint32_t count, eo_error *error) {
  eo_strategy *strategy = eo__replay_open(choices, count, error);
  if (!strategy) return error->code;
  eo__engine_init(engine, e->subject, strategy);
  engine->no_checkpoints = true;
  int code = eo__engine_run(engine, error);
  strategy->ops->close(strategy);
  engine->strategy = NULL;
  return code;
}

/* Asks who could go on after the first `count` choices. */
static int find_waiting(ending *e, const eo_choice *choices, uint32_t count, eo_error *error) {
  eo_engine engine;
  const eo_choice *enabled = NULL;
  int code = run_first(e, &engine, choices, count, error);
  if (code != EO_OK) return code;
  uint32_t listed = engine.length == count ? e->subject->ops->enabled(e->subject, &enabled) : 0;
  for (uint32_t i = 0; i < listed; i++) {
    part *p = part_of(e, enabled[i].process);
    if (p) p->could_run = !p->goes_on;
  }
  eo__engine_release(&engine);
  return EO_OK;
}

/* In the order of logical ids, as far as the subject knows one. */
static void sort_parts(ending *e) {
  const eo_relations *relations = e->subject->ops->relations;
  part *parts = e->parts.items;
  for (size_t i = 1; relations && i < e->parts.count; i++)
    for (size_t j = i; j > 0 && relations->before(e->subject, parts[j].process, parts[j - 1].process); j--) {
      part moved = parts[j];
      parts[j] = parts[j - 1];
      parts[j - 1] = moved;
    }
}

/* "P1.1", "P1.1 and P1.2", "P1.1, P1.2, P1.3 and 4 others". Returns how many there are. */
static uint32_t add_names(const ending *e, bool waiting, eo_text *words) {
  uint32_t count = 0, named = 0;
  for (size_t i = 0; i < e->parts.count; i++)
    count += waiting ? e->parts.items[i].could_run : e->parts.items[i].goes_on;
  for (size_t i = 0; i < e->parts.count && named < NAMED; i++) {
    char name[EO_PROCESS_NAME];
    if (!(waiting ? e->parts.items[i].could_run : e->parts.items[i].goes_on)) continue;
    e->subject->ops->processes->name(e->subject, e->parts.items[i].process, name, sizeof name);
    eo__text_add(words, "%s%s", named == 0 ? (waiting ? " while " : "") : named + 1 == count ? " and " : ", ", name);
    named++;
  }
  if (count > named) eo__text_add(words, " and %u other%s", count - named, count - named == 1 ? "" : "s");
  return count;
}

static void add_words(const ending *e, bool timeouts_idle, eo_text *words) {
  char steps[32], timeouts[32];
  eo__text_thousands(steps, e->steps);
  eo__text_thousands(timeouts, e->timeouts);
  add_names(e, false, words);
  if (e->timeouts == e->steps)
    eo__text_add(words, " timed out %s times", steps);
  else if (e->timeouts)
    eo__text_add(words, " took %s steps in a row (%s of them timeouts)", steps, timeouts);
  else
    eo__text_add(words, " took %s steps in a row", steps);
  uint32_t waiting = add_names(e, true, words);
  if (waiting) eo__text_add(words, " could run");
  if (e->depth < EO_OPTION_OF(depth)->fallback) { /* few steps: nothing says that it goes on for ever */
    eo__text_add(words, ": a larger --depth lets it end, unless it goes on for ever");
    return;
  }
  if (e->timeouts && !timeouts_idle)
    eo__text_add(words, ": --timeouts idle lets timeouts fire only when nothing else can run");
  else if (waiting)
    eo__text_add(words, ": --strategy ses --explorer rr gives every process a turn");
  else
    eo__text_add(words, ": --strategy ses stops at states that it has visited");
}

int eo__endless_words(eo_subject *subject, const eo_choice *choices, uint32_t count, bool timeouts_idle, eo_text *words,
                      eo_error *error) {
  ending e = {.subject = subject, .depth = count};
  eo_engine engine;
  uint32_t middle = count - count / 4;
  int code = run_first(&e, &engine, choices, count, error);
  if (code != EO_OK) return code;
  bool followed = engine.length == count; /* else the program is not deterministic, which others find */
  if (followed && !find_stretch(&e, engine.events.items, count, middle)) code = eo__error_nomem(error);
  eo__engine_release(&engine);
  if (code == EO_OK && e.steps) {
    code = find_waiting(&e, choices, middle, error);
    sort_parts(&e);
    add_words(&e, timeouts_idle, words);
  }
  eo_vec_release(&e.parts);
  return code;
}
