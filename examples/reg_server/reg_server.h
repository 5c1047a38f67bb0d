/* reg_server.h: the registration server of A. Gotovos, "Dynamic Systematic Testing of Concurrent Erlang Programs"
 * (2011), chapter 6, in every version that the chapter goes through.
 *
 * Processes attach to the server and get a registration number each, from 1 to a maximum. The server runs under a
 * registered name, so that its clients need not know its pid.
 *
 * Every whereis, spawn, register, unregister, monitor, demonitor, send, receive and exit stands where the Erlang
 * original has it, and there is no other operation: the numbers of interleavings depend on it. */
#ifndef REG_SERVER_H
#define REG_SERVER_H

/* The listing up to which the server has been written. Each has what the ones before it have. (The loop of the server
 * knows all requests from the start; no test makes one that its version does not have yet.) */
enum reg_listing {
  LISTING_6_4,  /* start and ping */
  LISTING_6_7,  /* stop (6.6; 6.7 only tidies it up) */
  LISTING_6_9,  /* a request first looks whether the server is registered */
  LISTING_6_10, /* the server unregisters itself before it replies to stop */
  LISTING_6_12, /* a request monitors the server */
  LISTING_6_15, /* start first looks whether the server is registered */
  LISTING_6_17, /* start copes with another one that registers first */
  LISTING_6_19, /* attach */
  LISTING_6_21, /* attach when attached already, and when the server is full */
  LISTING_6_24, /* detach */
  LISTING_6_26, /* detach when not attached */
  LISTING_6_28  /* a process that exits is detached */
};

enum { REG_MAX_ATTACHED = 8 };

/* Which server. Handed to every call, since processes have no memory in common. */
struct reg_version {
  enum reg_listing listing;
  int max_attached; /* at most REG_MAX_ATTACHED */
};

/* What the calls below return; a registration number is positive. */
enum { REG_OK = 0, REG_PONG = -1, REG_SERVER_DOWN = -2, REG_SERVER_FULL = -3, REG_ALREADY_STARTED = -4 };

/* Why the server may end, besides EO_NORMAL and EO_BADARG. */
enum { REG_BADMATCH = 1 };

int reg_start(const struct reg_version *version);  /* REG_OK, REG_ALREADY_STARTED */
int reg_stop(const struct reg_version *version);   /* REG_OK, REG_SERVER_DOWN */
int reg_ping(const struct reg_version *version);   /* REG_PONG or the caller's number, REG_SERVER_DOWN */
int reg_attach(const struct reg_version *version); /* the caller's number, REG_SERVER_FULL, REG_SERVER_DOWN */
int reg_detach(const struct reg_version *version); /* REG_OK, REG_SERVER_DOWN */

const char *reg_result_name(int result);

#endif
