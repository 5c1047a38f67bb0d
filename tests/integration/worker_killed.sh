#!/usr/bin/env bash
# Workers that die: killed from outside at any time, they cost time and nothing else; killed by the program under test,
# they are a finding, and the search goes on.
# serial: it counts on the workers getting some processor time
# takes: 6
set -uo pipefail
# shellcheck source=tests/integration/tools.bash
. "$EO_SRC/tests/integration/tools.bash"

# ---- Killed from outside ---------------------------------------------------------------------------------------------------

export EO_WORKER_KILLED=$$.$RANDOM # by which all processes that come of a run are known
left() { grep -lzx "EO_WORKER_KILLED_RUN=$EO_WORKER_KILLED" /proc/[0-9]*/environ 2>/dev/null | tr '\n' ' '; }

conclude() { # the exit status of $main; nothing of it may be left
  local status=0 tries=0
  finish || status=$?
  while [ -n "$(left)" ]; do
    sleep 0.1
    if [ $((tries += 1)) -eq 100 ]; then problem "processes are left: $(left)"; fi
    if [ $tries -ge 100 ]; then break; fi
  done
  return $status
}

# Hundredths of a second that a process has run; nothing if it is gone.
ran() { # PID
  local text
  text=$(cat "/proc/$1/stat" 2>/dev/null) || return
  # shellcheck disable=SC2086 # into words
  set -- ${text##*) }
  [ "$1" = Z ] || echo $((${12} + ${13}))
}

# Waits for a worker that has run for so long, and sets $worker; fails when the exploration is over. Workers are the
# children of the program, but for the guard, which only waits for the end of the program.
await_worker() { # HUNDREDTHS
  local child time
  while kill -0 "$main" 2>/dev/null; do
    for child in $(pgrep -P "$main"); do
      if [ "$(cat "/proc/$child/comm" 2>/dev/null)" = 'eo guard' ]; then continue; fi
      time=$(ran "$child")
      if [ -n "$time" ] && [ "$time" -ge "$1" ] && [ "$child" != "$killed" ]; then
        worker=$child
        return 0
      fi
    done
    sleep 0.01
  done
  return 1
}

# One that is dead but not buried can be killed, too, and must not count again.
killed=
kill_it() {
  kill -KILL "$worker" 2>/dev/null || return
  killed=$worker
  kills=$((kills + 1))
}

# Each of them kills a few times; sets $kills to the workers it killed.
kill_early() { # in the first slice, and soon again
  kills=0
  while [ $kills -lt 3 ] && await_worker 2; do kill_it; done
}
kill_late() { # when something was handed back already
  kills=0
  while [ $kills -lt 3 ] && await_worker 1 && sleep 0.2 && kill -0 "$main" 2>/dev/null; do
    kill_it
  done
}

# The report, without what may differ.
essence() { # FILE
  grep -vE '"(elapsed_s|probes|restarts|transitions|skipped)"' "$1"
}

disturbed() { # STATUS HOW COMMAND...: like undisturbed.json, in spite of it
  local expected=$1 how=$2 status=0
  shift 2
  SLOW=$slow EO_WORKER_KILLED_RUN=$EO_WORKER_KILLED start "$@" --quiet --json disturbed.json
  "$how"
  conclude || status=$?
  same "$status" "$expected" "$how: exit code"
  if [ "$kills" -eq 0 ]; then problem "$how: it was over before anything was killed"; fi
  if ! cmp -s <(essence undisturbed.json) <(essence disturbed.json); then
    problem "$how: another result"
    diff <(essence undisturbed.json) <(essence disturbed.json) | head -n 20
  fi
  same "$(member disturbed.json restarts)" "$kills" "$how: restarts"
}

# Real work; and two programs that take their time when they are disturbed, so that kills come in time.
slow=60 # so that an exploration takes a second or two
slow_outlet
cat >slow.c <<'PROGRAM'
#include "order_of.h"

EO_TEST(clean) { order_of(3); }

EO_TEST(many) {
  const int order = order_of(4);
  eo_message message;
  eo_assert(order != 4321, "the wrong way round");
  eo_assert(order != 2143, "in pairs");
  if (order == 3412) abort();
  if (order == 4231) eo_exit(5);
  if (order == 1324) eo_receive(&message, EO_FOREVER);
}
PROGRAM
compile slow.c slow

undisturbed() { # STATUS COMMAND...
  local expected=$1 status=0
  shift
  EO_WORKER_KILLED_RUN=$EO_WORKER_KILLED start "$@" --quiet --json undisturbed.json
  conclude || status=$?
  same $status "$expected" 'undisturbed: exit code'
  same "$(member undisturbed.json restarts)" 0 'undisturbed: restarts'
}

echo 'clean explorations'
concurrent_stops=("$EO_BUILD/examples/reg_server" --test l6_12_concurrent_stops --strategy dfs)
undisturbed 0 "${concurrent_stops[@]}"
same "$(member undisturbed.json executions)" 827844 executions
disturbed 0 kill_early "${concurrent_stops[@]}"

clean=(./slow --test clean --strategy dfs)
undisturbed 0 "${clean[@]}"
same "$(member undisturbed.json executions)" 17592 executions
for how in kill_early kill_late; do disturbed 0 "$how" "${clean[@]}"; done

echo 'several workers'
clean+=(--jobs 2)
undisturbed 0 "${clean[@]}"
same "$(member undisturbed.json executions)" 17592 executions
for how in kill_early kill_late; do disturbed 0 "$how" "${clean[@]}"; done

echo 'findings on the way, each told once'
many=(./slow --test many --strategy random --seed 5 --executions 12000 --keep-going --tickets none)
undisturbed 1 "${many[@]}"
same "$(member undisturbed.json executions)" 12000 executions
same "$(member undisturbed.json kind finding | sort | tr '\n' ,)" 'abnormal exit,assertion,assertion,crash,deadlock,' kinds
for how in kill_early kill_late; do disturbed 1 "$how" "${many[@]}"; done

# ---- Killed by the program under test ---------------------------------------------------------------------------------------

# Where the system refuses filters of system calls: elsewhere such a call is refused, with its name.
gcc -O1 -Wall "$EO_SRC/tests/integration/hostile_bare.c" -o bare || exit 1

echo 'a program that kills its worker'
cat >suicide.c <<'PROGRAM'
#include <everyorder.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(void) { syscall(SYS_kill, syscall(SYS_getpid), SIGKILL); }
static void leave(void) { syscall(SYS_exit_group, 3); }

static void sender(void *argument) { eo_send(*(const eo_pid *)argument, 1, NULL, 0); }

static void victim(void *argument) {
  eo_message message;
  eo_receive(&message, EO_FOREVER);
  (*(void (*const *)(void))argument)();
}

static void in_a_child(void (*way)(void)) {
  const eo_pid child = eo_spawn(victim, &way, sizeof way);
  eo_spawn(sender, &child, sizeof child);
}

EO_TEST(always) { in_a_child(die); }
EO_TEST(always_twin) { in_a_child(abort); } /* a crash that the worker survives: the same executions */
EO_TEST(status) { in_a_child(leave); } /* is refused, before it happens */

static void in_one_of_four(void (*way)(void)) {
  const unsigned drawn = eo_choose(4);
  if (drawn == 1) way();
  (void)eo_flip();
}

EO_TEST(sometimes) { in_one_of_four(die); }
EO_TEST(sometimes_twin) { in_one_of_four(abort); }

EO_TEST(at_once) { die(); }
EO_TEST(at_once_twin) { abort(); }
PROGRAM
compile suicide.c suicide

# It finds one crash, with a ticket that replays; with --keep-going it runs as many executions as its twin.
suicide() { # TEST TWIN
  local status=0 option ticket
  for option in --quiet --keep-going; do
    for name in "$1" "$2"; do
      status=0
      timeout 100 ./bare ./suicide --test "$name" --strategy dfs "$option" --tickets "$1$option" --json "$name.json" >out 2>&1 </dev/null ||
        status=$?
      same $status 1 "$name $option: exit code"
    done
    same "$(member "$1.json" kind finding)" crash "$1 $option: kind"
    same "$(member "$1.json" executions)" "$(member "$2.json" executions)" "$1 $option: executions"
    same "$(member "$1.json" complete)" "$(member "$2.json" complete)" "$1 $option: complete"
    [ "$(member "$1.json" restarts)" -gt 0 ] || problem "$1 $option: no restarts"
    ticket=$(member "$1.json" ticket finding | head -n 1)
    status=0
    timeout 100 ./bare "$EO_BUILD/everyorder" replay "$ticket" >out 2>&1 </dev/null || status=$?
    same $status 1 "replay of $ticket: exit code"
    grep -q '^reproduced: crash: ' out || problem "$ticket is not reproduced"
  done
}
suicide always always_twin
grep -q 'signal 9' always.json || problem 'the message does not name the signal'
for option in --quiet --keep-going; do
  run 1 timeout 100 ./suicide --test status "$option" --tickets none --json status.json
  same "$(member status.json kind finding)" outside "status $option: kind"
  grep -q 'exit_group ends the whole program' status.json || problem 'the message does not name the call'
  same "$(member status.json restarts)" 0 "status $option: restarts"
done
suicide sometimes sometimes_twin
same "$(member sometimes.json executions)" 7 executions
suicide at_once at_once_twin

echo 'the same, with several workers'
for name in always sometimes at_once; do
  for test in $name ${name}_twin; do
    status=0
    timeout 100 ./bare ./suicide --test "$test" --strategy dfs --keep-going --jobs 3 --tickets none --json "$test.json" >out 2>&1 </dev/null ||
      status=$?
    same $status 1 "$test --jobs 3: exit code"
    same "$(member "$test.json" kind finding)" crash "$test --jobs 3: kind"
  done
  for what in executions failures complete max_depth; do
    same "$(member $name.json $what)" "$(member ${name}_twin.json $what)" "$name --jobs 3: $what"
  done
done

all_well
