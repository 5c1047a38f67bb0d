/* snapshot.c: saves, restores and fingerprints of captured memory (capture.h).
 *
 * A save is an array of (page, copy): every page that differs from its baseline, with a shared, immutable copy of it;
 * and every hot arena page that does not, with no copy, so that a restore leaves it writable: the program may hand it
 * to a system call, which cannot take the fault. Copies and arrays are kept for reuse when they are let go. */
#include <xxhash.h>

#include "base/alloc.h"
#include "subjects/actor/pages.h"

typedef struct entry {
  eo__page *page;
  eo__copy *copy; /* NULL: hot, at its baseline */
} entry;

struct eo_pages {
  struct eo_pages *next; /* when free */
  size_t count;
  unsigned power; /* room for 1 << power entries */
  entry entries[];
};

/* ---- Copies --------------------------------------------------------------------------------------------------- */

enum { CHUNK = 62 }; /* copies that are allocated together */

typedef struct chunk {
  struct chunk *next;
  eo__copy *copies;
} chunk;

static bool copies_grow(eo_capture *capture) {
  chunk *more = eo__alloc(sizeof(*more) + 64 + CHUNK * sizeof(eo__copy));
  if (!more) return false;
  more->next = capture->chunks;
  capture->chunks = more;
  more->copies = (eo__copy *)(((uintptr_t)(more + 1) + 63) & ~(uintptr_t)63);
  for (size_t i = 0; i < CHUNK; i++) {
    more->copies[i].next = capture->free_copies;
    capture->free_copies = &more->copies[i];
  }
  return true;
}

static eo__copy *copy_new(eo_capture *capture, const char *bytes) {
  if (!capture->free_copies && !copies_grow(capture)) return NULL;
  eo__copy *copy = capture->free_copies;
  capture->free_copies = copy->next;
  eo__bytes_copy(copy->bytes, bytes);
  copy->refs = 1;
  copy->hashed = false;
  return copy;
}

void eo__copy_release(eo_capture *capture, eo__copy *copy) {
  if (--copy->refs) return;
  copy->next = capture->free_copies;
  capture->free_copies = copy;
}

void eo__copy_drop(eo_capture *capture, eo__page *page) {
  if (page->copy) eo__copy_release(capture, page->copy);
  page->copy = NULL;
}

void eo__snapshots_close(eo_capture *capture) {
  for (chunk *at = capture->chunks, *next; at; at = next) {
    next = at->next;
    eo__free(at);
  }
  for (size_t i = 0; i < sizeof(capture->free_saves) / sizeof(*capture->free_saves); i++) {
    for (eo_pages *at = capture->free_saves[i], *next; at; at = next) {
      next = at->next;
      eo__free(at);
    }
  }
}

/* ---- Save ----------------------------------------------------------------------------------------------------- */

static eo_pages *pages_new(eo_capture *capture, size_t count) {
  unsigned power = 3;
  while ((size_t)1 << power < count) power++;
  eo_pages *pages = capture->free_saves[power];
  if (pages) {
    capture->free_saves[power] = pages->next;
  } else {
    pages = eo__alloc(sizeof(*pages) + ((size_t)1 << power) * sizeof(entry));
    if (!pages) return NULL;
    pages->power = power;
  }
  pages->count = 0;
  return pages;
}

void eo__capture_forget(eo_capture *capture, eo_pages *pages) {
  if (!pages) return;
  for (size_t i = 0; i < pages->count; i++) {
    if (pages->entries[i].copy) eo__copy_release(capture, pages->entries[i].copy);
  }
  pages->next = capture->free_saves[pages->power];
  capture->free_saves[pages->power] = pages;
}

static void pages_add(eo_pages *pages, eo__page *page) {
  if (page->copy) page->copy->refs++;
  pages->entries[pages->count++] = (entry){page, page->copy};
}

static bool equals_copy(const eo_capture *capture, const eo__page *page) {
  return eo__bytes_same(page->address, page->copy ? page->copy->bytes : eo__page_baseline(capture, page));
}

/* Makes page->copy what the hot page holds now. False: no memory. */
static bool copy_update(eo_capture *capture, eo__page *page) {
  if (equals_copy(capture, page)) {
    if (page->idle < EO__IDLE) page->idle++;
    return true;
  }
  page->idle = 0;
  if (page->copy) {
    eo__copy_drop(capture, page);
    if (equals_copy(capture, page)) return true;
  }
  page->copy = copy_new(capture, page->address);
  return page->copy != NULL;
}

/* From the last to the first, since cooling moves the last one into the gap. `count` is from before anything was
 * allocated: allocating may itself write to a cold page of ours. */
static bool save_list(eo_capture *capture, eo__page_list *list, size_t count, eo_pages *pages) {
  bool large = count > EO__LARGE;
  for (size_t i = count; i-- > 0;) {
    eo__page *page = list->items[i];
    if (!copy_update(capture, page)) return false;
    if (page->copy || !page->global) pages_add(pages, page);
    /* Globals stay as they are until the next reset or restore: the watch may have closed them. */
    if (large && page->idle == EO__IDLE && !page->global) eo__page_cool(capture, page);
  }
  return true;
}

eo_pages *eo__capture_save(eo_capture *capture) {
  size_t hot = capture->hot.count, written = capture->written.count;
  eo_pages *pages = pages_new(capture, capture->still.count + hot + written);
  if (!pages) return NULL;
  for (size_t i = 0; i < capture->still.count; i++) pages_add(pages, capture->still.items[i]);
  if (save_list(capture, &capture->hot, hot, pages) && save_list(capture, &capture->written, written, pages)) {
    return pages;
  }
  eo__capture_forget(capture, pages);
  return NULL;
}

/* ---- Restore -------------------------------------------------------------------------------------------------- */

/* Arena pages stay hot: if they change from one restore to the next they will be written again. Globals are left
 * write-protected, so that the watch sees who writes them. */
static void put(eo_capture *capture, eo__page *page, eo__copy *copy) {
  if (page->state != EO__HOT) {
    if (page->copy == copy && (copy || page->global)) return; /* still, and already right */
    EO_CHECK(eo__page_heat(capture, page));
  }
  eo__bytes_copy(page->address, copy ? copy->bytes : eo__page_baseline(capture, page));
  if (page->copy != copy) {
    eo__copy_drop(capture, page);
    page->copy = copy;
    if (copy) copy->refs++;
  }
  if (page->global) eo__page_cool(capture, page);
}

static void put_unmarked(eo_capture *capture, eo__page_list *list) {
  for (size_t i = list->count; i-- > 0;) {
    eo__page *page = list->items[i];
    if (page->mark != capture->epoch) put(capture, page, NULL);
  }
}

void eo__capture_restore(eo_capture *capture, const eo_pages *pages) {
  capture->epoch++;
  for (size_t i = 0; i < pages->count; i++) {
    pages->entries[i].page->mark = capture->epoch;
    put(capture, pages->entries[i].page, pages->entries[i].copy);
  }
  put_unmarked(capture, &capture->still); /* may heat pages, so before the lists of hot ones */
  put_unmarked(capture, &capture->hot);
  put_unmarked(capture, &capture->written);
}

/* ---- Fingerprint ---------------------------------------------------------------------------------------------- */

static void hash_bytes(const char *bytes, uint64_t hash[2]) {
  XXH128_hash_t value = XXH3_128bits(bytes, EO_PAGE);
  hash[0] = value.low64;
  hash[1] = value.high64;
}

static const uint64_t *copy_hash(eo__copy *copy) {
  if (!copy->hashed) hash_bytes(copy->bytes, copy->hash);
  copy->hashed = true;
  return copy->hash;
}

/* A sum does not depend on the order of the pages, and unlike xor it does not lose a pair of equal terms; the address
 * is hashed in with each page. */
static void add_page(uint64_t sum[2], const eo__page *page, const uint64_t *hash) {
  uint64_t term[3] = {(uintptr_t)page->address, hash[0], hash[1]};
  XXH128_hash_t value = XXH3_128bits(term, sizeof(term));
  sum[0] += value.low64;
  sum[1] += value.high64;
}

/* A page in which something is counted, by what else is in it. At its baseline it must not count, as below. */
static void add_counting(eo_capture *capture, uint64_t sum[2], const eo__page *page, const char *bytes) {
  char now[EO_PAGE] = {0}, then[EO_PAGE] = {0};
  uint64_t hash[2];
  eo__bytes_copy(now, bytes);
  eo__bytes_copy(then, eo__page_baseline(capture, page));
  eo__asides_blank(capture, page, now);
  eo__asides_blank(capture, page, then);
  if (eo__bytes_same(now, then)) return;
  hash_bytes(now, hash);
  add_page(sum, page, hash);
}

/* At its baseline a page must not count: that it is hot is history. */
static void add_hot(eo_capture *capture, uint64_t sum[2], const eo__page *page) {
  if (page->counts) {
    add_counting(capture, sum, page, page->address);
    return;
  }
  if (equals_copy(capture, page)) {
    if (page->copy) add_page(sum, page, copy_hash(page->copy));
    return;
  }
  if (page->copy && eo__bytes_same(page->address, eo__page_baseline(capture, page))) return;
  uint64_t hash[2];
  hash_bytes(page->address, hash);
  add_page(sum, page, hash);
}

static bool wanted(const eo_capture *capture, const eo__page *page) {
  return page->global || capture->slots[eo__capture_slot_of(page->address)]->wanted == capture->epoch;
}

void eo__capture_fingerprint(eo_capture *capture, const uint32_t *slots, size_t count, uint64_t hash[2]) {
  uint64_t sum[3] = {0, 0, count};
  capture->epoch++;
  for (size_t i = 0; i < count; i++) {
    if (capture->slots[slots[i]]) capture->slots[slots[i]]->wanted = capture->epoch;
  }
  for (size_t i = 0; count && i < capture->hot.count; i++) {
    if (wanted(capture, capture->hot.items[i])) add_hot(capture, sum, capture->hot.items[i]);
  }
  for (size_t i = 0; i < capture->written.count; i++) add_hot(capture, sum, capture->written.items[i]);
  for (size_t i = 0; i < capture->still.count; i++) {
    eo__page *page = capture->still.items[i];
    if (page->counts)
      add_counting(capture, sum, page, page->copy->bytes);
    else if (wanted(capture, page))
      add_page(sum, page, copy_hash(page->copy));
  }
  hash[0] = hash[1] = 0;
  if (!(sum[0] | sum[1] | sum[2])) return; /* globals as at the start: as if they had not been looked at */
  XXH128_hash_t value = XXH3_128bits(sum, sizeof(sum));
  hash[0] = value.low64;
  hash[1] = value.high64;
}
