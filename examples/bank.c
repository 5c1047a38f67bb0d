/* bank.c: an account is a process, money moves by messages.
 *
 * The first way to deposit reads the balance, adds to it and writes it back: two at a time may read the same balance,
 * and then one deposit is lost. The second way sends the amount, and the account, which does one thing at a time, adds
 * it. */
#include <everyorder.h>

enum { READ, WRITE, DEPOSIT, CLOSE, REPLY, DONE };

static void account(void *argument) {
  long balance = *(const long *)argument;
  for (;;) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    const long amount = *(const long *)message.data;
    switch (message.tag) {
      case WRITE: balance = amount; break;
      case DEPOSIT: balance += amount; break;
    }
    eo_send(message.from, REPLY, &balance, sizeof(balance)); /* to READ and CLOSE as well */
    if (message.tag == CLOSE) return;
  }
}

/* Sends a request and waits for the balance after it. */
static long call(eo_pid to, int request, long amount) {
  eo_message message;
  eo_send(to, request, &amount, sizeof(amount));
  eo_receive_tag(&message, REPLY, EO_FOREVER);
  return *(const long *)message.data;
}

static void deposit_by_write(eo_pid to, long amount) {
  const long balance = call(to, READ, 0);
  call(to, WRITE, balance + amount); /* The bug: the balance may have changed since it was read. */
}

static void deposit(eo_pid to, long amount) { call(to, DEPOSIT, amount); }

typedef void deposit_function(eo_pid to, long amount);

struct client {
  deposit_function *deposit;
  eo_pid account, test;
};

static void client(void *argument) {
  const struct client *self = argument;
  self->deposit(self->account, 20);
  eo_send(self->test, DONE, NULL, 0);
}

/* A client deposits 20 while the test deposits 10. */
static void two_deposits(deposit_function *make_deposit) {
  const long start = 100;
  const eo_pid to = eo_spawn(account, &start, sizeof(start));
  const struct client other = {make_deposit, to, eo_self()};
  eo_message message;
  eo_spawn(client, &other, sizeof(other));
  make_deposit(to, 10);
  eo_receive_tag(&message, DONE, EO_FOREVER);
  const long balance = call(to, CLOSE, 0);
  eo_assert(balance == 130, "100 + 10 + 20 is 130, the account holds %ld", balance);
}

EO_TEST(lost_update) { two_deposits(deposit_by_write); } /* fails: assertion */
EO_TEST(deposits) { two_deposits(deposit); }             /* passes */
