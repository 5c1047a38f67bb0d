/* outside_map.c: a program that maps memory (outside_map.sh). What a test is called says what must come out. */
#include <dlfcn.h>
#include <everyorder.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIZE = 8192, READ_WRITE = PROT_READ | PROT_WRITE };

static int *own, *shared, *of_file, *grown, *below_break, *segment;
static int variables[2 * 4096 / sizeof(int)];

/* Before anything is explored. */
__attribute__((constructor)) static void prepare(void) {
  int file = open("mapped", O_RDWR | O_CREAT, 0600);
  if (ftruncate(file, SIZE) != 0) abort();
  own = mmap(NULL, SIZE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  shared = mmap(NULL, SIZE, READ_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  of_file = mmap(NULL, SIZE, READ_WRITE, MAP_PRIVATE, file, 0);
  grown = mremap(mmap(NULL, SIZE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), SIZE, 4 * SIZE, MREMAP_MAYMOVE);
  munmap(mmap(NULL, SIZE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), SIZE);
  close(file);
  below_break = sbrk(SIZE);
  int number = shmget(IPC_PRIVATE, SIZE, 0600 | IPC_CREAT);
  segment = shmat(number, NULL, 0);
  shmctl(number, IPC_RMID, NULL);
}

static void adds(void *argument) {
  int *number = *(int **)argument;
  eo_sleep(1);
  ++*number;
}
static void both_add(int *number) {
  eo_spawn(adds, &number, sizeof number);
  adds(&number);
}
EO_TEST(sharing_own) { both_add(own); }
EO_TEST(sharing_of_file) { both_add(of_file); }
EO_TEST(sharing_grown) { both_add(&grown[3 * SIZE / (int)sizeof(int)]); }
EO_TEST(ok_goes_back) {
  eo_assert(*own == 0 && *of_file == 0 && *grown == 0, "left by an execution before");
  *own = *of_file = *grown = 1 + (int)eo_choose(2);
  eo_sleep(1);
}
EO_TEST(ok_reads_shared) {
  eo_sleep(1);
  eo_assert(*shared == 0, "written");
  eo_choose(2);
}
EO_TEST(part_writes_shared) {
  eo_sleep(1);
  ++*shared;
  eo_choose(2);
}
EO_TEST(part_both_write_shared) { both_add(shared); }
EO_TEST(part_system_writes_shared) {
  int file = open("/dev/zero", O_RDONLY);
  eo_assert(read(file, shared, sizeof *shared) == sizeof *shared, "read");
  eo_choose(2);
}

/* In a process. */
EO_TEST(ok_maps) {
  enum { LAST = 100000 / sizeof(int) - 1 };
  int *memory = mmap(NULL, 100000, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  eo_assert(memory != MAP_FAILED && (uintptr_t)memory % 4096 == 0 && memory[LAST] == 0, "no new memory");
  memory[LAST] = 1 + (int)eo_choose(2);
  eo_sleep(1);
  memory = mremap(memory, 100000, 200000, MREMAP_MAYMOVE);
  eo_assert(memory != MAP_FAILED && memory[LAST] && !memory[2 * LAST], "moved");
  eo_assert(mprotect(memory, 4096, READ_WRITE) == 0 && munmap(memory, 200000) == 0, "given back");
  eo_choose(2);
}
EO_TEST(sharing_maps) { both_add(mmap(NULL, 4096, READ_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)); }
EO_TEST(ok_maps_file) {
  int file = open("mapped", O_RDONLY);
  const int *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  eo_sleep(1);
  eo_assert(*memory == 0, "what is in the file");
  eo_choose(2);
}
EO_TEST(part_maps_file_to_write) {
  int file = open("mapped", O_RDWR);
  int *memory = mmap(NULL, 4096, READ_WRITE, MAP_SHARED, file, 0);
  close(file);
  eo_sleep(1);
  ++memory[1];
}
EO_TEST(part_maps_by_hand) {
  int *memory = (int *)syscall(SYS_mmap, NULL, 4096, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
  eo_sleep(1);
  ++*memory;
}
EO_TEST(part_loads_a_library) {
  void *library = dlopen("./libcounts.so", RTLD_NOW);
  eo_assert(library, "%s", dlerror());
  ((int (*)(void))dlsym(library, "counts"))();
  eo_choose(2);
}
EO_TEST(ok_loads_what_is_there) { eo_assert(dlopen("libc.so.6", RTLD_NOW) && dlopen(NULL, RTLD_NOW), "%s", dlerror()); }
EO_TEST(outside_fixed) { mmap(own, 4096, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); }
EO_TEST(outside_protects) { mprotect((void *)(((uintptr_t)variables + 4095) & ~(uintptr_t)4095), 4096, PROT_READ); }
static ucontext_t home, away;
static void operates(void) {
  volatile int value = (int)eo_choose(2);
  eo_sleep(1);
  eo_assert(value < 2, "on its own stack");
}
EO_TEST(ok_own_stack) {
  getcontext(&away);
  away.uc_stack.ss_sp = mmap(NULL, 16 * SIZE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  away.uc_stack.ss_size = (size_t)16 * SIZE;
  away.uc_link = &home;
  makecontext(&away, operates, 0);
  swapcontext(&home, &away);
  eo_flip();
}
EO_TEST(outside_protects_by_hand) {
  syscall(SYS_mprotect, (void *)(((uintptr_t)variables + 4095) & ~(uintptr_t)4095), 4096L, READ_WRITE);
}
EO_TEST(part_moves_break_by_hand) {
  char *now = (char *)syscall(SYS_brk, 0L);
  syscall(SYS_brk, now + SIZE);
  eo_choose(2);
}
EO_TEST(outside_unmaps) { munmap(own, 4096); }
EO_TEST(outside_moves) { mremap(own, 4096, SIZE, MREMAP_MAYMOVE); }
EO_TEST(outside_throws_away) {
  madvise((void *)(((uintptr_t)variables + 4095) & ~(uintptr_t)4095), 4096, MADV_DONTNEED);
}
EO_TEST(ok_throws_away) {
  char *memory = mmap(NULL, SIZE, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory[5] = 1;
  eo_assert(madvise(memory, SIZE, MADV_DONTNEED) == 0 && memory[5] == 0, "zero");
  munmap(memory, SIZE);
}
EO_TEST(ok_locks) {
  eo_assert(mlockall(MCL_CURRENT) == 0 && mlock(own, SIZE) == 0 && munlockall() == 0, "nothing happens");
  eo_choose(2);
}
EO_TEST(sharing_below_break) { both_add(below_break); }
EO_TEST(ok_break_goes_back) {
  eo_assert(*below_break == 0 && sbrk(0) == (char *)below_break + SIZE, "left by an execution before");
  *below_break = 1 + (int)eo_choose(2);
  eo_sleep(1);
}
EO_TEST(part_moves_break) {
  int *more = sbrk(SIZE);
  ++*more;
  eo_choose(2);
}
EO_TEST(part_segment) { both_add(segment); }
EO_TEST(part_attaches_segment) {
  int number = shmget(IPC_PRIVATE, SIZE, 0600 | IPC_CREAT);
  int *here = shmat(number, NULL, 0);
  shmctl(number, IPC_RMID, NULL);
  ++*here;
  shmdt(here);
}
EO_TEST(part_named_semaphore) {
  sem_t *semaphore = sem_open("/eo_outside_map", O_CREAT, 0600, 1);
  sem_unlink("/eo_outside_map");
  sem_post(semaphore);
}
