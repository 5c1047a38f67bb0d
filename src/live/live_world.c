/* live_world.c: what the processes of a world know of each other: the table of pids, and their society, whose effects are
 * carried out here, all of them at once. See live.h for the locks. */
#include <stddef.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/error.h"
#include "core/machine.h"
#include "live/live.h"

enum { FIRST_BUCKETS = 64 };

/* A ref is the low bits of the owner's pid over the number of the owner's monitor. So refs of monitors that are over
 * are known to be the owner's without being kept. */
enum { REF_NUMBER_BITS = 48 };

static void *society_alloc(eo_society *society, size_t size) { return (void)society, eo__realloc(NULL, size); }

static void society_free(eo_society *society, void *block, size_t size) {
  (void)society, (void)size;
  eo__free(block);
}

static const eo_society_ops society_ops = {society_alloc, society_free, NULL, NULL};

bool eo__live_world_init(eo_live_world *world) {
  pthread_rwlockattr_t attributes;
  if (pthread_rwlockattr_init(&attributes)) return false;
#ifdef __GLIBC__
  /* Else a steady stream of sends would keep out exits and spawns for good. */
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
  pthread_rwlock_init(&world->lock, &attributes);
  pthread_rwlockattr_destroy(&attributes);
  pthread_mutex_init(&world->ended_lock, NULL);
  pthread_cond_init(&world->ended_wakeup, NULL);
  pthread_mutex_init(&world->observers_lock, NULL);
  clock_gettime(CLOCK_MONOTONIC, &world->start);
  if (getrandom(&world->seed, sizeof world->seed, GRND_NONBLOCK) != sizeof world->seed)
    world->seed = (uint64_t)world->start.tv_nsec;
  world->buckets = FIRST_BUCKETS;
  world->by_pid = eo__alloc(FIRST_BUCKETS * sizeof *world->by_pid);
  world->ended.ended = true;
  world->society = (eo_society){
      .ops = &society_ops, .names = eo__alloc(FIRST_BUCKETS * sizeof(eo_name *)), .name_buckets = FIRST_BUCKETS};
  return world->by_pid && world->society.names;
}

void eo__live_world_release(eo_live_world *world) {
  EO_CHECK(world->count == 0 && !world->to_join && world->society.bonds == 0);
  eo__free(world->by_pid);
  eo__free(world->society.names);
  eo__effects_release(&world->effects);
  for (size_t i = 0; i < world->observers.count; i++) eo__free(world->observers.items[i].room);
  eo_vec_release(&world->observers);
  pthread_mutex_destroy(&world->observers_lock);
  pthread_cond_destroy(&world->ended_wakeup);
  pthread_mutex_destroy(&world->ended_lock);
  pthread_rwlock_destroy(&world->lock);
}

eo_live_process *eo__live_process_open(eo_live_world *world, eo_function function, const void *argument, size_t size) {
  eo_live_process *process = eo__alloc(sizeof *process);
  if (!process) return NULL;
  process->world = world;
  process->function = function;
  if (size > 0) {
    process->argument = eo__alloc(size);
    process->argument_owned = true;
    if (process->argument) memcpy(process->argument, argument, size);
  }
  if ((size > 0 && !process->argument) || !eo__live_mailbox_init(&process->mailbox)) {
    eo__free(process->argument);
    eo__free(process);
    return NULL;
  }
  return process;
}

void eo__live_process_close(eo_live_process *process) {
  eo__live_mailbox_release(&process->mailbox);
  if (process->argument_owned) eo__free(process->argument);
  eo__free(process);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static eo_live_process **pid_chain(const eo_live_world *world, eo_pid pid) {
  return &world->by_pid[pid & (world->buckets - 1)];
}

static void insert_pid(eo_live_process *process) {
  eo_live_process **chain = pid_chain(process->world, process->pid);
  process->next_by_pid = *chain;
  *chain = process;
}

static bool grow(eo_live_world *world) {
  size_t old_buckets = world->buckets;
  eo_live_process **old = world->by_pid;
  eo_name **old_names = world->society.names;
  eo_live_process **by_pid = eo__alloc(2 * old_buckets * sizeof *by_pid);
  eo_name **names = eo__alloc(2 * old_buckets * sizeof *names);
  if (!by_pid || !names) {
    eo__free(by_pid);
    eo__free(names);
    return false;
  }
  world->by_pid = by_pid;
  world->buckets = 2 * old_buckets;
  eo__society_rehash(&world->society, names, world->buckets);
  for (size_t i = 0; i < old_buckets; i++) {
    for (eo_live_process *process = old[i], *next; process; process = next) {
      next = process->next_by_pid;
      insert_pid(process);
    }
  }
  eo__free(old);
  eo__free(old_names);
  return true;
}

bool eo__live_add(eo_live_process *process) {
  eo_live_world *world = process->world;
  if (world->count == world->buckets && !grow(world)) return false;
  process->pid = ++world->last_pid;
  eo__rng_init(&process->rng, world->seed + process->pid);
  insert_pid(process);
  world->count++;
  atomic_fetch_add(&world->active, 1);
  return true;
}

static void remove_pid(eo_live_process *process) {
  eo_live_process **at = pid_chain(process->world, process->pid);
  while (*at != process) at = &(*at)->next_by_pid;
  *at = process->next_by_pid;
  process->world->count--;
}

eo_live_process *eo__live_find(const eo_live_world *world, eo_pid pid) {
  eo_live_process *process = *pid_chain(world, pid);
  while (process && process->pid != pid) process = process->next_by_pid;
  return process;
}

static eo_live_process *process_of(const eo_citizen *citizen) {
  return (eo_live_process *)((uintptr_t)citizen - offsetof(eo_live_process, citizen));
}

eo_live_process *eo__live_find_name(const eo_live_world *world, const char *name) {
  const eo_citizen *holder = eo__society_holder(&world->society, name);
  return holder ? process_of(holder) : NULL;
}

/* ---- Specifications --------------------------------------------------------------------------------------------- */

void eo__live_observing(eo_live_process *self, const eo_machine *machine) {
  self->observing = machine;
  self->barred = machine ? EO_SPECIFICATION_BARRED : NULL;
}

static bool sees(const eo_machine *machine, int tag) {
  for (int i = 0; i < machine->observe_count; i++)
    if (machine->observes[i] == tag) return true;
  return false;
}

void eo__live_observe(eo_live_process *self, const eo_message *event) {
  eo_live_world *world = self->world;
  if (!atomic_load_explicit(&world->observed, memory_order_acquire)) return;
  pthread_mutex_lock(&world->observers_lock);
  for (size_t i = 0; i < world->observers.count; i++) {
    const eo_live_observer *observer = &world->observers.items[i];
    if (!sees(observer->machine, event->tag)) continue;
    eo__live_observing(self, observer->machine);
    eo__observer_see(observer->room, event);
    eo__live_observing(self, NULL);
  }
  pthread_mutex_unlock(&world->observers_lock);
}

/* ---- The society ------------------------------------------------------------------------------------------------ */

/* In the thread of `by`. */
static bool put_message(eo_live_process *by, eo_live_process *to, eo_pid from, int tag, const void *info, size_t size) {
  eo_live_message *message = eo__live_message_open(from, tag, info, size);
  if (!message) return false;
  eo__live_observe(by, &(eo_message){.from = from, .tag = tag, .size = size, .data = info});
  eo__live_mailbox_put(by->world, &to->mailbox, message);
  return true;
}

/* `ended` is the pid of the process that world->ended stands for. False: no memory. */
static bool carry_out(eo_live_process *by, const eo_signal *signal, eo_pid ended) {
  if (signal->to == &by->world->ended) return true; /* an eo_kill that came too late: no process lies around it */
  eo_live_process *to = process_of(signal->to);
  eo_pid from = signal->from == &by->world->ended ? ended : signal->from ? process_of(signal->from)->pid : EO_NOBODY;
  eo_exit_info exited = {.pid = from, .reason = signal->reason};
  eo_down_info down = {.ref = signal->ref, .pid = from, .reason = signal->reason};
  if (signal->kind == EO_SIGNAL_EXIT) return put_message(by, to, from, EO_EXIT, &exited, sizeof exited);
  if (signal->kind == EO_SIGNAL_DOWN)
    return put_message(by, to, signal->from ? from : by->pid, EO_DOWN, &down, sizeof down);
  eo__live_mailbox_kill(by->world, &to->mailbox, signal->reason);
  return true;
}

static uint64_t ref_owner(const eo_live_process *process) { return process->pid << REF_NUMBER_BITS; }

bool eo__live_has_ref(const eo_live_process *self, eo_ref ref) {
  uint64_t number = ref & ((UINT64_C(1) << REF_NUMBER_BITS) - 1);
  return (ref ^ number) == ref_owner(self) && number > 0 && number <= self->monitor_count;
}

bool eo__live_act(eo_live_process *self, eo_op *op, eo_live_process *other) {
  eo_live_world *world = self->world;
  eo_effects *effects = &world->effects;
  bool monitors = op->kind == EO_OP_MONITOR || op->flags & EO_OP_MONITORED;
  if (!other && op->kind != EO_OP_EXIT && op->pid) other = eo__live_find(world, op->pid);
  EO_CHECK(self->monitor_count + 1 < UINT64_C(1) << REF_NUMBER_BITS);
  if (monitors) op->ref = ref_owner(self) | ++self->monitor_count;
  eo_deed deed = {.kind = op->kind,
                  .flags = op->flags & ~EO_OP_QUIET, /* a server that monitors for years must not grow */
                  .self = &self->citizen,
                  .other = other ? &other->citizen : &world->ended,
                  .name = op->name,
                  .ref = op->ref,
                  .reason = op->reason,
                  .on = op->on};
  eo_effects_clear(effects);
  eo__society_apply(&world->society, &deed, effects);
  bool memory = !effects->lost;
  for (size_t i = 0; memory && i < effects->signals.count; i++)
    memory = carry_out(self, &effects->signals.items[i], op->pid);
  if (op->kind != EO_OP_SPAWN) op->result = effects->result;
  return memory;
}

eo_live_end eo__live_end(eo_live_process *process) {
  eo_op op = {.kind = EO_OP_EXIT, .reason = process->reason};
  remove_pid(process);
  bool memory = eo__live_act(process, &op, NULL), noticed = process->world->effects.noticed;
  eo__society_forget(&process->world->society, &process->citizen);
  if (!memory) return EO_LIVE_END_NO_MEMORY;
  return process->reason != EO_NORMAL && !noticed ? EO_LIVE_END_UNHANDLED : EO_LIVE_END;
}
