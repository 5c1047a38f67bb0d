/* redis_link.h: a connection to Redis that comes back when it is lost, and asks again when a reply does not come.
 *
 * A request may so be carried out twice: requests must mean the same the second time. */
#ifndef EO_FRONTIER_REDIS_LINK_H
#define EO_FRONTIER_REDIS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/embedded.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"
#include "frontier/address.h"

struct redisContext;
struct redisReply;

/* The script: policy.lua, then job.lua, which eo__redis_script adds one behind the other. */
extern const eo_embedded eo__redis_files[];
void eo__redis_script(eo_text *out);

/* How the script says that what Redis holds of a job is not whole. */
#define EO_REDIS_DAMAGED "EODAMAGED "

/* The words of a request; the bytes are borrowed until it is answered. */
typedef struct eo_redis_words {
  EO_VEC(const char *) words;
  EO_VEC(size_t) sizes;
  bool failed; /* no memory */
} eo_redis_words;

void eo__redis_words_add(eo_redis_words *words, const char *bytes, size_t size);
void eo__redis_words_release(eo_redis_words *words);

typedef struct eo_redis_link {
  eo_address address;
  struct redisContext *context; /* NULL: not connected */
  pid_t owner;                  /* who connected: a child after a fork must not use its parent's connection */
  char sha[41];                 /* of the script; "": not known yet */
  double patience;              /* seconds to go on trying when Redis does not answer */
  const volatile int *stop;     /* set: do not try again; may be NULL */
  eo_rng rng;                   /* for the pauses between tries */
  bool greeted;                 /* it was a Redis that suits us */
  double look_again;            /* in eo__seconds, whether its settings still suit us */
  const char *script;           /* that a test has put in place of ours; NULL: none */
} eo_redis_link;

/* Connects, logs in and looks whether it is a Redis 7 or later that throws no keys away. */
int eo__redis_link_open(eo_redis_link *link, const eo_address *address, const volatile int *stop, double patience,
                        eo_error *error);
void eo__redis_link_close(eo_redis_link *link);

/* One request: the script with these words as ARGV. *reply is to be freed by freeReplyObject; never an error reply. */
int eo__redis_link_call(eo_redis_link *link, const eo_redis_words *arguments, struct redisReply **reply,
                        eo_error *error);

/* Is Redis's append-only file on? Unknown (no right to ask) counts as yes. */
bool eo__redis_link_durable(eo_redis_link *link);

#endif
