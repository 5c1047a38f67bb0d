/* outside_files.c: what processes do with files, pipes, sockets and descriptors. No event tells of it, and it does not go back with
 * an execution. So two things are noticed here, which both leave a doubt:
 *
 *   two processes meet at a file   one changes what another one looks at, and no message orders the two: strategies that go by
 *                                  events (dpor, reach) may then have run one order of the two alone. As with memory that is declared
 *                                  shared (eo__watch_share).
 *   an execution meets another     a process looks at what an execution before has changed, and this one has not made anew
 *                                  (eo_actor.remains).
 *
 * An *object* is what such a call uses: the contents of a file, a name in a folder, an open descriptor or stream, or everything that can
 * be waited for or listed. To change without looking, as who writes a log does, is no conflict with others that do the same as long as nobody
 * looks.
 *
 * Descriptors of regular files that were open before the exploration are put back to their place. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "subjects/actor/meetings.h"
#include "subjects/actor/outside_inside.h"
#include "subjects/actor/watch.h"

enum { OBJECTS = 4096, PLACES = 64, CELL = 8 };

/* What a call does with an object. */
enum {
  LOOKS = 1,   /* the result depends on it, */
  TRUSTS = 2,  /* and would on what another execution has left there */
  CHANGES = 4, /* others can see it */
  MAKES = 8    /* whatever was there before is of no account from now on */
};

typedef struct object {
  uint64_t key[2];   /* both 0: none */
  uint32_t changed;  /* the last execution (eo_actor.round) that has changed it; 0: none */
  uint32_t made;     /* the last that has made it anew */
  uint32_t births;   /* of a number, or an address: files or streams that have had it in this execution */
  bool before;       /* an execution before that one has changed it, too */
  bool looked_at;    /* by anybody, in this run */
  bool side_by_side; /* two processes have changed it, in no order */
  bool mapped;       /* who has mapped it reads it at any time, unseen */
} object;

EO_OWN static object objects[OBJECTS];
EO_OWN static char cells[OBJECTS][CELL]; /* their addresses stand for the objects (eo__watch_use) */
EO_OWN static uint32_t object_count;

/* Whose numbers come again: the nth descriptor of that number. */
EO_OWN static uint32_t generations[EO_CALL_FILES], generations_end; /* none is set from there on */

void eo__files_new(unsigned long file) {
  generations[file]++;
  if (file >= generations_end) generations_end = (uint32_t)file + 1;
}

EO_OWN static struct {
  unsigned long file;
  long offset;
} places[PLACES];
EO_OWN static uint32_t place_count;

/* ---- Objects ---------------------------------------------------------------------------------------------------------- */

typedef enum kind { CONTENTS = 1, NUMBER, NAME, DESCRIPTOR, OPEN, ENDS, EVERYTHING, STREAM } kind;

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t mixed = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
  return mixed ^ mixed >> 29;
}

static object *object_of(kind what, uint64_t a, uint64_t b) {
  uint64_t key[2] = {mix((uint64_t)what << 56, a), b};
  size_t at = mix(key[0], b) % OBJECTS;
  for (; objects[at].key[0] | objects[at].key[1]; at = (at + 1) % OBJECTS)
    if (objects[at].key[0] == key[0] && objects[at].key[1] == key[1]) return &objects[at];
  if (object_count > OBJECTS / 2) return &objects[mix(key[0], b) % OBJECTS]; /* from now on some of them seem one */
  object_count++;
  memcpy(objects[at].key, key, sizeof key);
  return &objects[at];
}

static void use(object *one, unsigned how) {
  eo_actor *actor = eo__actor;
  uint32_t now = actor->round;
  if (how & LOOKS) actor->changed |= EO_CHANGED_NOTED;
  if (how & MAKES) one->made = now;
  bool left = one->before || (one->changed && one->changed != now);
  if (how & TRUSTS && left && one->made != now) actor->remains = true;
  if (how & LOOKS && one->side_by_side) eo__watch_share(actor->watch);
  if (how & CHANGES && one->mapped) actor->remains = true;
  if (how & CHANGES && one->mapped) eo__watch_share(actor->watch);
  one->looked_at = one->looked_at || how & LOOKS;
  if (how & CHANGES) {
    one->before = left;
    one->changed = now;
  }
  eo__watch_use(actor->watch, cells[one - objects], (how & CHANGES) != 0, NULL);
}

bool eo__files_cell(uintptr_t address) { return address - (uintptr_t)cells < sizeof cells; }

void eo__files_meet(eo_actor *actor, const eo_sharing *sharing) {
  object *one = &objects[(sharing->address - (uintptr_t)cells) / CELL];
  bool blind = sharing->first.write && sharing->second.write && !one->looked_at;
  one->side_by_side = true;
  if (!blind) eo__watch_share(actor->watch);
}

static void use_everything(unsigned how) { use(object_of(EVERYTHING, 0, 0), how); }

/* ---- Descriptors ------------------------------------------------------------------------------------------------------- */

static bool is_regular(const struct stat *about) { return S_ISREG(about->st_mode) || S_ISDIR(about->st_mode); }

static bool is_regular_file(unsigned long file) {
  struct stat about;
  return eo__call_status(file, &about) == 0 && is_regular(&about);
}

/* ---- Mappings: who reads one makes no call ----------------------------------------------------------------------------- */

EO_OWN static struct {
  uint64_t device, number;
} early[PLACES]; /* files that the program has mapped before the exploration */
EO_OWN static uint32_t early_count;

/* The number of a file that is gone is given to a new one: this is the nth of this execution. */
static object *contents_at(const struct stat *about) {
  const object *number = object_of(NUMBER, about->st_dev, about->st_ino);
  return object_of(CONTENTS, about->st_dev,
                   number->made == eo__actor->round ? mix(about->st_ino, number->births) : about->st_ino);
}

static object *new_contents(const struct stat *about) {
  object *number = object_of(NUMBER, about->st_dev, about->st_ino);
  number->births = number->made == eo__actor->round ? number->births + 1 : 1;
  number->made = eo__actor->round;
  return contents_at(about);
}

void eo__files_mapped(int file) {
  struct stat about;
  if (eo__call_status((unsigned long)file, &about) != 0 || !S_ISREG(about.st_mode)) return;
  if (eo__outside_caller()) {
    object *contents = contents_at(&about);
    use(contents, LOOKS | TRUSTS);
    contents->mapped = true;
  } else if (early_count < PLACES) {
    early[early_count].device = about.st_dev;
    early[early_count++].number = about.st_ino;
  }
}

void eo__files_open(void) {
  for (uint32_t i = 0; i < early_count; i++) object_of(CONTENTS, early[i].device, early[i].number)->mapped = true;
}

/* eventfd, epoll and their kind have one number for all of them. What goes into a socket comes out of another one: of which, nobody
 * says. */
static object *contents_of(unsigned long file, const struct stat *about) {
  if (S_ISSOCK(about->st_mode)) return object_of(EVERYTHING, 1, 0);
  if ((about->st_mode & S_IFMT) != 0) return contents_at(about);
  return object_of(DESCRIPTOR, file + EO_CALL_FILES, file < EO_CALL_FILES ? generations[file] : 0);
}

static object *descriptor_of(unsigned long file) {
  return object_of(DESCRIPTOR, file, file < EO_CALL_FILES ? generations[file] : 0);
}

/* Of a file that was open before the exploration. */
static void keep_place(unsigned long file) {
  long offset = eo__call_ask(SYS_lseek, file, 0, SEEK_CUR, 0);
  eo__actor->changed |= EO_CHANGED_NOTED;
  if (offset < 0) return;
  for (uint32_t i = 0; i < place_count; i++)
    if (places[i].file == file) return;
  if (place_count == PLACES) {
    eo__actor->remains = true;
    return;
  }
  places[place_count].file = file;
  places[place_count++].offset = offset;
}

/* Does writing wait until there is room? Then it tells nothing of what executions before have left in a pipe. */
static bool waits(unsigned long file) {
  long flags = eo__call_ask(SYS_fcntl, file, F_GETFL, 0, 0);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

/* Whether a descriptor is open: whoever uses it looks, whoever closes it changes that. */
static void use_openness(unsigned long file, unsigned how) {
  if (file < EO_CALL_FILES) use(object_of(OPEN, file, generations[file]), how);
}

/* Uses what is in it, and its place. Devices that hold nothing, and the standard ones, are nobody's. */
static void use_descriptor(unsigned long file, unsigned contents, unsigned place) {
  struct stat about;
  if (eo__call_is_standard(file) && !(eo__actor->changed & EO_CHANGED_STANDARD)) return;
  use_openness(file, LOOKS);
  if (eo__call_is_the_tools(file) || eo__call_status(file, &about) != 0 || S_ISCHR(about.st_mode)) return;
  bool own = eo__call_opened(file), regular = is_regular(&about);
  if (!own && regular && place & LOOKS) keep_place(file);
  if (!own && !regular && (contents & LOOKS || (contents && !waits(file)))) eo__actor->remains = true;
  if (!regular) eo__actor->changed |= EO_CHANGED_NOTED;
  if (contents) use(contents_of(file, &about), regular ? contents : contents & ~(unsigned)TRUSTS);
  if (place) use(descriptor_of(file), place);
  if (!regular && contents) use_everything(contents & CHANGES);
  if (S_ISFIFO(about.st_mode) && contents) use(object_of(ENDS, about.st_dev, about.st_ino), LOOKS);
  if ((about.st_mode & S_IFMT) == 0 && contents & LOOKS) use_everything(LOOKS);
}

/* The C library asks as well, of each stream that it opens, by a way of its own. */
void eo__files_asked(unsigned long file) { use_descriptor(file, LOOKS | TRUSTS, 0); }

/* ---- Names ------------------------------------------------------------------------------------------------------------- */

typedef struct name {
  char path[PATH_MAX];
  unsigned long folder; /* to which it is relative */
  object *object;
} name;

static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 0;
  for (size_t i = 0; i < length; i++) hash = mix(hash, (unsigned char)text[i]);
  return hash;
}

/* The folder that the last part of a name stands in, and that part: so that "there" and "/tmp/there" are one name. A name whose
 * folder is not there stands for itself. */
static object *name_object(name *of) {
  struct stat about;
  char *slash = NULL, first = 0;
  for (char *at = of->path; *at; at++)
    if (*at == '/' && at[1] && at[1] != '/') slash = at;
  const char *part = slash ? slash + 1 : of->path; /* without slashes behind it */
  uint64_t last = hash_of(part, strcspn(part, "/")), whole = hash_of(of->path, strlen(of->path));
  char *cut = slash ? slash + (slash == of->path) : NULL; /* "/there" stands in "/" */
  if (cut) first = *cut, *cut = '\0';
  const char *folder = slash ? of->path : ".";
  long failed =
      eo__call_ask(SYS_newfstatat, of->folder, (unsigned long)(uintptr_t)folder, (unsigned long)(uintptr_t)&about, 0);
  if (cut) *cut = first;
  if (failed) return object_of(NAME, *of->path == '/' ? 0 : (uint32_t)of->folder, whole);
  return object_of(NAME, mix(about.st_dev, about.st_ino), last);
}

static void read_name(const eo_call *call, int folder, int argument, name *out) {
  out->folder = folder < 0 ? (unsigned long)AT_FDCWD : call->arguments[folder];
  *out->path = '\0';
  if (call->arguments[argument])
    eo__call_text(call, (const char *)call->arguments[argument], out->path, sizeof out->path);
  out->object = name_object(out);
}

static bool exists(const name *of, struct stat *about) {
  return eo__call_ask(SYS_newfstatat, of->folder, (unsigned long)(uintptr_t)of->path, (unsigned long)(uintptr_t)about,
                      0) == 0;
}

static void change_name(const name *of) {
  use(of->object, LOOKS | CHANGES | MAKES);
  use_everything(CHANGES);
  eo__actor->changed |= EO_CHANGED_NOTED;
}

/* Names in /dev, /proc and /sys are the machine's. */
static bool is_machines(const name *of) {
  return strncmp(of->path, "/dev/", 5) == 0 && strncmp(of->path, "/dev/shm/", 9) != 0;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------- */

static bool opens_name(long number) {
#ifdef SYS_open
  if (number == SYS_open || number == SYS_creat) return true;
#endif
  return number == SYS_openat;
}

static int flags_of(const eo_call *call) {
  if (call->number == SYS_openat) return (int)call->arguments[2];
#ifdef SYS_creat
  if (call->number == SYS_creat) return O_CREAT | O_WRONLY | O_TRUNC;
#endif
  return (int)call->arguments[1];
}

static long open_name(const eo_call *call, const char *function, eo_judge *judge) {
  name of;
  struct stat before, after;
  bool at = call->number == SYS_openat;
  int flags = flags_of(call);
  read_name(call, at ? 0 : -1, at ? 1 : 0, &of);
  bool was = exists(&of, &before);
  long file = judge(call, function);
  if (is_machines(&of)) return file;
  if (!(flags & O_CREAT) || flags & O_EXCL) use(of.object, LOOKS | TRUSTS);
  if (file < 0) return file;
  if (flags & O_CREAT && !was) {
    use(of.object, CHANGES | MAKES);
    use_everything(CHANGES);
  }
  if (eo__call_status((unsigned long)file, &after) != 0 || !S_ISREG(after.st_mode)) return file;
  if (!was || flags & O_TRUNC) use(was ? contents_at(&after) : new_contents(&after), CHANGES | MAKES);
  return file;
}

static void look_at_name(const eo_call *call, int folder, int argument) {
  name of;
  struct stat about;
  read_name(call, folder, argument, &of);
  if (!*of.path || is_machines(&of)) return;
  use(of.object, LOOKS | TRUSTS);
  if (exists(&of, &about) && S_ISREG(about.st_mode)) use(contents_at(&about), LOOKS | TRUSTS);
}

static void change_one(const eo_call *call, int folder, int argument) {
  name of;
  read_name(call, folder, argument, &of);
  change_name(&of);
}

typedef enum action {
  READS = 1,       /* from a descriptor, at its place */
  READS_AT,        /* at another place */
  WRITES,          /* to a descriptor, at its place */
  WRITES_AT,       /* at another place */
  LOCKS,           /* the file */
  ASKS,            /* about what is in a file */
  SEEKS,           /* */
  CONTROLS,        /* fcntl */
  CONTROLS_DEVICE, /* ioctl */
  CLOSES,          /* */
  REPLACES,        /* the second descriptor, by the first */
  COPIES,          /* from one to another */
  COPIES_BACK,     /* to the first from the second */
  WAITS,           /* for any of many, or lists a folder */
  OPENS_NAME,      /* */
  LOOKS_AT_NAME,   /* the first argument, or the second of a call with a folder */
  LOOKS_AT_NAME_AT,
  CHANGES_NAME,
  CHANGES_NAME_AT,
  CHANGES_NAMES, /* two */
  CHANGES_NAMES_AT,
  CHANGES_CONTENTS /* of the file of that name */
} action;

typedef struct file_call {
  short number;
  unsigned char action;
} file_call;

static const file_call calls[] = {
    {SYS_read, READS},
    {SYS_readv, READS},
    {SYS_recvfrom, READS},
    {SYS_recvmsg, READS},
    {SYS_accept, READS},
    {SYS_accept4, READS},
    {SYS_pread64, READS_AT},
    {SYS_preadv, READS_AT},
    {SYS_write, WRITES},
    {SYS_writev, WRITES},
    {SYS_sendto, WRITES},
    {SYS_sendmsg, WRITES},
    {SYS_connect, LOCKS},
    {SYS_pwrite64, WRITES_AT},
    {SYS_pwritev, WRITES_AT},
    {SYS_ftruncate, WRITES_AT},
    {SYS_setsockopt, WRITES_AT},
    {SYS_bind, LOCKS},
    {SYS_getsockopt, ASKS},
    {SYS_getsockname, ASKS},
    {SYS_getpeername, ASKS},
    {SYS_epoll_ctl, LOCKS},
    {SYS_ioctl, CONTROLS_DEVICE},
    {SYS_flock, LOCKS},
    {SYS_fstat, ASKS},
    {SYS_lseek, SEEKS},
    {SYS_fcntl, CONTROLS},
    {SYS_close, CLOSES},
    {SYS_dup3, REPLACES},
    {SYS_sendfile, COPIES_BACK},
    {SYS_copy_file_range, COPIES},
    {SYS_splice, COPIES},
    {SYS_getdents64, WAITS},
    {SYS_ppoll, WAITS},
    {SYS_pselect6, WAITS},
    {SYS_epoll_pwait, WAITS},
    {SYS_openat, OPENS_NAME},
    {SYS_newfstatat, LOOKS_AT_NAME_AT},
    {SYS_statx, LOOKS_AT_NAME_AT},
    {SYS_faccessat, LOOKS_AT_NAME_AT},
    {SYS_faccessat2, LOOKS_AT_NAME_AT},
    {SYS_readlinkat, LOOKS_AT_NAME_AT},
    {SYS_unlinkat, CHANGES_NAME_AT},
    {SYS_mkdirat, CHANGES_NAME_AT},
    {SYS_renameat2, CHANGES_NAMES_AT},
    {SYS_linkat, CHANGES_NAMES_AT},
#ifdef SYS_dup2
    {SYS_dup2, REPLACES},
#endif
#ifdef SYS_open
    {SYS_poll, WAITS},
    {SYS_select, WAITS},
    {SYS_epoll_wait, WAITS},
    {SYS_open, OPENS_NAME},
    {SYS_creat, OPENS_NAME},
    {SYS_stat, LOOKS_AT_NAME},
    {SYS_lstat, LOOKS_AT_NAME},
    {SYS_access, LOOKS_AT_NAME},
    {SYS_readlink, LOOKS_AT_NAME},
    {SYS_unlink, CHANGES_NAME},
    {SYS_mkdir, CHANGES_NAME},
    {SYS_rmdir, CHANGES_NAME},
    {SYS_truncate, CHANGES_CONTENTS},
    {SYS_rename, CHANGES_NAMES},
    {SYS_link, CHANGES_NAMES},
    {SYS_symlink, CHANGES_NAMES},
    {SYS_renameat, CHANGES_NAMES_AT},
#endif
};

static action action_of(long number) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].number == number) return (action)calls[i].action;
  return 0;
}

static void use_lock(unsigned long file) { use_descriptor(file, LOOKS | CHANGES, 0); }

static void control(const eo_call *call) {
  unsigned long file = call->arguments[0];
  switch (call->arguments[1]) {
    case F_GETFD:
    case F_GETFL: use_descriptor(file, 0, LOOKS); break;
    case F_SETFD:
    case F_SETFL: use_descriptor(file, 0, CHANGES); break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: break;
    default: use_lock(file);
  }
}

static void control_device(const eo_call *call) {
  unsigned long file = call->arguments[0];
  switch (call->arguments[1]) {
    case TCGETS: break; /* is it a terminal? */
    case FIONREAD: use_descriptor(file, LOOKS | TRUSTS, LOOKS); break;
    case FIOCLEX:
    case FIONCLEX:
    case FIONBIO: use_descriptor(file, 0, CHANGES); break;
    default: use_lock(file);
  }
}

static void change_contents(const eo_call *call, int folder, int argument) {
  name of;
  struct stat about;
  read_name(call, folder, argument, &of);
  use(of.object, LOOKS | TRUSTS);
  if (exists(&of, &about)) use(contents_at(&about), CHANGES);
  eo__actor->changed |= EO_CHANGED_NOTED;
}

static void close_one(unsigned long file) {
  struct stat about;
  if (eo__call_is_standard(file)) return;
  use_openness(file, LOOKS | CHANGES);
  if (!eo__call_opened(file) || eo__call_status(file, &about) != 0) return;
  use_descriptor(file, is_regular(&about) ? 0 : CHANGES, CHANGES);
  if (S_ISFIFO(about.st_mode)) use(object_of(ENDS, about.st_dev, about.st_ino), CHANGES); /* the other end is alone */
}

/* The device that takes everything does not look at what it is given, so that memory may be none that can be read. */
static void note_written(unsigned long parts, unsigned long count) {
  char bytes[4096];
  struct iovec here = {bytes, sizeof bytes};
  unsigned long self = (unsigned long)eo__call_ask(SYS_getpid, 0, 0, 0, 0);
  long size = eo__trap_pass(SYS_process_vm_readv, (const unsigned long[6]){self, (unsigned long)&here, 1, parts,
                                                                           count < IOV_MAX ? count : IOV_MAX, 0});
  if (size > 0) eo__streams_written(bytes, (size_t)size);
}

void eo__files_wrote(const eo_call *call, size_t size) {
  struct iovec whole = {(void *)call->arguments[1], size}; /* NOLINT(performance-no-int-to-ptr) */
  if (call->arguments[0] != STDOUT_FILENO || !eo__actor->describing) return;
  if (call->number == SYS_write) note_written((unsigned long)&whole, 1);
  if (call->number == SYS_writev) note_written(call->arguments[1], call->arguments[2]);
}

/* What it does is known before it is done: a descriptor may be closed by it. */
static void look_before(const eo_call *call, action what) {
  unsigned long file = call->arguments[0];
  switch (what) {
    case READS: use_descriptor(file, is_regular_file(file) ? LOOKS | TRUSTS : LOOKS | CHANGES, LOOKS | CHANGES); break;
    case READS_AT:
    case ASKS: use_descriptor(file, LOOKS | TRUSTS, 0); break;
    case WRITES: use_descriptor(file, CHANGES, CHANGES); break;
    case WRITES_AT: use_descriptor(file, CHANGES, 0); break;
    case LOCKS: use_lock(file); break;
    case SEEKS: use_descriptor(file, 0, call->arguments[2] == SEEK_SET ? CHANGES : LOOKS | CHANGES); break;
    case CONTROLS: control(call); break;
    case CONTROLS_DEVICE: control_device(call); break;
    case CHANGES_CONTENTS: change_contents(call, -1, 0); break;
    case CLOSES: close_one(file); break;
    case REPLACES: close_one(call->arguments[1]); break;
    case COPIES:
      use_descriptor(file, LOOKS | TRUSTS, LOOKS | CHANGES);
      use_descriptor(call->arguments[2], CHANGES, CHANGES);
      break;
    case COPIES_BACK:
      use_descriptor(call->arguments[1], LOOKS | TRUSTS, LOOKS | CHANGES);
      use_descriptor(file, CHANGES, CHANGES);
      break;
    case WAITS: use_everything(LOOKS); break;
    case LOOKS_AT_NAME: look_at_name(call, -1, 0); break;
    case LOOKS_AT_NAME_AT: look_at_name(call, 0, 1); break;
    case CHANGES_NAME: change_one(call, -1, 0); break;
    case CHANGES_NAME_AT: change_one(call, 0, 1); break;
    case CHANGES_NAMES:
      change_one(call, -1, 0);
      change_one(call, -1, 1);
      break;
    case CHANGES_NAMES_AT:
      change_one(call, 0, 1);
      change_one(call, 2, 3);
      break;
    default: break;
  }
}

long eo__files_judge(const eo_call *call, const char *function, eo_judge *judge) {
  action what = action_of(call->number);
  if (opens_name(call->number)) return open_name(call, function, judge);
  if (what) look_before(call, what);
  return judge(call, function);
}

/* ---- Streams -------------------------------------------------------------------------------------------------------------
 *
 * Where it stands, and what waits in its buffer. To read from it moves its place, which goes back (outside_streams.c); what is written
 * there does not. */

/* The address of a stream that is gone is given to a new one: this is the nth of this execution. */
static object *stream_at(const void *stream) {
  const object *address = object_of(STREAM, (uintptr_t)stream, 0);
  return object_of(STREAM, (uintptr_t)stream, address->made == eo__actor->round ? address->births + UINT64_C(1) : 1);
}

void eo__files_stream(const void *stream, bool reads, bool lasts) {
  if (stream == stdin || stream == stdout || stream == stderr) return;
  object *one = stream_at(stream);
  use(one, (reads ? LOOKS | TRUSTS : 0) | (lasts ? CHANGES : 0));
  if (!lasts) eo__watch_use(eo__actor->watch, cells[one - objects], true, NULL);
}

void eo__files_stream_new(const void *stream) {
  object *address = object_of(STREAM, (uintptr_t)stream, 0);
  address->births = address->made == eo__actor->round ? address->births + 1 : 1;
  address->made = eo__actor->round;
  use(stream_at(stream), CHANGES | MAKES);
}

/* ---- The next execution -------------------------------------------------------------------------------------------------- */

void eo__files_back(void) {
  if (generations_end) memset(generations, 0, generations_end * sizeof *generations);
  generations_end = 0;
  for (; place_count; place_count--)
    eo__call_ask(SYS_lseek, places[place_count - 1].file, (unsigned long)places[place_count - 1].offset, SEEK_SET, 0);
}
