/* surw.c: selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury: Selectively Uniform Concurrency Testing,
 * ASPLOS 2025, algorithms 1 and 2).
 *
 * A walk that chooses evenly at each point favours interleavings in which some processes end early. URW chooses a process
 * with a probability in proportion to the steps it has left, those of processes it is still to spawn included: if no
 * process waits, each interleaving is equally likely. How many steps a process has is learnt from the first executions,
 * as their mean.
 *
 * SURW does so for some interesting steps only: it draws who takes the next of these, in proportion to how many each has
 * left, and holds back the others that stand before one, until that process has taken its own. Interesting are, in each
 * execution, the sends to one mailbox, drawn evenly from those that at least two processes sent to in the first
 * executions, or all steps (URW): that is one more thing to draw. Where the subject does not say to whom a process is
 * about to send, it is always URW. */
#include "base/alloc.h"
#include "core/program.h"
#include "strategies/sampler.h"
#include "strategies/strategies.h"

enum { MOST_STEPS = 1 << 20 }; /* of a process, as a weight: sums stay below 2^32 */

/* What is known of a process, and of it in the execution under way. */
typedef struct walker {
  uint64_t steps;     /* of all executions learnt from, together */
  uint32_t parent;    /* EO_NO_PROCESS: none, or not known */
  uint32_t all, some; /* steps expected, interesting ones expected; with those of processes that it will spawn */
  bool present;
  bool looked;                /* `to` is what it is about to do */
  uint32_t to;                /* as in eo_pending */
  uint32_t left, interesting; /* of `all` and `some` */
  uint32_t taken;             /* steps so far */
} walker;

/* How often one process sent to another, in all executions learnt from. */
typedef struct stream {
  uint32_t from, to;
  uint64_t sends;
} stream;

typedef struct surw {
  eo_sampler sampler;
  eo_view view;
  bool foresees;          /* what processes are about to do is told before they do it */
  uint64_t lessons;       /* executions that were learnt from */
  EO_VEC(walker) walkers; /* by process */
  EO_VEC(stream) streams;
  EO_VEC(uint32_t) mailboxes; /* that at least two send to */
  EO_VEC(uint32_t) present;   /* processes of this execution, as they came up */
  uint32_t mailbox;           /* interesting; EO_NO_PROCESS: all steps are */
  uint32_t intended;          /* who takes the next interesting step; EO_NO_PROCESS: not drawn yet */
} surw;

static void surw_close(eo_strategy *strategy) {
  surw *s = (surw *)strategy;
  eo_vec_release(&s->walkers);
  eo_vec_release(&s->streams);
  eo_vec_release(&s->mailboxes);
  eo_vec_release(&s->present);
  eo__free(strategy);
}

static bool no_memory(surw *s) {
  s->sampler.base.error = EO_ENOMEM;
  return false;
}

static bool know(surw *s, uint32_t process) {
  while (s->walkers.count <= process)
    if (!eo_vec_push(&s->walkers, ((walker){.parent = EO_NO_PROCESS}))) return no_memory(s);
  return true;
}

/* ---- What was learnt -------------------------------------------------------------------------------------------- */

static uint32_t mean(const surw *s, uint64_t sum) {
  uint64_t value = s->lessons ? (2 * sum + s->lessons) / (2 * s->lessons) : 0;
  return value < MOST_STEPS ? (uint32_t)value : MOST_STEPS;
}

static void add_weight(uint32_t *weight, uint32_t more) {
  *weight = *weight + more < MOST_STEPS ? *weight + more : MOST_STEPS;
}

/* For it and for whoever has to spawn it. */
static void expect_all(surw *s) {
  for (size_t i = 0; i < s->walkers.count; i++) s->walkers.items[i].all = 0;
  for (size_t i = 0; i < s->walkers.count; i++) {
    uint32_t steps = mean(s, s->walkers.items[i].steps);
    uint32_t at = (uint32_t)i, depth = 0;
    for (; at != EO_NO_PROCESS && depth <= s->walkers.count; at = s->walkers.items[at].parent, depth++)
      add_weight(&s->walkers.items[at].all, steps);
  }
}

static void expect_some(surw *s) {
  for (size_t i = 0; i < s->walkers.count; i++) s->walkers.items[i].some = 0;
  for (size_t i = 0; i < s->streams.count; i++) {
    const stream *sends = &s->streams.items[i];
    if (sends->to != s->mailbox) continue;
    uint32_t at = sends->from, depth = 0;
    for (; at != EO_NO_PROCESS && depth <= s->walkers.count; at = s->walkers.items[at].parent, depth++)
      add_weight(&s->walkers.items[at].some, mean(s, sends->sends));
  }
}

/* In the order of the first senders, which does not depend on how processes are numbered. */
static bool find_mailboxes(surw *s) {
  eo_vec_clear(&s->mailboxes);
  for (size_t i = 0; i < s->streams.count; i++) {
    uint32_t senders = 0;
    bool first = true;
    for (size_t j = 0; j < s->streams.count; j++) {
      if (s->streams.items[j].to != s->streams.items[i].to) continue;
      senders++;
      first &= j >= i;
    }
    if (first && senders >= 2 && !eo_vec_push(&s->mailboxes, s->streams.items[i].to)) return no_memory(s);
  }
  return true;
}

static bool note_send(surw *s, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < s->streams.count; i++)
    if (s->streams.items[i].from == from && s->streams.items[i].to == to) {
      s->streams.items[i].sends++;
      return true;
    }
  return eo_vec_push(&s->streams, ((stream){from, to, 1})) ? true : no_memory(s);
}

/* ---- An execution ----------------------------------------------------------------------------------------------- */

static bool surw_begin(eo_strategy *strategy, eo_beginning *beginning) {
  (void)beginning;
  surw *s = (surw *)strategy;
  if (!eo__sampler_begin(&s->sampler)) return false;
  for (size_t i = 0; i < s->present.count; i++) s->walkers.items[s->present.items[i]].present = false;
  eo_vec_clear(&s->present);
  uint32_t drawn = s->mailboxes.count ? eo__rng_below(&s->sampler.rng, (uint32_t)s->mailboxes.count + 1) : 0;
  s->mailbox = drawn ? s->mailboxes.items[drawn - 1] : EO_NO_PROCESS;
  s->intended = EO_NO_PROCESS;
  if (drawn) expect_some(s);
  return true;
}

static bool appear(surw *s, uint32_t process) {
  if (process >= s->walkers.count && !know(s, process)) return false;
  walker *w = &s->walkers.items[process];
  w->present = true;
  w->looked = false;
  w->left = w->all;
  w->interesting = s->mailbox != EO_NO_PROCESS ? w->some : 0;
  w->taken = 0;
  return eo_vec_push(&s->present, process) ? true : no_memory(s);
}

/* Is this process, which can go on, about to take an interesting step? */
static bool stands_before(surw *s, uint32_t process) {
  walker *w = &s->walkers.items[process];
  if (!w->looked) {
    eo_pending pending;
    s->view.relations->pending(s->view.of, process, &pending);
    w->to = pending.to;
    w->looked = true;
  }
  return w->to == s->mailbox;
}

/* Who takes the next interesting step; EO_NO_PROCESS: nobody is expected to. */
static uint32_t draw_intended(surw *s) {
  uint32_t sum = 0;
  for (size_t i = 0; i < s->present.count; i++) sum += s->walkers.items[s->present.items[i]].interesting;
  if (sum == 0) return EO_NO_PROCESS;
  uint32_t drawn = eo__rng_below(&s->sampler.rng, sum);
  size_t i = 0;
  for (; drawn >= s->walkers.items[s->present.items[i]].interesting; i++)
    drawn -= s->walkers.items[s->present.items[i]].interesting;
  return s->present.items[i];
}

/* Held back: it stands before an interesting step, and it is not its turn. */
static bool held(surw *s, uint32_t process) {
  return s->mailbox != EO_NO_PROCESS && s->intended != EO_NO_PROCESS && process != s->intended &&
         stands_before(s, process);
}

/* What this choice weighs: 0 if it is held back, or of the same process as the one before it. */
static uint32_t weight_of(surw *s, const eo_point *point, uint32_t i, bool all) {
  uint32_t process = point->choices[i].process;
  if ((i && point->choices[i - 1].process == process) || (!all && held(s, process))) return 0;
  return s->walkers.items[process].left ? s->walkers.items[process].left : 1;
}

/* By what is left to each; with `all`, of those held back too. UINT32_MAX: there is nobody. */
static uint32_t draw(surw *s, const eo_point *point, bool all) {
  uint32_t sum = 0, weight, i = 0;
  for (i = 0; i < point->count; i++) sum += weight_of(s, point, i, all);
  if (sum == 0) return UINT32_MAX;
  uint32_t drawn = eo__rng_below(&s->sampler.rng, sum);
  for (i = 0; drawn >= (weight = weight_of(s, point, i, all)); i++) drawn -= weight;
  return i;
}

static uint32_t surw_choose(eo_strategy *strategy, const eo_point *point) {
  surw *s = (surw *)strategy;
  for (uint32_t i = 0; i < point->count; i++) {
    uint32_t process = point->choices[i].process;
    if ((process >= s->walkers.count || !s->walkers.items[process].present) && !appear(s, process)) return EO_PRUNE;
  }
  if (s->mailbox != EO_NO_PROCESS && s->intended == EO_NO_PROCESS) s->intended = draw_intended(s);
  uint32_t first = point->count == 1 ? 0 : draw(s, point, false);
  if (first == UINT32_MAX) { /* all wait for one that cannot go on: the turn is drawn again, among these */
    s->intended = EO_NO_PROCESS;
    first = draw(s, point, true);
  }
  return eo__sampler_value(&s->sampler, point, first);
}

static void surw_observe(eo_strategy *strategy, uint32_t depth, eo_choice taken, const eo_event *event) {
  surw *s = (surw *)strategy;
  (void)depth;
  walker *w = &s->walkers.items[taken.process];
  w->taken++;
  if (w->left) w->left--;
  w->looked = false;
  if (event->op == EO_OP_SEND && event->other != EO_NO_PROCESS) {
    if (event->other == s->mailbox) {
      if (w->interesting) w->interesting--;
      s->intended = EO_NO_PROCESS;
    }
    if (eo__sampler_learns(&s->sampler) && !note_send(s, taken.process, event->other)) return;
  }
  if (event->op != EO_OP_SPAWN || event->other == EO_NO_PROCESS || !know(s, event->other)) return;
  w = &s->walkers.items[taken.process];
  walker *child = &s->walkers.items[event->other];
  child->parent = taken.process;
  w->left -= child->all < w->left ? child->all : w->left;
  w->interesting -= child->some < w->interesting ? child->some : w->interesting;
}

static void surw_end(eo_strategy *strategy, eo_outcome *outcome) {
  surw *s = (surw *)strategy;
  (void)outcome;
  if (!eo__sampler_learns(&s->sampler)) return;
  s->lessons++;
  for (size_t i = 0; i < s->present.count; i++) {
    walker *w = &s->walkers.items[s->present.items[i]];
    w->steps += w->taken;
  }
  expect_all(s);
  if (s->foresees) find_mailboxes(s);
}

static eo_coverage surw_coverage(eo_strategy *strategy, eo_text *words) {
  const surw *s = (const surw *)strategy;
  uint64_t steps = 0;
  for (size_t i = 0; i < s->walkers.count; i++) steps += mean(s, s->walkers.items[i].steps);
  eo__sampler_words(&s->sampler, words);
  eo__text_add(
      words,
      ": nearly uniform over the orders of about %llu steps of %zu processes, or of the sends to one of %zu mailboxes",
      (unsigned long long)steps, s->walkers.count, s->mailboxes.count);
  return EO_COVERS_SAMPLE;
}

/* ---- Fragments -------------------------------------------------------------------------------------------------- */

/* How often it was learnt; processes with what is known of them; streams. Numbers of processes are positions here. */
static bool surw_write(const eo_sampler *sampler, eo_bytes *out) {
  const surw *s = (const surw *)sampler;
  bool good = eo__fragment_number(out, s->lessons) && eo__fragment_number(out, s->walkers.count);
  for (size_t i = 0; i < s->walkers.count && good; i++) {
    const walker *w = &s->walkers.items[i];
    good = eo__sampler_write_process(&s->view, (uint32_t)i, out) && eo__fragment_number(out, w->steps) &&
           eo__fragment_number(out, w->parent == EO_NO_PROCESS ? 0 : w->parent + 1);
  }
  good = good && eo__fragment_number(out, s->streams.count);
  for (size_t i = 0; i < s->streams.count && good; i++) {
    const stream *sends = &s->streams.items[i];
    good = eo__fragment_number(out, sends->from) && eo__fragment_number(out, sends->to) &&
           eo__fragment_number(out, sends->sends);
  }
  return good;
}

typedef EO_VEC(uint32_t) numbers;

static bool read_walkers(surw *s, eo_fragment_reader *reader, numbers *processes, numbers *parents) {
  uint64_t count = eo__fragment_read(reader, UINT32_MAX - 1);
  for (uint64_t i = 0; i < count && !reader->bad; i++) {
    uint32_t process = eo__sampler_read_process(&s->view, reader);
    uint64_t steps = eo__fragment_read(reader, UINT64_MAX / 4);
    uint32_t parent = (uint32_t)eo__fragment_read(reader, count);
    if (reader->bad) break;
    if (!know(s, process) || !eo_vec_push(processes, process) || !eo_vec_push(parents, parent)) return false;
    s->walkers.items[process].steps = steps;
  }
  for (size_t i = 0; i < processes->count && !reader->bad; i++)
    if (parents->items[i]) s->walkers.items[processes->items[i]].parent = processes->items[parents->items[i] - 1];
  return true;
}

static bool surw_read(eo_sampler *sampler, eo_fragment_reader *reader) {
  surw *s = (surw *)sampler;
  numbers processes = {0}, parents = {0};
  s->lessons = eo__fragment_read(reader, EO_SAMPLES_TO_LEARN);
  bool good = read_walkers(s, reader, &processes, &parents);
  uint64_t count = good ? eo__fragment_read(reader, UINT32_MAX) : 0;
  for (uint64_t i = 0; i < count && good && !reader->bad; i++) {
    uint64_t from = eo__fragment_read(reader, UINT32_MAX), to = eo__fragment_read(reader, UINT32_MAX);
    uint64_t sends = eo__fragment_read(reader, UINT64_MAX / 4);
    if (from >= processes.count || to >= processes.count) reader->bad = true;
    if (reader->bad) break;
    good = eo_vec_push(&s->streams, ((stream){processes.items[from], processes.items[to], sends}));
  }
  eo_vec_release(&processes);
  eo_vec_release(&parents);
  if (!good || reader->bad) return good;
  expect_all(s);
  return !s->foresees || find_mailboxes(s);
}

static const eo_strategy_ops surw_ops = {
    .close = surw_close,
    .begin = surw_begin,
    .choose = surw_choose,
    .observe = surw_observe,
    .end = surw_end,
    .telling =
        &(const eo_telling){.coverage = surw_coverage, .share = eo__sampler_share, .pending = eo__sampler_pending},
    .fragments = &eo__sampler_fragments,
};

static const eo_sampler_kind surw_kind = {
    .name = "surw", .letter = EO_FRAGMENT_SURW, .lessons = EO_SAMPLES_TO_LEARN, .write = surw_write, .read = surw_read};

eo_strategy *eo__surw_open(const eo_strategy_options *options, eo_error *error) {
  surw *s = eo__alloc(sizeof *s);
  EO_CHECK(options->view.of);
  if (!s) {
    eo__error_nomem(error);
    return NULL;
  }
  eo__sampler_init(&s->sampler, &surw_kind, &surw_ops, options);
  s->view = options->view;
  s->foresees = options->view.relations && options->view.relations->pending;
  s->mailbox = s->intended = EO_NO_PROCESS;
  return &s->sampler.base;
}
