/* program_m.c: program M of Lei's dissertation on reachability testing (section 3.4): two processes take two messages each,
 * from two senders each. Which of its two senders each hears first makes 4 sequences of synchronisations; of the first one
 * run, algorithm Generate-Variants derives 7 race variants (tests/unit/test_reach.c). All pass. */
#include <everyorder.h>

enum { MESSAGE };

/* M2 and M5. */
static void receive_twice(void *argument) {
  (void)argument;
  for (int i = 0; i < 2; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    eo_assert(message.tag == MESSAGE, "expected a message, got tag %d", message.tag);
  }
}

/* M1 and M3 to M2, M4 and M6 to M5. */
static void send_one(void *argument) { eo_send(*(const eo_pid *)argument, MESSAGE, NULL, 0); }

EO_TEST(program_m) {
  eo_pid m2 = eo_spawn(receive_twice, NULL, 0);
  eo_pid m5 = eo_spawn(receive_twice, NULL, 0);
  eo_spawn(send_one, &m2, sizeof(m2)); /* M1 */
  eo_spawn(send_one, &m2, sizeof(m2)); /* M3 */
  eo_spawn(send_one, &m5, sizeof(m5)); /* M4 */
  eo_spawn(send_one, &m5, sizeof(m5)); /* M6 */
}
