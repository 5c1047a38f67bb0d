/* pages.h: the inside of capture.h: page records, the lists they are in, and shared copies of pages.
 *
 * Invariants. A page is in exactly one state:
 *   COLD   read-only, equal to its baseline, in no list, copy NULL
 *   STILL  read-only, equal to its copy, in `still`
 *   HOT    writable, in `hot` (arenas) or `written` (globals); copy is what it last equalled, NULL for the baseline
 * and `at` is its place in that list. The hot pages of a stack have no gap between them and the top at a reset, so that
 * a system call that fills a large buffer on the stack finds all of it writable. */
#ifndef EO_ACTOR_PAGES_H
#define EO_ACTOR_PAGES_H

#include <link.h>
#include <string.h>

#include "base/vec.h"
#include "subjects/actor/capture.h"
#include "subjects/actor/wide.h"

enum {
  EO__ARENA_PAGES = EO_ARENA_SIZE / EO_PAGE,
  EO__STACK_PAGES = EO_STACK_SIZE / EO_PAGE,
  EO__HEAP_END = (EO_ARENA_SIZE - EO_GUARD_SIZE) / EO_PAGE,
  EO__AREA_PAGES = 17, /* of an area of bounds.c: the last one is barred */
  EO__AREAS =
      EO__HEAP_END - 3 * EO__AREA_PAGES, /* the first page of the three; under audit they are no part of the heap */
  EO__LARGE = 256,                       /* so many hot pages are worth looking at one by one */
  EO__IDLE = 64,                         /* so often seen unchanged makes a page cold */
  EO__CHECK = 64,   /* resets between two looks at a small hot set; each counts as several sightings */
  EO__REGIONS = 640 /* an MPI program has one for each rank */
};

/* What is known of a global page, for the rest of the run (watch.c). */
enum { EO__LEARNED_WRITTEN = 1, EO__LEARNED_MET = 2 };

typedef enum eo__page_state { EO__COLD, EO__STILL, EO__HOT } eo__page_state;

/* Immutable once made; freed to the pool when the last page and the last save let go of it. */
typedef struct eo__copy {
  struct eo__copy *next; /* in the pool */
  uint64_t hash[2];
  uint32_t refs;
  bool hashed;
  _Alignas(64) char bytes[EO_PAGE];
} eo__copy;

typedef struct eo__page {
  char *address;
  eo__copy *copy;
  uint32_t at;
  uint32_t mark; /* the last restore that had a copy for it */
  uint8_t state;
  uint8_t idle;
  bool global;
  bool barred;       /* of an area: closed for its own process */
  bool closed;       /* of an area: closed until its process or the engine uses it; true: it certainly is */
  uint8_t contested; /* of an arena: others than its process have used it (guard.h); of a global: EO__LEARNED_* */
  bool lone;         /* of a global: one of a copy of the program, which one process has to itself (copies.h) */
  bool asides;       /* of a global: some of its bytes are none of the program's variables (aside.c); */
  bool counts;       /* some are counters */
  bool table;        /* every call into a library reads it, those of signal handlers too: it must stay readable */
} eo__page;

typedef struct eo__page_list {
  eo__page **items;
  size_t count;
  size_t capacity;
} eo__page_list;

typedef struct eo__slot {
  struct eo__slot *next;
  char *base;
  uint32_t low;                /* no stack page below this one is hot or still */
  uint32_t high;               /* no page from this one on ever was hot */
  uint32_t wanted;             /* the last fingerprint that it counted for */
  uint32_t shut_from, shut_to; /* pages that eo__capture_shut closed; none: equal */
  bool areas;                  /* there is something in its areas */
  bool stirred;                /* since it was last shut or opened, pages were given another protection */
  eo__page pages[EO__ARENA_PAGES];
} eo__slot;

/* Memory of the program that is not captured, and not written yet. */
typedef struct eo__loose {
  char *from, *to;
  int protection; /* as it was */
  bool open;
} eo__loose;

typedef struct eo__region {
  char *from;
  char *to;
  size_t first; /* its first page's number among the globals */
} eo__region;

/* Bytes in pages of globals that are not variables of the program (aside.c). */
typedef struct eo__aside {
  uintptr_t from, to;
  bool counters; /* else a copy of a system library's variable */
} eo__aside;

struct eo_capture {
  eo__page_list hot;     /* first: all that the common reset looks at */
  eo__page_list written; /* globals */
  eo__page_list still;
  uint32_t resets;
  uint32_t epoch; /* numbers restores and fingerprints */
  eo__slot **slots;
  eo__slot *used;
  eo__region regions[EO__REGIONS];
  size_t region_count;
  eo__region tables[EO__REGIONS]; /* where calls into libraries are bound */
  size_t table_count;
  EO_VEC(eo__loose) loose;
  bool strayed;             /* some of that has been written */
  EO_VEC(eo__aside) asides; /* sorted, without overlaps */
  bool counts_us;           /* code of ours is counted as well, which handlers run */
  bool early_ended;         /* early.h */
  eo__page *globals;
  size_t global_count;
  char *baseline;                /* of the globals, EO_PAGE each */
  uintptr_t lone_low, lone_span; /* all lone pages are in there, and others */
  eo__copy *free_copies;
  void *chunks;                    /* where copies come from */
  struct eo_pages *free_saves[48]; /* by the power of two of their capacity */
};

/* capture.c */
eo__page *eo__page_find(const eo_capture *capture, const void *address);
const char *eo__page_baseline(const eo_capture *capture, const eo__page *page);
bool eo__page_heat(eo_capture *capture, eo__page *page);
void eo__page_cool(eo_capture *capture, eo__page *page);
void eo__copy_drop(eo_capture *capture, eo__page *page);
void eo__copy_release(eo_capture *capture, eo__copy *copy);
bool eo__fault_is_write(const void *ucontext);

/* segments.c: finds the globals, fills regions, globals and baseline. Leaves them writable. */
int eo__segments_open(eo_capture *capture, eo_error *error);
void eo__segments_close(eo_capture *capture);

/* Calls `found` with each block of thread-local variables of the program, as the calling thread has it. In a new thread it
 * holds what is at `image`, and zeros behind that. */
void eo__segments_threads(void (*found)(char *from, char *to, const char *image, size_t image_size));

/* outside_thread.c: does this address lie in a thread-local variable of the program? In another process it means another
 * variable. */
bool eo__thread_has(uintptr_t address);

/* Is a library of the program loaded now whose variables are not captured? */
bool eo__segments_missing(const eo_capture *capture);

/* Is this shared library a part of the program under test? */
bool eo__segments_is_programs(const struct dl_phdr_info *object);

/* Is this code of a library of the system, a sanitizer's among them? */
bool eo__segments_is_systems_code(uintptr_t pc);

/* aside.c. add: those of one object; false: no memory. sort: after all were added. at: the one that holds this address, NULL:
 * none. mark: fills `asides` and `counts`. blank: zeroes what stands for counters in a copy of the page. */
bool eo__aside_is_cpp(const struct dl_phdr_info *object); /* the C++ library, whose variables go back as well */
bool eo__asides_add(eo_capture *capture, const struct dl_phdr_info *object, bool first);
void eo__asides_sort(eo_capture *capture);
const eo__aside *eo__aside_at(const eo_capture *capture, uintptr_t address);
void eo__asides_mark(const eo_capture *capture, eo__page *page);
void eo__asides_blank(const eo_capture *capture, const eo__page *page, char *bytes);

/* snapshot.c */
void eo__snapshots_close(eo_capture *capture);

/* Bytes of pages. With AddressSanitizer in the program, libc's functions check what they are given, and a stack is full
 * of bytes that they would complain of; so our own loops then, on memory that is made accessible first. */
extern void __asan_init(void) __attribute__((weak));
extern void __asan_unpoison_memory_region(void const volatile *, size_t) __attribute__((weak));

#define EO__RAW __attribute__((no_sanitize_address))

typedef uint64_t eo__word __attribute__((may_alias));

/* Otherwise the compiler would turn the loops back into calls of memset and memcpy. */
#define EO__KEEP_LOOP __asm__ volatile("" ::: "memory")

EO__RAW static inline void eo__raw_zero(char *to, size_t size) {
  __asan_unpoison_memory_region(to, size);
  size_t words = (uintptr_t)to % sizeof(eo__word) ? 0 : size / sizeof(eo__word);
  for (size_t i = 0; i < words; i++) {
    ((eo__word *)(void *)to)[i] = 0;
    EO__KEEP_LOOP;
  }
  for (size_t i = words * sizeof(eo__word); i < size; i++) {
    to[i] = 0;
    EO__KEEP_LOOP;
  }
}

EO__RAW static inline void eo__raw_copy(char *to, const char *from, size_t size) {
  __asan_unpoison_memory_region(to, size);
  size_t words = ((uintptr_t)to | (uintptr_t)from) % sizeof(eo__word) ? 0 : size / sizeof(eo__word);
  for (size_t i = 0; i < words; i++) {
    ((eo__word *)(void *)to)[i] = ((const eo__word *)(const void *)from)[i];
    EO__KEEP_LOOP;
  }
  for (size_t i = words * sizeof(eo__word); i < size; i++) {
    to[i] = from[i];
    EO__KEEP_LOOP;
  }
}

EO__RAW static inline bool eo__raw_same(const char *a, const char *b) {
  for (size_t i = 0; i < EO_PAGE / sizeof(eo__word); i++) {
    if (((const eo__word *)(const void *)a)[i] != ((const eo__word *)(const void *)b)[i]) return false;
  }
  return true;
}

EO__RAW static inline bool eo__bytes_are_zero(const char *at, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (at[i]) return false;
  }
  return true;
}

/* Skips what is zero, in whole blocks (EO__WIDE_BLOCK) from a multiple of a word on. Nothing before the result is other than zero,
 * and it is at most `end`. A stack has gaps that a sanitizer lets nobody read. */
EO__RAW static inline char *eo__bytes_skip_zeros(char *at, const char *end) {
  if (at >= end) return at;
  size_t blocks = (size_t)(end - at) / EO__WIDE_BLOCK;
  if (eo__wide_helps()) return at + (eo__wide_skip_zeros(at, at + blocks * EO__WIDE_BLOCK) - at);
  for (; blocks; blocks--, at += EO__WIDE_BLOCK) {
    eo__word any = 0;
    for (size_t i = 0; i < EO__WIDE_BLOCK / sizeof(eo__word); i++) any |= ((const eo__word *)(const void *)at)[i];
    if (any) break;
  }
  return at;
}

static inline void eo__bytes_zero(char *to, size_t size) {
  if (__asan_init) {
    eo__raw_zero(to, size);
  } else {
    memset(to, 0, size);
  }
}

/* The two do not overlap. */
static inline void eo__bytes_move(char *to, const char *from, size_t size) {
  if (__asan_init) {
    eo__raw_copy(to, from, size);
  } else {
    memcpy(to, from, size);
  }
}

static inline void eo__bytes_copy(char *to, const char *from) { eo__bytes_move(to, from, EO_PAGE); }

static inline bool eo__bytes_same(const char *a, const char *b) {
  return __asan_init ? eo__raw_same(a, b) : memcmp(a, b, EO_PAGE) == 0;
}

#endif
