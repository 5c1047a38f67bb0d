/* demo.c: a pool with one connection, two workers, and a bug that hardly ever shows.
 *
 * A worker that finds no idle connection goes without; that is fine. But it asks whether there is one with one message,
 * and takes it with another. Nearly every order of events is good: the other worker must look in between, and take
 * before the connection is back. */
#include <everyorder.h>

enum { HOW_MANY, TAKE, TRY_TO_TAKE, GIVE_BACK, ANSWER, STOP, DONE };

/* ---- The server ------------------------------------------------------------------------------------------------- */

static void answer(eo_pid worker, int value) { eo_send(worker, ANSWER, &value, sizeof(value)); }

static void pool(void *argument) {
  int idle = *(const int *)argument; /* connections that nobody uses */

  for (;;) {
    eo_message request;
    eo_receive(&request, EO_FOREVER);
    switch (request.tag) {
      case HOW_MANY: answer(request.from, idle); break;
      case TAKE:
        eo_assert(idle > 0, "the last connection is given to two workers");
        idle--;
        break;
      case TRY_TO_TAKE:
        answer(request.from, idle > 0);
        if (idle > 0) idle--;
        break;
      case GIVE_BACK: idle++; break;
      case STOP: return;
    }
  }
}

static int ask(eo_pid server, int question) {
  eo_message reply;
  eo_send(server, question, NULL, 0);
  eo_receive_tag(&reply, ANSWER, EO_FOREVER);
  return *(const int *)reply.data;
}

/* ---- Its users -------------------------------------------------------------------------------------------------- */

/* The bug: the answer was true when it was given. By the time of the second message it may not be. */
static void look_and_take(eo_pid server) {
  if (ask(server, HOW_MANY) > 0) {
    eo_send(server, TAKE, NULL, 0);
    eo_send(server, GIVE_BACK, NULL, 0);
  }
}

/* The fix: the server looks and takes, on one message. */
static void take_if_idle(eo_pid server) {
  if (ask(server, TRY_TO_TAKE)) eo_send(server, GIVE_BACK, NULL, 0);
}

struct worker {
  void (*work)(eo_pid server);
  eo_pid pool, test;
};

static void worker(void *argument) {
  const struct worker *self = argument;
  self->work(self->pool);
  eo_send(self->test, DONE, NULL, 0);
}

/* ---- The tests -------------------------------------------------------------------------------------------------- */

/* The test itself is the second worker. */
static void two_workers(void (*work)(eo_pid server)) {
  const int connections = 1;
  const eo_pid server = eo_spawn(pool, &connections, sizeof(connections));
  const struct worker other = {work, server, eo_self()};
  eo_message message;
  eo_spawn(worker, &other, sizeof(other));
  work(server);
  eo_receive_tag(&message, DONE, EO_FOREVER);
  eo_send(server, STOP, NULL, 0);
}

EO_TEST(look_then_take) { two_workers(look_and_take); } /* fails: assertion */
EO_TEST(take_in_one_go) { two_workers(take_if_idle); }  /* passes */
