/* embedded.h: a file of the sources that scripts/embed has put into the program. */
#ifndef EO_BASE_EMBEDDED_H
#define EO_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct eo_embedded {
  const char *name; /* without its folder; NULL: end of a list */
  const unsigned char *bytes;
  size_t size;
} eo_embedded;

#endif
