/* describe.c: steps and ends in words, for the one execution that a person will read. Nothing here runs while
 * exploring. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/variables.h"

static const char *function_name(eo_actor *actor, uintptr_t address) {
  eo_source source;
  if (!actor->symbols) actor->symbols = eo_symbols_open();
  if (!actor->symbols || !eo_symbols_source(actor->symbols, address, &source)) return "";
  return source.function;
}

/* "P1.2" or "P1.2 (server)". */
static void add_process(eo_actor *actor, eo_text *text, uint32_t number) {
  const eo_process *process = actor->known.items[number].process;
  eo_text_add(text, "%s", eo__actor_name(actor, number));
  if (process->state == EO_ALIVE && process->name) eo_text_add(text, " (%s)", process->name);
}

static void add_tag(eo_text *text, int tag) {
  if (tag == EO_EXIT)
    eo_text_add(text, "EXIT");
  else if (tag == EO_DOWN)
    eo_text_add(text, "DOWN");
  else
    eo_text_add(text, "tag %d", tag);
}

/* The first bytes of a message, as text if they look like text. */
static void add_bytes(eo_text *text, const char *bytes, size_t size) {
  enum { SHOWN = 8, SHOWN_TEXT = 24 };
  if (size == 0) return;
  bool printable = size >= 2;
  for (size_t i = 0; i < size && i < SHOWN_TEXT && printable; i++)
    printable = isprint((unsigned char)bytes[i]) || (i + 1 == size && bytes[i] == 0);
  size_t most = printable ? SHOWN_TEXT : SHOWN, shown = size < most ? size : most;
  eo_text_add(text, printable ? " \"" : " [");
  for (size_t i = 0; i < shown; i++) {
    if (!printable)
      eo_text_add(text, "%s%02x", i ? " " : "", (unsigned char)bytes[i]);
    else if (bytes[i])
      eo_text_add(text, "%c", bytes[i]);
  }
  eo_text_add(text, "%s%s", shown < size ? "…" : "", printable ? "\"" : "]");
}

static void add_mail(eo_actor *actor, eo_text *text, int tag, const void *data, size_t size) {
  char reason[32];
  add_tag(text, tag);
  if (tag == EO_EXIT && size == sizeof(eo_exit_info)) {
    eo_exit_info info;
    memcpy(&info, data, sizeof info);
    eo_text_add(text, " (reason %s)", eo__reason_name(info.reason, reason, sizeof reason));
  } else if (tag == EO_DOWN && size == sizeof(eo_down_info)) {
    eo_down_info info;
    memcpy(&info, data, sizeof info);
    eo_text_add(text, " (reason %s)", eo__reason_name(info.reason, reason, sizeof reason));
  } else {
    add_bytes(text, data, size);
  }
  (void)actor;
}

static void add_expected(eo_actor *actor, eo_text *text, const eo_op *op) {
  if (op->accept) {
    const char *name = function_name(actor, (uintptr_t)op->accept);
    eo_text_add(text, "a message that %s accepts", *name ? name : "its predicate");
  } else if (op->flags & EO_OP_DEQUEUE) {
    eo_text_add(text, "an event");
  } else if (op->tags) {
    for (size_t i = 0; i < op->tag_count; i++) {
      if (i) eo_text_add(text, " or ");
      add_tag(text, op->tags[i]);
    }
  } else {
    eo_text_add(text, "any message");
  }
}

void eo__describe_line_clear(eo_actor *actor) {
  eo_line_release(&actor->line);
  memset(&actor->line, 0, sizeof actor->line);
}

/* What the process is about to do: taken before, as the operation is gone afterwards. */
static void add_intent(eo_actor *actor, eo_text *text, const eo_process *process, const eo_op *op) {
  const eo_process *other = op->pid ? eo__actor_process_of(actor, op->pid) : NULL;
  char reason[32];
  switch (op->kind) {
    case EO_OP_SPAWN: {
      const char *name = function_name(actor, (uintptr_t)op->function);
      eo_text_add(text, "%s",
                  op->flags & EO_OP_LINKED      ? "spawns and links "
                  : op->flags & EO_OP_MONITORED ? "spawns and monitors "
                                                : "spawns ");
      eo_text_add(text, "%s.%u", eo__actor_name(actor, process->number), process->children + 1);
      if (*name) eo_text_add(text, " to run %s", name);
      return;
    }
    case EO_OP_SEND:
      eo_text_add(text, "sends ");
      add_mail(actor, text, op->tag, process->outgoing->bytes, op->size);
      eo_text_add(text, " to ");
      if (op->flags & EO_OP_BY_NAME) eo_text_add(text, "\"%s\"", op->name);
      break;
    case EO_OP_RECEIVE:
      if (!process->match) {
        eo_text_add(text, "times out after %lld ms waiting for ", (long long)op->timeout);
        add_expected(actor, text, op);
        return;
      }
      eo_text_add(text, "receives ");
      add_mail(actor, text, (*process->match)->tag, (*process->match)->bytes, (*process->match)->size);
      eo_text_add(text, " from ");
      add_process(actor, text, (*process->match)->from);
      return;
    case EO_OP_EXIT:
      eo_text_add(text, "exits (%s%s", op->reason == EO_NORMAL ? "" : "reason ",
                  eo__reason_name(op->reason, reason, sizeof reason));
      if (other) eo_text_add(text, ", from %s", eo__actor_name(actor, other->number));
      eo_text_add(text, ")");
      return;
    case EO_OP_LINK: eo_text_add(text, "links to "); break;
    case EO_OP_UNLINK: eo_text_add(text, "unlinks from "); break;
    case EO_OP_MONITOR: eo_text_add(text, "monitors "); break;
    case EO_OP_TRAP_EXIT: eo_text_add(text, op->on ? "traps exits" : "stops trapping exits"); return;
    case EO_OP_DEMONITOR:
      eo_text_add(text, "ends a monitor%s", op->flags & EO_OP_FLUSHED ? " and flushes its DOWN" : "");
      return;
    case EO_OP_REGISTER: eo_text_add(text, "registers \"%s\" for ", op->name); break;
    case EO_OP_UNREGISTER: eo_text_add(text, "unregisters \"%s\"", op->name); return;
    case EO_OP_WHEREIS: eo_text_add(text, "looks up \"%s\"", op->name); return;
    case EO_OP_CHOOSE: eo_text_add(text, "chooses"); return;
    case EO_OP_SLEEP: eo_text_add(text, "sleeps %lld ms", (long long)op->timeout); return;
    case EO_OP_KINDS: return;
  }
  if (other) {
    add_process(actor, text, other->number);
    if (other->state == EO_ENDED) eo_text_add(text, ", which has ended");
  } else if (op->pid) {
    eo_text_add(text, "%llu, which is not a process", (unsigned long long)op->pid);
  }
}

/* The message that is about to be sent or received. */
static void describe_mail(eo_actor *actor, const eo_process *process, const eo_op *op) {
  eo_text text;
  eo_text_init(&text);
  if (op->kind == EO_OP_SEND)
    add_mail(actor, &text, op->tag, process->outgoing->bytes, op->size);
  else if (op->kind == EO_OP_RECEIVE && process->match)
    add_mail(actor, &text, (*process->match)->tag, (*process->match)->bytes, (*process->match)->size);
  char *copy = text.length ? eo_strdup(text.chars) : NULL;
  if (copy && !eo_vec_push(&actor->line.mails, ((eo_mailed){.text = copy}))) eo_free(copy);
  eo_text_release(&text);
}

static eo_variable *find_variable(eo_line *line, const char *name) {
  for (size_t i = 0; i < line->variables.count; i++)
    if (!line->variables.items[i].after && strcmp(line->variables.items[i].name, name) == 0)
      return &line->variables.items[i];
  return NULL;
}

/* The variables of the machine as they are now: before the step, then after it. */
static void describe_variables(eo_actor *actor, const eo_process *process, bool after) {
  const eo_machine_now *now = process->state == EO_ALIVE ? process->machine : NULL;
  eo_members members = {0};
  eo_line *line = &actor->line;
  if (!now || !now->machine->variables || !actor->symbols) return;
  eo_symbols_members(actor->symbols, now->machine->variables, now + 1, now->machine->size, &members);
  for (size_t i = 0; i < members.count; i++) {
    eo_member *member = &members.items[i];
    if (!after) {
      if (!eo_vec_push(&line->variables, ((eo_variable){.name = member->name, .before = member->value}))) break;
      *member = (eo_member){0};
    } else {
      eo_variable *variable = find_variable(line, member->name);
      if (!variable) continue; /* an array that was shown as a text before */
      variable->after = member->value;
      member->value = NULL;
    }
  }
  eo_members_release(&members);
}

/* A machine that has ended keeps the values it ended with. */
static void keep_last_values(eo_line *line) {
  for (size_t i = 0; i < line->variables.count; i++)
    if (!line->variables.items[i].after) line->variables.items[i].after = eo_strdup(line->variables.items[i].before);
}

void eo__describe_before(eo_actor *actor, const eo_process *process, const eo_op *op) {
  eo_text text;
  eo_text_init(&text);
  eo__describe_line_clear(actor);
  add_intent(actor, &text, process, op);
  if (!actor->symbols) actor->symbols = eo_symbols_open();
  const eo_place *place = op->place;
  actor->line = (eo_line){.process = eo_strdup(eo__actor_name(actor, process->number)),
                          .name = eo_strdup(process->name ? process->name : ""),
                          .op = eo_strdup(eo_op_name(op->kind)),
                          .text = eo_strdup(text.chars),
                          .file = eo_strdup(place ? place->file : ""),
                          .function = eo_strdup(place && place->function ? place->function : ""),
                          .line = place ? place->line : 0};
  eo_text_release(&text);
  describe_mail(actor, process, op);
  describe_variables(actor, process, false);
}

/* Whom the messages went to or came from. Their text is known, or is that of a message which is in a mailbox now. */
static void describe_mails(eo_actor *actor, const eo_process *process, const eo_event *event) {
  eo_line *line = &actor->line;
  uint32_t count = event->sent ? event->sent : event->message != 0;
  line->sends = event->sent > 0;
  for (uint32_t i = 0; i < count; i++) {
    if (i >= line->mails.count && !eo_vec_push(&line->mails, (eo_mailed){0})) break;
    eo_mailed *mailed = &line->mails.items[i];
    uint32_t first = event->sent ? actor->senders.items[event->message - 1].nth : 0;
    mailed->number = i ? eo__message_number(actor, process->number, first + i) : event->message;
    uint32_t to = actor->letters.items[mailed->number - 1].to;
    mailed->other = eo_strdup(eo__actor_name(actor, event->sent ? to : actor->senders.items[event->message - 1].from));
    const eo_mail *mail = actor->letters.items[mailed->number - 1].mail;
    if (mailed->text || !event->sent || actor->by_number.items[to]->state != EO_ALIVE) continue;
    eo_text text;
    eo_text_init(&text);
    add_mail(actor, &text, mail->tag, mail->bytes, mail->size);
    mailed->text = eo_strdup(text.chars);
    eo_text_release(&text);
  }
  while (line->mails.count > count) eo_free(eo_vec_pop(&line->mails).text);
}

/* What came of it, where the intent does not say it. */
void eo__describe_after(eo_actor *actor, const eo_process *process, const eo_event *event, uint32_t value) {
  const char *result = NULL;
  char number[48];
  const eo_process *other = event->other == EO_NO_PROCESS ? NULL : actor->known.items[event->other].process;
  actor->line.value = event->op == EO_OP_CHOOSE ? value : 0;
  actor->line.other = eo_strdup(other ? eo__actor_name(actor, other->number) : "");
  describe_mails(actor, process, event);
  describe_variables(actor, process, true);
  keep_last_values(&actor->line);
  if (event->op == EO_OP_CHOOSE) {
    snprintf(number, sizeof number, " %u", value);
    result = number;
  } else if (event->op == EO_OP_WHEREIS) {
    snprintf(number, sizeof number, ": %s", other ? eo__actor_name(actor, other->number) : "nobody");
    result = number;
  } else if (event->op == EO_OP_REGISTER && !(other && other->name && other->state == EO_ALIVE)) {
    result = ": refused";
  } else if (event->op == EO_OP_SEND && !other && !actor->failed) {
    result = ", which nobody has";
  }
  (void)process;
  if (!result || !actor->line.text) return;
  size_t length = strlen(actor->line.text), more = strlen(result) + 1;
  char *longer = eo_realloc(actor->line.text, length + more);
  if (!longer) return;
  memcpy(longer + length, result, more);
  actor->line.text = longer;
}

/* ---- Ends ------------------------------------------------------------------------------------------------------- */

void eo__describe_deadlock(eo_actor *actor) {
  eo_text text;
  const eo_process *first = NULL;
  size_t waiting = 0;
  eo_text_init(&text);
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *process = actor->live.items[i];
    if (process->state != EO_ALIVE || eo__actor_rests(process)) continue;
    if (!first) first = process;
    eo_text_add(&text, "%s%s", waiting++ ? ", " : "", eo__actor_name(actor, process->number));
  }
  eo__actor_fail(actor, EO_KIND_DEADLOCK, first, first ? first->pending->place : NULL,
                 "%s wait%s for a message that nobody will send", text.chars, waiting == 1 ? "s" : "");
  eo_text_release(&text);
}

static bool add_string(eo_strings *strings, const char *chars) {
  char *copy = eo_strdup(chars);
  if (copy && eo_vec_push(strings, copy)) return true;
  eo_free(copy);
  return false;
}

static bool add_waiting(eo_actor *actor, const eo_process *process, eo_strings *strings) {
  const eo_op *op = process->pending;
  eo_text text;
  eo_text_init(&text);
  add_process(actor, &text, process->number);
  eo_text_add(&text, " waits for ");
  add_expected(actor, &text, op);
  if (op->place) eo_text_add(&text, " at %s:%d", op->place->file, op->place->line);
  eo_text_add(&text, process->mailbox ? "; unread: " : "; its mailbox is empty");
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    add_mail(actor, &text, mail->tag, mail->bytes, mail->size);
    eo_text_add(&text, " from %s%s", eo__actor_name(actor, mail->from), mail->next ? ", " : "");
  }
  bool added = !text.failed && add_string(strings, text.chars);
  eo_text_release(&text);
  return added;
}

static bool add_frame(eo_actor *actor, const char *before, uintptr_t pc, eo_strings *strings) {
  char text[768];
  eo_source source = {"", "", 0};
  if (actor->symbols) eo_symbols_source(actor->symbols, pc, &source);
  if (source.line)
    snprintf(text, sizeof text, "%s%s at %s:%d", before, *source.function ? source.function : "?", source.file,
             source.line);
  else
    snprintf(text, sizeof text, "%s%s", before, *source.function ? source.function : "?");
  return add_string(strings, text);
}

static bool add_access(eo_actor *actor, const eo_access *access, eo_strings *strings) {
  char before[128];
  snprintf(before, sizeof before, "%s %s it in ", eo__actor_name(actor, access->process),
           access->write ? "changes" : "reads");
  return add_frame(actor, before, access->pc, strings);
}

bool eo__describe_end(eo_actor *actor, eo_finding *finding) {
  if (finding->failure.kind == EO_KIND_DEADLOCK)
    for (size_t i = 0; i < actor->live.count; i++)
      if (actor->live.items[i]->state == EO_ALIVE && !actor->live.items[i]->observes &&
          !add_waiting(actor, actor->live.items[i], &finding->waiting))
        return false;
  if (!actor->symbols) actor->symbols = eo_symbols_open();
  if (finding->failure.kind == EO_KIND_SHARING)
    return add_access(actor, &actor->sharing.first, &finding->backtrace) &&
           add_access(actor, &actor->sharing.second, &finding->backtrace);
  for (uint32_t i = 0; i < finding->failure.frames; i++) {
    uintptr_t pc = finding->failure.stack[i];
    if (strcmp(function_name(actor, pc), "first_function") == 0) break; /* from here on it is ours */
    if (!add_frame(actor, "", pc, &finding->backtrace)) return false;
  }
  return true;
}
