/* live_server.c: a program, not a test: the account server that one would explore with EO_TEST, here on real threads.
 *
 * A supervisor starts a server under the name "bank" and clients that deposit. The server dies once on purpose; the
 * supervisor hears of it by its monitor, starts a new one with the balance of the last backup, and the clients, which
 * wait for each answer with a timeout, ask again. Deposits carry a number, so that asking twice is not paying twice.
 * Prints a summary and exits with 0 if not a coin was lost or made up. */
#include <stdio.h>
#include <string.h>

#include <everyorder.h>

enum { CLIENTS = 8, DEPOSITS = 50, COINS = 3, CRASH_AFTER = 60, CRASHED = 1 };
enum { DEPOSIT = 1, DONE, BACKUP, STOP, FINISHED };

/* The last deposit that each client made: what the server knows, and what the supervisor keeps for the next one. */
typedef struct ledger {
  int balance;
  int last[CLIENTS];
} ledger;

typedef struct server_start {
  ledger ledger;
  eo_pid supervisor;
  int crash_after; /* deposits; 0: never */
} server_start;

typedef struct deposit {
  int client;
  int number;
  int coins;
} deposit;

static void server(void *argument) {
  server_start *start = argument;
  ledger *book = &start->ledger;
  eo_message message;
  for (int served = 1;; served++) {
    const int tags[] = {DEPOSIT, STOP};
    eo_receive_tags(&message, tags, 2, EO_FOREVER);
    if (message.tag == STOP) return;
    const deposit *asked = message.data;
    if (asked->number > book->last[asked->client]) {
      book->last[asked->client] = asked->number;
      book->balance += asked->coins;
      eo_send(start->supervisor, BACKUP, book, sizeof *book);
    }
    /* Between the backup and the answer: the client must not be able to tell this from a lost request. */
    if (served == start->crash_after) eo_exit(CRASHED);
    eo_send(message.from, DONE, &asked->number, sizeof asked->number);
  }
}

static bool answers(const eo_message *message, void *number) {
  return message->tag == DONE && *(const int *)message->data == *(int *)number;
}

static void client(void *argument) {
  deposit asked = {.client = *(int *)argument, .coins = COINS};
  eo_message message;
  int again = 0;
  for (asked.number = 1; asked.number <= DEPOSITS; asked.number++) {
    bool done = false;
    while (!done) {
      eo_pid bank = eo_whereis("bank"); /* nobody, while a new server is being started */
      if (bank != EO_NOBODY) eo_send(bank, DEPOSIT, &asked, sizeof asked);
      done = eo_receive_if(&message, answers, &asked.number, 20);
      again += !done;
    }
  }
  eo_send_name("supervisor", FINISHED, &again, sizeof again);
}

static eo_ref start_server(const ledger *book, int crash_after) {
  server_start start = {.ledger = *book, .supervisor = eo_self(), .crash_after = crash_after};
  eo_ref ref;
  eo_pid pid = eo_spawn_monitor(server, &start, sizeof start, &ref);
  eo_assert(eo_register("bank", pid), "the name of the last server is still there");
  return ref;
}

typedef struct summary {
  ledger ledger;
  int crashes, finished, again;
} summary;

/* One message to the supervisor, while clients run. Backups come before the DOWN of the server that sent them. */
static void supervise(summary *sum, eo_ref *server_ref) {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  if (message.tag == BACKUP) {
    sum->ledger = *(const ledger *)message.data;
  } else if (message.tag == FINISHED) {
    sum->finished++;
    sum->again += *(const int *)message.data;
  } else if (message.tag == EO_DOWN) {
    const eo_down_info *down = message.data;
    eo_assert(down->ref == *server_ref && down->reason == CRASHED, "reason %d", down->reason);
    sum->crashes++;
    *server_ref = start_server(&sum->ledger, 0);
  } else {
    const eo_exit_info *exit = message.data; /* a client: linked, so that none can end unseen */
    eo_assert(message.tag == EO_EXIT && exit->reason == EO_NORMAL, "a client ended with reason %d", exit->reason);
  }
}

static void supervisor(void *argument) {
  summary *sum = argument;
  eo_message message;
  eo_trap_exit(true);
  eo_register("supervisor", eo_self());
  eo_ref ref = start_server(&sum->ledger, CRASH_AFTER);
  for (int i = 0; i < CLIENTS; i++) eo_spawn_link(client, &i, sizeof i);
  while (sum->finished < CLIENTS) supervise(sum, &ref);

  /* The clients have their answers, and each backup was sent before its answer: all are in the mailbox by now. */
  while (eo_receive_tag(&message, BACKUP, 0)) sum->ledger = *(const ledger *)message.data;
  eo_demonitor(ref, EO_FLUSH);
  eo_send_name("bank", STOP, NULL, 0);
}

int main(void) {
  summary sum;
  memset(&sum, 0, sizeof sum);
  int reason = eo_live_run(supervisor, &sum);
  int expected = CLIENTS * DEPOSITS * COINS;
  bool right = reason == EO_NORMAL && sum.ledger.balance == expected && sum.crashes == 1;
  printf("%d clients, %d deposits each: balance %d of %d, %d server crash, %s asked again, %s\n", CLIENTS, DEPOSITS,
         sum.ledger.balance, expected, sum.crashes, sum.again > 0 ? "somebody" : "nobody", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
