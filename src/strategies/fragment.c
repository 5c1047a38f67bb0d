/* fragment.c: see fragment.h. */
#include "strategies/fragment.h"

#include <string.h>
#include <xxhash.h>

enum { HEAD = 2, SUM = sizeof(uint64_t) };

bool eo__fragment_raw(eo_bytes *out, const void *bytes, size_t size) {
  if (!eo_vec_reserve(out, size)) return false;
  if (size) memcpy(out->items + out->count, bytes, size);
  out->count += size;
  return true;
}

bool eo__fragment_begin(eo_bytes *out, eo_fragment_letter strategy) {
  eo_vec_clear(out);
  return eo__fragment_raw(out, (unsigned char[]){EO_FRAGMENT_VERSION, (unsigned char)strategy}, HEAD);
}

bool eo__fragment_number(eo_bytes *out, uint64_t number) {
  unsigned char bytes[EO_LEB128_MOST];
  return eo__fragment_raw(out, bytes, eo__leb128_write(bytes, number));
}

bool eo__fragment_end(eo_bytes *out) {
  uint64_t sum = XXH3_64bits(out->items, out->count);
  return eo__fragment_raw(out, &sum, SUM);
}

int eo__fragment_refuse(eo_error *error) {
  return eo__error_set(error, EO_EINPUT, "the saved work is damaged: start the exploration anew");
}

int eo__fragment_open(eo_fragment_reader *reader, const unsigned char *bytes, size_t size, eo_fragment_letter strategy,
                      eo_error *error) {
  uint64_t sum;
  if (size && bytes[0] != EO_FRAGMENT_VERSION)
    return eo__error_set(error, EO_EINPUT, "the saved work has format %u, and this version knows %u", bytes[0],
                         EO_FRAGMENT_VERSION);
  if (size < HEAD + SUM) return eo__fragment_refuse(error);
  memcpy(&sum, bytes + size - SUM, SUM);
  if (sum != XXH3_64bits(bytes, size - SUM)) return eo__fragment_refuse(error);
  if (bytes[1] != (unsigned char)strategy)
    return eo__error_set(error, EO_EINPUT, "the saved work is that of another strategy");
  *reader = (eo_fragment_reader){.at = bytes + HEAD, .end = bytes + size - SUM};
  return EO_OK;
}

uint64_t eo__fragment_read(eo_fragment_reader *reader, uint64_t most) {
  uint64_t number = 0;
  const unsigned char *next = reader->bad ? NULL : eo__leb128_read(reader->at, reader->end, &number);
  if (!next || number > most) {
    reader->bad = true;
    return 0;
  }
  reader->at = next;
  return number;
}

void eo__fragment_read_raw(eo_fragment_reader *reader, void *out, size_t size) {
  if (reader->bad || size > (size_t)(reader->end - reader->at)) {
    reader->bad = true;
    memset(out, 0, size);
    return;
  }
  memcpy(out, reader->at, size);
  reader->at += size;
}
