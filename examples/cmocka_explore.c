/* cmocka_explore.c: exploring from inside the tests of another framework, here cmocka.
 *
 * Two clients draw a ticket number each from a counter process. Drawn with one message, the numbers always differ; with
 * two, READ and then WRITE, not always. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <everyorder.h>

enum { READ, WRITE, DRAW, STOP, NUMBER };

static void answer(eo_pid to, int number) { eo_send(to, NUMBER, &number, sizeof(number)); }

static void counter(void *argument) {
  int next = 1;
  (void)argument;
  for (;;) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    switch (message.tag) {
      case READ: answer(message.from, next); break;
      case WRITE: next = *(const int *)message.data; break;
      case DRAW: answer(message.from, next++); break;
      case STOP: return;
    }
  }
}

struct client {
  eo_pid counter, test;
  long atomic;
};

static void client(void *argument) {
  const struct client *self = argument;
  eo_message message;
  eo_send(self->counter, self->atomic ? DRAW : READ, NULL, 0);
  eo_receive_tag(&message, NUMBER, EO_FOREVER);
  const int number = *(const int *)message.data, after = number + 1;
  if (!self->atomic)
    eo_send(self->counter, WRITE, &after, sizeof(after)); /* The bug: the other one may have read the same number. */
  answer(self->test, number);
}

/* Runs as P1. The argument points to a bool: draw with one message? */
static void two_clients(void *argument) {
  const struct client self = {eo_spawn(counter, NULL, 0), eo_self(), *(const bool *)argument};
  int numbers[2];
  for (int i = 0; i < 2; i++) eo_spawn(client, &self, sizeof(self));
  for (int i = 0; i < 2; i++) {
    eo_message message;
    eo_receive_tag(&message, NUMBER, EO_FOREVER);
    numbers[i] = *(const int *)message.data;
  }
  eo_assert(numbers[0] != numbers[1], "both drew number %d", numbers[0]);
  eo_send(self.counter, STOP, NULL, 0);
}

/* ---- cmocka ----------------------------------------------------------------------------------------------------- */

static void numbers_differ_in_every_order(void **state) {
  bool atomic = true;
  eo_result result;
  (void)state;
  assert_int_equal(eo_explore(two_clients, &atomic, NULL, &result), 0);
  assert_int_equal(result.verdict, EO_PASS);
  assert_true(result.complete);
  assert_true(result.executions > 1);
  assert_int_equal(result.findings, 0);
}

static void the_bug_is_found(void **state) {
  const eo_options options = {.strategy = "preempt", .bounded = 1, .bound = 2, .name = "two_clients"};
  bool atomic = false;
  eo_result result;
  (void)state;
  assert_int_equal(eo_explore(two_clients, &atomic, &options, &result), 0);
  assert_int_equal(result.verdict, EO_FAIL);
  assert_int_equal(result.findings, 1);
  assert_string_equal(result.kind, "assertion");
  assert_non_null(strstr(result.message, "both drew number 1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_differ_in_every_order),
      cmocka_unit_test(the_bug_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
