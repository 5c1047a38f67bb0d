/* fuzz_fragment.c: any bytes as a fragment of each strategy: as they are; with a right head and checksum; and as changes
 * to a fragment that the strategy wrote, with a right checksum. Whatever is accepted can be explored, split and saved
 * without harm.
 * runs: 100 */
#include <stdlib.h>

#include "core/engine.h"
#include "explorers/explorer.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

#include "../unit/toy_subject.h"

#define REQUIRE(condition) ((condition) ? (void)0 : __builtin_trap())

static bool count_down(void *context, const eo_outcome *outcome) {
  (void)outcome;
  return --*(int *)context > 0;
}

/* A failure that depends on the order, and one that does not. */
static const char *fails(const toy_state *state) {
  if (state->done[1] == 3 && state->path[state->depth - 1] == 'B') return "B has done all";
  return state->done[0] == 6 && state->done[2] < 3 ? "A is early" : NULL;
}

/* A chooses and reads what B writes; B and C send to it. dpor wants processes to be spawned. */
static void draw(toy *t, eo_delivery delivery, bool failing) {
  toy_init(t, 7, 3, 3, 0);
  t->steps[0][0].spawns = 'B';
  t->steps[0][1].spawns = 'C';
  t->steps[0][2].values = 3;
  t->steps[0][3] = (toy_step){.receives = '?'};
  t->steps[0][4] = (toy_step){.receives = '!', .from = 'C'};
  t->steps[0][5].variable = t->steps[1][1].variable = t->steps[2][1].variable = 1;
  t->steps[1][1].writes = true;
  t->steps[1][0].sends = t->steps[2][0].sends = t->steps[2][2].sends = 'A';
  t->takes = delivery != EO_DELIVERY_MAILBOX;
  if (failing) t->fails = fails;
}

/* True: it was not done after so many executions. */
static bool run(eo_strategy *strategy, toy *t, int executions) {
  eo_engine engine;
  eo__engine_init(&engine, &t->base, strategy);
  engine.ended = count_down;
  engine.context = &executions;
  (void)eo__engine_run(&engine, NULL);
  eo__engine_release(&engine);
  return executions == 0;
}

static void take_up(eo_strategy *strategy, toy *t, const unsigned char *bytes, size_t size) {
  eo_error error = {0};
  REQUIRE(strategy);
  int code = strategy->ops->fragments->load(strategy, bytes, size, &error);
  REQUIRE(code == error.code && (code == EO_OK) == (error.text[0] == '\0'));
  if (code == EO_OK && run(strategy, t, 10)) {
    eo_bytes piece = {0};
    (void)strategy->ops->fragments->split(strategy, &piece);
    REQUIRE(strategy->ops->fragments->save(strategy, &piece));
    eo_vec_release(&piece);
  }
  strategy->ops->close(strategy);
}

/* The fragment after some executions, without its checksum. The first byte says how many, the others come in pairs: where
 * to change it, and what is there then. */
static void damage(eo_strategy *strategy, toy *t, const uint8_t *data, size_t size, eo_bytes *out) {
  REQUIRE(strategy);
  (void)run(strategy, t, size ? 1 + data[0] % 32 : 1);
  REQUIRE(strategy->ops->fragments->save(strategy, out) && out->count > 2 + sizeof(uint64_t));
  out->count -= sizeof(uint64_t);
  for (size_t i = 1; i + 1 < size; i += 2) out->items[2 + data[i] % (out->count - 2)] = data[i + 1];
  strategy->ops->close(strategy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct {
    eo_fragment_letter letter;
    eo_strategy *(*open)(const eo_strategy_options *options, eo_error *error);
  } kinds[] = {{EO_FRAGMENT_DFS, eo__dfs_open},       {EO_FRAGMENT_PREEMPT, eo__preempt_open},
               {EO_FRAGMENT_RANDOM, eo__random_open}, {EO_FRAGMENT_DPOR, eo__dpor_open},
               {EO_FRAGMENT_SES, eo__ses_open},       {EO_FRAGMENT_SS, eo__ss_open},
               {EO_FRAGMENT_SES_SS, eo__ses_ss_open}, {EO_FRAGMENT_IRS, eo__irs_open},
               {EO_FRAGMENT_PCT, eo__pct_open},       {EO_FRAGMENT_PCTCP, eo__pctcp_open},
               {EO_FRAGMENT_TAPCT, eo__tapct_open},   {EO_FRAGMENT_POS, eo__pos_open},
               {EO_FRAGMENT_SURW, eo__surw_open}};
  enum { AS_IT_IS, SEALED, DAMAGED, WAYS };
  static toy t;
  for (size_t i = 0; i < WAYS * sizeof kinds / sizeof *kinds; i++) {
    eo_delivery delivery = size / 2 % (EO_DELIVERY_ASYNC + 1);
    draw(&t, delivery, size / 8 % 2);
    eo_strategy_options options = {.view = eo_subject_view(&t.base),
                                   .bounded = size % 2,
                                   .bound = 3,
                                   .delivery = delivery,
                                   .executions = 40,
                                   .explorer = &eo__explorer_rr,
                                   .delays_bounded = size % 2,
                                   .delays = 2,
                                   .delay_step = 1,
                                   .samples = 5,
                                   .growth = 2};
    eo_bytes bytes = {0};
    if (i % WAYS == DAMAGED)
      damage(kinds[i / WAYS].open(&options, NULL), &t, data, size, &bytes);
    else
      REQUIRE((i % WAYS == AS_IT_IS || eo__fragment_begin(&bytes, kinds[i / WAYS].letter)) &&
              eo__fragment_raw(&bytes, data, size));
    REQUIRE(i % WAYS == AS_IT_IS || eo__fragment_end(&bytes));
    draw(&t, delivery, size / 8 % 2);
    take_up(kinds[i / WAYS].open(&options, NULL), &t, bytes.items, bytes.count);
    eo_vec_release(&bytes);
  }
  return 0;
}
