/* outside_random.c: random numbers of a process. They are the same in every execution, and each process has its own: what
 * one draws does not change what another one gets. rand, random and drand48 give the C library's sequences, as if the
 * process were a program of its own; where a machine would give entropy, a process gets a sequence that its logical id
 * decides.
 *
 * The state lies on the heap of the process (eo_kept), so that it is saved, restored and hashed with the rest. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "subjects/actor/outside.h"

uint64_t eo__outside_entropy(eo_process *process, const void *caller) {
  eo_kept *kept = eo__outside_kept(process, caller);
  uint64_t word = eo__actor->known.items[process->number].key + ++kept->drawn * 0x9e3779b97f4a7c15u; /* splitmix64 */
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9u;
  word = (word ^ word >> 27) * 0x94d049bb133111ebu;
  return word ^ word >> 31;
}

void eo__outside_fill(eo_process *process, const void *caller, void *bytes, size_t size) {
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word = eo__outside_entropy(process, caller);
    memcpy((char *)bytes + at, &word, size - at < sizeof word ? size - at : sizeof word);
  }
}

static struct random_data *random_of(eo_process *process, const void *caller) {
  eo_kept *kept = eo__outside_kept(process, caller);
  if (!kept->seeded) initstate_r(1, kept->random_state, sizeof kept->random_state, &kept->random);
  kept->seeded = true;
  return &kept->random;
}

static struct drand48_data *drand48_of(eo_process *process, const void *caller) {
  return &eo__outside_kept(process, caller)->drand48;
}

/* ---- rand and random: one sequence, as in the C library --------------------------------------------------------- */

static int32_t draw(eo_process *process, const void *caller) {
  int32_t drawn = 0;
  random_r(random_of(process, caller), &drawn);
  return drawn;
}

long random(void) {
  eo_process *process = eo__outside_caller();
  return process ? draw(process, EO_CALLER) : EO_REAL(random)();
}

int rand(void) {
  eo_process *process = eo__outside_caller();
  return process ? draw(process, EO_CALLER) : EO_REAL(rand)();
}

void srandom(unsigned seed) {
  eo_process *process = eo__outside_caller();
  if (process)
    srandom_r(seed, random_of(process, EO_CALLER));
  else
    EO_REAL(srandom)(seed);
}

void srand(unsigned seed) {
  eo_process *process = eo__outside_caller();
  if (process)
    srandom_r(seed, random_of(process, EO_CALLER));
  else
    EO_REAL(srand)(seed);
}

/* A word before what random_data calls the state tells its kind: there begins what the program knows as the state. */
static char *state_of(const struct random_data *data) { return (char *)(data->state - 1); }

char *initstate(unsigned seed, char *state, size_t size) {
  eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(initstate)(seed, state, size);
  struct random_data *data = random_of(process, EO_CALLER);
  char *before = state_of(data);
  return initstate_r(seed, state, size, data) == 0 ? before : NULL;
}

char *setstate(char *state) {
  eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(setstate)(state);
  struct random_data *data = random_of(process, EO_CALLER);
  char *before = state_of(data);
  return setstate_r(state, data) == 0 ? before : NULL;
}

/* ---- drand48 and its kind ----------------------------------------------------------------------------------------- */

#define DRAWS_48(type, function)                          \
  type function(void) {                                   \
    eo_process *process = eo__outside_caller();           \
    type drawn = 0;                                       \
    if (!process) return EO_REAL(function)();             \
    function##_r(drand48_of(process, EO_CALLER), &drawn); \
    return drawn;                                         \
  }

DRAWS_48(double, drand48)
DRAWS_48(long, lrand48)
DRAWS_48(long, mrand48)

/* These have the caller's state, but use the multiplier that lcong48 sets. */
#define DRAWS_48_FROM(type, function)                            \
  type function(unsigned short state[3]) {                       \
    eo_process *process = eo__outside_caller();                  \
    type drawn = 0;                                              \
    if (!process) return EO_REAL(function)(state);               \
    function##_r(state, drand48_of(process, EO_CALLER), &drawn); \
    return drawn;                                                \
  }

DRAWS_48_FROM(double, erand48)
DRAWS_48_FROM(long, nrand48)
DRAWS_48_FROM(long, jrand48)

void srand48(long seed) {
  eo_process *process = eo__outside_caller();
  if (process)
    srand48_r(seed, drand48_of(process, EO_CALLER));
  else
    EO_REAL(srand48)(seed);
}

unsigned short *seed48(unsigned short seed[3]) {
  eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(seed48)(seed);
  struct drand48_data *data = drand48_of(process, EO_CALLER);
  seed48_r(seed, data);
  return data->__old_x;
}

void lcong48(unsigned short parameters[7]) {
  eo_process *process = eo__outside_caller();
  if (process)
    lcong48_r(parameters, drand48_of(process, EO_CALLER));
  else
    EO_REAL(lcong48)(parameters);
}

/* ---- Entropy ------------------------------------------------------------------------------------------------------ */

ssize_t getrandom(void *bytes, size_t size, unsigned flags) {
  eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(getrandom)(bytes, size, flags);
  eo__outside_fill(process, EO_CALLER, bytes, size);
  return (ssize_t)size;
}

int getentropy(void *bytes, size_t size) {
  eo_process *process = eo__outside_caller();
  if (!process) return EO_REAL(getentropy)(bytes, size);
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  eo__outside_fill(process, EO_CALLER, bytes, size);
  return 0;
}

/* The C library has these since 2.36; older headers do not declare them. */
#if !__GLIBC_PREREQ(2, 36)
uint32_t arc4random(void);
void arc4random_buf(void *bytes, size_t size);
uint32_t arc4random_uniform(uint32_t below);
#endif

static uint32_t real_word(void) {
  uint32_t word = 0;
  while (EO_REAL(getrandom)(&word, sizeof word, 0) != sizeof word) {}
  return word;
}

/* Without bias: 2^32 modulo `below` values are not used. */
static uint32_t uniform(eo_process *process, const void *caller, uint32_t below) {
  if (below < 2) return 0;
  for (;;) {
    uint32_t word = process ? (uint32_t)eo__outside_entropy(process, caller) : real_word();
    if (word >= -below % below) return word % below;
  }
}

uint32_t arc4random(void) {
  eo_process *process = eo__outside_caller();
  return process ? (uint32_t)eo__outside_entropy(process, EO_CALLER) : real_word();
}

void arc4random_buf(void *bytes, size_t size) {
  eo_process *process = eo__outside_caller();
  if (process) {
    eo__outside_fill(process, EO_CALLER, bytes, size);
    return;
  }
  for (size_t at = 0; at < size; at += sizeof(uint32_t)) {
    uint32_t word = real_word();
    memcpy((char *)bytes + at, &word, size - at < sizeof word ? size - at : sizeof word);
  }
}

uint32_t arc4random_uniform(uint32_t below) { return uniform(eo__outside_caller(), EO_CALLER, below); }

/* std::random_device::_M_getval(), which may ask the processor. */
unsigned _ZNSt13random_device9_M_getvalEv(void *self);
unsigned _ZNSt13random_device9_M_getvalEv(void *self) {
  eo_process *process = eo__outside_caller();
  return process ? (unsigned)eo__outside_entropy(process, EO_CALLER) : EO_REAL(_ZNSt13random_device9_M_getvalEv)(self);
}

/* The kernel puts 16 bytes of entropy into each program. */
unsigned long getauxval(unsigned long type) {
  static const unsigned char bytes[16] = {83, 107, 29, 211, 5, 151, 67, 239, 13, 193, 101, 47, 167, 79, 131, 223};
  return type == AT_RANDOM && eo__outside_caller() ? (unsigned long)(uintptr_t)bytes : EO_REAL(getauxval)(type);
}
