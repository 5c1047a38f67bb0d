/* test_model_alloc.c: memory runs out at every allocation of a model in turn: reading it, searching it under each delivery,
 * and as a subject. Each says EO_ENOMEM and leaks nothing, which the sanitizers' build sees. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "subjects/model/bsra.h"
#include "subjects/model/full.h"
#include "subjects/model/related.h"
#include "subjects/model/subject.h"
#include "subjects/model/thin.h"

static const char text[] =
    "mtype = {a, b};\n"
    "typedef pair { byte x; short y[2] };\n"
    "pair p; byte n; chan c[2] = [2] of {mtype, byte};\n"
    "inline add(to, what) { to = to + what }\n"
    "active [2] proctype P() {\n"
    "  byte v; pair q; mtype m;\n"
    "  c[1 - _pid]!a, _pid; add(n, 1);\n"
    "  atomic { p.y[1] = n; if :: n > 1 -> p.x = 3 :: else -> skip fi };\n"
    "  do :: c[_pid]?m, v -> break :: v > 3 -> q.x = (v -> 1 : 2) od;\n"
    "  for (v : 1 .. 2) { n = n * v };\n"
    "  assert(n < 3)\n"
    "}\n";

/* A system of EFSMs. */
static const char ports[] =
    "byte g; chan c[3] = [2] of {byte};\n"
    "active [3] proctype P() {\n"
    "  byte x, n; c[(_pid + 1) % 3]!1; g = _pid; c[(_pid + 2) % 3]!2;\n"
    "  do :: n < 2 -> if :: c[_pid]?x -> n++; assert(x != 2 || n != 1) :: c[_pid]?1 -> n = 2 fi :: n == 2 -> break od\n"
    "}\n";

/* The same with processes that init starts. */
static const char started[] =
    "byte g; chan c[3] = [2] of {byte};\n"
    "proctype P(chan in; byte me) {\n"
    "  byte x, n; c[(me + 1) % 3]!1; c[(me + 2) % 3]!2;\n"
    "  do :: n < 2 -> if :: in?x -> n++; assert(x != 2 || n != 1) :: in?1 -> n = 2 fi :: n == 2 -> break od\n"
    "}\n"
    "init { atomic { run P(c[0], 0); run P(c[1], 1); run P(c[2], 2) } }\n";

static const eo_promela *opened;

static int read_model(eo_error *error) {
  eo_promela *model = eo__promela_read("m.pml", text, sizeof text - 1, error);
  if (!model) return error->code;
  eo__promela_close(model);
  return EO_OK;
}

static int search(eo_delivery delivery, eo_error *error) {
  eo_promela_search s = {.model = opened, .delivery = delivery};
  int code = eo__promela_search_full(&s, error);
  if (code == EO_OK && (!s.complete || s.counts.states < 50)) return EO_EBUG;
  return code;
}

static int search_channels(eo_error *error) { return search(EO_DELIVERY_MAILBOX, error); }
static int search_async(eo_error *error) { return search(EO_DELIVERY_ASYNC, error); }
static int search_causal(eo_error *error) { return search(EO_DELIVERY_CAUSAL, error); }
static int check_ports(eo_error *error) { return eo__promela_check_ports(opened, error); }

static int check_related(eo_error *error) { return eo__promela_check_related(opened, error); }

static int reduce(int (*how)(eo_promela_search *, eo_error *), eo_delivery delivery, bool sleep, eo_error *error) {
  eo_promela_search s = {.model = opened, .delivery = delivery, .sleep = sleep};
  s.visible = how == eo__promela_search_por ? NULL : "g";
  int code = how(&s, error);
  if (code == EO_OK && (!s.complete || s.counts.states < 10)) return EO_EBUG;
  return code;
}

static int search_por(eo_error *error) { return reduce(eo__promela_search_por, EO_DELIVERY_MAILBOX, false, error); }
static int search_bsra(eo_error *error) { return reduce(eo__promela_search_bsra, EO_DELIVERY_CAUSAL, true, error); }
static int search_sra(eo_error *error) { return reduce(eo__promela_search_sra, EO_DELIVERY_ASYNC, false, error); }

static int search_thin(eo_error *error) {
  eo_promela_search s = {.model = opened};
  int code = eo__promela_search_thin(&s, error);
  return code == EO_OK && s.counts.states < 50 ? EO_EBUG : code;
}

static int open_subject(eo_error *error) {
  eo_subject *subject = eo__promela_subject_open(opened, EO_DELIVERY_MAILBOX, error);
  if (!subject) return error->code;
  subject->ops->close(subject);
  return EO_OK;
}

static int open_related(eo_error *error) {
  eo_subject *subject = eo__promela_subject_open(opened, EO_DELIVERY_FIFO, error);
  if (!subject) return error->code;
  subject->ops->close(subject);
  return EO_OK;
}

typedef int operation(eo_error *error);

static void fail_each(operation *run, long at_least) {
  eo_error all = {0};
  eo__alloc_budget = LONG_MAX;
  int code = run(&all);
  long count = LONG_MAX - eo__alloc_budget;
  eo__alloc_budget = -1;
  if (code != EO_OK) fail_msg("with all memory there is: %s", all.text);
  assert_true(count >= at_least);
  for (long n = 0; n < count; n++) {
    eo_error error = {0};
    eo__alloc_budget = n;
    code = run(&error);
    eo__alloc_budget = -1;
    if (code != EO_ENOMEM) fail_msg("allocation %ld of %ld: code %d, '%s'", n + 1, count, code, error.text);
  }
}

static void test_each(void **state) {
  eo_error error = {0};
  (void)state;
  fail_each(read_model, 4);
  eo_promela *model = eo__promela_read("m.pml", text, sizeof text - 1, &error);
  assert_non_null(model);
  opened = model;
  fail_each(search_channels, 10);
  fail_each(search_async, 10);
  fail_each(search_causal, 10);
  fail_each(check_ports, 1);
  fail_each(open_subject, 2);
  fail_each(search_por, 10);
  fail_each(search_thin, 10);
  eo__promela_close(model);
  opened = model = eo__promela_read("ports.pml", ports, sizeof ports - 1, &error);
  assert_non_null(model);
  fail_each(search_bsra, 10);
  fail_each(search_sra, 10);
  eo__promela_close(model);
  opened = model = eo__promela_read("started.pml", started, sizeof started - 1, &error);
  assert_non_null(model);
  fail_each(check_ports, 5);
  fail_each(check_related, 5);
  fail_each(open_related, 5);
  fail_each(search_bsra, 10);
  eo__promela_close(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
