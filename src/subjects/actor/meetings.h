/* meetings.h: the second half of watch.h: from raw accesses to pairs of processes that met at a variable. watch.c sees
 * addresses inside a signal handler; here, outside of it, they get their variables. */
#ifndef EO_ACTOR_MEETINGS_H
#define EO_ACTOR_MEETINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "core/program.h"
#include "subjects/actor/symbols.h"
#include "subjects/actor/watch.h"

/* Bytes that were read or written; several variables may lie in them. */
typedef struct eo__raw_access {
  uintptr_t address;
  size_t size;
  eo_access access;
} eo__raw_access;

/* What one process last did with one unit of memory: a global variable, or a word of an arena, whose bytes count one by
 * one. Steps are from 1 here, 0: never; of a variable, cell 0 stands for all of it. */
enum { EO__CELLS = 8 };
typedef struct eo__visit {
  uintptr_t unit; /* where it starts */
  uint32_t process;
  uint32_t slot;                /* of eo_access, in an arena; else 0 */
  uint32_t next;                /* of the same bucket, its index + 1 */
  uint32_t steps[2][EO__CELLS]; /* read, written */
  eo_access last[2];            /* of each, the last one: where it was */
} eo__visit;

typedef struct eo__meetings {
  const eo_capture *capture;
  eo_symbols *symbols;
  bool symbols_tried;
  uint32_t *buckets;   /* index + 1 of the first visit; */
  size_t bucket_count; /* a power of two, or 0 */
  EO_VEC(eo__visit) visits;
  EO_VEC(eo_sharing) found;
  bool shares;  /* in some execution, a process used memory of others that is declared by eo_shared */
  size_t given; /* how many of them have been handed out */
} eo__meetings;

/* Does [from, to) hold memory that is declared by eo_shared, at this moment? A process may declare some at any time. For signal
 * handlers as well. */
bool eo__declared_shared(const char *from, const char *to); /* some of it */
bool eo__declared_wholly(const char *from, const char *to); /* in one range */

/* What this address stands for, if it is something that the C library keeps for all processes (outside_library.c); NULL: it is not. */
const char *eo__library_name(uintptr_t address, uintptr_t *start, size_t *size);
const char *eo__library_remedy(uintptr_t address);

void eo__meetings_release(eo__meetings *meetings);
void eo__meetings_clear(eo__meetings *meetings);
void eo__meetings_add(eo__meetings *meetings, const eo__raw_access *raw);

#endif
