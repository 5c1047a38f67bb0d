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
#include "subjects/model/related.h"
#include "subjects/model/sequence.h"

/* How a step is packed into the value of a choice. Most values are small: the number of the option. */
enum { TRANSITION_BITS = 12, RECEIVER_BITS = 8 };

enum { ROOM = 4096 }; /* for choices, from the start: hardly any state has more */

typedef EO_VEC(uint32_t) numbers;

typedef struct subject {
  eo_subject base;
  const eo_promela *model;
  eo_promela_run run;
  eo_promela_steps steps;
  EO_VEC(eo_choice) choices;
  uint32_t inside;    /* steps of the atomic sequence that it is in */
  eo_failure awaited; /* NONE: a step that fails is the last */
  eo_failure failure;
  bool describing;
  eo_line line; /* of the last step, if describing */
  bool line_failed;
  numbers letters[EO_PROMELA_MOST_CHANNELS + 1]; /* describing: the messages in each channel, by number */
  uint32_t letter_count;
  uint32_t first[EO_PROMELA_MOST_PROCESSES]; /* at the start */
  eo_related *related;                       /* NULL: it cannot be said how its steps relate */
  bool receives_choose, choose_next;         /* steps are those of `related`, now and from the next reset on */
} subject;

typedef struct saved {
  eo_related_saved related; /* under `receives_choose` */
  uint32_t inside;
  size_t size;
  unsigned char bytes[];
} saved;

static subject *me(eo_subject *s) { return (subject *)s; }

/* ---- Choices ------------------------------------------------------------------------------------------------------ */

static uint32_t process_number(const eo_promela_run *run, uint32_t process) {
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
  eo_choice_set(&choice, process_number(run, step.process), value,
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

static uint32_t enabled(eo_subject *base, const eo_choice **choices) {
  subject *s = me(base);
  if (s->receives_choose) return eo__related_enabled(s->related, choices);
  eo_vec_clear(&s->choices);
  bool good = eo__promela_enabled(&s->run, &s->steps) && eo_vec_reserve(&s->choices, s->steps.count);
  EO_CHECK(good); /* the seam has no way to say that there is no memory for a list of choices */
  bool sorted = true;
  for (size_t i = 0; i < s->steps.count; i++) {
    s->choices.items[s->choices.count++] = eo__promela_choice(&s->run, s->steps.items[i]);
    sorted &= i == 0 || by_value(&s->choices.items[i - 1], &s->choices.items[i]) < 0;
  }
  if (!sorted) qsort(s->choices.items, s->choices.count, sizeof *s->choices.items, by_value);
  *choices = s->choices.items;
  return (uint32_t)s->choices.count;
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
  subject *s = me(base);
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

/* ---- Describing --------------------------------------------------------------------------------------------------- */

static void describe(eo_subject *base, bool on) { me(base)->describing = on; }

static void add_value(eo_text *text, const eo_promela *model, eo_promela_cell cell, int32_t value) {
  if (cell.type == EO_PROMELA_MTYPE && value > 0 && (uint32_t)value <= model->mtype_count)
    eo__text_add(text, "%s", model->mtypes[value - 1]);
  else
    eo__text_add(text, "%d", (int)value);
}

static void add_letter_text(eo_text *text, const subject *s, uint32_t channel, uint32_t slot) {
  const eo_promela_queue *q = eo__promela_channel(&s->run, channel);
  for (uint32_t i = 0; i < q->field_count; i++) {
    if (i) eo__text_add(text, ",");
    add_value(text, s->model, q->fields[i], eo__promela_channel_field(&s->run, channel, slot, i));
  }
}

static char *text_of(eo_text *text) {
  char *copy = text->failed ? NULL : eo__strdup(text->chars);
  eo__text_release(text);
  return copy;
}

static char *name_of(subject *s, uint32_t pid) {
  char name[EO_PROCESS_NAME];
  process_name(&s->base, process_number(&s->run, pid), name, sizeof name);
  return eo__strdup(name);
}

static bool add_mail(subject *s, uint32_t number, char *other, char *words) {
  eo_mailed mail = {number, other, words};
  if (other && words && eo_vec_push(&s->line.mails, mail)) return true;
  eo__free(other);
  eo__free(words);
  return false;
}

/* What a receive is about to take: which message, and its text; before it is gone. */
static bool describe_taken(subject *s, const eo_promela_transition *t, uint32_t channel, uint32_t pid, uint32_t taken) {
  s->run.who = pid;
  uint32_t slot = s->run.delivery ? taken : eo__promela_match(&s->run, t->message, channel);
  numbers *letters = &s->letters[channel];
  if (slot == UINT32_MAX || slot >= letters->count) return true;
  eo_text text;
  eo__text_init(&text);
  add_letter_text(&text, s, channel, slot);
  uint32_t number = letters->items[slot];
  if (!t->message->copies) {
    memmove(&letters->items[slot], &letters->items[slot + 1], (letters->count - slot - 1) * sizeof(uint32_t));
    letters->count--;
  }
  return add_mail(s, number, eo__strdup(""), text_of(&text));
}

/* What a send has put into its channel: where is where the first message is that was not there before. */
static bool describe_sent(subject *s, const eo_promela_transition *t, uint32_t channel, const unsigned char *before) {
  numbers *letters = &s->letters[channel];
  const eo_promela_queue *q = eo__promela_channel(&s->run, channel);
  uint32_t slot = 0;
  const unsigned char *now = s->run.state + s->run.channel_at[channel - 1] + EO_PROMELA_HEAD;
  size_t stride = eo__promela_stride(&s->run, q);
  if (!t->message->ordered && !s->run.delivery)
    slot = (uint32_t)letters->count;
  else
    while (slot < letters->count && memcmp(now + slot * stride, before + slot * stride, q->slot) == 0) slot++;
  if (!eo_vec_push(letters, 0)) return false;
  memmove(&letters->items[slot + 1], &letters->items[slot], (letters->count - slot - 1) * sizeof(uint32_t));
  letters->items[slot] = ++s->letter_count;
  eo_text text;
  eo__text_init(&text);
  add_letter_text(&text, s, channel, slot);
  s->line.sends = true;
  return add_mail(s, s->letter_count, eo__strdup(""), text_of(&text));
}

static const char *const op_names[] = {
    [EO_PROMELA_SKIP] = "skip",       [EO_PROMELA_ELSE] = "else",     [EO_PROMELA_CONDITION] = "condition",
    [EO_PROMELA_ASSIGN] = "assign",   [EO_PROMELA_CLEAR] = "clear",   [EO_PROMELA_SEND] = "send",
    [EO_PROMELA_RECEIVE] = "receive", [EO_PROMELA_ASSERT] = "assert", [EO_PROMELA_PRINT] = "print",
    [EO_PROMELA_DSTEP] = "d_step",    [EO_PROMELA_EXIT] = "exit",
};

/* The values of what it wrote, behind the statement: "n = n + 1 [n is 2]". */
static void add_result(eo_text *text, subject *s, const eo_promela_transition *t, uint32_t pid) {
  const eo_promela_ref *target = t->target;
  if (t->kind != EO_PROMELA_ASSIGN || !target || t->value->op == EO_PROMELA_CONST) return;
  s->run.who = pid;
  const unsigned char *at = eo__promela_place(&s->run, target);
  if (!at) return;
  eo__text_add(text, " (is ");
  add_value(text, s->model, target->cell, eo__promela_cell_read(target->cell, at));
  eo__text_add(text, ")");
}

static bool begin_line(subject *s, eo_promela_step step, const eo_promela_transition *t) {
  eo__line_release(&s->line);
  memset(&s->line, 0, sizeof s->line);
  eo_line *line = &s->line;
  line->process = name_of(s, step.process);
  line->name = eo__strdup("");
  line->op = eo__strdup(t->value && t->value->op == EO_PROMELA_RUN ? "run" : op_names[t->kind]);
  line->file = eo__strdup(t->file);
  line->function = eo__strdup(eo__promela_process(&s->run, step.process)->name);
  line->line = t->line;
  line->value = step.transition;
  line->other = step.receiver == EO_PROMELA_NO_RECEIVER ? eo__strdup("") : name_of(s, step.receiver);
  return line->process && line->name && line->op && line->file && line->function && line->other;
}

static bool end_line(subject *s, eo_promela_step step, const eo_promela_transition *t) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s", t->text);
  if (step.receiver != EO_PROMELA_NO_RECEIVER) eo__text_add(&text, ", received by %s", s->line.other);
  if (!s->run.failed && t->kind != EO_PROMELA_EXIT) add_result(&text, s, t, step.process);
  s->line.text = text_of(&text);
  return s->line.text != NULL;
}

static bool take_described(subject *s, eo_promela_step step, bool *passed) {
  const eo_promela_transition *t = eo__promela_transition_of(&s->run, step.process, step.transition);
  bool good = begin_line(s, step, t), meets = step.receiver != EO_PROMELA_NO_RECEIVER;
  bool talks = t->kind == EO_PROMELA_SEND || t->kind == EO_PROMELA_RECEIVE;
  uint32_t channel = talks ? eo__promela_channel_meant(&s->run, step.process, t) : 0;
  unsigned char *before = NULL;
  if (channel && t->kind == EO_PROMELA_SEND && !meets) {
    const eo_promela_queue *q = eo__promela_channel(&s->run, channel);
    size_t filled = eo__promela_channel_length(&s->run, channel) * eo__promela_stride(&s->run, q);
    size_t size = s->run.delivery ? EO_PROMELA_HEAD + filled : q->size;
    before = eo__alloc(size);
    good = good && before;
    if (before) memcpy(before, s->run.state + s->run.channel_at[channel - 1] + EO_PROMELA_HEAD, size - EO_PROMELA_HEAD);
  }
  if (channel && t->kind == EO_PROMELA_RECEIVE)
    good = good && describe_taken(s, t, channel, step.process, step.receiver_transition);
  *passed = eo__promela_apply(&s->run, step);
  if (before && good && *passed) good = describe_sent(s, t, channel, before);
  eo__free(before);
  for (uint32_t i = eo_promela_channels(&s->run) + 1; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_clear(&s->letters[i]);
  return good && end_line(s, step, t);
}

static bool line(eo_subject *base, eo_line *out) {
  subject *s = me(base);
  if (s->line_failed) return false;
  *out = s->line;
  memset(&s->line, 0, sizeof s->line);
  return true;
}

/* Who a message was for is known when it was received; and then, who sent it. */
static bool join_mails(eo_finding *finding) {
  for (size_t i = 0; i < finding->lines.count; i++) {
    eo_line *sender = &finding->lines.items[i];
    for (size_t j = i + 1; sender->sends && sender->mails.count && j < finding->lines.count; j++) {
      eo_line *taker = &finding->lines.items[j];
      if (taker->sends || !taker->mails.count || taker->mails.items[0].number != sender->mails.items[0].number)
        continue;
      char *to = eo__strdup(taker->process), *from = eo__strdup(sender->process);
      eo__free(sender->mails.items[0].other);
      eo__free(taker->mails.items[0].other);
      sender->mails.items[0].other = to;
      taker->mails.items[0].other = from;
      if (!to || !from) return false;
      break;
    }
  }
  return true;
}

/* Who stands where, at a dead end. */
static void halt(eo_subject *base, uint32_t process, uint32_t step) { /* there is no stack to stop on */
  (void)base;
  (void)process;
  (void)step;
}

static bool end(eo_subject *base, eo_finding *finding) {
  subject *s = me(base);
  if (!join_mails(finding)) return false;
  if (finding->failure.kind != EO_KIND_DEADLOCK) return true;
  for (uint32_t i = 0; i < eo_promela_processes(&s->run); i++) {
    const eo_promela_location *l = &eo__promela_process(&s->run, i)->locations[eo__promela_location_of(&s->run, i)];
    if (l->end || !l->count) continue;
    eo_text text;
    eo__text_init(&text);
    eo__text_add(&text, "P%u:%s waits at %s:%d for", i, eo__promela_process(&s->run, i)->name, l->transitions[0]->file,
                 l->transitions[0]->line);
    for (uint32_t k = 0; k < l->count; k++) eo__text_add(&text, "%s %s", k ? " or" : "", l->transitions[k]->text);
    char *waiting = text_of(&text);
    if (!waiting || !eo_vec_push(&finding->waiting, waiting)) {
      eo__free(waiting);
      return false;
    }
  }
  return true;
}

/* ---- Steps -------------------------------------------------------------------------------------------------------- */

static bool reset(eo_subject *base) {
  subject *s = me(base);
  for (size_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_clear(&s->letters[i]);
  s->letter_count = 0;
  s->line_failed = false;
  s->inside = 0;
  s->receives_choose = s->choose_next;
  if (eo__promela_run_start(&s->run)) {
    if (s->receives_choose) eo__related_reset(s->related);
    return true;
  }
  s->failure = s->run.failure;
  return false;
}

static bool related_step(subject *s, eo_choice choice, eo_event *event) {
  if (eo__related_step(s->related, choice, event)) return true;
  s->failure = s->run.failure;
  return false;
}

/* Is the step the next one of the atomic sequence under way? Else that has blocked, or there is none. */
static bool goes_on_inside(const subject *s, eo_promela_step step) {
  return eo__promela_floor(&s->run) == step.process && !s->run.timeout;
}

/* Behind a step: in an atomic sequence that no way leads out of? Searches tell of it behind as many steps (sequence.h). */
static bool is_endless(subject *s) {
  if (eo__promela_floor(&s->run) == EO_PROMELA_NOBODY) return false;
  s->inside++;
  return eo__sequence_asks(s->inside) && eo__sequence_closed(&s->run, s->inside, &s->failure);
}

/* Is what failed an assertion that is not the awaited one? */
static bool goes_on_behind(const subject *s) {
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

static bool step(eo_subject *base, eo_choice choice, eo_event *event) {
  subject *s = me(base);
  if (s->receives_choose) return related_step(s, choice, event);
  eo_promela_step taken = eo__promela_choice_step(s->model, choice);
  if (!goes_on_inside(s, taken)) s->inside = 0;
  const eo_promela_transition *t = eo__promela_transition_of(&s->run, taken.process, taken.transition);
  uint16_t idle = s->run.timeout ? EO_EVENT_IDLE : 0;
  *event = (eo_event){.process = choice.process, .op = op_of(t), .other = EO_NO_PROCESS, .flags = idle};
  if (taken.receiver != EO_PROMELA_NO_RECEIVER) event->other = process_number(&s->run, taken.receiver);
  bool passed = true;
  if (s->describing)
    s->line_failed |= !take_described(s, taken, &passed);
  else
    passed = eo__promela_apply(&s->run, taken);
  if (passed && event->op == EO_OP_SPAWN) event->other = process_number(&s->run, eo_promela_processes(&s->run) - 1);
  if (!passed && goes_on_behind(s)) passed = true;
  bool endless = passed && is_endless(s);
  if (passed && !endless) return true;
  event->flags |= EO_EVENT_FAILED;
  if (!endless) s->failure = s->run.failure;
  return false;
}

static bool finish(eo_subject *base) {
  subject *s = me(base);
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
  const subject *s = me(base);
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
  subject *s = me(base);
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
  return eo__related_message(me(base)->related, from, nth);
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

static bool shares(eo_subject *base) {
  (void)base;
  return false;
}

static int tag(eo_subject *base, uint32_t message) { return eo__related_tag(me(base)->related, message); }

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
  subject *s = me(base);
  eo__line_release(&s->line);
  for (size_t i = 0; i <= EO_PROMELA_MOST_CHANNELS; i++) eo_vec_release(&s->letters[i]);
  eo_vec_release(&s->steps);
  eo_vec_release(&s->choices);
  eo__related_close(s->related);
  eo__promela_run_release(&s->run);
  eo__free(s);
}

static const eo_processes processes = {.name = process_name, .number = process, .first = first, .hints = hints};
static const eo_describing describing = {.describe = describe, .line = line, .end = end, .halt = halt};
static const eo_saving saving = {.save = save, .restore = restore, .forget = forget, .cost = cost};
static const eo_states states = {.fingerprint = fingerprint, .mark = mark, .heat = heat};

/* Of plain steps it is not said who sent what, so that nobody relates them. */
static const eo_relations relations = {
    .plain_too = false,
    .touched = touched,
    .sent = sent,
    .message = message,
    .tag = tag,
    .doomed = doomed,
    .foregone = foregone,
    .matches = matches,
    .before = before,
    .receives_choose = receives_choose,
    .object_name = object_name,
    .object = object,
    .shares = shares,
    .plain = plain,
    .blocks = blocks,
};

/* clang-format off */
#define STEPS                                                                                                      \
  .name = "model", .close = close_subject, .reset = reset, .enabled = enabled, .step = step, .finish = finish,     \
  .failure = failure, .processes = &processes, .describing = &describing, .saving = &saving, .states = &states
/* clang-format on */

static const eo_subject_ops ops = {STEPS};
static const eo_subject_ops related_ops = {STEPS, .relations = &relations};

/* Can it be said of the model how its steps relate? */
static bool open_related(subject *s, bool *no_memory) {
  eo_error why = {0};
  int code = s->run.delivery ? eo__promela_check_related(s->model, &why) : EO_EINPUT;
  if (code == EO_OK) s->related = eo__related_open(&s->run);
  *no_memory = code == EO_ENOMEM || (code == EO_OK && !s->related);
  return s->related != NULL;
}

eo_subject *eo__promela_subject_open(const eo_promela *model, eo_delivery delivery, eo_error *error) {
  subject *s = eo__alloc(sizeof *s);
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
