/* engine_inside.h: what the files of the engine share: engine.c, the loop; engine_checkpoints.c; engine_describe.c. */
#ifndef EO_CORE_ENGINE_INSIDE_H
#define EO_CORE_ENGINE_INSIDE_H

#include "core/engine.h"

enum { EO_LEAST_INTERVAL = 32 }; /* steps between two checkpoints on the long way */

/* engine_checkpoints.c */
void eo__checkpoints_drop(eo_engine *engine, uint32_t deeper_than);
void eo__checkpoints_plan(eo_engine *engine); /* where the next one goes, from the last one on */
void eo__checkpoints_plan_none(eo_engine *engine);
uint32_t eo__checkpoints_restore(eo_engine *engine,
                                 uint32_t shared); /* the depth of one it pays to restore, now restored; 0: none */
void eo__checkpoints_return(eo_engine *engine, uint32_t depth); /* an execution begins there */
void eo__checkpoints_save(eo_engine *engine, uint32_t depth, uint32_t count);

/* Called at each point. Most calls end at the first line. count: of choices; 1 if it is not known. */
static inline void eo__checkpoints_maybe(eo_engine *engine, uint32_t depth, uint32_t count) {
  if (depth < engine->next_save && (count == 1 || depth < engine->stretch)) return;
  eo__checkpoints_save(engine, depth, count);
}

/* engine_describe.c: adds a step to what is described; false: no memory. Then all of it is to be described once more. */
bool eo__engine_describe(eo_engine *engine, const eo_point *point, eo_choice taken);
void eo__engine_describe_afresh(eo_engine *engine);

#endif
