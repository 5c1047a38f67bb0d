/* answers.c: see answers.h. */
#include "pairwise/answers.h"

#include <string.h>

#include "base/alloc.h"

enum { LARGEST_TABLE = 1 << 20, HASH_BYTES = 1 << 22, FEWEST_PLACES = 256, MOST_PLACES = 1 << 16 };

/* How many questions there are; 0: too many. */
static uint32_t count_questions(const uint32_t *sizes, uint32_t width, size_t room) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < width; i++) {
    count *= (uint64_t)sizes[i] + 1;
    if (count > LARGEST_TABLE || count > room) return 0;
  }
  return (uint32_t)count;
}

bool eo__pairwise_answers_init(eo_pairwise_answers *answers, const uint32_t *sizes, uint32_t width, size_t *room) {
  memset(answers, 0, sizeof *answers);
  answers->width = width;
  answers->places = count_questions(sizes, width, *room);
  answers->table = answers->places > 0;
  if (!answers->table) {
    answers->places = MOST_PLACES;
    while (answers->places > FEWEST_PLACES && (size_t)answers->places * width * sizeof(uint16_t) > HASH_BYTES) {
      answers->places /= 2;
    }
    answers->questions = eo__alloc((size_t)answers->places * width * sizeof(uint16_t));
    if (!answers->questions) return false;
  } else {
    *room -= answers->places;
  }
  answers->known = eo__alloc(answers->places);
  answers->solutions = eo__alloc((size_t)width * EO_PAIRWISE_KEPT_SOLUTIONS * sizeof(uint16_t));
  return answers->known && answers->solutions;
}

void eo__pairwise_answers_release(eo_pairwise_answers *answers) {
  eo__free(answers->questions);
  eo__free(answers->known);
  eo__free(answers->solutions);
}

uint32_t eo__pairwise_answers_place(eo_pairwise_answers *answers, const uint16_t *question, const uint32_t *sizes) {
  if (answers->table) {
    uint32_t place = 0;
    for (uint32_t i = 0; i < answers->width; i++) place = place * (sizes[i] + 1) + question[i];
    return place;
  }
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (uint32_t i = 0; i < answers->width; i++) {
    hash = (hash ^ question[i]) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  uint32_t place = (uint32_t)(hash >> 7) & (answers->places - 1);
  uint16_t *held = answers->questions + (size_t)place * answers->width;
  size_t bytes = answers->width * sizeof(uint16_t);
  if (memcmp(held, question, bytes) != 0) {
    memcpy(held, question, bytes);
    answers->known[place] = 0;
  }
  return place;
}

bool eo__pairwise_answers_solved(const eo_pairwise_answers *answers, const uint16_t *question, const uint32_t *chosen,
                                 uint32_t chosen_count, bool valid_only) {
  for (uint32_t s = 0; s < answers->solution_count; s++) {
    if (valid_only && !answers->solution_valid[s]) continue;
    const uint16_t *solution = answers->solutions + (size_t)s * answers->width;
    uint32_t i = 0;
    while (i < chosen_count && question[chosen[i]] == solution[chosen[i]]) i++;
    if (i == chosen_count) return true;
  }
  return false;
}

uint16_t *eo__pairwise_answers_solution(eo_pairwise_answers *answers, bool valid) {
  uint32_t s = answers->next_solution;
  answers->next_solution = (uint8_t)((s + 1) % EO_PAIRWISE_KEPT_SOLUTIONS);
  if (answers->solution_count < EO_PAIRWISE_KEPT_SOLUTIONS) answers->solution_count++;
  answers->solution_valid[s] = valid;
  return answers->solutions + (size_t)s * answers->width;
}
