/* cache.c: clients ask a server for a value by key, over a cache that they share. A test with parameters: how many
 * clients there are, what they ask for, and how the cache writes.
 *
 * With `write: through` the cache tells the store and answers when the store has it; with `write: back` it answers at once
 * and tells the store later, which is fine as long as nobody asks the store itself. Clients that read with `read: store`
 * do. Neither way is wrong alone: only the pair of them is. */
#include <everyorder.h>

enum { PUT, GET, STORED, VALUE, STOP };

struct parts {
  eo_pid store, cache;
};

static void store(void *argument) {
  long value = 0;
  (void)argument;
  for (;;) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    switch (message.tag) {
      case PUT:
        value = *(const long *)message.data;
        eo_send(message.from, STORED, NULL, 0);
        break;
      case GET: eo_send(message.from, VALUE, &value, sizeof(value)); break;
      default: return;
    }
  }
}

static void cache(void *argument) {
  const eo_pid behind = *(const eo_pid *)argument;
  const bool back = eo_param_is("write", "back");
  long value = 0;
  for (;;) {
    const int requests[] = {PUT, GET, STOP};
    eo_message message, stored;
    eo_receive_tags(&message, requests, 3, EO_FOREVER);
    const eo_pid from = message.from;
    if (message.tag == STOP) return;
    if (message.tag == PUT) {
      value = *(const long *)message.data;
      if (back) eo_send(from, VALUE, &value, sizeof(value)); /* before the store has it */
      eo_send(behind, PUT, &value, sizeof(value));
      eo_receive_tag(&stored, STORED, EO_FOREVER);
      if (back) continue;
    }
    eo_send(from, VALUE, &value, sizeof(value));
  }
}

static long ask(eo_pid whom, int what, long value) {
  eo_message message;
  eo_send(whom, what, &value, sizeof(value));
  eo_receive_tag(&message, VALUE, EO_FOREVER);
  return *(const long *)message.data;
}

static void reader(void *argument) {
  const struct parts *parts = argument;
  ask(eo_param_is("read", "store") ? parts->store : parts->cache, GET, 0);
}

/* What was put is there for who asks after that. */
EO_TEST_PARAMS(put_then_get, "write: through, back", "read: cache, store", "readers: 0, 1", "value: 1, 1000000") {
  struct parts parts;
  const long value = (long)eo_param_int("value");
  eo_message message;
  eo_ref ref;
  parts.store = eo_spawn(store, NULL, 0);
  parts.cache = eo_spawn(cache, &parts.store, sizeof(parts.store));
  const int64_t readers = eo_param_int("readers");
  for (int64_t i = 0; i < readers; i++) eo_spawn_monitor(reader, &parts, sizeof(parts), &ref);
  ask(parts.cache, PUT, value);
  const long got = ask(eo_param_is("read", "store") ? parts.store : parts.cache, GET, 0);
  eo_assert(got == value, "put %ld, got %ld", value, got);
  for (int64_t i = 0; i < readers; i++) eo_receive_tag(&message, EO_DOWN, EO_FOREVER);
  eo_send(parts.cache, STOP, NULL, 0);
  eo_send(parts.store, STOP, NULL, 0);
}
