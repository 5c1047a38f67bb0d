/* program_main.c: main of a test program, which the linker takes from the library because the program has none, and the
 * mark by which the command knows such a program. */
#include "cli/cli.h"

static const char marker[] = EO_MARKER_HEAD EO_MARKER_TAIL;

int main(int argc, char **argv) {
  __asm__ volatile("" : : "r"(marker)); /* keeps the mark in the file, whatever the linker is told to drop */
  return eo__program_main(argc, argv);
}
