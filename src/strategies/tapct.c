/* tapct.c: trace-aware PCT (Kulahcioglu Ozkan, Majumdar, Oraee: Trace Aware Random Testing for Distributed Systems,
 * OOPSLA 2019): pctcp over the events that race, and no others, since the order of the rest makes no difference.
 *
 * Whether an event will race is not known before. So the first executions tell: two sends to one mailbox, or two
 * operations that touch one object of which one writes it, that are of different processes and not ordered by
 * happens-before, are a race, and from then on all sends to that mailbox, all that touches that object, are events.
 * Mailboxes and objects that came up and never raced are quiet, and what concerns only these happens at once. What did
 * not come up counts as racing. The first half of the executions to learn from run as pctcp would, and tell of races;
 * the second half tell, too, how many events and chains are left. What is promised is promised of events that race where
 * some race was seen. */
#include <string.h>

#include "base/alloc.h"
#include "core/program.h"
#include "strategies/chains.h"
#include "strategies/strategies.h"

enum { UNKNOWN, QUIET, RACES };
enum {
  FIRST_HALF = EO_SAMPLES_TO_LEARN / 2,
  LONE_EXIT = 2 /* objects that the exit of a process without bonds touches */
};

typedef EO_VEC(unsigned char) marks;

typedef struct tapct {
  eo_chain_sampler chains;
  marks mailboxes; /* by process */
  marks objects;
} tapct;

static void tapct_close(eo_strategy *strategy) {
  tapct *t = (tapct *)strategy;
  eo__chains_release(&t->chains);
  eo_vec_release(&t->mailboxes);
  eo_vec_release(&t->objects);
  eo__free(strategy);
}

static unsigned char *mark_of(marks *list, uint32_t number) {
  while (list->count <= number)
    if (!eo_vec_push(list, UNKNOWN)) return NULL;
  return &list->items[number];
}

static bool is_quiet(const marks *list, uint32_t number) {
  return number < list->count && list->items[number] == QUIET;
}

static bool is_event(eo_chain_sampler *sampler, eo_choice choice, const eo_pending *pending) {
  const tapct *t = (const tapct *)sampler;
  if (!eo__chains_matters(sampler, choice, pending)) return false;
  if (sampler->shares || pending->timed || sampler->sampler.next <= FIRST_HALF) return true;
  if (choice.op == EO_OP_RECEIVE || choice.op == EO_OP_SPAWN || eo__op_chooses(choice.op) || choice.op == EO_OP_SLEEP)
    return true; /* of a process that shows what it does */
  if (choice.op == EO_OP_SEND && sampler->queues && !is_quiet(&t->mailboxes, pending->to)) return true;
  if (choice.op == EO_OP_EXIT && pending->touch_count > LONE_EXIT) return true; /* it may send messages */
  for (uint32_t i = 0; i < pending->touch_count; i++)
    if (!is_quiet(&t->objects, pending->touches[i].object)) return true;
  return false;
}

/* ---- Races ------------------------------------------------------------------------------------------------------ */

static bool unordered(const eo_trace *trace, const uint32_t *clock, uint32_t process, uint32_t position) {
  const eo_record *record = &trace->records.items[position];
  return record->process != process && !eo_clock_covers(clock, record);
}

static bool send_races(const eo_trace *trace, uint32_t process, const uint32_t *clock, uint32_t to) {
  const eo_thread *thread = &trace->threads.items[to];
  for (size_t i = thread->inbox.count; i-- > 0;)
    if (unordered(trace, clock, process, trace->mails.items[thread->inbox.items[i]].by)) return true;
  return false;
}

static bool touch_races(const eo_trace *trace, uint32_t process, const eo_touch *touch) {
  size_t count = trace->objects.items[touch->object].list.count;
  for (size_t i = 0; i < count; i++) {
    const eo_access *access = &trace->objects.items[touch->object].list.items[i];
    if ((access->writes || touch->writes) && unordered(trace, trace->cause.items, process, access->by)) return true;
  }
  return false;
}

/* What the last event met. False: no memory. */
static bool note(tapct *t) {
  const eo_trace *trace = &t->chains.trace;
  uint32_t last = (uint32_t)trace->records.count - 1;
  const eo_record *record = &trace->records.items[last];
  for (uint32_t i = 0; i < record->mails; i++) {
    uint32_t to = trace->mails.items[record->first_mail + i].sent.to;
    unsigned char *mark = mark_of(&t->mailboxes, to);
    if (!mark) return false;
    if (*mark == RACES) continue;
    *mark = send_races(trace, record->process, eo_trace_clock(trace, last), to) ? RACES : QUIET;
  }
  for (uint32_t i = 0; i < record->touches; i++) {
    const eo_touch *touch = &trace->touches.items[record->first_touch + i];
    unsigned char *mark = mark_of(&t->objects, touch->object);
    if (!mark) return false;
    if (*mark != RACES) *mark = touch_races(trace, record->process, touch) ? RACES : QUIET;
  }
  return true;
}

static void tapct_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  tapct *t = (tapct *)strategy;
  eo__chains_observe(strategy, depth, taken, event);
  if (!t->chains.traced || strategy->error || !eo__sampler_learns(&t->chains.sampler)) return;
  if (!note(t)) strategy->error = EO_ENOMEM;
}

static void tapct_end(eo_strategy *strategy, eo_outcome *outcome) {
  tapct *t = (tapct *)strategy;
  eo__chains_end(strategy, outcome);
  if (t->chains.sampler.next != FIRST_HALF) return;
  t->chains.most = 0; /* of the events that race: from now on */
  if (t->chains.adapts) t->chains.length = 0;
}

static double tapct_reached(eo_strategy *strategy, eo_text *words) {
  const eo_chain_sampler *s = (const eo_chain_sampler *)strategy;
  eo__text_add(words, "a bug of depth %u in the order of %u racing events in %u chains%s", s->bug_depth, s->length,
               s->most, eo__sampler_given(&s->sampler));
  return eo__sampler_odds(s->most, s->length, s->bug_depth);
}

static eo_coverage tapct_coverage(eo_strategy *strategy, eo_text *words) {
  const eo_chain_sampler *s = (const eo_chain_sampler *)strategy;
  return eo__sampler_coverage(&s->sampler, tapct_reached, words);
}

/* ---- Fragments -------------------------------------------------------------------------------------------------- */

/* By name, as numbers mean nothing to other workers. */
static bool write_marks(const tapct *t, const marks *list, bool objects, eo_bytes *out) {
  const eo_view *view = &t->chains.view;
  bool good = eo__fragment_number(out, list->count);
  for (uint32_t i = 0; i < list->count && good; i++) {
    char name[EO_OBJECT_TEXT] = "";
    if (objects)
      view->relations->object_name(view->of, i, name, sizeof name);
    else
      view->processes->name(view->of, i, name, sizeof name);
    good = eo__fragment_number(out, list->items[i]) && eo__fragment_number(out, strlen(name)) &&
           eo__fragment_raw(out, name, strlen(name));
  }
  return good;
}

static bool tapct_write(const eo_sampler *sampler, eo_bytes *out) {
  const tapct *t = (const tapct *)sampler;
  return eo__chains_write(&t->chains, out) && write_marks(t, &t->mailboxes, false, out) &&
         write_marks(t, &t->objects, true, out);
}

static bool read_marks(tapct *t, marks *list, bool objects, eo_fragment_reader *reader) {
  const eo_view *view = &t->chains.view;
  uint64_t count = eo__fragment_read(reader, UINT32_MAX);
  if (count && !t->chains.traced) reader->bad = true;
  for (uint64_t i = 0; i < count && !reader->bad; i++) {
    char name[EO_OBJECT_TEXT] = "";
    unsigned char mark = (unsigned char)eo__fragment_read(reader, RACES);
    eo__fragment_read_raw(reader, name, eo__fragment_read(reader, sizeof name - 1));
    if (reader->bad) break;
    uint32_t number = objects ? view->relations->object(view->of, name) : view->processes->number(view->of, name);
    if (number == UINT32_MAX) {
      reader->bad = true;
      break;
    }
    unsigned char *place = mark_of(list, number);
    if (!place) return false;
    *place = mark;
  }
  return true;
}

static bool tapct_read(eo_sampler *sampler, eo_fragment_reader *reader) {
  tapct *t = (tapct *)sampler;
  return eo__chains_read(&t->chains, reader) && read_marks(t, &t->mailboxes, false, reader) &&
         read_marks(t, &t->objects, true, reader);
}

static const eo_strategy_ops tapct_ops = {
    .close = tapct_close,
    .begin = eo__chains_begin,
    .choose = eo__chains_choose,
    .observe = tapct_observe,
    .end = tapct_end,
    .telling = &(const eo_telling){.coverage = tapct_coverage,
                                   .reached = tapct_reached,
                                   .share = eo__sampler_share,
                                   .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind tapct_kind = {.name = "tapct",
                                           .letter = EO_FRAGMENT_TAPCT,
                                           .lessons = EO_SAMPLES_TO_LEARN,
                                           .write = tapct_write,
                                           .read = tapct_read};

eo_strategy *eo__tapct_open(const eo_strategy_options *options, eo_error *error) {
  tapct *t = eo__alloc(sizeof *t);
  if (!t) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__chains_init(&t->chains, &tapct_kind, &tapct_ops, options);
  t->chains.is_event = is_event;
  return &t->chains.sampler.base;
}
