/* outside_lend.c: functions of the C library whose memory becomes the program's: what getline reads into, the nodes of tsearch, a compiled
 * regex. Unlike what the C library keeps for itself, such memory is to be saved, restored and watched with the rest of the
 * process's, so that it comes from there (eo_process.lent, interpose.c). */
#include "subjects/actor/interpose.h"
#include "subjects/actor/outside.h"

typedef uintptr_t word;
typedef word whatever(word, word, word, word, word, word);

/* In C their names are others: none of their arguments is looked at, and there are at most six. */
#define LENDS(function, first)                                                                    \
  word eo__lending_##function(word a, word b, word c, word d, word e, word f) __asm__(#function); \
  EO_PASSES_ON word eo__lending_##function(word a, word b, word c, word d, word e, word f) {      \
    EO_OWN static void *next;                                                                     \
    void *found = __atomic_load_n(&next, __ATOMIC_RELAXED);                                       \
    whatever *real = (whatever *)(word)(found ? found : eo__outside_next(&next, #function));      \
    const void *before = *eo__interpose_lent();                                                   \
    first;                                                                                        \
    *eo__interpose_lent() = EO_CALLER;                                                            \
    word result = real(a, b, c, d, e, f);                                                         \
    *eo__interpose_lent() = before;                                                               \
    return result;                                                                                \
  }

/* Of the stream that is this argument. */
#define READS(stream) \
  if (eo__outside_caller()) eo__files_stream((const void *)(stream), true, false)
#define NOTHING (void)0

LENDS(getline, READS(c))
LENDS(getdelim, READS(d))
LENDS(__getdelim, READS(d))
LENDS(tsearch, NOTHING)
LENDS(regcomp, NOTHING)
LENDS(regexec, NOTHING)
LENDS(realpath, NOTHING)
LENDS(__realpath_chk, NOTHING)
LENDS(canonicalize_file_name, NOTHING)
LENDS(getcwd, NOTHING)
LENDS(get_current_dir_name, NOTHING)
LENDS(scandir, NOTHING)
LENDS(scandir64, NOTHING)
LENDS(glob, NOTHING)
LENDS(glob64, NOTHING)
LENDS(wcsdup, NOTHING)
LENDS(wordexp, NOTHING)
LENDS(tempnam, NOTHING)
LENDS(argz_add, NOTHING)
LENDS(argz_append, NOTHING)
LENDS(argz_create, NOTHING)
LENDS(envz_add, NOTHING)
