/* outside_thread.c: thread-local variables of a program and of its libraries: for outside_thread.sh. Each process has its own,
 * which begin as those of a new thread. */
#include <everyorder.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

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

/* Another process gets to know where a thread-local variable is: in a message, an argument, a global, a heap, packed or not. There it finds its own variable, and not the one that the program would find. */
static void looks(const int *at) { eo_assert(*at == 7, "in the program itself this fails"); }

static void looks_at_argument(void *argument) { looks(*(int **)argument); }

EO_TEST(part_in_an_argument) {
  int *at = &count;
  count = 8;
  eo_spawn(looks_at_argument, &at, sizeof at);
}

static void looks_at_message(void *argument) {
  eo_message message;
  int *at;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
  memcpy(&at, (const char *)message.data + 3, sizeof at);
  looks(at);
}

EO_TEST(part_in_a_message) {
  char bytes[20] = {0};
  int *at = &count;
  memcpy(bytes + 3, &at, sizeof at);
  count = 8;
  eo_send(eo_spawn(looks_at_message, NULL, 0), 1, bytes, sizeof bytes);
}

static int *in_a_global;

static void looks_at_global(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
  looks(in_a_global);
}

EO_TEST(part_in_a_global) {
  in_a_global = &count;
  count = 8;
  eo_send(eo_spawn(looks_at_global, NULL, 0), 1, NULL, 0);
}

static void looks_behind(void *argument) { looks(**(int ***)argument); }

EO_TEST(part_on_a_heap) {
  int **where = malloc(sizeof *where);
  *where = &count;
  count = 8;
  eo_spawn(looks_behind, &where, sizeof where);
}

static __thread int *own_pointer;

static void keeps(void *argument) {
  int *at = &count;
  (void)argument;
  own_pointer = at;
  *at = 9;
  eo_sleep(1);
  eo_assert(*own_pointer == 9, "my own");
}

EO_TEST(ok_pointers_of_its_own) {
  for (int i = 0; i < 2; i++) eo_spawn(keeps, NULL, 0);
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

/* ---- Keys ---- */

static pthread_key_t key;
static tss_t other_key;
__attribute__((constructor)) static void make_keys(void) {
  pthread_key_create(&key, NULL);
  tss_create(&other_key, NULL);
  pthread_setspecific(key, &key);
}
static void uses_keys(void *argument) {
  (void)argument;
  eo_assert(!pthread_getspecific(key) && !tss_get(other_key), "another's, or of an execution before");
  pthread_setspecific(key, "own");
  eo_flip();
  tss_set(other_key, "other");
  eo_flip();
  eo_assert(*(char *)pthread_getspecific(key) == 'o' && *(char *)tss_get(other_key) == 'o', "lost");
}
EO_TEST(ok_keys) {
  eo_spawn(uses_keys, NULL, 0);
  uses_keys(NULL);
}
