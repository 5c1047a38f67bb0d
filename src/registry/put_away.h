/* put_away.h: a search of a model and --resume. What the search keeps of its states lies in a file of its own beside the file of
 * --resume, named after its checksum, which that file says; so both change at once. doc/formats/resume.md. */
#ifndef EO_REGISTRY_PUT_AWAY_H
#define EO_REGISTRY_PUT_AWAY_H

#include <stdio.h>

#include "registry/resume.h"

typedef struct eo__put_away {
  const eo_request *request;
  double next; /* when to put it away again */
  double begun;
  eo_text writing;             /* the path of the file that is written, */
  eo_text written;             /* and of the one that counts; "": none */
  eo_tally total;              /* of earlier runs */
  eo_strings findings;         /* all so far, as JSON, */
  EO_VEC(eo_failure) failures; /* and as failures */
  eo_error trouble;            /* it could not be put away: no reason to stop */
} eo__put_away;

/* What an earlier run has put away of this test: *from: to go on there; *finished: nothing is left of it. */
int eo__put_away_open(eo__put_away *away, const eo_request *request, FILE **from, uint64_t from_sum[2], bool *finished,
                      eo_error *error);

/* A finding, and the failure as the search knows it. False: no memory. */
bool eo__put_away_finding(eo__put_away *away, const eo_finding *finding, const eo_failure *failure);

/* The file to write the search to, if it is time to; then it is taken back. */
FILE *eo__put_away_begin(eo__put_away *away, bool last);
void eo__put_away_end(eo__put_away *away, const eo_run *run, FILE *file, const uint64_t *sum);

struct eo_promela_counts;
void eo__put_away_finish(eo__put_away *away, eo_run *run, const struct eo_promela_counts *counts);
int eo__put_away_damaged(const eo__put_away *away, eo_error *error);
void eo__put_away_close(eo__put_away *away, eo_run *run);

#endif
