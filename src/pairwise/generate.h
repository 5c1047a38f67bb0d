/* generate.h: from a model to its tests: sub-models first, then the whole, then the tests with one invalid value; what is
 * kept of existing tests; and what is impossible, with the constraints that make it so. */
#ifndef EO_PAIRWISE_GENERATE_H
#define EO_PAIRWISE_GENERATE_H

#include "pairwise/model.h"
#include "pairwise/system.h"

/* Work is counted and not timed where nobody asks for seconds, so that the same seed gives the same tests everywhere. In
 * nanoseconds, about: what nobody minds waiting for, and as much as is likely to help. */
#define EO_PAIRWISE_WORK 4e8
#define EO_PAIRWISE_MUCH_WORK 2e10

typedef struct eo_pairwise_request {
  uint32_t order;
  const char *algorithm; /* "best", "ipo", "ipo-ec" */
  eo_pairwise_effort effort;
  double work;                      /* in place of the effort's seconds and rounds; 0: as they say */
  const eo_pairwise_rows *existing; /* NULL: none; partial rows too */
  bool needed_only;                 /* an existing row that covers nothing which those before it do not is left out */
} eo_pairwise_request;

typedef struct eo_pairwise_result {
  eo_pairwise_rows rows; /* complete: no EO_PAIRWISE_ANY; existing ones first */
  uint32_t kept;         /* how many of the existing rows are among them */
  eo_text dropped; /* one line for each existing row that is no longer valid, with why; after some, how many more */
  eo_text
      excluded; /* one line for each value that no test can have, with why, and for combinations that constraints rule
                     * out together though none does alone; likewise */
} eo_pairwise_result;

int eo__pairwise_generate(const eo_pairwise_model *model, const eo_pairwise_request *request,
                          eo_pairwise_result *result, eo_error *error);
/* What the first set will take, from the numbers of parameters and values alone: within a factor of about three. */
typedef struct eo_pairwise_estimate {
  double combinations, tests, seconds;
} eo_pairwise_estimate;
int eo__pairwise_estimate(const eo_pairwise_model *model, uint32_t order, eo_pairwise_estimate *estimate,
                          eo_error *error);

void eo__pairwise_result_release(eo_pairwise_result *result);

/* Is this an order, and no more than there are parameters? */
int eo__pairwise_check_order(const eo_pairwise_model *model, uint32_t order, eo_error *error);

/* One line for each combination that is wanted but impossible, with the constraints that forbid it, and a line that counts
 * them. */
int eo__pairwise_explain(const eo_pairwise_model *model, uint32_t order, eo_text *text, eo_error *error);

/* All valid rows (`--params all`, `--order max`), those with one invalid value among them; or an error that says how many
 * there are if more than `most`. */
int eo__pairwise_enumerate(const eo_pairwise_model *model, uint32_t most, eo_pairwise_rows *rows, eo_error *error);

#endif
