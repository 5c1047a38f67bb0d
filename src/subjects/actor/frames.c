/* frames.c: the calls that a process stands in, innermost first, for describing what it is about to do. By libdwfl from the registers that the
 * switch has left on its stack (fiber/fiber.h): nothing runs on the process's fiber, and nothing there changes. Memory is
 * read through /proc, which fails where a pointer is bad. */
#include <dwarf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "subjects/actor/symbols_inside.h"

enum { MOST_FRAMES = 64 };

typedef struct stack_walk {
  uintptr_t *out;
  size_t count, room;
} stack_walk;

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *context) {
  (void)dwfl, (void)context;
  struct iovec here = {result, sizeof *result}, there = {(void *)(uintptr_t)address, sizeof *result};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof *result;
}

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread) {
  (void)dwfl;
  if (*thread) return 0;
  *thread = context;
  return getpid();
}

static bool get_thread(Dwfl *dwfl, pid_t id, void *context, void **thread) {
  (void)dwfl, (void)id;
  *thread = context;
  return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context) {
  const eo_fiber *fiber = eo__symbols_fiber(context);
  const char *sp = fiber->sp;
  Dwarf_Word saved[12];
  memcpy(saved, sp, sizeof saved);
#if defined(__x86_64__)
  Dwarf_Word registers[17] = {
      [3] = saved[1], [6] = saved[2], [7] = (Dwarf_Word)(uintptr_t)(sp + 3 * 8 + 128), [16] = saved[0]};
  return dwfl_thread_state_registers(thread, 0, 17, registers);
#else
  Dwarf_Word registers[32] = {[31] = (Dwarf_Word)(uintptr_t)(sp + 160)};
  memcpy(registers + 19, saved, sizeof saved);
  dwfl_thread_state_register_pc(thread, saved[11]);
  return dwfl_thread_state_registers(thread, 0, 32, registers);
#endif
}

static const Dwfl_Thread_Callbacks callbacks = {.next_thread = next_thread,
                                                .get_thread = get_thread,
                                                .memory_read = read_memory,
                                                .set_initial_registers = set_registers};

static int note_frame(Dwfl_Frame *frame, void *context) {
  stack_walk *walk = context;
  Dwarf_Addr pc;
  bool activation;
  if (walk->count == walk->room || !dwfl_frame_pc(frame, &pc, &activation)) return DWARF_CB_ABORT;
  walk->out[walk->count++] = (uintptr_t)pc - !activation; /* return addresses: the call is before them */
  return DWARF_CB_OK;
}

/* A function that macros of everyorder.h call: "eo_send_". */
static bool is_door(const char *function) {
  size_t length = strlen(function);
  return strncmp(function, "eo_", 3) == 0 && function[length - 1] == '_';
}

size_t eo__symbols_frames(eo_symbols *symbols, const eo_fiber *fiber, uintptr_t *out, size_t room) {
  uintptr_t frames[MOST_FRAMES];
  stack_walk walk = {.out = frames, .room = MOST_FRAMES};
  if (!eo__symbols_look_at(symbols, fiber, &callbacks)) return 0;
  dwfl_getthread_frames(eo__symbols_dwfl(symbols), getpid(), note_frame, &walk);
  size_t first = 0, kept = 0;
  for (size_t i = 0; i < walk.count && i < 6; i++) { /* what lies inside the door is ours */
    eo_source source;
    if (eo__symbols_source(symbols, frames[i], &source) && is_door(source.function)) first = i + 1;
  }
  for (size_t i = first; first > 0 && i < walk.count && kept < room; i++) {
    eo_source source;
    if (eo__symbols_source(symbols, frames[i], &source) && strcmp(source.function, "first_function") == 0) break;
    out[kept++] = frames[i];
  }
  return kept;
}
