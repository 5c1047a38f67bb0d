/* subject.c: a model as a subject. A choice is a step: the process is its _pid and its proctype, the value says which
 * transition, and in a rendezvous which one of whom receives. From `receives_choose` on, steps are those of related.h. */
#include "subjects/model/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/program.h"
#include "subjects/model/ports.h"
#include "subjects/model/sequence.h"
#include "subjects/model/subject_inside.h"

/* How a step is packed into the value of a choice. Most values are small: the number of the option. */
enum { TRANSITION_BITS = 12, RECEIVER_BITS = 8 };

enum { ROOM = 4096 }; /* for choices, from the start: hardly any state has more */

typedef struct saved {
  eo_related_saved related; /* under `receives_choose` */
  uint32_t inside;
  size_t size;
  unsigned char bytes[];
} saved;

static eo__model_subject *me(eo_subject *s) { return (eo__model_subject *)s; }

/* Tells the engine if the call that ends here had no memory. */
static void tell_memory(eo__model_subject *s) {
  if (__builtin_expect(s->run.no_memory, 0)) s->base.error = EO_ENOMEM;
}

/* ---- Choices ------------------------------------------------------------------------------------------------------ */

uint32_t eo__model_process(const eo_promela_run *run, uint32_t process) {
  return process * run->model->proctype_count + eo__promela_process(run, process)->number;
}

static uint16_t op_of(const eo_promela_transition *t) {
  switch (t->kind) {
    case EO_PROMELA_SEND: return EO_OP_SEND;
    case EO_PROMELA_RECEIVE: return EO_OP_RECEIVE;
    case EO_PROMELA_EXIT: return EO_OP_EXIT;
    default: return t->value && t->value->op == EO_PROMELA_RUN ? EO_OP_SPAWN : EO_OP_CHOOSE;
  }
}

eo_choice eo__promela_choice(const eo_promela_run *run, eo_promela_step step) {
  uint32_t value = step.transition;
  if (step.receiver != EO_PROMELA_NO_RECEIVER) value |= (step.receiver + 1u) << TRANSITION_BITS;
  value |= (uint32_t)step.receiver_transition << (TRANSITION_BITS + RECEIVER_BITS);
  eo_choice choice;
  eo_choice_set(&choice, eo__model_process(run, step.process), value,
                op_of(eo__promela_transition_of(run, step.process, step.transition)), EO_CHOICE_RUN);
  return choice;
}

eo_promela_step eo__promela_choice_step(const eo_promela *model, eo_choice choice) {
  uint32_t receiver = choice.value >> TRANSITION_BITS & ((1u << RECEIVER_BITS) - 1);
  return (eo_promela_step){(uint16_t)(choice.process / model->proctype_count),
                           (uint16_t)(choice.value & ((1u << TRANSITION_BITS) - 1)),
                           (uint16_t)(receiver ? receiver - 1 : EO_PROMELA_NO_RECEIVER),
                           (uint16_t)(choice.value >> (TRANSITION_BITS + RECEIVER_BITS))};
}

static int by_value(const void *a, const void *b) {
  const eo_choice *x = a, *y = b;
  if (x->process != y->process) return x->process < y->process ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

static uint32_t list_choices(eo__model_subject *s, const eo_choice **choices) {
  eo_vec_clear(&s->choices);
  if (!eo__promela_enabled(&s->run, &s->steps) || !eo_vec_reserve(&s->choices, s->steps.count)) {
    s->run.no_memory = true;
    return 0;
  }
  bool sorted = true;
  for (size_t i = 0; i < s->steps.count; i++) {
    s->choices.items[s->choices.count++] = eo__promela_choice(&s->run, s->steps.items[i]);
    sorted &= i == 0 || by_value(&s->choices.items[i - 1], &s->choices.items[i]) < 0;
  }
  if (!sorted) qsort(s->choices.items, s->choices.count, sizeof *s->choices.items, by_value);
  *choices = s->choices.items;
  return (uint32_t)s->choices.count;
}

static uint32_t enabled(eo_subject *base, const eo_choice **choices) {
  eo__model_subject *s = me(base);
  uint32_t count = s->receives_choose ? eo__related_enabled(s->related, choices) : list_choices(s, choices);
  tell_memory(s);
  return count;
}

/* ---- Names -------------------------------------------------------------------------------------------------------- */

static void process_name(eo_subject *base, uint32_t process, char *out, size_t size) {
  const eo_promela *model = me(base)->model;
  snprintf(out, size, "P%u:%s", process / model->proctype_count,
           model->proctypes[process % model->proctype_count]->name);
}

static uint32_t process(eo_subject *base, const char *name) {
  const eo_promela *model = me(base)->model;
  if (name[0] != 'P') return EO_NO_PROCESS;
  char *end;
  unsigned long pid = strtoul(name + 1, &end, 10);
  if (end == name + 1 || *end != ':' || pid >= EO_PROMELA_MOST_PROCESSES) return EO_NO_PROCESS;
  for (uint32_t i = 0; i < model->proctype_count; i++)
    if (strcmp(model->proctypes[i]->name, end + 1) == 0) return (uint32_t)pid * model->proctype_count + i;
  return EO_NO_PROCESS;
}

static uint32_t first(eo_subject *base, const uint32_t **processes) {
  eo__model_subject *s = me(base);
  *processes = s->first;
  if (s->receives_choose) return eo__related_first(s->related, s->first);
  for (uint32_t i = 0; i < s->model->first_count; i++) s->first[i] = i * s->model->proctype_count + s->model->first[i];
  return s->model->first_count;
}

static uint32_t hints(eo_subject *base, const eo_hint_given **out) {
  (void)base;
  *out = NULL;
  return 0;
}

/* ---- Steps -------------------------------------------------------------------------------------------------------- */

static bool reset(eo_subject *base) {
  eo__model_subject *s = me(base);
  for (size_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_clear(&s->letters[i]);
  s->letter_count = 0;
  s->line_failed = false;
  s->inside = 0;
  s->receives_choose = s->choose_next;
  bool good = eo__promela_run_start(&s->run);
  if (good && s->receives_choose) eo__related_reset(s->related);
  if (!good) s->failure = s->run.failure;
  bool violated = false;
  if (good && !eo__judge_start(&s->judge, &s->run, &violated, &s->failure)) s->run.no_memory = true;
  good &= !violated;
  tell_memory(s);
  return good;
}

static bool related_step(eo__model_subject *s, eo_choice choice, eo_event *event) {
  if (eo__related_step(s->related, choice, event)) return true;
  s->failure = s->run.failure;
  return false;
}

/* Is the step the next one of the atomic sequence under way? Else that has blocked, or there is none. */
static bool goes_on_inside(const eo__model_subject *s, eo_promela_step step) {
  return eo__promela_floor(&s->run) == step.process && !s->run.timeout;
}

/* Behind a step: in an atomic sequence that no way leads out of? Searches tell of it behind as many steps (sequence.h). */
static bool is_endless(eo__model_subject *s) {
  if (eo__promela_floor(&s->run) == EO_PROMELA_NOBODY) return false;
  s->inside++;
  return eo__sequence_asks(s->inside) && eo__sequence_closed(&s->run, s->inside, &s->failure);
}

/* Is what failed an assertion that is not the awaited one? */
static bool goes_on_behind(const eo__model_subject *s) {
  const eo_failure *got = &s->run.failure, *awaited = &s->awaited;
  if (awaited->kind == EO_KIND_NONE || !eo_promela_passes(&s->run)) return false;
  return got->kind != awaited->kind || got->line != awaited->line || strcmp(got->message, awaited->message) != 0 ||
         strcmp(got->file, awaited->file) != 0;
}

void eo__promela_subject_await(eo_subject *base, eo_kind kind, const char *message, const char *at) {
  eo_failure *awaited = &me(base)->awaited;
  const char *colon = strrchr(at, ':');
  memset(awaited, 0, sizeof *awaited);
  awaited->kind = kind;
  snprintf(awaited->message, sizeof awaited->message, "%s", message);
  if (!colon) return;
  snprintf(awaited->file, sizeof awaited->file, "%.*s", (int)(colon - at), at);
  awaited->line = (int)strtol(colon + 1, NULL, 10);
}

static bool plain_step(eo__model_subject *s, eo_choice choice, eo_event *event) {
  eo_promela_step taken = eo__promela_choice_step(s->model, choice);
  if (!goes_on_inside(s, taken)) s->inside = 0;
  const eo_promela_transition *t = eo__promela_transition_of(&s->run, taken.process, taken.transition);
  uint16_t idle = s->run.timeout ? EO_EVENT_IDLE : 0;
  *event = (eo_event){.process = choice.process, .op = op_of(t), .other = EO_NO_PROCESS, .flags = idle};
  if (taken.receiver != EO_PROMELA_NO_RECEIVER) event->other = eo__model_process(&s->run, taken.receiver);
  bool passed = true;
  if (s->describing)
    s->line_failed |= !eo__model_describe(s, taken, &passed);
  else
    passed = eo__promela_apply(&s->run, taken);
  if (passed && event->op == EO_OP_SPAWN) event->other = eo__model_process(&s->run, eo_promela_processes(&s->run) - 1);
  if (!passed && goes_on_behind(s)) passed = true;
  bool endless = passed && is_endless(s), violated = false;
  if (passed && !endless && !eo__judge_step(&s->judge, &s->run, taken, &violated, &s->failure)) s->run.no_memory = true;
  if (passed && !endless && !violated) return true;
  event->flags |= EO_EVENT_FAILED;
  if (!endless && !violated) s->failure = s->run.failure;
  return false;
}

void eo__promela_subject_follow(eo_subject *base, const eo_promela_property *property, bool fair) {
  me(base)->judge.property = property;
  me(base)->judge.fair = fair;
}

static bool step(eo_subject *base, eo_choice choice, eo_event *event) {
  eo__model_subject *s = me(base);
  bool good = s->receives_choose ? related_step(s, choice, event) : plain_step(s, choice, event);
  tell_memory(s);
  return good;
}

static bool finish(eo_subject *base) {
  eo__model_subject *s = me(base);
  if (s->judge.property) {
    bool violated;
    if (!eo__judge_end(&s->judge, &violated, &s->failure)) s->run.no_memory = true;
    tell_memory(s);
    return !violated;
  }
  if (eo__promela_ended_well(&s->run) || (s->receives_choose && eo__related_is_stuck(s->related))) return true;
  eo__promela_dead_end(&s->run, &s->failure);
  return false;
}

static const eo_failure *failure(eo_subject *base) { return &me(base)->failure; }

/* ---- Saving ------------------------------------------------------------------------------------------------------- */

static void forget(eo_subject *base, void *kept) {
  (void)base;
  eo_vec_release(&((saved *)kept)->related);
  eo__free(kept);
}

static void *save(eo_subject *base) {
  const eo__model_subject *s = me(base);
  saved *kept = eo__alloc(sizeof *kept + s->run.size);
  if (!kept) return NULL;
  kept->size = s->run.size;
  kept->inside = s->inside;
  memcpy(kept->bytes, s->run.state, s->run.size);
  if (!s->receives_choose || eo__related_save(s->related, &kept->related)) return kept;
  forget(base, kept);
  return NULL;
}

static bool restore(eo_subject *base, void *kept) {
  eo__model_subject *s = me(base);
  const saved *from = kept;
  s->inside = from->inside;
  return eo__promela_load(&s->run, from->bytes, from->size) &&
         (!s->receives_choose || eo__related_restore(s->related, from->related.items));
}

static uint32_t cost(eo_subject *base) {
  (void)base;
  return 1;
}

static void fingerprint(eo_subject *base, uint64_t hash[2]) {
  eo__promela_fingerprint(&me(base)->run, hash);
  if (me(base)->receives_choose) eo__related_fingerprint(me(base)->related, hash);
}

static uint32_t mark(eo_subject *base, eo_choice choice) {
  (void)base;
  (void)choice;
  return EO_NO_MARK;
}

static const eo_heat *heat(eo_subject *base) { /* models have no specifications */
  (void)base;
  return NULL;
}

/* ---- How steps relate --------------------------------------------------------------------------------------------- */

static void receives_choose(eo_subject *base, bool on) { me(base)->choose_next = on; }

static uint32_t touched(eo_subject *base, const eo_touch **touches) {
  return eo__related_touched(me(base)->related, touches);
}

static eo_sent sent(eo_subject *base, uint32_t number) { return eo__related_sent(me(base)->related, number); }

static uint32_t message(eo_subject *base, uint32_t from, uint32_t nth) {
  uint32_t number = eo__related_message(me(base)->related, from, nth);
  tell_memory(me(base));
  return number;
}

static uint32_t doomed(eo_subject *base, const uint32_t **processes) {
  (void)base;
  *processes = NULL;
  return 0;
}

static const eo_foregone *foregone(eo_subject *base, uint32_t process) {
  (void)base;
  (void)process;
  return NULL;
}

static bool matches(eo_subject *base, uint32_t process, uint32_t nth, uint32_t message) {
  return eo__related_matches(me(base)->related, process, nth, message);
}

static bool before(eo_subject *base, uint32_t process, uint32_t other) {
  (void)base;
  return process < other;
}

static bool blocks(eo_subject *base, uint32_t message, uint32_t first) {
  return eo__related_blocks(me(base)->related, message, first);
}

static uint32_t plain(eo_subject *base, const eo_choice *choices, uint32_t count, const eo_choice **out) {
  return eo__related_plain(me(base)->related, choices, count, out);
}

static uint32_t unseen(eo_subject *base) {
  (void)base;
  return 0;
}

static int tag(eo_subject *base, uint32_t message) { return eo__related_tag(me(base)->related, message, NULL); }

static void tag_name(eo_subject *base, uint32_t message, eo_text *out) {
  eo_promela_cell cell;
  int32_t value = eo__related_tag(me(base)->related, message, &cell);
  eo__model_add_value(out, me(base)->model, cell, value);
}

/* Objects are global variables. */
static void object_name(eo_subject *base, uint32_t object, char *out, size_t size) {
  snprintf(out, size, "%s", me(base)->model->symbols[object]->name);
}

static uint32_t object(eo_subject *base, const char *name) {
  const eo_promela *model = me(base)->model;
  for (uint32_t i = 0; i < model->symbol_count; i++)
    if (strcmp(model->symbols[i]->name, name) == 0) return i;
  return UINT32_MAX;
}

static void close_subject(eo_subject *base) {
  eo__model_subject *s = me(base);
  eo__line_release(&s->line);
  for (size_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_release(&s->letters[i]);
  eo_vec_release(&s->steps);
  eo_vec_release(&s->choices);
  eo__related_close(s->related);
  eo__judge_release(&s->judge);
  eo__promela_run_release(&s->run);
  eo__free(s);
}

static const eo_processes processes = {.name = process_name, .number = process, .first = first, .hints = hints};
static const eo_saving saving = {.save = save, .restore = restore, .forget = forget, .cost = cost};
static const eo_states states = {.fingerprint = fingerprint, .mark = mark, .heat = heat};

/* Of plain steps it is not said who sent what, so that nobody relates them. */
static const eo_relations relations = {
    .plain_too = false,
    .touched = touched,
    .sent = sent,
    .message = message,
    .tag = tag,
    .tag_name = tag_name,
    .doomed = doomed,
    .foregone = foregone,
    .matches = matches,
    .before = before,
    .receives_choose = receives_choose,
    .object_name = object_name,
    .object = object,
    .unseen = unseen,
    .plain = plain,
    .blocks = blocks,
};

/* clang-format off */
#define STEPS                                                                                                      \
  .name = "model", .close = close_subject, .reset = reset, .enabled = enabled, .step = step, .finish = finish,     \
  .failure = failure, .processes = &processes, .describing = &eo__model_describing, .saving = &saving, .states = &states
/* clang-format on */

static const eo_subject_ops ops = {STEPS};
static const eo_subject_ops related_ops = {STEPS, .relations = &relations};

/* Can it be said of the model how its steps relate? */
static bool open_related(eo__model_subject *s, bool *no_memory) {
  eo_error why = {0};
  int code = s->run.delivery ? eo__promela_check_related(s->model, &why) : EO_EINPUT;
  if (code == EO_OK) s->related = eo__related_open(&s->run);
  *no_memory = code == EO_ENOMEM || (code == EO_OK && !s->related);
  return s->related != NULL;
}

eo_subject *eo__promela_subject_open(const eo_promela *model, eo_delivery delivery, eo_error *error) {
  eo__model_subject *s = eo__alloc(sizeof *s);
  if (!s || !eo__promela_run_init(&s->run, model) || !eo_vec_reserve(&s->steps, ROOM) ||
      !eo_vec_reserve(&s->choices, ROOM)) {
    if (s) eo_vec_release(&s->steps);
    if (s) eo__promela_run_release(&s->run);
    eo__free(s);
    eo__error_nomem(error);
    return NULL;
  }
  s->model = model;
  s->run.delivery = delivery;
  bool no_memory;
  s->base.ops = open_related(s, &no_memory) ? &related_ops : &ops;
  if (!no_memory) return &s->base;
  close_subject(&s->base);
  eo__error_nomem(error);
  return NULL;
}
