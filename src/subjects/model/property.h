/* property.h: what no execution of a model may do, as an automaton: an ltl formula (its negation), a never claim, or what accept
 * and progress labels stand for.
 *
 * The automaton reads the states of an execution, one letter for each: which of the facts hold there. An execution violates
 * the property if the automaton can read all of it, and bears every mark infinitely often (a generalised Büchi automaton with
 * marks on its arcs); or if it comes to EO_PROPERTY_END, whatever follows. States inside atomic sequences are not read, as in
 * pan, and the last state of an execution that ends is read for ever, unless only steps can violate the property (`moving`). */
#ifndef EO_PROMELA_PROPERTY_H
#define EO_PROMELA_PROPERTY_H

#include "subjects/model/run.h"

#define EO_PROPERTY_END UINT32_MAX

enum { EO_PROPERTY_MOST_FACTS = 64, EO_PROPERTY_MOST_MARKS = 64, EO_PROPERTY_MOST_LOCATIONS = 4096 };

/* An arc can be taken in states where all of one set of facts hold and none of another. */
typedef struct eo_promela_arc {
  uint32_t to; /* location, or EO_PROPERTY_END */
  uint64_t holds, lacks;
  uint64_t marks; /* that it bears */
} eo_promela_arc;

typedef struct eo_promela_arcs {
  uint32_t count;
  eo_promela_arc *items;
} eo_promela_arcs;

typedef struct eo_promela_property {
  const char *name;
  const char *text; /* the formula, or what it is */
  const char *file;
  int line;
  bool next;   /* it can tell how many steps go by: it has X, or is a never claim */
  bool asked;  /* for who asks for it by name: it is not looked at otherwise */
  bool moving; /* an execution that ends does not violate it */
  uint32_t fact_count;
  const eo_promela_expr **facts;
  uint32_t location_count; /* the first is where it begins */
  eo_promela_arcs *locations;
  uint32_t mark_count; /* 0: whatever can be read for ever violates it */
  bool labels;         /* a state where a process is at an accept label bears mark 0, too */
} eo_promela_property;

/* NULL: there is none of that name. */
const eo_promela_property *eo__promela_property_find(const eo_promela *model, const char *name);

/* Which facts hold where the run is. A fact that cannot be evaluated is a failure of the run: false. */
bool eo__property_letter(const eo_promela_property *property, eo_promela_run *run, uint64_t *letter);

/* The location that the automaton is in: part of the state of a run. */
uint32_t eo__property_get(const eo_promela_run *run);
void eo__property_put(eo_promela_run *run, uint32_t location);

/* How an execution violates a property, in words. Behind `loop` steps, the next `length` are repeated for ever; or it ends there,
 * or is a violation however it goes on. What stands before the colon is the same for all violations of one property. */
typedef enum eo__violation { EO__VIOLATED_CYCLE, EO__VIOLATED_END, EO__VIOLATED_NOW } eo__violation;
void eo__property_violated(const eo_promela_property *property, eo__violation how, size_t loop, size_t length,
                           eo_failure *failure);

static inline bool eo__property_reads(const eo_promela_arc *arc, uint64_t letter) {
  return (letter & arc->holds) == arc->holds && !(letter & arc->lacks);
}

/* The marks that the state itself bears, whatever arc is taken from it. */
uint64_t eo__property_state_marks(const eo_promela_property *property, const eo_promela_run *run);

/* Processes, by number, that cannot do a step where the run is: for who is fair to them. False: no memory. */
bool eo__property_blocked(eo_promela_run *run, eo_promela_steps *scratch, uint64_t *blocked);

/* All marks that a cycle must bear. */
static inline uint64_t eo__property_all_marks(const eo_promela_property *p) {
  return p->mark_count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->mark_count) - 1;
}

/* ---- Made by the compiler ------------------------------------------------------------------------------------------ */

struct parser;

/* The automaton of what violates a formula: of its negation. */
void eo__ltl_translate(struct parser *p, const eo_promela_expr *formula, eo_promela_property *property);

/* The number of a fact, which is kept once. */
uint32_t eo__property_fact(struct parser *p, eo_promela_property *property, const eo_promela_expr *fact);

#endif
