/* cmd_diff.c: where the executions of two tickets part. */
#include <string.h>

#include "cli/cli.h"
#include "cli/cmd_show.h"

static bool same_schedule(const eo_ticket *a, const eo_ticket *b) {
  eo_text texts[2];
  eo__text_init(&texts[0]);
  eo__text_init(&texts[1]);
  eo__schedule_write(a->steps.items, a->steps.count, &texts[0]);
  eo__schedule_write(b->steps.items, b->steps.count, &texts[1]);
  bool same = !texts[0].failed && !texts[1].failed && strcmp(texts[0].chars, texts[1].chars) == 0;
  eo__text_release(&texts[0]);
  eo__text_release(&texts[1]);
  return same;
}

int eo__cmd_diff(const eo_front *front, const eo_args *args) {
  const char *const names[2] = {args->operand, args->second};
  eo_ticket tickets[2];
  eo_finding findings[2];
  eo_error error;
  int code = EO_OK;
  for (size_t i = 0; i < 2; i++) {
    eo__ticket_init(&tickets[i]);
    eo__finding_init(&findings[i]);
  }
  for (size_t i = 0; i < 2 && code == EO_OK; i++)
    code = eo__ticket_describe(front, args, names[i], &tickets[i], &findings[i], &error);
  if (code == EO_OK && strcmp(tickets[0].test, tickets[1].test) != 0)
    code = eo__error_set(&error, EO_EINPUT, "the tickets are of two tests, %.128s and %.128s: nothing to compare",
                         tickets[0].test, tickets[1].test);
  if (code == EO_OK) {
    const eo_finding *const both[2] = {&findings[0], &findings[1]};
    eo_diagram_style style = eo__diagram_style(args);
    if (!eo__report_parting(stdout, &style, both, names)) code = eo__error_nomem(&error);
  }
  int status = code != EO_OK                             ? eo__fail(front, &error)
               : same_schedule(&tickets[0], &tickets[1]) ? EO_STATUS_CLEAN
                                                         : EO_STATUS_FINDING;
  for (size_t i = 0; i < 2; i++) {
    eo__finding_release(&findings[i]);
    eo__ticket_release(&tickets[i]);
  }
  return status;
}
