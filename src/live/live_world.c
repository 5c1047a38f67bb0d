/* live_world.c: what the processes of a world know of each other: the tables of pids and names, links, monitors, and
 * the end of a process, which is told to all of them at once. See live.h for the locks. */
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
  world->by_name = eo__alloc(FIRST_BUCKETS * sizeof *world->by_name);
  return world->by_pid && world->by_name;
}

void eo__live_world_release(eo_live_world *world) {
  EO_CHECK(world->count == 0 && !world->ended);
  eo__free(world->by_pid);
  eo__free(world->by_name);
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
  eo_vec_release(&process->bonds);
  if (process->argument_owned) eo__free(process->argument);
  eo__free(process);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static eo_live_process **pid_chain(const eo_live_world *world, eo_pid pid) {
  return &world->by_pid[pid & (world->buckets - 1)];
}

/* FNV-1a. */
static eo_live_process **name_chain(const eo_live_world *world, const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return &world->by_name[hash & (world->buckets - 1)];
}

static void insert_pid(eo_live_process *process) {
  eo_live_process **chain = pid_chain(process->world, process->pid);
  process->next_by_pid = *chain;
  *chain = process;
}

static void insert_name(eo_live_process *process) {
  eo_live_process **chain = name_chain(process->world, process->name);
  process->next_by_name = *chain;
  *chain = process;
}

static bool grow(eo_live_world *world) {
  size_t old_buckets = world->buckets;
  eo_live_process **old = world->by_pid;
  eo_live_process **by_pid = eo__alloc(2 * old_buckets * sizeof *by_pid);
  eo_live_process **by_name = eo__alloc(2 * old_buckets * sizeof *by_name);
  if (!by_pid || !by_name) {
    eo__free(by_pid);
    eo__free(by_name);
    return false;
  }
  eo__free(world->by_name);
  world->by_pid = by_pid;
  world->by_name = by_name;
  world->buckets = 2 * old_buckets;
  for (size_t i = 0; i < old_buckets; i++) {
    for (eo_live_process *process = old[i], *next; process; process = next) {
      next = process->next_by_pid;
      insert_pid(process);
      if (process->name[0]) insert_name(process);
    }
  }
  eo__free(old);
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

eo_live_process *eo__live_find_name(const eo_live_world *world, const char *name) {
  eo_live_process *process = *name_chain(world, name);
  while (process && strcmp(process->name, name) != 0) process = process->next_by_name;
  return process;
}

void eo__live_set_name(eo_live_process *process, const char *name) {
  EO_CHECK(strlen(name) < sizeof process->name);
  strcpy(process->name, name);
  insert_name(process);
}

void eo__live_clear_name(eo_live_process *process) {
  if (!process->name[0]) return;
  eo_live_process **at = name_chain(process->world, process->name);
  while (*at != process) at = &(*at)->next_by_name;
  *at = process->next_by_name;
  process->name[0] = '\0';
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

/* ---- Bonds ------------------------------------------------------------------------------------------------------ */

static bool add_bond(eo_live_process *a, eo_live_process *b, eo_ref ref) {
  eo_live_bond *bond = eo__alloc(sizeof *bond);
  if (!bond) return false;
  *bond = (eo_live_bond){.a = a, .b = b, .ref = ref};
  return eo_vec_push(&a->bonds, bond) && eo_vec_push(&b->bonds, bond);
}

static eo_live_process *other_end(const eo_live_bond *bond, const eo_live_process *process) {
  return bond->a == process ? bond->b : bond->a;
}

static eo_live_bond *find_link(const eo_live_process *self, const eo_live_process *target) {
  for (size_t i = self->bonds.count; i-- > 0;) {
    eo_live_bond *bond = self->bonds.items[i];
    if (bond->ref == 0 && other_end(bond, self) == target) return bond;
  }
  return NULL;
}

/* Keeps the order of the others. From the end, since what is made last often ends first. */
static void forget_bond(eo_live_process *process, const eo_live_bond *bond) {
  eo_live_bond **items = process->bonds.items;
  size_t i = process->bonds.count - 1;
  while (items[i] != bond) i--;
  memmove(&items[i], &items[i + 1], (process->bonds.count - 1 - i) * sizeof *items);
  process->bonds.count--;
}

static void remove_bond(eo_live_bond *bond) {
  forget_bond(bond->a, bond);
  forget_bond(bond->b, bond);
  eo__free(bond);
}

/* In the thread of `by`. */
static bool put_signal(eo_live_process *by, eo_live_process *to, eo_pid from, int tag, const void *info, size_t size) {
  eo_live_message *message = eo__live_message_open(from, tag, info, size);
  if (!message) return false;
  eo__live_observe(by, &(eo_message){.from = from, .tag = tag, .size = size, .data = info});
  eo__live_mailbox_put(by->world, &to->mailbox, message);
  return true;
}

/* The end of `from` reaches one linked to it. False: no memory. */
static bool signal_exit(eo_live_process *by, eo_live_process *to, eo_pid from, int reason) {
  eo_exit_info info = {.pid = from, .reason = reason};
  if (to->trap_exit) return put_signal(by, to, from, EO_EXIT, &info, sizeof info);
  if (reason != EO_NORMAL) eo__live_mailbox_kill(by->world, &to->mailbox, reason);
  return true;
}

/* The same for one who monitors it. */
static bool signal_down(eo_live_process *by, eo_live_process *to, eo_pid from, eo_ref ref, int reason) {
  eo_down_info info = {.ref = ref, .pid = from, .reason = reason};
  return put_signal(by, to, from, EO_DOWN, &info, sizeof info);
}

bool eo__live_link(eo_live_process *self, eo_live_process *target, eo_pid pid) {
  if (!target) return signal_exit(self, self, pid, EO_NOPROC);
  if (target == self || find_link(self, target)) return true;
  return add_bond(self, target, 0);
}

void eo__live_unlink(eo_live_process *self, eo_live_process *target) {
  eo_live_bond *bond = find_link(self, target);
  if (bond) remove_bond(bond);
}

static uint64_t ref_owner(const eo_live_process *process) { return process->pid << REF_NUMBER_BITS; }

bool eo__live_monitor(eo_live_process *self, eo_live_process *target, eo_pid pid, eo_ref *ref) {
  EO_CHECK(self->monitor_count + 1 < UINT64_C(1) << REF_NUMBER_BITS);
  *ref = ref_owner(self) | ++self->monitor_count;
  if (!target) return signal_down(self, self, pid, *ref, EO_NOPROC);
  if (target == self) return true; /* nobody would be there to get its DOWN */
  return add_bond(self, target, *ref);
}

bool eo__live_demonitor(eo_live_process *self, eo_ref ref) {
  uint64_t number = ref & ((UINT64_C(1) << REF_NUMBER_BITS) - 1);
  if ((ref ^ number) != ref_owner(self) || number == 0 || number > self->monitor_count) return false;
  size_t i = self->bonds.count;
  /* A monitor of this process by another one may have the same ref, if their pids end in the same bits. */
  while (i > 0 && (self->bonds.items[i - 1]->ref != ref || self->bonds.items[i - 1]->a != self)) i--;
  if (i > 0) remove_bond(self->bonds.items[i - 1]);
  return true;
}

eo_live_end eo__live_end(eo_live_process *process) {
  bool memory = true, reached = false;
  remove_pid(process);
  eo__live_clear_name(process);
  for (size_t i = 0; i < process->bonds.count; i++) {
    eo_live_bond *bond = process->bonds.items[i];
    eo_live_process *other = other_end(bond, process);
    forget_bond(other, bond);
    if (bond->ref == 0)
      memory &= signal_exit(process, other, process->pid, process->reason);
    else if (bond->b == process)
      memory &= signal_down(process, other, process->pid, bond->ref, process->reason);
    reached |= bond->ref == 0 || bond->b == process;
    eo__free(bond);
  }
  if (!memory) return EO_LIVE_END_NO_MEMORY;
  return process->reason != EO_NORMAL && !reached ? EO_LIVE_END_UNHANDLED : EO_LIVE_END;
}
