/* actor.c: the subject's door: choices, steps, ends of executions. The life of a step is in eo__actor_ops.step. */
#include "subjects/actor/actor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/copies.h"
#include "base/early.h"
#include "base/jump_return.h"
#include "base/map.h"
#include "core/doubt.h"
#include "subjects/actor/couriers.h"
#include "subjects/actor/describe.h"
#include "subjects/actor/faults.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/interpose.h"
#include "subjects/actor/mailbox.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/outside.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/sharing.h"
#include "subjects/actor/specifications.h"
#include "subjects/actor/tellings.h"

#define POOL_RESERVED ((size_t)4 << 30)
#define SLOT_TABLE (EO_SLOTS * sizeof(uint32_t))
#define PROCESS_TABLE (EO_SLOTS * sizeof(eo_process))
/* These two have fixed addresses, as pointers to them get onto the processes' stacks, which are hashed. */
#define PROCESS_TABLE_AT (EO_ARENAS - ((size_t)4 << 30))
#define ACTOR_AT (EO_ARENAS - ((size_t)5 << 30))

static bool reset(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  EO_CHECK(actor->undo.states == 0);
  eo__outside_reset(actor);
  for (size_t i = 0; i < actor->live.count; i++) {
    actor->live.items[i]->state = EO_UNBORN;
  }
  if (!actor->audit) actor->suspected = false;
  actor->front = actor->audit && actor->auditing && actor->front == actor->failed; /* by turns, if all went well */
  actor->placed = false;
  actor->later.kind = EO_KIND_NONE;
  eo__shared_keep(actor->shared); /* what the execution declares it will declare again */
  eo__watch_audit(actor->watch, actor->audit);
  eo__watch_reset(actor->watch);
  for (size_t i = 0; i < actor->live.count && __builtin_expect(actor->auditing, 0); i++)
    if (!actor->live.items[i]->courier) eo__capture_unbar(actor->capture, actor->live.items[i]->slot);
  eo_vec_clear(&actor->live);
  eo__capture_reset(actor->capture);
  memset(&actor->world, 0, sizeof actor->world);
  actor->printed = false;
  if (actor->watchdog.again) actor->watchdog.again--;
  eo__operations_reset(actor);
  actor->world.lean = actor->options.fingerprints;
  if (!actor->audit) actor->executions++, actor->finished = false;
  actor->auditing = actor->audit;
  eo__delivery_reset(actor);
  actor->failed = actor->wild = false;
  actor->asked.what = EO_ASKED_NOTHING;
  eo_vec_clear(&actor->hints);
  if (__builtin_expect(eo__copy_first_is_trusted, 0)) eo__watch_trust(actor->watch, 0, actor->known.items[0].slot);
  eo_process *first = eo__actor_start_in_place(actor, 0, actor->options.function, actor->options.argument);
  if (!first) return false; /* no memory: the engine sees that */
  bool good = eo__actor_go_on(actor, first);
  if (__builtin_expect(actor->world.hot != 0, 0) && good) eo__lasso_begin(actor);
  return good;
}

/* Is it chosen what the process takes? */
static bool takes(const eo_actor *actor, const eo_process *process) {
  return __builtin_expect(actor->world.taking, 0) && process->pending->kind == EO_OP_RECEIVE;
}

/* Only with idle timeouts, when nothing else can run: the processes whose deadline is the earliest. */
static void enable_timeouts(eo_actor *actor) {
  uint64_t earliest = UINT64_MAX;
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *process = actor->live.items[i];
    if (process->state != EO_ALIVE || process->pending->timeout == EO_FOREVER) continue;
    if (process->pending->kind != EO_OP_RECEIVE && process->pending->kind != EO_OP_SLEEP) continue;
    uint64_t deadline = process->now + (uint64_t)process->pending->timeout;
    if (deadline < earliest) earliest = deadline;
  }
  for (size_t i = 0; i < actor->live.count && earliest != UINT64_MAX; i++) {
    eo_process *process = actor->live.items[i];
    if (process->state != EO_ALIVE || process->pending->timeout == EO_FOREVER) continue;
    if (process->pending->kind != EO_OP_RECEIVE && process->pending->kind != EO_OP_SLEEP) continue;
    if (process->now + (uint64_t)process->pending->timeout == earliest &&
        !eo_vec_push(&actor->choices, ((eo_choice){process->number, 0, (uint16_t)process->pending->kind,
                                                   takes(actor, process) ? EO_CHOICE_TAKE : EO_CHOICE_RUN})))
      eo__actor_nomem(actor);
  }
}

static inline void list_choices(eo_actor *actor, const eo_process *process) {
  if (takes(actor, process)) {
    eo__delivery_list(actor, process);
    return;
  }
  if (!eo_vec_reserve(&actor->choices, process->choices)) {
    eo__actor_nomem(actor);
    return;
  }
  for (uint32_t value = 0; value < process->choices; value++)
    eo_choice_set(&actor->choices.items[actor->choices.count++], process->number, value,
                  (uint16_t)process->pending->kind, EO_CHOICE_RUN);
}

static uint32_t enabled(eo_subject *subject, const eo_choice **choices) {
  eo_actor *actor = eo__actor_of(subject);
  eo_vec_clear(&actor->choices);
  size_t count = actor->live.count;
  if (count <= 64) {
    for (uint64_t able = actor->world.able; able; able &= able - 1)
      list_choices(actor, actor->live.items[__builtin_ctzll(able)]);
  } else {
    for (size_t i = 0; i < count; i++)
      if (actor->live.items[i]->choices) list_choices(actor, actor->live.items[i]);
  }
  if (actor->choices.count == 0 && actor->options.timeouts_idle) enable_timeouts(actor);
  *choices = actor->choices.items;
  return (uint32_t)actor->choices.count;
}

/* The first process that is not at a receive, else the first that is; NULL: none can go on. */
static inline const eo_process *whose_turn(const eo_actor *actor, bool *others) {
  const eo_process *waits = NULL, *goes = NULL;
  if (actor->live.count <= 64) {
    uint64_t able = actor->world.able, first = able & ~actor->world.receiving;
    if (!able) return NULL;
    *others = (able & (able - 1)) != 0;
    return actor->live.items[__builtin_ctzll(first ? first : able)];
  }
  for (size_t i = 0; i < actor->live.count && !(goes && *others); i++) {
    const eo_process *process = actor->live.items[i];
    if (process->choices == 0) continue;
    *others = waits || goes;
    if (process->pending->kind != EO_OP_RECEIVE && !goes)
      goes = process;
    else if (!waits)
      waits = process;
  }
  return goes ? goes : waits;
}

static uint32_t turn(eo_subject *subject, uint32_t number, const eo_choice **choices, bool *others) {
  eo_actor *actor = eo__actor_of(subject);
  const eo_process *process;
  if (number == EO_NO_PROCESS) {
    process = whose_turn(actor, others);
    if (!process) return 0;
  } else {
    process = actor->by_number.items[number];
    if (process->state != EO_ALIVE || process->choices == 0) return 0;
    if (actor->live.count <= 64) *others = (actor->world.able & ~((uint64_t)1 << process->at)) != 0;
    for (size_t i = 0; actor->live.count > 64 && i < actor->live.count && !*others; i++)
      *others = actor->live.items[i] != process && actor->live.items[i]->choices;
  }
  eo_vec_clear(&actor->choices);
  list_choices(actor, process);
  *choices = actor->choices.items;
  return (uint32_t)actor->choices.count;
}

/* The engine takes choices of an earlier execution again without asking: here it shows if they are not there now. */
static bool not_enabled(eo_actor *actor, const eo_process *process, eo_event *event) {
  *event = (eo_event){.process = process->number, .flags = EO_EVENT_FAILED, .other = EO_NO_PROCESS};
  eo__actor_fail(actor, EO_KIND_NONDETERMINISM, process, NULL,
                 "%s could go on when the same choices were run before, and now cannot",
                 eo__actor_name(actor, process->number));
  return false;
}

/* Can this choice be taken? Sets what a receive takes. A timeout that is idle has no choice of its own. */
__attribute__((noinline)) static bool can_take(eo_actor *actor, eo_process *process, eo_choice choice,
                                               eo_event *event) {
  const eo_op *op = process->pending;
  if (process->state != EO_ALIVE) return false;
  bool timed = (op->kind == EO_OP_RECEIVE || op->kind == EO_OP_SLEEP) && op->timeout != EO_FOREVER;
  if (actor->options.timeouts_idle && process->choices == 0 && choice.value == 0 && timed) {
    event->flags |= EO_EVENT_IDLE;
    return true;
  }
  if (takes(actor, process)) return eo__delivery_choose(actor, process, choice.value);
  return choice.value < process->choices;
}

/* It stays where it is. Others go on to see it as it was: alive, and not at a receive. */
static void stick(eo_actor *actor, eo_process *process) {
  if (process->state != EO_ALIVE || process->observes) return;
  process->exit_op = (eo_op){.kind = EO_OP_EXIT};
  process->pending = &process->exit_op;
  process->match = NULL;
  process->kept = NULL;
  process->fiber.sp =
      process->arena + EO_STACK_SIZE; /* it may have left from a signal handler's stack; nothing of it is live */
  eo__process_able(actor, process, 0);
}

/* Sharing and the like are nobody's own affair; and under audit no failure is passed over. */
static bool sticks(const eo_actor *actor) {
  switch (actor->failure.kind) {
    case EO_KIND_SHARING:
    case EO_KIND_NONDETERMINISM:
    case EO_KIND_LIVENESS:
    case EO_KIND_BOUNDS: return false;
    default: return actor->receives_choose && !actor->wild;
  }
}

/* The step of `process` has failed, which may be the code of another: of its child, a specification, a predicate. */
__attribute__((noinline)) static bool fail_step(eo_actor *actor, eo_process *process, eo_event *event) {
  event->flags |= EO_EVENT_FAILED;
  if (!sticks(actor)) return false;
  event->flags |= EO_EVENT_STUCK;
  stick(actor, process);
  if (actor->failing != EO_NO_PROCESS) stick(actor, actor->by_number.items[actor->failing]);
  eo_process *other = event->other == EO_NO_PROCESS ? NULL : actor->by_number.items[event->other];
  if (other && !other->pending) stick(actor, other); /* a child on whose behalf a specification failed */
  actor->failed = false;
  actor->asked.what = EO_ASKED_NOTHING;
  actor->world.stuck = true;
  eo__outside_reset(actor);
  return false;
}

EO_JUMP_RETURN static bool step(eo_subject *subject, eo_choice choice, eo_event *event) {
  eo_actor *actor = eo__actor_of(subject);
  eo_process *process = actor->by_number.items[choice.process];
  *event = (eo_event){choice.process, choice.op, 0, EO_NO_PROCESS, 0, 0};
  if (__builtin_expect(choice.value >= process->choices || actor->world.taking, 0) &&
      !can_take(actor, process, choice, event))
    return not_enabled(actor, process, event);
  uint32_t sent = process->sent;
  bool hot = actor->world.hot != 0 && !actor->auditing; /* under audit no fingerprints are taken */
  if (__builtin_expect(hot, 0)) eo__lasso_before(actor, process, choice);
  eo__relations_begin(actor);
  if (__builtin_expect(actor->describing, 0)) eo__describe_before(actor, process, process->pending);
  actor->world.steps++;
  eo__undo_before(actor, process);
  eo__process_stale(actor, process);
  actor->printed = actor->told = false;
  if (actor->world.lean) {
    if (!process->courier) eo__actor_trim(actor, process);
    eo__fingerprint_chosen(actor, process, choice);
  }
  eo__operation_perform(actor, process, choice.value, event);
  event->sent = process->sent - sent - (uint32_t)actor->begun.count; /* each of those has a number, too */
  if (event->sent && !process->courier) {
    uint32_t first = actor->known.items[process->number].messages.items[sent];
    event->message =
        __builtin_expect(actor->letters.items[first - 1].apart, 0) ? eo__message_after(actor, first) : first;
  }
  if (!actor->failed && process->state == EO_ALIVE && process->pending != &process->exit_op &&
      eo__actor_go_on(actor, process))
    eo__sharing_check(actor, event);
  if (__builtin_expect(actor->told, 0)) event->flags |= EO_EVENT_TELLS;
  if (__builtin_expect(actor->places.count != 0, 0) && !actor->auditing) eo__sharing_print(actor, event);
  if (__builtin_expect(hot | (actor->world.hot != 0), 0) && !actor->auditing) eo__lasso_after(actor, event, hot);
  if (__builtin_expect(actor->describing, 0)) eo__describe_after(actor, process, event, choice.value);
  return __builtin_expect(actor->failed, 0) ? fail_step(actor, process, event) : true;
}

/* The operation is performed, and whatever code would then be run fails. */
static void refuse(eo_subject *subject, eo_choice choice, eo_event *event) {
  eo_actor *actor = eo__actor_of(subject);
  eo_process *process = actor->by_number.items[choice.process];
  bool apart = actor->apart;
  actor->apart = actor->refusing = true;
  if (step(subject, choice, event)) {
    eo__actor_fail(actor, EO_KIND_CRASH, process, NULL, "the step ends workers");
    fail_step(actor, process, event);
  }
  actor->refusing = false;
  actor->apart = apart;
}

static void check_leaks(eo_actor *actor) {
  for (size_t i = 0; i < actor->live.count && !actor->failed; i++) {
    const eo_process *process = actor->live.items[i];
    if (process->state == EO_ALIVE || process->courier) continue; /* a machine keeps what it has */
    size_t count;
    const void *caller;
    size_t bytes = eo__heap_live(process, &count, &caller);
    if (count == 0) continue;
    eo__actor_fail(actor, EO_KIND_LEAK, process, NULL, "%s leaves %zu bytes in %zu block%s allocated",
                   eo__actor_name(actor, process->number), bytes, count, count == 1 ? "" : "s");
    eo__faults_here(actor, caller);
  }
}

static bool finish(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  bool stuck = false;
  actor->finished = true;
  if (actor->world.stuck) return true; /* what it comes to without that process is no end of the program */
  for (size_t i = 0; i < actor->live.count && !stuck; i++)
    stuck = actor->live.items[i]->state == EO_ALIVE && !eo__actor_rests(actor->live.items[i]);
  if (stuck)
    eo__describe_deadlock(actor);
  else if (!eo__lasso_end(actor) && actor->options.leaks)
    check_leaks(actor);
  return !actor->failed;
}

static void process_name(eo_subject *subject, uint32_t process, char *out, size_t size) {
  snprintf(out, size, "%s", eo__actor_name(eo__actor_of(subject), process));
}

static uint32_t process(eo_subject *subject, const char *name) { return eo__actor_known(eo__actor_of(subject), name); }

static void describe(eo_subject *subject, bool on) {
  eo_actor *actor = eo__actor_of(subject);
  actor->describing = on;
  if (on) eo__tellings_reset(actor); /* what was told is asked for at the end, too */
  eo__watch_precise(actor->watch, on);
  eo__streams_listen(on);
}

static bool before(eo_subject *subject, uint32_t process, uint32_t other) {
  return eo__actor_before(eo__actor_of(subject), process, other);
}

static int tag(eo_subject *subject, uint32_t message) {
  const eo_actor *actor = eo__actor_of(subject);
  EO_CHECK(message > 0 && message <= actor->letters.count);
  return actor->letters.items[message - 1].tag;
}

static void receives_choose(eo_subject *subject, bool on) { eo__actor_of(subject)->receives_choose = on; }

static bool line(eo_subject *subject, eo_line *out) {
  eo_actor *actor = eo__actor_of(subject);
  const char *printed = eo__streams_printed();
  if (*printed) actor->line.printed = eo__strdup(printed);
  *out = actor->line;
  memset(&actor->line, 0, sizeof actor->line);
  return out->text != NULL;
}

static bool end(eo_subject *subject, eo_finding *finding) { return eo__describe_end(eo__actor_of(subject), finding); }

static void close_actor(eo_subject *subject) {
  eo_actor *actor = eo__actor_of(subject);
  eo__describe_line_clear(actor);
  eo__tellings_close(actor->tellings);
  eo__symbols_close(actor->symbols);
  if (actor->watch) {
    for (size_t i = 0; i < actor->live.count && actor->auditing; i++)
      if (!actor->live.items[i]->courier) eo__capture_unbar(actor->capture, actor->live.items[i]->slot);
    eo__watch_reset(actor->watch);
    eo__capture_reset(actor->capture); /* the program's globals as we found them */
    eo__watch_close(actor->watch);
  }
  if (actor->capture) eo__capture_close(actor->capture);
  eo__outside_close(actor);
  eo__thread_close();
  eo__watchdog_close();
  eo__faults_close(actor);
  eo__actor = NULL;
  eo__runtime = NULL;
  if (actor->pool) munmap(actor->pool, POOL_RESERVED);
  eo__undo_close(actor);
  if (actor->number_of_slot) munmap(actor->number_of_slot, SLOT_TABLE);
  if (actor->processes) munmap(actor->processes, PROCESS_TABLE);
  eo__actor_forget_known(actor);
  eo__relations_release(actor);
  eo_vec_release(&actor->live);
  eo_vec_release(&actor->choices);
  eo_vec_release(&actor->path.passed);
  eo_vec_release(&actor->places);
  eo__free(actor->path.drawn);
  munmap(actor, sizeof *actor);
}

static uint32_t first(eo_subject *subject, const uint32_t **processes) {
  static const uint32_t first_process = 0;
  (void)subject;
  *processes = &first_process;
  return 1;
}

static uint32_t hints(eo_subject *subject, const eo_hint_given **out) {
  const eo_actor *actor = eo__actor_of(subject);
  *out = actor->hints.items;
  return (uint32_t)actor->hints.count;
}

/* ---- Audits ----------------------------------------------------------------------------------------------------- */

/* A step under audit, and an access that is stepped, cost about AUDIT_COST steps, and audits may cost one part in AUDIT_PART of the time.
 * The first execution is audited in any case, and the second unless the first was long. Messages are looked at from the end in the
 * whole execution, and from the front in its first FRONT_STEPS. All of that by counting steps, never by the clock. */
enum { AUDIT_COST = 256, AUDIT_PART = 128, FIRST_AUDITS = 2, FIRST_SPENT = 1024, FRONT_STEPS = 4096 };

static void audit(eo_subject *subject, bool on) {
  eo_actor *actor = eo__actor_of(subject);
  if (on == actor->audit) return;
  actor->audit = on;
  uint64_t spent = *actor->pulse + eo__watch_stepped(actor->watch);
  if (!on && (eo__watch_unsure(actor->watch) || (actor->suspected && !actor->failed))) eo__watch_give_up(actor->watch);
  if (on)
    actor->audit_from = spent;
  else if (++actor->audits >= FIRST_AUDITS || spent - actor->audit_from >= FIRST_SPENT)
    actor->audit_due = *actor->pulse + (spent - actor->audit_from) * AUDIT_COST * AUDIT_PART;
}

static uint32_t unsure(eo_subject *subject) {
  const eo_actor *actor = eo__actor_of(subject);
  bool from_the_end_alone = actor->auditing && actor->placed && !actor->front && !actor->failed;
  return eo__watch_unsure(actor->watch) ? UINT32_MAX : from_the_end_alone ? FRONT_STEPS : 0;
}

static bool due(eo_subject *subject) {
  const eo_actor *actor = eo__actor_of(subject);
  return *actor->pulse >= actor->audit_due;
}

static uint32_t unseen(eo_subject *subject) {
  const eo_actor *actor = eo__actor_of(subject);
  return (eo__watch_shares(actor->watch) ? EO_DOUBT_SHARING : 0) | (actor->specified_late ? EO_DOUBT_SPECIFIED : 0);
}

/* Memory that is not hashed makes two states one: of no account where nobody asks for fingerprints. */
static uint32_t doubts(eo_subject *subject) {
  const eo_actor *actor = eo__actor_of(subject);
  bool strayed = eo__early_overflowed() || eo__capture_strayed(actor->capture) ||
                 !eo__capture_has_globals(actor->capture) || eo__interpose_foreign();
  uint32_t found = (strayed ? EO_DOUBT_CAPTURE : 0) | (actor->uncaptured ? EO_DOUBT_STATES : 0);
  if (actor->met_late || eo__watch_blind(actor->watch)) found |= EO_DOUBT_SHARING;
  if (actor->unwatched) found |= EO_DOUBT_OUTSIDE;
  if (actor->refused) found |= EO_DOUBT_MEMORY;
  if (actor->remains) found |= EO_DOUBT_FILES;
  if (actor->can_fault) found |= EO_ASSUMED_FAULTS;
  return found;
}

static const eo_processes processes = {.name = process_name, .number = process, .first = first, .hints = hints};

static const eo_describing describing = {.describe = describe, .line = line, .end = end, .halt = eo__actor_halt};

static const eo_saving saving = {
    .save = eo__actor_save, .restore = eo__actor_restore, .forget = eo__actor_forget, .cost = eo__actor_cost};

static const eo_states states = {.fingerprint = eo__actor_fingerprint, .mark = eo__actor_mark, .heat = eo__actor_heat};

static const eo_relations relations = {
    .plain_too = true,
    .touched = eo__actor_touched,
    .sent = eo__actor_sent,
    .message = eo__actor_message,
    .tag = tag,
    .doomed = eo__actor_doomed,
    .begun = eo__actor_begun,
    .awaited = eo__actor_awaited,
    .foregone = eo__actor_foregone,
    .matches = eo__actor_matches,
    .before = before,
    .receives_choose = receives_choose,
    .object_name = eo__actor_object_name,
    .object = eo__actor_object,
    .unseen = unseen,
    .pending = eo__actor_pending,
    .foresee = eo__actor_foresee,
};

static const eo_auditing auditing = {
    .audit = audit, .unsure = unsure, .due = due, .doubts = doubts, .outside = eo__actor_outside};

static const eo_subject_ops actor_ops = {
    .name = "actor",
    .close = close_actor,
    .reset = reset,
    .enabled = enabled,
    .turn = turn,
    .step = step,
    .refuse = refuse,
    .finish = finish,
    .failure = eo__actor_failure,
    .processes = &processes,
    .describing = &describing,
    .saving = &saving,
    .states = &states,
    .relations = &relations,
    .auditing = &auditing,
};

static void *reserve(void *where, size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (where ? MAP_FIXED_NOREPLACE : 0);
  void *range = eo__map(where, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return range == MAP_FAILED ? NULL : range;
}

eo_subject *eo__actor_open(const eo_actor_options *options, eo_error *error) {
  if (eo__actor) {
    eo__error_set(error, EO_EINPUT, "an exploration runs already in this process: explorations cannot be nested");
    return NULL;
  }
  eo_actor *actor = reserve(ACTOR_AT, sizeof *actor);
  if (!actor) {
    eo__error_nomem(error);
    return NULL;
  }
  actor->base.ops = &actor_ops;
  actor->options = *options;
  actor->error_number = &errno;
  actor->pulse = options->pulse ? options->pulse : &actor->own_pulse;
  *actor->pulse = 0;
  (void)eo__shared_ranges(&actor->shared);
  /* The first thread makes libc write that there are several, which may be to a page of the program's globals (by a copy
   * relocation of __libc_single_threaded, in C++): before these are captured and protected. */
  if (eo__watchdog_open(actor, error) != EO_OK || eo__capture_open(&actor->capture, error) != EO_OK) {
    close_actor(&actor->base);
    return NULL;
  }
  actor->pool = reserve(NULL, POOL_RESERVED);
  actor->number_of_slot = reserve(NULL, SLOT_TABLE);
  actor->processes = reserve(PROCESS_TABLE_AT, PROCESS_TABLE);
  if (!actor->pool || !actor->number_of_slot || !actor->processes || !eo__undo_open(actor) ||
      !eo_vec_reserve(&actor->hints, EO_HINTS_MOST) || eo__actor_known_root(actor) != EO_OK) {
    eo__error_nomem(error);
    close_actor(&actor->base);
    return NULL;
  }
  if (eo__watch_open(&actor->watch, actor->capture, error) != EO_OK || eo__faults_open(actor, error) != EO_OK ||
      eo__outside_open(actor, error) != EO_OK || eo__thread_open(actor, error) != EO_OK) {
    close_actor(&actor->base);
    return NULL;
  }
  eo__actor = actor;
  eo__runtime = &eo__actor_runtime;
  return &actor->base;
}
