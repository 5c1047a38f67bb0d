/* error.h: an environment failure as a value: a code and a text that says what the user can do about it.
 *
 * A finding is not an error (core/finding.h), and a bug of ours is not one either: EO_CHECK is on in every build and
 * aborts, after printing what eo__bug_context names (the current schedule, once the engine runs). */
#ifndef EO_BASE_ERROR_H
#define EO_BASE_ERROR_H

#include <stddef.h>

typedef enum eo_error_code {
  EO_OK = 0,
  EO_ENOMEM = -1,  /* no memory */
  EO_EINPUT = -2,  /* the user gave something that is not right: an option, a file */
  EO_ESYSTEM = -3, /* the machine refused: a file, a process, a mapping */
  EO_EBUG = -4     /* a check of our own failed, in another process */
} eo_error_code;

typedef struct eo_error {
  int code;
  char text[512];
} eo_error;

/* Fills *error (which may be NULL) and returns code, so that `return eo__error_set(...)` reads well. */
int eo__error_set(eo_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds "; did you mean X?" to an error about `word`, if a word X of the list is near it. Returns the error's code. */
int eo__error_suggest(eo_error *error, const char *word, const char *const *list, size_t count);
int eo__error_nomem(eo_error *error);

/* Called by EO_CHECK before it aborts, with what failed where; tells whoever should know, and what was under way. May be
 * NULL. */
extern void (*eo__bug_context)(const char *what);
__attribute__((noreturn)) void eo__bug(const char *file, int line, const char *what);

#define EO_CHECK(condition) ((condition) ? (void)0 : eo__bug(__FILE__, __LINE__, #condition))

#endif
