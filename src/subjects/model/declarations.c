/* declarations.c: variables, typedefs, channels, mtypes: their types, and where they lie. */
#include <string.h>

#include "subjects/model/parse.h"

enum { MOST_ELEMENTS = 1 << 16, MOST_CAPACITY = 255 };

static const struct {
  const char *word;
  eo_promela_type type;
} types[] = {{"bit", EO_PROMELA_BIT},     {"bool", EO_PROMELA_BIT},  {"byte", EO_PROMELA_BYTE},
             {"pid", EO_PROMELA_BYTE},    {"chan", EO_PROMELA_CHAN}, {"mtype", EO_PROMELA_MTYPE},
             {"short", EO_PROMELA_SHORT}, {"int", EO_PROMELA_INT},   {"unsigned", EO_PROMELA_UNSIGNED}};

static bool type_here(parser *p, size_t ahead, eo_promela_type *type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (eo__parse_is_at(p, ahead, types[i].word)) {
      *type = types[i].type;
      return true;
    }
  return false;
}

static const eo_promela_struct *struct_here(parser *p, size_t ahead) {
  const token *t = eo__parse_peek(p, ahead);
  for (uint32_t i = 0; t->kind == TOKEN_NAME && i < p->structs.count; i++)
    if (strcmp(p->structs.items[i]->name, t->text) == 0) return p->structs.items[i];
  return NULL;
}

bool eo__parse_starts_declaration(parser *p) {
  eo_promela_type type;
  size_t ahead = eo__parse_is(p, "show") || eo__parse_is(p, "local") || eo__parse_is(p, "hidden") ? 1 : 0;
  return type_here(p, ahead, &type) || (struct_here(p, ahead) && !eo__parse_is_at(p, ahead + 1, ":"));
}

eo_promela_cell eo__parse_cell(eo_promela_type type, bool array, uint32_t bits) {
  eo_promela_cell cell = {.type = (uint8_t)type, .size = 1};
  if (type == EO_PROMELA_SHORT) cell.size = 2;
  if (type == EO_PROMELA_INT || type == EO_PROMELA_UNSIGNED) cell.size = 4;
  if (type == EO_PROMELA_UNSIGNED) cell.bits = (uint8_t)bits;
  if (type == EO_PROMELA_BIT && !array) cell.bits = 1; /* an array of bits is one of bytes, in pan */
  return cell;
}

const eo_promela_symbol *eo__parse_find(parser *p, const char *name) {
  for (const block *s = p->scope; s; s = s->outer)
    for (uint32_t i = s->symbols.count; i-- > 0;)
      if (strcmp(s->symbols.items[i]->name, name) == 0) return s->symbols.items[i];
  return NULL;
}

int32_t eo__parse_mtype(parser *p, const char *name) {
  for (uint32_t i = 0; i < p->mtypes.count; i++)
    if (strcmp(p->mtypes.items[i].name, name) == 0) return p->mtypes.items[i].value;
  return 0;
}

/* Behind `mtype`: ":fruit" says from which set the names are. */
static uint8_t parse_mtype_set(parser *p) {
  if (!eo__parse_accept(p, ":")) return 0;
  token name = eo__parse_name(p, "the name of an mtype");
  for (uint32_t i = 0; i < p->mtype_sets.count; i++)
    if (strcmp(p->mtype_sets.items[i], name.text) == 0) return (uint8_t)(i + 1);
  front_push(p->front, &p->mtype_sets, name.text);
  if (p->mtype_sets.count > 255) eo__front_fail(p->front, &name, "more than 255 mtypes with names of their own");
  return (uint8_t)p->mtype_sets.count;
}

/* The last name has the smallest number. */
static void parse_mtypes(parser *p, uint8_t set) {
  FRONT_LIST(token) names = {0};
  int32_t value = 0;
  token open = eo__parse_expect(p, "{", "mtype");
  while (!eo__parse_is(p, "}")) {
    if (eo__parse_accept(p, ",")) continue;
    token name = eo__parse_name(p, "a name");
    if (eo__parse_mtype(p, name.text)) eo__front_fail(p->front, &name, "there is an mtype '%s' already", name.text);
    front_push(p->front, &names, name);
  }
  eo__parse_expect(p, "}", "mtype");
  if (p->flow) eo__front_fail(p->front, &open, "names of an mtype are declared outside of proctypes");
  for (uint32_t i = 0; i < p->mtypes.count; i++) value += p->mtypes.items[i].set == set;
  for (uint32_t i = names.count; i-- > 0;) {
    eo_promela_mtype made = {names.items[i].text, ++value, set};
    front_push(p->front, &p->mtypes, made);
  }
  if (value > 255) eo__front_fail(p->front, &open, "more than 255 names of mtypes");
}

/* ---- Channels ---------------------------------------------------------------------------------------------------- */

typedef FRONT_LIST(eo_promela_cell) cell_list;

static void push_struct(parser *p, const eo_promela_struct *s, cell_list *out) {
  for (uint32_t i = 0; i < s->field_count; i++)
    for (uint32_t k = 0; k < s->fields[i]->count; k++) {
      if (s->fields[i]->type == EO_PROMELA_STRUCT)
        push_struct(p, s->fields[i]->fields, out);
      else
        front_push(p->front, out, s->fields[i]->cell);
    }
}

static void lay_out_queue(parser *p, eo_promela_queue *q) {
  q->offsets = eo__front_take(p->front, q->field_count * sizeof *q->offsets);
  for (uint32_t i = 0; i < q->field_count; i++) {
    uint32_t size = q->fields[i].size;
    q->slot = (q->slot + size - 1) / size * size;
    q->offsets[i] = q->slot;
    q->slot += size;
  }
  q->slot = (q->slot + 3) / 4 * 4;
  q->size = HEAD + q->slot * (q->capacity ? q->capacity : 1);
}

static const eo_promela_queue *parse_channel(parser *p) {
  token at = *eo__parse_peek(p, 0);
  eo__parse_expect(p, "[", "a channel");
  int32_t capacity = eo__parse_constant(p, "the capacity of a channel");
  if (capacity < 0 || capacity > MOST_CAPACITY)
    eo__front_fail(p->front, &at, "a channel for %d messages; it can be for 0 to %d", (int)capacity, MOST_CAPACITY);
  eo__parse_expect(p, "]", "a channel");
  eo__parse_expect(p, "of", "a channel");
  eo__parse_expect(p, "{", "a channel");
  cell_list cells = {0};
  do {
    eo_promela_type type;
    token t = *eo__parse_peek(p, 0);
    const eo_promela_struct *s = struct_here(p, 0);
    if (s) {
      push_struct(p, s, &cells);
    } else if (!type_here(p, 0, &type) || type == EO_PROMELA_UNSIGNED) {
      eo__front_fail(p->front, &t, "'%.60s' is no type of a message's field", t.text);
    }
    eo__parse_take(p);
    if (s) continue;
    eo_promela_cell cell = eo__parse_cell(type, false, 0);
    if (type == EO_PROMELA_MTYPE) cell.set = parse_mtype_set(p);
    front_push(p->front, &cells, cell);
  } while (eo__parse_accept(p, ","));
  eo__parse_expect(p, "}", "a channel");
  if (cells.count > 255) eo__front_fail(p->front, &at, "more than 255 fields");
  eo_promela_queue *q = eo__front_take(p->front, sizeof *q);
  *q = (eo_promela_queue){
      .number = p->queues.count, .capacity = (uint32_t)capacity, .field_count = cells.count, .fields = cells.items};
  lay_out_queue(p, q);
  front_push(p->front, &p->queues, q);
  return q;
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

/* Puts a symbol behind the others in a region of this size. */
static void allot(parser *p, eo_promela_symbol *s, uint32_t *region, const token *at) {
  uint32_t align = s->type == EO_PROMELA_STRUCT ? 4 : s->cell.size;
  s->stride = s->type == EO_PROMELA_STRUCT ? s->fields->size : s->cell.size;
  uint64_t start = ((uint64_t)*region + align - 1) / align * align;
  if (start + (uint64_t)s->stride * s->count > MOST_FRAME)
    eo__front_fail(p->front, at, "these variables take more than %d bytes", MOST_FRAME);
  s->offset = (uint32_t)start;
  *region = (uint32_t)start + s->stride * s->count;
}

static eo_promela_symbol *new_symbol(parser *p, const token *name, eo_promela_type type,
                                     const eo_promela_struct *fields) {
  eo_promela_symbol *s = eo__front_take(p->front, sizeof *s);
  s->name = name->text;
  s->type = type;
  s->fields = fields;
  s->count = 1;
  s->file = name->file;
  s->line = name->line;
  s->column = name->column;
  return s;
}

static void parse_shape(parser *p, eo_promela_symbol *s) {
  uint32_t bits = 0;
  token at = *eo__parse_peek(p, 0);
  if (s->type == EO_PROMELA_UNSIGNED) {
    eo__parse_expect(p, ":", "an unsigned (as in unsigned x : 3)");
    int32_t wanted = eo__parse_constant(p, "the number of bits");
    if (wanted < 1 || wanted > 31)
      eo__front_fail(p->front, &at, "an unsigned of %d bits; it can have 1 to 31", (int)wanted);
    bits = (uint32_t)wanted;
  }
  if (eo__parse_accept(p, "[")) {
    int32_t count = eo__parse_constant(p, "the size of an array");
    if (count < 1 || count > MOST_ELEMENTS)
      eo__front_fail(p->front, &at, "an array of %d elements; there can be 1 to %d", (int)count, MOST_ELEMENTS);
    eo__parse_expect(p, "]", "an array");
    s->array = true;
    s->count = (uint32_t)count;
    if (eo__parse_is(p, "[")) eo__parse_refuse(p, eo__parse_peek(p, 0), "an array of arrays");
    if (s->type == EO_PROMELA_UNSIGNED) eo__parse_refuse(p, &at, "an array of unsigned");
  }
  s->cell = eo__parse_cell(s->type, s->array, bits);
}

static void parse_initial(parser *p, eo_promela_symbol *s) {
  token at = *eo__parse_peek(p, 0);
  FRONT_LIST(eo_promela_expr *) values = {0};
  if (s->type == EO_PROMELA_STRUCT) eo__front_fail(p->front, &at, "a struct cannot be initialised as a whole");
  if (eo__parse_is(p, "[")) {
    if (s->type != EO_PROMELA_CHAN) eo__front_fail(p->front, &at, "'%s' is no channel", s->name);
    s->queue = parse_channel(p);
    if (s->in_block)
      eo__front_fail(p->front, &at, "a channel is made before the first statement of its proctype, and not in a block");
    return;
  }
  if (eo__parse_accept(p, "{")) {
    if (!s->array) eo__front_fail(p->front, &at, "'%s' is no array", s->name);
    do {
      eo_promela_expr *value = eo__parse_number(p, &at, eo__parse_constant(p, "a value in a list"));
      front_push(p->front, &values, value);
    } while (eo__parse_accept(p, ","));
    eo__parse_expect(p, "}", "a list of values");
    if (values.count > s->count) eo__front_fail(p->front, &at, "%u values for an array of %u", values.count, s->count);
    if (s->in_block) eo__parse_refuse(p, &at, "a list of values inside a block");
    eo_promela_expr *last = values.items[values.count - 1];
    while (values.count < s->count) front_push(p->front, &values, last);
  } else {
    eo_promela_expr *value = eo__parse_expression(p);
    if (eo__parse_is_run(value)) eo__front_fail(p->front, &at, "run cannot initialise a variable");
    if (s->type == EO_PROMELA_CHAN && !eo__parse_is_channel(value)) eo__front_fail(p->front, &at, "this is no channel");
    front_push(p->front, &values, value);
  }
  s->value_count = values.count;
  s->values = values.items;
}

/* Inside a block, or behind a statement, a declaration is a statement that sets the variable (of an array: its first
 * element), as in pan. */
static void initialise_here(parser *p, const eo_promela_symbol *s, const token *at) {
  eo_promela_transition *t;
  if (s->type == EO_PROMELA_STRUCT) {
    t = eo__parse_statement(p, at, EO_PROMELA_CLEAR);
  } else {
    t = eo__parse_statement(p, at, EO_PROMELA_ASSIGN);
    t->target = eo__front_take(p->front, sizeof *t->target);
    *t->target = (eo_promela_ref){.symbol = s, .offset = s->offset, .cell = s->cell};
    t->value = s->value_count ? s->values[0] : eo__parse_number(p, at, 0);
  }
  eo__parse_add(p, at, t);
}

static void declare(parser *p, eo_promela_symbol *s, const token *at) {
  for (uint32_t i = 0; i < p->scope->symbols.count; i++)
    if (strcmp(p->scope->symbols.items[i]->name, s->name) == 0)
      eo__front_fail(p->front, at, "'%s' is declared in this block already", s->name);
  front_push(p->front, &p->scope->symbols, s);
}

static void parse_variable(parser *p, eo_promela_type type, const eo_promela_struct *fields, uint8_t set) {
  token name = eo__parse_name(p, "the name of a variable");
  eo_promela_symbol *s = new_symbol(p, &name, type, fields);
  parse_shape(p, s);
  s->cell.set = set;
  s->owner = p->flow ? p->flow->proctype : NULL;
  s->in_block = p->flow && !p->fresh;
  if (eo__parse_accept(p, "=")) parse_initial(p, s);
  declare(p, s, &name);
  if (p->flow) {
    allot(p, s, &p->flow->proctype->frame, &name);
    front_push(p->front, &p->locals, s);
    if (s->in_block) initialise_here(p, s, &name);
  } else {
    allot(p, s, &p->front->model->globals, &name);
    front_push(p->front, &p->globals, s);
  }
}

void eo__parse_declaration(parser *p) {
  eo_promela_type type = EO_PROMELA_STRUCT;
  /* What is shown or local makes no difference. What is hidden is part of the state all the same, so that nothing is missed. */
  if (!eo__parse_accept(p, "show") && !eo__parse_accept(p, "local")) eo__parse_accept(p, "hidden");
  const eo_promela_struct *fields = type_here(p, 0, &type) ? NULL : struct_here(p, 0);
  eo__parse_take(p);
  uint8_t set = type == EO_PROMELA_MTYPE ? parse_mtype_set(p) : 0;
  if (type == EO_PROMELA_MTYPE && (eo__parse_is(p, "{") || (eo__parse_is(p, "=") && eo__parse_is_at(p, 1, "{")))) {
    eo__parse_accept(p, "=");
    parse_mtypes(p, set);
    return;
  }
  do parse_variable(p, type, fields, set);
  while (eo__parse_accept(p, ","));
}

eo_promela_ref *eo__parse_own_byte(parser *p, const token *at, const char *called) {
  token name = *at;
  name.text = called;
  eo_promela_symbol *s = new_symbol(p, &name, EO_PROMELA_BYTE, NULL);
  s->cell = eo__parse_cell(EO_PROMELA_BYTE, false, 0);
  s->owner = p->flow->proctype;
  allot(p, s, &p->flow->proctype->frame, at);
  front_push(p->front, &p->locals, s);
  front_push(p->front, &p->scope->symbols, s);
  eo_promela_ref *ref = eo__front_take(p->front, sizeof *ref);
  *ref = (eo_promela_ref){.symbol = s, .offset = s->offset, .cell = s->cell};
  return ref;
}

/* ---- Parameters and typedefs ------------------------------------------------------------------------------------- */

static void push_parameters(parser *p, eo_promela_symbol *s, const token *at) {
  eo_promela_proctype *made = p->flow->proctype;
  if (s->array) eo__front_fail(p->front, at, "an array cannot be a parameter");
  if (s->type == EO_PROMELA_STRUCT) eo__parse_refuse(p, at, "a struct as a parameter");
  eo_promela_symbol **grown = eo__front_take(p->front, (made->parameter_count + 1) * sizeof(eo_promela_symbol *));
  if (made->parameter_count) memcpy(grown, made->parameters, made->parameter_count * sizeof(eo_promela_symbol *));
  grown[made->parameter_count++] = s;
  made->parameters = grown;
}

void eo__parse_parameters(parser *p) {
  p->fresh = true;
  while (!eo__parse_is(p, ")")) {
    token at = *eo__parse_peek(p, 0);
    if (!eo__parse_starts_declaration(p))
      eo__front_fail(p->front, &at, "the type of a parameter is missing before '%.60s'", at.text);
    uint32_t before = p->locals.count;
    eo__parse_declaration(p);
    for (uint32_t i = before; i < p->locals.count; i++) {
      eo_promela_symbol *s = p->locals.items[i];
      if (s->value_count || s->queue) eo__front_fail(p->front, &at, "a parameter cannot be initialised");
      s->parameter = true;
      push_parameters(p, s, &at);
    }
    if (!eo__parse_accept(p, ";")) break;
  }
}

void eo__parse_typedef(parser *p) {
  token at = eo__parse_take(p);
  token name = eo__parse_name(p, "the name of the type");
  for (uint32_t i = 0; i < p->structs.count; i++)
    if (strcmp(p->structs.items[i]->name, name.text) == 0)
      eo__front_fail(p->front, &name, "there is a type '%s' already", name.text);
  eo_promela_struct *made = eo__front_take(p->front, sizeof *made);
  FRONT_LIST(eo_promela_symbol *) fields = {0};
  made->name = name.text;
  eo__parse_expect(p, "{", "a typedef");
  while (!eo__parse_is(p, "}")) {
    eo_promela_type type = EO_PROMELA_STRUCT;
    if (eo__parse_accept(p, ";")) continue;
    if (!eo__parse_starts_declaration(p))
      eo__front_fail(p->front, eo__parse_peek(p, 0), "a declaration is missing in the typedef '%s'", name.text);
    const eo_promela_struct *inner = type_here(p, 0, &type) ? NULL : struct_here(p, 0);
    eo__parse_take(p);
    uint8_t set = type == EO_PROMELA_MTYPE ? parse_mtype_set(p) : 0;
    do {
      token field = eo__parse_name(p, "the name of a field");
      for (uint32_t i = 0; i < fields.count; i++)
        if (strcmp(fields.items[i]->name, field.text) == 0)
          eo__front_fail(p->front, &field, "there is a field '%s' already", field.text);
      eo_promela_symbol *s = new_symbol(p, &field, type, inner);
      parse_shape(p, s);
      s->cell.set = set;
      if (eo__parse_accept(p, "=")) parse_initial(p, s);
      allot(p, s, &made->size, &field);
      front_push(p->front, &fields, s);
    } while (eo__parse_accept(p, ","));
  }
  eo__parse_expect(p, "}", "a typedef");
  if (!fields.count) eo__front_fail(p->front, &at, "a typedef without fields");
  made->size = (made->size + 3) / 4 * 4;
  made->field_count = fields.count;
  made->fields = fields.items;
  front_push(p->front, &p->structs, made);
}
