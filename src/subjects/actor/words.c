/* words.c: processes, messages, events and machines in words, for describe.c. Nothing here runs while exploring. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "core/machine.h"
#include "subjects/actor/describe.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/saving.h"
#include "subjects/actor/tellings.h"

const char *eo__words_name(const eo_process *process) {
  if (process->state != EO_ALIVE) return "";
  if (process->citizen.name) return process->citizen.name->text;
  return process->machine ? eo__machine_name(process->machine->machine) : "";
}

/* "P1.2" or "P1.2 (server)". */
void eo__words_process(eo_actor *actor, eo_text *text, uint32_t number) {
  const char *name = eo__words_name(actor->known.items[number].process);
  eo__text_add(text, "%s", eo__actor_name(actor, number));
  if (*name) eo__text_add(text, " (%s)", name);
}

/* ---- Events ----------------------------------------------------------------------------------------------------- */

/* How this machine calls it. event_name is the program's: it runs on the machine's own fiber, which stands at a door. */
static bool ask_name(eo_actor *actor, eo_process *process, int tag, char *out, size_t size) {
  if (!process || process == actor->answered || actor->failed || process->state != EO_ALIVE) return false;
  if (!process->machine || !process->machine->machine->event_name || tag < 0) return false;
  actor->naming.text = out;
  actor->naming.size = size;
  actor->naming.tag = tag;
  out[0] = '\0';
  eo__undo_before(actor, process);
  eo__actor_probe(actor, process);
  actor->naming.text = NULL;
  return out[0] && !isdigit((unsigned char)out[0]); /* a number: it has no name for it */
}

static void add_tag(eo_text *text, int tag) {
  if (tag == EO_EXIT)
    eo__text_add(text, "EXIT");
  else if (tag == EO_DOWN)
    eo__text_add(text, "DOWN");
  else
    eo__text_add(text, "tag %d", tag);
}

/* As a machine calls it that sends or gets it; else as the call does that sends it. "": it has no name. */
static void name_event(eo_actor *actor, eo_process *to, eo_process *from, const eo_mail *mail, char *name,
                       size_t size) {
  if (mail->tag >= 0 && (ask_name(actor, to, mail->tag, name, size) || ask_name(actor, from, mail->tag, name, size) ||
                         eo__tellings_name(actor, mail, name, size)))
    return;
  name[0] = '\0';
}

void eo__words_event(eo_actor *actor, eo_text *text, eo_process *to, eo_process *from, const eo_mail *mail) {
  char name[64];
  name_event(actor, to, from, mail, name, sizeof name);
  if (*name)
    eo__text_add(text, "%s", name);
  else
    add_tag(text, mail->tag);
}

void eo__words_tag(eo_actor *actor, eo_text *text, eo_process *process, int tag) {
  char name[64];
  if (ask_name(actor, process, tag, name, sizeof name) ||
      eo__tellings_tag(actor, process, process->pending->place, tag, name, sizeof name))
    eo__text_add(text, "%s", name);
  else
    add_tag(text, tag);
}

/* ---- Messages --------------------------------------------------------------------------------------------------- */

/* The first bytes of a message, as text if they look like text. */
static void add_bytes(eo_text *text, const char *bytes, size_t size) {
  enum { SHOWN = 8, SHOWN_TEXT = 24 };
  if (size == 0) return;
  bool printable = size >= 2;
  for (size_t i = 0; i < size && i < SHOWN_TEXT && printable; i++)
    printable = isprint((unsigned char)bytes[i]) || (i + 1 == size && bytes[i] == 0);
  size_t most = printable ? SHOWN_TEXT : SHOWN, shown = size < most ? size : most;
  eo__text_add(text, printable ? " \"" : " [");
  for (size_t i = 0; i < shown; i++) {
    if (!printable)
      eo__text_add(text, "%s%02x", i ? " " : "", (unsigned char)bytes[i]);
    else if (bytes[i])
      eo__text_add(text, "%c", bytes[i]);
  }
  eo__text_add(text, "%s%s", shown < size ? "…" : "", printable ? "\"" : "]");
}

void eo__words_mail(eo_actor *actor, eo_text *text, const eo_mail *mail, eo_process *to) {
  char reason[32], name[64];
  eo_process *from = actor->by_number.items[mail->from];
  eo__words_event(actor, text, to, from, mail);
  name_event(actor, to, from, mail, name, sizeof name);
  if (mail->tag == EO_EXIT && mail->size == sizeof(eo_exit_info)) {
    eo_exit_info info;
    memcpy(&info, mail->bytes, sizeof info);
    eo__text_add(text, " (reason %s)", eo__reason_name(info.reason, reason, sizeof reason));
  } else if (mail->tag == EO_DOWN && mail->size == sizeof(eo_down_info)) {
    eo_down_info info;
    memcpy(&info, mail->bytes, sizeof info);
    eo__text_add(text, " (reason %s)", eo__reason_name(info.reason, reason, sizeof reason));
  } else if (!eo__tellings_value(actor, text, mail, *name ? name : NULL)) {
    add_bytes(text, mail->bytes, mail->size);
  }
}

/* ---- Machines --------------------------------------------------------------------------------------------------- */

void eo__words_dequeue(eo_actor *actor, eo_text *text, eo_process *process) {
  const eo_machine_now *now = process->machine;
  const char *state = eo__state_name(now->machine, now->state);
  if (!process->match) {
    eo__text_add(text, "has nothing to dequeue in state %s", state);
    return;
  }
  eo__text_add(text, "dequeues ");
  eo__words_mail(actor, text, *process->match, process);
  eo__text_add(text, " from ");
  eo__words_process(actor, text, (*process->match)->from);
  eo__text_add(text, " in state %s", state);
}

bool eo__words_handler(eo_actor *actor, const eo_process *process, eo_source *source) {
  const eo_machine_now *now = process->machine;
  int event = process->match ? (*process->match)->tag : EO_NULL;
  eo_action handler = eo__machine_handler(now->machine, now->state, event);
  if (!handler || !actor->symbols) return false;
  if (!eo__symbols_source(actor->symbols, (uintptr_t)handler, source) || source->line == 0) return false;
  const char *file = process->pending->place->file; /* as the macros write it, if it is the same one */
  size_t length = strlen(file), found = strlen(source->file);
  if (found > length && source->file[found - length - 1] == '/' && strcmp(source->file + found - length, file) == 0)
    source->file = file;
  return true;
}

static void add_seen(eo_actor *actor, const char *more) {
  size_t length = strlen(actor->seen);
  snprintf(actor->seen + length, sizeof actor->seen - length, "%s", more);
}

void eo__words_seen(eo_actor *actor, const eo_process *specification, int was) {
  const eo_machine_now *now = specification->machine;
  char text[300];
  if (now->state == was) return;
  snprintf(text, sizeof text, "; %s (%.100s) goes to %.100s", eo__actor_name(actor, specification->number),
           eo__machine_name(now->machine), eo__state_name(now->machine, now->state));
  add_seen(actor, text);
}

/* In the middle of a step: before what specifications make of it. */
void eo__words_announced(eo_actor *actor, eo_process *process, const eo_asked *asked, const eo_mail *mail) {
  eo_text text;
  eo__text_init(&text);
  eo__tellings_announce(actor, process, asked->place, asked->tag, asked->bytes, asked->size);
  eo__text_add(&text, "; announces ");
  eo__words_mail(actor, &text, mail, process);
  if (!text.failed) add_seen(actor, text.chars);
  eo__text_release(&text);
}

void eo__words_ignored(eo_actor *actor, eo_process *process, const eo_mail *mail) {
  eo_text text;
  eo__text_init(&text);
  eo__text_add(&text, "; %s ignores ", eo__actor_name(actor, process->number));
  eo__words_event(actor, &text, process, actor->by_number.items[mail->from], mail);
  eo__text_add(&text, " from %s", eo__actor_name(actor, mail->from));
  if (!text.failed) add_seen(actor, text.chars);
  eo__text_release(&text);
}
