/* contain_inside.h: what the two sides of contain.h share. */
#ifndef EO_CORE_CONTAIN_INSIDE_H
#define EO_CORE_CONTAIN_INSIDE_H

#include "core/contain.h"

enum { EO_WORKER_LOST = 3 }; /* exit status of a worker that cannot reach its parent */

/* This process is that worker. */
void eo__worker_begin(eo_worker *worker);

#endif
