/* dpor_fragment.c: tasks as bytes, so that another process can take them up; and how the work is split. */
#include <string.h>

#include "strategies/dpor_inside.h"
#include "strategies/fragment.h"

/* Tasks, as they are; but processes by name, and messages by sender and number, so that another process can read them. */

static bool write_process(const dpor *d, eo_bytes *out, uint32_t process) {
  char name[EO_PROCESS_NAME];
  d->view.processes->name(d->view.of, process, name, sizeof name);
  size_t length = strlen(name);
  return eo__fragment_number(out, length) && eo__fragment_raw(out, name, length);
}

static uint32_t read_process(const dpor *d, eo_fragment_reader *reader) {
  char name[EO_PROCESS_NAME] = "";
  size_t length = eo__fragment_read(reader, sizeof name - 1);
  eo__fragment_read_raw(reader, name, length);
  uint32_t process = reader->bad ? EO_NO_PROCESS : d->view.processes->number(d->view.of, name);
  if (process >= NOBODY) reader->bad = true;
  return reader->bad ? 0 : process;
}

/* The table of all processes that the tasks name. */
typedef EO_VEC(uint32_t) processes;

/* EO_NO_PROCESS: no memory. */
static uint32_t index_in(processes *table, uint32_t process) {
  uint32_t i = 0;
  while (i < table->count && table->items[i] != process) i++;
  return i == table->count && !eo_vec_push(table, process) ? EO_NO_PROCESS : i;
}

static bool write_index(eo_bytes *out, processes *table, uint32_t process) {
  uint32_t index = index_in(table, process);
  return index != EO_NO_PROCESS && eo__fragment_number(out, index);
}

static bool write_step(const dpor *d, eo_bytes *out, processes *table, step s) {
  if (s.process == NOBODY) return eo__fragment_number(out, 0);
  if (s.refused && !eo__fragment_number(out, 1)) return false;
  bool message = s.takes && s.value;
  eo_sent sent = message ? d->view.relations->sent(d->view.of, s.value) : (eo_sent){0};
  uint32_t process = index_in(table, s.process), from = message ? index_in(table, sent.from) : 0;
  if (process == EO_NO_PROCESS || from == EO_NO_PROCESS) return false;
  if (!eo__fragment_number(out, ((uint64_t)process + 1) * 4 + s.takes * 2 + message)) return false;
  if (message) return eo__fragment_number(out, from) && eo__fragment_number(out, sent.nth);
  return s.takes || eo__fragment_number(out, s.value);
}

static uint32_t read_index(eo_fragment_reader *reader, const processes *table) {
  uint64_t index = eo__fragment_read(reader, UINT32_MAX);
  if (index >= table->count) reader->bad = true;
  return reader->bad ? 0 : table->items[index];
}

static step read_step(const dpor *d, eo_fragment_reader *reader, const processes *table) {
  uint64_t head = eo__fragment_read(reader, UINT64_MAX);
  if (head == 0) return (step){.process = NOBODY};
  step s = {.refused = head == 1};
  if (s.refused) head = eo__fragment_read(reader, UINT64_MAX);
  if (head < 4) reader->bad = true;
  s.takes = head >> 1 & 1;
  if (head / 4 > table->count) reader->bad = true;
  s.process = reader->bad ? 0 : table->items[head / 4 - 1];
  if (head & 1) {
    uint32_t from = read_index(reader, table), nth = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
    s.value = reader->bad || nth == 0 ? 0 : d->view.relations->message(d->view.of, from, nth);
    if (s.value == 0) reader->bad = true;
  } else if (!s.takes) {
    s.value = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  }
  return s;
}

/* Objects go by their names. */
static bool write_touch(const dpor *d, eo_bytes *out, const eo_touch *touch) {
  char name[EO_OBJECT_TEXT];
  d->view.relations->object_name(d->view.of, touch->object, name, sizeof name);
  return eo__fragment_number(out, strlen(name) * 2 + touch->writes) && eo__fragment_raw(out, name, strlen(name));
}

static bool read_touch(dpor *d, eo_fragment_reader *reader, eo_touch *touch) {
  char name[EO_OBJECT_TEXT] = "";
  uint64_t head = eo__fragment_read(reader, sizeof name * 2 - 2);
  eo__fragment_read_raw(reader, name, head / 2);
  uint32_t object = reader->bad ? UINT32_MAX : d->view.relations->object(d->view.of, name);
  if (object == UINT32_MAX) reader->bad = true;
  *touch = (eo_touch){object, head & 1};
  return reader->bad || eo__trace_know_object(&d->order.trace, object);
}

static bool write_touches(const dpor *d, eo_bytes *out, processes *table, const task *t) {
  bool good = eo__fragment_number(out, t->had.count) && eo__fragment_number(out, t->newly_touched.count);
  for (size_t i = 0; i < t->had.count && good; i++)
    good = write_index(out, table, t->had.items[i].process) && write_touch(d, out, &t->had.items[i].touch);
  for (size_t i = 0; i < t->newly_touched.count && good; i++)
    good = eo__fragment_number(out, t->newly_touched.items[i].reason) &&
           write_touch(d, out, &t->newly_touched.items[i].touch);
  return good;
}

static bool read_touches(dpor *d, eo_fragment_reader *reader, const processes *table, task *t) {
  size_t most = (size_t)(reader->end - reader->at);
  size_t had = eo__fragment_read(reader, most), count = eo__fragment_read(reader, most);
  for (would_touch would; had > 0 && !reader->bad; had--) {
    would.process = read_index(reader, table);
    if (!read_touch(d, reader, &would.touch) || !eo_vec_push(&t->had, would)) return false;
  }
  for (newly_touched n; count > 0 && !reader->bad; count--) {
    n.reason = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
    if (n.reason >= t->reasons.count) reader->bad = true;
    if (!read_touch(d, reader, &n.touch) || !eo_vec_push(&t->newly_touched, n)) return false;
  }
  return true;
}

static bool write_task(const dpor *d, eo_bytes *out, processes *table, const task *t) {
  uint32_t resume = t->resume == EO_NO_PROCESS ? 0 : index_in(table, t->resume) + 1;
  if (t->resume != EO_NO_PROCESS && resume == 0) return false; /* EO_NO_PROCESS + 1 */
  bool good = eo__fragment_number(out, t->started) && eo__fragment_number(out, t->given) &&
              eo__fragment_number(out, t->fresh) && eo__fragment_number(out, resume) &&
              eo__fragment_number(out, t->unsure == EO_NO_EVENT ? 0 : (uint64_t)t->unsure + 1) &&
              eo__fragment_number(out, t->steps.count) && eo__fragment_number(out, t->others.count) &&
              eo__fragment_number(out, t->reasons.count) && eo__fragment_number(out, t->settled.count) &&
              eo__fragment_number(out, t->told.count);
  for (size_t i = 0; i < t->steps.count && good; i++) good = write_step(d, out, table, t->steps.items[i]);
  for (size_t i = 0; i < t->others.count && good; i++) {
    const other *o = &t->others.items[i];
    good = eo__fragment_number(out, o->depth) && write_step(d, out, table, o->taken);
  }
  for (size_t i = 0; i < t->reasons.count && good; i++)
    good = eo__fragment_number(out, t->reasons.items[i].held < t->given ? t->reasons.items[i].held : t->given) &&
           eo__fragment_number(out, t->reasons.items[i].by) && write_index(out, table, t->reasons.items[i].process);
  for (size_t i = 0; i < t->settled.count && good; i++) good = eo__fragment_number(out, t->settled.items[i]);
  for (size_t i = 0; i < t->told.count && good; i++) good = write_index(out, table, t->told.items[i]);
  return good && write_touches(d, out, table, t);
}

static bool read_task(dpor *d, eo_fragment_reader *reader, const processes *table) {
  size_t most = (size_t)(reader->end - reader->at);
  task *t = eo__dpor_task_new(d);
  if (!t) return false;
  t->started = eo__fragment_read(reader, 1);
  t->given = (uint32_t)eo__fragment_read(reader, UINT32_MAX - 1);
  t->fresh = (uint32_t)eo__fragment_read(reader, UINT32_MAX - 1);
  uint64_t resume = eo__fragment_read(reader, table->count), unsure = eo__fragment_read(reader, UINT32_MAX - 1);
  if (resume && !reader->bad) t->resume = table->items[resume - 1];
  if (unsure) t->unsure = (uint32_t)unsure - 1;
  size_t steps = eo__fragment_read(reader, most), others = eo__fragment_read(reader, most);
  size_t reasons = eo__fragment_read(reader, most), settled = eo__fragment_read(reader, most);
  size_t told = eo__fragment_read(reader, most);
  for (size_t i = 0; i < steps && !reader->bad; i++)
    if (!eo_vec_push(&t->steps, read_step(d, reader, table))) return false;
  for (size_t i = 0; i < others && !reader->bad; i++) {
    uint32_t depth = (uint32_t)eo__fragment_read(reader, steps);
    other o = {depth, read_step(d, reader, table)};
    if (!eo_vec_push(&t->others, o)) return false;
  }
  for (size_t i = 0; i < reasons && !reader->bad; i++) {
    reason r;
    r.held = (uint32_t)eo__fragment_read(reader, t->given);
    r.by = (uint32_t)eo__fragment_read(reader, t->given);
    r.process = read_index(reader, table);
    if (r.by >= r.held) reader->bad = true;
    if (r.held == t->given) r.held = TO_COME;
    if (!eo_vec_push(&t->reasons, r)) return false;
  }
  for (size_t i = 0; i < settled && !reader->bad; i++) {
    uint32_t position = (uint32_t)eo__fragment_read(reader, t->given);
    if (position >= t->given) reader->bad = true;
    if (!eo_vec_push(&t->settled, position)) return false;
  }
  for (size_t i = 0; i < told && !reader->bad; i++)
    if (!eo_vec_push(&t->told, read_index(reader, table))) return false;
  if (t->given > steps) reader->bad = true;
  return read_touches(d, reader, table, t);
}

/* The table comes first, and is known last. */
static bool write_tasks(const dpor *d, task *const *tasks, size_t count, eo_bytes *out) {
  eo_bytes body = {0};
  processes table = {0};
  bool good = true;
  for (size_t i = 0; i < count && good; i++) good = write_task(d, &body, &table, tasks[i]);
  good = good && eo__fragment_begin(out, EO_FRAGMENT_DPOR) && eo__fragment_number(out, table.count);
  for (size_t i = 0; i < table.count && good; i++) good = write_process(d, out, table.items[i]);
  good = good && eo__fragment_number(out, d->left_over + 2u * d->clashed) && eo__fragment_number(out, count) &&
         eo__fragment_raw(out, body.items, body.count) && eo__fragment_end(out);
  eo_vec_release(&body);
  eo_vec_release(&table);
  return good;
}

/* Lets go of tasks that have nothing left, and of steps that will not be taken again. */
static void tidy(dpor *d) {
  size_t kept = 0;
  for (size_t i = 0; i < d->tasks.count; i++) {
    task *t = d->tasks.items[i];
    if (t->started && !t->others.count) {
      eo__dpor_task_free(t);
      continue;
    }
    if (t->started) t->steps.count = eo_vec_last(&t->others).depth;
    d->tasks.items[kept++] = t;
  }
  d->tasks.count = kept;
}

bool eo__dpor_save(eo_strategy *strategy, eo_bytes *out) {
  dpor *d = (dpor *)strategy;
  if (!strategy->error) tidy(d);
  return !strategy->error && write_tasks(d, d->tasks.items, d->tasks.count, out);
}

int eo__dpor_load(eo_strategy *strategy, const unsigned char *bytes, size_t size, eo_error *error) {
  dpor *d = (dpor *)strategy;
  eo_fragment_reader reader;
  processes table = {0};
  int code = eo__fragment_open(&reader, bytes, size, EO_FRAGMENT_DPOR, error);
  if (code != EO_OK) return code;
  bool good = true;
  d->scouts = 0;
  while (d->tasks.count) eo__dpor_task_free(eo_vec_pop(&d->tasks));
  for (uint64_t count = eo__fragment_read(&reader, size); count > 0 && good && !reader.bad; count--)
    good = eo_vec_push(&table, read_process(d, &reader));
  uint64_t flags = eo__fragment_read(&reader, 3);
  d->left_over = flags & 1;
  d->clashed = flags >> 1;
  for (uint64_t count = eo__fragment_read(&reader, size); count > 0 && good && !reader.bad; count--)
    good = read_task(d, &reader, &table);
  eo_vec_release(&table);
  if (!good) return eo__error_nomem(error);
  return reader.bad || reader.at != reader.end ? eo__fragment_refuse(error) : EO_OK;
}

/* Of a task that has begun: the later half of the choices that are left at its first step that has any. */
static bool split_task(dpor *d, task *t, eo_bytes *out) {
  size_t count = 0, left = t->others.count;
  while (count < left && t->others.items[count].depth == t->others.items[0].depth) count++;
  size_t give = count == left ? count / 2 : (count + 1) / 2;
  if (give == 0) return false;
  task given = *t, *one = &given;
  given.steps.count = t->others.items[0].depth;
  given.others.count = give;
  if (!write_tasks(d, &one, 1, out)) {
    d->base.error = EO_ENOMEM;
    return false;
  }
  memmove(t->others.items, t->others.items + give, (left - give) * sizeof *t->others.items);
  t->others.count -= give;
  return true;
}

/* The oldest tasks are the largest. */
bool eo__dpor_split(eo_strategy *strategy, eo_bytes *out) {
  dpor *d = (dpor *)strategy;
  if (!strategy->error) tidy(d);
  if (strategy->error) return false;
  for (size_t i = 0; i < d->tasks.count; i++) {
    task *t = d->tasks.items[i];
    if (t->started) {
      if (split_task(d, t, out)) return true;
      if (d->tasks.count == 1 || d->base.error) return false;
    } else if (d->tasks.count == 1) {
      return false;
    }
    if (!write_tasks(d, &t, 1, out)) {
      d->base.error = EO_ENOMEM;
      return false;
    }
    memmove(d->tasks.items + i, d->tasks.items + i + 1, (d->tasks.count - i - 1) * sizeof *d->tasks.items);
    d->tasks.count--;
    eo__dpor_task_free(t);
    return true;
  }
  return false;
}
