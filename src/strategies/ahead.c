/* ahead.c: see ahead.h. */
#include "strategies/ahead.h"

void eo__ahead_release(eo_ahead *ahead) { eo_vec_release(&ahead->way); }

static bool read_block(eo_ahead *ahead, const eo_ways *ways) {
  ahead->at = ahead->count = 0;
  if (!eo__ways_partings(ways, &ahead->way, ahead->parting, EO_AHEAD, &ahead->count)) return false;
  for (uint32_t i = ahead->count; i-- > 0;) {
    uint32_t next = i + 1;
    while (next < ahead->count && ahead->parting[next] >= ahead->parting[i]) next = ahead->earlier[next];
    ahead->earlier[i] = (uint16_t)(next < ahead->count ? next : EO_AHEAD);
  }
  return true;
}

bool eo__ahead_taken(eo_ahead *ahead, const eo_ways *ways) {
  bool known = ahead->of == ways && ahead->left == ways->left + 1;
  ahead->of = ways;
  ahead->left = ways->left;
  if (known && ++ahead->at < ahead->count) return true;
  return read_block(ahead, ways);
}
