/* dpor_fragment.c: tasks as bytes, so that another process can take them up; and how the work is split. */
#include <string.h>

#include "strategies/dpor_inside.h"
#include "strategies/fragment.h"

/* Tasks, as they are; but processes by name, and messages by sender and number, so that another process can read them. One
 * walk over a task both writes and reads: each function below passes a value, and what it returns or leaves is the same value
 * when writing, and the one that was read when reading. */
typedef struct passage {
  dpor *d;
  eo_bytes *out; /* NULL: it reads */
  eo_fragment_reader reader;
  EO_VEC(uint32_t) table; /* all processes that the tasks name */
} passage;

static uint32_t pass_number(passage *p, uint32_t value, uint32_t most) {
  if (!p->out) return (uint32_t)eo__fragment_read(&p->reader, most);
  if (!eo__fragment_number(p->out, value)) no_memory(p->d);
  return value;
}

/* How many there are of something: not more than the bytes that are left. */
static uint32_t pass_count(passage *p, size_t count) {
  return pass_number(p, (uint32_t)count, (uint32_t)(p->reader.end - p->reader.at));
}

/* Empty before, when reading. */
static void pass_text(passage *p, char *text, uint32_t room) {
  uint32_t length = pass_number(p, (uint32_t)strlen(text), room - 1);
  if (!p->out)
    eo__fragment_read_raw(&p->reader, text, length);
  else if (!eo__fragment_raw(p->out, text, length))
    no_memory(p->d);
}

/* All items of a vector, and how many there are: `...` passes `item`. */
#define PASS_ALL(p, vec, ...)                                                                                     \
  for (uint32_t i = 0, total = pass_count(p, (vec)->count); i < total && !(p)->d->base.error && !(p)->reader.bad; \
       i++) {                                                                                                     \
    __typeof__(*(vec)->items) item;                                                                               \
    memset(&item, 0, sizeof item);                                                                                \
    if ((p)->out) item = (vec)->items[i];                                                                         \
    __VA_ARGS__;                                                                                                  \
    if (!(p)->out) PUSH((p)->d, vec, item);                                                                       \
  }

static uint32_t index_of(passage *p, uint32_t process) {
  uint32_t i = 0;
  while (i < p->table.count && p->table.items[i] != process) i++;
  if (i == p->table.count) PUSH(p->d, &p->table, process);
  return i;
}

static uint32_t process_at(passage *p, uint32_t index) {
  if (index >= p->table.count) p->reader.bad = true;
  return p->reader.bad ? 0 : p->table.items[index];
}

static uint32_t pass_below(passage *p, uint32_t value, size_t limit) {
  value = pass_number(p, value, UINT32_MAX);
  if (value >= limit) p->reader.bad = true;
  return value;
}

static uint32_t pass_process(passage *p, uint32_t process) {
  if (!p->out) return process_at(p, pass_number(p, 0, UINT32_MAX));
  pass_number(p, index_of(p, process), 0);
  return process;
}

static void pass_message(passage *p, uint32_t *value) {
  const eo_relations *relations = p->d->view.relations;
  eo_sent sent = p->out ? relations->sent(p->d->view.of, *value) : (eo_sent){0};
  uint32_t from = pass_process(p, sent.from), nth = pass_number(p, sent.nth, UINT32_MAX);
  if (p->out) return;
  *value = p->reader.bad || nth == 0 ? 0 : relations->message(p->d->view.of, from, nth);
  if (*value == 0) p->reader.bad = true;
}

/* Begins with 0 for nobody's step, with 1 for one that is refused; then its process, and what kind of value it has. */
static void pass_step(passage *p, step *s) {
  uint32_t head = 0;
  if (p->out && s->process != NOBODY) head = (index_of(p, s->process) + 1) * 4 + s->takes * 2 + (s->takes && s->value);
  if (s->refused) pass_number(p, 1, 1);
  head = pass_number(p, head, UINT32_MAX);
  if (!p->out && head == 1) {
    s->refused = true;
    head = pass_number(p, 0, UINT32_MAX);
  }
  if (head < 4) {
    *s = (step){.process = NOBODY};
    return;
  }
  if (!p->out) s->process = process_at(p, head / 4 - 1);
  s->takes = head >> 1 & 1;
  if (head & 1)
    pass_message(p, &s->value);
  else if (!s->takes)
    s->value = pass_number(p, s->value, UINT32_MAX);
}

/* Objects go by their names. */
static void pass_touch(passage *p, eo_touch *touch) {
  char name[EO_OBJECT_TEXT] = "";
  const eo_relations *relations = p->d->view.relations;
  if (p->out) relations->object_name(p->d->view.of, touch->object, name, sizeof name);
  touch->writes = pass_number(p, touch->writes, 1);
  pass_text(p, name, sizeof name);
  if (p->out) return;
  uint32_t object = p->reader.bad ? UINT32_MAX : relations->object(p->d->view.of, name);
  if (object == UINT32_MAX) p->reader.bad = true;
  touch->object = object;
  if (!p->reader.bad && !eo__trace_know_object(&p->d->order.trace, object)) no_memory(p->d);
}

static void pass_reason(passage *p, reason *r, uint32_t given) {
  r->held = pass_number(p, r->held < given ? r->held : given, given);
  r->by = pass_number(p, r->by, given);
  r->process = pass_process(p, r->process);
  if (r->by >= r->held) p->reader.bad = true;
  if (r->held == given) r->held = TO_COME;
}

static void pass_task(passage *p, task *t) {
  uint32_t resume = p->out && t->resume != EO_NO_PROCESS ? index_of(p, t->resume) + 1 : 0;
  t->started = pass_number(p, t->started, 1);
  t->given = pass_number(p, t->given, UINT32_MAX - 1);
  t->fresh = pass_number(p, t->fresh, UINT32_MAX - 1);
  resume = pass_number(p, resume, (uint32_t)p->table.count);
  if (!p->out && resume) t->resume = process_at(p, resume - 1);
  t->unsure = pass_number(p, t->unsure + 1, UINT32_MAX - 1) - 1;       /* 0: EO_NO_EVENT */
  t->other_way = pass_number(p, t->other_way + 1, UINT32_MAX - 1) - 1; /* 0: EO_NO_EVENT */
  PASS_ALL(p, &t->steps, pass_step(p, &item));
  if (t->given > t->steps.count) p->reader.bad = true;
  PASS_ALL(p, &t->others, item.depth = pass_number(p, item.depth, (uint32_t)t->steps.count); pass_step(p, &item.taken));
  PASS_ALL(p, &t->reasons, pass_reason(p, &item, t->given));
  PASS_ALL(p, &t->settled, item = pass_below(p, item, t->given));
  PASS_ALL(p, &t->told, item = pass_process(p, item));
  PASS_ALL(p, &t->had, item.of = pass_process(p, item.of); pass_touch(p, &item.touch));
  PASS_ALL(p, &t->newly_touched, item.of = pass_below(p, item.of, t->reasons.count); pass_touch(p, &item.touch));
  PASS_ALL(p, &t->first_ways, item.of = pass_number(p, item.of, UINT32_MAX - 1); pass_touch(p, &item.touch));
}

static void pass_name(passage *p, uint32_t *process) {
  char name[EO_PROCESS_NAME] = "";
  const eo_processes *processes = p->d->view.processes;
  if (p->out) processes->name(p->d->view.of, *process, name, sizeof name);
  pass_text(p, name, sizeof name);
  if (p->out) return;
  *process = p->reader.bad ? EO_NO_PROCESS : processes->number(p->d->view.of, name);
  if (*process >= NOBODY) p->reader.bad = true;
}

/* The table comes first, and is known last. */
static bool write_tasks(dpor *d, task *const *tasks, size_t count, eo_bytes *out) {
  eo_bytes body = {0};
  passage p = {.d = d, .out = &body};
  for (size_t i = 0; i < count; i++) pass_task(&p, tasks[i]);
  p.out = out;
  if (!eo__fragment_begin(out, EO_FRAGMENT_DPOR)) no_memory(d);
  PASS_ALL(&p, &p.table, pass_name(&p, &item));
  pass_number(&p, d->left_over + 2u * d->clashed, 0);
  pass_count(&p, count);
  if (!eo__fragment_raw(out, body.items, body.count) || !eo__fragment_end(out)) no_memory(d);
  eo_vec_release(&body);
  eo_vec_release(&p.table);
  return !d->base.error;
}

/* Lets go of tasks that have nothing left, and of steps that will not be taken again. */
static void tidy(dpor *d) {
  size_t kept = 0;
  for (size_t i = 0; i < d->tasks.count; i++)
    if (!eo__dpor_task_fill(d, d->tasks.items[i])) return;
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
  passage p = {.d = d};
  int code = eo__fragment_open(&p.reader, bytes, size, EO_FRAGMENT_DPOR, error);
  if (code != EO_OK) return code;
  d->scouts.left = 0;
  while (d->tasks.count) eo__dpor_task_free(eo_vec_pop(&d->tasks));
  PASS_ALL(&p, &p.table, pass_name(&p, &item));
  uint32_t flags = pass_number(&p, 0, 3);
  d->left_over = flags & 1;
  d->clashed = flags >> 1;
  for (uint32_t count = pass_count(&p, 0); count > 0 && !d->base.error && !p.reader.bad; count--) {
    task *t = eo__dpor_task_new(d);
    if (t) pass_task(&p, t);
  }
  eo_vec_release(&p.table);
  if (d->base.error) return eo__error_nomem(error);
  return p.reader.bad || p.reader.at != p.reader.end ? eo__fragment_refuse(error) : EO_OK;
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
  if (!write_tasks(d, &one, 1, out)) return false;
  memmove(t->others.items, t->others.items + give, (left - give) * sizeof *t->others.items);
  t->others.count -= give;
  return true;
}

/* The oldest tasks are the largest. */
bool eo__dpor_split(eo_strategy *strategy, eo_bytes *out) {
  dpor *d = (dpor *)strategy;
  if (!strategy->error) tidy(d);
  if (strategy->error || !d->tasks.count) return false;
  task *t = d->tasks.items[0];
  if (t->started && split_task(d, t, out)) return true;
  if (strategy->error || d->tasks.count == 1 || !write_tasks(d, &t, 1, out)) return false;
  memmove(d->tasks.items, d->tasks.items + 1, --d->tasks.count * sizeof *d->tasks.items);
  eo__dpor_task_free(t);
  return true;
}
