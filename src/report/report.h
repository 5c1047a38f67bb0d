/* report.h: the reporters, and the parts of the text one that a replay shows as well. All of them write into the stream
 * they are given and leave it open; none flushes, prints elsewhere or exits. */
#ifndef EO_REPORT_REPORT_H
#define EO_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"
#include "core/report.h"

/* For people. NULL: no memory. */
eo_reporter *eo__report_text(FILE *out, bool colour);

/* For programs: one object, doc/formats/json.md. All of it is written by close, and nothing at all if memory ran out,
 * so that half an object is never taken for a whole one. `colour` is ignored. NULL: no memory. */
eo_reporter *eo__report_json(FILE *out, bool colour);

/* For build servers and code-scanning pages: JUnit XML, the Test Anything Protocol, SARIF 2.1.0. As for JSON, all of it is
 * written by close, and nothing if memory ran out. `colour` is ignored. NULL: no memory. */
eo_reporter *eo__report_junit(FILE *out, bool colour);
eo_reporter *eo__report_tap(FILE *out, bool colour);
eo_reporter *eo__report_graph(FILE *out, bool colour);
eo_reporter *eo__report_sarif(FILE *out, bool colour);
/* For a browser: one file with everything in it, doc/reports.md. Written by close, all or nothing as well. */
eo_reporter *eo__report_html(FILE *out, bool colour);

/* For followers: a line of JSON for each thing that happens, doc/formats/live.md. `colour` is ignored. NULL: no memory. */
eo_reporter *eo__report_live(FILE *out, bool colour);

#define EO_SHOW_ALL ((size_t)0)

/* The steps as a table, then who waits, then the backtrace. Of more than `limit` steps the middle is left out, with a
 * line saying how to see it. */
void eo__report_interleaving(FILE *out, bool colour, const eo_finding *finding, size_t limit);

/* What was found, where, the interleaving (at most `steps`; EO_SHOW_ALL) and how to replay it, as lines of text without
 * colour. False: no memory. */
bool eo__report_details(eo_text *text, const eo_finding *finding, size_t steps);

#endif
