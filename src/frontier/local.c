/* local.c: see local.h. Both sides are the same program, so numbers and structs go over as they are. */
#include "frontier/local.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"

enum { ASK_TAKE = 'T', ASK_DONE = 'D', ASK_LOOK = 'L', ASK_STOP = 'S' };

/* ---- Messages ----------------------------------------------------------------------------------------------------- */

static bool put(eo_bytes *out, const void *bytes, size_t size) {
  if (!eo_vec_reserve(out, size)) return false;
  if (size) memcpy(out->items + out->count, bytes, size);
  out->count += size;
  return true;
}

/* With its size before it. */
static bool put_block(eo_bytes *out, const void *bytes, size_t size) {
  uint64_t length = size;
  return put(out, &length, sizeof length) && put(out, bytes, size);
}

typedef struct reader {
  const unsigned char *at, *end;
  bool bad;
} reader;

static void get(reader *r, void *out, size_t size) {
  if (r->bad || (size_t)(r->end - r->at) < size) {
    r->bad = true;
    memset(out, 0, size);
    return;
  }
  memcpy(out, r->at, size);
  r->at += size;
}

/* Points into the message. */
static const unsigned char *get_block(reader *r, size_t *size) {
  uint64_t length;
  get(r, &length, sizeof length);
  if (r->bad || (uint64_t)(r->end - r->at) < length) r->bad = true;
  *size = r->bad ? 0 : length;
  const unsigned char *block = r->at;
  r->at += *size;
  return block;
}

static bool fill(eo_bytes *to, const unsigned char *bytes, size_t size) {
  *to = (eo_bytes){0};
  return put(to, bytes, size);
}

/* ---- In the worker ------------------------------------------------------------------------------------------------ */

typedef struct local {
  eo_frontier base;
  eo_worker *worker;
  eo_bytes question, answer;
} local;

static void local_close(eo_frontier *frontier) {
  local *l = (local *)frontier;
  eo_vec_release(&l->question);
  eo_vec_release(&l->answer);
  eo__free(l);
}

static bool begin(local *l, char kind) {
  eo_vec_clear(&l->question);
  return put(&l->question, &kind, 1);
}

static bool ask(local *l, reader *answer) {
  if (!eo__worker_ask(l->worker, l->question.items, l->question.count, &l->answer)) return false;
  *answer = (reader){l->answer.items, l->answer.items + l->answer.count, false};
  return true;
}

static int local_take(eo_frontier *frontier, const char *worker, double now, eo_claim *claim, eo_taken *taken,
                      eo_error *error) {
  local *l = (local *)frontier;
  reader answer;
  size_t size;
  (void)worker; /* the parent knows who asks, and what time it is */
  (void)now;
  if (!begin(l, ASK_TAKE) || !ask(l, &answer)) return eo__error_nomem(error);
  get(&answer, taken, sizeof *taken);
  if (*taken != EO_TAKEN) return EO_OK;
  get(&answer, claim, sizeof *claim);
  const unsigned char *bytes = get_block(&answer, &size);
  EO_CHECK(!answer.bad);
  return fill(&claim->bytes, bytes, size) ? EO_OK : eo__error_nomem(error);
}

static int local_done(eo_frontier *frontier, const char *worker, double now, const eo_claim *claim,
                      const eo_slice *slice, bool *accepted, eo_error *error) {
  local *l = (local *)frontier;
  reader answer;
  (void)worker;
  (void)now;
  uint64_t counts[] = {claim->fragment, claim->token, slice->rest.count, slice->findings.count};
  bool good = begin(l, ASK_DONE) && put(&l->question, counts, sizeof counts) &&
              put(&l->question, &slice->tally, sizeof slice->tally) &&
              put(&l->question, &slice->seconds, sizeof slice->seconds);
  for (size_t i = 0; good && i < slice->rest.count; i++)
    good = put_block(&l->question, slice->rest.items[i].items, slice->rest.items[i].count);
  for (size_t i = 0; good && i < slice->findings.count; i++)
    good = put_block(&l->question, slice->findings.items[i], strlen(slice->findings.items[i]) + 1);
  if (!good || !ask(l, &answer)) return eo__error_nomem(error);
  get(&answer, accepted, sizeof *accepted);
  return EO_OK;
}

static int local_look(eo_frontier *frontier, double now, eo_standing *standing, eo_error *error) {
  local *l = (local *)frontier;
  reader answer;
  (void)now;
  if (!begin(l, ASK_LOOK) || !ask(l, &answer)) return eo__error_nomem(error);
  get(&answer, standing, sizeof *standing);
  return EO_OK;
}

static int local_stop(eo_frontier *frontier, const char *why, eo_error *error) {
  local *l = (local *)frontier;
  reader answer;
  if (!begin(l, ASK_STOP) || !put_block(&l->question, why, strlen(why) + 1) || !ask(l, &answer))
    return eo__error_nomem(error);
  return EO_OK;
}

eo_frontier *eo__local_open(eo_worker *worker, eo_error *error) {
  static const eo_frontier_ops ops = {
      .close = local_close, .take = local_take, .done = local_done, .look = local_look, .stop = local_stop};
  local *l = eo__alloc(sizeof *l);
  if (!l) {
    eo__error_nomem(error);
    return NULL;
  }
  l->base.ops = &ops;
  l->worker = worker;
  return &l->base;
}

/* ---- In the parent ------------------------------------------------------------------------------------------------ */

int eo__local_server_init(eo_local_server *server, eo_frontier *frontier, uint32_t workers, const char *prefix,
                          eo_error *error) {
  *server = (eo_local_server){.frontier = frontier, .count = workers};
  server->seats = eo__alloc(workers * sizeof *server->seats);
  if (!server->seats) return eo__error_nomem(error);
  for (uint32_t i = 0; i < workers; i++)
    snprintf(server->seats[i].name, sizeof server->seats[i].name, "%.50s.%u", prefix, i + 1);
  return EO_OK;
}

static void drop_claim(eo_local_seat *seat) {
  eo_vec_release(&seat->claim.bytes);
  seat->claim = (eo_claim){0};
  seat->holds = false;
}

void eo__local_server_release(eo_local_server *server) {
  for (uint32_t i = 0; server->seats && i < server->count; i++) drop_claim(&server->seats[i]);
  eo__free(server->seats);
  server->seats = NULL;
}

static void call_back(eo_local_server *server, eo_crew *crew, uint32_t worker) {
  if (server->seats[worker].holds) eo__crew_cell(crew, worker)->recall = 1;
}

/* Those that hold this fragment beside this worker. */
static void call_back_holders(eo_local_server *server, eo_crew *crew, uint64_t fragment, uint32_t but) {
  for (uint32_t i = 0; i < server->count; i++)
    if (i != but && server->seats[i].holds && server->seats[i].claim.fragment == fragment) call_back(server, crew, i);
}

/* The one that has been at it for longest, of those that were not called yet. */
static void call_back_one(eo_local_server *server, eo_crew *crew) {
  uint32_t best = server->count;
  for (uint32_t i = 0; i < server->count; i++) {
    if (!server->seats[i].holds || eo__crew_cell(crew, i)->recall) continue;
    if (best == server->count || server->seats[i].since < server->seats[best].since) best = i;
  }
  if (best < server->count) call_back(server, crew, best);
}

static int answer_take(eo_local_server *server, eo_crew *crew, uint32_t worker, eo_taken taken, eo_error *error) {
  eo_local_seat *seat = &server->seats[worker];
  eo_bytes answer = {0};
  eo_claim claim = seat->claim;
  claim.bytes = (eo_bytes){0}; /* an address of ours */
  bool good = put(&answer, &taken, sizeof taken);
  if (good && taken == EO_TAKEN)
    good = put(&answer, &claim, sizeof claim) && put_block(&answer, seat->claim.bytes.items, seat->claim.bytes.count);
  if (good) eo__crew_answer(crew, worker, answer.items, answer.count);
  eo_vec_release(&answer);
  seat->asks = false;
  return good ? EO_OK : eo__error_nomem(error);
}

/* A claim whose worker died is at once its successor's, with half the time: so there is progress however often they
 * are killed. */
static int take_again(eo_local_server *server, eo_crew *crew, uint32_t worker, double now, eo_error *error) {
  eo_local_seat *seat = &server->seats[worker];
  eo_standing standing;
  int code = server->frontier->ops->look(server->frontier, now, &standing, error);
  if (code != EO_OK) return code;
  if (standing.ended && !eo__crew_cuts(crew, seat->claim.fragment)) {
    drop_claim(seat); /* nothing is lost: it is still there for who goes on */
    return answer_take(server, crew, worker, EO_TAKE_END, error);
  }
  seat->claim.budget /= 2;
  seat->since = now;
  return answer_take(server, crew, worker, EO_TAKEN, error);
}

static int stop_in_time(eo_local_server *server, double now, eo_error *error) {
  eo_frontier *frontier = server->frontier;
  int code = EO_OK;
  if (server->stop && *server->stop) code = frontier->ops->stop(frontier, "interrupted", error);
  if (code == EO_OK && server->deadline > 0 && now >= server->deadline)
    code = frontier->ops->stop(frontier, server->out_of_time, error);
  return code;
}

static int take(eo_local_server *server, eo_crew *crew, uint32_t worker, eo_error *error) {
  eo_local_seat *seat = &server->seats[worker];
  double now = eo__seconds();
  eo_taken taken = EO_TAKE_END;
  int code = stop_in_time(server, now, error);
  if (code != EO_OK) return code;
  eo__crew_cell(crew, worker)->recall = 0;
  if (seat->holds) return take_again(server, crew, worker, now, error);
  code = server->frontier->ops->take(server->frontier, seat->name, now, &seat->claim, &taken, error);
  if (code != EO_OK) return code;
  switch (taken) {
    case EO_TAKE_WAIT:
      seat->asks = true; /* it is answered when there is something */
      call_back_one(server, crew);
      return EO_OK;
    case EO_TAKE_END:
      for (uint32_t i = 0; i < server->count; i++) call_back(server, crew, i);
      break;
    case EO_TAKEN:
      seat->holds = true;
      seat->since = now;
      if (server->deadline > 0 && seat->claim.budget > server->deadline - now)
        seat->claim.budget = server->deadline - now;
      call_back_holders(server, crew, seat->claim.fragment, worker);
  }
  return answer_take(server, crew, worker, taken, error);
}

/* The pieces and findings point into the message. */
static int read_slice(reader *r, const uint64_t counts[], eo_slice *slice, eo_error *error) {
  get(r, &slice->tally, sizeof slice->tally);
  get(r, &slice->seconds, sizeof slice->seconds);
  for (uint64_t i = 0; i < counts[2] && !r->bad; i++) {
    size_t size;
    const unsigned char *bytes = get_block(r, &size);
    eo_bytes piece = {.items = (unsigned char *)bytes, .count = size, .capacity = size};
    if (!eo_vec_push(&slice->rest, piece)) return eo__error_nomem(error);
  }
  for (uint64_t i = 0; i < counts[3] && !r->bad; i++) {
    size_t size;
    const unsigned char *json = get_block(r, &size);
    if (size == 0 || json[size - 1] != '\0') r->bad = true;
    if (!r->bad && !eo_vec_push(&slice->findings, (char *)json)) return eo__error_nomem(error);
  }
  return r->bad ? eo__error_set(error, EO_EINPUT, "a worker sent a malformed slice") : EO_OK;
}

static int done(eo_local_server *server, eo_crew *crew, uint32_t worker, reader *r, eo_error *error) {
  eo_local_seat *seat = &server->seats[worker];
  uint64_t counts[4];
  eo_slice slice = {0};
  bool accepted = false;
  get(r, counts, sizeof counts);
  int code = read_slice(r, counts, &slice, error);
  if (code == EO_OK && (!seat->holds || seat->claim.fragment != counts[0] || seat->claim.token != counts[1]))
    code = eo__error_set(error, EO_EINPUT, "a worker handed back a fragment that it did not hold");
  if (code == EO_OK)
    code = server->frontier->ops->done(server->frontier, seat->name, eo__seconds(), &seat->claim, &slice, &accepted,
                                       error);
  eo_vec_release(&slice.rest);
  eo_vec_release(&slice.findings);
  if (code != EO_OK) return code;
  if (accepted) call_back_holders(server, crew, seat->claim.fragment, worker); /* they work in vain */
  drop_claim(seat);
  eo_cell *cell = eo__crew_cell(crew, worker);
  if (accepted && server->accepted) server->accepted(server->context, worker, cell);
  memset(cell->news, 0, sizeof cell->news); /* it is in the totals now; the worker waits, and writes nothing */
  eo__crew_answer(crew, worker, &accepted, sizeof accepted);
  return eo__local_tick(server, crew, error);
}

int eo__local_serve(eo_local_server *server, eo_crew *crew, uint32_t worker, const unsigned char *bytes, size_t size,
                    eo_error *error) {
  reader r = {bytes, bytes + size, false};
  char kind;
  size_t length;
  get(&r, &kind, 1);
  if (kind == ASK_TAKE) return take(server, crew, worker, error);
  if (kind == ASK_DONE) return done(server, crew, worker, &r, error);
  eo_frontier *frontier = server->frontier;
  eo_standing standing = {0};
  int code = EO_EINPUT;
  if (kind == ASK_LOOK) code = frontier->ops->look(frontier, eo__seconds(), &standing, error);
  if (kind == ASK_STOP) {
    const char *why = (const char *)get_block(&r, &length);
    if (length && why[length - 1] == '\0') code = frontier->ops->stop(frontier, why, error);
  }
  if (code == EO_OK) eo__crew_answer(crew, worker, &standing, sizeof standing);
  return code;
}

void eo__local_died(eo_local_server *server, uint32_t worker) { server->seats[worker].asks = false; }

int eo__local_tick(eo_local_server *server, eo_crew *crew, eo_error *error) {
  int code = stop_in_time(server, eo__seconds(), error);
  for (uint32_t i = 0; code == EO_OK && i < server->count; i++)
    if (server->seats[i].asks) code = take(server, crew, i, error);
  return code;
}
