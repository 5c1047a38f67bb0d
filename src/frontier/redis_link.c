/* redis_link.c: see redis_link.h. hiredis connects, formats and parses; sending and receiving are done here, so that a
 * broken connection is an error and not a SIGPIPE, and so that a reply has one deadline however it trickles in. */
#include "frontier/redis_link.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

#define FIRST_PAUSE 0.02
#define LONGEST_PAUSE 1.0
#define OLDEST_REDIS 7
#define LOOK_AGAIN 5.0 /* seconds between looks at Redis's settings */

/* What may be tried again: the connection, or Redis's mood. Other errors are final. */
enum { TRY_AGAIN = 1 };

void eo__redis_words_add(eo_redis_words *words, const char *bytes, size_t size) {
  if (!eo_vec_push(&words->words, bytes) || !eo_vec_push(&words->sizes, size)) words->failed = true;
}

void eo__redis_words_release(eo_redis_words *words) {
  eo_vec_release(&words->words);
  eo_vec_release(&words->sizes);
}

/* ---- One request, one reply ---------------------------------------------------------------------------------- */

static void hang_up(eo_redis_link *link) {
  if (link->context) redisFree(link->context); /* closes the descriptor: in a child after a fork, only its own copy */
  link->context = NULL;
}

/* Waits until the connection can be read or written. False: time is up. */
static bool await(const eo_redis_link *link, short events, double deadline) {
  for (;;) {
    double left = deadline - eo__seconds();
    if (left <= 0) return false;
    struct pollfd poll_one = {.fd = link->context->fd, .events = events};
    int ready = poll(&poll_one, 1, (int)(left * 1000) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

static int lost(eo_redis_link *link, const char *what, eo_error *error) {
  char shown[400];
  eo__error_set(error, EO_ESYSTEM, "%s: %s", eo__address_show(&link->address, shown), what);
  return TRY_AGAIN;
}

static int send_all(eo_redis_link *link, const char *bytes, size_t size, double deadline, eo_error *error) {
  while (size > 0) {
    ssize_t sent = send(link->context->fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes += sent;
      size -= (size_t)sent;
    } else if (errno == EAGAIN) {
      if (!await(link, POLLOUT, deadline)) return lost(link, "Redis does not take the request", error);
    } else if (errno != EINTR) {
      return lost(link, strerror(errno), error);
    }
  }
  return EO_OK;
}

static int receive(eo_redis_link *link, double deadline, redisReply **reply, eo_error *error) {
  redisReader *reader = link->context->reader;
  char buffer[16384];
  for (;;) {
    void *got = NULL;
    if (redisReaderGetReply(reader, &got) != REDIS_OK) {
      if (reader->err == REDIS_ERR_OOM) return eo__error_nomem(error);
      lost(link, "the server at this address does not answer as Redis does; is the port right?", error);
      return link->greeted ? TRY_AGAIN : EO_ESYSTEM;
    }
    if (got) {
      *reply = got;
      return EO_OK;
    }
    if (!await(link, POLLIN, deadline)) return lost(link, "Redis does not answer", error);
    ssize_t size = recv(link->context->fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size == 0) return lost(link, "the connection was closed", error);
    if (size < 0 && errno != EAGAIN && errno != EINTR) return lost(link, strerror(errno), error);
    if (size > 0 && redisReaderFeed(reader, buffer, (size_t)size) != REDIS_OK) return eo__error_nomem(error);
  }
}

/* One exchange over the connection as it is. */
static int exchange(eo_redis_link *link, int argc, const char **argv, const size_t *sizes, redisReply **reply,
                    eo_error *error) {
  char *command = NULL;
  int size = redisFormatCommandArgv(&command, argc, argv, sizes);
  if (size < 0) return eo__error_nomem(error);
  double deadline = eo__seconds() + link->address.timeout;
  int code = send_all(link, command, (size_t)size, deadline, error);
  redisFreeCommand(command);
  if (code == EO_OK) code = receive(link, deadline, reply, error);
  if (code != EO_OK) hang_up(link); /* a late reply must not be taken for that of the next request */
  return code;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* An error reply as an error of ours; TRY_AGAIN if Redis will get over it. Frees the reply. */
static int refused(eo_redis_link *link, redisReply *reply, eo_error *error) {
  static const char *const moods[] = {"LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN", "MISCONF", "UNBLOCKED"};
  char shown[400];
  eo__address_show(&link->address, shown);
  bool passes = false;
  char *place = strstr(reply->str, " script: "); /* of our script, which the user need not know */
  if (place) *place = '\0';
  for (size_t i = 0; i < sizeof moods / sizeof *moods; i++) passes = passes || begins(reply->str, moods[i]);
  if (begins(reply->str, "WRONGPASS") || strstr(reply->str, "invalid password"))
    eo__error_set(error, EO_EINPUT, "%.200s: wrong user or password", shown);
  else if (begins(reply->str, "NOAUTH"))
    eo__error_set(error, EO_EINPUT, "%.200s wants a password: redis://[user]:password@HOST, or REDISCLI_AUTH", shown);
  else if (begins(reply->str, EO_REDIS_DAMAGED))
    eo__error_set(error, EO_ESYSTEM, "the record of the job %s in Redis is damaged: %.200s; drop the job",
                  link->address.name, reply->str + strlen(EO_REDIS_DAMAGED));
  else if (begins(reply->str, "NOPERM"))
    eo__error_set(error, EO_EINPUT, "%.200s: %.200s (doc/cluster.md says which rights are needed)", shown,
                  reply->str + strlen("NOPERM "));
  else if (begins(reply->str, "OOM"))
    eo__error_set(error, EO_ESYSTEM, "%.200s has no memory left: raise its maxmemory; nothing is lost", shown);
  else
    eo__error_set(error, EO_ESYSTEM, "%.200s refuses: %.200s", shown, reply->str);
  freeReplyObject(reply);
  return passes ? TRY_AGAIN : error->code;
}

/* A request of plain words. */
static int ask(eo_redis_link *link, int argc, const char **argv, redisReply **reply, eo_error *error) {
  size_t sizes[4];
  for (int i = 0; i < argc; i++) sizes[i] = strlen(argv[i]);
  int code = exchange(link, argc, argv, sizes, reply, error);
  if (code == EO_OK && (*reply)->type == REDIS_REPLY_ERROR) code = refused(link, *reply, error);
  return code;
}

/* ---- Connecting ---------------------------------------------------------------------------------------------- */

static int log_in(eo_redis_link *link, eo_error *error) {
  const char *password = *link->address.password ? link->address.password : getenv("REDISCLI_AUTH");
  redisReply *reply;
  if (!password && !*link->address.user) return EO_OK;
  const char *words[3] = {"AUTH", link->address.user, password ? password : ""};
  if (!*link->address.user) words[1] = words[2];
  int code = ask(link, *link->address.user ? 3 : 2, words, &reply, error);
  if (code == EO_OK) freeReplyObject(reply);
  return code;
}

/* A field of what Redis says of itself. */
typedef struct info {
  const char *field; /* with the colon behind its name */
  char value[32];    /* "": it says nothing */
} info;

static int information(eo_redis_link *link, info *fields, size_t count, eo_error *error) {
  redisReply *reply;
  int code = ask(link, 1, (const char *[]){"INFO"}, &reply, error);
  if (code != EO_OK) return code;
  for (size_t i = 0; i < count; i++) {
    const char *at = reply->type == REDIS_REPLY_STRING ? strstr(reply->str, fields[i].field) : NULL;
    if (at) at += strlen(fields[i].field);
    snprintf(fields[i].value, sizeof fields[i].value, "%.*s", at ? (int)strcspn(at, "\r\n") : 0, at ? at : "");
  }
  freeReplyObject(reply);
  return EO_OK;
}

/* Is it a Redis that suits us? One that throws keys away when its memory is full would throw away work that is still to be
 * done; and that may be changed while a job runs, so it is looked at again now and then. */
static int check_settings(eo_redis_link *link, eo_error *error) {
  info fields[] = {{.field = "redis_version:"}, {.field = "maxmemory_policy:"}};
  const char *version = fields[0].value, *policy = fields[1].value;
  char shown[400];
  if (eo__seconds() < link->look_again) return EO_OK;
  int code = information(link, fields, 2, error);
  if (code != EO_OK) return code;
  eo__address_show(&link->address, shown);
  if (!*version) return eo__error_set(error, EO_EINPUT, "%s does not say which version of Redis it is", shown);
  if (strtol(version, NULL, 10) < OLDEST_REDIS)
    return eo__error_set(error, EO_EINPUT, "%s is a Redis %ld: version %d or later is needed", shown,
                         strtol(version, NULL, 10), OLDEST_REDIS);
  if (strcmp(policy, "noeviction") != 0)
    return eo__error_set(error, EO_EINPUT,
                         "%.200s may throw away work when its memory is full (maxmemory-policy %s): set it to "
                         "noeviction, by redis-cli CONFIG SET maxmemory-policy noeviction and in redis.conf",
                         shown, *policy ? policy : "unknown");
  link->look_again = eo__seconds() + LOOK_AGAIN;
  link->greeted = true;
  return EO_OK;
}

static int connect_once(eo_redis_link *link, eo_error *error) {
  char shown[400];
  double timeout = link->address.timeout < 10 ? link->address.timeout : 10;
  struct timeval patience = {(time_t)timeout, (suseconds_t)((timeout - (double)(time_t)timeout) * 1e6)};
  link->context = redisConnectWithTimeout(link->address.host, link->address.port, patience);
  if (!link->context) return eo__error_nomem(error);
  link->owner = getpid();
  if (link->context->err) {
    bool name = link->context->err == REDIS_ERR_OTHER; /* of the host: does not become right by waiting, when new */
    eo__error_set(error, name ? EO_EINPUT : EO_ESYSTEM, "%.200s cannot be reached: %.120s",
                  eo__address_show(&link->address, shown), link->context->errstr);
    hang_up(link);
    return name && !link->greeted ? error->code : TRY_AGAIN;
  }
  redisEnableKeepAlive(link->context);
  int code = log_in(link, error);
  if (code == EO_OK) code = check_settings(link, error);
  if (code != EO_OK) hang_up(link);
  return code;
}

/* After a fork the connection is the parent's. */
static int be_connected(eo_redis_link *link, eo_error *error) {
  if (link->context && link->owner != getpid()) {
    hang_up(link);
    uint64_t salt;
    if (getrandom(&salt, sizeof salt, 0) == sizeof salt) eo__rng_init(&link->rng, salt);
  }
  if (!link->context) return connect_once(link, error);
  int code = check_settings(link, error);
  if (code != EO_OK) hang_up(link);
  return code;
}

static bool stopped(const eo_redis_link *link) { return link->stop && *link->stop; }

/* Between tries: longer each time, and not the same for all who lost the same Redis. False: enough. */
static bool pause_before(const eo_redis_link *link, eo_rng *rng, double *pause, double give_up) {
  double length = *pause * (0.5 + eo__rng_below(rng, 1000) / 1000.0);
  double until = eo__seconds() + length;
  *pause = *pause * 2 < LONGEST_PAUSE ? *pause * 2 : LONGEST_PAUSE;
  while (eo__seconds() < until && !stopped(link)) {
    struct timespec nap = {0, 10000000};
    nanosleep(&nap, NULL);
  }
  return !stopped(link) && eo__seconds() < give_up;
}

/* ---- Calling the script -------------------------------------------------------------------------------------- */

void eo__redis_script(eo_text *out) {
  for (const eo_embedded *file = eo__redis_files; file->name; file++)
    eo__text_append(out, (const char *)file->bytes, file->size);
}

/* Loads the script; Redis forgets it when it is restarted. */
static int load_script(eo_redis_link *link, eo_error *error) {
  redisReply *reply = NULL;
  eo_text ours;
  eo__text_init(&ours);
  if (!link->script) eo__redis_script(&ours);
  const char *script = link->script ? link->script : ours.chars;
  int code =
      ours.failed ? eo__error_nomem(error) : ask(link, 3, (const char *[]){"SCRIPT", "LOAD", script}, &reply, error);
  eo__text_release(&ours);
  if (code != EO_OK || !reply) return code;
  snprintf(link->sha, sizeof link->sha, "%s", reply->type == REDIS_REPLY_STRING ? reply->str : "");
  freeReplyObject(reply);
  return EO_OK;
}

static int call_once(eo_redis_link *link, const eo_redis_words *request, redisReply **reply, eo_error *error) {
  int code = be_connected(link, error);
  for (int i = 0; code == EO_OK && i < 2; i++) {
    if (!*link->sha) code = load_script(link, error);
    if (code != EO_OK) break;
    request->words.items[1] = link->sha;
    request->sizes.items[1] = strlen(link->sha);
    code = exchange(link, (int)request->words.count, request->words.items, request->sizes.items, reply, error);
    if (code != EO_OK || (*reply)->type != REDIS_REPLY_ERROR) break;
    if (!begins((*reply)->str, "NOSCRIPT")) return refused(link, *reply, error);
    *link->sha = '\0';
    freeReplyObject(*reply);
    code = i == 0 ? EO_OK : TRY_AGAIN;
  }
  return code;
}

/* Tries until it works, patience is at an end, or what is wrong will stay wrong. */
static int insist(eo_redis_link *link, const eo_redis_words *request, redisReply **reply, double patience,
                  eo_error *error) {
  double pause = FIRST_PAUSE, give_up = eo__seconds() + patience;
  eo_error local = {0};
  int code;
  do code = request ? call_once(link, request, reply, &local) : be_connected(link, &local);
  while (code == TRY_AGAIN && pause_before(link, &link->rng, &pause, give_up));
  if (code == EO_OK) return EO_OK;
  if (error) *error = local;
  return local.code;
}

int eo__redis_link_call(eo_redis_link *link, const eo_redis_words *arguments, redisReply **reply, eo_error *error) {
  eo_redis_words request = {0};
  char prefix[96];
  snprintf(prefix, sizeof prefix, "everyorder:%s:", link->address.name);
  const char *head[] = {"EVALSHA", "", "2", prefix, "everyorder:epochs"};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) eo__redis_words_add(&request, head[i], strlen(head[i]));
  for (size_t i = 0; i < arguments->words.count; i++)
    eo__redis_words_add(&request, arguments->words.items[i], arguments->sizes.items[i]);
  int code = request.failed || arguments->failed ? eo__error_nomem(error)
                                                 : insist(link, &request, reply, link->patience, error);
  eo__redis_words_release(&request);
  return code;
}

int eo__redis_link_open(eo_redis_link *link, const eo_address *address, const volatile int *stop, double patience,
                        eo_error *error) {
  uint64_t seed = 0;
  *link = (eo_redis_link){.address = *address, .stop = stop, .patience = patience};
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint64_t)getpid();
  eo__rng_init(&link->rng, seed);
  return insist(link, NULL, NULL, patience, error);
}

void eo__redis_link_close(eo_redis_link *link) { hang_up(link); }

bool eo__redis_link_durable(eo_redis_link *link) {
  info on = {.field = "aof_enabled:"};
  eo_error error;
  if (be_connected(link, &error) == EO_OK) information(link, &on, 1, &error);
  return strcmp(on.value, "0") != 0;
}
