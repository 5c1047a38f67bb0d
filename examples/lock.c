/* lock.c: specifications. A lock server and its clients are machines; `exclusive` says that nobody gets the lock while
 * another has it, `progress` that whoever asks for it gets it. The server is right in `lock`; in the other tests something
 * was forgotten. */
#include <everyorder.h>

enum { ASK, GRANT, GIVE_BACK, AFTER_YOU };

static const char *event_name(int event) {
  static const char *const names[] = {"ASK", "GRANT", "GIVE_BACK", "AFTER_YOU"};
  return event >= 0 && event < 4 ? names[event] : NULL;
}

/* ---- The server ------------------------------------------------------------------------------------------------- */

enum { FREE, TAKEN };

static void grant(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, GRANT, NULL, 0);
}

static const eo_machine server = {
    .name = "server",
    .event_name = event_name,
    .start = FREE,
    EO_STATES([FREE] = {.name = "free", .on = EO_ON(EO_GOTO_WITH(ASK, TAKEN, grant))}, [TAKEN] = {.name = "taken",
                                                                                                  .on = EO_ON(
                                                                                                      EO_DEFER(ASK),
                                                                                                      EO_GOTO(GIVE_BACK,
                                                                                                              FREE))})};

/* Grants again while the lock is taken. */
static const eo_machine generous_server = {
    .name = "generous server",
    .event_name = event_name,
    .start = FREE,
    EO_STATES([FREE] = {.name = "free", .on = EO_ON(EO_GOTO_WITH(ASK, TAKEN, grant))}, [TAKEN] = {.name = "taken",
                                                                                                  .on = EO_ON(
                                                                                                      EO_DO(ASK, grant),
                                                                                                      EO_GOTO(GIVE_BACK,
                                                                                                              FREE))})};

/* Forgets those who ask while the lock is taken. */
static const eo_machine forgetful_server = {
    .name = "forgetful server",
    .event_name = event_name,
    .start = FREE,
    EO_STATES([FREE] = {.name = "free", .on = EO_ON(EO_GOTO_WITH(ASK, TAKEN, grant))}, [TAKEN] = {.name = "taken",
                                                                                                  .on = EO_ON(
                                                                                                      EO_IGNORE(ASK),
                                                                                                      EO_GOTO(GIVE_BACK,
                                                                                                              FREE))})};

/* ---- Its clients ------------------------------------------------------------------------------------------------ */

typedef struct client {
  eo_pid server;
} client;

static void ask(void *self, const eo_message *event) {
  client *vars = self;
  vars->server = *(const eo_pid *)event->data;
  eo_send(vars->server, ASK, NULL, 0);
}

static void give_back(void *self, const eo_message *event) {
  const client *vars = self;
  (void)event;
  eo_send(vars->server, GIVE_BACK, NULL, 0);
  eo_halt(self);
}

static const eo_machine client_machine = {
    .name = "client",
    .event_name = event_name,
    EO_VARIABLES(client),
    EO_STATES({.name = "waiting", .entry = ask, .on = EO_ON(EO_DO(GRANT, give_back))})};

/* Two that are too polite: each leaves the lock to the other. */
static void after_you(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, AFTER_YOU, NULL, 0);
}

static const eo_machine polite_machine = {.name = "polite",
                                          .event_name = event_name,
                                          EO_STATES({.name = "polite", .on = EO_ON(EO_DO(AFTER_YOU, after_you))})};

/* ---- What is expected of them ----------------------------------------------------------------------------------- */

enum { NOBODY_HAS_IT, ONE_HAS_IT };

static const eo_machine exclusive = {
    .name = "exclusive",
    .event_name = event_name,
    .start = NOBODY_HAS_IT,
    EO_OBSERVES(GRANT, GIVE_BACK),
    EO_STATES([NOBODY_HAS_IT] = {.name = "nobody has it", .on = EO_ON(EO_GOTO(GRANT, ONE_HAS_IT))},
              [ONE_HAS_IT] = {.name = "one has it", .on = EO_ON(EO_GOTO(GIVE_BACK, NOBODY_HAS_IT))})};

typedef struct waiting {
  int clients;
} waiting;

enum { ALL_SERVED, SOME_WAIT };

static void one_more(void *self, const eo_message *event) {
  waiting *vars = self;
  (void)event;
  vars->clients++;
}

static void one_less(void *self, const eo_message *event) {
  waiting *vars = self;
  (void)event;
  eo_assert(vars->clients > 0, "nobody has asked for it");
  if (--vars->clients == 0) eo_goto(self, ALL_SERVED, NULL, 0);
}

static const eo_machine progress = {
    .name = "progress",
    .event_name = event_name,
    EO_VARIABLES(waiting),
    .start = ALL_SERVED,
    EO_OBSERVES(ASK, GRANT),
    EO_STATES([ALL_SERVED] = {.name = "all served", .on = EO_ON(EO_GOTO_WITH(ASK, SOME_WAIT, one_more))},
              [SOME_WAIT] = {
                  .name = "some wait", .hot = true, .on = EO_ON(EO_DO(ASK, one_more), EO_DO(GRANT, one_less))})};

static void run(const eo_machine *machine) {
  eo_specify(&exclusive, NULL, 0);
  eo_specify(&progress, NULL, 0);
  eo_pid pid = eo_create(machine, NULL, 0);
  for (int i = 0; i < 2; i++) eo_create(&client_machine, &pid, sizeof pid);
}

EO_TEST(lock) { run(&server); }

EO_TEST(lock_given_twice) { run(&generous_server); }

EO_TEST(lock_forgotten) { run(&forgetful_server); }

EO_TEST(after_you_for_ever) {
  eo_specify(&progress, NULL, 0);
  eo_pid other = eo_create(&polite_machine, NULL, 0);
  eo_announce(ASK, NULL, 0); /* somebody waits for the lock */
  eo_send(other, AFTER_YOU, NULL, 0);
  eo_become(&polite_machine, NULL, 0);
}
