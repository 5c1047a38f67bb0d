/* test_file.c: src/base/file: files are replaced as a whole, by new files that nobody could have planted; reading and
 * writing never wait for somebody at the other end of a pipe.
 * builds: release asan */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[256];

static int enter_folder(void **state) {
  (void)state;
  const char *tmp = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/file.XXXXXX", tmp ? tmp : "/tmp");
  alarm(20); /* whoever waits for ever */
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

/* How many entries the folder has; removes them. */
static int empty_folder(void) {
  DIR *entries = opendir(".");
  const struct dirent *entry;
  int count = 0;
  while ((entry = readdir(entries))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    chmod(entry->d_name, 0700);
    if (unlink(entry->d_name) != 0 && rmdir(entry->d_name) != 0) fail_msg("%s is left", entry->d_name);
    count++;
  }
  closedir(entries);
  return count;
}

static int leave_folder(void **state) {
  (void)state;
  empty_folder();
  return chdir("/") == 0 ? rmdir(folder) : -1;
}

static void assert_holds(const char *path, const char *text) {
  eo_text got;
  eo__text_init(&got);
  if (!eo__file_read(path, 1 << 20, &got)) fail_msg("%s: %s", path, eo__file_trouble(errno));
  assert_string_equal(got.chars, text);
  eo__text_release(&got);
}

static mode_t mode_of(const char *path) {
  struct stat status;
  assert_int_equal(lstat(path, &status), 0);
  return status.st_mode;
}

static void a_file_is_made_and_replaced(void **state) {
  (void)state;
  mode_t mask = umask(027);
  assert_true(eo__file_replace("new", "one", 3));
  umask(mask);
  assert_holds("new", "one");
  assert_int_equal(mode_of("new"), S_IFREG | 0640); /* as any new file */
  assert_int_equal(chmod("new", 0604), 0);
  assert_true(eo__file_replace("./new", "", 0));
  assert_holds("new", "");
  assert_int_equal(mode_of("new"), S_IFREG | 0604); /* as the old one */
  assert_int_equal(empty_folder(), 1);              /* nothing is left beside it */
}

static void links_are_replaced_not_followed(void **state) {
  (void)state;
  assert_true(eo__file_replace("victim", "precious", 8));
  assert_int_equal(symlink("victim", "link"), 0);
  assert_int_equal(symlink("nothing", "dangling"), 0);
  assert_int_equal(link("victim", "hard"), 0);
  static const char *const names[] = {"link", "dangling", "hard"};
  for (int i = 0; i < 3; i++) {
    assert_true(eo__file_replace(names[i], "mine", 4));
    assert_true(S_ISREG(mode_of(names[i])));
    assert_holds(names[i], "mine");
    assert_holds("victim", "precious");
  }
  assert_int_equal(empty_folder(), 4);
}

/* Whatever has been planted at names that could be guessed. */
static void planted_names_are_not_used(void **state) {
  (void)state;
  static const char *const guesses[] = {"target.new", "target.tmp", ".target.tmp", "target~", ".everyorder.XXXXXX"};
  enum { GUESSES = sizeof guesses / sizeof *guesses };
  assert_true(eo__file_replace("victim", "precious", 8));
  for (int i = 0; i < GUESSES; i++) assert_int_equal(symlink("victim", guesses[i]), 0);
  for (int i = 0; i < 20; i++) assert_true(eo__file_replace("target", "text", 4));
  assert_holds("victim", "precious");
  for (int i = 0; i < GUESSES; i++) assert_true(S_ISLNK(mode_of(guesses[i])));
  assert_int_equal(empty_folder(), GUESSES + 2);
}

static void what_cannot_be_written_leaves_what_is_there(void **state) {
  (void)state;
  assert_false(eo__file_replace("no/such/folder", "x", 1));
  assert_int_equal(errno, ENOENT);
  assert_false(eo__file_try_replace("no/such/folder"));
  assert_int_equal(mkdir("folder", 0700), 0);
  assert_false(eo__file_replace("folder", "x", 1));
  assert_true(S_ISDIR(mode_of("folder")));
  assert_int_equal(symlink("/dev/full", "full"), 0);
  int full = eo__file_open_device("full");
  assert_true(full >= 0);
  assert_false(eo__file_write(full, "x", 1));
  assert_int_equal(errno, ENOSPC);
  close(full);
  assert_true(eo__file_try_replace("fine"));
  assert_int_equal(empty_folder(), 2);
}

static void nobody_is_waited_for(void **state) {
  (void)state;
  eo_text text;
  eo__text_init(&text);
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_false(eo__file_read("pipe", 100, &text));
  assert_int_equal(errno, ENXIO);
  assert_string_equal(eo__file_trouble(errno), "it is not a regular file");
  assert_int_equal(eo__file_open_device("pipe"), -1);
  assert_int_equal(errno, ENXIO);
  int reader = open("pipe", O_RDONLY | O_NONBLOCK), writer = eo__file_open_device("pipe");
  assert_true(writer >= 0);
  assert_true(eo__file_write(writer, "text", 4));
  assert_int_equal(fcntl(writer, F_GETFL) & O_NONBLOCK, 0); /* who reads slowly is waited for */
  close(reader);
  close(writer);
  assert_false(eo__file_read(".", 100, &text));
  assert_int_equal(errno, EISDIR);
  assert_false(eo__file_read("/dev/zero", 100, &text));
  assert_int_equal(errno, ENXIO);
  assert_true(eo__file_replace("large", "0123456789", 10));
  assert_false(eo__file_read("large", 9, &text));
  assert_int_equal(errno, EFBIG);
  eo__text_release(&text);
  assert_int_equal(empty_folder(), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_made_and_replaced), cmocka_unit_test(links_are_replaced_not_followed),
      cmocka_unit_test(planted_names_are_not_used),  cmocka_unit_test(what_cannot_be_written_leaves_what_is_there),
      cmocka_unit_test(nobody_is_waited_for),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
