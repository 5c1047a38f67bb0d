/* states.c: see states.h. */
#include "subjects/model/states.h"

#include "base/alloc.h"

enum { FIRST_SIZE = 1 << 10 };

/* What is not in a slot; the first two words say where the search for it begins. */
typedef struct rest_of {
  uint32_t low, high, other;
} rest_of;

static rest_of rest_of_key(const uint64_t key[2]) {
  return (rest_of){(uint32_t)key[0], (uint32_t)(key[0] >> 32), (uint32_t)key[1]};
}

static uint32_t tag_of(const uint64_t key[2]) { return (uint32_t)(key[1] >> 32); }

static uint64_t place_of(const rest_of *r) { return r->low | (uint64_t)r->high << 32; }

static bool is_full(const eo__states *s) { return !s->slots || s->count * 4 >= (s->mask + 1) * 3; }

static uint64_t next_size(const eo__states *s) { return s->slots ? (s->mask + 1) * 2 : FIRST_SIZE; }

static bool grow(eo__states *s) {
  uint64_t size = next_size(s);
  eo__states_slot *grown = eo__alloc(size * sizeof *grown);
  if (!grown) return false;
  for (uint64_t i = 0; s->slots && i <= s->mask; i++) {
    if (!s->slots[i].number) continue;
    uint64_t at = place_of(eo_pages_at(&s->rest, s->slots[i].number - 1)) & (size - 1);
    while (grown[at].number) at = (at + 1) & (size - 1);
    grown[at] = s->slots[i];
  }
  eo__free(s->slots);
  s->slots = grown;
  s->mask = size - 1;
  return true;
}

uint32_t eo__states_add(eo__states *s, const uint64_t key[2], bool *fresh) {
  rest_of rest = rest_of_key(key);
  uint32_t tag = tag_of(key);
  if ((is_full(s) && !grow(s)) || s->count == EO__STATES_NONE - 1) return EO__STATES_NONE;
  uint64_t at = place_of(&rest) & s->mask;
  for (; s->slots[at].number; at = (at + 1) & s->mask) {
    if (s->slots[at].tag != tag) continue;
    const rest_of *there = eo_pages_at(&s->rest, s->slots[at].number - 1);
    if (there->low != rest.low || there->high != rest.high || there->other != rest.other) continue;
    *fresh = false;
    return s->slots[at].number - 1;
  }
  s->rest.size = sizeof rest;
  if (!eo__pages_push(&s->rest, &rest)) return EO__STATES_NONE;
  *fresh = true;
  s->slots[at] = (eo__states_slot){tag, (uint32_t)++s->count};
  return (uint32_t)s->count - 1;
}

void eo__states_near(const eo__states *s, const uint64_t key[2]) {
  if (s->slots) __builtin_prefetch(&s->slots[key[0] & s->mask], 1);
}

void eo__states_nearer(const eo__states *s, const uint64_t key[2]) {
  if (!s->slots) return;
  const eo__states_slot *slot = &s->slots[key[0] & s->mask];
  if (slot->number && slot->tag == tag_of(key)) __builtin_prefetch(eo_pages_at(&s->rest, slot->number - 1));
}

void eo__states_release(eo__states *s) {
  eo__free(s->slots);
  eo__pages_release(&s->rest);
  *s = (eo__states){0};
}

uint64_t eo__states_bytes(const eo__states *s) {
  return (s->slots ? (s->mask + 1) * sizeof *s->slots : 0) + eo__pages_bytes(&s->rest);
}

/* While the table grows, both are there. */
uint64_t eo__states_growth(const eo__states *s) {
  uint64_t page = (uint64_t)EO_PAGE_ITEMS * sizeof(rest_of), room = s->rest.pages.count * (uint64_t)EO_PAGE_ITEMS;
  return (is_full(s) ? next_size(s) * sizeof *s->slots : 0) + (s->rest.count == room ? page : 0);
}
