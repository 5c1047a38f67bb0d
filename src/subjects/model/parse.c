/* parse.c: the units of a model: proctypes, init, inlines, typedefs, global variables; and the stream of tokens. */
#include "subjects/model/parse.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

const token *eo__parse_peek(parser *p, size_t ahead) {
  const stream *s = p->in;
  while (s->outer && ahead >= s->count - s->at) {
    ahead -= s->count - s->at;
    s = s->outer;
  }
  size_t left = s->count - s->at;
  return &s->items[ahead < left ? s->at + ahead : s->count - 1];
}

token eo__parse_take(parser *p) {
  while (p->in->at == p->in->count && p->in->outer) {
    p->in = p->in->outer;
    p->inlining--;
  }
  p->last = p->in->items[p->in->at];
  if (p->last.kind != TOKEN_END) p->in->at++;
  return p->last;
}

static bool token_is(const token *t, const char *text) {
  return (t->kind == TOKEN_NAME || t->kind == TOKEN_SYMBOL) && strcmp(t->text, text) == 0;
}

bool eo__parse_is_at(parser *p, size_t ahead, const char *text) { return token_is(eo__parse_peek(p, ahead), text); }

bool eo__parse_is(parser *p, const char *text) { return eo__parse_is_at(p, 0, text); }

bool eo__parse_accept(parser *p, const char *text) {
  if (!eo__parse_is(p, text)) return false;
  eo__parse_take(p);
  return true;
}

token eo__parse_expect(parser *p, const char *text, const char *where) {
  const token *t = eo__parse_peek(p, 0);
  if (!token_is(t, text)) {
    bool end = t->kind == TOKEN_END;
    eo__front_fail(p->front, t, "%s: '%s' is missing before %s%.60s%s", where, text, end ? "" : "'", t->text,
                   end ? "" : "'");
  }
  return eo__parse_take(p);
}

static const char *const reserved[] = {
    "active",  "assert", "atomic",  "bit",      "bool",     "break",  "byte",   "chan",   "d_step", "do",   "else",
    "empty",   "eval",   "false",   "fi",       "for",      "full",   "goto",   "hidden", "if",     "init", "inline",
    "int",     "len",    "local",   "ltl",      "mtype",    "nempty", "never",  "nfull",  "od",     "of",   "pid",
    "notrace", "printf", "printm",  "priority", "proctype", "run",    "select", "short",  "show",   "skip", "timeout",
    "trace",   "true",   "typedef", "unless",   "unsigned", "xr",     "xs"};

/* Parts of the language that are not here, and what to call them. */
static const struct {
  const char *word, *name;
} refused[] = {{"c_code", "embedded C (c_code)"},
               {"c_expr", "embedded C (c_expr)"},
               {"c_decl", "embedded C (c_decl)"},
               {"c_state", "embedded C (c_state)"},
               {"c_track", "embedded C (c_track)"},
               {"provided", "a provided clause here"},
               {"D_proctype", "a D_proctype"},
               {"enabled", "enabled()"},
               {"pc_value", "pc_value()"},
               {"np_", "np_"},
               {"_last", "_last"},
               {"return", "return from an inline"},
               {"STDIN", "STDIN"}};

void eo__parse_refuse(parser *p, const token *at, const char *construct) {
  eo__front_fail(p->front, at, "%s is not supported; see doc/models.md for what is", construct);
}

static void refuse_word(parser *p, const token *t) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (strcmp(t->text, refused[i].word) == 0) eo__parse_refuse(p, t, refused[i].name);
}

token eo__parse_name(parser *p, const char *what) {
  const token *t = eo__parse_peek(p, 0);
  if (t->kind != TOKEN_NAME)
    eo__front_fail(p->front, t, "%s is missing before %s%.60s%s", what, t->kind == TOKEN_END ? "" : "'", t->text,
                   t->kind == TOKEN_END ? "" : "'");
  refuse_word(p, t);
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (strcmp(t->text, reserved[i]) == 0)
      eo__front_fail(p->front, t, "%s is missing: '%s' is a word of the language", what, t->text);
  return eo__parse_take(p);
}

/* ---- Inlines ----------------------------------------------------------------------------------------------------- */

static inline_body *find_inline(parser *p, const char *name) {
  for (uint32_t i = 0; i < p->inlines.count; i++)
    if (strcmp(p->inlines.items[i]->name, name) == 0) return p->inlines.items[i];
  return NULL;
}

static void parse_inline(parser *p) {
  eo__parse_take(p);
  token name = eo__parse_name(p, "the name of the inline");
  if (find_inline(p, name.text)) eo__front_fail(p->front, &name, "there is an inline '%s' already", name.text);
  inline_body *body = eo__front_take(p->front, sizeof *body);
  body->name = name.text;
  eo__parse_expect(p, "(", "an inline");
  while (!eo__parse_is(p, ")")) {
    token parameter = eo__parse_name(p, "the name of a parameter");
    front_push(p->front, &body->parameters, parameter);
    if (!eo__parse_accept(p, ",")) break;
  }
  eo__parse_expect(p, ")", "an inline");
  token open = eo__parse_expect(p, "{", "an inline");
  size_t start = p->in->at - 1, depth = 1;
  while (depth) {
    token t = eo__parse_take(p);
    if (t.kind == TOKEN_END) eo__front_fail(p->front, &open, "the body of this inline has no end");
    if (token_is(&t, "{")) depth++;
    if (token_is(&t, "}")) depth--;
  }
  body->items = p->in->items + start;
  body->count = p->in->at - start;
  front_push(p->front, &p->inlines, body);
}

typedef FRONT_LIST(token) token_list;

static void read_arguments(parser *p, const token *call, token_list *arguments, const inline_body *body) {
  eo__parse_expect(p, "(", "a call of an inline");
  uint32_t count = 0, depth = 0;
  bool empty = eo__parse_is(p, ")");
  if (!empty) count = 1;
  for (;;) {
    token t = eo__parse_take(p);
    if (t.kind == TOKEN_END) eo__front_fail(p->front, call, "the arguments of '%s' have no end", call->text);
    if (depth == 0 && token_is(&t, ")")) break;
    if (token_is(&t, "(") || token_is(&t, "[") || token_is(&t, "{")) depth++;
    if (token_is(&t, ")") || token_is(&t, "]") || token_is(&t, "}")) depth--;
    if (depth == 0 && token_is(&t, ",")) {
      count++;
      continue;
    }
    if (count <= body->parameters.count && count) front_push(p->front, &arguments[count - 1], t);
  }
  if (count != body->parameters.count)
    eo__front_fail(p->front, call, "the inline '%s' has %u parameters, and is given %u", call->text,
                   body->parameters.count, count);
}

bool eo__parse_inline_call(parser *p) {
  const token *t = eo__parse_peek(p, 0);
  inline_body *body = t->kind == TOKEN_NAME && eo__parse_is_at(p, 1, "(") ? find_inline(p, t->text) : NULL;
  if (!body) return false;
  token call = eo__parse_take(p);
  token_list *arguments = eo__front_take(p->front, (body->parameters.count + 1) * sizeof *arguments);
  read_arguments(p, &call, arguments, body);
  while (p->in->at == p->in->count && p->in->outer) { /* so that inlines that end in calls do not pile up */
    p->in = p->in->outer;
    p->inlining--;
  }
  if (++p->inlining > MOST_INLINES)
    eo__front_fail(p->front, &call, "inlines call each other %d deep: does '%s' call itself?", MOST_INLINES, call.text);
  token_list out = {0};
  for (size_t i = 0; i < body->count; i++) {
    const token *from = &body->items[i];
    uint32_t k = 0;
    bool field = i > 0 && token_is(&body->items[i - 1], ".");
    while (k < body->parameters.count &&
           (from->kind != TOKEN_NAME || field || strcmp(body->parameters.items[k].text, from->text) != 0))
      k++;
    if (k == body->parameters.count) front_push(p->front, &out, *from);
    for (uint32_t m = 0; k < body->parameters.count && m < arguments[k].count; m++) {
      token argument = arguments[k].items[m];
      argument.line = from->line;
      argument.column = from->column;
      argument.file = from->file;
      front_push(p->front, &out, argument);
    }
  }
  p->inlined += out.count;
  if (p->inlined > MOST_INLINED)
    eo__front_fail(p->front, &call, "calls of inlines come to more than %d words", MOST_INLINED);
  stream *s = eo__front_take(p->front, sizeof *s);
  *s = (stream){out.items, out.count, 0, p->in};
  p->in = s;
  return true;
}

/* ---- Proctypes --------------------------------------------------------------------------------------------------- */

void eo__parse_open_scope(parser *p) {
  block *s = eo__front_take(p->front, sizeof *s);
  s->outer = p->scope;
  p->scope = s;
}

void eo__parse_close_scope(parser *p) { p->scope = p->scope->outer; }

static eo_promela_proctype *new_proctype(parser *p, const token *name, const char *text) {
  for (uint32_t i = 0; i < p->proctypes.count; i++)
    if (strcmp(p->proctypes.items[i]->name, text) == 0)
      eo__front_fail(p->front, name, "there is %s already",
                     strcmp(text, "init") == 0 ? "an init" : "a proctype of that name");
  eo_promela_proctype *made = eo__front_take(p->front, sizeof *made);
  made->number = p->proctypes.count;
  made->name = text;
  made->frame = HEAD;
  made->file = name->file;
  made->line = name->line;
  front_push(p->front, &p->proctypes, made);
  if (p->proctypes.count > 255) eo__front_fail(p->front, name, "more than 255 proctypes");
  return made;
}

static void parse_body(parser *p, sequencer *w) {
  token open = eo__parse_expect(p, "{", "a proctype");
  eo__flow_open(w);
  p->fresh = true;
  eo__parse_sequence(p);
  token close = eo__parse_expect(p, "}", "the end of a proctype");
  eo_promela_transition *end = eo__parse_statement(p, &close, EO_PROMELA_EXIT);
  eo__parse_add(p, &close, end);
  sequence *body = eo__flow_close(w, &open);
  eo__flow_finish(w, body);
}

static void start_processes(parser *p, eo_promela_proctype *made, const token *at) {
  for (uint32_t i = 0; i < made->active; i++) front_push(p->front, &p->first, made->number);
  if (p->first.count > 255) eo__front_fail(p->front, at, "more than 255 processes run from the start");
}

static void begin_code(parser *p, eo_promela_proctype *made) {
  sequencer *w = eo__front_take(p->front, sizeof *w);
  *w = (sequencer){.front = p->front, .proctype = made, .next_number = 1, .claim = p->claiming};
  p->flow = w;
  p->locals.items = NULL;
  p->locals.count = p->locals.capacity = 0;
  eo__parse_open_scope(p);
  if (p->front->model->ranks && !p->claiming) eo__parse_own_byte(p, &p->last, "_priority"); /* the first variable */
}

static void end_code(parser *p) {
  eo_promela_proctype *made = p->flow->proctype;
  parse_body(p, p->flow);
  eo__parse_close_scope(p);
  made->frame = (made->frame + 3) / 4 * 4;
  made->symbol_count = p->locals.count;
  made->symbols = p->locals.items;
  p->flow = NULL;
}

void eo__parse_code(parser *p, eo_promela_proctype *made) {
  begin_code(p, made);
  end_code(p);
}

uint32_t eo__parse_rank(parser *p) {
  if (!eo__parse_accept(p, "priority")) return 1;
  token at = *eo__parse_peek(p, 0);
  int32_t rank = eo__parse_constant(p, "a priority");
  if (rank < 1 || rank > 255) eo__front_fail(p->front, &at, "a priority of %d; there can be 1 to 255", (int)rank);
  return (uint32_t)rank;
}

static void parse_provided(parser *p, eo_promela_proctype *made) {
  token at = eo__parse_expect(p, "(", "provided");
  made->provided = eo__parse_expression(p);
  if (eo__parse_is_run(made->provided)) eo__front_fail(p->front, &at, "run cannot be a condition of provided");
  eo__parse_expect(p, ")", "provided");
  p->front->model->provides = true;
}

static void parse_proctype(parser *p, bool init, uint32_t active) {
  token word = eo__parse_take(p);
  token name = init ? word : eo__parse_name(p, "the name of the proctype");
  eo_promela_proctype *made = new_proctype(p, &name, init ? "init" : name.text);
  begin_code(p, made);
  if (!init) {
    eo__parse_expect(p, "(", "a proctype");
    eo__parse_parameters(p);
    eo__parse_expect(p, ")", "a proctype");
  }
  made->rank = eo__parse_rank(p);
  if (eo__parse_accept(p, "provided")) parse_provided(p, made);
  made->active = active;
  start_processes(p, made, &name);
  end_code(p);
}

static uint32_t parse_active(parser *p) {
  if (!eo__parse_accept(p, "active")) return 0;
  if (!eo__parse_accept(p, "[")) return 1;
  token at = *eo__parse_peek(p, 0);
  int32_t count = eo__parse_constant(p, "how many processes are active");
  if (count < 0 || count > 255) eo__front_fail(p->front, &at, "%d active processes; there can be 0 to 255", (int)count);
  eo__parse_expect(p, "]", "active");
  return (uint32_t)count;
}

static void parse_unit(parser *p) {
  const token *t = eo__parse_peek(p, 0);
  if (t->kind == TOKEN_NAME) refuse_word(p, t);
  if (eo__parse_accept(p, ";") || eo__parse_accept(p, "->")) return;
  if (token_is(t, "inline")) {
    parse_inline(p);
  } else if (token_is(t, "typedef")) {
    eo__parse_typedef(p);
  } else if (token_is(t, "ltl") || token_is(t, "never") || token_is(t, "trace") || token_is(t, "notrace")) {
    eo__parse_claim_later(p);
  } else if (token_is(t, "init")) {
    parse_proctype(p, true, 1);
  } else if (token_is(t, "active") || token_is(t, "proctype")) {
    uint32_t active = parse_active(p);
    const token *next = eo__parse_peek(p, 0);
    if (next->kind == TOKEN_NAME) refuse_word(p, next);
    if (!token_is(next, "proctype")) eo__front_fail(p->front, next, "'proctype' is missing after 'active'");
    parse_proctype(p, false, active);
  } else if (eo__parse_starts_declaration(p)) {
    eo__parse_declaration(p);
  } else {
    eo__front_fail(p->front, t, "'%.60s' begins neither a proctype nor a declaration", t->text);
  }
}

/* Are there priorities? Then all processes have one. */
static void note_ranks(eo_promela *model, const tokens *all) {
  static const char *const words[] = {"priority", "_priority", "set_priority", "get_priority"};
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) model->ranks |= token_is(&all->items[i], words[k]);
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static void check_runs(parser *p) {
  for (uint32_t i = 0; i < p->runs.count; i++) {
    eo_promela_expr *run = p->runs.items[i];
    const token *at = &p->run_tokens.items[i];
    uint32_t k = 0;
    while (k < p->proctypes.count && strcmp(p->proctypes.items[k]->name, at->text) != 0) k++;
    if (k == p->proctypes.count) eo__front_fail(p->front, at, "there is no proctype '%s' to run", at->text);
    if (p->proctypes.items[k]->parameter_count != run->argument_count)
      eo__front_fail(p->front, at, "the proctype '%s' has %u parameters, and is given %u", at->text,
                     p->proctypes.items[k]->parameter_count, run->argument_count);
    run->proctype = k;
  }
}

static void number_transitions(compiler *f, eo_promela *model) {
  FRONT_LIST(eo_promela_transition *) all = {0};
  for (uint32_t i = 0; i < model->proctype_count; i++)
    for (uint32_t l = 0; l < model->proctypes[i]->location_count; l++) {
      const eo_promela_location *location = &model->proctypes[i]->locations[l];
      for (uint32_t k = 0; k < location->count; k++) {
        location->transitions[k]->number = all.count;
        front_push(f, &all, location->transitions[k]);
      }
    }
  model->transition_count = all.count;
  model->transitions = all.items;
}

static void fill_model(parser *p, eo_promela *model) {
  model->proctype_count = p->proctypes.count;
  model->proctypes = p->proctypes.items;
  model->first_count = p->first.count;
  model->first = p->first.items;
  model->symbol_count = p->globals.count;
  model->symbols = p->globals.items;
  model->globals = (model->globals + 3) / 4 * 4;
  model->queue_count = p->queues.count;
  model->queues = p->queues.items;
  model->mtype_count = p->mtypes.count;
  model->mtypes = p->mtypes.items;
  model->property_count = p->properties.count;
  model->properties = p->properties.items;
  number_transitions(p->front, model);
  for (uint32_t i = 0; i < model->proctype_count; i++)
    for (uint32_t l = 0; l < model->proctypes[i]->location_count; l++) {
      model->accepts |= model->proctypes[i]->locations[l].accept;
      model->progresses |= model->proctypes[i]->locations[l].progress;
    }
}

eo_promela *eo__promela_read(const char *path, const char *text, size_t size, eo_error *error) {
  compiler *f = eo__alloc(sizeof *f);
  eo_promela *model = eo__alloc(sizeof *model);
  eo_promela_arena *arena = eo__promela_arena_open();
  if (!f || !model || !arena) {
    eo__free(f);
    eo__free(model);
    eo__promela_arena_close(arena);
    eo__error_nomem(error);
    return NULL;
  }
  *f = (compiler){.error = error, .arena = arena, .model = model};
  if (setjmp(f->failed) == 0) {
    parser *p = eo__front_take(f, sizeof *p);
    stream *file = eo__front_take(f, sizeof *file);
    tokens all;
    p->front = f;
    model->arena = arena;
    XXH128_hash_t hash = XXH3_128bits(text, size);
    model->hash[0] = hash.low64;
    model->hash[1] = hash.high64;
    model->path = eo__front_text(f, path, strlen(path));
    eo__front_lex(f, path, text, size, &all);
    eo__parse_note_spoken(p, &all);
    note_ranks(model, &all);
    *file = (stream){all.items, all.count, 0, NULL};
    p->in = file;
    eo__parse_open_scope(p);
    while (eo__parse_peek(p, 0)->kind != TOKEN_END) parse_unit(p);
    token end = *eo__parse_peek(p, 0);
    check_runs(p);
    if (!p->first.count)
      eo__front_fail(f, &end, "no process runs from the start: there is neither an init nor an active proctype");
    eo__parse_claims(p, &end);
    fill_model(p, model);
    eo__promela_accesses(f);
    eo__free(f);
    return model;
  }
  eo__free(f);
  eo__free(model);
  eo__promela_arena_close(arena);
  return NULL;
}

void eo__promela_close(eo_promela *model) {
  if (!model) return;
  eo__promela_arena_close(model->arena);
  eo__free(model);
}
