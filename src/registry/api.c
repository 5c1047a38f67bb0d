/* api.c: eo_explore, for tests of other frameworks: one function, explored once or with each row of its parameters. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "core/program.h"
#include "registry/explore.h"
#include "registry/params.h"
#include "registry/verdict.h"

static void keep_first(void *context, const eo_run *run, const eo_finding *finding) {
  eo_result *result = context;
  if (*result->kind) return;
  snprintf(result->kind, sizeof result->kind, "%s", eo__kind_name(finding->failure.kind));
  memcpy(result->message, finding->failure.message, sizeof result->message);
  if (finding->ticket) snprintf(result->ticket, sizeof result->ticket, "%s", finding->ticket);
  if (!run->row) return;
  eo_text row;
  eo__text_init(&row);
  eo__row_add(&row, run->row, ',');
  snprintf(result->row, sizeof result->row, "%s", row.chars);
  eo__text_release(&row);
}

static void add_run(eo_result *result, const eo_run *run) {
  result->verdict = eo__verdict_both(result->verdict, run->verdict);
  result->complete = result->complete && run->complete;
  result->executions += run->executions;
  result->transitions += run->transitions;
  result->skipped += run->skipped;
  result->findings += run->findings;
  result->cut += run->cut;
  if (run->max_depth > result->max_depth) result->max_depth = run->max_depth;
}

/* Once, or with each of the rows. */
static int explore_rows(eo_request *request, const eo_row_list *list, eo_result *result, eo_error *error) {
  size_t count = request->options.model ? list->rows.count : 1;
  eo_listener listener = {.context = result, .finding = keep_first};
  int code = EO_OK;
  result->verdict = count ? EO_PASS : EO_INCOMPLETE; /* without a row nothing is run */
  result->complete = count > 0;
  for (size_t i = 0; code == EO_OK && i < count; i++) {
    eo_run run;
    if (request->options.model) {
      request->row = list->rows.items[i];
      result->rows++;
    }
    eo__row_use(request->row);
    code = eo__explore(request, &listener, &run, error);
    add_run(result, &run);
    if (result->findings && !request->options.keep_going && i + 1 < count) {
      result->complete = false;
      break;
    }
  }
  eo__row_use(NULL);
  return code;
}

static int rows_of(const eo_request *request, eo_row_list *list, eo_error *error) {
  const char *lines[] = {request->options.model, NULL};
  eo_test test = {.name = request->test, .place = {.file = "eo_explore"}, .model = lines};
  return request->options.model ? eo__params_rows(&test, request->options.params, list, error) : EO_OK;
}

typedef struct asked {
  eo_function function;
  void *argument;
  const eo_options *options;
  eo_result *result;
} asked;

static int explore(void *context) {
  const asked *by = context;
  eo_result local, *result = by->result;
  const eo_options *options = by->options;
  eo_request request = {
      .function = by->function, .argument = by->argument, .program = "/proc/self/exe", .test = "explore"};
  eo_row_list list = {0};
  char path[512];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  eo_error error = {0};
  if (eo__runtime)
    eo__runtime->fail("misuse", NULL, "eo_explore: called inside a process; explorations cannot be nested");
  if (!result) result = &local;
  memset(result, 0, sizeof *result);
  if (length > 0) {
    path[length] = '\0';
    request.program = path;
  }
  if (options) request.options = *options;
  if (request.options.name) request.test = request.options.name;
  int code = eo__request_check(&request, &error);
  if (code == EO_OK) code = rows_of(&request, &list, &error);
  if (code == EO_OK) code = explore_rows(&request, &list, result, &error);
  eo__row_list_release(&list);
  if (code == EO_OK) return 0;
  result->verdict = eo__verdict_both(result->verdict, EO_ERROR);
  result->complete = false;
  if (!*result->kind) snprintf(result->message, sizeof result->message, "%s", error.text);
  return -1;
}

int eo_explore(eo_function function, void *argument, const eo_options *options, eo_result *result) {
  asked by = {function, argument, options, result};
  return eo__with_stack(__builtin_frame_address(0), explore, &by);
}
