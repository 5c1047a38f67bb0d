/* outside_stubs.c: functions of the C library that are only looked at. What they use is noted, and then they are done by the C
 * library itself: a stub saves the registers in which arguments are, asks `called` where to go, and jumps there. So a function needs
 * no more here than its name, whatever its arguments are.
 *
 * They are of two kinds. What manuals call unsafe in threads ("MT-Unsafe race") keeps something for the whole program, which is a
 * variable (outside_library.c). And streams: what a process reads or writes there need not come to a system call, since streams
 * have buffers, so that a stream is an object as a descriptor is (outside_files.c). */
#undef _FILE_OFFSET_BITS /* it makes one name of fopen and fopen64, and both are defined here */
#include <dirent.h>
#include <fts.h>
#include <iconv.h>
#include <stdio.h>

#include "subjects/actor/outside.h"

enum {
  CHANGES = 1, /* what is kept for all */
  ASKS,        /* only reads that */
  READS,       /* from the stream that is the first argument, or finds out where it stands */
  READS_2,     /* the second, */
  READS_3,     /* the third, */
  READS_4,     /* the fourth */
  WRITES,      /* to it */
  WRITES_2,
  WRITES_4,
  LISTS,      /* a folder; where it stands stays as it is */
  TURNS,      /* the first argument is an object that has a state */
  LASTS,      /* changes the C library itself, for this execution and all others */
  LASTS_IF_3, /* if there is no third argument: the state is then the C library's */
  LASTS_IF_4,
  LASTS_IF_5,
  WAITS,      /* asks for what waits in the buffer of a stream */
  ASKS_FILE,  /* about the file that is the first argument */
  CHANGES_CPP /* what the C++ library keeps for all, and looks at unseen */
};

/* clang-format off */
#define STUBS(ON)                                                                                                     \
  ON(getpwnam, CHANGES, USERS) ON(getpwuid, CHANGES, USERS) ON(getpwent, CHANGES, USERS)                              \
  ON(setpwent, CHANGES, USERS) ON(endpwent, CHANGES, USERS) ON(getgrnam, CHANGES, USERS)                              \
  ON(getgrgid, CHANGES, USERS) ON(getgrent, CHANGES, USERS) ON(setgrent, CHANGES, USERS)                              \
  ON(endgrent, CHANGES, USERS) ON(getspnam, CHANGES, USERS) ON(getlogin, CHANGES, USERS)                              \
  ON(gethostbyname, CHANGES, HOSTS) ON(gethostbyname2, CHANGES, HOSTS) ON(gethostbyaddr, CHANGES, HOSTS)              \
  ON(getservbyname, CHANGES, HOSTS) ON(getservbyport, CHANGES, HOSTS) ON(getprotobyname, CHANGES, HOSTS)              \
  ON(getprotobynumber, CHANGES, HOSTS) ON(hcreate, CHANGES, TABLE) ON(hdestroy, CHANGES, TABLE)                       \
  ON(hsearch, CHANGES, TABLE) ON(l64a, CHANGES, DIGITS) ON(ecvt, CHANGES, DIGITS) ON(fcvt, CHANGES, DIGITS)           \
  ON(qecvt, CHANGES, DIGITS) ON(qfcvt, CHANGES, DIGITS) ON(ttyname, CHANGES, TERMINAL)                                \
  ON(ptsname, CHANGES, TERMINAL) ON(mblen, CHANGES, LETTER) ON(mbtowc, CHANGES, LETTER)                               \
  ON(wctomb, CHANGES, LETTER) ON(setlogmask, CHANGES, LOG) ON(openlog, CHANGES, LOG) ON(tzset, CHANGES, ZONE)         \
  ON(localtime_r, ASKS, ENVIRONMENT) ON(mktime, ASKS, ENVIRONMENT) ON(strftime, ASKS, ENVIRONMENT)                    \
  ON(ctime_r, ASKS, ENVIRONMENT) ON(secure_getenv, ASKS, ENVIRONMENT) ON(getc, READS, 0) ON(fgetc, READS, 0)          \
  ON(_IO_getc, READS, 0) ON(getc_unlocked, READS, 0) ON(fgetc_unlocked, READS, 0) ON(getw, READS, 0)                  \
  ON(fgetwc, READS, 0) ON(getwc, READS, 0) ON(fgets, READS_3, 0) ON(fgets_unlocked, READS_3, 0)                       \
  ON(__fgets_chk, READS_4, 0) ON(fgetws, READS_3, 0) ON(fread, READS_4, 0) ON(fread_unlocked, READS_4, 0)             \
  ON(ungetc, READS_2, 0) ON(ungetwc, READS_2, 0) ON(fscanf, READS, 0) ON(vfscanf, READS, 0)                           \
  ON(__isoc99_fscanf, READS, 0) ON(__isoc99_vfscanf, READS, 0) ON(fseek, READS, 0) ON(fseeko, READS, 0)               \
  ON(fseeko64, READS, 0) ON(ftell, READS, 0) ON(ftello, READS, 0) ON(ftello64, READS, 0) ON(rewind, READS, 0)         \
  ON(fgetpos, READS, 0) ON(fgetpos64, READS, 0) ON(fsetpos, READS, 0) ON(fsetpos64, READS, 0)                         \
  ON(feof, READS, 0) ON(ferror, READS, 0) ON(clearerr, READS, 0) ON(readdir, LISTS, 0) ON(readdir64, LISTS, 0)        \
  ON(readdir_r, READS, 0) ON(rewinddir, READS, 0) ON(seekdir, LISTS, 0) ON(telldir, LISTS, 0)                         \
  ON(fputc, WRITES_2, 0) ON(putc, WRITES_2, 0) ON(_IO_putc, WRITES_2, 0) ON(fputc_unlocked, WRITES_2, 0)              \
  ON(putc_unlocked, WRITES_2, 0) ON(putw, WRITES_2, 0) ON(fputwc, WRITES_2, 0) ON(putwc, WRITES_2, 0)                 \
  ON(fputs, WRITES_2, 0) ON(fputws, WRITES_2, 0) ON(fwrite, WRITES_4, 0) ON(fwrite_unlocked, WRITES_4, 0)             \
  ON(fprintf, WRITES, 0) ON(vfprintf, WRITES, 0) ON(__fprintf_chk, WRITES, 0) ON(__vfprintf_chk, WRITES, 0)           \
  ON(fwprintf, WRITES, 0) ON(iconv, TURNS, 0) ON(fts_read, TURNS, 0) ON(fts_children, TURNS, 0)                       \
  ON(fts_set, TURNS, 0) ON(fts64_read, TURNS, 0) ON(fts64_children, TURNS, 0) ON(fts64_set, TURNS, 0)                 \
  ON(mbrlen, LASTS_IF_3, LETTER) ON(mbrtowc, LASTS_IF_4, LETTER) ON(wcrtomb, LASTS_IF_3, LETTER)                      \
  ON(mbsrtowcs, LASTS_IF_4, LETTER) ON(wcsrtombs, LASTS_IF_4, LETTER) ON(mbsnrtowcs, LASTS_IF_5, LETTER)              \
  ON(wcsnrtombs, LASTS_IF_5, LETTER) ON(mbrtoc16, LASTS_IF_4, LETTER) ON(c16rtomb, LASTS_IF_3, LETTER)                \
  ON(mbrtoc32, LASTS_IF_4, LETTER) ON(c32rtomb, LASTS_IF_3, LETTER) ON(textdomain, LASTS, 0)                          \
  ON(bindtextdomain, LASTS, 0) ON(bind_textdomain_codeset, LASTS, 0) ON(register_printf_function, LASTS, 0)           \
  ON(register_printf_specifier, LASTS, 0) ON(register_printf_modifier, LASTS, 0)                                      \
  ON(register_printf_type, LASTS, 0) ON(mallopt, LASTS, 0) ON(pthread_key_create, LASTS, 0)                           \
  ON(pthread_key_delete, LASTS, 0) ON(fwide, WAITS, 0) ON(__fpending, WAITS, 0)                                       \
  ON(gethostent, CHANGES, HOSTS) ON(sethostent, CHANGES, HOSTS) ON(getservent, CHANGES, HOSTS)                        \
  ON(getprotoent, CHANGES, HOSTS) ON(getnetent, CHANGES, HOSTS) ON(getnetbyname, CHANGES, HOSTS)                      \
  ON(getmntent, CHANGES, RECORDS) ON(getutent, CHANGES, RECORDS) ON(getutid, CHANGES, RECORDS)                        \
  ON(getutline, CHANGES, RECORDS) ON(pututline, CHANGES, RECORDS) ON(setutent, CHANGES, RECORDS)                      \
  ON(utmpname, CHANGES, RECORDS) ON(fgetpwent, CHANGES, USERS) ON(fgetgrent, CHANGES, USERS)                          \
  ON(getpass, CHANGES, TERMINAL) ON(ether_ntoa, CHANGES, HOSTS) ON(getdate, CHANGES, TIME)                            \
  ON(__mbrlen, LASTS_IF_3, LETTER) ON(fstat, ASKS_FILE, 0) ON(fstat64, ASKS_FILE, 0)                                  \
  ON(_ZSt13set_terminatePFvvE, CHANGES_CPP, 0) ON(_ZSt15set_new_handlerPFvvE, CHANGES_CPP, 0)                         \
  ON(_ZNSt6locale6globalERKS_, CHANGES_CPP, 0) ON(_ZNSt8ios_base6xallocEv, CHANGES_CPP, 0)                            \
  ON(_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE, CHANGES_CPP, 0)
/* clang-format on */

/* ---- Stubs ---------------------------------------------------------------------------------------------------------- */

typedef struct entry {
  const char *name;
  void *next; /* the C library's function, once it was looked for */
  unsigned char what, does;
} entry;

/* A stub knows its entry by name, so that the entries need no order. */
#define EO_LIBRARY_0 0
#define ENTRY(function, does, what)                  \
  EO_OWN __attribute__((used, visibility("hidden"))) \
  entry eo__stub_##function = {#function, NULL, EO_LIBRARY_##what, does};

STUBS(ENTRY)

static const FILE *stream_of(unsigned does, const uintptr_t *arguments) {
  unsigned at = does < WRITES ? does - READS : does == WRITES_4 ? 3 : does == LISTS ? 0 : does - WRITES;
  return (const FILE *)arguments[at];
}

/* Where to go. Arguments: those in registers. */
__attribute__((used, visibility("hidden"))) void *eo__stub_called(entry *e, const char *caller,
                                                                  const uintptr_t *arguments);

/* Nothing of it goes back, and it may be another's. */
static void lasts(const entry *e, const char *caller) {
  if (e->what) eo__library_use((eo_library)e->what, true, caller - 1);
  eo__capture_stray(eo__actor->capture);
}

void *eo__stub_called(entry *e, const char *caller, const uintptr_t *arguments) {
  void *found = __atomic_load_n(&e->next, __ATOMIC_RELAXED);
  if (!found) found = eo__outside_next(&e->next, e->name);
  if (!eo__outside_caller()) return found;
  switch (e->does) {
    case CHANGES:
    case ASKS: eo__library_use((eo_library)e->what, e->does == CHANGES, caller - 1); break;
    case TURNS: eo__files_stream((const void *)arguments[0], true, true); break;
    case LASTS: lasts(e, caller); break;
    case LASTS_IF_3:
    case LASTS_IF_4:
    case LASTS_IF_5:
      if (!arguments[e->does - LASTS_IF_3 + 2]) lasts(e, caller);
      break;
    case WAITS: eo__watch_mislead(eo__actor->watch); break;
    case ASKS_FILE: eo__files_asked(arguments[0]); break;
    case CHANGES_CPP:
      if (eo__actor->live.count > 1) eo__watch_mislead(eo__actor->watch);
      break;
    default: eo__files_stream(stream_of(e->does, arguments), e->does < WRITES || e->does == LISTS, e->does >= WRITES);
  }
  return found;
}

#if defined(__x86_64__)
#define STUB(function, does, what)                     \
  __asm__(".text\n.globl " #function                   \
          "\n"                                         \
          ".type " #function ", @function\n" #function \
          ":\n"                                        \
          "  endbr64\n"                                \
          "  lea eo__stub_" #function                  \
          "(%rip), %r11\n"                             \
          "  jmp eo__stub_go\n"                        \
          ".size " #function ", . - " #function "\n");

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden eo__stub_go\n"
    ".type eo__stub_go, @function\n"
    "eo__stub_go:\n"
    "  push %r9\n"
    "  push %r8\n"
    "  push %rcx\n"
    "  push %rdx\n"
    "  push %rsi\n"
    "  push %rdi\n"
    "  push %rax\n" /* how many vector registers have arguments, if their number varies */
    "  sub $128, %rsp\n"
    "  movups %xmm0, (%rsp)\n"
    "  movups %xmm1, 16(%rsp)\n"
    "  movups %xmm2, 32(%rsp)\n"
    "  movups %xmm3, 48(%rsp)\n"
    "  movups %xmm4, 64(%rsp)\n"
    "  movups %xmm5, 80(%rsp)\n"
    "  movups %xmm6, 96(%rsp)\n"
    "  movups %xmm7, 112(%rsp)\n"
    "  mov %r11, %rdi\n"
    "  mov 184(%rsp), %rsi\n"
    "  lea 136(%rsp), %rdx\n"
    "  call eo__stub_called\n"
    "  mov %rax, %r11\n"
    "  movups (%rsp), %xmm0\n"
    "  movups 16(%rsp), %xmm1\n"
    "  movups 32(%rsp), %xmm2\n"
    "  movups 48(%rsp), %xmm3\n"
    "  movups 64(%rsp), %xmm4\n"
    "  movups 80(%rsp), %xmm5\n"
    "  movups 96(%rsp), %xmm6\n"
    "  movups 112(%rsp), %xmm7\n"
    "  add $128, %rsp\n"
    "  pop %rax\n"
    "  pop %rdi\n"
    "  pop %rsi\n"
    "  pop %rdx\n"
    "  pop %rcx\n"
    "  pop %r8\n"
    "  pop %r9\n"
    "  jmp *%r11\n"
    ".size eo__stub_go, . - eo__stub_go\n");
#else
#define STUB(function, does, what)                     \
  __asm__(".text\n.globl " #function                   \
          "\n"                                         \
          ".type " #function ", %function\n" #function \
          ":\n"                                        \
          "  bti c\n"                                  \
          "  adrp x16, eo__stub_" #function            \
          "\n"                                         \
          "  add x16, x16, :lo12:eo__stub_" #function  \
          "\n"                                         \
          "  b eo__stub_go\n"                          \
          ".size " #function ", . - " #function "\n");

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden eo__stub_go\n"
    ".type eo__stub_go, %function\n"
    "eo__stub_go:\n"
    "  stp x29, x30, [sp, #-224]!\n"
    "  stp x0, x1, [sp, #16]\n"
    "  stp x2, x3, [sp, #32]\n"
    "  stp x4, x5, [sp, #48]\n"
    "  stp x6, x7, [sp, #64]\n"
    "  str x8, [sp, #80]\n"
    "  stp q0, q1, [sp, #96]\n"
    "  stp q2, q3, [sp, #128]\n"
    "  stp q4, q5, [sp, #160]\n"
    "  stp q6, q7, [sp, #192]\n"
    "  mov x29, sp\n"
    "  mov x0, x16\n"
    "  mov x1, x30\n"
    "  add x2, sp, #16\n"
    "  bl eo__stub_called\n"
    "  mov x16, x0\n"
    "  ldp q0, q1, [sp, #96]\n"
    "  ldp q2, q3, [sp, #128]\n"
    "  ldp q4, q5, [sp, #160]\n"
    "  ldp q6, q7, [sp, #192]\n"
    "  ldp x0, x1, [sp, #16]\n"
    "  ldp x2, x3, [sp, #32]\n"
    "  ldp x4, x5, [sp, #48]\n"
    "  ldp x6, x7, [sp, #64]\n"
    "  ldr x8, [sp, #80]\n"
    "  ldp x29, x30, [sp], #224\n"
    "  br x16\n"
    ".size eo__stub_go, . - eo__stub_go\n");
#endif

STUBS(STUB)

/* ---- New streams, and the end of old ones: what an execution before has left there is gone -------------------------------- */

#define OPENS(type, function, declared, passed)                       \
  type *function declared {                                           \
    type *opened = EO_REAL(function) passed;                          \
    if (opened && eo__outside_caller()) eo__files_stream_new(opened); \
    return opened;                                                    \
  }

OPENS(FILE, fopen, (const char *restrict path, const char *restrict mode), (path, mode))
OPENS(FILE, fopen64, (const char *restrict path, const char *restrict mode), (path, mode))
OPENS(FILE, fdopen, (int file, const char *mode), (file, mode))
OPENS(FILE, fmemopen, (void *bytes, size_t size, const char *mode), (bytes, size, mode))
OPENS(FILE, open_memstream, (char **out, size_t *size), (out, size))
OPENS(FILE, tmpfile, (void), ())
OPENS(FILE, tmpfile64, (void), ())
OPENS(DIR, opendir, (const char *path), (path))
OPENS(DIR, fdopendir, (int file), (file))
OPENS(void, iconv_open, (const char *to, const char *from), (to, from))
OPENS(FTS, fts_open, (char *const *roots, int options, int (*compare)(const FTSENT **, const FTSENT **)),
      (roots, options, compare))

#define CLOSES(type, function)                              \
  int function(type *stream) {                              \
    if (eo__outside_caller()) eo__files_stream_new(stream); \
    return EO_REAL(function)(stream);                       \
  }

CLOSES(FILE, fclose)
CLOSES(DIR, closedir)

/* ---- Characters that macros take out of a stream's buffer, with no call: so the stream gets none ---------------------------- */

int __uflow(FILE *stream) {
  if (eo__outside_caller()) {
    eo__files_stream(stream, true, false);
    EO_REAL(setvbuf)(stream, NULL, _IONBF, 0);
  }
  return EO_REAL(__uflow)(stream);
}
