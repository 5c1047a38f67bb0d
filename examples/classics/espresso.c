/* espresso.c: an espresso machine. Its panel has the maker warm up, and for each press of the button grind beans and brew. Somebody may
 * open the door at any time: then the work under way is stopped, and the door unlocks. Water or beans may run out: the light says so
 * until somebody presses reset.
 *
 * Correct: the maker does nothing while the door is unlocked, nor two things at once; every press is answered, by a coffee or by the light.
 *
 * What the variants forget:
 *   1  that work goes on until the maker answers: the door is unlocked as soon as the maker was told to stop;
 *   2  that a press may come while a coffee is made: nobody looks at it. */
#include <everyorder.h>

enum {
  PRESS,
  RESET,
  OPEN,
  CLOSE,
  SERVED,
  LIGHT,
  WARM,
  GRIND,
  BREW,
  STOP,
  READY,
  EMPTY,
  WORKS,
  RESTS,
  UNLOCKED,
  LOCKED
};
enum { CORRECT, NO_ANSWER, LOST_PRESS };
enum { USERS = 2 };

static const char *event_name(int event) {
  static const char *const names[] = {"PRESS", "RESET", "OPEN",  "CLOSE", "SERVED", "LIGHT", "WARM",     "GRIND",
                                      "BREW",  "STOP",  "READY", "EMPTY", "WORKS",  "RESTS", "UNLOCKED", "LOCKED"};
  return event >= 0 && event <= LOCKED ? names[event] : NULL;
}

/* ---- Maker: one answer to each piece of work, also if it is stopped ---------------------------------------------- */

enum { RESTING, WORKING };

typedef struct maker {
  eo_pid panel;
  int32_t work;
} maker;

static void maker_begin(void *self, const eo_message *event) {
  maker *m = self;
  m->panel = event->from;
  m->work = event->tag;
  eo_announce(WORKS, NULL, 0);
}

static void maker_end(void *self, const eo_message *event) {
  maker *m = self;
  const bool empty = event->tag != STOP && eo_fault(m->work == GRIND ? "no beans" : "no water");
  eo_announce(RESTS, NULL, 0);
  eo_send(m->panel, empty ? EMPTY : READY, NULL, 0);
}

static const eo_machine maker_machine = {
    .name = "maker",
    EO_VARIABLES(maker),
    .event_name = event_name,
    EO_STATES([RESTING] = {.name = "resting",
                           .on = EO_ON(EO_GOTO_WITH(WARM, WORKING, maker_begin),
                                       EO_GOTO_WITH(GRIND, WORKING, maker_begin),
                                       EO_GOTO_WITH(BREW, WORKING, maker_begin), EO_IGNORE(STOP))},
              [WORKING] = {
                  .name = "working",
                  .on = EO_ON(EO_GOTO_WITH(EO_NULL, RESTING, maker_end), EO_GOTO_WITH(STOP, RESTING, maker_end))})};

/* ---- Panel ------------------------------------------------------------------------------------------------------ */

enum { WARMING, IDLE, GRINDING, BREWING, STOPPING, OPENED, DARK };

typedef struct panel {
  eo_pid maker;
  int32_t bug, count;
  eo_pid waiting[USERS]; /* for a coffee; the first one's is being made */
} panel;

static void panel_create(void *self, const eo_message *event) {
  if (event->tag == EO_CREATED) *(panel *)self = *(const panel *)event->data;
  eo_send(((panel *)self)->maker, WARM, NULL, 0);
}

static void panel_grind(void *self, const eo_message *event) {
  (void)event;
  eo_send(((panel *)self)->maker, GRIND, NULL, 0);
}

static void panel_brew(void *self, const eo_message *event) {
  (void)event;
  eo_send(((panel *)self)->maker, BREW, NULL, 0);
}

static void panel_queue(void *self, const eo_message *event) {
  panel *p = self;
  p->waiting[p->count++] = event->from;
}

static void panel_queue_busy(void *self, const eo_message *event) {
  if (((panel *)self)->bug != LOST_PRESS) panel_queue(self, event);
}

static void panel_idle(void *self, const eo_message *event) {
  (void)event;
  if (((panel *)self)->count > 0) eo_goto(self, GRINDING, NULL, 0);
}

static void panel_serve(void *self, const eo_message *event) {
  (void)event;
  panel *p = self;
  eo_send(p->waiting[0], SERVED, NULL, 0);
  p->count--;
  for (int i = 0; i < p->count; i++) p->waiting[i] = p->waiting[i + 1];
}

static void panel_refuse(void *self, const eo_message *event) {
  (void)self;
  eo_send(event->from, LIGHT, NULL, 0);
}

static void panel_refuse_all(void *self, const eo_message *event) {
  (void)event;
  panel *p = self;
  for (; p->count > 0; p->count--) eo_send(p->waiting[p->count - 1], LIGHT, NULL, 0);
}

static void panel_stop(void *self, const eo_message *event) {
  (void)event;
  panel *p = self;
  eo_send(p->maker, STOP, NULL, 0);
  if (p->bug == NO_ANSWER) eo_goto(self, OPENED, NULL, 0);
}

static void panel_unlock(void *self, const eo_message *event) {
  eo_announce(UNLOCKED, NULL, 0);
  panel_refuse_all(self, event);
}

static void panel_lock(void *self, const eo_message *event) {
  (void)self, (void)event;
  eo_announce(LOCKED, NULL, 0);
}

static const eo_machine panel_machine = {
    .name = "panel",
    EO_VARIABLES(panel),
    .event_name = event_name,
    .start = WARMING,
    EO_STATES([WARMING] = {.name = "warming",
                           .entry = panel_create,
                           .on = EO_ON(EO_GOTO(READY, IDLE), EO_GOTO(EMPTY, DARK), EO_GOTO(OPEN, STOPPING),
                                       EO_DO(PRESS, panel_queue), EO_IGNORE(RESET))},
              [IDLE] = {.name = "idle",
                        .entry = panel_idle,
                        .on =
                            EO_ON(EO_GOTO_WITH(PRESS, GRINDING, panel_queue), EO_GOTO(OPEN, OPENED), EO_IGNORE(RESET))},
              [GRINDING] = {.name = "grinding",
                            .entry = panel_grind,
                            .on = EO_ON(EO_GOTO(READY, BREWING), EO_GOTO(EMPTY, DARK), EO_GOTO(OPEN, STOPPING),
                                        EO_DO(PRESS, panel_queue_busy), EO_IGNORE(RESET))},
              [BREWING] = {.name = "brewing",
                           .entry = panel_brew,
                           .on = EO_ON(EO_GOTO_WITH(READY, IDLE, panel_serve), EO_GOTO(EMPTY, DARK),
                                       EO_GOTO(OPEN, STOPPING), EO_DO(PRESS, panel_queue_busy), EO_IGNORE(RESET))},
              [STOPPING] = {.name = "stopping",
                            .entry = panel_stop,
                            .on = EO_ON(EO_GOTO(READY, OPENED), EO_GOTO(EMPTY, OPENED), EO_DEFER(CLOSE),
                                        EO_DO(PRESS, panel_queue), EO_IGNORE(RESET))},
              [OPENED] = {.name = "opened",
                          .entry = panel_unlock,
                          .on = EO_ON(EO_GOTO_WITH(CLOSE, WARMING, panel_lock), EO_DO(PRESS, panel_refuse),
                                      EO_IGNORE(RESET), EO_IGNORE(READY), EO_IGNORE(EMPTY))},
              [DARK] = {.name = "out of something",
                        .entry = panel_refuse_all,
                        .on = EO_ON(EO_GOTO(RESET, WARMING), EO_GOTO(OPEN, OPENED), EO_DO(PRESS, panel_refuse))})};

/* ---- Users, and what is expected -------------------------------------------------------------------------------- */

static void user(void *argument) {
  const eo_pid to = *(const eo_pid *)argument;
  eo_message m;
  eo_send(to, PRESS, NULL, 0);
  eo_receive(&m, EO_FOREVER);
  if (m.tag == LIGHT) eo_send(to, RESET, NULL, 0);
}

static void cleaner(void *argument) {
  const eo_pid to = *(const eo_pid *)argument;
  eo_send(to, OPEN, NULL, 0);
  eo_send(to, CLOSE, NULL, 0);
}

typedef struct safety {
  bool works, unlocked;
} safety;

static void see(void *self, const eo_message *event) {
  safety *s = self;
  if (event->tag == WORKS || event->tag == RESTS) s->works = event->tag == WORKS;
  if (event->tag == UNLOCKED || event->tag == LOCKED) s->unlocked = event->tag == UNLOCKED;
  eo_assert(!s->works || !s->unlocked, "the maker works while the door is unlocked");
}

static const eo_machine safe = {
    .name = "safety",
    EO_VARIABLES(safety),
    .event_name = event_name,
    EO_OBSERVES(WORKS, RESTS, UNLOCKED, LOCKED),
    EO_STATES({.name = "watching",
               .on = EO_ON(EO_DO(WORKS, see), EO_DO(RESTS, see), EO_DO(UNLOCKED, see), EO_DO(LOCKED, see))})};

static void espresso(int bug) {
  eo_specify(&safe, NULL, 0);
  const panel p = {.maker = eo_create(&maker_machine, NULL, 0), .bug = bug};
  const eo_pid to = eo_create(&panel_machine, &p, sizeof p);
  for (int i = 0; i < USERS; i++) eo_spawn(user, &to, sizeof to);
  eo_spawn(cleaner, &to, sizeof to);
}

EO_TEST(espresso_correct) { espresso(CORRECT); }
EO_TEST(espresso_1) { espresso(NO_ANSWER); }
EO_TEST(espresso_2) { espresso(LOST_PRESS); }
