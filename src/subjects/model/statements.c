/* statements.c: statements, into the sequences of flow.c. */
#include <string.h>

#include "subjects/model/parse.h"

enum { MOST_SPELT_OUT = 32 }; /* choices of a select between constants that become options, as in spin */

static node *parse_node(parser *p);

eo_promela_transition *eo__parse_statement(parser *p, const token *at, eo_promela_kind kind) {
  eo_promela_transition *t = eo__front_take(p->front, sizeof *t);
  t->kind = kind;
  t->file = at->file;
  t->line = at->line;
  return t;
}

static node *new_node(parser *p, element_kind kind, const token *at) {
  node *n = eo__front_take(p->front, sizeof *n);
  n->kind = kind;
  n->at = *at;
  return n;
}

static node *plain(parser *p, const token *at, eo_promela_transition *t) {
  node *n = new_node(p, ELEMENT_PLAIN, at);
  n->statement = t;
  t->text = eo__promela_statement_text(p->front, t);
  return n;
}

void eo__parse_add(parser *p, const token *at, eo_promela_transition *t) {
  eo__flow_add(p->flow, plain(p, at, t), p->scope);
}

/* ---- Blocks and selections --------------------------------------------------------------------------------------- */

static sequence *parse_block(parser *p, const char *what) {
  token at = eo__parse_expect(p, "{", what);
  if (++p->nesting > MOST_NESTING) eo__front_fail(p->front, &at, "more than %d levels of nesting", MOST_NESTING);
  eo__flow_open(p->flow);
  p->fresh = false;
  eo__parse_open_scope(p);
  eo__parse_sequence(p);
  eo__parse_expect(p, "}", what);
  eo__parse_close_scope(p);
  p->nesting--;
  return eo__flow_close(p->flow, &at);
}

static node *parse_atomic(parser *p) {
  token at = eo__parse_take(p);
  node *n = new_node(p, ELEMENT_ATOMIC, &at);
  n->body = parse_block(p, "atomic");
  eo__flow_atomic(n->body, false);
  return n;
}

static node *parse_dstep(parser *p) {
  token at = eo__parse_take(p);
  node *n = new_node(p, ELEMENT_DSTEP, &at);
  bool outermost = p->flow->dstep_from == 0;
  if (outermost) p->flow->dstep_from = p->flow->next_number;
  n->body = parse_block(p, "d_step");
  eo__flow_local_jumps(p->flow, n->body, p->flow->dstep_from);
  eo__flow_atomic(n->body, true);
  if (outermost) p->flow->dstep_from = 0;
  return n;
}

static void open_breaks(parser *p, node *n) {
  n->breaks = eo__front_take(p->front, sizeof *n->breaks);
  n->breaks->outer = p->flow->breaks;
  p->flow->breaks = n->breaks;
}

static void close_breaks(parser *p, const node *n) { p->flow->breaks = n->breaks->outer; }

static node *parse_selection(parser *p, bool loop) {
  token at = eo__parse_take(p);
  const char *end = loop ? "od" : "fi";
  node *n = new_node(p, loop ? ELEMENT_DO : ELEMENT_IF, &at);
  if (++p->nesting > MOST_NESTING) eo__front_fail(p->front, &at, "more than %d levels of nesting", MOST_NESTING);
  if (loop) open_breaks(p, n);
  while (eo__parse_is(p, "::")) {
    token option = eo__parse_take(p);
    eo__flow_open(p->flow);
    p->flow->open->option = true;
    p->fresh = false;
    eo__parse_sequence(p);
    sequence *s = eo__flow_close(p->flow, &option);
    front_push(p->front, &n->options, s);
  }
  if (!n->options.count)
    eo__front_fail(p->front, eo__parse_peek(p, 0), "'::' is missing: a selection has at least one option");
  eo__parse_expect(p, end, loop ? "a loop" : "a selection");
  if (loop) close_breaks(p, n);
  p->nesting--;
  eo__flow_prune(p->flow, n);
  return n;
}

/* ---- for and select: loops that are written out ------------------------------------------------------------------ */

static eo_promela_transition *assign(parser *p, const token *at, eo_promela_ref *target, eo_promela_expr *value) {
  eo_promela_transition *t = eo__parse_statement(p, at, EO_PROMELA_ASSIGN);
  t->target = target;
  t->value = value;
  return t;
}

static eo_promela_transition *condition(parser *p, const token *at, eo_promela_op op, eo_promela_ref *a,
                                        eo_promela_expr *b) {
  eo_promela_transition *t = eo__parse_statement(p, at, EO_PROMELA_CONDITION);
  t->value = eo__parse_binary(p, at, op, eo__parse_variable(p, at, a), b);
  return t;
}

/* :: condition -> body; variable++ :: [else ->] break */
static void finish_loop(parser *p, node *n, eo_promela_ref *variable, bool with_else) {
  const token *at = &n->at;
  eo_promela_expr *one = eo__parse_number(p, at, 1);
  eo__parse_add(
      p, at,
      assign(p, at, variable, eo__parse_binary(p, at, EO_PROMELA_ADD, eo__parse_variable(p, at, variable), one)));
  sequence *body = eo__flow_close(p->flow, at);
  eo__flow_open(p->flow);
  p->flow->open->option = true;
  if (with_else) eo__parse_add(p, at, eo__parse_statement(p, at, EO_PROMELA_ELSE));
  node *leave = new_node(p, ELEMENT_GOTO, at);
  leave->breaks = n->breaks;
  eo__flow_add(p->flow, leave, p->scope);
  sequence *rest = eo__flow_close(p->flow, at);
  front_push(p->front, &n->options, rest);
  front_push(p->front, &n->options, body);
}

static eo_promela_ref *loop_variable(parser *p) {
  token at = *eo__parse_peek(p, 0);
  eo_promela_ref *variable = eo__parse_scalar(p);
  if (variable->cell.type == EO_PROMELA_CHAN) eo__front_fail(p->front, &at, "a channel cannot count");
  return variable;
}

static eo_promela_expr *bound(parser *p) {
  token at = *eo__parse_peek(p, 0);
  eo_promela_expr *e = eo__parse_expression(p);
  if (eo__parse_is_run(e)) eo__front_fail(p->front, &at, "run cannot be a bound");
  return e;
}

static void parse_for_body(parser *p) {
  eo__parse_accept(p, ";");
  token open = eo__parse_expect(p, "{", "for");
  if (++p->nesting > MOST_NESTING) eo__front_fail(p->front, &open, "more than %d levels of nesting", MOST_NESTING);
  eo__parse_open_scope(p);
  eo__parse_sequence(p);
  eo__parse_expect(p, "}", "for");
  eo__parse_close_scope(p);
  p->nesting--;
}

/* for (x in c): each message in turn is taken into x and put back at the end. */
static node *parse_for_messages(parser *p, const token *at, const reference *into) {
  token name = *eo__parse_peek(p, 0);
  eo_promela_expr *channel = eo__parse_variable(p, &name, eo__parse_scalar(p));
  node *n = new_node(p, ELEMENT_DO, at);
  if (!eo__parse_is_channel(channel))
    eo__front_fail(p->front, &name, "'%s' is no channel: messages are taken from one", name.text);
  eo__parse_expect(p, ")", "for");
  eo_promela_ref *count = eo__parse_own_byte(p, at, "(count)");
  eo_promela_transition *take = eo__parse_statement(p, at, EO_PROMELA_RECEIVE);
  eo_promela_transition *back = eo__parse_statement(p, at, EO_PROMELA_SEND);
  eo__parse_rotate(p, channel, into, take, back);
  eo_promela_expr *length = eo__parse_binary(p, at, EO_PROMELA_LEN, eo__parse_number(p, at, 0), NULL);
  length->a = channel;
  open_breaks(p, n);
  eo__parse_add(p, at, assign(p, at, count, eo__parse_number(p, at, 0)));
  eo__flow_open(p->flow);
  p->fresh = false;
  eo__parse_add(p, at, condition(p, at, EO_PROMELA_LESS, count, length));
  eo__parse_add(p, at, take);
  eo__parse_add(p, at, back);
  parse_for_body(p);
  finish_loop(p, n, count, true);
  close_breaks(p, n);
  return n;
}

static node *parse_for(parser *p) {
  token at = eo__parse_take(p);
  node *n = new_node(p, ELEMENT_DO, &at);
  eo_promela_expr *from, *to;
  eo__parse_expect(p, "(", "for");
  if (eo__parse_names_struct(p)) {
    reference into = eo__parse_reference(p);
    eo__parse_expect(p, "in", "for");
    return parse_for_messages(p, &at, &into);
  }
  eo_promela_ref *variable = loop_variable(p);
  if (eo__parse_accept(p, "in")) {
    token name = eo__parse_name(p, "the name of an array");
    const eo_promela_symbol *array = eo__parse_find(p, name.text);
    if (!array) eo__front_fail(p->front, &name, "'%s' is not declared", name.text);
    if (array->type == EO_PROMELA_CHAN && !array->array)
      eo__front_fail(p->front, &name, "messages of a channel are taken into a struct, of the one type of its field");
    if (!array->array) eo__front_fail(p->front, &name, "'%s' is no array", name.text);
    from = eo__parse_number(p, &at, 0);
    to = eo__parse_number(p, &at, (int32_t)array->count - 1);
  } else {
    eo__parse_expect(p, ":", "for");
    from = bound(p);
    eo__parse_expect(p, "..", "for");
    to = bound(p);
  }
  eo__parse_expect(p, ")", "for");
  open_breaks(p, n);
  eo__parse_add(p, &at, assign(p, &at, variable, from));
  eo__flow_open(p->flow);
  p->fresh = false;
  eo__parse_add(p, &at, condition(p, &at, EO_PROMELA_LESS_EQUAL, variable, to));
  parse_for_body(p);
  finish_loop(p, n, variable, true);
  close_breaks(p, n);
  return n;
}

/* if :: variable = from ... :: variable = to fi */
static node *spell_out(parser *p, const token *at, eo_promela_ref *variable, int32_t from, int32_t to) {
  node *n = new_node(p, ELEMENT_IF, at);
  for (int32_t value = from; value <= to; value++) {
    eo__flow_open(p->flow);
    eo__parse_add(p, at, assign(p, at, variable, eo__parse_number(p, at, value)));
    sequence *s = eo__flow_close(p->flow, at);
    front_push(p->front, &n->options, s);
  }
  return n;
}

/* Behind `select (`: does spin make options of it? Not inside of inlines, nor on several lines, nor with an underscore. */
static bool is_simple_select(parser *p) {
  const token *name = eo__parse_peek(p, 0);
  return eo__parse_is_at(p, 1, ":") && eo__parse_peek(p, 2)->kind == TOKEN_NUMBER && eo__parse_is_at(p, 3, "..") &&
         eo__parse_peek(p, 4)->kind == TOKEN_NUMBER && eo__parse_is_at(p, 5, ")") && !p->inlining &&
         !strchr(name->text, '_') && name->line == eo__parse_peek(p, 5)->line;
}

static node *parse_select(parser *p) {
  token at = eo__parse_take(p);
  eo__parse_expect(p, "(", "select");
  bool simple = is_simple_select(p);
  eo_promela_ref *variable = loop_variable(p);
  eo__parse_expect(p, ":", "select");
  eo_promela_expr *from = bound(p);
  eo__parse_expect(p, "..", "select");
  eo_promela_expr *to = bound(p);
  eo__parse_expect(p, ")", "select");
  p->fresh = false;
  if (from->op == EO_PROMELA_CONST && to->op == EO_PROMELA_CONST && from->value > to->value)
    eo__front_fail(p->front, &at, "select from %d to %d: nothing can be chosen", (int)from->value, (int)to->value);
  if (simple && (int64_t)to->value - from->value <= MOST_SPELT_OUT)
    return spell_out(p, &at, variable, from->value, to->value);
  node *n = new_node(p, ELEMENT_DO, &at);
  open_breaks(p, n);
  eo__parse_add(p, &at, assign(p, &at, variable, from));
  eo__flow_open(p->flow);
  eo__parse_add(p, &at, condition(p, &at, EO_PROMELA_LESS, variable, to));
  finish_loop(p, n, variable, false);
  close_breaks(p, n);
  return n;
}

/* ---- Simple statements ------------------------------------------------------------------------------------------- */

static void no_run_in_dstep(parser *p, const token *at, const eo_promela_expr *e) {
  if (eo__parse_is_run(e) && p->flow->dstep_from) eo__front_fail(p->front, at, "run inside a d_step: use atomic");
}

static eo_promela_transition *parse_assignment(parser *p, const token *at, eo_promela_ref *target) {
  bool channel = target->cell.type == EO_PROMELA_CHAN;
  if (eo__parse_is(p, "++") || eo__parse_is(p, "--")) {
    token sign = eo__parse_take(p);
    eo_promela_op op = sign.text[0] == '+' ? EO_PROMELA_ADD : EO_PROMELA_SUBTRACT;
    eo_promela_expr *one = eo__parse_number(p, at, 1);
    return assign(p, at, target, eo__parse_binary(p, &sign, op, eo__parse_variable(p, at, target), one));
  }
  eo__parse_expect(p, "=", "an assignment");
  token where = *eo__parse_peek(p, 0);
  eo_promela_expr *value = eo__parse_expression(p);
  no_run_in_dstep(p, at, value);
  if (channel && !eo__parse_is_channel(value) && value->op != EO_PROMELA_CONST)
    eo__front_fail(p->front, &where, "this is no channel, and cannot become one");
  if (!channel && eo__parse_is_channel(value))
    eo__front_fail(p->front, &where, "a channel cannot be assigned to a number");
  return assign(p, at, target, value);
}

/* set_priority(who, value): also by an assignment to _priority. */
static eo_promela_transition *rank(parser *p, const token *at, eo_promela_expr *who, eo_promela_expr *value) {
  eo_promela_transition *t = eo__parse_statement(p, at, EO_PROMELA_RANK);
  if (eo__parse_is_run(who) || eo__parse_is_run(value)) eo__front_fail(p->front, at, "run cannot be a priority");
  t->arguments = eo__front_take(p->front, sizeof *t->arguments);
  t->arguments[0] = who;
  t->argument_count = 1;
  t->value = value;
  return t;
}

static eo_promela_transition *parse_rank(parser *p, const token *at) {
  eo__parse_take(p);
  eo__parse_expect(p, "(", "set_priority");
  eo_promela_expr *who = eo__parse_expression(p);
  eo__parse_expect(p, ",", "set_priority");
  eo_promela_expr *value = eo__parse_expression(p);
  eo__parse_expect(p, ")", "set_priority");
  return rank(p, at, who, value);
}

static eo_promela_transition *parse_communication(parser *p, const token *at, eo_promela_ref *ref) {
  token sign = eo__parse_take(p);
  eo_promela_expr *channel = eo__parse_variable(p, at, ref);
  if (!eo__parse_is_channel(channel)) eo__front_fail(p->front, at, "'%s' is no channel", at->text);
  bool sends = sign.text[0] == '!' && !p->tracing; /* events of a trace are patterns, of sends too */
  eo_promela_transition *t = eo__parse_statement(p, at, sign.text[0] == '!' ? EO_PROMELA_SEND : EO_PROMELA_RECEIVE);
  if (sends) {
    t->message = eo__parse_send_fields(p, channel);
  } else {
    bool copies = eo__parse_accept(p, "<");
    t->message = eo__parse_receive_fields(p, channel, copies ? ">" : NULL, false);
    t->message->copies = copies;
  }
  t->message->ordered = sign.text[1] != '\0';
  return t;
}

/* How many tokens a reference has that begins here. */
static size_t reference_length(parser *p) {
  size_t ahead = 1;
  for (;;) {
    if (eo__parse_is_at(p, ahead, "[")) {
      size_t depth = 0;
      do {
        if (eo__parse_is_at(p, ahead, "[")) depth++;
        if (eo__parse_is_at(p, ahead, "]")) depth--;
        if (eo__parse_peek(p, ahead)->kind == TOKEN_END) return ahead;
        ahead++;
      } while (depth);
    }
    if (!eo__parse_is_at(p, ahead, ".")) return ahead;
    ahead += 2;
  }
}

static bool acts_on_variable(parser *p) {
  static const char *const signs[] = {"=", "++", "--", "!", "!!", "?", "??"};
  if (eo__parse_peek(p, 0)->kind != TOKEN_NAME) return false;
  size_t ahead = reference_length(p);
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (eo__parse_is_at(p, ahead, signs[i])) return i < 5 || !eo__parse_is_at(p, ahead + 1, "[");
  return false;
}

static eo_promela_transition *parse_print(parser *p, const token *at) {
  eo_promela_transition *t = eo__parse_statement(p, at, EO_PROMELA_PRINT);
  FRONT_LIST(eo_promela_expr *) arguments = {0};
  bool names = strcmp(eo__parse_take(p).text, "printm") == 0;
  eo__parse_expect(p, "(", "printf");
  const token *text = eo__parse_peek(p, 0);
  if (!names && text->kind != TOKEN_STRING) eo__front_fail(p->front, text, "printf begins with a text in quotes");
  t->format = names ? "\"%e\"" : eo__parse_take(p).text;
  while (names || eo__parse_accept(p, ",")) {
    token where = *eo__parse_peek(p, 0);
    eo_promela_expr *value = eo__parse_expression(p);
    if (eo__parse_is_run(value)) eo__front_fail(p->front, &where, "run cannot be printed");
    front_push(p->front, &arguments, value);
    if (names) break;
  }
  eo__parse_expect(p, ")", "printf");
  t->argument_count = arguments.count;
  t->arguments = arguments.items;
  return t;
}

static eo_promela_transition *parse_condition(parser *p, const token *at) {
  eo_promela_expr *value = eo__parse_expression(p);
  no_run_in_dstep(p, at, value);
  bool skip = value->op == EO_PROMELA_CONST && value->value == 1;
  eo_promela_transition *t = eo__parse_statement(p, at, skip ? EO_PROMELA_SKIP : EO_PROMELA_CONDITION);
  t->value = value;
  return t;
}

static eo_promela_transition *parse_simple(parser *p) {
  token at = *eo__parse_peek(p, 0);
  if (eo__parse_is(p, "printf") || eo__parse_is(p, "printm")) return parse_print(p, &at);
  if (eo__parse_accept(p, "assert")) {
    eo_promela_transition *t = eo__parse_statement(p, &at, EO_PROMELA_ASSERT);
    t->value = eo__parse_expression(p);
    if (eo__parse_is_run(t->value)) eo__front_fail(p->front, &at, "run cannot be asserted");
    return t;
  }
  if (eo__parse_is(p, "set_priority")) return parse_rank(p, &at);
  if (eo__parse_accept(p, "else")) {
    if (!p->flow->open->option || p->flow->open->first)
      eo__front_fail(p->front, &at, "'else' stands at the beginning of an option of if or do, and nowhere else");
    return eo__parse_statement(p, &at, EO_PROMELA_ELSE);
  }
  if (acts_on_variable(p)) {
    if (eo__parse_is(p, "_")) eo__parse_refuse(p, &at, "an assignment to _");
    eo_promela_ref *ref = eo__parse_scalar(p);
    bool assigns = eo__parse_is(p, "=") || eo__parse_is(p, "++") || eo__parse_is(p, "--");
    if (!assigns) return parse_communication(p, &at, ref);
    eo_promela_transition *t = parse_assignment(p, &at, ref);
    bool ranks = !ref->global && strcmp(ref->symbol->name, "_priority") == 0;
    return ranks ? rank(p, &at, eo__parse_new(p, &at, EO_PROMELA_PID), t->value) : t;
  }
  return parse_condition(p, &at);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static bool ends_sequence(parser *p) {
  return eo__parse_is(p, "}") || eo__parse_is(p, "::") || eo__parse_is(p, "fi") || eo__parse_is(p, "od") ||
         eo__parse_peek(p, 0)->kind == TOKEN_END;
}

static bool separator(parser *p) { return eo__parse_is(p, ";") || eo__parse_is(p, "->"); }

static node *parse_jump(parser *p) {
  token at = eo__parse_take(p);
  node *n = new_node(p, ELEMENT_GOTO, &at);
  if (strcmp(at.text, "goto") == 0) {
    n->target = eo__parse_name(p, "a label").text;
  } else {
    n->breaks = p->flow->breaks;
    if (!n->breaks) eo__front_fail(p->front, &at, "break outside of a loop");
  }
  return n;
}

static node *skip_at(parser *p, const token *at) {
  eo_promela_transition *t = eo__parse_statement(p, at, EO_PROMELA_SKIP);
  t->value = eo__parse_number(p, at, 1);
  return plain(p, at, t);
}

static node *parse_labelled(parser *p) {
  token name = eo__parse_name(p, "a label");
  eo__parse_take(p);
  node *n;
  if (eo__parse_is(p, "goto") && eo__parse_is_spoken(p, name.text)) {
    n = skip_at(p, &name); /* a goto takes no step, so that its label would be no place to be at: as in spin */
    front_push(p->front, &n->labels, name);
    eo__flow_add(p->flow, n, p->scope);
    return parse_jump(p);
  }
  if (ends_sequence(p) || separator(p)) {
    n = skip_at(p, &name);
  } else {
    if (eo__parse_starts_declaration(p))
      eo__front_fail(p->front, &name, "a label before a declaration: put it before a statement");
    n = parse_node(p);
  }
  front_push(p->front, &n->labels, name);
  return n;
}

static node *parse_node(parser *p) {
  const token *t = eo__parse_peek(p, 0);
  token at = *t;
  if (t->kind == TOKEN_NAME && eo__parse_is_at(p, 1, ":")) return parse_labelled(p);
  if (eo__parse_inline_call(p)) {
    p->fresh = false;
    return parse_node(p);
  }
  if (eo__parse_is(p, "if")) return parse_selection(p, false);
  if (eo__parse_is(p, "do")) return parse_selection(p, true);
  if (eo__parse_is(p, "for")) return parse_for(p);
  if (eo__parse_is(p, "select")) return parse_select(p);
  if (eo__parse_is(p, "atomic")) return parse_atomic(p);
  if (eo__parse_is(p, "d_step")) return parse_dstep(p);
  if (eo__parse_is(p, "goto") || eo__parse_is(p, "break")) return parse_jump(p);
  if (eo__parse_is(p, "{")) {
    node *n = new_node(p, ELEMENT_BLOCK, &at);
    n->body = parse_block(p, "a block");
    return n;
  }
  return plain(p, &at, parse_simple(p));
}

/* xr c, d: claims about who uses channels, which is checked. */
static void parse_claims(parser *p) {
  bool receives = strcmp(eo__parse_take(p).text, "xr") == 0;
  eo_promela_proctype *made = p->flow->proctype;
  do {
    token at = *eo__parse_peek(p, 0);
    eo_promela_ref *ref = eo__parse_scalar(p);
    if (ref->cell.type != EO_PROMELA_CHAN) eo__front_fail(p->front, &at, "'%s' is no channel", at.text);
    eo_promela_claim *grown = eo__front_take(p->front, (made->claim_count + 1) * sizeof *grown);
    if (made->claim_count) memcpy(grown, made->claims, made->claim_count * sizeof *grown);
    grown[made->claim_count++] = (eo_promela_claim){ref, receives};
    made->claims = grown;
    p->front->model->claims = true;
  } while (eo__parse_accept(p, ","));
}

/* Code of its own for what stands on a side of `unless`. */
static sequence *side_of_unless(parser *p, const token *at, node *n) {
  if (n->kind == ELEMENT_BLOCK && !n->labels.count) return n->body;
  eo__flow_open(p->flow);
  eo__flow_add(p->flow, n, p->scope);
  return eo__flow_close(p->flow, at);
}

/* The rest of `n unless ...`. A label before a block is one of the whole, as in spin. */
static node *parse_unless(parser *p, node *n) {
  token at = eo__parse_take(p);
  if (p->flow->dstep_from) eo__parse_refuse(p, &at, "unless inside a d_step");
  if (p->claiming) eo__parse_refuse(p, &at, "unless in a never claim");
  node *whole = new_node(p, ELEMENT_UNLESS, &n->at);
  whole->escape = side_of_unless(p, &at, parse_node(p));
  whole->body = side_of_unless(p, &at, n);
  p->front->model->escapes = true;
  return whole;
}

static void parse_step(parser *p) {
  if (eo__parse_is(p, "xr") || eo__parse_is(p, "xs")) {
    parse_claims(p);
    return;
  }
  if (eo__parse_starts_declaration(p)) {
    eo__parse_declaration(p);
    return;
  }
  node *n = parse_node(p);
  p->fresh = false;
  if (eo__parse_is(p, "unless")) n = parse_unless(p, n);
  eo__flow_add(p->flow, n, p->scope);
}

/* Between two steps there is a separator, the end of a line, or the end of a block. */
static void parse_separator(parser *p) {
  const token *next = eo__parse_peek(p, 0);
  if (separator(p)) {
    while (separator(p)) eo__parse_take(p);
    return;
  }
  bool closed = strcmp(p->last.text, "}") == 0 || strcmp(p->last.text, "fi") == 0 || strcmp(p->last.text, "od") == 0 ||
                strcmp(p->last.text, "else") == 0;
  if (!ends_sequence(p) && next->line == p->last.line && !closed)
    eo__front_fail(p->front, next, "';' is missing before '%.60s'", next->text);
}

void eo__parse_sequence(parser *p) {
  while (separator(p)) eo__parse_take(p);
  while (!ends_sequence(p)) {
    parse_step(p);
    parse_separator(p);
  }
}
