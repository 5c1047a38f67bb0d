/* redis.c: see redis.h. From the operations of a frontier to words for the script, and from its replies back. */
#include "frontier/redis.h"

#include <everyorder.h>
#include <hiredis/hiredis.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/alloc.h"
#include "base/text.h"
#include "frontier/redis_link.h"

struct eo_redis {
  eo_frontier base;
  eo_redis_link link;
  char id[33];    /* of the job that was joined; "": whichever has the name */
  uint64_t asked; /* token of a take that was not answered; 0: none */
  uint32_t waits; /* takes in a row that got nothing */
  bool failed;    /* the last request */
};

/* ---- Requests ------------------------------------------------------------------------------------------------- */

/* The words of a request, with room for numbers; at most MOST_NUMBERS of them. */
enum { MOST_NUMBERS = 20 };
typedef struct request {
  eo_redis_words words;
  char numbers[MOST_NUMBERS][32];
  size_t used;
} request;

static void add(request *r, const char *text) { eo__redis_words_add(&r->words, text, strlen(text)); }

static char *room(request *r) {
  EO_CHECK(r->used < MOST_NUMBERS);
  return r->numbers[r->used++];
}

static void add_number(request *r, uint64_t number) {
  char *text = room(r);
  snprintf(text, sizeof r->numbers[0], "%" PRIu64, number);
  add(r, text);
}

static void add_real(request *r, double number) {
  char *text = room(r);
  snprintf(text, sizeof r->numbers[0], "%.6f", number);
  add(r, text);
}

/* It may be very large. */
static void add_sum(request *r, double number) {
  char *text = room(r);
  snprintf(text, sizeof r->numbers[0], "%.15g", number);
  add(r, text);
}

static void add_token(request *r, uint64_t token) {
  char *text = room(r);
  snprintf(text, sizeof r->numbers[0], "%016" PRIx64, token);
  add(r, text);
}

static void begin(request *r, const eo_redis *redis, const char *operation) {
  memset(r, 0, sizeof *r);
  add(r, operation);
  add(r, redis->id);
}

/* The text of element i of an array; NULL: it has no such one. */
static const char *element(const redisReply *reply, size_t i) {
  if (reply->type != REDIS_REPLY_ARRAY || i >= reply->elements) return NULL;
  return reply->element[i]->type == REDIS_REPLY_STRING ? reply->element[i]->str : NULL;
}

static bool answers(const redisReply *reply, const char *word, size_t elements) {
  const char *first = element(reply, 0);
  return first && reply->elements == elements && strcmp(first, word) == 0;
}

/* Sends it, and releases it. NULL: an error, or it has gone: *gone, which may be NULL if that is an error too. */
static redisReply *carry_out(eo_redis *redis, request *r, bool *gone, eo_error *error) {
  const char *name = redis->link.address.name;
  redisReply *reply = NULL;
  int code = eo__redis_link_call(&redis->link, &r->words, &reply, error);
  eo__redis_words_release(&r->words);
  if (gone) *gone = false;
  redis->failed = code != EO_OK;
  if (code != EO_OK) return NULL;
  bool has_gone = answers(reply, "gone", 1), other = answers(reply, "format", 2);
  if (!has_gone && !other) return reply;
  if (other)
    eo__error_set(error, EO_EINPUT, "the job %s was submitted by another version of Everyorder (%.32s, this is %s)",
                  name, element(reply, 1), EO_VERSION);
  else if (gone)
    *gone = true;
  else
    eo__error_set(error, EO_EINPUT, *redis->id ? "the job %s has been dropped" : "there is no job %s", name);
  freeReplyObject(reply);
  return NULL;
}

/* What Redis says of the job is not trusted: `what` is not such as a job has it. */
static int odd_reply(eo_redis *redis, const char *what, eo_error *error) {
  return eo__error_set(error, EO_ESYSTEM, "the record of the job %s in Redis is damaged: %s; drop the job",
                       redis->link.address.name, what);
}

/* ---- The frontier --------------------------------------------------------------------------------------------- */

static void redis_close(eo_frontier *frontier) {
  eo_redis *redis = (eo_redis *)frontier;
  eo__redis_link_close(&redis->link);
  eo__free(redis);
}

static int make_token(uint64_t *token, eo_error *error) {
  do
    if (getrandom(token, sizeof *token, 0) != sizeof *token)
      return eo__error_set(error, EO_ESYSTEM, "no random numbers");
  while (*token == 0);
  return EO_OK;
}

/* A time or a sum: finite, not negative. */
static bool read_real(const char *text, double *number) {
  char *end = NULL;
  *number = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;
  return end && *end == '\0' && *number >= 0 && isfinite(*number);
}

static int fill_claim(eo_redis *redis, const redisReply *reply, eo_claim *claim, eo_error *error) {
  enum { FRAGMENT = 1, BYTES, BUDGET, EXECUTIONS, PIECES };
  const char *fragment = element(reply, FRAGMENT), *budget = element(reply, BUDGET);
  const char *executions = element(reply, EXECUTIONS);
  if (reply->elements != PIECES + 1 || !element(reply, BYTES) || !fragment || !budget || !executions ||
      reply->element[PIECES]->type != REDIS_REPLY_INTEGER)
    return odd_reply(redis, "a claim is malformed", error);
  const redisReply *bytes = reply->element[BYTES];
  long long pieces = reply->element[PIECES]->integer;
  bool unlimited = strcmp(executions, "-1") == 0;
  claim->executions = UINT64_MAX;
  if (!eo__text_number(fragment, UINT64_MAX, &claim->fragment) || !read_real(budget, &claim->budget) || pieces < 1 ||
      pieces > UINT32_MAX || (!unlimited && !eo__text_number(executions, UINT64_MAX, &claim->executions)))
    return odd_reply(redis, "a claim has a malformed number", error);
  claim->pieces = (uint32_t)pieces;
  eo_vec_clear(&claim->bytes);
  if (bytes->len == 0) return EO_OK;
  if (!eo_vec_reserve(&claim->bytes, bytes->len)) return eo__error_nomem(error);
  memcpy(claim->bytes.items, bytes->str, bytes->len);
  claim->bytes.count = bytes->len;
  return EO_OK;
}

/* Many workers that find nothing must not keep Redis busy: each asks less often the longer it waits. */
static void wait_a_bit(eo_redis *redis, bool waits) {
  enum { STEP = 10, MOST = 20 }; /* milliseconds; steps */
  redis->waits = !waits ? 0 : redis->waits < MOST ? redis->waits + 1 : MOST;
  long milliseconds = (long)redis->waits * STEP;
  if (waits) nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* A take that failed is repeated with the same token by the next one: it may have been carried out. */
static int redis_take(eo_frontier *frontier, const char *worker, double now, eo_claim *claim, eo_taken *taken,
                      eo_error *error) {
  eo_redis *redis = (eo_redis *)frontier;
  request r;
  bool gone;
  (void)now;
  *taken = EO_TAKE_END;
  if (redis->link.stop && *redis->link.stop) return EO_OK;
  if (redis->asked == 0 && make_token(&redis->asked, error) != EO_OK) return EO_ESYSTEM;
  begin(&r, redis, "take");
  add(&r, worker);
  add_token(&r, redis->asked);
  redisReply *reply = carry_out(redis, &r, &gone, error);
  if (gone) return EO_OK;
  if (!reply) return error->code;
  const char *answer = element(reply, 0);
  int code = EO_OK;
  if (answer && strcmp(answer, "taken") == 0) {
    *taken = EO_TAKEN;
    claim->token = redis->asked;
    code = fill_claim(redis, reply, claim, error);
  } else if (answer && strcmp(answer, "wait") == 0) {
    *taken = EO_TAKE_WAIT;
  } else if (!answer || strcmp(answer, "end") != 0) {
    code = odd_reply(redis, "an answer is unknown", error);
  }
  redis->asked = 0;
  freeReplyObject(reply);
  wait_a_bit(redis, *taken == EO_TAKE_WAIT);
  return code;
}

/* The key by which the same defect is known again, as eo__failure_same has it. */
static void add_key(eo_text *key, const eo_failure *failure) {
  eo__text_add(key, "%s|%s|%s", eo__kind_name(failure->kind), failure->process, failure->message);
  if (failure->kind != EO_KIND_LOOP) eo__text_add(key, "|%s:%d", failure->file, failure->line);
}

typedef EO_VEC(eo_text) texts;

static void release_texts(texts *all) {
  for (size_t i = 0; i < all->count; i++) eo__text_release(&all->items[i]);
  eo_vec_release(all);
}

/* For each finding its key and the number of its execution; both have to outlive the request. *why: to stop for. */
static int make_keys(const eo_slice *slice, texts *keys, const char **why, eo_error *error) {
  for (size_t i = 0; i < slice->findings.count; i++) {
    eo_finding finding;
    eo_text key, execution;
    eo__finding_init(&finding);
    int code = eo__finding_from_json(&finding, slice->findings.items[i], error);
    eo__text_init(&key);
    eo__text_init(&execution);
    if (code == EO_OK) add_key(&key, &finding.failure);
    if (finding.failure.kind == EO_KIND_NONDETERMINISM) *why = "the program is not deterministic";
    eo__text_add(&execution, "%" PRIu64, finding.execution);
    eo__finding_release(&finding);
    if (code == EO_OK && (key.failed || execution.failed || !eo_vec_reserve(keys, 2))) code = eo__error_nomem(error);
    if (code != EO_OK) {
      eo__text_release(&key);
      eo__text_release(&execution);
      return code;
    }
    keys->items[keys->count++] = key;
    keys->items[keys->count++] = execution;
  }
  return EO_OK;
}

static void add_tally(request *r, const eo_tally *tally) {
  add_number(r, tally->executions);
  add_number(r, tally->pruned);
  add_number(r, tally->transitions);
  add_number(r, tally->skipped);
  add_number(r, tally->failures);
  add_number(r, tally->cut);
  add_number(r, tally->max_depth);
  add_number(r, tally->doubts);
  add_number(r, (uint64_t)tally->coverage);
  add(r, tally->covered);
  add(r, tally->endless);
  add_number(r, tally->estimate.probes);
  add_number(r, tally->estimate.steps);
  add_sum(r, tally->estimate.sum);
  add_sum(r, tally->estimate.squares);
}

static int redis_done(eo_frontier *frontier, const char *worker, double now, const eo_claim *claim,
                      const eo_slice *slice, bool *accepted, eo_error *error) {
  eo_redis *redis = (eo_redis *)frontier;
  request r;
  texts keys = {0};
  bool gone;
  (void)now;
  *accepted = false;
  const char *why = "";
  int code = make_keys(slice, &keys, &why, error);
  if (code == EO_OK) {
    begin(&r, redis, "done");
    add(&r, worker);
    add_token(&r, claim->token);
    add_tally(&r, &slice->tally);
    add_number(&r, slice->rest.count);
    for (size_t i = 0; i < slice->rest.count; i++)
      eo__redis_words_add(&r.words, (const char *)slice->rest.items[i].items, slice->rest.items[i].count);
    add(&r, why);
    add_number(&r, slice->findings.count);
    for (size_t i = 0; i < slice->findings.count; i++) {
      add(&r, keys.items[2 * i].chars);
      add(&r, keys.items[2 * i + 1].chars);
      add(&r, slice->findings.items[i]);
    }
    redisReply *reply = carry_out(redis, &r, &gone, error);
    if (!reply && !gone) code = error->code;
    if (reply) {
      *accepted = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
      if (reply->type != REDIS_REPLY_INTEGER) code = odd_reply(redis, "an answer is unknown", error);
      freeReplyObject(reply);
    }
  }
  release_texts(&keys);
  return code;
}

static int redis_look(eo_frontier *frontier, double now, eo_standing *standing, eo_error *error) {
  eo_job_status status;
  (void)now;
  int code = eo__redis_status((eo_redis *)frontier, &status, error);
  if (code == EO_OK) *standing = status.standing;
  return code;
}

static int command(eo_redis *redis, const char *operation, const char *argument, eo_error *error) {
  request r;
  begin(&r, redis, operation);
  if (argument) add(&r, argument);
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  freeReplyObject(reply);
  return EO_OK;
}

int eo__redis_fail(eo_redis *redis, const char *worker, const char *why, eo_error *error) {
  request r;
  begin(&r, redis, "fail");
  add(&r, worker);
  add(&r, why);
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  freeReplyObject(reply);
  return EO_OK;
}

static int redis_stop(eo_frontier *frontier, const char *why, eo_error *error) {
  return command((eo_redis *)frontier, "stop", why, error);
}

/* ---- The job -------------------------------------------------------------------------------------------------- */

eo_redis *eo__redis_open(const eo_address *address, const volatile int *stop, double patience, eo_error *error) {
  static const eo_frontier_ops ops = {
      .close = redis_close, .take = redis_take, .done = redis_done, .look = redis_look, .stop = redis_stop};
  eo_redis *redis = eo__alloc(sizeof *redis);
  if (!redis) {
    eo__error_nomem(error);
    return NULL;
  }
  redis->base.ops = &ops;
  if (eo__redis_link_open(&redis->link, address, stop, patience, error) == EO_OK) return redis;
  eo__free(redis);
  return NULL;
}

void eo__redis_be_patient(eo_redis *redis, double patience) { redis->link.patience = patience; }

eo_frontier *eo__redis_frontier(eo_redis *redis) { return &redis->base; }

bool eo__redis_durable(eo_redis *redis) { return eo__redis_link_durable(&redis->link); }

bool eo__redis_failed(const eo_redis *redis) { return redis->failed; }

void eo__redis_use_script(eo_redis *redis, const char *script) {
  redis->link.script = script;
  *redis->link.sha = '\0';
}

int eo__redis_join(eo_redis *redis, const eo_job *job, eo_error *error) {
  memcpy(redis->id, job->id, sizeof redis->id);
  return command(redis, "join", NULL, error);
}

int eo__redis_command(eo_redis *redis, const char *name, eo_error *error) { return command(redis, name, NULL, error); }

/* Which field of the job's hash is what. */
typedef enum field_kind { TEXT, REAL, NUMBER, NUMBER_32, FLAG } field_kind;
typedef struct field {
  const char *name;
  field_kind kind;
  size_t offset, size;
} field;

#define AT(kind, name, member) \
  { name, kind, offsetof(eo_job_status, member), sizeof(((eo_job_status *)0)->member) }

static const field job_fields[] = {
    AT(TEXT, "program", job.program),
    AT(TEXT, "test", job.test),
    AT(TEXT, "build", job.build),
    AT(TEXT, "version", job.version),
    AT(TEXT, "options", job.options),
    AT(TEXT, "shape", job.shape),
    AT(NUMBER_32, "workers", job.limits.workers),
    AT(REAL, "budget", job.limits.budget),
    AT(REAL, "grace", job.limits.grace),
    AT(NUMBER, "limit", job.limits.executions),
    AT(FLAG, "at_failure", job.limits.at_failure),
    AT(FLAG, "fixed_budget", job.limits.fixed_budget),
    AT(FLAG, "no_doubling", job.limits.no_doubling),
    AT(REAL, "seconds", job.seconds),
};

static const field status_fields[] = {
    AT(TEXT, "id", job.id),
    AT(NUMBER, "executions", standing.total.executions),
    AT(NUMBER, "pruned", standing.total.pruned),
    AT(NUMBER, "transitions", standing.total.transitions),
    AT(NUMBER, "skipped", standing.total.skipped),
    AT(NUMBER, "failures", standing.total.failures),
    AT(NUMBER, "cut", standing.total.cut),
    AT(NUMBER_32, "max_depth", standing.total.max_depth),
    AT(NUMBER_32, "doubts", standing.total.doubts),
    AT(NUMBER_32, "coverage", standing.total.coverage),
    AT(TEXT, "covered", standing.total.covered),
    AT(TEXT, "endless", standing.total.endless),
    AT(NUMBER, "probes", standing.total.estimate.probes),
    AT(NUMBER, "probe_steps", standing.total.estimate.steps),
    AT(REAL, "probe_sum", standing.total.estimate.sum),
    AT(REAL, "probe_squares", standing.total.estimate.squares),
    AT(NUMBER, "fragments", standing.fragments),
    AT(NUMBER, "issued", standing.issued),
    AT(NUMBER, "finished", standing.finished),
    AT(NUMBER, "claimed", standing.claimed),
    AT(NUMBER, "findings", standing.findings),
    AT(NUMBER_32, "workers_now", standing.workers),
    AT(NUMBER, "lost", standing.lost),
    AT(NUMBER, "late", standing.late),
    AT(TEXT, "stopped", standing.stopped),
    AT(FLAG, "paused", paused),
    AT(TEXT, "error", error),
};

static void add_fields(request *r, const eo_job_status *status) {
  for (size_t i = 0; i < sizeof job_fields / sizeof *job_fields; i++) {
    const char *at = (const char *)status + job_fields[i].offset;
    add(r, job_fields[i].name);
    switch (job_fields[i].kind) {
      case TEXT: add(r, at); break;
      case REAL: add_real(r, *(const double *)at); break;
      case NUMBER: add_number(r, *(const uint64_t *)at); break;
      case NUMBER_32: add_number(r, *(const uint32_t *)at); break;
      case FLAG: add_number(r, *(const bool *)at); break;
    }
  }
}

/* False: the value is not one that this field can have. */
static bool read_value(char *at, const field *f, const char *value) {
  uint64_t number;
  switch (f->kind) {
    case TEXT: return snprintf(at, f->size, "%s", value) < (int)f->size;
    case REAL: return read_real(value, (double *)at);
    case NUMBER: return eo__text_number(value, UINT64_MAX, (uint64_t *)at);
    case NUMBER_32:
      if (!eo__text_number(value, UINT32_MAX, &number)) return false;
      *(uint32_t *)at = (uint32_t)number;
      return true;
    case FLAG: *(bool *)at = strcmp(value, "1") == 0; return *(bool *)at || strcmp(value, "0") == 0;
  }
  return false;
}

static const field *find_field(const char *name) {
  for (size_t i = 0; i < sizeof job_fields / sizeof *job_fields; i++)
    if (strcmp(job_fields[i].name, name) == 0) return &job_fields[i];
  for (size_t i = 0; i < sizeof status_fields / sizeof *status_fields; i++)
    if (strcmp(status_fields[i].name, name) == 0) return &status_fields[i];
  return NULL;
}

static int make_id(char *out, eo_error *error) {
  uint64_t halves[2];
  if (make_token(&halves[0], error) != EO_OK || make_token(&halves[1], error) != EO_OK) return EO_ESYSTEM;
  snprintf(out, 33, "%016" PRIx64 "%016" PRIx64, halves[0], halves[1]);
  return EO_OK;
}

int eo__redis_submit(eo_redis *redis, eo_job *job, bool *submitted, eo_error *error) {
  eo_job_status status = {.job = *job};
  request r;
  *submitted = false;
  if (make_id(redis->id, error) != EO_OK) return EO_ESYSTEM;
  begin(&r, redis, "submit");
  add(&r, "name");
  add(&r, redis->link.address.name);
  add_fields(&r, &status);
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  *submitted = reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
  freeReplyObject(reply);
  if (*submitted) {
    memcpy(job->id, redis->id, sizeof job->id);
    return EO_OK;
  }
  *redis->id = '\0';
  int code = eo__redis_status(redis, &status, error);
  if (code == EO_OK) *job = status.job;
  return code;
}

static int read_status(eo_redis *redis, const redisReply *reply, eo_job_status *status, eo_error *error) {
  struct {
    const char *name;
    double value;
  } times[] = {{"submitted", 0}, {"ended", 0}, {"now", 0}};
  enum { SUBMITTED, ENDED, NOW, TIMES };
  memset(status, 0, sizeof *status);
  for (size_t i = 0; i + 1 < reply->elements; i += 2) {
    const char *name = element(reply, i), *value = element(reply, i + 1);
    if (!name || !value) return odd_reply(redis, "a field is not a text", error);
    const field *known = find_field(name);
    bool good = !known || read_value((char *)status + known->offset, known, value);
    for (size_t j = 0; j < TIMES; j++)
      if (strcmp(times[j].name, name) == 0) good = read_real(value, &times[j].value);
    char what[64];
    snprintf(what, sizeof what, "its field %.32s", name);
    if (!good) return odd_reply(redis, what, error);
  }
  const eo_tally *total = &status->standing.total;
  if (total->coverage > EO_COVERS_SAMPLE || total->doubts & ~(uint32_t)(EO_DOUBT_ALL | EO_ASSUMED_ALL))
    return odd_reply(redis, "its coverage is unknown", error);
  status->standing.ended = times[ENDED].value > 0;
  status->age = times[NOW].value - times[SUBMITTED].value;
  status->elapsed = times[status->standing.ended ? ENDED : NOW].value - times[SUBMITTED].value;
  return EO_OK;
}

int eo__redis_status(eo_redis *redis, eo_job_status *status, eo_error *error) {
  request r;
  begin(&r, redis, "look");
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  int code = reply->type == REDIS_REPLY_ARRAY ? read_status(redis, reply, status, error)
                                              : odd_reply(redis, "an answer is unknown", error);
  freeReplyObject(reply);
  return code;
}

/* ---- Lists ---------------------------------------------------------------------------------------------------- */

static int push_text(eo_strings *out, const char *text, eo_error *error) {
  char *copy = eo__strdup(text);
  if (copy && eo_vec_push(out, copy)) return EO_OK;
  eo__free(copy);
  return eo__error_nomem(error);
}

static int compare_names(const void *a, const void *b) {
  return strverscmp(((const eo_run_worker *)a)->name, ((const eo_run_worker *)b)->name);
}

int eo__redis_crew(eo_redis *redis, eo_run_worker *workers, uint32_t most, uint32_t *count, eo_error *error) {
  request r;
  begin(&r, redis, "crew");
  add_number(&r, most);
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  *count = 0;
  for (size_t i = 0; i + 2 < reply->elements && *count < most; i += 3) {
    const char *name = element(reply, i), *executions = element(reply, i + 1), *part = element(reply, i + 2);
    if (!name || !executions || !part) break;
    eo_run_worker *worker = &workers[(*count)++];
    *worker = (eo_run_worker){.executions = strtoull(executions, NULL, 10), .part = strtoull(part, NULL, 10)};
    worker->busy = worker->part > 0;
    snprintf(worker->name, sizeof worker->name, "%s", name);
  }
  freeReplyObject(reply);
  qsort(workers, *count, sizeof *workers, compare_names);
  return EO_OK;
}

int eo__redis_findings(eo_redis *redis, uint64_t from, eo_strings *findings, eo_numbers *executions, eo_error *error) {
  request r;
  begin(&r, redis, "findings");
  add_number(&r, from);
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  int code = EO_OK;
  for (size_t i = 0; code == EO_OK && i < reply->elements; i++) {
    char *json = NULL;
    uint64_t execution = element(reply, i) ? strtoull(element(reply, i), &json, 10) : 0;
    if (!json || *json != ' ') code = odd_reply(redis, "a finding is none", error);
    if (code == EO_OK) code = push_text(findings, json + 1, error);
    if (code == EO_OK && executions && !eo_vec_push(executions, execution)) code = eo__error_nomem(error);
  }
  freeReplyObject(reply);
  return code;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int eo__redis_list(eo_redis *redis, eo_strings *names, eo_error *error) {
  request r;
  begin(&r, redis, "list");
  redisReply *reply = carry_out(redis, &r, NULL, error);
  if (!reply) return error->code;
  int code = EO_OK;
  for (size_t i = 0; code == EO_OK && i < reply->elements; i++)
    code = element(reply, i) ? push_text(names, element(reply, i), error) : odd_reply(redis, "a name is none", error);
  freeReplyObject(reply);
  if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, by_name);
  return code;
}
