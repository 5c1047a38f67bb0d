/* own.h: variables of the tool itself that the capture of the program's globals must leave alone.
 *
 * The tool may be linked into the program under test, where its static variables would be write-protected, watched and
 * reset with the program's. Each of them that changes after eo__capture_open, or that a signal handler reads, must be
 * marked:
 *   EO_OWN static struct counters counters;
 * Thread-local variables of the program are each process's own (outside_thread.c). One of the tool's is told apart by
 *   EO_OWN_THREAD(name)
 * behind its definition. It has whole words: the bytes that would fill up a smaller one could be a variable of the program,
 * and each process would get its own copy of them. */
#ifndef EO_OWN

#include <stddef.h>

#define EO_OWN __attribute__((section("eo_own")))

/* Where the calling thread has the variable. The list of these functions is between __start_ and __stop_eo_threads. */
typedef char *eo__own_thread(size_t *size);

#define EO_OWN_THREAD(variable)                                                                      \
  _Static_assert(sizeof variable % sizeof(void *) == 0, "whole words");                              \
  static char *own_thread_##variable(size_t *size) {                                                 \
    *size = sizeof variable;                                                                         \
    return (char *)&variable;                                                                        \
  }                                                                                                  \
  __attribute__((section("eo_threads"), used)) static eo__own_thread *const own_threads_##variable = \
      own_thread_##variable

/* Each object file's part of the section fills whole pages, so that no variable of the program can lie in one of them:
 * subsection 1 comes after the variables, which the compiler puts into subsection 0. */
__asm__(".pushsection eo_own, 1, \"aw\", @progbits\n\t.balign 4096\n\t.popsection");

#endif
