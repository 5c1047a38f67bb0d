/* society.h: what processes are to each other: who has ended, who traps exits, links, monitors and names.
 *
 * A society is a plain value. A deed is an operation as far as it has to do with it; eo__society_apply does the deed and
 * says what it amounts to, in its effects: what the deed has in common with deeds of others (touches), who gets which
 * signal, and the result. It does nothing else: sending messages and ending processes is up to the caller. The actor subject
 * and the live runtime carry effects out; foreseeing applies deeds to a society made for the purpose, and looks.
 *
 * Two deeds of different citizens commute, in whatever society, unless both touch one object and at least one writes it, or
 * one dooms the citizen that does the other (tests/unit/test_society.c).
 *
 * Memory is the caller's. A citizen lies in whatever stands for a process there; bonds and names are allocated by `alloc`. */
#ifndef EO_CORE_SOCIETY_H
#define EO_CORE_SOCIETY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "core/program.h"

typedef struct eo_citizen eo_citizen;
typedef struct eo_bond eo_bond;
typedef struct eo_name eo_name;
typedef struct eo_society eo_society;

/* All zero, but for the number, is a citizen that is alive and knows nobody. */
struct eo_citizen {
  eo_bond *first, *last; /* its bonds: by `before` of the other side, then by age */
  eo_name *name;         /* NULL: it has none */
  uint32_t number;       /* stands for it in touches */
  int reason;            /* with which it is to end, if doomed */
  bool traps, doomed, ended;
  bool killed; /* doomed by eo_kill: whoever did it knows of its end */
};

/* A link or monitor, in the lists of both sides. It stays until both have ended, as the exit of the second one must look the
 * same whether the first one's came before it or after; or until it is undone or forgotten. */
struct eo_bond {
  eo_citizen *ends[2]; /* a link: both ways; a monitor: the first watches the second; never the same */
  struct {
    eo_bond *next, *previous;
  } in[2];      /* the list of each */
  eo_ref ref;   /* of a monitor, unique among those of who watches; 0: a link */
  bool muted;   /* ended by a demonitor that is quiet, and here until the watched one ends */
  bool over[2]; /* of a link, where signals travel: that of the other's exit has arrived at this side */
};

struct eo_name {
  eo_name *next; /* of the same bucket */
  eo_citizen *holder;
  char text[];
};

typedef struct eo_society_ops {
  void *(*alloc)(eo_society *society, size_t size); /* NULL: no memory */
  void (*free)(eo_society *society, void *block, size_t size);
  /* The order in which an exit tells others. NULL: by age. */
  bool (*before)(const eo_society *society, const eo_citizen *a, const eo_citizen *b);
  /* Optional: a link or name of this citizen is about to be added or removed. */
  void (*changes)(eo_society *society, eo_citizen *citizen);
} eo_society_ops;

struct eo_society {
  const eo_society_ops *ops;
  eo_name **names;     /* buckets, a power of two; */
  size_t name_buckets; /* so many */
  size_t bonds;        /* how many there are */
  bool travels;        /* exit signals to others are on their way for a while, and EO_OP_SIGNAL is their arrival */
};

/* What deeds can have in common. Numbers are part of tickets. */
typedef enum eo_object_kind {
  EO_OBJECT_LIFE,  /* has the process ended? */
  EO_OBJECT_NAMED, /* has the process a name? */
  EO_OBJECT_TRAPS, /* what an exit signal does to the process */
  EO_OBJECT_NAME,  /* who has a name */
  EO_OBJECT_BONDS, /* links and monitors between two */
  EO_OBJECT_ENDS,  /* the exits of two that have a bond: which comes first */
  EO_OBJECT_SEEN   /* what a specification has seen; both processes are that. No deed touches it. */
} eo_object_kind;

typedef struct eo_contact {
  eo_object_kind kind;
  bool writes;
  uint32_t a, b;    /* numbers of citizens; of an object of one, b is that too */
  const char *name; /* of EO_OBJECT_NAME: the deed's, or eo_effects.name */
} eo_contact;

typedef enum eo_signal_kind {
  EO_SIGNAL_SEND, /* the deed's own message */
  EO_SIGNAL_EXIT, /* an EO_EXIT message */
  EO_SIGNAL_DOWN, /* an EO_DOWN message */
  EO_SIGNAL_DOOM, /* it ends with this reason, whatever it is about to do, if it has not ended */
  EO_SIGNAL_LEAVE /* an exit signal sets out (eo_society.travels) */
} eo_signal_kind;

typedef struct eo_signal {
  eo_signal_kind kind;
  bool first;  /* of a doom: nothing has ended or doomed it before, so it counts */
  bool muted;  /* of a DOWN: it is sent, and does not arrive */
  bool linked; /* of one that sets out: an exit's, by a link; else a kill's */
  int reason;
  eo_citizen *to;
  const eo_citizen *from; /* whose end it tells of; NULL: nobody's */
  eo_ref ref;             /* of a DOWN */
} eo_signal;

/* A spawn (with what links or monitors the child), a send by name, an exit, kill, link, unlink, trap_exit, monitor, demonitor,
 * register, unregister, whereis or is_alive. Fields as in eo_op. Or a signal that arrives: at `other`, of `from`; who does it,
 * `self`, is nobody else. Its flags: EO_OP_LINKED of an exit by a link, EO_OP_MONITORED a DOWN, else a kill. */
typedef struct eo_deed {
  eo_op_kind kind;
  int flags;
  eo_citizen *self,
      *other;             /* who does it; to whom, or the child; an ended one may be stood for by any that has ended */
  const eo_citizen *from; /* signal */
  const char *name;
  eo_ref ref; /* demonitor; monitor, monitored spawn: the new one */
  int reason; /* exit, kill, signal */
  bool on;    /* trap_exit */
} eo_deed;

typedef struct eo_effects {
  EO_VEC(eo_contact) touches;
  EO_VEC(eo_signal) signals; /* in the order in which they are to arrive */
  char name[64];             /* exit: the one that its citizen had */
  eo_citizen *other;         /* whom the deed was about, as it turned out; NULL: nobody */
  bool result;               /* as of the operation */
  bool noticed;              /* an exit that is not normal: somebody is told of it, ends with it, or made it */
  bool lost;                 /* no memory: the society is as after some part of the deed, and the rest means nothing */
} eo_effects;

static inline void eo_effects_clear(eo_effects *effects) {
  eo_vec_clear(&effects->touches);
  eo_vec_clear(&effects->signals);
  effects->other = NULL;
  effects->result = effects->noticed = effects->lost = false;
}
void eo__effects_release(eo_effects *effects);

/* Does the deed. *effects has been cleared. */
void eo__society_apply(eo_society *society, const eo_deed *deed, eo_effects *effects);

/* The exit of one with neither a name nor bonds, as most are, for where it must be cheap. False: it is for eo__society_apply.
 * True: it is done, nobody was told, it has touched (written) EO_OBJECT_LIFE and EO_OBJECT_NAMED of its own, and was noticed
 * if it was killed. */
static inline bool eo_society_exit_alone(eo_citizen *citizen) {
  if (citizen->first || citizen->name) return false;
  return citizen->ended = true;
}

/* At least what the deed touches in the society as it is; and where that depends on who has ended, who traps, who holds a name,
 * what touches most. Adds touches alone, and nothing changes. */
void eo__society_bound(eo_society *society, const eo_deed *deed, eo_effects *effects);

/* The holder of the name; NULL: nobody. */
eo_citizen *eo__society_holder(const eo_society *society, const char *name);

/* Nobody will ask for this citizen, which has ended, any more: its bonds go. */
void eo__society_forget(eo_society *society, eo_citizen *citizen);

/* From now on names are in these buckets, which are NULL. The old ones are the caller's again. */
void eo__society_rehash(eo_society *society, eo_name **buckets, size_t count);

static inline eo_citizen *eo_bond_other(const eo_bond *bond, const eo_citizen *citizen) {
  return bond->ends[bond->ends[0] == citizen];
}

/* The next in the list of this citizen. */
static inline eo_bond *eo_bond_next(const eo_bond *bond, const eo_citizen *citizen) {
  return bond->in[bond->ends[0] != citizen].next;
}

#endif
