/* random_model.h: random small Promela models over the whole language that is supported, as text. Each model draws which
 * kinds of statements and which channels it has, so that a few of them meet often. What a model may contain beside is said
 * by `random_model_bounds`: what pan does not tell of, or judges otherwise, is left out where pan is asked. */
#ifndef EO_TESTS_RANDOM_MODEL_H
#define EO_TESTS_RANDOM_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/rng.h"
#include "base/text.h"

typedef struct random_model_bounds {
  bool
      faults; /* divisions by zero, indices out of bounds, channels that were never set or are gone, d_steps that block */
  bool claims;  /* xr and xs */
  bool escapes; /* unless */
  bool
      odd; /* what pan 6.5.2 goes wrong in: d_steps beside rendezvous, one variable in two fields of a receive, polls of
                * rendezvous channels */
} random_model_bounds;

enum { MODEL_KINDS = 24, MODEL_NAMES = 4 };

typedef struct model_maker {
  eo_rng rng;
  eo_text text;
  random_model_bounds bounds;
  uint32_t proctypes, self, labels, budget, loops;
  uint32_t kinds[MODEL_KINDS], kind_count; /* of statements in this model */
  const char *channels[MODEL_NAMES];       /* for messages of one byte */
  const char *variables[MODEL_NAMES];
  bool started;  /* some processes are started by run */
  bool meetings; /* there are rendezvous channels */
  bool inside;   /* an atomic sequence or a d_step */
  bool in_dstep; /* no rendezvous, no run */
  bool takes[4]; /* by proctype: it has parameters */
} model_maker;

static uint32_t pick(model_maker *m, uint32_t n) { return eo__rng_below(&m->rng, n); }

#define PUT(...) eo__text_add(&m->text, __VA_ARGS__)
#define PICK_OF(list) list[pick(m, sizeof(list) / sizeof *(list))]

static void model_expression(model_maker *m, uint32_t depth);

static const char *model_variable(model_maker *m) { return m->variables[pick(m, MODEL_NAMES)]; }

static const char *model_channel(model_maker *m) {
  const char *name = m->channels[pick(m, MODEL_NAMES)];
  return m->in_dstep && (name[0] == 'r' || name[0] == 'c') ? "q0" : name;
}

static void model_pattern(model_maker *m) {
  switch (pick(m, 7)) {
    case 0: PUT("%u", pick(m, 3)); break;
    case 1: PUT("eval(%s)", model_variable(m)); break;
    case 2: PUT("_"); break;
    case 3: PUT("x"); break;
    default: PUT("%s", model_variable(m)); break;
  }
}

/* In a poll a variable must be in eval. */
static void model_test_pattern(model_maker *m) {
  switch (pick(m, 3)) {
    case 0: PUT("%u", pick(m, 3)); break;
    case 1: PUT("eval(%s)", model_variable(m)); break;
    default: PUT("_"); break;
  }
}

static void model_condition(model_maker *m) {
  static const char *const compares[] = {"==", "!=", "<", ">="};
  static const char *const asks[] = {"full", "nfull", "empty", "nempty"};
  switch (pick(m, 7)) {
    case 0: PUT("(len(%s) > %u)", model_channel(m), pick(m, 2)); break;
    case 1: PUT("%s(%s)", PICK_OF(asks), model_channel(m)); break;
    case 2:
      PUT("%s?%s[", m->bounds.odd ? model_channel(m) : "q0", pick(m, 2) ? "?" : "");
      model_test_pattern(m);
      PUT("]");
      break;
    case 3: PUT("(_nr_pr %s %u)", PICK_OF(compares), 1 + pick(m, 4)); break;
    default:
      PUT("(%s %s ", model_variable(m), PICK_OF(compares));
      model_expression(m, 1);
      PUT(")");
  }
}

static void model_expression(model_maker *m, uint32_t depth) {
  switch (pick(m, depth > 1 ? 3 : m->bounds.faults ? 9 : 7)) {
    case 0:
    case 1: PUT("%u", pick(m, 3)); break;
    case 3: PUT("(%s + %u) %% 3", model_variable(m), 1 + pick(m, 2)); break;
    case 4: PUT("_pid %% 3"); break;
    case 5:
      PUT("(%s -> ", model_variable(m));
      model_expression(m, depth + 1);
      PUT(" : ");
      model_expression(m, depth + 1);
      PUT(")");
      break;
    case 7: PUT("4 / %s", model_variable(m)); break;
    case 8: PUT("a[%s]", model_variable(m)); break;
    default: PUT("%s", model_variable(m)); break;
  }
}

static void model_statement(model_maker *m, uint32_t depth);

static void model_statements(model_maker *m, uint32_t depth) {
  uint32_t count = 1 + pick(m, depth ? 2 : 4);
  for (uint32_t i = 0; i < count; i++) {
    if (i) PUT(";\n");
    model_statement(m, depth);
  }
}

/* ---- Messages --------------------------------------------------------------------------------------------------- */

static void model_send(model_maker *m) {
  PUT("%s%s", model_channel(m), pick(m, 4) ? "!" : "!!");
  model_expression(m, 1);
}

static void model_receive(model_maker *m) {
  static const char *const signs[] = {"?", "?", "?", "??", "?<", "?\?<"};
  const char *sign = PICK_OF(signs), *channel = model_channel(m);
  bool copies = sign[1] == '<' || (sign[1] && sign[2] == '<');
  if (copies && (channel[0] == 'r' || channel[0] == 'c')) channel = "q0";
  PUT("%s%s", channel, sign);
  model_pattern(m);
  if (copies) PUT(">");
}

static void model_pair(model_maker *m) {
  static const char *const signs[] = {"?", "??", "?<", "?\?<"};
  if (pick(m, 2)) {
    PUT("w%s", pick(m, 3) ? "!" : "!!");
    model_expression(m, 1);
    PUT(",");
    model_expression(m, 1);
    return;
  }
  const char *sign = PICK_OF(signs);
  bool copies = sign[1] == '<' || (sign[1] && sign[2] == '<');
  PUT("w%s", sign);
  model_pattern(m);
  PUT(",");
  if (m->bounds.odd)
    model_pattern(m);
  else
    model_test_pattern(m);
  if (copies) PUT(">");
}

/* Channels as values. */
static void model_reference(model_maker *m) {
  static const char *const fixed[] = {"q0", "q1", "s[0]", "s[x % 2]", "r0"};
  static const char *const moved[] = {"u", "v"};
  switch (pick(m, 4)) {
    case 0: PUT("k!%s", PICK_OF(fixed)); break;
    case 1: PUT("k?%s", PICK_OF(moved)); break;
    case 2: PUT("%s = %s", PICK_OF(moved), PICK_OF(fixed)); break;
    default:
      if (m->bounds.faults && pick(m, 2)) {
        PUT("k!l");
        break;
      }
      PUT("%s!%u", PICK_OF(moved), pick(m, 3));
      break;
  }
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* What an option begins with. */
static void model_guard(model_maker *m) {
  switch (pick(m, 5)) {
    case 0: model_send(m); break;
    case 1: model_receive(m); break;
    case 2: PUT("%s = %u", model_variable(m), pick(m, 3)); break;
    default: model_condition(m); break;
  }
}

static void model_selection(model_maker *m, uint32_t depth, bool loop) {
  uint32_t count = 1 + pick(m, 2), last = pick(m, 4);
  m->loops += loop;
  PUT(loop ? "do\n" : "if\n");
  for (uint32_t i = 0; i < count; i++) {
    PUT(":: ");
    model_guard(m);
    PUT(" -> ");
    model_statements(m, depth + 1);
    PUT("\n");
  }
  if (last == 0) PUT(loop ? ":: else -> break\n" : ":: else\n");
  if (last == 1 && !m->in_dstep) PUT(loop ? ":: timeout -> break\n" : ":: timeout\n");
  if (last == 2) {
    PUT(":: else -> ");
    model_statements(m, depth + 1);
    PUT("\n");
  }
  if (loop && (last != 0 || pick(m, 2))) {
    PUT(":: ");
    if (m->in_dstep || pick(m, 2)) {
      model_guard(m);
      PUT(" -> ");
    }
    PUT("break\n");
  }
  PUT(loop ? "od" : "fi");
  m->loops -= loop;
}

static void model_atomic(model_maker *m, uint32_t depth, bool dstep) {
  bool inside = m->inside, in_dstep = m->in_dstep;
  m->inside = true;
  m->in_dstep |= dstep;
  PUT(dstep ? "d_step {\n" : "atomic {\n");
  if (pick(m, 2)) {
    if (dstep && !m->bounds.faults)
      PUT("q0?%u", pick(m, 3));
    else
      model_guard(m);
    PUT(";\n");
  }
  model_statements(m, depth + 1);
  PUT("\n}");
  m->inside = inside;
  m->in_dstep = in_dstep;
}

static void model_run(model_maker *m) {
  static const char *const channels[] = {"q0", "q1", "r0", "s[1]", "s[x % 2]"};
  uint32_t which = m->self + 1 < m->proctypes && pick(m, 8) ? m->self + 1 + pick(m, m->proctypes - m->self - 1)
                                                            : pick(m, m->proctypes);
  bool guarded = m->loops || which <= m->self || pick(m, 2);
  if (guarded) PUT("if :: _nr_pr < %u -> ", 3 + pick(m, 2));
  if (pick(m, 3) == 0) PUT("x = ");
  PUT("run P%u(", which);
  if (m->takes[which]) {
    model_expression(m, 1);
    PUT(", %s", PICK_OF(channels));
  }
  PUT(")");
  if (guarded) PUT(" :: else fi");
}

static void model_label(model_maker *m, uint32_t depth) {
  static const char *const names[] = {"end", "progress", "accept", "L"};
  const char *name = PICK_OF(names);
  uint32_t number = m->labels++;
  PUT("%s%u: ", name, number);
  if (depth < 2 && pick(m, 2))
    model_selection(m, depth + 1, pick(m, 2));
  else
    model_guard(m);
  if (pick(m, 2) && !m->in_dstep) {
    PUT(";\nif :: ");
    model_condition(m);
    PUT(" -> goto %s%u :: else fi", name, number);
  }
}

static void model_block(model_maker *m, uint32_t depth) {
  uint32_t number = m->labels++;
  PUT("{ byte z%u = %s;\n", number, model_variable(m));
  model_statements(m, depth + 1);
  PUT(";\n%s = z%u }", model_variable(m), number);
}

static void model_count(model_maker *m, uint32_t depth) {
  if (pick(m, 2)) {
    PUT("select (x : 0 .. %u)", 1 + pick(m, 2));
    return;
  }
  PUT("for (y : 0 .. %u) { ", pick(m, 2));
  model_statements(m, depth + 1);
  PUT(" }");
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static void model_assignment(model_maker *m) {
  if (pick(m, 4) == 0)
    PUT("next(%s)", model_variable(m));
  else {
    PUT("%s = ", model_variable(m));
    model_expression(m, 0);
  }
}

static void model_plain(model_maker *m, uint32_t kind) {
  switch (kind % 9) {
    case 0: model_assignment(m); break;
    case 1: model_send(m); break;
    case 2: model_receive(m); break;
    case 3: model_pair(m); break;
    case 4: model_reference(m); break;
    case 5: model_condition(m); break;
    case 6:
      PUT("assert(");
      model_condition(m);
      PUT(")");
      break;
    case 7:
      PUT("printf(\"%%d\\n\", ");
      model_expression(m, 0);
      PUT(")");
      break;
    default: PUT("%s = _nr_pr", model_variable(m)); break;
  }
}

/* In a d_step that can always go on. */
static void model_sure(model_maker *m, uint32_t depth) {
  switch (pick(m, depth < 3 ? 4 : 3)) {
    case 0: model_plain(m, 6); break;
    case 3:
      PUT("if :: ");
      model_condition(m);
      PUT(" -> ");
      model_assignment(m);
      PUT(" :: else -> ");
      model_sure(m, depth + 1);
      PUT(" fi");
      break;
    default: model_assignment(m); break;
  }
}

static void model_unless(model_maker *m, uint32_t depth) {
  PUT("{ ");
  model_statements(m, depth + 1);
  PUT(" } unless { ");
  model_guard(m);
  if (pick(m, 2)) {
    PUT(";\n");
    model_statements(m, depth + 1);
  }
  PUT(" }");
}

static void model_statement(model_maker *m, uint32_t depth) {
  if (m->in_dstep && !m->bounds.faults) {
    model_sure(m, depth);
    return;
  }
  if (m->bounds.escapes && !m->in_dstep && m->budget && depth < 3 && pick(m, 6) == 0) {
    m->budget--;
    model_unless(m, depth);
    return;
  }
  uint32_t kind = m->kinds[pick(m, m->kind_count)];
  if (m->budget == 0 || depth > 2) kind %= 9;
  m->budget -= m->budget > 0;
  switch (kind) {
    case 9:
    case 10: model_selection(m, depth, false); break;
    case 11:
    case 12: model_selection(m, depth, true); break;
    case 13:
    case 14: model_atomic(m, depth, false); break;
    case 15: model_atomic(m, depth, m->bounds.odd || !m->meetings); break;
    case 16:
    case 17:
      if (m->in_dstep)
        model_assignment(m);
      else
        model_run(m);
      break;
    case 18: model_label(m, depth); break;
    case 19: model_block(m, depth); break;
    case 20: model_count(m, depth); break;
    case 21:
      if (m->in_dstep)
        PUT("skip");
      else
        PUT("timeout");
      break;
    case 22: PUT("skip"); break;
    default: model_plain(m, kind); break;
  }
}

static void model_proctype(model_maker *m, uint32_t number, bool active) {
  static const char *const claims[] = {"xr q0", "xs q0", "xr u", "xs c", "xr s[0]", "xs s[x % 2]"};
  m->self = number;
  if (active) PUT("active [%u] ", 1 + (pick(m, 3) == 0));
  PUT(m->takes[number] ? "proctype P%u(byte n; chan c) {\n" : "proctype P%u() { byte n; chan c = q1;\n", number);
  PUT("byte x%s; byte y; chan u%s; chan l = [1] of {byte};\n",
      pick(m, 3)   ? ""
      : pick(m, 2) ? " = g0"
                   : " = n % 3",
      m->bounds.faults && pick(m, 2) ? "" : " = q1");
  if (m->bounds.faults && pick(m, 12) == 0) PUT("byte f = 6 / g1;\n");
  if (m->bounds.claims && pick(m, 3) == 0) PUT("%s;\n", PICK_OF(claims));
  m->budget = 6;
  model_statements(m, 0);
  PUT("\n}\n");
}

static void model_draw_words(model_maker *m) {
  static const char *const channels[] = {"q0",          "q0",        "q1", "r0", "s[0]", "s[1]",
                                         "s[_pid % 2]", "s[g0 % 2]", "c",  "v",  "l",    "u"};
  static const char *const variables[] = {"g0",       "g0",  "g1",     "a[0]", "a[1]", "a[_pid % 2]",
                                          "a[x % 2]", "t.x", "t.y[1]", "x",    "y",    "b"};
  for (uint32_t i = 0; i < MODEL_NAMES; i++) m->channels[i] = PICK_OF(channels);
  for (uint32_t i = 0; i < MODEL_NAMES; i++) m->variables[i] = PICK_OF(variables);
  if (pick(m, 2)) m->variables[0] = "x", m->variables[1] = "y"; /* so that more does not depend on others */
  m->kind_count = 5 + pick(m, 6);
  for (uint32_t i = 0; i < m->kind_count; i++) m->kinds[i] = pick(m, MODEL_KINDS - 1);
}

/* The caller releases the text. */
static eo_text random_model(uint64_t seed, random_model_bounds bounds) {
  model_maker maker = {.bounds = bounds}, *m = &maker;
  eo__rng_init(&m->rng, seed);
  eo__text_init(&m->text);
  m->proctypes = 2 + pick(m, 2);
  m->started = pick(m, 2);
  m->meetings = pick(m, 2);
  uint32_t least = m->meetings ? 0 : 1; /* capacity */
  model_draw_words(m);
  PUT("typedef T { byte x; byte y[2] }\n");
  PUT("byte g0, g1%s; byte a[2]; T t; bit b;\n", pick(m, 2) ? " = 1" : "");
  PUT("chan q0 = [%u] of {byte}; chan q1 = [%u] of {byte}; chan r0 = [%u] of {byte};\n", 1 + pick(m, 2),
      least + pick(m, 2), least);
  PUT("chan s[2] = [%u] of {byte}; chan w = [%u] of {byte, byte}; chan k = [1] of {chan}; chan v%s;\n",
      least + pick(m, 2), 1 + pick(m, 2), bounds.faults && pick(m, 2) ? "" : " = q0");
  PUT("inline next(z) { z = (z + 1) %% 3 }\n");
  uint32_t later = m->started ? 1 + pick(m, m->proctypes - 1) : m->proctypes;
  for (uint32_t i = 0; i < m->proctypes; i++) m->takes[i] = i >= later || (bounds.faults && pick(m, 4) == 0);
  for (uint32_t i = 0; i < m->proctypes; i++) model_proctype(m, i, i < later);
  if (m->started && pick(m, 2)) {
    m->self = 0;
    PUT("init { byte x; byte y; chan u = q0; chan c = q1; chan l = [1] of {byte};\n");
    m->budget = 2;
    uint32_t runs = 1 + pick(m, 2);
    bool whole = pick(m, 2);
    if (whole) PUT("atomic { ");
    for (uint32_t i = 0; i < runs; i++) {
      model_run(m);
      PUT(i + 1 < runs ? ";\n" : "");
    }
    PUT(whole ? " };\n" : ";\n");
    model_statements(m, 1);
    PUT("\n}\n");
  }
  return maker.text;
}

#undef PUT
#undef PICK_OF

#endif
