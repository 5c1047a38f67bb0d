/* shape.h: what an exploration depends on, as text: a line "NAME VALUE" for each option that is not as by default, in the
 * order of the table of options (registry/options.c), the strategy first. Two explorations with the same text,
 * of the same build, have the same executions and the same fragments. */
#ifndef EO_REGISTRY_SHAPE_H
#define EO_REGISTRY_SHAPE_H

#include <stdbool.h>

#include <everyorder.h>

#include "base/error.h"
#include "base/text.h"

/* The text of these options; they have been checked. */
int eo__shape_add(const eo_options *options, eo_text *out, eo_error *error);

/* Adds the options in which the two differ: "--depth (file: 77, now: default)". False: they are the same. The words say
 * whose the two are. */
bool eo__shape_differs(const char *first, const char *first_word, const char *second, const char *second_word,
                       eo_text *out);

#endif
