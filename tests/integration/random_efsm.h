/* random_efsm.h: random systems of multi-port EFSMs, as Promela text: processes with ports, choices, circles, sends and
 * receives of every kind; in most of them a deadlock is planted that depends on which message comes first. */
#ifndef EO_TESTS_RANDOM_EFSM_H
#define EO_TESTS_RANDOM_EFSM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/rng.h"
#include "base/text.h"

typedef struct efsm_maker {
  eo_rng rng;
  eo_text text;
  uint32_t processes, ports, self, budget;
  bool array;  /* one port each, in an array by _pid */
  bool shared; /* global variables, too, which several processes read and write */
} efsm_maker;

static uint32_t draw(efsm_maker *m, uint32_t n) { return eo__rng_below(&m->rng, n); }

static void efsm_port(efsm_maker *m, uint32_t process, uint32_t port) {
  if (!m->array)
    eo__text_add(&m->text, "q%u_%u", process, port);
  else if (process == m->self)
    eo__text_add(&m->text, "q[_pid]");
  else
    eo__text_add(&m->text, "q[(_pid + %u) %% %u]", (process + m->processes - m->self) % m->processes, m->processes);
}

static void efsm_send(efsm_maker *m) {
  uint32_t to = (m->self + 1 + draw(m, m->processes - 1)) % m->processes;
  efsm_port(m, to, draw(m, m->ports));
  eo__text_add(&m->text, "!");
  if (draw(m, 3))
    eo__text_add(&m->text, "%u", 1 + draw(m, 2));
  else
    eo__text_add(&m->text, "x");
}

static void efsm_receive(efsm_maker *m) {
  static const char *const patterns[] = {"x", "x", "x", "1", "2", "_"};
  efsm_port(m, m->self, draw(m, m->ports));
  eo__text_add(&m->text, "?%s", patterns[draw(m, 6)]);
}

static void efsm_statements(efsm_maker *m, uint32_t depth);

static void efsm_choice(efsm_maker *m, uint32_t depth) {
  uint32_t count = 2 + draw(m, 2), form = draw(m, 4);
  eo__text_add(&m->text, "if\n");
  for (uint32_t i = 0; i < count; i++) {
    eo__text_add(&m->text, ":: ");
    if (form == 0 && i == 0)
      eo__text_add(&m->text, "_pid == %u && x < 2", draw(m, m->processes));
    else if (form == 0)
      eo__text_add(&m->text, i + 1 < count ? "x == %u" : "else", i);
    else if (form == 1 || (form == 2 && draw(m, 2)))
      efsm_receive(m);
    else
      efsm_send(m);
    eo__text_add(&m->text, "; ");
    efsm_statements(m, depth + 1);
    eo__text_add(&m->text, "\n");
  }
  eo__text_add(&m->text, "fi");
}

static void efsm_statement(efsm_maker *m, uint32_t depth) {
  uint32_t kind = draw(m, m->shared ? 14 : 11);
  if (kind < 4)
    efsm_send(m);
  else if (kind < 7)
    efsm_receive(m);
  else if (kind < 9 && depth < 2)
    efsm_choice(m, depth);
  else if (kind == 9)
    eo__text_add(&m->text, "x = (x + 1) %% 3");
  else if (kind == 10)
    eo__text_add(&m->text, "assert(x != 2)");
  else if (kind == 11)
    eo__text_add(&m->text, "g = x");
  else if (kind == 12)
    eo__text_add(&m->text, "assert(g + x != 3)");
  else if (kind == 13)
    eo__text_add(&m->text, "g != 2");
  else
    eo__text_add(&m->text, "skip");
}

static void efsm_statements(efsm_maker *m, uint32_t depth) {
  uint32_t count = 1 + draw(m, depth ? 2 : 4);
  for (uint32_t i = 0; i < count; i++) {
    if (i) eo__text_add(&m->text, "; ");
    if (m->budget) {
      m->budget--;
      efsm_statement(m, depth);
    } else {
      eo__text_add(&m->text, "skip");
    }
  }
}

static void efsm_process(efsm_maker *m) {
  m->budget = 8;
  eo__text_add(&m->text, "active proctype P%u() {\nbyte x, n;\n", m->self);
  if (draw(m, 4) == 0) {
    eo__text_add(&m->text, "do\n:: n < 2 -> n++; ");
    efsm_statements(m, 1);
    eo__text_add(&m->text, "\n:: n == 2 -> break\nod;\n");
  }
  efsm_statements(m, 0);
  if (draw(m, 3)) { /* planted: nobody ever sends 9 */
    eo__text_add(&m->text, ";\n");
    efsm_port(m, m->self, 0);
    eo__text_add(&m->text, "?x;\nif\n:: x == %u -> ", 1 + draw(m, 2));
    efsm_port(m, m->self, 0);
    eo__text_add(&m->text, "?9\n:: else\nfi");
  } else if (draw(m, 2)) {
    eo__text_add(&m->text, ";\nend: do\n:: ");
    efsm_port(m, m->self, 0);
    eo__text_add(&m->text, "?x");
    if (draw(m, 2)) {
      eo__text_add(&m->text, " -> ");
      efsm_send(m);
    }
    eo__text_add(&m->text, "\nod");
  }
  eo__text_add(&m->text, "\n}\n");
}

/* The text, which the caller releases. */
static eo_text random_efsm(uint64_t seed, bool shared) {
  efsm_maker m = {.shared = shared};
  eo__rng_init(&m.rng, seed);
  eo__text_init(&m.text);
  m.processes = 2 + draw(&m, 3);
  m.ports = 1 + draw(&m, 2);
  m.array = m.ports == 1 && draw(&m, 2);
  if (m.array) eo__text_add(&m.text, "chan q[%u] = [3] of {byte};\n", m.processes);
  for (uint32_t i = 0; i < m.processes && !m.array; i++)
    for (uint32_t k = 0; k < m.ports; k++) eo__text_add(&m.text, "chan q%u_%u = [3] of {byte};\n", i, k);
  if (shared) eo__text_add(&m.text, "byte g;\n");
  for (m.self = 0; m.self < m.processes; m.self++) efsm_process(&m);
  return m.text;
}

#endif
