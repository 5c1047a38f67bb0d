/* states.c: see states.h. */
#include "subjects/model/states.h"

#include "base/alloc.h"

enum { FIRST_SIZE = 1 << 10 };

static bool is_full(const eo__states *s) { return !s->entries || s->count * 3 >= (s->mask + 1) * 2; }

static uint64_t next_size(const eo__states *s) { return s->entries ? (s->mask + 1) * 2 : FIRST_SIZE; }

static bool grow(eo__states *s) {
  uint64_t size = next_size(s);
  eo__states_entry *grown = eo__alloc(size * sizeof *grown);
  if (!grown) return false;
  for (uint64_t i = 0; s->entries && i <= s->mask; i++) {
    if (!s->entries[i].key[1]) continue;
    uint64_t at = s->entries[i].key[0] & (size - 1);
    while (grown[at].key[1]) at = (at + 1) & (size - 1);
    grown[at] = s->entries[i];
  }
  eo__free(s->entries);
  s->entries = grown;
  s->mask = size - 1;
  return true;
}

uint64_t eo__states_add(eo__states *s, const eo_promela_run *run, bool *fresh) {
  uint64_t key[2];
  if (is_full(s) && !grow(s)) return UINT64_MAX;
  eo__promela_fingerprint(run, key);
  key[1] |= 1; /* never 0 */
  uint64_t at = key[0] & s->mask;
  for (; s->entries[at].key[1]; at = (at + 1) & s->mask)
    if (s->entries[at].key[0] == key[0] && s->entries[at].key[1] == key[1]) {
      *fresh = false;
      return s->entries[at].number;
    }
  *fresh = true;
  s->entries[at] = (eo__states_entry){{key[0], key[1]}, s->count};
  return s->count++;
}

void eo__states_release(eo__states *s) {
  eo__free(s->entries);
  *s = (eo__states){0};
}

uint64_t eo__states_bytes(const eo__states *s) { return s->entries ? (s->mask + 1) * sizeof *s->entries : 0; }

/* While it grows, both tables are there. */
uint64_t eo__states_growth(const eo__states *s) { return is_full(s) ? next_size(s) * sizeof *s->entries : 0; }
