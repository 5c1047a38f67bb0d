/* subject_describe.c: one execution of a model in words: what each step did, which messages went where, and who waits for what
 * at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "subjects/model/ports.h"
#include "subjects/model/subject_inside.h"

static eo__model_subject *me(eo_subject *s) { return (eo__model_subject *)s; }

static void describe(eo_subject *base, bool on) { me(base)->describing = on; }

static char *text_of(eo_text *text) {
  char *copy = text->failed ? NULL : eo__strdup(text->chars);
  eo__text_release(text);
  return copy;
}

static char *name_of(eo__model_subject *s, uint32_t pid) {
  char name[EO_PROCESS_NAME];
  s->base.ops->processes->name(&s->base, eo__model_process(&s->run, pid), name, sizeof name);
  return eo__strdup(name);
}

static bool add_mail(eo__model_subject *s, uint32_t number, char *other, char *words) {
  eo_mailed mail = {number, other, words};
  if (other && words && eo_vec_push(&s->line.mails, mail)) return true;
  eo__free(other);
  eo__free(words);
  return false;
}

/* What a receive is about to take: which message, and its text; before it is gone. */
static bool describe_taken(eo__model_subject *s, const eo_promela_transition *t, uint32_t channel, uint32_t pid,
                           uint32_t taken) {
  s->run.who = pid;
  uint32_t slot = s->run.delivery ? taken : eo__promela_match(&s->run, t->message, channel);
  eo__letters *letters = &s->letters[channel];
  if (slot == UINT32_MAX || slot >= letters->count) return true;
  eo_text text;
  eo__text_init(&text);
  eo__model_add_message(&text, &s->run, channel, slot);
  uint32_t number = letters->items[slot];
  if (!t->message->copies) {
    memmove(&letters->items[slot], &letters->items[slot + 1], (letters->count - slot - 1) * sizeof(uint32_t));
    letters->count--;
  }
  return add_mail(s, number, eo__strdup(""), text_of(&text));
}

/* What a send has put into its channel: where is where the first message is that was not there before. */
static bool describe_sent(eo__model_subject *s, const eo_promela_transition *t, uint32_t channel,
                          const unsigned char *before) {
  eo__letters *letters = &s->letters[channel];
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
  eo__model_add_message(&text, &s->run, channel, slot);
  s->line.sends = true;
  return add_mail(s, s->letter_count, eo__strdup(""), text_of(&text));
}

static const char *const op_names[] = {
    [EO_PROMELA_SKIP] = "skip",       [EO_PROMELA_ELSE] = "else",     [EO_PROMELA_CONDITION] = "condition",
    [EO_PROMELA_ASSIGN] = "assign",   [EO_PROMELA_CLEAR] = "clear",   [EO_PROMELA_SEND] = "send",
    [EO_PROMELA_RECEIVE] = "receive", [EO_PROMELA_ASSERT] = "assert", [EO_PROMELA_PRINT] = "print",
    [EO_PROMELA_DSTEP] = "d_step",    [EO_PROMELA_RANK] = "assign",   [EO_PROMELA_EXIT] = "exit",
};

/* Does the text of a statement not say which values its message has? */
static bool has_values(const eo_promela_message *m) {
  bool has = false;
  for (uint32_t i = 0; i < m->count; i++)
    has |= m->fields[i].match != EO_PROMELA_VALUE || m->fields[i].value->op != EO_PROMELA_CONST;
  return has;
}

/* The message of a rendezvous, which no channel ever holds: its values, before it is sent. */
static void add_met(eo_text *text, eo__model_subject *s, const eo_promela_transition *t, uint32_t pid,
                    uint32_t channel) {
  const eo_promela_queue *q = eo__promela_channel(&s->run, channel);
  for (uint32_t i = 0; i < t->message->count && i < q->field_count; i++) {
    if (i) eo__text_add(text, ",");
    eo__model_add_value(text, s->model, q->fields[i], eo__promela_evaluate(&s->run, pid, t->message->fields[i].value));
  }
}

/* The values of what it wrote, sent or received, behind the statement: "n = n + 1 (is 2)". */
static void add_result(eo_text *text, eo__model_subject *s, const eo_promela_transition *t, uint32_t pid) {
  const eo_promela_ref *target = t->target;
  if (t->message && s->line.mails.count && has_values(t->message))
    eo__text_add(text, " (is %s)", s->line.mails.items[0].text);
  if (t->kind != EO_PROMELA_ASSIGN || !target || t->value->op == EO_PROMELA_CONST) return;
  s->run.who = pid;
  const unsigned char *at = eo__promela_place(&s->run, target);
  if (!at) return;
  eo__text_add(text, " (is ");
  eo__model_add_value(text, s->model, target->cell, eo__promela_cell_read(target->cell, at));
  eo__text_add(text, ")");
}

/* What printf writes, on one line. */
static void add_printed(eo_text *text, eo__model_subject *s, const eo_promela_transition *t, uint32_t pid) {
  uint32_t next = 0;
  for (const char *c = t->format + 1; *c && c[1]; c++) { /* without its quotes */
    if (*c == '\\' && (c[1] == 'n' || c[1] == 't')) {
      if (c[2] && c[3]) eo__text_add(text, " ");
      c++;
    } else if (*c != '%') {
      eo__text_add(text, "%c", *c);
    } else if (*++c == '%' || next >= t->argument_count) {
      eo__text_add(text, "%%");
    } else {
      const eo_promela_expr *argument = t->arguments[next++];
      int32_t value = eo__promela_evaluate(&s->run, pid, argument);
      eo_promela_cell number = {.type = EO_PROMELA_INT}, cell = argument->ref ? argument->ref->cell : number;
      if (*c == 'e' && argument->name)
        eo__text_add(text, "%s", argument->name);
      else if (*c == 'c')
        eo__text_add(text, "%c", value >= ' ' && value < 127 ? (char)value : '?');
      else if (*c == 'x' || *c == 'o')
        eo__text_add(text, *c == 'x' ? "%x" : "%o", (unsigned)value);
      else
        eo__model_add_value(text, s->model, *c == 'e' ? cell : number, value);
    }
  }
}

static bool begin_line(eo__model_subject *s, eo_promela_step step, const eo_promela_transition *t) {
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

static bool end_line(eo__model_subject *s, eo_promela_step step, const eo_promela_transition *t, const char *met) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%s", t->text);
  if (t->kind == EO_PROMELA_PRINT) {
    eo__text_add(&text, ": ");
    add_printed(&text, s, t, step.process);
  }
  if (*met) eo__text_add(&text, " (is %s)", met);
  if (step.receiver != EO_PROMELA_NO_RECEIVER) eo__text_add(&text, ", received by %s", s->line.other);
  if (!s->run.failed && t->kind != EO_PROMELA_EXIT) add_result(&text, s, t, step.process);
  s->line.text = text_of(&text);
  return s->line.text != NULL;
}

bool eo__model_describe(eo__model_subject *s, eo_promela_step step, bool *passed) {
  const eo_promela_transition *t = eo__promela_transition_of(&s->run, step.process, step.transition);
  bool good = begin_line(s, step, t), meets = step.receiver != EO_PROMELA_NO_RECEIVER;
  bool talks = t->kind == EO_PROMELA_SEND || t->kind == EO_PROMELA_RECEIVE;
  uint32_t channel = talks ? eo__promela_channel_meant(&s->run, step.process, t) : 0;
  unsigned char *before = NULL;
  eo_text met;
  eo__text_init(&met);
  if (channel && meets && has_values(t->message)) add_met(&met, s, t, step.process, channel);
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
  good = good && !met.failed && end_line(s, step, t, met.chars);
  eo__text_release(&met);
  return good;
}

void eo__promela_choice_text(eo_subject *base, eo_choice choice, eo_text *out) {
  eo__model_subject *s = me(base);
  eo_promela_step step = eo__promela_choice_step(s->model, choice);
  const eo_promela_transition *t = eo__promela_transition_of(&s->run, step.process, step.transition);
  eo__text_add(out, "P%u:%s %s", step.process, eo__promela_process(&s->run, step.process)->name, t->text);
  if (step.receiver != EO_PROMELA_NO_RECEIVER)
    eo__text_add(out, ", received by P%u:%s", step.receiver, eo__promela_process(&s->run, step.receiver)->name);
  uint32_t channel = t->kind == EO_PROMELA_RECEIVE ? eo__promela_channel_meant(&s->run, step.process, t) : 0;
  s->run.who = step.process;
  uint32_t slot = !channel          ? UINT32_MAX
                  : s->run.delivery ? step.receiver_transition
                                    : eo__promela_match(&s->run, t->message, channel);
  if (slot != UINT32_MAX) {
    eo__text_add(out, " [");
    eo__model_add_message(out, &s->run, channel, slot);
    eo__text_add(out, "]");
  }
  eo__text_add(out, " (%s:%d)", t->file, t->line);
}

static bool line(eo_subject *base, eo_line *out) {
  eo__model_subject *s = me(base);
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
  eo__model_subject *s = me(base);
  if (!join_mails(finding)) return false;
  bool whole = finding->failure.kind != EO_KIND_CRASH; /* else a step ended half way */
  if (whole && !s->receives_choose && !eo__model_values(&s->run, &finding->values)) return false;
  if (finding->failure.kind != EO_KIND_DEADLOCK) return true;
  for (uint32_t i = 0; i < eo_promela_processes(&s->run); i++) {
    const eo_promela_location *l = &eo__promela_process(&s->run, i)->locations[eo__promela_location_of(&s->run, i)];
    if (l->end || !l->count) continue;
    eo_text text;
    eo__text_init(&text);
    eo__text_add(&text, "P%u:%s waits at %s:%d for", i, eo__promela_process(&s->run, i)->name, eo_promela_own(l)->file,
                 eo_promela_own(l)->line);
    for (uint32_t k = 0; k < l->count; k++) eo__text_add(&text, "%s %s", k ? " or" : "", l->transitions[k]->text);
    char *waiting = text_of(&text);
    if (!waiting || !eo_vec_push(&finding->waiting, waiting)) {
      eo__free(waiting);
      return false;
    }
  }
  return true;
}

const eo_describing eo__model_describing = {.describe = describe, .line = line, .end = end, .halt = halt};
