/* random_ports.h: random systems of small EFSMs in Promela, whose processes share ports and, if wanted, one variable that no
 * guard reads. Every kind of place where a process can stand is in them: receives from one port or two, with constants and
 * eval, whose patterns overlap; beside them something else; several ways to go on. They deadlock often. */
#ifndef EO_TESTS_RANDOM_PORTS_H
#define EO_TESTS_RANDOM_PORTS_H

#include "base/rng.h"
#include "base/text.h"

enum { PORTS_MOST = 2 };

typedef struct drawing {
  eo_rng rng;
  eo_text text;
  uint32_t processes, self;
  uint32_t ports[4];
  bool shared;
} drawing;

static inline uint32_t draw(drawing *d, uint32_t below) { return eo__rng_below(&d->rng, below); }

static inline void draw_send(drawing *d) {
  uint32_t to = (d->self + 1 + draw(d, d->processes - 1)) % d->processes;
  eo__text_add(&d->text, "c%u%u!%c,", to, draw(d, d->ports[to]), "ab"[draw(d, 2)]);
  if (draw(d, 3) == 0)
    eo__text_add(&d->text, "v");
  else
    eo__text_add(&d->text, "%u", draw(d, 2));
}

static inline void draw_receive(drawing *d) {
  static const char *const tags[] = {"m", "m", "m", "a", "b"}, *const values[] = {"v", "v", "v", "_", "eval(v)", "1"};
  eo__text_add(&d->text, "c%u%u?%s,%s", d->self, draw(d, d->ports[d->self]), tags[draw(d, 5)], values[draw(d, 6)]);
}

static inline void draw_quiet(drawing *d) {
  uint32_t kind = draw(d, d->shared ? 6 : 4);
  if (kind < 1)
    eo__text_add(&d->text, "v = %u", draw(d, 2));
  else if (kind < (d->shared ? 2 : 4))
    eo__text_add(&d->text, "assert(v != 1 || m != %c)", "ab"[draw(d, 2)]);
  else
    eo__text_add(&d->text, kind == 2 ? "assert(g != 2)" : "g++");
}

static inline void draw_if(drawing *d) {
  uint32_t ways = 2 + draw(d, 2), receives = draw(d, 3) ? 1 + draw(d, ways) : 0;
  eo__text_add(&d->text, "if");
  for (uint32_t i = 0; i < ways; i++) {
    eo__text_add(&d->text, " :: ");
    if (i < receives) {
      draw_receive(d);
    } else if (draw(d, 2)) {
      draw_send(d);
    } else {
      eo__text_add(&d->text, draw(d, 2) ? "v == 0" : "true");
      if (draw(d, 2)) {
        eo__text_add(&d->text, " -> ");
        draw_send(d);
      }
    }
    if (draw(d, 3) == 0) {
      eo__text_add(&d->text, " -> ");
      draw_quiet(d);
    }
  }
  eo__text_add(&d->text, " fi");
}

static inline void draw_process(drawing *d) {
  uint32_t statements = 2 + draw(d, 3);
  eo__text_add(&d->text, "active proctype P%u() { mtype m; byte v;\n", d->self);
  for (uint32_t i = 0; i < statements; i++) {
    uint32_t kind = draw(d, 12);
    eo__text_add(&d->text, "  ");
    if (kind < (i ? 4 : 8))
      draw_send(d);
    else if (kind < 7)
      draw_receive(d);
    else if (kind < 10)
      draw_if(d);
    else
      draw_quiet(d);
    eo__text_add(&d->text, ";\n");
  }
  eo__text_add(&d->text, "  skip\n}\n");
}

static inline eo_text random_ports(uint64_t seed, bool shared) {
  drawing d = {.shared = shared};
  eo__rng_init(&d.rng, seed);
  eo__text_init(&d.text);
  d.processes = 2 + draw(&d, 2);
  eo__text_add(&d.text, "mtype = {a, b};\n");
  if (shared) eo__text_add(&d.text, "byte g;\n");
  for (uint32_t i = 0; i < d.processes; i++) {
    d.ports[i] = 1 + draw(&d, PORTS_MOST);
    for (uint32_t k = 0; k < d.ports[i]; k++) eo__text_add(&d.text, "chan c%u%u = [9] of {mtype, byte};\n", i, k);
  }
  for (d.self = 0; d.self < d.processes; d.self++) draw_process(&d);
  return d.text;
}

#endif
