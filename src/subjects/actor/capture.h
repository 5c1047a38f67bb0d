/* capture.h: the memory of the program under test: one arena per process, and the program's own .data and .bss.
 *
 * Everything here works in pages. A page is *cold* (write-protected, and known to equal its last copy or its baseline)
 * or *hot* (writable, may have changed). The first write to a cold page faults once and makes it hot; a page that
 * stays unchanged for long is made cold again. So reset, save, restore and fingerprint cost in proportion to what
 * changes, and nothing is paid for memory that the program does not touch.
 *
 * The arena of a slot lies at EO_ARENAS + slot * EO_ARENA_SIZE in every run:
 *   [guard page, stack that grows down: EO_STACK_SIZE together][heap][guard, EO_GUARD_SIZE]
 * The guard at the end belongs to the next slot's stack: a frame larger than the guard page ends there and not in a
 * heap. The baseline of an arena is all zero. The baseline of the globals is what they held at eo__capture_open. Globals
 * are cold after every reset and restore, so that the first write to each page is noticed (watch.h).
 *
 * The tool's own static variables must be marked EO_OWN (own.h): they are never protected, copied or hashed. */
#ifndef EO_ACTOR_CAPTURE_H
#define EO_ACTOR_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/own.h"

#define EO_PAGE 4096u
#define EO_ARENAS ((char *)0x110000000000)
#define EO_ARENA_SIZE ((size_t)64 << 20)
#define EO_STACK_SIZE ((size_t)7 << 20)
#define EO_GUARD_SIZE ((size_t)1 << 20)
#define EO_SLOTS ((1u << 20) + (1u << 12))

typedef struct eo_capture eo_capture;
typedef struct eo_pages
    eo_pages; /* a saved state: pages that differ from the baseline; pages are shared between saves */

/* Reserves the arenas and finds the program's globals (main executable, and shared libraries that are neither the
 * system's nor our own). Only one capture can be open in a process. */
int eo__capture_open(eo_capture **capture, eo_error *error);
void eo__capture_close(eo_capture *capture);

/* Makes the arena of this slot usable and returns its base. Cheap when it has been used before. NULL: no memory. */
char *eo__capture_arena(eo_capture *capture, uint32_t slot);

/* Says that [from, to) will be written, so that no fault is needed and system calls may write there: a system call that
 * meets a cold page fails with EFAULT instead of faulting. Meant for an arena's heap, where it holds until the next
 * reset; correct for stacks and globals too. */
void eo__capture_touch(eo_capture *capture, char *from, char *to);

/* Zeroes what is dead on a stack: everything below sp. Called for each process before a fingerprint. */
void eo__capture_trim(eo_capture *capture, uint32_t slot, const char *sp);

/* Everything back to the baseline, byte for byte. */
void eo__capture_reset(eo_capture *capture);

/* NULL: no memory. A restore leaves memory byte for byte as it was at the save. */
eo_pages *eo__capture_save(eo_capture *capture);
void eo__capture_restore(eo_capture *capture, const eo_pages *pages);
void eo__capture_forget(eo_capture *capture, eo_pages *pages);

/* For undoing by parts of pages (undo.c).
 *
 * plain: is every global at its baseline, and every page that differs from it hot?
 * stack: how much of this slot's stack may differ from zero, counted from its top, in whole pages.
 * put: writes to an arena; NULL for `bytes`: zeroes.
 * reset_globals: the globals back to their baseline. */
bool eo__capture_plain(const eo_capture *capture);
size_t eo__capture_stack(const eo_capture *capture, uint32_t slot);
void eo__capture_put(eo_capture *capture, char *to, const char *bytes, size_t size);
void eo__capture_reset_globals(eo_capture *capture);

/* Hash of the globals and of the arenas of these slots (sorted by the caller). Equal bytes give equal hashes, whatever
 * the history. */
void eo__capture_fingerprint(eo_capture *capture, const uint32_t *slots, size_t count, uint64_t hash[2]);

/* How many pages a save or restore would have to look at now. */
size_t eo__capture_hot(const eo_capture *capture);

/* From the SIGSEGV handler. True: it was a first write to a cold page, which is now writable: return and retry. */
bool eo__capture_fault(eo_capture *capture, void *address, void *ucontext);

/* For the guard (guard.h). shut: closes all pages of the arena that have been used. unshut: gives them back the protection
 * that their states ask for, but for pages of areas (bounds.c), which `use` opens when they are used: false: none of these
 * bytes was closed for that reason; use_areas: all of them. bar: pages of areas that are closed to everybody, or no longer; until
 * unbar, before a reset. stirred: has a page been made hot or cold since? Then it may be open. stir: says so. */
bool eo__capture_has_arena(const eo_capture *capture, uint32_t slot);
void eo__capture_shut(eo_capture *capture, uint32_t slot);
void eo__capture_unshut(eo_capture *capture, uint32_t slot);
bool eo__capture_use(eo_capture *capture, const void *from, const void *to);
void eo__capture_use_areas(eo_capture *capture, uint32_t slot);
void eo__capture_bar(eo_capture *capture, char *from, const char *to, bool on);
void eo__capture_unbar(eo_capture *capture, uint32_t slot);
bool eo__capture_barred(const eo_capture *capture, const void *address);
bool eo__capture_stirred(const eo_capture *capture, uint32_t slot);
void eo__capture_stir(eo_capture *capture, uint32_t slot);

/* Which arena an address lies in, EO_SLOTS if none; and whether it is in the guard below the stack of this arena. */
uint32_t eo__capture_slot_of(const void *address);
bool eo__capture_is_guard(const char *arena, const void *address);
bool eo__capture_is_global(const eo_capture *capture, const void *address);
bool eo__capture_has_lone(
    const eo_capture *capture); /* are there variables that one process has to itself (copies.h)? */

/* Memory of the program that is not captured (mappings that are shared with a file or another OS process, or too large) is
 * write-protected until somebody writes it. stray: somebody did, or may have. lend: a system call is about to write there. */
void eo__capture_stray(eo_capture *capture);
bool eo__capture_strayed(const eo_capture *capture);
void eo__capture_lend(eo_capture *capture, const char *from, size_t size);

/* False: we are built for coverage ourselves (--coverage, -fprofile-instr-generate) and linked into the program; globals are
 * then neither reset nor saved, hashed or watched. */
bool eo__capture_has_globals(const eo_capture *capture);

#endif
