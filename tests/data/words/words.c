/* Messages of every make: enums, nested structs, unions, bit-fields, pids, texts, arrays, and what nobody can know. */
#include <everyorder.h>
#include <string.h>
#define MACRO_TAG 77
enum kind { VOTE = 1, APPEND, TEXT, NUMBERS, FLAGS, LOCATED, RAW, MOOD, OPEN_ENDED, FORWARDED, STRICT, DONE, NUMBER };
enum mood { SAD = -1, HAPPY = 1, ANGRY = 7 };
typedef struct vote {
  int term;
  eo_pid candidate;
} vote;
struct point {
  short x, y;
};
struct located {
  const char *label;
  struct {
    struct point at;
    double weight;
  } where;
  enum mood mood;
  bool sure;
  char tiny;
};
typedef struct flags {
  unsigned urgent : 1, level : 3;
  int delta : 4;
  enum mood mood : 5;
  unsigned long rest : 40;
} flags;
struct open_ended {
  unsigned char count;
  short items[];
};
typedef struct append {
  int index;
  char entry[8];
} append;
typedef struct packet {
  enum kind kind;
  union {
    vote vote;
    append append;
    int plain;
  } u;
} packet;
struct both_sized {
  long a, b;
};
typedef union both {
  float number;
  unsigned bits;
} both;
typedef struct sizes { /* of every size */
  __extension__ __int128 huge;
  float _Complex complex;
  long double longest;
  unsigned char byte;
  signed char tiny;
  void (*callback)(void *);
} sizes;
typedef struct __attribute__((packed)) across { /* nine bytes, with a bit-field that has bits in all of them */
  unsigned long before : 3, wide : 63;
  unsigned char behind : 6;
} across;
EO_MESSAGE(STRICT, vote);
static struct point origin = {1, -2};

static void through(eo_pid to, int tag, const void *data, size_t size) { eo_send(to, tag, data, size); }
static inline const struct point *middle(const struct located *l) { return &l->where.at; }

static void child(void *argument) {
  (void)argument;
  eo_message m;
  while (eo_receive(&m, EO_FOREVER) && m.tag != DONE) continue;
  eo_assert(false, "all have come");
}

/* What EO_MESSAGE and eo_data hold a program to. */
EO_TEST(strict_send) { eo_tell(eo_self(), STRICT, 3); }
EO_TEST(strict_data) {
  eo_message m;
  eo_tell(eo_self(), STRICT, (vote){1, eo_self()});
  eo_receive(&m, EO_FOREVER);
  eo_assert(eo_data(&m, vote)->candidate == eo_self(), "another candidate");
  eo_assert(eo_data(&m, struct both_sized)->a == 1, "never reached");
}
EO_TEST(data_of_another_size) {
  eo_message m;
  eo_tell(eo_self(), VOTE, (vote){1, eo_self()});
  eo_receive(&m, EO_FOREVER);
  eo_assert(eo_data(&m, vote)->term == 1, "another term");
  eo_assert(*eo_data(&m, int) == 1, "never reached");
}
EO_TEST(names) {
  eo_pid to = eo_spawn(child, NULL, 0);
  eo_register("collector", to);
  eo_assert(strcmp(eo_name(to), "P1.1") == 0 && strcmp(eo_name(eo_self()), "P1") == 0, "%s", eo_name(to));
  eo_assert(strcmp(eo_name(EO_NOBODY), "nobody") == 0, "%s", eo_name(EO_NOBODY));
  eo_assert(!*eo_name(12345), "never reached");
}

/* An event that is announced in the step of a send. */
static void looks(void *self, const eo_message *event) { (void)self, (void)event; }
static const eo_machine watch = {
    .name = "watch", EO_OBSERVES(VOTE), EO_STATES({.name = "only", .on = EO_ON(EO_DO(VOTE, looks))})};
EO_TEST(announces) {
  eo_specify(&watch, NULL, 0);
  eo_pid to = eo_spawn(child, NULL, 0);
  vote v = {5, to};
  short numbers[2] = {1, -2};
  eo_send(to, NUMBERS, numbers, sizeof numbers);
  eo_announce(VOTE, &v, sizeof v);
  eo_send(to, DONE, NULL, 0);
}

EO_TEST(flips) {
  eo_flip_fair();
  eo_assert(!eo_flip(), "it is true");
}

/* What a pointer leads to is shown where it cannot change. */
EO_TEST(pointers) {
  eo_pid to = eo_spawn(child, NULL, 0);
  char writable[] = "may change";
  eo_tell(to, LOCATED, (struct located){.label = "a \"literal\"\x1b[31m"});
  eo_tell(to, LOCATED, (struct located){.label = writable});
  eo_tell(to, LOCATED, (struct located){.label = (const char *)1});
  eo_send(to, DONE, NULL, 0);
}

EO_TEST(shown) {
  eo_pid to = eo_spawn(child, NULL, 0);
  eo_register("collector", to);
  vote v = {3, to}, *pointer = &v, votes[2] = {{1, EO_NOBODY}, {2, eo_self()}};
  enum kind kind = VOTE;
  int number = APPEND, numbers[3] = {1, -2, 3};
  char text[] = "a \"text\"\n\x1b[31m<b>\xff\xc3\xa9", buffer[16] = "short";
  struct located l = {NULL, {{5, 6}, 0.5}, ANGRY, true, 'q'};
  flags f = {1, 5, -3, SAD, 1ul << 35};
  packet p = {.kind = APPEND, .u.append = {7, "x=1"}}, q = {.kind = VOTE, .u.vote = {8, to}};
  both b = {.bits = 0};
  unsigned char raw[5] = {1, 2, 0, 4, 5};
  void *nameless = &v;
  union {
    struct open_ended head;
    short all[4];
  } open = {.all = {3, 10, 20, -30}};
  eo_send(to, VOTE, &v, sizeof v);
  eo_send(to, kind, pointer, sizeof *pointer);
  eo_send(to, number, &p, sizeof p);
  eo_send(to, p.kind == APPEND ? APPEND : VOTE, &q, sizeof(packet));
  eo_send(to, VOTE, votes, sizeof votes);
  eo_send(to, VOTE, &votes[1], sizeof(vote));
  eo_send(to, VOTE, votes + 1, sizeof *votes);
  eo_send(to, TEXT, text, sizeof text);
  eo_send(to, TEXT, buffer, strlen(buffer) + 1);
  eo_send(to, TEXT, "literal", 8);
  eo_send(to, NUMBERS, numbers, sizeof numbers);
  eo_send(to, NUMBERS, (int[]){4, 5}, 2 * sizeof(int));
  eo_send(to, NUMBERS, &(unsigned long){1ul << 40}, sizeof(unsigned long));
  eo_send(to, FLAGS, &f, sizeof f);
  eo_send(to, LOCATED, &l, sizeof l);
  eo_send(to, LOCATED, &l.where.at, sizeof l.where.at);
  eo_send(to, LOCATED, middle(&l), sizeof(struct point));
  eo_send(to, LOCATED, &origin, sizeof origin);
  eo_send(to, MOOD, &l.mood, sizeof l.mood);
  eo_send(to, MOOD, &b, sizeof b);
  eo_send(to, OPEN_ENDED, &open.head, sizeof open.all);
  eo_send(to, RAW, raw, sizeof raw);
  eo_send(to, RAW, nameless, 5);
  eo_send(to, MACRO_TAG, nameless, sizeof(vote));
  through(to, VOTE, &v, sizeof v);
  through(to, NUMBERS, "\1\2\3", 3);
  eo_send(to, 1000 + number, NULL, 0);
  eo_tell(to, STRICT, v);
  eo_tell(to, VOTE, (vote){4, eo_self()});
  eo_tell(to, MOOD, HAPPY);
  eo_tell(to, MOOD, 2.5);
  eo_tell(to, FLAGS, true);
  eo_tell(to, NUMBER, (sizes){-((__int128)1 << 100), 1, 0.25, 'b', -1, child});
  eo_tell(to, NUMBER, (across){1, (1ul << 62) | 5, 3});
  eo_send(to, DONE, NULL, 0);
}
