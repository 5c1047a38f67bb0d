/* traces_roles.c: the pool and the two workers of examples/demo.c, with each in each other's place in the order of processes.
 * A step can fail, and which process goes on by default differs from test to test: traces.sh compares what is explored.
 * And a process whose exit touches more if it comes before an unlink. */
#include <everyorder.h>

enum { HOW_MANY, TAKE, GIVE_BACK, ANSWER, STOP, DONE, MEET };

static const int connections = 1;

static void pool(void *argument) {
  int idle = *(const int *)argument;
  for (;;) {
    eo_message request;
    eo_receive(&request, EO_FOREVER);
    if (request.tag == STOP) return;
    if (request.tag == HOW_MANY) eo_send(request.from, ANSWER, &idle, sizeof idle);
    if (request.tag == TAKE) eo_assert(idle-- > 0, "the last connection is given to two workers");
    if (request.tag == GIVE_BACK) idle++;
  }
}

static void look_and_take(eo_pid server) {
  eo_message reply;
  eo_send(server, HOW_MANY, NULL, 0);
  eo_receive_tag(&reply, ANSWER, EO_FOREVER);
  if (*(const int *)reply.data <= 0) return;
  eo_send(server, TAKE, NULL, 0);
  eo_send(server, GIVE_BACK, NULL, 0);
}

/* Those that a worker is to know; whom it was not told when it was spawned, it meets. */
typedef struct others {
  eo_pid pool, closer;
} others;

static eo_pid meet(void) {
  eo_message message;
  eo_receive_tag(&message, MEET, EO_FOREVER);
  return *(const eo_pid *)message.data;
}

static void introduce(eo_pid to, eo_pid who) { eo_send(to, MEET, &who, sizeof who); }

static void work(others o) {
  look_and_take(o.pool);
  eo_send(o.closer, DONE, NULL, 0);
}

static void work_and_close(others o) {
  eo_message message;
  look_and_take(o.pool);
  eo_receive_tag(&message, DONE, EO_FOREVER);
  eo_send(o.pool, STOP, NULL, 0);
}

static void worker(void *argument) {
  others o = *(const others *)argument;
  if (!o.pool) o.pool = meet();
  if (!o.closer) o.closer = meet();
  work(o);
}

static void closer(void *argument) {
  others o = *(const others *)argument;
  if (!o.pool) o.pool = meet();
  work_and_close(o);
}

static eo_pid spawn_pool(void) { return eo_spawn(pool, &connections, sizeof connections); }

EO_TEST(pool_closer_worker) {
  others o = {.pool = eo_self()};
  o.closer = eo_spawn(closer, &o, sizeof o);
  eo_spawn(worker, &o, sizeof o);
  int own = connections;
  pool(&own);
}

EO_TEST(pool_worker_closer) {
  others o = {.pool = eo_self()};
  eo_pid first = eo_spawn(worker, &o, sizeof o);
  introduce(first, eo_spawn(closer, &o, sizeof o));
  int own = connections;
  pool(&own);
}

EO_TEST(worker_pool_closer) {
  others o = {.pool = spawn_pool()};
  o.closer = eo_spawn(closer, &o, sizeof o);
  work(o);
}

EO_TEST(worker_closer_pool) {
  others o = {0};
  o.closer = eo_spawn(closer, &o, sizeof o);
  o.pool = spawn_pool();
  introduce(o.closer, o.pool);
  work(o);
}

EO_TEST(closer_worker_pool) {
  others o = {.closer = eo_self()};
  eo_pid first = eo_spawn(worker, &o, sizeof o);
  o.pool = spawn_pool();
  introduce(first, o.pool);
  work_and_close(o);
}

EO_TEST(none_closer_pool_worker) {
  others o = {0};
  o.closer = eo_spawn(closer, &o, sizeof o);
  o.pool = spawn_pool();
  eo_spawn(worker, &o, sizeof o);
  introduce(o.closer, o.pool);
}

static void listen(void *argument) {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  if (*(const int *)argument) eo_exit(1);
}

static void unlink_in_time(void *argument) {
  const eo_pid *both = argument;
  eo_link(both[0]);
  eo_link(both[1]);
  eo_send(both[0], DONE, NULL, 0);
  eo_send(both[1], DONE, NULL, 0);
  eo_unlink(both[1]);
}

/* The second listener's exit comes before the unlink or after it. Only before it does it end the third process, and only
 * then does it matter whether the first listener's exit, of which that is told, too, comes before it. */
static void exit_before_unlink_(void) {
  eo_message message;
  eo_trap_exit(true);
  eo_pid both[2];
  for (int i = 0; i < 2; i++) both[i] = eo_spawn_link(listen, &i, sizeof i);
  eo_spawn_link(unlink_in_time, both, sizeof both);
  for (int i = 0; i < 3; i++) eo_receive(&message, EO_FOREVER);
}

EO_TEST(exit_before_unlink) { exit_before_unlink_(); }

static const eo_machine onlooker = {
    .name = "onlooker", EO_OBSERVES(MEET), EO_STATES({.name = "ready", .on = EO_ON(EO_IGNORE(MEET))})};

EO_TEST(exit_before_unlink_seen) {
  eo_specify(&onlooker, NULL, 0);
  exit_before_unlink_();
}
