/* parting.c: where two executions of one test part. An event is known again by its process and how many steps that
 * process had taken before; as long as a process does the same in both, its events are common to both. */
#include <string.h>

#include "base/alloc.h"
#include "report/diagram.h"
#include "report/lanes.h"
#include "report/shown.h"

enum { BEFORE = 2, FROM_THERE = 6, PAIRS = 12 };

typedef struct one_side {
  const eo_finding *finding;
  eo_lanes lanes;
  uint32_t *nth;   /* by step: steps of its process before it */
  uint32_t *other; /* by step: the step of the other side that is the same event; EO_NO_STEP: none */
} one_side;

typedef struct comparison {
  FILE *out;
  const eo_diagram_style *style;
  const char *const *names;
  one_side sides[2];
  size_t common; /* first steps that are the same, in the same order */
  size_t who;    /* columns */
  bool *failed;  /* no memory */
} comparison;

static bool same_step(const eo_line *a, const eo_line *b) {
  return strcmp(a->process, b->process) == 0 && strcmp(a->op, b->op) == 0 && strcmp(a->text, b->text) == 0 &&
         a->value == b->value && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* ---- Which event is which ------------------------------------------------------------------------------------------- */

static bool side_init(one_side *side, const eo_finding *finding) {
  size_t steps = finding->lines.count;
  side->finding = finding;
  if (!eo__lanes_init(&side->lanes, finding)) return false;
  side->nth = eo__alloc((steps + 1) * sizeof(*side->nth));
  side->other = eo__alloc((steps + 1) * sizeof(*side->other));
  uint32_t *counts = eo__alloc((side->lanes.lanes.count + 1) * sizeof(*counts));
  for (size_t i = 0; counts && side->nth && side->other && i < steps; i++) {
    side->nth[i] = counts[side->lanes.of.items[i]]++;
    side->other[i] = EO_NO_STEP;
  }
  bool done = counts != NULL && side->nth != NULL && side->other != NULL;
  eo__free(counts);
  return done;
}

static void side_release(one_side *side) {
  eo__lanes_release(&side->lanes);
  eo__free(side->nth);
  eo__free(side->other);
}

/* Goes along each process in both at once, until it does something else. */
static bool match(comparison *parting) {
  one_side *a = &parting->sides[0], *b = &parting->sides[1];
  size_t lanes = b->lanes.lanes.count;
  uint32_t *at = eo__alloc((lanes + 1) * sizeof(*at)); /* by lane of b: where to look for its next step */
  if (at == NULL) return false;
  for (uint32_t i = 0; i < a->finding->lines.count; i++) {
    const eo_line *line = &a->finding->lines.items[i];
    uint32_t lane = eo__lane_of(&b->lanes, line->process);
    if (lane == EO_NO_STEP || at[lane] == EO_NO_STEP) continue;
    uint32_t j = at[lane];
    while (j < b->finding->lines.count && b->lanes.of.items[j] != lane) j++;
    bool same = j < b->finding->lines.count && same_step(line, &b->finding->lines.items[j]);
    at[lane] = same ? j + 1 : EO_NO_STEP;
    if (!same) continue;
    a->other[i] = j;
    b->other[j] = i;
  }
  eo__free(at);
  return true;
}

static void release(const comparison *parting, eo_text *text) {
  if (text->failed) *parting->failed = true;
  eo__text_release(text);
}

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

static void put_wrapped(const comparison *parting, const char *chars, size_t indent) {
  size_t skip;
  bool first = true;
  for (const char *rest = chars; *rest != '\0'; first = false) {
    size_t length = eo__diagram_wrap(rest, parting->style->width - indent, &skip);
    fprintf(parting->out, "%*s%.*s\n", first ? 0 : (int)indent, "", (int)length, rest);
    rest += length + skip;
  }
}

static void put_title(const comparison *parting, const char *code, const char *chars) {
  fprintf(parting->out, "%s%s%s\n", eo__paint(parting->style->colour, code), chars, eo__plain(parting->style->colour));
}

static void put_step(const comparison *parting, const one_side *side, size_t step, const char *code) {
  const eo_line *line = &side->finding->lines.items[step];
  bool colour = parting->style->colour && code[0] != '\0';
  eo_text text;
  eo__text_init(&text);
  size_t columns = eo__diagram_text(&text, line->process, parting->style->ascii);
  fprintf(parting->out, "  %6zu  %s%s%s%*s  ", step + 1, eo__paint(colour, code), text.chars, eo__plain(colour),
          columns < parting->who ? (int)(parting->who - columns) : 0, "");
  eo__text_clear(&text);
  eo__diagram_text(&text, line->text, parting->style->ascii);
  if (line->file[0] != '\0') {
    eo__text_add(&text, ", at ");
    eo__diagram_text(&text, line->file, parting->style->ascii);
    eo__text_add(&text, ":%d", line->line);
  }
  put_wrapped(parting, text.chars, 12 + parting->who);
  release(parting, &text);
}

static void put_end(const comparison *parting, const one_side *side) {
  const eo_failure *failure = &side->finding->failure;
  eo_text text;
  eo__text_init(&text);
  if (failure->kind == EO_KIND_NONE)
    eo__text_add(&text, "ends without a failure");
  else
    eo__text_add(&text, "%s: ", eo__kind_name(failure->kind));
  if (failure->kind != EO_KIND_NONE) eo__diagram_text(&text, failure->message, parting->style->ascii);
  fprintf(parting->out, "       %s ", parting->style->ascii ? "=>" : "⇒");
  put_wrapped(parting, text.chars, parting->style->ascii ? 10 : 9);
  release(parting, &text);
}

/* ---- The parts ------------------------------------------------------------------------------------------------------- */

static void put_common(const comparison *parting) {
  const one_side *a = &parting->sides[0];
  size_t first = parting->common > BEFORE ? parting->common - BEFORE : 0;
  eo_text title;
  eo__text_init(&title);
  if (parting->common == 0)
    eo__text_add(&title, "they part at the first step");
  else if (parting->common == 1)
    eo__text_add(&title, "step 1 is the same in both");
  else
    eo__text_add(&title, "steps 1 to %zu are the same in both", parting->common);
  put_title(parting, EO_BOLD, title.chars);
  if (first > 0) fprintf(parting->out, "     ...\n");
  for (size_t i = first; i < parting->common; i++) put_step(parting, a, i, "");
  release(parting, &title);
}

static void put_side(const comparison *parting, size_t which) {
  const one_side *side = &parting->sides[which];
  size_t count = side->finding->lines.count, from = parting->common;
  size_t end = count - from > FROM_THERE ? from + FROM_THERE : count;
  eo_text title;
  eo__text_init(&title);
  eo__text_add(&title, "%c: ", (int)('A' + (int)which));
  eo__diagram_text(&title, parting->names[which], parting->style->ascii);
  fputc('\n', parting->out);
  put_title(parting, EO_BOLD, title.chars);
  for (size_t i = from; i < end; i++) put_step(parting, side, i, i == from ? EO_YELLOW : "");
  if (from == count) fputs("          has no further step\n", parting->out);
  if (end < count) fprintf(parting->out, "     ... %zu more\n", count - end);
  put_end(parting, side);
  release(parting, &title);
}

static void add_event(const comparison *parting, eo_text *text, const one_side *side, uint32_t step) {
  const eo_line *line = &side->finding->lines.items[step];
  eo__diagram_text(text, line->process, parting->style->ascii);
  eo__text_add(text, " ");
  eo__diagram_text(text, line->text, parting->style->ascii);
  eo__text_add(text, " (step %u)", (unsigned)step + 1);
}

/* Prints it, if it is one of the first: `earlier` comes before `later` here, and after it on the other side. */
static void put_pair(const comparison *parting, size_t which, uint32_t earlier, uint32_t later, size_t *found) {
  const one_side *here = &parting->sides[which];
  if (++*found > PAIRS) return;
  if (*found == 1) {
    fputc('\n', parting->out);
    put_title(parting, EO_BOLD, "the other way round:");
  }
  for (size_t i = 0; i < 2; i++) {
    const one_side *side = &parting->sides[i];
    uint32_t first = side == here ? earlier : here->other[later], second = side == here ? later : here->other[earlier];
    eo_text text;
    eo__text_init(&text);
    add_event(parting, &text, side, first);
    eo__text_add(&text, ", then ");
    add_event(parting, &text, side, second);
    fprintf(parting->out, "  %c: ", (int)('A' + (int)i));
    put_wrapped(parting, text.chars, 5);
    release(parting, &text);
  }
}

/* Do both happen on the other side too, and the other way round? */
static bool is_reversed(const one_side *here, uint32_t earlier, uint32_t later) {
  return earlier < later && here->other[later] != EO_NO_STEP && here->other[earlier] != EO_NO_STEP &&
         here->other[later] < here->other[earlier];
}

static bool is_send_to_same(const eo_line *a, const eo_line *b) {
  return a->sends && b->sends && a->mails.count == 1 && b->mails.count == 1 &&
         strcmp(a->mails.items[0].other, b->mails.items[0].other) == 0;
}

/* Messages to one process that were sent one right after the other. If the order of any two differs, then that of two
 * such. */
static bool put_races(const comparison *parting, size_t *found) {
  const one_side *here = &parting->sides[0];
  uint32_t *last = eo__alloc((here->lanes.lanes.count + 1) * sizeof(*last)); /* by receiver: step + 1; 0: none yet */
  if (last == NULL) return false;
  for (uint32_t later = 0; later < here->finding->lines.count; later++) {
    const eo_line *line = &here->finding->lines.items[later];
    uint32_t to =
        line->sends && line->mails.count == 1 ? eo__lane_of(&here->lanes, line->mails.items[0].other) : EO_NO_STEP;
    if (to == EO_NO_STEP) continue;
    if (last[to] > 0 && is_reversed(here, last[to] - 1, later)) put_pair(parting, 0, last[to] - 1, later, found);
    last[to] = later + 1;
  }
  eo__free(last);
  return true;
}

/* Other pairs that depend on each other on this side, and stand the other way round on the other. */
static void put_pairs(const comparison *parting, size_t which, size_t *found) {
  const one_side *here = &parting->sides[which];
  const eo_line *lines = here->finding->lines.items;
  for (uint32_t later = 0; later < here->finding->lines.count; later++)
    for (size_t i = 0; i < lines[later].after.count; i++) {
      uint32_t earlier = lines[later].after.items[i];
      if (is_reversed(here, earlier, later) && !is_send_to_same(&lines[earlier], &lines[later]))
        put_pair(parting, which, earlier, later, found);
    }
}

static bool all_common(const one_side *side) {
  for (size_t i = 0; i < side->finding->lines.count; i++)
    if (side->other[i] == EO_NO_STEP) return false;
  return true;
}

static void put_last(const comparison *parting, const char *chars) {
  fputc('\n', parting->out);
  put_wrapped(parting, chars, 0);
}

static bool put_order(const comparison *parting) {
  size_t found = 0;
  if (!put_races(parting, &found)) return false;
  put_pairs(parting, 0, &found);
  put_pairs(parting, 1, &found);
  if (found > PAIRS) fprintf(parting->out, "  ... and %zu more pairs\n", found - PAIRS);
  bool all = all_common(&parting->sides[0]) && all_common(&parting->sides[1]);
  if (all && found == 0)
    put_last(
        parting,
        "Both have the same steps, and dependent steps are in the same order in both: the executions are equivalent.");
  else if (all)
    put_last(parting, "Both have the same steps in a different order.");
  return true;
}

bool eo__report_parting(FILE *out, const eo_diagram_style *style, const eo_finding *const findings[2],
                        const char *const names[2]) {
  bool failed = false;
  comparison parting = {.failed = &failed, .out = out, .style = style, .names = names, .who = 4};
  bool done = side_init(&parting.sides[0], findings[0]) && side_init(&parting.sides[1], findings[1]) && match(&parting);
  if (done) {
    size_t a = findings[0]->lines.count, b = findings[1]->lines.count;
    for (size_t i = 0; i < 2; i++)
      for (size_t j = 0; j < parting.sides[i].lanes.lanes.count; j++) {
        size_t columns = eo__shown_columns(parting.sides[i].lanes.lanes.items[j].process);
        if (columns > parting.who && columns < 20) parting.who = columns;
      }
    while (parting.common < a && parting.common < b &&
           same_step(&findings[0]->lines.items[parting.common], &findings[1]->lines.items[parting.common]))
      parting.common++;
    if (parting.common == a && a == b) {
      fprintf(out, "the two are the same: %zu steps\n", a);
      put_end(&parting, &parting.sides[0]);
    } else {
      put_common(&parting);
      put_side(&parting, 0);
      put_side(&parting, 1);
      done = put_order(&parting);
    }
  }
  side_release(&parting.sides[0]);
  side_release(&parting.sides[1]);
  return done && !failed;
}
