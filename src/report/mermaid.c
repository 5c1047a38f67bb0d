/* mermaid.c: an execution as a Mermaid sequence diagram. Participants are p0, p1, ...; what they are called is text. */
#include <string.h>

#include "report/export.h"
#include "report/lanes.h"

static void add_participants(eo_text *text, const eo_lanes *lanes) {
  for (size_t i = 0; i < lanes->lanes.count; i++) {
    const eo_lane *lane = &lanes->lanes.items[i];
    eo__text_add(text, "  participant p%zu as ", i);
    eo__quote_mermaid(text, lane->process);
    if (lane->name[0] != '\0') {
      eo__text_add(text, " ");
      eo__quote_mermaid(text, lane->name);
    }
    eo__text_add(text, "\n");
  }
}

/* An arrow for each message; what sends none is a note, or an arrow without a message to the process it concerns. */
static void add_step(eo_text *text, const eo_lanes *lanes, size_t step) {
  const eo_line *line = &lanes->finding->lines.items[step];
  uint32_t own = lanes->of.items[step], other = eo__lane_of(lanes, line->other);
  size_t arrows = 0;
  for (size_t i = 0; line->sends && i < line->mails.count; i++) {
    uint32_t to = eo__lane_of(lanes, line->mails.items[i].other);
    if (to == EO_NO_STEP) continue;
    eo__text_add(text, "  p%u-)p%u: %zu. ", (unsigned)own, (unsigned)to, step + 1);
    eo__quote_mermaid(text, line->mails.items[i].text ? line->mails.items[i].text : line->op);
    eo__text_add(text, "\n");
    arrows++;
  }
  if (arrows > 0 && strcmp(line->op, "send") == 0) return;
  bool dashed =
      other != EO_NO_STEP && other != own && strcmp(line->op, "receive") != 0 && strcmp(line->op, "exit") != 0;
  if (dashed)
    eo__text_add(text, "  p%u-->>p%u: %zu. ", (unsigned)own, (unsigned)other, step + 1);
  else
    eo__text_add(text, "  Note over p%u: %zu. ", (unsigned)own, step + 1);
  eo__quote_mermaid(text, line->text);
  eo__text_add(text, "\n");
}

static void add_failure(eo_text *text, const eo_lanes *lanes) {
  const eo_failure *failure = &lanes->finding->failure;
  uint32_t lane = eo__lane_of(lanes, failure->process);
  if (failure->kind == EO_KIND_NONE || lanes->lanes.count == 0) return;
  if (lane != EO_NO_STEP)
    eo__text_add(text, "  Note over p%u: ", (unsigned)lane);
  else
    eo__text_add(text, "  Note over p0,p%zu: ", lanes->lanes.count - 1);
  eo__quote_mermaid(text, eo__kind_name(failure->kind));
  eo__text_add(text, "#58; ");
  eo__quote_mermaid(text, failure->message);
  eo__text_add(text, "\n");
}

bool eo__export_mermaid(FILE *out, const char *test, const eo_finding *finding) {
  eo_lanes lanes;
  eo_text text;
  eo__text_init(&text);
  bool done = eo__lanes_init(&lanes, finding);
  if (done) {
    eo__text_add(&text, "sequenceDiagram\n  accTitle: ");
    eo__quote_mermaid(&text, test);
    eo__text_add(&text, "\n");
    add_participants(&text, &lanes);
    for (size_t i = 0; i < finding->lines.count; i++) add_step(&text, &lanes, i);
    add_failure(&text, &lanes);
  }
  done = done && !text.failed;
  if (done) fputs(text.chars, out);
  eo__text_release(&text);
  eo__lanes_release(&lanes);
  return done;
}
