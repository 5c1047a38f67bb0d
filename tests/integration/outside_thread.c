/* outside_thread.c: thread-local variables of a program and of its libraries: for outside_thread.sh. Each process has its own,
 * which begin as those of a new thread. */
#include <everyorder.h>

#include <string.h>

static __thread int count = 7;
static __thread char text[300];
extern __thread int of_library;
int *of_loaded_library(void);

static void changes(void *argument) {
  int nth = *(int *)argument;
  int *loaded = of_loaded_library();
  eo_assert(count == 7 && !text[0] && of_library == 5 && *loaded == 3, "as in a new thread");
  count += nth;
  strcpy(text, "mine");
  of_library += nth;
  *loaded += nth;
  eo_sleep(1);
  eo_assert(count == 7 + nth && !strcmp(text, "mine") && of_library == 5 + nth && *loaded == 3 + nth, "my own");
}

EO_TEST(ok_of_each_process) {
  for (int i = 1; i < 3; i++) eo_spawn(changes, &i, sizeof i);
  changes(&(int){4});
}

static bool takes_five(const eo_message *message, void *context) {
  (void)message;
  (void)context;
  return count == 5;
}

static void sends(void *argument) { eo_send(*(eo_pid *)argument, 1, NULL, 0); }

EO_TEST(ok_in_a_predicate) {
  eo_message message;
  eo_pid self = eo_self();
  eo_spawn(sends, &self, sizeof self);
  count = 5;
  eo_receive_if(&message, takes_five, NULL, EO_FOREVER);
}

/* States that differ in nothing else. */
EO_TEST(fails_if_taken_for_one_state) {
  count = (int)eo_choose(3);
  eo_sleep(1);
  eo_sleep(1);
  eo_assert(count != 2, "seen");
}

static void chooses(void *argument) {
  (void)argument;
  if (eo_flip()) of_library = 6;
  eo_sleep(1);
  eo_sleep(1);
  eo_assert(of_library == 5, "seen");
}

EO_TEST(fails_in_a_child) {
  eo_spawn(chooses, NULL, 0);
  eo_sleep(1);
}
