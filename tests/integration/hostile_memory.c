/* hostile_memory.c: wild writes, stacks, jumps, and loops wherever code of the program runs: for hostile.sh. */
#define _GNU_SOURCE
#include "hostile_act.h"

#include <alloca.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *volatile nowhere;

/* ---- Wild writes ------------------------------------------------------------------------------------------------ */

/* Fills what is mapped writable and is called that in /proc/self/maps. */
static void fill_mappings(const char *name, int byte, size_t most) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long low, high;
  while (maps && fgets(line, sizeof line, maps))
    if (strstr(line, " rw") && strstr(line, name) && sscanf(line, "%lx-%lx", &low, &high) == 2)
      memset((void *)low, byte, high - low < most ? high - low : most); // NOLINT
  if (maps) fclose(maps);
}

HOSTILE(writes_null) { *nowhere = 1; }
HOSTILE(writes_far) { *(volatile char *)(uintptr_t)0x123456789abc = 1; } // NOLINT
HOSTILE(calls_null) { ((void (*)(void))(uintptr_t)nowhere)(); }          // NOLINT
HOSTILE(writes_code) { *(volatile char *)(uintptr_t)&abort = 1; }        // NOLINT
HOSTILE(fills_cells_with_ones) { fill_mappings("/dev/zero", 0xff, 4096); }
HOSTILE(fills_cells_with_zeros) { fill_mappings("/dev/zero", 0, 4096); }
HOSTILE(fills_the_tool) { memset((void *)(uintptr_t)0x10fec0000000, 0xff, 4096); } // NOLINT
HOSTILE(fills_the_heap) { fill_mappings("[heap]", 0x41, 1 << 20); }
HOSTILE(writes_past_a_block) {
  char *block = malloc(16);
  for (int i = 0; i < 4096; i++) ((volatile char *)block)[i] = 0x41;
  free(block);
}
HOSTILE(frees_twice) {
  char *volatile block = malloc(16);
  free(block);
  free(block);
}
HOSTILE(frees_a_number) { free((void *)(uintptr_t)0x123456789ab0); } // NOLINT
HOSTILE(eats_memory) {
  volatile char *block;
  while ((block = malloc(1 << 20))) *block = 1;
}

/* ---- Stacks and jumps ------------------------------------------------------------------------------------------- */

static int descend(int depth) {
  volatile char room[1000];
  room[depth % 1000] = (char)depth;
  return descend(depth + 1) + room[0];
}
HOSTILE(recurses_for_ever) { (void)descend(0); }
HOSTILE(takes_much_stack) {
  volatile char *room = alloca((size_t)64 << 20);
  room[0] = 1;
}
HOSTILE(smashes_its_stack) {
  volatile char room[8];
  volatile char *at = room;
  for (int i = 0; i < 256; i++) at[i] = 0x41;
}

static jmp_buf elsewhere;
static void jump_back(void *argument) {
  eo_message message;
  (void)argument;
  eo_receive(&message, EO_FOREVER);
  longjmp(elsewhere, 1);
}
EO_TEST(jumps_between_processes) {
  eo_message message;
  const eo_pid child = eo_spawn(jump_back, NULL, 0);
  if (setjmp(elsewhere) == 0) {
    eo_send(child, 1, NULL, 0);
    eo_receive(&message, EO_FOREVER);
  }
}
__attribute__((noinline)) static int leave_frame(void) { return setjmp(elsewhere); }
HOSTILE(jumps_into_a_dead_frame) {
  volatile int jumps = 0;
  leave_frame();
  if (jumps++ < 3) longjmp(elsewhere, 1);
}

/* ---- Loops ------------------------------------------------------------------------------------------------------ */

static volatile uint64_t counted;

HOSTILE(loops) {
  for (;;) {}
}
HOSTILE(counts_for_ever) {
  for (;;) counted++;
}
EO_TEST(loops_at_once) {
  for (;;) {}
}

static bool never_says(const eo_message *message, void *context) {
  (void)message;
  (void)context;
  for (;;) {}
}
EO_TEST(loops_in_predicate) {
  eo_message message;
  eo_send(eo_self(), 1, NULL, 0);
  eo_receive_if(&message, never_says, NULL, EO_FOREVER);
}

static void never_returns(void *self, const eo_message *event) {
  (void)self;
  (void)event;
  for (;;) {}
}
static const eo_machine looping = {.name = "looping",
                                   EO_STATES({.name = "only", .on = EO_ON(EO_DO(1, never_returns))})};
static const eo_machine watching = {
    .name = "watching", EO_STATES({.name = "only", .on = EO_ON(EO_DO(1, never_returns))}), EO_OBSERVES(1)};
EO_TEST(loops_in_machine) { eo_send(eo_create(&looping, NULL, 0), 1, NULL, 0); }
EO_TEST(loops_in_specification) {
  eo_specify(&watching, NULL, 0);
  eo_send(eo_self(), 1, NULL, 0);
}
