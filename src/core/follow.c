/* follow.c: see follow.h. */
#include "core/follow.h"

#include <string.h>

#include "core/program.h"

static bool follow_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  eo_follow *f = (eo_follow *)strategy;
  return !f->started && (f->started = true);
}

static uint32_t find_choice(const eo_point *point, uint32_t process, uint32_t value) {
  for (uint32_t i = 0; i < point->count; i++)
    if (point->choices[i].process == process && point->choices[i].value == value) return i;
  return point->count;
}

/* The first choice of the process, if it can go on. */
static uint32_t find_process(const eo_point *point, uint32_t process) {
  uint32_t i = 0;
  while (i < point->count && point->choices[i].process != process) i++;
  return i;
}

static uint32_t follow_plan(eo_follow *f, const eo_point *point) {
  for (size_t i = f->next; i < f->plan.count; i++) {
    eo_choice wanted = f->plan.items[i];
    uint32_t index = find_choice(point, wanted.process, wanted.value);
    if (index == point->count) continue;
    /* Mostly i is the next one, and nothing moves. */
    memmove(&f->plan.items[f->next + 1], &f->plan.items[f->next], (i - f->next) * sizeof wanted);
    f->next++;
    return index;
  }
  uint32_t index = find_process(point, point->last);
  if (index == point->count) index = 0;
  f->drew |= eo__op_chooses(point->choices[index].op);
  return index;
}

static uint32_t follow_choose(eo_strategy *strategy, const eo_point *point) {
  eo_follow *f = (eo_follow *)strategy;
  uint32_t index = follow_plan(f, point);
  if (point->choices[index].process != point->last && find_process(point, point->last) < point->count) f->preemptions++;
  return index;
}

static void ignore_end(eo_strategy *strategy, eo_outcome *outcome) {
  (void)strategy;
  (void)outcome;
}

static const eo_strategy_ops follow_ops = {.begin = follow_begin, .choose = follow_choose, .end = ignore_end};

void eo__follow_start(eo_follow *follow) {
  follow->base = (eo_strategy){.ops = &follow_ops};
  follow->next = 0;
  follow->preemptions = 0;
  follow->drew = follow->started = false;
}
