/* verdict_program.c: a random small program, for verdicts.sh: EO_VERDICT_SEED draws who sends, receives, waits and chooses
 * what, EO_VERDICT_END is how it fails (or goes on) where what a process has seen adds up to a number that was drawn. */
#include <everyorder.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PEERS, MAIL, SAY, HEAT, NEVER, MOST = 3, LONGEST = 4 };

typedef enum op { SEND, RECEIVE, WAIT, CHOOSE, TELL, CHECK, OPS } op;

static const char *const ends[] = {"clean",    "assertion", "deadlock",       "crash",    "abort",
                                   "misuse",   "sharing",   "exit",           "liveness", "endless",
                                   "specific", "abnormal",  "nondeterminism", "kill",     "timeouts"};

static struct {
  int count, length[MOST];
  struct {
    op op;
    int a, b;
  } script[MOST][LONGEST];
  int divisor, rest;
} drawn;
static char end[32] = "assertion";

static uint32_t draw(uint64_t *state, uint32_t below) { /* splitmix64 */
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ z >> 31) % below);
}

__attribute__((constructor)) static void draw_program(void) {
  const char *seed = getenv("EO_VERDICT_SEED"), *name = getenv("EO_VERDICT_END");
  uint64_t state = seed ? strtoull(seed, NULL, 10) * 0x632BE59BD9B4E019u : 1;
  for (size_t i = 0; name && i < sizeof ends / sizeof *ends; i++)
    if (strcmp(name, ends[i]) == 0) strcpy(end, ends[i]);
  drawn.count = 2 + (int)draw(&state, MOST - 1);
  drawn.divisor = 1 + (int)draw(&state, 4);
  drawn.rest = (int)draw(&state, (uint32_t)drawn.divisor);
  for (int p = 0; p < drawn.count; p++) {
    drawn.length[p] = 1 + (int)draw(&state, drawn.count > 2 ? 2 : LONGEST);
    for (int i = 0; i < drawn.length[p]; i++) {
      static const op often[] = {SEND, SEND, SEND, RECEIVE, RECEIVE, RECEIVE, WAIT, WAIT, CHOOSE, TELL, TELL, CHECK};
      drawn.script[p][i].op = often[draw(&state, sizeof often / sizeof *often)];
      drawn.script[p][i].a = (int)draw(&state, (uint32_t)drawn.count);
      drawn.script[p][i].b = 1 + (int)draw(&state, 3);
    }
    if (draw(&state, 3)) drawn.script[p][drawn.length[p] - 1].op = CHECK;
  }
}

/* ---- Specifications --------------------------------------------------------------------------------------------- */

typedef struct heard {
  int sum;
} heard;

static void on_say(void *self, const eo_message *event) {
  heard *h = self;
  h->sum = h->sum * 3 + *(const int *)event->data;
  if (strcmp(end, "specific") == 0) eo_assert(h->sum % 11 != 8, "sum %d", h->sum);
}

static const eo_machine sums = {.name = "sums",
                                EO_VARIABLES(heard),
                                EO_OBSERVES(SAY),
                                EO_STATES({.name = "only", .on = EO_ON(EO_DO(SAY, on_say))})};
static const eo_machine warm = {.name = "warm",
                                EO_OBSERVES(HEAT),
                                EO_STATES({.name = "cold", .on = EO_ON(EO_GOTO(HEAT, 1))},
                                          {.name = "hot", .on = EO_ON(EO_IGNORE(HEAT)), .hot = true})};

/* ---- Ends --------------------------------------------------------------------------------------------------------- */

static int hidden;
static volatile int *outside; /* not captured: a count, and whether it has made anything fail */

static void fails(int self) {
  eo_message m;
  volatile int zero = 0;
  if (strcmp(end, "assertion") == 0) eo_assert(zero, "process %d", self);
  if (strcmp(end, "deadlock") == 0) eo_receive_tag(&m, NEVER, EO_FOREVER);
  if (strcmp(end, "crash") == 0) *(volatile int *)(uintptr_t)(8 + zero) = 1;
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "misuse") == 0) eo_choose((unsigned)zero);
  if (strcmp(end, "sharing") == 0) hidden = hidden * 2 + self;
  if (strcmp(end, "exit") == 0) exit(3);
  if (strcmp(end, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(end, "liveness") == 0) eo_announce(HEAT, NULL, 0);
  if (strcmp(end, "abnormal") == 0) eo_exit(7);
  if (strcmp(end, "nondeterminism") == 0) {
    bool good = ++outside[0] % 3;
    if (!good) outside[1] = 1;
    eo_assert(good, "process %d, sometimes", self);
  }
  if (strcmp(end, "timeouts") == 0)
    while (!eo_receive_tag(&m, MAIL, 5)) {}
  while (strcmp(end, "endless") == 0) {
    eo_send(eo_self(), NEVER, NULL, 0);
    eo_receive_tag(&m, NEVER, EO_FOREVER);
  }
}

/* ---- The program -------------------------------------------------------------------------------------------------- */

static void run(void *argument) {
  int self = *(const int *)argument, seen = self;
  eo_message m;
  eo_pid peers[MOST];
  eo_receive_tag(&m, PEERS, EO_FOREVER);
  memcpy(peers, m.data, sizeof peers);
  for (int i = 0; i < drawn.length[self]; i++) {
    int a = drawn.script[self][i].a, b = drawn.script[self][i].b;
    switch (drawn.script[self][i].op) {
      case SEND: eo_send(peers[a], MAIL, &b, sizeof b); break;
      case RECEIVE: seen = seen * 3 + (eo_receive_tag(&m, MAIL, 10) ? *(const int *)m.data : 0); break;
      case WAIT: seen = seen * 3 + (eo_receive(&m, 5) && m.tag == MAIL ? *(const int *)m.data : 0); break;
      case CHOOSE: seen += (int)eo_choose(2); break;
      case TELL: eo_announce(SAY, &b, sizeof b); break;
      default:
        if (seen % drawn.divisor == drawn.rest) fails(self);
    }
  }
}

EO_TEST(drawn_program) {
  eo_pid peers[MOST] = {0};
  eo_specify(&sums, NULL, 0);
  eo_specify(&warm, NULL, 0);
  for (int i = 0; i < drawn.count; i++) peers[i] = eo_spawn(run, &i, sizeof i);
  for (int i = 0; i < drawn.count; i++) eo_send(peers[i], PEERS, peers, sizeof peers);
}

__attribute__((constructor)) static void open_outside(void) {
  outside = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/* Whatever worker met the failure, in whatever kind of execution: the run must not have passed. */
__attribute__((destructor)) static void tell_outside(void) {
  static const char words[] = "a failure was met\n";
  if (outside && outside[1] && write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(99);
}
