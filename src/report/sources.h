/* sources.h: the lines of source that a report speaks of, so that it can be read where the source is not. */
#ifndef EO_REPORT_SOURCES_H
#define EO_REPORT_SOURCES_H

#include <jansson.h>

/* For the tree of a report: {"FILE": {"newer": false, "lines": {"12": "text", …}}, …} with the lines around each place
 * that a finding or a step names, each once. Files that cannot be read are left out, and so is what is beyond a limit of
 * size. NULL: no memory. */
json_t *eo__sources(const json_t *report);

#endif
