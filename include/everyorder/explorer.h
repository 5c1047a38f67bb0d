/* explorer.h: delaying explorers, for strategies ses and ss (Desai, Qadeer, Seshia: Systematic Testing of Asynchronous
 * Reactive Systems). An explorer has one order in which it would run a program, and `delay`, which departs from it.
 *
 * Write one in a file of its own and build it with `cc -shared -fPIC mine.c -o mine.so`:
 *
 *   #include <explorer.h>
 *   const eo_explorer eo_plugin_explorer = {EO_EXPLORER_VERSION, "mine", ...};
 *
 * and use it by `--explorer ./mine.so`; or in the test program: EO_EXPLORER(mine_explorer); and `--explorer mine`.
 *
 * The state of an explorer is plain bytes without pointers, which the strategy copies, keeps and compares: all that an
 * explorer remembers must be in there. So that the same order comes again, it may use nothing else: no clock, no
 * globals, no rand. Processes are numbers that mean the same throughout an execution, and nothing beyond it. */
#ifndef EVERYORDER_EXPLORER_H
#define EVERYORDER_EXPLORER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EO_EXPLORER_VERSION 1

/* One way to go on: let this process take its operation; `value` tells apart the values of a choose, or the messages of
 * a receive that chooses. Choices are sorted by process in the order of logical ids, then by value. */
typedef struct eo_explorer_choice {
  uint32_t process;
  uint32_t value;
} eo_explorer_choice;

typedef enum eo_step_kind {
  EO_STEP_START,   /* `other` exists from now on; `process` created it (itself at the very start) */
  EO_STEP_SEND,    /* `process` has sent an event to `other` */
  EO_STEP_RECEIVE, /* `process` has taken an event that `other` sent */
  EO_STEP_FINISH,  /* `process` has ended */
  EO_STEP_OTHER,   /* `process` has done something else */
  EO_STEP_HINT     /* the program called eo_hint(what, pid): `other` is that process (or EO_STEP_NOBODY) */
} eo_step_kind;

#define EO_STEP_NOBODY UINT32_MAX

/* What a step did. One step of the program can be told in several of these, in order; the one that names what the
 * operation did is the last, hints and starts come before it. */
typedef struct eo_explorer_step {
  eo_step_kind kind;
  uint32_t process, other;
  int what; /* of a hint */
} eo_explorer_step;

typedef struct eo_explorer {
  uint32_t version; /* EO_EXPLORER_VERSION */
  const char *name;

  /* Bytes of state that it needs for this many processes. Never less for more. New bytes are zero. */
  size_t (*size)(uint32_t processes);

  /* The state at the start, in `size(0)` zeroed bytes. */
  void (*init)(void *state, uint64_t seed);

  /* Which of the choices it would take. There is at least one. */
  uint32_t (*next)(const void *state, const eo_explorer_choice *choices, uint32_t count);

  /* Departs from the order: `next` then gives another of the same choices, if there is another; and after `count` delays
   * every choice has been given once, and `next` gives the first again. (That is what makes it sound; it is checked.) */
  void (*delay)(void *state, const eo_explorer_choice *choices, uint32_t count);

  /* Something happened. Before EO_STEP_START, the state has grown to `size` of the processes there are then. */
  void (*step)(void *state, const eo_explorer_step *step);
} eo_explorer;

/* Makes an explorer of the test program known by its name. */
#define EO_EXPLORER(explorer) \
  __attribute__((constructor)) static void eo_explorer_add_##explorer(void) { eo_explorer_add(&explorer); }
void eo_explorer_add(const eo_explorer *explorer);

/* Random numbers for explorers: keep the word in the state. */
static inline uint64_t eo_explorer_random(uint64_t *word) {
  uint64_t z = (*word += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

#ifdef __cplusplus
}
#endif
#endif
