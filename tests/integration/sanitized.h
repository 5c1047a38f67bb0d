/* sanitized.h: is this a build with AddressSanitizer? What a comparison finds is the same in every build: the release build
 * compares all of it. A sanitizer looks at memory, for which a part is enough, as each step takes several times as long. */
#ifndef SANITIZED_H
#define SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
