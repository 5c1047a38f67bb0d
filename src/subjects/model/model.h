/* model.h: a Promela model, compiled: what never changes while it is explored. Strategies for models read it; states and
 * steps are in run.h.
 *
 * A proctype is a graph of locations and transitions, with exactly the control states that `pan` has when its
 * optimisations are off (spin -o1 -o2 -o3). A transition is one statement, or a whole d_step. Everything here is owned by
 * the model's arena and read-only after eo__promela_open. */
#ifndef EO_PROMELA_MODEL_H
#define EO_PROMELA_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define EO_PROMELA_NAME 64 /* the longest identifier, with its end */

typedef enum eo_promela_type {
  EO_PROMELA_UNSIGNED, /* in the order in which initialisers are evaluated */
  EO_PROMELA_BIT,      /* bool too */
  EO_PROMELA_BYTE,     /* pid too */
  EO_PROMELA_CHAN,
  EO_PROMELA_MTYPE,
  EO_PROMELA_SHORT,
  EO_PROMELA_INT,
  EO_PROMELA_STRUCT
} eo_promela_type;

typedef struct eo_promela_expr eo_promela_expr;
typedef struct eo_promela_symbol eo_promela_symbol;

/* How a scalar lies in memory. */
typedef struct eo_promela_cell {
  uint8_t type; /* eo_promela_type, never STRUCT */
  uint8_t size; /* 1, 2 or 4 bytes */
  uint8_t bits; /* of BIT and UNSIGNED: what is kept of a value; 0: as many as the type has */
  uint8_t set;  /* of MTYPE: which set of names its values are from; 0: the one without a name */
} eo_promela_cell;

/* One index of a reference: in a[i].b[j] there are two. */
typedef struct eo_promela_index {
  eo_promela_expr *value;
  uint32_t bound, stride;
} eo_promela_index;

/* A scalar variable, or an element of an array, or a field: where it lies. */
typedef struct eo_promela_ref {
  const eo_promela_symbol *symbol; /* the whole variable it is part of */
  bool global;
  uint32_t offset; /* from the start of the globals, or of the frame */
  eo_promela_cell cell;
  uint32_t index_count;
  eo_promela_index *indices;
} eo_promela_ref;

typedef enum eo_promela_op {
  EO_PROMELA_CONST,
  EO_PROMELA_VAR,
  EO_PROMELA_PID,     /* _pid */
  EO_PROMELA_NR_PR,   /* _nr_pr */
  EO_PROMELA_TIMEOUT, /* true when nothing else can go on */
  EO_PROMELA_NOT,
  EO_PROMELA_NEGATE,
  EO_PROMELA_INVERT,
  EO_PROMELA_ADD,
  EO_PROMELA_SUBTRACT,
  EO_PROMELA_MULTIPLY,
  EO_PROMELA_DIVIDE,
  EO_PROMELA_MODULO,
  EO_PROMELA_AND_BITS,
  EO_PROMELA_XOR_BITS,
  EO_PROMELA_OR_BITS,
  EO_PROMELA_LEFT,
  EO_PROMELA_RIGHT,
  EO_PROMELA_LESS,
  EO_PROMELA_GREATER,
  EO_PROMELA_LESS_EQUAL,
  EO_PROMELA_GREATER_EQUAL,
  EO_PROMELA_EQUAL,
  EO_PROMELA_UNEQUAL,
  EO_PROMELA_AND,
  EO_PROMELA_OR,
  EO_PROMELA_IF,   /* (a -> b : c) */
  EO_PROMELA_LEN,  /* of channel a */
  EO_PROMELA_FULL, /* ... */
  EO_PROMELA_NFULL,
  EO_PROMELA_EMPTY,
  EO_PROMELA_NEMPTY,
  EO_PROMELA_POLL,    /* c?[...] and c??[...]: `receive` */
  EO_PROMELA_RUN,     /* run P(arguments): the whole of a condition, or of what is assigned */
  EO_PROMELA_RANK_OF, /* get_priority(a) */

  /* Only in properties. */
  EO_PROMELA_AT_LABEL, /* P[a]@label: process a, or the first of proctype P, is at location `value` */
  EO_PROMELA_REMOTE,   /* P[a]:x: its local variable `ref` */
  EO_PROMELA_NP,       /* np_: no process is at a progress label */
  EO_PROMELA_ALWAYS,   /* of ltl formulas: [] a */
  EO_PROMELA_EVENTUALLY,
  EO_PROMELA_NEXT,
  EO_PROMELA_UNTIL, /* a U b, strong */
  EO_PROMELA_WEAK_UNTIL,
  EO_PROMELA_RELEASE,
  EO_PROMELA_IMPLIES,
  EO_PROMELA_EQUIVALENT
} eo_promela_op;

struct eo_promela_expr {
  eo_promela_op op;
  int32_t value;       /* of a constant */
  const char *name;    /* of an mtype constant; NULL: it has none. Of AT_LABEL and REMOTE, the proctype's */
  const char *label;   /* of AT_LABEL */
  eo_promela_ref *ref; /* of a variable */
  eo_promela_expr *a, *b, *c;
  struct eo_promela_message *receive;
  uint32_t proctype; /* of run and of what is asked of other processes */
  uint32_t rank;     /* of run: the priority */
  uint32_t argument_count;
  eo_promela_expr **arguments;
  int line, column;
  const char *file;
};

/* One field of a send or a receive. */
typedef enum eo_promela_match {
  EO_PROMELA_VALUE, /* a send: the value of `value`; a receive: eval(value) or a constant, which must be equal */
  EO_PROMELA_STORE, /* a receive: into `into` */
  EO_PROMELA_IGNORE /* a receive: `_` */
} eo_promela_match;

typedef struct eo_promela_field {
  eo_promela_match match;
  eo_promela_expr *value;
  eo_promela_ref *into;
} eo_promela_field;

typedef struct eo_promela_message {
  eo_promela_expr *channel;
  bool ordered; /* !! : in order of value;  ?? : the first that matches, wherever it is */
  bool copies;  /* c?<...>: the message stays */
  bool polls;   /* c?[...]: may give fewer fields than there are */
  uint32_t count;
  eo_promela_field *fields;
} eo_promela_message;

typedef enum eo_promela_kind {
  EO_PROMELA_SKIP, /* skip, goto, break, printf */
  EO_PROMELA_ELSE, /* when no transition before it at this location can be taken */
  EO_PROMELA_CONDITION,
  EO_PROMELA_ASSIGN,
  EO_PROMELA_CLEAR, /* a declaration inside a block: the whole variable `target` becomes `value`, or its initial values */
  EO_PROMELA_SEND,
  EO_PROMELA_RECEIVE,
  EO_PROMELA_ASSERT,
  EO_PROMELA_PRINT,
  EO_PROMELA_DSTEP,
  EO_PROMELA_RANK, /* set_priority(arguments[0], value) */
  EO_PROMELA_EXIT  /* the process ends, once it is the youngest */
} eo_promela_kind;

/* What a transition reads and writes beside the location of its own process: for whoever reduces. Symbols are variables,
 * channels are named by the variables that hold them. */
typedef struct eo_promela_access {
  const eo_promela_symbol *symbol;
  bool writes;
} eo_promela_access;

typedef struct eo_promela_transition {
  eo_promela_kind kind;
  uint32_t number; /* in the whole model */
  uint32_t to;     /* location; unchanged for EXIT */
  bool atomic;     /* the process keeps the floor afterwards */
  uint32_t escape; /* it breaks off an `unless`: those of one number are of one escape; 0: it does not */
  eo_promela_expr *value;
  eo_promela_ref *target;
  eo_promela_message *message;
  const char *format; /* of printf, with its quotes */
  uint32_t argument_count;
  eo_promela_expr **arguments;
  struct eo_promela_dstep *dstep;
  const char *file;
  int line;
  const char *text; /* the statement, for people */
  uint32_t access_count;
  eo_promela_access *accesses;
  bool reads_counts; /* _nr_pr, run, or the end of a process: what depends on all processes */
} eo_promela_transition;

/* The inside of a d_step: nodes whose first transition that can be taken is taken. Node 0 is the start. */
typedef struct eo_promela_dnode {
  uint32_t count;
  eo_promela_transition **transitions; /* `to`: the next node, or EO_PROMELA_DSTEP_END */
} eo_promela_dnode;
#define EO_PROMELA_DSTEP_END UINT32_MAX

typedef struct eo_promela_dstep {
  uint32_t count;
  eo_promela_dnode *nodes;
} eo_promela_dstep;

typedef struct eo_promela_location {
  uint32_t count; /* of transitions, in the order in which pan tries them; escapes first: behind one that can be taken,
                     only others of its number are */
  eo_promela_transition **transitions;
  bool end;              /* a process may stay here for ever: an end label, or the end of its code */
  bool accept, progress; /* labels */
} eo_promela_location;

/* What a process does at a location that does not break anything off; there is at least one transition. */
static inline const eo_promela_transition *eo_promela_own(const eo_promela_location *l) {
  uint32_t own = 0;
  while (own + 1 < l->count && l->transitions[own]->escape) own++;
  return l->transitions[own];
}

typedef struct eo_promela_label {
  const char *name;
  uint32_t location;
} eo_promela_label;

/* A channel initialiser: [capacity] of {types}. */
typedef struct eo_promela_queue {
  uint32_t number;   /* the type of the channel, from 0 */
  uint32_t capacity; /* 0: rendezvous */
  uint32_t field_count;
  eo_promela_cell *fields;
  uint32_t *offsets; /* of the fields in a slot */
  uint32_t slot;     /* bytes */
  uint32_t size;     /* bytes of the whole, with its head */
} eo_promela_queue;

/* `xr c` or `xs c` in a proctype: nobody else receives from it, or sends to it. */
typedef struct eo_promela_claim {
  eo_promela_ref *channel;
  bool receives;
} eo_promela_claim;

/* A typedef. */
typedef struct eo_promela_struct {
  const char *name;
  uint32_t field_count;
  eo_promela_symbol **fields; /* offsets from the start of the struct */
  uint32_t size;
} eo_promela_struct;

struct eo_promela_symbol {
  const char *name;
  eo_promela_type type;
  eo_promela_cell cell;
  const eo_promela_struct *fields; /* of a STRUCT */
  bool array;
  uint32_t count;                /* of elements */
  uint32_t offset, stride;       /* from the start of the globals, the frame or the struct; bytes of one element */
  const eo_promela_queue *queue; /* of a channel that is made where it is declared; NULL: it is only a name */
  uint32_t value_count;          /* initial values: of the elements in turn, or one for all of them */
  eo_promela_expr **values;
  bool in_block; /* declared inside a block or behind a statement: a statement of its own initialises it */
  bool parameter;
  struct eo_promela_proctype *owner; /* NULL: global, or in a typedef */
  const char *file;
  int line, column;
};

typedef struct eo_promela_proctype {
  uint32_t number;
  const char *name; /* "init" for init */
  uint32_t active;  /* how many run from the start, */
  uint32_t rank;    /* with this priority */
  uint32_t parameter_count;
  eo_promela_symbol **parameters; /* structs are taken apart */
  uint32_t symbol_count;
  eo_promela_symbol **symbols; /* parameters too */
  uint32_t frame;              /* bytes, with the head */
  uint32_t start;              /* location */
  eo_promela_expr *provided;   /* while this is false its processes do nothing; NULL: always true */
  uint32_t claim_count;
  eo_promela_claim *claims;
  uint32_t location_count;
  eo_promela_location *locations;
  uint32_t label_count;
  eo_promela_label *labels;
  const char *file;
  int line;
} eo_promela_proctype;

/* A name of an mtype. Each set of names (`mtype:fruit`) counts from 1. */
typedef struct eo_promela_mtype {
  const char *name;
  int32_t value;
  uint8_t set;
} eo_promela_mtype;

typedef struct eo_promela {
  struct eo_promela_arena *arena;
  const char *path;
  uint64_t hash[2]; /* of what cpp made of the file */
  uint32_t proctype_count;
  eo_promela_proctype **proctypes; /* by number */
  uint32_t first_count;
  uint32_t *first; /* the processes at the start, as numbers of proctypes, in order of _pid */
  uint32_t symbol_count;
  eo_promela_symbol **symbols; /* global */
  uint32_t globals;            /* bytes */
  uint32_t queue_count;
  eo_promela_queue **queues;
  uint32_t transition_count;
  eo_promela_transition **transitions; /* by number */
  bool claims;                         /* some proctype has some */
  bool provides;                       /* some proctype is `provided` something */
  bool escapes;                        /* there is some `unless` */
  bool ranks;                          /* processes have priorities: the first byte of what is theirs */
  const eo_promela_proctype *trace;    /* which messages may be sent and received in which order (trace.h); NULL: any */
  bool notrace;                        /* or rather may not */
  bool accepts, progresses;            /* it has such labels, which mean something for cycles alone */
  uint32_t mtype_count;
  eo_promela_mtype *mtypes;
  uint32_t property_count;
  struct eo_promela_property **properties; /* property.h: those of the model, then the two that labels stand for */
} eo_promela;

/* Reads a model through `cpp` with these -D options. An error says file, line and column, and what is wrong there. */
eo_promela *eo__promela_open(const char *path, const char *const *defines, size_t define_count, eo_error *error);

/* The same from text that needs no `cpp` any more; `path` is for messages. */
eo_promela *eo__promela_read(const char *path, const char *text, size_t size, eo_error *error);
void eo__promela_close(eo_promela *model);

#endif
