/* pairwise_random.h: random models, small enough to enumerate, as text. */
#ifndef TESTS_PAIRWISE_RANDOM_H
#define TESTS_PAIRWISE_RANDOM_H

#include "base/rng.h"
#include "base/text.h"

typedef struct random_shape {
  uint32_t params;
  uint32_t values[8];
  bool numeric[8];
} random_shape;

static inline void random_constant(eo_rng *rng, eo_text *text, bool numeric) {
  if (numeric) {
    eo__text_add(text, "%u", eo__rng_below(rng, 5));
  } else {
    eo__text_add(text, "\"%c\"", "abcdx"[eo__rng_below(rng, 5)]);
  }
}

static inline void random_leaf(eo_rng *rng, eo_text *text, const random_shape *shape) {
  static const char *const relations[] = {"=", "<>", "<", "<=", ">", ">="};
  uint32_t p = eo__rng_below(rng, shape->params), q = eo__rng_below(rng, shape->params);
  uint32_t form = eo__rng_below(rng, 10);
  if (form == 0) {
    eo__text_add(text, "%s([P%u])", eo__rng_below(rng, 2) ? "ISNEGATIVE" : "ISPOSITIVE", p);
  } else if (form == 1 && !shape->numeric[p]) {
    eo__text_add(text, "[P%u] LIKE \"%s\"", p, eo__rng_below(rng, 2) ? "*b*" : "?");
  } else if (form <= 3) {
    eo__text_add(text, "[P%u] %sIN {", p, form == 2 ? "NOT " : "");
    random_constant(rng, text, shape->numeric[p]);
    eo__text_add(text, ", ");
    random_constant(rng, text, shape->numeric[p]);
    eo__text_add(text, "}");
  } else if (form <= 6 && p != q && shape->numeric[p] == shape->numeric[q]) {
    eo__text_add(text, "[P%u] %s [P%u]", p, relations[eo__rng_below(rng, 6)], q);
  } else {
    eo__text_add(text, "[P%u] %s ", p, relations[eo__rng_below(rng, 6)]);
    random_constant(rng, text, shape->numeric[p]);
  }
}

static inline void random_term(eo_rng *rng, eo_text *text, const random_shape *shape, int depth) {
  uint32_t form = depth > 2 ? 9 : eo__rng_below(rng, 8);
  if (form == 0) {
    eo__text_add(text, "NOT (");
    random_term(rng, text, shape, depth + 1);
    eo__text_add(text, ")");
  } else if (form <= 3) {
    eo__text_add(text, "(");
    random_term(rng, text, shape, depth + 1);
    eo__text_add(text, form == 1 ? " AND " : " OR ");
    random_term(rng, text, shape, depth + 1);
    eo__text_add(text, ")");
  } else {
    random_leaf(rng, text, shape);
  }
}

/* Up to 6 parameters of up to 4 values, up to 6 constraints. */
static inline void random_model(eo_rng *rng, eo_text *text) {
  random_shape shape = {.params = 2 + eo__rng_below(rng, 5)};
  for (uint32_t p = 0; p < shape.params; p++) {
    shape.values[p] = 1 + eo__rng_below(rng, 4);
    shape.numeric[p] = eo__rng_below(rng, 2);
    eo__text_add(text, "P%u:", p);
    for (uint32_t v = 0; v < shape.values[p]; v++) {
      eo__text_add(text, "%s%s", v ? ", " : " ", v && eo__rng_below(rng, 6) == 0 ? "~" : "");
      if (shape.numeric[p]) {
        eo__text_add(text, "%u", v);
      } else {
        eo__text_add(text, "%c", "abcd"[v]);
      }
      if (eo__rng_below(rng, 5) == 0) eo__text_add(text, " (%u)", 2 + eo__rng_below(rng, 3));
    }
    eo__text_add(text, "\n");
  }
  for (uint32_t c = eo__rng_below(rng, 7); c > 0; c--) {
    bool conditional = eo__rng_below(rng, 3) > 0;
    if (conditional) {
      eo__text_add(text, "IF ");
      random_term(rng, text, &shape, 1);
      eo__text_add(text, " THEN ");
    }
    random_term(rng, text, &shape, conditional ? 1 : 0);
    if (conditional && eo__rng_below(rng, 3) == 0) {
      eo__text_add(text, " ELSE ");
      random_term(rng, text, &shape, 1);
    }
    eo__text_add(text, ";\n");
  }
}

#endif
