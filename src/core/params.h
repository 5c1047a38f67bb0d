/* params.h: the row of parameters that a test is run with, which eo_param reads. Where rows come from is
 * registry/params.h. */
#ifndef EO_CORE_PARAMS_H
#define EO_CORE_PARAMS_H

#include <stddef.h>
#include <stdint.h>

#include <everyorder.h>

#include "base/text.h"

/* A value of each parameter. Rows are made before anything is explored and never change after that: processes of a test
 * read them where they are. */
typedef struct eo_row {
  char *test;      /* the declared name, without the row */
  uint32_t number; /* in the set that is run, from 1; 0: in none */
  size_t count;
  char **names, **values;
} eo_row;

/* Where rows are kept as text: a ticket. */
enum { EO_ROW_TEXT = 8192 };

/* From now on eo_param gives the values of this row; NULL: those of eo_param_set. The row must stay. */
void eo__row_use(const eo_row *row);

/* Adds "clients=2,mode=safe", with this separator. */
void eo__row_add(eo_text *text, const eo_row *row, char separator);

/* Room for so many names and values; NULL: no memory. Close takes NULL too. */
eo_row *eo__row_open(const char *test, size_t count);
void eo__row_close(eo_row *row);

#endif
