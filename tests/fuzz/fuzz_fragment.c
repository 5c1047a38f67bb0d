/* fuzz_fragment.c: any bytes as a fragment of each strategy, as they are and with a right head and checksum. Whatever is
 * accepted can be explored, split and saved without harm. */
#include <stdlib.h>

#include "core/engine.h"
#include "strategies/fragment.h"
#include "strategies/strategies.h"

#include "../unit/toy_subject.h"

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

static bool ten(void *context, const eo_outcome *outcome) {
  (void)outcome;
  return ++*(int *)context < 10;
}

static void take_up(eo_strategy *strategy, const unsigned char *bytes, size_t size) {
  eo_error error = {0};
  int code = strategy->ops->load(strategy, bytes, size, &error), count = 0;
  REQUIRE(code == error.code && (code == EO_OK) == (error.text[0] == '\0'));
  if (code == EO_OK) {
    toy t;
    eo_engine engine;
    eo_bytes piece = {0};
    toy_init(&t, 2, 2, 1, 0);
    t.steps[0][1].values = 3;
    eo_engine_init(&engine, &t.base, strategy);
    engine.ended = ten;
    engine.context = &count;
    (void)eo_engine_run(&engine, NULL);
    eo_engine_release(&engine);
    if (count == 10) {
      (void)strategy->ops->split(strategy, &piece);
      REQUIRE(strategy->ops->save(strategy, &piece));
    }
    eo_vec_release(&piece);
  }
  strategy->ops->close(strategy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct {
    char letter;
    eo_strategy *(*open)(const eo_strategy_options *options, eo_error *error);
  } kinds[] = {{'d', eo__dfs_open}, {'p', eo__preempt_open}, {'r', eo__random_open}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    eo_strategy_options options = {.bounded = size % 2, .bound = 3};
    eo_bytes sealed = {0};
    REQUIRE(eo__fragment_begin(&sealed, kinds[i].letter) && eo__fragment_raw(&sealed, data, size) &&
            eo__fragment_end(&sealed));
    take_up(kinds[i].open(&options, NULL), data, size);
    take_up(kinds[i].open(&options, NULL), sealed.items, sealed.count);
    eo_vec_release(&sealed);
  }
  return 0;
}
