/* doubt.c: see doubt.h. */
#include "core/doubt.h"

#include <stddef.h>

static const struct {
  uint32_t doubt;
  const char *words;
} all[] = {
    {EO_DOUBT_DEPTH, "longer executions cut off at --depth"},
    {EO_DOUBT_SHARING, "except orders of accesses to memory or files that processes may share"},
    {EO_DOUBT_CAPTURE, "but memory of the program is not captured, so one execution can change the next"},
    {EO_DOUBT_STATES, "but memory of the program is not captured, so different states can look equal"},
    {EO_DOUBT_FILES, "but processes read files or pipes that an earlier execution may have changed"},
    {EO_DOUBT_FAULTS, "but executions that differ only in the place of the last allowed fault may be missing"},
    {EO_DOUBT_MEMORY, "but malloc returned NULL to a process that asked for more than the 55 MiB available here"},
    {EO_ASSUMED_SHARED,
     "assuming that no other process runs between two operations of a process that accesses shared memory or files"},
    {EO_DOUBT_TOLD, "except orders of eo_announce after an eo_choose or a receive (--strategy dfs and ses run these)"},
    {EO_DOUBT_SPECIFIED,
     "except what processes do before an eo_specify that comes after the first eo_spawn (--strategy dfs and ses run "
     "that)"},
    {EO_DOUBT_LIVENESS, "without looking for every cycle of states in which a specification stays hot"},
    {EO_DOUBT_OUTSIDE, "without watching the program's system calls (seccomp is not available here)"},
};

void eo__doubts_add(eo_text *words, uint32_t doubts) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (doubts & all[i].doubt) eo__text_add(words, ", %s", all[i].words);
}
