/* live.c: the program API on real threads: eo_live_run, the thread of a process, and its operations.
 *
 * A process is a thread that runs the process's function. It leaves by returning, by eo_exit, or by an exit signal,
 * which it notices at its next operation or in the receive or sleep it waits in. Leaving is pthread_exit: the stack is
 * unwound, so C++ destructors and pthread_cleanup_push handlers run (and a noexcept function on the way ends the
 * program, as with any pthread_exit). Only then does the process end for the others: who is told that it ended can
 * rely on its code having stopped. An operation in such a destructor or handler is misuse.
 *
 * The caller of eo_live_run joins the threads and frees what is left of ended processes, so that a server that starts
 * processes for years does not grow. An abnormal exit that reaches nobody is one line on stderr, unless it is P1's,
 * which eo_live_run returns. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_setname_np */
#endif
#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/early.h"
#include "base/own.h"
#include "core/machine.h"

static _Thread_local eo_live_process *current;
EO_OWN_THREAD(current);

/* ---- Failures: live, they end the program ----------------------------------------------------------------------- */

/* One write, so that lines of two threads do not mix. */
__attribute__((noreturn)) static void fail(const char *kind, const eo_place *place, const char *text) {
  char where[512] = "", who[160] = "";
  if (place) snprintf(where, sizeof where, " at %s:%d", place->file, place->line);
  if (current && current->observing)
    snprintf(who, sizeof who, " in specification %.80s, which observes process %llu",
             eo__machine_name(current->observing), (unsigned long long)current->pid);
  else if (current)
    snprintf(who, sizeof who, " in process %llu", (unsigned long long)current->pid);
  fprintf(stderr, "everyorder: %s: %s%s%s\n", kind, text, where, who);
  abort();
}

__attribute__((noreturn)) static void no_memory(const eo_place *place) {
  fail("out of memory", place, "give the program more, or send and spawn less at once");
}

__attribute__((noreturn)) static void never_was(const eo_op *op) {
  char text[96];
  snprintf(text, sizeof text, "eo_%s: %llu is not a process", eo__op_name(op->kind), (unsigned long long)op->pid);
  fail("misuse", op->place, text);
}

/* The process that does this, if it may do anything now. */
static eo_live_process *actor(const eo_op *op) {
  eo_live_process *self = current;
  if (!self->looking && !self->leaving && !self->barred) return self;
  char text[128];
  snprintf(text, sizeof text, "eo_%s: called %s", eo__op_name(op->kind),
           self->looking   ? "from a predicate, which must only look"
           : self->leaving ? "by a destructor or a cleanup handler of a process that is ending"
                           : self->barred);
  fail("misuse", op->place, text);
}

/* ---- The thread of a process ------------------------------------------------------------------------------------ */

__attribute__((noreturn)) static void leave(eo_live_process *self, int reason) {
  self->reason = reason;
  self->leaving = true;
  pthread_exit(NULL);
}

static void print_unhandled(const eo_live_process *self) {
  char place[256] = "";
  if (self->place)
    snprintf(place, sizeof place, "; its last operation is at %s:%d", self->place->file, self->place->line);
  fprintf(stderr, "everyorder: process %llu ended with reason %d, and nobody was linked to it or monitored it%s\n",
          (unsigned long long)self->pid, self->reason, place);
}

static const eo_runtime live_runtime;

/* With world->lock held for writing, on whatever thread. What observes the end runs as if on the process's own. */
static void end_one(eo_live_process *ended) {
  if (ended->exits && eo__live_killed(ended)) ended->reason = ended->mailbox.kill_reason; /* the signal came first */
  current = ended;
  eo_live_end end = eo__live_end(ended);
  if (end == EO_LIVE_END_NO_MEMORY) no_memory(ended->place);
  ended->unhandled = end == EO_LIVE_END_UNHANDLED && ended->pid != 1;
}

/* To be joined, and then freed. */
static void hand_over(eo_live_world *world, eo_live_process *first) {
  eo_live_process *last = first;
  size_t count = 1;
  for (; last->next_ended; last = last->next_ended) count++;
  pthread_mutex_lock(&world->ended_lock);
  last->next_ended = world->to_join;
  world->to_join = first;
  atomic_fetch_sub(&world->active, count);
  pthread_cond_signal(&world->ended_wakeup);
  pthread_mutex_unlock(&world->ended_lock);
}

/* The ends that wait, in the order in which they came. */
static void end_waiting(eo_live_world *world) {
  eo_live_process *newest = atomic_exchange(&world->ending, NULL), *oldest = NULL, *own = current;
  const eo_runtime *runtime = eo__runtime;
  while (newest) {
    eo_live_process *before = newest->next_ended;
    newest->next_ended = oldest;
    oldest = newest;
    newest = before;
  }
  eo__runtime = &live_runtime;
  for (eo_live_process *ended = oldest; ended; ended = ended->next_ended) end_one(ended);
  current = own;
  eo__runtime = runtime;
  pthread_rwlock_unlock(&world->lock);
  for (const eo_live_process *ended = oldest; ended; ended = ended->next_ended) {
    if (ended->pid == 1) world->first_reason = ended->reason;
    if (ended->unhandled) print_unhandled(ended);
  }
  if (oldest) hand_over(world, oldest);
}

/* Carries out the ends that wait. If somebody holds the lock, they are up to whoever releases it. */
static void settle(eo_live_world *world) {
#if !defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  atomic_thread_fence(memory_order_seq_cst); /* the lock and `ending`: of two threads one sees what the other did */
#endif
  while (atomic_load_explicit(&world->ending, memory_order_relaxed) && pthread_rwlock_trywrlock(&world->lock) == 0)
    end_waiting(world);
}

/* Every release of world->lock, but that in end_waiting. */
static void unlock(eo_live_world *world) {
  pthread_rwlock_unlock(&world->lock);
  settle(world);
}

/* The end of a process, however its function was left; after that eo_live_run may free it at any time, but not the world:
 * it joins this thread first. */
static void end_process(void *argument) {
  eo_live_process *self = argument;
  eo_live_world *world = self->world;
  self->thread = pthread_self();
  eo__runtime = NULL;
  current = NULL;
  self->next_ended = atomic_load(&world->ending);
  while (!atomic_compare_exchange_weak(&world->ending, &self->next_ended, self)) continue;
  settle(world);
}

static void *run_process(void *argument) {
  eo_live_process *self = argument;
  char name[16]; /* what the kernel takes; seen in gdb and top */
  snprintf(name, sizeof name, "P%llu", (unsigned long long)self->pid);
  pthread_setname_np(pthread_self(), name);
  current = self;
  eo__runtime = &live_runtime;
  pthread_cleanup_push(end_process, self);
  self->function(self->argument);
  pthread_cleanup_pop(1);
  return NULL;
}

static void start_thread(eo_live_process *process, const eo_place *place) {
  pthread_t thread; /* the process itself says which thread it is, since it may end before this is filled */
  atomic_fetch_add(&process->world->threads, 1);
  int error = pthread_create(&thread, NULL, run_process, process);
  if (error) {
    char text[160];
    snprintf(text, sizeof text, "%s; raise the limits on threads (ulimit -u) and memory, or run fewer at once",
             strerror(error));
    fail("cannot start a thread", place, text);
  }
}

/* ---- Operations ------------------------------------------------------------------------------------------------- */

/* Unlocks the world and leaves if an exit signal has come: it acts on nobody any more. Checked with the lock held, as
 * signals come with it held for writing. */
static void unless_killed(eo_live_process *self) {
  if (!eo__live_killed(self)) return;
  unlock(self->world);
  leave(self, self->mailbox.kill_reason);
}

/* The receiver; NULL: it has ended, or nobody has the name. */
static eo_live_process *receiver(const eo_live_world *world, const eo_op *op) {
  if (op->flags & EO_OP_BY_NAME) return eo__live_find_name(world, op->name);
  if (op->pid > world->last_pid) never_was(op);
  return eo__live_find(world, op->pid);
}

static void send(eo_live_process *self, eo_op *op) {
  if (eo__live_killed(self)) leave(self, self->mailbox.kill_reason);
  eo_live_message *message = eo__live_message_open(self->pid, op->tag, op->data, op->size);
  if (!message) no_memory(op->place);
  pthread_rwlock_rdlock(&self->world->lock);
  bool killed = eo__live_killed(self);
  eo_live_process *to = killed ? NULL : receiver(self->world, op);
  if (!killed && (to || !(op->flags & EO_OP_BY_NAME)))
    eo__live_observe(self, &(eo_message){.from = self->pid, .tag = op->tag, .size = op->size, .data = op->data});
  if (to) eo__live_mailbox_put(self->world, &to->mailbox, message);
  unlock(self->world);
  op->result = to != NULL;
  if (to) return;
  eo__free(message);
  if (killed) leave(self, self->mailbox.kill_reason);
  if (op->flags & EO_OP_BY_NAME && !(op->flags & EO_OP_CAUGHT)) leave(self, EO_BADARG);
}

static void spawn(eo_live_process *self, eo_op *op) {
  if (eo__live_killed(self)) leave(self, self->mailbox.kill_reason);
  eo_live_process *child = eo__live_process_open(self->world, op->function, op->data, op->size);
  if (!child) no_memory(op->place);
  pthread_rwlock_wrlock(&self->world->lock);
  if (eo__live_killed(self)) {
    unlock(self->world);
    eo__live_process_close(child);
    leave(self, self->mailbox.kill_reason);
  }
  bool memory = eo__live_add(child);
  op->result = child->pid;
  memory = memory && eo__live_act(self, op, child);
  unlock(self->world);
  if (!memory) no_memory(op->place);
  start_thread(child, op->place);
}

/* The operations on links, monitors and names, each with world->lock held for writing. */
static void change_world(eo_live_process *self, eo_op *op) {
  pthread_rwlock_wrlock(&self->world->lock);
  unless_killed(self);
  if (op->pid > self->world->last_pid) never_was(op);
  if (op->kind == EO_OP_DEMONITOR && !eo__live_has_ref(self, op->ref)) fail("misuse", op->place, eo__not_a_monitor(op));
  bool memory = eo__live_act(self, op, NULL);
  unlock(self->world);
  if (!memory) no_memory(op->place);
  if (eo__live_killed(self))
    leave(self, self->mailbox.kill_reason); /* linked to one that has ended, or killed itself */
  if (op->flags & EO_OP_FLUSHED) eo__live_flush(self, op->ref);
}

static void whereis(eo_live_process *self, eo_op *op) {
  pthread_rwlock_rdlock(&self->world->lock);
  unless_killed(self);
  eo_live_process *target = eo__live_find_name(self->world, op->name);
  op->result = target ? target->pid : EO_NOBODY;
  unlock(self->world);
}

static void perform(eo_op *op) {
  eo_live_process *self = actor(op);
  eo_live_wait wait = EO_LIVE_RECEIVED;
  self->place = op->place;
  switch (op->kind) {
    case EO_OP_SEND: send(self, op); break;
    case EO_OP_RECEIVE:
      wait = eo__live_receive(self, op);
      op->result = wait == EO_LIVE_RECEIVED;
      break;
    case EO_OP_SLEEP: wait = eo__live_sleep(self, op->timeout); break;
    case EO_OP_CHOOSE:
      if (eo__live_killed(self)) wait = EO_LIVE_KILLED;
      op->result = eo__rng_below(&self->rng, op->n);
      break;
    case EO_OP_FAULT:
      if (eo__live_killed(self)) wait = EO_LIVE_KILLED;
      op->result = 0;
      break;
    case EO_OP_EXIT: self->exits = true; leave(self, op->reason);
    case EO_OP_SPAWN: spawn(self, op); break;
    case EO_OP_WHEREIS: whereis(self, op); break;
    default: change_world(self, op); break;
  }
  if (wait == EO_LIVE_KILLED) leave(self, self->mailbox.kill_reason);
}

static eo_pid self_pid(void) { return current->pid; }

static uint64_t now(void) {
  const struct timespec *start = &current->world->start;
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  int64_t nanoseconds = (int64_t)(at.tv_sec - start->tv_sec) * 1000000000 + (at.tv_nsec - start->tv_nsec);
  return (uint64_t)(nanoseconds / 1000000);
}

/* As its thread is called. */
static bool name(eo_pid pid, char *out, size_t size) {
  bool locked = current->observing == NULL; /* of a specification, the process that it observes holds the lock */
  if (locked) pthread_rwlock_rdlock(&current->world->lock);
  bool known = pid <= current->world->last_pid;
  if (locked) unlock(current->world);
  if (known) snprintf(out, size, "P%llu", (unsigned long long)pid);
  return known;
}

static bool machine(const eo_machine_now *now) {
  if (current->machine) return false;
  current->machine = now;
  return true;
}

static void bar(const char *because) {
  current->barred = because || !current->observing ? because : EO_SPECIFICATION_BARRED;
}

static void hint(const eo_place *place, int what, eo_pid pid) {
  (void)what;
  if (current->observing) return; /* its process holds the lock */
  pthread_rwlock_rdlock(&current->world->lock);
  bool known = pid <= current->world->last_pid;
  unlock(current->world);
  if (!known) fail("misuse", place, "eo_hint: not a process");
}

/* ---- Specifications: one reaction at a time, on the thread of whoever sends -------------------------------------- */

static void check_barred(const eo_place *place, const char *function) {
  char text[160];
  if (!current->barred) return;
  snprintf(text, sizeof text, "%s: called %s", function, current->barred);
  fail("misuse", place, text);
}

static void specify(const eo_place *place, const eo_machine *observer, eo_function function, const void *bytes,
                    size_t size) {
  (void)function, (void)size;
  check_barred(place, "eo_specify");
  eo_live_world *world = current->world;
  eo_live_observer added = {observer, eo__alloc(eo__observer_size(observer))};
  if (!added.room) no_memory(place);
  pthread_mutex_lock(&world->observers_lock);
  eo__live_observing(current, observer);
  eo__observer_init(added.room, bytes);
  eo__live_observing(current, NULL);
  bool memory = eo_vec_push(&world->observers, added);
  atomic_store_explicit(&world->observed, true, memory_order_release);
  pthread_mutex_unlock(&world->observers_lock);
  if (!memory) no_memory(place);
}

static void announce(const eo_place *place, int event, const void *data, size_t size) {
  check_barred(place, "eo_announce");
  eo__live_observe(current, &(eo_message){.from = current->pid, .tag = event, .size = size, .data = data});
}

static const eo_runtime live_runtime = {.perform = perform,
                                        .self = self_pid,
                                        .now = now,
                                        .name = name,
                                        .fail = fail,
                                        .machine = machine,
                                        .bar = bar,
                                        .hint = hint,
                                        .specify = specify,
                                        .announce = announce};

/* ---- A world ---------------------------------------------------------------------------------------------------- */

/* Nobody runs, so nobody can send: whoever is left is a machine that rests for ever. They end together, before any of
 * them can tell the others of it. */
static void end_resting(eo_live_world *world) {
  pthread_rwlock_wrlock(&world->lock);
  for (size_t i = 0; i < world->buckets; i++)
    for (eo_live_process *process = world->by_pid[i]; process; process = process->next_by_pid)
      eo__live_mailbox_kill(world, &process->mailbox, EO_NORMAL);
  unlock(world);
}

/* Until no thread is left: a process that is joined has started all it ever will, so 0 is final. */
static void join_all(eo_live_world *world) {
  while (atomic_load(&world->threads) > 0) {
    pthread_mutex_lock(&world->ended_lock);
    while (!world->to_join && atomic_load(&world->active) > 0)
      pthread_cond_wait(&world->ended_wakeup, &world->ended_lock);
    eo_live_process *ended = world->to_join;
    world->to_join = NULL;
    pthread_mutex_unlock(&world->ended_lock);
    if (!ended) end_resting(world);
    while (ended) {
      eo_live_process *next = ended->next_ended;
      pthread_join(ended->thread, NULL);
      eo__live_process_close(ended);
      atomic_fetch_sub(&world->threads, 1);
      ended = next;
    }
  }
}

int eo_live_run(eo_function function, void *argument) {
  if (eo__runtime) eo__runtime->fail("misuse", EO_HERE, "eo_live_run: called inside a process");
  if (!function) fail("misuse", NULL, "eo_live_run: the function is NULL");
  eo__early_end(); /* many threads allocate from now on, and nothing is explored */
  eo_live_world world = {0};
  if (!eo__live_world_init(&world)) no_memory(NULL);
  eo_live_process *first = eo__live_process_open(&world, function, NULL, 0);
  if (!first) no_memory(NULL);
  first->argument = argument; /* not a copy: the caller waits */
  pthread_rwlock_wrlock(&world.lock);
  bool memory = eo__live_add(first);
  unlock(&world);
  if (!memory) no_memory(NULL);
  start_thread(first, NULL);
  join_all(&world);
  int reason = world.first_reason;
  eo__live_world_release(&world);
  eo__early_resume();
  return reason;
}
