/* reg_server_tests.c: the tests of the thesis' chapter 6 (see reg_server.h), on the versions of the server that the
 * chapter runs them on.
 *
 * A test is named after the listing that brings it or that makes it pass. The comment above it says what comes out;
 * "passes" means that all interleavings do. */
#include <everyorder.h>

#include "reg_server.h"

enum { RESULT, DONE, GO_ON }; /* tags of messages between a test and the processes it starts */

/* What a test hands to a process that it starts. */
struct client {
  struct reg_version version;
  eo_pid test;
  int number; /* attach: the number that the test itself has */
};

/* ?assertEqual. A macro, so that a finding names the line of the test. */
#define ASSERT_EQUAL(expected, actual)                                                                               \
  do {                                                                                                               \
    const int want = (expected);                                                                                     \
    const int got = (actual);                                                                                        \
    eo_assert(want == got, "expected %s (%d), got %s (%d)", reg_result_name(want), want, reg_result_name(got), got); \
  } while (0)

/* ?assertEqual([A, B], lists:sort(receive_two())) */
#define ASSERT_RECEIVES_TWO(one, other)                                                          \
  do {                                                                                           \
    const int first = receive_result();                                                          \
    const int second = receive_result();                                                         \
    eo_assert((first == (one) && second == (other)) || (first == (other) && second == (one)),    \
              "expected %s and %s, got %s and %s", reg_result_name(one), reg_result_name(other), \
              reg_result_name(first), reg_result_name(second));                                  \
  } while (0)

static int receive_result(void) {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  eo_assert(message.tag == RESULT, "expected a result, got a message with tag %d", message.tag);
  return *(const int *)message.data;
}

static struct client client_of(const struct reg_version *version) {
  const struct client client = {.version = *version, .test = eo_self()};
  return client;
}

/* ---- Listings 6.3, 6.5: start, ping, stop ----------------------------------------------------------------------- */

static void start_only(const struct reg_version *version) { ASSERT_EQUAL(REG_OK, reg_start(version)); }

static void ping_only(const struct reg_version *version) {
  reg_start(version);
  ASSERT_EQUAL(REG_PONG, reg_ping(version));
  ASSERT_EQUAL(REG_PONG, reg_ping(version));
}

static void start_stop(const struct reg_version *version) {
  ASSERT_EQUAL(REG_OK, reg_start(version));
  ASSERT_EQUAL(REG_OK, reg_stop(version));
}

static void ping(const struct reg_version *version) {
  ping_only(version);
  reg_stop(version);
}

/* ---- Listings 6.8, 6.11: stop more than once -------------------------------------------------------------------- */

static void multiple_stops(const struct reg_version *version) {
  reg_start(version);
  ASSERT_EQUAL(REG_OK, reg_stop(version));
  ASSERT_EQUAL(REG_SERVER_DOWN, reg_stop(version));
}

static void stopper(void *argument) {
  const struct client *client = argument;
  const int result = reg_stop(&client->version);
  eo_send(client->test, RESULT, &result, sizeof(result));
}

static void concurrent_stops(const struct reg_version *version) {
  const struct client client = client_of(version);
  reg_start(version);
  eo_spawn(stopper, &client, sizeof(client));
  eo_spawn(stopper, &client, sizeof(client));
  ASSERT_RECEIVES_TWO(REG_OK, REG_SERVER_DOWN);
}

/* ---- Listing 6.13: ping without a server ------------------------------------------------------------------------ */

static void ping_failure(const struct reg_version *version) {
  ASSERT_EQUAL(REG_SERVER_DOWN, reg_ping(version));
  reg_start(version);
  reg_stop(version);
  ASSERT_EQUAL(REG_SERVER_DOWN, reg_ping(version));
}

static void pinger(void *argument) {
  const int result = reg_ping(argument);
  eo_assert(result == REG_PONG || result == REG_SERVER_DOWN, "expected pong or server_down, got %s",
            reg_result_name(result));
}

static void ping_failure_2(const struct reg_version *version) {
  reg_start(version);
  eo_spawn(pinger, version, sizeof(*version));
  reg_stop(version);
}

/* ---- Listings 6.14, 6.16: start more than once ------------------------------------------------------------------ */

static void multiple_starts(const struct reg_version *version) {
  reg_start(version);
  ASSERT_EQUAL(REG_ALREADY_STARTED, reg_start(version));
  reg_stop(version);
}

static void starter(void *argument) {
  const struct client *client = argument;
  const int result = reg_start(&client->version);
  eo_send(client->test, RESULT, &result, sizeof(result));
}

static void concurrent_starts(const struct reg_version *version) {
  const struct client client = client_of(version);
  eo_spawn(starter, &client, sizeof(client));
  eo_spawn(starter, &client, sizeof(client));
  ASSERT_RECEIVES_TWO(REG_ALREADY_STARTED, REG_OK);
  reg_stop(version);
}

/* ---- Listings 6.18, 6.20: attach -------------------------------------------------------------------------------- */

static void attacher(void *argument) {
  const struct client *client = argument;
  const int number = reg_attach(&client->version);
  ASSERT_EQUAL(number, reg_ping(&client->version));
  eo_assert(number != client->number, "both have number %d", number);
  eo_send(client->test, DONE, NULL, 0);
}

static void attach(const struct reg_version *version) {
  struct client client = client_of(version);
  eo_message message;
  reg_start(version);
  client.number = reg_attach(version);
  eo_spawn(attacher, &client, sizeof(client));
  ASSERT_EQUAL(client.number, reg_ping(version));
  eo_receive_tag(&message, DONE, EO_FOREVER);
  reg_stop(version);
}

static void already_attached(const struct reg_version *version) {
  reg_start(version);
  const int number = reg_attach(version);
  ASSERT_EQUAL(number, reg_attach(version));
  reg_stop(version);
}

static void attach_and_wait(void *argument) {
  const struct client *client = argument;
  eo_message message;
  reg_attach(&client->version);
  eo_send(client->test, DONE, NULL, 0);
  eo_receive_tag(&message, GO_ON, EO_FOREVER);
}

static eo_pid spawn_attach(const struct reg_version *version) {
  const struct client client = client_of(version);
  const eo_pid pid = eo_spawn(attach_and_wait, &client, sizeof(client));
  eo_message message;
  eo_receive_tag(&message, DONE, EO_FOREVER);
  return pid;
}

static void max_attached_proc(const struct reg_version *version) {
  eo_pid attached[REG_MAX_ATTACHED];
  reg_start(version);
  for (int i = 0; i < version->max_attached; i++) attached[i] = spawn_attach(version);
  ASSERT_EQUAL(REG_SERVER_FULL, reg_attach(version));
  for (int i = 0; i < version->max_attached; i++) eo_send(attached[i], GO_ON, NULL, 0);
  reg_stop(version);
}

/* ---- Listings 6.22, 6.23, 6.25, 6.27: detach -------------------------------------------------------------------- */

static void detach(const struct reg_version *version) {
  reg_start(version);
  reg_attach(version);
  reg_detach(version);
  ASSERT_EQUAL(REG_PONG, reg_ping(version));
  reg_stop(version);
}

static void attach_and_detach(void *argument) {
  const struct client *client = argument;
  eo_message message;
  const int number = reg_attach(&client->version);
  reg_detach(&client->version);
  eo_send(client->test, RESULT, &number, sizeof(number));
  eo_receive_tag(&message, GO_ON, EO_FOREVER);
}

/* `others` are attached already when the last one attaches and detaches. */
static void detach_attach(const struct reg_version *version, int others) {
  const struct client client = client_of(version);
  eo_pid attached[REG_MAX_ATTACHED];
  reg_start(version);
  for (int i = 0; i < others; i++) attached[i] = spawn_attach(version);
  const eo_pid last = eo_spawn(attach_and_detach, &client, sizeof(client));
  const int number = receive_result();
  ASSERT_EQUAL(number, reg_attach(version));
  eo_send(last, GO_ON, NULL, 0);
  for (int i = 0; i < others; i++) eo_send(attached[i], GO_ON, NULL, 0);
  reg_stop(version);
}

static void detach_non_attached(const struct reg_version *version) {
  reg_start(version);
  ASSERT_EQUAL(REG_OK, reg_detach(version));
  reg_stop(version);
}

static void attach_and_exit(void *argument) {
  const struct client *client = argument;
  const int number = reg_attach(&client->version);
  eo_send(client->test, RESULT, &number, sizeof(number));
}

static bool is_normal_exit(const eo_message *message, void *pid) {
  if (message->tag != EO_EXIT) return false;
  const eo_exit_info *info = message->data;
  return info->pid == *(const eo_pid *)pid && info->reason == EO_NORMAL;
}

static void detach_on_exit(const struct reg_version *version) {
  const struct client client = client_of(version);
  const int others = version->max_attached - 1;
  eo_pid attached[REG_MAX_ATTACHED];
  eo_message message;
  reg_start(version);
  for (int i = 0; i < others; i++) attached[i] = spawn_attach(version);
  eo_trap_exit(true);
  eo_pid last = eo_spawn_link(attach_and_exit, &client, sizeof(client));
  const int number = receive_result();
  eo_receive_if(&message, is_normal_exit, &last, EO_FOREVER);
  ASSERT_EQUAL(number, reg_attach(version));
  eo_send(last, GO_ON, NULL, 0); /* as in the thesis, though it has exited */
  for (int i = 0; i < others; i++) eo_send(attached[i], GO_ON, NULL, 0);
  reg_stop(version);
}

/* ---- The chapter, step by step ---------------------------------------------------------------------------------- */

/* MAX_ATTACHED_PROC is 2 unless a test says otherwise. */
static const struct reg_version v6_04 = {LISTING_6_4, 2};
static const struct reg_version v6_07 = {LISTING_6_7, 2};
static const struct reg_version v6_09 = {LISTING_6_9, 2};
static const struct reg_version v6_10 = {LISTING_6_10, 2};
static const struct reg_version v6_12 = {LISTING_6_12, 2};
static const struct reg_version v6_15 = {LISTING_6_15, 2};
static const struct reg_version v6_17 = {LISTING_6_17, 2};
static const struct reg_version v6_19 = {LISTING_6_19, 2};
static const struct reg_version v6_21 = {LISTING_6_21, 2};
static const struct reg_version v6_24 = {LISTING_6_24, 2};
static const struct reg_version v6_26 = {LISTING_6_26, 2};
static const struct reg_version v6_28 = {LISTING_6_28, 2};

/* Deadlock, both: nobody stops the server, which waits for a request for ever. */
EO_TEST(l6_04_start_deadlocks) { start_only(&v6_04); }
EO_TEST(l6_04_ping_deadlocks) { ping_only(&v6_04); }

/* Pass, both, in 3 interleavings: client and server exit in any order. */
EO_TEST(l6_07_start_stop) { start_stop(&v6_07); }
EO_TEST(l6_07_ping) { ping(&v6_07); }

/* 3 interleavings, all bad. Abnormal exit, twice: the second stop sends to a name that is gone. Deadlock, once: it
 * sends before the server exits, which then never replies. */
EO_TEST(l6_08_multiple_stops_exception) { multiple_stops(&v6_07); }

/* 4 interleavings, 2 of them bad: abnormal exit and deadlock. The client looks between the server's reply and its exit,
 * and still finds the name. */
EO_TEST(l6_09_multiple_stops_bug) { multiple_stops(&v6_09); }

/* Passes. */
EO_TEST(l6_10_multiple_stops) { multiple_stops(&v6_10); }

/* Both clients see the name, then one of them stops the server. Deadlock, already without any preemption: the other one
 * has sent and is never answered. Abnormal exit: it sends when the name is gone. */
EO_TEST(l6_11_concurrent_stops_bug) { concurrent_stops(&v6_10); }

/* Pass. The thesis counts about 1,700 interleavings for the first at preemption bound 2, and over 800,000 in all. */
EO_TEST(l6_12_concurrent_stops) { concurrent_stops(&v6_12); }
EO_TEST(l6_13_ping_failure) { ping_failure(&v6_12); }
EO_TEST(l6_13_ping_failure_2) { ping_failure_2(&v6_12); }

/* Abnormal exit: the second start cannot register. */
EO_TEST(l6_14_multiple_starts_bug) { multiple_starts(&v6_12); }

/* Passes. */
EO_TEST(l6_15_multiple_starts) { multiple_starts(&v6_15); }

/* Abnormal exit: both find no server and start one; the second to register fails. */
EO_TEST(l6_16_concurrent_starts_bug) { concurrent_starts(&v6_15); }

/* Pass. */
EO_TEST(l6_17_concurrent_starts) { concurrent_starts(&v6_17); }
EO_TEST(l6_19_attach) { attach(&v6_19); }

/* Assertion, both: the second attach gets another number; the server does not survive being full. */
EO_TEST(l6_20_already_attached_bug) { already_attached(&v6_19); }
EO_TEST(l6_20_max_attached_proc_bug) { max_attached_proc(&v6_19); }

/* Pass. For 1 to 4 attached processes the thesis counts 65, 822, 9,789 and 118,038 interleavings at preemption bound
 * 2. */
EO_TEST(l6_21_already_attached) { already_attached(&v6_21); }
EO_TEST(max_attached_proc_1) { max_attached_proc(&(const struct reg_version){LISTING_6_21, 1}); }
EO_TEST(max_attached_proc_2) { max_attached_proc(&(const struct reg_version){LISTING_6_21, 2}); }
EO_TEST(max_attached_proc_3) { max_attached_proc(&(const struct reg_version){LISTING_6_21, 3}); }
EO_TEST(max_attached_proc_4) { max_attached_proc(&(const struct reg_version){LISTING_6_21, 4}); }

/* Assertion. Listing 6.23 as printed attaches MAX_ATTACHED_PROC processes first. The last one then finds the server
 * full, and its detach brings the server down. Meant is one less, as in listing 6.27, which all tests below have. */
EO_TEST(l6_23_detach_attach_as_printed) { detach_attach(&v6_24, 2); }

/* Pass. */
EO_TEST(l6_24_detach) { detach(&v6_24); }
EO_TEST(l6_24_detach_attach) { detach_attach(&v6_24, 1); }

/* Assertion: the server ends, and detach returns server_down. */
EO_TEST(l6_25_detach_non_attached_bug) { detach_non_attached(&v6_24); }

/* Passes. */
EO_TEST(l6_26_detach_non_attached) { detach_non_attached(&v6_26); }

/* Assertion: the number of the process that exited is never free again, so that the server is full. */
EO_TEST(l6_27_detach_on_exit_bug) { detach_on_exit(&v6_26); }

/* Passes. */
EO_TEST(l6_28_detach_on_exit) { detach_on_exit(&v6_28); }

/* ---- Every test on the final server: all pass ------------------------------------------------------------------- */

EO_TEST(final_start_stop) { start_stop(&v6_28); }
EO_TEST(final_ping) { ping(&v6_28); }
EO_TEST(final_multiple_stops) { multiple_stops(&v6_28); }
EO_TEST(final_concurrent_stops) { concurrent_stops(&v6_28); }
EO_TEST(final_ping_failure) { ping_failure(&v6_28); }
EO_TEST(final_ping_failure_2) { ping_failure_2(&v6_28); }
EO_TEST(final_multiple_starts) { multiple_starts(&v6_28); }
EO_TEST(final_concurrent_starts) { concurrent_starts(&v6_28); }
EO_TEST(final_attach) { attach(&v6_28); }
EO_TEST(final_already_attached) { already_attached(&v6_28); }
EO_TEST(final_max_attached_proc) { max_attached_proc(&v6_28); }
EO_TEST(final_detach) { detach(&v6_28); }
EO_TEST(final_detach_attach) { detach_attach(&v6_28, 1); }
EO_TEST(final_detach_non_attached) { detach_non_attached(&v6_28); }
EO_TEST(final_detach_on_exit) { detach_on_exit(&v6_28); }
