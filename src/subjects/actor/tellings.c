/* tellings.c: see tellings.h. The tag is the second argument of every call that has one, the data the third, its size the fourth. */
#include "subjects/actor/tellings.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "subjects/actor/describe.h"
#include "subjects/actor/operations.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/scopes.h"
#include "subjects/actor/symbols_inside.h"
#include "subjects/actor/typing.h"
#include "subjects/actor/values.h"

enum { TAG = 1, DATA = 2, SIZE = 3, NAME_ROOM = 64 };

typedef struct telling {
  char name[NAME_ROOM]; /* "": none */
  bool opaque;          /* of a library, which says how it is to be called; what it holds means nothing to the reader */
  bool typed;
  Dwarf_Die type;
  char *words; /* for gdb (share/everyorder-gdb.py) */
} telling;

/* What messages of a tag and a size have been seen to hold: for those that are sent on from memory without a type. */
typedef struct lesson {
  int tag;
  size_t size;
  Dwarf_Die type;
} lesson;

/* Where the last message that a process has received lies, and which one it is. */
typedef struct inbox {
  const void *data;
  size_t size;
  uint32_t number;
} inbox;

/* A name in the source text of a call. */
typedef struct tag_word {
  const char *text;
  size_t length;
} tag_word;

struct eo_tellings {
  telling next;              /* of the message that is about to be sent, or of the event that is announced */
  telling before;            /* while an event is announced: of the message that has been sent in the same step */
  EO_VEC(telling) sent;      /* by number - 1 */
  EO_VEC(inbox) inboxes;     /* by process */
  EO_VEC(uint32_t) wrote_to; /* by process: whom it last sent a message, + 1; 0: nobody */
  EO_VEC(lesson) lessons;
  EO_VEC(tag_word) tag_words; /* each name that stands in the tag of some call of the program, once */
  bool calls_read;
};

static eo_tellings *tellings_of(eo_actor *actor) {
  if (!actor->tellings) actor->tellings = eo__alloc(sizeof(eo_tellings));
  if (!actor->symbols) actor->symbols = eo__symbols_open();
  return actor->symbols ? actor->tellings : NULL;
}

static void clear_sent(eo_tellings *tellings) {
  for (size_t i = 0; i < tellings->sent.count; i++) eo__free(tellings->sent.items[i].words);
  eo_vec_clear(&tellings->sent);
  eo_vec_clear(&tellings->wrote_to);
}

void eo__tellings_close(eo_tellings *tellings) {
  if (!tellings) return;
  clear_sent(tellings);
  eo_vec_release(&tellings->sent);
  eo_vec_release(&tellings->wrote_to);
  eo_vec_release(&tellings->inboxes);
  eo_vec_release(&tellings->lessons);
  eo_vec_release(&tellings->tag_words);
  eo__free(tellings);
}

void eo__tellings_reset(eo_actor *actor) {
  if (!actor->tellings) return;
  clear_sent(actor->tellings);
  eo_vec_clear(&actor->tellings->inboxes);
  actor->tellings->next = (telling){0};
}

/* ---- Names of tags ---------------------------------------------------------------------------------------------- */

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The next word of a text that could be a name. *length 0: there is no more. */
static const char *next_word(const char *at, const char *end, size_t *length) {
  while (at < end) {
    size_t n = 0;
    while (at + n < end && is_name_char(at[n])) n++;
    *length = n;
    if (n > 0 && !isdigit((unsigned char)*at)) return at;
    at += n > 0 ? n : 1;
  }
  *length = 0;
  return end;
}

static bool has_tag_word(const eo_tellings *tellings, const char *text, size_t length) {
  for (size_t i = 0; i < tellings->tag_words.count; i++) {
    const tag_word *word = &tellings->tag_words.items[i];
    if (word->length == length && memcmp(word->text, text, length) == 0) return true;
  }
  return false;
}

static bool read_call(eo_tellings *tellings, const char *call) {
  size_t length, word;
  const char *text = eo__call_argument(call, TAG, &length);
  for (const char *at = text; text && ((at = next_word(at, text + length, &word)), word > 0); at += word)
    if (!has_tag_word(tellings, at, word) && !eo_vec_push(&tellings->tag_words, ((tag_word){at, word}))) return false;
  return true;
}

/* All places of the program are known by their symbols, whether or not they have been come to. The calls are read once: a
 * program can have thousands of enumerators to ask about. */
static void read_calls(eo_actor *actor) {
  eo_tellings *tellings = actor->tellings;
  if (tellings->calls_read) return;
  tellings->calls_read = true;
  size_t at = 0;
  for (uintptr_t found; (found = eo__symbols_next_variable(actor->symbols, "eo_place_here", &at));) {
    const eo_place *place = (const eo_place *)found; /* NOLINT(performance-no-int-to-ptr) */
    if (place->call && !read_call(tellings, place->call)) return;
  }
}

/* Is this the name of a tag in some call? */
static bool is_used(void *context, const char *name) { return has_tag_word(context, name, strlen(name)); }

/* A constant of the program that is no enumerator: by the debug information, or by its capitals, as macros are not in there. */
static bool is_constant(const eo_scope *scope, const char *name) {
  Dwarf_Die type;
  bool constant;
  if (eo__scope_variable(scope, name, &type, &constant)) return constant;
  for (const char *c = name; *c; c++)
    if (islower((unsigned char)*c)) return false;
  return true;
}

static bool name_tag(eo_actor *actor, const eo_scope *scope, const eo_place *place, int tag, char *out, size_t size) {
  size_t length = 0, word;
  const char *text = place && place->call ? eo__call_argument(place->call, TAG, &length) : NULL, *found = NULL;
  char name[NAME_ROOM];
  if (tag < 0) return false;
  for (const char *at = text; text && !found; at += word) {
    at = next_word(at, text + length, &word);
    if (word == 0) break;
    snprintf(name, sizeof name, "%.*s", (int)(word < NAME_ROOM ? word : NAME_ROOM - 1), at);
    found = eo__scope_enumerator(actor->symbols, name, tag);
  }
  if (text && !found && length > 0 && length < NAME_ROOM && next_word(text, text + length, &word) == text &&
      word == length) { /* one name: a macro's, or an enum's variable */
    Dwarf_Die type;
    bool constant;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (is_constant(scope, name))
      found = name;
    else if (eo__scope_variable(scope, name, &type, &constant))
      found = eo__scope_enumerator_of(&type, tag);
  }
  read_calls(actor);
  if (!found) found = eo__scope_enumerator_among(actor->symbols, tag, is_used, actor->tellings);
  if (found) snprintf(out, size, "%s", found);
  return found != NULL;
}

static void open_scope(eo_actor *actor, const eo_process *process, eo_scope *scope) {
  uintptr_t pc = 0;
  if (!process->courier) eo__symbols_frames(actor->symbols, &process->fiber, &pc, 1);
  eo__scope_open(scope, actor->symbols, pc);
}

bool eo__tellings_tag(eo_actor *actor, const eo_process *process, const eo_place *place, int tag, char *out,
                      size_t size) {
  eo_scope scope;
  if (!tellings_of(actor) || tag < 0) return false;
  open_scope(actor, process, &scope);
  bool named = name_tag(actor, &scope, place, tag, out, size);
  eo__scope_close(&scope);
  return named;
}

/* ---- What messages hold ----------------------------------------------------------------------------------------- */

/* Can so many bytes be one of these, or several, or one that goes on behind its end? */
static bool fits(Dwarf_Die *type, size_t size) {
  Dwarf_Die plain = *type;
  size_t each;
  if (size == 0 || !eo__type_strip(&plain, NULL)) return false;
  if (dwarf_tag(&plain) == DW_TAG_array_type) {
    Dwarf_Die element;
    return eo__type_of(&plain, &element) && fits(&element, size);
  }
  return eo__type_size(&plain, &each) && each > 0 && (size % each == 0 || eo__type_is_open(&plain));
}

static bool find_declared(const eo_scope *scope, int tag, size_t size, Dwarf_Die *type) {
  for (const eo_message_type *one = eo__message_types(); one; one = one->next)
    if (one->tag == tag && one->size == size && eo__scope_type(scope, eo__type_name(one->type), type)) return true;
  return false;
}

static bool find_received(const eo_tellings *tellings, const eo_process *process, const void *data, size_t size,
                          Dwarf_Die *type) {
  if (process->number >= tellings->inboxes.count) return false;
  const inbox *last = &tellings->inboxes.items[process->number];
  if (!data || last->data != data || last->size != size || last->number > tellings->sent.count) return false;
  const telling *told = last->number ? &tellings->sent.items[last->number - 1] : NULL;
  if (told && told->typed) *type = told->type;
  return told && told->typed;
}

static bool find_learned(const eo_tellings *tellings, int tag, size_t size, Dwarf_Die *type) {
  for (size_t i = 0; i < tellings->lessons.count; i++) {
    if (tellings->lessons.items[i].tag != tag || tellings->lessons.items[i].size != size) continue;
    *type = tellings->lessons.items[i].type;
    return true;
  }
  return false;
}

static bool find_written(const eo_scope *scope, const char *call, size_t size, Dwarf_Die *type) {
  size_t length;
  const char *text = call ? eo__call_argument(call, DATA, &length) : NULL;
  if (text && eo__typing_pointee(scope, text, length, type) && fits(type, size)) return true;
  text = call ? eo__call_argument(call, SIZE, &length) : NULL;
  return text && eo__typing_measured(scope, text, length, type) && fits(type, size);
}

/* A library that sends for its caller names the message in quotes: "world, \"MPI_Send\"". */
static bool is_opaque(const eo_place *place, char *out, size_t size) {
  size_t length = 0;
  const char *text = place && place->call ? eo__call_argument(place->call, TAG, &length) : NULL;
  if (!text || length <= 2 || text[0] != '"' || text[length - 1] != '"') return false;
  snprintf(out, size, "%.*s", (int)(length - 2), text + 1);
  return true;
}

static void begin(eo_actor *actor, const eo_process *process, eo_scope *scope, const eo_place *place, int tag,
                  const void *data, size_t size) {
  eo_tellings *tellings = actor->tellings;
  telling *next = &tellings->next;
  name_tag(actor, scope, place, tag, next->name, sizeof next->name);
  bool written = false;
  next->typed = find_declared(scope, tag, size, &next->type) ||
                find_received(tellings, process, data, size, &next->type) ||
                (written = find_written(scope, place ? place->call : NULL, size, &next->type)) ||
                find_learned(tellings, tag, size, &next->type);
  if (written && !find_learned(tellings, tag, size, &(Dwarf_Die){0}))
    (void)eo_vec_push(&tellings->lessons, ((lesson){tag, size, next->type}));
  eo__scope_close(scope);
}

void eo__tellings_begin(eo_actor *actor, const eo_process *process, const eo_place *place, int tag, const void *data,
                        size_t size) {
  eo_tellings *tellings = tellings_of(actor);
  eo_scope scope;
  if (!tellings) return;
  telling *next = &tellings->next;
  *next = (telling){0};
  next->opaque = is_opaque(place, next->name, sizeof next->name);
  if (next->opaque) return;
  open_scope(actor, process, &scope);
  begin(actor, process, &scope, place, tag, data, size);
}

void eo__tellings_announce(eo_actor *actor, const eo_process *process, const eo_place *place, int tag, const void *data,
                           size_t size) {
  eo_tellings *tellings = tellings_of(actor);
  eo_scope scope;
  if (!tellings) return;
  tellings->before = tellings->next;
  tellings->next = (telling){0};
  eo__scope_open_static(&scope, actor->symbols, (uintptr_t)place);
  begin(actor, process, &scope, place, tag, data, size);
}

void eo__tellings_announced(eo_actor *actor) {
  if (actor->tellings) actor->tellings->next = actor->tellings->before;
}

void eo__tellings_sent(eo_actor *actor, const eo_process *process, uint32_t number, uint32_t to, const char *words) {
  eo_tellings *tellings = actor->tellings;
  if (!tellings || number == 0) return;
  while (tellings->sent.count < number)
    if (!eo_vec_push(&tellings->sent, (telling){0})) return;
  eo__free(tellings->sent.items[number - 1].words);
  tellings->sent.items[number - 1] = tellings->next;
  tellings->sent.items[number - 1].words = words ? eo__strdup(words) : NULL;
  while (tellings->wrote_to.count <= process->number)
    if (!eo_vec_push(&tellings->wrote_to, 0)) return;
  tellings->wrote_to.items[process->number] = to + 1;
}

uint32_t eo__tellings_wrote_to(const eo_actor *actor, const eo_process *process) {
  const eo_tellings *tellings = actor->tellings;
  uint32_t to = tellings && process->number < tellings->wrote_to.count ? tellings->wrote_to.items[process->number] : 0;
  return to ? to - 1 : EO_NO_PROCESS;
}

void eo__tellings_received(eo_actor *actor, const eo_process *process, uint32_t number) {
  eo_tellings *tellings = actor->tellings;
  if (!tellings) return;
  while (tellings->inboxes.count <= process->number)
    if (!eo_vec_push(&tellings->inboxes, (inbox){0})) return;
  tellings->inboxes.items[process->number] = (inbox){process->received.data, process->received.size, number};
}

/* ---- In words --------------------------------------------------------------------------------------------------- */

static const telling *telling_of(const eo_actor *actor, const eo_mail *mail) {
  const eo_tellings *tellings = actor->tellings;
  if (!tellings) return NULL;
  if (mail->number == 0) return &tellings->next;
  return mail->number <= tellings->sent.count ? &tellings->sent.items[mail->number - 1] : NULL;
}

bool eo__tellings_name(eo_actor *actor, const eo_mail *mail, char *out, size_t size) {
  const telling *told = telling_of(actor, mail);
  if (!told || !told->name[0]) return false;
  snprintf(out, size, "%s", told->name);
  return true;
}

static void add_pid(void *actor, eo_text *out, uint64_t pid) {
  const eo_process *process = eo__actor_process_of(actor, pid);
  if (process)
    eo__words_process(actor, out, process->number);
  else if (pid == EO_NOBODY)
    eo__text_add(out, "nobody");
  else
    eo__text_add(out, "%llu, which is not a process", (unsigned long long)pid);
}

static const char *name_function(void *context, uintptr_t address) {
  eo_actor *actor = context;
  eo_source source;
  return actor->symbols && eo__symbols_source(actor->symbols, address, &source) ? source.function : "";
}

eo_value_style eo__tellings_style(eo_actor *actor, const char *tag) {
  return (eo_value_style){add_pid, name_function, actor, tag};
}

bool eo__tellings_value(eo_actor *actor, eo_text *out, const eo_mail *mail, const char *name) {
  const telling *told = telling_of(actor, mail);
  eo_value_style style = eo__tellings_style(actor, name);
  if (told && told->opaque) return true;
  if (!told || !told->typed || mail->size == 0) return false;
  Dwarf_Die type = told->type;
  eo__text_add(out, " ");
  eo__value_add_message(out, &type, (const unsigned char *)mail->bytes, mail->size, &style);
  return true;
}
