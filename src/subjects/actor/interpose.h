/* interpose.h: the C library's own code, which asks for memory on its own behalf. */
#ifndef EO_ACTOR_INTERPOSE_H
#define EO_ACTOR_INTERPOSE_H

void eo__interpose_libc(const char *low, const char *high);

#endif
