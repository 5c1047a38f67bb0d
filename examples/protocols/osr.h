/* osr.h: the driver of the OSR USB FX2 learning board, with its switches and its LEDs, as in the paper on P (Desai, Gupta,
 * Jackson, Qadeer, Rajamani, Zufferey: P: Safe Asynchronous Event-Driven Programming, PLDI 2013, section 2).
 *
 * The power manager (user) powers the device up and down. When it is up for the first time the driver loads the firmware,
 * block by block. Then it keeps a read pending at the switch; when that completes, it shows the new value on the bar
 * graph, sets the LED to "unstable" and starts a timer. If the value stays until the timer fires, the LED is set to
 * "stable". If it changes, or the power goes, or the device is pulled out before that, the timer is stopped first, which may
 * be too late: then it still fires, and the driver has to wait for that. */
#ifndef OSR_H
#define OSR_H

#include "protocols.h"

enum { FIRMWARE_BLOCKS = 2, POWER_CYCLES = 2, REPORTS_A_CYCLE = 2 };

/* What a variant lacks; where `bug` is compared the comment says why it matters. */
enum {
  BUG_TIMER_LEFT_RUNNING = 1, /* a device that is pulled out is let go while the timer runs */
  BUG_NOT_FLUSHED = 2         /* a timer that could not be stopped is taken for stopped */
};

enum {
  OSR_WORLD = EVENTS_OSR, /* test to all: osr_world */
  OSR_D0_ENTRY,           /* user to driver: the device is to be up; answered by UP or DETACHED */
  OSR_D0_EXIT,            /* and down; answered by DOWN */
  OSR_UP,
  OSR_DOWN,
  OSR_SURPRISE_REMOVAL, /* user to driver: the device has been pulled out; answered by DETACHED */
  OSR_DETACHED,
  OSR_REPORT,   /* driver to user: a switch value */
  OSR_READ,     /* driver to switch; answered by CHANGED, at some time */
  OSR_CHANGED,  /* osr_note: value */
  OSR_TRANSFER, /* driver to LED: osr_note; answered by TRANSFERRED or NO_DEVICE */
  OSR_TRANSFERRED,
  OSR_NO_DEVICE,
  OSR_START_TIMER, /* driver to timer; answered by FIRED, unless it is stopped in time */
  OSR_STOP_TIMER,  /* answered by STOPPED, or NOT_STOPPED and FIRED, or FIRED */
  OSR_STOPPED,
  OSR_NOT_STOPPED,
  OSR_FIRED,
  OSR_GONE,   /* switch to LED or the other way round, and to user: pulled out */
  OSR_STORED, /* announced: the driver has a new switch value */
  OSR_EVENTS
};

const char *osr_event_name(int event);

enum { OSR_FIRMWARE = 1, OSR_BAR_GRAPH, OSR_UNSTABLE, OSR_STABLE }; /* what is transferred */

typedef struct osr_note {
  uint8_t what, value;
} osr_note;

typedef struct osr_world {
  eo_pid user, driver, switches, led, timer;
  uint8_t bug;
} osr_world;

extern const eo_machine osr_user, osr_driver, osr_switches, osr_led, osr_timer;
extern const eo_machine osr_shown, osr_power; /* specifications */

/* Starts everything, in a test or live. It is over when every machine rests. */
void osr_start(int bug);

/* The variables of all machines begin with an osr_world, which this sets. */
void osr_meet(void *self, const eo_message *event);

#endif
