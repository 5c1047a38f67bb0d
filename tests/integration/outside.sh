#!/usr/bin/env bash
# Programs that reach outside their messages (outside.c): what is controlled is the same in every run and goes back with
# each execution; what cannot be controlled is a finding that names the call with its source line; what is left is found by
# running executions twice. By dfs with the static library, and by dpor with the shared one: how a call is caught depends
# on the library, and on no strategy; with the argument `all`, by both with both.
# takes: 20
# builds: release
# hunt: all
# shellcheck source=tests/integration/tools.bash
source "$EO_SRC/tests/integration/tools.bash"

source=$EO_SRC/tests/integration/outside.c
build_both "$source" -lm -Wl,-z,now

# Runs one test of $program; its report is in report.json.
explore() { # STATUS TEST OPTIONS...
  local status=$1 test=$2
  shift 2
  rm -f counter report.json
  run "$status" timeout -k 1 60 "./$program" --test "$test" --json report.json "$@"
}

# The line of the first use of a word in a test of outside.c.
line_of() { # TEST WORD
  awk -v test="EO_TEST($1)" -v word="$2" 'index($0, test) {on = 1} on && index($0, word "(") {print NR; exit}' "$source"
}

names() { sed -nE 's/^EO_TEST\(('"$1"'[a-z0-9_]*)\).*/\1/p' "$source"; }

declare -A strategies_of=([with_archive]=dfs [with_library]=dpor)
if [ "${1-}" = all ]; then strategies_of=([with_archive]='dfs dpor' [with_library]='dfs dpor'); fi
for program in with_archive with_library; do
  read -ra strategies <<<"${strategies_of[$program]}"
  # As many executions each time; something to choose from, so that another number would be another count.
  for test in $(names same_); do
    explore 0 "$test" --strategy dfs
    first=$(member report.json executions)
    explore 0 "$test" --strategy dfs
    same "$(member report.json executions)" "$first" "$program $test: executions of a second run"
  done

  for test in $(names ok_); do
    for strategy in "${strategies[@]}"; do explore 0 "$test" --strategy "$strategy"; done
  done

  # TEST KIND WORD TEXT: the message has that text, the place is the line with the word (-: not looked at).
  while read -r test kind word text; do
    for strategy in "${strategies[@]}"; do
      explore 1 "$test" --strategy "$strategy"
      same "$(member report.json kind finding)" "$kind" "$program $test: kind"
      member report.json message finding | grep -qF -- "$text" ||
        problem "$program $test: '$(member report.json message finding)' instead of '$text'"
      if [ "$word" != - ]; then
        same "$(member report.json line finding | head -n 1)" "$(line_of "$test" "$word")" "$program $test: line"
      fi
    done
  done <<'TABLE'
bad_pthread_create outside pthread_create pthread_create starts a thread
bad_late_thread outside - pthread_create starts a thread
bad_thrd_create outside thrd_create thrd_create starts a thread
bad_fork outside fork fork starts
bad_vfork outside vfork vfork starts
bad_raw_fork outside syscall clone starts
bad_system outside system system starts
bad_popen outside popen popen starts
bad_posix_spawn outside posix_spawn posix_spawn starts
bad_execl outside execl execl (system call execve)
bad_execvp outside execvp execve replaces the test by another program
bad_pthread_exit outside pthread_exit pthread_exit ends the thread
bad_thrd_exit outside thrd_exit thrd_exit ends the thread
bad_raw_exit outside syscall exit ends the thread
bad_raw_exit_group outside syscall exit_group ends
bad_daemon outside daemon daemon starts
bad_setsid outside setsid setsid changes
bad_kill_parent outside syscall kill sends a signal
bad_queue_parent outside sigqueue sigqueue (system call rt_sigqueueinfo) sends a signal
bad_stop outside raise raise (system call tgkill) stops
bad_alarm outside alarm alarm sends a signal
bad_setitimer outside setitimer setitimer sends a signal
bad_timer_create outside timer_create timer_create sends a signal
bad_prctl outside prctl prctl changes
bad_hard_limit outside setrlimit setrlimit (system call prlimit64) lowers
bad_read_pipe outside pipe read waits
bad_stream_of_pipe outside fgetc fgetc (system call read) waits
bad_recv outside recv recv (system call recvfrom) waits
bad_accept outside accept accept waits
bad_connect outside connect connect waits
bad_poll outside poll poll waits
bad_poll_for_ever outside poll poll waits
bad_select outside select select waits
bad_epoll outside epoll_wait epoll_wait waits
bad_pause outside pause pause waits
bad_sigsuspend outside sigsuspend sigsuspend (system call rt_sigsuspend) waits
bad_sigwait outside sigwait sigwait (system call rt_sigtimedwait) waits
bad_mutex outside - pthread_mutex_lock (system call futex) waits
bad_mutex_of_two outside - pthread_mutex_lock (system call futex) waits
bad_recursive_mutex outside - pthread_mutex_lock (system call futex) waits
bad_held_to_write outside - pthread_rwlock_rdlock (system call futex) waits
bad_held_to_read outside - pthread_rwlock_wrlock (system call futex) waits
bad_recursive_mtx outside - mtx_lock (system call futex) waits
bad_checking_mutex outside - pthread_mutex_lock (system call futex) waits
bad_condition outside pthread_cond_wait pthread_cond_wait (system call futex) waits
bad_semaphore outside sem_wait futex waits
bad_mtx_lock outside - mtx_lock (system call futex) waits
bad_flock outside - flock waits
bad_raw_sleep outside syscall nanosleep sleeps in real time
fails_after_sleep assertion eo_assert told with the sleep before it
fails_in_handler assertion - in the handler of 10
fails_in_handler_late assertion - in the handler of 12
fails_by_sigqueue assertion - in the handler of 12
fails_by_tgkill assertion - in the handler of 12
fails_by_tkill assertion - in the handler of 12
fails_by_raw_kill assertion - in the handler of 12
fails_by_pthread_sigqueue assertion - in the handler of 12
misuse_in_handler misuse - from a signal handler
crash_with_handler crash - SIGSEGV
crash_in_printf crash - SIGSEGV
exit_in_handler exit - _exit(10)
otherwise_file nondeterminism - before that: open \"counter\" at outside.c:
otherwise_fails nondeterminism - every third execution
TABLE

  # Where the loop is left is by chance: so several times.
  for test in $(names loops_in_); do
    for _ in 1 2 3 4; do
      explore 1 "$test" --strategy dfs --watchdog 100ms
      member report.json message finding | grep -q '^P1 runs on and on' || problem "$program $test: message"
      silent report.json nondeterminism
    done
  done

  # Standard input is of one execution only, whatever is behind it.
  for test in bad_getchar bad_scanf; do
    rm -f report.json
    "./$program" --test $test --strategy dfs --json report.json <"$source" >out 2>err
    same "$(member report.json kind finding)" outside "$program $test: kind"
    member report.json message finding | grep -qF 'reads standard input' || problem "$program $test: message"
  done

  # A failure in one execution only, whichever it is, of whatever kind. It counts in a file, which leaves a doubt.
  NTH=0 explore 3 once_fails --strategy dfs
  runs=$(od -An -i counter)
  [ "$runs" -gt 8 ] || problem "$program once_fails: only $runs executions"
  for ((nth = 1; nth <= runs; nth++)); do
    NTH=$nth explore 1 once_fails --strategy dfs
    same "$(member report.json kind finding)" nondeterminism "$program once_fails, $nth"
  done

  # What fails under audit only leaves a doubt.
  for strategy in dfs dpor; do
    explore 3 part_closed_memory --strategy $strategy
    says out 'memory or files that processes may share'
    explore 3 part_closed_loop --strategy $strategy --watchdog 500ms
    says out 'memory or files that processes may share'
  done

  # Seldom, and by whichever strategy; none of them shares its steps with the others.
  for strategy in dfs random; do
    explore 1 otherwise_seldom --strategy $strategy
    same "$(member report.json kind finding)" nondeterminism "$program otherwise_seldom, $strategy"
  done
done

# C++: the same through its library.
program=with_cpp
g++ -std=gnu++17 -g -O1 -Wall "-I$EO_SRC/include/everyorder" "$EO_SRC/tests/integration/outside_cpp.cc" -o with_cpp \
  "$EO_BUILD/libeveryorder.a" -lxxhash -ljansson -lhiredis -ldw -lelf -pthread -ldl -Wl,-z,now || exit 1
for strategy in dfs dpor; do explore 0 ok_library --strategy $strategy; done
explore 1 bad_thread --strategy dfs
member report.json message finding | grep -qF 'pthread_create starts a thread' || problem 'std::thread: message'
rm -f report.json
"./$program" --test bad_cin --strategy dfs --json report.json <"$source" >out 2>err
member report.json message finding | grep -qF 'reads standard input' || problem 'std::cin: message'

# A sleep is told with its line, like any operation.
program=with_archive
explore 1 fails_after_sleep --strategy dfs
says out "sleeps 2 ms"
says out "outside.c:$(line_of fails_after_sleep usleep)"

all_well
