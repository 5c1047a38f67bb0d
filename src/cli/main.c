/* main.c: the command `everyorder`. */
#include "cli/cli.h"

int main(int argc, char **argv) { return eo__command_main(argc, argv, eo__cmd_serve); }
