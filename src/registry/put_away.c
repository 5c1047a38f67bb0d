/* put_away.c: see put_away.h. */
#include "registry/put_away.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "subjects/model/full.h"

#define FIRST_SAVE 5.0 /* seconds */
#define SAVE_PART 0.05 /* of the time is spent on putting away */

enum { SUM_BYTES = 16 };

static void name_file(const eo__put_away *away, const uint64_t *sum, eo_text *path) {
  eo__text_clear(path);
  eo__text_add(path, "%s.states-", eo__resume_path(away->request->resume));
  if (sum)
    eo__text_add(path, "%016llx%016llx", (unsigned long long)sum[1], (unsigned long long)sum[0]);
  else
    eo__text_add(path, "new");
}

static void in_trouble(eo__put_away *away, const char *path) {
  eo__error_set(&away->trouble, EO_ESYSTEM, "cannot write %.256s, to resume from: %s", path, strerror(errno));
}

/* ---- Reading -------------------------------------------------------------------------------------------------------- */

int eo__put_away_damaged(const eo__put_away *away, eo_error *error) {
  return eo__error_set(error, EO_EINPUT, "%.256s is damaged: it cannot be resumed from; remove %.128s to start anew",
                       away->written.chars, eo__resume_path(away->request->resume));
}

static int copy_findings(eo__put_away *away, const eo_job_state *state, eo_error *error) {
  for (size_t i = 0; i < state->findings.count; i++) {
    char *copy = eo__strdup(state->findings.items[i]);
    if (!copy || !eo_vec_push(&away->findings, copy)) {
      eo__free(copy);
      return eo__error_nomem(error);
    }
  }
  return EO_OK;
}

/* A fragment: the checksum of the file, then the failures. */
static int open_fragment(eo__put_away *away, const eo_bytes *bytes, FILE **from, uint64_t sum[2], eo_error *error) {
  size_t failures = away->findings.count;
  memcpy(sum, bytes->items, bytes->count < SUM_BYTES ? bytes->count : SUM_BYTES);
  name_file(away, sum, &away->written);
  if (bytes->count != SUM_BYTES + failures * sizeof(eo_failure)) return eo__put_away_damaged(away, error);
  if (!eo_vec_reserve(&away->failures, failures)) return eo__error_nomem(error);
  memcpy(away->failures.items, bytes->items + SUM_BYTES, failures * sizeof(eo_failure));
  away->failures.count = failures;
  int file = eo__file_open(away->written.chars);
  *from = file < 0 ? NULL : fdopen(file, "rb");
  if (*from) return EO_OK;
  if (file >= 0) close(file);
  return eo__error_set(error, EO_EINPUT, "cannot read %.256s, to resume from: %s; remove %.128s to start anew",
                       away->written.chars, eo__file_trouble(errno), eo__resume_path(away->request->resume));
}

int eo__put_away_open(eo__put_away *away, const eo_request *request, FILE **from, uint64_t from_sum[2], bool *finished,
                      eo_error *error) {
  const eo_job_state *state = eo__resume_find(request->resume, request->test);
  away->request = request;
  eo__text_init(&away->writing);
  eo__text_init(&away->written);
  away->next = eo__seconds() + FIRST_SAVE;
  *finished = state && !state->fragments.count;
  if (!state) return EO_OK;
  away->total = state->total;
  int code = copy_findings(away, state, error);
  if (code == EO_OK && *finished) { /* nobody asks for the failures any more */
    if (!eo_vec_reserve(&away->failures, away->findings.count)) return eo__error_nomem(error);
    away->failures.count = away->findings.count;
    if (away->failures.count) memset(away->failures.items, 0, away->failures.count * sizeof(eo_failure));
  }
  if (code == EO_OK && !*finished) code = open_fragment(away, &state->fragments.items[0], from, from_sum, error);
  return code;
}

bool eo__put_away_finding(eo__put_away *away, const eo_finding *finding, const eo_failure *failure) {
  char *json = eo__finding_to_json(finding);
  if (json && eo_vec_reserve(&away->failures, 1) && eo_vec_push(&away->findings, json))
    return eo_vec_push(&away->failures, *failure);
  eo__free(json);
  return false;
}

/* ---- Writing -------------------------------------------------------------------------------------------------------- */

/* The file of --resume says how this test stands. */
static bool save(eo__put_away *away, const eo_run *run, const uint64_t *sum) {
  eo_job_state state = {.total = {.executions = run->executions,
                                  .states = run->states,
                                  .transitions = run->transitions,
                                  .failures = run->failures,
                                  .max_depth = run->max_depth}};
  size_t size = away->failures.count * sizeof(eo_failure);
  bool good = true;
  for (size_t i = 0; i < away->findings.count && good; i++) {
    char *copy = eo__strdup(away->findings.items[i]);
    good = copy && eo_vec_push(&state.findings, copy);
  }
  if (sum && good) {
    eo_bytes bytes = {0};
    good = eo__vec_append((void **)&bytes.items, &bytes.count, &bytes.capacity, sum, SUM_BYTES, 1) &&
           eo__vec_append((void **)&bytes.items, &bytes.count, &bytes.capacity, away->failures.items, size, 1) &&
           eo_vec_push(&state.fragments, bytes);
    if (!good) eo_vec_release(&bytes);
  }
  if (good) return eo__resume_save(away->request->resume, away->request->test, &state, &away->trouble) == EO_OK;
  eo__job_state_release(&state);
  eo__error_nomem(&away->trouble);
  return false;
}

FILE *eo__put_away_begin(eo__put_away *away, bool last) {
  double now = eo__seconds();
  if (!last && now < away->next) return NULL;
  away->begun = now;
  name_file(away, NULL, &away->writing);
  unlink(away->writing.chars);
  FILE *file = fopen(away->writing.chars, "wbx");
  if (!file) in_trouble(away, away->writing.chars);
  if (!file) away->next = now + FIRST_SAVE;
  return file;
}

void eo__put_away_end(eo__put_away *away, const eo_run *run, FILE *file, const uint64_t *sum) {
  bool good = sum && fflush(file) == 0 && fsync(fileno(file)) == 0;
  if (!good) in_trouble(away, away->writing.chars);
  good = fclose(file) == 0 && good;
  eo_text path;
  eo__text_init(&path);
  name_file(away, sum, &path);
  if (good && rename(away->writing.chars, path.chars) != 0) {
    in_trouble(away, path.chars);
    good = false;
  }
  if (good && save(away, run, sum)) {
    if (away->written.length && strcmp(away->written.chars, path.chars) != 0) unlink(away->written.chars);
    eo__text_clear(&away->written);
    eo__text_add(&away->written, "%s", path.chars);
  }
  if (!good) unlink(away->writing.chars);
  eo__text_release(&path);
  double now = eo__seconds(), pause = (now - away->begun) / SAVE_PART;
  away->next = now + (pause > FIRST_SAVE ? pause : FIRST_SAVE);
}

void eo__put_away_finish(eo__put_away *away, eo_run *run, const eo_promela_counts *counts) {
  run->states = counts->states;
  run->transitions = counts->states + counts->matched;
  run->failures = counts->failures;
  run->max_depth = counts->depth;
  if (save(away, run, NULL) && away->written.length) unlink(away->written.chars);
}

void eo__put_away_close(eo__put_away *away, eo_run *run) {
  if (!away->request) return; /* it was not opened */
  if (away->trouble.code != EO_OK && !*run->error) snprintf(run->error, sizeof run->error, "%s", away->trouble.text);
  for (size_t i = 0; i < away->findings.count; i++) eo__free(away->findings.items[i]);
  eo_vec_release(&away->findings);
  eo_vec_release(&away->failures);
  eo__text_release(&away->writing);
  eo__text_release(&away->written);
}
