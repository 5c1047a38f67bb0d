/* unparse.c: statements and expressions in words, as people write them. */
#include <string.h>

#include "base/text.h"
#include "subjects/model/front.h"

static const char *const operators[] = {
    [EO_PROMELA_ADD] = "+",         [EO_PROMELA_SUBTRACT] = "-",       [EO_PROMELA_MULTIPLY] = "*",
    [EO_PROMELA_DIVIDE] = "/",      [EO_PROMELA_MODULO] = "%",         [EO_PROMELA_AND_BITS] = "&",
    [EO_PROMELA_XOR_BITS] = "^",    [EO_PROMELA_OR_BITS] = "|",        [EO_PROMELA_LEFT] = "<<",
    [EO_PROMELA_RIGHT] = ">>",      [EO_PROMELA_LESS] = "<",           [EO_PROMELA_GREATER] = ">",
    [EO_PROMELA_LESS_EQUAL] = "<=", [EO_PROMELA_GREATER_EQUAL] = ">=", [EO_PROMELA_EQUAL] = "==",
    [EO_PROMELA_UNEQUAL] = "!=",    [EO_PROMELA_AND] = "&&",           [EO_PROMELA_OR] = "||",
    [EO_PROMELA_UNTIL] = "U",       [EO_PROMELA_WEAK_UNTIL] = "W",     [EO_PROMELA_RELEASE] = "V",
    [EO_PROMELA_IMPLIES] = "->",    [EO_PROMELA_EQUIVALENT] = "<->",
};

static const char *const calls[] = {
    [EO_PROMELA_LEN] = "len",     [EO_PROMELA_FULL] = "full",     [EO_PROMELA_NFULL] = "nfull",
    [EO_PROMELA_EMPTY] = "empty", [EO_PROMELA_NEMPTY] = "nempty", [EO_PROMELA_POLL] = NULL,
};

static void add_expression(eo_text *out, const eo_promela_expr *e, bool inner);

/* The field, or the element, that lies at this offset of a symbol. Indices that are computed come in order. */
static void add_path(eo_text *out, const eo_promela_symbol *s, uint32_t offset, const eo_promela_ref *ref,
                     uint32_t *used) {
  if (s->array) {
    uint32_t nth = offset / s->stride;
    offset %= s->stride;
    const eo_promela_index *index = *used < ref->index_count ? &ref->indices[*used] : NULL;
    if (index && index->stride == s->stride && index->bound == s->count && nth == 0) {
      (*used)++;
      eo__text_add(out, "[");
      add_expression(out, index->value, false);
      eo__text_add(out, "]");
    } else {
      eo__text_add(out, "[%u]", nth);
    }
  }
  for (uint32_t i = 0; s->fields && i < s->fields->field_count; i++) {
    const eo_promela_symbol *field = s->fields->fields[i];
    if (offset < field->offset || offset >= field->offset + field->count * field->stride) continue;
    eo__text_add(out, ".%s", field->name);
    add_path(out, field, offset - field->offset, ref, used);
    return;
  }
}

static void add_reference(eo_text *out, const eo_promela_ref *ref) {
  uint32_t used = 0;
  eo__text_add(out, "%s", ref->symbol->name);
  add_path(out, ref->symbol, ref->offset - ref->symbol->offset, ref, &used);
}

static void add_message(eo_text *out, const eo_promela_message *m, bool sends) {
  for (uint32_t i = 0; i < m->count; i++) {
    const eo_promela_field *f = &m->fields[i];
    if (i) eo__text_add(out, ",");
    if (f->match == EO_PROMELA_IGNORE)
      eo__text_add(out, "_");
    else if (f->match == EO_PROMELA_STORE)
      add_reference(out, f->into);
    else if (sends || f->value->op == EO_PROMELA_CONST)
      add_expression(out, f->value, false);
    else {
      eo__text_add(out, "eval(");
      add_expression(out, f->value, false);
      eo__text_add(out, ")");
    }
  }
}

static void add_run(eo_text *out, const eo_promela_expr *e) {
  eo__text_add(out, "run %s(", e->name);
  for (uint32_t i = 0; i < e->argument_count; i++) {
    if (i) eo__text_add(out, ",");
    add_expression(out, e->arguments[i], false);
  }
  eo__text_add(out, ")");
}

static void add_special(eo_text *out, const eo_promela_expr *e) {
  static const struct {
    eo_promela_op op;
    const char *text;
  } words[] = {{EO_PROMELA_PID, "_pid"}, {EO_PROMELA_NR_PR, "_nr_pr"}, {EO_PROMELA_TIMEOUT, "timeout"},
               {EO_PROMELA_NP, "np_"},   {EO_PROMELA_NOT, "!"},        {EO_PROMELA_NEGATE, "-"},
               {EO_PROMELA_INVERT, "~"}, {EO_PROMELA_ALWAYS, "[] "},   {EO_PROMELA_EVENTUALLY, "<> "},
               {EO_PROMELA_NEXT, "X "}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (words[i].op != e->op) continue;
    eo__text_add(out, "%s", words[i].text);
    if (e->a) add_expression(out, e->a, true);
  }
}

/* P[2]@label, P:x */
static void add_remote(eo_text *out, const eo_promela_expr *e) {
  eo__text_add(out, "%s", e->name);
  if (e->a) {
    eo__text_add(out, "[");
    add_expression(out, e->a, false);
    eo__text_add(out, "]");
  }
  eo__text_add(out, "%s", e->op == EO_PROMELA_REMOTE ? ":" : "@");
  if (e->op == EO_PROMELA_REMOTE)
    add_reference(out, e->ref);
  else
    eo__text_add(out, "%s", e->label);
}

static void add_expression(eo_text *out, const eo_promela_expr *e, bool inner) {
  switch (e->op) {
    case EO_PROMELA_CONST:
      if (e->name)
        eo__text_add(out, "%s", e->name);
      else
        eo__text_add(out, "%d", (int)e->value);
      break;
    case EO_PROMELA_VAR: add_reference(out, e->ref); break;
    case EO_PROMELA_IF:
      eo__text_add(out, "(");
      add_expression(out, e->a, true);
      eo__text_add(out, " -> ");
      add_expression(out, e->b, true);
      eo__text_add(out, " : ");
      add_expression(out, e->c, true);
      eo__text_add(out, ")");
      break;
    case EO_PROMELA_LEN:
    case EO_PROMELA_FULL:
    case EO_PROMELA_NFULL:
    case EO_PROMELA_EMPTY:
    case EO_PROMELA_NEMPTY:
      eo__text_add(out, "%s(", calls[e->op]);
      add_expression(out, e->a, false);
      eo__text_add(out, ")");
      break;
    case EO_PROMELA_POLL:
      add_expression(out, e->a, true);
      eo__text_add(out, "%s[", e->receive->ordered ? "??" : "?");
      add_message(out, e->receive, false);
      eo__text_add(out, "]");
      break;
    case EO_PROMELA_RUN: add_run(out, e); break;
    case EO_PROMELA_RANK_OF:
      eo__text_add(out, "get_priority(");
      add_expression(out, e->a, false);
      eo__text_add(out, ")");
      break;
    case EO_PROMELA_AT_LABEL:
    case EO_PROMELA_REMOTE: add_remote(out, e); break;
    default:
      if (!e->b) {
        add_special(out, e);
        break;
      }
      if (inner) eo__text_add(out, "(");
      add_expression(out, e->a, true);
      eo__text_add(out, " %s ", operators[e->op]);
      add_expression(out, e->b, true);
      if (inner) eo__text_add(out, ")");
  }
}

static void add_statement(eo_text *out, const eo_promela_transition *t) {
  switch (t->kind) {
    case EO_PROMELA_SKIP: eo__text_add(out, "skip"); break;
    case EO_PROMELA_ELSE: eo__text_add(out, "else"); break;
    case EO_PROMELA_CONDITION: add_expression(out, t->value, false); break;
    case EO_PROMELA_ASSIGN:
      add_reference(out, t->target);
      eo__text_add(out, " = ");
      add_expression(out, t->value, false);
      break;
    case EO_PROMELA_CLEAR: eo__text_add(out, "declares a struct"); break;
    case EO_PROMELA_SEND:
    case EO_PROMELA_RECEIVE:
      add_reference(out, t->message->channel->ref);
      eo__text_add(out, "%s%s",
                   t->kind == EO_PROMELA_SEND ? (t->message->ordered ? "!!" : "!") : (t->message->ordered ? "??" : "?"),
                   t->message->copies ? "<" : "");
      add_message(out, t->message, t->kind == EO_PROMELA_SEND);
      if (t->message->copies) eo__text_add(out, ">");
      break;
    case EO_PROMELA_ASSERT:
      eo__text_add(out, "assert(");
      add_expression(out, t->value, false);
      eo__text_add(out, ")");
      break;
    case EO_PROMELA_PRINT: eo__text_add(out, "printf(%s)", t->format); break;
    case EO_PROMELA_RANK:
      eo__text_add(out, "set_priority(");
      add_expression(out, t->arguments[0], false);
      eo__text_add(out, ", ");
      add_expression(out, t->value, false);
      eo__text_add(out, ")");
      break;
    case EO_PROMELA_DSTEP: eo__text_add(out, "d_step"); break;
    case EO_PROMELA_EXIT: eo__text_add(out, "ends"); break;
  }
}

/* A copy that the model keeps. */
static const char *keep(compiler *f, eo_text *out) {
  char *copy = out->failed ? NULL : eo__promela_arena_take(f->arena, out->length + 1);
  if (copy) memcpy(copy, out->chars, out->length);
  eo__text_release(out);
  if (copy) return copy;
  eo__error_nomem(f->error);
  longjmp(f->failed, 1);
}

const char *eo__promela_statement_text(compiler *f, const eo_promela_transition *t) {
  eo_text out;
  eo__text_init(&out);
  add_statement(&out, t);
  return keep(f, &out);
}

const char *eo__promela_expression_text(compiler *f, const eo_promela_expr *e) {
  eo_text out;
  eo__text_init(&out);
  add_expression(&out, e, false);
  return keep(f, &out);
}
