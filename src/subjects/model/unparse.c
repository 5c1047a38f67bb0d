/* unparse.c: statements and expressions in words, as people write them. */
#include <string.h>

#include "base/text.h"
#include "subjects/model/front.h"

static const char *const operators[] = {
    [EO_MODEL_ADD] = "+",         [EO_MODEL_SUBTRACT] = "-",       [EO_MODEL_MULTIPLY] = "*",
    [EO_MODEL_DIVIDE] = "/",      [EO_MODEL_MODULO] = "%",         [EO_MODEL_AND_BITS] = "&",
    [EO_MODEL_XOR_BITS] = "^",    [EO_MODEL_OR_BITS] = "|",        [EO_MODEL_LEFT] = "<<",
    [EO_MODEL_RIGHT] = ">>",      [EO_MODEL_LESS] = "<",           [EO_MODEL_GREATER] = ">",
    [EO_MODEL_LESS_EQUAL] = "<=", [EO_MODEL_GREATER_EQUAL] = ">=", [EO_MODEL_EQUAL] = "==",
    [EO_MODEL_UNEQUAL] = "!=",    [EO_MODEL_AND] = "&&",           [EO_MODEL_OR] = "||",
};

static const char *const calls[] = {
    [EO_MODEL_LEN] = "len",     [EO_MODEL_FULL] = "full",     [EO_MODEL_NFULL] = "nfull",
    [EO_MODEL_EMPTY] = "empty", [EO_MODEL_NEMPTY] = "nempty", [EO_MODEL_POLL] = NULL,
};

static void add_expression(eo_text *out, const eo_model_expr *e, bool inner);

/* The field, or the element, that lies at this offset of a symbol. Indices that are computed come in order. */
static void add_path(eo_text *out, const eo_model_symbol *s, uint32_t offset, const eo_model_ref *ref, uint32_t *used) {
  if (s->array) {
    uint32_t element = offset / s->stride;
    offset %= s->stride;
    const eo_model_index *index = *used < ref->index_count ? &ref->indices[*used] : NULL;
    if (index && index->stride == s->stride && index->bound == s->count && element == 0) {
      (*used)++;
      eo_text_add(out, "[");
      add_expression(out, index->value, false);
      eo_text_add(out, "]");
    } else {
      eo_text_add(out, "[%u]", element);
    }
  }
  for (uint32_t i = 0; s->fields && i < s->fields->field_count; i++) {
    const eo_model_symbol *field = s->fields->fields[i];
    if (offset < field->offset || offset >= field->offset + field->count * field->stride) continue;
    eo_text_add(out, ".%s", field->name);
    add_path(out, field, offset - field->offset, ref, used);
    return;
  }
}

static void add_reference(eo_text *out, const eo_model_ref *ref) {
  uint32_t used = 0;
  eo_text_add(out, "%s", ref->symbol->name);
  add_path(out, ref->symbol, ref->offset - ref->symbol->offset, ref, &used);
}

static void add_message(eo_text *out, const eo_model_message *m, bool sends) {
  for (uint32_t i = 0; i < m->count; i++) {
    const eo_model_field *f = &m->fields[i];
    if (i) eo_text_add(out, ",");
    if (f->match == EO_MODEL_IGNORE)
      eo_text_add(out, "_");
    else if (f->match == EO_MODEL_STORE)
      add_reference(out, f->into);
    else if (sends || f->value->op == EO_MODEL_CONST)
      add_expression(out, f->value, false);
    else {
      eo_text_add(out, "eval(");
      add_expression(out, f->value, false);
      eo_text_add(out, ")");
    }
  }
}

static void add_run(eo_text *out, const eo_model_expr *e) {
  eo_text_add(out, "run %s(", e->name);
  for (uint32_t i = 0; i < e->argument_count; i++) {
    if (i) eo_text_add(out, ",");
    add_expression(out, e->arguments[i], false);
  }
  eo_text_add(out, ")");
}

static void add_special(eo_text *out, const eo_model_expr *e) {
  static const struct {
    eo_model_op op;
    const char *text;
  } plain[] = {{EO_MODEL_PID, "_pid"}, {EO_MODEL_NR_PR, "_nr_pr"}, {EO_MODEL_TIMEOUT, "timeout"}},
    unary[] = {{EO_MODEL_NOT, "!"}, {EO_MODEL_NEGATE, "-"}, {EO_MODEL_INVERT, "~"}};
  for (size_t i = 0; i < 3; i++) {
    if (plain[i].op == e->op) eo_text_add(out, "%s", plain[i].text);
    if (unary[i].op != e->op) continue;
    eo_text_add(out, "%s", unary[i].text);
    add_expression(out, e->a, true);
  }
}

static void add_expression(eo_text *out, const eo_model_expr *e, bool inner) {
  switch (e->op) {
    case EO_MODEL_CONST:
      if (e->name)
        eo_text_add(out, "%s", e->name);
      else
        eo_text_add(out, "%d", (int)e->value);
      break;
    case EO_MODEL_VAR: add_reference(out, e->ref); break;
    case EO_MODEL_IF:
      eo_text_add(out, "(");
      add_expression(out, e->a, true);
      eo_text_add(out, " -> ");
      add_expression(out, e->b, true);
      eo_text_add(out, " : ");
      add_expression(out, e->c, true);
      eo_text_add(out, ")");
      break;
    case EO_MODEL_LEN:
    case EO_MODEL_FULL:
    case EO_MODEL_NFULL:
    case EO_MODEL_EMPTY:
    case EO_MODEL_NEMPTY:
      eo_text_add(out, "%s(", calls[e->op]);
      add_expression(out, e->a, false);
      eo_text_add(out, ")");
      break;
    case EO_MODEL_POLL:
      add_expression(out, e->a, true);
      eo_text_add(out, "%s[", e->receive->ordered ? "??" : "?");
      add_message(out, e->receive, false);
      eo_text_add(out, "]");
      break;
    case EO_MODEL_RUN: add_run(out, e); break;
    default:
      if (!e->b) {
        add_special(out, e);
        break;
      }
      if (inner) eo_text_add(out, "(");
      add_expression(out, e->a, true);
      eo_text_add(out, " %s ", operators[e->op]);
      add_expression(out, e->b, true);
      if (inner) eo_text_add(out, ")");
  }
}

static void add_statement(eo_text *out, const eo_model_transition *t) {
  switch (t->kind) {
    case EO_MODEL_SKIP: eo_text_add(out, "skip"); break;
    case EO_MODEL_ELSE: eo_text_add(out, "else"); break;
    case EO_MODEL_CONDITION: add_expression(out, t->value, false); break;
    case EO_MODEL_ASSIGN:
      add_reference(out, t->target);
      eo_text_add(out, " = ");
      add_expression(out, t->value, false);
      break;
    case EO_MODEL_CLEAR: eo_text_add(out, "declares a struct"); break;
    case EO_MODEL_SEND:
    case EO_MODEL_RECEIVE:
      add_reference(out, t->message->channel->ref);
      eo_text_add(out, "%s%s", t->kind == EO_MODEL_SEND ? (t->message->ordered ? "!!" : "!") : (t->message->ordered ? "??" : "?"),
                  t->message->copies ? "<" : "");
      add_message(out, t->message, t->kind == EO_MODEL_SEND);
      if (t->message->copies) eo_text_add(out, ">");
      break;
    case EO_MODEL_ASSERT:
      eo_text_add(out, "assert(");
      add_expression(out, t->value, false);
      eo_text_add(out, ")");
      break;
    case EO_MODEL_PRINT: eo_text_add(out, "printf(%s)", t->format); break;
    case EO_MODEL_DSTEP: eo_text_add(out, "d_step"); break;
    case EO_MODEL_EXIT: eo_text_add(out, "ends"); break;
  }
}

const char *eo__model_statement_text(front *f, const eo_model_transition *t) {
  eo_text out;
  eo_text_init(&out);
  add_statement(&out, t);
  char *copy = out.failed ? NULL : eo__model_arena_take(f->arena, out.length + 1);
  if (copy) memcpy(copy, out.chars, out.length);
  eo_text_release(&out);
  if (copy) return copy;
  eo_error_nomem(f->error);
  longjmp(f->failed, 1);
}
