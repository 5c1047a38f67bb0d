/* finding.h: what was found wrong with the program under test, as data. */
#ifndef EO_CORE_FINDING_H
#define EO_CORE_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

#define EO_PROCESS_NAME 128 /* room for a logical id; subjects have none that is longer */

typedef enum eo_kind {
  EO_KIND_NONE,
  EO_KIND_ASSERTION, /* eo_assert or assert */
  EO_KIND_CRASH,     /* SIGSEGV, SIGBUS, SIGFPE, SIGILL, abort */
  EO_KIND_OVERFLOW,  /* of a process's stack */
  EO_KIND_EXIT,      /* exit, _exit, quick_exit called by the program */
  EO_KIND_ABNORMAL,  /* a process ended with a reason that nobody handles */
  EO_KIND_DEADLOCK,
  EO_KIND_LOOP,           /* one step runs longer than the watchdog allows */
  EO_KIND_DEPTH,          /* more steps than --depth */
  EO_KIND_SHARING,        /* hidden sharing of a global, a stack or a heap */
  EO_KIND_NONDETERMINISM, /* the same choices did not do the same again */
  EO_KIND_MISUSE,         /* of the program API */
  EO_KIND_LEAK,           /* with --leaks: memory left allocated at the end */
  EO_KIND_UNHANDLED,      /* a machine got an event for which its state has no handler */
  EO_KIND_LIVENESS,       /* a specification is hot at the end, or for ever */
  EO_KIND_BOUNDS,         /* reading past the end of a message or an argument, or a message that is gone */
  EO_KIND_SEQUENCE,       /* events that must never be in this order: the message is the pattern (core/pattern.h) */
  EO_KIND_OUTSIDE,        /* a call that cannot be controlled: a thread, another program, a wait for one */
  EO_KIND_MPI,            /* of an MPI program: `class` says what (doc/mpi.md) */
  EO_KIND_KINDS
} eo_kind;

const char *eo__kind_name(eo_kind kind);  /* "assertion", "stack overflow", ... as in JSON and tickets */
eo_kind eo__kind_parse(const char *name); /* EO_KIND_NONE: no such kind */

/* What went wrong at the end of an execution, as the subject saw it. Plain bytes: it is copied and kept. */
typedef struct eo_failure {
  eo_kind kind;
  char class_name[32]; /* of findings of a front end: "deadlock", "invalid-rank"; else "" */
  char message[1024];
  char process[EO_PROCESS_NAME]; /* logical id of the process at fault, "" if it is nobody's */
  char file[256];                /* where; "" if unknown */
  int line;
  uintptr_t stack[32]; /* of a crash: return addresses, innermost first */
  uint32_t frames;
  bool fatal; /* the step was not run: it ends whole workers */
} eo_failure;

/* Do these two tell of the same defect? (Kind, message, process and place; not the addresses. Where in an endless loop
 * the watchdog came is chance.) */
bool eo__failure_same(const eo_failure *a, const eo_failure *b);

/* A message that a step sent or took. */
typedef struct eo_mailed {
  uint32_t number; /* the same where it is sent and where it is taken */
  char *other;     /* who gets it, or who sent it: "P1.2" */
  char *text;      /* "tag 3 [01 00]" */
} eo_mailed;

/* A variable of the machine that took the step. */
typedef struct eo_variable {
  char *name; /* "votes", "log[2].key" */
  char *before, *after;
} eo_variable;

/* One line of an interleaving. All strings are owned. */
typedef struct eo_line {
  char *process; /* "P1.2" */
  char *name;    /* registered name at that time, or "" */
  char *op;      /* "send", as in eo__op_name */
  char *text;    /* "sends 3 (12 bytes) to P1.1" */
  char *file;    /* "" if unknown */
  char *function;
  int line;
  char *printed;   /* to the standard output, until the next step; NULL: nothing */
  char *caller;    /* "raft.c:19": where its function was called from, if that is called from several places; or "" */
  uint32_t value;  /* of a choose */
  bool preempts;   /* the process of the step before could have gone on */
  uint32_t delays; /* of the explorer, without which it would have done something else here */
  char *other;     /* process acted on: child, receiver, sender, the one linked to; or "" */
  bool sends;      /* the messages were sent, else taken */
  EO_VEC(eo_mailed) mails;
  EO_VEC(eo_variable) variables; /* of a machine whose struct the debug information describes; else empty */
  EO_VEC(uint32_t) after;        /* steps (from 0) of other processes that it directly comes after */
} eo_line;

void eo__line_release(eo_line *line);

static inline const char *eo_line_caller(const eo_line *line) { return line->caller ? line->caller : ""; }

typedef EO_VEC(char *) eo_strings;

/* A failing execution, described. Owns everything in it. */
typedef struct eo_finding {
  eo_failure failure;
  uint64_t execution; /* number of the execution that showed it first, from 1 */
  uint32_t depth;     /* of the execution described here */
  uint32_t preemptions;
  uint32_t delays;   /* of the execution that showed it, for strategies that count them */
  uint32_t switches; /* context switches */
  bool minimised;    /* executions with fewer context switches were tried; else it is described as it was found */
  bool fewest;       /* no execution with fewer context switches fails this way: shown by search */
  bool rechecked;    /* ran again and failed the same way */
  bool beside;       /* met by a probe or a scout, in no execution that counts; not described until the run ends */
  bool reversible;   /* run and seen: it passes if step `later` comes before step `earlier`; both from 0 */
  uint32_t earlier, later;
  EO_VEC(eo_line) lines;
  eo_strings waiting; /* of a deadlock: who waits for what, with which messages unread */
  eo_strings values;  /* of a model: what its variables and channels hold at the end */
  eo_strings
      circle; /* of a deadlock: processes each of which last wrote to the next, and the last one to the first; or none */
  eo_strings backtrace; /* of a crash */
  char *ticket;         /* path of the ticket, or NULL */
  char *schedule;       /* as in the ticket: "P1*3 P1.1 P1=2" */
} eo_finding;

void eo__finding_init(eo_finding *finding);
void eo__finding_release(eo_finding *finding);

/* What a message is called, of its text: as many bytes of "VOTE {term = 3}", of "tag 3 [01]". */
size_t eo__mail_name(const char *text);

/* In which order it passes, in words: "P1.2's WRITE reaches P1 before P1.1's READ". Only if it is reversible. */
void eo__finding_passes_if(const eo_finding *finding, eo_text *out);

/* The circle of a deadlock in words: "P1 waits for P1.2, P1.2 waits for P1". */
void eo__finding_circle(const eo_finding *finding, eo_text *out);

/* Numbers the messages from 1 in the order in which they come up, so that the numbers do not tell of what else was run
 * before. False: no memory; they are as before. */
bool eo__finding_number(eo_finding *finding);

/* As one line of JSON, newly allocated, and back. NULL / false: no memory, or not such a text. */
char *eo__finding_to_json(const eo_finding *finding);
int eo__finding_from_json(eo_finding *finding, const char *json, eo_error *error);

#endif
