/* controlled.h: whether explored processes are controlled and audited. They always are, but in the build that bench/control.sh measures
 * the cost by (`-Dcontrol=false`): no run of that build is complete. */
#ifndef EO_BASE_CONTROLLED_H
#define EO_BASE_CONTROLLED_H

#ifdef EO_UNCONTROLLED
enum { EO_CONTROLLED = 0 };
#else
enum { EO_CONTROLLED = 1 };
#endif

#endif
