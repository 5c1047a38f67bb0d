/* export.h: one execution in the formats of other tools. Each writes the whole of it into the stream and leaves that
 * open. All text of the program under test passes through shown.h first, then through the quoting of the format, so that
 * what arrives there is text, without control characters. False: no memory; then what was written is of no use. */
#ifndef EO_REPORT_EXPORT_H
#define EO_REPORT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "core/finding.h"

/* `test` is the name of the test, for titles. */
typedef bool eo_export(FILE *out, const char *test, const eo_finding *finding);

eo_export eo__export_shiviz, eo__export_mermaid, eo__export_dot, eo__export_perfetto;

/* Added fit to be shown, and quoted: for XML, text or value of an attribute; for a Mermaid label; for a DOT string. */
void eo__quote_xml(eo_text *text, const char *chars);
void eo__quote_mermaid(eo_text *text, const char *chars);
void eo__quote_dot(eo_text *text, const char *chars);

/* What is fit to be shown already, with line ends, for XML. */
void eo__quote_xml_shown(eo_text *text, const char *shown);

#endif
