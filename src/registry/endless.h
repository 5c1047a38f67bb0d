/* endless.h: an execution that was cut off at --depth, in words: who took the steps for ever, and who could have run. */
#ifndef EO_REGISTRY_ENDLESS_H
#define EO_REGISTRY_ENDLESS_H

#include "base/text.h"
#include "core/engine.h"

/* Adds "P1.1 timed out 9,995 times while P1 could run: --timeouts idle lets timeouts fire only when nothing else can
 * run". The choices are those of the execution as it is without `receives_choose`; it is run again for this, so that no engine may
 * have states of the subject saved. */
int eo__endless_words(eo_subject *subject, const eo_choice *choices, uint32_t count, bool timeouts_idle, eo_text *words,
                      eo_error *error);

#endif
