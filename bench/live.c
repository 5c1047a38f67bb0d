/* live.c: messages per second of the live runtime, against the least that threads with a mailbox must do: a queue of
 * malloc'ed messages under one mutex and one condition variable. Both are measured in turn, in the same run, and the
 * median of each is printed with their ratio. And how long processes take to end that wait, and are told to all at once:
 * by their number, the time for each should stay the same.
 *
 * usage: live [rounds of ping-pong] [messages of the fan-in] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <everyorder.h>

enum { SENDERS = 8, REPEATS = 5, DATA = 1 };

static long rounds = 100000;
static long messages = 1000000;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- The bare queue ---------------------------------------------------------------------------------------------- */

typedef struct item {
  struct item *next;
  size_t size;
  char data[];
} item;

typedef struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  item *first, **last;
} queue;

static void queue_init(queue *q) {
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->filled, NULL);
  q->first = NULL;
  q->last = &q->first;
}

static void queue_put(queue *q, const void *data, size_t size) {
  item *it = malloc(sizeof *it + size);
  if (!it) abort();
  it->next = NULL;
  it->size = size;
  memcpy(it->data, data, size);
  pthread_mutex_lock(&q->lock);
  *q->last = it;
  q->last = &it->next;
  pthread_mutex_unlock(&q->lock);
  pthread_cond_signal(&q->filled); /* after the unlock: the receiver need not wait for the lock again */
}

static int64_t queue_take(queue *q) {
  int64_t value;
  pthread_mutex_lock(&q->lock);
  while (!q->first) pthread_cond_wait(&q->filled, &q->lock);
  item *it = q->first;
  q->first = it->next;
  if (!q->first) q->last = &q->first;
  pthread_mutex_unlock(&q->lock);
  memcpy(&value, it->data, sizeof value);
  free(it);
  return value;
}

static queue here, there;

static void *bare_ponger(void *argument) {
  (void)argument;
  for (long i = 0; i < rounds; i++) {
    int64_t value = queue_take(&there);
    queue_put(&here, &value, sizeof value);
  }
  return NULL;
}

static void bare_ping_pong(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, bare_ponger, NULL);
  for (int64_t i = 0; i < rounds; i++) {
    queue_put(&there, &i, sizeof i);
    if (queue_take(&here) != i) abort();
  }
  pthread_join(thread, NULL);
}

static void *bare_sender(void *argument) {
  (void)argument;
  for (int64_t i = 0; i < messages / SENDERS; i++) queue_put(&here, &i, sizeof i);
  return NULL;
}

static void bare_fan_in(void) {
  pthread_t threads[SENDERS];
  int64_t sum = 0, each = messages / SENDERS;
  for (int i = 0; i < SENDERS; i++) pthread_create(&threads[i], NULL, bare_sender, NULL);
  for (int64_t i = 0; i < each * SENDERS; i++) sum += queue_take(&here);
  for (int i = 0; i < SENDERS; i++) pthread_join(threads[i], NULL);
  if (sum != SENDERS * (each * (each - 1) / 2)) abort();
}

/* ---- Live -------------------------------------------------------------------------------------------------------- */

static int64_t value_in(const eo_message *message) {
  int64_t value;
  memcpy(&value, message->data, sizeof value);
  return value;
}

static void ponger(void *argument) {
  eo_message message;
  (void)argument;
  for (long i = 0; i < rounds; i++) {
    eo_receive(&message, EO_FOREVER);
    eo_send(message.from, DATA, message.data, message.size);
  }
}

static void pinger(void *argument) {
  eo_message message;
  (void)argument;
  eo_pid to = eo_spawn(ponger, NULL, 0);
  for (int64_t i = 0; i < rounds; i++) {
    eo_send(to, DATA, &i, sizeof i);
    eo_receive(&message, EO_FOREVER);
    if (value_in(&message) != i) abort();
  }
}

static void live_ping_pong(void) { eo_live_run(pinger, NULL); }

static void sender(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  for (int64_t i = 0; i < messages / SENDERS; i++) eo_send(to, DATA, &i, sizeof i);
}

static void collector(void *argument) {
  eo_message message;
  eo_pid me = eo_self();
  int64_t sum = 0, each = messages / SENDERS;
  (void)argument;
  for (int i = 0; i < SENDERS; i++) eo_spawn(sender, &me, sizeof me);
  for (int64_t i = 0; i < each * SENDERS; i++) {
    eo_receive(&message, EO_FOREVER);
    sum += value_in(&message);
  }
  if (sum != SENDERS * (each * (each - 1) / 2)) abort();
}

static void live_fan_in(void) { eo_live_run(collector, NULL); }

static void waiter(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
}

static double ends_from; /* when the first of them was told to end */

static void ender(void *argument) {
  long count = *(long *)argument;
  eo_pid *pids = malloc((size_t)count * sizeof *pids);
  if (!pids) abort();
  for (long i = 0; i < count; i++) pids[i] = eo_spawn(waiter, NULL, 0);
  ends_from = seconds();
  for (long i = 0; i < count; i++) eo_send(pids[i], DATA, NULL, 0);
  free(pids);
}

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void compare(const char *name, long count, void (*live)(void), void (*bare)(void)) {
  double live_rates[REPEATS], bare_rates[REPEATS];
  for (int i = 0; i < REPEATS; i++) {
    double start = seconds();
    live();
    double middle = seconds();
    bare();
    live_rates[i] = (double)count / (middle - start);
    bare_rates[i] = (double)count / (seconds() - middle);
  }
  qsort(live_rates, REPEATS, sizeof *live_rates, by_value);
  qsort(bare_rates, REPEATS, sizeof *bare_rates, by_value);
  double rate = live_rates[REPEATS / 2], baseline = bare_rates[REPEATS / 2];
  printf("%-10s %10ld messages  live %10.0f/s  bare queue %10.0f/s  ratio %.2f\n", name, count, rate, baseline,
         rate / baseline);
}

static void measure_ends(long count) {
  double taken[REPEATS];
  for (int i = 0; i < REPEATS; i++) {
    eo_live_run(ender, &count);
    taken[i] = seconds() - ends_from;
  }
  qsort(taken, REPEATS, sizeof *taken, by_value);
  printf("ends       %10ld processes %10.2f s, %.1f us each\n", count, taken[REPEATS / 2],
         taken[REPEATS / 2] / (double)count * 1e6);
}

int main(int argc, char **argv) {
  if (argc > 1) rounds = atol(argv[1]);
  if (argc > 2) messages = atol(argv[2]);
  if (rounds < 1 || messages < SENDERS) {
    fprintf(stderr, "usage: live [rounds of ping-pong] [messages of the fan-in, at least %d]\n", SENDERS);
    return 2;
  }
  queue_init(&here);
  queue_init(&there);
  compare("ping-pong", 2 * rounds, live_ping_pong, bare_ping_pong);
  compare("fan-in", messages / SENDERS * SENDERS, live_fan_in, bare_fan_in);
  for (long count = 7500; count <= 30000; count *= 2) measure_ends(count);
  return 0;
}
