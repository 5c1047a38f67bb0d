/* sequences.h: `everyorder reach`: what is done with the sequences of synchronisations of a run: --save, --against and
 * --never. */
#ifndef EO_CLI_SEQUENCES_H
#define EO_CLI_SEQUENCES_H

#include "cli/cli.h"
#include "cli/json_file.h"
#include "core/pattern.h"
#include "core/report.h"
#include "core/sr_tree.h"
#include "core/strategy.h"

typedef struct eo_sequences {
  const eo_args *args;
  eo_sequence_sink sink;
  eo_pattern *never;
  eo_sr_tree old, fresh; /* of --against; of this run */
  eo_json_file file;     /* of --save */
  bool saving;
  FILE *lines;  /* what the worker writes; NULL: nothing is asked for */
  bool stopped; /* something went wrong: the tree is not written */
} eo_sequences;

/* Reads the pattern and the old tree, and sees that the new one can be written. */
int eo__sequences_open(eo_sequences *sequences, const eo_args *args, eo_error *error);

/* Before and after a test was explored. The latter prints what is asked for; *found: a pattern that must never match did,
 * or the sequences are not those of the old tree. */
const eo_sequence_sink *eo__sequences_begin(eo_sequences *sequences); /* NULL: nothing is asked for */
int eo__sequences_end(eo_sequences *sequences, const eo_run *run, FILE *out, bool *found, eo_error *error);

/* Writes the tree. */
int eo__sequences_finish(eo_sequences *sequences, eo_error *error);
void eo__sequences_release(eo_sequences *sequences);

#endif
