/* subject.h: a model as a subject, for the strategies that know subjects by their choices. */
#ifndef EO_PROMELA_SUBJECT_H
#define EO_PROMELA_SUBJECT_H

#include "core/subject.h"
#include "subjects/model/run.h"

/* The model is borrowed. NULL: no memory. */
eo_subject *eo__promela_subject_open(const eo_promela *model, eo_delivery delivery, eo_error *error);

/* Executions end where they violate this property; nothing else about their ends is a failure then. */
struct eo_promela_property;
void eo__promela_subject_follow(eo_subject *subject, const struct eo_promela_property *property, bool fair);

/* Executions go on behind assertions that do not hold, as those of searches do, but for this one. `at`: "FILE:LINE", or "". */
void eo__promela_subject_await(eo_subject *subject, eo_kind kind, const char *message, const char *at);

/* A step as a choice, in the state that `run` is in, and back. */
eo_choice eo__promela_choice(const eo_promela_run *run, eo_promela_step step);
eo_promela_step eo__promela_choice_step(const eo_promela *model, eo_choice choice);

/* A choice that can be taken now, in words: "P0:P q!x (m.pml:3)". */
void eo__promela_choice_text(eo_subject *subject, eo_choice choice, eo_text *out);

#endif
