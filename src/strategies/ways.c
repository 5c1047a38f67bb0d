/* ways.c: see ways.h. */
#include "strategies/ways.h"

#include <string.h>

#include "strategies/fragment.h"

void eo__ways_release(eo_ways *ways) {
  eo_vec_release(&ways->bytes);
  eo_vec_release(&ways->in);
  eo_vec_release(&ways->out);
}

void eo__ways_clear(eo_ways *ways) {
  eo_vec_clear(&ways->bytes);
  eo_vec_clear(&ways->in);
  eo_vec_clear(&ways->out);
  ways->at = 0;
  ways->left = 0;
}

static bool same_point(eo_way_point a, eo_way_point b) { return a.branch == b.branch && a.delays == b.delays; }

bool eo__ways_put(eo_ways *ways, const eo_way_point *points, size_t count, eo_way_point end) {
  eo_way *last = &ways->in;
  size_t same = 0;
  while (same < count && same < last->count && same_point(points[same], last->items[same])) same++;
  size_t fresh = count + 1 - same;
  if (!eo_vec_reserve(&ways->bytes, (2 + 2 * fresh) * EO_LEB128_MOST)) return false;
  last->count = same;
  if (!eo_vec_reserve(last, fresh)) return false;
  unsigned char *at = ways->bytes.items + ways->bytes.count;
  at += eo__leb128_write(at, same);
  at += eo__leb128_write(at, fresh);
  for (size_t i = same; i <= count; i++) {
    eo_way_point point = i < count ? points[i] : end;
    at += eo__leb128_write(at, point.branch);
    at += eo__leb128_write(at, point.delays);
    last->items[last->count++] = point;
  }
  ways->bytes.count = (size_t)(at - ways->bytes.items);
  ways->left++;
  return true;
}

static bool number(const unsigned char **at, const unsigned char *end, uint32_t *out) {
  uint64_t value;
  *at = eo__leb128_read(*at, end, &value);
  *out = (uint32_t)value;
  return *at && value <= UINT32_MAX;
}

/* The next way, from `at` on, made from *way, the one before it. NULL: these bytes are none, or (*memory) there is none. */
static const unsigned char *decode(const unsigned char *at, const unsigned char *end, eo_way *way, bool *memory) {
  uint32_t same, fresh;
  if (!number(&at, end, &same) || !number(&at, end, &fresh)) return NULL;
  if (same > way->count || fresh == 0 || fresh > (size_t)(end - at)) return NULL;
  way->count = same;
  if (!eo_vec_reserve(way, fresh)) return *memory = false, NULL;
  for (uint32_t i = 0; i < fresh; i++) {
    eo_way_point point;
    if (!number(&at, end, &point.branch) || !number(&at, end, &point.delays) || point.delays == 0) return NULL;
    if (way->count && point.branch <= eo_vec_last(way).branch) return NULL;
    way->items[way->count++] = point;
  }
  return at;
}

static bool copy(eo_way *to, const eo_way *from) {
  eo_vec_clear(to);
  if (!eo_vec_reserve(to, from->count + 1)) return false;
  if (from->count) memcpy(to->items, from->items, from->count * sizeof *to->items);
  to->count = from->count;
  return true;
}

bool eo__ways_take(eo_ways *ways, eo_way *way) {
  bool memory = true;
  const unsigned char *start = ways->bytes.items + ways->at;
  const unsigned char *at = decode(start, ways->bytes.items + ways->bytes.count, &ways->out, &memory);
  if (!memory) return false;
  EO_CHECK(at != NULL);
  if (!copy(way, &ways->out)) return false;
  ways->at = (size_t)(at - ways->bytes.items);
  ways->left--;
  return true;
}

bool eo__ways_partings(const eo_ways *ways, eo_way *room, uint32_t *partings, uint32_t most, uint32_t *count) {
  bool memory = copy(room, &ways->out);
  const unsigned char *at = ways->bytes.items + ways->at, *end = ways->bytes.items + ways->bytes.count;
  for (*count = 0; memory && *count < most && *count < ways->left; ++*count) {
    uint64_t same;
    EO_CHECK(eo__leb128_read(at, end, &same) && same <= room->count);
    uint32_t left = same < room->count ? room->items[same].branch : UINT32_MAX; /* where the one before goes on */
    at = decode(at, end, room, &memory);
    if (!memory) break;
    EO_CHECK(at != NULL);
    uint32_t branch = room->items[same].branch;
    partings[*count] = branch < left ? branch : left;
  }
  return memory;
}

bool eo__ways_deal(eo_ways *ways, eo_ways *ours, eo_ways *theirs, bool *turn) {
  enum { BLOCKS = 32 };
  eo_way way = {0};
  uint64_t block = ways->left / BLOCKS + 1, dealt = 0;
  bool good = true;
  while (good && ways->left) {
    good =
        eo__ways_take(ways, &way) && eo__ways_put(*turn ? theirs : ours, way.items, way.count - 1, eo_vec_last(&way));
    if (++dealt % block == 0) *turn = !*turn;
  }
  eo_vec_release(&way);
  return good;
}

/* ---- Fragments ---------------------------------------------------------------------------------------------------- */

static bool write_way(const eo_way *way, eo_bytes *out) {
  bool good = eo__fragment_number(out, way->count);
  for (size_t i = 0; good && i < way->count; i++)
    good = eo__fragment_number(out, way->items[i].branch) && eo__fragment_number(out, way->items[i].delays);
  return good;
}

static bool read_way(eo_way *way, eo_fragment_reader *reader) {
  uint64_t count = eo__fragment_read(reader, (uint64_t)(reader->end - reader->at));
  eo_vec_clear(way);
  if (count && !eo_vec_reserve(way, count)) return false;
  for (uint64_t i = 0; i < count && !reader->bad; i++) {
    eo_way_point point = {.branch = (uint32_t)eo__fragment_read(reader, UINT32_MAX),
                          .delays = (uint32_t)eo__fragment_read(reader, UINT32_MAX)};
    if (point.delays == 0 || (i && point.branch <= eo_vec_last(way).branch)) reader->bad = true;
    way->items[way->count++] = point;
  }
  return true;
}

bool eo__ways_write(const eo_ways *ways, eo_bytes *out) {
  size_t size = ways->bytes.count - ways->at;
  return eo__fragment_number(out, ways->left) && write_way(&ways->out, out) && eo__fragment_number(out, size) &&
         (size == 0 || eo__fragment_raw(out, ways->bytes.items + ways->at, size));
}

/* Can these bytes have come from putting in so many ways? `in` is then the last of them. */
static bool well_formed(eo_ways *ways, bool *memory) {
  const unsigned char *at = ways->bytes.items, *end = ways->bytes.count ? at + ways->bytes.count : at;
  eo_vec_clear(&ways->in);
  for (size_t i = 0; i < ways->out.count; i++)
    if (!eo_vec_push(&ways->in, ways->out.items[i])) return *memory = false;
  for (uint64_t i = 0; i < ways->left; i++)
    if (at == end || !(at = decode(at, end, &ways->in, memory))) return false;
  return at == end;
}

bool eo__ways_read(eo_ways *ways, eo_fragment_reader *reader) {
  bool memory = true;
  eo__ways_clear(ways);
  ways->left = eo__fragment_read(reader, UINT64_MAX);
  if (!read_way(&ways->out, reader)) return false;
  size_t size = eo__fragment_read(reader, (uint64_t)(reader->end - reader->at));
  if (size && !eo_vec_reserve(&ways->bytes, size)) return false;
  if (size) eo__fragment_read_raw(reader, ways->bytes.items, size);
  ways->bytes.count = size;
  if (!reader->bad && !well_formed(ways, &memory)) reader->bad = true;
  return memory;
}
