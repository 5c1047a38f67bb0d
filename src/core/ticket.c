/* ticket.c: tickets as text and back. The format is doc/formats/ticket.md; this file is its only reader and writer.
 *
 * Reading goes from the outside in, so that the error names the most likely cause: the first line (is it a ticket, of
 * which version), the last line (is it whole, is it unchanged), then line by line. At the end the ticket is written
 * again and compared: whatever the reader would let pass that the writer does not write is refused there. */
#include "core/ticket.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

static const char MAGIC[] = "everyorder ticket ";
static const char CHECKSUM[] = "checksum: ";
static const char HEX[] = "0123456789abcdef";
static const char NONE[] = "none";
static const char AGAIN[] = "run the test again to make a new one";

enum {
  HASH_DIGITS = 16,
  CHECKSUM_LINE = sizeof CHECKSUM - 1 + HASH_DIGITS + 1, /* with its newline */
  COLUMNS = 100,
  TOKEN_SIZE = 2 * EO_PROCESS_NAME + 32, /* the longest step: two ids, '<', '#', 10 digits, '*', 8 digits */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  STEPS_MAX = 10000 /* a fuzzer finds nothing more in a gigabyte of equal steps */
#else
  STEPS_MAX = 4000000 /* so that "P1*999999999999" cannot eat the memory */
#endif
};

void eo__ticket_init(eo_ticket *ticket) {
  memset(ticket, 0, sizeof *ticket);
  ticket->version = EO_TICKET_VERSION;
}

void eo__ticket_release(eo_ticket *ticket) {
  eo_vec_release(&ticket->steps);
  eo__ticket_init(ticket);
}

/* ---- Schedules ---------------------------------------------------------------------------------------------------- */

/* Whether these bytes can stand for a process in a schedule. Which ids exist is the subject's affair. */
static bool is_process(const char *name) {
  size_t length = strlen(name);
  if (length == 0 || length >= sizeof((eo_ticket_step *)NULL)->process) return false;
  for (; *name; name++) {
    if (*name <= ' ' || *name > '~' || strchr("=*<#", *name)) return false;
  }
  return true;
}

static bool same_step(const eo_ticket_step *a, const eo_ticket_step *b) {
  return a->value == b->value && a->takes == b->takes && a->nth == b->nth && strcmp(a->process, b->process) == 0 &&
         strcmp(a->from, b->from) == 0;
}

/* The first of these steps, with its repeats, as one token; returns how many steps it stands for. */
static size_t write_token(const eo_ticket_step *steps, size_t count, char token[TOKEN_SIZE]) {
  EO_CHECK(is_process(steps->process));
  size_t times = 1;
  while (times < count && times < STEPS_MAX && same_step(&steps[0], &steps[times])) times++;
  int length = snprintf(token, TOKEN_SIZE, "%s", steps->process);
  if (steps->takes && !*steps->from)
    length += snprintf(token + length, TOKEN_SIZE - (size_t)length, "<%s", NONE);
  else if (steps->takes)
    length += snprintf(token + length, TOKEN_SIZE - (size_t)length, "<%s#%u", steps->from, (unsigned)steps->nth);
  if (steps->value > 0) length += snprintf(token + length, TOKEN_SIZE - (size_t)length, "=%u", (unsigned)steps->value);
  if (times > 1) snprintf(token + length, TOKEN_SIZE - (size_t)length, "*%zu", times);
  return times;
}

void eo__schedule_write(const eo_ticket_step *steps, size_t count, eo_text *out) {
  char token[TOKEN_SIZE];
  for (size_t i = 0; i < count;) {
    const char *separator = i > 0 ? " " : "";
    i += write_token(&steps[i], count - i, token);
    eo__text_add(out, "%s%s", separator, token);
  }
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/* A copy of the start of a token that can be shown on a terminal. */
static const char *shown(const char *token, size_t length, char out[TOKEN_SIZE]) {
  if (length > TOKEN_SIZE - 1) length = TOKEN_SIZE - 1;
  for (size_t i = 0; i < length; i++) out[i] = token[i] >= ' ' && token[i] <= '~' ? token[i] : '?';
  out[length] = '\0';
  return out;
}

/* Splits "P1.2#3" or "none", what a receive takes. False: it is not of that form. */
static bool read_taken(char *taken, eo_ticket_step *step) {
  uint64_t nth;
  step->takes = true;
  if (strcmp(taken, NONE) == 0) return true;
  char *hash = strchr(taken, '#');
  if (!hash) return false;
  *hash = '\0';
  if (!is_process(taken) || strcmp(taken, NONE) == 0) return false;
  if (!eo__text_number(hash + 1, UINT32_MAX, &nth) || nth == 0) return false;
  strcpy(step->from, taken);
  step->nth = (uint32_t)nth;
  return true;
}

/* Splits "P1.2=7*3" or "P1.2<P1#4*3". False: it is not of that form. */
static bool read_token(const char *token, size_t length, eo_ticket_step *step, uint64_t *times) {
  char copy[TOKEN_SIZE];
  if (length >= sizeof copy || memchr(token, '\0', length)) return false;
  memcpy(copy, token, length);
  copy[length] = '\0';

  uint64_t value = 0;
  *times = 1;
  *step = (eo_ticket_step){0};
  char *star = strchr(copy, '*');
  if (star) {
    *star = '\0';
    if (!eo__text_number(star + 1, UINT64_MAX, times) || *times == 0) return false;
  }
  char *less = strchr(copy, '<');
  if (less) {
    *less = '\0';
    if (!read_taken(less + 1, step)) return false;
  }
  char *equals = strchr(copy, '=');
  if (equals) {
    *equals = '\0';
    if (less || !eo__text_number(equals + 1, UINT32_MAX, &value) || value == 0) return false;
  }
  if (!is_process(copy)) return false;
  step->value = (uint32_t)value;
  strcpy(step->process, copy);
  return true;
}

static int add_token(eo_ticket *ticket, const char *token, size_t length, eo_error *error) {
  eo_ticket_step step;
  uint64_t times;
  if (!read_token(token, length, &step, &times)) {
    char copy[TOKEN_SIZE];
    return eo__error_set(error, EO_EINPUT,
                         "'%s' in the schedule is not a step; steps look like P1, P1.2=7, P1<P1.2#3 or P1*3",
                         shown(token, length, copy));
  }
  if (times > STEPS_MAX - ticket->steps.count) {
    return eo__error_set(error, EO_EINPUT, "the schedule has more than %d steps, which is more than can be replayed",
                         STEPS_MAX);
  }
  if (!eo_vec_reserve(&ticket->steps, times)) return eo__error_nomem(error);
  while (times-- > 0) ticket->steps.items[ticket->steps.count++] = step;
  return EO_OK;
}

/* Appends the steps between blanks. */
static int add_steps(eo_ticket *ticket, const char *bytes, size_t size, eo_error *error) {
  for (size_t i = 0; i < size;) {
    if (is_blank(bytes[i])) {
      i++;
      continue;
    }
    size_t start = i;
    while (i < size && !is_blank(bytes[i])) i++;
    int code = add_token(ticket, bytes + start, i - start, error);
    if (code != EO_OK) return code;
  }
  return EO_OK;
}

int eo__schedule_parse(eo_ticket *ticket, const char *text, eo_error *error) {
  eo_vec_clear(&ticket->steps);
  int code = add_steps(ticket, text, strlen(text), error);
  if (code != EO_OK) eo_vec_clear(&ticket->steps); /* half a schedule is no schedule */
  return code;
}

/* ---- Writing ------------------------------------------------------------------------------------------------------ */

/* Each field stays on its line, is valid UTF-8, and survives an editor that strips blanks at line ends. */
static void write_string(eo_text *out, const char *key, const char *value, size_t size) {
  size_t length = strnlen(value, size);
  EO_CHECK(length < size);
  eo__text_add(out, "%s:%s", key, length > 0 ? " " : "");
  for (size_t i = 0; i < length;) {
    unsigned char c = (unsigned char)value[i];
    size_t sequence = eo__text_utf8(value + i, length - i);
    if (c == '\\') {
      eo__text_add(out, "\\\\");
    } else if (c == '\n') {
      eo__text_add(out, "\\n");
    } else if (c == '\t') {
      eo__text_add(out, "\\t");
    } else if (sequence == 0 || c < ' ' || c == 0x7f || (c == ' ' && i + 1 == length)) {
      eo__text_add(out, "\\x%02x", c);
    } else {
      eo__text_append(out, value + i, sequence);
    }
    i += sequence > 0 ? sequence : 1;
  }
  eo__text_add(out, "\n");
}

static void write_steps(const eo_ticket *ticket, eo_text *out) {
  char token[TOKEN_SIZE];
  size_t column = 0;
  eo__text_add(out, "schedule:\n");
  for (size_t i = 0; i < ticket->steps.count;) {
    i += write_token(&ticket->steps.items[i], ticket->steps.count - i, token);
    size_t length = strlen(token);
    if (column > 0 && column + 1 + length > COLUMNS) {
      eo__text_add(out, "\n");
      column = 0;
    }
    eo__text_add(out, "%s%s", column > 0 ? " " : "  ", token);
    column += length + (column > 0 ? 1 : 2);
  }
  if (column > 0) eo__text_add(out, "\n");
}

static void checksum_line(const char *bytes, size_t size, char out[CHECKSUM_LINE + 1]) {
  snprintf(out, CHECKSUM_LINE + 1, "%s%016llx\n", CHECKSUM, (unsigned long long)XXH3_64bits(bytes, size));
}

int eo__ticket_write(const eo_ticket *ticket, eo_text *out, eo_error *error) {
  size_t start = out->length;
  EO_CHECK((unsigned)ticket->kind < EO_KIND_KINDS);
  if (ticket->steps.count > STEPS_MAX)
    return eo__error_set(error, EO_EINPUT, "an execution of more than %d steps is too long for a ticket", STEPS_MAX);
  eo__text_add(out, "%s%d\n", MAGIC, ticket->version);
  write_string(out, "program", ticket->program, sizeof ticket->program);
  write_string(out, "build", ticket->build, sizeof ticket->build);
  write_string(out, "test", ticket->test, sizeof ticket->test);
  if (ticket->version > 2) write_string(out, "params", ticket->params, sizeof ticket->params);
  eo__text_add(out, "kind: %s\n", eo__kind_name(ticket->kind));
  write_string(out, "message", ticket->message, sizeof ticket->message);
  write_string(out, "at", ticket->at, sizeof ticket->at);
  eo__text_add(out, "depth: %u\n", (unsigned)ticket->depth);
  eo__text_add(out, "watchdog: %u\n", (unsigned)ticket->watchdog_ms);
  eo__text_add(out, "timeouts: %s\n", ticket->timeouts_idle ? "idle" : "eager");
  eo__text_add(out, "leaks: %s\n", ticket->leaks ? "yes" : "no");
  if (ticket->version > 3) eo__text_add(out, "abnormal: %s\n", ticket->abnormal_fails ? "fail" : "unnoticed");
  if (ticket->version > 1) eo__text_add(out, "delivery: %s\n", eo__delivery_name(ticket->delivery));
  write_steps(ticket, out);
  if (!out->failed) {
    char line[CHECKSUM_LINE + 1];
    checksum_line(out->chars + start, out->length - start, line);
    eo__text_append(out, line, CHECKSUM_LINE);
  }
  return out->failed ? eo__error_nomem(error) : EO_OK;
}

/* ---- Reading: the frame ------------------------------------------------------------------------------------------- */

static int cut_short(eo_error *error) {
  return eo__error_set(error, EO_EINPUT,
                       "the ticket is cut short: it does not end in its checksum line; copy it again, or %s", AGAIN);
}

static int damaged(eo_error *error, const char *how) {
  return eo__error_set(error, EO_EINPUT, "the ticket is damaged: %s; copy it again, or %s", how, AGAIN);
}

static bool all_in(const char *bytes, size_t size, const char *set) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == '\0' || !strchr(set, bytes[i])) return false;
  }
  return true;
}

static int check_first_line(const char *bytes, size_t size, int *number, eo_error *error) {
  const size_t magic = sizeof MAGIC - 1;
  if (memcmp(bytes, MAGIC, size < magic ? size : magic) != 0) {
    return eo__error_set(error, EO_EINPUT, "this is not a ticket: tickets begin with the line '%s%d'", MAGIC,
                         EO_TICKET_VERSION);
  }
  if (size <= magic) return cut_short(error);
  const char *version = bytes + magic;
  const char *newline = memchr(version, '\n', size - magic);
  size_t length = (newline ? newline : bytes + size) - version;
  if (length > 1 && version[length - 1] == '\r') return damaged(error, "its line ends have become CR LF");
  if (!all_in(version, length, "0123456789") || length > 9) {
    return damaged(error, "the version in its first line is not a number");
  }
  if (!newline || length == 0) return cut_short(error);
  *number = version[0] - '0';
  if (length == 1 && *number >= 1 && *number <= EO_TICKET_VERSION) return EO_OK;
  return eo__error_set(
      error, EO_EINPUT,
      "the ticket is of version %.*s and this everyorder reads versions up to %d; replay it with the everyorder "
      "that wrote it, or %s",
      (int)length, version, EO_TICKET_VERSION, AGAIN);
}

/* Offset of the first line that begins so; `size` if there is none. */
static size_t find_line(const char *bytes, size_t size, const char *begin) {
  size_t length = strlen(begin);
  for (size_t at = 0; at + length <= size;) {
    if (memcmp(bytes + at, begin, length) == 0) return at;
    const char *newline = memchr(bytes + at, '\n', size - at);
    if (!newline) break;
    at = (size_t)(newline - bytes) + 1;
  }
  return size;
}

/* Whether these could be the bytes of a checksum line after all, but for one before or in its label. */
static bool ends_in_hash(const char *bytes, size_t size) {
  if (size <= CHECKSUM_LINE || bytes[size - 1] != '\n') return false;
  const char *line = bytes + size - CHECKSUM_LINE;
  const size_t label = sizeof CHECKSUM - 1;
  return (line[-1] == '\n' || memcmp(line, CHECKSUM, label) == 0) && all_in(line + label, HASH_DIGITS, HEX);
}

/* *body: the size of what comes before the checksum line. */
static int check_last_line(const char *bytes, size_t size, size_t *body, eo_error *error) {
  size_t at = find_line(bytes, size, CHECKSUM);
  *body = at;
  if (at == size) {
    return ends_in_hash(bytes, size) ? damaged(error, "its last line is not its checksum") : cut_short(error);
  }
  const size_t label = sizeof CHECKSUM - 1;
  if (size - at < CHECKSUM_LINE) {
    bool hex = all_in(bytes + at + label, size - at - label, HEX);
    return hex ? cut_short(error) : damaged(error, "its checksum is not a number of 16 digits");
  }
  char line[CHECKSUM_LINE + 1];
  checksum_line(bytes, at, line);
  if (memcmp(bytes + at, line, CHECKSUM_LINE) != 0) return damaged(error, "its contents do not match its checksum");
  if (size - at > CHECKSUM_LINE) return damaged(error, "there is more after its checksum line");
  return EO_OK;
}

/* ---- Reading: the lines ------------------------------------------------------------------------------------------- */

/* Walks over the lines. After the first error `code` is set and every read does nothing, so that callers check once. */
typedef struct reader {
  const char *at, *end; /* end follows a newline */
  size_t line;          /* number of the line read last, from 1 */
  int code;
  eo_error *error;
} reader;

__attribute__((format(printf, 2, 3))) static void malformed(reader *r, const char *format, ...) {
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  r->code = eo__error_set(r->error, EO_EINPUT, "line %zu of the ticket is malformed: %s; %s", r->line, what, AGAIN);
}

static const char *next_line(reader *r, size_t *length) {
  if (r->code != EO_OK) return NULL;
  r->line++;
  if (r->at == r->end) {
    malformed(r, "it is missing");
    return NULL;
  }
  const char *start = r->at;
  const char *newline = memchr(start, '\n', (size_t)(r->end - start));
  *length = (size_t)(newline - start);
  r->at = newline + 1;
  return start;
}

/* The value of the next line, which must be "key: value" or "key:". NULL: it is not. */
static const char *read_value(reader *r, const char *key, size_t *length) {
  const char *line = next_line(r, length);
  if (!line) return NULL;
  size_t prefix = strlen(key) + 1;
  if (*length < prefix || memcmp(line, key, prefix - 1) != 0 || line[prefix - 1] != ':') {
    malformed(r, "it should begin with '%s:'", key);
    return NULL;
  }
  if (*length > prefix && line[prefix] == ' ') prefix++;
  *length -= prefix;
  return line + prefix;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that the escape at `from` stands for; *used: how long it is. 0: it is no escape. */
static unsigned char unescape(const char *from, size_t length, size_t *used) {
  *used = 2;
  if (length < 2) return 0;
  if (from[1] == '\\') return '\\';
  if (from[1] == 'n') return '\n';
  if (from[1] == 't') return '\t';
  *used = 4;
  if (length < 4 || from[1] != 'x' || hex_digit(from[2]) < 0 || hex_digit(from[3]) < 0) return 0;
  return (unsigned char)(hex_digit(from[2]) * 16 + hex_digit(from[3]));
}

static void read_string(reader *r, const char *key, char *out, size_t size) {
  size_t length, filled = 0;
  const char *value = read_value(r, key, &length);
  if (!value) return;
  for (size_t i = 0, used = 1; i < length; i += used) {
    used = 1;
    char c = value[i] == '\\' ? (char)unescape(value + i, length - i, &used) : value[i];
    if (c == '\0') {
      malformed(r, "there is an unknown escape or a zero byte in it");
      return;
    }
    if (filled + 1 == size) {
      malformed(r, "it has more than %zu bytes", size - 1);
      return;
    }
    out[filled++] = c;
  }
  out[filled] = '\0';
}

/* A value of few bytes, as a string in `out`. */
static bool read_word(reader *r, const char *key, char *out, size_t size) {
  read_string(r, key, out, size);
  return r->code == EO_OK;
}

static bool read_either(reader *r, const char *key, const char *no, const char *yes) {
  char word[32];
  if (!read_word(r, key, word, sizeof word)) return false;
  bool is_yes = strcmp(word, yes) == 0;
  if (!is_yes && strcmp(word, no) != 0) malformed(r, "it should say %s or %s", no, yes);
  return is_yes;
}

static eo_kind read_kind(reader *r) {
  char word[32];
  if (!read_word(r, "kind", word, sizeof word)) return EO_KIND_NONE;
  eo_kind kind = eo__kind_parse(word);
  if (kind == EO_KIND_NONE && strcmp(word, eo__kind_name(EO_KIND_NONE)) != 0) malformed(r, "there is no such kind");
  return kind;
}

static uint32_t read_number(reader *r, const char *key) {
  char word[32];
  uint64_t number = 0;
  if (!read_word(r, key, word, sizeof word)) return 0;
  if (!eo__text_number(word, UINT32_MAX, &number)) malformed(r, "it should be a number up to %u", (unsigned)UINT32_MAX);
  return (uint32_t)number;
}

static eo_delivery read_delivery(reader *r) {
  char word[32];
  eo_delivery delivery = EO_DELIVERY_MAILBOX;
  if (read_word(r, "delivery", word, sizeof word) && !eo__delivery_parse(word, &delivery))
    malformed(r, "there is no such delivery");
  return delivery;
}

/* A version 1 did not know of them. */
static bool takes_any(const eo_ticket *ticket) {
  for (size_t i = 0; i < ticket->steps.count; i++)
    if (ticket->steps.items[i].takes) return true;
  return false;
}

static void read_steps(reader *r, eo_ticket *ticket) {
  size_t length;
  if (!read_value(r, "schedule", &length)) return;
  while (r->code == EO_OK && r->at < r->end) {
    const char *line = next_line(r, &length);
    if (length < 2 || memcmp(line, "  ", 2) != 0) {
      malformed(r, "it should begin with two blanks");
      return;
    }
    eo_error why = {0};
    int code = add_steps(ticket, line, length, &why);
    if (code == EO_ENOMEM) {
      r->code = eo__error_nomem(r->error);
    } else if (code != EO_OK) {
      malformed(r, "%s", why.text);
    }
  }
}

static void read_lines(reader *r, eo_ticket *ticket) {
  size_t length;
  next_line(r, &length); /* the first one has been checked */
  read_string(r, "program", ticket->program, sizeof ticket->program);
  read_string(r, "build", ticket->build, sizeof ticket->build);
  read_string(r, "test", ticket->test, sizeof ticket->test);
  if (ticket->version > 2) read_string(r, "params", ticket->params, sizeof ticket->params);
  ticket->kind = read_kind(r);
  read_string(r, "message", ticket->message, sizeof ticket->message);
  read_string(r, "at", ticket->at, sizeof ticket->at);
  ticket->depth = read_number(r, "depth");
  ticket->watchdog_ms = read_number(r, "watchdog");
  ticket->timeouts_idle = read_either(r, "timeouts", "eager", "idle");
  ticket->leaks = read_either(r, "leaks", "no", "yes");
  if (ticket->version > 3) ticket->abnormal_fails = read_either(r, "abnormal", "unnoticed", "fail");
  if (ticket->version > 1) ticket->delivery = read_delivery(r);
  read_steps(r, ticket);
  if (r->code == EO_OK && ticket->version == 1 && takes_any(ticket)) malformed(r, "a ticket of version 1 has no '<'");
}

/* Is this what eo__ticket_write makes of the ticket? If not, the error names the first line that differs. */
static void compare(reader *r, const eo_ticket *ticket, const char *bytes, size_t size) {
  eo_text again;
  eo__text_init(&again);
  r->code = eo__ticket_write(ticket, &again, r->error);
  if (r->code == EO_OK && (again.length != size || memcmp(again.chars, bytes, size) != 0)) {
    r->line = 1;
    for (size_t i = 0; i < size && i < again.length && again.chars[i] == bytes[i]; i++) r->line += bytes[i] == '\n';
    malformed(r, "everyorder would write it otherwise");
  }
  eo__text_release(&again);
}

int eo__ticket_parse(eo_ticket *ticket, const char *bytes, size_t size, eo_error *error) {
  if (size == 0) return eo__error_set(error, EO_EINPUT, "this is not a ticket: it is empty");
  int version = 0;
  int code = check_first_line(bytes, size, &version, error);
  if (code != EO_OK) return code;
  size_t body;
  code = check_last_line(bytes, size, &body, error);
  if (code != EO_OK) return code;

  eo_ticket fresh;
  eo__ticket_init(&fresh);
  fresh.version = version;
  reader r = {.at = bytes, .end = bytes + body, .error = error};
  read_lines(&r, &fresh);
  if (r.code == EO_OK) compare(&r, &fresh, bytes, size);
  if (r.code != EO_OK) {
    eo__ticket_release(&fresh);
    return r.code;
  }
  eo__ticket_release(ticket);
  *ticket = fresh;
  return EO_OK;
}
