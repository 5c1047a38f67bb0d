/* answers.h: what is known of one component without searching: answers given before, and solutions found. */
#ifndef EO_PAIRWISE_ANSWERS_H
#define EO_PAIRWISE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EO_PAIRWISE_KEPT_SOLUTIONS = 32 };

typedef enum eo_pairwise_answer { EO_PAIRWISE_UNKNOWN, EO_PAIRWISE_NO, EO_PAIRWISE_YES } eo_pairwise_answer;

/* A question is a class for each parameter of the component, plus one; 0: not chosen. If there are few enough, each has
 * its place in a table; otherwise a question has one place, which the next with the same hash takes over. */
typedef struct eo_pairwise_answers {
  uint32_t width;
  uint32_t places; /* a table: all questions; else a power of 2 */
  bool table;
  uint16_t *questions; /* for each place; NULL if a table */
  uint8_t *known;      /* for each place, two bits: with one invalid value allowed; two bits: with valid values only */
  uint16_t *solutions; /* the last ones, each as a question */
  uint8_t solution_count, next_solution;
  bool solution_valid[EO_PAIRWISE_KEPT_SOLUTIONS]; /* has no invalid value */
} eo_pairwise_answers;

/* `sizes`: of each parameter the number of classes. `room`: bytes that may be used, of which what is used is taken off.
 * False: no memory. */
bool eo__pairwise_answers_init(eo_pairwise_answers *answers, const uint32_t *sizes, uint32_t width, size_t *room);
void eo__pairwise_answers_release(eo_pairwise_answers *answers);

/* The place of a question (in a hash: taken over if it is another's). */
uint32_t eo__pairwise_answers_place(eo_pairwise_answers *answers, const uint16_t *question, const uint32_t *sizes);

static inline eo_pairwise_answer eo__pairwise_answers_get(const eo_pairwise_answers *answers, uint32_t place,
                                                          bool valid_only) {
  return (eo_pairwise_answer)(answers->known[place] >> (valid_only ? 2 : 0) & 3);
}
static inline void eo__pairwise_answers_set(eo_pairwise_answers *answers, uint32_t place, bool valid_only, bool yes) {
  answers->known[place] |= (uint8_t)((yes ? EO_PAIRWISE_YES : EO_PAIRWISE_NO) << (valid_only ? 2 : 0));
}

/* Is one of the solutions an answer? `chosen`: where the question is not 0. And one more of them. */
bool eo__pairwise_answers_solved(const eo_pairwise_answers *answers, const uint16_t *question, const uint32_t *chosen,
                                 uint32_t chosen_count, bool valid_only);
uint16_t *eo__pairwise_answers_solution(eo_pairwise_answers *answers, bool valid); /* to be filled in */

#endif
