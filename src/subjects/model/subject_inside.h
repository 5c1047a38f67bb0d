/* subject_inside.h: a model as a subject, for its files: subject.c, steps and all that is asked of them; subject_describe.c, one
 * execution in words. */
#ifndef EO_SUBJECTS_MODEL_SUBJECT_INSIDE_H
#define EO_SUBJECTS_MODEL_SUBJECT_INSIDE_H

#include "subjects/model/judge.h"
#include "subjects/model/related.h"
#include "subjects/model/subject.h"

typedef EO_VEC(uint32_t) eo__letters;

typedef struct eo__model_subject {
  eo_subject base;
  const eo_promela *model;
  eo_promela_run run;
  eo_promela_steps steps;
  EO_VEC(eo_choice) choices;
  uint32_t inside;    /* steps of the atomic sequence that it is in */
  eo_failure awaited; /* NONE: a step that fails is the last */
  eo_failure failure;
  eo__judge judge; /* the property that is looked at, if any */
  bool describing;
  eo_line line; /* of the last step, if describing */
  bool line_failed;
  eo__letters letters[EO_PROMELA_MOST_CHANNELS + 1]; /* describing: the messages in each channel, by number */
  uint32_t letter_count;
  uint32_t first[EO_PROMELA_MOST_PROCESSES]; /* at the start */
  eo_related *related;                       /* NULL: it cannot be said how its steps relate */
  bool receives_choose, choose_next;         /* steps are those of `related`, now and from the next reset on */
} eo__model_subject;

extern const eo_describing eo__model_describing;

/* Takes a step and puts it into words, in `line`. False: no memory for the words. *passed: it did not fail. */
bool eo__model_describe(eo__model_subject *s, eo_promela_step step, bool *passed);

/* Adds a value in words, and a message; and what all variables and channels hold, a line for each. False: no memory. */
void eo__model_add_value(eo_text *text, const eo_promela *model, eo_promela_cell cell, int32_t value);
void eo__model_add_message(eo_text *text, const eo_promela_run *run, uint32_t channel, uint32_t slot);
bool eo__model_values(const eo_promela_run *run, eo_strings *out);

uint32_t eo__model_process(const eo_promela_run *run, uint32_t pid); /* its number */

#endif
