/* pctcp.c: PCT over chains of messages (Kulahcioglu Ozkan, Majumdar, Niksic, Tabaei Befrouei, Weissenbacher: Randomized
 * Testing of Distributed Systems with Probabilistic Guarantees, OOPSLA 2018, algorithm 1 and theorem 4.3).
 *
 * An event is the arrival of a message: its send where mailboxes keep the order of sends, else the receive that takes it;
 * and other operations whose order can matter (a receive that could time out, names, links, exits). The rest happens at
 * once. With n events, of which at most w are unordered, a bug of depth d is hit with probability at least
 * 1 / (w^2 n^(d-1)). What counts is how many chains there are, which is at most w(w+1)/2: the number reported is that of
 * the chains that the first executions needed. */
#include "base/alloc.h"
#include "strategies/chains.h"
#include "strategies/strategies.h"

static void pctcp_close(eo_strategy *strategy) {
  eo__chains_release((eo_chain_sampler *)strategy);
  eo__free(strategy);
}

static bool is_event(eo_chain_sampler *sampler, eo_choice choice, const eo_pending *pending) {
  return eo__chains_matters(sampler, choice, pending);
}

static double pctcp_reached(eo_strategy *strategy, eo_text *words) {
  const eo_chain_sampler *s = (const eo_chain_sampler *)strategy;
  eo__text_add(words, "a bug of depth %u in the order of %u events in %u chains%s", s->bug_depth, s->length, s->most,
               eo__sampler_given(&s->sampler));
  return eo__sampler_odds(s->most, s->length, s->bug_depth);
}

static eo_coverage pctcp_coverage(eo_strategy *strategy, eo_text *words) {
  const eo_chain_sampler *s = (const eo_chain_sampler *)strategy;
  return eo__sampler_coverage(&s->sampler, pctcp_reached, words);
}

static bool pctcp_write(const eo_sampler *sampler, eo_bytes *out) {
  return eo__chains_write((const eo_chain_sampler *)sampler, out);
}

static bool pctcp_read(eo_sampler *sampler, eo_fragment_reader *reader) {
  return eo__chains_read((eo_chain_sampler *)sampler, reader);
}

static const eo_strategy_ops pctcp_ops = {
    .close = pctcp_close,
    .begin = eo__chains_begin,
    .choose = eo__chains_choose,
    .observe = eo__chains_observe,
    .end = eo__chains_end,
    .telling = &(const eo_telling){.coverage = pctcp_coverage,
                                   .reached = pctcp_reached,
                                   .share = eo__sampler_share,
                                   .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind pctcp_kind = {.name = "pctcp",
                                           .letter = EO_FRAGMENT_PCTCP,
                                           .lessons = EO_SAMPLES_TO_LEARN,
                                           .write = pctcp_write,
                                           .read = pctcp_read};

eo_strategy *eo__pctcp_open(const eo_strategy_options *options, eo_error *error) {
  eo_chain_sampler *s = eo__alloc(sizeof *s);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__chains_init(s, &pctcp_kind, &pctcp_ops, options);
  s->is_event = is_event;
  return &s->sampler.base;
}
