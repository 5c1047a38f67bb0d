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

bool eo__ways_take(eo_ways *ways, eo_way *way) {
  const unsigned char *at = ways->bytes.items + ways->at, *end = ways->bytes.items + ways->bytes.count;
  uint32_t same, fresh;
  EO_CHECK(ways->left && number(&at, end, &same) && number(&at, end, &fresh) && same <= ways->out.count);
  ways->out.count = same;
  if (!eo_vec_reserve(&ways->out, fresh)) return false;
  for (uint32_t i = 0; i < fresh; i++) {
    eo_way_point point;
    EO_CHECK(number(&at, end, &point.branch) && number(&at, end, &point.delays));
    ways->out.items[ways->out.count++] = point;
  }
  eo_vec_clear(way);
  if (!eo_vec_reserve(way, ways->out.count)) return false;
  memcpy(way->items, ways->out.items, ways->out.count * sizeof *way->items);
  way->count = ways->out.count;
  ways->at = (size_t)(at - ways->bytes.items);
  ways->left--;
  return true;
}
