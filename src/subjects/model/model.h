/* model.h: a Promela model, compiled: what never changes while it is explored. Strategies for models read it; states and
 * steps are in run.h.
 *
 * A proctype is a graph of locations and transitions, with exactly the control states that `pan` has when its
 * optimisations are off (spin -o1 -o2 -o3). A transition is one statement, or a whole d_step. Everything here is owned by
 * the model's arena and read-only after eo_model_open. */
#ifndef EO_MODEL_MODEL_H
#define EO_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define EO_MODEL_NAME 64 /* the longest identifier, with its end */

typedef enum eo_model_type {
  EO_MODEL_UNSIGNED, /* in the order in which initialisers are evaluated */
  EO_MODEL_BIT,      /* bool too */
  EO_MODEL_BYTE,     /* pid too */
  EO_MODEL_CHAN,
  EO_MODEL_MTYPE,
  EO_MODEL_SHORT,
  EO_MODEL_INT,
  EO_MODEL_STRUCT
} eo_model_type;

typedef struct eo_model_expr eo_model_expr;
typedef struct eo_model_symbol eo_model_symbol;

/* How a scalar lies in memory. */
typedef struct eo_model_cell {
  uint8_t type; /* eo_model_type, never STRUCT */
  uint8_t size; /* 1, 2 or 4 bytes */
  uint8_t bits; /* of BIT and UNSIGNED: what is kept of a value; 0: as many as the type has */
} eo_model_cell;

/* One index of a reference: in a[i].b[j] there are two. */
typedef struct eo_model_index {
  eo_model_expr *value;
  uint32_t bound, stride;
} eo_model_index;

/* A scalar variable, or an element of an array, or a field: where it lies. */
typedef struct eo_model_ref {
  const eo_model_symbol *symbol; /* the whole variable it is part of */
  bool global;
  uint32_t offset; /* from the start of the globals, or of the frame */
  eo_model_cell cell;
  uint32_t index_count;
  eo_model_index *indices;
} eo_model_ref;

typedef enum eo_model_op {
  EO_MODEL_CONST,
  EO_MODEL_VAR,
  EO_MODEL_PID,     /* _pid */
  EO_MODEL_NR_PR,   /* _nr_pr */
  EO_MODEL_TIMEOUT, /* true when nothing else can go on */
  EO_MODEL_NOT,
  EO_MODEL_NEGATE,
  EO_MODEL_INVERT,
  EO_MODEL_ADD,
  EO_MODEL_SUBTRACT,
  EO_MODEL_MULTIPLY,
  EO_MODEL_DIVIDE,
  EO_MODEL_MODULO,
  EO_MODEL_AND_BITS,
  EO_MODEL_XOR_BITS,
  EO_MODEL_OR_BITS,
  EO_MODEL_LEFT,
  EO_MODEL_RIGHT,
  EO_MODEL_LESS,
  EO_MODEL_GREATER,
  EO_MODEL_LESS_EQUAL,
  EO_MODEL_GREATER_EQUAL,
  EO_MODEL_EQUAL,
  EO_MODEL_UNEQUAL,
  EO_MODEL_AND,
  EO_MODEL_OR,
  EO_MODEL_IF,   /* (a -> b : c) */
  EO_MODEL_LEN,  /* of channel a */
  EO_MODEL_FULL, /* ... */
  EO_MODEL_NFULL,
  EO_MODEL_EMPTY,
  EO_MODEL_NEMPTY,
  EO_MODEL_POLL, /* c?[...] and c??[...]: `receive` */
  EO_MODEL_RUN   /* run P(arguments): the whole of a condition, or of what is assigned */
} eo_model_op;

struct eo_model_expr {
  eo_model_op op;
  int32_t value;      /* of a constant */
  const char *name;   /* of an mtype constant; NULL: it has none */
  eo_model_ref *ref;  /* of a variable */
  eo_model_expr *a, *b, *c;
  struct eo_model_message *receive;
  uint32_t proctype;  /* run */
  uint32_t argument_count;
  eo_model_expr **arguments;
  int line, column;
  const char *file;
};

/* One field of a send or a receive. */
typedef enum eo_model_match {
  EO_MODEL_VALUE, /* a send: the value of `value`; a receive: eval(value) or a constant, which must be equal */
  EO_MODEL_STORE, /* a receive: into `into` */
  EO_MODEL_IGNORE /* a receive: `_` */
} eo_model_match;

typedef struct eo_model_field {
  eo_model_match match;
  eo_model_expr *value;
  eo_model_ref *into;
} eo_model_field;

typedef struct eo_model_message {
  eo_model_expr *channel;
  bool ordered; /* !! : in order of value;  ?? : the first that matches, wherever it is */
  bool copies;  /* c?<...>: the message stays */
  uint32_t count;
  eo_model_field *fields;
} eo_model_message;

typedef enum eo_model_kind {
  EO_MODEL_SKIP, /* skip, goto, break, printf */
  EO_MODEL_ELSE, /* when no transition before it at this location can be taken */
  EO_MODEL_CONDITION,
  EO_MODEL_ASSIGN,
  EO_MODEL_CLEAR, /* a declaration inside a block: the whole variable `target` becomes `value`, or its initial values */
  EO_MODEL_SEND,
  EO_MODEL_RECEIVE,
  EO_MODEL_ASSERT,
  EO_MODEL_PRINT,
  EO_MODEL_DSTEP,
  EO_MODEL_EXIT /* the process ends, once it is the youngest */
} eo_model_kind;

/* What a transition reads and writes beside the location of its own process: for whoever reduces. Symbols are variables,
 * channels are named by the variables that hold them. */
typedef struct eo_model_access {
  const eo_model_symbol *symbol;
  bool writes;
} eo_model_access;

typedef struct eo_model_transition {
  eo_model_kind kind;
  uint32_t number; /* in the whole model */
  uint32_t to;     /* location; unchanged for EXIT */
  bool atomic;     /* the process keeps the floor afterwards */
  eo_model_expr *value;
  eo_model_ref *target;
  eo_model_message *message;
  const char *format; /* of printf, with its quotes */
  uint32_t argument_count;
  eo_model_expr **arguments;
  struct eo_model_dstep *dstep;
  const char *file;
  int line;
  const char *text; /* the statement, for people */
  uint32_t access_count;
  eo_model_access *accesses;
  bool reads_counts; /* _nr_pr, run, or the end of a process: what depends on all processes */
} eo_model_transition;

/* The inside of a d_step: nodes whose first transition that can be taken is taken. Node 0 is the start. */
typedef struct eo_model_dnode {
  uint32_t count;
  eo_model_transition **transitions; /* `to`: the next node, or EO_MODEL_DSTEP_END */
} eo_model_dnode;
#define EO_MODEL_DSTEP_END UINT32_MAX

typedef struct eo_model_dstep {
  uint32_t count;
  eo_model_dnode *nodes;
} eo_model_dstep;

typedef struct eo_model_location {
  uint32_t count; /* of transitions, in the order in which pan tries them */
  eo_model_transition **transitions;
  bool end; /* a process may stay here for ever: an end label, or the end of its code */
} eo_model_location;

/* A channel initialiser: [capacity] of {types}. */
typedef struct eo_model_queue {
  uint32_t number; /* the type of the channel, from 0 */
  uint32_t capacity; /* 0: rendezvous */
  uint32_t field_count;
  eo_model_cell *fields;
  uint32_t *offsets; /* of the fields in a slot */
  uint32_t slot;     /* bytes */
  uint32_t size;     /* bytes of the whole, with its head */
} eo_model_queue;

/* A typedef. */
typedef struct eo_model_struct {
  const char *name;
  uint32_t field_count;
  eo_model_symbol **fields; /* offsets from the start of the struct */
  uint32_t size;
} eo_model_struct;

struct eo_model_symbol {
  const char *name;
  eo_model_type type;
  eo_model_cell cell;
  const eo_model_struct *fields; /* of a STRUCT */
  bool array;
  uint32_t count; /* of elements */
  uint32_t offset, stride; /* from the start of the globals, the frame or the struct; bytes of one element */
  const eo_model_queue *queue; /* of a channel that is made where it is declared; NULL: it is only a name */
  uint32_t value_count;        /* initial values: of the elements in turn, or one for all of them */
  eo_model_expr **values;
  bool in_block; /* declared inside a block or behind a statement: a statement of its own initialises it */
  bool parameter;
  struct eo_model_proctype *owner; /* NULL: global, or in a typedef */
  const char *file;
  int line, column;
};

typedef struct eo_model_proctype {
  uint32_t number;
  const char *name; /* "init" for init */
  uint32_t active;  /* how many run from the start */
  uint32_t parameter_count;
  eo_model_symbol **parameters; /* structs are taken apart */
  uint32_t symbol_count;
  eo_model_symbol **symbols; /* parameters too */
  uint32_t frame;            /* bytes, with the head */
  uint32_t start;            /* location */
  uint32_t location_count;
  eo_model_location *locations;
  const char *file;
  int line;
} eo_model_proctype;

typedef struct eo_model {
  struct eo_model_arena *arena;
  const char *path;
  uint32_t proctype_count;
  eo_model_proctype **proctypes; /* by number */
  uint32_t first_count;
  uint32_t *first; /* the processes at the start, as numbers of proctypes, in order of _pid */
  uint32_t symbol_count;
  eo_model_symbol **symbols; /* global */
  uint32_t globals;          /* bytes */
  uint32_t queue_count;
  eo_model_queue **queues;
  uint32_t transition_count;
  eo_model_transition **transitions; /* by number */
  uint32_t mtype_count;
  const char **mtypes; /* the name of value i + 1 */
} eo_model;

/* Reads a model through `cpp` with these -D options. An error says file, line and column, and what is wrong there. */
eo_model *eo_model_open(const char *path, const char *const *defines, size_t define_count, eo_error *error);

/* The same from text that needs no `cpp` any more; `path` is for messages. */
eo_model *eo_model_read(const char *path, const char *text, size_t size, eo_error *error);
void eo_model_close(eo_model *model);

#endif
