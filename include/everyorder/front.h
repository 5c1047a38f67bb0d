/* front.h: for front ends: libraries that bring programs of another kind (MPI) to Everyorder, by the API of everyorder.h.
 * Programs and tests do not need it. */
#ifndef EVERYORDER_FRONT_H
#define EVERYORDER_FRONT_H

#include "everyorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What `main` of a test program does, for programs that have a main of their own. */
int eo_main(int argc, char **argv);

/* Tests that are made when they are asked for by name, on a command line or in a ticket. `make` is called outside any
 * exploration and returns a test that stays, of exactly this name; or NULL with a text that says why not, or with an empty
 * one if the name is none of its own. `none` is said where no test is named. */
typedef eo_test *(*eo_test_maker)(const char *name, char *why, size_t size);
void eo_tests_made_by(eo_test_maker make, const char *none);

/* The object (executable or library) that has this address is the executable, or was loaded from a copy of the same file, and its
 * variables are those of one process alone: others use none of them. Lines and names of variables are looked up in the
 * executable. Before anything is explored. */
void eo_copy_add(const void *address);

/* How many bytes there are from this address to the end of the block of malloc that it lies in, on the heap of the calling process.
 * SIZE_MAX: it lies in no block there. */
size_t eo_block_left(const void *address);

/* A finding of kind "mpi", of this class, by the calling process: ends the execution. */
EO_NORETURN void eo_finding_(const eo_place *place, const char *class_name, const char *text);

#ifdef __cplusplus
}
#endif
#endif
