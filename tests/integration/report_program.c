/* report_program.c: what the browser tests of the HTML report look at: a hostile program, every operation, and an
 * interleaving of many steps and many processes. */
#include <stdio.h>
#include <string.h>

#include <everyorder.h>

enum { HELLO, DONE, NEVER };

/* ---- Names, messages and texts that would be markup, if they were not text ---- */

static void hostile_child(void *argument) {
  static const char script[] = "<script>window.pwned=1</script><!--";
  static const char image[] = "<img src=x onerror=pwned=1>";
  static const char ends[] = "</script><script>pwned=1";
  const eo_pid parent = *(const eo_pid *)argument;
  eo_register("<svg onload=window.pwned=1>", eo_self());
  eo_send(parent, HELLO, script, sizeof(script));
  eo_send(parent, HELLO, image, sizeof(image));
  eo_send(parent, HELLO, ends, sizeof(ends));
}

EO_TEST(hostile) {
  const eo_pid self = eo_self();
  eo_message message;
  eo_register("</script><script>window.pwned=1</script>", self);
  eo_spawn(hostile_child, &self, sizeof(self));
  for (int i = 0; i < 3; i++) eo_receive(&message, EO_FOREVER);
  eo_send_name("</script><script>window.pwned=1</script>", HELLO, "\xe2\x80\xa8\xff<&>", 8);
  eo_assert(false, "</script><img src='http://127.0.0.1:9/x' onerror='pwned=1'><b>&amp; \"quoted\" \xe2\x80\xa8 %s",
            "<iframe src=javascript:pwned=1>");
}

/* ---- Every operation ---- */

static void wait_for(int tag) {
  eo_message message;
  eo_receive_tag(&message, tag, EO_FOREVER);
}

static void helper(void *argument) {
  (void)argument;
  wait_for(HELLO);
}

static void failing(void *argument) {
  (void)argument;
  eo_exit(7);
}

EO_TEST(every_operation) {
  eo_message message;
  eo_register("main", eo_self());
  eo_trap_exit(true);
  const eo_pid child = eo_spawn(helper, NULL, 0);
  eo_register("helper", child);
  eo_link(child);
  const eo_ref ref = eo_monitor(child);
  eo_demonitor(ref, 0);
  eo_monitor(child);
  eo_unlink(child);
  const bool found = eo_whereis("helper") == child;
  eo_unregister("helper");
  const unsigned number = eo_choose(3);
  eo_sleep(20);
  eo_receive_tag(&message, DONE, 10);
  eo_send(child, HELLO, "hello", 6);
  eo_spawn_link(failing, NULL, 0);
  eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  eo_receive_tag(&message, EO_EXIT, EO_FOREVER);
  eo_send(eo_self(), NEVER, NULL, 0);
  eo_assert(found && number != 2, "the number is %u", number);
}

/* ---- 200 processes, 10,000 steps ---- */

enum { PROCESSES = 199, ROUNDS = 12 };

static void echo(void *argument) {
  const eo_pid parent = *(const eo_pid *)argument;
  for (int i = 0; i < ROUNDS; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    eo_send(parent, DONE, message.data, message.size);
  }
}

EO_TEST(long_way) {
  const eo_pid self = eo_self();
  eo_pid children[PROCESSES];
  char name[32];
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = eo_spawn(echo, &self, sizeof(self));
    snprintf(name, sizeof(name), "echo-%03d", i + 1);
    eo_register(name, children[i]);
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < PROCESSES; i++) eo_send(children[i], HELLO, &round, sizeof(round));
    for (int i = 0; i < PROCESSES; i++) wait_for(DONE);
  }
  eo_send(self, NEVER, NULL, 0);
  eo_assert(false, "after a long way");
}

/* ---- Variables of a machine ---- */

typedef struct counter {
  int count;
  char label[8];
} counter;

static void add_one(void *self, const eo_message *event) {
  counter *variables = self;
  (void)event;
  variables->count++;
  memcpy(variables->label, "<b>", 4);
  eo_assert(variables->count < 2, "counted too far");
}

static const eo_machine counter_machine = {.name = "counter",
                                           EO_VARIABLES(counter),
                                           EO_STATES([0] = {.name = "counting", .on = EO_ON(EO_DO(HELLO, add_one))})};

EO_TEST(variables) {
  eo_pid pid = eo_create(&counter_machine, NULL, 0);
  eo_send(pid, HELLO, NULL, 0);
  eo_send(pid, HELLO, NULL, 0);
}

/* ---- Two that wait for each other: each asks first, and answers only then ---- */

static void asks_first(void *argument) {
  const eo_pid other = argument ? *(const eo_pid *)argument : EO_NOBODY;
  eo_message message;
  if (!other) eo_receive_tag(&message, HELLO, EO_FOREVER); /* who the other one is */
  eo_send(other ? other : *(const eo_pid *)message.data, DONE, NULL, 0);
  wait_for(NEVER);
}

EO_TEST(circle) {
  const eo_pid first = eo_spawn(asks_first, NULL, 0), second = eo_spawn(asks_first, &first, sizeof(first));
  eo_send(first, HELLO, &second, sizeof(second));
}
