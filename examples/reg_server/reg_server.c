/* reg_server.c: the registration server; see reg_server.h.
 *
 * Where a version lacks something, the comment says what had been forgotten. */
#include "reg_server.h"

#include <everyorder.h>

#define REG_NAME "reg_server"

enum { REG_REQUEST = 1000, REG_REPLY }; /* tags, out of the way of those that the clients use among themselves */

enum { PING, STOP, KILL, ATTACH, DETACH };

struct request {
  eo_pid target; /* who wants the reply */
  long what;     /* long, so that there is no padding: messages that say the same have the same bytes */
};

/* The server's state: who has which number. holder[0] is not used. */
struct state {
  struct reg_version version;
  eo_pid holder[REG_MAX_ATTACHED + 1];
};

/* ---- Server ----------------------------------------------------------------------------------------------------- */

static void reply(eo_pid target, int result) { eo_send(target, REG_REPLY, &result, sizeof(result)); }

/* The number of this process; of EO_NOBODY: the lowest that is free. 0: none. */
static int number_of(const struct state *state, eo_pid pid) {
  for (int number = 1; number <= state->version.max_attached; number++)
    if (state->holder[number] == pid) return number;
  return 0;
}

static void attach(struct state *state, eo_pid target) {
  const enum reg_listing listing = state->version.listing;
  int number = number_of(state, target);
  if (number != 0 && listing >= LISTING_6_21) {
    reply(target, number);
    return;
  }
  /* Before 6.21, who attaches twice takes a second number ... */
  number = number_of(state, EO_NOBODY);
  if (number == 0) {
    if (listing < LISTING_6_21)
      eo_exit(REG_BADMATCH); /* ... and nobody had thought of a full server: [RegNum|_] does not match []. */
    reply(target, REG_SERVER_FULL);
    return;
  }
  state->holder[number] = target;
  if (listing >= LISTING_6_28)
    (void)eo_monitor(target); /* Before, the number of a process that exited was lost for ever. */
  reply(target, number);
}

static void detach(struct state *state, eo_pid target) {
  const int number = number_of(state, target);
  if (number != 0)
    state->holder[number] = EO_NOBODY;
  else if (state->version.listing < LISTING_6_26)
    eo_exit(EO_BADARG); /* A process that is not attached had been forgotten: dict:fetch fails. */
  reply(target, REG_OK);
}

static void serve(void *argument) {
  struct state state = {.version = *(const struct reg_version *)argument};
  const int tags[] = {REG_REQUEST, EO_DOWN};

  for (;;) {
    eo_message message;
    eo_receive_tags(&message, tags, 2, EO_FOREVER);

    if (message.tag == EO_DOWN) {
      const eo_down_info *down = message.data;
      const int number = number_of(&state, down->pid);
      state.holder[number] = EO_NOBODY; /* number 0: it had detached before it exited */
      continue;
    }

    const struct request request = *(const struct request *)message.data;
    switch (request.what) {
      case PING: {
        const int number = number_of(&state, request.target);
        reply(request.target, number != 0 ? number : REG_PONG);
        break;
      }
      case STOP:
        /* Before 6.10 the name outlives the reply: the client that has been told "ok" still finds the server. */
        if (state.version.listing >= LISTING_6_10) eo_unregister(REG_NAME);
        reply(request.target, REG_OK);
        return;
      case KILL: return;
      case ATTACH: attach(&state, request.target); break;
      case DETACH: detach(&state, request.target); break;
    }
  }
}

/* ---- Client ----------------------------------------------------------------------------------------------------- */

/* A reply, or the news that the server whose monitor this is has ended. */
static bool is_answer(const eo_message *message, void *ref) {
  if (message->tag == EO_DOWN) return ((const eo_down_info *)message->data)->ref == *(const eo_ref *)ref;
  return message->tag == REG_REPLY;
}

static int request(const struct reg_version *version, long what) {
  const struct request request = {eo_self(), what};
  eo_message message;

  eo_pid server = EO_NOBODY;
  if (version->listing >= LISTING_6_9) {
    server = eo_whereis(REG_NAME);
    if (server == EO_NOBODY) return REG_SERVER_DOWN;
  }

  if (version->listing < LISTING_6_12) {
    /* The server may be gone by now, then sending to its name fails; or go before it replies, then we wait for ever. */
    eo_send_name(REG_NAME, REG_REQUEST, &request, sizeof(request));
    eo_receive_tag(&message, REG_REPLY, EO_FOREVER);
    return *(const int *)message.data;
  }

  eo_ref ref = eo_monitor(server);
  eo_send(server, REG_REQUEST, &request, sizeof(request));
  eo_receive_if(&message, is_answer, &ref, EO_FOREVER);
  if (message.tag == EO_DOWN) return REG_SERVER_DOWN;
  const int result = *(const int *)message.data;
  eo_demonitor(ref, EO_FLUSH);
  return result;
}

int reg_start(const struct reg_version *version) {
  if (version->listing >= LISTING_6_15 && eo_whereis(REG_NAME) != EO_NOBODY) return REG_ALREADY_STARTED;

  const eo_pid server = eo_spawn(serve, version, sizeof(*version));
  if (eo_register(REG_NAME, server)) return REG_OK;

  /* Another one registered its server since we looked. */
  if (version->listing < LISTING_6_17) eo_exit(EO_BADARG); /* Forgotten: register/2 fails and nobody catches it. */
  const struct request kill = {EO_NOBODY, KILL};
  eo_send(server, REG_REQUEST, &kill, sizeof(kill));
  return REG_ALREADY_STARTED;
}

int reg_stop(const struct reg_version *version) { return request(version, STOP); }
int reg_ping(const struct reg_version *version) { return request(version, PING); }
int reg_attach(const struct reg_version *version) { return request(version, ATTACH); }
int reg_detach(const struct reg_version *version) { return request(version, DETACH); }

const char *reg_result_name(int result) {
  switch (result) {
    case REG_OK: return "ok";
    case REG_PONG: return "pong";
    case REG_SERVER_DOWN: return "server_down";
    case REG_SERVER_FULL: return "server_full";
    case REG_ALREADY_STARTED: return "already_started";
    default: return "registration number";
  }
}
