/* expressions.c: expressions, references to variables, and the fields of messages. */
#include <string.h>

#include "subjects/model/parse.h"

eo_promela_expr *eo__parse_new(parser *p, const token *at, eo_promela_op op) {
  eo_promela_expr *e = eo__front_take(p->front, sizeof *e);
  e->op = op;
  e->file = at->file;
  e->line = at->line;
  e->column = at->column;
  return e;
}

eo_promela_expr *eo__parse_number(parser *p, const token *at, int32_t value) {
  eo_promela_expr *e = eo__parse_new(p, at, EO_PROMELA_CONST);
  e->value = value;
  return e;
}

bool eo__parse_is_run(const eo_promela_expr *e) { return e && e->op == EO_PROMELA_RUN; }

bool eo__parse_is_channel(const eo_promela_expr *e) {
  return e->op == EO_PROMELA_VAR && e->ref->cell.type == EO_PROMELA_CHAN;
}

eo_promela_expr *eo__parse_binary(parser *p, const token *at, eo_promela_op op, eo_promela_expr *a,
                                  eo_promela_expr *b) {
  if (eo__parse_is_run(a) || eo__parse_is_run(b))
    eo__front_fail(p->front, at,
                   "run is the whole of a statement, or of what is assigned; it cannot be part of a larger expression");
  bool compares = op == EO_PROMELA_EQUAL || op == EO_PROMELA_UNEQUAL;
  if (!compares && (eo__parse_is_channel(a) || (b && eo__parse_is_channel(b))))
    eo__front_fail(p->front, at, "a channel is no number: it can only be compared by == and !=");
  eo_promela_expr *e = eo__parse_new(p, at, op);
  e->a = a;
  e->b = b;
  return e;
}

/* ---- References -------------------------------------------------------------------------------------------------- */

static void add_index(parser *p, eo_promela_ref *ref, eo_promela_expr *value, uint32_t bound, uint32_t stride) {
  if (value->op == EO_PROMELA_CONST) {
    token at = {.file = value->file, .line = value->line, .column = value->column};
    if (value->value < 0 || (uint32_t)value->value >= bound)
      eo__front_fail(p->front, &at, "index %d of an array of %u", (int)value->value, bound);
    ref->offset += (uint32_t)value->value * stride;
    return;
  }
  eo_promela_index *grown = eo__front_take(p->front, (ref->index_count + 1) * sizeof *grown);
  if (ref->index_count) memcpy(grown, ref->indices, ref->index_count * sizeof *grown);
  grown[ref->index_count++] = (eo_promela_index){value, bound, stride};
  ref->indices = grown;
}

static void parse_index(parser *p, eo_promela_ref *ref, const eo_promela_symbol *symbol, const token *at) {
  if (eo__parse_accept(p, "[")) {
    if (!symbol->array) eo__front_fail(p->front, at, "'%s' is no array", symbol->name);
    eo_promela_expr *value = eo__parse_expression(p);
    if (eo__parse_is_run(value)) eo__front_fail(p->front, at, "run cannot be an index");
    eo__parse_expect(p, "]", "an index");
    add_index(p, ref, value, symbol->count, symbol->stride);
  } else if (symbol->array) {
    eo__front_fail(p->front, at, "'%s' is an array: say which element, as in %s[0]", symbol->name, symbol->name);
  }
}

static const eo_promela_symbol *find_field(parser *p, const eo_promela_struct *s, const token *name) {
  for (uint32_t i = 0; i < s->field_count; i++)
    if (strcmp(s->fields[i]->name, name->text) == 0) return s->fields[i];
  eo__front_fail(p->front, name, "%s has no field '%s'", s->name, name->text);
}

reference eo__parse_reference(parser *p) {
  token name = eo__parse_name(p, "the name of a variable");
  const eo_promela_symbol *symbol = eo__parse_find(p, name.text);
  if (!symbol) {
    if (eo__parse_is(p, "@") ||
        (eo__parse_is(p, "[") && p->flow && eo__parse_is_at(p, 2, "]") && eo__parse_is_at(p, 3, "@")))
      eo__parse_refuse(p, &name, "a reference to a label of another process");
    eo__front_fail(p->front, &name, "'%s' is not declared", name.text);
  }
  eo_promela_ref *ref = eo__front_take(p->front, sizeof *ref);
  ref->symbol = symbol;
  ref->global = !symbol->owner;
  ref->offset = symbol->offset;
  parse_index(p, ref, symbol, &name);
  while (eo__parse_is(p, ".")) {
    eo__parse_take(p);
    token field = eo__parse_name(p, "the name of a field");
    if (symbol->type != EO_PROMELA_STRUCT) eo__front_fail(p->front, &field, "'%s' has no fields", symbol->name);
    symbol = find_field(p, symbol->fields, &field);
    ref->offset += symbol->offset;
    parse_index(p, ref, symbol, &field);
  }
  ref->cell = symbol->cell;
  return (reference){ref, symbol->type == EO_PROMELA_STRUCT ? symbol->fields : NULL, symbol};
}

eo_promela_ref *eo__parse_scalar(parser *p) {
  token at = *eo__parse_peek(p, 0);
  reference r = eo__parse_reference(p);
  if (r.fields) eo__front_fail(p->front, &at, "'%s' is a whole %s: name one of its fields", at.text, r.fields->name);
  return r.ref;
}

eo_promela_expr *eo__parse_variable(parser *p, const token *at, eo_promela_ref *ref) {
  eo_promela_expr *e = eo__parse_new(p, at, EO_PROMELA_VAR);
  e->ref = ref;
  return e;
}

static void spread(parser *p, const eo_promela_ref *base, const eo_promela_struct *s, uint32_t offset, ref_list *out) {
  for (uint32_t i = 0; i < s->field_count; i++) {
    const eo_promela_symbol *field = s->fields[i];
    for (uint32_t k = 0; k < field->count; k++) {
      uint32_t at = offset + field->offset + k * field->stride;
      if (field->type == EO_PROMELA_STRUCT) {
        spread(p, base, field->fields, at, out);
        continue;
      }
      eo_promela_ref *ref = eo__front_take(p->front, sizeof *ref);
      *ref = *base;
      ref->offset += at;
      ref->cell = field->cell;
      front_push(p->front, out, ref);
    }
  }
}

void eo__parse_spread(parser *p, const reference *r, ref_list *out) {
  if (r->fields)
    spread(p, r->ref, r->fields, 0, out);
  else
    front_push(p->front, out, r->ref);
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

typedef FRONT_LIST(eo_promela_field) field_list;

static eo_promela_expr *parse_named(parser *p);

/* Is a whole struct named here? Then it stands for all its fields. */
bool eo__parse_names_struct(parser *p) {
  const token *t = eo__parse_peek(p, 0);
  if (t->kind != TOKEN_NAME) return false;
  const eo_promela_symbol *symbol = eo__parse_find(p, t->text);
  return symbol && symbol->type == EO_PROMELA_STRUCT;
}

static eo_promela_message *make_message(parser *p, eo_promela_expr *channel, const field_list *fields, bool polls) {
  eo_promela_message *m = eo__front_take(p->front, sizeof *m);
  m->channel = channel;
  m->polls = polls;
  m->count = fields->count;
  m->fields = fields->items;
  const eo_promela_queue *queue = channel->ref->symbol->queue;
  token at = {.file = channel->file, .line = channel->line, .column = channel->column};
  if (queue && (polls ? queue->field_count < m->count : queue->field_count != m->count))
    eo__front_fail(p->front, &at, "messages of '%s' have %u fields, not %u", channel->ref->symbol->name,
                   queue->field_count, m->count);
  if (m->count > 255) eo__front_fail(p->front, &at, "more than 255 fields");
  return m;
}

static void push_values(parser *p, const reference *r, const token *at, field_list *out) {
  ref_list scalars = {0};
  eo__parse_spread(p, r, &scalars);
  for (uint32_t i = 0; i < scalars.count; i++) {
    eo_promela_field field = {.match = EO_PROMELA_VALUE, .value = eo__parse_variable(p, at, scalars.items[i])};
    front_push(p->front, out, field);
  }
}

static void parse_sent(parser *p, field_list *out) {
  token at = *eo__parse_peek(p, 0);
  if (eo__parse_names_struct(p)) {
    reference r = eo__parse_reference(p);
    if (r.fields) {
      push_values(p, &r, &at, out);
      return;
    }
    eo__front_fail(p->front, &at, "a field of a struct in a send goes in parentheses here");
  }
  eo_promela_expr *value = eo__parse_expression(p);
  if (eo__parse_is_run(value)) eo__front_fail(p->front, &at, "run cannot be sent");
  eo_promela_field field = {.match = EO_PROMELA_VALUE, .value = value};
  front_push(p->front, out, field);
}

/* A struct that is followed by a field is an ordinary expression. */
static bool whole_struct(parser *p) {
  if (!eo__parse_names_struct(p)) return false;
  size_t ahead = 1, depth = 0;
  if (eo__parse_is_at(p, ahead, "[")) {
    do {
      if (eo__parse_is_at(p, ahead, "[")) depth++;
      if (eo__parse_is_at(p, ahead, "]")) depth--;
      if (eo__parse_peek(p, ahead)->kind == TOKEN_END) return false;
      ahead++;
    } while (depth);
  }
  return !eo__parse_is_at(p, ahead, ".");
}

eo_promela_message *eo__parse_send_fields(parser *p, eo_promela_expr *channel) {
  field_list fields = {0};
  bool paired = false;
  do {
    if (whole_struct(p)) {
      parse_sent(p, &fields);
    } else {
      token at = *eo__parse_peek(p, 0);
      eo_promela_expr *value = eo__parse_expression(p);
      if (eo__parse_is_run(value)) eo__front_fail(p->front, &at, "run cannot be sent");
      eo_promela_field field = {.match = EO_PROMELA_VALUE, .value = value};
      front_push(p->front, &fields, field);
    }
    if (eo__parse_is(p, "(") && fields.count == 1) { /* c!type(a, b) */
      eo__parse_take(p);
      paired = true;
      continue;
    }
    if (!eo__parse_accept(p, ",")) break;
  } while (true);
  if (paired) eo__parse_expect(p, ")", "a send");
  return make_message(p, channel, &fields, false);
}

/* A field to be equal to is a constant with at most a sign, as in spin: in q?<1> the > ends the receive, and is no operator. */
static bool names_constant(parser *p) {
  const token *t = eo__parse_peek(p, 0);
  if (t->kind == TOKEN_NUMBER || eo__parse_is(p, "-") || eo__parse_is(p, "true") || eo__parse_is(p, "false"))
    return true;
  return t->kind == TOKEN_NAME && !eo__parse_find(p, t->text) && eo__parse_mtype(p, t->text);
}

static eo_promela_expr *parse_received_constant(parser *p) {
  token at = *eo__parse_peek(p, 0);
  bool minus = eo__parse_accept(p, "-");
  const token *t = eo__parse_peek(p, 0);
  if (t->kind == TOKEN_NUMBER) {
    int32_t value = eo__parse_take(p).value;
    return eo__parse_number(p, &at, minus ? -value : value);
  }
  if (minus || !names_constant(p)) eo__front_fail(p->front, t, "a number is missing behind '-'");
  return parse_named(p);
}

static void parse_received(parser *p, field_list *out) {
  const token *t = eo__parse_peek(p, 0);
  token at = *t;
  eo_promela_field field = {.match = EO_PROMELA_VALUE};
  if (eo__parse_accept(p, "_")) {
    field.match = EO_PROMELA_IGNORE;
  } else if (eo__parse_accept(p, "eval")) {
    eo__parse_expect(p, "(", "eval");
    field.value = eo__parse_expression(p);
    if (eo__parse_is_run(field.value)) eo__front_fail(p->front, &at, "run cannot be received");
    eo__parse_expect(p, ")", "eval");
  } else if (names_constant(p)) {
    field.value = parse_received_constant(p);
  } else {
    reference r = eo__parse_reference(p);
    ref_list scalars = {0};
    eo__parse_spread(p, &r, &scalars);
    for (uint32_t i = 0; i < scalars.count; i++) {
      eo_promela_field into = {.match = EO_PROMELA_STORE, .into = scalars.items[i]};
      front_push(p->front, out, into);
    }
    return;
  }
  front_push(p->front, out, field);
}

eo_promela_message *eo__parse_receive_fields(parser *p, eo_promela_expr *channel, const char *close, bool polls) {
  field_list fields = {0};
  uint32_t parens = 0;
  while (eo__parse_accept(p, "(")) parens++;
  for (;;) {
    parse_received(p, &fields);
    if (eo__parse_accept(p, ",")) continue;
    if (eo__parse_is(p, "(")) {
      eo__parse_take(p);
      parens++;
      continue;
    }
    break;
  }
  while (parens--) eo__parse_expect(p, ")", "a receive");
  if (close) eo__parse_expect(p, close, "a receive");
  return make_message(p, channel, &fields, polls);
}

/* A receive into this struct, and a send of it, of the same channel. */
void eo__parse_rotate(parser *p, eo_promela_expr *channel, const reference *r, eo_promela_transition *take,
                      eo_promela_transition *back) {
  ref_list scalars = {0};
  field_list in = {0}, out = {0};
  token at = {.file = take->file, .line = take->line};
  eo__parse_spread(p, r, &scalars);
  for (uint32_t i = 0; i < scalars.count; i++) {
    eo_promela_field into = {.match = EO_PROMELA_STORE, .into = scalars.items[i]};
    eo_promela_field from = {.match = EO_PROMELA_VALUE, .value = eo__parse_variable(p, &at, scalars.items[i])};
    front_push(p->front, &in, into);
    front_push(p->front, &out, from);
  }
  take->message = make_message(p, channel, &in, false);
  back->message = make_message(p, channel, &out, false);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

static eo_promela_expr *parse_unary(parser *p);

/* Levels of binding, as in spin's grammar. [] and <> take what binds tighter than &&, X what binds tighter than U. */
enum { BELOW_ALWAYS = 5, BELOW_NEXT = 6 };

static const struct {
  const char *text;
  int level;
  eo_promela_op op;
} operators[] = {
    {"->", 1, EO_PROMELA_IMPLIES}, /* in ltl formulas alone, as all temporal operators */
    {"<->", 1, EO_PROMELA_EQUIVALENT},
    {"implies", 1, EO_PROMELA_IMPLIES},
    {"equivalent", 1, EO_PROMELA_EQUIVALENT},
    {"||", 2, EO_PROMELA_OR},
    {"&&", 3, EO_PROMELA_AND},
    {"U", BELOW_ALWAYS, EO_PROMELA_UNTIL},
    {"until", BELOW_ALWAYS, EO_PROMELA_UNTIL},
    {"stronguntil", BELOW_ALWAYS, EO_PROMELA_UNTIL},
    {"W", BELOW_ALWAYS, EO_PROMELA_WEAK_UNTIL},
    {"weakuntil", BELOW_ALWAYS, EO_PROMELA_WEAK_UNTIL},
    {"V", BELOW_ALWAYS, EO_PROMELA_RELEASE},
    {"release", BELOW_ALWAYS, EO_PROMELA_RELEASE},
    {"|", BELOW_NEXT, EO_PROMELA_OR_BITS},
    {"^", 7, EO_PROMELA_XOR_BITS},
    {"&", 8, EO_PROMELA_AND_BITS},
    {"==", 9, EO_PROMELA_EQUAL},
    {"!=", 9, EO_PROMELA_UNEQUAL},
    {"<", 10, EO_PROMELA_LESS},
    {">", 10, EO_PROMELA_GREATER},
    {"<=", 10, EO_PROMELA_LESS_EQUAL},
    {">=", 10, EO_PROMELA_GREATER_EQUAL},
    {"<<", 11, EO_PROMELA_LEFT},
    {">>", 11, EO_PROMELA_RIGHT},
    {"+", 12, EO_PROMELA_ADD},
    {"-", 12, EO_PROMELA_SUBTRACT},
    {"*", 13, EO_PROMELA_MULTIPLY},
    {"/", 13, EO_PROMELA_DIVIDE},
    {"%", 13, EO_PROMELA_MODULO},
};
enum { OPERATORS = sizeof operators / sizeof *operators };

static int operator_here(parser *p, int level) {
  for (int i = 0; i < OPERATORS; i++) {
    if (operators[i].op >= EO_PROMELA_ALWAYS && !p->temporal) continue;
    if (operators[i].level >= level && eo__parse_is(p, operators[i].text)) return i;
  }
  return -1;
}

static eo_promela_expr *parse_level(parser *p, int level) {
  if (++p->nesting > MOST_NESTING)
    eo__front_fail(p->front, eo__parse_peek(p, 0), "more than %d levels of nesting", MOST_NESTING);
  eo_promela_expr *left = parse_unary(p);
  for (int i; (i = operator_here(p, level)) >= 0;) {
    token at = eo__parse_take(p);
    eo_promela_expr *right = parse_level(p, operators[i].level + 1);
    left = eo__parse_binary(p, &at, operators[i].op, left, right);
  }
  p->nesting--;
  return left;
}

eo_promela_expr *eo__parse_expression(parser *p) { return parse_level(p, 1); }

static eo_promela_expr *parse_parentheses(parser *p) {
  token at = eo__parse_take(p);
  eo_promela_expr *e = eo__parse_expression(p);
  if (!p->temporal && eo__parse_accept(p, "->")) {
    eo_promela_expr *chosen = eo__parse_binary(p, &at, EO_PROMELA_IF, e, NULL);
    chosen->b = eo__parse_expression(p);
    eo__parse_expect(p, ":", "(condition -> value : value)");
    chosen->c = eo__parse_expression(p);
    if (eo__parse_is_run(chosen->b) || eo__parse_is_run(chosen->c))
      eo__front_fail(p->front, &at, "run cannot be part of a larger expression");
    e = chosen;
  }
  eo__parse_expect(p, ")", "an expression");
  return e;
}

static eo_promela_expr *parse_run(parser *p) {
  token at = eo__parse_take(p);
  if (!p->flow) eo__front_fail(p->front, &at, "run outside of a proctype");
  token name = eo__parse_name(p, "the name of a proctype");
  eo_promela_expr *run = eo__parse_new(p, &at, EO_PROMELA_RUN);
  FRONT_LIST(eo_promela_expr *) arguments = {0};
  run->name = name.text;
  eo__parse_expect(p, "(", "run");
  while (!eo__parse_is(p, ")")) {
    token where = *eo__parse_peek(p, 0);
    field_list fields = {0};
    if (whole_struct(p)) {
      parse_sent(p, &fields);
    } else {
      eo_promela_expr *value = eo__parse_expression(p);
      if (eo__parse_is_run(value)) eo__front_fail(p->front, &where, "run cannot be an argument");
      eo_promela_field field = {.value = value};
      front_push(p->front, &fields, field);
    }
    for (uint32_t i = 0; i < fields.count; i++) front_push(p->front, &arguments, fields.items[i].value);
    if (!eo__parse_accept(p, ",")) break;
  }
  eo__parse_expect(p, ")", "run");
  run->rank = eo__parse_rank(p);
  run->argument_count = arguments.count;
  run->arguments = arguments.items;
  front_push(p->front, &p->runs, run);
  front_push(p->front, &p->run_tokens, name);
  return run;
}

static eo_promela_expr *parse_rank_of(parser *p) {
  token at = eo__parse_take(p);
  eo_promela_expr *e = eo__parse_new(p, &at, EO_PROMELA_RANK_OF);
  eo__parse_expect(p, "(", "get_priority");
  e->a = eo__parse_expression(p);
  if (eo__parse_is_run(e->a)) eo__front_fail(p->front, &at, "run cannot be an argument");
  eo__parse_expect(p, ")", "get_priority");
  return e;
}

static eo_promela_expr *channel_in_parentheses(parser *p, eo_promela_op op) {
  token at = eo__parse_take(p);
  eo__parse_expect(p, "(", at.text);
  token name = *eo__parse_peek(p, 0);
  eo_promela_expr *channel = eo__parse_variable(p, &name, eo__parse_scalar(p));
  if (!eo__parse_is_channel(channel)) eo__front_fail(p->front, &name, "'%s' is no channel", name.text);
  eo__parse_expect(p, ")", at.text);
  eo_promela_expr *e = eo__parse_new(p, &at, op);
  e->a = channel;
  return e;
}

static eo_promela_expr *parse_poll(parser *p, eo_promela_expr *channel, bool any) {
  token at = eo__parse_take(p);
  if (!eo__parse_is_channel(channel)) eo__front_fail(p->front, &at, "the name before '%s' is no channel", at.text);
  eo__parse_expect(p, "[", "a poll");
  eo_promela_expr *poll = eo__parse_new(p, &at, EO_PROMELA_POLL);
  poll->a = channel;
  poll->receive = eo__parse_receive_fields(p, channel, "]", true);
  poll->receive->ordered = any;
  return poll;
}

static eo_promela_expr *parse_named(parser *p) {
  static const struct {
    const char *text;
    eo_promela_op op;
  } channels[] = {{"len", EO_PROMELA_LEN},
                  {"full", EO_PROMELA_FULL},
                  {"nfull", EO_PROMELA_NFULL},
                  {"empty", EO_PROMELA_EMPTY},
                  {"nempty", EO_PROMELA_NEMPTY}},
    plain[] = {{"_pid", EO_PROMELA_PID},
               {"_nr_pr", EO_PROMELA_NR_PR},
               {"timeout", EO_PROMELA_TIMEOUT},
               {"np_", EO_PROMELA_NP}};
  token at = *eo__parse_peek(p, 0);
  const eo_promela_proctype *remote = p->claiming ? eo__parse_remote_of(p) : NULL;
  if (remote) return eo__parse_remote(p, remote);
  if (eo__parse_is(p, "run")) return parse_run(p);
  if (eo__parse_is(p, "get_priority")) return parse_rank_of(p);
  for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
    if (eo__parse_is(p, channels[i].text)) return channel_in_parentheses(p, channels[i].op);
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (eo__parse_is(p, plain[i].text)) {
      if (plain[i].op == EO_PROMELA_NP && !p->claiming) eo__parse_refuse(p, &at, "np_ outside of a never claim");
      if (plain[i].op == EO_PROMELA_TIMEOUT && p->claiming) eo__parse_refuse(p, &at, "timeout in a property");
      eo__parse_take(p);
      if (plain[i].op == EO_PROMELA_PID && (!p->flow || p->claiming))
        eo__front_fail(p->front, &at, "_pid outside of a proctype");
      return eo__parse_new(p, &at, plain[i].op);
    }
  if (eo__parse_is(p, "true") || eo__parse_is(p, "skip") || eo__parse_is(p, "false"))
    return eo__parse_number(p, &at, strcmp(eo__parse_take(p).text, "false") != 0);
  int32_t value = eo__parse_find(p, at.text) ? 0 : eo__parse_mtype(p, at.text);
  if (value) {
    eo__parse_take(p);
    eo_promela_expr *e = eo__parse_number(p, &at, value);
    e->name = at.text;
    return e;
  }
  if (eo__parse_is(p, "_")) eo__front_fail(p->front, &at, "'_' can only be written, by a receive");
  eo_promela_expr *variable = eo__parse_variable(p, &at, eo__parse_scalar(p));
  if (eo__parse_is(p, "?") && eo__parse_is_at(p, 1, "[")) return parse_poll(p, variable, false);
  if (eo__parse_is(p, "??") && eo__parse_is_at(p, 1, "[")) return parse_poll(p, variable, true);
  return variable;
}

static eo_promela_expr *parse_unary(parser *p) {
  static const struct {
    const char *text;
    eo_promela_op op;
  } unary[] = {{"!", EO_PROMELA_NOT}, {"-", EO_PROMELA_NEGATE}, {"~", EO_PROMELA_INVERT}};
  token at = *eo__parse_peek(p, 0);
  eo_promela_op before = p->temporal ? eo__parse_temporal_prefix(p) : EO_PROMELA_CONST;
  if (before != EO_PROMELA_CONST)
    return eo__parse_binary(p, &at, before, parse_level(p, before == EO_PROMELA_NEXT ? BELOW_NEXT : BELOW_ALWAYS),
                            NULL);
  for (size_t i = 0; i < sizeof unary / sizeof *unary; i++) {
    if (!eo__parse_is(p, unary[i].text)) continue;
    eo__parse_take(p);
    if (++p->nesting > MOST_NESTING) eo__front_fail(p->front, &at, "more than %d levels of nesting", MOST_NESTING);
    eo_promela_expr *e = eo__parse_binary(p, &at, unary[i].op, parse_unary(p), NULL);
    p->nesting--;
    return e;
  }
  if (eo__parse_is(p, "(")) return parse_parentheses(p);
  if (at.kind == TOKEN_NUMBER) return eo__parse_number(p, &at, eo__parse_take(p).value);
  if (at.kind == TOKEN_NAME) return parse_named(p);
  bool end = at.kind == TOKEN_END;
  eo__front_fail(p->front, &at, "an expression is missing before %s%.60s%s", end ? "" : "'", at.text, end ? "" : "'");
}

/* ---- Constants --------------------------------------------------------------------------------------------------- */

static bool fold(const eo_promela_expr *e, int64_t *value) {
  int64_t a = 0, b = 0;
  if (e->op == EO_PROMELA_CONST) {
    *value = e->value;
    return true;
  }
  if (!e->a || !fold(e->a, &a) || (e->b && !fold(e->b, &b))) return false;
  switch (e->op) {
    case EO_PROMELA_NEGATE: *value = -a; break;
    case EO_PROMELA_ADD: *value = a + b; break;
    case EO_PROMELA_SUBTRACT: *value = a - b; break;
    case EO_PROMELA_MULTIPLY: *value = a * b; break;
    case EO_PROMELA_DIVIDE:
      if (!b) return false;
      *value = a / b;
      break;
    case EO_PROMELA_MODULO:
      if (!b) return false;
      *value = a % b;
      break;
    default: return false;
  }
  return *value >= INT32_MIN && *value <= INT32_MAX;
}

int32_t eo__parse_constant(parser *p, const char *what) {
  token at = *eo__parse_peek(p, 0);
  int64_t value = 0;
  if (!fold(eo__parse_expression(p), &value)) eo__front_fail(p->front, &at, "%s must be a constant", what);
  return (int32_t)value;
}
