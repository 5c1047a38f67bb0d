/* test_channel.c: src/core/channel.c: whole messages come through in any pieces; whatever else comes is noticed at the
 * first byte that cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "core/channel.h"

static void random_bytes(eo_rng *rng, unsigned char *out, size_t size) {
  for (size_t i = 0; i < size; i++) out[i] = (unsigned char)eo__rng_next(rng);
}

static void comes_in_any_pieces(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 7, 8, 23, 24, 25, 1000};
  unsigned char bytes[1000];
  eo_rng rng;
  eo__rng_init(&rng, 1);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    eo_bytes message = {0}, input = {0};
    const unsigned char *got = NULL;
    size_t size = 0;
    random_bytes(&rng, bytes, sizes[i]);
    assert_true(eo__message_add(&message, bytes, sizes[i]));
    for (size_t n = 0; n < message.count; n++) {
      assert_int_equal(eo__message_look(&input, &got, &size), EO_MESSAGE_PART);
      assert_true(eo_vec_push(&input, message.items[n]));
    }
    assert_int_equal(eo__message_look(&input, &got, &size), EO_MESSAGE_WHOLE);
    assert_int_equal(size, sizes[i]);
    assert_memory_equal(got, bytes, size);
    assert_true(eo_vec_push(&input, 0)); /* nobody sends more before the answer */
    assert_int_equal(eo__message_look(&input, &got, &size), EO_MESSAGE_BAD);
    eo_vec_release(&message);
    eo_vec_release(&input);
  }
}

/* Every bit of every byte. A size that became larger is only known when so much has come. */
static void notices_each_flipped_bit(void **state) {
  (void)state;
  enum { MARK = 8, SIZE = 16 };
  eo_bytes message = {0};
  const unsigned char *got;
  size_t size;
  assert_true(eo__message_add(&message, "some bytes", 10));
  for (size_t bit = 0; bit < message.count * 8; bit++) {
    message.items[bit / 8] ^= (unsigned char)(1 << bit % 8);
    eo_message_state is = eo__message_look(&message, &got, &size);
    if (bit / 8 >= MARK && bit / 8 < SIZE)
      assert_int_not_equal(is, EO_MESSAGE_WHOLE);
    else
      assert_int_equal(is, EO_MESSAGE_BAD);
    message.items[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  assert_int_equal(eo__message_look(&message, &got, &size), EO_MESSAGE_WHOLE);
  eo_vec_release(&message);
}

static void refuses_what_is_no_message(void **state) {
  (void)state;
  static const char *const texts[] = {"A", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\n"};
  const unsigned char *got;
  size_t size;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    eo_bytes input = {.items = (unsigned char *)texts[i], .count = strlen(texts[i]), .capacity = strlen(texts[i])};
    assert_int_equal(eo__message_look(&input, &got, &size), EO_MESSAGE_BAD);
  }
  eo_bytes message = {0};
  assert_true(eo__message_add(&message, "x", 1));
  uint64_t endless = EO_MESSAGE_MOST + 1;
  memcpy(message.items + 8, &endless, sizeof endless);
  assert_int_equal(eo__message_look(&message, &got, &size), EO_MESSAGE_BAD);
  eo_vec_release(&message);
}

static void goes_through_a_socket(void **state) {
  (void)state;
  int pair[2];
  eo_bytes message = {0}, content = {0};
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  assert_true(eo__message_add(&message, "a question", 10));
  assert_int_equal(eo__channel_send(pair[0], &message), EO_OK);
  assert_int_equal(eo__channel_receive(pair[1], &content), EO_OK);
  assert_int_equal(content.count, 10);
  assert_memory_equal(content.items, "a question", 10);
  assert_int_equal(send(pair[0], "AAAAAAAAAAAAAAAAAAAAAAAA", 24, 0), 24);
  assert_int_equal(eo__channel_receive(pair[1], &content), EO_ESYSTEM);
  close(pair[0]);
  assert_int_equal(eo__channel_receive(pair[1], &content), EO_ESYSTEM);
  assert_int_equal(eo__channel_send(pair[1], &message), EO_ESYSTEM);
  close(pair[1]);
  assert_int_equal(eo__channel_send(pair[1], &message), EO_ESYSTEM);
  eo_vec_release(&message);
  eo_vec_release(&content);
}

static void hides_above_other_descriptors(void **state) {
  (void)state;
  struct rlimit before, after;
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  for (int round = 0; round < 2; round++) {
    int hidden = eo__channel_hide(dup(0));
    assert_true(hidden >= (before.rlim_cur > 1024 ? 1000 : 240));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
    assert_int_equal(after.rlim_cur, before.rlim_cur);
    close(hidden);
    before.rlim_cur = 256; /* as in a small container */
    if (setrlimit(RLIMIT_NOFILE, &before) != 0) break;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(comes_in_any_pieces),           cmocka_unit_test(notices_each_flipped_bit),
      cmocka_unit_test(refuses_what_is_no_message),    cmocka_unit_test(goes_through_a_socket),
      cmocka_unit_test(hides_above_other_descriptors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
