#!/usr/bin/env bash
# The parent holds every limit: signals and --time end whatever is under way within two seconds, whatever its workers do,
# with a verdict, a report and the tickets so far; and nothing is left behind, not even when the parent is killed.
# serial: it measures time
# takes: 15
set -uo pipefail
# shellcheck source=tests/integration/cluster_tools.bash
. "$EO_SRC/tests/integration/cluster_tools.bash"

cat >stuck.c <<'PROGRAM'
#define _GNU_SOURCE
#include <everyorder.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* By raw system calls, which get through where they are not filtered. */
static void get_stuck(void) {
  unsigned long all = ~0UL;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
  for (;;) {}
}
static void leave_child(void) {
  char *arguments[] = {(char *)"sleep", (char *)"60", NULL};
  if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) == 0) syscall(SYS_execve, "/bin/sleep", arguments, environ);
}

EO_TEST(stuck) { get_stuck(); }
EO_TEST(stopped) { syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP); }
EO_TEST(with_child) {
  leave_child();
  get_stuck();
}
EO_TEST(with_daemon) {
  if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) == 0) {
    setsid();
    if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) == 0)
      for (int i = 0; i < 60; i++) syscall(SYS_select, 0, NULL, NULL, NULL, &(struct timeval){.tv_sec = 1});
    syscall(SYS_exit_group, 0);
  }
  get_stuck();
}
EO_TEST(fails_then_stuck) {
  const unsigned drawn = eo_choose(3);
  eo_assert(drawn != 0, "the first one");
  if (drawn == 2) get_stuck();
}
EO_TEST(never_ends) {
  for (;;) eo_sleep(1);
}
EO_TEST(long_step) { /* most of a second */
  for (volatile unsigned i = 0; i < 700000000; i++) {}
}
PROGRAM
compile stuck.c stuck
gcc -O1 -Wall "$EO_SRC/tests/integration/hostile_bare.c" -o bare || exit 1

# ---- Watching -------------------------------------------------------------------

export EO_LIMITS_MARK=$$.$RANDOM
marked() { # processes that were started with the mark
  grep -lzx "EO_LIMITS_RUN=$EO_LIMITS_MARK" /proc/[0-9]*/environ 2>/dev/null | sed 's|/proc/||; s|/environ||'
}
nothing_left() { # WHAT
  local left tries=0
  while left=$(marked) && [ -n "$left" ]; do
    sleep 0.1
    if [ $((tries += 1)) -eq 15 ]; then
      problem "$1: processes are left: $left"
      # shellcheck disable=SC2086 # words
      kill -KILL $left
      return
    fi
  done
}
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
run_marked() { EO_LIMITS_RUN=$EO_LIMITS_MARK start ./bare "$@"; }

# Ends what was started last by this signal after a while: within two seconds, with this exit status.
ends() { # SIGNAL STATUS WHAT [SECONDS]
  local status=0 began took
  sleep "${4-0.7}"
  kill "-$1" "$main" || problem "$3: it had ended before"
  began=$(milliseconds)
  finish || status=$?
  took=$(($(milliseconds) - began))
  same $status "$2" "$3, SIG$1: exit status"
  [ $took -lt 2000 ] || problem "$3, SIG$1: took $took ms"
  nothing_left "$3, SIG$1"
}
reported() { # WHAT: report.json is a whole one
  python3 -m json.tool report.json >/dev/null || problem "$1: no report"
  says report.json '"stopped": "interrupted"'
}

# ---- Signals --------------------------------------------------------------------

options=(--watchdog 60s --quiet --json report.json)
echo 'signals, while a worker is stuck'
for signal in INT TERM HUP; do
  for test in stuck with_daemon; do
    rm -f report.json
    run_marked ./stuck --test $test "${options[@]}"
    ends $signal 3 $test
    reported $test
  done
done
run_marked "$everyorder" test ./stuck --test stuck --strategy dpor --jobs 2 "${options[@]}"
ends INT 3 'two workers'
reported 'two workers'

echo 'signals that are blocked from the start on'
run 1 env --block-signal ./stuck --test fails_then_stuck --strategy dfs --tickets none --quiet
says out 'the first one'
run 1 env --block-signal ./stuck --test never_ends --strategy dfs --depth 100 --depth-fails --tickets none --quiet
says out 'never_ends'
EO_LIMITS_RUN=$EO_LIMITS_MARK start env --block-signal ./bare ./stuck --test stuck "${options[@]}"
ends TERM 3 'all signals blocked'

echo 'text that nobody reads'
exec {closed}> >(true)
wait $!
for arguments in '1 fails_then_stuck' '2 never_ends --time 1s'; do
  read -ra words <<<"$arguments"
  rm -f report.json
  status=0
  timeout 10 ./stuck --strategy dfs --keep-going --tickets none "${options[@]}" --test "${words[@]:1}" 1>&"$closed" 2>err || status=$?
  same $status "${words[0]}" "$arguments: exit status"
  python3 -m json.tool report.json >/dev/null || problem "$arguments: no report"
done
exec {closed}>&-

echo 'the tickets so far'
rm -rf tickets
run_marked ./stuck --test fails_then_stuck --strategy dfs --keep-going --tickets tickets "${options[@]}"
ends TERM 1 fails_then_stuck 2 # probes get stuck first
reported fails_then_stuck
ls tickets/*.ticket >/dev/null || problem 'no ticket'
run 1 "$everyorder" replay tickets/fails_then_stuck-assertion-1.ticket

echo 'the time'
rm -rf tickets
began=$(milliseconds)
EO_LIMITS_RUN=$EO_LIMITS_MARK run 1 ./bare ./stuck --test fails_then_stuck --strategy dfs --keep-going --tickets tickets --time 2s "${options[@]}"
took=$(($(milliseconds) - began))
[ $took -lt 4000 ] || problem "--time 2s: took $took ms"
says report.json '"stopped": "after 2 s"'
ls tickets/*.ticket >/dev/null || problem 'no ticket'
nothing_left '--time 2s'
# It was run, even if no execution came to its end: that is no test that was left out.
run 3 ./stuck --test never_ends --strategy dfs --depth 100000000 --time 1s --quiet --tickets none
says out 'part  never_ends'

echo 'replay, estimate'
EO_LIMITS_RUN=$EO_LIMITS_MARK run 1 ./bare ./stuck --test stuck --watchdog 300ms --tickets tickets --quiet
run_marked "$everyorder" replay tickets/stuck-endless-loop-1.ticket
status=0
finish || status=$?
same $status 1 'replay of a step that does not end'
says out 'reproduced: endless loop'
EO_LIMITS_RUN=$EO_LIMITS_MARK run 1 ./bare ./stuck --test stopped --tickets tickets --quiet
EO_LIMITS_RUN=$EO_LIMITS_MARK run 1 ./bare "$everyorder" replay tickets/stopped-crash-1.ticket
says out 'reproduced: crash: the next step stops the whole process'
EO_LIMITS_RUN=$EO_LIMITS_MARK run 1 ./bare ./stuck --test stuck --watchdog 3s --tickets slow --time 60s --quiet
run_marked "$everyorder" replay slow/stuck-endless-loop-1.ticket
ends INT 2 replay
says out 'interrupted'
began=$(milliseconds)
EO_LIMITS_RUN=$EO_LIMITS_MARK run 2 ./bare ./stuck estimate --test stuck --watchdog 60s --time 1s
took=$(($(milliseconds) - began))
[ $took -lt 3000 ] || problem "estimate --time 1s: took $took ms"
nothing_left replay

echo 'the parent is killed'
for test in stuck with_child; do
  run_marked ./stuck --test $test "${options[@]}"
  sleep 0.7
  kill -KILL "$main"
  finish
  nothing_left "$test, SIGKILL"
done

echo 'Ctrl-C, on a terminal'
EO_LIMITS_RUN=$EO_LIMITS_MARK python3 - ./bare ./stuck --test stuck "${options[@]}" <<'PYTHON' || problem 'Ctrl-C on a terminal'
import os, pty, sys, time

pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
time.sleep(0.7)
os.write(terminal, b"\x03")
began = time.monotonic()
while os.waitpid(pid, os.WNOHANG) == (0, 0):
    time.sleep(0.01)
    if time.monotonic() - began > 2:
        os.kill(pid, 9)
        sys.exit("it does not end")
PYTHON
nothing_left 'Ctrl-C'

# A step is long by the time for which it runs, not by the time for which it waits for a processor.
echo 'others have the processor'
others=()
for ((i = 0; i < 6; i++)); do # each a session: the kernel shares a processor among sessions
  setsid taskset -c 0 timeout 60 bash -c 'while :; do :; done' &
  others+=($!)
done
run 0 taskset -c 0 ./stuck --test long_step --strategy dfs --watchdog 1200ms --json report.json
kill "${others[@]}"
wait "${others[@]}" 2>/dev/null
same "$(member report.json restarts)" 0 'workers that were replaced while others had the processor'

echo 'a worker of a cluster'
if command -v redis-server >/dev/null; then
  start_redis
  address=redis://127.0.0.1:$port/limits
  start ./stuck --test stuck --watchdog 60s --cluster "$address" --quiet
  watcher=$main
  run_marked "$everyorder" worker --wait --program ./stuck --join "$address"
  ends TERM 0 'cluster worker'
  kill -INT "$watcher"
  wait "$watcher" 2>/dev/null
  nothing_left 'a cluster'
fi
all_well
