/* program.c: the functions of everyorder.h that a process calls. Each checks its arguments, so that misuse is the same
 * finding under every runtime, fills an eo_op and lets the runtime of this thread carry it out. */
#include "core/program.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/jump_return.h"
#include "base/own.h"

#include <front.h>

#define EO_NAME_MAX 63

_Thread_local const eo_runtime *eo__runtime;
EO_OWN_THREAD(eo__runtime);

/* Declared by constructors, before main: plain arrays, so that order of construction does not matter. */
static eo_test *first_test;
static eo_test **last_test = &first_test;

static eo_message_type *first_type;
static eo_message_type **last_type = &first_type;

/* Tags below this one are looked at more closely: the negative ones, or all once a type is declared. One comparison at each
 * send, whether or not anything is declared. */
static int checked_below;

enum { SHARED_MAX = 1024 };
EO_OWN static eo_shared_range shared_ranges[SHARED_MAX];
EO_OWN static size_t shared_count;

static const char *const op_names[EO_OP_KINDS] = {
    "spawn",    "send",       "receive", "exit",   "link",  "unlink", "trap_exit", "monitor", "demonitor",
    "register", "unregister", "whereis", "choose", "sleep", "kill",   "is_alive",  "signal",  "fault",
};

const char *eo__op_name(eo_op_kind kind) { return (unsigned)kind < EO_OP_KINDS ? op_names[kind] : "?"; }

static const eo_runtime *runtime(const char *function) {
  if (!eo__runtime) {
    fprintf(stderr,
            "everyorder: %s called outside a process: call it from a test, from a function given to eo_spawn, "
            "eo_explore or eo_live_run\n",
            function);
    abort();
  }
  return eo__runtime;
}

void eo__misuse(const eo_place *place, const char *function, const char *what) {
  char text[512];
  snprintf(text, sizeof text, "%s: %s", function, what);
  runtime(function)->fail("misuse", place, text);
}

static void check_bytes(const eo_place *place, const char *function, const void *data, size_t size) {
  if (!data && size > 0) eo__misuse(place, function, "no data, but a size above 0");
}

/* ---- What messages carry ---------------------------------------------------------------------------------------- */

void eo_message_add(eo_message_type *type) {
  *last_type = type;
  last_type = &type->next;
  checked_below = INT_MAX;
}

const eo_message_type *eo__message_types(void) { return first_type; }

/* One of those that are declared for this tag and have this size and, unless that is NULL, this name; else one that is declared for the
 * tag and differs; NULL: nothing is declared for it. */
static const eo_message_type *declared_type(int tag, size_t size, const char *name, bool *fits) {
  const eo_message_type *other = NULL;
  for (const eo_message_type *type = first_type; type; type = type->next) {
    if (type->tag != tag) continue;
    *fits = type->size == size && (!name || strcmp(eo__type_name(type->type), eo__type_name(name)) == 0);
    if (*fits) return type;
    other = type;
  }
  return other;
}

const char *eo__type_name(const char *type) {
  static const char *const words[] = {"const ", "struct ", "union ", "enum ", "class "};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(type, words[i], strlen(words[i])) == 0) type += strlen(words[i]);
  return type;
}

void eo__tag_check(const eo_place *place, const char *function, int tag, size_t size) {
  char text[400];
  bool fits = true;
  if (tag < 0) eo__misuse(place, function, "negative tags are the library's own");
  const eo_message_type *type = declared_type(tag, size, NULL, &fits);
  if (!type || fits) return;
  snprintf(text, sizeof text, "%.120s carries %.120s, which has %zu bytes, but %zu are sent", type->name, type->type,
           type->size, size);
  eo__misuse(place, function, text);
}

/* Before each send. */
static inline void check_tag(const eo_place *place, const char *function, int tag, size_t size) {
  if (__builtin_expect(tag < checked_below, 0)) eo__tag_check(place, function, tag, size);
}

const void *eo_data_(const eo_place *place, const eo_message *message, size_t size, const char *name) {
  char text[400];
  bool fits = true;
  if (!message) eo__misuse(place, "eo_data", "message is NULL");
  const eo_message_type *type = declared_type(message->tag, size, name, &fits);
  if (type && !fits) {
    snprintf(text, sizeof text, "%.120s carries %.120s, and is read as %.120s", type->name, type->type, name);
    eo__misuse(place, "eo_data", text);
  }
  if (message->size != size) {
    snprintf(text, sizeof text, "the message with tag %d has %zu bytes, and %.120s has %zu", message->tag,
             message->size, name, size);
    eo__misuse(place, "eo_data", text);
  }
  return message->data;
}

const char *eo_name_(const eo_place *place, char *room, eo_pid pid) {
  char text[64];
  if (pid == EO_NOBODY) {
    snprintf(room, EO_NAME_ROOM, "nobody");
  } else if (!runtime("eo_name")->name(pid, room, EO_NAME_ROOM)) {
    snprintf(text, sizeof text, "%llu is not a process", (unsigned long long)pid);
    eo__misuse(place, "eo_name", text);
  }
  return room;
}

static void check_name(const eo_place *place, const char *function, const char *name) {
  if (!name) eo__misuse(place, function, "the name is NULL");
  if (!*name) eo__misuse(place, function, "the name is empty");
  if (strnlen(name, EO_NAME_MAX + 1) > EO_NAME_MAX) eo__misuse(place, function, "the name is longer than 63 bytes");
}

static void check_pid(const eo_place *place, const char *function, eo_pid pid) {
  if (pid == EO_NOBODY) eo__misuse(place, function, "the process is EO_NOBODY");
}

/* All zero but for these two. By memset and a barrier: the compiler would otherwise clear just what is not set later, in
 * pieces that straddle the fields, and reading those back would stall. */
static inline __attribute__((always_inline)) void begin(eo_op *op, eo_op_kind kind, const eo_place *place) {
  memset(op, 0, sizeof *op);
  __asm__("" : "+m"(*op));
  op->kind = kind;
  op->place = place;
}

static void spawn(const char *function, eo_op *op) {
  if (!op->function) eo__misuse(op->place, function, "the function is NULL");
  check_bytes(op->place, function, op->data, op->size);
  runtime(function)->perform(op);
}

EO_JUMP_RETURN eo_pid eo_spawn_(const eo_place *place, eo_function function, const void *argument, size_t size) {
  eo_op op;
  begin(&op, EO_OP_SPAWN, place);
  op.function = function;
  op.data = argument;
  op.size = size;
  spawn("eo_spawn", &op);
  return op.result;
}

EO_JUMP_RETURN eo_pid eo_spawn_link_(const eo_place *place, eo_function function, const void *argument, size_t size) {
  eo_op op = {
      .kind = EO_OP_SPAWN, .flags = EO_OP_LINKED, .place = place, .function = function, .data = argument, .size = size};
  spawn("eo_spawn_link", &op);
  return op.result;
}

EO_JUMP_RETURN eo_pid eo_spawn_monitor_(const eo_place *place, eo_function function, const void *argument, size_t size,
                                        eo_ref *ref) {
  if (!ref) eo__misuse(place, "eo_spawn_monitor", "ref is NULL");
  eo_op op;
  begin(&op, EO_OP_SPAWN, place);
  op.flags = EO_OP_MONITORED;
  op.function = function;
  op.data = argument;
  op.size = size;
  spawn("eo_spawn_monitor", &op);
  *ref = op.ref;
  return op.result;
}

eo_pid eo_self(void) { return runtime("eo_self")->self(); }

uint64_t eo_now(void) { return runtime("eo_now")->now(); }

EO_JUMP_RETURN void eo_exit_(const eo_place *place, int reason) {
  eo_op op;
  begin(&op, EO_OP_EXIT, place);
  op.reason = reason;
  runtime("eo_exit")->perform(&op);
  EO_CHECK(!"a process went on after its exit");
  abort();
}

EO_JUMP_RETURN void eo_send_(const eo_place *place, eo_pid to, int tag, const void *data, size_t size) {
  check_tag(place, "eo_send", tag, size);
  check_pid(place, "eo_send", to);
  check_bytes(place, "eo_send", data, size);
  eo_op op;
  begin(&op, EO_OP_SEND, place);
  op.pid = to;
  op.tag = tag;
  op.data = data;
  op.size = size;
  runtime("eo_send")->perform(&op);
}

EO_JUMP_RETURN void eo_send_name_(const eo_place *place, const char *name, int tag, const void *data, size_t size) {
  check_tag(place, "eo_send_name", tag, size);
  check_name(place, "eo_send_name", name);
  check_bytes(place, "eo_send_name", data, size);
  eo_op op = {
      .kind = EO_OP_SEND, .flags = EO_OP_BY_NAME, .place = place, .name = name, .tag = tag, .data = data, .size = size};
  runtime("eo_send_name")->perform(&op);
}

EO_JUMP_RETURN bool eo_try_send_name_(const eo_place *place, const char *name, int tag, const void *data, size_t size) {
  check_tag(place, "eo_try_send_name", tag, size);
  check_name(place, "eo_try_send_name", name);
  check_bytes(place, "eo_try_send_name", data, size);
  eo_op op = {.kind = EO_OP_SEND,
              .flags = EO_OP_BY_NAME | EO_OP_CAUGHT,
              .place = place,
              .name = name,
              .tag = tag,
              .data = data,
              .size = size};
  runtime("eo_try_send_name")->perform(&op);
  return op.result != 0;
}

static bool receive(const char *function, eo_op *op) {
  if (!op->message) eo__misuse(op->place, function, "message is NULL");
  if (op->timeout < EO_FOREVER) eo__misuse(op->place, function, "the timeout is negative and not EO_FOREVER");
  runtime(function)->perform(op);
  if (!op->result) memset(op->message, 0, sizeof *op->message);
  return op->result != 0;
}

EO_JUMP_RETURN bool eo_receive_(const eo_place *place, eo_message *message, int64_t timeout) {
  eo_op op;
  begin(&op, EO_OP_RECEIVE, place);
  op.message = message;
  op.timeout = timeout;
  return receive("eo_receive", &op);
}

EO_JUMP_RETURN bool eo_receive_tag_(const eo_place *place, eo_message *message, int tag, int64_t timeout) {
  eo_op op = {
      .kind = EO_OP_RECEIVE, .place = place, .message = message, .timeout = timeout, .tags = &tag, .tag_count = 1};
  return receive("eo_receive_tag", &op);
}

EO_JUMP_RETURN bool eo_receive_tags_(const eo_place *place, eo_message *message, const int *tags, size_t count,
                                     int64_t timeout) {
  if (!tags || count == 0) eo__misuse(place, "eo_receive_tags", "there are no tags");
  eo_op op = {
      .kind = EO_OP_RECEIVE, .place = place, .message = message, .timeout = timeout, .tags = tags, .tag_count = count};
  return receive("eo_receive_tags", &op);
}

EO_JUMP_RETURN bool eo_receive_if_(const eo_place *place, eo_message *message, eo_predicate accept, void *context,
                                   int64_t timeout) {
  if (!accept) eo__misuse(place, "eo_receive_if", "the predicate is NULL");
  eo_op op;
  begin(&op, EO_OP_RECEIVE, place);
  op.message = message;
  op.timeout = timeout;
  op.accept = accept;
  op.context = context;
  return receive("eo_receive_if", &op);
}

static uint64_t perform(const char *function, eo_op *op) {
  runtime(function)->perform(op);
  return op->kind == EO_OP_MONITOR ? op->ref : op->result;
}

/* `reason`: of a kill. */
static uint64_t on_pid(eo_op_kind kind, const char *function, const eo_place *place, eo_pid pid, int reason) {
  check_pid(place, function, pid);
  eo_op op;
  begin(&op, kind, place);
  op.pid = pid;
  op.reason = reason;
  return perform(function, &op);
}

static uint64_t on_name(eo_op_kind kind, const char *function, const eo_place *place, const char *name) {
  check_name(place, function, name);
  eo_op op;
  begin(&op, kind, place);
  op.flags = kind == EO_OP_MONITOR ? EO_OP_BY_NAME : 0;
  op.name = name;
  return perform(function, &op);
}

EO_JUMP_RETURN void eo_link_(const eo_place *place, eo_pid pid) { on_pid(EO_OP_LINK, "eo_link", place, pid, 0); }

EO_JUMP_RETURN void eo_unlink_(const eo_place *place, eo_pid pid) { on_pid(EO_OP_UNLINK, "eo_unlink", place, pid, 0); }

EO_JUMP_RETURN eo_ref eo_monitor_(const eo_place *place, eo_pid pid) {
  return on_pid(EO_OP_MONITOR, "eo_monitor", place, pid, 0);
}

EO_JUMP_RETURN eo_ref eo_monitor_name_(const eo_place *place, const char *name) {
  return on_name(EO_OP_MONITOR, "eo_monitor_name", place, name);
}

EO_JUMP_RETURN void eo_kill_(const eo_place *place, eo_pid pid, int reason) {
  on_pid(EO_OP_KILL, "eo_kill", place, pid, reason);
}

EO_JUMP_RETURN bool eo_is_alive_(const eo_place *place, eo_pid pid) {
  return on_pid(EO_OP_IS_ALIVE, "eo_is_alive", place, pid, 0) != 0;
}

EO_JUMP_RETURN bool eo_trap_exit_(const eo_place *place, bool on) {
  eo_op op;
  begin(&op, EO_OP_TRAP_EXIT, place);
  op.on = on;
  runtime("eo_trap_exit")->perform(&op);
  return op.result != 0;
}

EO_JUMP_RETURN bool eo_demonitor_(const eo_place *place, eo_ref ref, int flags) {
  if (flags & ~EO_FLUSH) eo__misuse(place, "eo_demonitor", "flags other than EO_FLUSH");
  eo_op op;
  begin(&op, EO_OP_DEMONITOR, place);
  op.flags = flags & EO_FLUSH ? EO_OP_FLUSHED : 0;
  op.ref = ref;
  runtime("eo_demonitor")->perform(&op);
  return op.result != 0;
}

EO_JUMP_RETURN void eo_demonitor_flush_(const eo_place *place, eo_ref ref) {
  eo_op op;
  begin(&op, EO_OP_DEMONITOR, place);
  op.flags = EO_OP_FLUSHED | EO_OP_QUIET;
  op.ref = ref;
  runtime("eo_demonitor_flush")->perform(&op);
}

const char *eo__not_a_monitor(const eo_op *op) {
  return op->flags & EO_OP_QUIET ? "eo_demonitor_flush: not a monitor of this process"
                                 : "eo_demonitor: not a monitor of this process";
}

EO_JUMP_RETURN bool eo_register_(const eo_place *place, const char *name, eo_pid pid) {
  check_name(place, "eo_register", name);
  check_pid(place, "eo_register", pid);
  eo_op op;
  begin(&op, EO_OP_REGISTER, place);
  op.name = name;
  op.pid = pid;
  runtime("eo_register")->perform(&op);
  return op.result != 0;
}

EO_JUMP_RETURN bool eo_unregister_(const eo_place *place, const char *name) {
  return on_name(EO_OP_UNREGISTER, "eo_unregister", place, name) != 0;
}

EO_JUMP_RETURN eo_pid eo_whereis_(const eo_place *place, const char *name) {
  return on_name(EO_OP_WHEREIS, "eo_whereis", place, name);
}

static inline __attribute__((always_inline)) unsigned choose(const eo_place *place, const char *function, unsigned n,
                                                             int flags) {
  if (n == 0) eo__misuse(place, function, "there is nothing to choose from: n is 0");
  if (n > EO_CHOOSE_MAX) eo__misuse(place, function, "n is larger than EO_CHOOSE_MAX");
  eo_op op;
  begin(&op, EO_OP_CHOOSE, place);
  op.flags = flags;
  op.n = n;
  runtime(function)->perform(&op);
  return (unsigned)op.result;
}

EO_JUMP_RETURN unsigned eo_choose_(const eo_place *place, unsigned n) { return choose(place, "eo_choose", n, 0); }
EO_JUMP_RETURN bool eo_flip_(const eo_place *place) { return choose(place, "eo_flip", 2, EO_OP_FLIP) != 0; }
EO_JUMP_RETURN unsigned eo_choose_fair_(const eo_place *place, unsigned n) {
  return choose(place, "eo_choose_fair", n, EO_OP_FAIR);
}
EO_JUMP_RETURN bool eo_flip_fair_(const eo_place *place) {
  return choose(place, "eo_flip_fair", 2, EO_OP_FAIR | EO_OP_FLIP) != 0;
}

EO_JUMP_RETURN bool eo_fault_(const eo_place *place, const char *what) {
  check_name(place, "eo_fault", what);
  eo_op op;
  begin(&op, EO_OP_FAULT, place);
  op.name = what;
  runtime("eo_fault")->perform(&op);
  return op.result != 0;
}

EO_JUMP_RETURN void eo_sleep_(const eo_place *place, int64_t milliseconds) {
  if (milliseconds < 0) eo__misuse(place, "eo_sleep", "a negative time");
  eo_op op;
  begin(&op, EO_OP_SLEEP, place);
  op.timeout = milliseconds;
  runtime("eo_sleep")->perform(&op);
}

EO_JUMP_RETURN void eo_assert_(const eo_place *place, const char *condition, const char *format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, 768, format, arguments);
  va_end(arguments);
  size_t length = strlen(text);
  snprintf(text + length, sizeof text - length, " (%.200s is false)", condition);
  runtime("eo_assert")->fail("assertion", place, text);
}

void eo_finding_(const eo_place *place, const char *class_name, const char *text) {
  char kind[48];
  snprintf(kind, sizeof kind, "mpi/%s", class_name);
  runtime("eo_finding")->fail(kind, place, text);
}

bool eo__op_matches(const eo_op *receive, const eo_message *message) {
  if (receive->flags & EO_OP_DEQUEUE) return eo_reaction(receive->events, message->tag) != EO_REACT_DEFER;
  if (receive->tags) {
    size_t i = 0;
    while (i < receive->tag_count && receive->tags[i] != message->tag) i++;
    if (i == receive->tag_count) return false;
  }
  return !receive->accept || receive->accept(message, receive->context);
}

void eo_test_add(eo_test *test) {
  *last_test = test;
  last_test = &test->next;
}

eo_test *eo__tests(void) { return first_test; }

static eo_test_maker test_maker;
static const char *no_test_named;

void eo_tests_made_by(eo_test_maker make, const char *none) {
  test_maker = make;
  no_test_named = none;
}

const char *eo__tests_none(void) { return no_test_named; }

bool eo__tests_make(const char *name, char *why, size_t size) {
  why[0] = '\0';
  if (!test_maker) return true;
  for (const eo_test *test = first_test; test; test = test->next)
    if (strcmp(test->name, name) == 0) return true;
  eo_test *made = test_maker(name, why, size);
  if (made) eo_test_add(made);
  return made || !why[0];
}

void eo__tests_replace(eo_test *first) {
  first_test = first;
  last_test = &first_test;
  while (*last_test) last_test = &(*last_test)->next;
}

void eo_shared(const void *address, size_t size) {
  /* A second declaration (a test body runs many times) changes nothing, so that captured memory stays as it is. */
  for (size_t i = 0; i < shared_count; i++)
    if (shared_ranges[i].address == address && shared_ranges[i].size == size) return;
  if (shared_count == SHARED_MAX) {
    static const eo_place nowhere = {"", "", 0, NULL};
    eo__misuse(&nowhere, "eo_shared", "more than 1,024 variables are declared");
  }
  shared_ranges[shared_count++] = (eo_shared_range){address, size};
}

void eo__shared_keep(size_t count) {
  if (count < shared_count) shared_count = count;
}

const eo_shared_range *eo__shared_ranges(size_t *count) {
  *count = shared_count;
  return shared_ranges;
}
