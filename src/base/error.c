/* error.c: filling error values, and the end of the road for a bug of ours. */
#include "base/error.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "base/text.h"

EO_OWN void (*eo__bug_context)(const char *what) = NULL;

int eo__error_set(eo_error *error, int code, const char *format, ...) {
  if (!error) return code;
  /* Not straight into error->text: callers may pass it as an argument, to put more words around it. */
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length < 0) text[0] = '\0';
  if (length >= (int)sizeof text) strcpy(text + sizeof text - 4, "...");
  error->code = code;
  strcpy(error->text, text);
  return code;
}

int eo__error_suggest(eo_error *error, const char *word, const char *const *list, size_t count) {
  if (!error) return EO_EINPUT;
  const char *nearest = eo__text_nearest(word, list, count);
  return nearest ? eo__error_set(error, error->code, "%s; did you mean %s?", error->text, nearest) : error->code;
}

int eo__error_nomem(eo_error *error) {
  return eo__error_set(error, EO_ENOMEM, "out of memory; give the process more, or explore less at once");
}

void eo__bug(const char *file, int line, const char *what) {
  char text[256];
  snprintf(text, sizeof text, "internal error at %s:%d: %s", file, line, what);
  fprintf(stderr, "everyorder: %s\nThis is a bug in Everyorder, not in your program.\n", text);
  /* Taken down first: a failed check inside the context would come back here for ever. */
  void (*context)(const char *) = eo__bug_context;
  eo__bug_context = NULL;
  if (context) context(text);
  fflush(stderr);
  signal(SIGABRT, SIG_DFL); /* nobody shall take it for the program's */
  raise(SIGABRT);
  abort();
}
