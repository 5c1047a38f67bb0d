/* cmd_report.c: runs the executions of tickets again and writes them as one HTML file: doc/reports.md. */
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/json_file.h"
#include "registry/registry.h"
#include "registry/verdict.h"

/* What the ticket and the steps say of an execution; a replay counts nothing. */
static int complete(eo_finding *finding, const eo_ticket *ticket, const char *path, eo_error *error) {
  eo_text schedule;
  eo__text_init(&schedule);
  eo__schedule_write(ticket->steps.items, ticket->steps.count, &schedule);
  eo__free(finding->schedule);
  eo__free(finding->ticket);
  finding->schedule = schedule.failed ? NULL : eo__strdup(schedule.chars);
  finding->ticket = eo__strdup(path);
  eo__text_release(&schedule);
  if (finding->schedule == NULL || finding->ticket == NULL) return eo__error_nomem(error);
  finding->execution = 1;
  finding->rechecked = true;
  finding->preemptions = finding->switches = 0;
  for (size_t i = 1; i < finding->lines.count; i++) {
    finding->preemptions += finding->lines.items[i].preempts;
    finding->switches += strcmp(finding->lines.items[i].process, finding->lines.items[i - 1].process) != 0;
  }
  return EO_OK;
}

static void fill_run(eo_run *run, const eo_front *front, const eo_ticket *ticket, const eo_test *test,
                     const eo_finding *finding) {
  bool reproduced = eo__ticket_reproduced(ticket, &finding->failure);
  run->program = front->program;
  run->subject = "actor";
  run->test = test->name;
  run->strategy = "replay";
  run->options = "";
  run->executions = run->jobs = 1;
  run->transitions = finding->lines.count;
  run->max_depth = finding->depth;
  run->findings = run->failures = finding->failure.kind != EO_KIND_NONE;
  char stopped[128];
  snprintf(stopped, sizeof(stopped), "the ticket says %s: it was not reproduced", eo__kind_name(ticket->kind));
  eo__run_decide(run, &(eo_facts){.executions = 1,
                                  .findings = run->findings,
                                  .failures = run->failures,
                                  .coverage = EO_COVERS_SAMPLE,
                                  .covered = "the one execution of a ticket",
                                  .stopped = reproduced ? NULL : stopped});
}

/* One ticket; *reproduced becomes false if it does not fail as it says. */
static int add_ticket(const eo_front *front, const eo_args *args, const char *path, eo_reporter *reporter,
                      bool *reproduced, eo_error *error) {
  eo_ticket ticket;
  eo_finding finding;
  eo_test *test = NULL;
  eo_run run = {.share = -1};
  eo__ticket_init(&ticket);
  eo__finding_init(&finding);
  double start = eo__seconds();
  int code = eo__ticket_load(&ticket, path, error);
  if (code == EO_OK) code = eo__ticket_check(front, args, &ticket, &test, error);
  if (code == EO_OK) code = eo__ticket_run(front, args, &ticket, test, true, &finding, error);
  if (code == EO_OK) code = complete(&finding, &ticket, path, error);
  if (code == EO_OK) {
    fill_run(&run, front, &ticket, test, &finding);
    run.elapsed = eo__seconds() - start;
    reporter->ops->begin(reporter, &run);
    if (run.findings > 0) reporter->ops->finding(reporter, &run, &finding);
    reporter->ops->end(reporter, &run);
    if (*run.stopped) {
      fprintf(stderr, "%s: %s: %s\n", front->name, path, run.stopped);
      *reproduced = false;
    }
  }
  eo__finding_release(&finding);
  eo__ticket_release(&ticket);
  return code;
}

int eo__cmd_report(const eo_front *front, const eo_args *args) {
  eo_error error;
  eo_json_file file = {0};
  bool reproduced = true;
  int code = eo__json_file_open(&file, "-o", args->file, &error);
  if (code != EO_OK) return eo__fail(front, &error);
  eo_reporter *reporter = eo__reporter_open("html", file.stream, false);
  if (reporter == NULL) code = eo__error_nomem(&error);
  for (size_t i = 0; i <= args->more.count && code == EO_OK; i++)
    code = add_ticket(front, args, i == 0 ? args->operand : args->more.items[i - 1], reporter, &reproduced, &error);
  if (reporter != NULL) reporter->ops->close(reporter);
  if (code == EO_OK)
    code = eo__json_file_finish(&file, &error);
  else
    eo__json_file_drop(&file);
  if (code != EO_OK) return eo__fail(front, &error);
  return reproduced ? EO_STATUS_CLEAN : EO_STATUS_INCOMPLETE;
}
