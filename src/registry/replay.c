/* replay.c: one execution, run once more in a worker of its own: that of a ticket, or one that a probe or a scout met. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "core/contain.h"
#include "registry/explore.h"
#include "registry/worker.h"

enum { ASK_REPLAYED = 'F' }; /* the finding follows, as JSON, with its '\0' */

typedef struct replay {
  const eo_request *request;
  const eo_ticket *ticket; /* NULL: the finding is to be confirmed */
  uint32_t until;
  eo_finding *finding; /* to be filled */
  bool received;
} replay;

static void tell(eo_worker *worker, const char *json) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "%c", ASK_REPLAYED);
  eo__text_append(&text, json, strlen(json));
  eo_bytes answer = {0};
  eo__worker_ask(worker, text.chars, text.length + 1, &answer);
}

static int heard(void *context, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                 eo_error *error) {
  replay *r = context;
  if (eo__worker_error_is(bytes, size)) return eo__worker_error_read(bytes, size, error);
  if (size < 2 || bytes[0] != ASK_REPLAYED || bytes[size - 1] != '\0') return EO_NONSENSE;
  eo__finding_release(r->finding);
  eo__finding_init(r->finding);
  if (eo__finding_from_json(r->finding, (const char *)bytes + 1, error) != EO_OK) return EO_NONSENSE;
  r->received = true;
  eo__crew_answer(crew, worker, "", 0);
  return EO_OK;
}

/* ---- A ticket ----------------------------------------------------------------------------------------------------- */

static void replay_child(void *context, eo_worker *worker) {
  const replay *r = context;
  eo_finding finding;
  eo_error error = {0};
  eo__finding_init(&finding);
  if (eo__worker_replay(r->request, r->ticket, r->until, worker->cell, &finding, &error) != EO_OK) {
    eo__worker_error_tell(worker, &error);
    return;
  }
  char *json = eo__finding_to_json(&finding);
  tell(worker, json ? json : "");
}

int eo__replay(const eo_request *request, const eo_ticket *ticket, uint32_t until, bool in_process, eo_finding *finding,
               eo_error *error) {
  if (in_process) return eo__worker_replay(request, ticket, until, NULL, finding, error);
  replay r = {.request = request, .ticket = ticket, .until = until, .finding = finding};
  eo_work work = {.context = &r,
                  .run = replay_child,
                  .serve = heard,
                  .stop = eo__stop_flag(),
                  .watchdog = eo__watchdog(request),
                  .keep_output = true};
  int code = eo__contain(&work, error);
  if (code != EO_OK || r.received) return code;
  return eo__error_set(error, EO_ESYSTEM, "interrupted: the execution was not run to its end");
}

/* ---- A failure that nobody has described -------------------------------------------------------------------------- */

static void confirm_child(void *context, eo_worker *worker) {
  const replay *r = context;
  eo_error error = {0};
  char *json;
  if (eo__worker_confirm(r->request, r->finding, worker->cell, &json, &error) != EO_OK || !json)
    eo__worker_error_tell(worker, &error);
  else
    tell(worker, json);
}

#define LEAST_CONFIRMING 0.3 /* seconds that confirming may take when the time is up */

void eo__confirm(const eo_request *request, const eo_run *run, eo_finding *finding) {
  eo_error unwanted = {0};
  eo_request own = *request;
  double limit = request->options.seconds, left = limit > 0 ? limit - run->elapsed : 0;
  if (*eo__stop_flag() || left < -LEAST_CONFIRMING) return;
  if (left < LEAST_CONFIRMING) left = LEAST_CONFIRMING;
  if (limit > 0) own.options.as_found = 1; /* there is no time to minimise it */
  replay r = {.request = &own, .finding = finding};
  eo_work work = {.context = &r,
                  .run = confirm_child,
                  .serve = heard,
                  .stop = eo__stop_flag(),
                  .deadline = limit > 0 ? eo__seconds() + left : 0,
                  .watchdog = eo__watchdog(request)};
  fflush(NULL);
  eo__contain(&work, &unwanted);
}
