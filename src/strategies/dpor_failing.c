/* dpor_failing.c: steps that fail. They end the execution, and everything else must be explored without them too: so each is
 * remembered with its past, and taken last from then on (doc/dpor.md). */
#include <string.h>

#include "base/alloc.h"
#include "strategies/dpor_inside.h"

/* This step, taken now (or, for a choose or receive, whenever), if it is known to fail; else NULL. */
static const failing *find_failing(const dpor *d, uint32_t process, uint32_t op, uint32_t previous,
                                   const eo_posted *mail, uint32_t value) {
  if (!d->failing.count) return NULL;
  uint64_t foretold = eo__trace_foretell(&d->order.trace, process, op, previous, mail ? mail->by : EO_NO_EVENT,
                                         mail ? mail->sent.nth : value);
  if (is_idle(d, op, mail || value)) foretold ^= eo__trace_hash(&d->order.trace);
  const failing *f = NULL;
  for (uint32_t i = d->by_foretold.items[foretold & (d->by_foretold.count - 1)]; i; i = f->same_foretold) {
    f = &d->failing.items[i - 1];
    if (f->foretold != foretold) continue;
    if (!f->touches) return f;
    if (eo__trace_meets(&d->order.trace, foretold, d->failing_touches.items + f->first_touch, f->touches) == f->met)
      return f;
  }
  return NULL;
}

bool eo__dpor_fails(const dpor *d, uint32_t process, uint32_t op, uint32_t previous, const eo_posted *mail,
                    uint32_t value) {
  return find_failing(d, process, op, previous, mail, value) != NULL;
}

static const failing *failing_choice(const dpor *d, const eo_choice *choice) {
  if (!d->failing.count) return NULL;
  return find_failing(d, choice->process, choice->op,
                      eo__order_before_next(&d->order.trace.threads.items[choice->process]),
                      eo__order_mail(&d->order, choice), choice->value);
}

bool eo__dpor_choice_fails(const dpor *d, const eo_choice *choice) { return failing_choice(d, choice) != NULL; }

/* It has failed elsewhere, and did not count there. */
bool eo__dpor_fails_here(dpor *d, const eo_choice *choice) {
  const failing *f = failing_choice(d, choice);
  return f && !f->counted && eo__dpor_would_own(d, choice);
}

static void put_in_buckets(dpor *d, uint32_t i) {
  failing *f = &d->failing.items[i];
  uint32_t *hash = &d->by_hash.items[f->hash & (d->by_hash.count - 1)];
  uint32_t *foretold = &d->by_foretold.items[f->foretold & (d->by_foretold.count - 1)];
  f->same_hash = *hash;
  f->same_foretold = *foretold;
  *hash = *foretold = i + 1;
}

bool eo__dpor_add_failing(dpor *d, failing f) {
  enum { FIRST = 64 };
  if (!eo_vec_push(&d->failing, f)) return false;
  size_t had = d->by_hash.count, more = had ? had : FIRST;
  if (d->failing.count <= had) {
    put_in_buckets(d, (uint32_t)d->failing.count - 1);
    return true;
  }
  if (!eo_vec_reserve(&d->by_hash, more) || !eo_vec_reserve(&d->by_foretold, more)) {
    d->failing.count--;
    return false;
  }
  d->by_hash.count = d->by_foretold.count = had + more;
  memset(d->by_hash.items, 0, d->by_hash.count * sizeof *d->by_hash.items);
  memset(d->by_foretold.items, 0, d->by_foretold.count * sizeof *d->by_foretold.items);
  for (uint32_t i = 0; i < d->failing.count; i++) put_in_buckets(d, i);
  return true;
}

/* Remembers the last step, at `depth`, with its past; and takes it back. */
static bool remember(dpor *d, uint32_t depth) {
  eo_record record = *record_at(d, depth);
  failing f = {.hash = eo__trace_past_hash(&d->order.trace),
               .first_touch = (uint32_t)d->failing_touches.count,
               .counted = d->owned};
  for (; f.touches < record.touches; f.touches++)
    if (!eo_vec_push(&d->failing_touches, d->order.trace.touches.items[record.first_touch + f.touches])) return false;
  const eo_posted *mail = record.source != EO_NO_EVENT ? &d->order.trace.mails.items[record.mail - 1] : NULL;
  uint32_t previous =
      record.previous != EO_NO_EVENT ? record.previous : d->order.trace.threads.items[record.process].spawner;
  f.foretold = eo__trace_foretell(&d->order.trace, record.process, record.op, previous, record.source,
                                  mail ? mail->sent.nth : record.value);
  eo__order_cut(&d->order, depth);
  if (is_idle(d, record.op, mail || record.value)) f.foretold ^= eo__trace_hash(&d->order.trace);
  f.met = eo__trace_meets(&d->order.trace, f.foretold, d->failing_touches.items + f.first_touch, f.touches);
  return eo__dpor_add_failing(d, f);
}

/* The step at `depth`, which was the last, has failed: sees to it that the rest of the program is explored as well, without
 * it. */
bool eo__dpor_note_failing(dpor *d, uint32_t depth) {
  task *t = d->current;
  if (eo__dpor_failed_before(d))
    eo__order_cut(&d->order, depth);
  else if (!remember(d, depth))
    return false;
  if (depth < t->given) return true;
  if (t->tried.count && eo_vec_last(&t->tried)->depth == depth) eo_vec_last(&t->tried)->counted = d->owned;
  if (t->survived.items[depth] || t->last_resort) return true;
  if (t->others.count && eo_vec_last(&t->others).depth == depth) return true; /* it has other choices */
  return eo_vec_push(&t->others, ((other){depth, {NOBODY, false, 0}, false}));
}

failing *eo__dpor_failed_before(const dpor *d) {
  if (!d->failing.count) return NULL;
  uint64_t hash = eo__trace_past_hash(&d->order.trace);
  for (uint32_t i = d->by_hash.items[hash & (d->by_hash.count - 1)]; i; i = d->failing.items[i - 1].same_hash)
    if (d->failing.items[i - 1].hash == hash) return &d->failing.items[i - 1];
  return NULL;
}

/* ---- Where nothing can go on -------------------------------------------------------------------------------------- */

void eo__dpor_forget_tried(task *t, uint32_t depth) {
  while (t->tried.count && eo_vec_last(&t->tried)->depth >= depth) {
    trial *last = eo_vec_pop(&t->tried);
    if (--last->users) continue;
    while (last->kept_back.count) eo__dpor_task_free(eo_vec_pop(&last->kept_back));
    eo_vec_release(&last->kept_back);
    eo__free(last);
  }
}

bool eo__dpor_share_tried(const task *from, task *t, uint32_t depth) {
  for (size_t i = 0; i < from->tried.count && from->tried.items[i]->depth <= depth; i++) {
    if (!eo_vec_push(&t->tried, from->tried.items[i])) return false;
    from->tried.items[i]->users++;
  }
  return true;
}

/* What it revisits is found now, as it would be if it came last. */
void eo__dpor_try(dpor *d, uint32_t depth) {
  task *t = d->current;
  size_t had = d->tasks.count;
  eo__dpor_forget_tried(t, depth + 1);
  eo__dpor_revisit(d);
  if (d->base.error) return;
  trial *one = eo__alloc(sizeof *one);
  if (!one || !eo_vec_reserve(&one->kept_back, d->tasks.count - had) || !eo_vec_push(&t->tried, one)) {
    if (one) eo_vec_release(&one->kept_back);
    eo__free(one);
    d->base.error = EO_ENOMEM;
    return;
  }
  one->depth = depth;
  one->taken = t->steps.items[depth];
  one->users = 1;
  while (d->tasks.count > had) one->kept_back.items[one->kept_back.count++] = eo_vec_pop(&d->tasks);
}

const trial *eo__dpor_find_try(const task *t, uint32_t depth, step s) {
  for (size_t i = t->tried.count; i-- > 0 && t->tried.items[i]->depth >= depth;) {
    const trial *one = t->tried.items[i];
    if (one->depth == depth && one->taken.process == s.process && one->taken.value == s.value) return one;
  }
  return NULL;
}

bool eo__dpor_give_tried(dpor *d, uint32_t depth) {
  const task *t = d->current;
  for (size_t i = t->tried.count; i-- > 0 && t->tried.items[i]->depth == depth;) {
    trial *one = t->tried.items[i];
    if (!eo_vec_reserve(&d->tasks, one->kept_back.count)) return false;
    while (one->kept_back.count) d->tasks.items[d->tasks.count++] = eo_vec_pop(&one->kept_back);
  }
  return true;
}

/* Does the event at this position stay in that task, whose first steps are some of those here? */
static bool keeps(const dpor *d, const task *kept, uint32_t position) {
  const eo_record *record = record_at(d, position);
  uint32_t events = 0;
  for (uint32_t i = 0; i < kept->given; i++) events += kept->steps.items[i].process == record->process;
  return events > record->index;
}

static bool copy_task(dpor *d, const task *from) {
  task *t = eo__dpor_task_new(d);
  if (!t) return false;
  t->given = from->given;
  t->fresh = from->fresh;
  t->resume = from->resume;
  t->unsure = from->unsure;
  return eo_vec_append(&t->steps, &from->steps) && eo_vec_append(&t->reasons, &from->reasons) &&
         eo_vec_append(&t->news, &from->news) && eo_vec_append(&t->had, &from->had) &&
         eo_vec_append(&t->settled, &from->settled) && eo_vec_append(&t->told, &from->told) &&
         eo__dpor_share_tried(from, t, UINT32_MAX);
}

void eo__dpor_give_missing(dpor *d, const trial *tried) {
  for (size_t i = 0; i < tried->kept_back.count; i++) {
    bool missing = true; /* what it conflicts with now as well has been seen to by itself */
    for (size_t j = 0; j < d->clash.count && missing; j++)
      missing = d->clash.items[j] >= tried->depth || keeps(d, tried->kept_back.items[i], d->clash.items[j]);
    if (missing && !copy_task(d, tried->kept_back.items[i])) d->base.error = EO_ENOMEM;
  }
}
