/* explorer.h: delaying explorers, for the strategies ses and ss (Desai, Qadeer, Seshia: Systematic Testing of Asynchronous
 * Reactive Systems). An explorer defines one default order in which it runs a program, and an operation `delay`, which
 * departs from that order.
 *
 * Write one in a file of its own and build it with `cc -shared -fPIC mine.c -o mine.so`:
 *
 *   #include <explorer.h>
 *   const eo_explorer eo_plugin_explorer = {EO_EXPLORER_VERSION, "mine", ...};
 *
 * and select it with `--explorer ./mine.so`. Or define it in the test program, with EO_EXPLORER(mine_explorer); and
 * `--explorer mine`.
 *
 * The state of an explorer is plain bytes without pointers, which the strategy copies, stores and compares. Everything that
 * an explorer remembers must be in its state. An explorer must be deterministic: no clock, no globals, no rand. Processes are
 * numbered from 0 in the order in which they were created in the execution. */
#ifndef EVERYORDER_EXPLORER_H
#define EVERYORDER_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EO_EXPLORER_VERSION 1

/* A choice: run the pending operation of this process. `value` distinguishes the values of eo_choose, or the messages that a
 * receive can choose from. Choices of one process are next to each other, ordered by value. */
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
  EO_STEP_HINT     /* `process` called eo_hint(what, pid): `other` is that process (or EO_STEP_NOBODY) */
} eo_step_kind;

#define EO_STEP_NOBODY UINT32_MAX

/* The hints of the explorer `custom`. Another explorer can give these and other numbers any meaning. */
enum {
  EO_HINT_FRONT = 1, /* the process goes before all others */
  EO_HINT_BACK = 2   /* the process goes behind all others */
};

/* What a step did. The explorer is told of one step of the program by one or several of these records, in order: first what
 * the operation did (an exit may send before it finishes), then the hints that the process gave until its next operation. */
typedef struct eo_explorer_step {
  eo_step_kind kind;
  uint32_t process, other;
  int what; /* of a hint */
} eo_explorer_step;

typedef struct eo_explorer {
  uint32_t version; /* EO_EXPLORER_VERSION */
  const char *name;
  const char *summary; /* one line for `everyorder strategies`; may be NULL */

  /* The size of the state in bytes for this number of processes. More processes never need fewer bytes. New bytes are zero. */
  size_t (*size)(uint32_t processes);

  /* Initialises the state, in `size(0)` zeroed bytes, before the first process starts. An explorer that does not depend on the
   * seed must not store the seed: strategies compare two initial states to see whether the seed matters. */
  void (*init)(void *state, uint64_t seed);

  /* The index of the choice that the explorer takes. There are at least two choices. */
  uint32_t (*next)(const void *state, const eo_explorer_choice *choices, uint32_t count);

  /* Departs from the order: after a delay, `next` returns another of the same choices. After `count` delays, every choice has
   * been returned once, and `next` returns the first again. (The paper's soundness condition; it is checked.) */
  void (*delay)(void *state, const eo_explorer_choice *choices, uint32_t count);

  /* Called after each step. Before EO_STEP_START, the state has grown to `size` of the new number of processes. */
  void (*step)(void *state, const eo_explorer_step *step);
} eo_explorer;

/* Registers an explorer that is defined in the test program, by its name. */
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

/* ---- A ring of processes, which most explorers are made of ----------------------------------------------------- */

/* The processes in an order, and the place at which the ring begins. Invariant: start < count, unless both are 0. */
typedef struct eo_ring {
  uint64_t random; /* for explorers that draw */
  uint32_t count, start;
  uint32_t value;    /* which of its choices the first process takes: 0, unless it was delayed */
  uint32_t order[1]; /* as many as there are processes (C++ knows no order[]) */
} eo_ring;

static inline size_t eo_ring_size(uint32_t processes) { return sizeof(eo_ring) + processes * sizeof(uint32_t); }

/* The place of a process in the order; it must be there. */
static inline uint32_t eo_ring_place(const eo_ring *ring, uint32_t process) {
  uint32_t place = 0;
  while (ring->order[place] != process) place++;
  return place;
}

/* Puts a process at this place; the processes from there on move up. The ring still begins at the same process. */
static inline void eo_ring_insert(eo_ring *ring, uint32_t place, uint32_t process) {
  for (uint32_t i = ring->count; i > place; i--) ring->order[i] = ring->order[i - 1];
  ring->order[place] = process;
  if (ring->count++ && place <= ring->start) ring->start++;
}

/* Removes the process at this place. If the ring began there, it now begins at the next process. */
static inline void eo_ring_remove(eo_ring *ring, uint32_t place) {
  ring->count--;
  for (uint32_t i = place; i < ring->count; i++) ring->order[i] = ring->order[i + 1];
  if (place < ring->start) ring->start--;
  if (ring->start >= ring->count) ring->start = 0;
}

/* How many choices a process has; *first: the index of its first one. */
static inline uint32_t eo_ring_choices(const eo_explorer_choice *choices, uint32_t count, uint32_t process,
                                       uint32_t *first) {
  uint32_t at = 0, end;
  while (at < count && choices[at].process != process) at++;
  for (end = at; end < count && choices[end].process == process;) end++;
  *first = at;
  return end - at;
}

/* The first place, from this one on and round the ring, of a process that has a choice. */
static inline uint32_t eo_ring_find(const eo_ring *ring, uint32_t from, const eo_explorer_choice *choices,
                                    uint32_t count) {
  uint64_t some = 0; /* rules most processes out at once */
  for (uint32_t i = 0; i < count; i++) some |= (uint64_t)1 << (choices[i].process & 63);
  for (uint32_t place = from, looked = 0; looked < ring->count; looked++) {
    uint32_t process = ring->order[place], first;
    if (some >> (process & 63) & 1 && eo_ring_choices(choices, count, process, &first)) return place;
    if (++place == ring->count) place = 0;
  }
  return from;
}

/* The index of the choice that the process at this place takes next. */
static inline uint32_t eo_ring_index(const eo_ring *ring, uint32_t place, const eo_explorer_choice *choices,
                                     uint32_t count) {
  uint32_t first, own = eo_ring_choices(choices, count, ring->order[place], &first);
  return first + (ring->value < own ? ring->value : 0);
}

/* A delay first tries every value of the process at this place (false comes before true). Moves on to the next value; returns
 * false if there was none left, so that another process has its turn. */
static inline bool eo_ring_next_value(eo_ring *ring, uint32_t place, const eo_explorer_choice *choices,
                                      uint32_t count) {
  uint32_t first;
  if (++ring->value < eo_ring_choices(choices, count, ring->order[place], &first)) return true;
  ring->value = 0;
  return false;
}

#ifdef __cplusplus
}
#endif
#endif
