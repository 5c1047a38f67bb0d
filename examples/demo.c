/* demo.c: a pool with one connection, two workers, and a bug that hardly ever shows.
 *
 * A worker that finds no idle connection gives up; that is fine. But it asks whether there is one in one message, and
 * takes it in another. Run it a million times on an idle machine and it works a million times. */
#include <everyorder.h>

enum { HOW_MANY, TAKE, TRY_TAKE, GIVE_BACK, STOP, ANSWER, DONE };

/* ---- The server ----------------------------------------------------------------------------------------------- */

static void answer(eo_pid worker, int value) { eo_send(worker, ANSWER, &value, sizeof(value)); }

static void pool(void *argument) {
  int idle = *(const int *)argument; /* connections that nobody uses */

  for (;;) {
    eo_message request;
    eo_receive(&request, EO_FOREVER);
    switch (request.tag) {
      case HOW_MANY: answer(request.from, idle); break;
      case TAKE:
        idle--;
        eo_assert(idle >= 0, "one connection is used by two workers");
        break;
      case TRY_TAKE:
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

/* ---- Its users ------------------------------------------------------------------------------------------------ */

struct worker {
  eo_pid pool, test;
};

static void hasty_worker(void *argument) {
  const struct worker *self = argument;
  if (ask(self->pool, HOW_MANY) > 0) {
    /* The bug: the answer was true when it was given. */
    eo_send(self->pool, TAKE, NULL, 0);
    eo_send(self->pool, GIVE_BACK, NULL, 0);
  }
  eo_send(self->test, DONE, NULL, 0);
}

static void careful_worker(void *argument) {
  const struct worker *self = argument;
  if (ask(self->pool, TRY_TAKE)) /* The fix: look and take in one message. */
    eo_send(self->pool, GIVE_BACK, NULL, 0);
  eo_send(self->test, DONE, NULL, 0);
}

/* ---- The tests ------------------------------------------------------------------------------------------------ */

static void two_workers(eo_function work) {
  const int connections = 1;
  const struct worker worker = {eo_spawn(pool, &connections, sizeof(connections)), eo_self()};
  eo_message message;
  for (int i = 0; i < 2; i++) eo_spawn(work, &worker, sizeof(worker));
  for (int i = 0; i < 2; i++) eo_receive_tag(&message, DONE, EO_FOREVER);
  eo_send(worker.pool, STOP, NULL, 0);
}

EO_TEST(look_then_take) { two_workers(hasty_worker); } /* fails: assertion */
EO_TEST(try_to_take) { two_workers(careful_worker); }  /* passes */
