/* store.c: STORE(x,y,z) of Simsa et al. 2012, section 4.1: a key-value store of y front-ends and z back-ends, and x users.
 *
 * A back-end owns part of the keys and answers puts and gets of them in the order in which they reach it. A front-end
 * routes requests to the back-end that owns the key, and the reply to the user.
 *
 * The test passes when every get returns the value set by the latest put of its key. Users do not hear of each other,
 * so that no order of requests but the one in which they reach the key's back-end is known to anybody: the latest put
 * is the last one that it took before the get. It counts the puts of a key and tells the count in each reply. So a user
 * that puts and then gets can tell: if there was no put since its own, it must see its own value, otherwise one that
 * another user put under this key.
 *
 * What the report leaves open: what users ask for, which front-end they use, and whether a front-end begins a request
 * while the one before is under way. Here it does not; user u uses front-end u % y; the first of each front-end puts and
 * then gets, the others put once; keys are as many as front-ends, users take them in turn, but the second row of users
 * that of the neighbour, so that front-ends meet at back-ends. This gives 3,801,600 executions that can be told apart for
 * 11 users, 3 front-ends and 3 back-ends (report: 2,766,228 branches), and 23,544,000 for 12 (report: about 21 million). */
#include <everyorder.h>

enum { PUT_REQUEST, GET_REQUEST, PUT, GET, PUT_REPLY, GET_REPLY };

enum { MAX_USERS = 12, MAX_FRONT_ENDS = 3, MAX_BACK_ENDS = 3, MAX_KEYS = MAX_FRONT_ENDS };

static const int requests[] = {PUT_REQUEST, GET_REQUEST}, replies[] = {PUT_REPLY, GET_REPLY};

struct size {
  int users, front_ends, back_ends;
};

/* In requests and replies. */
struct entry {
  int key, value;
  int puts; /* of this key so far, in replies */
};

static struct entry entry_of(const eo_message *message) { return *(const struct entry *)message->data; }

static void send(eo_pid to, int tag, struct entry entry) { eo_send(to, tag, &entry, sizeof(entry)); }

/* What user number u does. */
static int front_end_of(const struct size *size, int u) { return u % size->front_ends; }
static int key_of(const struct size *size, int u) {
  const bool second_row = u / size->front_ends == 1;
  return (second_row ? u + 1 : u) % size->front_ends;
}
static bool gets(const struct size *size, int u) { return u < size->front_ends; }

static int back_end_of(const struct size *size, int key) { return key % size->back_ends; }

/* ---- The store -------------------------------------------------------------------------------------------------- */

struct back_end {
  int count; /* of requests it will get in all, so that it knows when to end */
};

static void back_end(void *argument) {
  const struct back_end *self = argument;
  struct entry entries[MAX_KEYS] = {{0, 0, 0}};
  for (int i = 0; i < self->count; i++) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    const struct entry request = entry_of(&message);
    struct entry *entry = &entries[request.key];
    if (message.tag == PUT) *entry = (struct entry){request.key, request.value, entry->puts + 1};
    send(message.from, message.tag == PUT ? PUT_REPLY : GET_REPLY, *entry);
  }
}

struct front_end {
  struct size size;
  int count; /* as above */
  eo_pid back_ends[MAX_BACK_ENDS];
};

static void front_end(void *argument) {
  const struct front_end *self = argument;
  for (int i = 0; i < self->count; i++) {
    eo_message message;
    eo_receive_tags(&message, requests, 2, EO_FOREVER);
    const eo_pid user = message.from;
    const struct entry request = entry_of(&message);
    const int tag = message.tag == PUT_REQUEST ? PUT : GET;
    send(self->back_ends[back_end_of(&self->size, request.key)], tag, request);
    eo_receive_tags(&message, replies, 2, EO_FOREVER);
    send(user, message.tag, entry_of(&message));
  }
}

/* ---- Users ------------------------------------------------------------------------------------------------------ */

struct user {
  struct size size;
  int number; /* also the value that it puts */
  eo_pid front_end;
};

static struct entry ask(const struct user *self, int tag) {
  eo_message message;
  const int key = key_of(&self->size, self->number);
  send(self->front_end, tag, (struct entry){key, self->number, 0});
  eo_receive(&message, EO_FOREVER);
  eo_assert(message.tag == (tag == PUT_REQUEST ? PUT_REPLY : GET_REPLY), "a reply to something else");
  const struct entry reply = entry_of(&message);
  eo_assert(reply.key == key, "asked for key %d, got %d", key, reply.key);
  return reply;
}

static void user(void *argument) {
  const struct user *self = argument;
  const struct entry mine = ask(self, PUT_REQUEST);
  eo_assert(mine.value == self->number, "put %d, and %d was stored", self->number, mine.value);
  if (!gets(&self->size, self->number)) return;
  const struct entry latest = ask(self, GET_REQUEST);
  eo_assert(latest.puts >= mine.puts, "a put was forgotten");
  eo_assert((latest.puts == mine.puts) == (latest.value == self->number), "not the value of the latest put");
  eo_assert(key_of(&self->size, latest.value) == mine.key, "a value that nobody put under this key");
}

/* ---- Tests ------------------------------------------------------------------------------------------------------ */

static void store(struct size size) {
  struct back_end back_ends[MAX_BACK_ENDS] = {{0}};
  struct front_end front_ends[MAX_FRONT_ENDS];
  eo_pid pids[MAX_FRONT_ENDS];
  for (int f = 0; f < size.front_ends; f++) front_ends[f] = (struct front_end){.size = size};
  for (int u = 0; u < size.users; u++) {
    const int count = gets(&size, u) ? 2 : 1;
    front_ends[front_end_of(&size, u)].count += count;
    back_ends[back_end_of(&size, key_of(&size, u))].count += count;
  }
  for (int b = 0; b < size.back_ends; b++) {
    const eo_pid pid = eo_spawn(back_end, &back_ends[b], sizeof(back_ends[b]));
    for (int f = 0; f < size.front_ends; f++) front_ends[f].back_ends[b] = pid;
  }
  for (int f = 0; f < size.front_ends; f++) pids[f] = eo_spawn(front_end, &front_ends[f], sizeof(front_ends[f]));
  for (int u = 0; u < size.users; u++) {
    const struct user self = {size, u, pids[front_end_of(&size, u)]};
    eo_spawn(user, &self, sizeof(self));
  }
}

#define STORE(x, y, z) \
  EO_TEST(store_##x##_##y##_##z) { store((struct size){x, y, z}); }

STORE(1, 1, 1)
STORE(2, 1, 1)
STORE(3, 1, 1)
STORE(4, 1, 1)
STORE(2, 2, 1)
STORE(3, 2, 1)
STORE(4, 2, 1)
STORE(2, 2, 2)
STORE(3, 2, 2)
STORE(4, 2, 2)
STORE(5, 2, 2)
STORE(6, 2, 2)
STORE(7, 2, 2)
STORE(8, 2, 2)
STORE(3, 3, 3)
STORE(4, 3, 3)
STORE(5, 3, 3)
STORE(6, 3, 3)
STORE(7, 3, 3)
STORE(8, 3, 3)
STORE(9, 3, 3)
STORE(10, 3, 3)
STORE(11, 3, 3)
STORE(12, 3, 3)
