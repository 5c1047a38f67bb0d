/* outside_library.c: what the C library and the system keep for the whole program, as variables that processes share: the place
 * at which strtok goes on, the buffer that localtime returns, the environment, the working folder. In a live run two threads
 * that use them at once get in each other's way. So each use is noted as an access to a variable (eo__watch_use), and two
 * that no message orders are hidden sharing, as with a variable of the program.
 *
 * What counts is what the C library's manual calls unsafe in threads for its state ("MT-Unsafe race"). rand and its kind have a
 * lock: there the order of draws decides who gets which number, no more. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "subjects/actor/meetings.h"
#include "subjects/actor/outside.h"

enum { CELL = 8 };

static const struct {
  const char *name, *remedy;
} kept[EO_LIBRARY_COUNT] = {
    [EO_LIBRARY_STRTOK] = {"the place in its text that strtok keeps", "; use strtok_r"},
    [EO_LIBRARY_TIME] = {"the buffer that localtime and gmtime return", "; use localtime_r or gmtime_r"},
    [EO_LIBRARY_TIME_TEXT] = {"the buffer that asctime and ctime return", "; use strftime"},
    [EO_LIBRARY_GETOPT] = {"the place in the arguments that getopt keeps (optind)", "; let one process read them"},
    [EO_LIBRARY_ENVIRONMENT] = {"the environment", "; change it before processes start"},
    [EO_LIBRARY_HANDLERS] = {"the table of signal handlers", "; install them before processes start"},
    [EO_LIBRARY_FOLDER] = {"the working folder", "; change it before processes start, or use whole paths"},
    [EO_LIBRARY_LIMITS] = {"a limit on resources (setrlimit)", "; change it before processes start"},
    [EO_LIBRARY_UMASK] = {"the umask", "; change it before processes start"},
    [EO_LIBRARY_USERS] = {"the result of getpwnam, getgrnam and similar functions", "; use getpwnam_r or getgrnam_r"},
    [EO_LIBRARY_HOSTS] = {"the result of gethostbyname, getservbyname and similar functions", "; use getaddrinfo"},
    [EO_LIBRARY_TABLE] = {"the table of hsearch", "; use hsearch_r"},
    [EO_LIBRARY_DIGITS] = {"the buffer that ecvt, fcvt and l64a return", "; use snprintf"},
    [EO_LIBRARY_TERMINAL] = {"the buffer that ttyname and ptsname return", "; use ttyname_r or ptsname_r"},
    [EO_LIBRARY_LETTER] = {"the state that mbtowc and wctomb keep", "; use mbrtowc or wcrtomb"},
    [EO_LIBRARY_LOG] = {"how syslog logs (openlog, setlogmask)", "; set it before processes start"},
    [EO_LIBRARY_RECORDS] = {"the result of getmntent, getutent and similar functions", "; let one process read them"},
    [EO_LIBRARY_ZONE] = {"the time zone (tzset)", "; set it before processes start"},
};

/* The addresses of these stand for them. */
EO_OWN static char cells[EO_LIBRARY_COUNT][CELL];

static const char *cell_of(uintptr_t address, uint32_t *which) {
  uintptr_t offset = address - (uintptr_t)cells;
  *which = (uint32_t)(offset / CELL);
  return offset < sizeof cells ? cells[*which] : NULL;
}

const char *eo__library_name(uintptr_t address, uintptr_t *start, size_t *size) {
  uint32_t which;
  const char *cell = cell_of(address, &which);
  if (eo__files_cell(address)) {
    *start = address;
    *size = CELL;
    return "a file";
  }
  if (!cell) return NULL;
  *start = (uintptr_t)cell;
  *size = CELL;
  return kept[which].name;
}

const char *eo__library_remedy(uintptr_t address) {
  uint32_t which;
  return cell_of(address, &which) ? kept[which].remedy : NULL;
}

/* Reading alone is no sharing, and common: it counts once somebody has written in some execution of the run. That one is run
 * again, under audit. */
EO_OWN static bool written[EO_LIBRARY_COUNT];

bool eo__library_counts(eo_library what, bool write) { return eo__outside_caller() && (write || written[what]); }

void eo__library_use(eo_library what, bool write, const void *pc) {
  if (!eo__library_counts(what, write)) return;
  if (write && !written[what]) eo__watch_unsure_too(eo__actor->watch);
  written[what] = written[what] || write;
  eo__watch_use(eo__actor->watch, cells[what], write, pc);
}

#define USES(what, write) eo__library_use(what, write, (const char *)EO_CALLER - 1)

/* ---- strtok: its place is the process's own here (eo_kept), so that nobody depends on what another has left -------------- */

char *strtok(char *text, const char *separators) {
  eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(strtok)(text, separators);
  USES(EO_LIBRARY_STRTOK, true);
  return strtok_r(text, separators, &eo__outside_kept(process, EO_CALLER)->token);
}

/* ---- Time --------------------------------------------------------------------------------------------------------------- */

struct tm *localtime(const time_t *when) {
  USES(EO_LIBRARY_TIME, true);
  return EO_REAL(localtime)(when);
}

struct tm *gmtime(const time_t *when) {
  USES(EO_LIBRARY_TIME, true);
  return EO_REAL(gmtime)(when);
}

char *asctime(const struct tm *when) {
  USES(EO_LIBRARY_TIME_TEXT, true);
  return EO_REAL(asctime)(when);
}

char *ctime(const time_t *when) {
  USES(EO_LIBRARY_TIME, true);
  USES(EO_LIBRARY_TIME_TEXT, true);
  return EO_REAL(ctime)(when);
}

/* ---- getopt: in each execution it begins as at the start ----------------------------------------------------------------- */

EO_OWN static struct {
  int *index; /* optind */
  int value;
} options;

/* By another way than its name, which a program may define. */
static void use_options(const void *caller) {
  eo__library_use(EO_LIBRARY_GETOPT, true, (const char *)caller - 1);
  if (!eo__outside_caller() || eo__actor->changed & EO_CHANGED_OPTIONS) return;
  if (!options.index) options.index = dlsym(RTLD_DEFAULT, "optind");
  if (!options.index) return;
  options.value = *options.index;
  eo__actor->changed |= EO_CHANGED_OPTIONS;
}

/* 0: from the start, whatever it was in the middle of. */
void eo__library_back(void) { *options.index = options.value == 1 ? 0 : options.value; }

int getopt(int count, char *const *arguments, const char *known) {
  use_options(EO_CALLER);
  return EO_REAL(getopt)(count, arguments, known);
}

int getopt_long(int count, char *const *arguments, const char *known, const struct option *longer, int *which) {
  use_options(EO_CALLER);
  return EO_REAL(getopt_long)(count, arguments, known, longer, which);
}

int getopt_long_only(int count, char *const *arguments, const char *known, const struct option *longer, int *which) {
  use_options(EO_CALLER);
  return EO_REAL(getopt_long_only)(count, arguments, known, longer, which);
}

/* ---- Environment: what changes it is in outside_state.c. It is asked for before anything is bound, so no other function is
 * called. ------------------------------------------------------------------------------------------------------------- */

static char *find_variable(const char *name) {
  for (char **one = __environ; one && *one; one++) {
    char *at = *one;
    const char *wanted = name;
    while (*wanted && *at == *wanted) at++, wanted++;
    if (!*wanted && *at == '=' && wanted > name) return at + 1;
  }
  return NULL;
}

char *getenv(const char *name) {
  USES(EO_LIBRARY_ENVIRONMENT, false);
  return find_variable(name);
}
