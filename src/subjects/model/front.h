/* front.h: the inside of the compiler from Promela to a model: memory, tokens, control structure. An error anywhere, or
 * the end of memory, jumps to where compiling began; all memory is the arena's. */
#ifndef EO_PROMELA_FRONT_H
#define EO_PROMELA_FRONT_H

#include <setjmp.h>

#include "subjects/model/model.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef struct eo_promela_arena eo_promela_arena;
eo_promela_arena *eo__promela_arena_open(void);
void eo__promela_arena_close(eo_promela_arena *arena);
void *eo__promela_arena_take(eo_promela_arena *arena, size_t size); /* zeroed; NULL: no memory */

typedef enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SYMBOL } token_kind;

typedef struct token {
  token_kind kind;
  const char *text; /* a string with its quotes */
  int32_t value;    /* of a number */
  const char *file;
  int line, column;
} token;

typedef struct tokens {
  token *items;
  size_t count;
} tokens;

typedef struct compiler {
  jmp_buf failed;
  eo_error *error;
  eo_promela_arena *arena;
  eo_promela *model;
} compiler;

void *eo__front_take(compiler *f, size_t size);
char *eo__front_text(compiler *f, const char *text, size_t length);
__attribute__((noreturn, format(printf, 3, 4))) void eo__front_fail(compiler *f, const token *at, const char *format,
                                                                    ...);

/* A list that grows in the arena. */
#define FRONT_LIST(type) \
  struct {               \
    type *items;         \
    uint32_t count;      \
    uint32_t capacity;   \
  }
#define front_push(f, list, value)                                                                     \
  (((list)->count == (list)->capacity                                                                  \
        ? (void)eo__front_grow((f), (void **)&(list)->items, &(list)->capacity, sizeof *(list)->items) \
        : (void)0),                                                                                    \
   (void)((list)->items[(list)->count++] = (value)))
void eo__front_grow(compiler *f, void **items, uint32_t *capacity, size_t size);

void eo__front_lex(compiler *f, const char *path, const char *text, size_t size, tokens *out);

/* ---- Control structure: elements in sequences ---------------------------------------------------------------------- */

typedef struct element element;
typedef struct sequence sequence;

typedef enum element_kind {
  ELEMENT_PLAIN, /* a statement: `statement` says which */
  ELEMENT_GOTO,
  ELEMENT_DOT,   /* where the options of a selection come together */
  ELEMENT_BREAK, /* where a break leads to */
  ELEMENT_IF,
  ELEMENT_DO,
  ELEMENT_ATOMIC,
  ELEMENT_BLOCK,
  ELEMENT_DSTEP,
  ELEMENT_UNLESS /* `body`, which `escape` breaks off */
} element_kind;

/* The block a name is declared in, or a label stands in. */
typedef struct block {
  struct block *outer;
  FRONT_LIST(eo_promela_symbol *) symbols;
} block;

typedef struct label {
  const char *name;
  element *at;
  const block *scope;
} label;

/* Where the breaks of a loop lead to, once it is known. */
typedef struct breaking {
  element *at;
  struct breaking *outer;
} breaking;

enum { STATUS_ATOMIC = 1, STATUS_LAST = 2, STATUS_DSTEP = 4 };

struct element {
  element_kind kind;
  uint32_t number; /* in its proctype, from 1; 0 is the end */
  element *next;
  eo_promela_transition *statement; /* without its destination */
  const char *target;               /* of a goto: a label, */
  breaking *breaks;                 /* or what it breaks out of */
  const block *scope;
  token at;
  FRONT_LIST(sequence *) options; /* of IF and DO */
  sequence *body;                 /* of ATOMIC, BLOCK, DSTEP and UNLESS */
  sequence *escape;               /* of UNLESS */
  FRONT_LIST(sequence *) escapes; /* that can break off here, the innermost first */
  unsigned status;
  bool done;
};

struct sequence {
  element *first, *last, *extent;
  sequence *outer; /* while it is open */
  bool option;     /* of a selection: only there is an else, as the first step */
};

/* A statement that was read and is not yet in a sequence. */
typedef struct node {
  element_kind kind;
  token at;
  eo_promela_transition *statement;
  const char *target;
  breaking *breaks;
  FRONT_LIST(sequence *) options;
  sequence *body, *escape;
  FRONT_LIST(token) labels; /* innermost first */
} node;

/* A proctype under construction. */
typedef struct sequencer {
  compiler *front;
  eo_promela_proctype *proctype;
  sequence *open; /* innermost */
  breaking *breaks;
  FRONT_LIST(label) labels;
  uint32_t next_number;
  uint32_t dstep_from; /* number of the first element of the d_step that is open; 0: none */
  bool claim;          /* of a never claim, which may do nothing but skip */
} sequencer;

void eo__flow_open(sequencer *w);
sequence *eo__flow_close(sequencer *w, const token *at);
void eo__flow_add(sequencer *w, node *n, const block *s); /* into the innermost open sequence */
void eo__flow_atomic(sequence *s, bool dstep);
void eo__flow_local_jumps(sequencer *w, const sequence *s, uint32_t from);
void eo__flow_prune(sequencer *w, node *selection);
void eo__flow_finish(sequencer *w, sequence *body); /* makes the locations of the proctype */

/* What each transition reads and writes. */
void eo__promela_accesses(compiler *f);

/* An expression or a statement as people write it. */
struct eo_text;
const char *eo__promela_statement_text(compiler *f, const eo_promela_transition *t);
const char *eo__promela_expression_text(compiler *f, const eo_promela_expr *e);

eo_promela *eo__promela_parse(const char *path, const char *text, size_t size, eo_error *error);

#endif
