/* trace.c: see trace.h. */
#include "core/trace.h"

#include <string.h>

#include "core/program.h"

enum { LEAST_STRIDE = 8 };

void eo__trace_init(eo_trace *trace, eo_view view, bool messages_apart) {
  memset(trace, 0, sizeof *trace);
  trace->view = view;
  trace->messages_apart = messages_apart;
  trace->idle = EO_NO_EVENT;
  trace->stride = LEAST_STRIDE;
}

void eo__trace_release(eo_trace *trace) {
  for (size_t i = 0; i < trace->threads.count; i++) {
    eo_vec_release(&trace->threads.items[i].inbox);
    eo_vec_release(&trace->threads.items[i].readings);
  }
  for (size_t i = 0; i < trace->objects.count; i++) eo_vec_release(&trace->objects.items[i].list);
  eo_vec_release(&trace->records);
  eo_vec_release(&trace->mails);
  eo_vec_release(&trace->touches);
  eo_vec_release(&trace->doomed);
  eo_vec_release(&trace->threads);
  eo_vec_release(&trace->mail_of);
  eo_vec_release(&trace->objects);
  eo_vec_release(&trace->clocks);
  eo_vec_release(&trace->message_clocks);
  eo_vec_release(&trace->cause);
}

static uint64_t stir(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

/* ---- Room ------------------------------------------------------------------------------------------------------- */

/* The clocks laid out anew, wider. */
static bool widen(uint32_t **items, size_t *capacity, uint32_t records, uint32_t from, uint32_t to) {
  size_t wanted = (size_t)(records + 1) * to;
  if (*capacity < wanted && !eo__vec_grow((void **)items, capacity, wanted, sizeof **items)) return false;
  for (uint32_t i = records; i-- > 0;) {
    memmove(*items + (size_t)i * to, *items + (size_t)i * from, from * sizeof **items);
    memset(*items + (size_t)i * to + from, 0, (to - from) * sizeof **items);
  }
  return true;
}

static bool meet_process(eo_trace *trace, uint32_t process) {
  while (trace->threads.count <= process) {
    char name[EO_PROCESS_NAME] = "";
    trace->view.processes->name(trace->view.of, (uint32_t)trace->threads.count, name, sizeof name);
    eo_thread fresh = {.last = EO_NO_EVENT, .spawner = EO_NO_EVENT, .doomer = EO_NO_EVENT, .identity = 1};
    fresh.reading.sender = EO_NO_PROCESS;
    for (const char *c = name; *c; c++) fresh.identity = stir(fresh.identity, (unsigned char)*c);
    if (!eo_vec_push(&trace->threads, fresh)) return false;
  }
  uint32_t wide = (process | 3) + 1, records = (uint32_t)trace->records.count;
  if (process < trace->stride) return true;
  if (!widen(&trace->clocks.items, &trace->clocks.capacity, records, trace->stride, wide)) return false;
  if (trace->messages_apart &&
      !widen(&trace->message_clocks.items, &trace->message_clocks.capacity, records, trace->stride, wide))
    return false;
  /* Also after the last event, whose step may have begun a process. */
  if (!widen(&trace->cause.items, &trace->cause.capacity, 1, trace->stride, wide)) return false;
  trace->stride = wide;
  trace->clocks.count = (size_t)records * wide;
  if (trace->messages_apart) trace->message_clocks.count = (size_t)records * wide;
  return true;
}

static inline bool know_process(eo_trace *trace, uint32_t process) {
  return (process < trace->threads.count && process < trace->stride) || meet_process(trace, process);
}

bool eo__trace_know_object(eo_trace *trace, uint32_t object) {
  size_t had = trace->objects.count;
  if (object < had) return true;
  if (!eo_vec_reserve(&trace->objects, object + 1 - had)) return false;
  memset(trace->objects.items + had, 0, (object + 1 - had) * sizeof *trace->objects.items);
  trace->objects.count = object + 1;
  return true;
}

static bool know_message(eo_trace *trace, uint32_t number) {
  while (trace->mail_of.count <= number)
    if (!eo_vec_push(&trace->mail_of, 0)) return false;
  return true;
}

/* ---- One event -------------------------------------------------------------------------------------------------- */

static inline void join(eo_trace *trace, uint32_t *clock, const uint32_t *clocks, uint32_t position) {
  eo_clock_join(clock, clocks + (size_t)position * trace->stride, trace->stride);
}

/* What the arrival of something had to wait for. */
void eo__trace_await(const eo_trace *trace, uint32_t process, uint32_t *clock, const uint32_t *clocks) {
  const uint32_t *awaited;
  uint32_t count = trace->view.relations->awaited(trace->view.of, process, &awaited);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t last = trace->threads.items[awaited[i]].last;
    if (last != EO_NO_EVENT) eo_clock_join(clock, clocks + (size_t)last * trace->stride, trace->stride);
  }
}

/* Program order, spawn, the message taken, the exit that doomed it, what it had to wait for, idleness. */
static void causes(eo_trace *trace, const eo_thread *thread, const eo_record *record, uint32_t *clock,
                   uint32_t *messages) {
  const uint32_t *clocks = trace->clocks.items, *apart = trace->message_clocks.items;
  uint32_t first = record->previous != EO_NO_EVENT ? record->previous : thread->spawner;
  if (first != EO_NO_EVENT) {
    eo_clock_copy(clock, clocks + (size_t)first * trace->stride, trace->stride);
    if (messages) eo_clock_copy(messages, apart + (size_t)first * trace->stride, trace->stride);
  } else {
    size_t size = trace->stride * sizeof *clock;
    memset(clock, 0, size);
    if (messages) memset(messages, 0, size);
  }
  if (record->source != EO_NO_EVENT) {
    join(trace, clock, clocks, record->source);
    if (messages) join(trace, messages, apart, record->source);
  }
  if (thread->doomer != EO_NO_EVENT) join(trace, clock, clocks, thread->doomer);
  if (record->op == EO_OP_SIGNAL) {
    eo__trace_await(trace, record->process, clock, clocks);
    if (messages) eo__trace_await(trace, record->process, messages, apart);
  }
  if (trace->idle != EO_NO_EVENT) join(trace, clock, clocks, trace->idle);
  if (record->flags & EO_EVENT_IDLE)
    for (size_t i = 0; i < trace->threads.count; i++)
      if (trace->threads.items[i].last != EO_NO_EVENT) join(trace, clock, clocks, trace->threads.items[i].last);
}

/* Those that touched the same before, up to the last that wrote it. */
static void conflicts(eo_trace *trace, const eo_record *record, uint32_t *clock) {
  for (uint32_t i = 0; i < record->touches; i++) {
    const eo_touch *touch = &trace->touches.items[record->first_touch + i];
    size_t count = trace->objects.items[touch->object].list.count;
    const eo_access *list = trace->objects.items[touch->object].list.items;
    size_t written = count ? list[count - 1].written : 0;
    for (size_t j = count; touch->writes && j > written; j--) join(trace, clock, trace->clocks.items, list[j - 1].by);
    if (written) join(trace, clock, trace->clocks.items, list[written - 1].by);
  }
}

static bool add_touches(eo_trace *trace, eo_record *record) {
  const eo_touch *touches;
  uint32_t count = trace->view.relations->touched(trace->view.of, &touches);
  record->first_touch = (uint32_t)trace->touches.count;
  record->touches = count;
  for (uint32_t i = 0; i < count; i++)
    if ((touches[i].object >= trace->objects.count && !eo__trace_know_object(trace, touches[i].object)) ||
        !eo_vec_push(&trace->touches, touches[i]) ||
        !eo_vec_reserve(&trace->objects.items[touches[i].object].list, count)) /* all may be of one object */
      return false;
  return true;
}

static bool add_mails(eo_trace *trace, eo_record *record, const eo_event *event, uint32_t position) {
  const eo_view *view = &trace->view;
  record->first_mail = (uint32_t)trace->mails.count;
  record->mails = event->sent;
  eo_sent sent = {0};
  for (uint32_t i = 0; i < event->sent; i++) {
    sent = i ? eo_next_sent(view, &sent) : view->relations->sent(view->of, event->message);
    uint32_t number = sent.number;
    if (!know_process(trace, sent.to) || !know_message(trace, number) || !eo_vec_reserve(&trace->mails, 1) ||
        !eo_vec_reserve(&trace->threads.items[sent.to].inbox, 1))
      return false;
    eo_thread *to = &trace->threads.items[sent.to];
    const eo_posted *before = to->inbox.count ? &trace->mails.items[eo_vec_last(&to->inbox)] : NULL;
    bool alone = !before || (before->alone && before->sent.from == sent.from);
    trace->mails.items[trace->mails.count++] =
        (eo_posted){sent, position, EO_NO_EVENT, (uint32_t)to->inbox.count, alone};
    to->inbox.items[to->inbox.count++] = (uint32_t)trace->mails.count - 1;
    trace->mail_of.items[number] = (uint32_t)trace->mails.count;
  }
  return true;
}

static bool add_doomed(eo_trace *trace, eo_record *record, const eo_event *event) {
  const uint32_t *doomed;
  record->first_doomed = (uint32_t)trace->doomed.count;
  if (!(event->flags & EO_EVENT_DOOMS)) return true;
  record->doomed = trace->view.relations->doomed(trace->view.of, &doomed);
  for (uint32_t i = 0; i < record->doomed; i++)
    if (!know_process(trace, doomed[i]) || !eo_vec_push(&trace->doomed, doomed[i])) return false;
  return true;
}

/* What begins with the event, beside the child of a spawn. */
static bool add_begun(eo_trace *trace, const eo_event *event, uint32_t position) {
  const uint32_t *begun;
  uint32_t count = event->flags & EO_EVENT_BEGINS ? trace->view.relations->begun(trace->view.of, &begun) : 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!know_process(trace, begun[i])) return false;
    trace->threads.items[begun[i]].spawner = position;
  }
  return true;
}

/* Dooming a process comes after all it did. */
static void doom(eo_trace *trace, const eo_record *record, uint32_t *clock, uint32_t position) {
  for (uint32_t i = 0; i < record->doomed; i++) {
    eo_thread *thread = &trace->threads.items[trace->doomed.items[record->first_doomed + i]];
    uint32_t last = thread->last != EO_NO_EVENT ? thread->last : thread->spawner;
    bool ended = thread->last != EO_NO_EVENT && trace->records.items[thread->last].op == EO_OP_EXIT;
    if (!ended && thread->doomer == EO_NO_EVENT) thread->doomer = position;
    if (last == EO_NO_EVENT) continue;
    join(trace, clock, trace->clocks.items, last);
  }
}

static bool reserve(eo_trace *trace) {
  return eo_vec_reserve(&trace->records, 1) && eo_vec_reserve(&trace->clocks, trace->stride) &&
         (!trace->messages_apart || eo_vec_reserve(&trace->message_clocks, trace->stride)) &&
         (trace->cause.capacity >= trace->stride || eo_vec_reserve(&trace->cause, trace->stride));
}

/* A message was taken. Short inboxes are as well gone through from the start: `unread` follows only when it is well behind. */
static void pass_over_taken(const eo_trace *trace, eo_thread *thread) {
  enum { BEHIND = 16 };
  uint32_t unread = thread->reading.unread, count = (uint32_t)thread->inbox.count;
  if (thread->receives < unread + BEHIND) return; /* not so many can have been taken */
  const uint32_t *inbox = thread->inbox.items;
  const eo_posted *mails = trace->mails.items;
  while (unread < count && mails[inbox[unread]].taken != EO_NO_EVENT) unread++;
  thread->reading.unread = unread;
}

/* There is room. */
static void note_receive(const eo_trace *trace, eo_thread *thread, const eo_record *record) {
  eo_reading *reading = &thread->reading;
  thread->readings.items[thread->receives++] = *reading;
  thread->readings.count = thread->receives;
  reading->choosy |= !(record->flags & EO_EVENT_ANY);
  if (reading->sender == EO_SEVERAL) return;
  uint32_t sender = record->mail ? trace->mails.items[record->mail - 1].sent.from : EO_SEVERAL;
  if (reading->sender != sender) reading->sender = reading->sender == EO_NO_PROCESS ? sender : EO_SEVERAL;
}

/* There is room. */
static void note_access(eo_trace *trace, const eo_touch *touch, uint32_t position) {
  size_t count = trace->objects.items[touch->object].list.count++;
  eo_access *list = trace->objects.items[touch->object].list.items;
  uint32_t before = count ? list[count - 1].written : 0;
  list[count] = (eo_access){position, touch->writes ? (uint32_t)count + 1 : before, touch->writes};
}

bool eo__trace_add(eo_trace *trace, eo_choice choice, const eo_event *event) {
  uint32_t process = event->process, position = (uint32_t)trace->records.count;
  if (!know_process(trace, process)) return false;
  if (event->op == EO_OP_SPAWN && event->other != EO_NO_PROCESS && !know_process(trace, event->other)) return false;
  eo_thread *thread = &trace->threads.items[process];
  if (!reserve(trace) || (event->op == EO_OP_RECEIVE && !eo_vec_reserve(&thread->readings, 1))) return false;
  eo_record *record = &trace->records.items[position]; /* filled in place: to copy it would cost more than to fill it */
  record->process = process;
  record->index = thread->events;
  record->previous = thread->last;
  record->value = choice.value;
  record->op = event->op;
  record->flags = event->flags;
  record->nth = thread->receives;
  record->source = EO_NO_EVENT;
  record->mail = 0;
  record->doomed = 0;
  record->hash = 0;
  if (event->message && !event->sent) {
    record->mail = trace->mail_of.items[event->message];
    trace->mails.items[record->mail - 1].taken = position;
    if (event->op == EO_OP_RECEIVE) { /* else it was flushed: that it was there is told by what the step touched */
      record->source = trace->mails.items[record->mail - 1].by;
      record->value = event->message; /* also where that was not a choice */
    }
  }
  if (!add_touches(trace, record) || !add_doomed(trace, record, event)) return false;
  thread = &trace->threads.items[process];
  uint32_t *clock = trace->clocks.items + trace->clocks.count;
  causes(trace, thread, record, clock,
         trace->messages_apart ? trace->message_clocks.items + trace->clocks.count : NULL);
  if (record->touches || record->doomed || event->sent) eo_clock_copy(trace->cause.items, clock, trace->stride);
  if (record->touches) conflicts(trace, record, clock);
  if (record->doomed) doom(trace, record, clock, position);
  clock[process] = record->index + 1;
  if (trace->messages_apart) trace->message_clocks.items[trace->clocks.count + process] = record->index + 1;
  trace->clocks.count += trace->stride;
  if (trace->messages_apart) trace->message_clocks.count = trace->clocks.count;
  thread->last = position;
  thread->events++;
  if (event->op == EO_OP_RECEIVE) note_receive(trace, thread, record);
  if (record->mail) pass_over_taken(trace, thread);
  if (event->op == EO_OP_SPAWN && event->other != EO_NO_PROCESS) trace->threads.items[event->other].spawner = position;
  if (event->flags & EO_EVENT_IDLE) trace->idle = position;
  trace->records.count++;
  for (uint32_t i = 0; i < record->touches; i++) {
    const eo_touch *touch = &trace->touches.items[record->first_touch + i];
    note_access(trace, touch, position);
  }
  return add_begun(trace, event, position) && add_mails(trace, &trace->records.items[position], event, position);
}

/* ---- Going back ------------------------------------------------------------------------------------------------- */

static void undo(eo_trace *trace) {
  const eo_record *record = &eo_vec_pop(&trace->records);
  eo_thread *thread = &trace->threads.items[record->process];
  thread->last = record->previous;
  thread->events = record->index;
  thread->receives = record->nth;
  if (record->op == EO_OP_RECEIVE) thread->reading = thread->readings.items[record->nth];
  thread->readings.count = record->nth;
  bool begins = record->op == EO_OP_SPAWN || record->flags & EO_EVENT_BEGINS;
  for (size_t i = 0; begins && i < trace->threads.count; i++)
    if (trace->threads.items[i].spawner == trace->records.count) trace->threads.items[i].spawner = EO_NO_EVENT;
  if (record->mail) {
    eo_posted *mail = &trace->mails.items[record->mail - 1];
    mail->taken = EO_NO_EVENT;
    if (mail->place < thread->reading.unread) thread->reading.unread = mail->place;
  }
  for (uint32_t i = record->mails; i-- > 0;) {
    eo_posted posted = eo_vec_pop(&trace->mails);
    trace->mail_of.items[posted.sent.number] = 0;
    eo_thread *to = &trace->threads.items[posted.sent.to];
    (void)eo_vec_pop(&to->inbox);
    if (to->reading.unread > to->inbox.count) to->reading.unread = (uint32_t)to->inbox.count;
  }
  for (uint32_t i = 0; i < record->touches; i++)
    (void)eo_vec_pop(&trace->objects.items[trace->touches.items[record->first_touch + i].object].list);
  trace->touches.count = record->first_touch;
  for (uint32_t i = 0; i < record->doomed; i++) {
    eo_thread *doomed = &trace->threads.items[trace->doomed.items[record->first_doomed + i]];
    if (doomed->doomer == trace->records.count) doomed->doomer = EO_NO_EVENT;
  }
  trace->doomed.count = record->first_doomed;
}

void eo__trace_cut(eo_trace *trace, uint32_t depth) {
  while (trace->records.count > depth) undo(trace);
  trace->clocks.count = (size_t)depth * trace->stride;
  if (trace->messages_apart) trace->message_clocks.count = trace->clocks.count;
  if (trace->idle == EO_NO_EVENT || trace->idle < depth) return;
  trace->idle = EO_NO_EVENT;
  for (uint32_t i = 0; i < depth; i++)
    if (trace->records.items[i].flags & EO_EVENT_IDLE) trace->idle = i;
}

/* ---- Hashes ----------------------------------------------------------------------------------------------------- */

/* Few ask for hashes, so that of an event is found when it is asked for first. Until then it is 0 (and if it should come
 * out as 0, it is found anew each time); then those of all events before it are known. */
static void find_hash(const eo_trace *trace, uint32_t position);

uint64_t eo__trace_event_hash(const eo_trace *trace, uint32_t position) {
  const eo_record *records = trace->records.items;
  uint32_t from = position;
  if (records[position].hash) return records[position].hash;
  while (from > 0 && !records[from - 1].hash) from--;
  for (; from <= position; from++) find_hash(trace, from);
  return records[position].hash;
}

uint64_t eo__trace_foretell(const eo_trace *trace, uint32_t process, uint32_t op, uint32_t previous, uint32_t source,
                            uint32_t value) {
  uint64_t hash = previous != EO_NO_EVENT ? eo__trace_event_hash(trace, previous) : 0;
  hash = stir(hash ^ trace->threads.items[process].identity, op);
  if (source != EO_NO_EVENT) hash = stir(hash, eo__trace_event_hash(trace, source));
  return stir(hash, value);
}

/* What the accesses to an object before the event at `position` add to its hash: the last that wrote, and those that have
 * read since, in any order. */
static uint64_t met_before(const eo_trace *trace, uint32_t object, uint32_t position, uint64_t *readers) {
  size_t i = trace->objects.items[object].list.count;
  const eo_access *list = trace->objects.items[object].list.items;
  *readers = 0;
  while (i > 0 && list[i - 1].by >= position) i--;
  for (; i > 0 && !list[i - 1].writes; i--) *readers += eo__trace_event_hash(trace, list[i - 1].by);
  return i ? eo__trace_event_hash(trace, list[i - 1].by) : 0;
}

uint64_t eo__trace_meets(const eo_trace *trace, uint64_t hash, const eo_touch *touches, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t readers;
    hash = stir(hash, met_before(trace, touches[i].object, EO_NO_EVENT, &readers));
    if (touches[i].writes) hash = stir(hash, readers);
  }
  return hash;
}

/* The last event of a process before the one at `position`. */
static uint32_t last_before(const eo_trace *trace, uint32_t process, uint32_t position) {
  uint32_t last = trace->threads.items[process].last;
  while (last != EO_NO_EVENT && last >= position) last = trace->records.items[last].previous;
  return last;
}

static void find_hash(const eo_trace *trace, uint32_t position) {
  eo_record *record = &trace->records.items[position];
  const eo_thread *thread = &trace->threads.items[record->process];
  uint32_t first = record->previous != EO_NO_EVENT ? record->previous : thread->spawner;
  bool receives = record->source != EO_NO_EVENT;
  uint32_t value = receives ? trace->mails.items[record->mail - 1].sent.nth : record->value;
  uint64_t hash = eo__trace_foretell(trace, record->process, record->op, first, record->source, value), readers;
  if (thread->doomer != EO_NO_EVENT && thread->doomer < position)
    hash = stir(hash, trace->records.items[thread->doomer].hash);
  for (uint32_t i = 0; record->flags & EO_EVENT_IDLE && i < trace->threads.count; i++) {
    uint32_t last = last_before(trace, i, position);
    if (last != EO_NO_EVENT) hash += trace->records.items[last].hash;
  }
  for (uint32_t i = 0; i < record->touches; i++) {
    const eo_touch *touch = &trace->touches.items[record->first_touch + i];
    uint64_t written = met_before(trace, touch->object, position, &readers);
    if (written) hash = stir(hash, written);
    hash = stir(hash, touch->writes ? readers : 0);
  }
  for (uint32_t i = 0; i < record->doomed; i++) {
    uint32_t process = trace->doomed.items[record->first_doomed + i], last = last_before(trace, process, position);
    if (last == EO_NO_EVENT) last = trace->threads.items[process].spawner;
    if (last != EO_NO_EVENT) hash += stir(trace->records.items[last].hash, 2);
  }
  record->hash = hash;
}

uint64_t eo__trace_hash(const eo_trace *trace) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < trace->records.count; i++) sum += stir(eo__trace_event_hash(trace, i), 1);
  return sum;
}

uint64_t eo__trace_past_hash(const eo_trace *trace) {
  uint64_t sum = 0;
  if (trace->records.count == 0) return 0;
  const uint32_t *clock = eo_trace_clock(trace, (uint32_t)trace->records.count - 1);
  for (uint32_t i = 0; i < trace->records.count; i++)
    if (eo_clock_covers(clock, &trace->records.items[i])) sum += stir(eo__trace_event_hash(trace, i), 1);
  return sum;
}
