#!/usr/bin/env bash
# `everyorder replay --gdb` with a real gdb, which gets its commands as from a terminal: it stops before the last step,
# runs on to the failure, and shows where the program is. gdb does not mix with the sanitizers, so the release build only.
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
unset EO_NO_REEXEC
export HOME=$scratch # no .gdbinit of anybody
unset DEBUGINFOD_URLS

everyorder=$EO_BUILD/everyorder
findings=$EO_BUILD/examples/findings

failures=0
problem() {
  echo "FAILED line ${BASH_LINENO[-2]}: $*"
  tail -n 60 out | sed 's/^/    /'
  failures=$((failures + 1))
}
says() { # REGEX
  grep -qE -- "$1" out || problem "gdb does not say '$1'"
}
silent() { # REGEX
  if grep -qE -- "$1" out; then problem "gdb says '$1'"; fi
}
debug() { # TICKET OPTIONS... <COMMANDS
  timeout 100 "$everyorder" replay "$@" --gdb >out 2>&1 || problem "gdb: exit $?"
  says 'eo__replay_here|eo__failure_here'
}
ticket_of() { # TEST: explores it; prints the path of its ticket
  "$everyorder" test "$findings" --strategy dfs --test "$1" --quiet --tickets "$1" >/dev/null 2>&1
  echo "$1"/*.ticket
}

# Stops before the last step (the breakpoint's argument is its number), and goes on to the failure.
ticket=$(ticket_of assertion_in_some_orders)
debug "$ticket" <<'COMMANDS'
info breakpoints
backtrace 1
continue
backtrace
continue
COMMANDS
says '^Breakpoint 1, .*eo__replay_here'
says '^Breakpoint 2, .*eo__failure_here'
says '#[0-9]+ .*assertion_in_some_orders .*examples/findings\.c:[0-9]+'
says 'Just before step 6 of 6'
says '#0 +.*eo__replay_here'
says 'reproduced: assertion: 2 came before 1 \(first < message.tag is false\)'
says 'exited with code 01'
silent 'received signal' # the library's own, for captured memory, are not the user's affair

# At another step; then at the place of the failure, with the program's variables.
debug "$ticket" --until 3 <<'COMMANDS'
tbreak send_number
continue
backtrace
delete
continue
COMMANDS
says 'Just before step 3 of 6'
says 'exited with code 01'

# The place that the hint names can be stopped at, and shows the program's own variables.
debug "$ticket" <<'COMMANDS'
tbreak assertion_in_some_orders
tbreak eo_assert_
continue
up
info locals
kill
COMMANDS
says 'assertion_in_some_orders \(\) at .*examples/findings\.c:[0-9]+'
says 'first = '

# A step before the start of everything: nothing was done when it failed, so it stops at the failure or runs to it.
ticket=$(ticket_of crash_null_write)
debug "$ticket" <<'COMMANDS'
backtrace
continue
COMMANDS
says 'eo__failure_here'
says '#[0-9]+ .*write_to .*examples/findings\.c:[0-9]+'

# A crash stops where the backtrace leads to the line that crashed.
ticket=$(ticket_of crash_in_a_child)
debug "$ticket" <<'COMMANDS'
continue
backtrace
continue
COMMANDS
says '^Breakpoint 1, .*eo__replay_here'
says '^Breakpoint 2, .*eo__failure_here'
says '#[0-9]+ .*write_to .*examples/findings\.c:[0-9]+'
says 'reproduced: crash: SIGSEGV'

# It stops in the process that takes the step: its own stack from its function to the operation, and all the others' at
# hand; what looking at another one changed is back when the program goes on.
"$everyorder" test "$EO_BUILD/examples/bank" --strategy dfs --quiet --tickets bank >/dev/null 2>&1
ticket=$(echo bank/*.ticket)
debug "$ticket" --until 7 <<'COMMANDS'
set width 0
echo == stopped\n
backtrace
info everyorder
echo == client\n
everyorder process P1.2
backtrace
info everyorder
up
info frame
echo == first\n
everyorder process P1 backtrace
everyorder process P1
frame function two_deposits
print other
print/d other.account
print (eo_pid)0
everyorder process
echo == back\n
backtrace 3
echo == nobody\n
everyorder process P7
everyorder process P1.2
tbreak account
next
echo == on\n
delete
everyorder process P1.2
continue
COMMANDS
sed 's/^\((gdb) \)*//' out >whole
section() { # NAME: what was printed from that mark to the next
  sed -n "/^== $1\$/,/^== /p" whole >out
}
says 'Just before step 7 of '
section stopped
says '^#0 .*eo__replay_here \(step=7\)'
says '^#[0-9]+ .*eo_receive_ '
says '^#[0-9]+ .* account \(.*examples/bank\.c:14'
silent 'eo__engine_run'
says '6 steps were taken'
says '^\* P1\.1 +can go on receive anything, at examples/bank\.c:14'
says '^ +mail: READ \{0\} from P1\.2, 8 bytes'
says '^  P1\.2 +waits +receive REPLY, at examples/bank\.c:29'
says '^  P1\.2 +waits +receive .*, at examples/bank\.c:29'
says '^  P1 +can go on receive'
section client
says '^#[0-9]+ .* client \(.*examples/bank\.c'
silent ' account \('
says '^\* P1\.2 '
section first
says '^#[0-9]+ .* two_deposits \(.*examples/bank\.c'
says '= \{deposit = .*, account = P1\.1, test = P1\}'
says '= 3$'
says '= nobody$'
section back
says '^#0 .*eo__replay_here \(step=7\)'
section nobody
says 'there is no process P7'
cp whole out
says '^Breakpoint 2, .*eo__failure_here|reproduced: assertion'
silent 'Python Exception|Traceback|Cannot|received signal'

# A signal that arrives has no stack of its own: it stops all the same, and shows whom it reaches.
cat >spreads.c <<'PROGRAM'
#include <everyorder.h>
static void end(void *argument) { eo_exit(*(const int *)argument); }
EO_TEST(spreads) {
  const int reason = 7;
  eo_message message;
  eo_spawn_link(end, &reason, sizeof reason);
  eo_receive(&message, EO_FOREVER);
}
PROGRAM
# shellcheck disable=SC2046 # several words
gcc -std=gnu17 -O1 -g "-I$EO_SRC/include/everyorder" spreads.c -o spreads "$EO_BUILD/libeveryorder_inside.a" \
  $(pkg-config --libs libxxhash jansson hiredis) -ldw -lelf -pthread -ldl -Wl,-z,now || problem 'spreads.c'
"$everyorder" test ./spreads --strategy dfs --delivery fifo --quiet --tickets spreads.tickets >/dev/null 2>&1
debug spreads.tickets/*.ticket --until 3 <<'COMMANDS'
set width 0
info everyorder
everyorder process P1 backtrace
continue
continue
COMMANDS
says 'Just before step 3 of 4'
says '^(\(gdb\) )*2 steps were taken'
says '^  P1 +waits +receive anything, at spreads\.c:7'
says '^  X1:P1\.1 +can go on signal, at spreads\.c:2'
says '#[0-9]+ .* spreads \(\) at spreads\.c:7'
says '^Breakpoint 2, .*eo__failure_here'
says 'reproduced: abnormal exit: P1 exits with reason 7, spread from P1\.1'
silent 'Python Exception|Traceback|Cannot|received signal'

# gdb that is not there is said so.
mkdir empty
PATH=$scratch/empty "$everyorder" replay "$ticket" --gdb >out 2>&1 </dev/null
[ $? -eq 2 ] || problem 'without gdb: not exit 2'
says 'install the package gdb'

if [ $failures -gt 0 ]; then
  echo "$failures checks failed"
  exit 1
fi
