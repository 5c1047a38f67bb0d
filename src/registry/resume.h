/* resume.h: the state of a whole test session in a file, so that a later run can go on where this one was stopped, however
 * it was stopped. The format is in doc/formats/resume.md. */
#ifndef EO_REGISTRY_RESUME_H
#define EO_REGISTRY_RESUME_H

#include "frontier/memory.h"
#include "registry/explore.h"

typedef struct eo_resume eo_resume;

/* Reads the file, if there is one, and keeps other runs from using it until it is closed. `shape`: what the exploration
 * depends on (registry/shape.h). An error: it cannot be read, is damaged, in use, or of another program, version or
 * exploration; it is then left as it is. */
eo_resume *eo__resume_open(const char *path, const eo_request *request, const char *shape, eo_error *error);
void eo__resume_close(eo_resume *resume);
const char *eo__resume_path(const eo_resume *resume);

/* What is known of this test; NULL: it has not begun. */
const eo_job_state *eo__resume_find(const eo_resume *resume, const char *test);

/* Takes *state over, and writes the file: all of it or nothing. */
int eo__resume_save(eo_resume *resume, const char *test, eo_job_state *state, eo_error *error);

#endif
