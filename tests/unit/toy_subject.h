/* toy_subject.h: a subject made by hand, for tests of the engine and the strategies without any actor.
 *
 * It has a few processes, A, B, C, D, each with a list of steps. A step may have to wait for another process to have
 * done so many of its own, and may have several values to choose from. So the tree of its executions can be written
 * down on paper. An execution is a text: a letter for each step, followed by its value where there was more than one:
 * "AB2A". A test says which of them fail, and can make it lie (be nondeterministic) from the n-th reset on.
 *
 * A step may read or write one of a few variables, and touches that; one that waits touches what it waits for. What the
 * steps saw of each other goes into the fingerprint: two executions end with the same one exactly if they differ in the
 * order of steps that commute.
 *
 * A step may also spawn a process, which is there only then, send one a message, or receive one: with dpor every process
 * but A has to be spawned, and nobody waits by `after`. Nobody is doomed.
 *
 * Everything it allocates comes from eo__alloc, so that the fault tests reach it too. */
#ifndef TOY_SUBJECT_H
#define TOY_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/program.h"
#include "core/subject.h"

enum { TOY_PROCESSES = 4, TOY_STEPS = 64, TOY_PATH = 256, TOY_VARIABLES = 8, TOY_MAILS = 32 };

typedef struct toy_step {
  uint32_t values;      /* to choose from; 0 and 1 are the same: nothing to choose */
  char after;           /* letter of a process to wait for; 0: nobody */
  uint32_t after_steps; /* how many steps that one must have done */
  uint32_t variable;    /* that it reads or writes, from 1; 0: none */
  bool writes;
  char spawns, sends;  /* letter of the process; 0: nobody */
  char receives, from; /* what it does if not 0: '!' waits, '?' may time out; a message of this process, 0: of any */
} toy_step;

/* All that changes in an execution; saving it is copying it. */
typedef struct toy_state {
  uint32_t done[TOY_PROCESSES];
  uint32_t depth;
  uint64_t seen[TOY_PROCESSES];    /* what each process saw: a hash */
  uint64_t written[TOY_VARIABLES]; /* by whom last: a hash */
  uint64_t read[TOY_VARIABLES];    /* since then, by whom: a sum of hashes */
  eo_touch touches[3];             /* of the last step */
  uint32_t touched;
  bool spawned[TOY_PROCESSES];
  uint32_t mails, mail[TOY_MAILS]; /* numbers, as they were sent; those taken are gone */
  uint32_t sent[TOY_PROCESSES];    /* how many each has sent */
  char path[TOY_PATH];             /* the execution so far, as a text */
} toy_state;

typedef struct toy {
  eo_subject base;
  uint32_t lengths[TOY_PROCESSES]; /* steps of each process; 0: there is no such process */
  toy_step steps[TOY_PROCESSES][TOY_STEPS];
  /* Called after each step: does this execution fail here? NULL as message: no. */
  const char *(*fails)(const toy_state *state);
  bool start_fails;
  bool deadlock;      /* an end at which processes wait is a failure */
  uint32_t lies_from; /* from this reset on (1 is the first) the first step looks different; 0: never */
  uint32_t save_cost;
  bool takes; /* what a receive takes is chosen */

  toy_state now;
  eo_choice choices[TOY_PROCESSES * 16 + TOY_MAILS];
  eo_failure failure;
  eo_choice last;
  bool described;
  uint32_t resets, saves, restores, kept, steps_run; /* kept: saved states not yet forgotten */
  uint32_t loses, lost;                              /* restores that fail: every so many; how many did */
} toy;

static toy *toy_of(eo_subject *subject) { return (toy *)subject; }

static void toy_close(eo_subject *subject) { (void)subject; }

static bool toy_fail(toy *t, eo_kind kind, const char *message) {
  memset(&t->failure, 0, sizeof t->failure);
  t->failure.kind = kind;
  snprintf(t->failure.message, sizeof t->failure.message, "%s", message);
  return false;
}

static bool toy_reset(eo_subject *subject) {
  toy *t = toy_of(subject);
  EO_CHECK(t->kept == 0); /* the engine has to forget them first */
  memset(&t->now, 0, sizeof t->now);
  t->resets++;
  return !t->start_fails || toy_fail(t, EO_KIND_CRASH, "at the start");
}

static const toy_step *toy_next(const toy *t, uint32_t p) { return &t->steps[p][t->now.done[p]]; }

/* Messages: 64 numbers for each sender, from 1. */
static eo_sent toy_message(const toy *t, uint32_t number) {
  eo_sent sent = {.number = number, .from = (number - 1) / TOY_STEPS, .nth = (number - 1) % TOY_STEPS + 1};
  uint32_t nth = 0;
  for (uint32_t i = 0; i < t->lengths[sent.from]; i++)
    if (t->steps[sent.from][i].sends && ++nth == sent.nth) sent.to = (uint32_t)(t->steps[sent.from][i].sends - 'A');
  return sent;
}

static bool toy_accepts(const toy *t, uint32_t p, const toy_step *step, uint32_t number) {
  eo_sent sent = toy_message(t, number);
  return sent.to == p && (!step->from || sent.from == (uint32_t)(step->from - 'A'));
}

/* Of what it could take, the oldest; EO_NO_PROCESS: nothing. */
static uint32_t toy_oldest(const toy *t, uint32_t p) {
  for (uint32_t i = 0; i < t->now.mails; i++)
    if (toy_accepts(t, p, toy_next(t, p), t->now.mail[i])) return i;
  return EO_NO_PROCESS;
}

static bool toy_is_there(const toy *t, uint32_t p) {
  bool waits = false;
  for (uint32_t q = 0; q < TOY_PROCESSES; q++)
    for (uint32_t i = 0; i < t->lengths[q]; i++) waits |= t->steps[q][i].spawns == (char)('A' + p);
  return !waits || t->now.spawned[p];
}

static bool toy_can(const toy *t, uint32_t p) {
  if (t->now.done[p] >= t->lengths[p] || !toy_is_there(t, p)) return false;
  const toy_step *step = toy_next(t, p);
  if (step->receives == '!' && toy_oldest(t, p) == EO_NO_PROCESS) return false;
  return !step->after || t->now.done[step->after - 'A'] >= step->after_steps;
}

/* By sender, then as sent; a timeout last. */
static uint32_t toy_takes(toy *t, uint32_t p, uint32_t count) {
  for (uint32_t number = 1; number <= TOY_PROCESSES * TOY_STEPS; number++)
    for (uint32_t i = 0; i < t->now.mails; i++)
      if (t->now.mail[i] == number && toy_accepts(t, p, toy_next(t, p), number))
        t->choices[count++] = (eo_choice){p, number, EO_OP_RECEIVE, EO_CHOICE_TAKE};
  if (toy_next(t, p)->receives == '?') t->choices[count++] = (eo_choice){p, 0, EO_OP_RECEIVE, EO_CHOICE_TAKE};
  return count;
}

static uint16_t toy_op(const toy_step *step) {
  if (step->sends) return EO_OP_SEND;
  if (step->receives) return EO_OP_RECEIVE;
  return step->values > 1 ? EO_OP_CHOOSE : step->spawns ? EO_OP_SPAWN : EO_OP_SLEEP;
}

static uint32_t toy_enabled(eo_subject *subject, const eo_choice **choices) {
  toy *t = toy_of(subject);
  uint32_t count = 0;
  for (uint32_t p = 0; p < TOY_PROCESSES; p++) {
    if (!toy_can(t, p)) continue;
    uint32_t values = toy_next(t, p)->values;
    if (t->takes && toy_next(t, p)->receives)
      count = toy_takes(t, p, count);
    else
      for (uint32_t v = 0; v < (values ? values : 1); v++)
        t->choices[count++] = (eo_choice){.process = p, .value = v, .op = toy_op(toy_next(t, p))};
  }
  *choices = t->choices;
  return count;
}

static uint64_t toy_hash(uint64_t a, uint64_t b) {
  return (a ^ (b + 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u ^ a >> 29;
}

static void toy_touch(toy_state *now, uint32_t object, bool writes) {
  now->touches[now->touched++] = (eo_touch){object, writes};
}

/* What a step shows of itself to others, and what it sees of them. */
static void toy_notice(toy *t, eo_choice choice) {
  toy_state *now = &t->now;
  uint32_t p = choice.process, nth = now->done[p];
  const toy_step *step = &t->steps[p][nth];
  uint64_t who = toy_hash(toy_hash(p + 1, nth), step->receives ? 0 : choice.value), saw = who;
  now->touched = 0;
  toy_touch(now, TOY_VARIABLES + p * TOY_STEPS + nth, true); /* that it is done */
  if (step->after && step->after_steps)
    toy_touch(now, TOY_VARIABLES + (uint32_t)(step->after - 'A') * TOY_STEPS + step->after_steps - 1, false);
  if (step->variable) {
    uint32_t v = step->variable - 1;
    toy_touch(now, v, step->writes);
    saw = toy_hash(saw, now->written[v]);
    if (step->writes) {
      saw = toy_hash(saw, now->read[v]);
      now->written[v] = toy_hash(who, 1);
      now->read[v] = 0;
    } else {
      now->read[v] += toy_hash(who, 2);
    }
  }
  now->seen[p] = toy_hash(now->seen[p], saw);
}

static void toy_receive(toy *t, eo_choice choice, eo_event *event) {
  toy_state *now = &t->now;
  uint32_t at = toy_oldest(t, choice.process);
  if (t->takes)
    for (at = 0; at < now->mails && now->mail[at] != choice.value;) at++;
  if (toy_next(t, choice.process)->receives == '?') event->flags |= EO_EVENT_TIMED;
  if (at >= now->mails) {
    EO_CHECK(event->flags & EO_EVENT_TIMED);
    event->flags |= EO_EVENT_TIMEOUT;
  } else {
    event->message = now->mail[at];
    event->other = toy_message(t, now->mail[at]).from;
    now->mails--;
    memmove(now->mail + at, now->mail + at + 1, (now->mails - at) * sizeof *now->mail);
  }
  now->seen[choice.process] = toy_hash(now->seen[choice.process], event->message);
}

/* Messages and processes. */
static void toy_converse(toy *t, eo_choice choice, eo_event *event) {
  const toy_step *step = toy_next(t, choice.process);
  toy_state *now = &t->now;
  event->op = toy_op(step);
  if (step->spawns) {
    event->other = (uint32_t)(step->spawns - 'A');
    now->spawned[event->other] = true;
  }
  if (step->receives) toy_receive(t, choice, event);
  if (!step->sends) return;
  EO_CHECK(now->mails < TOY_MAILS);
  event->other = (uint32_t)(step->sends - 'A');
  event->sent = 1;
  event->message = now->mail[now->mails++] = choice.process * TOY_STEPS + ++now->sent[choice.process];
}

static bool toy_take(eo_subject *subject, eo_choice choice, eo_event *event) {
  toy *t = toy_of(subject);
  bool chose = t->steps[choice.process][t->now.done[choice.process]].values > 1;
  bool lies = t->lies_from && t->resets >= t->lies_from && t->now.depth == 0;
  EO_CHECK(toy_can(t, choice.process));
  *event = (eo_event){.process = choice.process, .other = lies ? 0 : EO_NO_PROCESS};
  const toy_step *step = toy_next(t, choice.process);
  if (step->spawns || step->sends || step->receives || t->takes) toy_converse(t, choice, event);
  toy_notice(t, choice);
  size_t length = strlen(t->now.path);
  snprintf(t->now.path + length, sizeof t->now.path - length, chose ? "%c%u" : "%c", 'A' + (int)choice.process,
           choice.value);
  t->now.done[choice.process]++;
  t->now.depth++;
  t->steps_run++;
  t->last = choice;
  const char *message = t->fails ? t->fails(&t->now) : NULL;
  if (!message) return true;
  event->flags |= EO_EVENT_FAILED;
  return toy_fail(t, EO_KIND_ASSERTION, message);
}

static bool toy_finish(eo_subject *subject) {
  toy *t = toy_of(subject);
  for (uint32_t p = 0; p < TOY_PROCESSES; p++)
    if (t->deadlock && t->now.done[p] < t->lengths[p]) return toy_fail(t, EO_KIND_DEADLOCK, "somebody waits");
  return true;
}

static const eo_failure *toy_failure(eo_subject *subject) { return &toy_of(subject)->failure; }

static void toy_name(eo_subject *subject, uint32_t process, char *out, size_t size) {
  (void)subject;
  snprintf(out, size, "%c", 'A' + (int)process);
}

static uint32_t toy_process(eo_subject *subject, const char *name) {
  (void)subject;
  return name[0] >= 'A' && name[0] < 'A' + TOY_PROCESSES && !name[1] ? (uint32_t)(name[0] - 'A') : EO_NO_PROCESS;
}

static void toy_describe(eo_subject *subject, bool on) { toy_of(subject)->described = on; }

static bool toy_line(eo_subject *subject, eo_line *line) {
  toy *t = toy_of(subject);
  char name[8];
  toy_name(subject, t->last.process, name, sizeof name);
  *line = (eo_line){.process = eo__strdup(name),
                    .name = eo__strdup(""),
                    .op = eo__strdup("step"),
                    .text = eo__strdup("steps"),
                    .file = eo__strdup(""),
                    .function = eo__strdup(""),
                    .value = t->last.value};
  if (line->process && line->name && line->op && line->text && line->file && line->function) return true;
  eo__free(line->process);
  eo__free(line->name);
  eo__free(line->op);
  eo__free(line->text);
  eo__free(line->file);
  eo__free(line->function);
  return false;
}

static bool toy_end(eo_subject *subject, eo_finding *finding) {
  (void)subject;
  (void)finding;
  return true;
}

static void *toy_save(eo_subject *subject) {
  toy *t = toy_of(subject);
  toy_state *saved = eo__alloc(sizeof *saved);
  if (!saved) return NULL;
  *saved = t->now;
  t->saves++;
  t->kept++;
  return saved;
}

static bool toy_restore(eo_subject *subject, void *saved) {
  toy *t = toy_of(subject);
  if (t->loses && (t->restores + t->lost) % t->loses == t->loses - 1) {
    t->lost++;
    return false;
  }
  t->now = *(const toy_state *)saved;
  t->restores++;
  return true;
}

static void toy_forget(eo_subject *subject, void *saved) {
  toy_of(subject)->kept--;
  eo__free(saved);
}

static uint32_t toy_cost(eo_subject *subject) { return toy_of(subject)->save_cost; }

static void toy_fingerprint(eo_subject *subject, uint64_t hash[2]) {
  const toy *t = toy_of(subject);
  hash[0] = hash[1] = 0;
  for (uint32_t p = 0; p < TOY_PROCESSES; p++) {
    hash[0] = hash[0] << 8 | t->now.done[p];
    hash[1] = toy_hash(hash[1], t->now.seen[p]);
  }
}

static uint32_t toy_touched(eo_subject *subject, const eo_touch **touches) {
  *touches = toy_of(subject)->now.touches;
  return toy_of(subject)->now.touched;
}

static eo_sent toy_sent(eo_subject *subject, uint32_t number) { return toy_message(toy_of(subject), number); }

static uint32_t toy_number(eo_subject *subject, uint32_t from, uint32_t nth) {
  (void)subject;
  return from < TOY_PROCESSES && nth <= TOY_STEPS ? from * TOY_STEPS + nth : 0;
}

static bool toy_matches(eo_subject *subject, uint32_t process, uint32_t nth, uint32_t message) {
  const toy *t = toy_of(subject);
  uint32_t i = 0;
  for (;; i++) {
    EO_CHECK(i < t->lengths[process]);
    if (t->steps[process][i].receives && nth-- == 0) return toy_accepts(t, process, &t->steps[process][i], message);
  }
}

static bool toy_before(eo_subject *subject, uint32_t process, uint32_t other) {
  (void)subject;
  return process < other;
}

static void toy_receives_choose(eo_subject *subject, bool on) { toy_of(subject)->takes = on; }

static uint32_t toy_unseen(eo_subject *subject) {
  (void)subject;
  return 0;
}

static void toy_object_name(eo_subject *subject, uint32_t object, char *out, size_t size) {
  (void)subject;
  snprintf(out, size, "%u", object);
}

static uint32_t toy_object(eo_subject *subject, const char *name) {
  char *end;
  (void)subject;
  unsigned long object = strtoul(name, &end, 10);
  return *name && !*end && object < TOY_VARIABLES + TOY_PROCESSES * TOY_STEPS ? (uint32_t)object : UINT32_MAX;
}

static void toy_pending(eo_subject *subject, uint32_t p, eo_pending *pending) {
  static eo_touch touches[3];
  const toy *t = toy_of(subject);
  const toy_step *step = toy_next(t, p);
  uint32_t oldest = step->receives && !t->takes ? toy_oldest(t, p) : EO_NO_PROCESS;
  *pending = (eo_pending){.to = step->sends ? (uint32_t)(step->sends - 'A') : EO_NO_PROCESS,
                          .message = oldest == EO_NO_PROCESS ? 0 : t->now.mail[oldest],
                          .timed = step->receives == '?',
                          .touches = touches};
  touches[pending->touch_count++] = (eo_touch){TOY_VARIABLES + p * TOY_STEPS + t->now.done[p], true};
  if (step->after && step->after_steps)
    touches[pending->touch_count++] =
        (eo_touch){TOY_VARIABLES + (uint32_t)(step->after - 'A') * TOY_STEPS + step->after_steps - 1, false};
  if (step->variable) touches[pending->touch_count++] = (eo_touch){step->variable - 1, step->writes};
}

static uint32_t toy_first(eo_subject *subject, const uint32_t **processes) {
  static const uint32_t first = 0;
  (void)subject;
  *processes = &first;
  return 1;
}

static uint32_t toy_hints(eo_subject *subject, const eo_hint_given **hints) {
  (void)subject;
  *hints = NULL;
  return 0;
}

static void toy_halt(eo_subject *subject, uint32_t process, uint32_t step) {
  (void)subject;
  (void)process;
  (void)step;
}

static uint32_t toy_mark(eo_subject *subject, eo_choice choice) {
  (void)subject;
  (void)choice;
  return EO_NO_MARK;
}

static const eo_heat *toy_heat(eo_subject *subject) {
  (void)subject;
  return NULL;
}

static uint32_t toy_doomed(eo_subject *subject, const uint32_t **processes) {
  (void)subject;
  *processes = NULL;
  return 0;
}

static const eo_foregone *toy_foregone(eo_subject *subject, uint32_t process) {
  (void)subject;
  (void)process;
  return NULL;
}

static const eo_processes toy_processes = {
    .name = toy_name, .number = toy_process, .first = toy_first, .hints = toy_hints};
static const eo_describing toy_describing = {
    .describe = toy_describe, .line = toy_line, .end = toy_end, .halt = toy_halt};
static const eo_saving toy_saving = {.save = toy_save, .restore = toy_restore, .forget = toy_forget, .cost = toy_cost};
static const eo_states toy_states = {.fingerprint = toy_fingerprint, .mark = toy_mark, .heat = toy_heat};
static const eo_relations toy_relations = {.plain_too = true,
                                           .touched = toy_touched,
                                           .sent = toy_sent,
                                           .message = toy_number,
                                           .doomed = toy_doomed,
                                           .foregone = toy_foregone,
                                           .matches = toy_matches,
                                           .before = toy_before,
                                           .receives_choose = toy_receives_choose,
                                           .object_name = toy_object_name,
                                           .object = toy_object,
                                           .unseen = toy_unseen,
                                           .pending = toy_pending};

#define TOY_OPS                                                                                    \
  .name = "toy", .close = toy_close, .reset = toy_reset, .enabled = toy_enabled, .step = toy_take, \
  .finish = toy_finish, .failure = toy_failure, .processes = &toy_processes, .describing = &toy_describing

static const eo_subject_ops toy_ops = {TOY_OPS, .saving = &toy_saving, .states = &toy_states,
                                       .relations = &toy_relations};

/* Without the facets that a subject need not have. */
static const eo_subject_ops toy_plain_ops = {TOY_OPS};

/* As many processes as lengths that are not 0; no step waits or chooses yet. */
static void toy_init(toy *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  *t = (toy){.base = {.ops = &toy_ops}, .lengths = {a, b, c, d}};
  (void)toy_plain_ops;
}

#endif
