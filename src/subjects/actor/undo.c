/* undo.c: going back to a saved state by what has changed since, which near the end of an execution is little.
 *
 * The log holds saved states (save.c) and notes, in the order they were made. A note is the memory of one process, its
 * stack and its heap, as it was when a state was saved; it is made before that memory changes for the first time after
 * that. Going back puts back what was noted since, of each process the first note. Of a process that has started since, the note is
 * empty: all of its memory is zero again. So what is put back equals what was there byte for byte, dead parts of stacks
 * included; not those in a lean world (fingerprint.c), where they mean nothing.
 *
 * The memory of a process is changed by the process itself, and by the engine on its behalf, as long as nobody else
 * knows its address. An address can get out in a message, in the argument of a spawn, or through a global. From then on
 * states are saved in whole pages (snapshot.c). States from before that are still good: whoever gives an address away is
 * running, so its memory has been noted. */
#include <string.h>

#include "base/map.h"
#include "subjects/actor/heap.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/pages.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/saving.h"

#define PLENTY ((size_t)1 << 30)

/* With more on the heaps, whole pages cost less, since those that have not changed need not be copied. */
#define MOST_ON_HEAPS ((size_t)256 << 10)

typedef struct eo_note {
  const struct eo_note *previous;
  eo_process *process;
  bool whole;         /* what is dead on the stack, too: outside of the noted part, all of it was zero */
  char *from;         /* the part of the stack */
  size_t stack, heap; /* how much of each; of the heap, from its lower end */
  char bytes[];       /* of the stack, then of the heap */
} eo_note;

static size_t room_of(size_t stack, size_t heap) { return sizeof(eo_note) + stack + heap; }

bool eo__undo_open(eo_actor *actor) {
  actor->undo.room = actor->options.undo_log ? actor->options.undo_log : PLENTY;
  void *log =
      eo__map(NULL, actor->undo.room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (log == MAP_FAILED) return false;
  actor->undo.log = log;
  return true;
}

void eo__undo_close(eo_actor *actor) {
  if (actor->undo.log) munmap(actor->undo.log, actor->undo.room);
}

void *eo__undo_room(eo_actor *actor, size_t size) {
  eo_undo *undo = &actor->undo;
  size = (size + 63) & ~(size_t)63;
  if (size > undo->room - undo->used) return NULL;
  void *room = undo->log + undo->used;
  undo->used += size;
  return room;
}

void eo__undo_saved(eo_actor *actor, bool by_notes) {
  eo_undo *undo = &actor->undo;
  if (by_notes) undo->newest = ++undo->last;
  undo->states++;
  undo->typical = (undo->typical + undo->used - undo->cut) / 2;
  undo->cut = undo->used;
}

void eo__undo_cut(eo_actor *actor, const eo_undo *then) {
  actor->undo.newest = then->newest;
  actor->undo.notes = then->notes;
  actor->undo.used = actor->undo.cut = then->used;
}

void eo__undo_forgot(eo_actor *actor) {
  static const eo_undo empty = {0};
  if (--actor->undo.states) return;
  eo__undo_cut(actor, &empty);
  actor->undo.spoiled = false;
  for (size_t i = 0; i < actor->live.count; i++) actor->live.items[i]->kept = NULL;
}

bool eo__undo_enough(const eo_actor *actor) {
  return !actor->world.addresses_out && !actor->undo.spoiled && actor->world.heaps <= MOST_ON_HEAPS &&
         eo__capture_plain(actor->capture);
}

/* A stack uses little of its lowest page, and less of what lies above its last message. Looking for where it ends costs less
 * than to copy zeros there and back. */
static char *lowest_used(const eo_actor *actor, const eo_process *process, const char *end) {
  char *low = process->arena + EO_STACK_SIZE - eo__capture_stack(actor->capture, process->slot);
  return eo__bytes_skip_zeros(low, end);
}

static char *highest_used(const eo_process *process) {
  char *top = process->arena + EO_STACK_SIZE;
  size_t above = (size_t)(top - eo__actor_stack_end(process)) / EO__WIDE_BLOCK * EO__WIDE_BLOCK;
  return eo__bytes_skip_zeros(top - above, top) == top ? top - above : top;
}

void eo__undo_note(eo_actor *actor, eo_process *process, bool starts) {
  char *top = process->arena + EO_STACK_SIZE;
  bool whole = starts || !actor->world.lean;
  char *used = starts ? top : eo__actor_stack_from(process);
  char *from = whole && !starts ? lowest_used(actor, process, used) : used;
  char *end = starts ? top : whole ? highest_used(process) : eo__actor_stack_end(process);
  size_t stack = (size_t)(end - from), heap = starts ? 0 : eo__heap_used(process);
  eo_note *note = eo__undo_room(actor, room_of(stack, heap));
  if (!note) {
    actor->undo.spoiled = true;
    return;
  }
  note->previous = actor->undo.notes;
  note->process = process;
  note->whole = whole;
  note->from = from;
  note->stack = stack;
  note->heap = heap;
  eo__bytes_move(note->bytes, note->from, stack);
  if (heap) eo__bytes_move(note->bytes + stack, top, heap);
  actor->undo.notes = note;
  process->noted = actor->undo.newest;
  process->kept = NULL;
}

/* Makes zero again what was zero, where it is not. */
static void clear(eo_actor *actor, char *from, char *end) {
  from = eo__bytes_skip_zeros(from, end);
  if (from < end) eo__capture_put(actor->capture, from, NULL, (size_t)(end - from));
}

static void put_back(eo_actor *actor, const eo_note *note) {
  char *top = note->process->arena + EO_STACK_SIZE;
  size_t heap = eo__heap_used(note->process);
  if (note->whole) {
    clear(actor, top - eo__capture_stack(actor->capture, note->process->slot), note->from);
    clear(actor, note->from + note->stack, top);
  }
  if (note->stack) eo__capture_put(actor->capture, note->from, note->bytes, note->stack);
  /* A write that overran the last block is cleared as far as its page goes. */
  heap = (heap + EO_PAGE - 1) & ~(size_t)(EO_PAGE - 1);
  if (heap > note->heap) eo__capture_put(actor->capture, top + note->heap, NULL, heap - note->heap);
  if (note->heap) eo__capture_put(actor->capture, top, note->bytes + note->stack, note->heap);
}

const eo_note *eo__undo_notes(eo_actor *actor, const eo_note *last) {
  const eo_note *oldest = NULL;
  for (const eo_note *note = actor->undo.notes; note != last; note = note->previous) {
    note->process->first_note = note;
    oldest = note;
  }
  for (const eo_note *note = actor->undo.notes; note != last; note = note->previous)
    if (note->process->first_note == note) put_back(actor, note); /* those made later are of no account */
  if (!eo__capture_plain(actor->capture)) eo__capture_reset_globals(actor->capture);
  return oldest;
}

/* The next execution mostly goes on with the process that the last one went on with, in another way: then the same note
 * would be made again. So it stays, if it is the first thing in the log behind the state. Its process needs no note until
 * another state is saved; `kept` goes, since the copy does not say so. */
void eo__undo_keep(eo_actor *actor, const eo_note *note) {
  eo_undo *undo = &actor->undo;
  if (!note || !note->stack || (const char *)note != undo->log + undo->used) return;
  (void)eo__undo_room(actor, room_of(note->stack, note->heap));
  undo->notes = note;
  note->process->noted = undo->newest;
  note->process->kept = NULL;
}
