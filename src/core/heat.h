/* heat.h: a log of the steps taken while a specification was hot; shared by worker processes.
 *
 * A strategy that does not go on from a state that was seen before comes back to no state on its path, so that most
 * circles of states are never a path of its own. It logs the steps of the states in which a specification is hot: the
 * edges of a graph, in which core/circles.h looks for fair circles when everything was explored.
 *
 * Whatever is in the log has happened, so what a worker that died has logged stays, and a step may be there twice. */
#ifndef EO_CORE_HEAT_H
#define EO_CORE_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "core/view.h"

typedef struct eo_heats eo_heats;

/* Opened before workers are forked, which then all write to one log. `bytes`: with the set of states that was opened for
 * the same run, the log and what it takes to search it stay within so much memory; 0: there is no limit. */
struct eo_visited;
eo_heats *eo__heats_open(uint64_t bytes, const struct eo_visited *visited, eo_error *error);
void eo__heats_close(eo_heats *heats); /* NULL: nothing */

void eo__heats_add(eo_heats *heats, const eo_heat *heat);

/* Once in a while: is there too much memory in use? Then the log is given up, and its memory is given back. */
void eo__heats_look(eo_heats *heats);

/* False: steps are missing, as there was no memory for them. */
bool eo__heats_whole(const eo_heats *heats);

/* Places for steps, some of them empty. eo__heats_at: false: that one is. */
uint64_t eo__heats_places(const eo_heats *heats);
bool eo__heats_at(const eo_heats *heats, uint64_t place, eo_heat *heat);

/* The state that a place leads to, where a step of the next place begins. */
uint64_t eo__heats_leads(const eo_heats *heats, uint64_t place);
uint64_t eo__heats_bytes(const eo_heats *heats);

#endif
