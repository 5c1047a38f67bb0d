/* live_mailbox.c: the mailbox of a live process: putting, selective receive, exit signals, sleeping. See live.h for
 * who may touch what. */
#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "live/live.h"

bool eo__live_mailbox_init(eo_live_mailbox *mailbox) {
  if (sem_init(&mailbox->wakeup, 0, 0)) return false;
  pthread_mutex_init(&mailbox->lock, NULL);
  mailbox->last = &mailbox->incoming;
  return true;
}

static void free_messages(eo_live_message *message) {
  while (message) {
    eo_live_message *next = message->next;
    eo__free(message);
    message = next;
  }
}

void eo__live_mailbox_release(eo_live_mailbox *mailbox) {
  free_messages(mailbox->kept);
  free_messages(mailbox->incoming);
  eo__free(mailbox->held);
  sem_destroy(&mailbox->wakeup);
  pthread_mutex_destroy(&mailbox->lock);
}

eo_live_message *eo__live_message_open(eo_pid from, int tag, const void *data, size_t size) {
  if (size > PTRDIFF_MAX - sizeof(eo_live_message)) return NULL;
  /* Not eo__alloc: every byte is set here, and the C library's calloc goes round the thread's own free blocks. */
  eo_live_message *message = eo__realloc(NULL, sizeof *message + size);
  if (!message) return NULL;
  message->next = NULL;
  message->from = from;
  message->tag = tag;
  message->size = size;
  if (size > 0) memcpy(message->data, data, size);
  return message;
}

/* With its lock held. */
static void make_active(eo_live_world *world, eo_live_mailbox *mailbox) {
  if (mailbox->resting) atomic_fetch_add(&world->active, 1);
  mailbox->resting = false;
}

/* With the mailbox's lock held: nobody can make it active before it waits. */
static void rest(eo_live_process *self) {
  self->mailbox.resting = true;
  if (atomic_fetch_sub(&self->world->active, 1) > 1) return;
  pthread_mutex_lock(&self->world->ended_lock);
  pthread_cond_signal(&self->world->ended_wakeup);
  pthread_mutex_unlock(&self->world->ended_lock);
}

void eo__live_mailbox_put(eo_live_world *world, eo_live_mailbox *mailbox, eo_live_message *message) {
  pthread_mutex_lock(&mailbox->lock);
  make_active(world, mailbox);
  *mailbox->last = message;
  mailbox->last = &message->next;
  bool wake = mailbox->waiting;
  mailbox->waiting = false;
  pthread_mutex_unlock(&mailbox->lock);
  /* After the unlock, so that the owner does not wake up only to wait for the lock; world->lock keeps it there. */
  if (wake) sem_post(&mailbox->wakeup);
}

void eo__live_mailbox_kill(eo_live_world *world, eo_live_mailbox *mailbox, int reason) {
  if (atomic_load_explicit(&mailbox->killed, memory_order_relaxed)) return;
  pthread_mutex_lock(&mailbox->lock);
  make_active(world, mailbox);
  mailbox->kill_reason = reason;
  atomic_store_explicit(&mailbox->killed, true, memory_order_release);
  pthread_mutex_unlock(&mailbox->lock);
  sem_post(&mailbox->wakeup);
}

static eo_message view(eo_live_message *message) {
  return (eo_message){.from = message->from,
                      .tag = message->tag,
                      .size = message->size,
                      .data = message->size > 0 ? message->data : NULL};
}

static struct timespec deadline_after(int64_t milliseconds) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  at.tv_sec += (time_t)(milliseconds / 1000);
  at.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  if (at.tv_nsec >= 1000000000) {
    at.tv_sec++;
    at.tv_nsec -= 1000000000;
  }
  return at;
}

/* One wait for the mailbox to change, with its lock held; it may also end for nothing. `until` NULL: without end. False: the
 * time is over, by a clock that setting the wall clock does not move. */
static bool wait_change(eo_live_mailbox *mailbox, const struct timespec *until) {
  pthread_mutex_unlock(&mailbox->lock);
  bool in_time =
      !(until ? sem_clockwait(&mailbox->wakeup, CLOCK_MONOTONIC, until) : sem_wait(&mailbox->wakeup)) || errno == EINTR;
  pthread_mutex_lock(&mailbox->lock);
  return in_time;
}

/* Moves what has come in to *end, the end of `kept`; waits for something if there is nothing. */
static eo_live_wait fetch(eo_live_process *self, eo_live_message **end, bool may_wait, bool rests,
                          const struct timespec *until) {
  eo_live_mailbox *mailbox = &self->mailbox;
  bool in_time = may_wait;
  pthread_mutex_lock(&mailbox->lock);
  while (!mailbox->incoming && !mailbox->killed && in_time) {
    mailbox->waiting = true;
    if (rests && !mailbox->resting) rest(self);
    in_time = wait_change(mailbox, until);
  }
  mailbox->waiting = false;
  *end = mailbox->incoming;
  mailbox->incoming = NULL;
  mailbox->last = &mailbox->incoming;
  bool killed = mailbox->killed;
  pthread_mutex_unlock(&mailbox->lock);
  return killed ? EO_LIVE_KILLED : *end ? EO_LIVE_RECEIVED : EO_LIVE_TIMED_OUT;
}

static void drop(eo_live_message ***at) {
  eo_live_message *ignored = **at;
  **at = ignored->next;
  eo__free(ignored);
}

/* The first kept message from *at on that matches, taken out into `held`; else *at is left at the end of the list. The
 * predicate gets a copy, and the message held before lives until now, since its context may be either. */
static bool take_match(eo_live_process *self, const eo_op *op, eo_live_message ***at) {
  bool found = false;
  self->looking = true;
  while (**at && !found) {
    if (op->flags & EO_OP_DEQUEUE && eo_reaction(op->events, (**at)->tag) == EO_REACT_IGNORE) {
      drop(at);
      continue;
    }
    eo_message shown = view(**at);
    found = eo__op_matches(op, &shown);
    if (!found) *at = &(**at)->next;
  }
  self->looking = false;
  if (!found) return false;
  eo__free(self->mailbox.held);
  self->mailbox.held = **at;
  **at = self->mailbox.held->next;
  *op->message = view(self->mailbox.held);
  return true;
}

eo_live_wait eo__live_receive(eo_live_process *self, const eo_op *op) {
  eo_live_mailbox *mailbox = &self->mailbox;
  eo_live_message **at = &mailbox->kept;
  struct timespec until;
  if (op->timeout > 0) until = deadline_after(op->timeout);
  if (eo__live_killed(self)) return EO_LIVE_KILLED;
  while (!take_match(self, op, &at)) {
    bool rests = (op->flags & EO_OP_DEQUEUE) && op->timeout == EO_FOREVER;
    eo_live_wait wait = fetch(self, at, op->timeout != 0, rests, op->timeout > 0 ? &until : NULL);
    if (wait != EO_LIVE_RECEIVED) return wait;
  }
  return EO_LIVE_RECEIVED;
}

eo_live_wait eo__live_sleep(eo_live_process *self, int64_t milliseconds) {
  eo_live_mailbox *mailbox = &self->mailbox;
  struct timespec until = deadline_after(milliseconds);
  bool in_time = milliseconds > 0;
  pthread_mutex_lock(&mailbox->lock);
  while (!mailbox->killed && in_time) in_time = wait_change(mailbox, &until); /* `waiting` is false: messages wait */
  bool killed = mailbox->killed;
  pthread_mutex_unlock(&mailbox->lock);
  return killed ? EO_LIVE_KILLED : EO_LIVE_TIMED_OUT;
}

static bool is_down_of(const eo_live_message *message, eo_ref ref) {
  if (message->tag != EO_DOWN) return false;
  eo_down_info down;
  memcpy(&down, message->data, sizeof down);
  return down.ref == ref;
}

void eo__live_flush(eo_live_process *self, eo_ref ref) {
  eo_live_mailbox *mailbox = &self->mailbox;
  eo_live_message **at = &mailbox->kept;
  while (*at) at = &(*at)->next;
  fetch(self, at, false, false, NULL);
  for (at = &mailbox->kept; *at; at = &(*at)->next) {
    if (!is_down_of(*at, ref)) continue;
    eo_live_message *down = *at;
    *at = down->next;
    eo__free(down);
    return; /* one monitor gives one DOWN */
  }
}
