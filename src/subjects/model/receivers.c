/* receivers.c: who receives from which channel, and whether each has one receiving process, as ports have
 * (eo__promela_check_ports). Where all processes are there after the start (starting.h) each is asked for the channels that
 * it names; else the text must say it: a channel of one process, or an array of channels by _pid. */
#include "base/alloc.h"
#include "subjects/model/ports.h"
#include "subjects/model/starting.h"

/* How a process names the channel that it receives from. */
static bool own_element(const eo_promela_ref *ref) {
  return ref->index_count == 1 && ref->indices[0].value->op == EO_PROMELA_PID;
}

typedef struct checker {
  const eo_promela *model;
  bool all_there;                        /* all processes, after the start */
  const eo_promela_proctype **receivers; /* by number of the global symbol; NULL: none yet */
  const eo_promela_proctype *proctype;
  eo_error *error;
} checker;

static int refuse(const checker *c, const eo_promela_transition *t, const char *what, const char *name) {
  return eo__error_set(c->error, EO_EINPUT,
                       "%.200s:%d: %s '%s': under --delivery each channel has one receiving process", t->file, t->line,
                       what, name);
}

/* Can a process come back to this location from `at`? Locations have 16 bits. */
static bool comes_back(const eo_promela_proctype *p, uint32_t location, uint32_t at) {
  uint64_t seen[(UINT16_MAX + 1) / 64] = {0};
  seen[at / 64] |= UINT64_C(1) << at % 64;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t l = 0; l < p->location_count; l++)
      for (uint32_t k = 0; (seen[l / 64] >> l % 64 & 1) && k < p->locations[l].count; k++) {
        uint32_t to = p->locations[l].transitions[k]->to;
        if (p->locations[l].transitions[k]->kind == EO_PROMELA_EXIT || seen[to / 64] >> to % 64 & 1) continue;
        seen[to / 64] |= UINT64_C(1) << to % 64;
        again = true;
      }
  }
  return seen[location / 64] >> location % 64 & 1;
}

static bool several(const eo_promela *model, const eo_promela_proctype *p, uint32_t depth);

/* How many of them a proctype starts; 2: it may be any number. */
static uint32_t started_by(const eo_promela *model, const eo_promela_proctype *by, const eo_promela_proctype *p,
                           uint32_t depth) {
  uint32_t count = 0;
  for (uint32_t l = 0; l < by->location_count; l++)
    for (uint32_t k = 0; k < by->locations[l].count; k++) {
      const eo_promela_transition *t = by->locations[l].transitions[k];
      if (!t->value || t->value->op != EO_PROMELA_RUN || t->value->proctype != p->number) continue;
      count += by == p || comes_back(by, l, t->to) || several(model, by, depth + 1) ? 2 : 1;
    }
  return count;
}

static bool several(const eo_promela *model, const eo_promela_proctype *p, uint32_t depth) {
  uint32_t count = p->active;
  if (depth > model->proctype_count) return true; /* they start each other */
  for (uint32_t i = 0; i < model->proctype_count && count < 2; i++)
    count += started_by(model, model->proctypes[i], p, depth);
  return count > 1;
}

bool eo__port_several(const eo_promela *model, const eo_promela_proctype *p) { return several(model, p, 0); }

static int check_receive(checker *c, const eo_promela_transition *t) {
  const eo_promela_ref *ref = t->message->channel->ref;
  const char *name = ref->symbol->name;
  if (t->message->copies) return refuse(c, t, "a receive that leaves the message is not for ports: channel", name);
  if (c->all_there && eo__fixed_channel(ref, true)) return EO_OK; /* check_started looks after it */
  if (!ref->global) return refuse(c, t, "it is not known which channel is in variable", name);
  uint32_t number = 0;
  while (c->model->symbols[number] != ref->symbol) number++;
  if (ref->index_count && !own_element(ref))
    return refuse(c, t, "received from by an index that is not _pid: channel", name);
  if (!ref->index_count && eo__port_several(c->model, c->proctype))
    return refuse(c, t, "several processes receive from channel", name);
  if (!ref->index_count && c->receivers[number] && c->receivers[number] != c->proctype)
    return refuse(c, t, "several processes receive from channel", name);
  c->receivers[number] = c->proctype;
  return EO_OK;
}

static int check_process(const checker *c, eo_promela_run *run, uint32_t process, uint32_t *receiver) {
  const eo_promela_proctype *p = eo__promela_process(run, process);
  for (uint32_t l = 0; l < p->location_count; l++)
    for (uint32_t k = 0; k < p->locations[l].count; k++) {
      const eo_promela_transition *t = p->locations[l].transitions[k];
      if (t->kind != EO_PROMELA_RECEIVE || !eo__fixed_channel(t->message->channel->ref, true)) continue;
      uint32_t channel = eo__promela_channel_meant(run, process, t);
      if (!channel) continue; /* taking it tells what is wrong */
      if (receiver[channel] && receiver[channel] != process + 1)
        return refuse(c, t, "several processes receive from channel", t->message->channel->ref->symbol->name);
      receiver[channel] = process + 1;
    }
  return EO_OK;
}

static int check_started(const checker *c, eo_promela_run *run) {
  uint32_t receiver[EO_PROMELA_MOST_CHANNELS + 1] = {0};
  int code = EO_OK;
  for (uint32_t i = 0; i < eo_promela_processes(run) && code == EO_OK; i++) code = check_process(c, run, i, receiver);
  return code;
}

static int find_started(checker *c) {
  eo_promela_run run = {0};
  eo__starting starting = {0};
  bool good = eo__promela_run_init(&run, c->model);
  run.delivery = EO_DELIVERY_ASYNC;
  good = good && eo__starting_find(&starting, &run);
  int code = good ? EO_OK : eo__error_nomem(c->error);
  c->all_there = good && starting.all_there;
  if (c->all_there) code = check_started(c, &run);
  eo__starting_release(&starting);
  eo__promela_run_release(&run);
  return code;
}

int eo__promela_check_ports(const eo_promela *model, eo_error *error) {
  checker c = {.model = model, .error = error};
  int code = EO_OK;
  const char *unknown = model->escapes ? "unless" : model->ranks ? "priority" : model->trace ? "trace" : NULL;
  if (unknown)
    return eo__error_set(
        error, EO_EINPUT,
        "%.200s: --delivery does not support '%s'; everyorder model explores it as it is, without --delivery",
        model->path, unknown);
  for (uint32_t i = 0; i < model->proctype_count && code == EO_OK; i++)
    if (model->proctypes[i]->provided)
      code = eo__error_set(error, EO_EINPUT,
                           "%.200s:%d: --delivery does not support 'provided'; put the condition before each step",
                           model->proctypes[i]->file, model->proctypes[i]->line);
  for (uint32_t i = 0; i < model->queue_count && code == EO_OK; i++)
    if (!model->queues[i]->capacity)
      code = eo__error_set(error, EO_EINPUT, "%.200s: a rendezvous channel: under --delivery messages wait in ports",
                           model->path);
  if (code == EO_OK) code = find_started(&c);
  c.receivers = eo__alloc((model->symbol_count + 1) * sizeof *c.receivers);
  if (!c.receivers) return eo__error_nomem(error);
  for (uint32_t i = 0; i < model->proctype_count; i++)
    for (uint32_t l = 0; l < model->proctypes[i]->location_count; l++)
      for (uint32_t k = 0; k < model->proctypes[i]->locations[l].count && code == EO_OK; k++) {
        const eo_promela_transition *t = model->proctypes[i]->locations[l].transitions[k];
        c.proctype = model->proctypes[i];
        if (t->kind == EO_PROMELA_RECEIVE) code = check_receive(&c, t);
        if (t->kind == EO_PROMELA_SEND && t->message->ordered && code == EO_OK)
          code = refuse(&c, t, "a sorted send is not for ports: channel", t->message->channel->ref->symbol->name);
        if (t->kind == EO_PROMELA_DSTEP && code == EO_OK && t->access_count)
          for (uint32_t a = 0; a < t->access_count && code == EO_OK; a++)
            if (t->accesses[a].symbol->type == EO_PROMELA_CHAN)
              code = refuse(&c, t, "a d_step is not for ports: channel", t->accesses[a].symbol->name);
      }
  eo__free(c.receivers);
  return code;
}
