/* scheduling.c: SCHEDULING(x) of Simsa et al. 2012, section 4.1: x users send one request each to a coordinator, which schedules
 * it if it can be serviced, going by its own picture of what is left of the cluster, and refuses it otherwise.
 *
 * The test passes when the requests that were scheduled are satisfiable, all together, from what the cluster has. It
 * has not enough for all of them, so that the order decides who is refused. The coordinator sees each order: x!
 * executions, as in the report (9: 362,880; 10: 3.6 million).
 *
 * The report leaves open what a request is and whether users hear what became of it. Here a request is an amount of
 * processors and memory, to be had on one machine; nobody is answered, since an answer to a user that waits for nothing
 * else brings no further order. The coordinator is the test's own process. */
#include <everyorder.h>

enum { SCHEDULE };

enum { MACHINES = 2, MAX_REQUESTS = 10 };

struct amount {
  int processors, memory;
};

static const struct amount machine = {8, 12};

struct request {
  eo_pid coordinator;
  struct amount amount;
};

static void user(void *argument) {
  const struct request *self = argument;
  eo_send(self->coordinator, SCHEDULE, &self->amount, sizeof(self->amount));
}

/* What user number u wants. */
static struct amount demand(int u) { return (struct amount){1 + u % 3, 1 + u % 4}; }

struct placement {
  struct amount amount;
  int machine;
};

/* The first machine that has enough left, or MACHINES. */
static int place(struct amount *left, struct amount wanted) {
  int m = 0;
  while (m < MACHINES && (left[m].processors < wanted.processors || left[m].memory < wanted.memory)) m++;
  if (m < MACHINES) {
    left[m].processors -= wanted.processors;
    left[m].memory -= wanted.memory;
  }
  return m;
}

/* Adds up anew, without the coordinator's picture. */
static void check(const struct placement *scheduled, int count) {
  struct amount used[MACHINES] = {{0, 0}};
  for (int i = 0; i < count; i++) {
    struct amount *of = &used[scheduled[i].machine];
    of->processors += scheduled[i].amount.processors;
    of->memory += scheduled[i].amount.memory;
  }
  for (int m = 0; m < MACHINES; m++)
    eo_assert(used[m].processors <= machine.processors && used[m].memory <= machine.memory,
              "machine %d is given more than it has", m);
}

static void scheduling(int users) {
  struct amount left[MACHINES];
  struct placement scheduled[MAX_REQUESTS];
  int count = 0;
  for (int m = 0; m < MACHINES; m++) left[m] = machine;
  for (int u = 0; u < users; u++) {
    const struct request request = {eo_self(), demand(u)};
    eo_spawn(user, &request, sizeof(request));
  }
  for (int i = 0; i < users; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    const struct amount wanted = *(const struct amount *)message.data;
    const int m = place(left, wanted);
    if (m < MACHINES) scheduled[count++] = (struct placement){wanted, m};
  }
  check(scheduled, count);
}

#define SCHEDULING(x) \
  EO_TEST(scheduling_##x) { scheduling(x); }

SCHEDULING(1)
SCHEDULING(2)
SCHEDULING(3)
SCHEDULING(4)
SCHEDULING(5)
SCHEDULING(6)
SCHEDULING(7)
SCHEDULING(8)
SCHEDULING(9)
SCHEDULING(10)
