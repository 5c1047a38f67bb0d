/* pattern.c: see pattern.h. */
#include "core/pattern.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "core/program.h"

enum { LONGEST_WORD = 127, MOST_EVENTS = 16, LONGEST = sizeof((eo_failure *)0)->message - 1 };

typedef enum relation { HAPPENS_BEFORE, CONCURRENT } relation;

typedef struct term {
  char process[LONGEST_WORD + 1], from[LONGEST_WORD + 1], to[LONGEST_WORD + 1]; /* "": any */
  int op;                                                                       /* -1: any */
  bool has_tag, has_value, timeout;
  int64_t tag;
  uint64_t value;
} term;

typedef struct clause {
  bool no;
  uint32_t first, count;
} clause;

struct eo_pattern {
  char *text;
  EO_VEC(term) terms;
  EO_VEC(relation) relations; /* of each term to the one before it in its clause; of a first one unused */
  EO_VEC(clause) clauses;
};

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct reader {
  const char *text, *at;
  char word[LONGEST_WORD + 1]; /* the next one; "": the end */
  size_t column;               /* of that, from 1 */
  eo_error *error;
} reader;

static int wrong(reader *r, const char *expected) {
  if (!*r->word) return eo__error_set(r->error, EO_EINPUT, "pattern, column %zu: expected %s", r->column, expected);
  return eo__error_set(r->error, EO_EINPUT, "pattern, column %zu: expected %s, not '%.40s'", r->column, expected,
                       r->word);
}

/* A word ends at a blank; -> and || are words wherever they stand. */
static int next(reader *r) {
  static const char blanks[] = " \t\r\n";
  r->at += strspn(r->at, blanks);
  r->column = (size_t)(r->at - r->text) + 1;
  size_t length = 0;
  if (strncmp(r->at, "->", 2) == 0 || strncmp(r->at, "||", 2) == 0)
    length = 2;
  else
    while (r->at[length] && !strchr(blanks, r->at[length]) && strncmp(r->at + length, "->", 2) != 0 &&
           strncmp(r->at + length, "||", 2) != 0)
      length++;
  *r->word = '\0';
  if (length > LONGEST_WORD)
    return eo__error_set(r->error, EO_EINPUT, "pattern, column %zu: a word of more than %d characters", r->column,
                         LONGEST_WORD);
  memcpy(r->word, r->at, length);
  r->word[length] = '\0';
  r->at += length;
  return EO_OK;
}

static bool is(const reader *r, const char *word) { return strcmp(r->word, word) == 0; }

static bool is_process(const char *word) { return *word == 'P' || *word == '*' || *word == '?'; }

static int read_process(reader *r, char *out) {
  for (const char *c = r->word; *c; c++) /* of models: P0:sender */
    if (!isalnum((unsigned char)*c) && !strchr("._:*?", *c)) return wrong(r, "a process such as P1.2 or P1.*");
  if (!is_process(r->word)) return wrong(r, "a process such as P1.2 or P1.*");
  memcpy(out, r->word, sizeof r->word);
  return next(r);
}

static int read_op(reader *r, term *t) {
  t->op = -1;
  for (int op = 0; op < EO_OP_KINDS; op++)
    if (is(r, eo__op_name((eo_op_kind)op))) t->op = op;
  if (t->op < 0 && !is(r, "*")) return wrong(r, "an operation such as send, receive or choose, or *");
  return next(r);
}

static int read_tag(reader *r, term *t) {
  char *end;
  t->has_tag = true;
  t->tag = strtoll(r->word, &end, 10);
  if (!*r->word || *end) return wrong(r, "a number after 'tag'");
  return next(r);
}

static int read_value(reader *r, term *t) {
  t->has_value = true;
  if (!eo__text_number(r->word, UINT32_MAX, &t->value)) return wrong(r, "a number after 'value'");
  return next(r);
}

static int read_event(reader *r, term *t) {
  memset(t, 0, sizeof *t);
  int code = read_process(r, t->process);
  if (code == EO_OK) code = read_op(r, t);
  while (code == EO_OK && *r->word) {
    bool tag = is(r, "tag"), value = is(r, "value"), from = is(r, "from"), to = is(r, "to");
    if (is(r, "timeout"))
      t->timeout = true;
    else if (!tag && !value && !from && !to)
      break;
    code = next(r);
    if (code == EO_OK && tag) code = read_tag(r, t);
    if (code == EO_OK && value) code = read_value(r, t);
    if (code == EO_OK && from) code = read_process(r, t->from);
    if (code == EO_OK && to) code = read_process(r, t->to);
  }
  return code;
}

static int read_clause(reader *r, eo_pattern *p) {
  clause c = {.no = is(r, "no"), .first = (uint32_t)p->terms.count};
  relation how = HAPPENS_BEFORE;
  int code = c.no ? next(r) : EO_OK;
  for (bool more = true; more && code == EO_OK;) {
    term t;
    code = c.count < MOST_EVENTS ? read_event(r, &t) : wrong(r, "no more than 16 events in a row");
    if (code != EO_OK) return code;
    c.count++;
    if (!eo_vec_push(&p->terms, t) || !eo_vec_push(&p->relations, how)) return eo__error_nomem(r->error);
    how = is(r, "||") ? CONCURRENT : HAPPENS_BEFORE;
    more = is(r, "->") || is(r, "||");
    if (more) code = next(r);
  }
  if (code == EO_OK && *r->word && !is(r, "and"))
    return wrong(r, "->, ||, 'and', or one of tag, value, from, to and timeout");
  return code != EO_OK || eo_vec_push(&p->clauses, c) ? code : eo__error_nomem(r->error);
}

eo_pattern *eo__pattern_open(const char *text, eo_error *error) {
  reader r = {.text = text, .at = text, .error = error};
  if (strlen(text) > LONGEST) { /* it is the message of a finding */
    eo__error_set(error, EO_EINPUT, "the pattern has %zu characters: at most %d", strlen(text), LONGEST);
    return NULL;
  }
  eo_pattern *pattern = eo__alloc(sizeof *pattern);
  if (pattern) pattern->text = eo__strdup(text);
  int code = pattern && pattern->text ? next(&r) : eo__error_nomem(error);
  bool more = true;
  while (code == EO_OK && more) {
    code = read_clause(&r, pattern);
    more = is(&r, "and");
    if (code == EO_OK && more) code = next(&r);
  }
  if (code == EO_OK) return pattern;
  eo__pattern_close(pattern);
  return NULL;
}

const char *eo__pattern_text(const eo_pattern *pattern) { return pattern->text; }

void eo__pattern_close(eo_pattern *pattern) {
  if (!pattern) return;
  eo__free(pattern->text);
  eo_vec_release(&pattern->terms);
  eo_vec_release(&pattern->relations);
  eo_vec_release(&pattern->clauses);
  eo__free(pattern);
}

/* ---- Matching --------------------------------------------------------------------------------------------------- */

static bool is_called(const eo_trace *trace, uint32_t process, const char *glob) {
  char name[EO_PROCESS_NAME] = "";
  if (!*glob) return true;
  trace->view.processes->name(trace->view.of, process, name, sizeof name);
  return fnmatch(glob, name, 0) == 0; /* of the characters that mean something, only * and ? get into a pattern */
}

static bool has_message(const eo_trace *trace, const term *t, const eo_sent *sent) {
  if (t->has_tag && (!trace->view.relations->tag || trace->view.relations->tag(trace->view.of, sent->number) != t->tag))
    return false;
  return is_called(trace, sent->from, t->from) && is_called(trace, sent->to, t->to);
}

static bool spawns(const eo_trace *trace, uint32_t position, const char *glob) {
  for (size_t i = 0; i < trace->threads.count; i++)
    if (trace->threads.items[i].spawner == position && is_called(trace, (uint32_t)i, glob)) return true;
  return false;
}

/* Is this event one that the term speaks of? */
static bool fits(const eo_trace *trace, const term *t, uint32_t position) {
  const eo_record *record = &trace->records.items[position];
  if (t->op >= 0 && record->op != t->op) return false;
  if (t->timeout && !(record->flags & EO_EVENT_TIMEOUT)) return false;
  if (t->has_value && (!eo__op_chooses(record->op) || record->value != t->value)) return false;
  if (!is_called(trace, record->process, t->process)) return false;
  if (!t->has_tag && !*t->from && !*t->to) return true;
  if (record->op == EO_OP_SPAWN) return !t->has_tag && !*t->from && spawns(trace, position, t->to);
  if (record->op == EO_OP_RECEIVE && record->mail)
    return has_message(trace, t, &trace->mails.items[record->mail - 1].sent);
  for (uint32_t i = 0; i < record->mails; i++)
    if (has_message(trace, t, &trace->mails.items[record->first_mail + i].sent)) return true;
  return false;
}

static bool is_before(const eo_trace *trace, uint32_t early, uint32_t late) {
  return early != late && eo_clock_covers(eo_trace_clock(trace, late), &trace->records.items[early]);
}

/* Can the terms of the clause from number i on be found, the one before them being at `last`? */
static bool found(const eo_pattern *p, const clause *c, const eo_trace *trace, uint32_t i, uint32_t last) {
  if (i == c->count) return true;
  for (uint32_t at = 0; at < trace->records.count; at++) {
    if (i > 0 && p->relations.items[c->first + i] == HAPPENS_BEFORE && !is_before(trace, last, at)) continue;
    if (i > 0 && p->relations.items[c->first + i] == CONCURRENT &&
        (at == last || is_before(trace, last, at) || is_before(trace, at, last)))
      continue;
    if (fits(trace, &p->terms.items[c->first + i], at) && found(p, c, trace, i + 1, at)) return true;
  }
  return false;
}

bool eo__pattern_matches(const eo_pattern *pattern, const eo_trace *trace) {
  for (size_t i = 0; i < pattern->clauses.count; i++) {
    const clause *c = &pattern->clauses.items[i];
    if (found(pattern, c, trace, 0, EO_NO_EVENT) == c->no) return false;
  }
  return true;
}
