/* own.h: variables of the tool itself that the capture of the program's globals must leave alone.
 *
 * The tool may be linked into the program under test, where its static variables would be write-protected, watched and
 * reset with the program's. Each of them that changes after eo__capture_open, or that a signal handler reads, must be
 * marked:
 *   EO_OWN static struct counters counters;
 * Thread-local variables are not captured and need no mark. */
#ifndef EO_OWN

#define EO_OWN __attribute__((section("eo_own")))

/* Each object file's part of the section fills whole pages, so that no variable of the program can lie in one of them:
 * subsection 1 comes after the variables, which the compiler puts into subsection 0. */
__asm__(".pushsection eo_own, 1, \"aw\", @progbits\n\t.balign 4096\n\t.popsection");

#endif
