/* front.c: memory, errors and tokens of the compiler. */
#include "subjects/model/front.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  max_align_t bytes[];
} chunk;

struct eo_promela_arena {
  chunk *chunks;
};

eo_promela_arena *eo__promela_arena_open(void) { return eo__alloc(sizeof(eo_promela_arena)); }

void eo__promela_arena_close(eo_promela_arena *arena) {
  while (arena && arena->chunks) {
    chunk *next = arena->chunks->next;
    eo__free(arena->chunks);
    arena->chunks = next;
  }
  eo__free(arena);
}

void *eo__promela_arena_take(eo_promela_arena *arena, size_t size) {
  const size_t align = sizeof(max_align_t), least = 1 << 14;
  size = (size + align - 1) / align * align;
  chunk *c = arena->chunks;
  if (!c || c->size - c->used < size) {
    size_t room = size > least ? size : least;
    c = eo__alloc(sizeof *c + room);
    if (!c) return NULL;
    c->size = room;
    c->next = arena->chunks;
    arena->chunks = c;
  }
  void *taken = (char *)c->bytes + c->used;
  c->used += size;
  return taken;
}

void *eo__front_take(compiler *f, size_t size) {
  void *taken = eo__promela_arena_take(f->arena, size);
  if (taken) return taken;
  eo__error_nomem(f->error);
  longjmp(f->failed, 1);
}

char *eo__front_text(compiler *f, const char *text, size_t length) {
  char *copy = eo__front_take(f, length + 1);
  memcpy(copy, text, length);
  return copy;
}

void eo__front_grow(compiler *f, void **items, uint32_t *capacity, size_t size) {
  uint32_t wanted = *capacity ? *capacity * 2 : 4;
  void *grown = eo__front_take(f, wanted * size);
  if (*capacity) memcpy(grown, *items, *capacity * size);
  *items = grown;
  *capacity = wanted;
}

void eo__front_fail(compiler *f, const token *at, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (at->column)
    eo__error_set(f->error, EO_EINPUT, "%.200s:%d:%d: %s", at->file, at->line, at->column, text);
  else
    eo__error_set(f->error, EO_EINPUT, "%.200s:%d: %s", at->file, at->line, text);
  longjmp(f->failed, 1);
}

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

typedef struct lexer {
  compiler *front;
  const char *at, *end, *line_start;
  token here; /* file, line and column of what is read */
  FRONT_LIST(token) out;
} lexer;

static bool more(const lexer *l) { return l->at < l->end; }

static void new_line(lexer *l) {
  l->here.line++;
  l->line_start = l->at;
}

/* `# 12 "file"`: what follows is from there. */
static void line_marker(lexer *l) {
  const char *end = memchr(l->at, '\n', (size_t)(l->end - l->at));
  if (!end) end = l->end;
  const char *c = l->at + 1;
  while (c < end && (*c == ' ' || *c == '\t')) c++;
  if (end - c > 4 && memcmp(c, "line", 4) == 0) c += 4;
  while (c < end && (*c == ' ' || *c == '\t')) c++;
  if (c >= end || !isdigit((unsigned char)*c))
    eo__front_fail(l->front, &l->here, "'#' is not part of Promela; is this line meant for cpp?");
  long line = 0;
  while (c < end && isdigit((unsigned char)*c) && line < 100000000) line = line * 10 + (*c++ - '0');
  while (c < end && *c == ' ') c++;
  if (c < end && *c == '"') {
    const char *close = memchr(c + 1, '"', (size_t)(end - c - 1));
    if (close) l->here.file = eo__front_text(l->front, c + 1, (size_t)(close - c - 1));
  }
  l->here.line = (int)line - 1;
  l->at = end;
}

static void skip_comment(lexer *l) {
  token start = l->here;
  l->at += 2;
  for (; more(l); l->at++) {
    if (*l->at == '*' && l->at + 1 < l->end && l->at[1] == '/') {
      l->at += 2;
      return;
    }
    if (*l->at == '\n') {
      l->here.line++;
      l->line_start = l->at + 1;
    }
  }
  eo__front_fail(l->front, &start, "this comment has no end");
}

/* To the next token; true: there is one. */
static bool skip_space(lexer *l) {
  while (more(l)) {
    l->here.column = (int)(l->at - l->line_start) + 1;
    bool second = l->at + 1 < l->end;
    if (*l->at == '\n') {
      l->at++;
      new_line(l);
    } else if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r' || *l->at == '\f' || *l->at == '\v') {
      l->at++;
    } else if (*l->at == '#') {
      line_marker(l);
    } else if (*l->at == '/' && second && l->at[1] == '*') {
      skip_comment(l);
    } else if (*l->at == '/' && second && l->at[1] == '/') {
      while (more(l) && *l->at != '\n') l->at++;
    } else {
      return true;
    }
  }
  l->here.column = (int)(l->at - l->line_start) + 1;
  return false;
}

static bool name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void read_name(lexer *l, token *t) {
  const char *start = l->at;
  while (more(l) && name_char(*l->at)) l->at++;
  if (l->at - start >= EO_PROMELA_NAME)
    eo__front_fail(l->front, t, "this name is longer than %d characters", EO_PROMELA_NAME - 1);
  t->kind = TOKEN_NAME;
  t->text = eo__front_text(l->front, start, (size_t)(l->at - start));
}

static void read_number(lexer *l, token *t) {
  const char *start = l->at;
  int64_t value = 0;
  while (more(l) && isdigit((unsigned char)*l->at)) {
    value = value * 10 + (*l->at++ - '0');
    if (value > UINT32_MAX) eo__front_fail(l->front, t, "this number is too large: an int has 32 bits");
  }
  if (more(l) && name_char(*l->at))
    eo__front_fail(l->front, t, "a number ends in '%c'; numbers are decimal here", *l->at);
  t->kind = TOKEN_NUMBER;
  t->value = (int32_t)value;
  t->text = eo__front_text(l->front, start, (size_t)(l->at - start));
}

static void read_string(lexer *l, token *t) {
  const char *start = l->at++;
  while (more(l) && *l->at != '"' && *l->at != '\n') l->at += *l->at == '\\' && l->at + 1 < l->end ? 2 : 1;
  if (l->at >= l->end || *l->at != '"') eo__front_fail(l->front, t, "this string does not end on its line");
  l->at++;
  t->kind = TOKEN_STRING;
  t->text = eo__front_text(l->front, start, (size_t)(l->at - start));
}

static void read_character(lexer *l, token *t) {
  const char *start = l->at++;
  char c = more(l) ? *l->at++ : '\0';
  if (c == '\\' && more(l)) {
    char escape = *l->at++;
    c = escape == 'n' ? '\n' : escape == 't' ? '\t' : escape == 'r' ? '\r' : escape == 'f' ? '\f' : escape;
  }
  if (!more(l) || *l->at++ != '\'') eo__front_fail(l->front, t, "a character in quotes is 'c'");
  t->kind = TOKEN_NUMBER;
  t->value = (unsigned char)c;
  t->text = eo__front_text(l->front, start, (size_t)(l->at - start));
}

static const char *const symbols[] = {
    "<->", "::", "->", "++", "--", "!!", "??", "==", "!=", "<=", ">=", "<<", ">>", "&&",
    "||",  "..", "{",  "}",  "(",  ")",  "[",  "]",  ";",  ",",  ":",  "?",  "!",  "=",
    "<",   ">",  "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  ".",  "@"};

static void read_symbol(lexer *l, token *t) {
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    size_t length = strlen(symbols[i]);
    if ((size_t)(l->end - l->at) < length || memcmp(l->at, symbols[i], length) != 0) continue;
    t->kind = TOKEN_SYMBOL;
    t->text = symbols[i];
    l->at += length;
    return;
  }
  unsigned char c = (unsigned char)*l->at;
  if (isprint(c)) eo__front_fail(l->front, t, "'%c' is not part of Promela", c);
  eo__front_fail(l->front, t, "the byte 0x%02x is not part of Promela", c);
}

void eo__front_lex(compiler *f, const char *path, const char *text, size_t size, tokens *out) {
  lexer l = {.front = f, .at = text, .end = text + size, .line_start = text};
  l.here.file = eo__front_text(f, path, strlen(path));
  l.here.line = 1;
  while (skip_space(&l)) {
    token t = l.here;
    char c = *l.at;
    if (isdigit((unsigned char)c))
      read_number(&l, &t);
    else if (isalpha((unsigned char)c) || c == '_')
      read_name(&l, &t);
    else if (c == '"')
      read_string(&l, &t);
    else if (c == '\'')
      read_character(&l, &t);
    else
      read_symbol(&l, &t);
    front_push(f, &l.out, t);
  }
  token end = l.here;
  end.kind = TOKEN_END;
  end.text = "the end of the file";
  front_push(f, &l.out, end);
  *out = (tokens){l.out.items, l.out.count};
}
