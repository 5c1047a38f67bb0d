/* parse.h: the parser's own state; it is in four files: parse.c (units of a model, the stream of tokens), expressions.c,
 * declarations.c, statements.c. */
#ifndef EO_PROMELA_PARSE_H
#define EO_PROMELA_PARSE_H

#include "subjects/model/front.h"

enum { HEAD = 4, MOST_NESTING = 200, MOST_INLINES = 100, MOST_FRAME = 1 << 20, MOST_INLINED = 1 << 20 };

/* What is read from: the file, or the body of an inline with its arguments in place. */
typedef struct stream {
  const token *items;
  size_t count, at;
  struct stream *outer;
} stream;

typedef struct inline_body {
  const char *name;
  FRONT_LIST(token) parameters;
  const token *items;
  size_t count;
} inline_body;

/* A label that a property asks for. */
typedef struct spoken_label {
  const char *proctype, *label;
} spoken_label;

typedef struct parser {
  compiler *front;
  stream *in;
  token last; /* the one taken last */
  block *scope;
  sequencer *flow; /* of the proctype that is read; NULL: outside of one */
  bool fresh;      /* no statement of the proctype was read yet: declarations initialise when it starts */
  uint32_t nesting, inlining;
  size_t inlined; /* tokens, in all */
  FRONT_LIST(eo_promela_proctype *) proctypes;
  FRONT_LIST(eo_promela_symbol *) globals;
  FRONT_LIST(eo_promela_symbol *) locals; /* of the proctype that is read */
  FRONT_LIST(eo_promela_queue *) queues;
  FRONT_LIST(eo_promela_struct *) structs;
  FRONT_LIST(inline_body *) inlines;
  FRONT_LIST(eo_promela_mtype) mtypes;
  FRONT_LIST(const char *) mtype_sets; /* from 1; set 0 has no name */
  FRONT_LIST(uint32_t) first;
  FRONT_LIST(eo_promela_expr *) runs; /* checked at the end, when all proctypes are known */
  FRONT_LIST(token) run_tokens;
  FRONT_LIST(stream *) claims; /* ltl blocks and never claims, which are read at the end */
  FRONT_LIST(struct eo_promela_property *) properties;
  FRONT_LIST(spoken_label) spoken; /* labels that the model asks for: P@label */
  bool claiming;                   /* a property is read: it may speak of other processes, */
  bool temporal;                   /* and in temporal operators */
  bool tracing;                    /* a trace is read, whose statements are events */
} parser;

/* ---- Tokens ------------------------------------------------------------------------------------------------------ */

const token *eo__parse_peek(parser *p, size_t ahead);
token eo__parse_take(parser *p);
bool eo__parse_is(parser *p, const char *text); /* the next one is this symbol or word */
bool eo__parse_is_at(parser *p, size_t ahead, const char *text);
bool eo__parse_accept(parser *p, const char *text);
token eo__parse_expect(parser *p, const char *text, const char *where);
token eo__parse_name(parser *p, const char *what);
__attribute__((noreturn)) void eo__parse_refuse(parser *p, const token *at, const char *construct);

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

eo_promela_expr *eo__parse_new(parser *p, const token *at, eo_promela_op op);
eo_promela_expr *eo__parse_expression(parser *p);
int32_t eo__parse_constant(parser *p, const char *what);
eo_promela_expr *eo__parse_number(parser *p, const token *at, int32_t value);
eo_promela_expr *eo__parse_binary(parser *p, const token *at, eo_promela_op op, eo_promela_expr *a, eo_promela_expr *b);
bool eo__parse_is_run(const eo_promela_expr *e);
bool eo__parse_is_channel(const eo_promela_expr *e);

/* What a name with its indices and fields stands for: a scalar, or (`fields` is set) a whole struct. */
typedef struct reference {
  eo_promela_ref *ref;
  const eo_promela_struct *fields;
  const eo_promela_symbol *symbol; /* the innermost: the field */
} reference;
reference eo__parse_reference(parser *p);
eo_promela_ref *eo__parse_scalar(parser *p); /* a reference that is one */
eo_promela_expr *eo__parse_variable(parser *p, const token *at, eo_promela_ref *ref);
typedef FRONT_LIST(eo_promela_ref *) ref_list;
void eo__parse_spread(parser *p, const reference *r, ref_list *out); /* the scalars of a struct, in order */
eo_promela_message *eo__parse_receive_fields(parser *p, eo_promela_expr *channel, const char *close, bool polls);
bool eo__parse_names_struct(parser *p); /* is a struct named next? */
void eo__parse_rotate(parser *p, eo_promela_expr *channel, const reference *r, eo_promela_transition *take,
                      eo_promela_transition *back);
eo_promela_message *eo__parse_send_fields(parser *p, eo_promela_expr *channel);

/* ---- Declarations ------------------------------------------------------------------------------------------------ */

bool eo__parse_starts_declaration(parser *p);
void eo__parse_declaration(parser *p); /* variables; inside a proctype or outside */
void eo__parse_parameters(parser *p);
void eo__parse_typedef(parser *p);
eo_promela_ref *eo__parse_own_byte(parser *p, const token *at, const char *name); /* a variable that is not declared */
const eo_promela_symbol *eo__parse_find(parser *p, const char *name);
int32_t eo__parse_mtype(parser *p, const char *name); /* 0: none of that name */
eo_promela_cell eo__parse_cell(eo_promela_type type, bool array, uint32_t bits);

/* ---- Statements -------------------------------------------------------------------------------------------------- */

void eo__parse_open_scope(parser *p);
void eo__parse_close_scope(parser *p);
void eo__parse_sequence(parser *p); /* into the sequence that is open, up to something that cannot begin a step */
void eo__parse_add(parser *p, const token *at, eo_promela_transition *t);
eo_promela_transition *eo__parse_statement(parser *p, const token *at, eo_promela_kind kind);

/* The code of a proctype, or of a never claim: from its { to its }. */
void eo__parse_code(parser *p, eo_promela_proctype *made);

/* ---- Properties -------------------------------------------------------------------------------------------------- */

void eo__parse_claim_later(parser *p);
void eo__parse_claims(parser *p, const token *at);         /* all that were left */
const eo_promela_proctype *eo__parse_remote_of(parser *p); /* that is named next; NULL: none */
/* Before proctypes are read, which are made accordingly: which labels are asked for by P@label and P[pid]@label. And is this one of
 * the proctype that is read? */
void eo__parse_note_spoken(parser *p, const tokens *all);
bool eo__parse_is_spoken(const parser *p, const char *name);

uint32_t eo__parse_rank(parser *p); /* `priority N`, which may be left out */
eo_promela_expr *eo__parse_remote(parser *p, const eo_promela_proctype *of);
eo_promela_op eo__parse_temporal_prefix(parser *p); /* takes [], <> or X, and says which; CONST: none of them */

/* A call of an inline: its body is what is read next. */
bool eo__parse_inline_call(parser *p);

#endif
