/* related.h: a multi-port EFSM (ports.h) with steps that relate as those of programs do, for strategies that run one
 * execution of each kind (eo_relations in core/view.h). Used from `receives_choose` on.
 *
 *   A process that stands where it can receive, from whatever ports, is at a receive: its door. A choice takes one message,
 *   whichever transition accepts it; if several do, a choose says which. If it can also do something else, it may do that
 *   whatever messages there are: the receive then is one with a timeout (value 0), and a choose says what, if there are
 *   several ways. Elsewhere a choose says which of several transitions is taken, and the next step takes it.
 *
 *   What only the process itself can notice is no step of its own: it goes with the one before it.
 *
 *   A message is its sender's nth. That a process has ended is no step: nothing depends on it (relatable.c), and pan's
 *   rule that the youngest ends first would order what has nothing to do with each other. Twins (equal messages in a port,
 *   under async) are told apart, since they come of different sends. Global variables that are written are objects.
 *
 * eo__related_plain gives the same execution in the choices of the subject without all this. */
#ifndef EO_MODEL_RELATED_H
#define EO_MODEL_RELATED_H

#include "subjects/model/run.h"

/* Is this a model of which it can be said how steps relate? It has ports, too: eo__promela_check_ports. */
int eo__promela_check_related(const eo_promela *model, eo_error *error);

typedef struct eo_related eo_related;

/* Steps are taken in `run`, which is borrowed. NULL: no memory. Where `run` says no_memory after any of these, what it returned
 * means nothing. */
eo_related *eo__related_open(eo_promela_run *run);
void eo__related_close(eo_related *related);

void eo__related_reset(eo_related *related); /* after the run has started; takes the steps of starting.h */
uint32_t eo__related_first(eo_related *related, uint32_t *processes); /* that are there then; returns how many */
uint32_t eo__related_enabled(eo_related *related, const eo_choice **choices);
bool eo__related_step(eo_related *related, eo_choice choice, eo_event *event); /* false: see the run's failure */
bool eo__related_is_stuck(const eo_related *related); /* some process has failed, and others went on */
void eo__related_fingerprint(const eo_related *related, uint64_t hash[2]); /* adds where processes stand */

/* What there is beside the state of the run, as numbers behind those in *out; and back to it, when the run is back there.
 * False: no memory. */
typedef EO_VEC(uint32_t) eo_related_saved;
bool eo__related_save(const eo_related *related, eo_related_saved *out);
bool eo__related_restore(eo_related *related, const uint32_t *saved);

uint32_t eo__related_touched(const eo_related *related, const eo_touch **touches);
eo_sent eo__related_sent(const eo_related *related, uint32_t number);
uint32_t eo__related_message(eo_related *related, uint32_t from, uint32_t nth);
bool eo__related_matches(const eo_related *related, uint32_t process, uint32_t nth, uint32_t message);
bool eo__related_blocks(const eo_related *related, uint32_t message, uint32_t first);

/* The first field of a message, 0 if it has none, and what it is; cell may be NULL. */
int32_t eo__related_tag(const eo_related *related, uint32_t message, eo_promela_cell *cell);

/* These choices as those of the subject without all this: *out has as many as it returns, until the next call. UINT32_MAX:
 * no memory. */
uint32_t eo__related_plain(eo_related *related, const eo_choice *choices, uint32_t count, const eo_choice **out);

/* ---- Between the two files ----------------------------------------------------------------------------------------- */

uint32_t eo__related_symbol(const eo_promela *model,
                            const eo_promela_symbol *symbol); /* its number among the globals */
bool *eo__related_written(const eo_promela *model); /* by that number: does anybody write it? NULL: no memory */

#endif
