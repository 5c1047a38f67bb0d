/* outside_library.c: processes that use what the C library keeps for all of them (outside_library.sh). What a test is called says what
 * must come out. */
#include <everyorder.h>
#include <fcntl.h>
#include <getopt.h>
#include <libintl.h>
#include <locale.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static void both(void (*function)(void *)) {
  eo_spawn(function, NULL, 0);
  function(NULL);
}
static void beside(void (*function)(void *)) {
  eo_spawn(function, NULL, 0);
  eo_sleep(1);
}

static void tokens(void *argument) {
  (void)argument;
  char text[] = "a,b";
  eo_assert(*strtok(text, ",") == 'a', "first");
  eo_sleep(1);
  eo_assert(*strtok(NULL, ",") == 'b', "second");
}
EO_TEST(strtok_by_two) { both(tokens); }
EO_TEST(ok_strtok_by_one) { tokens(NULL); }
static void tokens_later(void *argument) {
  eo_message m;
  eo_receive(&m, EO_FOREVER);
  tokens(argument);
}
EO_TEST(ok_strtok_in_order) {
  eo_pid later = eo_spawn(tokens_later, NULL, 0);
  tokens(NULL);
  eo_send(later, 1, NULL, 0);
}

static void tells_local(void *argument) {
  (void)argument;
  time_t now = time(NULL);
  eo_sleep(1);
  eo_assert(localtime(&now)->tm_year > 100, "year");
}
EO_TEST(localtime_by_two) { both(tells_local); }
static void tells_text(void *argument) {
  (void)argument;
  struct tm when = {.tm_mday = 1};
  eo_sleep(1);
  eo_assert(asctime(&when), "text");
}
EO_TEST(asctime_by_two) { both(tells_text); }

static void options(void *argument) {
  (void)argument;
  char *arguments[] = {"program", "-a", "-b", NULL};
  eo_sleep(1);
  while (getopt(3, arguments, "ab") != -1) {}
  eo_assert(optind == 3, "%d", optind);
}
EO_TEST(getopt_by_two) { both(options); }
EO_TEST(ok_getopt_by_one) {
  options(NULL);
  eo_choose(2);
}

static void sets(void *argument) {
  (void)argument;
  eo_sleep(1);
  setenv("OUTSIDE", "1", 1);
}
static void asks(void *argument) {
  (void)argument;
  eo_sleep(1);
  eo_assert(getenv("PATH"), "no path");
}
EO_TEST(environment_of_another) {
  beside(sets);
  eo_assert(!getenv("NOTHING"), "there is");
}
EO_TEST(ok_environment_before) {
  setenv("OUTSIDE", "1", 1);
  both(asks);
}

static void moves(void *argument) {
  (void)argument;
  eo_sleep(1);
  eo_assert(chdir("/") == 0, "chdir");
}
EO_TEST(folder_of_another) {
  beside(moves);
  eo_assert(open("there/is/none", O_RDONLY) < 0, "there is");
}
EO_TEST(ok_whole_path) {
  beside(moves);
  eo_assert(open("/there/is/none", O_RDONLY) < 0, "there is");
}

static void nothing(int number) { (void)number; }
static void installs(void *argument) {
  (void)argument;
  eo_sleep(1);
  signal(SIGUSR1, nothing);
}
EO_TEST(handlers_of_another) {
  signal(SIGUSR1, nothing);
  beside(installs);
  raise(SIGUSR1);
}
static void masks(void *argument) {
  (void)argument;
  eo_sleep(1);
  umask(022);
}
EO_TEST(umask_by_two) { both(masks); }

static void draws(void *argument) {
  (void)argument;
  eo_sleep(1);
  if (rand() == 1 || lrand48() == 1) eo_sleep(1);
}
EO_TEST(ok_rand_by_two) { both(draws); }

static void speaks(void *argument) {
  (void)argument;
  eo_sleep(1);
  setlocale(LC_ALL, "C.UTF-8");
}
EO_TEST(part_locale_beside_another) { beside(speaks); }
EO_TEST(ok_locale_before) {
  setlocale(LC_ALL, "C.UTF-8");
  both(draws);
}

static void is_quiet(void *argument) {
  (void)argument;
  eo_sleep(1);
  opterr = 0;
}
EO_TEST(option_of_another) {
  eo_spawn(is_quiet, NULL, 0);
  eo_sleep(1);
  if (!opterr) eo_sleep(1);
}
/* A variable of the program's own, on the page of a table of addresses where calls are bound late. */
static int plain;
static void sets_plain(void *argument) {
  (void)argument;
  eo_sleep(1);
  plain = 1;
}
EO_TEST(variable_of_another) {
  eo_spawn(sets_plain, NULL, 0);
  eo_sleep(1);
  if (plain) eo_sleep(1);
}
EO_TEST(part_domain) {
  textdomain("other");
  eo_flip();
}
EO_TEST(part_letter_without_state) {
  mbrlen("a", 1, NULL);
  eo_flip();
}
static void asks_user(void *argument) {
  (void)argument;
  eo_sleep(1);
  getpwuid(0);
}
EO_TEST(user_by_two) { both(asks_user); }
static void fills_table(void *argument) {
  (void)argument;
  eo_sleep(1);
  hsearch((ENTRY){"key", "value"}, ENTER);
}
EO_TEST(table_by_two) {
  hcreate(10);
  both(fills_table);
}
static void writes_digits(void *argument) {
  int point, sign;
  (void)argument;
  eo_sleep(1);
  eo_assert(*ecvt(7.5, 3, &point, &sign) == '7', "the argument in a vector register");
}
EO_TEST(digits_by_two) { both(writes_digits); }
EO_TEST(ok_digits_by_one) { writes_digits(NULL); }
static void reads_letter(void *argument) {
  wchar_t wide;
  (void)argument;
  eo_sleep(1);
  mbtowc(&wide, "a", 1);
}
EO_TEST(letter_by_two) { both(reads_letter); }
static void sets_zone(void *argument) {
  (void)argument;
  eo_sleep(1);
  setenv("TZ", "EST+5", 1);
  tzset();
}
static int hour_now(void) {
  struct tm when;
  time_t moment = 100000;
  return localtime_r(&moment, &when)->tm_hour;
}
static void tells_hour(void *argument) {
  (void)argument;
  eo_sleep(1);
  hour_now();
}
EO_TEST(zone_of_another) {
  eo_spawn(sets_zone, NULL, 0);
  tells_hour(NULL);
}
EO_TEST(ok_zone_by_one) {
  int before = hour_now();
  eo_flip();
  sets_zone(NULL);
  eo_assert(before == 3 && hour_now() == 22, "%d and then %d", before, hour_now());
}
