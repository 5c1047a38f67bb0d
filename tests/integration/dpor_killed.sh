#!/usr/bin/env bash
# Steps that end whole workers, beside others that fail: dpor and reach find what dfs finds, whichever process comes first, also
# where what ends the worker depends on the order of two steps or on which message is taken.
# takes: 3
# timeout: 600
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

cat >killed.c <<'PROGRAM'
#include <everyorder.h>
#include <signal.h>

static void wrong(void *argument) {
  (void)argument;
  eo_assert(eo_choose(2) == 2, "wrong");
}

static void die(void *argument) {
  (void)argument;
  (void)eo_choose(1);
  raise(SIGKILL);
}

EO_TEST(dies_second) {
  eo_spawn(wrong, NULL, 0);
  eo_spawn(die, NULL, 0);
}

EO_TEST(dies_first) {
  eo_spawn(die, NULL, 0);
  eo_spawn(wrong, NULL, 0);
}

/* Whoever is second at the name: one of them is to fail, the other ends the worker. */
static void register_or(void *argument) {
  const bool dies = *(const bool *)argument;
  if (eo_register("x", eo_self())) return;
  if (dies) raise(SIGKILL);
  eo_assert(false, "not dies and second");
}

EO_TEST(second_at_name) {
  for (int i = 0; i < 2; i++) eo_spawn(register_or, &(bool){i == 0}, sizeof(bool));
}

typedef struct word {
  eo_pid to;
  int tag;
} word;

static void sender(void *argument) {
  const word *w = argument;
  eo_send(w->to, w->tag, NULL, 0);
}

/* One message ends the worker, the other one fails. */
EO_TEST(by_message) {
  eo_message message;
  for (int i = 1; i <= 2; i++) eo_spawn(sender, &(word){eo_self(), i}, sizeof(word));
  eo_receive(&message, EO_FOREVER);
  if (message.tag == 1) raise(SIGKILL);
  eo_assert(message.tag != 2, "not two");
}

static void child(void *argument) {
  (void)argument;
  raise(SIGKILL);
}

/* The worker dies in the code of a child, before its first operation. */
EO_TEST(in_spawn) {
  eo_spawn(wrong, NULL, 0);
  if (eo_flip()) eo_spawn(child, NULL, 0);
  eo_assert(eo_flip(), "neither");
}
PROGRAM
compile killed.c killed

findings() { # STRATEGY JOBS
  local status=0
  timeout 100 ./killed --test "$name" --strategy "$1" --jobs "$2" --keep-going --tickets "$name-$1-$2" --json "$1.json" \
    >out 2>&1 </dev/null || status=$?
  same $status 1 "$name, $1, $2 workers: exit code"
  same "$(member "$1.json" complete)" true "$name, $1, $2 workers: complete"
  paste <(member "$1.json" kind finding) <(member "$1.json" process finding) | sort
}

for name in dies_first dies_second second_at_name by_message in_spawn; do
  echo "$name"
  expected=$(findings dfs 1)
  same "$(wc -l <<<"$expected" | tr -d ' ')" "$(case $name in in_spawn) echo 3 ;; *) echo 2 ;; esac)" \
    "$name: findings of dfs"
  for strategy in dpor reach; do
    if [ "$name-$strategy" = second_at_name-reach ]; then continue; fi # its race is none of messages
    for jobs in 1 2; do
      if [ $strategy-$jobs = reach-2 ]; then continue; fi
      same "$(findings $strategy $jobs)" "$expected" "$name: $strategy with $jobs workers finds"
      for ticket in "$name-$strategy-$jobs"/*; do
        timeout 50 "$everyorder" replay "$ticket" >out 2>&1
        same $? 1 "$ticket: exit code of the replay"
      done
    done
  done
done
all_well
