/* machine.h: what runtimes and reports know of machines (machine.c). */
#ifndef EO_CORE_MACHINE_H
#define EO_CORE_MACHINE_H

#include <everyorder.h>

#endif
