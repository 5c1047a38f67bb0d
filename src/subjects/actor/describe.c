/* describe.c: steps and ends in words, for the one execution that a person will read. Nothing here runs while
 * exploring. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/copies.h"
#include "base/text.h"
#include "core/machine.h"
#include "subjects/actor/describe.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"
#include "subjects/actor/tellings.h"
#include "subjects/actor/variables.h"

static const char *function_name(eo_actor *actor, uintptr_t address) {
  eo_source source;
  if (!actor->symbols) actor->symbols = eo__symbols_open();
  if (!actor->symbols || !eo__symbols_source(actor->symbols, address, &source)) return "";
  return source.function;
}

static void add_expected(eo_actor *actor, eo_text *text, eo_process *process, const eo_op *op) {
  if (op->accept) {
    const char *name = function_name(actor, (uintptr_t)op->accept);
    eo__text_add(text, "a message that %s accepts", *name ? name : "its predicate");
  } else if (op->flags & EO_OP_DEQUEUE) {
    eo__text_add(text, "an event in state %s", eo__state_name(process->machine->machine, process->machine->state));
  } else if (op->tags) {
    for (size_t i = 0; i < op->tag_count; i++) {
      if (i) eo__text_add(text, " or ");
      eo__words_tag(actor, text, process, op->tags[i]);
    }
  } else {
    eo__text_add(text, "any message");
  }
}

void eo__describe_line_clear(eo_actor *actor) {
  eo__line_release(&actor->line);
  memset(&actor->line, 0, sizeof actor->line);
}

/* Of a send; NULL: nobody is. */
static eo_process *receiver(eo_actor *actor, const eo_op *op) {
  if (!(op->flags & EO_OP_BY_NAME)) return eo__actor_process_of(actor, op->pid);
  const eo_citizen *holder = eo__society_holder(&actor->world.society, op->name);
  return holder ? eo__process_of(holder) : NULL;
}

/* "P1.2's exit signal (reason 3) reaches P1.3". */
static void add_arrival(eo_actor *actor, eo_text *text, const eo_courier *courier) {
  eo_process *to = actor->by_number.items[courier->to];
  char reason[32];
  eo__words_process(actor, text, courier->from);
  eo__text_add(text, "'s ");
  if (courier->mail)
    eo__words_mail(actor, text, courier->mail, to);
  else
    eo__text_add(text, "exit signal (%s%s)", courier->reason == EO_NORMAL ? "" : "reason ",
                 eo__reason_name(courier->reason, reason, sizeof reason));
  eo__text_add(text, " reaches ");
  eo__words_process(actor, text, courier->to);
  if (to->state == EO_ENDED) eo__text_add(text, ", which has ended");
}

/* What the process is about to do: taken before, as the operation is gone afterwards. */
static void add_intent(eo_actor *actor, eo_text *text, eo_process *process, const eo_op *op) {
  eo_process *other = op->pid ? eo__actor_process_of(actor, op->pid) : NULL;
  char reason[32];
  switch (op->kind) {
    case EO_OP_SPAWN: {
      const eo_machine *machine =
          process->outgoing ? eo__machine_created(op->function, process->outgoing->bytes) : NULL;
      const char *name = machine ? "" : eo__copy_name((uintptr_t)op->function);
      if (!machine && !*name) name = function_name(actor, (uintptr_t)op->function);
      eo__text_add(text, "%s",
                   machine                       ? "creates "
                   : op->flags & EO_OP_LINKED    ? "spawns and links "
                   : op->flags & EO_OP_MONITORED ? "spawns and monitors "
                                                 : "spawns ");
      if (machine) eo__text_add(text, "%s ", eo__machine_name(machine));
      eo__text_add(text, "%s.%u", eo__actor_name(actor, process->number), process->children + 1);
      if (*name) eo__text_add(text, " to run %s", name);
      return;
    }
    case EO_OP_SEND:
      eo__text_add(text, "sends ");
      eo__words_mail(actor, text, process->outgoing, receiver(actor, op));
      eo__text_add(text, " to ");
      if (op->flags & EO_OP_BY_NAME) eo__text_add(text, "\"%s\"", op->name);
      break;
    case EO_OP_RECEIVE:
      if (op->flags & EO_OP_DEQUEUE) {
        eo__words_dequeue(actor, text, process);
        return;
      }
      if (!process->match) {
        eo__text_add(text, "times out after %lld ms waiting for ", (long long)op->timeout);
        add_expected(actor, text, process, op);
        return;
      }
      eo__text_add(text, "receives ");
      eo__words_mail(actor, text, *process->match, process);
      eo__text_add(text, " from ");
      eo__words_process(actor, text, (*process->match)->from);
      return;
    case EO_OP_EXIT:
      if (op->flags & EO_OP_HALT) {
        eo__text_add(text, "halts");
        return;
      }
      eo__text_add(text, "exits (%s%s", op->reason == EO_NORMAL ? "" : "reason ",
                   eo__reason_name(op->reason, reason, sizeof reason));
      if (other) eo__text_add(text, ", from %s", eo__actor_name(actor, other->number));
      eo__text_add(text, ")");
      return;
    case EO_OP_LINK: eo__text_add(text, "links to "); break;
    case EO_OP_UNLINK: eo__text_add(text, "unlinks from "); break;
    case EO_OP_MONITOR:
      eo__text_add(text, "monitors ");
      if (op->flags & EO_OP_BY_NAME) eo__text_add(text, "\"%s\"", op->name);
      break;
    case EO_OP_KILL:
      eo__text_add(text, "sends an exit signal (%s%s) to ", op->reason == EO_NORMAL ? "" : "reason ",
                   eo__reason_name(op->reason, reason, sizeof reason));
      break;
    case EO_OP_IS_ALIVE: eo__text_add(text, "asks whether this process is alive: "); break;
    case EO_OP_TRAP_EXIT: eo__text_add(text, op->on ? "traps exits" : "stops trapping exits"); return;
    case EO_OP_DEMONITOR:
      eo__text_add(text, "ends a monitor%s", op->flags & EO_OP_FLUSHED ? " and flushes its DOWN" : "");
      return;
    case EO_OP_REGISTER: eo__text_add(text, "registers \"%s\" for ", op->name); break;
    case EO_OP_UNREGISTER: eo__text_add(text, "unregisters \"%s\"", op->name); return;
    case EO_OP_WHEREIS: eo__text_add(text, "looks up \"%s\"", op->name); return;
    case EO_OP_CHOOSE: eo__text_add(text, op->flags & EO_OP_FLIP ? "flips" : "chooses"); return;
    case EO_OP_FAULT: eo__text_add(text, "fault \"%s\"", op->name); return;
    case EO_OP_SLEEP: eo__text_add(text, "sleeps %lld ms", (long long)op->timeout); return;
    case EO_OP_SIGNAL: add_arrival(actor, text, process->courier); return;
    case EO_OP_KINDS: return;
  }
  if (other) {
    eo__words_process(actor, text, other->number);
    if (other->state == EO_ENDED) eo__text_add(text, ", which has ended");
  } else if (op->pid) {
    eo__text_add(text, "%llu, which is not a process", (unsigned long long)op->pid);
  }
}

/* The message that is about to be sent or received. */
static void describe_mail(eo_actor *actor, eo_process *process, const eo_op *op) {
  eo_text text;
  eo__text_init(&text);
  if (op->kind == EO_OP_SEND)
    eo__words_mail(actor, &text, process->outgoing, receiver(actor, op));
  else if (op->kind == EO_OP_RECEIVE && process->match)
    eo__words_mail(actor, &text, *process->match, process);
  char *copy = text.length ? eo__strdup(text.chars) : NULL;
  if (copy && !eo_vec_push(&actor->line.mails, ((eo_mailed){.text = copy}))) eo__free(copy);
  eo__text_release(&text);
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
  const eo_value_style style = eo__tellings_style(actor, NULL);
  eo_line *line = &actor->line;
  if (!now || !now->machine->variables || !actor->symbols) return;
  eo__symbols_members(actor->symbols, now->machine->variables, now + 1, now->machine->size, &style, &members);
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
  eo__members_release(&members);
}

/* A machine that has ended keeps the values it ended with. */
static void keep_last_values(eo_line *line) {
  for (size_t i = 0; i < line->variables.count; i++)
    if (!line->variables.items[i].after) line->variables.items[i].after = eo__strdup(line->variables.items[i].before);
}

/* As the macros would write it, if the program calls both files alike: "src/raft.c" of "/home/me/src/raft.c". */
static const char *as_written(eo_actor *actor, const eo_process *process, const eo_place *place, const char *file) {
  eo_source own;
  uintptr_t pc;
  if (!eo__symbols_frames(actor->symbols, &process->fiber, &pc, 1)) return file;
  if (!eo__symbols_source(actor->symbols, pc, &own)) return file;
  size_t length = strlen(own.file), written = strlen(place->file);
  if (length < written || strcmp(own.file + length - written, place->file) != 0) return file;
  return strncmp(file, own.file, length - written) == 0 ? file + length - written : file;
}

/* "raft.c:19"; NULL: nobody has called the function, there is no memory, or it is a courier, which has no code. */
static char *caller_of(eo_actor *actor, const eo_process *process, const eo_place *place) {
  eo_source source;
  char text[512];
  if (process->courier || !actor->symbols || !eo__symbols_caller(actor->symbols, &process->fiber, &source)) return NULL;
  snprintf(text, sizeof text, "%.480s:%d", as_written(actor, process, place, source.file), source.line);
  return eo__strdup(text);
}

/* A caller is of interest where a place is come to from several. */
static void keep_callers_of_helpers(eo_finding *finding) {
  EO_VEC(const eo_line *) firsts = {0}; /* of each place */
  EO_VEC(bool) many = {0};
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < finding->lines.count; i++) {
      eo_line *line = &finding->lines.items[i];
      size_t k = 0;
      if (!line->file) continue; /* there was no memory */
      while (k < firsts.count &&
             !(firsts.items[k]->line == line->line && strcmp(firsts.items[k]->file, line->file) == 0))
        k++;
      if (round == 0 && k == firsts.count && !(eo_vec_push(&firsts, line) && eo_vec_push(&many, false))) break;
      if (round == 0 && strcmp(eo_line_caller(firsts.items[k]), eo_line_caller(line)) != 0) many.items[k] = true;
      if (round == 1 && line->caller && !(k < many.count && many.items[k])) line->caller[0] = '\0';
    }
  eo_vec_release(&firsts);
  eo_vec_release(&many);
}

void eo__describe_before(eo_actor *actor, eo_process *process, const eo_op *op) {
  eo_text text;
  eo__text_init(&text);
  eo__describe_line_clear(actor);
  if (!actor->symbols) actor->symbols = eo__symbols_open();
  if (op->kind == EO_OP_SEND) eo__tellings_begin(actor, process, op->place, op->tag, op->data, op->size);
  add_intent(actor, &text, process, op);
  actor->chosen_of = op->flags & EO_OP_FLIP ? 0 : op->n;
  actor->was_state = process->machine ? process->machine->state : -1;
  actor->seen[0] = '\0';
  eo_source source = {"", "", 0};
  bool handled = op->flags & EO_OP_DEQUEUE && eo__words_handler(actor, process, &source);
  if (op->kind == EO_OP_SLEEP && !op->place && actor->symbols) /* sleep and its kind (outside_time.c) */
    handled = eo__symbols_source(actor->symbols, (uintptr_t)op->context - 1, &source);
  const eo_place handler = {source.file, source.function, source.line, NULL}, *place = handled ? &handler : op->place;
  actor->line = (eo_line){.process = eo__strdup(eo__actor_name(actor, process->number)),
                          .name = eo__strdup(eo__words_name(process)),
                          .op = eo__strdup(eo__op_name(op->kind)),
                          .text = eo__strdup(text.chars),
                          .file = eo__strdup(place ? place->file : ""),
                          .function = eo__strdup(place && place->function ? place->function : ""),
                          .line = place ? place->line : 0};
  eo__text_release(&text);
  if (op->place && !handled) actor->line.caller = caller_of(actor, process, op->place);
  describe_mail(actor, process, op);
  describe_variables(actor, process, false);
}

/* Whom the messages went to or came from. Their text is known, or is that of a message which is in a mailbox now. */
static void describe_mails(eo_actor *actor, const eo_event *event) {
  eo_line *line = &actor->line;
  uint32_t count = event->sent ? event->sent : event->message != 0;
  line->sends = event->sent > 0;
  for (uint32_t i = 0; i < count; i++) {
    if (i >= line->mails.count && !eo_vec_push(&line->mails, (eo_mailed){0})) break;
    eo_mailed *mailed = &line->mails.items[i];
    mailed->number = i ? eo__message_after(actor, line->mails.items[i - 1].number) : event->message;
    uint32_t to = actor->letters.items[mailed->number - 1].to;
    mailed->other = eo__strdup(eo__actor_name(actor, event->sent ? to : actor->senders.items[event->message - 1].from));
    const eo_mail *mail = actor->letters.items[mailed->number - 1].mail;
    if (mailed->text || !event->sent || actor->by_number.items[to]->state != EO_ALIVE) continue;
    eo_text text;
    eo__text_init(&text);
    eo__words_mail(actor, &text, mail, NULL);
    mailed->text = eo__strdup(text.chars);
    eo__text_release(&text);
  }
  while (line->mails.count > count) eo__free(eo_vec_pop(&line->mails).text);
}

static void append(eo_line *line, const char *more) {
  size_t length = line->text ? strlen(line->text) : 0;
  char *longer = *more && line->text ? eo__realloc(line->text, length + strlen(more) + 1) : NULL;
  if (!longer) return;
  strcpy(longer + length, more);
  line->text = longer;
}

/* What came of it, where the intent does not say it. */
void eo__describe_after(eo_actor *actor, const eo_process *process, const eo_event *event, uint32_t value) {
  const char *result = NULL;
  char number[48], chosen[160];
  const eo_process *other = event->other == EO_NO_PROCESS ? NULL : actor->known.items[event->other].process;
  actor->line.value = eo__op_chooses(event->op) ? value : 0;
  actor->line.other = eo__strdup(other ? eo__actor_name(actor, other->number) : "");
  if (event->op == EO_OP_RECEIVE) eo__tellings_received(actor, process, event->message);
  describe_mails(actor, event);
  if (event->op == EO_OP_SEND && event->message && actor->line.mails.count)
    eo__tellings_sent(actor, process, event->message, actor->letters.items[event->message - 1].to,
                      actor->line.mails.items[0].text);
  describe_variables(actor, process, true);
  keep_last_values(&actor->line);
  if (event->op == EO_OP_CHOOSE) {
    result = chosen;
    const char *function = actor->line.function ? actor->line.function : "";
    const char *at = *function ? " at " : "";
    if (actor->chosen_of)
      snprintf(chosen, sizeof chosen, " %u of %u%s%.100s", value, actor->chosen_of, at, function);
    else
      snprintf(chosen, sizeof chosen, " %s%s%.100s", value ? "true" : "false", at, function);
  } else if (event->op == EO_OP_FAULT) {
    result = value ? " happens" : " does not happen";
  } else if (event->op == EO_OP_WHEREIS) {
    snprintf(number, sizeof number, ": %s", other ? eo__actor_name(actor, other->number) : "nobody");
    result = number;
  } else if (event->op == EO_OP_REGISTER && !(other && other->citizen.name && other->state == EO_ALIVE)) {
    result = ": refused";
  } else if (event->op == EO_OP_DEMONITOR && (!other || other->citizen.ended)) {
    result = ", which was over";
  } else if (event->op == EO_OP_IS_ALIVE && other) {
    result = other->citizen.doomed ? ": it is to end" : other->citizen.ended ? "" : ": it is alive";
  } else if ((event->op == EO_OP_SEND || event->op == EO_OP_MONITOR) && !other && !actor->failed) {
    result = ", which nobody has";
  }
  if (result) append(&actor->line, result);
  if (process->state == EO_ALIVE && process->machine && actor->was_state >= 0 &&
      process->machine->state != actor->was_state) {
    append(&actor->line, ", goes to ");
    append(&actor->line, eo__state_name(process->machine->machine, process->machine->state));
  }
  append(&actor->line, actor->seen);
}

/* ---- Ends ------------------------------------------------------------------------------------------------------- */

void eo__describe_deadlock(eo_actor *actor) {
  eo_text text;
  const eo_process *first = NULL;
  size_t waiting = 0;
  eo__text_init(&text);
  for (size_t i = 0; i < actor->live.count; i++) {
    const eo_process *process = actor->live.items[i];
    if (process->state != EO_ALIVE || eo__actor_rests(process)) continue;
    if (!first) first = process;
    eo__text_add(&text, "%s%s", waiting++ ? ", " : "", eo__actor_name(actor, process->number));
  }
  eo__actor_fail(actor, EO_KIND_DEADLOCK, first, first ? first->pending->place : NULL,
                 "%s wait%s for a message that nobody will send", text.chars, waiting == 1 ? "s" : "");
  eo__text_release(&text);
}

static bool add_string(eo_strings *strings, const char *chars) {
  char *copy = eo__strdup(chars);
  if (copy && eo_vec_push(strings, copy)) return true;
  eo__free(copy);
  return false;
}

/* Who has ended cannot answer. */
static void add_last_written(eo_actor *actor, eo_text *text, const eo_process *process) {
  uint32_t to = eo__tellings_wrote_to(actor, process);
  if (to == EO_NO_PROCESS || to == process->number) return;
  eo__text_add(text, ", having last written to %s", eo__actor_name(actor, to));
  if (actor->by_number.items[to]->state == EO_ENDED) eo__text_add(text, ", which has ended");
}

/* Whoever waits, waits for the one whom it last wrote to: of a circle of such, each process. */
static bool add_circle(eo_actor *actor, eo_strings *circle) {
  for (size_t i = 0; i < actor->live.count && circle->count == 0; i++) {
    const eo_process *start = actor->live.items[i], *at = start;
    size_t length = 0;
    do {
      uint32_t to = at->state == EO_ALIVE ? eo__tellings_wrote_to(actor, at) : EO_NO_PROCESS;
      at = to == EO_NO_PROCESS ? NULL : actor->by_number.items[to];
    } while (at && at != start && ++length <= actor->live.count);
    if (!at || at != start || length == 0) continue;
    do {
      if (!add_string(circle, eo__actor_name(actor, at->number))) return false;
      at = actor->by_number.items[eo__tellings_wrote_to(actor, at)];
    } while (at != start);
  }
  return true;
}

static bool add_waiting(eo_actor *actor, eo_process *process, eo_strings *strings) {
  const eo_op *op = process->pending;
  eo_text text;
  eo__text_init(&text);
  eo__words_process(actor, &text, process->number);
  eo__text_add(&text, " waits for ");
  add_expected(actor, &text, process, op);
  if (op->place) eo__text_add(&text, " at %s:%d", op->place->file, op->place->line);
  add_last_written(actor, &text, process);
  eo__text_add(&text, process->mailbox ? "; unread: " : "; its mailbox is empty");
  for (const eo_mail *mail = process->mailbox; mail; mail = mail->next) {
    eo__words_mail(actor, &text, mail, process);
    eo__text_add(&text, " from %s%s", eo__actor_name(actor, mail->from), mail->next ? ", " : "");
  }
  bool added = !text.failed && add_string(strings, text.chars);
  eo__text_release(&text);
  return added;
}

static bool add_frame(eo_actor *actor, const char *before, uintptr_t pc, eo_strings *strings) {
  char text[768];
  eo_source source = {"", "", 0};
  if (actor->symbols) eo__symbols_source(actor->symbols, pc, &source);
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
  if (access->place) {
    char text[768];
    snprintf(text, sizeof text, "%s%s at %s:%d", before, access->place->function, access->place->file,
             access->place->line);
    return add_string(strings, text);
  }
  return add_frame(actor, before, access->pc, strings);
}

bool eo__describe_end(eo_actor *actor, eo_finding *finding) {
  keep_callers_of_helpers(finding);
  if (finding->failure.kind == EO_KIND_DEADLOCK && !add_circle(actor, &finding->circle)) return false;
  if (finding->failure.kind == EO_KIND_DEADLOCK)
    for (size_t i = 0; i < actor->live.count; i++)
      if (actor->live.items[i]->state == EO_ALIVE && !actor->live.items[i]->observes &&
          !add_waiting(actor, actor->live.items[i], &finding->waiting))
        return false;
  if (!actor->symbols) actor->symbols = eo__symbols_open();
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
