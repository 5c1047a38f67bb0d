/* auto.c: see auto.h. */
#include "registry/auto.h"

#include <string.h>

#include "base/rng.h"
#include "core/promise.h"
#include "strategies/fragment.h"

/* In the order of their turns. */
static const struct {
  eo_strategy_id id;
  bool covers;        /* everything, when it comes to its end */
  uint32_t bug_depth; /* of those that heed it */
} all[EO_AUTO_MEMBERS] = {
    [EO_AUTO_DPOR] = {EO_STRATEGY_DPOR, true, 0},    [EO_AUTO_DFS] = {EO_STRATEGY_DFS, true, 0},
    [EO_AUTO_POS] = {EO_STRATEGY_POS, false, 0},     [EO_AUTO_PCT] = {EO_STRATEGY_PCT, false, 2},
    [EO_AUTO_PCTCP] = {EO_STRATEGY_PCTCP, false, 3}, [EO_AUTO_RANDOM] = {EO_STRATEGY_RANDOM, false, 0},
    [EO_AUTO_SS] = {EO_STRATEGY_SS, false, 0},       [EO_AUTO_SES] = {EO_STRATEGY_SES, true, 0},
};

/* Executions of a member in the first round; each round doubles them. An execution of an exhaustive member goes back a few steps, where one
 * of a sampler begins at the start: hence the factors. */
enum { FIRST = 2, LEADS = 8, COMPLETES = 64, ROUNDS = 40 };
#define WORTH 2e7 /* an estimate up to which dpor is to come to its end before much else is tried */
/* Nobody can tell how many states a program has. Where dpor is out of the question, ses therefore gets most of the time once, after as
 * much was drawn as finds most bugs: in these rounds, two million executions and ends at known states in all. */
enum { PATIENT_FROM = 7, PATIENT_TO = 13 };
/* Most bugs are shallow, so all begin with the same number of executions, until samplers have run so many steps, some hundredths of a
 * second. While a proof is expected, samplers may run a part of the steps of the proof on top of that, and nobody else runs. */
enum { OPENING = 50000, PART = 5, SAMPLERS = 5 };
enum { SMALL = 8 };     /* executions of dpor before anything else: what is that small is proved at once */
enum { PROBED = 256 };  /* executions of dpor after which it is estimated: less is done before an estimate is */
enum { DRAWN = 10000 }; /* executions after which it ends where no exhaustive member can help */

/* What only circles of states can leave open is looked into when all is explored. */
enum { SPOILS = EO_DOUBT_ALL & ~EO_DOUBT_LIVENESS };

/* What is in doubt for dpor, which goes by events, and not for dfs. */
enum { EVENTS_ALONE = EO_DOUBT_SHARING | EO_DOUBT_TOLD | EO_DOUBT_SPECIFIED };

bool eo__auto_covers(eo_auto_member_id member) { return all[member].covers; }
const eo_strategy_entry *eo__auto_entry(const eo_auto *plan) { return &eo__strategies[all[plan->turn].id]; }

void eo__auto_options(const eo_auto *plan, eo_strategy_options *wanted) {
  wanted->executions = EO_NO_LIMIT;
  wanted->explorer = eo__auto_entry(plan)->explorer;
  if (!all[plan->turn].covers) wanted->seed = plan->seed;
  if (all[plan->turn].bug_depth) wanted->bug_depth = all[plan->turn].bug_depth;
  if (plan->turn != EO_AUTO_SES) wanted->visited = NULL;
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

static bool plays(const eo_auto *plan, eo_auto_member_id member) {
  const eo_auto_member *dpor = &plan->members[EO_AUTO_DPOR];
  if (plan->members[member].over) return false;
  return member != EO_AUTO_DFS || (dpor->over && dpor->doubts & EVENTS_ALONE);
}

static bool is_out_of_reach(const eo_auto *plan) {
  return plan->probed.probes > 0 && eo__estimate_mean(&plan->probed) > WORTH;
}

/* The exhaustive member that is expected to be through first; EO_AUTO_MEMBERS: there is none. There are never more states than
 * interleavings, so ses comes before dfs. */
static eo_auto_member_id leader(const eo_auto *plan) {
  static const eo_auto_member_id order[] = {EO_AUTO_DPOR, EO_AUTO_SES, EO_AUTO_DFS};
  if (is_out_of_reach(plan) && plays(plan, EO_AUTO_SES)) return EO_AUTO_SES;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (plays(plan, order[i])) return order[i];
  return EO_AUTO_MEMBERS;
}

static uint64_t base(const eo_auto *plan) { return (uint64_t)FIRST << (plan->round < ROUNDS ? plan->round : ROUNDS); }

/* Steps of an execution on average. */
static uint64_t length(const eo_auto *plan) {
  uint64_t executions = 0;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) executions += plan->members[i].executions + plan->members[i].pruned;
  return executions ? 1 + plan->lengths / executions : 1;
}

/* What a round is for. */
typedef enum purpose {
  SHALLOW, /* all members get the same */
  PROBE,   /* dpor is to come to where it can be estimated */
  PROVE,   /* the leader gets most, and samplers a part */
  SEARCH   /* nothing is expected to come to its end soon */
} purpose;

static purpose purpose_of(const eo_auto *plan) {
  eo_auto_member_id first = leader(plan);
  bool early = plan->round < PATIENT_FROM;
  if (first == EO_AUTO_MEMBERS) return SEARCH;
  if (first != EO_AUTO_DPOR && !early) return plan->round <= PATIENT_TO ? PROVE : SEARCH;
  if (first != EO_AUTO_DPOR || is_out_of_reach(plan)) return early ? SHALLOW : SEARCH;
  const eo_auto_member *dpor = &plan->members[EO_AUTO_DPOR];
  if (plan->probed.probes || dpor->executions + dpor->pruned >= PROBED) return PROVE;
  uint64_t steps_with_rounds_before = 2 * base(plan) * SAMPLERS * length(plan);
  return early && steps_with_rounds_before <= plan->opening ? SHALLOW : PROBE;
}

/* Executions of a sampler that does not lead; none, if they would not be worth a turn. */
static uint64_t held_back(const eo_auto *plan, const eo_auto_member *member) {
  uint64_t led = plan->members[leader(plan)].steps, begun = member->executions + member->pruned;
  uint64_t allowed = (plan->opening + led / PART) / SAMPLERS, cost = begun ? 1 + member->steps / begun : length(plan);
  uint64_t executions = allowed > member->steps ? (allowed - member->steps) / cost : 0;
  if (executions < base(plan) / 8) return 0;
  return executions < base(plan) ? executions : base(plan);
}

static uint64_t budget(const eo_auto *plan, eo_auto_member_id member) {
  purpose now = purpose_of(plan);
  if (now == SHALLOW) return base(plan);
  if (member != leader(plan) && now == SEARCH) return base(plan);
  if (member != leader(plan)) return all[member].covers ? 0 : held_back(plan, &plan->members[member]);
  if (now == PROBE) return PROBED;
  return base(plan) * (now == PROVE ? COMPLETES : LEADS);
}

/* Members that are held back from every execution of this round are passed over. */
static void next_turn(eo_auto *plan) {
  uint32_t at = plan->turn;
  do {
    at = (at + 1) % EO_AUTO_MEMBERS;
    plan->round += at == 0;
    plan->left = plays(plan, (eo_auto_member_id)at) ? budget(plan, (eo_auto_member_id)at) : 0;
  } while (plan->left == 0 && at != plan->turn);
  plan->turn = (eo_auto_member_id)at;
}

static void leave(eo_auto_member *member) {
  member->over = true;
  eo_vec_release(&member->bytes);
}

static uint64_t drawn(const eo_auto *plan) {
  uint64_t sum = 0;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) sum += all[i].covers ? 0 : plan->members[i].executions;
  return sum;
}

eo_auto_news eo__auto_ran(eo_auto *plan, const eo_auto_slice *slice) {
  eo_auto_member *member = &plan->members[plan->turn];
  uint64_t begun = slice->executions + slice->pruned;
  member->executions += slice->executions;
  member->pruned += slice->pruned;
  member->steps += slice->steps;
  plan->lengths += slice->steps + slice->skipped;
  member->doubts |= slice->doubts;
  bool spoilt = all[plan->turn].covers && member->doubts & SPOILS;
  if (slice->ended && all[plan->turn].covers && slice->coverage == EO_COVERS_ALL && !spoilt) return EO_AUTO_COVERED;
  if (slice->ended || spoilt || slice->full) leave(member);
  plan->left -= begun < plan->left ? begun : plan->left;
  bool succeeded = member->over && all[plan->turn].covers && leader(plan) != EO_AUTO_MEMBERS;
  if (succeeded)
    eo__auto_hurry(plan); /* the next one may be through at once, where the execution of a sampler is long */
  else if (plan->left == 0 || member->over)
    next_turn(plan);
  if (!plays(plan, plan->turn)) return EO_AUTO_DRAWN;
  return leader(plan) == EO_AUTO_MEMBERS && !plan->endless && drawn(plan) >= DRAWN ? EO_AUTO_DRAWN : EO_AUTO_GOES_ON;
}

void eo__auto_skip(eo_auto *plan) {
  leave(&plan->members[plan->turn]);
  next_turn(plan);
}

/* Once, and again after the tenfold of the steps it took. */
bool eo__auto_probes(const eo_auto *plan, uint64_t ran, bool waits) {
  const eo_auto_member *dpor = &plan->members[EO_AUTO_DPOR];
  bool over = ran >= plan->left;
  if (plan->turn != EO_AUTO_DPOR) return false;
  if (plan->probed.probes == 0) return waits || (over && dpor->executions + dpor->pruned + ran >= PROBED);
  return over && dpor->steps >= 10 * plan->probed.steps;
}

/* ---- Sharing the work ------------------------------------------------------------------------------------------- */

/* Before it is known whether dpor is out of reach, nobody knows which of the exhaustive members is worth keeping. */
bool eo__auto_splits(const eo_auto *plan) {
  return plan->turn == leader(plan) && (plan->turn != EO_AUTO_DPOR || plan->probed.probes);
}

void eo__auto_hurry(eo_auto *plan) {
  eo_auto_member_id first = leader(plan);
  if (first == EO_AUTO_MEMBERS || plan->turn == first) return;
  plan->turn = first;
  plan->left = budget(plan, first);
}

bool eo__auto_split(eo_auto *plan, const eo_bytes *bytes, eo_bytes *out) {
  eo_auto part;
  eo_rng rng;
  bool good = true;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++)
    if (all[i].covers && i != (int)plan->turn) leave(&plan->members[i]);
  eo__rng_init(&rng, plan->seed);
  eo__rng_init(&rng, eo__rng_next(&rng) + ++plan->parts); /* by another seed, other executions are drawn */
  eo__auto_init(&part, eo__rng_next(&rng), false, plan->endless);
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) {
    if (!all[i].covers) continue;
    part.members[i].over = plan->members[i].over;
    part.members[i].doubts = plan->members[i].doubts;
  }
  part.members[plan->turn].bytes = *bytes; /* borrowed */
  part.turn = plan->turn;
  part.round = plan->round;
  part.probed = plan->probed;
  part.opening = plan->opening /= 2;
  part.left = budget(&part, part.turn);
  good = eo__auto_save(&part, out);
  part.members[plan->turn].bytes = (eo_bytes){0};
  eo__auto_release(&part);
  return good;
}

/* ---- As a fragment ---------------------------------------------------------------------------------------------- */

void eo__auto_init(eo_auto *plan, uint64_t seed, bool caches, bool endless) {
  *plan = (eo_auto){.seed = seed, .endless = endless, .opening = OPENING};
  plan->members[EO_AUTO_SES].over = !caches;
  plan->left = SMALL;
}

void eo__auto_release(eo_auto *plan) {
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) eo_vec_release(&plan->members[i].bytes);
}

bool eo__auto_save(const eo_auto *plan, eo_bytes *out) {
  bool good = eo__fragment_begin(out, EO_FRAGMENT_AUTO) && eo__fragment_number(out, plan->turn) &&
              eo__fragment_number(out, plan->left) && eo__fragment_number(out, plan->round) &&
              eo__fragment_number(out, plan->seed) && eo__fragment_number(out, plan->parts) &&
              eo__fragment_number(out, plan->lengths) && eo__fragment_number(out, plan->opening) &&
              eo__fragment_raw(out, &plan->probed, sizeof plan->probed);
  for (int i = 0; good && i < EO_AUTO_MEMBERS; i++) {
    const eo_auto_member *m = &plan->members[i];
    good = eo__fragment_number(out, m->executions) && eo__fragment_number(out, m->pruned) &&
           eo__fragment_number(out, m->steps) && eo__fragment_number(out, m->doubts) &&
           eo__fragment_number(out, m->over) && eo__fragment_number(out, m->bytes.count) &&
           eo__fragment_raw(out, m->bytes.items, m->bytes.count);
  }
  return good && eo__fragment_end(out);
}

static bool read_member(eo_fragment_reader *reader, eo_auto_member *m) {
  m->executions = eo__fragment_read(reader, UINT64_MAX);
  m->pruned = eo__fragment_read(reader, UINT64_MAX);
  m->steps = eo__fragment_read(reader, UINT64_MAX);
  m->doubts = (uint32_t)eo__fragment_read(reader, UINT32_MAX);
  m->over = eo__fragment_read(reader, 1);
  size_t size = (size_t)eo__fragment_read(reader, (uint64_t)(reader->end - reader->at));
  if (reader->bad || size == 0) return true;
  if (!eo_vec_reserve(&m->bytes, size)) return false;
  eo__fragment_read_raw(reader, m->bytes.items, size);
  m->bytes.count = reader->bad ? 0 : size;
  return true;
}

int eo__auto_load(eo_auto *plan, const eo_bytes *bytes, eo_error *error) {
  eo_fragment_reader reader;
  if (bytes->count == 0) return EO_OK;
  int code = eo__fragment_open(&reader, bytes->items, bytes->count, EO_FRAGMENT_AUTO, error);
  if (code != EO_OK) return code;
  eo__auto_release(plan);
  plan->turn = (eo_auto_member_id)eo__fragment_read(&reader, EO_AUTO_MEMBERS - 1);
  plan->left = eo__fragment_read(&reader, UINT64_MAX);
  plan->round = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  plan->seed = eo__fragment_read(&reader, UINT64_MAX);
  plan->parts = (uint32_t)eo__fragment_read(&reader, UINT32_MAX);
  plan->lengths = eo__fragment_read(&reader, UINT64_MAX);
  plan->opening = eo__fragment_read(&reader, OPENING);
  eo__fragment_read_raw(&reader, &plan->probed, sizeof plan->probed);
  for (int i = 0; i < EO_AUTO_MEMBERS; i++)
    if (!read_member(&reader, &plan->members[i])) return eo__error_nomem(error);
  return reader.bad || reader.at != reader.end ? eo__fragment_refuse(error) : EO_OK;
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

_Static_assert((int)EO_AUTO_MEMBERS <= EO_MEMBERS_MOST, "a tally has room for all members");

void eo__auto_reached(const eo_member_tally *members, bool parts, eo_text *words) {
  size_t length = words->length;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) {
    char digits[32];
    if (members[i].executions == 0) continue;
    eo__text_add(words, "%s%s by %s", words->length > length ? ", " : "",
                 eo__text_thousands(digits, members[i].executions), eo__strategies[all[i].id].name);
  }
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) {
    const eo_member_tally *m = &members[i];
    if (!*m->reached || m->hit < 0 || (m->hit == 0 && parts)) continue;
    eo__text_add(words, "; %s: %s", eo__strategies[all[i].id].name, m->reached);
    if (m->hit > 0) eo__promise_add(words, m->hit, m->drawn);
  }
}

uint32_t eo__auto_doubts(const eo_auto *plan) {
  uint32_t doubts = 0;
  for (int i = 0; i < EO_AUTO_MEMBERS; i++) doubts |= plan->members[i].doubts;
  return doubts;
}
