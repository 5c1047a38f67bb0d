/* resource.c: RESOURCE(x,y) of Simsa et al. 2012, section 4.1: x users acquire and release y resources, all of them processes.
 *
 * A resource grants itself to whoever asks while it is free; otherwise it queues the request and does not answer; when
 * it is released, the first in its queue gets it. The test passes when all users got all that they asked for: one that
 * did not is left waiting, which is a deadlock.
 *
 * The report leaves to the users' "internal logic" what they ask for, and to the resource which of the waiting is next
 * (here: the first). resource_X_Y: user u takes resources u, u + 1 and u + 3, modulo y, one after the other, each
 * released before the next. Of all that were counted, which were some 700 ways to take up to three resources in a
 * ring, this comes nearest to the report's branches: 433,441 executions that can be told apart for 5 users and 5
 * resources (report: 461,504), 14,934,879 for 6 and 6 (report: about 18.5 million). In pools of two or three a user
 * takes the same one twice.
 *
 * Three more, of n users and n resources, in which a resource that is taken looks at nothing but its release, as a
 * mutex would, so that only the order of acquisitions counts:
 *   resource_cyclic_N  take all, from the own one on round the ring, then release all. Fails: deadlock.
 *   resource_fixed_N   take all in the same order, then release all: n! executions.
 *   resource_single_N  take and release one at a time, from the own one on round the ring. */
#include <everyorder.h>

enum { ACQUIRE, RELEASE, GRANTED };

enum { MAX_USERS = 6, MAX_RESOURCES = 6, MAX_WANTED = 6 };

/* ---- Resources -------------------------------------------------------------------------------------------------- */

struct resource {
  int uses; /* how often it will be acquired and released in all, so that it knows when to end */
};

static void grant(eo_pid user) { eo_send(user, GRANTED, NULL, 0); }

static void queueing_resource(void *argument) {
  const struct resource *self = argument;
  eo_pid users[MAX_USERS] = {EO_NOBODY}; /* the first has it, the others wait */
  int count = 0;
  for (int i = 0; i < 2 * self->uses; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    if (message.tag == ACQUIRE) {
      eo_assert(count < MAX_USERS, "more requests than users");
      users[count++] = message.from;
      if (count == 1) grant(message.from);
    } else {
      eo_assert(count > 0 && users[0] == message.from, "released by one who does not have it");
      count--;
      for (int k = 0; k < count; k++) users[k] = users[k + 1];
      if (count > 0) grant(users[0]);
    }
  }
}

static void mutex_resource(void *argument) {
  const struct resource *self = argument;
  for (int i = 0; i < self->uses; i++) {
    eo_message request, release;
    eo_receive_tag(&request, ACQUIRE, EO_FOREVER);
    const eo_pid user = request.from;
    grant(user);
    eo_receive_tag(&release, RELEASE, EO_FOREVER);
    eo_assert(release.from == user, "released by one who does not have it");
  }
}

/* ---- Users ------------------------------------------------------------------------------------------------------ */

struct user {
  int count;  /* of resources it wants */
  bool keeps; /* all until it has the last */
  eo_pid wanted[MAX_WANTED];
};

static void acquire(eo_pid resource) {
  eo_message message;
  eo_send(resource, ACQUIRE, NULL, 0);
  eo_receive(&message, EO_FOREVER);
  eo_assert(message.tag == GRANTED && message.from == resource, "asked for one resource, got another");
}

static void user(void *argument) {
  const struct user *self = argument;
  for (int i = 0; i < self->count; i++) {
    acquire(self->wanted[i]);
    if (!self->keeps) eo_send(self->wanted[i], RELEASE, NULL, 0);
  }
  if (self->keeps)
    for (int i = 0; i < self->count; i++) eo_send(self->wanted[i], RELEASE, NULL, 0);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------ */

struct plan {
  int users, resources;
  int steps[MAX_WANTED]; /* where the user takes its resources, counted from its own number ... */
  int count;
  bool same; /* ... or from 0, the same for all */
  bool keeps;
  eo_function resource;
};

static int wanted(const struct plan *plan, int number, int i) {
  return ((plan->same ? 0 : number) + plan->steps[i]) % plan->resources;
}

static void run(const struct plan *plan) {
  struct resource resources[MAX_RESOURCES] = {{0}};
  eo_pid pids[MAX_RESOURCES];
  for (int u = 0; u < plan->users; u++)
    for (int i = 0; i < plan->count; i++) resources[wanted(plan, u, i)].uses++;
  for (int r = 0; r < plan->resources; r++) pids[r] = eo_spawn(plan->resource, &resources[r], sizeof(resources[r]));
  for (int u = 0; u < plan->users; u++) {
    struct user self = {.count = plan->count, .keeps = plan->keeps};
    for (int i = 0; i < plan->count; i++) self.wanted[i] = pids[wanted(plan, u, i)];
    eo_spawn(user, &self, sizeof(self));
  }
}

#define RESOURCE(x, y)                                                                                   \
  EO_TEST(resource_##x##_##y) {                                                                          \
    run(&(struct plan){                                                                                  \
        .users = (x), .resources = (y), .steps = {0, 1, 3}, .count = 3, .resource = queueing_resource}); \
  }

#define AS_MUTEXES(n, is_same, does_keep)         \
  run(&(struct plan){.users = (n),                \
                     .resources = (n),            \
                     .steps = {0, 1, 2, 3, 4, 5}, \
                     .count = (n),                \
                     .same = (is_same),           \
                     .keeps = (does_keep),        \
                     .resource = mutex_resource})

#define MUTEXES(n)                                             \
  EO_TEST(resource_cyclic_##n) { AS_MUTEXES(n, false, true); } \
  EO_TEST(resource_fixed_##n) { AS_MUTEXES(n, true, true); }   \
  EO_TEST(resource_single_##n) { AS_MUTEXES(n, false, false); }

RESOURCE(1, 1)
RESOURCE(2, 2)
RESOURCE(2, 3)
RESOURCE(2, 4)
RESOURCE(3, 3)
RESOURCE(3, 4)
RESOURCE(3, 5)
RESOURCE(4, 4)
RESOURCE(4, 5)
RESOURCE(4, 6)
RESOURCE(5, 5)
RESOURCE(5, 6)
RESOURCE(6, 6)

MUTEXES(2)
MUTEXES(3)
MUTEXES(4)
MUTEXES(5)
MUTEXES(6)
