/* bank.c: accounts are processes, money moves by messages.
 *
 * The first way to deposit reads the balance, adds to it and writes it back: two at a time may read the same balance,
 * and then one deposit is lost. The second sends the amount, and the account, which does one thing at a time, adds it.
 */
#include <everyorder.h>

enum { READ, WRITE, DEPOSIT, WITHDRAW, CLOSE, REPLY, DONE };

static void reply(eo_pid to, long value) { eo_send(to, REPLY, &value, sizeof(value)); }

static void account(void *argument) {
  long balance = *(const long *)argument;
  for (;;) {
    eo_message message;
    eo_receive(&message, EO_FOREVER);
    const long amount = message.size == sizeof(long) ? *(const long *)message.data : 0;
    switch (message.tag) {
      case READ: reply(message.from, balance); break;
      case WRITE:
        balance = amount;
        reply(message.from, balance);
        break;
      case DEPOSIT:
        balance += amount;
        reply(message.from, balance);
        break;
      case WITHDRAW: { /* all or nothing; replies what it pays out */
        const long paid = balance >= amount ? amount : 0;
        balance -= paid;
        reply(message.from, paid);
        break;
      }
      case CLOSE: reply(message.from, balance); return;
    }
  }
}

static eo_pid account_open(long balance) { return eo_spawn(account, &balance, sizeof(balance)); }

static long call(eo_pid to, int tag, long amount) {
  eo_message message;
  eo_send(to, tag, &amount, sizeof(amount));
  eo_receive_tag(&message, REPLY, EO_FOREVER);
  return *(const long *)message.data;
}

struct client {
  eo_pid test, from, to;
  long amount;
};

static void deposit_by_write(void *argument) {
  const struct client *self = argument;
  const long balance = call(self->to, READ, 0);
  call(self->to, WRITE, balance + self->amount); /* The bug: the balance may have changed since it was read. */
  eo_send(self->test, DONE, NULL, 0);
}

static void deposit(void *argument) {
  const struct client *self = argument;
  call(self->to, DEPOSIT, self->amount);
  eo_send(self->test, DONE, NULL, 0);
}

static void transfer(void *argument) {
  const struct client *self = argument;
  const long paid = call(self->from, WITHDRAW, self->amount);
  call(self->to, DEPOSIT, paid);
  eo_send(self->test, DONE, NULL, 0);
}

static void run_two(eo_function work, const struct client *one, const struct client *other) {
  eo_message message;
  eo_spawn(work, one, sizeof(*one));
  eo_spawn(work, other, sizeof(*other));
  eo_receive_tag(&message, DONE, EO_FOREVER);
  eo_receive_tag(&message, DONE, EO_FOREVER);
}

static void two_deposits(eo_function work) {
  const eo_pid to = account_open(100);
  const struct client one = {eo_self(), EO_NOBODY, to, 10}, other = {eo_self(), EO_NOBODY, to, 20};
  run_two(work, &one, &other);
  const long balance = call(to, CLOSE, 0);
  eo_assert(balance == 130, "100 + 10 + 20 is 130, the account holds %ld", balance);
}

EO_TEST(lost_update) { two_deposits(deposit_by_write); } /* fails: assertion */
EO_TEST(deposits) { two_deposits(deposit); }             /* passes */

/* Passes: whichever way the two transfers cross, no money is made or lost. */
EO_TEST(transfers) {
  const eo_pid a = account_open(10), b = account_open(0);
  const struct client there = {eo_self(), a, b, 10}, back = {eo_self(), b, a, 10};
  run_two(transfer, &there, &back);
  const long balance_a = call(a, CLOSE, 0), balance_b = call(b, CLOSE, 0);
  eo_assert(balance_a >= 0 && balance_b >= 0, "overdrawn: %ld and %ld", balance_a, balance_b);
  eo_assert(balance_a + balance_b == 10, "10 became %ld + %ld", balance_a, balance_b);
}
