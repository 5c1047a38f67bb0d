/* pairwise.c: sizes and times of generated test sets beside published ones. usage: pairwise [--part PART] [--seconds D]
 *
 * PART: six (table 4.3), tables (4.4 and 4.5), orders (3 to 6), times (of the quick pass), growth (of sizes
 * and times, against section 4.6); without it, all. `best` gets D seconds, 10 by default. Every set is verified by the
 * checker, which is written apart from the generators (pairwise/check.h). Times are CPU. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "bench.h"
#include "pairwise/check.h"
#include "pairwise/model.h"
#include "pairwise/system.h"

enum { MOST_PARAMS = 2048 };

static double seconds_allowed = 10;

/* ---- One set ------------------------------------------------------------------------------------------------------ */

typedef struct outcome {
  uint32_t tests;
  double seconds; /* CPU */
} outcome;

static void fail(const char *what, const char *text) {
  fprintf(stderr, "pairwise: %s: %s\n", what, text);
  exit(2);
}

/* "4^15 3^17 2^29" into numbers of values; how many. */
static uint32_t read_system(const char *text, uint16_t *values) {
  uint32_t count = 0;
  while (*text) {
    char *end;
    long value = strtol(text, &end, 10), times = 1;
    if (*end == '^') times = strtol(end + 1, &end, 10);
    while (times-- > 0) values[count++] = (uint16_t)value;
    text = *end ? end + 1 : end;
  }
  return count;
}

/* The same system as a model: p0: 0, 1, 2 and so on. */
static void verify(const char *name, const uint16_t *values, uint32_t params, uint32_t order, eo_pairwise_rows *rows) {
  eo_pairwise_model model;
  eo_pairwise_verdict verdict;
  eo_error error = {0};
  eo_text text;
  eo__text_init(&text);
  for (uint32_t i = 0; i < params; i++) {
    eo__text_add(&text, "p%" PRIu32 ": 0", i);
    for (uint32_t v = 1; v < values[i]; v++) eo__text_add(&text, ", %" PRIu32, v);
    eo__text_add(&text, "\n");
  }
  for (size_t i = 0; i < rows->values.count; i++)
    if (rows->values.items[i] == EO_PAIRWISE_ANY) rows->values.items[i] = 0;
  if (eo__pairwise_model_read(&model, name, text.chars, text.length, &eo__pairwise_pict, &error) ||
      eo__pairwise_check(&model, order, rows, &verdict, &error))
    fail(name, error.text);
  if (verdict.broken || verdict.covered != verdict.wanted) fail(name, "the checker finds combinations missing");
  eo__pairwise_verdict_release(&verdict);
  eo__pairwise_model_release(&model);
  eo__text_release(&text);
}

static outcome generate(eo_pairwise_algorithm *algorithm, const char *text, uint32_t order, double seconds) {
  static uint16_t values[MOST_PARAMS];
  static uint32_t params[MOST_PARAMS];
  uint32_t count = read_system(text, values);
  for (uint32_t i = 0; i < count; i++) params[i] = i;
  eo_pairwise_relation relation = {params, count, order, EO_PAIRWISE_NO_PIVOT};
  eo_pairwise_system system = {.params = count, .values = values, .relations = &relation, .relation_count = 1};
  eo_pairwise_effort effort = {.seed = 1, .seconds = seconds};
  eo_pairwise_rows rows;
  eo_error error = {0};
  eo__pairwise_rows_init(&rows, count);
  double began = bench_cpu();
  if (algorithm(&system, &effort, &rows, &error)) fail(text, error.text);
  outcome result = {.seconds = bench_cpu() - began, .tests = eo_pairwise_rows_count(&rows)};
  verify(text, values, count, order, &rows);
  eo__pairwise_rows_release(&rows);
  return result;
}

/* ---- Order 2 ------------------------------------------------------------------------------------------------------ */

typedef struct published {
  const char *system;
  uint32_t pairtest;
  uint32_t pict, jenny, aetg, testcover, ipos; /* of the six */
} published;

static const published six[] = {
    {"3^4", 9, 9, 11, 9, 9, 9},
    {"3^13", 17, 18, 18, 15, 15, 17},
    {"4^15 3^17 2^29", 34, 37, 38, 41, 29, 32},
    {"4 3^39 2^35", 26, 27, 28, 28, 21, 23},
    {"2^100", 15, 15, 16, 10, 10, 10},
    {"10^20", 212, 210, 193, 180, 181, 220},
};

static const published tables[] = {
    {.system = "4^10", .pairtest = 31},    {.system = "4^20", .pairtest = 34},   {.system = "4^30", .pairtest = 41},
    {.system = "4^40", .pairtest = 42},    {.system = "4^50", .pairtest = 48},   {.system = "4^60", .pairtest = 48},
    {.system = "4^70", .pairtest = 51},    {.system = "4^80", .pairtest = 51},   {.system = "4^90", .pairtest = 51},
    {.system = "4^100", .pairtest = 53},   {.system = "5^10", .pairtest = 47},   {.system = "10^10", .pairtest = 169},
    {.system = "15^10", .pairtest = 361},  {.system = "20^10", .pairtest = 618}, {.system = "25^10", .pairtest = 956},
    {.system = "30^10", .pairtest = 1355},
};

static uint32_t smallest(const published *p) {
  const uint32_t all[] = {p->pairtest, p->pict, p->jenny, p->aetg, p->testcover, p->ipos};
  uint32_t least = all[0];
  for (size_t i = 1; i < sizeof all / sizeof *all; i++)
    if (all[i] && all[i] < least) least = all[i];
  return least;
}

static void part_six(void) {
  printf("\nOrder 2, the systems of table 4.3. best: %g s; its ratio is to the smallest published.\n", seconds_allowed);
  printf("| system | PairTest | PICT | jenny | AETG | TestCover | IPO-s | ipo | best, quick | best | ratio |\n");
  printf("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (size_t i = 0; i < sizeof six / sizeof *six; i++) {
    const published *p = &six[i];
    outcome ipo = generate(eo__pairwise_ipo, p->system, 2, 0);
    outcome quick = generate(eo__pairwise_best, p->system, 2, 0);
    outcome best = generate(eo__pairwise_best, p->system, 2, seconds_allowed);
    printf("| %s | %u | %u | %u | %u | %u | %u | %u | %u | %u | %.2f |\n", p->system, p->pairtest, p->pict, p->jenny,
           p->aetg, p->testcover, p->ipos, ipo.tests, quick.tests, best.tests, (double)best.tests / smallest(p));
    fflush(stdout);
  }
}

static void part_tables(void) {
  printf("\nOrder 2, the systems of tables 4.4 and 4.5. best: %g s; ratios are to PairTest.\n", seconds_allowed);
  printf("| system | PairTest | ipo | ratio | best, quick | ratio | best | ratio |\n");
  printf("|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    const published *p = &tables[i];
    double one = p->pairtest;
    outcome ipo = generate(eo__pairwise_ipo, p->system, 2, 0);
    outcome quick = generate(eo__pairwise_best, p->system, 2, 0);
    outcome best = generate(eo__pairwise_best, p->system, 2, seconds_allowed);
    printf("| %s | %u | %u | %.2f | %u | %.2f | %u | %.2f |\n", p->system, p->pairtest, ipo.tests, ipo.tests / one,
           quick.tests, quick.tests / one, best.tests, best.tests / one);
    fflush(stdout);
  }
}

/* ---- Higher orders ------------------------------------------------------------------------------------------------ */

typedef struct higher {
  const char *system;
  uint32_t order;
  uint32_t tests; /* 0: none that we can name */
  const char *source;
} higher;

#define CKRS "Colbourn, Kéri, Rivas Soriano, Schlage-Puchta 2010"
#define BUSH "Bush 1952; no set is smaller"

static const higher highers[] = {
    {"3^10", 3, 45, CKRS " (12 columns)"},
    {"3^10", 4, 183, CKRS " (11 columns)"},
    {"3^10", 5, 0, NULL},
    {"3^10", 6, 0, NULL},
    {"4^10", 3, 112, "Chateauneuf and Kreher 2002: doubling of two arrays of Bush"},
    {"4^10", 4, 0, NULL},
    {"4^10", 5, 0, NULL},
    {"4^10", 6, 0, NULL},
    {"2^30", 3, 0, NULL},
    {"2^30", 4, 0, NULL},
    {"2^30", 5, 0, NULL},
    {"2^30", 6, 0, NULL},
    {"5^6", 3, 125, BUSH},
    {"5^6", 4, 625, BUSH},
    {"5^6", 5, 3125, BUSH},
    {"5^6", 6, 15625, "all combinations"},
    {"10^2 4 3^2 2^7", 3, 0, NULL},
    {"10^2 4 3^2 2^7", 4, 0, NULL},
    {"10^2 4 3^2 2^7", 5, 0, NULL},
    {"10^2 4 3^2 2^7", 6, 0, NULL},
};

/* No set has fewer tests: all combinations of the parameters with the most values. The systems begin with these. */
static uint32_t at_least(const higher *h) {
  uint16_t values[MOST_PARAMS];
  uint32_t product = 1;
  read_system(h->system, values);
  for (uint32_t i = 0; i < h->order; i++) product *= values[i];
  return product;
}

static void part_orders(void) {
  printf(
      "\nOrders 3 to 6. best: %g s. No set is smaller than `at least`. The last system is that of the TCAS module.\n",
      seconds_allowed);
  printf("| system | order | at least | ipo | its s | best, quick | its s | best | published | ratio | by |\n");
  printf("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
  for (size_t i = 0; i < sizeof highers / sizeof *highers; i++) {
    const higher *h = &highers[i];
    outcome ipo = generate(eo__pairwise_ipo, h->system, h->order, 0);
    outcome quick = generate(eo__pairwise_best, h->system, h->order, 0);
    outcome best = generate(eo__pairwise_best, h->system, h->order, seconds_allowed);
    printf("| %s | %u | %u | %u | %.2f | %u | %.2f | %u |", h->system, h->order, at_least(h), ipo.tests, ipo.seconds,
           quick.tests, quick.seconds, best.tests);
    if (h->tests)
      printf(" %u | %.2f | %s |\n", h->tests, (double)best.tests / h->tests, h->source);
    else
      printf(" | | |\n");
    fflush(stdout);
  }
}

/* ---- Times -------------------------------------------------------------------------------------------------------- */

static void part_times(void) {
  static const struct {
    const char *system;
    double limit;
  } limits[] = {{"4^100", 0.05}, {"10^20", 0.1}, {"4^1000", 10}};
  printf("\nTime of the quick pass of best, the shortest of five.\n");
  printf("| system | tests | ms | limit, ms |\n|---|--:|--:|--:|\n");
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    outcome shortest = generate(eo__pairwise_best, limits[i].system, 2, 0);
    for (int n = 1; n < 5; n++) {
      outcome again = generate(eo__pairwise_best, limits[i].system, 2, 0);
      if (again.seconds < shortest.seconds) shortest = again;
    }
    printf("| %s | %u | %.1f | %.0f |\n", limits[i].system, shortest.tests, shortest.seconds * 1e3,
           limits[i].limit * 1e3);
    fflush(stdout);
  }
}

/* Measured and theory, each as a part of its last, as bars. */
static void plot(const char *what, const uint32_t *at, const double *measured, const double *theory, uint32_t count) {
  static const char bar[] = "##################################################";
  enum { WIDTH = sizeof bar - 1 };
  printf("\n%s\n", what);
  for (uint32_t i = 0; i < count; i++) {
    double m = measured[i] / measured[count - 1], t = theory[i] / theory[count - 1];
    printf("%5u  measured %5.2f %.*s\n", at[i], m, (int)lround(fmin(m, 1) * WIDTH), bar);
    printf("       theory   %5.2f %.*s\n", t, (int)lround(fmin(t, 1) * WIDTH), bar);
  }
}

static double shortest_of(const char *system, uint32_t *tests) {
  double least = 1e9;
  for (int n = 0; n < 5; n++) {
    outcome o = generate(eo__pairwise_ipo, system, 2, 0);
    *tests = o.tests;
    if (o.seconds < least) least = o.seconds;
  }
  return least;
}

static void part_growth(void) {
  enum { POINTS = 6 };
  static const uint32_t n_at[POINTS] = {100, 200, 300, 400, 600, 800}, d_at[POINTS] = {20, 25, 30, 35, 40, 50};
  double sizes[POINTS], times[POINTS], theory_sizes[POINTS], theory_times[POINTS];
  for (uint32_t i = 0; i < POINTS; i++) {
    char name[32];
    uint32_t tests;
    snprintf(name, sizeof name, "4^%u", n_at[i]);
    times[i] = shortest_of(name, &tests);
    sizes[i] = tests;
    theory_sizes[i] = log(n_at[i]);
    theory_times[i] = (double)n_at[i] * n_at[i] * log(n_at[i]);
  }
  printf("\nGrowth of ipo against section 4.6, each relative to the last.\n");
  plot("tests for n parameters of 4 values; theory: log n", n_at, sizes, theory_sizes, POINTS);
  plot("time for n parameters of 4 values; theory: n^2 log n", n_at, times, theory_times, POINTS);
  for (uint32_t i = 0; i < POINTS; i++) {
    char name[32];
    uint32_t tests;
    snprintf(name, sizeof name, "%u^10", d_at[i]);
    times[i] = shortest_of(name, &tests);
    sizes[i] = tests;
    theory_sizes[i] = (double)d_at[i] * d_at[i];
    theory_times[i] = pow(d_at[i], 3);
  }
  plot("tests for 10 parameters of d values; theory: d^2", d_at, sizes, theory_sizes, POINTS);
  plot("time for 10 parameters of d values; theory: d^3", d_at, times, theory_times, POINTS);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {{"six", part_six},
               {"tables", part_tables},
               {"orders", part_orders},
               {"times", part_times},
               {"growth", part_growth}};
  const char *wanted = NULL;
  bool found = false;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--part") == 0) {
      wanted = argv[i + 1];
    } else if (i + 1 >= argc || strcmp(argv[i], "--seconds") != 0 || !eo__text_seconds(argv[i + 1], &seconds_allowed)) {
      fprintf(stderr, "usage: pairwise [--part six|tables|orders|times|growth] [--seconds D]\n");
      return 2;
    }
  }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (wanted && strcmp(wanted, parts[i].name) != 0) continue;
    found = true;
    parts[i].run();
  }
  if (!found) fail(wanted, "no such part; there are six, tables, orders, times and growth");
  return 0;
}
