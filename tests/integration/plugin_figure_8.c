/* plugin_figure_8.c: an explorer whose order without delays is figure 8 of the Raft paper, on test raft_3 of examples/classics. No sampler
 * has found that order; this explorer shows that the test has it, without a fault: four elections that overlap.
 *
 * A phase runs one process until it has received and sent so many messages; a phase of a process that cannot run is passed over. */
#include <explorer.h>

enum { ROOT, A, B, C, TIMER_A, TIMER_B, TIMER_C, CLIENT_0, CLIENT_1 }; /* in the order of their creation */
enum { TO_ITS_END = 99 };

static const struct {
  uint8_t process, receives, sends;
} phases[] = {
    {ROOT, TO_ITS_END, TO_ITS_END},
    {A, 1, 0}, /* the servers meet */
    {B, 1, 0},
    {C, 1, 0},
    {CLIENT_1, 0, 3},
    {CLIENT_0, 0, 1}, /* to A alone */
    {TIMER_C, 0, 1},
    {C, 2, 2}, /* takes command 1 and stands in term 1 */
    {A, 3, 1}, /* takes both commands and votes for C */
    {TIMER_A, 0, 1},
    {A, 1, 2}, /* stands in term 2 */
    {C, 1, 2}, /* leads term 1 with command 1, which reaches nobody in time */
    {B, 3, 2}, /* votes for C, and then for A */
    {C, 2, 1}, /* refuses A, whose log is empty */
    {TIMER_C, 0, 1},
    {C, 1, 2}, /* stands in term 3 */
    {A, 4, 4}, /* leads term 2 with commands 0 and 1, then refuses C */
    {B, 3, 3}, /* votes for C; what the leader of term 2 appends is late */
    {C, 5, 3}, /* leads term 3 */
    {B, 1, 1}, /* has nothing before what C appends, */
    {C, 1, 1}, /* so C begins at the front: command 1, of term 1 */
    {B, 1, 1},
    {C, 1, 0}, /* commits it by counting: the bug */
    {A, 3, 1},
    {TIMER_A, 0, 1},
    {A, 1, 2}, /* stands in term 4, with an entry of term 2 */
    {B, 1, 1}, /* votes for A, whose log is newer */
    {A, 1, 2}, /* leads term 4 and goes back to where B agrees */
    {B, 1, 1},
    {A, 1, 1},
    {B, 1, 1},
    {A, 1, 1},
    {B, 1, 1}, /* throws command 1 away */
    {A, 1, 0}, /* commits command 0 in its place */
};
enum { PHASES = sizeof phases / sizeof *phases };

typedef struct at {
  uint32_t phase, receives, sends;
  uint32_t delays; /* at this point */
} at;

static size_t size(uint32_t processes) {
  (void)processes;
  return sizeof(at);
}
static void init(void *state, uint64_t seed) { (void)state, (void)seed; }

static uint32_t next(const void *state, const eo_explorer_choice *choices, uint32_t count) {
  const at *a = state;
  for (uint32_t phase = a->phase; phase < PHASES; phase++)
    for (uint32_t i = 0; i < count; i++)
      if (choices[i].process == phases[phase].process) return (i + a->delays) % count;
  return a->delays % count;
}

static void delay(void *state, const eo_explorer_choice *choices, uint32_t count) {
  at *a = state;
  (void)choices;
  a->delays = (a->delays + 1) % count;
}

static void step(void *state, const eo_explorer_step *step) {
  at *a = state;
  uint32_t phase = a->phase;
  a->delays = 0;
  while (phase < PHASES && phases[phase].process != step->process) phase++;
  if (phase == PHASES) return;
  if (phase != a->phase) *a = (at){.phase = phase};
  a->receives += step->kind == EO_STEP_RECEIVE;
  a->sends += step->kind == EO_STEP_SEND;
  if (a->receives == phases[phase].receives && a->sends == phases[phase].sends) *a = (at){.phase = phase + 1};
}

const eo_explorer eo_plugin_explorer = {.version = EO_EXPLORER_VERSION,
                                        .name = "figure_8",
                                        .summary = "the order of figure 8 of the Raft paper",
                                        .size = size,
                                        .init = init,
                                        .next = next,
                                        .delay = delay,
                                        .step = step};
