/* front.h: for front ends, which are libraries that run programs of another kind (MPI) over the API of everyorder.h.
 * Programs and tests do not need this header. */
#ifndef EVERYORDER_FRONT_H
#define EVERYORDER_FRONT_H

#include "everyorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does the work of `main` of a test program, for programs that have a main of their own. */
int eo_main(int argc, char **argv);

/* Tests that are made when a command line or a ticket names them. `make` is called outside any exploration. It returns a
 * test with exactly this name, which must stay valid; or NULL and a text that says why there is no such test. An empty text
 * means that the name does not belong to this front end. The text `none` is printed where no test is named. */
typedef eo_test *(*eo_test_maker)(const char *name, char *why, size_t size);
void eo_tests_made_by(eo_test_maker make, const char *none);

/* Declares that the object (executable or library) that contains this address is the executable, or a loaded copy of the same
 * file, and that its variables belong to one process: no other process uses any of them. Lines and names of variables are
 * looked up in the executable. Reports show `name`, which is copied and cut after 15 bytes, for a process that runs a function of this
 * object; NULL: the name of the function. Call it before anything is explored. */
void eo_copy_add(const void *address, const char *name);

/* Declares that the first process of each test runs code of the front end alone, which uses no memory of other processes. Its accesses are not
 * watched, so that it costs next to nothing under audit. Call it before anything is explored. */
void eo_first_is_trusted(void);

/* The number of bytes from this address to the end of the malloc block that contains it, on the heap of the calling process.
 * SIZE_MAX: the address lies in no such block. */
size_t eo_block_left(const void *address);

/* Adds a line to what the calling process prints in the step under way, if the execution is described; otherwise does nothing. For what
 * the front end does without a step. */
void eo_remark(const char *format, ...) EO_PRINTF(1, 2);

/* Reports a finding of kind "mpi" and of this class by the calling process, and ends the execution. */
EO_NORETURN void eo_finding_(const eo_place *place, const char *class_name, const char *text);

#ifdef __cplusplus
}
#endif
#endif
