/* outside_files.c: processes that use files, pipes and descriptors (outside_files.sh). What a test is called says what must come
 * out: ok; meets: two processes meet there in no order, which dfs finds by running both, and dpor must not call complete; left:
 * executions meet there; gone: reading what is no longer there. */
#include <dirent.h>
#include <errno.h>
#include <everyorder.h>
#include <fcntl.h>
#include <iconv.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* So many steps before it that no random execution is likely to have the other one come late. */
enum { MANY = 16 };

static int early_file, early_pipe[2];
static FILE *early_stream, *early_log;

/* Before anything is explored. */
__attribute__((constructor)) static void prepare(void) {
  int file = open("lines", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (write(file, "one\ntwo\nthree\n", 14) != 14 || pipe2(early_pipe, O_NONBLOCK) != 0) abort();
  close(file);
  early_file = open("lines", O_RDONLY);
  early_stream = fopen("lines", "r");
  early_log = fopen("log", "w");
}

static void wait_long(void) {
  for (int i = 0; i < MANY; i++) eo_sleep(1);
}

static void side_by_side(eo_function first, eo_function second) {
  eo_spawn(first, NULL, 0);
  eo_spawn(second, NULL, 0);
}

static void put(int file, const char *text) {
  if (write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
}

/* ---- Two processes ----------------------------------------------------------------------------------------------------- */

static int ends[2], number, other_number;

static void looks_into_pipe(void *unused) {
  char c;
  (void)unused;
  eo_sleep(1);
  eo_assert(read(ends[0], &c, 1) != 1, "came");
}
static void fills_pipe(void *unused) {
  (void)unused;
  wait_long();
  put(ends[1], "x");
}
EO_TEST(meets_pipe) {
  eo_assert(pipe2(ends, O_NONBLOCK) == 0, "pipe");
  side_by_side(looks_into_pipe, fills_pipe);
}

static void looks_into_socket(void *unused) {
  char c;
  (void)unused;
  eo_sleep(1);
  eo_assert(recv(ends[0], &c, 1, MSG_DONTWAIT) != 1, "came");
}
EO_TEST(meets_socket) {
  eo_assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
  side_by_side(looks_into_socket, fills_pipe);
}

static void looks_for_file(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(access("there", F_OK) != 0, "there");
}
static void looks_by_stat(void *unused) {
  struct stat about;
  (void)unused;
  eo_sleep(1);
  eo_assert(stat("there", &about) != 0, "there");
}
static void opens_file(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(!fopen("there", "r"), "there");
}
static void makes_file(void *unused) {
  (void)unused;
  wait_long();
  close(creat("there", 0600));
}
static void links_file(void *unused) {
  (void)unused;
  wait_long();
  eo_assert(symlink("lines", "there") == 0, "symlink");
}
EO_TEST(meets_name) {
  unlink("there");
  side_by_side(looks_for_file, makes_file);
}
/* The same file by another spelling of its name. */
static void looks_by_long_name(void *unused) {
  char folder[PATH_MAX], path[PATH_MAX + 8];
  (void)unused;
  eo_sleep(1);
  if (!getcwd(folder, sizeof folder)) abort();
  snprintf(path, sizeof path, "%s/there", folder);
  eo_assert(access(path, F_OK) != 0, "there");
}
EO_TEST(meets_spelling) {
  unlink("there");
  side_by_side(looks_by_long_name, makes_file);
}
EO_TEST(meets_stat) {
  unlink("there");
  side_by_side(looks_by_stat, makes_file);
}
EO_TEST(meets_open) {
  unlink("there");
  side_by_side(opens_file, makes_file);
}
EO_TEST(meets_link) {
  unlink("there");
  side_by_side(looks_for_file, links_file);
}

static void reads_contents(void *unused) {
  char text[9] = "";
  (void)unused;
  eo_sleep(1);
  FILE *file = fopen("contents", "r");
  eo_assert(file && fgets(text, sizeof text, file) && strcmp(text, "new") != 0, "new");
  fclose(file);
}
static void writes_contents(void *unused) {
  (void)unused;
  wait_long();
  FILE *file = fopen("contents", "r+");
  fputs("new", file);
  fclose(file);
}
static void copies_contents(void *unused) {
  (void)unused;
  wait_long();
  int from = open("new", O_RDONLY), to = open("contents", O_WRONLY);
  eo_assert(sendfile(to, from, NULL, 3) == 3, "sendfile");
}
static void make(const char *name, const char *text) {
  int file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  put(file, text);
  close(file);
}
EO_TEST(meets_contents) {
  make("contents", "old");
  side_by_side(reads_contents, writes_contents);
}
EO_TEST(meets_copy) {
  make("contents", "old");
  make("new", "new");
  side_by_side(reads_contents, copies_contents);
}

static void polls(void *unused) {
  struct pollfd one = {number, POLLIN, 0};
  (void)unused;
  eo_sleep(1);
  eo_assert(poll(&one, 1, 0) == 0, "ready");
}
static void signals_event(void *unused) {
  (void)unused;
  wait_long();
  eventfd_write(number, 1);
}
EO_TEST(meets_poll) {
  number = eventfd(0, EFD_NONBLOCK);
  side_by_side(polls, signals_event);
}
static void waits_by_epoll(void *unused) {
  int all = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  (void)unused;
  eo_sleep(1);
  epoll_ctl(all, EPOLL_CTL_ADD, number, &event);
  eo_assert(epoll_wait(all, &event, 1, 0) == 0, "ready");
}
EO_TEST(meets_epoll) {
  number = eventfd(0, EFD_NONBLOCK);
  side_by_side(waits_by_epoll, signals_event);
}

static void asks_how_much(void *unused) {
  int waiting = 0;
  (void)unused;
  eo_sleep(1);
  eo_assert(ioctl(ends[0], FIONREAD, &waiting) == 0 && waiting == 0, "came");
}
EO_TEST(meets_in_number) {
  eo_assert(pipe2(ends, O_NONBLOCK) == 0, "pipe");
  side_by_side(asks_how_much, fills_pipe);
}

/* Who reads a mapping makes no call. */
static const char *mapping;
static void reads_mapping(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(*(volatile const char *)mapping == 'o', "new");
}
EO_TEST(meets_mapping) {
  make("contents", "old");
  int file = open("contents", O_RDONLY);
  mapping = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  side_by_side(reads_mapping, writes_contents);
}

static void asks_for_size(void *unused) {
  struct stat about;
  (void)unused;
  eo_sleep(1);
  eo_assert(fstat(number, &about) == 0 && about.st_size > 0, "empty");
}
static void cuts_short(void *unused) {
  (void)unused;
  wait_long();
  if (truncate("contents", 0) != 0) abort();
}
EO_TEST(meets_size) {
  make("contents", "old");
  number = open("contents", O_RDONLY);
  side_by_side(asks_for_size, cuts_short);
}

/* As the macro in the header does. */
static int takes_letter(FILE *from) {
  return from->_IO_read_ptr < from->_IO_read_end ? *(unsigned char *)from->_IO_read_ptr++ : __uflow(from);
}
static void takes_first(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(takes_letter(early_stream) == 'o', "of another one");
}
static void takes_later(void *unused) {
  (void)unused;
  wait_long();
  takes_letter(early_stream);
}
EO_TEST(meets_by_macro) { side_by_side(takes_first, takes_later); }

static iconv_t conversion;
__attribute__((constructor)) static void open_conversion(void) { conversion = iconv_open("UTF-16", "UTF-8"); }
static size_t converted(void) {
  char in[] = "a", out[8], *from = in, *to = out;
  size_t left = 1, room = sizeof out;
  iconv(conversion, &from, &left, &to, &room);
  return sizeof out - room;
}
static void converts_first(void *unused) {
  (void)unused;
  iconv(conversion, NULL, NULL, NULL, NULL);
  eo_sleep(1);
  eo_assert(converted() == 4, "without a mark of the order of bytes");
}
static void converts_later(void *unused) {
  (void)unused;
  wait_long();
  converted();
}
EO_TEST(left_in_conversion) {
  converts_first(NULL);
  converts_later(NULL);
}

static void asks_for_place(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(lseek(number, 0, SEEK_CUR) == 0, "moved");
}
static void moves_place(void *unused) {
  (void)unused;
  wait_long();
  lseek(number, 5, SEEK_SET);
}
static void closes(void *unused) {
  (void)unused;
  wait_long();
  close(number);
}
EO_TEST(meets_place) {
  number = open("lines", O_RDONLY);
  side_by_side(asks_for_place, moves_place);
}
EO_TEST(meets_closed) {
  number = open("lines", O_RDONLY);
  side_by_side(asks_for_place, closes);
}

static void closes_too(void *unused) {
  (void)unused;
  wait_long();
  if (close(number)) eo_sleep(1);
}
static void asks_for_flags(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(fcntl(number, F_GETFD) >= 0, "it is closed");
}
EO_TEST(meets_closed_device) {
  number = open("/dev/null", O_RDWR);
  side_by_side(asks_for_flags, closes);
}
static void writes_a_letter(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(write(number, "x", 1) == 1, "%s", strerror(errno));
}
EO_TEST(meets_closed_to_write) {
  number = memfd_create("closed", 0);
  side_by_side(writes_a_letter, closes);
}
static void closes_well(void *unused) {
  (void)unused;
  eo_sleep(1);
  eo_assert(close(number) == 0, "%s", strerror(errno));
}
EO_TEST(meets_closed_twice) {
  number = memfd_create("closed", 0);
  side_by_side(closes_well, closes_too);
}
static void replaces(void *unused) {
  (void)unused;
  wait_long();
  dup2(other_number, number);
}
static void reads_nothing(void *unused) {
  char letter;
  (void)unused;
  eo_sleep(1);
  eo_assert(read(number, &letter, 1) == 0, "there is something");
}
EO_TEST(meets_replaced) {
  number = open("/dev/null", O_RDWR);
  other_number = open("lines", O_RDONLY);
  side_by_side(reads_nothing, replaces);
}
static void closes_other(void *unused) {
  (void)unused;
  wait_long();
  close(other_number);
}
EO_TEST(meets_end) {
  signal(SIGPIPE, SIG_IGN);
  eo_assert(pipe(ends) == 0, "pipe");
  number = ends[1], other_number = ends[0];
  side_by_side(writes_a_letter, closes_other);
}
static const struct sockaddr_un address = {AF_UNIX, "\0everyorder-outside-files"};
static void binds(void *unused) {
  int file = socket(AF_UNIX, SOCK_STREAM, 0);
  (void)unused;
  eo_sleep(1);
  eo_assert(bind(file, (const struct sockaddr *)&address, 20) == 0, "%s", strerror(errno));
}
static void binds_late(void *unused) {
  int file = socket(AF_UNIX, SOCK_STREAM, 0);
  (void)unused;
  wait_long();
  bind(file, (const struct sockaddr *)&address, 20);
}
EO_TEST(meets_address) { side_by_side(binds, binds_late); }

/* ---- Nothing is wrong -------------------------------------------------------------------------------------------------- */

static void has_its_own(void *which) {
  char name[20], text[20];
  snprintf(name, sizeof name, "own%d", *(int *)which);
  eo_sleep(1);
  FILE *file = fopen(name, "w+");
  fputs("text", file);
  rewind(file);
  eo_sleep(1);
  eo_assert(fgets(text, sizeof text, file) && strcmp(text, "text") == 0, "its own");
  fclose(file);
  unlink(name);
}
EO_TEST(ok_own_files) {
  for (int i = 0; i < 2; i++) eo_spawn(has_its_own, &i, sizeof i);
}

static void logs(void *unused) {
  (void)unused;
  eo_sleep(1);
  FILE *file = fopen("common_log", "a");
  fputs("a line\n", file);
  fclose(file);
  fprintf(early_log, "a line\n");
}
EO_TEST(ok_common_log) { side_by_side(logs, logs); }

static void reads(void *unused) {
  char text[20];
  (void)unused;
  eo_sleep(1);
  FILE *file = fopen("lines", "r");
  eo_assert(fgets(text, sizeof text, file) && strcmp(text, "one\n") == 0, "the first line");
  fclose(file);
}
EO_TEST(ok_both_read) { side_by_side(reads, reads); }

enum { GO };
static void reads_when_told(void *unused) {
  eo_message message;
  (void)unused;
  eo_receive_tag(&message, GO, EO_FOREVER);
  eo_assert(access("told", F_OK) == 0, "it is there");
}
EO_TEST(ok_told) {
  eo_pid reader = eo_spawn(reads_when_told, NULL, 0);
  unlink("told");
  make("told", "x");
  eo_send(reader, GO, NULL, 0);
}

EO_TEST(ok_place_goes_back) {
  char text[5] = "";
  eo_assert(read(early_file, text, 4) == 4 && strcmp(text, "one\n") == 0, "from the start: %s", text);
  eo_choose(3);
  eo_assert(read(early_file, text, 4) == 4 && strcmp(text, "two\n") == 0, "on: %s", text);
  eo_choose(3);
}
EO_TEST(ok_stream_goes_back) {
  char text[9] = "";
  eo_assert(fgets(text, sizeof text, early_stream) && strcmp(text, "one\n") == 0, "from the start: %s", text);
  eo_choose(3);
  eo_assert(fgets(text, sizeof text, early_stream) && strcmp(text, "two\n") == 0, "on: %s", text);
  eo_choose(3);
}

/* A stream that is left open writes into no file of a later execution. */
EO_TEST(ok_leaves_stream) {
  char text[20] = "";
  FILE *left = fopen("left_open", "w");
  fputs("junk", left);
  eo_choose(3);
  FILE *file = fopen("clean", "w+");
  fputs("good", file);
  fflush(NULL);
  rewind(file);
  eo_assert(fgets(text, sizeof text, file) && strcmp(text, "good") == 0, "%s", text);
}

/* ---- Executions -------------------------------------------------------------------------------------------------------- */

EO_TEST(left_contents) {
  char c;
  int file = open("grows", O_CREAT | O_RDWR, 0600);
  eo_assert(read(file, &c, 1) >= 0, "read");
  put(file, "x");
  close(file);
  eo_choose(3);
}
EO_TEST(left_name) {
  if (access("marker", F_OK) != 0) make("marker", "x");
  eo_choose(3);
}
EO_TEST(left_to_the_machine) {
  char text[20];
  FILE *file = fopen("/proc/uptime", "r");
  eo_assert(fgets(text, sizeof text, file) && *text != 'x', "a number");
  fclose(file);
  eo_choose(3);
}
EO_TEST(left_to_links) {
  char text[20];
  eo_assert(readlink("/proc/self", text, sizeof text) > 0, "a link");
  eo_choose(3);
}
EO_TEST(left_in_pipe) {
  put(early_pipe[1], "x");
  eo_choose(3);
}

/* ---- System calls that nobody has thought about ------------------------------------------------------------------------ */

static int queue;
__attribute__((constructor)) static void make_queue(void) {
  queue = msgget(IPC_PRIVATE, 0600 | IPC_CREAT);
  struct msqid_ds about;
  msgctl(queue, IPC_STAT, &about);
}
EO_TEST(unknown_queue) {
  struct msqid_ds about;
  struct {
    long type;
    char text[4];
  } message = {1, "x"};
  eo_assert(msgctl(queue, IPC_STAT, &about) == 0, "stat");
  msgsnd(queue, &message, sizeof message.text, IPC_NOWAIT);
  eo_sleep(1);
  if (eo_choose(2)) eo_assert(about.msg_qnum > 0, "the first execution alone finds it empty");
}
__attribute__((destructor)) static void remove_queue(void) { msgctl(queue, IPC_RMID, NULL); }
EO_TEST(unknown_attributes) {
  make("contents", "old");
  eo_sleep(1);
  chmod("contents", 0640);
}

/* ---- What is printed --------------------------------------------------------------------------------------------------- */

static void prints_gone(void *unused) {
  eo_message one, two;
  (void)unused;
  eo_receive(&one, EO_FOREVER);
  eo_receive(&two, EO_FOREVER);
  if (write(STDOUT_FILENO, one.data, one.size) < 0) eo_sleep(1);
}
EO_TEST(gone_printed) {
  eo_pid to = eo_spawn(prints_gone, NULL, 0);
  for (int i = 0; i < 2; i++) eo_send(to, GO, "text", 4);
}
static void prints_later(void *unused) {
  eo_message message;
  (void)unused;
  eo_receive(&message, EO_FOREVER);
  for (int i = 0; i < 2; i++) {
    eo_sleep(1);
    eo_assert(write(STDERR_FILENO, message.data, message.size) == 4, "%s", strerror(errno));
  }
}
EO_TEST(ok_printed) {
  eo_pid to = eo_spawn(prints_later, NULL, 0);
  eo_send(to, GO, "text", 4);
  eo_sleep(1);
}

/* ---- Buffers: nothing comes to a system call ------------------------------------------------------------------------------ */

static FILE *scratch;
static char *text_of_stream;
static size_t size_of_stream;
static DIR *folder;
__attribute__((constructor)) static void open_streams(void) {
  scratch = open_memstream(&text_of_stream, &size_of_stream);
  folder = opendir(".");
}
static void prints_to_stream(void *unused) {
  (void)unused;
  eo_sleep(1);
  fprintf(scratch, "%s %f", "text", 1.5);
}
static void stream_stands_still(void *unused) {
  (void)unused;
  eo_sleep(1);
  long place = ftell(scratch);
  eo_sleep(1);
  eo_assert(ftell(scratch) == place, "the stream has moved");
}
EO_TEST(meets_in_buffer) { side_by_side(prints_to_stream, stream_stands_still); }
EO_TEST(ok_printed_by_two) { side_by_side(prints_to_stream, prints_to_stream); }
static void own_stream(void *unused) {
  char *text;
  size_t size;
  (void)unused;
  FILE *own = open_memstream(&text, &size);
  fprintf(own, "%d %s", 17, "text");
  eo_assert(ftell(own) == 7, "%ld", ftell(own));
  eo_sleep(1);
  fclose(own);
  eo_assert(strcmp(text, "17 text") == 0, "%s", text);
}
EO_TEST(ok_own_streams) { side_by_side(own_stream, own_stream); }
EO_TEST(left_in_buffer) {
  stream_stands_still(NULL);
  prints_to_stream(NULL);
  eo_flip();
}
EO_TEST(left_in_folder) {
  eo_flip();
  readdir(folder);
}

/* ---- Signals ----------------------------------------------------------------------------------------------------------- */

static volatile int handled;
static void handle(int number_of_signal) {
  (void)number_of_signal;
  handled++;
}
static sigset_t one_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return set;
}
static void blocks(void *unused) {
  sigset_t set = one_signal();
  (void)unused;
  sigprocmask(SIG_BLOCK, &set, NULL);
  eo_sleep(1);
  sigprocmask(SIG_BLOCK, NULL, &set);
  eo_assert(sigismember(&set, SIGUSR1), "its own mask");
}
static void does_not_block(void *unused) {
  sigset_t set;
  (void)unused;
  eo_sleep(1);
  sigprocmask(SIG_BLOCK, NULL, &set);
  eo_assert(!sigismember(&set, SIGUSR1), "the mask of another process");
}
EO_TEST(ok_own_masks) { side_by_side(blocks, does_not_block); }
static void is_born_blocking(void *unused) {
  sigset_t set;
  (void)unused;
  sigprocmask(SIG_BLOCK, NULL, &set);
  eo_assert(sigismember(&set, SIGUSR1), "the mask of its parent");
}
EO_TEST(ok_mask_inherited) {
  sigset_t set = one_signal();
  eo_spawn(does_not_block, NULL, 0);
  sigprocmask(SIG_BLOCK, &set, NULL);
  eo_spawn(is_born_blocking, NULL, 0);
}
static void lets_wait(void *unused) {
  sigset_t set = one_signal();
  (void)unused;
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  eo_sleep(1);
  eo_assert(handled == 0, "too early");
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  eo_assert(handled == 1, "handled %d times", handled);
}
EO_TEST(ok_signal_waits) {
  signal(SIGUSR1, handle);
  side_by_side(lets_wait, does_not_block);
}
