/* lanes.c: see lanes.h. A finding may have come from another machine: nothing is taken for granted of its numbers. */
#include "report/lanes.h"

#include <string.h>

#include "base/alloc.h"

/* Where this process is, or where it would have to be put. */
static size_t place_of(const eo_lanes *lanes, const char *process, bool *there) {
  size_t low = 0, high = lanes->lanes.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strverscmp(lanes->lanes.items[middle].process, process);
    if (order == 0) {
      *there = true;
      return middle;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *there = false;
  return low;
}

static bool add_process(eo_lanes *lanes, const char *process) {
  bool there;
  if (!process || !*process) return true;
  size_t at = place_of(lanes, process, &there);
  if (there) return true;
  if (!eo_vec_reserve(&lanes->lanes, 1)) return false;
  memmove(&lanes->lanes.items[at + 1], &lanes->lanes.items[at], (lanes->lanes.count - at) * sizeof(eo_lane));
  lanes->lanes.items[at] = (eo_lane){.process = process, .name = "", .spawned = EO_NO_STEP, .ended = EO_NO_STEP};
  lanes->lanes.count++;
  return true;
}

static bool add_processes(eo_lanes *lanes) {
  for (size_t i = 0; i < lanes->finding->lines.count; i++) {
    const eo_line *line = &lanes->finding->lines.items[i];
    bool added = add_process(lanes, line->process) && add_process(lanes, line->other);
    for (size_t j = 0; added && j < line->mails.count; j++) added = add_process(lanes, line->mails.items[j].other);
    if (!added) return false;
  }
  return add_process(lanes, lanes->finding->failure.process);
}

uint32_t eo__lane_of(const eo_lanes *lanes, const char *process) {
  bool there;
  if (!process) return EO_NO_STEP;
  size_t at = place_of(lanes, process, &there);
  return there ? (uint32_t)at : EO_NO_STEP;
}

/* Where this letter is, or where it would have to be put. Numbers mostly grow, so it is mostly at the end. */
static size_t letter_place(const eo_lanes *lanes, uint32_t number) {
  size_t low = 0, high = lanes->letters.count;
  if (high > 0 && lanes->letters.items[high - 1].number < number) return high;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (lanes->letters.items[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const eo_letter *eo__lanes_letter(const eo_lanes *lanes, uint32_t number) {
  size_t at = letter_place(lanes, number);
  bool there = at < lanes->letters.count && lanes->letters.items[at].number == number;
  return there ? &lanes->letters.items[at] : NULL;
}

static bool add_letter(eo_lanes *lanes, const eo_line *line, uint32_t step, const eo_mailed *mail) {
  uint32_t other = eo__lane_of(lanes, mail->other);
  size_t at = letter_place(lanes, mail->number);
  if (other == EO_NO_STEP) return true;
  if (at == lanes->letters.count || lanes->letters.items[at].number != mail->number) {
    if (!eo_vec_reserve(&lanes->letters, 1)) return false;
    memmove(&lanes->letters.items[at + 1], &lanes->letters.items[at],
            (lanes->letters.count - at) * sizeof(*lanes->letters.items));
    lanes->letters.items[at] = (eo_letter){.number = mail->number, .sent = EO_NO_STEP, .taken = EO_NO_STEP};
    lanes->letters.count++;
  }
  eo_letter *letter = &lanes->letters.items[at];
  uint32_t own = lanes->of.items[step];
  *(line->sends ? &letter->sent : &letter->taken) = step;
  letter->from = line->sends ? own : other;
  letter->to = line->sends ? other : own;
  if (!letter->text || !*letter->text) letter->text = mail->text ? mail->text : "";
  return true;
}

static bool add_line(eo_lanes *lanes, uint32_t step) {
  const eo_line *line = &lanes->finding->lines.items[step];
  uint32_t own = eo__lane_of(lanes, line->process), other = eo__lane_of(lanes, line->other);
  if (own == EO_NO_STEP) own = 0; /* a step of nobody: a damaged finding */
  if (lanes->lanes.count == 0 || !eo_vec_push(&lanes->of, own)) return false;
  eo_lane *lane = &lanes->lanes.items[own];
  lane->steps++;
  if (*line->name) lane->name = line->name;
  if (strcmp(line->op, "exit") == 0) lane->ended = step;
  if (strcmp(line->op, "spawn") == 0 && other != EO_NO_STEP && other != own) lanes->lanes.items[other].spawned = step;
  for (size_t i = 0; i < line->mails.count; i++)
    if (!add_letter(lanes, line, step, &line->mails.items[i])) return false;
  return true;
}

bool eo__lanes_init(eo_lanes *lanes, const eo_finding *finding) {
  *lanes = (eo_lanes){.finding = finding};
  if (!add_processes(lanes)) return false;
  if (lanes->lanes.count == 0 && finding->lines.count > 0) return false;
  for (size_t i = 0; i < finding->lines.count; i++)
    if (!add_line(lanes, (uint32_t)i)) return false;
  return true;
}

void eo__lanes_release(eo_lanes *lanes) {
  eo_vec_release(&lanes->lanes);
  eo_vec_release(&lanes->of);
  eo_vec_release(&lanes->letters);
}

static void join(uint32_t *clock, const uint32_t *other, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (other[i] > clock[i]) clock[i] = other[i];
}

uint32_t *eo__lanes_clocks(const eo_lanes *lanes) {
  size_t width = lanes->lanes.count, steps = lanes->of.count;
  uint32_t *clocks = eo__alloc((width * steps + 1) * sizeof(*clocks));
  uint32_t *last = eo__alloc((width + 1) * sizeof(*last)); /* step of each lane + 1; 0: none yet */
  for (size_t i = 0; clocks && last && i < steps; i++) {
    const eo_line *line = &lanes->finding->lines.items[i];
    uint32_t own = lanes->of.items[i], *clock = clocks + i * width;
    if (last[own] > 0) join(clock, clocks + (last[own] - 1) * width, width);
    for (size_t j = 0; j < line->after.count; j++)
      if (line->after.items[j] < i) join(clock, clocks + line->after.items[j] * width, width);
    clock[own]++;
    last[own] = (uint32_t)i + 1;
  }
  if (!last) {
    eo__free(clocks);
    clocks = NULL;
  }
  eo__free(last);
  return clocks;
}
