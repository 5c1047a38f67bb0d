/* costs.h: what things cost on this machine, for bench/scale: an execution, a split, a claim and its return in the memory
 * frontier, and the same in a Redis that is started for it on loopback. */
#ifndef EO_BENCH_COSTS_H
#define EO_BENCH_COSTS_H

#include <arpa/inet.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench.h"
#include "frontier/memory.h"

/* Seconds. */
typedef struct costs {
  double execution, split;
  double memory; /* the coordinator's time for one request: half a take and a done */
  double redis;  /* the same */
  double trip;   /* there and back, without that */
  bool have_redis;
} costs;

/* Where there is no Redis to measure: a guess from other machines. */
#define COSTS_REDIS 40e-6
#define COSTS_TRIP 200e-6

enum { COSTS_SENDERS = 9, COSTS_FRAGMENT = 512 /* bytes */ };

/* ---- Exploring --------------------------------------------------------------------------------------------------- */

static void costs_sender(void *parent) { eo_send(*(eo_pid *)parent, 1, NULL, 0); }

static void costs_receiver(void *argument) {
  eo_pid self = eo_self();
  eo_message message;
  (void)argument;
  for (int i = 0; i < COSTS_SENDERS; i++) eo_spawn(costs_sender, &self, sizeof self);
  for (int i = 0; i < COSTS_SENDERS; i++) eo_receive(&message, EO_FOREVER);
}

static inline double costs_execution(void) {
  bench_result result = bench_explore(costs_receiver, NULL, eo__dfs_open, 100000, true, NULL);
  return result.seconds / (double)result.executions;
}

/* After one execution, splits what is left until there is nothing to part with, as a worker does. */
static inline double costs_split(void) {
  eo_error error = {0};
  eo_strategy_options options = {.seed = 1};
  eo_choice choices[COSTS_SENDERS];
  memset(choices, 0, sizeof choices);
  uint64_t splits = 0;
  double began = bench_cpu();
  for (int round = 0; round < 1000; round++) {
    eo_strategy *dfs = eo__dfs_open(&options, &error);
    eo_beginning beginning = {.chooser = dfs};
    eo_bytes piece = {0};
    dfs->ops->begin(dfs, &beginning);
    for (uint32_t depth = 0; depth < 4 * COSTS_SENDERS; depth++)
      dfs->ops->choose(dfs, &(eo_point){.choices = choices, .count = COSTS_SENDERS - depth / 4, .depth = depth});
    dfs->ops->end(dfs, &(eo_outcome){.end = EO_END_FINISHED, .depth = 4 * COSTS_SENDERS});
    while (dfs->ops->fragments->split(dfs, &piece)) splits++;
    eo_vec_release(&piece);
    dfs->ops->close(dfs);
  }
  return (bench_cpu() - began) / (double)(splits ? splits : 1);
}

/* ---- The memory frontier ----------------------------------------------------------------------------------------- */

/* One request: of 1,024 workers that take and hand back in turn, in as many pieces as they are asked for, up to 32. */
static inline double costs_memory(void) {
  enum { WORKERS = 1024, ROUNDS = 100, PIECES = 32 };
  eo_error error = {0};
  eo_job_limits limits = {.workers = WORKERS, .budget = 10, .grace = 15};
  eo_frontier *frontier = eo__memory_open(&limits, NULL, &error);
  eo_claim *claims = calloc(WORKERS, sizeof *claims);
  unsigned char bytes[COSTS_FRAGMENT] = {0};
  eo_bytes rest[PIECES];
  char name[32];
  uint64_t requests = 0;
  if (!frontier || !claims) exit(2);
  for (int i = 0; i < PIECES; i++) rest[i] = (eo_bytes){bytes, sizeof bytes, sizeof bytes};
  double began = bench_cpu();
  for (int round = 0; round < ROUNDS; round++) {
    int count = 0;
    for (int w = 0; w < WORKERS; w++) {
      eo_taken taken = EO_TAKE_END;
      snprintf(name, sizeof name, "w%d", w);
      frontier->ops->take(frontier, name, round, &claims[count], &taken, &error);
      requests++;
      if (taken == EO_TAKEN) count++;
    }
    for (int w = 0; w < count; w++) {
      bool accepted;
      eo_slice slice = {.tally = {.executions = 1}};
      slice.rest.items = rest;
      slice.rest.count = claims[w].pieces < PIECES ? claims[w].pieces : PIECES;
      snprintf(name, sizeof name, "w%d", w);
      frontier->ops->done(frontier, name, round, &claims[w], &slice, &accepted, &error);
      eo_vec_release(&claims[w].bytes);
      requests++;
    }
  }
  double each = (bench_cpu() - began) / (double)requests;
  frontier->ops->close(frontier);
  free(claims);
  return each;
}

/* ---- Redis -------------------------------------------------------------------------------------------------------- */

/* Does about what a take or a done does: look at deadlines and settings, take a fragment, note a claim. */
#define COSTS_SCRIPT                                                                                                \
  "local c=redis.call; c('TIME'); c('ZRANGEBYSCORE','d','-inf',0,'LIMIT',0,1000);"                                  \
  "for i=1,12 do c('HGET','job','f'..i) end; c('HLEN','fragments'); c('ZREMRANGEBYSCORE','w','-inf',0);"            \
  "c('ZADD','workers',1,ARGV[1]); c('ZADD','w',1,ARGV[1]); c('ZCARD','d'); c('ZCOUNT','w',0,'+inf');"               \
  "c('RPUSH','idle',1); c('LPOP','idle'); c('HSET','fragments',ARGV[1],ARGV[2]); c('HSTRLEN','fragments',ARGV[1]);" \
  "c('HSET','claims',ARGV[1],'1 2 3 4'); c('HSET','held',ARGV[1],'1'); c('ZINCRBY','busy',1,ARGV[1]);"              \
  "c('ZADD','d',1,ARGV[1]); c('ZREM','w',ARGV[1]); return {'taken',1,c('HGET','fragments',ARGV[1]),'10','0',1}"

/* A port that was free a moment ago. */
static inline int costs_port(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool good = fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 &&
              getsockname(fd, (struct sockaddr *)&address, &size) == 0;
  if (fd >= 0) close(fd);
  return good ? ntohs(address.sin_port) : 0;
}

static inline pid_t costs_start_redis(int port) {
  char text[16];
  snprintf(text, sizeof text, "%d", port);
  pid_t pid = fork();
  if (pid) return pid;
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(127);
  execlp("redis-server", "redis-server", "--bind", "127.0.0.1", "--port", text, "--save", "", "--appendonly", "no",
         "--dir", "/tmp", (char *)NULL);
  _exit(127);
}

typedef struct costs_link {
  FILE *in, *out; /* two, since a stream that turns round from writing to reading drops its buffer */
} costs_link;

static inline bool costs_connect(costs_link *link, int port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
  for (int i = 0; i < 100; i++) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
      *link = (costs_link){fdopen(fd, "r"), fdopen(dup(fd), "w")};
      return link->in && link->out;
    }
    if (fd >= 0) close(fd);
    usleep(20000);
  }
  return false;
}

/* Reads one reply; false: an error, or the connection is gone. */
static inline bool costs_reply(FILE *redis, char *line, int size) {
  if (!fgets(line, size, redis) || *line == '-') return false;
  long count = strtol(line + 1, NULL, 10);
  if (*line == '$')
    for (long i = 0; i < count + 2; i++)
      if (fgetc(redis) == EOF) return false;
  for (long i = 0; *line == '*' && i < count; i++) {
    char item[256];
    if (!costs_reply(redis, item, sizeof item)) return false;
  }
  return true;
}

static inline void costs_request(FILE *redis, int number, const char *script) {
  char name[16], fragment[COSTS_FRAGMENT + 1];
  int length = snprintf(name, sizeof name, "w%d", number);
  memset(fragment, 'x', COSTS_FRAGMENT);
  fragment[COSTS_FRAGMENT] = 0;
  fprintf(redis, "*5\r\n$4\r\nEVAL\r\n$%zu\r\n%s\r\n$1\r\n0\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n", strlen(script), script,
          length, name, COSTS_FRAGMENT, fragment);
}

/* Sends so many requests and waits for all the replies. */
static inline bool costs_requests(costs_link *redis, int count) {
  char line[256];
  for (int k = 0; k < count; k++) costs_request(redis->out, k % 1024, COSTS_SCRIPT);
  fflush(redis->out);
  for (int k = 0; k < count; k++)
    if (!costs_reply(redis->in, line, sizeof line)) return false;
  return true;
}

static inline double costs_cpu_of(pid_t pid) {
  clockid_t clock;
  struct timespec now;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The server's own time for a request, when many come at a time: CPU time, as other things may run beside it. */
static inline double costs_served(costs_link *redis, pid_t pid) {
  enum { BATCHES = 200, BATCH = 50 };
  double began = costs_cpu_of(pid);
  for (int i = 0; i < BATCHES; i++)
    if (!costs_requests(redis, BATCH)) return 0;
  return (costs_cpu_of(pid) - began) / (BATCHES * BATCH);
}

/* The way there and back, with next to nothing to do there: the best tenth of many, for the same reason. */
static inline double costs_way(costs_link *redis) {
  enum { COUNT = 3000 };
  static double times[COUNT];
  char line[256];
  for (int i = 0; i < COUNT; i++) {
    double began = eo__seconds();
    fputs("PING\r\n", redis->out);
    fflush(redis->out);
    if (!costs_reply(redis->in, line, sizeof line)) return 0;
    double now = eo__seconds() - began;
    int at = i;
    for (; at > 0 && times[at - 1] > now; at--) times[at] = times[at - 1];
    times[at] = now;
  }
  return times[COUNT / 10];
}

static inline void costs_redis(costs *c) {
  c->redis = COSTS_REDIS;
  c->trip = COSTS_TRIP;
  int port = costs_port();
  pid_t pid = port ? costs_start_redis(port) : -1;
  if (pid <= 0) return;
  costs_link redis = {0};
  if (costs_connect(&redis, port) && costs_requests(&redis, 1000)) {
    double served = costs_served(&redis, pid), way = costs_way(&redis);
    c->have_redis = served > 0 && way > 0;
    if (c->have_redis) {
      c->redis = served;
      c->trip = way;
    }
  }
  if (redis.in) fclose(redis.in);
  if (redis.out) fclose(redis.out);
  kill(pid, SIGTERM);
  waitpid(pid, NULL, 0);
}

static inline costs costs_measure(void) {
  costs c = {.execution = costs_execution(), .split = costs_split(), .memory = costs_memory()};
  costs_redis(&c);
  return c;
}

#endif
