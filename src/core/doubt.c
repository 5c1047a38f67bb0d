/* doubt.c: see doubt.h. */
#include "core/doubt.h"

#include <stddef.h>

static const struct {
  uint32_t doubt;
  const char *words;
} all[] = {
    {EO_DOUBT_DEPTH, "the longer ones cut off at --depth"},
    {EO_DOUBT_SHARING, "but for what processes do with memory or files that they share"},
    {EO_DOUBT_CAPTURE, "but memory of the program is not captured, by which one execution can change the next"},
    {EO_DOUBT_STATES, "but memory of the program is not captured, by which states differ that look the same"},
    {EO_DOUBT_FILES,
     "but for files and pipes that processes read and do not make anew, by which one execution can change the next"},
    {EO_DOUBT_FAULTS,
     "but for executions that differ in where the last fault allowed happens, of which some may be missing"},
    {EO_DOUBT_MEMORY, "but malloc gave NULL to a process that asked for more than the 30 MiB that it can have here"},
    {EO_ASSUMED_SHARED,
     "where no other process runs between two operations of one that accesses shared memory or files"},
    {EO_DOUBT_TOLD, "but for orders of eo_announce behind an eo_choose or a receive, which --strategy dfs and ses run"},
    {EO_DOUBT_SPECIFIED,
     "but for what processes do before an eo_specify that comes after the first eo_spawn, which --strategy dfs and ses "
     "run"},
    {EO_DOUBT_LIVENESS, "without looking for every circle of states in which a specification stays hot"},
    {EO_DOUBT_OUTSIDE, "without watching the program's system calls, which cannot be done here (seccomp)"},
};

void eo__doubts_add(eo_text *words, uint32_t doubts) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (doubts & all[i].doubt) eo__text_add(words, ", %s", all[i].words);
}
