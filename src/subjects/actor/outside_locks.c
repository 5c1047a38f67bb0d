/* outside_locks.c: locks that belong to whoever took them. All processes run in one thread, while in the program that is tested
 * each may be a thread of its own (eo_live_run). The C library tells by the number of the calling thread whether a recursive
 * mutex, a mutex that checks errors or a read-write lock is the caller's own, and keeps that number in the thread's descriptor.
 * While a process is inside one of these functions, the number there is the process's: a lock that another process holds makes
 * the call wait, which is a finding (outside_waits.c), or fail as it does for another thread. */
#include <pthread.h>
#include <unistd.h>

#include "subjects/actor/inside.h"
#include "subjects/actor/outside.h"

/* No thread of Linux has such a number, and a lock has room for it. */
enum { NUMBERS = 1 << 29 };

EO_OWN static struct {
  int *at; /* in the descriptor of the exploring thread; NULL: it was not found */
  int own; /* what the kernel calls this thread */
} number;

static bool decides(int *at) {
  pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  int before = *at;
  *at = NUMBERS;
  bool taken = EO_REAL(pthread_mutex_lock)(&lock) == 0;
  bool owned = lock.__data.__owner == NUMBERS;
  if (taken) EO_REAL(pthread_mutex_unlock)(&lock);
  *at = before;
  return owned;
}

void eo__locks_open(void) {
  enum { FIRST_WORDS = 256 };
  int *words = (int *)pthread_self();
  number.own = gettid();
  number.at = NULL;
  for (int i = 0; !number.at && i < FIRST_WORDS; i++)
    if (words[i] == number.own && decides(&words[i])) number.at = &words[i];
}

void eo__locks_back(void) {
  if (number.at) *number.at = number.own;
}

typedef uintptr_t word;
typedef word whatever(word, word, word, word);

/* In C their names are others: none of their arguments is looked at, and there are at most four. */
#define LOCKS(function)                                                           \
  word eo__locking_##function(word a, word b, word c, word d) __asm__(#function); \
  EO_PASSES_ON word eo__locking_##function(word a, word b, word c, word d) {      \
    EO_OWN static void *next;                                                     \
    void *found = __atomic_load_n(&next, __ATOMIC_RELAXED);                       \
    if (__builtin_expect(!found, 0)) found = eo__outside_next(&next, #function);  \
    const eo_process *process = eo__outside_caller();                             \
    if (process && number.at) *number.at = NUMBERS + (int)process->slot;          \
    word result = ((whatever *)(word)found)(a, b, c, d);                          \
    if (process) eo__locks_back();                                                \
    return result;                                                                \
  }

LOCKS(pthread_mutex_lock)
LOCKS(pthread_mutex_trylock)
LOCKS(pthread_mutex_timedlock)
LOCKS(pthread_mutex_clocklock)
LOCKS(pthread_mutex_unlock)
LOCKS(pthread_cond_wait)
LOCKS(pthread_cond_timedwait)
LOCKS(pthread_cond_clockwait)
LOCKS(pthread_rwlock_rdlock)
LOCKS(pthread_rwlock_wrlock)
LOCKS(pthread_rwlock_tryrdlock)
LOCKS(pthread_rwlock_trywrlock)
LOCKS(pthread_rwlock_timedrdlock)
LOCKS(pthread_rwlock_timedwrlock)
LOCKS(pthread_rwlock_clockrdlock)
LOCKS(pthread_rwlock_clockwrlock)
LOCKS(pthread_rwlock_unlock)
LOCKS(mtx_lock)
LOCKS(mtx_trylock)
LOCKS(mtx_timedlock)
LOCKS(mtx_unlock)
LOCKS(cnd_wait)
LOCKS(cnd_timedwait)
